import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { paraglideVitePlugin } from '@inlang/paraglide-js';
import adapter from '@sveltejs/adapter-static';
import { sveltekit } from '@sveltejs/kit/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';

/** Where `vite dev` finds the API while the console is worked on. */
const api = process.env.LONGHAUL_API ?? 'http://127.0.0.1:8787';

/**
 * Written into the page, with the digest of the one script that starts it: nothing else that stands in a page runs. What cannot be said there (who may frame it) is in `static/_headers`.
 * Styles in attributes are how positions are set in the graph.
 */
const directives: NonNullable<NonNullable<Parameters<typeof sveltekit>[0]>['csp']>['directives'] = {
  'default-src': ['self'],
  'script-src': ['self'],
  'style-src': ['self', 'unsafe-inline'],
  'img-src': ['self', 'data:', 'blob:'],
  'connect-src': ['self'],
  'worker-src': ['self'],
  'object-src': ['none'],
  'base-uri': ['none'],
  'form-action': ['self'],
};

/** The viewer of the API's reference is served from here: its files are put beside the page that starts it. */
function apiReference(): Plugin {
  const from = new URL('../node_modules/swagger-ui-dist/', import.meta.url);
  const to = new URL('./static/docs/swagger-ui/', import.meta.url);
  return {
    name: 'api-reference',
    configResolved() {
      for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js', 'LICENSE', 'NOTICE']) cpSync(fileURLToPath(new URL(name, from)), fileURLToPath(new URL(name, to)));
    },
  };
}

export default defineConfig({
  plugins: [
    apiReference(),
    paraglideVitePlugin({ project: './project.inlang', outdir: './src/lib/paraglide', strategy: ['localStorage', 'preferredLanguage', 'baseLocale'] }),
    tailwindcss(),
    sveltekit({ adapter: adapter({ fallback: 'index.html' }), csp: { mode: 'hash', directives } }),
  ],
  build: { target: 'es2023' },
  server: { proxy: { '/v1': { target: api, ws: true }, '/auth': { target: api } } },
});
