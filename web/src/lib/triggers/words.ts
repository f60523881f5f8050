/** Triggers and business rounds in words. */
import cronstrue from 'cronstrue';
import 'cronstrue/locales/zh_CN';
import type { BusinessRound, Late, Trigger } from '../api/types.ts';
import { m } from '../paraglide/messages.js';
import { getLocale } from '../paraglide/runtime.js';
import type { Family } from '../words/states.ts';
import { list, weekday } from '../words/time.ts';
import { plainOf } from './schedule.ts';
import type { Delivery } from './triggers.ts';

export const kindWords = { cron: m.trigger_cron, webhook: m.trigger_webhook, api: m.trigger_api };
export const styleWords = { standard: () => 'Standard Webhooks', github: () => 'GitHub', stripe: () => 'Stripe', slack: () => 'Slack', feishu: m.chat_feishu };
export const doesWords = { goal: m.trigger_does_goal, signal: m.trigger_does_signal, message: m.trigger_does_message, answer: m.trigger_does_answer };

/** A schedule in words; the expression itself where there are none for it. */
export function scheduleWords(cron: string): string {
  const plain = plainOf(cron);
  if (!plain) return described(cron);
  const { time } = plain;
  switch (plain.every) {
    case 'minutes':
      return m.schedule_minutes({ count: plain.minutes });
    case 'hour':
      return plain.past === 0 ? m.schedule_hour() : m.schedule_hour_past({ count: plain.past });
    case 'day':
      return m.schedule_day({ time });
    case 'weekdays':
      return m.schedule_weekdays({ time });
    case 'week':
      return m.schedule_week({ days: list(plain.days.map((day) => weekday(day))), time });
    case 'month':
      return plain.day === 'L' ? m.schedule_month_last({ time }) : m.schedule_month({ day: plain.day, time });
    default:
      return plain.every satisfies never;
  }
}

function described(cron: string): string {
  try {
    return cronstrue.toString(cron, { use24HourTimeFormat: true, verbose: true, locale: getLocale() === 'zh-cn' ? 'zh_CN' : 'en' });
  } catch {
    return cron;
  }
}

export function sourceWords({ source }: Trigger): string {
  switch (source.kind) {
    case 'cron':
      return `${scheduleWords(source.cron)} · ${source.zone}`;
    case 'webhook':
      return m.trigger_webhook_of({ style: styleWords[source.style]() });
    case 'api':
      return m.trigger_api_help();
    default:
      return source satisfies never;
  }
}

export function actionWords({ does }: Trigger): string {
  if (does.kind !== 'goal') return doesWords[does.kind]();
  return `${m.trigger_starts({ template: does.template })} ${does.ends === 'goal' ? m.trigger_ends_goal() : m.trigger_ends_command()}`;
}

export function overlapWords({ overlap }: Trigger): string {
  switch (overlap.rule) {
    case 'skip':
      return m.overlap_skip();
    case 'queue':
      return m.overlap_queue_of({ minutes: overlap.withinMinutes });
    case 'replay':
      return m.overlap_replay_of({ most: overlap.most, minutes: overlap.withinMinutes });
    default:
      return overlap satisfies never;
  }
}

export function missedWords({ source }: Trigger): string | null {
  if (source.kind !== 'cron') return null;
  const { missed } = source;
  return missed.rule === 'replay' ? m.missed_replay_of({ most: missed.most }) : missed.rule === 'skip' ? m.missed_skip() : m.missed_coalesce();
}

interface Look {
  family: Family;
  word: string;
}

/** What a round is, and where it was closed without having begun, that. */
export function roundLook(round: BusinessRound): Look {
  switch (round.state) {
    case 'running':
      return { family: 'active', word: round.act === 'pending' ? m.round_starting() : m.round_running() };
    case 'waiting':
      return { family: 'attention', word: m.round_waiting() };
    case 'completed':
      return round.closed?.how === 'not_started' ? { family: 'stop', word: m.round_not_started() } : { family: 'done', word: m.round_completed() };
    case 'owed':
      return { family: 'neutral', word: m.round_owed() };
    case 'skipped':
      return { family: 'neutral', word: m.round_skipped() };
    case 'missed':
      return { family: 'attention', word: m.round_missed() };
    default:
      return round.state satisfies never;
  }
}
export const roundSourceWords = { cron: m.trigger_cron, webhook: m.trigger_webhook, fire: m.round_by_hand, replay: m.round_replayed };
export const awaitedWords = { answer: m.awaits_answer, receipt: m.awaits_receipt, result: m.awaits_result };
export const closedWords = { command: m.closed_command, goal: m.closed_goal, delivered: m.closed_delivered, not_started: m.closed_not_started };
export const lateWords: Record<Late, () => string> = {
  closed: m.late_closed,
  never_began: m.late_never_began,
  not_waiting: m.late_not_waiting,
  other_correlation: m.late_other_correlation,
  other_generation: m.late_other_generation,
};
export const deliveryLook: Record<Delivery['state'], { family: Family; word: () => string }> = {
  fired: { family: 'done', word: m.delivery_fired },
  filtered: { family: 'neutral', word: m.delivery_filtered },
  paused: { family: 'neutral', word: m.trigger_paused },
  failed: { family: 'stop', word: m.delivery_failed },
};
const signatures: Record<string, () => string> = {
  missing: m.signature_missing,
  malformed: m.signature_malformed,
  old: m.signature_old,
  wrong: m.signature_wrong,
  delivery_id: m.signature_id,
};
export const signatureWords = (code: string | null): string => signatures[code ?? '']?.() ?? code ?? '';
