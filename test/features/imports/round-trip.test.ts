import { afterEach, beforeEach, expect, it } from 'vitest'
import { keepAlarmsAway } from '../../support/exports.ts'
import { furnish } from '../../support/furnished-realm.ts'
import { expectSame, roundTrip } from '../../support/round-trip.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm } = useRealm()

beforeEach(keepAlarmsAway)
afterEach(() => {
  world.settings = {}
})

it('What is exported, imported and exported again is the same', async () => {
  await furnish(realm)
  const digests = await roundTrip(realm)
  expect(digests.before.sections.find(({ name }) => name === 'message')!.count).toBeGreaterThan(5)
  expectSame(digests)
})
