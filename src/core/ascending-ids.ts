/**
 * Returns those of an ascending list that are among others, which may be in any order. For lists of thousands: a Set of as many takes
 * several times the memory, and is garbage at once.
 */
export function thoseAmong(ascending: readonly number[], others: readonly number[]): number[] {
  const sorted = new Float64Array(others).sort()
  let at = 0
  return ascending.filter((id) => {
    while (sorted[at]! < id) at += 1
    return sorted[at] === id
  })
}

/** Returns those of an ascending list that are missing in another, which is ascending too. */
export function thoseMissing(ascending: readonly number[], others: readonly number[]): number[] {
  let at = 0
  return ascending.filter((id) => {
    while (others[at]! < id) at += 1
    return others[at] !== id
  })
}
