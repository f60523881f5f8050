/** A tool's environment in memory, for tests: files by digest, commands and reads as the test scripts them. */
import { createHash } from 'node:crypto';
import type { CommandType } from '../../domain/commands.ts';
import { type Refusal, refuse } from '../../domain/refusals.ts';
import type { Artifact, Json } from '../../domain/values.ts';
import type { ReadQuery, RoundContext } from '../../goal/rpc.ts';
import { closedRules } from '../../outgoing/address.ts';
import { fixedWorld, type World } from '../../outgoing/world.ts';
import { startingPaths } from '../files/find.ts';
import type { Files, Tool, ToolAnswer, ToolEnv } from '../tool.ts';

export class MemoryFiles implements Files {
  readonly stored = new Map<string, Uint8Array>();
  readonly staged = new Map<string, Uint8Array>();
  /** Called before a part is kept; a test may hold it back or let it fail. */
  beforeStage: (upload: string, part: number) => Promise<void> = async () => {};

  async put(bytes: Uint8Array): Promise<{ digest: string; size: number }> {
    const digest = createHash('sha256').update(bytes).digest('hex');
    this.stored.set(digest, bytes);
    return { digest, size: bytes.length };
  }
  async get(digest: string): Promise<Uint8Array | undefined> {
    return this.stored.get(digest);
  }
  async range(digest: string, offset: number, length: number): Promise<Uint8Array | undefined> {
    return this.stored.get(digest)?.subarray(offset, offset + length);
  }
  async stage(upload: string, part: number, bytes: Uint8Array): Promise<void> {
    await this.beforeStage(upload, part);
    this.staged.set(`${upload}/${part}`, bytes);
  }
  async assemble(upload: string, parts: number, whole: { digest: string; size: number }): Promise<void> {
    const pieces = Array.from({ length: parts }, (_, n) => this.staged.get(`${upload}/${n}`) ?? new Uint8Array());
    const { digest } = await this.put(Buffer.concat(pieces));
    if (digest !== whole.digest) throw new Error('digest');
    await this.discard(upload, parts);
  }
  async discard(upload: string, parts: number): Promise<void> {
    for (let n = 0; n < parts; n++) this.staged.delete(`${upload}/${n}`);
  }
  source(path: string, content: string | Uint8Array): Artifact {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    const digest = createHash('sha256').update(bytes).digest('hex');
    this.stored.set(digest, bytes);
    return { path, digest, size: bytes.length };
  }
}

export function workerContext(more: Partial<RoundContext> = {}): RoundContext {
  return {
    round: 'r1',
    fence: 1,
    lane: 'worker',
    target: 'item:a',
    principal: 'skill:test/run',
    executor: { kind: 'skill', skill: 'test', script: 'run.js' },
    goalVersion: 1,
    planRevision: 1,
    leaseMs: 30_000,
    stepsPerRound: 1000,
    contract: null,
    packet: {
      goalVersion: 1,
      planRevision: 1,
      seq: 1,
      milestones: [],
      next: { ready: [], blocked: [], submitted: [], counts: {} },
      decisions: [],
      reviewList: { count: 0, head: [] },
      effects: [],
      approvals: [],
      children: [],
      facts: { count: 0, keys: [] },
      messages: { count: 0, head: [] },
      feedback: [],
      before: null,
      recovery: false,
      rest: {},
    },
    sources: [],
    item: {
      key: 'a',
      title: 'A',
      objective: '',
      deliverable: '',
      acceptance: [],
      covers: [],
      inputs: [],
      input: null,
      attempt: 'att1',
      attemptNumber: 1,
      specDigest: '0'.repeat(64),
    },
    upstream: [],
    working: [],
    children: {},
    ...more,
  };
}

export interface FakeEnv extends ToolEnv {
  files: MemoryFiles;
  commands: { type: CommandType; payload: Json }[];
  ends: { outcome: string; note?: string | undefined; more?: { finish?: boolean; said?: boolean } | undefined }[];
}

export function fakeEnv(
  options: {
    context?: RoundContext;
    files?: MemoryFiles;
    reads?: (query: ReadQuery) => Json | undefined;
    command?: (type: CommandType, payload: Json) => Refusal | Json;
    permit?: ToolEnv['permit'];
    services?: ToolEnv['services'];
    world?: World;
  } = {},
): FakeEnv {
  const context = options.context ?? workerContext();
  const commands: FakeEnv['commands'] = [];
  const ends: FakeEnv['ends'] = [];
  return {
    context,
    files: options.files ?? new MemoryFiles(),
    paths: startingPaths(context),
    uploads: new Map(),
    commands,
    ends,
    async command(type, payload) {
      commands.push({ type, payload });
      const answer = options.command?.(type, payload) ?? {};
      if (answer !== null && typeof answer === 'object' && 'refused' in answer) return { ok: false, refusal: answer as Refusal };
      return { ok: true, result: answer as Json };
    },
    async read(query) {
      return options.reads?.(query);
    },
    end(outcome, note, more) {
      ends.push({ outcome, note, more });
    },
    call: 'r1/000001',
    services: options.services ?? {},
    world: options.world ?? fixedWorld(closedRules),
    permittedAt: Date.now(),
    ...(options.permit ? { permit: options.permit } : {}),
  };
}

/** Runs a tool as a round would: arguments through its schema first. */
export async function use(tool: Tool, args: Json, env: ToolEnv): Promise<ToolAnswer> {
  const parsed = tool.input.safeParse(args);
  if (!parsed.success) return { ok: false, refusal: refuse('schema_invalid', { detail: parsed.error.message }) };
  return tool.run(parsed.data, env);
}
