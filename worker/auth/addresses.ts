/** Addresses and ranges of IPv4 and IPv6. An IPv4 address in IPv6 clothes is the IPv4 address. */
import ipaddr from 'ipaddr.js';

/** `192.0.2.7`, `192.0.2.0/24`, `2001:db8::/32`, in the usual notation alone: no octal, no shortened IPv4, no zone. */
export function isRange(text: string): boolean {
  return rangeOf(text) !== null;
}

/** Whether the caller's address is in one of the ranges. One that cannot be read is in none. */
export function within(address: string | null, ranges: readonly string[]): boolean {
  const parsed = address === null ? null : addressOf(address);
  if (!parsed) return false;
  return ranges.some((text) => {
    const range = rangeOf(text);
    return range !== null && range[0].kind() === parsed.kind() && parsed.match(range);
  });
}

function addressOf(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  if (text.includes('%')) return null;
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  return ipaddr.IPv6.isValid(text) ? ipaddr.process(text) : null;
}

function rangeOf(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] | null {
  const [head = '', bits, ...more] = text.split('/');
  const written = addressOf(head);
  // A range is of the kind it is written in: `::ffff:0:0/96` is no range of IPv4.
  if (!written || more.length > 0 || (written.kind() === 'ipv4' && head.includes(':'))) return null;
  const most = written.kind() === 'ipv4' ? 32 : 128;
  if (bits === undefined) return [written, most];
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > most) return null;
  return [written, Number(bits)];
}
