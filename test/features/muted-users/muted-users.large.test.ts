import { describe, expect, it } from 'vitest'
import { countRows } from '../../support/counted-rows.ts'
import { expectSuccess, reopen, type TestRealm, type TestUser } from '../../support/factories.ts'
import { changeRealm, inRealm, insertUsers } from '../../support/inside.ts'
import { insertMutedUser, newestMessageId } from '../../support/inside-rows.ts'
import { sendTo } from '../../support/messages.ts'
import { neverEvict } from '../../support/never-evict.ts'
import { openQueue } from '../../support/queues.ts'
import { buildRealm } from '../../support/use-realm.ts'

/** A user whom many of the receivers have muted: what they wrote arrived read for those who had muted them, without a row for each. */

const muteAll = (realm: TestRealm, people: readonly TestUser[], { id }: TestUser) =>
  changeRealm(realm, ({ sql, now }) => {
    for (const { id: userId } of people) {
      insertMutedUser(sql, userId, { id, timestamp: now }, newestMessageId(sql))
    }
  })

const mute = async (user: TestUser, { id }: TestUser) =>
  expectSuccess(await user.api.post(`/users/me/muted_users/${id}`))

const unmute = async (user: TestUser, { id }: TestUser) =>
  expectSuccess(await user.api.delete(`/users/me/muted_users/${id}`))

const flag = async (user: TestUser, op: 'add' | 'remove', ...messages: number[]) =>
  expectSuccess(await user.api.post('/messages/flags', { messages, op, flag: 'read' }))

/** The unread messages, as a registration, a narrow and the flags of a page tell them. */
async function unreadOf(user: TestUser): Promise<number[]> {
  const { snapshot } = await openQueue(user, { fetch_event_types: ['message', 'update_message_flags'] })
  const { streams, pms } = snapshot.unread_msgs as Record<string, { unread_message_ids: number[] }[]>
  const unread = [...streams!, ...pms!].flatMap((one) => one.unread_message_ids).sort((a, b) => a - b)
  const page = async (narrow: object[]) => {
    const params = { anchor: 'newest', num_before: 100, num_after: 0, narrow }
    return expectSuccess(await user.api.get('/messages', params)).messages as {
      id: number
      flags: string[]
    }[]
  }
  const narrowed = (await page([{ operator: 'is', operand: 'unread' }])).map(({ id }) => id)
  const flagged = (await page([])).flatMap(({ id, flags }) => (flags.includes('read') ? [] : id))
  expect([narrowed, flagged]).toEqual([unread, unread])
  return unread
}

async function hall() {
  const built = await buildRealm(
    { ann: 'member', ben: 'member' },
    { channels: { channel: ['owner', 'ann', 'ben'] } },
  )
  const { realm, ann, ben, channel } = built
  // What the organization has sent to new accounts.
  for (const { api } of [realm.owner, ann, ben]) expectSuccess(await api.post('/mark_all_as_read'))
  return { ...built, say: (content = 'Hello') => sendTo(ann, channel.id, 'talk', content) }
}

describe('a message of a user whom hundreds have muted', () => {
  neverEvict()

  it('costs no row for each of them, who are kept in memory', async () => {
    const { realm, ann, channel } = await hall()
    const people = await insertUsers(realm, 400, channel.id)
    const message = { type: 'channel', to: channel.id, topic: 'talk', content: 'Hello' }
    await muteAll(realm, people, ann)
    await sendTo(ann, channel.id, 'talk')
    const { object } = await countRows(ann.api, 'POST', '/messages', message)
    expect(object.read).toBeLessThan(100)
    expect(object.written).toBeLessThan(20)
  })
})

describe('a message of a user who is muted', () => {
  it('arrives read, and stays so when they are no longer muted', async () => {
    const { realm, ann, ben, say } = await hall()
    const before = await say()
    await mute(ben, ann)
    expect(await unreadOf(ben)).toEqual([])
    const queues = [await openQueue(ben), await openQueue(realm.owner)]
    const muted = [await say(), await say()]
    const flagsOf = await Promise.all(
      queues.map(async (queue) => (await queue.eventsOf('message')).map((event) => event['flags'])),
    )
    expect(flagsOf).toEqual([
      [['read'], ['read']],
      [[], []],
    ])
    await unmute(ben, ann)
    const loud = await say()
    expect(await unreadOf(ben)).toEqual([loud])
    expect(await unreadOf(realm.owner)).toEqual([before, ...muted, loud])
    await mute(ben, ann)
    expect(await unreadOf(ben)).toEqual([])
    await say()
    await unmute(ben, ann)
    expect(await unreadOf(ben)).toEqual([])
  })

  it('is unread once the user says so, and read again', async () => {
    const { ann, ben, say } = await hall()
    await mute(ben, ann)
    const [first, second] = [await say(), await say()]
    await flag(ben, 'remove', first!, second!)
    expect(await unreadOf(ben)).toEqual([first, second])
    await unmute(ben, ann)
    await flag(ben, 'add', first!)
    expect(await unreadOf(ben)).toEqual([second])
    await flag(ben, 'remove', first!)
    expect(await unreadOf(ben)).toEqual([first, second])
  })

  it('has been read by those alone who have muted its sender', async () => {
    const { realm, ann, ben, channel, say } = await hall()
    const [cid] = await insertUsers(realm, 1, channel.id)
    await mute(ben, ann)
    await mute(cid!, ann)
    const id = await say()
    await flag(cid!, 'remove', id)
    await unmute(ben, ann)
    const readers = async () =>
      expectSuccess(await realm.owner.api.get(`/messages/${id}/read_receipts`)).user_ids as number[]
    expect(await readers()).toEqual([ben.id])
    await flag(cid!, 'add', id)
    expect(await readers()).toEqual([ben.id, cid!.id])
  })

  it('stays read for an account that was closed when it was sent', async () => {
    const { realm, ann, ben, say } = await hall()
    await mute(ben, ann)
    expectSuccess(await realm.owner.api.delete(`/users/${ben.id}`))
    await say()
    expect(await unreadOf(await reopen(realm, ben))).toEqual([])
  })
})

it('a past mute is forgotten once the read set tells which messages were read', async () => {
  const { realm, ann, ben, say } = await hall()
  const periods = () =>
    inRealm(realm, ({ parts }) => parts.sql.all(`SELECT since_message_id FROM ended_mute`))
  for (let time = 0; time < 3; time += 1) {
    await mute(ben, ann)
    await say()
    await unmute(ben, ann)
  }
  expect(await periods()).toHaveLength(3)
  const newest = await say()
  expectSuccess(await ben.api.post('/mark_all_as_read'))
  await mute(ben, ann)
  await unmute(ben, ann)
  expect(await periods()).toEqual([])
  expect(await unreadOf(ben)).toEqual([])
  await flag(ben, 'remove', newest - 1, newest)
  expect(await unreadOf(ben)).toEqual([newest - 1, newest])
})
