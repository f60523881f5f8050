import { expect, it } from 'vitest';
import { measureContext, PACKET_TOKENS } from './context.ts';

it('the resume packet stays under its limit and does not grow with history', async () => {
  const { scenes, withinLimit } = await measureContext();
  expect(scenes.map((scene) => scene.events >= Number(/^[\d,]+/.exec(scene.name)?.[0].replaceAll(',', '')))).toEqual([true, true, true, true]);
  expect(withinLimit).toBe(true);
  const packet = (at: number) => scenes[at]?.lanes.worker?.resumePacket ?? Number.NaN;
  expect(packet(1)).toBeLessThan(PACKET_TOKENS / 2);
  expect(packet(3)).toBeLessThan(PACKET_TOKENS);
  // The contract travels apart, whole.
  expect(scenes[3]?.lanes.worker?.contract).toBeGreaterThan(scenes[1]?.lanes.worker?.contract ?? 0);
}, 120_000);
