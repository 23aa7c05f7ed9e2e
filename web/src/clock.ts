/** The source of time: real on the page, wound by hand in tests. */

export interface Clock {
  /** Milliseconds since some fixed moment. */
  now(): number;
  /** Calls `then` after this many milliseconds; what it gives back calls that off. */
  after(ms: number, then: () => void): () => void;
}

export const wallClock: Clock = {
  now: () => performance.now(),
  after(ms, then) {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
};
