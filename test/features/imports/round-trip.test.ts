import { afterEach, beforeEach, expect, it } from 'vitest'
import { keepAlarmsAway } from '../../support/exports.ts'
import { createBot } from '../../support/factories.ts'
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
  'pin',
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
  await createBot(realm.owner, 'Calls', { bot_type: 3, payload_url: 'https://ci.example.com/in' })
  await createBot(realm.owner, 'Posts', { bot_type: 2 })
  const digests = await roundTrip(realm)
  const linesOf = (name: string) => digests.before.sections.find((one) => one.name === name)!.lines
  expect(linesOf('message').length).toBeGreaterThan(5)
  // An edit that has moved a message has the channel in which it was.
  expect(linesOf('message').join('\n')).toMatch(/,null,"plans","board"\]/)
  expect(linesOf('user').join('\n')).toMatch(/"At sea",\["unicode","26f5"\]/)
  expect(linesOf('user').join('\n')).toMatch(/"",\["custom","tick"\]/)
  expect(linesOf('user').join('\n')).toMatch(/"outgoing_webhook".*\n(.*\n)*.*"incoming_webhook"/)
  const named = digests.before.sections.map(({ name }) => name)
  expect(named).toEqual(expect.arrayContaining(WITH_IDS))
  expectSame(digests)
})
