const HEADER_BYTES = 44

/** Returns sound as a WAV file: one channel of 16-bit samples. `samples`: from -1 to 1. */
export function wavOf(samples: Float32Array, rate: number): ArrayBuffer {
  const bytes = new ArrayBuffer(HEADER_BYTES + samples.length * 2)
  const view = new DataView(bytes)
  const write = (at: number, name: string) => {
    for (let index = 0; index < name.length; index += 1) view.setUint8(at + index, name.charCodeAt(index))
  }
  write(0, 'RIFF')
  view.setUint32(4, bytes.byteLength - 8, true)
  write(8, 'WAVE')
  write(12, 'fmt ')
  view.setUint32(16, 16, true)
  // Plain samples, one channel.
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, rate, true)
  view.setUint32(28, rate * 2, true)
  view.setUint16(32, 2, true)
  view.setUint16(34, 16, true)
  write(36, 'data')
  view.setUint32(40, samples.length * 2, true)
  for (const [index, sample] of samples.entries()) {
    const within = Math.max(-1, Math.min(1, sample))
    view.setInt16(HEADER_BYTES + index * 2, Math.round(within * (within < 0 ? 0x8000 : 0x7fff)), true)
  }
  return bytes
}
