/** From tasks of a file to items of a plan document. What the plan may hold is decided where plans are: this only translates, and says what it left out. */
import type { PlanDocumentInput, PlanItem } from '../domain/plan/document.ts';
import type { Json } from '../domain/values.ts';
import type { ImportedTask, ImportNote, Reading } from './imported.ts';

type ItemInput = PlanDocumentInput['items'][number];

/** Characters of a title and of an objective, as the plan document has them. */
const TITLE = 200;
const OBJECTIVE = 8000;

export interface Translated {
  document: PlanDocumentInput;
  notes: ImportNote[];
}

/** `kept`: items that the plan has; they stay as they are, in front, and none of the file's takes the place of one. */
export function toPlan(reading: Reading, mode: PlanDocumentInput['mode'], kept: readonly PlanItem[]): Translated {
  const notes = [...reading.notes];
  const keys = keysOf(reading.tasks);
  const there = new Set(kept.map((item) => item.key));
  const parents = new Set(reading.tasks.flatMap((task) => (task.parent === undefined ? [] : [task.parent])));
  const items = reading.tasks.flatMap((task): ItemInput[] => {
    const key = keys.get(task.name) ?? task.name;
    if (there.has(key)) {
      notes.push({ code: 'already_in_plan', where: task.where, key });
      return [];
    }
    return [itemOf(task, key, keys, parents.has(task.name), notes)];
  });
  return { document: { mode, items: [...kept, ...items] }, notes: notes.map((note) => ({ ...note, ...keyOf(note, reading.tasks, keys) })) };
}

function itemOf(task: ImportedTask, key: string, keys: ReadonlyMap<string, string>, groups: boolean, notes: ImportNote[]): ItemInput {
  const { where } = task;
  const dependsOn = task.after.flatMap(({ name, kind }) => {
    const other = keys.get(name);
    if (other === undefined) notes.push({ code: 'dependency_left_out', where, detail: name });
    else if (other === key) notes.push({ code: 'dependency_on_itself', where });
    // A part waits for what its parent waits for, never for the parent: that is done when its parts are.
    return other === undefined || other === key || name === task.parent ? [] : [{ key: other, kind }];
  });
  const parent = task.parent === undefined ? undefined : keys.get(task.parent);
  if (task.parent !== undefined && parent === undefined) notes.push({ code: 'dependency_left_out', where, detail: `parent ${task.parent}` });
  const long = task.title.length > TITLE;
  if (long) notes.push({ code: 'title_cut', where, key });
  const text = [long ? task.title : '', task.text].filter(Boolean).join('\n\n');
  if (text.length > OBJECTIVE) notes.push({ code: 'text_moved', where, key, detail: `${text.length} characters` });
  return {
    key,
    ...(groups ? { kind: 'integrate' as const } : {}),
    title: whole(task.title, TITLE),
    objective: whole(text, OBJECTIVE),
    ...(task.verified ? { acceptance: [{ id: 'verified', text: whole(task.verified, 2000) }] } : {}),
    dependsOn,
    ...(parent === undefined ? {} : { parent }),
    required: task.required,
    input: {
      imported: { name: task.name, status: task.status, ...(text.length > OBJECTIVE ? { text } : {}), ...(task.verified.length > 2000 ? { verified: task.verified } : {}) },
    } as Json,
  };
}

/** The beginning of a text, never half of a character. */
const whole = (text: string, most: number): string => (text.length <= most ? text : text.slice(0, most).replace(/[\uD800-\uDBFF]$/, ''));

/** A key of the plan for each name: its letters and digits in small, with a number where two would be the same. */
function keysOf(tasks: readonly ImportedTask[]): Map<string, string> {
  const taken = new Set<string>();
  return new Map(
    tasks.map(({ name, title }) => {
      const bare = /^\d+$/.test(name) ? `${name}-${title}` : name;
      const plain =
        bare
          .toLowerCase()
          .replaceAll(/[^a-z0-9]+/g, '-')
          .replaceAll(/^-+|-+$/g, '')
          .slice(0, 56)
          .replace(/-+$/, '') || 'task';
      let key = plain;
      for (let n = 2; taken.has(key); n++) key = `${plain}-${n}`;
      taken.add(key);
      return [name, key];
    }),
  );
}

function keyOf(note: ImportNote, tasks: readonly ImportedTask[], keys: ReadonlyMap<string, string>): { key?: string } {
  if (note.key !== undefined) return {};
  const task = tasks.find((each) => each.where === note.where);
  const key = task && keys.get(task.name);
  return key === undefined ? {} : { key };
}
