import { describe, expect, it } from 'vitest'
import type { StoredTypingEvent } from '../../src/events/typing.ts'
import { evictRealm } from '../support/api.ts'
import { buildChannel, expectSuccess, type TestUser } from '../support/factories.ts'
import { changeRealm, insertUsers } from '../support/inside.ts'
import { changeRole } from '../support/inside-rows.ts'
import { openQueue, type TestQueue } from '../support/queues.ts'
import { useRealmPerTest } from '../support/use-realm.ts'

const ADMINISTRATORS = { roles: [100, 200] }
const NON_GUESTS = { roles: [100, 200, 300, 400] }

const { realm, owner, member, channel } = useRealmPerTest(
  { member: 'member' },
  { channels: { channel: { subscribers: ['owner'], invite_only: true } } },
)

async function send(content: string) {
  const sent = { type: 'stream', to: channel.name, topic: 'periods', content }
  expectSuccess(await owner.api.post('/messages', sent))
}

async function subscribe(user: TestUser) {
  const principals = [user.id]
  expectSuccess(
    await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name: channel.name }], principals }),
  )
}

async function unsubscribe(user: TestUser) {
  const params = { subscriptions: [channel.name], principals: [user.id] }
  expectSuccess(await owner.api.delete('/users/me/subscriptions', params))
}

const messages = { event_types: ['message'], apply_markdown: false }
const contents = async (queue: TestQueue) =>
  (await queue.eventsOf('message'))
    .filter(({ message }) => message.stream_id === channel.id)
    .map(({ message }) => message.content)

describe('a queue of a subscriber, polled late', () => {
  it('gets what happened while subscribed, and nothing else', async () => {
    const queue = await openQueue(member, messages)
    await send('before')
    await subscribe(member)
    await send('during')
    await unsubscribe(member)
    await send('after')
    expect(await contents(queue)).toEqual(['during'])
  })

  it('gets the events of each of several periods', async () => {
    const queue = await openQueue(member, messages)
    for (let period = 1; period <= 3; period += 1) {
      await send(`out ${period}`)
      await subscribe(member)
      await send(`in ${period}`)
      await unsubscribe(member)
    }
    expect(await contents(queue)).toEqual(['in 1', 'in 2', 'in 3'])
  })

  it('gets the same after an eviction', async () => {
    const queue = await openQueue(member, messages)
    await subscribe(member)
    await send('in')
    await unsubscribe(member)
    await send('out')
    await evictRealm(realm.id)
    expect(await contents(queue)).toEqual(['in'])
  })

  it('gets the same when it was polled in between', async () => {
    const [late, busy] = [await openQueue(member, messages), await openQueue(member, messages)]
    const seen: string[] = []
    const look = async () => seen.push(...(await contents(busy)))
    await send('before')
    await look()
    await subscribe(member)
    await send('one')
    await look()
    await send('two')
    await unsubscribe(member)
    await look()
    await send('after')
    await look()
    expect(seen).toEqual(['one', 'two'])
    expect(await contents(late)).toEqual(seen)
  })

  it('is not answered by what comes after leaving', async () => {
    await subscribe(member)
    await unsubscribe(member)
    const queue = await openQueue(member, messages)
    const poll = queue.poll()
    await send('not for them')
    await owner.api.post('/messages', { type: 'direct', to: [member.id], content: 'for them' })
    expect((await poll).map(({ message }) => message.content)).toEqual(['for them'])
  })
})

describe('a queue of a user whose role changes, polled late', () => {
  const event = (id: number): StoredTypingEvent => ({
    type: 'typing',
    op: 'start',
    message_type: 'direct',
    sender: { user_id: id, email: 'x@example.com' },
    recipients: [],
  })
  const marks = async (queue: TestQueue) =>
    (await queue.eventsOf('typing')).map(({ sender }) => sender.user_id)
  const becomes = (role: 100 | 200 | 400 | 600) => changeRealm(realm, (tx) => changeRole(tx, member.id, role))

  it('gets what was for the role they had then', async () => {
    const queue = await openQueue(member, { event_types: ['typing'] })
    const toAdministrators = (id: number) => changeRealm(realm, (tx) => tx.emit(event(id), ADMINISTRATORS))
    await toAdministrators(1)
    await becomes(200)
    await toAdministrators(2)
    await becomes(400)
    await toAdministrators(3)
    await becomes(100)
    await toAdministrators(4)
    expect(await marks(queue)).toEqual([2, 4])
  })

  it('gets nothing meant for members while a guest', async () => {
    const queue = await openQueue(member, { event_types: ['typing'] })
    const toMembers = (id: number) => changeRealm(realm, (tx) => tx.emit(event(id), NON_GUESTS))
    await toMembers(1)
    await becomes(600)
    await toMembers(2)
    expect(await marks(queue)).toEqual([1])
  })

  it('distinguishes events before and after a change within one commit', async () => {
    const queue = await openQueue(member, { event_types: ['typing'] })
    await changeRealm(realm, (tx) => {
      tx.emit(event(1), ADMINISTRATORS)
      changeRole(tx, member.id, 200)
      tx.emit(event(2), ADMINISTRATORS)
    })
    expect(await marks(queue)).toEqual([2])
  })
})

describe('a queue for all public channels', () => {
  it('gets messages without flags, and for a guest none', async () => {
    const open = await buildChannel([owner])
    const [reader, guest] = (await insertUsers(realm, 2)) as [TestUser, TestUser]
    const along = await openQueue(reader, { ...messages, all_public_streams: true })
    const plain = await openQueue(reader, messages)
    await owner.api.post('/messages', { type: 'stream', to: open.name, topic: 'x', content: 'hear @**all**' })
    await send('in a private channel')
    const heard = await along.eventsOf('message')
    expect(heard).toMatchObject([{ message: { stream_id: open.id }, flags: [] }])
    expect(await plain.eventsOf('message')).toEqual([])
    await changeRealm(realm, (tx) => changeRole(tx, guest.id, 600))
    const refused = await guest.api.post('/register', { all_public_streams: true })
    expect(refused.body.msg).toBe('User not authorized for this query')
  })
})
