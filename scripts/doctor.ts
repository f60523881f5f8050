/**
 * `npm run doctor -- GOAL [--url http://127.0.0.1:8787] [--workspace local] [--json]`: state, timers, lanes and the next mover of one goal, as its object says.
 * `npm run doctor -- --audit FILE [--head SEQ:DIGEST] [--json]`: whether an export of a workspace's audit is whole. Asks nobody; exits with 1 where it is not.
 */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { sha256 } from '../worker/goal/sha256.ts';
import { checkExport } from '../worker/workspace/audit/export.ts';
import { Client, Refused, Unreachable } from './client.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:8787' },
    workspace: { type: 'string', default: 'local' },
    json: { type: 'boolean', default: false },
    audit: { type: 'string' },
    head: { type: 'string', multiple: true, default: [] },
  },
});
if (values.audit !== undefined) process.exit(await checkAudit(values.audit, values.head));
const [goal] = positionals;
const client = new Client(values.url, values.workspace);

try {
  if (!goal) {
    const { data } = (await client.get('/goals?limit=50')) as { data: { goal: string; title: string; status: string; why: string }[] };
    console.log('Which goal? npm run doctor -- GOAL');
    for (const each of data) console.log(`  ${each.goal}  ${each.status}/${each.why}  ${each.title}`);
    process.exit(2);
  }
  const report = await client.get(`/goals/${goal}/doctor`);
  if (values.json) console.log(JSON.stringify(report));
  else {
    headline(report);
    show(report, '');
  }
} catch (error) {
  if (error instanceof Unreachable) console.error(`Nothing answers at ${values.url}. Is \`npm start\` running?`);
  else if (error instanceof Refused) console.error(error.message);
  else throw error;
  process.exit(1);
}

/** `heads`: rows whose digest was written down elsewhere, `SEQ:DIGEST` each. Returns the exit code. */
async function checkAudit(file: string, heads: readonly string[]): Promise<number> {
  const known = heads.map((text) => /^(\d{1,15}):([0-9a-f]{64})$/.exec(text)).map((found) => found && { seq: Number(found[1]), digest: found[2] ?? '' });
  if (known.some((head) => head === null)) {
    console.error('--head takes SEQ:DIGEST, as a verification gives it.');
    return 2;
  }
  const lines = createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY });
  const read = await checkExport(
    sha256,
    lines,
    known.filter((head) => head !== null),
  ).catch((error: unknown) => ({ ok: false as const, line: 0, detail: error instanceof Error ? error.message : String(error) }));
  if (values.json) console.log(JSON.stringify(read));
  if (!read.ok) {
    if (!values.json) console.error(`line ${read.line}: ${read.detail}`);
    return 1;
  }
  const { checked } = read;
  if (!values.json) {
    const kind = checked.whole ? 'the whole audit' : 'rows of a filter: each is checked, and not whether others are missing';
    console.log(`workspace ${checked.workspace}: ${checked.rows} rows, ${kind}`);
    if (checked.erased > 0) console.log(`${checked.erased} rows had their address and reason erased with a person; they fit the chain`);
    console.log(checked.ok ? `whole. Write this down to compare with later: ${checked.head.seq}:${checked.head.digest}` : `NOT WHOLE: ${checked.found} problems`);
    for (const { code, detail } of checked.problems) console.log(`  ${code}: ${detail}`);
    if (checked.found > checked.problems.length) console.log(`  and ${checked.found - checked.problems.length} more`);
  }
  return checked.ok ? 0 : 1;
}

/** What an operator asks first: what moves it next, and who; when its alarm rings; which lane is behind. */
function headline(report: unknown): void {
  if (report === null || typeof report !== 'object' || !('next' in report)) return;
  const { next, timers, lanes } = report as {
    next: { why: { kind: string }; who: { mover: string; act: string; ref: string; due?: number }[] };
    timers: { armed: number | null };
    lanes: { lane: string; pending: boolean; ageMs: number; lastError: string | null }[];
  };
  const movers = next.who.map(({ mover, act, ref, due }) => `${mover} ${act} ${ref}${due === undefined ? '' : ` by ${new Date(due).toISOString()}`}`);
  console.log(`${next.why.kind}: ${movers.length === 0 ? 'nothing more' : movers.join('; ')}`);
  console.log(`alarm: ${timers.armed === null ? 'none' : new Date(timers.armed).toISOString()}`);
  for (const lane of lanes) console.log(`${lane.lane}: ${lane.pending ? `behind for ${lane.ageMs} ms${lane.lastError === null ? '' : ` (${lane.lastError})`}` : 'up to date'}`);
  console.log('');
}

/** Indented `key: value` lines; times are shown as such, short things stay on one line. */
function show(value: unknown, indent: string): void {
  if (value === null || typeof value !== 'object') {
    console.log(`${indent}${String(value)}`);
    return;
  }
  for (const [key, each] of Object.entries(value)) {
    const line = JSON.stringify(each);
    if (typeof each === 'number' && each > 1_500_000_000_000) console.log(`${indent}${key}: ${new Date(each).toISOString()}`);
    else if (line === undefined || each === null || typeof each !== 'object' || line.length <= 120) console.log(`${indent}${key}: ${typeof each === 'string' ? each : line}`);
    else {
      console.log(`${indent}${key}:`);
      show(each, `${indent}  `);
    }
  }
}
