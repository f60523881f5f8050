import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../domain/values.ts';
import { jsonWithoutKeys, Redactor, withoutKeys } from './redactor.ts';

const canary = 'cañ/ary+Key "9f8e7d"&x=1\\2';
const with1 = (value = canary, name = 'erp') => {
  const redactor = new Redactor();
  redactor.add(value, name);
  return redactor;
};

describe('added values', () => {
  const form = new URLSearchParams({ v: canary }).toString().slice(2);
  it.each([
    ['as they are', canary],
    ['in JSON', JSON.stringify({ key: canary })],
    ['in JSON in JSON', JSON.stringify({ text: JSON.stringify({ key: canary }) })],
    ['in an address', `https://a.example/?key=${encodeURIComponent(canary)}`],
    ['in an address, small hex', encodeURIComponent(canary).replace(/%../g, (hex) => hex.toLowerCase())],
    ['in a form', form],
    ['as base64', Buffer.from(canary).toString('base64')],
    ['as base64 after a name', Buffer.from(`user:${canary}`).toString('base64')],
    ['as base64 among others', Buffer.from(`ab${canary}cd and more`).toString('base64')],
    ['as base64url', Buffer.from(`u:${canary}`).toString('base64url')],
    ['as hex', Buffer.from(canary).toString('hex')],
  ])('are found %s', (_how, text) => {
    const out = with1().text(`before ${text} after`);
    expect(out).toContain('[redacted:erp]');
    expect(out).toMatch(/^before .* after$/s);
    expect(out).not.toContain('9f8e7d');
    for (const part of out.split(/[^A-Za-z0-9+/=_-]+/))
      for (const how of ['base64', 'base64url', 'hex'] as const) expect(Buffer.from(part, how).toString()).not.toContain('9f8e7d');
  });
  it('are found wherever they stand in base64, in any neighbourhood', () => {
    const secret = fc.string({ unit: 'grapheme-ascii', minLength: 12, maxLength: 60 }).filter((text) => text.trim().length >= 12);
    fc.assert(
      fc.property(
        secret,
        fc.uint8Array({ maxLength: 7 }),
        fc.uint8Array({ maxLength: 7 }),
        fc.constantFrom('base64' as const, 'base64url' as const),
        (value, before, after, how) => {
          const text = Buffer.concat([before, Buffer.from(value), after]).toString(how);
          expect(with1(value).text(text)).toContain('[redacted:erp]');
        },
      ),
    );
  });
  it('name the longest that fits, and leave short ones alone', () => {
    const redactor = new Redactor();
    redactor.add('abcdefgh', 'short');
    redactor.add('abcdefgh-1234', 'long');
    redactor.add('abc', 'tiny');
    expect(redactor.text('abcdefgh-1234 abcdefgh abc')).toBe('[redacted:long] [redacted:short] abc');
  });
  it('of several lines are found line by line', () => {
    const pem = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC'}\n${'BKcwggSjAgEAAoIBAQDJ5T1mXKbRbaJ0'}\n-----END PRIVATE KEY-----\n`;
    expect(with1(pem).text('it said MIIEvQIBADANBgkqhkiG9w0BAQEFAASC there')).toBe('it said [redacted:erp] there');
  });
  it('are found at any depth, in keys too, and nothing else is touched', () => {
    const redactor = with1('s3cr3t-value');
    const value = { a: [{ 's3cr3t-value': 1, b: 'x s3cr3t-value' }], n: 1, z: null };
    expect(redactor.json(value)).toEqual({ a: [{ '[redacted:erp]': 1, b: 'x [redacted:erp]' }], n: 1, z: null });
    const clean: Json = { a: ['x'], b: { c: 1 } };
    expect(redactor.json(clean)).toBe(clean);
  });
});

