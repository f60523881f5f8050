CREATE TABLE `acceptances` (
	`workspace_id` text NOT NULL,
	`goal_id` text NOT NULL,
	`execution_id` text,
	`id` text NOT NULL,
	`item` text,
	`attempt` text,
	`seq` integer NOT NULL,
	`at` integer NOT NULL,
	`data` text NOT NULL,
	`submission` text NOT NULL,
	`submission_digest` text NOT NULL,
	`verdict` text NOT NULL,
	`by` text NOT NULL,
	`goal_version` integer NOT NULL,
	`plan_revision` integer NOT NULL,
	`scene_body` text,
	`live` integer NOT NULL,
	`invalidated_at` integer,
	`invalidated_by` text,
	`invalidated_scene_body` text,
	PRIMARY KEY(`workspace_id`, `goal_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `acceptances_of_goal` ON `acceptances` (`workspace_id`,`goal_id`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `acceptances_of_workspace` ON `acceptances` (`workspace_id`,`at`,`goal_id`,`id`);--> statement-breakpoint
CREATE INDEX `acceptances_by_submission` ON `acceptances` (`workspace_id`,`goal_id`,`submission`);--> statement-breakpoint
CREATE TABLE `approvals` (
	`workspace_id` text NOT NULL,
	`goal_id` text NOT NULL,
	`execution_id` text,
	`id` text NOT NULL,
	`item` text,
	`attempt` text,
	`seq` integer NOT NULL,
	`at` integer NOT NULL,
	`data` text NOT NULL,
	`state` text NOT NULL,
	`round` text NOT NULL,
	`tool` text NOT NULL,
	`call_digest` text NOT NULL,
	`call_body` text NOT NULL,
	`expires_at` integer NOT NULL,
	`decided_by` text,
	`decided_at` integer,
	PRIMARY KEY(`workspace_id`, `goal_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `approvals_of_goal` ON `approvals` (`workspace_id`,`goal_id`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `approvals_of_workspace` ON `approvals` (`workspace_id`,`at`,`goal_id`,`id`);--> statement-breakpoint
CREATE INDEX `approvals_by_state` ON `approvals` (`workspace_id`,`state`);--> statement-breakpoint
CREATE TABLE `assignments` (
	`workspace_id` text NOT NULL,
	`goal_id` text NOT NULL,
	`execution_id` text,
	`id` text NOT NULL,
	`item` text,
	`attempt` text,
	`seq` integer NOT NULL,
	`at` integer NOT NULL,
	`data` text NOT NULL,
	`owner` text NOT NULL,
	`fence` integer NOT NULL,
	`released_at` integer,
	`why` text,
	PRIMARY KEY(`workspace_id`, `goal_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `assignments_of_goal` ON `assignments` (`workspace_id`,`goal_id`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `assignments_of_workspace` ON `assignments` (`workspace_id`,`at`,`goal_id`,`id`);--> statement-breakpoint
CREATE TABLE `attempts` (
	`workspace_id` text NOT NULL,
	`goal_id` text NOT NULL,
	`execution_id` text,
	`id` text NOT NULL,
	`item` text,
	`attempt` text,
	`seq` integer NOT NULL,
	`at` integer NOT NULL,
	`data` text NOT NULL,
	`number` integer NOT NULL,
	`assignment` text NOT NULL,
	`fence` integer NOT NULL,
	`state` text NOT NULL,
	`by` text NOT NULL,
	`spec_digest` text NOT NULL,
	`goal_version` integer NOT NULL,
	`started_at` integer,
	`ended_at` integer,
	`why` text,
	PRIMARY KEY(`workspace_id`, `goal_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `attempts_of_goal` ON `attempts` (`workspace_id`,`goal_id`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `attempts_of_workspace` ON `attempts` (`workspace_id`,`at`,`goal_id`,`id`);--> statement-breakpoint
CREATE INDEX `attempts_by_item` ON `attempts` (`workspace_id`,`goal_id`,`item`);--> statement-breakpoint
CREATE TABLE `blockers` (
	`workspace_id` text NOT NULL,
	`goal_id` text NOT NULL,
	`execution_id` text,
	`id` text NOT NULL,
	`item` text,
	`attempt` text,
	`seq` integer NOT NULL,
	`at` integer NOT NULL,
	`data` text NOT NULL,
	`reason` text NOT NULL,
	`owner` text NOT NULL,
	`state` text NOT NULL,
	`count` integer NOT NULL,
	`answer_body` text,
	`resolved_by` text,
	`resolved_at` integer,
	PRIMARY KEY(`workspace_id`, `goal_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `blockers_of_goal` ON `blockers` (`workspace_id`,`goal_id`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `blockers_of_workspace` ON `blockers` (`workspace_id`,`at`,`goal_id`,`id`);--> statement-breakpoint
CREATE INDEX `blockers_by_state` ON `blockers` (`workspace_id`,`state`);--> statement-breakpoint
CREATE TABLE `bodies` (
	`workspace_id` text NOT NULL,
	`goal_id` text NOT NULL,
	`digest` text NOT NULL,
	`value` text NOT NULL,
	PRIMARY KEY(`workspace_id`, `goal_id`, `digest`)
);
--> statement-breakpoint
CREATE TABLE `effects` (
	`workspace_id` text NOT NULL,
	`goal_id` text NOT NULL,
	`execution_id` text,
	`id` text NOT NULL,
	`item` text,
	`attempt` text,
	`seq` integer NOT NULL,
	`at` integer NOT NULL,
	`data` text NOT NULL,
	`tool` text NOT NULL,
	`key` text NOT NULL,
	`call_digest` text NOT NULL,
	`round` text NOT NULL,
	`state` text NOT NULL,
	`outcome` text,
	`settled_at` integer,
	PRIMARY KEY(`workspace_id`, `goal_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `effects_of_goal` ON `effects` (`workspace_id`,`goal_id`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `effects_of_workspace` ON `effects` (`workspace_id`,`at`,`goal_id`,`id`);--> statement-breakpoint
CREATE INDEX `effects_by_state` ON `effects` (`workspace_id`,`state`);--> statement-breakpoint
CREATE TABLE `evidence_uses` (
	`workspace_id` text NOT NULL,
	`goal_id` text NOT NULL,
	`execution_id` text,
	`id` text NOT NULL,
	`item` text,
	`attempt` text,
	`seq` integer NOT NULL,
	`at` integer NOT NULL,
	`data` text NOT NULL,
	`evidence` text NOT NULL,
	`used` text NOT NULL,
	`kind` text NOT NULL,
	PRIMARY KEY(`workspace_id`, `goal_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `evidence_uses_of_goal` ON `evidence_uses` (`workspace_id`,`goal_id`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `evidence_uses_of_workspace` ON `evidence_uses` (`workspace_id`,`at`,`goal_id`,`id`);--> statement-breakpoint
CREATE INDEX `evidence_uses_by_evidence` ON `evidence_uses` (`workspace_id`,`evidence`);--> statement-breakpoint
CREATE TABLE `executions` (
	`workspace_id` text NOT NULL,
	`goal_id` text NOT NULL,
	`execution_id` text,
	`id` text NOT NULL,
	`item` text,
	`attempt` text,
	`seq` integer NOT NULL,
	`at` integer NOT NULL,
	`data` text NOT NULL,
	`status` text NOT NULL,
	PRIMARY KEY(`workspace_id`, `goal_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `executions_of_goal` ON `executions` (`workspace_id`,`goal_id`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `executions_of_workspace` ON `executions` (`workspace_id`,`at`,`goal_id`,`id`);--> statement-breakpoint
CREATE TABLE `goal_versions` (
	`workspace_id` text NOT NULL,
	`goal_id` text NOT NULL,
	`execution_id` text,
	`id` text NOT NULL,
	`item` text,
	`attempt` text,
	`seq` integer NOT NULL,
	`at` integer NOT NULL,
	`data` text NOT NULL,
	`goal_version` integer NOT NULL,
	`title` text NOT NULL,
	`contract_body` text,
	`reason` text NOT NULL,
	`by` text NOT NULL,
	`completed_at` integer,
	PRIMARY KEY(`workspace_id`, `goal_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `goal_versions_of_goal` ON `goal_versions` (`workspace_id`,`goal_id`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `goal_versions_of_workspace` ON `goal_versions` (`workspace_id`,`at`,`goal_id`,`id`);--> statement-breakpoint
CREATE TABLE `goals` (
	`workspace_id` text NOT NULL,
	`goal_id` text NOT NULL,
	`execution_id` text,
	`title` text NOT NULL,
	`mode` text NOT NULL,
	`status` text NOT NULL,
	`why` text NOT NULL,
	`goal_version` integer NOT NULL,
	`plan_revision` integer NOT NULL,
	`needs_you` integer NOT NULL,
	`wake_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`seq` integer NOT NULL,
	`projected_seq` integer NOT NULL,
	`erased` integer DEFAULT 0 NOT NULL,
	`data` text NOT NULL,
	PRIMARY KEY(`workspace_id`, `goal_id`)
);
--> statement-breakpoint
CREATE INDEX `goals_by_creation` ON `goals` (`workspace_id`,`created_at`,`goal_id`);--> statement-breakpoint
CREATE INDEX `goals_by_status` ON `goals` (`workspace_id`,`status`,`created_at`,`goal_id`);--> statement-breakpoint
CREATE INDEX `goals_by_wake` ON `goals` (`wake_at`);--> statement-breakpoint
CREATE TABLE `ledger` (
	`workspace_id` text NOT NULL,
	`goal_id` text NOT NULL,
	`execution_id` text,
	`id` text NOT NULL,
	`item` text,
	`attempt` text,
	`seq` integer NOT NULL,
	`at` integer NOT NULL,
	`data` text NOT NULL,
	`subject` text NOT NULL,
	`milestone` text,
	`verdict` text NOT NULL,
	`reason_body` text NOT NULL,
	`by` text NOT NULL,
	`round` text,
	`flagged` text,
	`replaced_by` text,
	PRIMARY KEY(`workspace_id`, `goal_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `ledger_of_goal` ON `ledger` (`workspace_id`,`goal_id`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `ledger_of_workspace` ON `ledger` (`workspace_id`,`at`,`goal_id`,`id`);--> statement-breakpoint
CREATE INDEX `ledger_by_subject` ON `ledger` (`workspace_id`,`goal_id`,`subject`);--> statement-breakpoint
CREATE TABLE `plan_proposals` (
	`workspace_id` text NOT NULL,
	`goal_id` text NOT NULL,
	`execution_id` text,
	`id` text NOT NULL,
	`item` text,
	`attempt` text,
	`seq` integer NOT NULL,
	`at` integer NOT NULL,
	`data` text NOT NULL,
	`digest` text NOT NULL,
	`document_body` text NOT NULL,
	`status` text NOT NULL,
	`by` text NOT NULL,
	`based_on` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `goal_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `plan_proposals_of_goal` ON `plan_proposals` (`workspace_id`,`goal_id`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `plan_proposals_of_workspace` ON `plan_proposals` (`workspace_id`,`at`,`goal_id`,`id`);--> statement-breakpoint
CREATE TABLE `plan_revisions` (
	`workspace_id` text NOT NULL,
	`goal_id` text NOT NULL,
	`execution_id` text,
	`id` text NOT NULL,
	`item` text,
	`attempt` text,
	`seq` integer NOT NULL,
	`at` integer NOT NULL,
	`data` text NOT NULL,
	`revision` integer NOT NULL,
	`proposal` text NOT NULL,
	`digest` text NOT NULL,
	`document_body` text NOT NULL,
	`by` text NOT NULL,
	`goal_version` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `goal_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `plan_revisions_of_goal` ON `plan_revisions` (`workspace_id`,`goal_id`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `plan_revisions_of_workspace` ON `plan_revisions` (`workspace_id`,`at`,`goal_id`,`id`);--> statement-breakpoint
CREATE TABLE `reviews` (
	`workspace_id` text NOT NULL,
	`goal_id` text NOT NULL,
	`execution_id` text,
	`id` text NOT NULL,
	`item` text,
	`attempt` text,
	`seq` integer NOT NULL,
	`at` integer NOT NULL,
	`data` text NOT NULL,
	`submission` text NOT NULL,
	`by` text NOT NULL,
	`verdict` text NOT NULL,
	`stage` integer NOT NULL,
	`scene_body` text,
	PRIMARY KEY(`workspace_id`, `goal_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `reviews_of_goal` ON `reviews` (`workspace_id`,`goal_id`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `reviews_of_workspace` ON `reviews` (`workspace_id`,`at`,`goal_id`,`id`);--> statement-breakpoint
CREATE INDEX `reviews_by_submission` ON `reviews` (`workspace_id`,`goal_id`,`submission`);--> statement-breakpoint
CREATE TABLE `rounds` (
	`workspace_id` text NOT NULL,
	`goal_id` text NOT NULL,
	`execution_id` text,
	`id` text NOT NULL,
	`item` text,
	`attempt` text,
	`seq` integer NOT NULL,
	`at` integer NOT NULL,
	`data` text NOT NULL,
	`lane` text NOT NULL,
	`target` text NOT NULL,
	`phase` text NOT NULL,
	`outcome` text,
	`why` text,
	`principal` text NOT NULL,
	`fence` integer NOT NULL,
	`goal_version` integer NOT NULL,
	`plan_revision` integer NOT NULL,
	`claimed_at` integer,
	`started_at` integer,
	`ended_at` integer,
	`steps` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `goal_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `rounds_of_goal` ON `rounds` (`workspace_id`,`goal_id`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `rounds_of_workspace` ON `rounds` (`workspace_id`,`at`,`goal_id`,`id`);--> statement-breakpoint
CREATE TABLE `submissions` (
	`workspace_id` text NOT NULL,
	`goal_id` text NOT NULL,
	`execution_id` text,
	`id` text NOT NULL,
	`item` text,
	`attempt` text,
	`seq` integer NOT NULL,
	`at` integer NOT NULL,
	`data` text NOT NULL,
	`number` integer NOT NULL,
	`digest` text NOT NULL,
	`by` text NOT NULL,
	`spec_digest` text NOT NULL,
	`goal_version` integer NOT NULL,
	`plan_revision` integer NOT NULL,
	`inputs_digest` text NOT NULL,
	`summary_body` text NOT NULL,
	`superseded_by` text,
	PRIMARY KEY(`workspace_id`, `goal_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `submissions_of_goal` ON `submissions` (`workspace_id`,`goal_id`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `submissions_of_workspace` ON `submissions` (`workspace_id`,`at`,`goal_id`,`id`);--> statement-breakpoint
CREATE INDEX `submissions_by_item` ON `submissions` (`workspace_id`,`goal_id`,`item`);--> statement-breakpoint
CREATE TABLE `waits` (
	`workspace_id` text NOT NULL,
	`goal_id` text NOT NULL,
	`execution_id` text,
	`id` text NOT NULL,
	`item` text,
	`attempt` text,
	`seq` integer NOT NULL,
	`at` integer NOT NULL,
	`data` text NOT NULL,
	`kind` text NOT NULL,
	`owner` text NOT NULL,
	`reason` text NOT NULL,
	`generation` integer NOT NULL,
	`due` integer,
	`state` text NOT NULL,
	`ended_at` integer,
	PRIMARY KEY(`workspace_id`, `goal_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `waits_of_goal` ON `waits` (`workspace_id`,`goal_id`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `waits_of_workspace` ON `waits` (`workspace_id`,`at`,`goal_id`,`id`);--> statement-breakpoint
CREATE INDEX `waits_by_state` ON `waits` (`workspace_id`,`state`);--> statement-breakpoint
CREATE TABLE `work_items` (
	`workspace_id` text NOT NULL,
	`goal_id` text NOT NULL,
	`execution_id` text,
	`id` text NOT NULL,
	`item` text,
	`attempt` text,
	`seq` integer NOT NULL,
	`at` integer NOT NULL,
	`data` text NOT NULL,
	`state` text NOT NULL,
	`title` text NOT NULL,
	`kind` text NOT NULL,
	`required` integer NOT NULL,
	`spec_digest` text NOT NULL,
	`version` integer NOT NULL,
	`attempts` integer NOT NULL,
	`submissions` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `goal_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `work_items_of_goal` ON `work_items` (`workspace_id`,`goal_id`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `work_items_of_workspace` ON `work_items` (`workspace_id`,`at`,`goal_id`,`id`);--> statement-breakpoint
CREATE INDEX `work_items_by_state` ON `work_items` (`workspace_id`,`state`);