/** Everything that reached the server, and the search for what should not have. */

export interface SeenRequest {
  at: number;
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** For chat completions. */
  conversation?: string;
  script?: string;
  /** Kind of the answer; `refused` when the server found the request wrong. */
  answer?: string;
  status?: number;
  /** The caller went away before the answer was whole. */
  aborted?: boolean;
}

/** A value as it may have been disguised on its way. */
export function formsOf(value: string): string[] {
  const base64 = Buffer.from(value).toString('base64').replace(/=+$/, '');
  // Within a longer text, base64 depends on the offset; what stays is cut at the ends.
  const shifted = [1, 2].map((by) =>
    Buffer.from('\0'.repeat(by) + value)
      .toString('base64')
      .replace(/=+$/, '')
      .slice(4, -2),
  );
  const json = JSON.stringify(value).slice(1, -1);
  const forms = [value, json, encodeURIComponent(value), base64, base64.slice(0, -2), Buffer.from(value).toString('base64url'), Buffer.from(value).toString('hex'), ...shifted];
  return [...new Set(forms)].filter((form) => form.length >= 6);
}

/** Where the value occurs: `POST /v1/chat/completions body`, one line per request. The header `authorization` is where a key belongs and is left out unless asked for. */
export function findIn(requests: readonly SeenRequest[], value: string, also: { authorization?: boolean } = {}): string[] {
  const forms = formsOf(value);
  const has = (text: string) => forms.some((form) => text.includes(form));
  return requests.flatMap((request) => {
    const name = `${request.method} ${request.path.split('?')[0]}`;
    const places = has(request.path) ? [`${name} address`] : [];
    for (const [header, text] of Object.entries(request.headers)) {
      if (header === 'authorization' && !also.authorization) continue;
      if (has(text)) places.push(`${name} header ${header}`);
    }
    if (has(request.body)) places.push(`${name} body`);
    return places;
  });
}
