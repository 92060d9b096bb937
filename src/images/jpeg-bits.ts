import { BrokenImageError } from './picture.ts'

const MAX_CODE_BITS = 16
/** Length up to which a code is found in one step. */
const SHORT_CODE = 9
const MAX_VALUE_BITS = 15

/** The codes of a table, shorter ones for more frequent symbols. Source: ITU-T T.81, annex C. */
export class HuffmanTable {
  /** For the next 9 bits: the length of the code that they begin with, times 256, plus its symbol; 0 for a longer code. */
  readonly short = new Uint16Array(1 << SHORT_CODE)
  /** For each length the codes' end, and what leads from a code to the position of its symbol. */
  readonly #end = new Int32Array(MAX_CODE_BITS + 1)
  readonly #toSymbol = new Int32Array(MAX_CODE_BITS + 1)
  readonly #symbols: Uint8Array

  /**
   * @param counts the number of codes of each length, from 1 to 16.
   * @throws BrokenImageError when there are more codes than bits for them.
   */
  constructor(counts: Uint8Array, symbols: Uint8Array) {
    this.#symbols = symbols
    let code = 0
    let position = 0
    for (let length = 1; length <= MAX_CODE_BITS; length += 1) {
      const count = counts[length - 1]!
      if (code + count > 1 << length) throw new BrokenImageError('No such table of codes')
      this.#toSymbol[length] = position - code
      for (let index = 0; index < count && length <= SHORT_CODE; index += 1) {
        const first = (code + index) << (SHORT_CODE - length)
        this.short.fill(
          (length << 8) | symbols[position + index]!,
          first,
          first + (1 << (SHORT_CODE - length)),
        )
      }
      code += count
      position += count
      this.#end[length] = code
      code <<= 1
    }
  }

  /** Returns the same as `short` for a longer code, with which `bits`, sixteen, begin. @throws BrokenImageError */
  long(bits: number): number {
    for (let length = SHORT_CODE + 1; length <= MAX_CODE_BITS; length += 1) {
      const code = bits >> (MAX_CODE_BITS - length)
      if (code < this.#end[length]!) return (length << 8) | this.#symbols[code + this.#toSymbol[length]!]!
    }
    throw new BrokenImageError('No such code')
  }
}

/** Reads the bits of a scan, from its first byte up to the next marker. */
export class BitReader {
  readonly #bytes: Uint8Array
  #at: number
  /** The bits that are read and not yet taken, in the lowest positions; their number, 25 to 32 after `#fill`, is `#count`. */
  #bits = 0
  #count = 0
  /** Number of these bits that stand for bits that the file does not have. */
  #added = 0

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes
    this.#at = at
  }

  /** Takes a code, and returns its symbol. @throws BrokenImageError */
  symbol(table: HuffmanTable): number {
    this.#fill()
    const entry =
      table.short[(this.#bits >>> (this.#count - SHORT_CODE)) & ((1 << SHORT_CODE) - 1)]! ||
      table.long((this.#bits >>> (this.#count - MAX_CODE_BITS)) & ((1 << MAX_CODE_BITS) - 1))
    this.#count -= entry >> 8
    return entry & 255
  }

  /** Takes up to 15 bits as a number without sign. */
  bits(count: number): number {
    this.#fill()
    this.#count -= count
    return (this.#bits >>> this.#count) & ((1 << count) - 1)
  }

  /** Takes a value of `count` bits. A value whose first bit is 0 is negative. @throws BrokenImageError */
  value(count: number): number {
    if (count === 0) return 0
    if (count > MAX_VALUE_BITS) throw new BrokenImageError('No such value')
    const bits = this.bits(count)
    return bits < 1 << (count - 1) ? bits - (1 << count) + 1 : bits
  }

  /** Goes on after the next marker, which must be one for a restart. @throws BrokenImageError */
  restart(): void {
    this.requireTrue()
    const bytes = this.#bytes
    let at = this.#at
    while (at < bytes.length && !(bytes[at] === 0xff && bytes[at + 1] !== 0 && bytes[at + 1] !== 0xff))
      at += 1
    if ((bytes[at + 1]! & 0xf8) !== 0xd0) throw new BrokenImageError('A restart is missing')
    this.#at = at + 2
    this.#count = 0
    this.#added = 0
  }

  /** @throws BrokenImageError when more bits were taken than there are. */
  requireTrue(): void {
    if (this.#added > this.#count) throw new BrokenImageError('A scan ends too early')
  }

  #fill(): void {
    while (this.#count <= 24) {
      let byte = this.#bytes[this.#at]
      if (byte === 0xff) {
        // A zero follows where this is no marker.
        if (this.#bytes[this.#at + 1] === 0) this.#at += 2
        else byte = undefined
      } else this.#at += 1
      if (byte === undefined) this.#added += 8
      this.#bits = (this.#bits << 8) | (byte ?? 0)
      this.#count += 8
    }
  }
}
