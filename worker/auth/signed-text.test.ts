import { describe, expect, it } from 'vitest';
import { readSignedText, signText } from './signed-text.ts';

describe('texts that are signed here', () => {
  const text = signText('secret', 'test', ['a', 1, { b: null }]);

  it('are believed as they were made, for their purpose and under their secret alone', () => {
    expect(readSignedText('secret', 'test', text)).toEqual(['a', 1, { b: null }]);
    expect(readSignedText('secret', 'other', text)).toBeUndefined();
    expect(readSignedText('another', 'test', text)).toBeUndefined();
  });

  it('are not believed with any character changed, cut or added', () => {
    for (let at = 0; at < text.length; at++)
      expect(readSignedText('secret', 'test', `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`), String(at)).toBeUndefined();
    for (const wrong of ['', '.', text.slice(0, -1), `${text}A`, ` ${text}`, `${text}=`, text.replace('.', '')]) expect(readSignedText('secret', 'test', wrong)).toBeUndefined();
  });
});
