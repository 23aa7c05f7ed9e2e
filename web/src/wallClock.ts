/** Time, as whatever waits for it needs it: real on the page, wound by hand in tests. */

export interface Clock {
  /** Calls `then` after so many milliseconds; what it gives back calls that off. */
  after(ms: number, then: () => void): () => void;
}

export const wallClock: Clock = {
  after(ms, then) {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
};
