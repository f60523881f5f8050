import type { OpenRoute, Route } from '../route.ts';

/** Made when it is first asked for, once in an isolate: no other request pays for its schemas. */
export function openApiRoute(routes: () => readonly Route[]): OpenRoute['handle'] {
  let text: Promise<string> | undefined;
  return async () => {
    text ??= import('./document.ts').then(({ openApiDocument }) => JSON.stringify(openApiDocument(routes())));
    try {
      return new Response(await text, { headers: { 'content-type': 'application/json', 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*' } });
    } catch (error) {
      text = undefined;
      throw error;
    }
  };
}
