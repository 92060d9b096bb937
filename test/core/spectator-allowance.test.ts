import { expect, it } from 'vitest'
import { RateLimitHitError } from '../../src/core/errors.ts'
import { ROWS_FOR_SPECTATORS, SpectatorAllowance } from '../../src/realm/calls/rate-limiter.ts'

const NOW = 1_800_000_000
const { aMinute, ofACall } = ROWS_FOR_SPECTATORS

it('readers without an account share one budget of rows a minute', () => {
  const allowance = new SpectatorAllowance()
  for (let call = 0; call < aMinute / ofACall; call += 1) {
    allowance.requireSome(NOW)
    allowance.take(1, NOW)
  }
  expect(() => allowance.requireSome(NOW)).toThrow(RateLimitHitError)
  expect(() => allowance.requireSome(NOW + 1)).not.toThrow()
})

it('a call over the budget delays the calls after it until it is paid off', () => {
  const allowance = new SpectatorAllowance()
  allowance.take(3 * aMinute, NOW)
  expect(() => allowance.requireSome(NOW + 119)).toThrow(RateLimitHitError)
  expect(() => allowance.requireSome(NOW + 121)).not.toThrow()
  allowance.take(aMinute, NOW + 10_000)
  expect(() => allowance.requireSome(NOW + 10_000)).toThrow(RateLimitHitError)
})

it('a clock that goes back adds nothing to the budget, which fills from then on', () => {
  const allowance = new SpectatorAllowance()
  allowance.take(2 * aMinute, NOW)
  expect(() => allowance.requireSome(NOW - 1_000)).toThrow(RateLimitHitError)
  expect(() => allowance.requireSome(NOW - 945)).toThrow(RateLimitHitError)
  expect(() => allowance.requireSome(NOW - 939)).not.toThrow()
})
