/** What each chat is sent, against what its vendor documents; text of goals is text in all of them. */
import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { chatKinds, chatLanguages, chatTypes, hears, outletTypes } from '../../../workspace/core/outlets.ts';
import type { Happening } from '../message.ts';
import { payloadOf } from './formats.ts';
import { chatRequest, judgeChatAnswer } from './request.ts';
import { headingOf, oneLine, sayOf, type Said, testOf } from './words.ts';

const url = 'https://longhaul.example/goals/goal_1?needs=blocker%3Ab1&x=1';
const happening: Happening = {
  goal: 'goal_1',
  key: 'k',
  type: 'blocker.raised',
  at: 0,
  seq: 1,
  ref: 'blocker:b1',
  act: 'answer',
  who: 'person:ada',
  item: 'invoice',
  due: 1_800_000_000_000,
};
const said = sayOf('en', happening, { title: 'Pay *all* <!channel> & [x](https://evil.example) <at user_id="all">', url });
const title = 'Goal: Pay *all* <!channel> & [x](https://evil.example) <at user_id="all">';

describe('words', () => {
  it('say what happened, of which goal, and where to go, in both languages', () => {
    expect(said).toEqual({
      heading: 'A question waits for an answer',
      lines: [title, 'Work item: invoice', 'Runs out: 2027-01-15 08:00 UTC'],
      link: { label: 'Open it', url },
    });
    expect(sayOf('zh', { ...happening, type: 'goal.completed', ref: undefined } as unknown as Happening, { title: '发票', url })).toEqual({
      heading: '目标已完成',
      lines: ['目标：发票', '工作项：invoice', '截止：2027-01-15 08:00 UTC'],
      link: { label: '查看', url },
    });
  });

  it('are there for whatever is told, and differ', () => {
    for (const language of chatLanguages) {
      const headings = outletTypes.map((type) => headingOf(language, { type }));
      expect(new Set(headings).size).toBe(outletTypes.length);
      expect(headingOf(language, { type: 'person.needed', act: 'attest' })).not.toBe(headingOf(language, { type: 'person.needed' }));
    }
  });

  it('keep text of others to one line that ends', () => {
    expect(oneLine('a\u2028b\nc\u202Ed\u0000')).toBe('a b c d');
    expect([...oneLine('发'.repeat(500))]).toHaveLength(200);
  });
});

describe('formats', () => {
  it('slack: a line of a goal is plain text, and the fallback is escaped', () => {
    expect(payloadOf('slack', said, 'en')).toEqual({
      text: expect.stringContaining('&lt;!channel&gt; &amp; [x]'),
      blocks: [
        { type: 'section', text: { type: 'mrkdwn', text: '*A question waits for an answer*' } },
        { type: 'section', text: { type: 'plain_text', text: said.lines.join('\n'), emoji: false } },
        { type: 'section', text: { type: 'mrkdwn', text: `<${url.replace('&', '&amp;')}|Open it>` } },
      ],
      unfurl_links: false,
    });
    expect((payloadOf('slack', said, 'en') as { text: string }).text).not.toMatch(/[<>]/);
  });

  it('feishu: rich text of tagged parts under its language', () => {
    expect(payloadOf('feishu', said, 'zh')).toEqual({
      msg_type: 'post',
      content: {
        post: {
          zh_cn: {
            title: said.heading,
            content: [[{ tag: 'text', text: title }], [{ tag: 'text', text: said.lines[1] }], [{ tag: 'text', text: said.lines[2] }], [{ tag: 'a', text: 'Open it', href: url }]],
          },
        },
      },
    });
    expect(payloadOf('feishu', said, 'en')).toMatchObject({ content: { post: { en_us: { title: said.heading } } } });
  });

  it('dingtalk: a link card', () => {
    expect(payloadOf('dingtalk', said, 'en')).toEqual({ msgtype: 'link', link: { title: said.heading, text: said.lines.join('\n'), picUrl: '', messageUrl: url } });
  });

  it('wecom: a news card within its bytes, cut between characters', () => {
    expect(payloadOf('wecom', said, 'en')).toEqual({ msgtype: 'news', news: { articles: [{ title: said.heading, description: said.lines.join('\n'), url }] } });
    const long: Said = { heading: '标'.repeat(100), lines: ['发票'.repeat(150)], link: said.link };
    const { news } = payloadOf('wecom', long, 'zh') as { news: { articles: { title: string; description: string }[] } };
    const bytes = (text = '') => new TextEncoder().encode(text).length;
    expect([bytes(news.articles[0]?.title), bytes(news.articles[0]?.description)]).toEqual([126, 510]);
  });

  it('discord: an embed whose text is escaped, and which mentions nobody', () => {
    const payload = payloadOf('discord', said, 'en') as { embeds: { title: string; description: string }[]; allowed_mentions: unknown };
    expect(payload.allowed_mentions).toEqual({ parse: [] });
    expect(payload.embeds[0]?.title).toBe(said.heading);
    expect(payload.embeds[0]?.description.split('\n')).toEqual([
      'Goal: Pay \\*all\\* \\<!channel\\> & \\[x\\]\\(https\\://evil.example\\) \\<at user\\_id="all"\\>'.replace('Goal:', 'Goal\\:'),
      'Work item\\: invoice',
      'Runs out\\: 2027\\-01\\-15 08\\:00 UTC',
      `[Open it](${url})`,
    ]);
  });

  it('teams: an adaptive card in an attachment; lines of goals are runs, which read no Markdown', () => {
    expect(payloadOf('teams', said, 'en')).toEqual({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          contentUrl: null,
          content: {
            $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
            type: 'AdaptiveCard',
            version: '1.4',
            body: [
              { type: 'TextBlock', text: said.heading, weight: 'Bolder', wrap: true },
              ...said.lines.map((text) => ({ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text }] })),
            ],
            actions: [{ type: 'Action.OpenUrl', title: 'Open it', url }],
          },
        },
      ],
    });
  });

  it.each(chatKinds)('%s: takes a test, which has no goal', (kind) => expect(JSON.stringify(payloadOf(kind, testOf('zh', url), 'zh'))).toContain('通知出口测试'));
});

