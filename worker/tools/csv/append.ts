import { z } from 'zod';
import { done, no } from '../answers.ts';
import { encodeUtf8 } from '../bytes.ts';
import { tool } from '../tool.ts';
import { encodeCsv } from './options.ts';
import { csvRows } from './rows.ts';

export const csvAppend = tool({
  name: 'csv.append',
  description:
    'Encodes `rows` as csv.write does and adds them to a file begun with files.begin. `first: true` on the first call writes the byte order mark and header. Returns once the part is taken, so that only a bounded number is on its way. Answers `{upload, rows, bytes}`.',
  lanes: ['worker', 'coordinator'],
  input: z.strictObject({ upload: z.string().max(200), first: z.boolean().default(false), ...csvRows }),
  effect: 'record',
  bulk: ['rows'],
  subject: (args) => args.upload,
  async run(args, env) {
    const upload = env.uploads.get(args.upload);
    if (!upload) return no('not_found', { detail: `no open upload ${args.upload}`, current: { open: [...env.uploads.keys()] } });
    const bytes = encodeUtf8(encodeCsv(args.columns, args.rows, args.options, args.first));
    await upload.append(bytes);
    return done({ upload: args.upload, rows: args.rows.length, bytes: bytes.length }, `${args.rows.length} rows to ${upload.path}`);
  },
});
