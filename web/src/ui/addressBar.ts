/** Keeps the address in step with what is on screen. */
import { wallClock, type Clock } from "../clock";

/** Milliseconds between two changes: Safari takes 100 in 30 seconds and throws at the next. */
const PAUSE = 500;

/** Writes the address of what is on screen: the first at once, then the latest, at most one in half a second. */
export class AddressBar {
  private latest: string | null = null;
  private cancel: (() => void) | null = null;

  constructor(
    private readonly write = (address: string): void => history.replaceState(history.state, "", address),
    private readonly clock: Clock = wallClock,
  ) {}

  show(address: string): void {
    this.latest = address;
    if (this.cancel === null) this.flush();
  }

  /** Another screen has the address from now on. */
  stop(): void {
    this.cancel?.();
    this.cancel = null;
    this.latest = null;
  }

  private flush(): void {
    this.cancel = null;
    if (this.latest === null) return;
    try {
      this.write(this.latest);
    } catch {
      // A browser that has had enough of changes keeps the address as it is: the next one may succeed.
    }
    this.latest = null;
    this.cancel = this.clock.after(PAUSE, () => this.flush());
  }
}
