import { z } from 'zod';
import { done } from '../answers.ts';
import { tool } from '../tool.ts';

export const filesList = tool({
  name: 'files.list',
  description:
    'Lists the files this round knows: sources, accepted inputs of upstream items, a judged submission, and what its own item wrote. `{prefix}` narrows it. Answers `{files: [{path, digest, size, type?, origin}]}`, at most 1000; `origin` is "source", "own", "submission" or the upstream item. A path given by several stands once for each.',
  lanes: ['worker', 'coordinator', 'reviewer'],
  input: z.strictObject({ prefix: z.string().max(200).default('') }),
  effect: 'none',
  subject: (args) => `files:${args.prefix}`,
  async run(args, env) {
    const { context } = env;
    const groups = [
      ...context.sources.map((file) => ({ ...file, origin: 'source' })),
      ...context.upstream.flatMap((up) => up.artifacts.map((file) => ({ ...file, origin: up.item }))),
      ...(context.submission?.artifacts ?? []).map((file) => ({ ...file, origin: 'submission' })),
    ];
    const given = new Set(groups.map((file) => `${file.path}@${file.digest}`));
    const own = [...env.paths.values()].filter((file) => !given.has(`${file.path}@${file.digest}`)).map((file) => ({ ...file, origin: 'own' }));
    const files = [...groups, ...own].filter((file) => file.path.startsWith(args.prefix)).sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
    return done({ files: files.slice(0, 1000), total: files.length }, `${files.length} files`);
  },
});
