import type { StoredSize } from './picture.ts'
import { hasLetters, lettersAt, uint32 } from './read-bytes.ts'

/** A chunk of a PNG: its type, and the position of its data. */
export interface PngChunk {
  readonly type: string
  readonly start: number
  readonly end: number
}

/** Limit of the chunks read; those of large pictures have 8 KiB and more. */
const MAX_CHUNKS = 10_000

const SIGNATURE = '\x89PNG\r\n\x1a\n'

/** Reads the size of a PNG; undefined for other files. */
export function readPngSize(bytes: Uint8Array): StoredSize | undefined {
  if (!hasLetters(bytes, 0, SIGNATURE) || !hasLetters(bytes, 12, 'IHDR') || bytes.length < 24)
    return undefined
  return { width: uint32(bytes, 16), height: uint32(bytes, 20) }
}

/** Yields the first MAX_CHUNKS chunks in order. A truncated one ends with the bytes, and is the last. */
export function* pngChunks(bytes: Uint8Array): Generator<PngChunk> {
  let at = SIGNATURE.length
  for (let count = 0; count < MAX_CHUNKS && at + 8 <= bytes.length; count += 1) {
    const start = at + 8
    const length = uint32(bytes, at)
    yield {
      type: lettersAt(bytes, at + 4),
      start,
      end: Math.min(start + length, bytes.length),
    }
    at = start + length + 4
  }
}

/** Whether a PNG is animated, which it declares before its picture data. */
export function isApng(bytes: Uint8Array): boolean {
  for (const { type } of pngChunks(bytes)) {
    if (type === 'acTL') return true
    if (type === 'IDAT') return false
  }
  return false
}
