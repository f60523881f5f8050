import { defineConfig } from 'drizzle-kit';

export default defineConfig({ dialect: 'sqlite', schema: ['./worker/book/schema.ts', './worker/auth/schema.ts'], out: './migrations' });
