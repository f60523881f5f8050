/** The Workspace object's calls. What an object throws (it was reset, it does not answer) becomes `unavailable` here: every call may be repeated. */
import { refuse } from '../domain/refusals.ts';
import type { PrincipalId } from '../domain/values.ts';
import type { Env } from '../env.ts';
import { errorOf, log } from '../observe/log.ts';
import type {
  AdmitAnswer,
  AddressRefusedRequest,
  GrantAnswer,
  LinkAnswer,
  LinkRequest,
  ProgressAnswer,
  GrantRequest,
  ListedAnswer,
  ListedRequest,
  HookAnswer,
  HookRequest,
  OpenAnswer,
  Openable,
  OpenRequest,
  QuotaRequest,
  RecordAnswer,
  RecordRequest,
  Refused,
  SettleAnswer,
  SettleRequest,
  SlowDownAnswer,
  SlowDownRequest,
  TestAgainAnswer,
  TestAgainRequest,
  WorkspaceCommandAnswer,
  WorkspaceCommandRequest,
  WorkspaceDoor,
  WorkspaceReadAnswer,
  WorkspaceReadRequest,
  WorkspaceRpc,
} from './rpc.ts';
import { workspaceStub } from './workspace-stub.ts';

type Bound = Pick<Env, 'WORKSPACES'>;

async function asked<T>(env: Bound, workspace: string, what: string, call: (stub: WorkspaceRpc) => Promise<T>): Promise<T | Refused> {
  for (let tries = 1; ; tries++) {
    try {
      return await call(workspaceStub(env, workspace));
    } catch (error) {
      const overloaded = error !== null && typeof error === 'object' && 'overloaded' in error && error.overloaded === true;
      if (tries < 2 && !overloaded) continue;
      log('error', 'workspace', 'answer.lost', { workspace, what, error: errorOf(error) });
      return { outcome: 'refused', refusal: refuse('unavailable', { detail: 'The workspace does not answer.' }) };
    }
  }
}

/** Settings and opened secrets for a round. What it opens never goes into a record, a log, an error, an export or a prompt: give it to the round's redactor first. */
export function openFor<W extends Openable>(env: Bound, request: OpenRequest<W>): Promise<OpenAnswer<W>> {
  return asked<OpenAnswer<W>>(env, request.workspace, request.what, (stub) => stub.openFor(request));
}

export function grant(env: Bound, request: GrantRequest): Promise<GrantAnswer> {
  return asked<GrantAnswer>(env, request.workspace, 'grant', (stub) => stub.grant(request));
}

export function settle(env: Bound, request: SettleRequest): Promise<SettleAnswer> {
  return asked<SettleAnswer>(env, request.workspace, 'settle', (stub) => stub.settle(request));
}

/** A delivery; `unavailable` where the workspace does not answer, and the sender tries again. */
export function receive(env: Bound, request: HookRequest): Promise<HookAnswer> {
  return asked<HookAnswer>(env, request.workspace, 'receive', (stub) => stub.receive(request));
}

/** `use`: from here on the link is used. */
export function openLink(env: Bound, request: LinkRequest, use: boolean): Promise<LinkAnswer> {
  return asked<LinkAnswer>(env, request.workspace, 'link', (stub) => (use ? stub.useLink(request) : stub.judgeLink(request)));
}
export function openProgress(env: Bound, workspace: string, text: string): Promise<ProgressAnswer> {
  return asked<ProgressAnswer>(env, workspace, 'progress', (stub) => stub.judgeProgress({ v: 1, workspace, text }));
}

export function slowDown(env: Bound, request: SlowDownRequest): Promise<SlowDownAnswer> {
  return asked<SlowDownAnswer>(env, request.workspace, 'slow-down', (stub) => stub.slowDown(request));
}

export function testAgain(env: Bound, request: TestAgainRequest): Promise<TestAgainAnswer> {
  return asked<TestAgainAnswer>(env, request.workspace, 'test-again', (stub) => stub.testAgain(request));
}

export function listed(env: Bound, request: ListedRequest): Promise<ListedAnswer> {
  return asked<ListedAnswer>(env, request.workspace, 'listed', (stub) => stub.listed(request));
}

