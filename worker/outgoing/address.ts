/**
 * Whether an address may be called at all, judged by its text: nothing is looked up. What a public name resolves to is not known here
 * (`docs/outgoing.md`, DNS rebinding).
 */
import ipaddr from 'ipaddr.js';

/** Why an address is refused. Codes are stable: people and agents act on them. */
export type AddressFault =
  | 'not_an_address'
  | 'not_https'
  | 'credentials'
  | 'odd_notation'
  | 'odd_port'
  | 'own_host'
  | 'private_name'
  | 'private_address'
  | 'loopback'
  | 'denied_host'
  | 'not_allowed_host';

/** What an installation and a workspace say about outgoing calls. Patterns: `api.example.com`, `*.example.com` (names under it, not itself), each with `:port` or `:*` where it is not 443. */
export interface OutgoingRules {
  /** Null: every public host. */
  allow: readonly string[] | null;
  /** Beats everything else. */
  deny: readonly string[];
  /** Beside `allow`: what the workspace set as the address of a provider or an MCP server is admitted by that. */
  admitted: readonly string[];
  /** Hosts of this installation (with the port where it has an odd one): nothing calls itself. One of this machine stands for every name and address of this machine on that port. */
  own: readonly string[];
  /** Addresses of this machine, over http and on any port. Development builds only. */
  loopback: boolean;
  /** Told of every address that is refused under these rules, with its host alone. Must return at once. */
  onRefused?: (host: string, fault: AddressFault) => void;
}

export const closedRules: OutgoingRules = { allow: null, deny: [], admitted: [], own: [], loopback: false };

export type Judged = { ok: true; url: URL; loopback: boolean } | { ok: false; fault: AddressFault; detail: string };

/** Names that mean something inside a network, or at a cloud's metadata service. */
const insideNames = ['localhost', 'local', 'internal', 'intranet', 'lan', 'home', 'corp', 'private', 'home.arpa', 'localdomain', 'onion'];

/**
 * `text` is the address as it was written: an odd notation (decimal, octal or hex numbers, other scripts, a trailing dot, a backslash, escapes in the host)
 * is refused even where it would mean a public host, because two programs can read it in two ways.
 */
export function judgeAddress(text: string, policy: OutgoingRules): Judged {
  const judged = judge(text, policy);
  if (!judged.ok) policy.onRefused?.(hostWritten(text), judged.fault);
  return judged;
}

/** What stands between `//` and the path, without a name or password. What is no address at all has none. */
function hostWritten(text: string): string {
  const authority = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(text)?.[1] ?? '';
  return authority.slice(authority.lastIndexOf('@') + 1).slice(0, 260) || '(none)';
}

function judge(text: string, policy: OutgoingRules): Judged {
  const written = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)/i.exec(text);
  if (!written) return no('not_an_address', 'an absolute https address is needed');
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return no('not_an_address', 'it cannot be read as an address');
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return no('not_https', `${url.protocol.slice(0, 20)} is not https:`);
  const authority = written[2] ?? '';
  if (authority.includes('@') || url.username !== '' || url.password !== '')
    return no('credentials', 'a name or password in an address ends up in logs; use a header with a secret');
  if (/[\u0000-\u0020\u007f\\]/.test(text)) return no('odd_notation', 'no spaces, control characters or backslashes');

  const v6 = url.hostname.startsWith('[');
  const host = authority.replace(/:\d*$/, '').toLowerCase();
  if (!v6 && host !== url.hostname)
    return no('odd_notation', /[^\p{ASCII}]/u.test(host) ? `write the host as ${url.hostname}` : `the host is written in an odd way; plain it is ${url.hostname}`);
  if (host.endsWith('.')) return no('odd_notation', 'the host ends in a dot');

  const named = judgeHost(url.hostname);
  const loopback = named === 'loopback';
  if (matchesAny(policy.deny, url, true)) return no('denied_host', `${url.hostname} is on the deny list`);
  if (policy.own.some((own) => (loopback ? onSamePort(own, url) : own.toLowerCase() === url.host || own.toLowerCase() === url.hostname)))
    return no('own_host', `${url.host} is this installation itself`);
  if (loopback && policy.loopback) return { ok: true, url, loopback };
  if (named) return no(named, `${url.hostname} is not a public host`);
  if (url.protocol !== 'https:') return no('not_https', 'https only');
  const admitted = matchesAny(policy.admitted, url, false);
  const listed = policy.allow === null ? url.port === '' : matchesAny(policy.allow, url, false);
  if (listed || admitted) return { ok: true, url, loopback };
  if (url.port !== '' && !policy.allow?.some((pattern) => hostMatches(partsOf(pattern).host, url.hostname)))
    return no('odd_port', `port ${url.port}; only 443, or a port that the workspace's list names with the host`);
  return no('not_allowed_host', `${url.host} is not on the allow list`);
}

