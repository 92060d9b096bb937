/**
 * Returns the milliseconds to the realm object, D1 and R2 that an option gives (`--latency 150`).
 * @throws {Error} when the option is not a number of milliseconds.
 */
export function readLatency(option: string): number {
  const latency = Number(option)
  if (!(latency >= 0 && latency <= 5_000)) {
    throw new Error('The latency must be from 0 to 5000, in milliseconds.')
  }
  return latency
}
