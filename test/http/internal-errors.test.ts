import { describe, expect, it, vi } from 'vitest'
import { expectSuccess } from '../support/factories.ts'
import { buildRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

describe('an error inside', () => {
  it('is a 500 without detail, and the next request is answered', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    // The test runner cannot evict an object that has failed in this way.
    world.evictable = false
    const { owner } = await buildRealm()
    world.bugAt = 'decided'
    expect(await owner.api.get('/users/me')).toMatchObject({
      status: 500,
      body: { result: 'error', msg: 'Internal server error', code: 'INTERNAL_SERVER_ERROR' },
    })
    logged.mockRestore()
    expectSuccess(await owner.api.get('/users/me'))
  })
})
