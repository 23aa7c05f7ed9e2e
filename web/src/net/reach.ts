/** Tells those who could not load something when the server can be reached again. */

const waiting = new Set<() => void>();

/** Call this whenever the device is back on the network, or a line to the server opens; what is returned ends it. */
export function whenReached(then: () => void): () => void {
  waiting.add(then);
  addEventListener("online", then);
  return () => {
    waiting.delete(then);
    removeEventListener("online", then);
  };
}

/** A line to the server has opened. */
export function reached(): void {
  for (const then of [...waiting]) then();
}
