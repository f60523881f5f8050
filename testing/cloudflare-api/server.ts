/**
 * A stand-in of the part of Cloudflare's HTTP API that a deployment uses, on loopback, for the real wrangler (`CLOUDFLARE_API_BASE_URL`). It keeps what is made, its D1 databases are SQLite in memory.
 * It shows that the calls are made, in which order, and what a second run finds; it does not prove that Cloudflare takes them.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';

export const account = 'a'.repeat(32);

interface Queue {
  id: string;
  name: string;
  consumers: { consumer_id: string; script: string; type: 'worker'; settings: unknown; dead_letter_queue?: string }[];
}
interface Worker {
  secrets: Map<string, string>;
  versions: { id: string; bindings: { type: string; name: string; text?: string }[]; tag: string | undefined }[];
  crons: string[];
}

/** What an answer is instead of the real one, once. */
interface Fault {
  when: (method: string, path: string) => boolean;
  status: number;
}

export class CloudflareApi {
  readonly databases = new Map<string, { name: string; sql: DatabaseSync }>();
  readonly queues: Queue[] = [];
  readonly buckets = new Set<string>();
  readonly workers = new Map<string, Worker>();
  /** `METHOD /path`, below the account. */
  readonly calls: string[] = [];
  readonly unknown: string[] = [];
  fault: Fault | undefined;
  #server: Server | undefined;
  #next = 1;

  async start(): Promise<string> {
    const server = createServer((request, response) => {
      void body(request).then(async (bytes) => {
        const url = new URL(request.url ?? '/', 'http://localhost');
        const answer = await this.#answer(request.method ?? 'GET', url, bytes, request.headers['content-type'] ?? '');
        response.writeHead(answer.status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(answer.json));
      });
    });
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/client/v4`;
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }

  /** Calls that change something. Questions to D1 and for figures are POST too. */
  changes(): string[] {
    return this.calls.filter((call) => !call.startsWith('GET ') && !/\/(query|graphql)$/.test(call));
  }

  #id(): string {
    return `${String(this.#next++).padStart(8, '0')}-0000-4000-8000-000000000000`;
  }

  async #answer(method: string, url: URL, bytes: Buffer, type: string): Promise<{ status: number; json: unknown }> {
    const path = url.pathname.replace(/^\/client\/v4/, '').replace(`/accounts/${account}`, '');
    this.calls.push(`${method} ${path}`);
    const { fault } = this;
    if (fault?.when(method, path)) {
      this.fault = undefined;
      return { status: fault.status, json: { success: false, result: null, messages: [], errors: [{ code: 10013, message: 'the stand-in was told to fail here' }] } };
    }
    const result = await this.#result(method, path, url, bytes, type);
    if (result === undefined) {
      this.unknown.push(`${method} ${path}`);
      return failed(404, 7003, `the stand-in does not know ${method} ${path}`);
    }
    return 'status' in Object(result) && 'json' in Object(result)
      ? (result as { status: number; json: unknown })
      : { status: 200, json: { success: true, errors: [], messages: [], result, result_info: { page: 1, per_page: 1000, count: 0, total_count: 0, total_pages: 1 } } };
  }

  async #result(method: string, path: string, url: URL, bytes: Buffer, type: string): Promise<unknown> {
    const json = () => JSON.parse(bytes.toString('utf8') || '{}') as Record<string, unknown>;
    const [, area = '', ...rest] = path.split('/');
    if (area === 'user' || area === 'memberships') return area === 'user' ? { id: 'u', email: 'someone@example.com' } : [];
    if (area === 'd1') return this.#d1(method, rest, url, json);
    if (area === 'queues') return this.#queue(method, rest, url, json);
    if (area === 'r2') return this.#r2(method, rest, json);
    if (area === 'graphql') return {};
    if (path === '/workers/subdomain') return { subdomain: 'example' };
    if (area === 'workers' && rest[0] === 'scripts') return this.#script(method, rest.slice(1), bytes, type);
    if (area === 'workers' && rest[0] === 'workers') return { id: rest[1], name: rest[1], subdomain: { enabled: false, previews_enabled: false } };
    if (area === 'workers' && rest[0] === 'services') return this.workers.has(rest[1] ?? '') ? this.#service(rest[1] ?? '') : failed(404, 10090, 'This Worker does not exist');
    return undefined;
  }

