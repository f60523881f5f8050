/**
 * The tools by lane: what a round can do beside thinking. A tool knows its own arguments and the environment it is given, never the Goal's rules:
 * those are the host's, which authorizes every call before it runs.
 */
import type { Lane } from '../domain/values.ts';
import { browserRead } from './browser/read.ts';
import { businessComplete } from './business/complete.ts';
import { businessRead } from './business/read.ts';
import { businessWait } from './business/wait.ts';
import { command } from './command/command.ts';
import { csvAppend } from './csv/append.ts';
import { csvEncode } from './csv/encode.ts';
import { csvRead } from './csv/read.ts';
import { csvWrite } from './csv/write.ts';
import { filesAbort } from './files/abort.ts';
import { filesAppend } from './files/append.ts';
import { filesBegin } from './files/begin.ts';
import { filesCommit } from './files/commit.ts';
import { filesInfo } from './files/info.ts';
import { filesList } from './files/list.ts';
import { filesRead } from './files/read.ts';
import { filesWrite } from './files/write.ts';
import { goalAudit } from './goal/audit.ts';
import { goalAmend } from './goal/amend.ts';
import { goalDraft } from './goal/draft.ts';
import { finish } from './goal/finish.ts';
import { httpRequest } from './http/request.ts';
import { jsonQuery } from './json/query.ts';
import { jsonRead } from './json/read.ts';
import { jsonWrite } from './json/write.ts';
import { bankTransfer } from './payment/bank-transfer.ts';
import { paymentBatch } from './payment/batch.ts';
import { supplierUpdate } from './payment/supplier-update.ts';
import { planAdopt } from './plan/adopt.ts';
import { blockerPass } from './plan/blocker-pass.ts';
import { blockerResolve } from './plan/blocker-resolve.ts';
import { blockerWithdraw } from './plan/blocker-withdraw.ts';
import { planPropose } from './plan/propose.ts';
import { planReject } from './plan/reject.ts';
import { workAssign } from './plan/work-assign.ts';
import { workCancel } from './plan/work-cancel.ts';
import { workResume } from './plan/work-resume.ts';
import { evidenceInvalidate } from './record/evidence-invalidate.ts';
import { factsGet } from './record/facts-get.ts';
import { factsList } from './record/facts-list.ts';
import { factsRecord } from './record/facts-record.ts';
import { ledgerDecided } from './record/ledger-decided.ts';
import { ledgerList } from './record/ledger-list.ts';
import { ledgerRecord } from './record/ledger-record.ts';
import { messageHandle } from './record/message-handle.ts';
import { goalPost } from './goal/goal-post.ts';
import { messagePost } from './record/message-post.ts';
import { milestoneDefine } from './record/milestone-define.ts';
import { milestonesGet } from './record/milestones-get.ts';
import { noteAppend } from './record/note-append.ts';
import { noteRead } from './record/note-read.ts';
import { reviewListAdd } from './record/review-list-add.ts';
import { reviewListList } from './record/review-list-list.ts';
import { tasksSet } from './record/tasks-set.ts';
import { resultRead } from './result/read.ts';
import { acceptanceInvalidate } from './review/invalidate.ts';
import { reviewRecord } from './review/record.ts';
import { scriptRun } from './script/run.ts';
import type { Tool } from './tool.ts';
import { ask } from './work/ask.ts';
import { block } from './work/block.ts';
import { checksList } from './work/checks-list.ts';
import { handBack } from './work/hand-back.ts';
import { workList } from './work/list.ts';
import { workRead } from './work/read.ts';
import { returnResult } from './work/return.ts';
import { subagents } from './work/subagents.ts';
import { submit } from './work/submit.ts';

import { xlsxRead } from './xlsx/read.ts';

/** Each tool's arguments are checked by its own schema before its own functions see them, so the registry can forget their types. */
const every = [
  filesRead,
  filesWrite,
  filesList,
  filesInfo,
  filesBegin,
  filesAppend,
  filesCommit,
  filesAbort,
  csvRead,
  csvWrite,
  csvAppend,
  csvEncode,
  jsonRead,
  jsonQuery,
  jsonWrite,
  xlsxRead,
  scriptRun,
  factsGet,
  factsList,
  factsRecord,
  ledgerRecord,
  ledgerList,
  ledgerDecided,
  milestonesGet,
  milestoneDefine,
  reviewListAdd,
  reviewListList,
  evidenceInvalidate,
  tasksSet,
  messagePost,
  goalPost,
  messageHandle,
  noteAppend,
  noteRead,
  resultRead,
  submit,
  block,
  ask,
  subagents,
  returnResult,
  checksList,
  handBack,
  finish,
  planPropose,
  planAdopt,
  planReject,
  workList,
  workRead,
  workAssign,
  workCancel,
  workResume,
  blockerPass,
  blockerResolve,
  blockerWithdraw,
  goalAmend,
  goalDraft,
  goalAudit,
  reviewRecord,
  acceptanceInvalidate,
  paymentBatch,
  supplierUpdate,
  bankTransfer,
  httpRequest,
  browserRead,
  businessRead,
  businessWait,
  businessComplete,
  command,
] as unknown as readonly Tool[];

const byName = new Map(every.map((each) => [each.name, each]));

export function allTools(): readonly Tool[] {
  return every;
}

export function toolsOf(lane: Lane): Tool[] {
  return every.filter((each) => each.lanes.includes(lane));
}

/** Undefined when there is no such tool, or this lane does not have it. */
export function toolOf(lane: Lane, name: string): Tool | undefined {
  const found = byName.get(name);
  return found?.lanes.includes(lane) ? found : undefined;
}
