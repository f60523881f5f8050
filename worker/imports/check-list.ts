/** A plain Markdown check list: each box is a task, a box within a box a part of it. Nothing in it is an order. */
import { type ImportedTask, type ImportNote, Names, type Reading, readStatus } from './imported.ts';
import type { TaskLists } from './markdown.ts';
import { noteProse } from './prose.ts';

export function readCheckList({ boxes, prose }: TaskLists): Reading {
  const notes: ImportNote[] = [];
  const names = new Names();
  const given: string[] = [];
  const tasks = boxes.map((box, n): ImportedTask => {
    const where = `line ${box.line}`;
    const status = box.done ? 'done' : 'open';
    readStatus(status, where, notes);
    const name = names.fresh(String(n + 1), where, notes);
    given.push(name);
    const parent = box.parent === null ? undefined : given[box.parent];
    return {
      name,
      title: box.text.split('\n')[0]?.trim() || `${box.heading} ${n + 1}`.trim(),
      text: box.more,
      verified: '',
      after: [],
      ...(parent === undefined ? {} : { parent }),
      status,
      required: true,
      where,
    };
  });
  if (tasks.length > 1) notes.push({ code: 'order_not_taken', where: 'line 1' });
  noteProse(prose, notes);
  return { tasks, notes };
}
