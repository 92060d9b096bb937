import type { Pixels } from './picture-rows.ts'
import type { StoredSize } from './stored-size.ts'

/** The picture in a larger size: what lies between its pixels is a mixture of those around. */
export function enlarge({ width, height, data }: Pixels, size: StoredSize): Pixels {
  const enlarged = new Uint8ClampedArray(size.width * size.height * 4)
  const across = mixturesOf(width, size.width)
  const down = mixturesOf(height, size.height)
  let to = 0
  for (const [top, bottom, belowShare] of down) {
    for (const [left, right, rightShare] of across) {
      const corners = [
        [(top * width + left) * 4, (1 - belowShare) * (1 - rightShare)],
        [(top * width + right) * 4, (1 - belowShare) * rightShare],
        [(bottom * width + left) * 4, belowShare * (1 - rightShare)],
        [(bottom * width + right) * 4, belowShare * rightShare],
      ] as const
      // Colours count as much as they are seen.
      const alpha = corners.reduce((sum, [at, share]) => sum + data[at + 3]! * share, 0)
      for (let channel = 0; channel < 3 && alpha > 0; channel += 1) {
        const sum = corners.reduce((sum, [at, share]) => sum + data[at + channel]! * data[at + 3]! * share, 0)
        enlarged[to + channel] = sum / alpha
      }
      enlarged[to + 3] = alpha
      to += 4
    }
  }
  return { ...size, data: enlarged }
}

/** For each place of the larger side the two of the smaller it lies between, and the share of the second. */
function mixturesOf(length: number, largerLength: number): (readonly [number, number, number])[] {
  return Array.from({ length: largerLength }, (_, index) => {
    const place = Math.max(((index + 0.5) * length) / largerLength - 0.5, 0)
    const first = Math.min(Math.floor(place), length - 1)
    return [first, Math.min(first + 1, length - 1), place - first] as const
  })
}
