import { afterEach, describe, expect, it } from 'vitest'
import { buildChannel, buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { ALL_CAPABILITIES, openQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm, ann, ben, guest, room } = useRealm(
  { ann: 'member', ben: 'member', guest: 'guest' },
  { channels: { room: ['ann', 'ben'] } },
)
/** Another organization. */
const { realm: other } = useRealm()

afterEach(() => {
  world.clockOffset = 0
})

async function send(from: TestUser, to = room.name, topic = 'deletion'): Promise<number> {
  return expectSuccess(
    await from.api.post('/messages', { type: 'channel', to, topic, content: 'to be deleted' }),
  ).id
}

describe('deleting one’s own message', () => {
  it('deletes it for everybody, and its id is never reused', async () => {
    const id = await send(ann)
    expectSuccess(await ben.api.post(`/messages/${id}/reactions`, { emoji_name: 'smile' }))
    expectSuccess(await ben.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' }))
    const [own, other] = await Promise.all([openQueue(ann), openQueue(ben)])
    expectSuccess(await ann.api.delete(`/messages/${id}`))
    for (const queue of [own, other]) {
      expect(await queue!.events()).toMatchObject([
        {
          type: 'delete_message',
          message_ids: [id],
          message_type: 'stream',
          stream_id: room.id,
          topic: 'deletion',
        },
      ])
    }
    expectRefusal(await ben.api.get(`/messages/${id}`), 'Invalid message(s)')
    expectRefusal(await ann.api.delete(`/messages/${id}`), 'Invalid message(s)')
    expect((await openQueue(ben)).snapshot.starred_messages).not.toContain(id)
    expect(await send(ann)).toBe(id + 1)
  })

  it('sends the event to everybody who still has access to it', async () => {
    const reader = { direct_members: [ben.id], direct_subgroups: [] }
    for (const history_public_to_subscribers of [true, false]) {
      const settings = { invite_only: true, can_subscribe_group: reader }
      const secret = await buildChannel([ann, guest], settings)
      const id = await send(ann, secret.name)
      expectSuccess(
        await ann.api.patch(`/streams/${secret.id}`, {
          is_private: true,
          history_public_to_subscribers: true,
        }),
      )
      expectSuccess(await ben.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' }))
      expectSuccess(
        await ann.api.patch(`/streams/${secret.id}`, { is_private: true, history_public_to_subscribers }),
      )
      const [keeper, stranger] = [await openQueue(ben), await openQueue(realm.owner)]
      expectSuccess(await ann.api.delete(`/messages/${id}`))
      expect(await keeper.eventsOf('delete_message')).toMatchObject([{ message_ids: [id] }])
      expect(await stranger.eventsOf('delete_message')).toEqual([])
    }
  })

  it('of a conversation notifies both, without channel and topic', async () => {
    const sent = await ann.api.post('/messages', { type: 'direct', to: [ben.id], content: 'hush' })
    const { id } = expectSuccess(sent)
    const queue = await openQueue(ben)
    expectSuccess(await ann.api.delete(`/messages/${id}`))
    const [event] = await queue.events()
    expect(event).toMatchObject({ type: 'delete_message', message_ids: [id], message_type: 'private' })
    expect(event).not.toHaveProperty('stream_id')
  })

  it('is sent to old clients by a single id', async () => {
    const id = await send(ann)
    const { bulk_message_deletion: _, ...client_capabilities } = ALL_CAPABILITIES
    const queue = await openQueue(ben, { client_capabilities })
    expectSuccess(await ann.api.delete(`/messages/${id}`))
    const [event] = await queue.events()
    expect(event).toMatchObject({ type: 'delete_message', message_id: id })
    expect(event).not.toHaveProperty('message_ids')
  })

  it('that is the channel’s first updates first_message_id', async () => {
    const channel = await buildChannel([ann, ben])
    const { stream } = expectSuccess(await ann.api.get(`/streams/${channel.id}`))
    const next = await send(ann, channel.name)
    const queue = await openQueue(ben)
    expectSuccess(await realm.owner.api.delete(`/messages/${stream.first_message_id}`))
    expect(await queue.events()).toMatchObject([
      { type: 'stream', op: 'update', property: 'first_message_id', value: next, stream_id: channel.id },
      { type: 'delete_message', message_ids: [stream.first_message_id] },
    ])
    expectSuccess(await ann.api.delete(`/messages/${next}`))
    expect((await queue.events())[0]).toMatchObject({ property: 'first_message_id', value: null })
  })
})

describe('who may not delete', () => {
  it('anybody but the sender, and the sender after the limit', async () => {
    const id = await send(ann)
    expectRefusal(await ben.api.delete(`/messages/${id}`), "You don't have permission to delete this message")
    world.clockOffset = 601
    expectRefusal(
      await ann.api.delete(`/messages/${id}`),
      'The time limit for deleting this message has passed',
    )
    expectSuccess(await realm.owner.api.delete(`/messages/${id}`))
  })

  it('whoever cannot see it, administrators included', async () => {
    const closed = await buildChannel([ann], { invite_only: true })
    const id = await send(ann, closed.name)
    const inOpen = await send(ann)
    for (const api of [realm.owner.api, ben.api, guest.api]) {
      expectRefusal(await api.delete(`/messages/${id}`), 'Invalid message(s)')
    }
    expectRefusal(await guest.api.delete(`/messages/${inOpen}`), 'Invalid message(s)')
    expectRefusal(await other.owner.api.delete(`/messages/${inOpen}`), 'Invalid message(s)')
    expectUnauthorized(await realm.anonymous.delete(`/messages/${inOpen}`))
    expectSuccess(await ann.api.get(`/messages/${id}`))
  })

  it('a former subscriber of a private channel', async () => {
    const closed = await buildChannel([ann, ben], { invite_only: true })
    const id = await send(ben, closed.name)
    expectSuccess(await ben.api.delete('/users/me/subscriptions', { subscriptions: [closed.name] }))
    expectRefusal(await ben.api.delete(`/messages/${id}`), 'Invalid message(s)')
  })

  it('a deactivated account', async () => {
    const gone = await buildUser(realm)
    const id = await send(gone)
    expectSuccess(await realm.owner.api.delete(`/users/${gone.id}`))
    expectRefusal(await gone.api.delete(`/messages/${id}`), 'Account is deactivated', {
      status: 401,
      code: 'UNAUTHORIZED',
    })
  })
})
