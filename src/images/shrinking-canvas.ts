import type { Pixels, RowTaker } from './picture-rows.ts'
import type { StoredSize } from './stored-size.ts'

/** A part of a picture. */
export interface Window extends StoredSize {
  readonly left: number
  readonly top: number
}

/** What a column or row of the window adds to: a share of `cell`, and the rest to the next one. */
interface Spread {
  readonly cells: Int32Array
  readonly shares: Float64Array
}

/**
 * Shrinks a window of a picture while its rows come in: each pixel of the result is the mean of what lies
 * under it, by area. Colours count as much as they are seen. No larger in either direction than the window.
 */
export class ShrinkingCanvas implements RowTaker {
  readonly #window: Window
  readonly #size: StoredSize
  readonly #columns: Spread
  readonly #rows: Spread
  /** Sums of red, green, blue, each times alpha, and of alpha, for each pixel of the result. */
  readonly #sums: Float32Array
  /** The same for one row of the picture; one pixel longer, for shares of nothing. */
  readonly #row: Float64Array

  constructor(window: Window, size: StoredSize) {
    this.#window = window
    this.#size = size
    this.#columns = spreadOver(window.width, size.width)
    this.#rows = spreadOver(window.height, size.height)
    this.#sums = new Float32Array(size.width * size.height * 4)
    this.#row = new Float64Array((size.width + 1) * 4)
  }

  take(y: number, rgba: Uint8ClampedArray, left: number, step: number, count: number): void {
    const row = y - this.#window.top
    if (row < 0 || row >= this.#window.height) return
    this.#sumUp(rgba, left - this.#window.left, step, count)
    const cell = this.#rows.cells[row]!
    const share = this.#rows.shares[row]!
    this.#add(cell, share)
    if (share < 1) this.#add(cell + 1, 1 - share)
  }

  /** What has come in; what has not is transparent. */
  finish(): Pixels {
    const { width, height } = this.#size
    const data = new Uint8ClampedArray(width * height * 4)
    const area = (this.#window.width / width) * (this.#window.height / height)
    const sums = this.#sums
    for (let at = 0; at < data.length; at += 4) {
      const alpha = sums[at + 3]!
      if (alpha === 0) continue
      data[at] = sums[at]! / alpha
      data[at + 1] = sums[at + 1]! / alpha
      data[at + 2] = sums[at + 2]! / alpha
      data[at + 3] = alpha / area
    }
    return { width, height, data }
  }

  #sumUp(rgba: Uint8ClampedArray, left: number, step: number, count: number): void {
    const { cells, shares } = this.#columns
    const row = this.#row.fill(0)
    for (let index = 0; index < count; index += 1) {
      const x = left + index * step
      if (x < 0 || x >= cells.length) continue
      const from = index * 4
      const alpha = rgba[from + 3]!
      if (alpha === 0) continue
      const to = cells[x]! * 4
      const share = shares[x]!
      const seen = alpha * share
      row[to]! += rgba[from]! * seen
      row[to + 1]! += rgba[from + 1]! * seen
      row[to + 2]! += rgba[from + 2]! * seen
      row[to + 3]! += seen
      if (share === 1) continue
      const rest = alpha - seen
      row[to + 4]! += rgba[from]! * rest
      row[to + 5]! += rgba[from + 1]! * rest
      row[to + 6]! += rgba[from + 2]! * rest
      row[to + 7]! += rest
    }
  }

  #add(cell: number, share: number): void {
    const length = this.#size.width * 4
    const from = cell * length
    if (from >= this.#sums.length) return
    for (let at = 0; at < length; at += 1) this.#sums[from + at]! += this.#row[at]! * share
  }
}

function spreadOver(length: number, cellCount: number): Spread {
  const count = Math.ceil(length)
  const cells = new Int32Array(count)
  const shares = new Float64Array(count)
  for (let index = 0; index < count; index += 1) {
    const start = (index * cellCount) / length
    const end = ((index + 1) * cellCount) / length
    const cell = Math.floor(start)
    cells[index] = cell
    shares[index] = end <= cell + 1 ? 1 : (cell + 1 - start) / (end - start)
  }
  return { cells, shares }
}
