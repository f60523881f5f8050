/** Lets a model say what a skill script does: each call of the script becomes a call of the model. For lanes whose judgement is written down in a script already. */
import { call, type JsonValue, type ToolCall } from '../script.ts';
import type { Opening, Play, Result } from './agent.ts';

export type SkillRun = (host: { call(tool: string, args?: JsonValue): Promise<Result> }, input: unknown) => Promise<unknown>;

/** `input`: what the executor of the script would have been given beside the round's context. */
export async function* bySkill(run: SkillRun, opening: Opening, input: JsonValue = {}): Play {
  const waiting: { made: ToolCall; answer(result: Result): void }[] = [];
  let wake = () => {};
  const host = {
    call: (tool: string, args: JsonValue = {}) =>
      new Promise<Result>((answer) => {
        waiting.push({ made: call(tool.replaceAll('.', '_'), args), answer });
        wake();
      }),
  };
  const { resume_packet, ...data } = opening.data;
  const packet = { feedback: [], ...(resume_packet as { [field: string]: JsonValue }) };
  const over = run(host, { ...data, packet, purpose: opening.purpose, executor: { kind: 'agent', input } }).then(() => 'over' as const);
  for (;;) {
    const next = waiting.shift();
    if (next) {
      const [result] = yield next.made;
      next.answer(result ?? { refusal: { code: 'no_answer' } });
      continue;
    }
    const called = new Promise<'called'>((resolve) => {
      wake = () => resolve('called');
    });
    if ((await Promise.race([over, called])) === 'over') return 'That is all.';
  }
}
