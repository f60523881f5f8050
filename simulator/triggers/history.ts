/** One history of a workspace's triggers: schedules over a change of the clocks, deliveries that come doubled and late, people, faults; and what must hold after each turn and at the end. */
import type { Json } from '../../worker/domain/values.ts';
import type { BusinessRound } from '../../worker/workspace/core/triggers/rounds.ts';
import { standardHeaders } from '../../worker/workspace/triggers/testing/signing.ts';
import { below, chance, oneOf } from '../kernel/random.ts';
import { hookKey, minute, sides, World } from './world.ts';

export interface Told {
  wrong: string | undefined;
  happened: Record<string, number>;
}

const hour = 60 * minute;
const zone = 'Europe/Berlin';
/** The clocks go forward on 28 March 2027 and back on 31 October: when `30 2 * * *` is due there, by the calendar. */
const nights = {
  spring: { began: '2027-03-27T18:00:00Z', due: ['2027-03-28T01:00Z'] },
  autumn: { began: '2027-10-30T18:00:00Z', due: ['2027-10-31T00:30Z'] },
} as const;
/** Until then there are faults; afterwards everything must come to rest. */
const troubleMs = 14 * hour;
const calmMs = 6 * hour;
const sweepEveryMs = 5 * minute;

const greeting = {
  name: 'greeting',
  title: 'A greeting',
  mode: 'goal_only',
  parameters: { whom: { type: 'string', maxLength: 100 } },
  contract: { title: 'Greet {{whom}}', objective: 'Say hello.', criteria: [{ id: 'said', text: 'It was said', verify: 'attest' }] },
};
const open = (round: BusinessRound) => round.state === 'owed' || round.state === 'running' || round.state === 'waiting';
/** By which states one may follow, in one turn or several. */
const reaches: Record<string, readonly string[]> = {
  owed: ['running', 'waiting', 'completed', 'skipped', 'missed'],
  running: ['waiting', 'completed'],
  waiting: ['running', 'completed'],
  completed: [],
  skipped: [],
  missed: [],
};

