import { type GifFrame, gifFrames } from './gif-header.ts'
import { BrokenImageError, type Decode, requireSmallEnough } from './picture.ts'

const MAX_CODE_BITS = 12
const MAX_CODES = 1 << MAX_CODE_BITS
const MAX_COLOR_BITS = 8
const NONE = -1
/** Limit of consecutive clear codes: an encoder needs one, and more would only cost time. */
const MAX_FORGOTTEN = 8

/** Reads the compressed pixels of a GIF's frame. Each code stands for a sequence: that of an earlier code, plus one colour. */
class LzwCodes {
  readonly #bytes: Uint8Array
  #at: number
  /** The end of the current block of bytes. */
  #blockEnd: number
  #bits = 0
  #count = 0

  /** The clear code. The next one ends the data; smaller ones are colours. */
  readonly #forget: number
  #size = 0
  /** The next code to be defined. */
  #next = 0
  #previous = NONE
  readonly #prefix = new Uint16Array(MAX_CODES)
  readonly #last = new Uint8Array(MAX_CODES)

  /** Colours read but not yet taken, the next one on top. */
  readonly #stack = new Uint8Array(MAX_CODES + 1)
  #top = 0
  #first = 0

  /** @throws BrokenImageError */
  constructor(bytes: Uint8Array, start: number) {
    const colorBits = bytes[start] ?? 0
    if (colorBits < 1 || colorBits > MAX_COLOR_BITS) throw new BrokenImageError('No such colours')
    this.#bytes = bytes
    this.#at = start + 1
    this.#blockEnd = this.#at
    this.#forget = 1 << colorBits
    this.#forgetCodes()
  }

  /** Fills a row with the numbers of the next colours. @throws BrokenImageError if there are too few */
  read(row: Uint8Array): void {
    for (let x = 0; x < row.length; x += 1) {
      if (this.#top === 0) this.#readSequence()
      this.#top -= 1
      row[x] = this.#stack[this.#top]!
    }
  }

  #readSequence(): void {
    let code = this.#code()
    for (let count = 1; code === this.#forget; count += 1) {
      if (count > MAX_FORGOTTEN) throw new BrokenImageError('The codes are nothing')
      this.#forgetCodes()
      code = this.#code()
    }
    const isNew = code === this.#next && this.#previous !== NONE
    const isKnown = code < this.#next && code !== this.#forget + 1
    if (!(isKnown || isNew)) throw new BrokenImageError('No such code')
    const top = isNew ? 1 : 0
    if (isNew) this.#stack[0] = this.#first
    this.#top = top
    let rest = isNew ? this.#previous : code
    for (; rest >= this.#forget; rest = this.#prefix[rest]!) this.#push(this.#last[rest]!)
    this.#push(rest)
    this.#first = rest
    this.#makeCode()
    this.#previous = code
  }

  #push(color: number): void {
    this.#stack[this.#top] = color
    this.#top += 1
  }

  /** Defines the code for the previous sequence plus the first colour of this one. */
  #makeCode(): void {
    if (this.#previous === NONE || this.#next === MAX_CODES) return
    this.#prefix[this.#next] = this.#previous
    this.#last[this.#next] = this.#first
    this.#next += 1
    if (this.#next === 1 << this.#size && this.#size < MAX_CODE_BITS) this.#size += 1
  }

  #forgetCodes(): void {
    this.#next = this.#forget + 2
    this.#size = Math.log2(this.#forget) + 1
    this.#previous = NONE
  }

  #code(): number {
    while (this.#count < this.#size) {
      if (this.#at === this.#blockEnd) {
        const length = this.#bytes[this.#at] ?? 0
        if (length === 0) throw new BrokenImageError('The frame ends too early')
        this.#at += 1
        this.#blockEnd = this.#at + length
      }
      this.#bits |= (this.#bytes[this.#at] ?? 0) << this.#count
      this.#at += 1
      this.#count += 8
    }
    const code = this.#bits & ((1 << this.#size) - 1)
    this.#bits >>>= this.#size
    this.#count -= this.#size
    return code
  }
}

const OPAQUE = 0xff

/** The passes of an interlaced frame: the first row of each, and the distance of its rows. Source: GIF89a, appendix E. */
const IN_ORDER = [{ first: 0, step: 1 }]
const INTERLACED = [
  { first: 0, step: 8 },
  { first: 4, step: 8 },
  { first: 2, step: 4 },
  { first: 1, step: 2 },
]

/**
 * Decodes the first frame of a GIF on a canvas that is transparent outside the frame. The code is our own because omggif, gifuct-js and
 * modern-gif loop for ever on codes that are not defined yet.
 */
export const decodeGif: Decode = (bytes, canvas) => {
  const first = gifFrames(bytes).next()
  const frame = first.done ? undefined : first.value
  if (!frame || frame.width === 0 || frame.height === 0) throw new BrokenImageError('No frame')
  // The canvas grows to include a frame outside it.
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

/** Returns the pixels of the colour numbers of a frame; missing colours are transparent. */
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
