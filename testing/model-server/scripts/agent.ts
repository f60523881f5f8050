/**
 * An honest agent as a script: a coroutine per round that yields calls and gets their answers, as a person would write the agent down. It reads nothing but
 * what the protocol gives (see docs/agent-protocol.md): the opening message with its data blocks, and the answers of its calls.
 */
import { type Answer, call, type JsonValue, passesTest, type Script, say, type ToolCall, type Turn, use } from '../script.ts';

type Data = { [key: string]: JsonValue };

/** The opening message of a round, taken apart. */
export interface Opening {
  lane: 'coordinator' | 'worker' | 'reviewer' | 'subagent';
  round: string;
  /** Of a coordinator: what the round is for. */
  purpose?: string;
  text: string;
  /** `<data name="...">` blocks, parsed, by name. */
  data: Data;
}

export interface Result {
  value?: JsonValue;
  refusal?: { code: string; detail?: string; [key: string]: JsonValue | undefined };
  call?: string;
  notices?: JsonValue[];
}

/** Yields a call, or several for one message; is given the answers in their order. What it returns is said as text. */
export type Play = AsyncGenerator<ToolCall | ToolCall[], string | undefined, Result[]>;
export type Plays = Partial<Record<Opening['lane'], (opening: Opening, turn: Turn) => Play>>;

export function openingOf(turn: Pick<Turn, 'request'>): Opening | null {
  const first = turn.request.messages.find((message) => message.role === 'user');
  const text = typeof first?.content === 'string' ? first.content : (first?.content ?? []).map((part) => part.text ?? '').join('');
  const head = /^# (Coordinator|Worker|Reviewer|Subagent) round (\S+?)(?:, purpose: (\S+))?$/m.exec(text);
  if (!head?.[1] || !head[2]) return null;
  const data: Data = {};
  for (const [, name = '', json = ''] of text.matchAll(/<data name="([^"]+)">\n([\s\S]*?)\n<\/data>/g)) data[name] = JSON.parse(json) as JsonValue;
  return { lane: head[1].toLowerCase() as Opening['lane'], round: head[2], text, data, ...(head[3] ? { purpose: head[3] } : {}) };
}

interface Running {
  play: Play;
  /** Answers that were given already: a request that comes again gets the same. */
  given: { answers: number; last: string | undefined; answer: Answer } | null;
}

/** Plays each lane. A compaction is answered with what the agent would need, which is nothing: it takes up its work by the record and by its own place. */
export function agentScript(plays: Plays): Script {
  return passesTest(async (turn) => {
    if (turn.tools.includes('context_snapshot')) return use(call('context_snapshot', { goal: 'as in the contract', done: [], next: ['go on'] }));
    const opening = openingOf(turn);
    if (!opening) return say('This is no round of Longhaul.');
    const running = (turn.shared.running as Map<string, Running> | undefined) ?? new Map<string, Running>();
    turn.shared.running = running;
    // Ids of rounds repeat from goal to goal.
    const key = `${opening.round} ${JSON.stringify(opening.data.contract ?? null)}`;
    let mine = running.get(key);
    const start = plays[opening.lane];
    if (!start) return say(`nothing to play in the lane ${opening.lane}`);
    if (!mine) {
      mine = { play: start(opening, turn), given: null };
      running.set(key, mine);
    }
    const last = turn.results.at(-1)?.id;
    if (mine.given && turn.answers <= mine.given.answers && (last === undefined || last === mine.given.last)) return mine.given.answer;
    const answers = turn.results.map((result) => (result.value ?? { refusal: { code: 'not_json', detail: result.text } }) as unknown as Result);
    const next = await mine.play.next(answers);
    const answer: Answer = next.done ? say(next.value ?? 'That is all.') : use(next.value);
    mine.given = { answers: turn.answers, last, answer };
    return answer;
  });
}

/** One call and its value; throws on a refusal: the script is wrong then, and the test should say so. */
export async function* must(name: string, args: JsonValue = {}): AsyncGenerator<ToolCall, JsonValue, Result[]> {
  const [result] = yield call(name, args);
  if (!result || result.refusal) throw new Error(`${name}: ${JSON.stringify(result?.refusal ?? null)}`);
  return result.value ?? null;
}

/** All elements of a JSON file of the sources, or rows of a CSV, a page at a time. */
export async function* readAll(tool: 'json_read' | 'csv_read', path: string, limit: number): AsyncGenerator<ToolCall, JsonValue[], Result[]> {
  const rows: JsonValue[] = [];
  for (let offset: number | null = 0; offset !== null; ) {
    const page = (yield* must(tool, { path, from: 'source', offset, limit })) as { value?: JsonValue[]; rows?: JsonValue[]; next?: number | null };
    rows.push(...(page.value ?? page.rows ?? []));
    offset = page.next ?? null;
  }
  return rows;
}

/** All pages of a list by its cursor. */
export async function* listAll(tool: string, args: { [key: string]: JsonValue }, field: string): AsyncGenerator<ToolCall, JsonValue[], Result[]> {
  const rows: JsonValue[] = [];
  let after: string | null = null;
  do {
    const page = (yield* must(tool, after === null ? args : { ...args, after })) as { [key: string]: JsonValue };
    rows.push(...((page[field] as JsonValue[] | undefined) ?? []));
    after = (page.next as string | null | undefined) ?? null;
  } while (after !== null);
  return rows;
}
