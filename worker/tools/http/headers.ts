/** Headers of a request as an agent gives them. */
import { z } from 'zod';
import { secretRef } from '../secrets.ts';

/** What the connection itself sets, and the key that the host sets. */
const reserved = /^(host|connection|content-length|transfer-encoding|upgrade|via|forwarded|x-forwarded-.*|x-real-ip|cf-.*|proxy-.*|idempotency-key)$/i;

const headerName = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,64}$/)
  .refine((name) => !reserved.test(name), 'set by the host');
const headerText = z
  .string()
  .max(4000)
  .regex(/^[\t\x20-\x7e]*$/, 'printable ASCII');

export const headersShape = z.record(headerName, z.union([headerText, secretRef])).refine((all) => Object.keys(all).length <= 30, 'at most 30');
