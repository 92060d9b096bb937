import { describe, expect, it } from 'vitest'
import { COUNTED_KEPT } from '../../src/core/budgets.ts'
import { RateLimiter } from '../../src/realm/calls/rate-limiter.ts'

describe('the memory of rate limits', () => {
  it('has a limit of requests', () => {
    const limiter = new RateLimiter()
    const limits = [{ requests: 1_000, seconds: 60 }]
    for (let account = 0; account < COUNTED_KEPT.requests / 100 + 10; account += 1) {
      for (let request = 0; request < 100; request += 1) limiter.count('user', account, limits, 1_000)
    }
    expect(limiter.remembered).toBeLessThanOrEqual(COUNTED_KEPT.requests)
  })
})
