/** Task lists of a Markdown text: check boxes with their heading, depth and line. Code, comments and front matter are not part of them. */
import type { List, ListItem, Root, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { frontmatterFromMarkdown } from 'mdast-util-frontmatter';
import { gfmTaskListItemFromMarkdown } from 'mdast-util-gfm-task-list-item';
import { toString as textOf } from 'mdast-util-to-string';
import { frontmatter } from 'micromark-extension-frontmatter';
import { gfmTaskListItem } from 'micromark-extension-gfm-task-list-item';

export interface Box {
  /** The first paragraph, plain. */
  text: string;
  /** Its further lines and what stands under it, but for boxes of its own, as written. */
  more: string;
  done: boolean;
  /** The nearest heading above. */
  heading: string;
  /** Counts headings that have boxes, from 0. */
  section: number;
  /** The box it is nested in, by its place in the list. */
  parent: number | null;
  line: number;
}

export interface TaskLists {
  boxes: Box[];
  /** Paragraphs and comments outside of boxes. */
  prose: { kind: 'text' | 'comment'; text: string; line: number }[];
}

export function taskListsOf(source: string): TaskLists {
  const root: Root = fromMarkdown(source, { extensions: [gfmTaskListItem(), frontmatter()], mdastExtensions: [gfmTaskListItemFromMarkdown(), frontmatterFromMarkdown()] });
  const found: TaskLists = { boxes: [], prose: [] };
  const place = { heading: '', section: 0, used: false };
  for (const node of root.children) {
    if (node.type === 'heading') {
      if (place.used) place.section++;
      place.used = false;
      place.heading = textOf(node).trim();
    } else if (node.type === 'list') place.used = readList(node, null, source, place, found) || place.used;
    else if (node.type === 'html') found.prose.push({ kind: 'comment', text: node.value, line: lineOf(node) });
    else if (node.type === 'paragraph' || node.type === 'blockquote') found.prose.push({ kind: 'text', text: textOf(node), line: lineOf(node) });
  }
  return found;
}

function readList(list: List, parent: number | null, source: string, place: { heading: string; section: number }, found: TaskLists): boolean {
  let any = false;
  for (const item of list.children) {
    const isBox = typeof item.checked === 'boolean';
    const at = isBox ? found.boxes.push(boxOf(item, parent, source, place)) - 1 : parent;
    if (!isBox && parent === null) {
      const [first] = item.children;
      if (first) found.prose.push({ kind: 'text', text: textOf(first), line: lineOf(item) });
    }
    for (const child of item.children) {
      if (child.type === 'list') any = readList(child, at, source, place, found) || any;
      else if (child.type === 'html') found.prose.push({ kind: 'comment', text: child.value, line: lineOf(child) });
    }
    any ||= isBox;
  }
  return any;
}

function boxOf(item: ListItem, parent: number | null, source: string, { heading, section }: { heading: string; section: number }): Box {
  const [first, ...rest] = item.children;
  const kept = rest.filter((node) => node.type !== 'html' && !(node.type === 'list' && hasBoxes(node)));
  return {
    text: first?.type === 'paragraph' ? textOf(first).trim() : '',
    more: [
      ...(first?.type === 'paragraph'
        ? [
            written(first, source)
              .split('\n')
              .slice(1)
              .map((line) => line.trim())
              .join('\n'),
          ]
        : []),
      ...kept.map((node) => written(node, source)),
    ]
      .filter(Boolean)
      .join('\n\n'),
    done: item.checked === true,
    heading,
    section,
    parent,
    line: lineOf(item),
  };
}

const hasBoxes = (list: List): boolean =>
  list.children.some((item) => typeof item.checked === 'boolean' || item.children.some((child) => child.type === 'list' && hasBoxes(child)));
const lineOf = (node: RootContent): number => node.position?.start.line ?? 0;
const written = (node: RootContent, source: string): string => source.slice(node.position?.start.offset ?? 0, node.position?.end.offset ?? 0);
