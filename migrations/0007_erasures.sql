CREATE TABLE `erasures` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`asked_by` text NOT NULL,
	`asked_at` integer NOT NULL,
	`progress` text NOT NULL,
	`done_at` integer,
	`receipt` text
);
--> statement-breakpoint
CREATE INDEX `erasures_by_asker` ON `erasures` (`asked_by`,`asked_at`);--> statement-breakpoint
CREATE INDEX `erasures_unfinished` ON `erasures` (`done_at`,`asked_at`);