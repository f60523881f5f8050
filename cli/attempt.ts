/** One Attempt, carried from here: claimed, started, kept alive, and ended by what is handed in. What is done to it goes under its fence and its own token. */
import { createHash, randomUUID } from 'node:crypto';
import { answered, type Client, createClient, Refused, type Schemas } from '../client/index.ts';
import type { Session } from './session.ts';

export interface OwnFile {
  path: string;
  bytes: Uint8Array<ArrayBuffer>;
}

export class Attempt {
  readonly goal: string;
  readonly item: string;
  readonly assignment: Schemas['Assignment'];
  /** May act for this Attempt alone, and for nothing when it is over. */
  readonly token: string;
  readonly workspace: string;
  readonly #client: Client;

  private constructor(workspace: string, goal: string, assignment: Schemas['Assignment'], token: string, client: Client) {
    this.workspace = workspace;
    this.goal = goal;
    this.item = assignment.item.key;
    this.assignment = assignment;
    this.token = token;
    this.#client = client;
  }

  /** Claims the item unless the caller holds it already, and starts. */
  static async begin(session: Session, goal: string, item: string): Promise<Attempt> {
    const path = await session.path(goal);
    const read = () => answered(session.client.GET('/v1/workspaces/{workspace}/goals/{goal}/items/{key}/assignment', { params: { path: { ...path, key: item } } }));
    const { principal } = await answered(session.client.GET('/v1/me'));
    let assignment = await read().catch((error: unknown) => {
      if (error instanceof Refused) return undefined;
      throw error;
    });
    if (!assignment || assignment.holder !== principal || !['pending', 'running'].includes(assignment.state)) {
      await session.command(goal, { type: 'work.claim', payload: { item } }, randomUUID());
      assignment = await read();
    }
    const { fence } = assignment;
    if (assignment.state === 'pending') await session.command(goal, { type: 'attempt.start', payload: { item, fence } }, randomUUID());
    const { token } = await answered(
      session.client.POST('/v1/workspaces/{workspace}/goals/{goal}/items/{key}/token', { params: { path: { ...path, key: item } }, body: { fence } }),
    );
    return new Attempt(path.workspace, goal, assignment, token, createClient({ url: session.credentials.url, token }));
  }

  get #path() {
    return { workspace: this.workspace, goal: this.goal };
  }
  get #held() {
    return { item: this.item, fence: this.assignment.fence };
  }

  async #give(type: 'attempt.heartbeat' | 'attempt.end' | 'submission.submit', payload: object, id: string = randomUUID()) {
    return answered(
      this.#client.POST('/v1/workspaces/{workspace}/goals/{goal}/commands', {
        params: { path: this.#path },
        body: { type, commandId: id, payload: { ...this.#held, ...payload } } as Schemas['SubmissionSubmit'],
      }),
    );
  }

  /** Refused where it is no longer held. */
  async heartbeat(): Promise<void> {
    await this.#give('attempt.heartbeat', {});
  }

  async file(digest: string): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = await answered(
      this.#client.GET('/v1/workspaces/{workspace}/goals/{goal}/artifacts/{digest}', { params: { path: { ...this.#path, digest } }, parseAs: 'arrayBuffer' }),
    );
    return new Uint8Array(bytes as unknown as ArrayBuffer);
  }

  /** Stores the files and hands them in. The id is made of what is handed in: once more is the same. */
  async submit(files: readonly OwnFile[], summary: string): Promise<{ submission: string; files: Schemas['File'][] }> {
    const artifacts: Schemas['File'][] = [];
    for (const { path, bytes } of files) {
      const hash = createHash('sha256').update(bytes).digest();
      await answered(
        this.#client.PUT('/v1/workspaces/{workspace}/goals/{goal}/files/{path}', {
          params: { path: { ...this.#path, path }, header: { 'Content-Digest': `sha-256=:${hash.toString('base64')}:` } },
          body: bytes as unknown as string,
          bodySerializer: (body) => body as unknown as BodyInit,
          headers: { 'content-type': 'application/octet-stream' },
        }),
      );
      artifacts.push({ path, digest: hash.toString('hex'), size: bytes.byteLength });
    }
    const id = createHash('sha256')
      .update(JSON.stringify([this.assignment.item.attempt, artifacts, summary]))
      .digest('hex');
    const applied = await this.#give('submission.submit', { artifacts, summary }, id);
    const { result } = applied as { result: { submission?: string } | null };
    return { submission: result?.submission ?? '', files: artifacts };
  }

  async end(outcome: 'failed' | 'interrupted'): Promise<void> {
    await this.#give('attempt.end', { outcome });
  }
}
