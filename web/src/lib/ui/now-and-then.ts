/** What changes without a person's doing and has no socket is read again every five seconds while the page is looked at, and when it comes back into view. Returns what ends it. */
const everyMs = 5000;

export function everyNowAndThen(read: () => void): () => void {
  const look = () => {
    if (document.visibilityState === 'visible') read();
  };
  const timer = setInterval(look, everyMs);
  document.addEventListener('visibilitychange', look);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', look);
  };
}
