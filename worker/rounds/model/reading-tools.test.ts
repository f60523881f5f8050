import { describe, expect, it } from 'vitest';
import type { Json } from '../../domain/values.ts';
import { skillSource } from '../skills/registry.ts';
import { readHere } from './reading-tools.ts';

describe('skill_read', () => {
  it('gives a long text in parts, each with where the rest begins, and nothing of it is lost', () => {
    let text = '';
    let parts = 0;
    for (let offset: Json = 0; offset !== null; parts++) {
      const answer = readHere('skill_read', { name: 'invoice-audit', offset }, 700) as { text: string; next: number | null };
      expect(JSON.stringify(answer).length).toBeLessThanOrEqual(700);
      text += answer.text;
      offset = answer.next;
    }
    expect(parts).toBeGreaterThan(1);
    expect(text).toBe(skillSource('invoice-audit')?.manifest);
  });
  it('says of a short one that there is no rest, and of none which there are', () => {
    expect(readHere('skill_read', { name: 'invoice-audit' }, 100_000)).toEqual({ text: skillSource('invoice-audit')?.manifest, next: null });
    expect(readHere('skill_read', { name: 'nothing' }, 700)).toMatchObject({ refusal: { code: 'not_found' } });
  });
});
