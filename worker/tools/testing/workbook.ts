/** .xlsx files for tests, written by hand. */
import { strToU8, zipSync } from 'fflate';

const columns = 'ABCDEFGH';
/** A workbook of inline strings and numbers; `raw` cells are XML. */
export function workbook(sheets: Record<string, (string | number | { raw: string })[][]>): Uint8Array {
  const names = Object.keys(sheets);
  const xml = (text: string) => strToU8(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>${text}`);
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const cell = (value: string | number | { raw: string }, at: string) =>
    typeof value === 'object'
      ? value.raw.replace('REF', at)
      : typeof value === 'number'
        ? `<c r="${at}"><v>${value}</v></c>`
        : `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
  const files: Record<string, Uint8Array> = {
    '[Content_Types].xml': xml('<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'),
    'xl/workbook.xml': xml(
      `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${names.map((name, n) => `<sheet name="${name}" sheetId="${n + 1}" r:id="rId${n + 1}"/>`).join('')}</sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': xml(
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${names.map((_, n) => `<Relationship Id="rId${n + 1}" Type="${relations}/worksheet" Target="worksheets/sheet${n + 1}.xml"/>`).join('')}<Relationship Id="rIdS" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
    ),
    'xl/styles.xml': xml(`<styleSheet xmlns="${main}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`),
  };
  Object.values(sheets).forEach((rows, n) => {
    files[`xl/worksheets/sheet${n + 1}.xml`] = xml(
      `<worksheet xmlns="${main}"><sheetData>${rows.map((row, r) => `<row r="${r + 1}">${row.map((value, c) => cell(value, `${columns[c]}${r + 1}`)).join('')}</row>`).join('')}</sheetData></worksheet>`,
    );
  });
  return zipSync(files);
}
