/** A plan of another tool as a plan document, with a report of what could be read in more than one way. Changes nothing: the document is proposed like any other. */
import type { PlanDocumentInput, PlanItem } from '../domain/plan/document.ts';
import { isBeads, readBeads } from './beads.ts';
import { readCheckList } from './check-list.ts';
import { type ImportNote, NotReadable, type Reading } from './imported.ts';
import { taskListsOf } from './markdown.ts';
import { isSpecKit, readSpecKit } from './spec-kit.ts';
import { isTaskmaster, readTaskmaster } from './taskmaster.ts';
import { toPlan } from './to-plan.ts';

export const importFormats = ['taskmaster', 'beads', 'spec_kit', 'check_list'] as const;
export type ImportFormat = (typeof importFormats)[number];

export interface ImportRequest {
  source: string;
  mode: PlanDocumentInput['mode'];
  /** Items that the plan has. */
  kept: readonly PlanItem[];
  /** Found from the text where it is not said. */
  format?: ImportFormat;
  /** Of Taskmaster: one list of several. */
  tag?: string;
}

export type Imported =
  | { ok: true; format: ImportFormat; document: PlanDocumentInput; notes: ImportNote[] }
  | { ok: false; code: 'format_unknown' | 'not_readable' | 'nothing_to_import'; where: string; detail: string };

export function importPlan({ source, mode, kept, format, tag }: ImportRequest): Imported {
  const text = source.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  const found = format ?? formatOf(text);
  if (found === null) return { ok: false, code: 'format_unknown', where: '', detail: 'neither tasks.json, nor issues a line each, nor a Markdown text with check boxes' };
  try {
    const reading = read(found, text, tag);
    if (reading.tasks.length === 0) return { ok: false, code: 'nothing_to_import', where: '', detail: 'no task that is still to be done' };
    return { ok: true, format: found, ...toPlan(reading, mode, kept) };
  } catch (error) {
    if (error instanceof NotReadable) return { ok: false, code: 'not_readable', where: error.where, detail: error.message };
    throw error;
  }
}

function formatOf(text: string): ImportFormat | null {
  if (isTaskmaster(jsonOf(text))) return 'taskmaster';
  if (isBeads(text)) return 'beads';
  const lists = taskListsOf(text);
  if (lists.boxes.length === 0) return null;
  return isSpecKit(lists) ? 'spec_kit' : 'check_list';
}

function read(format: ImportFormat, text: string, tag: string | undefined): Reading {
  switch (format) {
    case 'taskmaster': {
      const value = jsonOf(text);
      if (value === undefined) throw new NotReadable('', 'no JSON');
      return readTaskmaster(value, tag);
    }
    case 'beads':
      return readBeads(text);
    case 'spec_kit':
      return readSpecKit(taskListsOf(text));
    case 'check_list':
      return readCheckList(taskListsOf(text));
    default:
      return format satisfies never;
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
