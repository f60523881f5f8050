import { paraglideVitePlugin } from '@inlang/paraglide-js';
import adapter from '@sveltejs/adapter-static';
import { sveltekit } from '@sveltejs/kit/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';

/** Where `vite dev` finds the API while the console is worked on. */
const api = process.env.LONGHAUL_API ?? 'http://127.0.0.1:8787';

export default defineConfig({
  plugins: [
    paraglideVitePlugin({ project: './project.inlang', outdir: './src/lib/paraglide', strategy: ['localStorage', 'preferredLanguage', 'baseLocale'] }),
    tailwindcss(),
    sveltekit({ adapter: adapter({ fallback: 'index.html' }) }),
  ],
  build: { target: 'es2023' },
  server: { proxy: { '/v1': { target: api, ws: true } } },
});
