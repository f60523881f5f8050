/**
 * A message as the incoming webhooks of chats take it. Pure. What goals are called is data: each format puts it where its chat reads no markup and no mention, or escapes it.
 * `docs/notifications.md` names the vendors' pages.
 */
import type { ChatKind } from '../../../workspace/core/outlets.ts';
import type { Said } from './words.ts';

type Payload = Record<string, unknown>;

export function payloadOf(kind: ChatKind, said: Said, language: 'en' | 'zh'): Payload {
  switch (kind) {
    case 'slack':
      return slack(said);
    case 'feishu':
      return feishu(said, language);
    case 'dingtalk':
      return dingtalk(said);
    case 'wecom':
      return wecom(said);
    case 'discord':
      return discord(said);
    case 'teams':
      return teams(said);
    default:
      return kind satisfies never;
  }
}

const textOf = ({ lines }: Said): string => lines.join('\n');

/** In mrkdwn three characters begin links, mentions and entities; in `plain_text` none does. The link's label and address are this host's own. */
function slack(said: Said): Payload {
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const plain = (text: string) => ({ type: 'section', text: { type: 'plain_text', text, emoji: false } });
  return {
    // What a notification of the device shows.
    text: escaped([said.heading, ...said.lines].join(' · ')),
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: `*${escaped(said.heading)}*` } },
      ...(said.lines.length === 0 ? [] : [plain(textOf(said))]),
      { type: 'section', text: { type: 'mrkdwn', text: `<${escaped(said.link.url)}|${escaped(said.link.label)}>` } },
    ],
    unfurl_links: false,
  };
}

/** Rich text of tagged parts: a `text` part holds no markup, and only an `at` part mentions anybody. Lark takes the same. */
function feishu({ heading, lines, link }: Said, language: 'en' | 'zh'): Payload {
  const text = (line: string) => [{ tag: 'text', text: line }];
  return {
    msg_type: 'post',
    content: { post: { [language === 'zh' ? 'zh_cn' : 'en_us']: { title: heading, content: [...lines.map(text), [{ tag: 'a', text: link.label, href: link.url }]] } } },
  };
}

/** A link card, whose texts are plain. */
function dingtalk(said: Said): Payload {
  return { msgtype: 'link', link: { title: said.heading, text: textOf(said) || said.link.label, picUrl: '', messageUrl: said.link.url } };
}

/** A news card, whose texts are plain; its limits are in bytes. */
function wecom(said: Said): Payload {
  return {
    msgtype: 'news',
    news: { articles: [{ title: ofBytes(said.heading, 128), description: ofBytes(textOf(said), 512), url: said.link.url }] },
  };
}

/** An embed reads Markdown, so what could be some is escaped. Nobody is ever mentioned. */
function discord(said: Said): Payload {
  const escaped = (text: string) => text.replace(/[\\*_~`|>#[\]()<@:-]/g, (mark) => `\\${mark}`);
  return {
    embeds: [{ title: said.heading, description: `${said.lines.map(escaped).join('\n')}\n[${said.link.label}](${said.link.url})`.trim() }],
    allowed_mentions: { parse: [] },
  };
}

/** An adaptive card. `TextRun` reads no Markdown; `TextBlock` does, and holds the heading alone. */
function teams({ heading, lines, link }: Said): Payload {
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [{ type: 'TextBlock', text: heading, weight: 'Bolder', wrap: true }, ...lines.map((text) => ({ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text }] }))],
          actions: [{ type: 'Action.OpenUrl', title: link.label, url: link.url }],
        },
      },
    ],
  };
}

/** Cut between characters. */
function ofBytes(text: string, most: number): string {
  const encoder = new TextEncoder();
  let bytes = 0;
  let kept = '';
  for (const character of text) {
    bytes += encoder.encode(character).length;
    if (bytes > most) return kept;
    kept += character;
  }
  return kept;
}
