/** Sentences of a file that are about the work and not part of a task: a person reads them, nobody obeys them. */
import type { ImportNote } from './imported.ts';
import type { TaskLists } from './markdown.ts';

const ordering = /\b(depends? on|blocked by|blocks|before|after|prerequisite|must (be )?(complete|finish))\b/i;
/** Notes of one kind, at most: a long text should not bury the rest. */
const most = 20;

export function noteProse(prose: TaskLists['prose'], notes: ImportNote[]): void {
  const comments = prose.filter((each) => each.kind === 'comment');
  for (const { text, line } of comments.slice(0, most)) notes.push({ code: 'comment_ignored', where: `line ${line}`, detail: short(text) });
  const orders = prose.filter((each) => each.kind === 'text' && ordering.test(each.text));
  for (const { text, line } of orders.slice(0, most)) notes.push({ code: 'prose_dependency', where: `line ${line}`, detail: short(text) });
}

const short = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, 200);
