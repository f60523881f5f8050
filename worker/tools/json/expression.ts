/** Which JMESPath expressions are asked of data: those whose cost stays in proportion to it. */
import { compile } from '@jmespath-community/jmespath';

/** How many times over an expression may copy what it is given: lists of expressions after lists of expressions multiply. */
const COPIES = 1000;

/** What JMESPath itself has. Left out is what pads or repeats text to any length. */
const functions = new Set(
  'abs avg ceil contains ends_with find_first find_last floor from_items group_by items join keys length lower map max max_by merge min min_by not_null reverse sort sort_by split starts_with sum to_array to_number to_string trim trim_left trim_right type upper values zip'.split(
    ' ',
  ),
);

interface Node {
  type: string;
  name?: string;
  children?: Node[];
}

/** Why an expression is not asked: it does not parse, or its cost would not be in proportion to the data. */
export function unfit(query: string): string | undefined {
  let tree: Node;
  try {
    tree = compile(query) as unknown as Node;
  } catch (error) {
    return `it is no JMESPath: ${error instanceof Error ? error.message : String(error)}`.slice(0, 300);
  }
  let copies = 1;
  let wrong: string | undefined;
  const visit = (node: unknown): void => {
    if (node === null || typeof node !== 'object') return;
    if (Array.isArray(node)) return node.forEach(visit);
    const { type, name, children } = node as Node;
    if (type === 'Root' || type === 'LetExpression' || type === 'Variable') wrong ??= 'the root `$` and variables are not supported: ask twice instead';
    if (type === 'Function' && !functions.has(name ?? '')) wrong ??= `there is no function ${name} here`;
    // A hash gives one value for one; a list can be flattened and listed again.
    if (type === 'MultiSelectList') copies *= Math.max(1, children?.length ?? 1);
    for (const each of Object.values(node)) visit(each);
  };
  visit(tree);
  return wrong ?? (copies > COPIES ? 'too many lists of expressions in one query: ask twice instead' : undefined);
}
