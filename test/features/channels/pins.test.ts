import { describe, expect, it } from 'vitest'
import { buildChannel, buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { sendDirect, sendTo } from '../../support/messages.ts'
import { ALL_CAPABILITIES, openQueue } from '../../support/queues.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, admin, moderator, ann, ben, guest } = useRealm({
  admin: 'administrator',
  moderator: 'moderator',
  ann: 'member',
  ben: 'member',
  guest: 'guest',
})
/** The owner of another organization. */
const { owner: stranger } = useRealm()

type Pinned = { readonly message_id: number } | { readonly topic: string }

const pin = (user: TestUser, channelId: number, what: Pinned) =>
  user.api.post(`/streams/${channelId}/pins`, what)

const unpin = (user: TestUser, channelId: number, id: number) =>
  user.api.delete(`/streams/${channelId}/pins/${id}`)

/** Returns the messages and topics that a reader finds pinned, the newest first. */
async function pinsFor(user: TestUser, channelId: number): Promise<(number | string)[]> {
  const { pins } = expectSuccess(await user.api.get(`/streams/${channelId}/pins`))
  return pins.map((one: { message_id: number | null; topic: string | null }) => one.message_id ?? one.topic)
}

async function subscribe(user: TestUser, channel: { readonly name: string }, by: TestUser) {
  const params = { subscriptions: [{ name: channel.name }], principals: [user.id] }
  expectSuccess(await by.api.post('/users/me/subscriptions', params))
}

const PRIVATE = { invite_only: true, history_public_to_subscribers: false }
const MAY_NOT_PIN = 'You do not have permission to pin in this channel.'

describe('who pins', () => {
  it('are those who administer the channel, and moderators who read it', async () => {
    const channel = await buildChannel([ann, ben, guest])
    const id = await sendTo(ben, channel.name, 'roof')
    for (const user of [ben, guest]) {
      expectRefusal(await pin(user, channel.id, { message_id: id }), MAY_NOT_PIN)
    }
    for (const user of [ann, moderator, admin, realm.owner]) {
      const { id: made } = expectSuccess(await pin(user, channel.id, { message_id: id }))
      expectRefusal(await unpin(ben, channel.id, made), MAY_NOT_PIN)
      expectSuccess(await unpin(user, channel.id, made))
    }
    expect(await pinsFor(ben, channel.id)).toEqual([])
  })

  it('is nobody outside, in a private channel: it seems not to exist', async () => {
    const channel = await buildChannel([ann, ben], PRIVATE)
    const message = { message_id: await sendTo(ben, channel.name, 'roof') }
    const { id } = expectSuccess(await pin(ann, channel.id, message))
    for (const user of [moderator, admin, guest, stranger]) {
      expectRefusal(await pin(user, channel.id, message), 'Invalid channel ID')
      expectRefusal(await unpin(user, channel.id, id), 'Invalid channel ID')
      expectRefusal(await user.api.get(`/streams/${channel.id}/pins`), 'Invalid channel ID')
    }
    expect((await realm.anonymous.get(`/streams/${channel.id}/pins`)).status).toBe(401)
  })

  it('is nobody whose account is closed', async () => {
    const gone = await buildUser(realm)
    const channel = await buildChannel([gone, ben])
    await sendTo(ben, channel.name, 'roof')
    expectSuccess(await pin(gone, channel.id, { topic: 'roof' }))
    expectSuccess(await realm.owner.api.delete(`/users/${gone.id}`))
    expect((await pin(gone, channel.id, { topic: 'roof' })).status).toBe(401)
    expect(await pinsFor(ben, channel.id)).toEqual(['roof'])
  })
})

