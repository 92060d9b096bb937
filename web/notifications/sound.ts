/** Two short tones a fifth apart, synthesized so that nothing has to be loaded. */
const TONES = [
  { hertz: 660, at: 0 },
  { hertz: 990, at: 0.11 },
] as const
const SECONDS = 0.16
const LOUDNESS = 0.12

let context: AudioContext | undefined

/**
 * Plays the one sound for every sound that a setting may name; `none` is silence. Browsers allow it after the
 * first click.
 */
export function playSound(name: string): void {
  if (name === 'none' || typeof AudioContext === 'undefined') return
  context ??= new AudioContext()
  const { currentTime, destination } = context
  for (const { hertz, at } of TONES) {
    const begin = currentTime + at
    const tone = new OscillatorNode(context, { frequency: hertz, type: 'sine' })
    const volume = new GainNode(context, { gain: 0 })
    volume.gain.setValueAtTime(0, begin)
    volume.gain.linearRampToValueAtTime(LOUDNESS, begin + 0.01)
    volume.gain.exponentialRampToValueAtTime(0.001, begin + SECONDS)
    tone.connect(volume).connect(destination)
    tone.start(begin)
    tone.stop(begin + SECONDS)
  }
}
