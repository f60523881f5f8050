/** The kinds of check that deciding cannot compute. `pass: null` says that it could not run; that is never held against the work. */

import type { CheckSpec } from '../../domain/planes/check-spec.ts';
import { type Evaluation, evaluateInside, sourcesOfJob } from '../../domain/planes/checks.ts';
import type { CheckJob } from '../../goal/rpc.ts';
import { skillSource } from '../skills/registry.ts';
import { digestOfText } from './digest-text.ts';
import { checkCsv, checkJsonSchema, checkMatches } from './file-checks.ts';
import { load, pathOf, standing } from './files.ts';
import { probe } from './probe.ts';
import { rowSets } from './rows.ts';
import type { CheckPorts } from './run-check.ts';
import { checkByScript } from './script.ts';

/** Grows when the same inputs could give another answer. */
const VERSION = 'outside/1';

export function checkerVersion(spec: CheckSpec): string {
  if (spec.kind !== 'script') return VERSION;
  const source = skillSource(spec.skill);
  const text = source
    ? Object.keys(source.modules)
        .sort()
        .map((name) => `${name}\n${source.modules[name]}`)
        .join('\n')
    : '';
  return `${VERSION} ${spec.skill}@${digestOfText(text).slice(0, 12)}`.slice(0, 100);
}

export async function evaluateOutside(job: CheckJob, ports: CheckPorts): Promise<Evaluation> {
  const { spec } = job;
  switch (spec.kind) {
    case 'count':
    case 'sum':
    case 'set_equal':
    case 'set_covers':
      return evaluateInside(spec, sourcesOfJob(job, await rowSets(spec, job, ports.files)));
    case 'file_exists':
      return standing(job, spec.file) ? { pass: true } : { pass: false, scene: { summary: `There is no file ${pathOf(spec.file)}.`, missing: [pathOf(spec.file)] } };
    case 'digest': {
      const file = standing(job, spec.file);
      if (!file) return { pass: false, scene: { summary: `There is no file ${pathOf(spec.file)}.`, missing: [pathOf(spec.file)] } };
      if (file.digest === spec.digest) return { pass: true };
      return { pass: false, scene: { summary: `${file.path} is another file than expected.`, findings: [{ where: file.path, expected: spec.digest, actual: file.digest }] } };
    }
    case 'json_schema':
    case 'csv':
    case 'matches': {
      const loaded = await load(job, spec.file, ports.files);
      if ('verdict' in loaded) return loaded.verdict;
      if (spec.kind === 'json_schema') return checkJsonSchema(loaded.bytes, loaded.artifact.path, spec);
      return spec.kind === 'csv' ? checkCsv(loaded.bytes, loaded.artifact.path, spec) : checkMatches(loaded.bytes, loaded.artifact.path, spec);
    }
    case 'http_probe':
      return probe(spec, ports.world);
    case 'script':
      return checkByScript(spec, job, ports);
  }
}
