import { Readable } from 'node:stream'
import { createInflate } from 'node:zlib'
import { BrokenImageError, type PictureInRows, requireMemory, type StoredSize } from './picture.ts'
import { pngChunks } from './png-header.ts'
import { expanderOf, type PngForm, pngFormOf } from './png-pixels.ts'

/** Limit of a picture that is decoded: a larger one would keep a Worker busy for seconds, although in short turns. */
const MAX_PIXELS = 25_000_000
/** Limit up to which the codec, which decodes a picture in one turn, is fast enough. */
const MAX_CODEC_PIXELS = 1_000_000
/** The same limit for an interlaced picture: `halfOf` one that is smaller would be too small for a thumbnail. */
const MAX_CODEC_INTERLACED_PIXELS = 2_000_000

/** Bytes of the compressed stream that are decompressed at a time. */
const COMPRESSED_CHUNK = 16 * 1024
/** Limit of the decompressed bytes that come at a time. */
const DECOMPRESSED_CHUNK = 64 * 1024

/** The first five of seven passes: where each begins, and how far its pixels are apart. Source: PNG, third edition. */
const FIRST_PASSES = [
  { left: 0, top: 0, across: 8, down: 8 },
  { left: 4, top: 0, across: 8, down: 8 },
  { left: 0, top: 4, across: 4, down: 8 },
  { left: 2, top: 0, across: 4, down: 4 },
  { left: 0, top: 2, across: 2, down: 4 },
]

/**
 * Returns a PNG that is decoded row by row because it would take the codec too long; undefined for a smaller one.
 * @throws BrokenImageError
 */
export function largePng(bytes: Uint8Array, { width, height }: StoredSize): PictureInRows | undefined {
  const pixels = width * height
  if (pixels <= MAX_CODEC_PIXELS) return undefined
  if (pixels > MAX_PIXELS) throw new BrokenImageError('The picture is too large')
  const form = pngFormOf(bytes)
  return form.isInterlaced && pixels <= MAX_CODEC_INTERLACED_PIXELS ? undefined : pngInRows(bytes, form)
}

/** Returns the rows of a PNG; those of an interlaced one at half its size. @throws BrokenImageError */
export function pngInRows(bytes: Uint8Array, form: PngForm): PictureInRows {
  return form.isInterlaced ? halfOf(bytes, form) : wholeOf(bytes, form)
}

function wholeOf(bytes: Uint8Array, form: PngForm): PictureInRows {
  const { width, height } = form
  const expand = expanderOf(form)
  // The rows are those of the stream; the last summand is a row of pixels.
  requireMemory(2 * DECOMPRESSED_CHUNK + 3 * form.rowBytes(width) + 4 * width)
  return {
    width,
    height,
    async *rows(turns) {
      const stream = new DecompressedRows(bytes, form)
      const pixels = new Uint8Array(width * 4)
      for (let y = 0; y < height; y += 1) {
        expand(await stream.next(width), width, pixels)
        yield { data: pixels, start: 0 }
        await turns.after(width)
      }
      stream.end()
    },
  }
}

/** Returns every second pixel of every second row, which the first five passes contain: enough for a thumbnail of a large picture. */
function halfOf(bytes: Uint8Array, form: PngForm): PictureInRows {
  const [width, height] = [Math.ceil(form.width / 2), Math.ceil(form.height / 2)]
  const expand = expanderOf(form)
  requireMemory(2 * DECOMPRESSED_CHUNK + 3 * form.rowBytes(form.width) + 4 * width * (height + 1))
  return {
    width,
    height,
    async *rows(turns) {
      const stream = new DecompressedRows(bytes, form)
      const pixels = new Uint32Array(width * height)
      const ofPass = new Uint32Array(width)
      for (const { left, top, across, down } of FIRST_PASSES) {
        const count = Math.ceil((form.width - left) / across)
        stream.beginPass()
        for (let y = top; y < form.height && count > 0; y += down) {
          expand(await stream.next(count), count, new Uint8Array(ofPass.buffer))
          const to = (y / 2) * width + left / 2
          for (let x = 0; x < count; x += 1) pixels[to + (x * across) / 2] = ofPass[x]!
          await turns.after(count)
        }
      }
      stream.end()
      const data = new Uint8Array(pixels.buffer)
      for (let y = 0; y < height; y += 1) {
        yield { data, start: y * width * 4 }
        await turns.after(width)
      }
    },
  }
}

/** Reads the rows of a PNG from its compressed stream and undoes their filters. */
class DecompressedRows {
  readonly #form: PngForm
  readonly #inflate = createInflate({ chunkSize: DECOMPRESSED_CHUNK })
  readonly #chunks: AsyncIterator<Uint8Array>
  #held: Uint8Array = new Uint8Array(0)
  /** The present row and the one above it, each with its filter as the first byte. */
  #row: Uint8Array
  #above: Uint8Array

  constructor(bytes: Uint8Array, form: PngForm) {
    this.#form = form
    this.#row = new Uint8Array(1 + form.rowBytes(form.width))
    this.#above = new Uint8Array(this.#row.length)
    const compressed = Readable.from(compressedStream(bytes))
    // The reader of the rows gets the error.
    compressed.on('error', (error) => this.#inflate.destroy(error)).pipe(this.#inflate)
    this.#chunks = this.#inflate[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  }

  /** Begins a pass: its first row has none above it. */
  beginPass(): void {
    this.#row.fill(0)
  }

  /** Returns the bytes of the next row, which has `width` pixels; they are valid until the next call. @throws BrokenImageError */
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
    const { value, done } = await this.#chunks.next().catch((error: unknown) => {
      throw new BrokenImageError('The stream of the picture is broken', { cause: error })
    })
    if (done) throw new BrokenImageError('The picture ends too early')
    return value
  }
}

/** Yields the compressed stream, which the file holds in several `IDAT` chunks: small ones together, since each part costs time. */
function* compressedStream(bytes: Uint8Array): Generator<Uint8Array> {
  const part = new Uint8Array(COMPRESSED_CHUNK)
  let length = 0
  for (const { type, start, end } of pngChunks(bytes)) {
    if (type !== 'IDAT') continue
    for (let at = start; at < end; ) {
      const taken = bytes.subarray(at, Math.min(at + COMPRESSED_CHUNK - length, end))
      part.set(taken, length)
      length += taken.length
      at += taken.length
      if (length === COMPRESSED_CHUNK) {
        yield part.slice()
        length = 0
      }
    }
  }
  if (length > 0) yield part.slice(0, length)
}

/** Undoes the filter of a row, whose number is the first byte. @throws BrokenImageError */
function unfilter(row: Uint8Array, above: Uint8Array, length: number, pixelBytes: number): void {
  const filter = row[0]!
  // Index of the second pixel; the first has none before it.
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

/** Returns the Paeth predictor: of the three neighbours the one nearest to `before + above - between`. */
function nearest(before: number, above: number, between: number): number {
  const [toBefore, toAbove] = [Math.abs(above - between), Math.abs(before - between)]
  const toBetween = Math.abs(before + above - 2 * between)
  if (toBefore <= toAbove && toBefore <= toBetween) return before
  return toAbove <= toBetween ? above : between
}
