import { describe, expect, it } from 'vitest';
import { closedRules } from './address.ts';
import { addressRefusal, admit, guardedFetch, OutgoingRefused } from './guard.ts';

interface Sent {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: unknown;
}

/** A network of answers by address; what it does not know is not there. */
function network(answers: Record<string, () => Response>) {
  const sent: Sent[] = [];
  const send = (async (url: string, init: RequestInit) => {
    sent.push({ url, method: init.method ?? '', headers: Object.fromEntries(new Headers(init.headers)), body: init.body });
    const answer = answers[url];
    if (!answer) throw new Error(`no ${url}`);
    return answer();
  }) as typeof fetch;
  return { sent, send };
}
const to =
  (location: string, status = 302) =>
  () =>
    new Response(null, { status, headers: { location } });
const fault = async (work: Promise<unknown>) => {
  const error = await work.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(OutgoingRefused);
  const { refusal } = error as OutgoingRefused;
  expect(refusal.code).toBe('address_refused');
  return [refusal.errors?.[0]?.pointer, refusal.errors?.[0]?.code];
};

describe('the outgoing guard', () => {
  it('sends nothing to an address that it refuses, and says which and why', async () => {
    const { sent, send } = network({});
    expect(await fault(guardedFetch(closedRules, 'https://169.254.169.254/latest', {}, { send }))).toEqual(['/url', 'private_address']);
    expect(sent).toEqual([]);
    expect(addressRefusal(closedRules, 'http://a.example', '/settings/baseUrl')).toMatchObject({ errors: [{ pointer: '/settings/baseUrl', code: 'not_https' }] });
    expect(addressRefusal(closedRules, 'https://a.example')).toBeUndefined();
  });
  it.each([
    ['http://a.example/', 'not_https'],
    ['https://10.0.0.1/', 'private_address'],
    ['//127.1/', 'odd_notation'],
    ['https://a.example:8443/', 'odd_port'],
    ['https://x:y@a.example/', 'credentials'],
    ['\\\\127.0.0.1/', 'not_an_address'],
    ['https://2130706433/', 'odd_notation'],
  ])('judges a redirect to %s anew', async (location, expected) => {
    const { sent, send } = network({ 'https://a.example/': to(location) });
    expect(await fault(guardedFetch(closedRules, 'https://a.example/', {}, { send }))).toEqual(['/redirects/1', expected]);
    expect(sent).toHaveLength(1);
  });
  it('does not follow a redirect from outside to this machine, in development either', async () => {
    const { send } = network({
      'https://a.example/': to('http://127.0.0.1:9/'),
      'http://127.0.0.1:1/': to('http://127.0.0.1:9/'),
      'http://127.0.0.1:9/': () => new Response('in'),
    });
    const dev = { ...closedRules, loopback: true };
    expect(await fault(guardedFetch(dev, 'https://a.example/', {}, { send }))).toEqual(['/redirects/1', 'loopback']);
    expect(await (await guardedFetch(dev, 'http://127.0.0.1:1/', {}, { send })).text()).toBe('in');
  });
  it('leaves keys behind when the host changes, and keeps them when it does not', async () => {
    const { sent, send } = network({ 'https://a.example/': to('/two'), 'https://a.example/two': to('https://b.example/'), 'https://b.example/': () => new Response('ok') });
    const headers = { authorization: 'Bearer k', 'x-api-key': 'k', cookie: 'k', accept: 'text/plain', host: 'evil', 'cf-connecting-ip': '127.0.0.1' };
    await guardedFetch(closedRules, 'https://a.example/', { headers }, { send });
    expect(sent.map((each) => Object.keys(each.headers).sort())).toEqual([
      ['accept', 'authorization', 'cookie', 'x-api-key'],
      ['accept', 'authorization', 'cookie', 'x-api-key'],
      ['accept'],
    ]);
  });
  it('turns a POST into a GET as fetch does, and repeats it where the answer says so', async () => {
    const { sent, send } = network({
      'https://a.example/': to('https://a.example/see', 303),
      'https://a.example/see': () => new Response('ok'),
      'https://a.example/again': to('/see', 307),
    });
    await guardedFetch(closedRules, 'https://a.example/', { method: 'POST', body: 'x' }, { send });
    await guardedFetch(closedRules, 'https://a.example/again', { method: 'POST', body: 'x' }, { send });
    expect(sent.map((each) => [each.method, each.body])).toEqual([
      ['POST', 'x'],
      ['GET', undefined],
      ['POST', 'x'],
      ['POST', 'x'],
    ]);
  });
  it('gives up on a circle, and hands a redirect out where it is asked to', async () => {
    const { sent, send } = network({ 'https://a.example/': to('/') });
    expect(await fault(guardedFetch(closedRules, 'https://a.example/', {}, { send, redirects: 3 }))).toEqual(['/redirects/3', 'too_many_redirects']);
    expect(sent).toHaveLength(4);
    expect((await guardedFetch(closedRules, 'https://a.example/', { redirect: 'manual' }, { send })).status).toBe(302);
  });
  it('counts a body while it streams, whatever its length said', async () => {
    let pulled = 0;
    const endless = () =>
      new Response(
        new ReadableStream({
          pull: (controller) => {
            pulled++;
            controller.enqueue(new Uint8Array(1000));
          },
        }),
      );
    const { send } = network({ 'https://a.example/': endless, 'https://b.example/': () => new Response('x', { headers: { 'content-length': '9999999' } }) });
    const response = await guardedFetch(closedRules, 'https://a.example/', {}, { send, maxBytes: 10_000 });
    expect(await fault(response.arrayBuffer())).toEqual(['/url', 'too_large']);
    expect(pulled).toBeLessThan(20);
    expect(await fault(guardedFetch(closedRules, 'https://b.example/', {}, { send, maxBytes: 10_000 }))).toEqual(['/url', 'too_large']);
  });
  it('has an end in time, before and within the body', async () => {
    const silent = (async (_url: string, init: RequestInit) =>
      new Promise((_resolve, reject) => init.signal?.addEventListener('abort', () => reject(new Error('aborted'))))) as typeof fetch;
    expect(await fault(guardedFetch(closedRules, 'https://a.example/', {}, { send: silent, timeoutMs: 5 }))).toEqual(['/url', 'too_slow']);
    const { send } = network({ 'https://a.example/': () => new Response(new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(3)) })) });
    const response = await guardedFetch(closedRules, 'https://a.example/', {}, { send, timeoutMs: 5 });
    expect(await fault(response.text())).toEqual(['/url', 'too_slow']);
  });
  it('heeds the signal of its caller', async () => {
    const stop = new AbortController();
    const { send } = network({ 'https://a.example/': () => new Response(new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(3)) })) });
    const response = await guardedFetch(closedRules, 'https://a.example/', { signal: stop.signal }, { send });
    stop.abort(new Error('enough'));
    await expect(response.text()).rejects.toThrow('enough');
  });
  it('admits what a workspace set as an address, and no more', async () => {
    const { send } = network({ 'https://llm.example:8443/v1': () => new Response('ok') });
    const policy = { ...closedRules, allow: [] };
    expect(await fault(guardedFetch(policy, 'https://llm.example:8443/v1', {}, { send }))).toEqual(['/url', 'odd_port']);
    expect(await (await guardedFetch(admit(policy, 'https://llm.example:8443'), 'https://llm.example:8443/v1', {}, { send })).text()).toBe('ok');
  });
});
