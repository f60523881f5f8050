/** Checks of one file's content. What is wrong is quoted with its place, as far as a scene takes it. */
import { z } from 'zod';
import type { CheckSpec, Scene } from '../../domain/planes/check-spec.ts';
import type { Evaluation } from '../../domain/planes/checks.ts';
import type { Json } from '../../domain/values.ts';
import { decodeUtf8 } from '../../tools/bytes.ts';
import { parseCsv } from '../../tools/csv/parse.ts';
import { atPointer } from '../../tools/json/parse.ts';
import { explicit } from './schema.ts';

type Findings = NonNullable<Scene['findings']>;

/** Findings of one scene. */
const FINDINGS = 50;
/** Characters that a pattern is held against: a pattern cannot be broken off once it runs. */
const PATTERN_INPUT = 1024 * 1024;
/** A repeated group that repeats inside: such patterns may take time exponential in their input. */
const nested = /\([^()]*[+*}][^()]*\)[+*{]/;

function failed(summary: string, findings: Findings = []): Evaluation {
  return { pass: false, scene: { summary: summary.slice(0, 2000), ...(findings.length > 0 ? { findings: findings.slice(0, FINDINGS) } : {}) } };
}

export function checkJsonSchema(bytes: Uint8Array, path: string, spec: Extract<CheckSpec, { kind: 'json_schema' }>): Evaluation {
  const decoded = decodeUtf8(bytes, path);
  if ('refusal' in decoded) return failed(decoded.refusal.detail ?? `${path} is not UTF-8.`);
  let value: Json;
  try {
    value = JSON.parse(decoded.text.replace(/^\uFEFF/, '')) as Json;
  } catch (error) {
    return failed(`${path} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  let schema: z.ZodType;
  try {
    schema = z.fromJSONSchema(explicit(spec.schema) as Parameters<typeof z.fromJSONSchema>[0]);
  } catch (error) {
    return { pass: null, scene: { summary: `The schema of the check ${spec.key} cannot be used: ${error instanceof Error ? error.message : String(error)}`.slice(0, 2000) } };
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return { pass: true };
  const findings = parsed.error.issues.map((issue) => {
    const where = issue.path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
    return { where: where.slice(0, 200) || '/', expected: issue.message.slice(0, 2000), actual: (JSON.stringify(atPointer(value, where)) ?? 'nothing').slice(0, 400) };
  });
  return failed(`${path} does not fit its schema in ${findings.length} place${findings.length === 1 ? '' : 's'}, first ${findings[0]?.where}: ${findings[0]?.expected}`, findings);
}

export function checkCsv(bytes: Uint8Array, path: string, spec: Extract<CheckSpec, { kind: 'csv' }>): Evaluation {
  const table = parseCsv(bytes, { path });
  if ('refusal' in table) return failed(table.refusal.detail ?? `${path} is not CSV.`);
  const findings: Findings = [];
  if (spec.columns && JSON.stringify(spec.columns) !== JSON.stringify(table.columns))
    findings.push({ where: 'header', expected: spec.columns.join(',').slice(0, 2000), actual: table.columns.join(',').slice(0, 2000) });
  if (spec.bom !== undefined && spec.bom !== table.bom)
    findings.push({ where: 'byte order mark', expected: spec.bom ? 'present' : 'absent', actual: table.bom ? 'present' : 'absent' });
  if (spec.lineEnd && table.lineEnd !== 'none' && table.lineEnd !== spec.lineEnd) findings.push({ where: 'line ends', expected: spec.lineEnd, actual: table.lineEnd });
  if (spec.minRows !== undefined && table.rows.length < spec.minRows) findings.push({ where: 'rows', expected: `at least ${spec.minRows}`, actual: String(table.rows.length) });
  if (spec.maxRows !== undefined && table.rows.length > spec.maxRows) findings.push({ where: 'rows', expected: `at most ${spec.maxRows}`, actual: String(table.rows.length) });
  if (spec.uniqueBy !== undefined) {
    const column = spec.uniqueBy;
    if (!table.columns.includes(column)) findings.push({ where: 'header', expected: `a column ${column}`.slice(0, 2000), actual: table.columns.join(',').slice(0, 2000) });
    else {
      const first = new Map<string, number>();
      table.rows.forEach((row, i) => {
        const value = row[column] ?? '';
        const before = first.get(value);
        if (before === undefined) first.set(value, i + 1);
        else findings.push({ where: `row ${i + 1}`, expected: `${column} once, it stands in row ${before}`.slice(0, 2000), actual: value.slice(0, 400) });
      });
    }
  }
  if (findings.length === 0) return { pass: true };
  const [head] = findings;
  return failed(`${path}: ${findings.length} rule${findings.length === 1 ? '' : 's'} broken, first ${head?.where}: expected ${head?.expected}, found ${head?.actual}`, findings);
}

export function checkMatches(bytes: Uint8Array, path: string, spec: Extract<CheckSpec, { kind: 'matches' }>): Evaluation {
  if (nested.test(spec.pattern))
    return { pass: null, scene: { summary: `The pattern of the check ${spec.key} repeats a repetition and could run without end; write it another way.` } };
  const decoded = decodeUtf8(bytes, path);
  if ('refusal' in decoded) return failed(decoded.refusal.detail ?? `${path} is not UTF-8.`);
  if (decoded.text.length > PATTERN_INPUT)
    return { pass: null, scene: { summary: `${path} has ${decoded.text.length} characters; a pattern is held against at most ${PATTERN_INPUT}.` } };
  let pattern: RegExp;
  try {
    pattern = new RegExp(spec.pattern, 'mu');
  } catch (error) {
    return { pass: null, scene: { summary: `The pattern of the check ${spec.key} is none: ${error instanceof Error ? error.message : String(error)}`.slice(0, 2000) } };
  }
  return pattern.test(decoded.text) ? { pass: true } : failed(`Nothing in ${path} matches ${spec.pattern}.`);
}
