import { BrokenImageError } from './picture.ts'

const MAX_CODE_BITS = 12
const MAX_CODES = 1 << MAX_CODE_BITS
const MAX_COLOR_BITS = 8
const NONE = -1
/** Codes in succession that may do nothing but forget: an encoder needs one. More would only cost time. */
const MAX_FORGOTTEN = 8

/** Reads the compressed pixels of a GIF's frame. Each code stands for a sequence: that of a former code, and one colour more. */
export class LzwCodes {
  readonly #bytes: Uint8Array
  #at: number
  /** The end of the present block of bytes. */
  #blockEnd: number
  #bits = 0
  #count = 0

  /** The code that forgets the others. The next one ends, smaller ones are colours. */
  readonly #forget: number
  #size = 0
  /** The code that is made next. */
  #next = 0
  #previous = NONE
  readonly #prefix = new Uint16Array(MAX_CODES)
  readonly #last = new Uint8Array(MAX_CODES)

  /** Colours that were read and not yet taken, the next one at the top. */
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

  /** Fills a row with the numbers of the next colours. @throws BrokenImageError when there are too few */
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

  /** Makes the code that stands for the previous sequence and the first colour of this one. */
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
