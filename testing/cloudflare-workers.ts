/** Stands in for the runtime's own module where routes are only looked at, in Node: nothing of it works. */
export class DurableObject {}
export class WorkerEntrypoint {}
export const env = {};
export const exports = {};
export function waitUntil(): void {}
