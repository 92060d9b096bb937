import { Inflate } from 'fflate'
import { BrokenImageError, type Decode, type RowTaker } from './picture-rows.ts'
import { unfilterPngRow } from './png-filters.ts'
import { pngChunks } from './png-header.ts'
import { expandPngRow, type PngFormat } from './png-pixels.ts'
import { uint32 } from './read-bytes.ts'

/** So much is inflated at once: a row of zeros takes a thousandth of its size. */
const PIECE_BYTES = 4_096
/** The head of a zlib stream; what follows is plain deflate. */
const ZLIB_HEAD_BYTES = 2

/** The columns and rows of a pass: where they begin, and how far they are from each other. */
type Pass = readonly [left: number, top: number, stepX: number, stepY: number]

const ONE_PASS: readonly Pass[] = [[0, 0, 1, 1]]
const SEVEN_PASSES: readonly Pass[] = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
]

/** Any PNG; of one that moves the picture shown by what does not know of that. Checksums are not looked at. */
export const decodePng: Decode = (bytes, _wanted, open) => {
  const header = { width: uint32(bytes, 16), height: uint32(bytes, 20) }
  let palette: Uint8Array | undefined
  let transparency: Uint8Array | undefined
  let rows: PngRows | undefined
  const inflate = new Inflate((piece) => rows?.feed(piece))
  let toSkip = ZLIB_HEAD_BYTES
  for (const { type, start, end } of pngChunks(bytes)) {
    const data = bytes.subarray(start, end)
    if (type === 'PLTE') palette = data
    else if (type === 'tRNS') transparency = data
    else if (type === 'IDAT') {
      rows ??= new PngRows(readFormat(bytes, palette, transparency), header, bytes[28] === 1, open(header))
      const stream = data.subarray(toSkip)
      toSkip = Math.max(toSkip - data.length, 0)
      for (let at = 0; at < stream.length && !rows.isComplete; at += PIECE_BYTES) {
        pushInto(inflate, stream.subarray(at, at + PIECE_BYTES))
      }
      if (rows.isComplete) return
    } else if (rows) break
  }
  throw new BrokenImageError('The picture ends too early')
}

function pushInto(inflate: Inflate, piece: Uint8Array): void {
  try {
    inflate.push(piece)
  } catch (error) {
    throw error instanceof BrokenImageError
      ? error
      : new BrokenImageError('The stream is broken', { cause: error })
  }
}

function readFormat(bytes: Uint8Array, palette?: Uint8Array, transparency?: Uint8Array): PngFormat {
  const [depth, color, compression, filter, interlace] = bytes.subarray(24, 29)
  const channels = [1, undefined, 3, 1, 2, undefined, 4][color!]
  const depths = color === 0 ? [1, 2, 4, 8, 16] : color === 3 ? [1, 2, 4, 8] : [8, 16]
  if (channels === undefined || !depths.includes(depth!) || compression !== 0 || filter !== 0) {
    throw new BrokenImageError('No such form of PNG')
  }
  if (interlace !== 0 && interlace !== 1) throw new BrokenImageError('No such form of PNG')
  if (color === 3 && !palette) throw new BrokenImageError('The colours are missing')
  return { color: color as PngFormat['color'], depth: depth!, channels, palette, transparency }
}

/** Cuts what comes out of the stream into rows. */
class PngRows {
  readonly #format: PngFormat
  readonly #size: { readonly width: number; readonly height: number }
  readonly #taker: RowTaker
  readonly #passes: Pass[]
  readonly #pixels: Uint8ClampedArray
  #pass: Pass | undefined
  #y = 0
  /** Bytes of a row of this pass; before them stands how it is filtered. */
  #row = new Uint8Array(0)
  #rowBefore = new Uint8Array(0)
  #filled = 0

  constructor(
    format: PngFormat,
    size: { readonly width: number; readonly height: number },
    isInterlaced: boolean,
    taker: RowTaker,
  ) {
    this.#format = format
    this.#size = size
    this.#taker = taker
    this.#passes = [...(isInterlaced ? SEVEN_PASSES : ONE_PASS)]
    this.#pixels = new Uint8ClampedArray(size.width * 4)
    this.#toNextPass()
  }

  get isComplete(): boolean {
    return this.#pass === undefined
  }

  feed(piece: Uint8Array): void {
    let rest = piece
    while (rest.length > 0 && this.#pass) {
      const part = rest.subarray(0, this.#row.length - this.#filled)
      this.#row.set(part, this.#filled)
      this.#filled += part.length
      rest = rest.subarray(part.length)
      if (this.#filled === this.#row.length) this.#finishRow(this.#pass)
    }
  }

  #finishRow([left, , stepX, stepY]: Pass): void {
    const { channels, depth } = this.#format
    unfilterPngRow(this.#row, this.#rowBefore, Math.max((channels * depth) >> 3, 1))
    const count = Math.ceil((this.#size.width - left) / stepX)
    expandPngRow(this.#format, this.#row, count, this.#pixels)
    this.#taker.take(this.#y, this.#pixels, left, stepX, count)
    const before = this.#rowBefore
    this.#rowBefore = this.#row
    this.#row = before
    this.#filled = 0
    this.#y += stepY
    if (this.#y >= this.#size.height) this.#toNextPass()
  }

  #toNextPass(): void {
    const { width, height } = this.#size
    this.#pass = this.#passes.shift()
    while (this.#pass && (this.#pass[0] >= width || this.#pass[1] >= height))
      this.#pass = this.#passes.shift()
    if (!this.#pass) return
    const [left, top, stepX] = this.#pass
    const bits = Math.ceil((width - left) / stepX) * this.#format.channels * this.#format.depth
    const length = 1 + Math.ceil(bits / 8)
    this.#row = new Uint8Array(length)
    this.#rowBefore = new Uint8Array(length)
    this.#y = top
  }
}
