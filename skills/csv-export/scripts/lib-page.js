/**
 * The client of the export: one page that needs nothing but itself and the export address. It shows the records, takes the selection, and says what became
 * of an export: nothing selected, running with its count, cancelled, failed with the reason, or ready to save. A cancelled or failed export saves no file.
 */

import { textIn } from './lib-rules.js';

const escapeHtml = (text) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
/** JSON inside a script element: no `<` can close it, and no line separator can break it. */
const embed = (value) => JSON.stringify(value).replace(/[<\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** What the page says, in its two languages. The feedback files of the server hold the same codes. */
export const messages = {
  en: {
    title: 'Export records',
    all: 'Select all',
    export: 'Export',
    cancel: 'Cancel',
    save: 'Save export.csv',
    columns: 'Columns',
    selected: '{n} of {total} selected',
    idle: 'Choose the records to export.',
    empty_selection: 'Nothing is selected. Select at least one record, then export.',
    no_columns: 'No column is chosen. Choose at least one.',
    running: 'Exporting, {n} bytes so far. You can cancel.',
    cancelled: 'Cancelled. No file was saved.',
    failed: 'The export failed: {reason}. No file was saved. Your selection is kept; try again.',
    done: 'Ready: {n} records. Save the file.',
    unreachable: 'the server cannot be reached',
    cut_off: 'the connection ended too early',
  },
  zh: {
    title: '导出记录',
    all: '全选',
    export: '导出',
    cancel: '取消',
    save: '保存 export.csv',
    columns: '列',
    selected: '已选 {n} / {total} 条',
    idle: '请选择要导出的记录。',
    empty_selection: '没有选中任何记录。请至少选择一条再导出。',
    no_columns: '没有选择任何列。请至少选择一列。',
    running: '正在导出，已收到 {n} 字节，可以取消。',
    cancelled: '已取消，没有保存任何文件。',
    failed: '导出失败：{reason}。没有保存任何文件，选择仍保留，可以重试。',
    done: '已就绪：{n} 条记录，请保存文件。',
    unreachable: '无法连接服务器',
    cut_off: '连接提前中断',
  },
};

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 70rem; padding: 1rem; }
.bar { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; position: sticky; top: 0; padding: .75rem 0; background: Canvas; }
button, a.save { font: inherit; padding: .5rem 1rem; border-radius: .5rem; border: 1px solid GrayText; background: ButtonFace; color: ButtonText; text-decoration: none; }
button.primary { background: #0043ce; border-color: #0043ce; color: #fff; }
button:disabled { opacity: .5; }
[hidden] { display: none !important; }
#feedback { margin: .5rem 0; padding: .75rem 1rem; border-left: 4px solid #5b6770; white-space: pre-wrap; overflow-wrap: anywhere; }
#feedback[data-state=empty_selection], #feedback[data-state=no_columns], #feedback[data-state=cancelled] { border-color: #9a5b00; }
#feedback[data-state=failed] { border-color: #b3001b; }
#feedback[data-state=done] { border-color: #147a4b; }
fieldset { border: 1px solid GrayText; border-radius: .5rem; display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
.table { overflow: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: start; padding: .35rem .6rem; border-bottom: 1px solid color-mix(in srgb, CanvasText 15%, Canvas); white-space: pre-wrap; vertical-align: top; }
`;

/**
 * Runs in the page. Kept as text: a bundler may rewrite a function, and `toString` would then give names that the page does not have.
 */
const script = String.raw`(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const words = data.messages[(navigator.language || 'en').toLowerCase().startsWith('zh') ? 'zh' : 'en'];
  const say = (key, values = {}) => words[key].replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ''));
  const $ = (id) => document.getElementById(id);
  const selected = new Set(data.selected);
  const columns = new Set(data.columns);
  let running = null;
  let file = null;

  function feedback(state, values) {
    const box = $('feedback');
    box.dataset.state = state;
    box.textContent = say(state, values);
    $('cancel').hidden = state !== 'running';
    $('export').disabled = state === 'running';
    $('save').hidden = state !== 'done';
  }
  function count() {
    $('count').textContent = say('selected', { n: selected.size, total: data.records.length });
    $('all').checked = selected.size === data.records.length && selected.size > 0;
    $('all').indeterminate = selected.size > 0 && selected.size < data.records.length;
  }
  function drop() {
    if (file) URL.revokeObjectURL(file);
    file = null;
    $('save').removeAttribute('href');
  }
  function changed() {
    drop();
    count();
    if (!running) feedback('idle');
  }

  document.documentElement.lang = words === data.messages.zh ? 'zh-Hans' : 'en';
  document.title = $('title').textContent = say('title');
  for (const key of ['export', 'cancel', 'save']) $(key).textContent = say(key);
  $('all-label').textContent = say('all');
  $('columns-label').textContent = say('columns');
  for (const column of data.columns) {
    const label = document.createElement('label');
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.checked = true;
    box.dataset.column = column;
    box.onchange = () => { box.checked ? columns.add(column) : columns.delete(column); changed(); };
    label.append(box, ' ' + column);
    $('columns').append(label);
    const th = document.createElement('th');
    th.scope = 'col';
    th.textContent = column;
    $('head').append(th);
  }
  const boxes = new Map();
  for (const record of data.records) {
    const tr = document.createElement('tr');
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.checked = selected.has(record.id);
    box.dataset.id = record.id;
    box.setAttribute('aria-label', record.id);
    box.onchange = () => { box.checked ? selected.add(record.id) : selected.delete(record.id); changed(); };
    boxes.set(record.id, box);
    const first = document.createElement('td');
    first.append(box);
    tr.append(first);
    for (const column of data.columns) {
      const td = document.createElement('td');
      td.textContent = record[column] ?? '';
      tr.append(td);
    }
    $('rows').append(tr);
  }
  $('all').onchange = () => {
    for (const [id, box] of boxes) {
      box.checked = $('all').checked;
      box.checked ? selected.add(id) : selected.delete(id);
    }
    changed();
  };
  $('cancel').onclick = () => running?.abort();
  $('export').onclick = async () => {
    drop();
    if (selected.size === 0) return feedback('empty_selection');
    if (columns.size === 0) return feedback('no_columns');
    const ids = data.records.filter((record) => selected.has(record.id)).map((record) => record.id);
    running = new AbortController();
    const { signal } = running;
    feedback('running', { n: 0 });
    try {
      const answer = await fetch('export', {
        method: 'POST', signal, headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ids, columns: data.columns.filter((column) => columns.has(column)) }),
      });
      if (!answer.ok) {
        const problem = await answer.json().catch(() => ({}));
        return feedback('failed', { reason: problem.detail || 'HTTP ' + answer.status });
      }
      const parts = [];
      let bytes = 0;
      try {
        const reader = answer.body.getReader();
        for (;;) {
          const { done, value } = await reader.read();
          if (done) break;
          parts.push(value);
          bytes += value.length;
          feedback('running', { n: bytes });
        }
      } catch (error) {
        if (signal.aborted) throw error;
        return feedback('failed', { reason: say('cut_off') });
      }
      file = URL.createObjectURL(new Blob(parts, { type: 'text/csv' }));
      $('save').href = file;
      feedback('done', { n: ids.length });
    } catch {
      feedback(signal.aborted ? 'cancelled' : 'failed', { reason: say('unreachable') });
    } finally {
      running = null;
    }
  };
  count();
  feedback('idle');
})();`;

/**
 * @param {{columns: string[], records: Record<string, unknown>[], selected: string[]}} view only the columns that may be exported are embedded, beside the id
 * @returns {string} the page
 */
export function pageOf({ columns, records, selected }) {
  const shown = records.map((record) => Object.fromEntries([...new Set(['id', ...columns])].map((column) => [column, textIn(record, column)])));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; base-uri 'none'; form-action 'none'">
<title>${escapeHtml(messages.en.title)}</title>
<style>${style}</style>
</head>
<body>
<h1 id="title">${escapeHtml(messages.en.title)}</h1>
<div class="bar">
<button id="export" class="primary" type="button"></button>
<button id="cancel" type="button" hidden></button>
<a id="save" class="save" download="export.csv" hidden></a>
<span id="count"></span>
</div>
<p id="feedback" role="status" aria-live="polite"></p>
<fieldset id="columns"><legend id="columns-label"></legend></fieldset>
<div class="table">
<table>
<thead><tr id="head"><th scope="col"><label><input id="all" type="checkbox"> <span id="all-label"></span></label></th></tr></thead>
<tbody id="rows"></tbody>
</table>
</div>
<script type="application/json" id="data">${embed({ columns, records: shown, selected, messages })}</script>
<script>${script}</script>
</body>
</html>
`;
}
