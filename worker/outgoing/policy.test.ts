import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { judgeAddress } from './address.ts';
import { outgoingRules } from './policy.ts';

const fault = (url: string, env: Parameters<typeof outgoingRules>[0]) => {
  const judged = judgeAddress(url, outgoingRules(env));
  return judged.ok ? 'ok' : judged.fault;
};

beforeAll(() => void vi.stubGlobal('__LONGHAUL_DEV__', true));
afterAll(() => void vi.unstubAllGlobals());

describe('the installation itself', () => {
  it('is not called where it is served, by no name of this machine: whoever calls there is signed in', () => {
    const served = { LONGHAUL_DEV: '1', LONGHAUL_LOCAL_PORT: '8787' };
    expect(fault('http://127.0.0.1:8787/v1/workspaces/local/goals', served)).toBe('own_host');
    expect(fault('http://localhost:8787/', served)).toBe('own_host');
    expect(fault('http://127.0.0.1:11434/', served)).toBe('ok');
  });
  it('is not called where people reach it, and stays closed where it is served besides', () => {
    const both = { LONGHAUL_DEV: '1', LONGHAUL_LOCAL_PORT: '8787', LONGHAUL_URL: 'https://longhaul.example' };
    expect(fault('https://longhaul.example/', both)).toBe('own_host');
    expect(fault('http://[::1]:8787/', both)).toBe('own_host');
    expect(fault('http://localhost:9000/', { LONGHAUL_DEV: '1', LONGHAUL_URL: 'http://127.0.0.1:9000' })).toBe('own_host');
  });
});
