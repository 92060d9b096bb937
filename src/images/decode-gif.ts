import { type GifFrame, gifFrames, readGifSize } from './gif-header.ts'
import { gifIndexes } from './gif-indexes.ts'
import { BrokenImageError, type Decode, requireDecodable } from './picture-rows.ts'

/** Rows of an interlaced frame, in the order in which they are written: from where, how far apart. */
const INTERLACED = [
  [0, 8],
  [4, 8],
  [2, 4],
  [1, 2],
] as const

/** The first frame of a GIF, on a canvas that is transparent where it does not reach. */
export const decodeGif: Decode = (bytes, _wanted, open) => {
  const { value: frame } = gifFrames(bytes).next()
  if (!frame || frame.width === 0 || frame.height === 0) throw new BrokenImageError('No frame')
  requireDecodable(frame)
  const canvas = open(readGifSize(bytes)!)
  const indexes = gifIndexes(bytes, frame.dataAt)
  const row = new Uint8ClampedArray(frame.width * 4)
  let filled = 0
  const ys = rowsOf(frame)
  let y = ys.next().value
  for (const piece of indexes) {
    for (const index of piece) {
      if (y === undefined) return
      writeColor(bytes, frame, index, row, filled * 4)
      filled += 1
      if (filled < frame.width) continue
      canvas.take(frame.top + y, row, frame.left, 1, frame.width)
      filled = 0
      y = ys.next().value
    }
  }
  if (y !== undefined) throw new BrokenImageError('The frame ends too early')
}

function* rowsOf({ height, isInterlaced }: GifFrame): Generator<number, undefined> {
  for (const [from, step] of isInterlaced ? INTERLACED : [[0, 1] as const]) {
    for (let y = from; y < height; y += step) yield y
  }
}

function writeColor(
  bytes: Uint8Array,
  { colorsAt, colorCount, transparent }: GifFrame,
  index: number,
  row: Uint8ClampedArray,
  to: number,
): void {
  const isKnown = index < colorCount
  row[to] = isKnown ? bytes[colorsAt + index * 3]! : 0
  row[to + 1] = isKnown ? bytes[colorsAt + index * 3 + 1]! : 0
  row[to + 2] = isKnown ? bytes[colorsAt + index * 3 + 2]! : 0
  row[to + 3] = index === transparent ? 0 : 255
}
