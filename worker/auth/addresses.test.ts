import { describe, expect, it } from 'vitest';
import { isRange, within } from './addresses.ts';

describe('ranges of addresses', () => {
  it.each(['192.0.2.7', '192.0.2.0/24', '0.0.0.0/0', '2001:db8::1', '2001:db8::/32'])('takes %s', (text) => expect(isRange(text)).toBe(true));
  it.each(['', 'localhost', '192.0.2', '0300.0.2.1', '192.0.2.0/33', '192.0.2.0/-1', '192.0.2.0/24/8', 'fe80::1%eth0', '::ffff:192.0.2.7', '2001:db8::/129', '192.0.2.0/'])(
    'refuses %s',
    (text) => expect(isRange(text)).toBe(false),
  );

  it('finds an address in its range and in no other', () => {
    expect(within('192.0.2.7', ['192.0.2.0/24'])).toBe(true);
    expect(within('::ffff:192.0.2.7', ['192.0.2.0/24'])).toBe(true);
    expect(within('192.0.3.7', ['192.0.2.0/24'])).toBe(false);
    expect(within('2001:db8::5', ['192.0.2.0/24', '2001:db8::/32'])).toBe(true);
    expect(within('2001:db9::5', ['0.0.0.0/0', '2001:db8::/32'])).toBe(false);
    expect(within(null, ['0.0.0.0/0'])).toBe(false);
    expect(within('nonsense', ['0.0.0.0/0', '::/0'])).toBe(false);
  });
});
