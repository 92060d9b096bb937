import { BrokenImageError } from './picture-rows.ts'

/**
 * Turns the differences in a row into values, in place. The first byte of a row says to what they are
 * differences: to nothing, to the value `pixelBytes` before, to the one above, to the mean of both, or to
 * whichever of the three around is nearest to what they let expect.
 */
export function unfilterPngRow(row: Uint8Array, above: Uint8Array, pixelBytes: number): void {
  const { length } = row
  switch (row[0]) {
    case 0:
      return
    case 1:
      for (let at = 1 + pixelBytes; at < length; at += 1) row[at]! += row[at - pixelBytes]!
      return
    case 2:
      for (let at = 1; at < length; at += 1) row[at]! += above[at]!
      return
    case 3:
      for (let at = 1; at < length; at += 1) {
        const left = at > pixelBytes ? row[at - pixelBytes]! : 0
        row[at]! += (left + above[at]!) >> 1
      }
      return
    case 4:
      for (let at = 1; at < length; at += 1) {
        const hasLeft = at > pixelBytes
        const left = hasLeft ? row[at - pixelBytes]! : 0
        const corner = hasLeft ? above[at - pixelBytes]! : 0
        row[at]! += nearestOf(left, above[at]!, corner)
      }
      return
    default:
      throw new BrokenImageError('No such filter')
  }
}

/** The neighbour nearest to left + above − corner. */
export function nearestOf(left: number, above: number, corner: number): number {
  const expected = left + above - corner
  const toLeft = Math.abs(expected - left)
  const toAbove = Math.abs(expected - above)
  const toCorner = Math.abs(expected - corner)
  if (toLeft <= toAbove && toLeft <= toCorner) return left
  return toAbove <= toCorner ? above : corner
}
