CREATE TABLE `audit_heads` (
	`workspace_id` text PRIMARY KEY NOT NULL,
	`seq` integer NOT NULL,
	`digest` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `people_log` ADD `number` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE `people_log` SET `number` = (SELECT count(*) FROM `people_log` AS `earlier` WHERE `earlier`.`workspace_id` = `people_log`.`workspace_id` AND `earlier`.rowid <= `people_log`.rowid);--> statement-breakpoint
CREATE UNIQUE INDEX `people_log_in_order` ON `people_log` (`workspace_id`,`number`);