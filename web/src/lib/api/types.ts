/** The server's own shapes, as types only: the console derives no state and redefines none of them. */

export type { CommandType, Expected } from '../../../../worker/domain/commands.ts';
export type { Contract, Criterion } from '../../../../worker/domain/contract/contract.ts';
export type { Scene } from '../../../../worker/domain/planes/check-spec.ts';
export type { RefusalCode } from '../../../../worker/domain/refusals.ts';
export type { Artifact, Json, PrincipalId } from '../../../../worker/domain/values.ts';
export type { BlockerView, EventView, Frame, GoalBar, GraphEdge, GraphNode, GraphView, ItemState, ItemView, Next, Why } from '../../../../worker/domain/views/types.ts';
export type { ReadAnswer, ReadQuery, ReadValues } from '../../../../worker/goal/rpc.ts';
export type { Milestone, NonGoal } from '../../../../worker/domain/contract/contract.ts';
export type { Shape, ShapeReason } from '../../../../worker/domain/contract/shape.ts';
export type { PlanDocument, PlanItem } from '../../../../worker/domain/plan/document.ts';
export type { McpServer, Prices, Profile, Provider, ProviderKind } from '../../../../worker/workspace/settings.ts';
export type { LocalServer } from '../../../../worker/models/local-servers.ts';
export type { ProviderTest, TestProblem } from '../../../../worker/models/test-call.ts';
export type { DeclaredParameters, ParameterSchema } from '../../../../worker/domain/template/parameters.ts';
export type { Template } from '../../../../worker/domain/template/template.ts';
export type { TemplateHead } from '../../../../worker/workspace/core/templates.ts';
export type { HookStyle, Mapped, Trigger, TriggerDefinition } from '../../../../worker/workspace/core/triggers/definition.ts';
export type { BusinessRound, Late } from '../../../../worker/workspace/core/triggers/rounds.ts';
export type { Chat, OutletType, Webhook } from '../../../../worker/workspace/core/outlets.ts';
export type { NotificationsView as Notifications } from '../../../../worker/workspace/core/notifications-view.ts';
export type { Progress as ProgressShown } from '../../../../worker/domain/views/progress.ts';
export type { ProgressView as ProgressLink } from '../../../../worker/workspace/core/progress.ts';
import type { Extracted } from '../../../../worker/domain/template/extract.ts';
import type { Next as NextOfGoal } from '../../../../worker/domain/views/types.ts';
export type NoticeAct = NextOfGoal['who'][number]['act'];
export type { DeliveryView, EndpointHealth } from '../../../../worker/notify/rpc.ts';
export type { ImportFormat } from '../../../../worker/imports/import-plan.ts';
export type { NoteCode } from '../../../../worker/imports/imported.ts';

/** A draft of a template, with what validation says of it as it stands. */
export type TemplateDraft = Extracted & { problems: { pointer: string; code: string; detail?: string }[] };
export type { ItemFigures } from '../../../../worker/domain/template/figures.ts';
