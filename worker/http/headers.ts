/**
 * What every answer of the Worker says to browsers: nothing here is a page, nothing is framed, guessed at or told where it came from. `web/static/_headers` says it for the console's files.
 * A route that says more about itself (a file) is not overruled.
 */
const everywhere: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};
/** The answers that were made with all of these: adding them one by one is a call into the runtime each. */
const whole = new WeakSet<Response>();

/** An answer that has them from the start. */
export function withEverywhere(body: string, status: number, headers: Record<string, string>): Response {
  const response = new Response(body, { status, headers: { ...everywhere, ...headers } });
  whole.add(response);
  return response;
}

/** Two years, for this host alone: what else is under the domain is its owner's to say. */
const transport = ['strict-transport-security', 'max-age=63072000'] as const;

export function withHeaders(response: Response, url: string, more: Readonly<Record<string, string>> = {}): Response {
  // An answer that opens a socket is the object's own, and no browser renders it.
  if (response.status === 101) return response;
  const answered = whole.has(response) ? response : completed(mutable(response));
  if (url.startsWith('https:')) answered.headers.set(...transport);
  for (const [name, value] of Object.entries(more)) answered.headers.set(name, value);
  return answered;
}

function completed(response: Response): Response {
  for (const [name, value] of Object.entries(everywhere)) if (!response.headers.has(name)) response.headers.set(name, value);
  return response;
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
