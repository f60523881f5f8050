/**
 * One query that tells a Work Item's story: how often it ran, what each run delivered, and what became of each delivery and why.
 * An item that ran twice, delivered twice and whose first delivery came back gives two rows: the first with `verdict` `changes_requested` and the failing
 * scene in `came_back`, the second with `accepted`. A run that delivered nothing (lost, failed) has empty submission columns and says why it ended.
 *
 * Binds ?1 workspace, ?2 goal, ?3 item key. A delivery that was judged more than once (put up again, or its acceptance invalidated) has one row per verdict.
 */
export const itemHistorySql = `SELECT
  a."number" AS attempt_number, a."id" AS attempt, a."by" AS worked_by, a."fence" AS fence, a."state" AS attempt_state, a."why" AS ended_why, a."started_at" AS started_at, a."ended_at" AS ended_at,
  s."number" AS submission_number, s."id" AS submission, s."digest" AS submission_digest, json_extract(summary."value", '$') AS summary, s."at" AS submitted_at, s."superseded_by" AS superseded_by,
  v."verdict" AS verdict, v."by" AS judged_by, v."at" AS judged_at, v."live" AS verdict_live,
  json_extract(scene."value", '$.summary') AS came_back, scene."value" AS scene, json_extract(fallen."value", '$.summary') AS invalidated_because,
  g."projected_seq" AS seq
FROM "goals" g
JOIN "attempts" a ON a."workspace_id" = g."workspace_id" AND a."goal_id" = g."goal_id" AND a."item" = ?3
LEFT JOIN "submissions" s ON s."workspace_id" = a."workspace_id" AND s."goal_id" = a."goal_id" AND s."attempt" = a."id"
LEFT JOIN "acceptances" v ON v."workspace_id" = s."workspace_id" AND v."goal_id" = s."goal_id" AND v."submission" = s."id"
LEFT JOIN "bodies" summary ON summary."workspace_id" = s."workspace_id" AND summary."goal_id" = s."goal_id" AND summary."digest" = s."summary_body"
LEFT JOIN "bodies" scene ON scene."workspace_id" = v."workspace_id" AND scene."goal_id" = v."goal_id" AND scene."digest" = v."scene_body"
LEFT JOIN "bodies" fallen ON fallen."workspace_id" = v."workspace_id" AND fallen."goal_id" = v."goal_id" AND fallen."digest" = v."invalidated_scene_body"
WHERE g."workspace_id" = ?1 AND g."goal_id" = ?2 AND g."erased" = 0
ORDER BY a."number", s."number", v."at"`;

/** A row of the answer. Times in milliseconds. */
export interface ItemHistoryRow {
  attempt_number: number;
  attempt: string;
  worked_by: string;
  fence: number;
  attempt_state: string;
  ended_why: string | null;
  started_at: number | null;
  ended_at: number | null;
  submission_number: number | null;
  submission: string | null;
  submission_digest: string | null;
  summary: string | null;
  submitted_at: number | null;
  superseded_by: string | null;
  verdict: 'accepted' | 'changes_requested' | 'rejected' | null;
  judged_by: string | null;
  judged_at: number | null;
  verdict_live: 0 | 1 | null;
  came_back: string | null;
  scene: string | null;
  invalidated_because: string | null;
  seq: number;
}
