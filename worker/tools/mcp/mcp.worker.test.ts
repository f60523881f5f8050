import { expect, inject, it } from 'vitest';
import { closedRules } from '../../outgoing/address.ts';
import { fakeEnv, use } from '../testing/fake-env.ts';
import { connectServers } from './connect.ts';

it('a remote server is connected to and called from inside the runtime', async () => {
  const server = { name: 'erp', url: inject('mcpServer'), tools: ['look', 'send'], readOnly: ['look'] };
  const remote = await connectServers([{ server, headers: {}, secrets: [] }], { ...closedRules, loopback: true });
  const [look, send] = remote.tools;
  if (!look || !send) throw new Error(JSON.stringify(await use(remote.tools[0] as never, {}, fakeEnv())));
  expect(await use(look, { text: 'x' }, fakeEnv())).toMatchObject({ ok: true, value: { content: 'seen x' } });
  const permit = { effect: 'eff1', nonce: 'n', key: 'k', sendWithin: 60_000, timeout: 5000 };
  expect(await use(send, { text: 'y' }, fakeEnv({ permit }))).toMatchObject({ ok: true, value: { outcome: 'succeeded', content: 'sent y' } });
  await remote.close();
});
