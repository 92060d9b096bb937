import type { HuffmanTable, JpegBits } from './jpeg-bits.ts'
import { BrokenImageError } from './picture-rows.ts'

/** Where in a block, row by row, the values stand in the order in which they are written. */
export const ZIGZAG = Uint8Array.of(
  ...[0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48],
  ...[41, 34, 27, 20, 13, 6, 7, 14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23],
  ...[30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63],
)

/** How the values of a block are read in a scan; `at`: where the block begins in `values`. */
export interface BlockReader {
  /** The first value of the block of this component that was read before. */
  expected: number
  read(bits: JpegBits, values: Int16Array, at: number): void
  /** Nothing that was read before counts any more. */
  restart(): void
}

/** All values of a block at once. */
export function sequentialReader(first: HuffmanTable, others: HuffmanTable): BlockReader {
  return {
    expected: 0,
    restart() {
      this.expected = 0
    },
    read(bits, values, at) {
      this.expected += bits.readDifference(bits.decode(first) & 15)
      values[at] = this.expected
      for (let index = 1; index < 64; index += 1) {
        const code = bits.decode(others)
        const size = code & 15
        if (size === 0) {
          if (code !== 0xf0) return
          index += 15
          continue
        }
        index += code >> 4
        if (index > 63) throw new BrokenImageError('Too many values')
        values[at + ZIGZAG[index]!] = bits.readDifference(size)
      }
    },
  }
}

/** The first values of blocks, all but their last bits. */
export function firstValueReader(first: HuffmanTable, shift: number): BlockReader {
  return {
    expected: 0,
    restart() {
      this.expected = 0
    },
    read(bits, values, at) {
      this.expected += bits.readDifference(bits.decode(first) & 15)
      values[at] = this.expected << shift
    },
  }
}

/** One more bit of the first values. */
export function firstValueRefiner(shift: number): BlockReader {
  return {
    expected: 0,
    restart() {},
    read(bits, values, at) {
      values[at]! |= bits.read(1) << shift
    },
  }
}

/** Some of the other values, all but their last bits. */
export function otherValuesReader(
  others: HuffmanTable,
  from: number,
  to: number,
  shift: number,
): BlockReader {
  let emptyBlocks = 0
  return {
    expected: 0,
    restart() {
      emptyBlocks = 0
    },
    read(bits, values, at) {
      if (emptyBlocks > 0) {
        emptyBlocks -= 1
        return
      }
      for (let index = from; index <= to; index += 1) {
        const code = bits.decode(others)
        const [run, size] = [code >> 4, code & 15]
        if (size === 0 && run < 15) {
          emptyBlocks = (1 << run) - 1 + bits.read(run)
          return
        }
        index += run
        if (size === 0) continue
        if (index > to) throw new BrokenImageError('Too many values')
        values[at + ZIGZAG[index]!] = bits.readDifference(size) << shift
      }
    },
  }
}

/** One more bit of some of the other values; some that were nothing become something. */
export function otherValuesRefiner(
  others: HuffmanTable,
  from: number,
  to: number,
  shift: number,
): BlockReader {
  let emptyBlocks = 0
  const step = 1 << shift
  const refine = (bits: JpegBits, values: Int16Array, place: number) => {
    const value = values[place]!
    if (bits.read(1) === 1 && (value & step) === 0) values[place] = value + (value > 0 ? step : -step)
  }
  return {
    expected: 0,
    restart() {
      emptyBlocks = 0
    },
    read(bits, values, at) {
      let index = from
      while (emptyBlocks === 0 && index <= to) {
        const code = bits.decode(others)
        const size = code & 15
        let run = code >> 4
        if (size === 0 && run < 15) {
          emptyBlocks = (1 << run) + bits.read(run)
          break
        }
        const fresh = size === 0 ? 0 : bits.read(1) === 1 ? step : -step
        for (; index <= to; index += 1) {
          const place = at + ZIGZAG[index]!
          if (values[place] !== 0) refine(bits, values, place)
          else if (run === 0) {
            values[place] = fresh
            break
          } else run -= 1
        }
        index += 1
      }
      if (emptyBlocks === 0) return
      for (; index <= to; index += 1) {
        const place = at + ZIGZAG[index]!
        if (values[place] !== 0) refine(bits, values, place)
      }
      emptyBlocks -= 1
    },
  }
}
