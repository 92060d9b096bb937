import type { StoredSize } from './picture.ts'
import { hasLetters, uint16 } from './read-bytes.ts'

/** A frame of a GIF: its position on the canvas, and where it is in the file. */
export interface GifFrame extends StoredSize {
  readonly left: number
  readonly top: number
  /** Whether its rows come in four passes. */
  readonly isInterlaced: boolean
  /** Red, green and blue of each of its colours, a byte each. */
  readonly colors: Uint8Array
  /** The number of the colour that is not seen. */
  readonly unseen: number | undefined
  /** The position of its compressed pixels, and their end. */
  readonly start: number
  readonly end: number
}

const EXTENSION = 0x21
/** The extension that says how the next frame is shown. */
const CONTROL = 0xf9
const FRAME = 0x2c
/** The last byte of a file. */
const TRAILER = 0x3b
/** Blocks of data that are looked at. Those of a large file have up to 255 bytes each. */
const MAX_BLOCKS = 1_000_000

/** Reads the size of a GIF; undefined when it is none. */
export function readGifSize(bytes: Uint8Array): StoredSize | undefined {
  const isGif = hasLetters(bytes, 0, 'GIF87a') || hasLetters(bytes, 0, 'GIF89a')
  if (!isGif || bytes.length < 13) return undefined
  return { width: uint16(bytes, 6, true), height: uint16(bytes, 8, true) }
}

/**
 * Whether a GIF has one frame at most. Of the beginning of a file this is known only if the file ends there: another
 * frame may follow otherwise.
 */
export function isStillGif(bytes: Uint8Array): boolean {
  const frames = gifFrames(bytes)
  const first = frames.next()
  const second = first.done ? first : frames.next()
  return second.done === true && second.value
}

/**
 * Yields the frames in order, each as soon as its beginning is found, however much of the rest is there. Returns whether
 * the file's end was reached.
 */
export function* gifFrames(bytes: Uint8Array): Generator<GifFrame, boolean> {
  let at = 13 + colorBytes(bytes[10] ?? 0)
  const ofAll = bytes.subarray(13, at)
  let unseen: number | undefined
  let blocks = 0
  /** Returns the position after data that comes in blocks, each preceded by its length; an empty one is the last. */
  const afterBlocks = (from: number): number => {
    let to = from
    for (; to < bytes.length; to += bytes[to]! + 1) {
      blocks += 1
      if (blocks > MAX_BLOCKS) return bytes.length
      if (bytes[to] === 0) break
    }
    return to + 1
  }
  while (at < bytes.length) {
    if (bytes[at] === EXTENSION) {
      if (bytes[at + 1] === CONTROL) unseen = ((bytes[at + 3] ?? 0) & 1) === 1 ? bytes[at + 6] : undefined
      at = afterBlocks(at + 2)
    } else if (bytes[at] === FRAME) {
      const flags = bytes[at + 9] ?? 0
      const start = at + 10 + colorBytes(flags)
      if (start >= bytes.length) return false
      const end = afterBlocks(start + 1)
      yield {
        left: uint16(bytes, at + 1, true),
        top: uint16(bytes, at + 3, true),
        width: uint16(bytes, at + 5, true),
        height: uint16(bytes, at + 7, true),
        isInterlaced: (flags & 0x40) !== 0,
        colors: colorBytes(flags) === 0 ? ofAll : bytes.subarray(at + 10, start),
        unseen,
        start,
        end: Math.min(end, bytes.length),
      }
      at = end
      unseen = undefined
    } else return bytes[at] === TRAILER
  }
  return false
}

/** Returns the bytes of the table of colours that these flags declare. */
function colorBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1)
}
