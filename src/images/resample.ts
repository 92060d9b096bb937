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
 * Returns a window of a picture in another size. A smaller one has the mean of the covered pixels, by area; a larger one a mixture of
 * neighbours. Colours are weighted by their opacity. (`@jsquash/resize` would hold 68 MB for a picture of two megapixels.)
 */
export function resample({ data, width }: Pixels, window: Window, size: StoredSize): Pixels {
  const columns = mixturesOf(window.left, window.width, size.width)
  const drawn = new Uint8ClampedArray(size.width * size.height * 4)
  /** Of the pixels of a row: red, green and blue, each times alpha, and alpha. */
  const sums = new Float64Array(size.width * 4)
  for (const [row, { first, shares }] of mixturesOf(window.top, window.height, size.height).entries()) {
    sums.fill(0)
    for (const [index, share] of shares.entries()) {
      addRow(data, (first + index) * width * 4, columns, share, sums)
    }
    for (let x = 0, at = row * sums.length; x < sums.length; x += 4, at += 4) {
      const alpha = sums[x + 3]!
      if (alpha === 0) continue
      drawn[at] = sums[x]! / alpha
      drawn[at + 1] = sums[x + 1]! / alpha
      drawn[at + 2] = sums[x + 2]! / alpha
      drawn[at + 3] = alpha
    }
  }
  return { ...size, data: drawn }
}

function addRow(
  data: Uint8ClampedArray,
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
