import { describe, expect, it } from 'vitest'
import { buildChannel, buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann, ben, cid } = useRealm({ ann: 'member', ben: 'member', cid: 'member' })

/** A reader who has read the messages that greet new members, and a channel with the reader and Ann. */
async function newMember() {
  const user = await buildUser(realm)
  const channel = await buildChannel([ann, user])
  expectSuccess(await user.api.post('/mark_all_as_read'))
  return { user, channel }
}

async function post(to: number, topic: string, content = 'hello', sender = ann): Promise<number> {
  return expectSuccess(await sender.api.post('/messages', { type: 'channel', to, topic, content })).id
}

async function write(to: readonly TestUser[], sender = ann): Promise<number> {
  const ids = to.map(({ id }) => id)
  return expectSuccess(await sender.api.post('/messages', { type: 'direct', to: ids, content: 'hello' })).id
}

async function unread(user: TestUser, capabilities = { empty_topic_name: true }) {
  const params = {
    fetch_event_types: ['message', 'update_message_flags'],
    client_capabilities: { notification_settings_null: true, ...capabilities },
  }
  return expectSuccess(await user.api.post('/register', params)).unread_msgs
}

/** Source: docs/interface/reading.md#unread-messages. */
describe('unread messages in the snapshot', () => {
  it('are empty lists for a user who has read everything', async () => {
    const { user } = await newMember()
    expect(await unread(user)).toEqual({
      count: 0,
      pms: [],
      streams: [],
      huddles: [],
      mentions: [],
      old_unreads_missing: false,
    })
  })

  it('are listed by conversation: the other’s id, one’s own, or all ids of a group', async () => {
    const { user } = await newMember()
    const alone = await write([user], user)
    const pair = [await write([user]), await write([ann], user), await write([user])]
    const group = await write([user, ben, cid], ben)
    const { pms, huddles, count } = await unread(user)
    expect(pms).toEqual(
      expect.arrayContaining([
        { other_user_id: user.id, sender_id: user.id, unread_message_ids: [alone] },
        { other_user_id: ann.id, sender_id: ann.id, unread_message_ids: pair },
      ]),
    )
    expect(pms).toHaveLength(2)
    const ids = [user.id, ben.id, cid.id].sort((a, b) => a - b)
    expect(huddles).toEqual([{ user_ids_string: ids.join(','), unread_message_ids: [group] }])
    expect(count).toBe(5)
  })

  it('are grouped by topic, spelled as in the newest, ids ascending', async () => {
    const { user, channel } = await newMember()
    const nets = [await post(channel.id, 'nets')]
    const other = await post(channel.id, '')
    nets.push(await post(channel.id, 'NETS'), await post(channel.id, 'Nets'))
    const topics = (empty: string) => [
      { stream_id: channel.id, topic: 'Nets', unread_message_ids: nets },
      { stream_id: channel.id, topic: empty, unread_message_ids: [other] },
    ]
    const known = await unread(user)
    expect(known.streams).toEqual(expect.arrayContaining(topics('')))
    expect(known).toMatchObject({ streams: { length: 2 }, count: 4 })
    const unknown = await unread(user, { empty_topic_name: false })
    expect(unknown.streams).toEqual(expect.arrayContaining(topics('general chat')))
  })

  it('in a channel one has left are not listed', async () => {
    const { user, channel } = await newMember()
    await post(channel.id, 'nets', `@**${user.fullName}|${user.id}**`)
    expectSuccess(await user.api.delete('/users/me/subscriptions', { subscriptions: [channel.name] }))
    expect(await unread(user)).toMatchObject({ streams: [], mentions: [], count: 0 })
  })

  it('in a muted topic are listed, not counted, and without wildcard mentions', async () => {
    const { user, channel } = await newMember()
    const name = `@**${user.fullName}|${user.id}**`
    const setPolicy = async (topic: string, visibility_policy: number) =>
      expectSuccess(await user.api.post('/user_topics', { stream_id: channel.id, topic, visibility_policy }))
    const quiet = [
      await post(channel.id, 'quiet', `${name} look`),
      await post(channel.id, 'quiet', '@**all** look'),
    ]
    const loud = await post(channel.id, 'loud', '@**all** look')
    await setPolicy('Quiet', 1)
    expect(await unread(user)).toMatchObject({ count: 1, streams: { length: 2 }, mentions: [quiet[0], loud] })
    // Muting the channel mutes all of its topics except the one that is followed.
    const subscription_data = [{ stream_id: channel.id, property: 'is_muted', value: true }]
    expectSuccess(await user.api.post('/users/me/subscriptions/properties', { subscription_data }))
    await setPolicy('loud', 3)
    await post(channel.id, 'other', '@**all** look')
    expect(await unread(user)).toMatchObject({ count: 1, streams: { length: 3 }, mentions: [quiet[0], loud] })
  })
})
