/** What people are told, in the language of whoever set the outlet up. Plain text in lines: what each chat makes of it is in `formats.ts`. */
import type { OutletType } from '../../../workspace/core/outlets.ts';
import type { ChatLanguage } from '../../../workspace/core/outlets.ts';
import type { Happening } from '../message.ts';

export interface Said {
  /** One line. */
  heading: string;
  /** Goal, work item and the like; what goals are called is text of others. */
  lines: string[];
  link: { label: string; url: string };
}

/** What it is about, beside what the happening says. `title`: of the goal, where it is known. */
export interface About {
  title?: string;
  url: string;
}

type Words = Record<OutletType | 'attest' | 'confirm' | 'carry' | 'reconcile' | 'set_connection', string> & {
  goal: string;
  item: string;
  reason: string;
  due: string;
  endpoint: string;
  decide: string;
  look: string;
  test: string;
  testLine: string;
  colon: string;
};

const en: Words = {
  'goal.completed': 'A goal is completed',
  'goal.cancelled': 'A goal was cancelled',
  'goal.stopped': 'A goal stopped by itself',
  'item.accepted': 'A work item was accepted',
  'item.returned': 'A delivery came back',
  'trigger.fired': 'A trigger started a goal',
  'blocker.raised': 'A question waits for an answer',
  'approval.asked': 'A call waits for approval',
  'review.wanted': 'A delivery waits for review',
  'budget.stopped': 'A limit is spent',
  'person.needed': 'A goal needs somebody',
  'endpoint.disabled': 'An outlet was disabled: nothing more is sent to it',
  attest: 'A criterion waits for a person’s word',
  confirm: 'A contract waits for confirmation',
  carry: 'Work waits for somebody to carry it',
  reconcile: 'It is unknown what became of a call',
  set_connection: 'A connection does not work',
  goal: 'Goal',
  item: 'Work item',
  reason: 'Reason',
  due: 'Runs out',
  endpoint: 'Outlet',
  decide: 'Open it',
  look: 'Look at it',
  test: 'A test of this outlet',
  testLine: 'What happens in the workspace is told here.',
  colon: ': ',
};

const zh: Words = {
  'goal.completed': '目标已完成',
  'goal.cancelled': '目标已取消',
  'goal.stopped': '目标自行停止',
  'item.accepted': '工作项已验收',
  'item.returned': '交付被退回',
  'trigger.fired': '触发器启动了一个目标',
  'blocker.raised': '有问题等待回答',
  'approval.asked': '有调用等待批准',
  'review.wanted': '有交付等待评审',
  'budget.stopped': '额度已用完',
  'person.needed': '目标需要有人处理',
  'endpoint.disabled': '通知出口已停用，不再向它发送',
  attest: '有标准等待人工确认',
  confirm: '有合约等待确认',
  carry: '有工作等待有人承担',
  reconcile: '有调用的结果未知',
  set_connection: '有连接不可用',
  goal: '目标',
  item: '工作项',
  reason: '原因',
  due: '截止',
  endpoint: '出口',
  decide: '打开处理',
  look: '查看',
  test: '通知出口测试',
  testLine: '工作区里发生的事会发到这里。',
  colon: '：',
};

const words: Record<ChatLanguage, Words> = { en, zh };

/** Characters of one line. */
const lineCharacters = 200;

/** Text of others as one line: no control characters, nothing that turns the direction of writing, of bounded length. */
export function oneLine(text: string, most = lineCharacters): string {
  const flat = text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  const characters = [...flat];
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : flat;
}

/** What of `act` has words of its own. */
const acts = ['attest', 'confirm', 'carry', 'reconcile', 'set_connection'] as const;

export function headingOf(language: ChatLanguage, { type, act }: Pick<Happening, 'type' | 'act'>): string {
  const own = type === 'person.needed' ? acts.find((each) => each === act) : undefined;
  return words[language][own ?? type];
}

export function sayOf(language: ChatLanguage, happening: Happening, { title, url }: About): Said {
  const w = words[language];
  const { item, why, due, endpoint, ref, type } = happening;
  const line = (label: string, text: string) => `${label}${w.colon}${oneLine(text)}`;
  return {
    heading: headingOf(language, happening),
    lines: [
      ...(title === undefined || title === '' ? [] : [line(w.goal, title)]),
      ...(item === undefined ? [] : [line(w.item, item)]),
      ...(endpoint === undefined ? [] : [line(w.endpoint, endpoint)]),
      ...(why === undefined || type === 'item.accepted' ? [] : [line(w.reason, why)]),
      ...(due === undefined ? [] : [line(w.due, `${new Date(due).toISOString().slice(0, 16).replace('T', ' ')} UTC`)]),
    ],
    link: { label: ref === undefined ? w.look : w.decide, url },
  };
}

export function testOf(language: ChatLanguage, url: string): Said {
  const w = words[language];
  return { heading: w.test, lines: [w.testLine], link: { label: w.look, url } };
}
