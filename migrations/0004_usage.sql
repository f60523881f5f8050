CREATE TABLE `usage` (
	`workspace_id` text NOT NULL,
	`goal_id` text NOT NULL,
	`execution_id` text,
	`id` text NOT NULL,
	`item` text,
	`attempt` text,
	`seq` integer NOT NULL,
	`at` integer NOT NULL,
	`data` text NOT NULL,
	`round` text,
	`lane` text,
	`subagent` text,
	`profile` text,
	`model` text,
	`tokens` integer NOT NULL,
	`money` integer NOT NULL,
	`cache_read` integer NOT NULL,
	`cache_write` integer NOT NULL,
	`assumed` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `goal_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `usage_of_goal` ON `usage` (`workspace_id`,`goal_id`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `usage_of_workspace` ON `usage` (`workspace_id`,`at`,`goal_id`,`id`);