/**
 * Tokens of the host's own text in a round of each lane: system text, tool definitions, the opening with its contract and resume packet. At 10 and at 10,000
 * events, and each time with 500 review items, 200 open work items and 50 criteria. The packet must not grow with history.
 */
import type { Lookup } from '../worker/domain/context.ts';
import { World } from '../worker/domain/testing/world.ts';
import type { Json, Lane } from '../worker/domain/values.ts';
import { goalBar } from '../worker/domain/views/goal-bar.ts';
import { graphView } from '../worker/domain/views/graph-view.ts';
import { resumePacket } from '../worker/domain/views/resume-packet.ts';
import { roundContext } from '../worker/domain/views/round-context.ts';
import type { RoundContext } from '../worker/domain/views/types.ts';
import { estimateTokens } from '../worker/models/tokens.ts';
import { graphFor } from '../worker/rounds/model/graph-for-coordinator.ts';
import { openingOf } from '../worker/rounds/model/opening.ts';
import { readingDefinitions, skillsToRead } from '../worker/rounds/model/reading-tools.ts';
import { skillsFor, systemTextFor } from '../worker/rounds/model/system-text.ts';
import { definitionsOf } from '../worker/rounds/model/tool-definitions.ts';
import { toolsOfRound } from '../worker/rounds/model/tools-of-round.ts';
import { answerLimitOf } from '../worker/rounds/model/window.ts';

/** What the resume packet may take of any round, tokens. */
export const PACKET_TOKENS = 4000;
const WINDOW = 128_000;

export interface LaneTokens {
  system: number;
  tools: number;
  contract: number;
  resumePacket: number;
  /** The whole first message: contract, item, packet, files, graph. */
  opening: number;
  /** What one call of the model costs before anything was said. */
  total: number;
}
export interface Scene {
  name: string;
  events: number;
  lanes: Partial<Record<Lane, LaneTokens>>;
}

interface Size {
  name: string;
  events: number;
  reviewItems: number;
  workItems: number;
  criteria: number;
}

const sizes: readonly Size[] = [
  { name: '10 events', events: 10, reviewItems: 0, workItems: 3, criteria: 1 },
  { name: '10,000 events', events: 10_000, reviewItems: 0, workItems: 3, criteria: 1 },
  { name: '10 events; 500 review items, 200 open work items, 50 criteria', events: 10, reviewItems: 500, workItems: 200, criteria: 50 },
  { name: '10,000 events; 500 review items, 200 open work items, 50 criteria', events: 10_000, reviewItems: 500, workItems: 200, criteria: 50 },
];

export async function measureContext(): Promise<{ scenes: Scene[]; packetLimit: number; withinLimit: boolean }> {
  const scenes = await Promise.all(sizes.map(measure));
  const packets = scenes.flatMap(({ lanes }) => Object.values(lanes).map((lane) => lane.resumePacket));
  return { scenes, packetLimit: PACKET_TOKENS, withinLimit: packets.every((tokens) => tokens < PACKET_TOKENS) };
}

async function measure(size: Size): Promise<Scene> {
  const world = goalOf(size);
  const lanes: Scene['lanes'] = {};
  const coordinator = world.rounds().find((round) => round.lane === 'coordinator');
  if (coordinator) lanes.coordinator = await tokensOf(world, roundContext(world.state, coordinator.id, world.lookup, 90_000));
  grow(world, size);
  const worker = world.rounds().find((round) => round.lane === 'worker');
  if (!worker) throw new Error('nobody works');
  const context = roundContext(world.state, worker.id, world.lookup, 90_000);
  lanes.worker = await tokensOf(world, context);
  // A coordinator called in the middle of it sees the whole plan.
  const { item: _item, ...rest } = context;
  lanes.coordinator = await tokensOf(world, { ...rest, lane: 'coordinator', purpose: 'stopped', target: 'goal', packet: resumePacket(world.state, world.lookup) });
  return { name: size.name, events: world.state.seq, lanes };
}

const agent = { kind: 'agent', profile: 'worker' } as const;
const owner = { kind: 'person', principal: 'person:bench', scopes: ['goals:read', 'goals:write', 'work:review'] } as const;

/** A refusal here is a mistake of this measurement. */
function must(answer: unknown): { [field: string]: Json } {
  if (answer !== null && typeof answer === 'object' && 'refused' in answer) throw new Error(JSON.stringify(answer));
  return answer as { [field: string]: Json };
}

