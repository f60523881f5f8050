/** For tests that plan as the script does. */
export function documentFor(contract: unknown, options?: { review?: string }): { mode: string; items: { key: string; executor: unknown; [field: string]: unknown }[] };
