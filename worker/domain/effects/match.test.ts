import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type NonGoal, type PolicyRule, policyRule } from '../contract/contract.ts';
import { forbiddenBy, matchesTool, placesAt, policyFor, valueAt } from './match.ts';

const nonGoal = (id: string, tool: string, where: PolicyRule['where'] = []): NonGoal => ({ id, text: id, forbids: [{ tool, where }] });

describe('places of a pointer', () => {
  it('are those of RFC 6901, and every element for a star', () => {
    const value = { a: [{ b: 1 }, { b: 2 }], 'x/y': { '~': 3 }, '*': 4 };
    expect(valueAt(value, '')).toBe(value);
    expect(valueAt(value, '/a/1/b')).toBe(2);
    expect(valueAt(value, '/x~1y/~0')).toBe(3);
    expect(valueAt(value, '/*')).toBe(4);
    expect(placesAt(value, '/a/*/b')).toEqual([
      { pointer: '/a/0/b', value: 1 },
      { pointer: '/a/1/b', value: 2 },
    ]);
    expect(valueAt(value, '/a/01')).toBeUndefined();
    expect(valueAt(value, '/a/length')).toBeUndefined();
    expect(valueAt(value, '/constructor')).toBeUndefined();
    expect(valueAt(value, 'a')).toBeUndefined();
  });
});

describe('non-goals', () => {
  it('forbid a tool, a family of tools, or some arguments', () => {
    expect(matchesTool('bank.*', 'bank.transfer')).toBe(true);
    expect(matchesTool('bank', 'bank.transfer')).toBe(false);
    const bank = nonGoal('no-bank', 'bank.*');
    const disputed = nonGoal('no-disputed', 'ledger.record', [{ pointer: '/entries/*/subject', matches: '^D-' }]);
    expect(forbiddenBy([disputed, bank], 'bank.transfer', {})?.id).toBe('no-bank');
    expect(forbiddenBy([disputed, bank], 'ledger.record', { entries: [{ subject: 'A-1' }, { subject: 'D-2' }] })?.id).toBe('no-disputed');
    expect(forbiddenBy([disputed, bank], 'ledger.record', { entries: [{ subject: 'A-D-1' }] })).toBeUndefined();
    expect(forbiddenBy([disputed, bank], 'file.read', { path: 'x' })).toBeUndefined();
  });
  it('need every condition; equal is equal JSON', () => {
    const rule = nonGoal('n', 't', [{ pointer: '/a', equals: { x: 1, y: [2] } }, { pointer: '/b' }]);
    expect(forbiddenBy([rule], 't', { a: { y: [2], x: 1 }, b: null })?.id).toBe('n');
    expect(forbiddenBy([rule], 't', { a: { y: [2], x: 1 } })).toBeUndefined();
    expect(forbiddenBy([rule], 't', { a: { y: [3], x: 1 }, b: 1 })).toBeUndefined();
  });
  it('with a broken pattern forbid rather than let through', () => {
    expect(forbiddenBy([nonGoal('n', 't', [{ pointer: '/a', matches: '(' }])], 't', {})?.id).toBe('n');
  });
});

describe('policies', () => {
  const policy = (tool: string, decides: PolicyRule['then'], where: PolicyRule['where'] = []): PolicyRule =>
    policyRule.parse(
      Object.fromEntries([
        ['tool', tool],
        ['where', where],
        ['then', decides],
      ]),
    );
  const rule = fc.tuple(fc.constantFrom('a', 'b', '*', 'a*'), fc.constantFrom('allow' as const, 'ask' as const, 'deny' as const)).map(([tool, decides]) => policy(tool, decides));
  it('deny beats ask beats allow, in any order', () => {
    fc.assert(
      fc.property(fc.array(rule), (rules) => {
        const said = rules.filter((one) => one.tool !== 'b').map((one) => one.then);
        const expected = said.includes('deny') ? 'deny' : said.includes('ask') ? 'ask' : 'allow';
        expect(policyFor(rules, 'a', {})).toBe(expected);
        expect(policyFor([...rules].reverse(), 'a', {})).toBe(expected);
      }),
    );
  });
  it('one more rule never loosens what stood', () => {
    const rank = { allow: 0, ask: 1, deny: 2 };
    fc.assert(
      fc.property(
        fc.array(rule, { minLength: 1 }),
        rule,
        (rules, more) =>
          void expect(rank[policyFor([...rules, more], 'a', {}, 'deny')]).toBeGreaterThanOrEqual(
            rules.some((one) => one.tool !== 'b') ? rank[policyFor(rules, 'a', {}, 'deny')] : 0,
          ),
      ),
    );
  });
  it('a broken pattern denies and asks, but allows nothing; without a match the default holds', () => {
    const broken = (decides: PolicyRule['then']) => [policy('t', decides, [{ pointer: '/a', matches: '(' }])];
    expect(policyFor(broken('deny'), 't', {})).toBe('deny');
    expect(policyFor(broken('ask'), 't', {})).toBe('ask');
    expect(policyFor(broken('allow'), 't', {}, 'ask')).toBe('ask');
    expect(policyFor([], 't', {}, 'ask')).toBe('ask');
  });
});
