/**
 * What every answer of the Worker says to browsers: nothing here is a page, nothing is framed, guessed at or told where it came from. `web/static/_headers` says it for the console's files.
 * A route that says more about itself (a file) is not overruled.
 */
const everywhere: readonly (readonly [string, string])[] = [
  ['content-security-policy', "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"],
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'DENY'],
  ['referrer-policy', 'no-referrer'],
  ['cross-origin-resource-policy', 'same-origin'],
];
/** Two years, for this host alone: what else is under the domain is its owner's to say. */
const transport = ['strict-transport-security', 'max-age=63072000'] as const;

export function withHeaders(response: Response, url: string, more: Readonly<Record<string, string>> = {}): Response {
  // An answer that opens a socket is the object's own, and no browser renders it.
  if (response.status === 101) return response;
  const answered = mutable(response);
  for (const [name, value] of everywhere) if (!answered.headers.has(name)) answered.headers.set(name, value);
  if (url.startsWith('https:')) answered.headers.set(...transport);
  for (const [name, value] of Object.entries(more)) answered.headers.set(name, value);
  return answered;
}

/** What another part of the platform answered may be sealed. */
function mutable(response: Response): Response {
  try {
    response.headers.set('x-content-type-options', 'nosniff');
    return response;
  } catch {
    return new Response(response.body, response);
  }
}
