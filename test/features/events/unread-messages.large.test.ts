import { describe, expect, it } from 'vitest'
import { expectSuccess } from '../../support/factories.ts'
import { insertInIndex } from '../../support/inserted-messages.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann, user, channel } = useRealm(
  { ann: 'member', user: 'member' },
  { channels: { channel: ['ann', 'user'] } },
)

async function unread() {
  const params = {
    fetch_event_types: ['message', 'update_message_flags'],
    client_capabilities: { notification_settings_null: true, empty_topic_name: true },
  }
  return expectSuccess(await user.api.post('/register', params)).unread_msgs
}

/** Source: docs/interface/reading.md#unread-messages. */
describe('unread messages in the snapshot', () => {
  it('are the newest 50,000, marked as possibly incomplete', async () => {
    // Those that greet new members.
    expectSuccess(await user.api.post('/mark_all_as_read'))
    const flood = { channelId: channel.id, topic: 'flood' }
    const first = await insertInIndex(realm, ann, { ...flood, count: 49_999 })
    expect(await unread()).toMatchObject({ count: 49_999, old_unreads_missing: false })
    await insertInIndex(realm, ann, { ...flood, count: 2 })
    const { count, streams, old_unreads_missing } = await unread()
    expect([count, old_unreads_missing]).toEqual([50_000, true])
    const ids = streams[0].unread_message_ids
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([50_000, first + 1, first + 50_000])
  })
})
