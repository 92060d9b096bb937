/** What an image is by its first bytes; what its sender calls it is not asked. */
export interface ImageType {
  /** Ending of its address. */
  readonly ending: 'png' | 'jpg' | 'gif' | 'webp'
  /** It moves. */
  readonly isAnimated: boolean
}

/** Undefined for anything that is no image browsers and apps of all kinds can show. */
export function imageTypeOf(bytes: Uint8Array): ImageType | undefined {
  const latin = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to))
  if (latin(0, 8) === '\x89PNG\r\n\x1a\n' && latin(12, 16) === 'IHDR') {
    return { ending: 'png', isAnimated: false }
  }
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return { ending: 'jpg', isAnimated: false }
  if (/^GIF8[79]a$/.test(latin(0, 6))) {
    const first = firstGifFrame(bytes)
    return first && { ending: 'gif', isAnimated: first.hasMore }
  }
  if (latin(0, 4) === 'RIFF' && latin(8, 12) === 'WEBP') return { ending: 'webp', isAnimated: false }
  return undefined
}

/** A moving GIF as a picture that stands still: all up to the end of its first frame. */
export function stillGif(bytes: Uint8Array): Uint8Array {
  const first = firstGifFrame(bytes)
  if (!first) return bytes
  const still = new Uint8Array(first.end + 1)
  still.set(bytes.subarray(0, first.end))
  still[first.end] = TRAILER
  return still
}

const EXTENSION = 0x21
const FRAME = 0x2c
const TRAILER = 0x3b

/** Where the first frame of a GIF ends, and whether another follows; undefined when it is cut off. */
function firstGifFrame(bytes: Uint8Array): { readonly end: number; readonly hasMore: boolean } | undefined {
  let at = 13 + colorTableLength(bytes[10] ?? 0)
  let end: number | undefined
  while (at < bytes.length) {
    const block = bytes[at]
    if (block === EXTENSION) at = afterSubBlocks(bytes, at + 2)
    else if (block === FRAME && end !== undefined) return { end, hasMore: true }
    else if (block === FRAME) {
      at = afterSubBlocks(bytes, at + 11 + colorTableLength(bytes[at + 9] ?? 0))
      if (at > bytes.length) return undefined
      end = at
    } else break
  }
  return end === undefined ? undefined : { end, hasMore: false }
}

function colorTableLength(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1)
}

/** Data comes in pieces, each with its length before it; an empty one is the last. */
function afterSubBlocks(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length && bytes[at] !== 0) at += bytes[at]! + 1
  return at + 1
}
