import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dataFileRefusal, firstInvalidByte } from './data-file.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const place = (path: string, content: string | Uint8Array) => {
  const refusal = dataFileRefusal(path, typeof content === 'string' ? bytes(content) : content);
  return refusal && { code: refusal.code, problem: refusal.errors?.[0]?.code, current: refusal.current };
};

describe('data files', () => {
  it.each([
    ['a.json', '{"a":[1,2]}'],
    ['a.json', '\ufeff{"a":1}'],
    ['a.jsonl', '{"a":1}\n{"a":2}\n'],
    ['a.csv', 'id,name\r\n1,"two\nlines"\r\n'],
    ['a.csv', 'id,name\n1,"a ""quoted"" cell"\n2,"a\rb"\n'],
    ['a.csv', '\ufeffid,toString,valueOf\n1,2,3\n'],
    ['a.csv', 'id;amount\n1;2,5\n'],
    ['a.json', '{"note":"__proto__"}'],
    ['notes.md', '# 标题'],
    ['b.bin', new Uint8Array([0xff, 0xfe, 0])],
  ])('takes %s %j', (path, content) => expect(place(path, content)).toBeUndefined());

  it('names the byte where a JSON file was cut off', () => {
    expect(place('a.json', '{"name":"发票","lines":[1,')).toEqual({ code: 'malformed_data', problem: 'truncated', current: { offset: 28, line: 1, column: 25 } });
    expect(place('a.json', '')).toMatchObject({ problem: 'truncated', current: { offset: 0 } });
  });

  it('names the byte where a JSON file is wrong', () => {
    expect(place('a.json', '{\n "a": é}')).toMatchObject({ problem: 'json', current: { offset: 8, line: 2, column: 7 } });
    expect(place('a.jsonl', '{"é":1}\n{"a":}\n')).toMatchObject({ problem: 'json', current: { line: 2, offset: 14 } });
  });

  it.each(['a.json', 'a.csv', 'a.md', 'A.CSV'])('refuses %s that is not UTF-8 and names the byte', (path) => {
    expect(place(path, new Uint8Array([0x61, 0x0a, 0xb7, 0xa2]))).toEqual({ code: 'malformed_data', problem: 'not_utf8', current: { offset: 2, line: 2 } });
  });

  it('refuses UTF-16 without a mark', () => expect(place('a.csv', new Uint8Array([0x61, 0, 0x2c, 0]))).toMatchObject({ problem: 'nul_byte', current: { offset: 1 } }));

  it('refuses lines that end in CR alone', () => {
    expect(place('a.csv', 'id,name\r1,a\r2,b\r')).toEqual({ code: 'malformed_data', problem: 'cr_line_end', current: { offset: 7, line: 1 } });
    expect(place('a.csv', 'id,name\r\n1,a\r2,b\r\n')).toMatchObject({ problem: 'cr_line_end', current: { line: 2 } });
  });

  it('refuses __proto__ and doubled column names', () => {
    expect(place('a.csv', '__proto__,toString,valueOf,__proto__\n1,2,3,4\n')).toMatchObject({ problem: 'csv_header_forbidden', current: { line: 1, column: 1 } });
    expect(place('a.csv', 'id,"__proto__"\n1,2\n')).toMatchObject({ problem: 'csv_header_forbidden', current: { column: 2 } });
    expect(place('a.csv', 'id,a,id\n1,2,3\n')).toMatchObject({ problem: 'csv_header_duplicate', current: { column: 3 } });
  });

  it.each(['{"__proto__":{"admin":true}}', '[{"a":{"\\u005f_proto__":1}}]'])('refuses the member __proto__ in %s', (text) =>
    expect(place('a.json', text)).toMatchObject({ problem: 'forbidden_name' }),
  );

  it('refuses a CSV that was cut off within a cell or a line, and an empty one', () => {
    expect(place('a.csv', 'id,name\n1,a\n2,"cut o')).toMatchObject({ problem: 'truncated', current: { line: 3 } });
    expect(place('a.csv', 'id,name\n1,a\n2')).toMatchObject({ code: 'malformed_data', current: { line: 3 } });
    expect(place('a.csv', '')).toMatchObject({ problem: 'csv_empty' });
  });

  it('agrees with the decoder on what UTF-8 is, for any bytes', () => {
    const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    const lead = fc.constantFrom(0x00, 0x41, 0x7f, 0x80, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0x9f, 0xa0, 0xed, 0xef, 0xf0, 0x8f, 0x90, 0xf4, 0xf5, 0xff);
    fc.assert(
      fc.property(fc.array(lead, { maxLength: 8 }), (list) => {
        const content = new Uint8Array(list);
        let valid = true;
        try {
          strict.decode(content);
        } catch {
          valid = false;
        }
        const bad = firstInvalidByte(content);
        expect(bad === undefined).toBe(valid);
        if (bad !== undefined) expect(() => strict.decode(content.slice(0, bad))).not.toThrow();
      }),
      { numRuns: 3000 },
    );
  });
});
