CREATE TABLE `person_challenge` (
	`ceremony` text PRIMARY KEY NOT NULL,
	`challenge` text NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `person_challenge_by_end` ON `person_challenge` (`expires_at`);--> statement-breakpoint
CREATE TABLE `person_passkey` (
	`id` text PRIMARY KEY NOT NULL,
	`person_id` text NOT NULL,
	`name` text NOT NULL,
	`public_key` text NOT NULL,
	`counter` integer NOT NULL,
	`transports` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer
);
--> statement-breakpoint
CREATE INDEX `person_passkey_of_person` ON `person_passkey` (`person_id`);