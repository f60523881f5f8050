/** What was found in a file, in words. */
import type { ImportFormat, NoteCode } from '../api/types.ts';
import { m } from '../paraglide/messages.js';

export const formatWords: Record<ImportFormat, () => string> = {
  taskmaster: m.format_taskmaster,
  beads: m.format_beads,
  spec_kit: m.format_spec_kit,
  check_list: m.format_check_list,
};
export const noteWords: Record<NoteCode, () => string> = {
  duplicate_id: m.note_duplicate_id,
  dependency_unknown: m.note_dependency_unknown,
  dependency_ambiguous: m.note_dependency_ambiguous,
  dependency_on_itself: m.note_dependency_on_itself,
  dependency_left_out: m.note_dependency_left_out,
  left_out: m.note_left_out,
  not_required: m.note_not_required,
  status_not_taken: m.note_status_not_taken,
  status_unknown: m.note_status_unknown,
  tag_prefixed: m.note_tag_prefixed,
  order_from_document: m.note_order_from_document,
  order_not_taken: m.note_order_not_taken,
  prose_dependency: m.note_prose_dependency,
  comment_ignored: m.note_comment_ignored,
  link_not_taken: m.note_link_not_taken,
  older_line: m.note_older_line,
  title_cut: m.note_title_cut,
  text_moved: m.note_text_moved,
  already_in_plan: m.note_already_in_plan,
};
