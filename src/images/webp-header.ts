import { hasLetters, uint16, uint32 } from './read-bytes.ts'
import type { StoredSize } from './read-image-facts.ts'

const ANIMATION = 0x02

/** Undefined for what is no WebP. */
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
