import { expect, it } from 'vitest'
import { countRows } from '../support/counted-rows.ts'
import { buildUser, expectSuccess } from '../support/factories.ts'
import { addChannels, changeRealm } from '../support/inside.ts'
import { changeUser } from '../support/inside-rows.ts'
import { sendTo } from '../support/messages.ts'
import { neverEvict } from '../support/never-evict.ts'
import { useRealm } from '../support/use-realm.ts'

// What registrations share is in the memory of one object.
neverEvict()

const CHANNELS = 300
const { realm, ann, ben, channel } = useRealm(
  { ann: 'member', ben: 'member' },
  { channels: { channel: ['ann', 'ben'] } },
)

const asked = { fetch_event_types: ['realm', 'stream', 'default_streams'], event_types: ['message'] }

/** Returns the rows that a registration reads, and the channels that it lists. */
async function register() {
  const { object, body } = await countRows(ann.api, 'POST', '/register', asked)
  return { rows: object.read, channels: body.streams.length as number }
}

it('registrations share all channels, whatever others do all day', async () => {
  await addChannels(
    realm,
    Array.from({ length: CHANNELS }, (_, at) => `channel ${at}`),
  )
  expect((await register()).rows).toBeGreaterThan(CHANNELS)
  const done: Record<string, () => Promise<unknown>> = {
    'a message': () => sendTo(ben, channel.id, 'greetings', 'hello'),
    'all read': async () => expectSuccess(await ben.api.post('/mark_all_as_read', {})),
    // As after thousands of messages.
    'read up to another message': () =>
      changeRealm(realm, ({ sql }) => changeUser(sql, ben.id, { readFloor: 1 })),
    presence: async () => expectSuccess(await ben.api.post('/users/me/presence', { status: 'active' })),
    'a setting': async () => expectSuccess(await ben.api.patch('/settings', { twenty_four_hour_time: true })),
    'an account': () => buildUser(realm),
  }
  for (const [what, act] of Object.entries(done)) {
    await act()
    const { rows, channels } = await register()
    expect(rows, what).toBeLessThan(CHANNELS / 2)
    expect(channels).toBeGreaterThan(CHANNELS)
  }
})