/** Never throws: where no answer came back, the outcome is `unknown` and the same command id may be sent again. */
export async function commandWorkspace(env: Bound, request: WorkspaceCommandRequest): Promise<WorkspaceCommandAnswer> {
  const given = await asked(env, request.workspace, request.envelope.type, (stub) => stub.command(request));
  return given.outcome === 'refused' ? { outcome: 'unknown', detail: 'The answer was lost. Send the same command id again to learn what became of it.' } : given;
}

export function readWorkspace(env: Bound, request: WorkspaceReadRequest): Promise<WorkspaceReadAnswer> {
  return asked(env, request.workspace, request.query.what, (stub) => stub.read(request));
}

/** For the audit, before it is done: what is not recorded is not done. */
export function recordInAudit(env: Bound, request: RecordRequest): Promise<RecordAnswer> {
  return asked<RecordAnswer>(env, request.workspace, request.type, (stub) => stub.record(request));
}

/** What the guard refused, for the audit. */
export function recordRefusedAddress(env: Bound, request: AddressRefusedRequest): Promise<RecordAnswer> {
  return asked<RecordAnswer>(env, request.workspace, 'outgoing.refused', (stub) => stub.addressRefused(request));
}

/** After a change of people or tokens. It is in D1's log either way; what cannot be taken in now is taken in by the next change or read. */
export async function peopleChanged(env: Bound, workspace: string): Promise<void> {
  await asked(env, workspace, 'people', (stub) => stub.peopleChanged({ v: 1, workspace }));
}

/** A goal has a socket of that principal. Where that cannot be said now, the socket's renewal is what ends it. */
export async function watch(env: Bound, workspace: string, goal: string, principal: PrincipalId): Promise<void> {
  await asked(env, workspace, 'watch', (stub) => stub.watch({ v: 1, workspace, goal, principal }));
}

/** Somebody's session, role or token ended or changed: their sockets in this workspace are looked at again, now. */
export async function credentialsChanged(env: Bound, workspace: string, principal: PrincipalId): Promise<void> {
  await asked(env, workspace, 'credentials', (stub) => stub.credentialsChanged({ v: 1, workspace, principal }));
}

/** A person's session ended: in every workspace that they belong to. Never throws. */
export async function sessionEnded(env: Env, person: string): Promise<void> {
  try {
    const { results } = await env.DB.prepare('SELECT workspace_id AS id FROM members WHERE person_id = ?').bind(person).all<{ id: string }>();
    await Promise.all(results.map(({ id }) => credentialsChanged(env, id, `person:${person}`)));
  } catch (error) {
    log('warn', 'workspace', 'session.untold', { error: errorOf(error) });
  }
}

export function setQuotas(env: Bound, request: QuotaRequest): Promise<{ outcome: 'set' } | Refused> {
  return asked<{ outcome: 'set' } | Refused>(env, request.workspace, 'quotas', (stub) => stub.setQuotas(request));
}

/** Before a Goal is made. What is refused, `unavailable` too, is not made. */
export function admitGoal(env: Bound, workspace: string, goal: string, dryRun: boolean): Promise<AdmitAnswer> {
  return asked<AdmitAnswer>(env, workspace, 'goal', (stub) => stub.admitGoal({ v: 1, workspace, goal, dryRun }));
}
/** It was not made after all. What gets lost is made good by the sweep. */
export async function releaseGoal(env: Bound, workspace: string, goal: string): Promise<void> {
  await asked(env, workspace, 'goal', (stub) => stub.releaseGoal({ v: 1, workspace, goal }));
}
/** Before bytes are stored. */
export function admitFile(env: Bound, file: Omit<WorkspaceDoor, 'v'> & { goal: string; digest: string; size: number }): Promise<AdmitAnswer> {
  return asked<AdmitAnswer>(env, file.workspace, 'file', (stub) => stub.admitFile({ v: 1, ...file }));
}
/** After they were deleted. */
export async function filesGone(env: Bound, workspace: string, goal: string, digests: string[] | null): Promise<void> {
  await asked(env, workspace, 'files', (stub) => stub.filesGone({ v: 1, workspace, goal, digests }));
}

/** After the batch that took everybody out. What gets lost is made good by the sweep. */
export async function startErasing(env: Bound, workspace: string, erasure: string): Promise<void> {
  await asked<{ outcome: string } | Refused>(env, workspace, 'erase', (stub) => stub.erase({ v: 1, workspace, erasure }));
}
