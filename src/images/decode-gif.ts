import { type GifFrame, gifFrames } from './gif-header.ts'
import { LzwCodes } from './lzw-codes.ts'
import { BrokenImageError, type Decode, requireSmallEnough } from './picture.ts'

const OPAQUE = 0xff

/** The passes of a frame: the first row of each, and how far its rows are apart. Source: GIF89a, appendix E. */
const IN_ORDER = [{ first: 0, step: 1 }]
const INTERLACED = [
  { first: 0, step: 8 },
  { first: 4, step: 8 },
  { first: 2, step: 4 },
  { first: 1, step: 2 },
]

/**
 * Decodes the first frame of a GIF, on a canvas that is transparent where the frame does not reach. It is our own: omggif, gifuct-js and
 * modern-gif follow codes that are not made yet in a circle, for ever.
 */
export const decodeGif: Decode = (bytes, canvas) => {
  const first = gifFrames(bytes).next()
  const frame = first.done ? undefined : first.value
  if (!frame || frame.width === 0 || frame.height === 0) throw new BrokenImageError('No frame')
  // The canvas grows with a frame that lies outside.
  const width = Math.max(canvas.width, frame.left + frame.width)
  const height = Math.max(canvas.height, frame.top + frame.height)
  requireSmallEnough({ width, height })
  const pixels = new Uint32Array(width * height)
  const colors = colorsOf(frame)
  const codes = new LzwCodes(bytes, frame.start)
  const row = new Uint8Array(frame.width)
  for (const { first, step } of frame.isInterlaced ? INTERLACED : IN_ORDER) {
    for (let y = first; y < frame.height; y += step) {
      codes.read(row)
      const start = (frame.top + y) * width + frame.left
      for (let x = 0; x < row.length; x += 1) pixels[start + x] = colors[row[x]!]!
    }
  }
  return { width, height, data: new Uint8ClampedArray(pixels.buffer) }
}

/** Returns the pixels of a frame's colours by their number; those that it does not have are not seen. */
function colorsOf({ colors, unseen }: GifFrame): Uint32Array {
  const bytes = new Uint8Array(256 * 4)
  for (let from = 0, to = 0; from + 3 <= colors.length; from += 3, to += 4) {
    bytes.set(colors.subarray(from, from + 3), to)
    bytes[to + 3] = OPAQUE
  }
  const pixels = new Uint32Array(bytes.buffer)
  if (unseen !== undefined) pixels[unseen] = 0
  return pixels
}