export async function playTriggers(seed: number, trace?: string[]): Promise<Told> {
  const night = chance(50, seed, 'night') ? nights.spring : nights.autumn;
  const began = Date.parse(night.began);
  const world = new World(seed, began, below(4, seed, 'bad') * 12, trace);
  const pick = <T>(list: readonly T[], what: string) => oneOf(list, seed, what);
  const overlap = (what: string) => pick([{ rule: 'skip' }, { rule: 'queue', withinMinutes: 60 }, { rule: 'replay', most: 3, withinMinutes: 240 }], what);
  const missed = (what: string) => pick([{ rule: 'coalesce' }, { rule: 'skip' }, { rule: 'replay', most: 2 }], what);
  const goal = (what: string) => ({ kind: 'goal', template: 'greeting', parameters: { whom: { from: 'firing' } }, ends: pick(['goal', 'command'], what) });
  const triggers = {
    nightly: { source: { kind: 'cron', cron: '30 2 * * *', zone, missed: missed('m1') }, does: goal('e1'), overlap: overlap('o1') },
    often: { source: { kind: 'cron', cron: '*/20 * * * *', zone, missed: missed('m2') }, does: goal('e2'), overlap: overlap('o2') },
    orders: { source: { kind: 'webhook', style: 'standard', secrets: ['hook-key'], toleranceSeconds: 3600 }, does: goal('e3'), overlap: overlap('o3') },
    answers: {
      source: { kind: 'webhook', style: 'standard', secrets: ['hook-key'], toleranceSeconds: 3600 },
      does: { kind: 'answer', round: { from: 'data.round' }, correlation: { from: 'data.correlation' }, generation: { from: 'data.generation' }, payload: { from: 'data.note' } },
      overlap: { rule: 'replay', most: 20, withinMinutes: 1440 },
    },
    jobs: { source: { kind: 'api' }, does: goal('e5'), overlap: overlap('o5') },
  };
  const rules = triggers as Record<string, { overlap: { rule: string; most?: number } }>;

  let commands = 0;
  /** Given until it is on record, as whoever gives it does who gets no answer. */
  const command = async (type: string, payload: Json, id = `c${++commands}`): Promise<Json | null> => {
    let result: Json | null = null;
    const kept = await world.turn((object) => {
      object.command(type, payload, id).then(
        (given) => {
          result = given;
        },
        (error: unknown) => world.say(`${type}: ${String(error)}`),
      );
    });
    if (!kept) world.after(2000, async () => void (await command(type, payload, id)));
    return kept ? result : null;
  };

  /** What was waited for, exactly, and was said: nothing else may end a wait. */
  const said = new Set<string>();
  const lateNotes: { round: string; note: string }[] = [];
  const taken = new Map<string, string>();
  let notes = 0;
  /** As they were after the turn before. */
  const before = new Map<string, BusinessRound>();
  let last = 0;
  world.check = () => {
    if (!world.disk.dirty) return;
    const live = [...before.values()].filter(open).map((round) => round.id);
    const now = world.rounds(live, last);
    last = Math.max(last, ...now.map((round) => round.seq));
    for (const name of Object.keys(triggers)) {
      const own = now.filter((round) => round.name === name);
      const unfinished = own.filter((round) => round.state === 'running' || round.state === 'waiting');
      if (unfinished.length > 1) world.fail(`an unfinished round blocks the next: ${unfinished.map((round) => round.id).join(' and ')}`);
      const owed = own.filter((round) => round.state === 'owed');
      const { overlap: rule } = rules[name] ?? { overlap: { rule: '' } };
      const most = rule.rule === 'skip' ? 0 : rule.rule === 'queue' ? 1 : (rule.most ?? 0);
      if (owed.length > most) world.fail(`overlap rule: ${owed.length} owed under ${rule.rule}`);
    }
    for (const round of now) {
      const { id } = round;
      const had = before.get(id);
      if (!had) world.cover(`new ${round.state}`);
      else if (had.state !== round.state) {
        world.cover(`${had.state} to ${round.state}`);
        if (!reaches[had.state]?.includes(round.state)) world.fail(`a round that is over stays over: ${id} was ${had.state}, is ${round.state}`);
      }
      if (had?.awaits && (round.state === 'running' || round.generation > had.generation) && !said.has(`${id} ${had.awaits.correlation} ${had.awaits.generation}`))
        world.fail(`a late result opens nothing: ${id} went on without an answer to ${had.awaits.correlation}/${had.awaits.generation}`);
      before.set(id, round);
    }
  };

  await command('template.put', greeting as Json);
  await command('template.confirm', { name: 'greeting', version: 1 });
  await command('secret.put', { name: 'hook-key', value: hookKey });
  const setAt: Record<string, number> = {};
  const put = async (name: keyof typeof triggers) => {
    const id = `put-${name}`;
    const tried = async (): Promise<void> => {
      await world.turn((object) => void object.command('trigger.put', { name, ...triggers[name] } as Json, id).catch((error: unknown) => world.say(`put: ${String(error)}`)));
      world.after(10_000, async () => {
        let there = false;
        await world.turn((object) => {
          there = object.store.load().settings.trigger.has(name);
        });
        if (!there) await tried();
      });
    };
    await tried();
  };
  for (const [n, name] of (Object.keys(triggers) as (keyof typeof triggers)[]).entries()) world.after(n * minute, () => put(name));

  const some = (what: string, most: number, act: (n: number) => void | Promise<void>) => {
    const count = below(most + 1, seed, 'count', what);
    for (let n = 0; n < count; n++) world.after(6 * minute + below(troubleMs - 10 * minute, seed, what, n), () => act(n));
  };
  const anyRound = (what: string, n: number): BusinessRound | undefined => {
    const rounds = [...before.values()];
    const lively = rounds.filter(open);
    const from = lively.length > 0 && chance(75, seed, 'lively', what, n) ? lively : rounds;
    return from.length === 0 ? undefined : oneOf(from, seed, what, n);
  };
  const deliver = async (hookOf: string, id: string, body: string): Promise<void> => {
    const headers = standardHeaders(hookKey, id, body, world.now());
    let came: Awaited<ReturnType<Parameters<Parameters<World['turn']>[0]>[0]['desk']['deliveries']['receive']>> | undefined;
    const kept = await world.turn(async (object) => {
      const hook = object.store.load().settings.trigger.get(hookOf)?.value.hook;
      if (!hook) return;
      came = await object.desk.deliveries.receive(hook, { headers, body: new TextEncoder().encode(body) as Uint8Array<ArrayBuffer> });
      if (came.outcome === 'taken') object.stirred();
    });
    if (!came || came.outcome === 'challenged') return;
    world.say(`delivery ${id}: ${came.outcome === 'taken' ? `${came.state}${came.repeated ? ', again' : ''}` : came.refusal.code}`);
    if (!kept) return world.after(3 * minute, () => deliver(hookOf, id, body));
    if (came.outcome === 'refused') world.cover(`delivery ${came.refusal.code}`);
    else if (came.round !== null) {
      if (came.repeated) world.cover('delivery again');
      if ((taken.get(id) ?? came.round) !== came.round) world.fail(`a delivery is one firing: ${id} was ${taken.get(id)}, is ${came.round}`);
      taken.set(id, came.round);
    }
    // Doubled, late, after its sender got no answer; some with another body.
    if (chance(30, seed, 'repeat', id, notes++))
      world.after(1000 + below(below(2, seed, 'far', notes) === 0 ? 2 * minute : 8 * hour, seed, 'when', notes), () =>
        deliver(hookOf, id, chance(15, seed, 'other', notes) ? `${body} ` : body),
      );
  };
  const tellAnswer = async (n: number, byHook: boolean) => {
    const round = anyRound('answer', n);
    if (!round) return;
    const note = `note-${++notes}`;
    const exact = chance(60, seed, 'exact', n) ? round.awaits : null;
    const correlation = exact?.correlation ?? pick(['order-1', 'order-2'], `corr${n}`);
    const generation = exact?.generation ?? 1 + below(3, seed, 'gen', n);
    const expected = round.state === 'waiting' && round.awaits?.correlation === correlation && round.awaits.generation === generation;
    if (expected || byHook) said.add(`${round.id} ${correlation} ${generation}`);
    world.say(`answer ${byHook ? 'by hook ' : ''}to ${round.id} ${correlation}/${generation}`);
    if (byHook) return deliver('answers', `ans-${n}`, JSON.stringify({ round: round.id, correlation, generation, note }));
    const result = (await command('business_round.answer', { round: round.id, correlation, generation, payload: note })) as { late?: string | null } | null;
    if (result?.late) {
      lateNotes.push({ round: round.id, note });
      world.cover(`late ${result.late}`);
    }
    if (result && !result.late !== expected)
      world.fail(`a late result opens nothing: ${round.id} ${round.state} took ${correlation}/${generation} as ${result.late ?? 'its answer'}`);
  };

  some('deliveries', 14, (n) => deliver('orders', `msg_${below(10, seed, 'id', n)}`, JSON.stringify({ kind: 'order', n: below(10, seed, 'id', n) })));
  some('jobs', 8, async (n) => {
    await command('trigger.fire', { name: 'jobs' }, `job-${below(5, seed, 'job', n)}`);
  });
  some('waits', 14, async (n) => {
    const round = anyRound('wait', n);
    if (round) await command('business_round.wait', { round: round.id, kind: 'receipt', correlation: pick(['order-1', 'order-2'], `w${n}`), reason: 'the supplier confirms' });
  });
  some('answers', 12, (n) => tellAnswer(n, false));
  some('answers by hook', 6, (n) => tellAnswer(n, true));
  some('completions', 30, async (n) => {
    const round = anyRound('complete', n);
    if (round) await command('business_round.complete', { round: round.id, note: 'nothing came' });
  });
  some('crashes', 25, (n) => {
    world.trap = { side: oneOf(sides, seed, 'side', n), skip: below(3, seed, 'skip', n) };
  });
  // Around what it does most: many deaths at once.
  some('bad hours', 3, (n) => {
    for (let each = 0; each < 12; each++)
      world.after(each * 5 * minute, () => {
        world.trap ??= { side: oneOf(sides, seed, 'side', n, each), skip: 0 };
      });
  });
  some('lost alarms', 6, (n) => {
    world.cover('alarm lost');
    world.say('the alarm is lost');
    world.disk.alarm = null;
    if (chance(70, seed, 'with it', n)) world.die();
  });
  some('deploys', 4, () => {
    world.cover('deploy');
    world.die();
  });
  some('outages', 2, (n) => {
    world.cover('outage');
    // Nobody rings, sweeps or dies: the platform is away, and what was due then is late.
    world.time += below(3 * hour, seed, 'outage', n);
  });
  some('clock', 3, (n) => {
    world.skew = (chance(60, seed, 'back', n) ? -1 : 1) * below(40 * minute, seed, 'skew', n);
    world.cover(world.skew < 0 ? 'clock back' : 'clock ahead');
    world.after(20 * minute, () => {
      world.skew = 0;
    });
  });
  some('D1 away', 3, (n) => {
    world.d1Away = world.time + below(hour, seed, 'away', n);
  });
  const sweeping = async () => {
    await world.sweep();
    world.after(sweepEveryMs, sweeping);
  };
  world.after(sweepEveryMs, sweeping);
  const noticing = () => {
    for (const name of ['nightly', 'often'])
      if (setAt[name] === undefined) {
        const [row] = world.disk.all<{ at: number }>("SELECT at FROM settings WHERE kind = 'trigger' AND name = ?", name);
        if (row) setAt[name] = row.at;
      }
    if (Object.keys(setAt).length < 2) world.after(minute, noticing);
  };
  world.after(minute, noticing);

  try {
    await world.until(began + troubleMs);
    world.bad = 0;
    world.trap = undefined;
    world.skew = 0;
    world.d1Away = 0;
    world.say('calm');
    if (chance(50, seed, 'one more')) {
      world.disk.alarm = null;
      world.die();
      // Nobody comes but the sweep: at the time that D1 has, which is an hour away at most.
      world.after(70 * minute, () => {
        if (world.disk.alarm === null) world.fail('a lost alarm is found');
      });
    }
    // An honest hand closes what waits for a word, so that what is owed gets its turn.
    for (let at = 80 * minute; at < calmMs - hour; at += 20 * minute)
      world.after(at, async () => {
        for (const round of before.values())
          if ((round.state === 'running' || round.state === 'waiting') && round.act !== 'pending') await command('business_round.complete', { round: round.id });
      });
    await world.until(Math.max(world.time, began + troubleMs) + calmMs);
    for (const [id, had] of before) {
      const is = world.rounds([id], Number.MAX_SAFE_INTEGER)[0];
      if (!is) world.fail(`no round gets lost: ${id}`);
      else if (!open(had) && (is.state !== had.state || JSON.stringify(is.closed) !== JSON.stringify(had.closed))) world.fail(`a round that is over stays as it is: ${id}`);
    }
    if (!world.wrong) atRest(world, night.due, setAt, taken, lateNotes, triggers);
    return { wrong: world.wrong, happened: world.happened };
  } catch (error) {
    return { wrong: `simulator: ${error instanceof Error ? error.stack : String(error)}`, happened: world.happened };
  } finally {
    world.die();
    world.disk.close();
  }
}

