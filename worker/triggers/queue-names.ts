/** Every environment names its queues after itself; what became of a message is told by the end of the name. `scripts/deploy/environment.ts` makes them. */
export const deadQueueOf = (name: string): boolean => name.endsWith('-dead');
