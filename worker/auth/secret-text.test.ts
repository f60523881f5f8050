import { describe, expect, it } from 'vitest';
import { hashOf, makeSecret, readSecret } from './secret-text.ts';

describe('secrets that are shown once', () => {
  it('are read back to the hash that is kept', () => {
    const made = makeSecret('lht');
    expect(readSecret('lht', made.text)).toEqual({ id: made.id, hash: made.hash });
    expect(hashOf(made.text)).toBe(made.hash);
    expect(made.text.startsWith(`lht_${made.id}_`)).toBe(true);
    expect(makeSecret('lht').text).not.toBe(made.text);
  });

  it('are told from a mistyped one without a look-up', () => {
    const { text } = makeSecret('lht');
    for (let at = 0; at < text.length; at++) {
      const other = text[at] === '0' ? '1' : '0';
      expect(readSecret('lht', text.slice(0, at) + other + text.slice(at + 1)), `character ${at}`).toBeNull();
    }
    for (const wrong of ['', text.slice(0, -1), `${text}0`, ` ${text}`, text.toUpperCase(), text.replace('lht', 'lhi')]) expect(readSecret('lht', wrong)).toBeNull();
    expect(readSecret('lhi', text)).toBeNull();
  });
});
