import { beforeEach, expect, it } from 'vitest';
import { Redactor } from '../../observe/redactor.ts';
import { LiveText } from './live-text.ts';

let now: number;
let watched: boolean;
let sent: [string, boolean][];
let redactor: Redactor;
const live = () =>
  new LiveText({
    now: () => now,
    send: async (text, done) => {
      sent.push([text, done]);
      return watched;
    },
    redact: () => redactor.stream(),
  });
const settle = () => new Promise((resolve) => setImmediate(resolve));
beforeEach(() => {
  now = 10_000;
  watched = true;
  sent = [];
  redactor = new Redactor();
});

it('sends at most four pieces a second, and all of the message', async () => {
  const text = live();
  let whole = '';
  for (let n = 0; n < 100; n++) {
    whole += `word${n} `;
    text.grow(whole);
    await settle();
    now += 10;
  }
  text.end();
  await settle();
  expect(sent.length).toBeLessThanOrEqual(5);
  expect(sent.map(([piece]) => piece).join('')).toBe(whole);
  expect(sent.map(([, done]) => done)).toEqual([...Array(sent.length - 1).fill(false), true]);
});

it('asks seldom while nobody watches; who comes later in a message reads it whole', async () => {
  watched = false;
  const text = live();
  let whole = '';
  for (let n = 0; n < 60; n++) {
    whole += `${n} `;
    text.grow(whole);
    await settle();
    now += 100;
  }
  expect(sent).toHaveLength(2);
  watched = true;
  now += 5000;
  text.grow(`${whole}end `);
  await settle();
  expect(sent.at(-1)).toEqual([`${whole}end `, false]);
});

it('a key never leaves, also in pieces', async () => {
  redactor.add('sk-canary-1234567890', 'model key');
  const text = live();
  text.grow('the key is sk-canary-');
  await settle();
  now += 1000;
  text.grow('the key is sk-canary-1234567890 and more ');
  await settle();
  text.end();
  await settle();
  expect(sent.map(([piece]) => piece).join('')).toBe('the key is [redacted:model key] and more ');
});
