/** Single-key shortcuts. They never fire while somebody types, nor with a modifier, so that the browser's own keys stay. */
export type Keys = Record<string, (event: KeyboardEvent) => void>;

export function onKeys(keys: () => Keys): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const target = event.target instanceof HTMLElement ? event.target : null;
    const typing = target?.closest('input, textarea, select, [contenteditable="true"]') ?? null;
    if (typing && event.key !== 'Escape') return;
    // An open sheet keeps its keys to itself.
    if (target?.closest('dialog[open]')) return;
    const act = keys()[event.key];
    if (!act) return;
    if (typing instanceof HTMLElement && event.key === 'Escape') {
      typing.blur();
      return;
    }
    // Enter and Space belong to the button or link that has the focus.
    if ((event.key === 'Enter' || event.key === ' ') && target?.closest('button, a, summary')) return;
    event.preventDefault();
    act(event);
  };
}
