/** For tests that play the coordinator. */
export default function run(host: { call(tool: string, args?: never): Promise<unknown> }, input: unknown): Promise<unknown>;