describe('signatures', () => {
  const at = 1_599_360_473_123;
  it('feishu: seconds and secret are the key of an empty text, in the body', async () => {
    const { url: to, body } = await chatRequest('feishu', 'https://open.feishu.cn/open-apis/bot/v2/hook/x', { msg_type: 'post' }, 'demo', at);
    expect(to).toBe('https://open.feishu.cn/open-apis/bot/v2/hook/x');
    expect(JSON.parse(body)).toEqual({ timestamp: '1599360473', sign: createHmac('sha256', '1599360473\ndemo').update('').digest('base64'), msg_type: 'post' });
  });
  it('dingtalk: milliseconds and secret under the secret, in the address', async () => {
    const { url: to, body } = await chatRequest('dingtalk', 'https://oapi.dingtalk.com/robot/send?access_token=t', { msgtype: 'link' }, 'SECdemo', at);
    const { searchParams } = new URL(to);
    expect(searchParams.get('access_token')).toBe('t');
    expect(searchParams.get('timestamp')).toBe(String(at));
    expect(searchParams.get('sign')).toBe(createHmac('sha256', 'SECdemo').update(`${at}\nSECdemo`).digest('base64'));
    expect(to).not.toMatch(/sign=[^&]*[+/]/);
    expect(JSON.parse(body)).toEqual({ msgtype: 'link' });
  });
  it.each(['slack', 'wecom', 'discord', 'teams'] as const)('%s knows none', async (kind) =>
    expect(await chatRequest(kind, 'https://chat.example/x', { a: 1 }, 'secret', at)).toEqual({ url: 'https://chat.example/x', body: '{"a":1}' }),
  );
});

describe('an answer', () => {
  it('of 200 is a receipt for those chats alone that mean it', () => {
    const judge = (kind: (typeof chatKinds)[number], text: string, status = 200) => judgeChatAnswer(kind, status, null, text, 0);
    expect(judge('slack', 'ok')).toEqual({ is: 'delivered' });
    expect(judge('discord', '', 204)).toEqual({ is: 'delivered' });
    expect(judge('teams', '', 202)).toEqual({ is: 'delivered' });
    expect(judge('feishu', '{"StatusCode":0,"StatusMessage":"success","code":0,"data":{},"msg":"success"}')).toEqual({ is: 'delivered' });
    expect(judge('feishu', '{"code":19021,"msg":"sign match fail or timestamp is not within one hour from current time"}')).toEqual({ is: 'again', fault: 'code_19021' });
    expect(judge('dingtalk', '{"errcode":0,"errmsg":"ok"}')).toEqual({ is: 'delivered' });
    expect(judge('dingtalk', '{"errcode":310000,"errmsg":"sign not match"}')).toEqual({ is: 'again', fault: 'code_310000' });
    expect(judge('wecom', '{"errcode":93000,"errmsg":"invalid webhook url"}')).toEqual({ is: 'again', fault: 'code_93000' });
    expect(judge('wecom', '<html>')).toEqual({ is: 'again', fault: 'answer_unreadable' });
    expect(judge('slack', 'no_team', 404)).toEqual({ is: 'again', fault: 'status_404' });
    expect(judge('slack', 'channel_is_archived', 410)).toEqual({ is: 'gone' });
  });
});

it('a chat hears of ends, stops and needs, unless it says otherwise', () => {
  const chat = { name: 'team', kind: 'slack', address: 'a', language: 'en' } as const;
  expect(outletTypes.filter((type) => hears(chat, type, 'g'))).toEqual(chatTypes);
  expect(hears(chat, 'item.accepted', 'g')).toBe(false);
  expect(hears({ ...chat, events: ['item.accepted'] }, 'item.accepted', 'g')).toBe(true);
  expect(hears({ ...chat, goals: ['other'] }, 'goal.completed', 'g')).toBe(false);
});
