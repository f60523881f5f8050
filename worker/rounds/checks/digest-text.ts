import { createHash } from 'node:crypto';

/** SHA-256 of the UTF-8 text, hex. */
export function digestOfText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
