/** Sounds made on the spot: two soft wooden tones. Browsers stay silent until the visitor has touched the page. */
let context: AudioContext | null = null;

export function chime(): void {
  if (!navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  tone(context, 523.25, 0);
  tone(context, 784, 0.13);
}

function tone(audio: AudioContext, pitch: number, delay: number): void {
  const start = audio.currentTime + delay;
  const oscillator = new OscillatorNode(audio, { type: "triangle", frequency: pitch });
  const gain = new GainNode(audio, { gain: 0 });
  gain.gain.linearRampToValueAtTime(0.12, start + 0.01);
  gain.gain.exponentialRampToValueAtTime(0.001, start + 0.45);
  oscillator.connect(gain).connect(audio.destination);
  oscillator.start(start);
  oscillator.stop(start + 0.5);
}
