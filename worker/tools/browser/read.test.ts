import { describe, expect, it } from 'vitest';
import type { Json } from '../../domain/values.ts';
import { closedRules } from '../../outgoing/address.ts';
import { mayLoad } from '../../rounds/browser.ts';
import { fakeEnv, use } from '../testing/fake-env.ts';
import type { Browse, Tool } from '../tool.ts';
import { browserRead } from './read.ts';

const page = { url: 'https://a.example/end', status: 200, title: 'T\u0000', text: 'x'.repeat(300), links: [{ text: 'l', url: 'https://b.example/' }], blocked: 2 };
const read = (args: object, browse?: Browse) => {
  const env = Object.assign(fakeEnv(), browse ? { browse } : {});
  return use(browserRead as unknown as Tool, { url: 'https://a.example/', ...args } as Json, env).then((answer) => ({ answer, env }));
};

describe('browser.read', () => {
  it('gives what is seen, cut and clean', async () => {
    const { answer } = await read({ maxCharacters: 100, links: true }, async () => page);
    expect(answer).toMatchObject({
      ok: true,
      value: { url: 'https://a.example/end', title: 'T\uFFFD', text: 'x'.repeat(100), truncated: true, blocked: 2, links: [{ url: 'https://b.example/' }] },
    });
  });
  it('stores a picture where it is asked to', async () => {
    const { answer, env } = await read({ saveAs: 'a.png' }, async (_url, _rules, { picture }) => ({ ...page, ...(picture ? { picture: new Uint8Array([1, 2]) } : {}) }));
    expect(answer).toMatchObject({ ok: true, value: { path: 'a.png', size: 2, title: expect.any(String) } });
    expect(env.commands).toMatchObject([{ type: 'artifact.put' }]);
  });
  it('opens nothing that the guard refuses, says what to do where no browser is bound, and that a page failed', async () => {
    let opened = 0;
    const { answer } = await read({ url: 'https://10.0.0.1/' }, async () => {
      opened++;
      return page;
    });
    expect(answer).toMatchObject({ ok: false, refusal: { code: 'address_refused' } });
    expect(opened).toBe(0);
    expect((await read({})).answer).toMatchObject({ ok: false, refusal: { code: 'unavailable', detail: expect.stringContaining('BROWSER') } });
    expect((await read({}, () => Promise.reject(new Error('navigation timeout')))).answer).toMatchObject({
      ok: false,
      refusal: { code: 'unavailable', detail: expect.stringContaining('navigation timeout') },
    });
  });
  it.each<[string, string, boolean]>([
    ['GET', 'https://cdn.example/x.js', true],
    ['HEAD', 'https://cdn.example/x.js', true],
    ['POST', 'https://cdn.example/collect', false],
    ['GET', 'http://cdn.example/x.js', false],
    ['GET', 'https://169.254.169.254/', false],
    ['GET', 'http://127.0.0.1:8787/', false],
    ['GET', 'data:image/png;base64,AAAA', true],
    ['GET', 'file:///etc/passwd', false],
    ['GET', 'https://denied.example/', false],
  ])('a page may load %s %s: %s', (method, url, may) => expect(mayLoad(method, url, { ...closedRules, loopback: true, deny: ['denied.example'] })).toBe(may));
});
