import { describe, expect, it } from 'vitest'
import { buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { insertInIndex } from '../../support/inserted-messages.ts'
import { ENTRIES_AT_ONCE } from '../../support/limits.ts'
import { openQueue } from '../../support/queues.ts'
import { useRealmPerTest } from '../../support/use-realm.ts'

const { realm, ann, ben, channel } = useRealmPerTest(
  { ann: 'member', ben: 'member' },
  { channels: { channel: ['ann', 'ben'] } },
)

function mute(user: TestUser, id: number) {
  return user.api.post(`/users/me/muted_users/${id}`)
}

function unmute(user: TestUser, id: number) {
  return user.api.delete(`/users/me/muted_users/${id}`)
}

async function send(from: TestUser, content = 'hello') {
  const message = { type: 'channel', to: channel.name, topic: 'talk', content }
  return expectSuccess(await from.api.post('/messages', message)).id as number
}

async function unreadIds(user: TestUser): Promise<number[]> {
  const { snapshot } = await openQueue(user, { fetch_event_types: ['message', 'update_message_flags'] })
  const { streams, pms } = snapshot.unread_msgs
  return [...streams, ...pms].flatMap((one) => one.unread_message_ids)
}

describe('muting a user', () => {
  it('is sent to the user’s own clients only, and kept', async () => {
    const [anns, bens] = [await openQueue(ann), await openQueue(ben)]
    expectSuccess(await mute(ann, ben.id))
    expect(await anns.eventsOf('muted_users')).toMatchObject([
      { muted_users: [{ id: ben.id, timestamp: expect.any(Number) }] },
    ])
    expect(await bens.events()).toEqual([])
    const { snapshot } = await openQueue(ann, { fetch_event_types: ['muted_users'] })
    expect(snapshot.muted_users).toMatchObject([{ id: ben.id }])
  })

  it('marks what they wrote as read', async () => {
    const [theirs, others] = [await send(ben), await send(realm.owner)]
    const queue = await openQueue(ann)
    expectSuccess(await mute(ann, ben.id))
    const [event] = await queue.eventsOf('update_message_flags')
    expect(event).toMatchObject({ op: 'add', flag: 'read', messages: [theirs], all: false })
    const unread = await unreadIds(ann)
    expect(unread).not.toContain(theirs)
    expect(unread).toContain(others)
  })

  it('marks thousands as read in several commits, the last of which mutes', async () => {
    const count = 2 * ENTRIES_AT_ONCE + 100
    const first = await insertInIndex(realm, ben, { channelId: channel.id, topic: 'long', count })
    const queue = await openQueue(ann, { event_types: ['muted_users', 'update_message_flags'] })
    expectSuccess(await mute(ann, ben.id))
    const events = await queue.events()
    const marked = events
      .filter(({ type }) => type === 'update_message_flags')
      .map(({ messages }) => messages)
    expect(marked.flat()).toEqual(Array.from({ length: count }, (_, at) => first + at))
    for (const ids of marked) expect(ids.length).toBeLessThanOrEqual(ENTRIES_AT_ONCE)
    expect(events.filter(({ type }) => type === 'muted_users')).toHaveLength(1)
    expect(events.length).toBeGreaterThanOrEqual(3)
    expect(events.at(-1)).toMatchObject({ type: 'muted_users' })
    expect(await unreadIds(ann)).not.toContain(first + count - 1)
    expect((await mute(ann, ben.id)).body.msg).toBe('User already muted')
  })

  it('makes their later messages arrive as read, in channels and conversations', async () => {
    expectSuccess(await mute(ann, ben.id))
    const queue = await openQueue(ann)
    const ids = [
      await send(ben, 'hey @**Ann**'),
      expectSuccess(await ben.api.post('/messages', { type: 'direct', to: [ann.id], content: 'psst' })).id,
    ]
    const events = await queue.eventsOf('message')
    expect(events.map(({ message }) => message.id)).toEqual(ids)
    expect(events[0]!['flags']).toEqual(['read', 'mentioned'])
    expect(events[1]!['flags']).toEqual(['read'])
    const unread = await unreadIds(ann)
    for (const id of ids) expect(unread).not.toContain(id)
  })

  it('changes nothing for others', async () => {
    expectSuccess(await mute(ann, ben.id))
    const cid = await buildUser(realm)
    expectSuccess(await cid.api.post('/users/me/subscriptions', { subscriptions: [{ name: channel.name }] }))
    const [anns, bens] = [await send(ann), await send(ben)]
    expect(await unreadIds(cid)).toEqual(expect.arrayContaining([anns, bens]))
    expect(await unreadIds(ben)).toContain(anns)
    expect(await unreadIds(ann)).not.toContain(bens)
  })

  it('works on closed accounts', async () => {
    expectSuccess(await realm.owner.api.delete(`/users/${ben.id}`))
    expectSuccess(await mute(ann, ben.id))
  })
})

describe('unmuting', () => {
  it('is sent to the user’s clients, and later messages arrive unread', async () => {
    expectSuccess(await mute(ann, ben.id))
    const quiet = await send(ben)
    const queue = await openQueue(ann)
    expectSuccess(await unmute(ann, ben.id))
    expect(await queue.eventsOf('muted_users')).toMatchObject([{ muted_users: [] }])
    const unread = [...(await unreadIds(ann))]
    expect(unread).not.toContain(quiet)
    const loud = await send(ben)
    expect(await unreadIds(ann)).toContain(loud)
  })
})

describe('muting is refused', () => {
  it('for oneself, unknown users, and twice; unmuting for users who are not muted', async () => {
    const refusals: [Promise<{ status: number; body: { code: string; msg: string } }>, string][] = [
      [mute(ann, ann.id), 'Cannot mute self'],
      [mute(ann, 999_999), 'No such user'],
      [unmute(ann, 999_999), 'No such user'],
      [unmute(ann, ben.id), 'User is not muted'],
    ]
    for (const [response, msg] of refusals) {
      const { status, body } = await response
      expect([status, body.code, body.msg]).toEqual([400, 'BAD_REQUEST', msg])
    }
    expectSuccess(await mute(ann, ben.id))
    expect((await mute(ann, ben.id)).body.msg).toBe('User already muted')
  })

  it('without credentials', async () => {
    expect((await realm.anonymous.post(`/users/me/muted_users/${ben.id}`)).status).toBe(401)
  })
})