describe('a stream', () => {
  it('gives what the whole text would give, however it is cut', () => {
    const redactor = with1('s3cr3t value with spaces', 'erp');
    redactor.add('другой секрет', 'ru');
    const part = fc.constantFrom(
      's3cr3t value with spaces',
      'другой секрет',
      'hello ',
      '你好',
      's3cr3t val',
      ' ',
      'Bearer abcdef0123456789abcdef ',
      'sk-abcdefghij0123456789klmn',
      ' AKIAABCDEFGHIJKLMNOP ',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (parts, cuts) => {
        const text = parts.join('');
        const stream = redactor.stream();
        let out = '';
        for (let at = 0, n = 0; at < text.length; n++) {
          const size = cuts[n % cuts.length] ?? 1;
          out += stream.push(text.slice(at, at + size));
          at += size;
        }
        out += stream.end();
        expect(out).toBe(redactor.text(text));
      }),
      { numRuns: 1000 },
    );
  });
  it('holds back no more than it must', () => {
    const stream = with1('s3cr3t-value').stream();
    expect(stream.push('The first words, ')).toBe('The first words, ');
    expect(stream.push('中文也不会被扣住')).toBe('中文也不会被扣住');
    expect(stream.push('s3cr3t-')).toBe('');
    expect(stream.push('other ')).toBe('s3cr3t-other ');
  });
});

describe('shapes', () => {
  it.each([
    ['sk-proj-AbC123def456GHI789jkl012', 'api key'],
    ['key=sk-ant-api03-abcDEF123456_ghiJKL-7890', 'api key'],
    ['AKIAIOSFODNN7EXAMPLE', 'aws key'],
    ['ghp_0123456789abcdefghijABCDEFGHIJ012345', 'token'],
    [`lht_0123456789ab_${'0123456789abcdefghjkmnpqrstvwxyz'}012345`, 'token'],
    [`lha_WyJhY21lIiwiZ29hbF8iXQ.${'A-_z'.repeat(10)}abc`, 'token'],
    ['xoxb-123456789012-abcdef', 'token'],
    ['AIzaSyA-1234567890abcdefghijklmnopqrstu', 'api key'],
    ['Authorization: Bearer abcdef0123456789abcdef', 'bearer token'],
    ['"authorization": "Basic dXNlcjpwYXNzd29yZA=="', 'basic credentials'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N', 'jwt'],
    ['postgres://app:hunter2pass@db.example.com/x', 'password'],
    ['-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----', 'private key'],
    ['-----BEGIN PRIVATE KEY-----\nMIIEcut off here', 'private key'],
  ])('%s is a %s', (text, name) => expect(withoutKeys(`x ${text}`)).toContain(`[redacted:${name}]`));
  it.each([
    'The bearer of this letter is entitled to 100 pieces.',
    'Bearer authentication is needed here.',
    'risk-adjusted-return-on-capital-employed',
    'sk-learn and task-management-for-large-teams',
    'https://a.example:8443/path@2x.png',
    'invoice/0795/amount 2512292042121000001',
    '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    'AKIA is a prefix',
    '-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----',
    'mailto:person@example.com, see note: ask@example.com',
  ])('%s is none', (text) => expect(withoutKeys(text)).toBe(text));
  it('at any depth', () => expect(jsonWithoutKeys({ a: ['AKIAIOSFODNN7EXAMPLE'] })).toEqual({ a: ['[redacted:aws key]'] }));
  it('twice is once', () => {
    const once = withoutKeys('Bearer abcdef0123456789abcdef AKIAIOSFODNN7EXAMPLE postgres://a:hunter2pass@h/');
    expect(withoutKeys(once)).toBe(once);
  });
  it('takes time in proportion to the text', () => {
    const nasty = [
      `${'a'.repeat(50_000)}:`,
      'https://'.repeat(10_000),
      'bearer '.repeat(10_000),
      '-----BEGIN PRIVATE KEY'.repeat(3000),
      `eyJ${'a'.repeat(60_000)}`,
      'sk-'.repeat(30_000),
    ];
    for (const text of nasty) expect(withoutKeys(text).length).toBeGreaterThan(0);
  }, 5000);
});
