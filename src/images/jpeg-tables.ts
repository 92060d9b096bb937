import { HuffmanTable } from './jpeg-bits.ts'
import { BrokenImageError } from './picture.ts'
import { hasLetters, uint16 } from './read-bytes.ts'

const CODES = 0xc4
const QUANTIZATION = 0xdb
const RESTARTS = 0xdd
const ADOBE = 0xee
const HEIGHT_FOLLOWS = 0xdc

const VALUES = 64
const LENGTHS = 16
/** Tables of a file. A scan has up to eight of its own, and good encoders make some ten scans. */
const MAX_TABLES = 1_000
/** A table without codes: a scan that needs it is broken. */
const NO_CODES = new HuffmanTable(new Uint8Array(LENGTHS), new Uint8Array(0))

/** The tables of a JPEG as they are when a scan begins. Source: ITU-T T.81, annex B. */
export class JpegTables {
  /** Number of units after each of which a marker follows; 0 for none. */
  restartInterval = 0
  /** How Adobe's programs have changed the colours; undefined without their note. */
  adobeTransform: number | undefined
  #count = 0
  readonly #quantization = new Map<number, Uint16Array>()
  /** Huffman tables by number: 0 to 15 for first coefficients, 16 to 31 for all others. */
  readonly #codes = new Map<number, HuffmanTable>()

  /** Reads a segment, unless it is none that is needed. @throws BrokenImageError */
  read(marker: number, segment: Uint8Array): void {
    if (marker === QUANTIZATION) this.#readQuantization(segment)
    else if (marker === CODES) this.#readCodes(segment)
    else if (marker === RESTARTS) this.restartInterval = uint16(segment, 0)
    else if (marker === ADOBE && hasLetters(segment, 0, 'Adobe')) this.adobeTransform = segment[11]
    else if (marker === HEIGHT_FOLLOWS) throw new BrokenImageError('The height is not known')
  }

  /** @throws BrokenImageError */
  quantizationOf(id: number): Uint16Array {
    const table = this.#quantization.get(id)
    if (!table) throw new BrokenImageError('A table is missing')
    return table
  }

  dcOf(id: number): HuffmanTable {
    return this.#codes.get(id) ?? NO_CODES
  }

  acOf(id: number): HuffmanTable {
    return this.#codes.get(16 + id) ?? NO_CODES
  }

  #countOne(): void {
    this.#count += 1
    if (this.#count > MAX_TABLES) throw new BrokenImageError('There are too many tables')
  }

  #readQuantization(segment: Uint8Array): void {
    let at = 0
    while (at < segment.length) {
      this.#countOne()
      const isWide = segment[at]! >> 4 === 1
      const start = at + 1
      at = start + VALUES * (isWide ? 2 : 1)
      if (at > segment.length) throw new BrokenImageError('A table is cut off')
      const values = Uint16Array.from({ length: VALUES }, (_, index) =>
        isWide ? uint16(segment, start + 2 * index) : segment[start + index]!,
      )
      this.#quantization.set(segment[start - 1]! & 15, values)
    }
  }

  #readCodes(segment: Uint8Array): void {
    let at = 0
    while (at < segment.length) {
      this.#countOne()
      const counts = segment.subarray(at + 1, at + 1 + LENGTHS)
      const start = at + 1 + LENGTHS
      const end = start + counts.reduce((sum, count) => sum + count, 0)
      if (end > segment.length) throw new BrokenImageError('A table is cut off')
      this.#codes.set(segment[at]! & 31, new HuffmanTable(counts, segment.subarray(start, end)))
      at = end
    }
  }
}
