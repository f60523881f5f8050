/** Names of the session's cookie. Over https the browser itself refuses one that was not set securely (`__Secure-`). */
export const cookiePrefix = 'longhaul';
const names = [`__Secure-${cookiePrefix}.session_token`, `${cookiePrefix}.session_token`];

export function hasSessionCookie(request: Request): boolean {
  const parts = request.headers.get('cookie')?.split(';') ?? [];
  return parts.some((part) => names.includes(part.slice(0, Math.max(0, part.indexOf('='))).trim()));
}
