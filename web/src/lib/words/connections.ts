/** Connections that rounds need: what they are called, and why one does not work. */
import type { TestProblem, Why } from '../api/types.ts';
import { testProblemWords } from '../models/kinds.ts';
import { serverProblemWords } from '../mcp/words.ts';
import { m } from '../paraglide/messages.js';

type Held = NonNullable<Extract<Why, { kind: 'queued' }>['connection']>;

/** `provider:main` -> its kind and its name. */
export function settingOf(setting: string): { kind: string; name: string } {
  const cut = setting.indexOf(':');
  return cut < 0 ? { kind: setting, name: '' } : { kind: setting.slice(0, cut), name: setting.slice(cut + 1) };
}

export function connectionName(setting: string): string {
  const { kind, name } = settingOf(setting);
  if (kind === 'provider') return m.connection_provider({ name });
  if (kind === 'profile') return m.connection_profile({ name });
  return kind === 'mcp' ? m.connection_mcp({ name }) : m.connection_environment();
}

export function connectionProblem({ setting, code }: Pick<Held, 'setting' | 'code'>): string {
  if (code === 'setting_missing') return m.connection_missing();
  return settingOf(setting).kind === 'mcp' ? serverProblemWords(code) : testProblemWords(code as TestProblem);
}

export function connectionText(held: Held): string {
  const what = connectionName(held.setting);
  if (held.code === 'testing') return m.why_connection_testing({ what });
  const why = connectionProblem(held);
  return held.person ? m.why_connection_person({ what, why }) : m.why_connection_later({ what, why });
}
