import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closedRules, judgeAddress, type OutgoingRules } from './address.ts';

const fault = (url: string, policy: Partial<OutgoingRules> = {}) => {
  const judged = judgeAddress(url, { ...closedRules, ...policy });
  return judged.ok ? 'ok' : judged.fault;
};

describe('an address', () => {
  it.each([
    ['https://api.example.com/v1?x=1#y', 'ok'],
    ['https://api.example.com:443/', 'ok'],
    ['https://8.8.8.8/', 'ok'],
    ['https://[2606:4700::1111]/', 'ok'],
    ['https://xn--bcher-kva.example.com/', 'ok'],
    ['http://api.example.com/', 'not_https'],
    ['ftp://api.example.com/', 'not_https'],
    ['file:///etc/passwd', 'not_https'],
    ['javascript:alert(1)', 'not_an_address'],
    ['/v1', 'not_an_address'],
    ['https:api.example.com', 'not_an_address'],
    ['https://', 'not_an_address'],
    ['https://user:pass@api.example.com/', 'credentials'],
    ['https://user@api.example.com/', 'credentials'],
    ['https://@api.example.com/', 'credentials'],
    ['https://api.example.com:8443/', 'odd_port'],
    ['https://api.example.com:22/', 'odd_port'],
    ['https://api.example.com./', 'odd_notation'],
    ['https://api.example.com/a b', 'odd_notation'],
    ['https://api.exa\tmple.com/', 'odd_notation'],
    ['https://evil.example.com\\@api.example.com/', 'credentials'],
    ['https://evil.example.com\\.api.example.com/', 'odd_notation'],
    ['https://ａpi.example.com/', 'odd_notation'],
    ['https://api。example.com/', 'odd_notation'],
    ['https://bücher.example.com/', 'odd_notation'],
    ['https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/', 'odd_notation'],
    ['https://%6cocalhost/', 'odd_notation'],
    ['https://127.0.0.1/', 'loopback'],
    ['https://127.0.0.1./', 'odd_notation'],
    ['https://127.1/', 'odd_notation'],
    ['https://2130706433/', 'odd_notation'],
    ['https://0x7f000001/', 'odd_notation'],
    ['https://0177.0.0.1/', 'odd_notation'],
    ['https://[::1]/', 'loopback'],
    ['https://[::]/', 'private_address'],
    ['https://[::ffff:127.0.0.1]/', 'private_address'],
    ['https://[::ffff:8.8.8.8]/', 'private_address'],
    ['https://[::127.0.0.1]/', 'private_address'],
    ['https://[64:ff9b::7f00:1]/', 'private_address'],
    ['https://[2002:7f00:1::]/', 'private_address'],
    ['https://[fe80::1]/', 'private_address'],
    ['https://[fc00::1]/', 'private_address'],
    ['https://localhost/', 'loopback'],
    ['https://LOCALHOST/', 'loopback'],
    ['https://a.localhost/', 'loopback'],
    ['https://0.0.0.0/', 'private_address'],
    ['https://10.0.0.1/', 'private_address'],
    ['https://172.16.0.1/', 'private_address'],
    ['https://192.168.1.1/', 'private_address'],
    ['https://100.64.0.1/', 'private_address'],
    ['https://169.254.169.254/latest/meta-data/', 'private_address'],
    ['https://192.0.0.192/', 'private_address'],
    ['https://198.18.0.1/', 'private_address'],
    ['https://224.0.0.1/', 'private_address'],
    ['https://255.255.255.255/', 'private_address'],
    ['https://metadata/', 'private_name'],
    ['https://metadata.google.internal/', 'private_name'],
    ['https://printer.local/', 'private_name'],
    ['https://10.0.0.1.nip.io/', 'private_address'],
    ['https://app-127-0-0-1.sslip.io/', 'private_address'],
    ['https://v1.2.3.4.example.com/', 'ok'],
  ])('%s is %s', (url, expected) => expect(fault(url)).toBe(expected));

  it('of this machine is open in a development policy only, and only plainly written', () => {
    const dev = { loopback: true };
    expect(fault('http://127.0.0.1:8787/x', dev)).toBe('ok');
    expect(fault('http://localhost:11434/', dev)).toBe('ok');
    expect(fault('http://[::1]:1/', dev)).toBe('ok');
    expect(fault('http://127.1:8787/', dev)).toBe('odd_notation');
    expect(fault('http://[::ffff:127.0.0.1]:8787/', dev)).toBe('private_address');
    expect(fault('http://10.0.0.1:8787/', dev)).toBe('private_address');
    expect(fault('http://api.example.com/', dev)).toBe('not_https');
    expect(fault('http://127.0.0.1:8787/x', { ...dev, own: ['127.0.0.1:8787'] })).toBe('own_host');
    expect(fault('http://127.0.0.1:9000/x', { ...dev, own: ['127.0.0.1:8787'] })).toBe('ok');
    expect(fault('http://127.0.0.1:9000/x', { ...dev, deny: ['127.0.0.1'] })).toBe('denied_host');
  });
  it('of this machine is one host on the port of this installation, whatever it is called', () => {
    for (const own of ['127.0.0.1:8787', 'localhost:8787', '[::1]:8787'])
      for (const host of ['127.0.0.1', '127.8.8.8', 'localhost', 'longhaul.localhost', '[::1]', '[0:0:0:0:0:0:0:1]']) {
        expect([own, host, fault(`http://${host}:8787/v1/me`, { loopback: true, own: [own] })]).toEqual([own, host, 'own_host']);
        expect([own, host, fault(`https://${host}:8787/v1/me`, { loopback: true, own: [own] })]).toEqual([own, host, 'own_host']);
        expect([own, host, fault(`http://${host}:8788/v1/me`, { loopback: true, own: [own] })]).toEqual([own, host, 'ok']);
      }
    expect(fault('http://127.0.0.1/', { loopback: true, own: ['localhost'] })).toBe('own_host');
    expect(fault('http://127.0.0.1:8787/', { loopback: true, own: ['longhaul.example:8787'] })).toBe('ok');
  });
  it('follows the lists: deny first, ports only where they are named', () => {
    const lists = { allow: ['api.example.com', '*.shop.example', 'llm.example.com:8443', 'any.example.com:*'], deny: ['bad.shop.example'] };
    expect(fault('https://api.example.com/', lists)).toBe('ok');
    expect(fault('https://other.example.com/', lists)).toBe('not_allowed_host');
    expect(fault('https://a.shop.example/', lists)).toBe('ok');
    expect(fault('https://shop.example/', lists)).toBe('not_allowed_host');
    expect(fault('https://evilshop.example/', lists)).toBe('not_allowed_host');
    expect(fault('https://bad.shop.example/', lists)).toBe('denied_host');
    expect(fault('https://llm.example.com:8443/', lists)).toBe('ok');
    expect(fault('https://llm.example.com/', lists)).toBe('not_allowed_host');
    expect(fault('https://any.example.com:9/', lists)).toBe('ok');
    expect(fault('https://api.example.com:9/', lists)).not.toBe('ok');
    expect(fault('https://x.example/', { own: ['x.example'] })).toBe('own_host');
    expect(fault('https://x.example:8443/', { own: ['x.example'], allow: ['x.example:*'] })).toBe('own_host');
    expect(fault('https://10.0.0.1/', { allow: ['10.0.0.1'], admitted: ['10.0.0.1:443'] })).toBe('private_address');
    expect(fault('https://llm.example.com:9000/', { allow: [], admitted: ['llm.example.com:9000'] })).toBe('ok');
    expect(fault('https://llm.example.com:9000/', { deny: ['llm.example.com'], admitted: ['llm.example.com:9000'] })).toBe('denied_host');
  });
});

