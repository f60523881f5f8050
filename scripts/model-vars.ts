/** What a local Worker is told of the model: the variables of this environment that say it, and no others. */
const names = ['LONGHAUL_MODEL_URL', 'LONGHAUL_MODEL', 'LONGHAUL_MODEL_KEY', 'LONGHAUL_MODEL_WINDOW'] as const;

export function modelVars(env: NodeJS.ProcessEnv = process.env): Partial<Record<(typeof names)[number], string>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = env[name];
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  );
}
