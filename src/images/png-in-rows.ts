import { Readable } from 'node:stream'
import { createInflate } from 'node:zlib'
import { BrokenImageError, type PictureInRows, requireMemory, type StoredSize } from './picture.ts'
import { pngChunks } from './png-header.ts'
import { expanderOf, type PngForm, pngFormOf } from './png-pixels.ts'

/** Larger pictures are left alone: to draw one would keep a Worker busy for seconds, if in short turns. */
const MAX_PIXELS = 25_000_000
/** Up to so many pixels the codec, which draws in one go, is quick enough. */
const QUICK_PIXELS = 1_000_000
/** The same of one in seven passes: of half its size no thumbnail could be made. */
const QUICK_PASSES_PIXELS = 2_000_000

/** The bytes of the stream that are unpacked at a time, and the most that come of them at a time. */
const PIECE = 16 * 1024
const UNPACKED = 64 * 1024

/** Where each of the first five passes of seven begins, and how far its pixels are apart. Source: PNG, third edition. */
const FIRST_PASSES = [
  { left: 0, top: 0, across: 8, down: 8 },
  { left: 4, top: 0, across: 8, down: 8 },
  { left: 0, top: 4, across: 4, down: 8 },
  { left: 2, top: 0, across: 4, down: 4 },
  { left: 0, top: 2, across: 2, down: 4 },
]

/** A PNG that takes so long to decode that it is drawn row by row; undefined for another. @throws BrokenImageError */
export function largePng(bytes: Uint8Array, { width, height }: StoredSize): PictureInRows | undefined {
  const pixels = width * height
  if (pixels <= QUICK_PIXELS) return undefined
  if (pixels > MAX_PIXELS) throw new BrokenImageError('The picture is too large')
  const form = pngFormOf(bytes)
  return form.isInterlaced && pixels <= QUICK_PASSES_PIXELS ? undefined : pngInRows(bytes, form)
}

/** Of one in seven passes, half its size. @throws BrokenImageError */
export function pngInRows(bytes: Uint8Array, form: PngForm): PictureInRows {
  return form.isInterlaced ? halfOf(bytes, form) : wholeOf(bytes, form)
}

function wholeOf(bytes: Uint8Array, form: PngForm): PictureInRows {
  const { width, height } = form
  const expand = expanderOf(form)
  // The row that comes, the one before, as it lies in the stream, and as pixels.
  requireMemory(bytes.length + 2 * UNPACKED + 3 * form.rowBytes(width) + 4 * width)
  return {
    width,
    height,
    async *rows() {
      const stream = new UnpackedRows(bytes, form)
      const pixels = new Uint8Array(width * 4)
      for (let y = 0; y < height; y += 1) {
        expand(await stream.next(width), width, pixels)
        yield { data: pixels, start: 0 }
      }
      stream.end()
    },
  }
}

/** Every second pixel of every second row, which the first five passes hold: enough of a large picture. */
function halfOf(bytes: Uint8Array, form: PngForm): PictureInRows {
  const [width, height] = [Math.ceil(form.width / 2), Math.ceil(form.height / 2)]
  const expand = expanderOf(form)
  requireMemory(bytes.length + 2 * UNPACKED + 3 * form.rowBytes(form.width) + 4 * width * (height + 1))
  return {
    width,
    height,
    async *rows() {
      const stream = new UnpackedRows(bytes, form)
      const pixels = new Uint32Array(width * height)
      const ofPass = new Uint32Array(width)
      for (const { left, top, across, down } of FIRST_PASSES) {
        const count = Math.ceil((form.width - left) / across)
        stream.beginPass()
        for (let y = top; y < form.height && count > 0; y += down) {
          expand(await stream.next(count), count, new Uint8Array(ofPass.buffer))
          const to = (y / 2) * width + left / 2
          for (let x = 0; x < count; x += 1) pixels[to + (x * across) / 2] = ofPass[x]!
          yield undefined
        }
      }
      stream.end()
      const data = new Uint8Array(pixels.buffer)
      for (let y = 0; y < height; y += 1) yield { data, start: y * width * 4 }
    },
  }
}

