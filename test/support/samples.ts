import { env } from 'cloudflare:workers'
import { expect } from 'vitest'

/** The share of very many cases that is tried. `FUZZ=all` (npm run test:nightly) tries all. */
export const SHARE = env.FUZZ === 'all' ? 1 : 0.2

/** Which cases these are: `SEED=` repeats a run. */
const SEED = Number(env.SEED || Math.floor(Math.random() * 2 ** 31))

/** Stands in the message of a failure. */
export const AGAIN = SHARE === 1 ? 'FUZZ=all' : `SEED=${SEED}`

let state = SEED

/** Begins the sample of a test, which is the same when the test is run alone. */
export function beginSample(): void {
  state = SEED
  for (const char of expect.getState().currentTestName ?? '') next(char.codePointAt(0))
}

/** Says of one case after the other whether it is tried. */
export function isTried(): boolean {
  next()
  return state / 2 ** 32 < SHARE
}

/** A linear congruential generator, whose upper bits are random enough. */
function next(more = 0): void {
  state = (Math.imul(state ^ more, 1_664_525) + 1_013_904_223) >>> 0
}
