import type { Pixels } from './picture-rows.ts'
import type { StoredSize } from './stored-size.ts'

/** For each place of the larger side the two of the smaller it lies between, and the share of the second. */
interface Mixtures {
  readonly first: Int32Array
  readonly second: Int32Array
  readonly share: Float64Array
}

/** The picture in a larger size: what lies between its pixels is a mixture of the four around. */
export function enlarge({ width, height, data }: Pixels, size: StoredSize): Pixels {
  const enlarged = new Uint8ClampedArray(size.width * size.height * 4)
  const across = mixturesOf(width, size.width)
  const down = mixturesOf(height, size.height)
  // Red, green, blue and alpha of one pixel, as sums; colours count as much as they are seen.
  const mixture = new Float64Array(4)
  const add = (at: number, share: number) => {
    const seen = data[at + 3]! * share
    mixture[0]! += data[at]! * seen
    mixture[1]! += data[at + 1]! * seen
    mixture[2]! += data[at + 2]! * seen
    mixture[3]! += seen
  }
  for (let y = 0; y < size.height; y += 1) {
    const [top, bottom, lower] = [down.first[y]! * width, down.second[y]! * width, down.share[y]!]
    for (let x = 0; x < size.width; x += 1) {
      const [left, right, later] = [across.first[x]!, across.second[x]!, across.share[x]!]
      mixture.fill(0)
      add((top + left) * 4, (1 - lower) * (1 - later))
      add((top + right) * 4, (1 - lower) * later)
      add((bottom + left) * 4, lower * (1 - later))
      add((bottom + right) * 4, lower * later)
      const alpha = mixture[3]!
      if (alpha === 0) continue
      const to = (y * size.width + x) * 4
      for (let channel = 0; channel < 3; channel += 1) enlarged[to + channel] = mixture[channel]! / alpha
      enlarged[to + 3] = alpha
    }
  }
  return { ...size, data: enlarged }
}

function mixturesOf(length: number, largerLength: number): Mixtures {
  const [first, second] = [new Int32Array(largerLength), new Int32Array(largerLength)]
  const share = new Float64Array(largerLength)
  for (let index = 0; index < largerLength; index += 1) {
    const place = Math.max(((index + 0.5) * length) / largerLength - 0.5, 0)
    first[index] = Math.floor(place)
    second[index] = Math.min(first[index]! + 1, length - 1)
    share[index] = place - first[index]!
  }
  return { first, second, share }
}
