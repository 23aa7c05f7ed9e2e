/** Stands in for loudspeakers, and for a hand: writes down what would be heard and felt. */
import { vi } from "vitest";

/** The names of the sounds that were begun. */
export const heard: string[] = [];

const parameter = () => ({ value: 0, setTargetAtTime: () => undefined, cancelScheduledValues: () => undefined });

class Quiet {
  readonly gain = parameter();
  connect<Other>(other: Other): Other {
    return other;
  }
}

class Context {
  readonly state = "running";
  readonly currentTime = 0;
  readonly destination = new Quiet();
}

/** By its samples, the name of what was made. */
const names = new WeakMap<Float32Array, string>();

class Buffer {
  name: string | undefined;
  copyToChannel(samples: Float32Array): void {
    this.name = names.get(samples);
  }
}

class Source extends Quiet {
  constructor(
    _context: unknown,
    private readonly given: { buffer: Buffer },
  ) {
    super();
  }
  start(): void {
    heard.push(this.given.buffer.name ?? "nothing");
  }
  stop(): void {}
}

/** Makes at once what is asked for. */
class Maker {
  private hear: (event: { data: object }) => void = () => undefined;
  addEventListener(_kind: string, hear: (event: { data: object }) => void): void {
    this.hear = hear;
  }
  postMessage({ id, name }: { id: number; name: string }): void {
    const samples = new Float32Array(1);
    names.set(samples, name);
    this.hear({ data: { id, name, samples } });
  }
}

/** Begin with silence, on a page that has been touched. */
export function audible(): void {
  heard.splice(0);
  vi.stubGlobal("AudioContext", Context);
  vi.stubGlobal("AudioBuffer", Buffer);
  vi.stubGlobal("GainNode", Quiet);
  vi.stubGlobal("DynamicsCompressorNode", Quiet);
  vi.stubGlobal("StereoPannerNode", Quiet);
  vi.stubGlobal("AudioBufferSourceNode", Source);
  vi.stubGlobal("Worker", Maker);
}
