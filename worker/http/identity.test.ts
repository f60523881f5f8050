import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { scopes } from '../domain/context.ts';
import type { Env } from '../env.ts';
import { foreignOrigin, identify } from './identity.ts';

const development = { LONGHAUL_DEV: '1' } as Env;
const asked = (url: string, headers: Record<string, string> = {}) => new Request(url, { headers });

describe('the development sign-in', () => {
  beforeEach(() => vi.stubGlobal('__LONGHAUL_DEV__', true));
  afterEach(() => vi.unstubAllGlobals());

  it.each(['http://127.0.0.1:8787/', 'http://localhost/', 'http://[::1]:8787/'])('signs in person:local at %s', async (url) => {
    const member = await identify(asked(url), development);
    if ('refused' in member) throw new Error('not signed in');
    expect(member).toMatchObject({ principal: 'person:local', kind: 'person', credential: 'development' });
    expect([...member.memberships]).toEqual([['local', { name: 'local', role: 'owner', scopes }]]);
  });

  it.each([
    ['another host', 'http://longhaul.example/', {}],
    ['a host that only begins like a loopback address', 'http://127.0.0.1.example/', {}],
    ['a Host header of another name (DNS rebinding)', 'http://127.0.0.1/', { host: 'evil.example' }],
    ['a caller on another machine', 'http://127.0.0.1/', { 'cf-connecting-ip': '192.168.0.7' }],
  ])('refuses %s', async (_name, url, headers) => {
    expect(await identify(asked(url, headers), development)).toMatchObject({ code: 'unauthenticated' });
  });

  it('refuses without LONGHAUL_DEV = 1', async () => {
    expect(await identify(asked('http://127.0.0.1/'), {} as Env)).toMatchObject({ code: 'unauthenticated' });
    expect(await identify(asked('http://127.0.0.1/'), { LONGHAUL_DEV: 'true' } as Env)).toMatchObject({ code: 'unauthenticated' });
  });

  it('refuses in a production build whatever the environment says', async () => {
    vi.stubGlobal('__LONGHAUL_DEV__', false);
    expect(await identify(asked('http://127.0.0.1/'), development)).toMatchObject({ code: 'unauthenticated' });
  });

  it('is a member of exactly the listed workspaces', async () => {
    const member = await identify(asked('http://127.0.0.1/'), { LONGHAUL_DEV: '1', LONGHAUL_DEV_WORKSPACES: 'local, other,Not Valid' } as Env);
    if ('refused' in member) throw new Error('not signed in');
    expect([...member.memberships.keys()]).toEqual(['local', 'other']);
  });

  it('is not what a bad token falls back to', async () => {
    for (const authorization of ['Bearer lht_nonsense', 'Bearer', 'Basic bG9jYWw6bG9jYWw=', ''])
      expect(await identify(asked('http://127.0.0.1/', { authorization }), development), authorization).toMatchObject({ code: 'unauthenticated' });
  });
});

describe('foreign origins', () => {
  it('takes this origin and programs, refuses other pages', () => {
    expect(foreignOrigin(asked('http://127.0.0.1:8787/'))).toBe(false);
    expect(foreignOrigin(asked('http://127.0.0.1:8787/', { origin: 'http://127.0.0.1:8787' }))).toBe(false);
    expect(foreignOrigin(asked('http://127.0.0.1:8787/', { origin: 'http://127.0.0.1:9000' }))).toBe(true);
    expect(foreignOrigin(asked('http://127.0.0.1:8787/', { origin: 'null' }))).toBe(true);
    expect(foreignOrigin(asked('http://127.0.0.1:8787/', { 'sec-fetch-site': 'cross-site' }))).toBe(true);
    expect(foreignOrigin(asked('http://127.0.0.1:8787/', { 'sec-fetch-site': 'same-site' }))).toBe(true);
  });
});