describe('pins', () => {
  it('are listed with who pinned them and when, the newest first', async () => {
    const channel = await buildChannel([ann, ben])
    const id = await sendTo(ben, channel.name, 'roof')
    const first = expectSuccess(await pin(ann, channel.id, { message_id: id })).id
    const second = expectSuccess(await pin(moderator, channel.id, { topic: 'Roof' })).id
    const { pins } = expectSuccess(await ben.api.get(`/streams/${channel.id}/pins`))
    const pinned_at = expect.any(Number)
    expect(pins).toEqual([
      { id: second, message_id: null, topic: 'roof', pinned_by: moderator.id, pinned_at },
      { id: first, message_id: id, topic: null, pinned_by: ann.id, pinned_at },
    ])
  })

  it('of what is pinned already stay as they are', async () => {
    const channel = await buildChannel([ann])
    const id = await sendTo(ann, channel.name, 'roof')
    const first = expectSuccess(await pin(ann, channel.id, { message_id: id }))
    expect(expectSuccess(await pin(realm.owner, channel.id, { message_id: id })).id).toBe(first.id)
  })

  it('need one message or topic of this channel', async () => {
    const [channel, other] = [await buildChannel([ann, ben]), await buildChannel([ann])]
    const elsewhere = await sendTo(ann, other.name, 'away')
    const direct = await sendDirect(ann, [ben])
    const neither = await ann.api.post(`/streams/${channel.id}/pins`, {})
    expectRefusal(neither, 'Name either a message or a topic.')
    const both = await ann.api.post(`/streams/${channel.id}/pins`, { message_id: elsewhere, topic: 'away' })
    expectRefusal(both, 'Name either a message or a topic.')
    for (const message_id of [elsewhere, direct, 999_999]) {
      expectRefusal(await pin(ann, channel.id, { message_id }), 'Invalid message(s)')
    }
    expectRefusal(await pin(ann, channel.id, { topic: 'away' }), 'There is no such topic.')
    expectRefusal(await unpin(ann, channel.id, 999_999), 'There is no such pin.')
  })

  it('of the empty topic have its display name, unless the client knows it', async () => {
    const channel = await buildChannel([ann], { topics_policy: 'allow_empty_topic' })
    await sendTo(ann, channel.name, '')
    expectSuccess(await pin(ann, channel.id, { topic: '' }))
    expect(await pinsFor(ann, channel.id)).toEqual(['general chat'])
    const path = `/streams/${channel.id}/pins`
    const { pins } = expectSuccess(await ann.api.get(path, { allow_empty_topic_name: true }))
    expect(pins).toMatchObject([{ topic: '' }])
  })

  it('are at most fifty in a channel', async () => {
    const channel = await buildChannel([ann])
    const ids: number[] = []
    for (let left = 51; left > 0; left -= 1) ids.push(await sendTo(ann, channel.name, 'many'))
    for (const message_id of ids.slice(1)) expectSuccess(await pin(ann, channel.id, { message_id }))
    const refused = await pin(ann, channel.id, { message_id: ids[0]! })
    expectRefusal(refused, 'A channel cannot have more than 50 pins.')
    const other = await buildChannel([ann])
    const extra = await sendTo(ann, other.name, 'extra')
    expectSuccess(await pin(ann, other.id, { message_id: extra }))
    expectSuccess(await ann.api.patch(`/messages/${extra}`, { stream_id: channel.id }))
    expect(await pinsFor(ann, channel.id)).toHaveLength(50)
    expect(await pinsFor(ann, other.id)).toEqual([])
  })

  it('cannot be changed in an archived channel, but read', async () => {
    const channel = await buildChannel([ann])
    await sendTo(ann, channel.name, 'roof')
    const { id } = expectSuccess(await pin(ann, channel.id, { topic: 'roof' }))
    expectSuccess(await realm.owner.api.delete(`/streams/${channel.id}`))
    expectRefusal(await unpin(ann, channel.id, id), 'Invalid channel ID')
    expect(await pinsFor(ann, channel.id)).toContain('roof')
  })
})

describe('who sees a pin', () => {
  it('sees what is pinned', async () => {
    const channel = await buildChannel([ann, ben], PRIVATE)
    const id = await sendTo(ben, channel.name, 'before')
    expectSuccess(await pin(ann, channel.id, { message_id: id }))
    const ofTopic = expectSuccess(await pin(ann, channel.id, { topic: 'before' })).id
    const late = await buildUser(realm, { role: 300 })
    await subscribe(late, channel, ann)
    expect(await pinsFor(ben, channel.id)).toEqual(['before', id])
    expect(await pinsFor(late, channel.id)).toEqual([])
    expectRefusal(await unpin(late, channel.id, ofTopic), 'There is no such pin.')
    expectRefusal(await pin(late, channel.id, { topic: 'before' }), 'There is no such topic.')
    expectRefusal(await pin(late, channel.id, { message_id: id }), 'Invalid message(s)')
    await sendTo(ben, channel.name, 'before', 'and now')
    expect(await pinsFor(late, channel.id)).toEqual(['before'])
  })

  it('no longer does after leaving', async () => {
    const channel = await buildChannel([ann, ben, guest], PRIVATE)
    expectSuccess(await pin(ann, channel.id, { message_id: await sendTo(ben, channel.name, 'x') }))
    expect(await pinsFor(guest, channel.id)).toHaveLength(1)
    for (const user of [ben, guest]) {
      expectSuccess(await user.api.delete('/users/me/subscriptions', { subscriptions: [channel.name] }))
      expectRefusal(await user.api.get(`/streams/${channel.id}/pins`), 'Invalid channel ID')
    }
  })
})

