import { paraglideVitePlugin } from '@inlang/paraglide-js';
import adapter from '@sveltejs/adapter-static';
import { sveltekit } from '@sveltejs/kit/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';

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

export default defineConfig({
  plugins: [
    paraglideVitePlugin({ project: './project.inlang', outdir: './src/lib/paraglide', strategy: ['localStorage', 'preferredLanguage', 'baseLocale'] }),
    tailwindcss(),
    sveltekit({ adapter: adapter({ fallback: 'index.html' }), csp: { mode: 'hash', directives } }),
  ],
  build: { target: 'es2023' },
  server: { proxy: { '/v1': { target: api, ws: true }, '/auth': { target: api } } },
});