describe('odd notations', () => {
  const inside = fc.oneof(
    fc.tuple(fc.constant(10), fc.nat(255), fc.nat(255), fc.nat(255)),
    fc.tuple(fc.constant(127), fc.nat(255), fc.nat(255), fc.nat(255)),
    fc.tuple(fc.constant(169), fc.constant(254), fc.nat(255), fc.nat(255)),
    fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), fc.nat(255), fc.nat(255)),
    fc.tuple(fc.constant(192), fc.constant(168), fc.nat(255), fc.nat(255)),
    fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), fc.nat(255), fc.nat(255)),
    fc.tuple(fc.constant(0), fc.nat(255), fc.nat(255), fc.nat(255)),
  );
  const digits = (text: string) => [...text].map((c) => (/\d/.test(c) ? String.fromCodePoint(0xff10 + Number(c)) : c)).join('');
  const number = fc.constantFrom<(n: number) => string>(
    String,
    (n) => `0x${n.toString(16)}`,
    (n) => `0X${n.toString(16).toUpperCase()}`,
    (n) => `0${n.toString(8)}`,
  );
  const spellings = fc.tuple(inside, fc.array(number, { minLength: 4, maxLength: 4 }), fc.nat(8)).map(([[a, b, c, d], how, kind]) => {
    const show = (n: number, at: number) => (how[at] ?? String)(n);
    const whole = ((a * 256 + b) * 256 + c) * 256 + d;
    const hex = (n: number) => n.toString(16);
    switch (kind) {
      case 0:
        return show(whole, 0);
      case 1:
        return `${show(a, 0)}.${show(b * 65536 + c * 256 + d, 1)}`;
      case 2:
        return `${show(a, 0)}.${show(b, 1)}.${show(c * 256 + d, 2)}`;
      case 3:
        return `${show(a, 0)}.${show(b, 1)}.${show(c, 2)}.${show(d, 3)}`;
      case 4:
        return `[::ffff:${a}.${b}.${c}.${d}]`;
      case 5:
        return `[::${hex(a * 256 + b)}:${hex(c * 256 + d)}]`;
      case 6:
        return `[64:ff9b::${a}.${b}.${c}.${d}]`;
      case 7:
        return digits(`${a}.${b}.${c}.${d}`);
      default:
        return `${a}.${b}.${c}.${d}.`;
    }
  });
  const path = fc.constantFrom('', '/', '/latest/meta-data', '?a=1', '#x', ':443/', ':80');

  it('of private addresses never get through, as text or as a URL', () => {
    fc.assert(
      fc.property(spellings, path, fc.boolean(), (host, rest, parsed) => {
        const text = `https://${host}${rest}`;
        fc.pre(!parsed || URL.canParse(text));
        expect(fault(parsed ? new URL(text).href : text)).not.toBe('ok');
        expect(fault(parsed ? new URL(text).href : text, { allow: ['*'], admitted: ['*:*', `${host}:*`] })).not.toBe('ok');
      }),
      { numRuns: 2000 },
    );
  });
  it('what is let through is https, at a host of at least two plain labels or a public address, and means the same when it is parsed again', () => {
    const anything = fc.oneof(
      fc.webUrl({ validSchemes: ['https', 'http'], withQueryParameters: true }),
      fc.tuple(fc.string({ unit: 'binary' }), path).map(([host, rest]) => `https://${host}${rest}`),
    );
    fc.assert(
      fc.property(anything, (text) => {
        const judged = judgeAddress(text, closedRules);
        if (!judged.ok) return;
        expect(judged.url.protocol).toBe('https:');
        expect(judged.url.port).toBe('');
        expect(judged.url.hostname).toMatch(/^([a-z0-9_~!$&'()*+,;=-]+\.)+[a-z0-9-]+$|^\[[23]/);
        expect(text.toLowerCase()).toContain(judged.url.hostname);
        expect(fault(judged.url.href)).toBe('ok');
      }),
      { numRuns: 3000 },
    );
  });
});
