import { expect, test, vi } from 'vitest';
import { errorOf, log } from './log.ts';

test('a line is JSON with the ids that were given', () => {
  const seen: string[] = [];
  const spy = vi.spyOn(console, 'warn').mockImplementation((line: string) => void seen.push(line));
  log('warn', 'goal', 'lane.failed', { workspace: 'acme', goal: 'goal_1', round: 'r1', fence: 3 });
  spy.mockRestore();
  expect(seen.map((line) => JSON.parse(line))).toEqual([{ at: 'goal', level: 'warn', code: 'lane.failed', workspace: 'acme', goal: 'goal_1', round: 'r1', fence: 3 }]);
});

test('what an error quotes stays out of the log', () => {
  let thrown: unknown;
  try {
    JSON.parse('{"account": "DE89 3704", secret');
  } catch (error) {
    thrown = error;
  }
  expect(errorOf(thrown)).toMatch(/^SyntaxError/);
  expect(errorOf(thrown)).not.toMatch(/DE89|secret|account/);
  expect(errorOf(new Error(`bad value 'Jane Doe' in {"name":"Jane"}`))).toBe('Error: bad value … in …');
  expect(errorOf('x'.repeat(1000))).toHaveLength(300);
});

test('a key is taken out of every field', () => {
  const seen: string[] = [];
  const spy = vi.spyOn(console, 'error').mockImplementation((line: string) => void seen.push(line));
  log('error', 'model', 'call.failed', { error: errorOf(new Error('401 for sk-proj-AbC123def456GHI789jkl012')), url: 'https://u:hunter2pass@api.test/' });
  spy.mockRestore();
  expect(JSON.parse(seen[0] ?? '')).toMatchObject({ error: 'Error: 401 for [redacted:api key]', url: 'https://u:[redacted:password]@api.test/' });
});