  #d1(method: string, [, id, action]: string[], url: URL, json: () => Record<string, unknown>): unknown {
    const shown = (uuid: string, name: string) => ({ uuid, name, version: 'production', created_at: '2026-01-01T00:00:00Z', file_size: 0, num_tables: 0 });
    if (id === undefined && method === 'GET') {
      const name = url.searchParams.get('name');
      return [...this.databases].filter((each) => name === null || each[1].name === name).map(([uuid, each]) => shown(uuid, each.name));
    }
    if (id === undefined && method === 'POST') {
      const uuid = this.#id();
      this.databases.set(uuid, { name: String(json().name), sql: new DatabaseSync(':memory:') });
      return shown(uuid, String(json().name));
    }
    const database = this.databases.get(id ?? '');
    if (!database) return failed(404, 7404, 'The database was not found');
    if (action === undefined) return shown(id ?? '', database.name);
    if (action !== 'query') return undefined;
    const { sql, batch } = json() as { sql?: string; batch?: { sql: string }[] };
    try {
      return (batch ?? [{ sql: sql ?? '' }]).flatMap((each) => run(database.sql, each.sql));
    } catch (error) {
      return failed(400, 7500, String(error));
    }
  }

  #queue(method: string, [id, part, consumer]: string[], url: URL, json: () => Record<string, unknown>): unknown {
    const shown = ({ id: queue_id, name, consumers }: Queue) => ({
      queue_id,
      queue_name: name,
      created_on: '',
      modified_on: '',
      producers: [],
      producers_total_count: 0,
      consumers,
      consumers_total_count: consumers.length,
      settings: {},
    });
    if (id === undefined && method === 'GET') {
      const name = url.searchParams.get('name');
      return this.queues.filter((each) => name === null || each.name === name).map(shown);
    }
    if (id === undefined && method === 'POST') {
      const queue: Queue = { id: this.#id().replaceAll('-', ''), name: String(json().queue_name), consumers: [] };
      this.queues.push(queue);
      return shown(queue);
    }
    const queue = this.queues.find((each) => each.id === id);
    if (!queue) return failed(404, 11000, 'the queue was not found');
    if (part === undefined) return shown(queue);
    if (part !== 'consumers') return undefined;
    if (method === 'GET') return queue.consumers;
    const { script_name, settings, dead_letter_queue } = json() as { script_name: string; settings: unknown; dead_letter_queue?: string };
    const made = { consumer_id: consumer ?? this.#id(), script: script_name, type: 'worker' as const, settings, ...(dead_letter_queue ? { dead_letter_queue } : {}) };
    queue.consumers = [...queue.consumers.filter((each) => each.consumer_id !== made.consumer_id), made];
    return made;
  }

  #r2(method: string, [, bucket]: string[], json: () => Record<string, unknown>): unknown {
    if (bucket === undefined && method === 'POST') {
      this.buckets.add(String(json().name));
      return { name: json().name };
    }
    if (bucket === undefined) return { buckets: [...this.buckets].map((name) => ({ name })) };
    return this.buckets.has(bucket)
      ? { name: bucket, creation_date: '2026-01-01', location: 'WEUR', storage_class: 'Standard' }
      : failed(404, 10006, 'The specified bucket does not exist.');
  }

  async #script(method: string, [name, part, id]: string[], bytes: Buffer, type: string): Promise<unknown> {
    if (name === undefined) return [...this.workers].map(([each, worker]) => ({ id: each, migration_tag: worker.versions.at(-1)?.tag }));
    const worker = this.workers.get(name);
    if (part === undefined && method === 'PUT') {
      const made = worker ?? { secrets: new Map(), versions: [], crons: [] };
      this.workers.set(name, made);
      return this.#upload(made, bytes, type);
    }
    if (!worker) return failed(404, 10007, 'This Worker does not exist on your account.');
    const last = worker.versions.at(-1);
    switch (part) {
      case 'secrets-bulk': {
        const { secrets } = JSON.parse(bytes.toString('utf8')) as { secrets: Record<string, { text?: string } | null> };
        for (const [key, value] of Object.entries(secrets)) {
          if (value === null) worker.secrets.delete(key);
          else worker.secrets.set(key, value.text ?? '');
        }
        // A secret makes a version like the one before.
        if (last) worker.versions.push({ ...last, id: this.#id() });
        return { created: Object.keys(secrets), deleted: [] };
      }
      case 'secrets':
        return [...worker.secrets.keys()].map((each) => ({ name: each, type: 'secret_text' }));
      case 'deployments':
        if (method === 'POST') return { id: this.#id() };
        return {
          deployments: last
            ? [{ id: this.#id(), source: 'wrangler', strategy: 'percentage', created_on: '2026-01-01T00:00:00Z', versions: [{ version_id: last.id, percentage: 100 }] }]
            : [],
        };
      case 'versions': {
        if (method === 'POST') return this.#upload(worker, bytes, type);
        if (id === undefined) return { items: worker.versions.map((each) => ({ id: each.id })) };
        const version = worker.versions.find((each) => each.id === id);
        return version
          ? {
              id,
              number: 1,
              metadata: { created_on: '2026-01-01T00:00:00Z' },
              annotations: {},
              resources: { bindings: version.bindings, script: { handlers: [] }, script_runtime: version.tag === undefined ? {} : { migration_tag: version.tag } },
            }
          : failed(404, 10007, 'no such version');
      }
      case 'schedules':
        if (method === 'PUT') worker.crons = (JSON.parse(bytes.toString('utf8')) as { cron: string }[]).map(({ cron }) => cron);
        return { schedules: worker.crons.map((cron) => ({ cron })) };
      case 'subdomain':
        return { enabled: false, previews_enabled: false };
      case 'settings':
        return { bindings: last?.bindings ?? [], logpush: false, observability: { enabled: false } };
      case 'script-settings':
        return { observability: { enabled: false } };
      case 'assets-upload-session':
        // Nothing is missing: a token for what is there already.
        return { jwt: `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{"exp":4102444800}').toString('base64url')}.x`, buckets: [] };
      case 'domains':
      case 'routes':
        return id === 'changeset' ? { added: [], removed: [], updated: [], conflicting: [] } : [];
      default:
        return undefined;
    }
  }

  async #upload(worker: Worker, bytes: Buffer, type: string): Promise<unknown> {
    const form = await new Response(bytes, { headers: { 'content-type': type } }).formData();
    const metadata = JSON.parse(String(form.get('metadata'))) as { bindings?: { type: string; name: string; text?: string }[]; migrations?: { new_tag?: string } };
    const id = this.#id();
    worker.versions.push({ id, bindings: metadata.bindings ?? [], tag: metadata.migrations?.new_tag ?? worker.versions.at(-1)?.tag });
    return { id, etag: id, pipeline_hash: id, mutable_pipeline_id: id, deployment_id: id, startup_time_ms: 1, has_preview: false, metadata: {}, number: worker.versions.length };
  }

  #service(name: string): unknown {
    const worker = this.workers.get(name);
    return {
      id: name,
      default_environment: { environment: 'production', script: { id: name, tag: name, migration_tag: worker?.versions.at(-1)?.tag, last_deployed_from: 'wrangler' } },
      environments: [],
    };
  }
}

function failed(status: number, code: number, message: string): { status: number; json: unknown } {
  return { status, json: { success: false, result: null, messages: [], errors: [{ code, message }] } };
}

async function body(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** As D1 answers: one result a statement. */
function run(database: DatabaseSync, sql: string): unknown[] {
  const meta = { duration: 0, changes: 0, last_row_id: 0, rows_read: 0, rows_written: 0, served_by: 'stand-in', changed_db: false, size_after: 0 };
  const one = /^\s*select\b/i.test(sql);
  if (one) return [{ success: true, meta, results: database.prepare(sql).all() }];
  database.exec(sql);
  return [{ success: true, meta, results: [] }];
}
