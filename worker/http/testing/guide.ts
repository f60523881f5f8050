/** The requests that a page of the documentation shows, in their order: indented blocks that begin with a method and a path. */
export interface Shown {
  method: 'GET' | 'POST';
  path: string;
  body?: string;
}

export function requestsOf(markdown: string): Shown[] {
  const blocks = markdown
    .trimEnd()
    .split(/\n(?:[ \t]*\n)+/)
    .filter((block) => /^ {4}(GET|POST) \//.test(block));
  return blocks.map((block) => {
    const [first = '', ...rest] = block.split('\n').map((line) => line.slice(4));
    const [method, path = ''] = first.split(' ');
    return { method: method === 'GET' ? 'GET' : 'POST', path, ...(rest.length === 0 ? {} : { body: rest.join('\n') }) };
  });
}
