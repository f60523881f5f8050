/**
 * Reviewer of the requirements and of the documentation, another principal than those who wrote them. Judges each criterion by reading what was submitted;
 * what it has no measure for it leaves to somebody else.
 */
import { must, readJson, readText } from './lib-host.js';
import { models } from './lib-models.js';

/** By item: what is read, and for each criterion what must hold. */
const MEASURES = {
  requirements: {
    read: async (host) => ({ requirements: await readJson(host, 'requirements.json'), text: await readText(host, 'requirements.md') }),
    criteria: {
      program: ({ requirements, text }) => requirements.program in models && text.includes(models[requirements.program].title) && text.includes('A model of'),
      fields: ({ requirements, text }) =>
        requirements.columns.every((column) => text.includes(`\`${column.replaceAll('`', "'")}\``)) && text.includes(`${requirements.ids.length} records`),
      who: ({ requirements, text }) =>
        requirements.permissions.export.length > 0 && requirements.permissions.export.every((who) => text.includes(who)) && text.includes('audit entry'),
      permissions: ({ requirements, text }) =>
        requirements.permissions.export.length > 0 &&
        requirements.columns.every((column) => !requirements.permissions.withheldColumns.includes(column)) &&
        text.includes('audit entry'),
    },
  },
  documentation: {
    read: async (host) => ({ usage: await readText(host, 'usage.md'), release: await readText(host, 'release-note.md') }),
    criteria: {
      usage: ({ usage }) => ['Select', 'Cancel', 'fails', 'apostrophe', 'Reading the file back'].every((word) => usage.includes(word)),
      'release-note': ({ release }) => /`[0-9a-f]{64}`/.test(release) && release.includes('Known limits'),
      honest: ({ usage }) => usage.includes('against a model of') && usage.includes('## Limits'),
      documented: ({ usage, release }) => usage.length > 400 && release.length > 200,
    },
  },
};

export default async function run(host, input) {
  const { submission } = input;
  const measure = MEASURES[submission.item];
  const unknown = submission.criteria.filter(({ id }) => !measure?.criteria[id]);
  if (!measure || unknown.length > 0) {
    return must(host, 'review.record', { verdict: 'cannot_judge', scene: { summary: `No measure for ${measure ? unknown.map(({ id }) => id).join(', ') : submission.item}.` } });
  }
  const files = await measure.read(host);
  const criteria = submission.criteria.map(({ id, text }) => ({ id, met: measure.criteria[id](files), text }));
  const unmet = criteria.filter(({ met }) => !met);
  await must(host, 'review.record', {
    verdict: unmet.length === 0 ? 'accepted' : 'changes_requested',
    criteria: criteria.map(({ id, met }) => ({ id, met })),
    ...(unmet.length === 0 ? {} : { scene: { summary: `Not met: ${unmet.map(({ text }) => text).join('; ')}`.slice(0, 1000), missing: unmet.map(({ id }) => id) } }),
  });
}
