import { z } from 'zod';
import { filePath } from '../../domain/values.ts';
import { done, no } from '../answers.ts';
import { tool } from '../tool.ts';
import { openUpload, PARTS_IN_FLIGHT } from './upload.ts';

export const filesBegin = tool({
  name: 'files.begin',
  description: `Begins a file that is written in parts. Answers \`{upload, inFlight}\`. Then files.append or csv.append, and files.commit or files.abort. Nothing is visible before the commit; a crash leaves nothing behind. At most ${PARTS_IN_FLIGHT} parts are on their way to the store at once, 8 files open in a round.`,
  lanes: ['worker', 'coordinator'],
  input: z.strictObject({ path: filePath, type: z.string().max(100).optional() }),
  effect: 'record',
  subject: (args) => args.path,
  async run(args, env) {
    if (env.uploads.size >= 8) return no('limit_exceeded', { detail: '8 files are open', current: { open: [...env.uploads.keys()] } });
    // Slashes of the call's id would make folders of the staging place.
    const upload = env.call.replaceAll('/', '-');
    env.uploads.set(upload, openUpload(env.files, upload, args.path, args.type));
    return done({ upload, inFlight: PARTS_IN_FLIGHT }, `writing ${args.path}`);
  },
});
