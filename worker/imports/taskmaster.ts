/**
 * Taskmaster `tasks.json`: lists of tasks under tags (or one list without), each with subtasks. Ids repeat across tags; a dependency is a number, a text of digits,
 * or `task.subtask`. Within a subtask a bare id is a sibling first, and a task of the list where there is no such sibling.
 */
import { z } from 'zod';
import { type ImportedTask, type ImportNote, Names, NotReadable, type Reading, readStatus } from './imported.ts';

const id = z.union([z.int(), z.string().min(1).max(60)]).transform(String);
const text = z
  .string()
  .nullish()
  .transform((given) => given ?? '');
const ids = z
  .array(id)
  .nullish()
  .transform((given) => given ?? []);
const subtask = z.looseObject({ id, title: text, description: text, details: text, testStrategy: text, status: text, dependencies: ids });
const task = subtask.extend({
  subtasks: z
    .array(subtask)
    .nullish()
    .transform((given) => given ?? []),
});
const list = z.looseObject({ tasks: z.array(task) });
type Task = z.infer<typeof task>;
type Subtask = z.infer<typeof subtask>;

/** Whether a parsed file looks like one. */
export function isTaskmaster(value: unknown): boolean {
  return listsOf(value).length > 0;
}

function listsOf(value: unknown): { tag: string | null; at: string; value: unknown }[] {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return [];
  const held = (each: unknown) => each !== null && typeof each === 'object' && 'tasks' in each && Array.isArray(each.tasks);
  if (held(value)) return [{ tag: null, at: '', value }];
  return Object.entries(value).flatMap(([tag, each]) => (held(each) ? [{ tag, at: `/${tag.replaceAll('~', '~0').replaceAll('/', '~1')}`, value: each }] : []));
}

/** `tag`: only this list. Throws `NotReadable`. */
export function readTaskmaster(value: unknown, tag?: string): Reading {
  const all = listsOf(value);
  const lists = tag === undefined ? all : all.filter((each) => each.tag === tag);
  if (lists.length === 0) throw new NotReadable('/', tag === undefined ? 'no list of tasks' : `no tag ${tag}; there are: ${all.map((each) => each.tag).join(', ')}`.slice(0, 500));
  const notes: ImportNote[] = [];
  const names = new Names();
  const tasks: ImportedTask[] = [];
  const several = lists.length > 1;
  if (several)
    notes.push({
      code: 'tag_prefixed',
      where: '/',
      detail: lists
        .map((each) => each.tag)
        .join(', ')
        .slice(0, 500),
    });
  for (const { tag: of, at, value: given } of lists) {
    const parsed = list.safeParse(given);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw new NotReadable(`${at}/${issue?.path.map(String).join('/') ?? ''}`, issue?.message ?? 'no list of tasks');
    }
    tasks.push(...readList(parsed.data.tasks, several ? `${of}/` : '', at, names, notes));
  }
  return { tasks, notes };
}

function readList(given: readonly Task[], prefix: string, at: string, names: Names, notes: ImportNote[]): ImportedTask[] {
  const whole = new Set(given.map((each) => each.id));
  const parts = new Set(given.flatMap((each) => each.subtasks.map((part) => `${each.id}.${part.id}`)));
  const dependency = (raw: string, where: string, parent?: string): string[] => {
    const named = prefix + raw;
    if (raw.includes('.')) {
      if (parts.has(raw)) return [named];
    } else if (parent !== undefined && parts.has(`${parent}.${raw}`)) {
      if (whole.has(raw)) notes.push({ code: 'dependency_ambiguous', where, detail: `${raw}: the subtask ${parent}.${raw}, not the task ${raw}` });
      return [`${prefix}${parent}.${raw}`];
    } else if (whole.has(raw)) return [named];
    notes.push({ code: 'dependency_unknown', where, detail: raw });
    return [];
  };
  return given.flatMap((each, n) => {
    const where = `${at}/tasks/${n}`;
    const { gone, required } = readStatus(each.status, where, notes);
    if (gone) return [];
    const name = names.fresh(prefix + each.id, where, notes);
    const after = each.dependencies.flatMap((raw) => dependency(raw, where));
    const parent: ImportedTask = { ...textsOf(each), name, after: hard(after), status: each.status || 'open', required, where };
    const children = each.subtasks.flatMap((part, m): ImportedTask[] => {
      const place = `${where}/subtasks/${m}`;
      const said = readStatus(part.status, place, notes);
      if (said.gone) return [];
      const child = names.fresh(`${prefix}${each.id}.${part.id}`, place, notes);
      // What a task waits for, its parts wait for: the file says that work on them has not begun before.
      const own = part.dependencies.flatMap((raw) => dependency(raw, place, each.id));
      return [{ ...textsOf(part), name: child, parent: name, after: hard([...own, ...after]), status: part.status || 'open', required: required && said.required, where: place }];
    });
    return [parent, ...children];
  });
}

const hard = (names: readonly string[]) => [...new Set(names)].map((name) => ({ name, kind: 'hard' as const }));

const textsOf = ({ title, description, details, testStrategy, id: named }: Subtask) => ({
  title: title.trim() || description.trim().split('\n')[0] || named,
  text: [description, details]
    .map((each) => each.trim())
    .filter(Boolean)
    .join('\n\n'),
  verified: testStrategy.trim(),
});
