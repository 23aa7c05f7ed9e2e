/** Sounds made on the spot from a few notes: a tone, or a noise that is as high as its body. */
export interface Note {
  kind: "tone" | "noise";
  pitch: number;
  /** Seconds after the sound begins. */
  at: number;
  length: number;
  loud: number;
  /** The pitch that it glides to. */
  to?: number;
  /** Seconds until it is loudest: what is struck comes at once, what blows or rumbles swells. */
  rise?: number;
}

export type Sound = readonly Note[];
type Shape = Pick<Note, "to" | "rise">;

export function tone(pitch: number, at: number, length: number, loud: number, shape: Shape = {}): Note {
  return { kind: "tone", pitch, at, length, loud, ...shape };
}

export function noise(pitch: number, at: number, length: number, loud: number, shape: Shape = {}): Note {
  return { kind: "noise", pitch, at, length, loud, ...shape };
}

/** Something precious, of metal. */
export const CLINK: Sound = [tone(1976, 0, 0.25, 0.06), tone(2637, 0.06, 0.4, 0.06)];

export function sound(audio: BaseAudioContext, notes: Sound, out: AudioNode): void {
  for (const note of notes) {
    const start = audio.currentTime + note.at;
    const source = note.kind === "tone" ? humming(audio, note, start) : hissing(audio, note, start);
    source.connect(fading(audio, note, start)).connect(out);
  }
}

function humming(audio: BaseAudioContext, note: Note, start: number): AudioNode {
  const source = new OscillatorNode(audio, { type: "triangle" });
  glide(source.frequency, note, start);
  source.start(start);
  source.stop(start + note.length);
  return source;
}

function hissing(audio: BaseAudioContext, note: Note, start: number): AudioNode {
  const buffer = audio.createBuffer(1, Math.ceil(audio.sampleRate * note.length), audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let index = 0; index < samples.length; index += 1) samples[index] = Math.random() * 2 - 1;
  const source = new AudioBufferSourceNode(audio, { buffer });
  const body = new BiquadFilterNode(audio, { type: "bandpass", Q: 4 });
  glide(body.frequency, note, start);
  source.connect(body);
  source.start(start);
  return body;
}

function glide(frequency: AudioParam, { pitch, to = pitch, length }: Note, start: number): void {
  frequency.setValueAtTime(pitch, start);
  frequency.exponentialRampToValueAtTime(to, start + length);
}

function fading(audio: BaseAudioContext, { loud, length, rise = 0.008 }: Note, start: number): GainNode {
  const gain = new GainNode(audio, { gain: 0 });
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(loud, start + rise);
  gain.gain.exponentialRampToValueAtTime(0.001, start + length);
  return gain;
}
