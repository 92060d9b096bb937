import { afterEach, beforeEach, expect, it } from 'vitest'
import { keepAlarmsAway } from '../../support/exports.ts'
import { furnishPeople, furnishRules } from '../../support/furnished-people.ts'
import { furnish } from '../../support/furnished-realm.ts'
import { expectSame, roundTrip } from '../../support/round-trip.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm } = useRealm()

beforeEach(keepAlarmsAway)
afterEach(() => {
  world.settings = {}
})

/** Records that name others by their ids. */
const WITH_IDS = [
  'default_channel_group',
  'domain',
  'draft',
  'navigation_view',
  'reminder',
  'scheduled_message',
  'realm_setting',
  'user_settings',
  'user_topic',
]

it('What is exported, imported and exported again is the same', async () => {
  const furnished = await furnish(realm)
  await furnishPeople(realm, furnished)
  await furnishRules(realm, furnished)
  const digests = await roundTrip(realm)
  expect(digests.before.sections.find(({ name }) => name === 'message')!.count).toBeGreaterThan(5)
  const named = digests.before.sections.map(({ name }) => name)
  expect(named).toEqual(expect.arrayContaining(WITH_IDS))
  expectSame(digests)
})
