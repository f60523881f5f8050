/** Where a text stops being JSON. `JSON.parse` says so only for some errors and in some runtimes. */

const space = /[ \t\r\n]*/y;
const stringToken = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y;
const stringPrefix = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*/y;
const numberToken = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const literals = ['true', 'false', 'null'];

type Wanted = 'value' | 'firstValue' | 'firstKey' | 'key' | 'colon' | 'more';

/** Length of what `pattern` matches at `at`, or 0. */
function matched(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}

/** Index of the first character that cannot go on, the length of the text where it only ends too early, or undefined for a JSON text. */
export function jsonStopsAt(text: string): number | undefined {
  const open: ('{' | '[')[] = [];
  let wanted: Wanted = 'value';
  let at = matched(space, text, 0);
  for (; at < text.length; at += matched(space, text, at)) {
    const character = text[at] as string;
    if (wanted === 'more' && open.length === 0) return at;
    if ((wanted === 'more' || wanted === 'firstValue') && character === ']' && open.at(-1) === '[') {
      open.pop();
      at++;
      wanted = 'more';
    } else if ((wanted === 'more' || wanted === 'firstKey') && character === '}' && open.at(-1) === '{') {
      open.pop();
      at++;
      wanted = 'more';
    } else if (wanted === 'more') {
      if (character !== ',') return at;
      at++;
      wanted = open.at(-1) === '{' ? 'key' : 'value';
    } else if (wanted === 'colon') {
      if (character !== ':') return at;
      at++;
      wanted = 'value';
    } else if (wanted === 'key' || wanted === 'firstKey') {
      if (character !== '"') return at;
      const length = matched(stringToken, text, at);
      if (length === 0) return at + matched(stringPrefix, text, at);
      at += length;
      wanted = 'colon';
    } else if (character === '{' || character === '[') {
      open.push(character);
      at++;
      wanted = character === '{' ? 'firstKey' : 'firstValue';
    } else {
      const stop = scalarEnd(text, at);
      if (stop.end === undefined) return stop.stopsAt;
      at = stop.end;
      wanted = 'more';
    }
  }
  return wanted === 'more' && open.length === 0 ? undefined : text.length;
}

function scalarEnd(text: string, at: number): { end: number } | { end?: undefined; stopsAt: number } {
  if (text[at] === '"') {
    const length = matched(stringToken, text, at);
    return length > 0 ? { end: at + length } : { stopsAt: at + matched(stringPrefix, text, at) };
  }
  const number = matched(numberToken, text, at);
  if (number > 0) return { end: at + number };
  for (const literal of literals) {
    if (text.startsWith(literal, at)) return { end: at + literal.length };
    if (text.length - at < literal.length && literal.startsWith(text.slice(at))) return { stopsAt: text.length };
  }
  return { stopsAt: text[at] === '-' && at + 1 === text.length ? text.length : at };
}
