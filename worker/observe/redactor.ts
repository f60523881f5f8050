/**
 * The one choke point for what must never leave: everything that a round puts on record, says to a model or shows, and everything that is logged or answered
 * as an error, goes through a `Redactor`. Values that were added are found in the forms in which they travel; keys that nobody added are found by their shape.
 * It works on text as it stands: what is encrypted, compressed or cut into pieces by an agent is not found.
 */
import type { Json } from '../domain/values.ts';

/** Shorter values are not looked for: they would be found everywhere. Whoever takes in secrets refuses shorter ones. */
export const SHORTEST_SECRET = 6;
/** Characters that a stream holds back at most, where it may be within a key. */
const HELD_BACK = 4096;

/** Keys that are known by how they look; a shape that ordinary text has is none. Where the pattern has a group `keep`, that stays. Each takes time in proportion to the text. */
const shapes: readonly { name: string; pattern: RegExp }[] = [
  { name: 'private key', pattern: /-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----|$)/g },
  { name: 'jwt', pattern: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g },
  { name: 'api key', pattern: /(?<![A-Za-z0-9_-])sk-(?=[A-Za-z0-9_-]{0,100}\d)[A-Za-z0-9_-]{20,}/g },
  { name: 'api key', pattern: /(?<![A-Za-z0-9])(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}/g },
  { name: 'api key', pattern: /(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{35}/g },
  { name: 'aws key', pattern: /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])/g },
  {
    name: 'token',
    pattern:
      /(?<![A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{40,}|glpat-[A-Za-z0-9_-]{20,}|npm_[A-Za-z0-9]{36}|hf_[A-Za-z0-9]{30,}|xox[abeprs]-[A-Za-z0-9-]{10,})/g,
  },
  {
    // Our own: of a workspace, of an invitation, of an Attempt.
    name: 'token',
    pattern: /(?<![A-Za-z0-9])(?:lh[ti]_[0-9a-z]{12}_[0-9a-z]{38}(?![0-9a-z])|lha_[A-Za-z0-9_-]{20,2000}\.[A-Za-z0-9_-]{43})/g,
  },
  { name: 'bearer token', pattern: /(?<keep>\bbearer\s{1,4})(?=[A-Za-z0-9._~+/-]{0,100}\d)[A-Za-z0-9._~+/-]{16,}={0,2}/gi },
  { name: 'basic credentials', pattern: /(?<keep>\bauthorization["']?\s{0,2}[:=]\s{0,2}["']?basic\s{1,4})[A-Za-z0-9+/_-]{8,}={0,2}/gi },
  { name: 'password', pattern: /(?<keep>\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'<>]{0,100}:)[^\s/@"'<>]{3,200}(?=@)/gi },
];

/** What may be the beginning of a key at the end of a text, with the words that announce one. */
const run = /(?:authorization["']?\s{0,2}[:=]\s{0,2}["']?)?(?:(?:bearer|basic)\s{0,4})?[\x21-\x7e]*$/i;

const marker = (name: string): string => `[redacted:${name}]`;

export class Redactor {
  readonly #names = new Map<string, string>();
  #needles: RegExp | undefined;
  #longest = 0;

  /** `name` is what the marker says; give the secret's name. Values under `SHORTEST_SECRET` characters are not taken. */
  add(value: string, name = 'secret'): void {
    if (value.length < SHORTEST_SECRET) return;
    // A key of several lines is also one line after the other in what quotes it.
    const lines = value.includes('\n') ? value.split(/\r?\n/).filter((line) => line.length >= 16 && !line.startsWith('-----')) : [];
    for (const part of [value, value.trim(), ...lines]) for (const form of formsOf(part)) if (!this.#names.has(form)) this.#names.set(form, name);
    const forms = [...this.#names.keys()].sort((a, b) => b.length - a.length);
    this.#longest = forms[0]?.length ?? 0;
    this.#needles = forms.length === 0 ? undefined : new RegExp(forms.map(escaped).join('|'), 'g');
  }

  text(text: string): string {
    const known = this.#needles ? text.replace(this.#needles, (found) => marker(this.#names.get(found) ?? 'secret')) : text;
    return byShape(known);
  }

  /** Texts and keys, at any depth. The very same value where nothing was found. */
  json<T extends Json | undefined>(value: T): T {
    return this.#walk(value) as T;
  }

  /** For text that arrives in pieces: a key split over them is found, so each piece may come out late. */
  stream(): { push(piece: string): string; end(): string } {
    let held = '';
    return {
      push: (piece) => {
        held += piece;
        const cut = this.#cut(held);
        const out = this.text(held.slice(0, cut));
        held = held.slice(cut);
        return out;
      },
      end: () => {
        const out = this.text(held);
        held = '';
        return out;
      },
    };
  }

  #walk(value: Json | undefined): Json | undefined {
    if (typeof value === 'string') return this.text(value);
    if (value === null || typeof value !== 'object') return value;
    if (Array.isArray(value)) {
      const each = value.map((one) => this.#walk(one) as Json);
      return each.some((one, at) => one !== value[at]) ? each : value;
    }
    const entries = Object.entries(value).map(([key, one]) => [this.text(key), this.#walk(one)] as const);
    return entries.some(([key, one]) => !Object.hasOwn(value, key) || one !== value[key]) ? (Object.fromEntries(entries) as Json) : value;
  }

  /** Up to where nothing can become a key any more: before a run without a space and the word that announces one, an open key block, the beginning of an added value. */
  #cut(text: string): number {
    const floor = text.length - HELD_BACK;
    const found = this.#needles ? [...text.matchAll(this.#needles)] : [];
    const open = text.lastIndexOf('-----BEGIN ');
    let cut = open >= 0 && !text.includes('-----END ', open) ? open : text.length;
    for (let start = Math.max(0, text.length - this.#longest + 1); start < cut; start++) {
      const end = text.slice(start);
      if ([...this.#names.keys()].some((form) => form.startsWith(end))) cut = start;
    }
    for (let before = -1; before !== cut; ) {
      before = cut;
      cut -= run.exec(text.slice(Math.max(0, cut - HELD_BACK), cut))?.[0].length ?? 0;
      for (const { index, 0: whole } of found) if (index < cut && cut < index + whole.length) cut = index;
    }
    return Math.max(cut, floor, 0);
  }
}

/** For outlets that know no secrets by value: logs, errors of HTTP. */
export function withoutKeys(text: string): string {
  return byShape(text);
}

const bare = new Redactor();
/** As `withoutKeys`, at any depth. */
export function jsonWithoutKeys<T extends Json | undefined>(value: T): T {
  return bare.json(value);
}

function byShape(text: string): string {
  if (text.length < 12) return text;
  let out = text;
  for (const { name, pattern } of shapes) {
    // The named groups come last; without any the last argument is the text itself.
    out = out.replace(pattern, (...found: unknown[]) => {
      const groups = found.at(-1);
      return `${typeof groups === 'object' ? (groups as { keep?: string }).keep : ''}${marker(name)}`;
    });
  }
  return out;
}

/** How a value travels: as it is, escaped in JSON (once and twice), in an address, as hex, and inside base64 wherever it begins there. */
function formsOf(value: string): string[] {
  const inJson = JSON.stringify(value).slice(1, -1);
  const twice = JSON.stringify(inJson).slice(1, -1);
  const encoded = percent(value);
  const forms = [
    value,
    inJson,
    twice,
    inJson.replaceAll('/', '\\/'),
    encoded,
    encoded.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()),
    encoded.replaceAll('%20', '+'),
    formEncoded(value),
  ];
  const bytes = new TextEncoder().encode(value);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  forms.push(hex, hex.toUpperCase());
  for (const shift of [0, 1, 2]) {
    const text = base64(new Uint8Array([...new Uint8Array(shift), ...bytes]));
    // What the neighbours reach into is cut off on both sides.
    const start = shift === 0 ? 0 : shift === 1 ? 2 : 3;
    const whole = Math.floor(((shift + bytes.length) * 8) / 6);
    const stable = text.slice(start, whole);
    if (stable.length >= SHORTEST_SECRET) forms.push(stable, stable.replaceAll('+', '-').replaceAll('/', '_'));
  }
  return [...new Set(forms)].filter((form) => form.length >= SHORTEST_SECRET);
}

function percent(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    // A lone surrogate has no such form.
    return value;
  }
}

function formEncoded(value: string): string {
  return new URLSearchParams({ v: value }).toString().slice(2);
}

function base64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
