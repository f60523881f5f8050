/**
 * Task lists of spec-kit: `- [ ] T012 [P] [US1] text` under phases. A phase begins when the one before is done; within it a task follows the tasks before it,
 * unless it is marked `[P]`: such neighbours may run side by side. `depends on T012, T013` in a task's own text is an order too.
 */
import { type ImportedTask, type ImportNote, Names, type Reading, readStatus } from './imported.ts';
import type { Box, TaskLists } from './markdown.ts';
import { noteProse } from './prose.ts';

const shape = /^(T(?:\d+[a-z]?|X+))\b\s*((?:\[[^\]\n]{1,20}\]\s*)*)([\s\S]*)$/;
const said = /\bdepends? on\s+((?:T\d+[a-z]?(?:\s*(?:,|and|&|\+)\s*)?)+)/gi;

/** Whether most boxes have ids of this kind. */
export function isSpecKit({ boxes }: TaskLists): boolean {
  return boxes.length > 0 && boxes.filter((box) => shape.test(box.text)).length * 2 > boxes.length;
}

interface Read {
  task: ImportedTask;
  id: string;
  parallel: boolean;
  section: number;
  /** Ids named in its text. */
  named: string[];
}

export function readSpecKit({ boxes, prose }: TaskLists): Reading {
  const notes: ImportNote[] = [];
  const names = new Names();
  const read = boxes.map((box, n) => readBox(box, n, names, notes));
  const first = new Map<string, string>();
  for (const each of read) if (!first.has(each.id)) first.set(each.id, each.task.name);
  const ambiguous = new Set(read.filter((each) => each.task.name !== each.id).map((each) => each.id));
  const order = orderOf(read);
  const tasks = read.map(({ task, named }, n) => {
    const own = named.flatMap((id) => {
      const name = first.get(id);
      if (name === undefined) notes.push({ code: 'dependency_unknown', where: task.where, detail: id });
      else if (ambiguous.has(id)) notes.push({ code: 'dependency_ambiguous', where: task.where, detail: `${id}: the first of that name` });
      return name === undefined ? [] : [name];
    });
    return { ...task, after: [...new Set([...own, ...(order[n] ?? [])])].map((name) => ({ name, kind: 'hard' as const })) };
  });
  if (tasks.length > 1) notes.push({ code: 'order_from_document', where: 'line 1' });
  noteProse(prose, notes);
  return { tasks, notes };
}

function readBox(box: Box, n: number, names: Names, notes: ImportNote[]): Read {
  const where = `line ${box.line}`;
  const [, id = `item-${n + 1}`, flags = '', text = box.text] = shape.exec(box.text) ?? [];
  const status = box.done ? 'done' : 'open';
  readStatus(status, where, notes);
  const title = text.trim().split('\n')[0] || id;
  return {
    id,
    parallel: /\[P\]/.test(flags),
    section: box.section,
    named: [...text.matchAll(said)].flatMap(([, list = '']) => list.match(/T\d+[a-z]?/gi) ?? []),
    task: { name: names.fresh(id, where, notes), title, text: [box.heading, title, box.more].filter(Boolean).join('\n\n'), verified: '', after: [], status, required: true, where },
  };
}

/** Of each task, the names that go before it by the order of the file. */
function orderOf(read: readonly Read[]): string[][] {
  let section = -1;
  /** Ends of the phase before, and of the stretch that is being read. */
  let before: string[] = [];
  let barrier: string[] = [];
  let side: string[] = [];
  return read.map(({ task, parallel, section: of }) => {
    if (of !== section) {
      before = side.length > 0 ? side : barrier.length > 0 ? barrier : before;
      section = of;
      barrier = [];
      side = [];
    }
    const last = barrier.length > 0 ? barrier : before;
    if (parallel) {
      side.push(task.name);
      return last;
    }
    const after = side.length > 0 ? side : last;
    barrier = [task.name];
    side = [];
    return after;
  });
}
