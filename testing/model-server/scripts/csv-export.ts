/**
 * The honest agents of the CSV export: they plan, ask, write the page and the documents through the file tools, look at the accepted file by children, judge and audit. The file
 * itself and its runs over many rows stay with the script of the skill: a hundred thousand rows are no model's to write.
 */
import { permissions } from '../../../samples/csv-export/sample.ts';
import client from '../../../skills/csv-export/scripts/client.js';
import compatibility from '../../../skills/csv-export/scripts/compatibility.js';
import documentation from '../../../skills/csv-export/scripts/documentation.js';
import integrated from '../../../skills/csv-export/scripts/integrated.js';
import plan from '../../../skills/csv-export/scripts/plan.js';
import requirements from '../../../skills/csv-export/scripts/requirements.js';
import review from '../../../skills/csv-export/scripts/review.js';
import type { JsonValue, Script } from '../script.ts';
import { agentScript, type Opening, type Play, type Result } from './agent.ts';
import { bySkill, type SkillRun } from './by-skill.ts';

type Host = Parameters<SkillRun>[0];

/** What an agent writes down; each knows how its item is done, and finds the rest on the record. */
const works: Record<string, SkillRun> = { requirements, client, compatibility, documentation, integrated };

/** The plan of the skill, its items and judgements an agent's where a model can carry them. */
const planned: SkillRun = (host, input) => plan({ call: (tool: string, args?: JsonValue) => host.call(tool, tool === 'plan.propose' ? byAgents(args ?? {}) : args) }, input);

function byAgents(args: JsonValue): JsonValue {
  return JSON.parse(JSON.stringify(args), (key, value: unknown) => {
    if (key === 'reviewer') return { kind: 'agent', profile: 'reviewer' };
    const carried = value !== null && typeof value === 'object' && 'key' in value && 'executor' in value && String(value.key) in works;
    return carried ? { ...value, executor: { kind: 'agent', profile: 'worker' } } : value;
  }) as JsonValue;
}

/** Rows of one page, and characters of one part of a file: what fits an answer and a message of a model with a small window. */
const PAGE = 20;
const PART = 6000;

/** A model reads in pages and writes large files in parts. */
function inParts(host: Host): Host {
  return {
    async call(tool, args = {}): Promise<Result> {
      const given = args as { limit?: number; text?: string; path?: string; type?: string };
      if (tool === 'json.read' && (given.limit ?? 0) > PAGE) return host.call(tool, { ...given, limit: PAGE } as JsonValue);
      if (tool !== 'files.write' || (given.text ?? '').length <= PART) return host.call(tool, args);
      const { text = '', ...rest } = given;
      const begun = await host.call('files.begin', rest as JsonValue);
      if (begun.refusal) return begun;
      const { upload } = begun.value as { upload: string };
      const characters = [...text];
      for (let at = 0; at < characters.length; at += PART) {
        const part = await host.call('files.append', { upload, text: characters.slice(at, at + PART).join('') });
        if (part.refusal) return part;
      }
      return host.call('files.commit', { upload });
    },
  };
}

/** Which Submissions stand, of the items that this one was made from. */
async function upstreamOf(host: Host, opening: Opening): Promise<JsonValue> {
  const inputs = (opening.data.files as { accepted_inputs?: { item: string; summary: string }[] } | undefined)?.accepted_inputs ?? [];
  const upstream: JsonValue[] = [];
  for (const { item, summary } of inputs) {
    const { value } = await host.call('checks.list', { item });
    const { submissions } = value as unknown as { submissions: { id: string; verdicts: { live: boolean; verdict: string }[] }[] };
    const standing = submissions.find((each) => each.verdicts.some((verdict) => verdict.live && verdict.verdict === 'accepted'));
    upstream.push({ item, summary, submission: standing?.id ?? '' });
  }
  return upstream;
}

function work(opening: Opening): Play {
  const { key } = opening.data.item as { key: string };
  const run: SkillRun = async (host, input) => {
    const carried = works[key];
    if (!carried) return host.call('hand_back', { note: `I know no item ${key}` });
    return carried(inParts(host), { ...(input as object), upstream: await upstreamOf(host, opening) });
  };
  return bySkill(run, opening);
}

export const csvExport: Script = agentScript({
  coordinator: (opening) => bySkill(planned, opening, { permissions } as unknown as JsonValue),
  worker: work,
  reviewer: (opening) => bySkill(review, opening),
});
