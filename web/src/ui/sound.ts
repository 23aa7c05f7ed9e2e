/** Sounds made on the spot: wood, clay and a coin. Browsers stay silent until the visitor has touched the page. */
import { settings } from "../settings.svelte";

let context: AudioContext | null = null;

/** Two soft tones: it is your turn. */
export function chime(): void {
  play((audio) => {
    tone(audio, { pitch: 523, at: 0, length: 0.45, loud: 0.12 });
    tone(audio, { pitch: 784, at: 0.13, length: 0.45, loud: 0.12 });
  });
}

/** A wooden foot on a wooden board. */
export function knock(): void {
  play((audio) => noise(audio, { pitch: 900, at: 0, length: 0.07, loud: 0.3 }));
}

/** Dice in a wooden pyramid. */
export function rattle(): void {
  play((audio) => {
    for (const at of [0, 0.07, 0.16, 0.23, 0.33]) noise(audio, { pitch: 1500, at, length: 0.05, loud: 0.22 });
  });
}

/** A coin. */
export function clink(): void {
  play((audio) => {
    tone(audio, { pitch: 1976, at: 0, length: 0.25, loud: 0.06 });
    tone(audio, { pitch: 2637, at: 0.06, length: 0.4, loud: 0.06 });
  });
}

interface Sound {
  pitch: number;
  at: number;
  length: number;
  loud: number;
}

function play(make: (audio: AudioContext) => void): void {
  if (!settings.sound || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  make(context);
}

function tone(audio: AudioContext, { pitch, at, length, loud }: Sound): void {
  const source = new OscillatorNode(audio, { type: "triangle", frequency: pitch });
  source.connect(fading(audio, at, length, loud));
  source.start(audio.currentTime + at);
  source.stop(audio.currentTime + at + length);
}

function noise(audio: AudioContext, { pitch, at, length, loud }: Sound): void {
  const buffer = audio.createBuffer(1, Math.ceil(audio.sampleRate * length), audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let index = 0; index < samples.length; index += 1) samples[index] = Math.random() * 2 - 1;
  const source = new AudioBufferSourceNode(audio, { buffer });
  const body = new BiquadFilterNode(audio, { type: "bandpass", frequency: pitch, Q: 4 });
  source.connect(body).connect(fading(audio, at, length, loud));
  source.start(audio.currentTime + at);
}

function fading(audio: AudioContext, at: number, length: number, loud: number): GainNode {
  const start = audio.currentTime + at;
  const gain = new GainNode(audio, { gain: 0 });
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(loud, start + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.001, start + length);
  gain.connect(audio.destination);
  return gain;
}
