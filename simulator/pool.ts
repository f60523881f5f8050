/** Two threads or so that play histories. */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Job, Report } from './jobs.ts';

/** Histories that a thread is given at once. */
const packet = 4;

export type Played = Extract<Report, { kind: 'played' }>;

interface Thread {
  worker: Worker;
  report: (report: Report) => void;
}

export class Pool {
  readonly #threads: Thread[] = [];
  /** A thread that ended by itself has shown nothing: whoever waits learns of it. */
  readonly #died = Promise.withResolvers<never>();

  static async open(threads: number, mistake?: string): Promise<Pool> {
    const pool = new Pool();
    await Promise.all(Array.from({ length: threads }, () => pool.#start(mistake)));
    return pool;
  }

  #start(mistake: string | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const worker = new Worker(join(import.meta.dirname, 'thread.ts'), { workerData: mistake ? { mistake } : {}, stderr: false });
      const thread: Thread = { worker, report: () => resolve() };
      worker.on('message', (report: Report) => thread.report(report));
      worker.on('error', (error) => {
        reject(error);
        this.#died.promise.catch(() => {});
        this.#died.reject(error);
      });
      this.#threads.push(thread);
    });
  }

  /** Hands out the seeds in small packets; stops handing out when `played` says so. */
  async play(seeds: readonly number[], played: (report: Played) => boolean): Promise<void> {
    let at = 0;
    let on = true;
    const all = Promise.all(
      this.#threads.map(
        (thread) =>
          new Promise<void>((resolve) => {
            const next = () => {
              if (!on || at >= seeds.length) return resolve();
              thread.worker.postMessage({ do: 'play', seeds: seeds.slice(at, at + packet) } satisfies Job);
              at += packet;
            };
            thread.report = (report) => {
              if (report.kind === 'played') on = played(report) && on;
              else next();
            };
            next();
          }),
      ),
    );
    await Promise.race([all, this.#died.promise]);
  }

  ask<K extends Report['kind']>(thread: number, job: Job, kind: K): Promise<Extract<Report, { kind: K }>> {
    const asked = this.#threads[thread % this.#threads.length] as Thread;
    const answered = new Promise<Extract<Report, { kind: K }>>((resolve) => {
      asked.report = (report) => {
        if (report.kind === kind) resolve(report as Extract<Report, { kind: K }>);
      };
      asked.worker.postMessage(job);
    });
    return Promise.race([answered, this.#died.promise]);
  }

  get size(): number {
    return this.#threads.length;
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()));
  }
}
