/** Argument shapes that several tools share. */
import { z } from 'zod';
import { filePath, sha256Hex } from '../domain/values.ts';

/** What the call is about, where the arguments do not tell: the host watches subjects for drift. */
export const about = z.string().min(1).max(200).optional().describe('What this call is about, e.g. one invoice id. The host watches it for drift.');

/** A file: by path (own files first, then accepted inputs, then sources), or one exact version by digest. */
export const fileArgs = {
  path: filePath.optional().describe('Path of a file this round knows.'),
  from: z.string().max(100).optional().describe('"source", or the key of an upstream item: takes the file of that path from there.'),
  digest: sha256Hex.optional().describe('Exactly this version, instead of a path.'),
};
export const bytesArgs = {
  text: z.string().optional().describe('The content as text; written as UTF-8.'),
  base64: z.string().optional().describe('The content as base64, instead of text.'),
};
export const paging = {
  offset: z.int().min(0).default(0),
  limit: z.int().min(1).max(5000).default(1000),
};
export const after = z.string().max(1000).optional().describe('Opaque cursor from the answer before.');
export const pageLimit = z.int().min(1).max(500).default(200);
/** `{"$fact": "<key>"}`; the key may go on into the value, e.g. `invoice/1/amount`; it is replaced by the host. */
export const factRef = z.strictObject({ $fact: z.string().min(1).max(200) });
