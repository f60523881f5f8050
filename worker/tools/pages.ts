/** Pages of a text that is longer than one answer: by bytes of its UTF-8, cut at characters, so that put together they are the text again. */

/** Bytes at the end of `bytes` left out that begin a character and do not end it. */
export function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(4, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0) {
      const need = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return need > back ? bytes.length - back : bytes.length;
    }
  }
  return bytes.length;
}

/** Bytes at the beginning that belong to a character that began before them. */
export function characterAt(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80) at++;
  return at;
}

/** The longest head of the text that takes at most `room` characters where it is shown: as JSON, in which `<` is an escape. Never less than one character. */
export function headThatFits(text: string, room: number): string {
  let length = Math.min(text.length, Math.max(1, room));
  while (length > 1 && shownLength(text.slice(0, length)) > room) length = Math.floor(length * 0.8);
  // Half of a character is none.
  if (length > 1 && length < text.length && /[\uD800-\uDBFF]/.test(text[length - 1] ?? '')) length--;
  return text.slice(0, length);
}

function shownLength(text: string): number {
  return JSON.stringify(text).length + 5 * (text.split('<').length - 1);
}
