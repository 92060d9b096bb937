import { ZIGZAG } from './jpeg-blocks.ts'

/** How many pixels a block of eight by eight becomes, across and down: 1, 2, 4 or 8. */
export interface BlockSize {
  readonly across: number
  readonly down: number
}

/**
 * Turns blocks of frequencies into pixels, of a plane that is as wide as its blocks are together. A block
 * becomes smaller by leaving its higher frequencies away, which is as good as taking means.
 */
export class BlockPainter {
  readonly #size: BlockSize
  readonly #across: Float64Array
  readonly #down: Float64Array
  /** By place in a block, not by frequency. */
  readonly #quantization = new Float64Array(64)
  readonly #columns = new Float64Array(64)

  constructor(size: BlockSize, quantization: Uint16Array) {
    this.#size = size
    this.#across = cosinesOf(size.across)
    this.#down = cosinesOf(size.down)
    for (let index = 0; index < 64; index += 1) this.#quantization[ZIGZAG[index]!] = quantization[index]!
  }

  /** `from`: where the block begins in `values`. `to`: where its first pixel goes in the plane. */
  paint(values: Int16Array, from: number, plane: Uint8ClampedArray, to: number, planeWidth: number): void {
    const { across, down } = this.#size
    const columns = this.#columns
    let lastColumn = 0
    for (let u = 0; u < across; u += 1) {
      columns.fill(0, u * 8, u * 8 + down)
      for (let v = 0; v < down; v += 1) {
        const value = values[from + v * 8 + u]!
        if (value === 0) continue
        lastColumn = u
        const strength = value * this.#quantization[v * 8 + u]!
        for (let y = 0; y < down; y += 1) columns[u * 8 + y]! += strength * this.#down[y * 8 + v]!
      }
    }
    for (let y = 0; y < down; y += 1) {
      const row = to + y * planeWidth
      for (let x = 0; x < across; x += 1) {
        let sum = 128
        for (let u = 0; u <= lastColumn; u += 1) sum += columns[u * 8 + y]! * this.#across[x * 8 + u]!
        plane[row + x] = sum
      }
    }
  }
}

/** For pixel `x` and frequency `u` at `8 × x + u`: how much of it is seen there. */
function cosinesOf(count: number): Float64Array {
  const cosines = new Float64Array(64)
  for (let x = 0; x < count; x += 1) {
    for (let u = 0; u < count; u += 1) {
      const scale = u === 0 ? Math.SQRT1_2 : 1
      cosines[x * 8 + u] = 0.5 * scale * Math.cos(((2 * x + 1) * u * Math.PI) / (2 * count))
    }
  }
  return cosines
}
