import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Env } from '../env.ts';
import { appOf } from '../http/app.ts';
import { answer, type Route } from '../http/route.ts';
import { isOperator, missingSettings, providersOf } from './settings.ts';

const whole = {
  LONGHAUL_URL: 'https://longhaul.example',
  LONGHAUL_AUTH_SECRET: 's'.repeat(32),
  LONGHAUL_MAIL_URL: 'https://mail.example/send',
  LONGHAUL_MAIL_KEY: 'k',
  LONGHAUL_MAIL_FROM: 'longhaul@longhaul.example',
  LONGHAUL_MASTER_KEY_1: btoa('k'.repeat(32)),
} as unknown as Env;

describe('settings that an installation must have', () => {
  it('are complete', () => expect(missingSettings(whole)).toEqual([]));

  it.each(Object.keys(whole))('miss %s', (name) => {
    expect(missingSettings({ ...whole, [name]: undefined })).toEqual([name]);
    expect(missingSettings({ ...whole, [name]: '' })).toEqual([name]);
  });

  it.each([
    ['LONGHAUL_URL', 'http://longhaul.example'],
    ['LONGHAUL_URL', 'https://longhaul.example/path'],
    ['LONGHAUL_URL', 'longhaul.example'],
    ['LONGHAUL_AUTH_SECRET', 'short'],
    ['LONGHAUL_MAIL_URL', 'http://mail.example'],
    ['LONGHAUL_MASTER_KEY_1', 'no key'],
  ])('do not take %s = %s', (name, value) => expect(missingSettings({ ...whole, [name]: value })).toEqual([name]));
});

describe('the master key that an installation must have', () => {
  const key = (letter: string) => btoa(letter.repeat(32));
  const { LONGHAUL_MASTER_KEY_1: _first, ...without } = whole as unknown as Record<string, string>;
  const missing = (more: object) => missingSettings({ ...without, ...more } as unknown as Env);

  it('is any version, so that the first may go after a rotation', () => {
    expect(missing({ LONGHAUL_MASTER_KEY_2: key('k') })).toEqual([]);
    expect(missing({ LONGHAUL_MASTER_KEY_1: key('k'), LONGHAUL_MASTER_KEY_2: key('l'), LONGHAUL_MASTER_KEY_CURRENT: '1' })).toEqual([]);
  });

  it('is not a broken one beside a good one, nor one that is named and not there', () => {
    expect(missing({ LONGHAUL_MASTER_KEY_1: key('k'), LONGHAUL_MASTER_KEY_2: 'broken' })).toEqual(['LONGHAUL_MASTER_KEY_2']);
    expect(missing({ LONGHAUL_MASTER_KEY_1: key('k'), LONGHAUL_MASTER_KEY_CURRENT: '9' })).toEqual(['LONGHAUL_MASTER_KEY_1']);
    expect(missing({})).toEqual(['LONGHAUL_MASTER_KEY_1']);
  });
});

describe('a production build', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('answers nobody while one of them is missing, and says which without any value', async () => {
    vi.stubGlobal('__LONGHAUL_DEV__', false);
    const handle = async () => answer({ ok: true });
    const app = appOf([
      { method: 'GET', path: '/healthz', may: 'anyone', summary: '', handle },
      { method: 'GET', path: '/v1/me', may: 'signed_in', summary: '', handle },
      { method: 'GET', path: '/v1/workspaces/:workspace/goals', may: 'goals:read', summary: '', handle },
    ] satisfies Route[]);
    const { LONGHAUL_MAIL_KEY: _key, ...rest } = whole;
    for (const path of ['/healthz', '/v1/me', '/v1/workspaces/local/goals', '/v1/nothing']) {
      const response = await app.fetch(new Request(`https://longhaul.example${path}`), rest);
      const text = await response.text();
      if (path === '/v1/nothing') expect(response.status).toBe(404);
      else expect([response.status, JSON.parse(text)], path).toMatchObject([503, { code: 'not_configured', current: { missing: ['LONGHAUL_MAIL_KEY'] } }]);
      expect(text).not.toContain('ssss');
    }
    expect((await app.fetch(new Request('https://longhaul.example/healthz'), whole)).status).toBe(200);
  });
});

describe('accounts elsewhere and operators', () => {
  it('need both halves of a key', () => {
    expect(providersOf(whole)).toEqual({});
    expect(providersOf({ ...whole, LONGHAUL_GITHUB_ID: 'i', LONGHAUL_GOOGLE_SECRET: 's' })).toEqual({});
    expect(providersOf({ ...whole, LONGHAUL_GITHUB_ID: 'i', LONGHAUL_GITHUB_SECRET: 's' })).toEqual({ github: { clientId: 'i', clientSecret: 's' } });
  });

  it('are who is named, with a confirmed address', () => {
    const env = { ...whole, LONGHAUL_OPERATORS: 'ops@x.example, Second@x.example' };
    expect(isOperator(env, 'OPS@x.example', true)).toBe(true);
    expect(isOperator(env, 'second@x.example', true)).toBe(true);
    expect(isOperator(env, 'ops@x.example', false)).toBe(false);
    expect(isOperator(env, 'x.example', true)).toBe(false);
    expect(isOperator(whole, '', true)).toBe(false);
  });
});