/** The rows of a PNG as they lie in its stream, with no filter left on them. */
class UnpackedRows {
  readonly #form: PngForm
  readonly #inflate = createInflate({ chunkSize: UNPACKED })
  readonly #pieces: AsyncIterator<Uint8Array>
  #held: Uint8Array = new Uint8Array(0)
  /** The row that is read, and the one above, each with its filter before it. */
  #row: Uint8Array
  #above: Uint8Array

  constructor(bytes: Uint8Array, form: PngForm) {
    this.#form = form
    this.#row = new Uint8Array(1 + form.rowBytes(form.width))
    this.#above = new Uint8Array(this.#row.length)
    const packed = Readable.from(piecesOf(bytes))
    // What goes wrong is thrown where it is read.
    packed.on('error', (error) => this.#inflate.destroy(error)).pipe(this.#inflate)
    this.#pieces = this.#inflate[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  }

  /** The next row, of so many pixels, is the first of a pass: there is none above it. */
  beginPass(): void {
    this.#row.fill(0)
  }

  /** The bytes of the next row, which stay until the one after is asked for. @throws BrokenImageError */
  async next(width: number): Promise<Uint8Array> {
    ;[this.#row, this.#above] = [this.#above, this.#row]
    const length = 1 + this.#form.rowBytes(width)
    let filled = 0
    while (filled < length) {
      if (this.#held.length === 0) this.#held = await this.#more()
      const taken = this.#held.subarray(0, length - filled)
      this.#row.set(taken, filled)
      filled += taken.length
      this.#held = this.#held.subarray(taken.length)
    }
    unfilter(this.#row, this.#above, length, this.#form.pixelBytes)
    return this.#row.subarray(1, length)
  }

  end(): void {
    this.#inflate.destroy()
  }

  async #more(): Promise<Uint8Array> {
    const { value, done } = await this.#pieces.next().catch((error: unknown) => {
      throw new BrokenImageError('The stream of the picture is broken', { cause: error })
    })
    if (done) throw new BrokenImageError('The picture ends too early')
    return value
  }
}

/** The stream, which lies in several chunks. */
function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (const { type, start, end } of pngChunks(bytes)) {
    if (type !== 'IDAT') continue
    for (let at = start; at < end; at += PIECE) yield bytes.subarray(at, Math.min(at + PIECE, end))
  }
}

/** Adds to each byte what its filter, the first byte of the row, has taken away. @throws BrokenImageError */
function unfilter(row: Uint8Array, above: Uint8Array, length: number, pixelBytes: number): void {
  const filter = row[0]!
  // The first pixel has none before it.
  const second = 1 + pixelBytes
  if (filter === 1) {
    for (let at = second; at < length; at += 1) row[at]! += row[at - pixelBytes]!
  } else if (filter === 2) {
    for (let at = 1; at < length; at += 1) row[at]! += above[at]!
  } else if (filter === 3) {
    for (let at = 1; at < length; at += 1) {
      row[at]! += ((at < second ? 0 : row[at - pixelBytes]!) + above[at]!) >> 1
    }
  } else if (filter === 4) {
    for (let at = 1; at < length; at += 1) {
      row[at]! +=
        at < second ? above[at]! : nearest(row[at - pixelBytes]!, above[at]!, above[at - pixelBytes]!)
    }
  } else if (filter !== 0) throw new BrokenImageError('No such filter')
}

/** Of the pixels before, above and between both the one that is nearest to what a plane through them has here (Paeth). */
function nearest(before: number, above: number, between: number): number {
  const [toBefore, toAbove] = [Math.abs(above - between), Math.abs(before - between)]
  const toBetween = Math.abs(before + above - 2 * between)
  if (toBefore <= toAbove && toBefore <= toBetween) return before
  return toAbove <= toBetween ? above : between
}
