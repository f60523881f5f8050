import { z } from 'zod';
import { filePath, type Json } from '../../domain/values.ts';
import { addressRefusal } from '../../outgoing/guard.ts';
import { done, no, plain } from '../answers.ts';
import { cleanText } from '../clean.ts';
import { putFile } from '../files/put.ts';
import { messageOf } from '../outside.ts';
import { about } from '../shapes.ts';
import { tool } from '../tool.ts';

const TIMEOUT = 60_000;
/** Bytes of a picture that is stored. */
const PICTURE_LIMIT = 16 * 1024 * 1024;

export const browserRead = tool({
  name: 'browser.read',
  description:
    'Opens a page in a browser, lets its scripts run, and gives what a person would see: `{url, waitFor?, links?, maxCharacters?, saveAs?}`. `waitFor` is a CSS selector to wait for; `links` adds the links of the page; `saveAs` stores a picture of the whole page as a working file. Answers `{url, status, title, text, truncated?, links?, blocked?}`. It only reads: a page may load by GET and HEAD what the workspace allows; `blocked` counts what it may not. For plain files and APIs use http.request.',
  lanes: ['worker', 'coordinator'],
  input: z.strictObject({
    url: z.string().min(1).max(2000),
    waitFor: z.string().min(1).max(300).optional(),
    links: z.boolean().default(false),
    maxCharacters: z.int().min(100).max(200_000).default(20_000),
    saveAs: filePath.optional().describe('A .png file.'),
    about,
  }),
  effect: 'record',
  reads: (args) => args.saveAs === undefined,
  timeoutMs: TIMEOUT + 30_000,
  subject: (args) => args.about ?? args.url,
  async run(args, env) {
    if (!env.browse)
      return no('unavailable', {
        detail:
          'no browser is bound in this installation: bind Browser Rendering as BROWSER, or add an MCP server that drives a browser to the workspace; pages without scripts are readable with http.request',
      });
    const rules = await env.world.rules();
    if ('refused' in rules) return { ok: false, refusal: rules };
    const refused = addressRefusal(rules, args.url);
    if (refused) return { ok: false, refusal: refused };
    try {
      const seen = await env.browse(args.url, rules, { timeoutMs: TIMEOUT, picture: args.saveAs !== undefined, ...(args.waitFor === undefined ? {} : { waitFor: args.waitFor }) });
      const text = cleanText(seen.text).text;
      const value = plain({
        url: seen.url,
        status: seen.status,
        title: cleanText(seen.title).text.slice(0, 500),
        text: text.slice(0, args.maxCharacters),
        truncated: text.length > args.maxCharacters ? true : undefined,
        links: args.links ? (seen.links.slice(0, 500) as unknown as Json) : undefined,
        blocked: seen.blocked > 0 ? seen.blocked : undefined,
      });
      if (args.saveAs === undefined) return done(value, `HTTP ${seen.status}, ${text.length} characters`);
      if (!seen.picture || seen.picture.length > PICTURE_LIMIT)
        return no('limit_exceeded', { detail: 'the picture of the page is too large to store', current: { limit: PICTURE_LIMIT } });
      return await putFile(env, args.saveAs, seen.picture, 'image/png', value);
    } catch (error) {
      return no('unavailable', { detail: `the page could not be read: ${messageOf(error)}` });
    }
  },
});
