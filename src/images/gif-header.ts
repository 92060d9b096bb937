import { hasLetters, uint16 } from './read-bytes.ts'
import type { StoredSize } from './stored-size.ts'

/** A frame of a GIF: where it lies on the canvas, and where its data lies. */
export interface GifFrame extends StoredSize {
  readonly left: number
  readonly top: number
  readonly isInterlaced: boolean
  /** Where its colours stand, three bytes each, and how many. */
  readonly colorsAt: number
  readonly colorCount: number
  /** Which colour lets the ground be seen; −1 for none. */
  readonly transparent: number
  /** Where its pixels begin: the size of a code, then pieces. */
  readonly dataAt: number
}

const EXTENSION = 0x21
const TRANSPARENCY = 0xf9
const FRAME = 0x2c

/** Undefined for what is no GIF. */
export function readGifSize(bytes: Uint8Array): StoredSize | undefined {
  const isGif = hasLetters(bytes, 0, 'GIF87a') || hasLetters(bytes, 0, 'GIF89a')
  if (!isGif || bytes.length < 13) return undefined
  return { width: uint16(bytes, 6, true), height: uint16(bytes, 8, true) }
}

export function isAnimatedGif(bytes: Uint8Array): boolean {
  const frames = gifFrames(bytes)
  return !frames.next().done && !frames.next().done
}

/** The frames in order, each as its beginning is found, however much of the rest is there. */
export function* gifFrames(bytes: Uint8Array): Generator<GifFrame> {
  const globalCount = colorCountOf(bytes[10] ?? 0)
  let at = 13 + 3 * globalCount
  let transparent = -1
  while (at < bytes.length) {
    const block = bytes[at]
    if (block === EXTENSION) {
      if (bytes[at + 1] === TRANSPARENCY) transparent = (bytes[at + 3] ?? 0) & 1 ? (bytes[at + 6] ?? -1) : -1
      at = afterPieces(bytes, at + 2)
    } else if (block === FRAME) {
      const flags = bytes[at + 9] ?? 0
      const ownCount = colorCountOf(flags)
      const dataAt = at + 10 + 3 * ownCount
      if (dataAt >= bytes.length) return
      yield {
        left: uint16(bytes, at + 1, true),
        top: uint16(bytes, at + 3, true),
        width: uint16(bytes, at + 5, true),
        height: uint16(bytes, at + 7, true),
        isInterlaced: (flags & 0x40) !== 0,
        colorsAt: ownCount > 0 ? at + 10 : 13,
        colorCount: ownCount > 0 ? ownCount : globalCount,
        transparent,
        dataAt,
      }
      transparent = -1
      at = afterPieces(bytes, dataAt + 1)
    } else return
  }
}

function colorCountOf(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 2 ** ((flags & 7) + 1)
}

/** Data comes in pieces, each with its length before it; an empty one is the last. */
function afterPieces(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length && bytes[at] !== 0) at += bytes[at]! + 1
  return at + 1
}
