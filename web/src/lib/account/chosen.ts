/** The workspace this browser looks at. It is kept by the browser; who may look at it is asked of the server each time. */
const key = 'workspace';

export function chosenWorkspace(): string {
  return typeof localStorage === 'undefined' ? 'local' : (localStorage.getItem(key) ?? 'local');
}

const principalKey = 'principal';

/** Who this browser was last told it is; what one may do is asked of the server each time. Without a word: whom the development sign-in makes everyone. */
export function ownPrincipal(): string {
  return typeof localStorage === 'undefined' ? 'person:local' : (localStorage.getItem(principalKey) ?? 'person:local');
}

/** Null: signed out. */
export function rememberPrincipal(principal: string | null): void {
  if (principal === null) localStorage.removeItem(principalKey);
  else localStorage.setItem(principalKey, principal);
}

/** Everything on the page belongs to one workspace: another one is a page loaded anew. */
export function choose(workspace: string, to = '/'): void {
  localStorage.setItem(key, workspace);
  location.assign(to);
}

/** Pages for people who are not signed in. */
const open = ['/sign-in', '/reset-password', '/invitation', '/link', '/progress'];

/** To the page that signs in, and back to where one was. */
export function toSignIn(): void {
  const { pathname, search } = location;
  if (!open.includes(pathname)) location.assign(`/sign-in?to=${encodeURIComponent(pathname + search)}`);
}

/** A page of this console, else the first one: an address from outside leads nowhere else. */
export function ownPath(to: string | null): string {
  return to?.startsWith('/') && !to.startsWith('//') && !to.includes('\\') ? to : '/';
}
