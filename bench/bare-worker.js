/** What a command is measured against: the same way in over HTTP, and a Durable Object that inserts one row for each request. */
import { DurableObject } from 'cloudflare:workers';

export class Bare extends DurableObject {
  constructor(ctx, env) {
    super(ctx, env);
    ctx.storage.sql.exec('CREATE TABLE IF NOT EXISTS rows (seq INTEGER PRIMARY KEY, data TEXT NOT NULL)');
  }

  insert(data) {
    const { seq } = this.ctx.storage.sql.exec('INSERT INTO rows (data) VALUES (?) RETURNING seq', data).one();
    return { seq };
  }
}

export default {
  async fetch(request, env) {
    const name = new URL(request.url).pathname;
    const body = await request.json();
    const stub = env.BARE.get(env.BARE.idFromName(name));
    return Response.json(await stub.insert(JSON.stringify(body)));
  },
};
