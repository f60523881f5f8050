/** For tests that play it. */
export default function run(host: { call(tool: string, args?: unknown): Promise<unknown> }, input: unknown): Promise<unknown>;
