import type { Pixels, StoredSize } from './picture.ts'

/** A part of a picture. */
export interface Window extends StoredSize {
  readonly left: number
  readonly top: number
}

/** Sources of a column, or row, of the result: the first, and its share and those of the following ones. */
interface Mixture {
  readonly first: number
  readonly shares: readonly number[]
}

/**
 * Makes a window of a picture in another size from the picture's rows, which come from the top. A smaller one has the mean of the covered
 * pixels, by area; a larger one a mixture of neighbours. Colours are weighted by their opacity.
 */
export class Resampling {
  readonly #size: StoredSize
  readonly #columns: readonly Mixture[]
  readonly #rows: readonly Mixture[]
  readonly #data: Uint8ClampedArray<ArrayBuffer>
  /** Sums of the rows that have begun: of red, green and blue, each times alpha, and of alpha, for each pixel. */
  readonly #begun = new Map<number, Float64Array>()
  /** The first row of the result that is not whole. */
  #next = 0

  constructor(window: Window, size: StoredSize) {
    this.#size = size
    this.#columns = mixturesOf(window.left, window.width, size.width)
    this.#rows = mixturesOf(window.top, window.height, size.height)
    this.#data = new Uint8ClampedArray(size.width * size.height * 4)
  }

  /** Adds row `y` of the picture, whose pixels begin at `start`. */
  add(y: number, data: Uint8ClampedArray | Uint8Array, start: number): void {
    for (let row = this.#next; row < this.#rows.length && this.#rows[row]!.first <= y; row += 1) {
      const { first, shares } = this.#rows[row]!
      const share = shares[y - first]
      if (share === undefined) continue
      const sums = this.#begun.get(row) ?? new Float64Array(this.#size.width * 4)
      addRow(data, start, this.#columns, share, sums)
      if (y < first + shares.length - 1) this.#begun.set(row, sums)
      else this.#finish(row, sums)
    }
  }

  /** The result, once all rows have been added. */
  get pixels(): Pixels {
    return { ...this.#size, data: this.#data }
  }

  #finish(row: number, sums: Float64Array): void {
    const data = this.#data
    for (let x = 0, at = row * sums.length; x < sums.length; x += 4, at += 4) {
      const alpha = sums[x + 3]!
      if (alpha === 0) continue
      data[at] = sums[x]! / alpha
      data[at + 1] = sums[x + 1]! / alpha
      data[at + 2] = sums[x + 2]! / alpha
      data[at + 3] = alpha
    }
    this.#begun.delete(row)
    if (row === this.#next) this.#next += 1
  }
}

function addRow(
  data: Uint8ClampedArray | Uint8Array,
  start: number,
  columns: readonly Mixture[],
  rowShare: number,
  sums: Float64Array,
): void {
  for (let x = 0; x < columns.length; x += 1) {
    const { first, shares } = columns[x]!
    const to = x * 4
    let from = start + first * 4
    for (let index = 0; index < shares.length; index += 1, from += 4) {
      const seen = data[from + 3]! * shares[index]! * rowShare
      sums[to]! += data[from]! * seen
      sums[to + 1]! += data[from + 1]! * seen
      sums[to + 2]! += data[from + 2]! * seen
      sums[to + 3]! += seen
    }
  }
}

function mixturesOf(start: number, length: number, count: number): Mixture[] {
  const scale = length / count
  const mixtureOf = scale < 1 ? between : under
  return Array.from({ length: count }, (_, index) => {
    const { first, shares } = mixtureOf(index, scale, length)
    return { first: start + first, shares }
  })
}

function under(index: number, scale: number, length: number): Mixture {
  const [from, to] = [index * scale, (index + 1) * scale]
  const first = Math.floor(from)
  const count = Math.min(Math.ceil(to), length) - first
  const shares = Array.from({ length: count }, (_, offset) => {
    const position = first + offset
    return (Math.min(to, position + 1) - Math.max(from, position)) / scale
  })
  return { first, shares }
}

function between(index: number, scale: number, length: number): Mixture {
  const position = Math.min(Math.max((index + 0.5) * scale - 0.5, 0), length - 1)
  const first = Math.floor(position)
  return { first, shares: first === length - 1 ? [1] : [1 - position + first, position - first] }
}
