/** What a program has to know of a route beside its method, path and rule. */
import type { z } from 'zod';
import type { RefusalCode } from '../../domain/refusals.ts';

export const tags = {
  goals: 'Goals: create, steer, follow.',
  live: 'Following a goal, or the lists of the workspace, as it happens.',
  record: 'What is on record of one goal.',
  files: 'Bytes of sources and deliverables.',
  lists: 'Lists and histories from the book, which follows the goals within half a second.',
  archives: 'A goal as one file; and its end.',
  workspace: 'Settings of the workspace, its log and its budget.',
  triggers: 'What starts goals by itself, its business rounds, webhooks in.',
  models: 'Providers of models and remote tools.',
  people: 'Members, invitations and tokens.',
  signing_in: 'Sessions of people. Programs use tokens.',
  operators: 'For whoever runs the installation.',
} as const;
export type Tag = keyof typeof tags;

/** `bytes`: a file. `tar`: an archive. `rows`: as NDJSON, or as CSV where that was asked for. `frames`: of a socket or of server-sent events. */
export type Answer = z.ZodType | 'bytes' | 'tar' | 'rows' | { frames: z.ZodType };
/** `goal_commands` and its like: one body for each command of that catalogue, told apart by `type`. */
export type Body = z.ZodType | 'goal_commands' | 'goal_creation' | 'workspace_commands' | 'people_commands' | 'bytes' | 'tar';
export type HeaderName = 'Idempotency-Key' | 'If-Match' | 'Content-Digest' | 'Last-Event-ID';

export interface Operation {
  /** `operationId`. */
  id: string;
  tag: Tag;
  description?: string;
  query?: z.ZodObject;
  body?: Body;
  /** A body may be left out. */
  bodyOptional?: true;
  headers?: readonly HeaderName[];
  /** By status. `4XX`: refused in another form than `Problem`. */
  answers: Readonly<Record<number | '4XX', Answer>> | Readonly<Record<number, Answer>>;
  /** Where it is asked for, what it answers with 200 comes as server-sent events, one in each. */
  streams?: true;
  /** It answers with an entity tag, or names what it made. */
  sends?: readonly ('ETag' | 'Location')[];
  /** Refusals beside those that its rule, its query and its body bring. */
  refusals?: readonly RefusalCode[];
  example?: { body?: unknown; answer?: unknown };
}

/** By `METHOD path`, as the route table has them. */
export type Operations = Readonly<Record<string, Operation>>;
