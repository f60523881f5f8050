/**
 * Directions of imports: http, rounds, triggers -> goal, book, workspace, tools, models -> domain.
 * `npm run check` holds them.
 */
const tests = '(\\.test\\.ts|\\.worker\\.test\\.ts|(^|/)testing/|/fixtures?/)';
const upper = '^worker/(http|rounds|triggers)/';
const middle = '^worker/(goal|book|workspace|tools|models|auth)/';

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'What needs each other belongs in one file, or in a third one.',
      severity: 'error',
      from: { pathNot: tests },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'domain-imports-zod-and-itself',
      severity: 'error',
      from: { path: '^worker/domain/', pathNot: [tests, '^worker/domain/(states|cases|testing)/'] },
      to: { pathNot: ['^worker/domain/', '^node_modules/zod/'] },
    },
    {
      name: 'the-middle-does-not-know-who-calls-it',
      comment: 'Types of what a script sees may be imported. goal-object.ts is exempt: it is where the ports meet what implements them.',
      severity: 'error',
      from: { path: middle, pathNot: [tests, '^worker/goal/goal-object\\.ts$'] },
      to: { path: upper, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'only-the-book-knows-d1',
      severity: 'error',
      from: { path: '^worker/', pathNot: ['^worker/book/', '^worker/auth/schema\\.ts$', tests] },
      to: { path: ['^node_modules/drizzle-orm/', '^worker/book/schema\\.ts$', '^worker/book/project\\.ts$'] },
    },
    { name: 'hono-stays-in-http', severity: 'error', from: { path: '^worker/', pathNot: '^worker/http/' }, to: { path: '^node_modules/hono/' } },
    {
      name: 'the-worker-stands-alone',
      severity: 'error',
      from: { path: '^worker/', pathNot: tests },
      to: { path: '^(web|cli|client|scripts|simulator|bench|e2e|samples|testing)/' },
    },
    {
      name: 'web-and-cli-know-what-is-pure-or-a-message',
      severity: 'error',
      from: { path: '^(web|cli)/' },
      to: {
        path: '^worker/',
        pathNot: '^worker/(domain/|goal/rpc\\.ts$|workspace/(settings\\.ts$|core/)|notify/rpc\\.ts$|imports/(imported|import-plan)\\.ts$|models/(test-call|local-servers)\\.ts$)',
      },
    },
    { name: 'web-and-cli-take-types-only', severity: 'error', from: { path: '^(web/src|cli)/', pathNot: tests }, to: { path: '^worker/', dependencyTypesNot: ['type-only'] } },
    { name: 'the-client-knows-the-contract-alone', severity: 'error', from: { path: '^client/' }, to: { path: '^(worker|web|cli|scripts|simulator|bench|e2e|samples|testing)/' } },
    { name: 'samples-take-types-only', severity: 'error', from: { path: '^samples/', pathNot: tests }, to: { path: '^worker/', dependencyTypesNot: ['type-only'] } },
    { name: 'no-import-that-is-not-there', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: ['^cloudflare:', '^node:', '^\\$', '^mdast$'] } },
    { name: 'no-import-of-tests', severity: 'error', from: { pathNot: [tests, '\\.e2e\\.ts$'] }, to: { path: '\\.(test|e2e)\\.ts$' } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['web/build', '\\.svelte-kit', 'web/src/lib/paraglide', '\\.generated\\.'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['workerd', 'worker', 'import', 'types', 'node', 'default'],
      extensions: ['.ts', '.js', '.mjs', '.svelte'],
    },
  },
};
