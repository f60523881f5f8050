import { expect, test } from 'vitest';
import { counter, type MetricsSink, Totals } from './metrics.ts';

test('counts here and where it is bound; a sink that fails costs nothing', () => {
  const totals = new Totals();
  const points: unknown[] = [];
  const count = counter({ writeDataPoint: (point) => void points.push(point) }, 'acme', totals);
  count('refusal', 'fence_stale');
  count('refusal', 'fence_stale', 2);
  expect(totals.view()).toEqual({ refusal: { fence_stale: 3 } });
  expect(points).toEqual([
    { indexes: ['acme'], blobs: ['refusal', 'fence_stale'], doubles: [1] },
    { indexes: ['acme'], blobs: ['refusal', 'fence_stale'], doubles: [2] },
  ]);
  const broken: MetricsSink = {
    writeDataPoint() {
      throw new Error('no');
    },
  };
  counter(broken, 'acme', totals)('commit', 'ok');
  expect(totals.view().commit).toEqual({ ok: 1 });
});

test('labels cannot grow without end', () => {
  const totals = new Totals();
  for (let n = 0; n < 1000; n++) totals.add('refusal', `code-${n}`, 1);
  expect(Object.keys(totals.view().refusal ?? {})).toHaveLength(201);
  expect(totals.view().refusal?.other).toBe(800);
});
