/** Pages in Cloudflare's Browser Rendering. What a page loads is judged like every other address, and nothing but GET and HEAD gets out of it. */
import { judgeAddress, type OutgoingRules } from '../outgoing/address.ts';
import type { Browse } from '../tools/tool.ts';

/** Text within the page that is looked at, characters; and links. */
const TEXT_LIMIT = 400_000;
const LINKS = 500;

/** What the page makes of itself needs no network. */
const inner = /^(data|blob|about):/i;

export function mayLoad(method: string, url: string, rules: OutgoingRules): boolean {
  if (inner.test(url)) return true;
  // A browser runs elsewhere: this machine is not the one that it would reach.
  return (method === 'GET' || method === 'HEAD') && judgeAddress(url, { ...rules, loopback: false }).ok;
}

export function browserOf(binding: Fetcher): Browse {
  return async (url, rules, { timeoutMs, waitFor, picture }) => {
    // Half a megabyte that most rounds never need.
    const { default: puppeteer } = await import('@cloudflare/puppeteer');
    const browser = await puppeteer.launch(binding as Parameters<typeof puppeteer.launch>[0]);
    try {
      const page = await browser.newPage();
      let blocked = 0;
      await page.setRequestInterception(true);
      page.on('request', (request) => {
        const may = mayLoad(request.method(), request.url(), rules);
        if (!may) blocked++;
        void (may ? request.continue() : request.abort('blockedbyclient')).catch(() => {});
      });
      const response = await page.goto(url, { waitUntil: 'networkidle2', timeout: timeoutMs });
      if (waitFor !== undefined) await page.waitForSelector(waitFor, { timeout: timeoutMs });
      // Runs in the page; written as text, so that no bundler changes it.
      const seen = (await page.evaluate(
        `({ text: (document.body ? document.body.innerText : '').slice(0, ${TEXT_LIMIT}), links: [...document.links].slice(0, ${LINKS}).map((link) => ({ text: link.innerText.slice(0, 200), url: link.href.slice(0, 2000) })) })`,
      )) as { text: string; links: { text: string; url: string }[] };
      const shot = picture ? await page.screenshot({ fullPage: true, type: 'png' }) : undefined;
      return {
        url: page.url(),
        status: response?.status() ?? 0,
        title: await page.title(),
        ...seen,
        blocked,
        ...(shot ? { picture: new Uint8Array(shot) } : {}),
      };
    } finally {
      await browser.close();
    }
  };
}