type Rules = Record<'nightly' | 'often', { source: { missed: { rule: string; most?: number } }; overlap: { rule: string } }>;

function atRest(
  world: World,
  nightly: readonly string[],
  setAt: Record<string, number>,
  taken: ReadonlyMap<string, string>,
  lateNotes: readonly { round: string; note: string }[],
  triggers: Rules,
): void {
  const rounds = world.rounds([], 0);
  const byId = new Map(rounds.map((round) => [round.id, round]));
  const goals = new Map<string, string[]>();
  for (const [id, { firing }] of world.goals) goals.set(firing, [...(goals.get(firing) ?? []), id]);
  for (const [firing, made] of goals) {
    if (made.length > 1) world.fail(`one firing, one goal: ${firing} made ${made.length}`);
    const round = byId.get(firing);
    if (!round) world.fail(`a goal comes from a firing on record: ${firing}`);
    else if (round.goal !== made[0]) world.fail(`a round knows its goal: ${firing}`);
    else if (round.closed?.how === 'not_started') world.fail(`a round that was not started has no goal: ${firing}`);
  }
  for (const round of rounds) {
    if (round.act === 'pending' && world.time - round.at > 15 * minute) world.fail(`what fired is done or refused in the end: ${round.id}`);
    if (round.state === 'owed' && world.time - round.due > 250 * minute) world.fail(`what is owed has its turn or is missed: ${round.id}`);
    if (round.act === 'done' && round.goal !== null && round.name !== 'answers' && !world.goals.has(round.goal)) world.fail(`what is said to be done is done: ${round.id}`);
  }
  for (const [delivery, round] of taken) if (!byId.has(round)) world.fail(`a delivery that was taken is on record: ${delivery}`);
  const lates = world.disk.all<{ round: string; body: string }>('SELECT round, body FROM round_lates');
  for (const { round, note } of lateNotes)
    if (!lates.some((late) => late.round === round && late.body.includes(`"${note}"`))) world.fail(`what came late stands beside how it was closed: ${note} for ${round}`);

  for (const name of ['nightly', 'often'] as const) {
    const base = setAt[name] ?? Number.POSITIVE_INFINITY;
    const [row] = world.disk.all<{ through: number }>(
      'SELECT through FROM trigger_state WHERE trigger_id = (SELECT json_extract(data, ?) FROM settings WHERE kind = ? AND name = ?)',
      '$.id',
      'trigger',
      name,
    );
    const through = row?.through ?? 0;
    const every = 20 * minute;
    if (name === 'often' && through < world.time - every - minute) world.fail(`a schedule is looked at whatever got lost: ${name} up to ${new Date(through).toISOString()}`);
    const due = name === 'often' ? Math.floor(through / every) - Math.floor(base / every) : nightly.filter((at) => Date.parse(at) > base && Date.parse(at) <= through).length;
    const own = rounds.filter((round) => round.name === name && round.source === 'cron');
    if (name === 'nightly' && own.some((round) => !nightly.includes(new Date(round.due).toISOString().replace(':00.000Z', 'Z') as never)))
      world.fail('the nightly one fires by the clock on the wall');
    const { missed } = triggers[name].source;
    // The newest that is owed stands for those whose place it took.
    const stoodFor = own.reduce((sum, round) => sum + round.standsFor, 0);
    if (triggers[name].overlap.rule !== 'queue' && stoodFor !== due) world.fail(`each due time is accounted for once: ${name}, ${due} due, ${stoodFor} on record`);
    if (stoodFor < due) world.fail(`each due time is accounted for: ${name}, ${due} due, ${stoodFor} on record`);
    const looks = Map.groupBy(
      own.filter((round) => !(round.state === 'missed' && round.blockedBy === null)),
      (round) => round.at,
    );
    for (const [at, fired] of looks) {
      if (missed.rule === 'coalesce' && fired.length > 1) world.fail(`missed firings are coalesced: ${fired.length} at once`);
      if (missed.rule === 'replay' && fired.length > (missed.most ?? 0)) world.fail(`missed firings are replayed up to a number: ${fired.length} at once`);
      if (missed.rule === 'skip' && fired.some((round) => at - round.due > 2 * minute)) world.fail('missed firings are skipped: one fired late');
      if (fired.some((round) => at - round.due > 2 * minute)) world.cover(`late by rule ${missed.rule}`);
    }
  }
}