describe('a pin of what is moved or deleted', () => {
  it('follows a message into another channel', async () => {
    const [from, to] = [await buildChannel([ann, ben]), await buildChannel([ann])]
    const id = await sendTo(ann, from.name, 'roof')
    expectSuccess(await pin(ann, from.id, { message_id: id }))
    await sendTo(ann, from.name, 'roof')
    const queue = await openQueue(ben, { client_capabilities: PINS_TOO })
    const moved = { stream_id: to.id, topic: 'new', propagate_mode: 'change_one' }
    expectSuccess(await realm.owner.api.patch(`/messages/${id}`, moved))
    expect(await pinsFor(ann, from.id)).toEqual([])
    expect(await pinsFor(ann, to.id)).toEqual([id])
    const told = (await queue.eventsOf('channel_pins')).map(({ stream_id }) => stream_id)
    expect(told).toEqual([from.id, to.id])
  })

  it('follows a topic that is renamed, resolved or moved as a whole, and into another', async () => {
    const [from, to] = [await buildChannel([ann]), await buildChannel([ann])]
    const id = await sendTo(ann, from.name, 'roof')
    await sendTo(ann, from.name, 'roof')
    await sendTo(ann, to.name, 'leaks')
    expectSuccess(await pin(ann, from.id, { topic: 'roof' }))
    const move = async (place: { topic?: string; stream_id?: number }) => {
      const all = { propagate_mode: 'change_all', send_notification_to_old_thread: false }
      expectSuccess(await realm.owner.api.patch(`/messages/${id}`, { ...all, ...place }))
    }
    await move({ topic: '✔ roof' })
    expect(await pinsFor(ann, from.id)).toEqual(['✔ roof'])
    await move({ topic: 'roof', stream_id: to.id })
    expect(await pinsFor(ann, from.id)).toEqual([])
    expect(await pinsFor(ann, to.id)).toEqual(['roof'])
    await move({ topic: 'leaks' })
    expect(await pinsFor(ann, to.id)).toEqual(['leaks'])
  })

  it('stays with a topic of which only a part is moved', async () => {
    const channel = await buildChannel([ann])
    const id = await sendTo(ann, channel.name, 'roof')
    await sendTo(ann, channel.name, 'roof')
    expectSuccess(await pin(ann, channel.id, { topic: 'roof' }))
    const part = { topic: 'else', propagate_mode: 'change_one', send_notification_to_old_thread: false }
    expectSuccess(await ann.api.patch(`/messages/${id}`, part))
    expect(await pinsFor(ann, channel.id)).toEqual(['roof'])
  })

  it('goes with the message, and with the last message of a topic', async () => {
    const channel = await buildChannel([ann])
    const [first, last] = [await sendTo(ann, channel.name, 'x'), await sendTo(ann, channel.name, 'x')]
    expectSuccess(await pin(ann, channel.id, { message_id: first }))
    expectSuccess(await pin(ann, channel.id, { topic: 'x' }))
    const queue = await openQueue(ann, { client_capabilities: PINS_TOO })
    expectSuccess(await realm.owner.api.delete(`/messages/${first}`))
    expect(await pinsFor(ann, channel.id)).toEqual(['x'])
    expectSuccess(await realm.owner.api.delete(`/messages/${last}`))
    expect(await pinsFor(ann, channel.id)).toEqual([])
    expect(await queue.eventsOf('channel_pins')).toHaveLength(2)
    await sendTo(ann, channel.name, 'x')
    expect(await pinsFor(ann, channel.id)).toEqual([])
  })
})

const PINS_TOO = { ...ALL_CAPABILITIES, channel_pins: true }

describe('the event of a pin', () => {
  it('comes to those who see the channel, and names nothing but it', async () => {
    const channel = await buildChannel([ann, ben], PRIVATE)
    const id = await sendTo(ben, channel.name, 'x')
    const [inside, outside] = [
      await openQueue(ben, { client_capabilities: PINS_TOO }),
      await openQueue(guest, { client_capabilities: PINS_TOO }),
    ]
    const made = expectSuccess(await pin(ann, channel.id, { message_id: id })).id
    expectSuccess(await pin(ann, channel.id, { message_id: id }))
    expectSuccess(await unpin(ann, channel.id, made))
    const event = { id: expect.any(Number), type: 'channel_pins', stream_id: channel.id }
    expect(await inside.events()).toEqual([event, event])
    expect(await outside.events()).toEqual([])
  })

  it('does not come to clients that do not declare that they know it', async () => {
    const channel = await buildChannel([ann, ben])
    await sendTo(ben, channel.name, 'x')
    const queue = await openQueue(ben)
    expectSuccess(await pin(ann, channel.id, { topic: 'x' }))
    expect(await queue.events()).toEqual([])
  })
})
