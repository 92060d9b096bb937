import { BrokenImageError } from './picture-rows.ts'

/** Codes of up to so many bits are looked up at once. */
const QUICK_BITS = 9
const LONGEST_CODE = 16

/** Codes of a JPEG: how long they are, and what they stand for. */
export class HuffmanTable {
  /** For the next nine bits: length of the code × 256 + what it stands for; 0 for longer ones. */
  readonly quick = new Uint16Array(1 << QUICK_BITS)
  /** By length: the first code that is longer, and how far the place of a code's meaning is from the code. */
  readonly ends = new Int32Array(LONGEST_CODE + 1)
  readonly offsets = new Int32Array(LONGEST_CODE + 1)
  readonly meanings: Uint8Array

  /**
   * @param counts how many codes there are of each length from 1 to 16.
   * @throws BrokenImageError when there are more codes of a length than can be.
   */
  constructor(counts: Uint8Array, meanings: Uint8Array) {
    this.meanings = meanings
    let code = 0
    let place = 0
    for (let length = 1; length <= LONGEST_CODE; length += 1) {
      const count = counts[length - 1] ?? 0
      this.offsets[length] = place - code
      for (let index = 0; index < count && length <= QUICK_BITS; index += 1) {
        const start = (code + index) << (QUICK_BITS - length)
        const entry = (length << 8) | (meanings[place + index] ?? 0)
        this.quick.fill(entry, start, start + (1 << (QUICK_BITS - length)))
      }
      code += count
      place += count
      if (code > 1 << length) throw new BrokenImageError('Too many codes')
      this.ends[length] = code
      code <<= 1
    }
    if (place > meanings.length) throw new BrokenImageError('Codes without meaning')
  }
}

/** Reads the bits of a scan, up to the next marker. Behind that stand zeros. */
export class JpegBits {
  /** Of the byte that is read next. */
  at: number
  readonly #bytes: Uint8Array
  #held = 0
  #heldBits = 0
  /** Of the bits held, those that stand behind the end. */
  #padding = 0

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes
    this.at = at
  }

  /** What the next code stands for. */
  decode(table: HuffmanTable): number {
    if (this.#heldBits < LONGEST_CODE) this.#fill()
    const ahead = (this.#held >>> (this.#heldBits - LONGEST_CODE)) & 0xffff
    const entry = table.quick[ahead >> (LONGEST_CODE - QUICK_BITS)]!
    if (entry !== 0) {
      this.#heldBits -= entry >> 8
      return entry & 0xff
    }
    for (let length = QUICK_BITS + 1; length <= LONGEST_CODE; length += 1) {
      const code = ahead >> (LONGEST_CODE - length)
      if (code >= table.ends[length]!) continue
      this.#heldBits -= length
      return table.meanings[code + table.offsets[length]!]!
    }
    throw new BrokenImageError('No such code')
  }

  /** The next bits as a number; up to 16. */
  read(count: number): number {
    if (count === 0) return 0
    if (this.#heldBits < count) this.#fill()
    this.#heldBits -= count
    return (this.#held >>> this.#heldBits) & ((1 << count) - 1)
  }

  /** The next bits as a difference: where the first is zero it is below zero. */
  readDifference(count: number): number {
    const value = this.read(count)
    return count > 0 && value < 1 << (count - 1) ? value - (1 << count) + 1 : value
  }

  /** @throws BrokenImageError when more has been read than there was. */
  requireNotPastEnd(): void {
    if (this.#heldBits < this.#padding) throw new BrokenImageError('The picture ends too early')
  }

  /** Goes behind the marker at which a part of a scan ends. */
  restart(): void {
    this.requireNotPastEnd()
    this.#heldBits = 0
    this.#padding = 0
    const bytes = this.#bytes
    while (this.at + 1 < bytes.length && !(bytes[this.at] === 0xff && isMarker(bytes[this.at + 1]!)))
      this.at += 1
    const marker = bytes[this.at + 1] ?? 0
    if (marker < 0xd0 || marker > 0xd7) throw new BrokenImageError('A part is missing')
    this.at += 2
  }

  #fill(): void {
    while (this.#heldBits <= 24) {
      const byte = this.#bytes[this.at]
      const isEnd = byte === undefined || (byte === 0xff && this.#bytes[this.at + 1] !== 0)
      if (isEnd) this.#padding += 8
      else this.at += byte === 0xff ? 2 : 1
      this.#held = (this.#held << 8) | (isEnd ? 0 : byte)
      this.#heldBits += 8
    }
  }
}

function isMarker(second: number): boolean {
  return second !== 0 && second !== 0xff
}
