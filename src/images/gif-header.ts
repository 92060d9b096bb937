import type { StoredSize } from './picture.ts'
import { hasLetters, uint16 } from './read-bytes.ts'

/** A frame of a GIF: its position on the canvas and in the file. */
export interface GifFrame extends StoredSize {
  readonly left: number
  readonly top: number
  /** Whether its rows come in four passes. */
  readonly isInterlaced: boolean
  /** Red, green and blue of each of its colours, one byte each. */
  readonly colors: Uint8Array
  /** The number of the transparent colour. */
  readonly unseen: number | undefined
  /** The start and end of its compressed pixels. */
  readonly start: number
  readonly end: number
}

const EXTENSION = 0x21
/** The extension about the display of the next frame. */
const CONTROL = 0xf9
const FRAME = 0x2c
/** The last byte of a file. */
const TRAILER = 0x3b
/** Limit of the data blocks read. Those of a large file have up to 255 bytes each. */
const MAX_BLOCKS = 1_000_000

/** Reads the size of a GIF; undefined for other files. */
export function readGifSize(bytes: Uint8Array): StoredSize | undefined {
  const isGif = hasLetters(bytes, 0, 'GIF87a') || hasLetters(bytes, 0, 'GIF89a')
  if (!isGif || bytes.length < 13) return undefined
  return { width: uint16(bytes, 6, true), height: uint16(bytes, 8, true) }
}

/**
 * Whether a GIF has at most one frame. For the start of a file this is true only if the file ends there: otherwise another frame may
 * follow.
 */
export function isStillGif(bytes: Uint8Array): boolean {
  const frames = gifFrames(bytes)
  const first = frames.next()
  const second = first.done ? first : frames.next()
  return second.done === true && second.value
}

/**
 * Yields the frames in order, each as soon as its start is found, however much of the rest is present. Returns whether the file's end was
 * reached.
 */
export function* gifFrames(bytes: Uint8Array): Generator<GifFrame, boolean> {
  let at = 13 + colorBytes(bytes[10] ?? 0)
  const ofAll = bytes.subarray(13, at)
  let unseen: number | undefined
  let blocks = 0
  /** Returns the position after data in blocks, each preceded by its length; an empty block is the last. */
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

/** Returns the length of the colour table declared by these flags, in bytes. */
function colorBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1)
}
