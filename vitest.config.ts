import { randomBytes } from 'node:crypto';
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        // Routes are described there, and what they import of the runtime is not run.
        resolve: { alias: { 'cloudflare:workers': new URL('./testing/cloudflare-workers.ts', import.meta.url).pathname } },
        test: {
          name: 'core',
          testTimeout: 60_000,
          environment: 'node',
          include: ['{worker,simulator,skills,samples,scripts,cli,bench,testing}/**/*.test.ts', 'web/src/**/*.test.ts'],
          exclude: ['**/*.worker.test.ts', '**/node_modules/**'],
        },
      },
      {
        // The plugin does not read `define` of wrangler.toml.
        define: { __LONGHAUL_DEV__: 'true' },
        plugins: [
          cloudflareTest(async () => ({
            wrangler: { configPath: './wrangler.toml' },
            // Tests that touch D1 apply these: `applyD1Migrations(env.DB, env.MIGRATIONS)`.
            // A master key like that of a local state folder, which seals secrets.
            miniflare: { bindings: { MIGRATIONS: await readD1Migrations('./migrations'), LONGHAUL_MASTER_KEY_1: randomBytes(32).toString('base64') } },
          })),
        ],
        test: {
          name: 'runtime',
          // A scripted model server and an MCP server for tests with agents.
          globalSetup: ['./testing/model-server/global-setup.ts', './testing/mcp-server/global-setup.ts'],
          testTimeout: 60_000,
          // People who sign up take their time: their passwords are hashed as they are elsewhere.
          hookTimeout: 60_000,
          include: ['worker/**/*.worker.test.ts'],
          onUnhandledError: (error) => ('durableObjectReset' in error && error.durableObjectReset ? false : undefined),
        },
      },
      { test: { name: 'e2e', environment: 'node', include: ['e2e/**/*.e2e.ts'], testTimeout: 400_000, hookTimeout: 180_000, fileParallelism: false } },
    ],
  },
});