/** An adopted plan with its first items at work. */
function goalOf({ workItems, criteria }: Size): World {
  const world = new World();
  world.carriers = { agent: true, skill: () => true };
  must(
    world.give(owner as never, 'goal.create', {
      mode: 'bound',
      confirmed: true,
      lanes: { coordinator: { kind: 'agent', profile: 'coordinator' } },
      contract: {
        title: 'A long task',
        objective: 'Work through a large set of subjects, decide each with reason and evidence, and deliver what was asked for in parts that can be judged alone.',
        criteria: Array.from({ length: criteria }, (_, n) => ({
          id: `criterion-${n}`,
          text: `What the delivery must show in its part ${n}, in a sentence as people write them.`,
          verify: 'review',
        })),
        milestones: [{ key: 'm', title: 'Subjects decided', target: 20_000 }],
        limits: { stepsPerRound: 50_000 },
      },
    }),
  );
  must(world.give(owner as never, 'artifact.put', { artifact: { path: 'sources.json', digest: '0'.repeat(64), size: 1 }, role: 'source' }));
  const round = world.rounds('scheduled')[0];
  if (!round) throw new Error('no coordinator was called');
  const actor = world.start(round);
  const items = Array.from({ length: workItems }, (_, n) => ({
    key: `part-${n}`,
    title: `Part number ${n} of the delivery`,
    objective: `Work out part ${n} from the sources and write it down with its evidence.`,
    deliverable: `part-${n}.md`,
    acceptance: [{ id: `part-${n}-complete`, text: 'Everything that the sources say about it is in it.' }],
    covers: Array.from({ length: criteria }, (_, c) => c)
      .filter((c) => c % workItems === n)
      .map((c) => `criterion-${c}`),
    executor: agent,
    review: [{ by: 'person' }],
  }));
  const { proposal } = must(world.give(actor, 'plan.propose', { document: { mode: 'bound', items } }));
  must(world.give(actor, 'plan.adopt', { proposal }));
  must(world.give(actor, 'round.end', { outcome: 'handed_back' }));
  return world;
}

/** Decisions, facts and calls until there are so many events. */
function grow(world: World, { events, reviewItems }: Size): void {
  const round = world.rounds('scheduled').find((each) => each.lane === 'worker');
  if (!round) throw new Error('no worker was called');
  const actor = world.start(round);
  for (let n = 0; n < reviewItems; n += 100)
    must(
      world.give(actor, 'review_list.add', {
        entries: Array.from({ length: 100 }, (_, m) => ({ subject: `subject-to-see-${n + m}`, milestone: 'm', note: 'a person must see it' })),
      }),
    );
  for (let n = 0; world.state.seq < events; n++)
    must(
      world.give(actor, 'ledger.record', {
        entries: Array.from({ length: 10 }, (_, m) => ({
          subject: `subject-${n}-${m}`,
          milestone: 'm',
          verdict: 'approved',
          reason: `It fits what the source says about subject ${n}-${m}, and nothing speaks against it.`,
          evidence: [`file:sources.json#subject-${n}-${m}`],
          facts: [{ key: `subject/${n}-${m}`, value: { amount: `${n}.0${m}` }, provenance: { from: 'file', path: 'sources.json', section: `subject-${n}-${m}` } }],
        })),
      }),
    );
}

async function tokensOf(world: World, context: RoundContext): Promise<LaneTokens> {
  const tokens = (value: unknown) => estimateTokens(typeof value === 'string' ? value : JSON.stringify(value));
  const lookup: Lookup = world.lookup;
  const graph = await graphFor(context, async (query) =>
    query.what === 'graph' ? (graphView(world.state, lookup) as unknown as Json) : ({ bar: goalBar(world.state, world.now, world.carriers) } as unknown as Json),
  );
  const system = systemTextFor(context, undefined, skillsFor(context));
  const definitions = [...definitionsOf(toolsOfRound(context)), ...readingDefinitions(context)];
  const skills = skillsToRead(context);
  const opening = openingOf({
    context,
    packet: context.packet,
    limit: answerLimitOf(WINDOW),
    ...(graph === undefined ? {} : { graph }),
    ...(skills === undefined ? {} : { skills }),
  });
  const sums = {
    system: tokens(system),
    tools: definitions.reduce((sum, { alias, description, schema }) => sum + tokens(`${alias} ${description} ${JSON.stringify(schema)}`), 0),
    contract: tokens(context.contract),
    resumePacket: tokens(context.packet),
    opening: tokens(opening),
  };
  return { ...sums, total: sums.system + sums.tools + sums.opening };
}
