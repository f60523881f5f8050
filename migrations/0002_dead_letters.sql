CREATE TABLE `dead_letters` (
	`workspace_id` text NOT NULL,
	`goal_id` text NOT NULL,
	`id` text NOT NULL,
	`kind` text NOT NULL,
	`ref` text NOT NULL,
	`fence` integer NOT NULL,
	`sent_at` integer NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `dead_letters_of_workspace` ON `dead_letters` (`workspace_id`,`at`,`id`);