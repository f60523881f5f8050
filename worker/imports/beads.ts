/**
 * Beads: one issue a line, as JSON. `blocks` links order the work, `parent-child` links group it, the others say neither. A line may come twice: the newest counts.
 * Times have any offset and up to nine digits of a second.
 */
import { z } from 'zod';
import { type ImportedTask, type ImportNote, Names, NotReadable, type Reading, readStatus } from './imported.ts';

const text = z
  .string()
  .nullish()
  .transform((given) => given ?? '');
const issue = z.looseObject({
  id: z.string().min(1).max(100),
  title: text,
  description: text,
  design: text,
  notes: text,
  acceptance_criteria: text,
  status: text,
  updated_at: text,
  dependencies: z
    .array(z.looseObject({ depends_on_id: z.string().max(100), type: z.string().max(60).default('blocks') }))
    .nullish()
    .transform((given) => given ?? []),
});
type Issue = z.infer<typeof issue>;

/** Whether the first line of a file looks like an issue. */
export function isBeads(source: string): boolean {
  const first = source.split('\n').find((line) => line.trim() !== '');
  try {
    return issue.safeParse(JSON.parse(first ?? '')).success;
  } catch {
    return false;
  }
}

/** Throws `NotReadable` at the first line that is no issue: half a plan is worse than none. */
export function readBeads(source: string): Reading {
  const notes: ImportNote[] = [];
  const newest = new Map<string, { issue: Issue; where: string }>();
  for (const [n, line] of source.split('\n').entries()) {
    if (line.trim() === '') continue;
    const where = `line ${n + 1}`;
    const given = parse(line, where);
    const known = newest.get(given.id);
    if (known) notes.push({ code: 'older_line', where, detail: given.id });
    if (!known || compareTimes(given.updated_at, known.issue.updated_at) >= 0) newest.set(given.id, { issue: given, where });
  }
  const names = new Names();
  const tasks = [...newest.values()].flatMap(({ issue: each, where }): ImportedTask[] => {
    const { gone, required } = readStatus(each.status, where, notes);
    if (gone) return [];
    const parents = each.dependencies.filter((link) => link.type === 'parent-child').map((link) => link.depends_on_id);
    for (const other of parents.slice(1)) notes.push({ code: 'dependency_ambiguous', where, detail: `a second parent: ${other}` });
    for (const link of each.dependencies)
      if (!['blocks', 'parent-child'].includes(link.type)) notes.push({ code: 'link_not_taken', where, detail: `${link.type} ${link.depends_on_id}`.slice(0, 200) });
    return [
      {
        name: names.fresh(each.id, where, notes),
        title: each.title.trim() || each.id,
        text: [each.description, each.design, each.notes]
          .map((part) => part.trim())
          .filter(Boolean)
          .join('\n\n'),
        verified: each.acceptance_criteria.trim(),
        after: [...new Set(each.dependencies.filter((link) => link.type === 'blocks').map((link) => link.depends_on_id))].map((name) => ({ name, kind: 'hard' })),
        ...(parents[0] === undefined ? {} : { parent: parents[0] }),
        status: each.status || 'open',
        required,
        where,
      },
    ];
  });
  return { tasks, notes };
}

function parse(line: string, where: string): Issue {
  if (/^(<{7}|={7}|>{7})/.test(line)) throw new NotReadable(where, 'a mark of a merge that was not finished');
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new NotReadable(where, 'no JSON');
  }
  const parsed = issue.safeParse(value);
  if (!parsed.success) throw new NotReadable(where, `${parsed.error.issues[0]?.path.join('/') ?? ''}: ${parsed.error.issues[0]?.message ?? 'no issue'}`);
  return parsed.data;
}

/** Exact beyond milliseconds; a time that cannot be read is older than one that can. */
function compareTimes(a: string, b: string): number {
  const [left, right] = [timeOf(a), timeOf(b)];
  return left.ms - right.ms || left.rest.localeCompare(right.rest);
}

function timeOf(time: string): { ms: number; rest: string } {
  const ms = Date.parse(time.replace(/(\.\d{3})\d+/, '$1'));
  return { ms: Number.isNaN(ms) ? Number.NEGATIVE_INFINITY : ms, rest: (/\.\d{3}(\d+)/.exec(time)?.[1] ?? '').padEnd(6, '0') };
}
