import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { realmStub } from '../support/api.ts'
import { expectSuccess } from '../support/factories.ts'
import { forgetTexts } from '../support/forget-texts.ts'
import { neverEvict } from '../support/never-evict.ts'
import { useReliableD1 } from '../support/reliable-d1.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const { realm } = useRealm()
neverEvict()
useReliableD1()
beforeAll(async () => {
  expectSuccess(await realm.owner.api.get('/users/me'))
})
afterEach(() => vi.restoreAllMocks())

/** A delay in milliseconds that nothing else uses, and the delay that it means for things that are near. */
const [FAR, NEAR] = [7.5, 0.5]

describe('npm start -- --latency', () => {
  it('delays each RPC, D1 and R2, and near ones by a fifteenth of that', async () => {
    const to = JSON.stringify([realm.owner.id])
    expectSuccess(await realm.owner.api.post('/messages', { type: 'direct', to, content: 'there' }))
    await realmStub(realm.id).projectedRows()
    const waits = vi.spyOn(scheduler, 'wait')
    world.settings = { LATENCY_MS: String(FAR) }
    const page = { anchor: 'newest', num_before: 5, num_after: 0 }
    // Objects of other files' organizations, in the same isolate, may still write to D1 meanwhile: until they rest.
    await vi.waitFor(async () => {
      // A text that the Worker has kept would not be fetched from D1.
      await forgetTexts()
      waits.mockClear()
      expectSuccess(await realm.owner.api.get('/messages', page))
      const all = waits.mock.calls.map(([ms]) => ms)
      expect(all.filter((ms) => ms === FAR)).toHaveLength(1)
      expect(all.filter((ms) => ms === NEAR).length).toBeGreaterThanOrEqual(1)
    }, 10_000)
  })
})