function no(fault: AddressFault, detail: string): Judged {
  return { ok: false, fault, detail: detail.slice(0, 300) };
}

/** Undefined: a public host, as far as its text tells. `hostname` as WHATWG URL normalizes it. */
function judgeHost(hostname: string): 'loopback' | 'private_address' | 'private_name' | undefined {
  if (hostname.startsWith('[')) return judgeIp(hostname.slice(1, -1));
  if (/^\d+\.\d+\.\d+\.\d+$/.test(hostname)) return judgeIp(hostname);
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return 'loopback';
  if (!hostname.includes('.')) return 'private_name';
  if (insideNames.some((name) => hostname.endsWith(`.${name}`) || hostname === name)) return 'private_name';
  // Services that answer with the address in the name (10.0.0.1.nip.io) are the easiest way around a list.
  const inside = /(?:^|[.-])(\d{1,3})[.-](\d{1,3})[.-](\d{1,3})[.-](\d{1,3})(?:[.-]|$)/.exec(hostname);
  if (inside && judgeIp(inside.slice(1, 5).map(Number).join('.'))) return 'private_address';
  return undefined;
}

/** `url` is of this machine: whether `own` is too, on the same port. Without a port an own host may be meant over http or https. */
function onSamePort(own: string, url: URL): boolean {
  if (!URL.canParse(`http://${own}`)) return false;
  const { hostname, port } = new URL(`http://${own}`);
  return judgeHost(hostname) === 'loopback' && (port === '' ? ['80', '443'] : [port]).includes(url.port || (url.protocol === 'https:' ? '443' : '80'));
}

function judgeIp(text: string): 'loopback' | 'private_address' | undefined {
  if (!ipaddr.isValid(text)) return 'private_address';
  const address = ipaddr.parse(text);
  const range = address.range();
  if (range === 'loopback') return 'loopback';
  if (range !== 'unicast') return 'private_address';
  // Public IPv6 is given out of 2000::/3 alone; what lies elsewhere embeds or means something else.
  if (address.kind() === 'ipv6' && !(address as ipaddr.IPv6).match(ipaddr.IPv6.parse('2000::'), 3)) return 'private_address';
  return undefined;
}

function partsOf(pattern: string): { host: string; port: string | undefined } {
  const [, host = '', port] = /^(.*?)(?::(\d+|\*))?$/.exec(pattern.trim().toLowerCase()) ?? [];
  return { host, port };
}

function hostMatches(pattern: string, hostname: string): boolean {
  return pattern.startsWith('*.') ? hostname.endsWith(pattern.slice(1)) : pattern === hostname;
}

function matchesAny(patterns: readonly string[], url: URL, anyPort: boolean): boolean {
  return patterns.some((pattern) => {
    const { host, port } = partsOf(pattern);
    if (!hostMatches(host, url.hostname)) return false;
    if (port === '*' || (port === undefined && anyPort)) return true;
    return (port ?? '443') === (url.port || (url.protocol === 'https:' ? '443' : '80'));
  });
}
