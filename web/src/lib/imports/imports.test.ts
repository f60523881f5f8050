import { expect, it } from 'vitest';
import { textOf, together } from './imports.ts';

it('puts notes of one kind together and keeps all of them, in order', () => {
  const notes = [
    { code: 'left_out', where: '/0' },
    { code: 'link_not_taken', where: '/1' },
    { code: 'left_out', where: '/2' },
  ] as const;
  expect(together(notes)).toEqual([
    { code: 'left_out', notes: [notes[0], notes[2]] },
    { code: 'link_not_taken', notes: [notes[1]] },
  ]);
});
it('reads UTF-8 and nothing else', async () => {
  expect(await textOf(new Blob(['- [ ] 完成']))).toBe('- [ ] 完成');
  expect(await textOf(new Blob([new Uint8Array([0xc4, 0xe3])]))).toBeUndefined();
});
