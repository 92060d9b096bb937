import { type GifFrame, gifFrames } from './gif-header.ts'
import { LzwCodes } from './lzw-codes.ts'
import { BrokenImageError, type PictureInRows, requireMemory, type StoredSize } from './picture.ts'
import type { Turns } from './turns.ts'

/** Limit of a picture that is decoded: a larger one would keep a Worker busy for seconds, although in short turns. */
const MAX_PIXELS = 25_000_000
const OPAQUE = 0xff

/** The four passes of an interlaced frame: the first row of each, and how far its rows are apart. Source: GIF89a, appendix E. */
const PASSES = [
  { first: 0, step: 8 },
  { first: 4, step: 8 },
  { first: 2, step: 4 },
  { first: 1, step: 2 },
]

/**
 * Decodes the first frame of a GIF in rows, on a canvas that is transparent where the frame does not reach.
 * @throws BrokenImageError
 */
export function gifInRows(bytes: Uint8Array, canvas: StoredSize): PictureInRows {
  const first = gifFrames(bytes).next()
  const frame = first.done ? undefined : first.value
  if (!frame || frame.width === 0 || frame.height === 0) throw new BrokenImageError('No frame')
  // The canvas grows with a frame that lies outside.
  const width = Math.max(canvas.width, frame.left + frame.width)
  const height = Math.max(canvas.height, frame.top + frame.height)
  if (width * height > MAX_PIXELS) throw new BrokenImageError('The picture is too large')
  requireMemory((frame.isInterlaced ? frame.width * frame.height : frame.width) + width * 4)
  return {
    width,
    height,
    async *rows(turns) {
      const colors = colorsOf(frame)
      const pixels = new Uint32Array(width)
      const data = new Uint8Array(pixels.buffer)
      let y = 0
      for (; y < frame.top; y += 1) {
        yield { data, start: 0 }
        await turns.after(width)
      }
      for await (const row of numbersOf(bytes, frame, turns)) {
        for (let x = 0; x < row.length; x += 1) pixels[frame.left + x] = colors[row[x]!]!
        yield { data, start: 0 }
        y += 1
        await turns.after(width)
      }
      pixels.fill(0)
      for (; y < height; y += 1) {
        yield { data, start: 0 }
        await turns.after(width)
      }
    },
  }
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

/** Yields the colours' numbers of each row, from the top. Each is valid until the next is asked for. */
async function* numbersOf(bytes: Uint8Array, frame: GifFrame, turns: Turns): AsyncGenerator<Uint8Array> {
  const { width, height, start, isInterlaced } = frame
  const codes = new LzwCodes(bytes, start)
  if (isInterlaced) {
    const all = new Uint8Array(width * height)
    for (const { first, step } of PASSES) {
      for (let y = first; y < height; y += step) {
        codes.read(all.subarray(y * width, (y + 1) * width))
        await turns.after(width)
      }
    }
    for (let y = 0; y < height; y += 1) yield all.subarray(y * width, (y + 1) * width)
  } else {
    const row = new Uint8Array(width)
    for (let y = 0; y < height; y += 1) {
      codes.read(row)
      yield row
    }
  }
}
