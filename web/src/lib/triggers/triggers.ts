/** Triggers as the console asks for them: what each is, its business rounds, what came in. Setting them is a command of the workspace. */
import { type Answer, ask, workspace } from '../api/client.ts';
import type { BusinessRound, Json, Late, PrincipalId, Trigger, TriggerDefinition } from '../api/types.ts';
import { inside, listed } from '../api/workspace.ts';
import type { Page } from '../ui/newest-first.ts';

const base = `/v1/workspaces/${encodeURIComponent(workspace)}`;
const of = (name: string) => `${base}/triggers/${encodeURIComponent(name)}`;

export interface TriggerView {
  value: Trigger;
  version: number;
  at: number;
  by: PrincipalId;
  /** The next five due times; none where it has no schedule or is paused. */
  next: number[];
  unfinished: BusinessRound | null;
  owed: number;
  /** Newest first. */
  last: BusinessRound[];
  /** Deliveries whose signature did not fit. */
  refused: { count: number; at: number | null; code: string | null };
}
export interface RoundRow extends BusinessRound {
  seq: number;
  /** How many answers came late. */
  late: number;
}
export interface RoundDetails {
  round: BusinessRound;
  /** What its trigger's expressions were asked of. */
  known: Json;
  late: { at: number; by: PrincipalId; what: string; why: Late; body: Json }[];
}
export interface Delivery {
  seq: number;
  delivery: string;
  at: number;
  state: 'fired' | 'filtered' | 'paused' | 'failed';
  round: string | null;
  detail: string | null;
  bytes: number;
  repeats: number;
  /** Whether it can be replayed. */
  kept: boolean;
}
export interface Tried {
  problems: { pointer: string; code: string; detail?: string }[];
  next: number[];
  /** Null: the filter could not be asked. */
  passes: boolean | null;
  values: Json;
  refusal: { code: string; detail?: string; errors?: { pointer: string; code: string; detail?: string }[] } | null;
}

/** A definition as it may be sent: what has a default may be left out. */
export type Definition = Omit<TriggerDefinition, 'source' | 'does'> & { source: Json; does: Json };

export async function readTriggers(): Promise<Answer<TriggerView[]>> {
  const answer = await ask(`${base}/triggers`);
  return answer.ok ? { ok: true, value: listed(inside(answer.value).data) } : answer;
}
export const readTrigger = async (name: string): Promise<Answer<TriggerView>> => (await ask(of(name))) as unknown as Answer<TriggerView>;

const page = (path: string, cursor: string | null) => ask(`${path}?limit=20${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`);
export const readRounds = async (name: string, cursor: string | null): Promise<Answer<Page<RoundRow>>> =>
  (await page(`${of(name)}/rounds`, cursor)) as unknown as Answer<Page<RoundRow>>;
export const readDeliveries = async (name: string, cursor: string | null): Promise<Answer<Page<Delivery>>> =>
  (await page(`${of(name)}/deliveries`, cursor)) as unknown as Answer<Page<Delivery>>;
/** Names of firings hold slashes, which the address takes as they are. */
export const readRound = async (id: string): Promise<Answer<RoundDetails>> =>
  (await ask(`${base}/business-rounds/${id.split('/').map(encodeURIComponent).join('/')}`)) as unknown as Answer<RoundDetails>;

/** What a payload would come to. Nothing fires. */
export const tryTrigger = async (definition: Json, data: Json): Promise<Answer<Tried>> =>
  (await ask(`${base}/trigger-tests`, { method: 'POST', body: JSON.stringify({ definition, data }) })) as unknown as Answer<Tried>;

/** Where a sender delivers to. */
export const hookAddress = (origin: string, hook: string): string => `${origin}/hooks/${encodeURIComponent(workspace)}/${hook}`;
