interface Tone {
  readonly hertz: number
  /** Seconds. */
  readonly at: number
  readonly lasts: number
}

/** The sounds by their names in the API, synthesized so that nothing has to be loaded. */
const SOUNDS: Readonly<Record<string, readonly Tone[]>> = {
  // Two short tones, a fifth apart.
  zulip: [
    { hertz: 660, at: 0, lasts: 0.16 },
    { hertz: 990, at: 0.11, lasts: 0.16 },
  ],
  // A bell: its tone, and two above that die away sooner.
  ding: [
    { hertz: 880, at: 0, lasts: 0.7 },
    { hertz: 1_760, at: 0, lasts: 0.35 },
    { hertz: 2_640, at: 0, lasts: 0.18 },
  ],
}
const LOUDNESS = 0.12

let context: AudioContext | undefined

/** Plays a sound; none for `none`, and the usual one for a name that this page does not know. Browsers allow it after the first click. */
export function playSound(name: string): void {
  if (name === 'none' || typeof AudioContext === 'undefined') return
  context ??= new AudioContext()
  const { currentTime, destination } = context
  const tones = SOUNDS[name] ?? SOUNDS.zulip!
  for (const [index, { hertz, at, lasts }] of tones.entries()) {
    const begin = currentTime + at
    const tone = new OscillatorNode(context, { frequency: hertz, type: 'sine' })
    const volume = new GainNode(context, { gain: 0 })
    const loudness = name === 'ding' ? LOUDNESS / (index + 1) : LOUDNESS
    volume.gain.setValueAtTime(0, begin)
    volume.gain.linearRampToValueAtTime(loudness, begin + 0.01)
    volume.gain.exponentialRampToValueAtTime(0.001, begin + lasts)
    tone.connect(volume).connect(destination)
    tone.start(begin)
    tone.stop(begin + lasts)
  }
}
