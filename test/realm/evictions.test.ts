import { expect, it } from 'vitest'
import { evictRealm } from '../support/api.ts'
import { inRealm } from '../support/inside.ts'
import { neverEvict } from '../support/never-evict.ts'
import { useRealm } from '../support/use-realm.ts'

const { realm } = useRealm({})
neverEvict()

it('an eviction is given up while the object is at work', async () => {
  await inRealm(realm, () => {
    void scheduler.wait(1_000)
  })
  await expect(evictRealm(realm.id, 100)).rejects.toThrow('is still at work')
  await evictRealm(realm.id)
})

it('what an object writes is not left to Vitest, which would wait for it', () => {
  const { __console } = globalThis as { __console?: Console }
  expect(console).toBe(__console)
})
