/**
 * What the platform gives as globals, on virtual time: modules of the Worker that read the clock, set a timer or fetch do so here. Installed once
 * per thread, before anything of the Worker runs; `bind` says which history is on.
 */
import type { Loop } from './loop.ts';

export interface Platform {
  loop: Loop;
  fetch(url: string, init: RequestInit): Promise<Response>;
}

let platform: Platform | undefined;

function current(): Platform {
  if (!platform) throw new Error('no history is on');
  return platform;
}

export function bind(next: Platform | undefined): void {
  platform = next;
}

export function install(): void {
  const realNow = Date.now.bind(Date);
  Date.now = () => platform?.loop.now ?? realNow();
  const timers = new Map<number, () => void>();
  let count = 0;
  const set =
    (again: boolean) =>
    (work: () => void, ms = 0) => {
      const id = ++count;
      const { loop } = current();
      const arm = () => {
        timers.set(
          id,
          loop.after(ms, null, () => {
            if (again) arm();
            else timers.delete(id);
            work();
          }),
        );
      };
      arm();
      return id;
    };
  const clear = (id: number) => {
    timers.get(id)?.();
    timers.delete(id);
  };
  Object.assign(globalThis, { setTimeout: set(false), setInterval: set(true), clearTimeout: clear, clearInterval: clear });
  Object.assign(globalThis, { fetch: (url: string | URL, init: RequestInit = {}) => current().fetch(String(url), init) });
  // Only JSON is copied here, a hundred thousand times a second.
  globalThis.structuredClone = copy as typeof structuredClone;
  AbortSignal.timeout = (ms: number) => {
    const controller = new AbortController();
    current().loop.after(ms, null, () => controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')));
    return controller.signal;
  };
}

function copy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copy);
  const made: Record<string, unknown> = {};
  for (const key of Object.keys(value)) made[key] = copy((value as Record<string, unknown>)[key]);
  return made;
}
