CREATE TABLE `workspace_wakes` (
	`workspace_id` text PRIMARY KEY NOT NULL,
	`number` integer NOT NULL,
	`wake_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `workspace_wakes_by_time` ON `workspace_wakes` (`wake_at`);