/** Stands in for loudspeakers: writes down what would be heard. */
import { vi } from "vitest";

/** What was begun: tones, and noises. */
export const heard: ("tone" | "noise")[] = [];

const parameter = () => ({
  value: 0,
  setValueAtTime: () => undefined,
  linearRampToValueAtTime: () => undefined,
  exponentialRampToValueAtTime: () => undefined,
});

class Quiet {
  readonly frequency = parameter();
  readonly gain = parameter();
  connect<Other>(other: Other): Other {
    return other;
  }
  stop(): void {}
}

class Tone extends Quiet {
  start(): void {
    heard.push("tone");
  }
}

class Noise extends Quiet {
  start(): void {
    heard.push("noise");
  }
}

class Context {
  readonly currentTime = 0;
  readonly sampleRate = 8000;
  readonly destination = new Quiet();
  createBuffer(_channels: number, length: number) {
    return { getChannelData: () => new Float32Array(length) };
  }
}

/** Begin with silence, on a page that has been touched. */
export function audible(): void {
  heard.splice(0);
  vi.stubGlobal("AudioContext", Context);
  vi.stubGlobal("GainNode", Quiet);
  vi.stubGlobal("BiquadFilterNode", Quiet);
  vi.stubGlobal("OscillatorNode", Tone);
  vi.stubGlobal("AudioBufferSourceNode", Noise);
}
