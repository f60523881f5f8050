/** The simulator as the command runs it, on few histories: that it holds, and that it can fail. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

/** Its own process: it takes the clock, the timers and the network away from everything it loads. */
function simulate(...parameters: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(import.meta.dirname, 'main.ts'), ...parameters],
      { env: { ...process.env, NODE_OPTIONS: '', NODE_NO_WARNINGS: '1' }, maxBuffer: 50_000_000 },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code ?? 1) : 0, output: `${stdout}${stderr}` }),
    );
  });
}

describe('the simulator', () => {
  test('finds nothing wrong in two thousand histories, in which everything that is named happened', async () => {
    const { code, output } = await simulate('--runs', '2000', '--seed', '1');
    expect(output).toContain('2000 histories held');
    expect(output).not.toContain('never happened');
    expect(code).toBe(0);
  }, 3_600_000);

  test('comes to the same end whatever point of a history a process dies at', async () => {
    const { code, output } = await simulate('--exhaustive', '--history', '2');
    expect(output).toContain('each with the same delivery');
    expect(code).toBe(0);
  }, 1_800_000);

  test('finds every mistake that is planted', async () => {
    const { code, output } = await simulate('--mistakes', '--runs', '60');
    expect(output).toMatch(/\d\d mistakes, all found/);
    expect(code).toBe(0);
  }, 3_600_000);
});
