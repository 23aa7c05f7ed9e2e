import type { Clock } from "../../src/clock";

/** A clock that goes on when told to. */
export function handClock() {
  let now = 0;
  let waiting: { at: number; then: () => void }[] = [];
  const clock: Clock = {
    now: () => now,
    after(ms, then) {
      const entry = { at: now + ms, then };
      waiting.push(entry);
      return () => {
        waiting = waiting.filter((other) => other !== entry);
      };
    },
  };
  return {
    clock,
    pass(ms: number) {
      const end = now + ms;
      for (;;) {
        const due = waiting.filter((entry) => entry.at <= end).sort((a, b) => a.at - b.at)[0];
        if (!due) break;
        waiting = waiting.filter((other) => other !== due);
        now = due.at;
        due.then();
      }
      now = end;
    },
  };
}
