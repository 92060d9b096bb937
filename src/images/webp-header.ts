import { BrokenImageError, type StoredSize } from './picture.ts'
import { hasLetters, lettersAt, uint16, uint32 } from './read-bytes.ts'

const ANIMATION = 0x02

/** Reads the size of a WebP; undefined for other files. */
export function readWebpSize(bytes: Uint8Array): StoredSize | undefined {
  if (!hasLetters(bytes, 0, 'RIFF') || !hasLetters(bytes, 8, 'WEBP') || bytes.length < 30) return undefined
  if (hasLetters(bytes, 12, 'VP8X')) {
    return { width: uint24(bytes, 24) + 1, height: uint24(bytes, 27) + 1 }
  }
  if (hasLetters(bytes, 12, 'VP8L') && bytes[20] === 0x2f) {
    const bits = uint32(bytes, 21, true)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if (hasLetters(bytes, 12, 'VP8 ') && hasLetters(bytes, 23, '\x9d\x01\x2a')) {
    return { width: uint16(bytes, 26, true) & 0x3fff, height: uint16(bytes, 28, true) & 0x3fff }
  }
  return undefined
}

export function isAnimatedWebp(bytes: Uint8Array): boolean {
  return hasLetters(bytes, 12, 'VP8X') && ((bytes[20] ?? 0) & ANIMATION) !== 0
}

function uint24(bytes: Uint8Array, at: number): number {
  return uint16(bytes, at, true) + ((bytes[at + 2] ?? 0) << 16)
}

const FRAME_HEAD_BYTES = 16
/**
 * Limit of the chunks read to find the picture or the first frame, which come after a few others. A file may have millions of empty ones.
 */
const MAX_CHUNKS = 100
const ALPHA = 0x10

/** Returns the first frame of an animated WebP as a still picture. @throws BrokenImageError if there is none */
export function firstWebpFrame(bytes: Uint8Array): Uint8Array {
  for (const { type, start, end } of webpChunks(bytes)) {
    if (type !== 'ANMF' || end < start + FRAME_HEAD_BYTES) continue
    const picture = bytes.subarray(start + FRAME_HEAD_BYTES, end)
    const hasAlpha = hasLetters(picture, 0, 'ALPH')
    const head = new Uint8Array(hasAlpha ? 30 : 12)
    const view = new DataView(head.buffer)
    writeLetters(head, 0, 'RIFF')
    view.setUint32(4, head.length - 8 + picture.length, true)
    writeLetters(head, 8, 'WEBP')
    if (hasAlpha) {
      writeLetters(head, 12, 'VP8X')
      view.setUint32(16, 10, true)
      head[20] = ALPHA
      // The size minus one, as stored in the frame.
      head.set(bytes.subarray(start + 6, start + 12), 24)
    }
    const still = new Uint8Array(head.length + picture.length)
    still.set(head)
    still.set(picture, head.length)
    return still
  }
  throw new BrokenImageError('No frame')
}

function* webpChunks(bytes: Uint8Array): Generator<{ type: string; start: number; end: number }> {
  let at = 12
  for (let count = 0; count < MAX_CHUNKS && at + 8 <= bytes.length; count += 1) {
    const start = at + 8
    const length = uint32(bytes, at + 4, true)
    yield {
      type: lettersAt(bytes, at),
      start,
      end: Math.min(start + length, bytes.length),
    }
    at = start + length + (length & 1)
  }
}

function writeLetters(bytes: Uint8Array, at: number, letters: string): void {
  for (let index = 0; index < letters.length; index += 1) bytes[at + index] = letters.charCodeAt(index)
}
