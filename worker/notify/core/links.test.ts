/** What is signed is believed as it was signed, in its workspace and for its use. */
import { expect, it } from 'vitest';
import { linkAddress, readDecision, readProgress, signDecision, signProgress } from './links.ts';

const link = { goal: 'goal_1', ref: 'blocker:b1', asked: 'abc', person: 'person:ada', expiresAt: 5, id: 'i' } as const;
const text = signDecision('key', 'acme', link);

it('a decision link says what it was made of, in its workspace and under its key alone', () => {
  expect(readDecision('key', 'acme', text)).toEqual(link);
  expect(readDecision('other', 'acme', text)).toBeUndefined();
  expect(readDecision('key', 'beta', text)).toBeUndefined();
});

it('an altered one says nothing', () => {
  const [body = '', mac = ''] = text.split('.');
  const eve = Buffer.from(Buffer.from(body, 'base64url').toString().replace('person:ada', 'person:eve')).toString('base64url');
  expect(readDecision('key', 'acme', `${eve}.${mac}`)).toBeUndefined();
  expect(readDecision('key', 'acme', `${text.slice(0, -1)}${text.endsWith('A') ? 'B' : 'A'}`)).toBeUndefined();
  expect(readDecision('key', 'acme', '')).toBeUndefined();
});

it('a link of one use is none of the other', () => {
  const progress = signProgress('key', 'acme', { name: 'board', version: 3 });
  expect(readProgress('key', 'acme', progress)).toEqual({ name: 'board', version: 3 });
  expect(readProgress('key', 'beta', progress)).toBeUndefined();
  expect(readDecision('key', 'acme', progress)).toBeUndefined();
  expect(readProgress('key', 'acme', text)).toBeUndefined();
});

it('stands behind the part of an address that no server is sent', () => {
  expect(new URL(linkAddress('https://longhaul.example', 'link', 'acme', text))).toMatchObject({ pathname: '/link', search: '', hash: `#acme/${text}` });
});
