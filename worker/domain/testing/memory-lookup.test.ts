import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Row } from '../context.ts';
import { compareIds, MemoryLookup } from './memory-lookup.ts';

const id = fc.oneof(fc.constantFrom('a', 'a/1', 'a/2', 'ab', 'b', 'b/é', '😀', '\uffee'), fc.string({ unit: 'binary', maxLength: 3 }));
const row = fc.record({ id, item: fc.option(fc.constantFrom('x', 'y'), { nil: undefined }), n: fc.nat() });
const options = fc.record({ prefix: id, item: fc.constantFrom('x', 'y', 'z'), after: id, limit: fc.integer({ min: 0, max: 5 }), newestFirst: fc.boolean() }, { requiredKeys: [] });

it('answers like a plain filter over the last images, in the order of UTF-8 bytes', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 30 }), fc.array(id, { maxLength: 3 }), options, (list, removed, asked) => {
      const lookup = new MemoryLookup();
      const last = new Map<string, Row>();
      for (const [seq, { id: key, item, n }] of list.entries()) {
        const image: Row = { kind: 'fact', id: key, seq, ...(item === undefined ? {} : { item }), data: n };
        lookup.put([image]);
        last.set(key, image);
      }
      for (const key of removed) {
        lookup.removeRow('fact', key);
        last.delete(key);
      }
      const bytes = (text: string) => Buffer.from(text);
      const order = asked.newestFirst ? -1 : 1;
      const expected = [...last.values()]
        .filter((one) => asked.prefix === undefined || one.id.startsWith(asked.prefix))
        .filter((one) => asked.item === undefined || one.item === asked.item)
        .sort((a, b) => order * Buffer.compare(bytes(a.id), bytes(b.id)))
        .filter((one) => asked.after === undefined || order * Buffer.compare(bytes(one.id), bytes(asked.after)) > 0)
        .slice(0, asked.limit);
      expect(lookup.rows('fact', asked)).toEqual(expected);
      expect(lookup.count('fact', asked.prefix)).toBe([...last.keys()].filter((key) => asked.prefix === undefined || key.startsWith(asked.prefix)).length);
      for (const [key, image] of last) expect(lookup.row('fact', key)).toBe(image);
    }),
  );
});

it('orders like bytes also beyond the basic plane', () => {
  expect(compareIds('\uffee', '😀')).toBeLessThan(0);
  expect(compareIds('a', 'ab')).toBeLessThan(0);
  expect(compareIds('b', 'ab')).toBeGreaterThan(0);
});

it('kinds, bodies and leases are apart', () => {
  const lookup = new MemoryLookup();
  lookup.put([{ kind: 'fact', id: 'a', seq: 1, data: 1 }]);
  lookup.putBodies({ d: 'text' });
  lookup.putLease('r1', { runner: 'n', until: 5 });
  expect(lookup.row('ledger', 'a')).toBeUndefined();
  expect(lookup.rows('ledger')).toEqual([]);
  expect(lookup.body('d')).toBe('text');
  lookup.eraseBodies(['d']);
  expect(lookup.body('d')).toBeUndefined();
  expect(lookup.lease('r1')).toEqual({ runner: 'n', until: 5 });
  lookup.putLease('r1', null);
  expect(lookup.lease('r1')).toBeUndefined();
});
