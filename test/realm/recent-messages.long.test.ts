import { beforeAll, describe, expect, it } from 'vitest'
import { RECENT_MESSAGES } from '../../src/core/budgets.ts'
import { findMessage, newestMessageId } from '../../src/store/messages/message-rows.ts'
import { insertMessage, recentMessages } from '../../src/store/messages/recent-message-rows.ts'
import type { ApiResponse } from '../support/api.ts'
import { expectSuccess, type TestUser } from '../support/factories.ts'
import { insertInIndex } from '../support/inserted-messages.ts'
import { changeRealm, inRealm } from '../support/inside.ts'
import { neverEvict } from '../support/never-evict.ts'
import { useRealm } from '../support/use-realm.ts'

/* The object remembers the newest messages for all readers: what one registration has read serves other registrations and pages. */
neverEvict()
const { realm, owner, ann, bea, hall, vault } = useRealm(
  { ann: 'member', bea: 'member' },
  {
    channels: {
      hall: ['owner', 'ann', 'bea'],
      vault: { subscribers: ['owner', 'ann'], invite_only: true },
    },
  },
)

const send = (to: number, content: string, sender = owner) =>
  sender.api.post('/messages', { type: 'channel', to, topic: 'tides', content })
const post = async (to: number, content: string, sender = owner): Promise<number> =>
  expectSuccess(await send(to, content, sender)).id

async function unread(user: TestUser) {
  const params = { fetch_event_types: ['message', 'update_message_flags'] }
  return expectSuccess(await user.api.post('/register', params)).unread_msgs
}

/** Pages of a channel, of a topic, and of everything, the first further back. */
async function pages(user: TestUser) {
  const page = async (narrow: object[], anchor: 'newest' | number) =>
    expectSuccess(
      await user.api.get('/messages', {
        narrow,
        anchor,
        num_before: 20,
        num_after: 0,
        include_anchor: false,
      }),
    ).messages
  const inHall = { operator: 'channel', operand: hall.id }
  return [
    await page([inHall], first + RECENT_MESSAGES.ids + 30),
    await page([inHall], 'newest'),
    await page([inHall, { operator: 'topic', operand: 'tides' }], 'newest'),
    await page([], 'newest'),
  ]
}

const forget = () => inRealm(realm, ({ parts: { sql } }) => sql.watch.forget())
let first = 0

beforeAll(async () => {
  // More than a block, so that a whole one is remembered.
  first = await insertInIndex(realm, owner, {
    channelId: hall.id,
    topic: 'tides',
    count: 2 * RECENT_MESSAGES.ids,
  })
})

describe('the messages that the object remembers', () => {
  it.each<[string, () => Promise<ApiResponse>]>([
    ['one is sent', () => send(hall.id, 'hello')],
    ['one mentions all', () => send(hall.id, '@**all** hello')],
    [
      'one is edited to mention all',
      async () => owner.api.patch(`/messages/${await post(hall.id, 'hello')}`, { content: '@**all** now' }),
    ],
    ['one is deleted', () => owner.api.delete(`/messages/${first + 7}`)],
    ['the newest is deleted', async () => owner.api.delete(`/messages/${await post(hall.id, 'gone')}`)],
    ['one gets another topic', () => owner.api.patch(`/messages/${first + 8}`, { topic: 'ebb' })],
    [
      'one moves to a hidden channel',
      () => owner.api.patch(`/messages/${first + 9}`, { stream_id: vault.id }),
    ],
    [
      'one gets a reaction',
      () => owner.api.post(`/messages/${first + 10}/reactions`, { emoji_name: 'smile' }),
    ],
    [
      'its sender marks one as unread',
      async () => {
        const messages = [await post(hall.id, 'mine', ann)]
        await unread(ann)
        return ann.api.post('/messages/flags', { messages, op: 'remove', flag: 'read' })
      },
    ],
    [
      'some are read',
      () => bea.api.post('/messages/flags', { messages: [first + 11], op: 'add', flag: 'read' }),
    ],
    ['a reader leaves', () => bea.api.delete('/users/me/subscriptions', { subscriptions: [hall.name] })],
    [
      'a reader comes back',
      () => bea.api.post('/users/me/subscriptions', { subscriptions: [{ name: hall.name }] }),
    ],
  ])('are as stored for each reader after %s', async (_, change) => {
    for (const user of [ann, bea]) await unread(user)
    expectSuccess(await change())
    for (const user of [ann, bea]) {
      const warm = { unread: await unread(user), pages: await pages(user) }
      await forget()
      const stored = { pages: await pages(user), unread: await unread(user) }
      expect(warm).toEqual(stored)
    }
  })

  it('show nobody messages of channels that they are not in', async () => {
    const secret = await post(vault.id, 'for the vault')
    const idsOf = ({ streams }: { streams: { unread_message_ids: number[] }[] }) =>
      streams.flatMap(({ unread_message_ids }) => unread_message_ids)
    expect(idsOf(await unread(ann))).toContain(secret)
    expect(idsOf(await unread(bea))).not.toContain(secret)
  })

  it('are forgotten when a send is undone', async () => {
    const sent = await post(hall.id, 'hello')
    const undone = changeRealm(realm, ({ sql }) => {
      sql.run(
        `INSERT INTO message_index (id, recipient_id, topic_id, topic_spelling, sender_id, client_id, sent_at, bits)
         SELECT id + 1, recipient_id, topic_id, 'Undone', sender_id, client_id, sent_at, bits
         FROM message_index WHERE id = ?`,
        sent,
      )
      const newest = newestMessageId(sql)
      expect(recentMessages(sql).between(sql, sent, newest)).toMatchObject([{ id: sent + 1 }])
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    const next = await post(vault.id, 'for the vault')
    expect(next).toBe(sent + 1)
    const found = await inRealm(realm, ({ parts: { sql } }) => recentMessages(sql).between(sql, sent, next))
    expect(found).toMatchObject([{ id: next, topicSpelling: null }])
  })

  it('come from sends too, without being read', async () => {
    const sent = await post(hall.id, 'hello')
    await forget()
    const found = await changeRealm(realm, ({ sql }) => {
      const { id: _, ...message } = findMessage(sql, sent)!
      let last = sent
      // What the memory knows of a block that was not read begins with the block's first message.
      const end = sent - (sent % RECENT_MESSAGES.ids) + RECENT_MESSAGES.ids + 19
      while (last < end) last = insertMessage(sql, message, null)
      const before = sql.counts.read
      const { messages } = recentMessages(sql).newestBetween(sql, sent, last, 20, { passes: () => true })
      return { messages, rows: sql.counts.read - before, last }
    })
    expect(found.rows).toBe(0)
    expect(found.messages.map(({ id }) => found.last - id)).toEqual(Array.from({ length: 20 }, (_, at) => at))
  })

  it.each([
    ['deleted', 3, 0, (id: number) => owner.api.delete(`/messages/${id}`)],
    [
      'moved',
      4,
      // One of them is gone.
      RECENT_MESSAGES.ids - 1,
      (id: number) => owner.api.patch(`/messages/${id}`, { topic: 'ebb', propagate_mode: 'change_one' }),
    ],
  ])('stay in memory when one is %s, except perhaps its neighbours', async (_, which, lacking, change) => {
    const [from, ids] = [2 * RECENT_MESSAGES.ids, 2 * RECENT_MESSAGES.ids]
    const around = Array.from({ length: ids }, (_, at) => from + at)
    const count = () =>
      inRealm(realm, ({ parts: { sql } }) => {
        const before = sql.counts.read
        recentMessages(sql).find(sql, around)
        return sql.counts.read - before
      })
    await changeRealm(realm, ({ sql }) => recentMessages(sql).between(sql, from - 1, from + ids))
    expect(await count()).toBe(0)
    expectSuccess(await change(from + which))
    expect(await count()).toBe(lacking)
  })

  it('are read once for all readers', async () => {
    const rows = (user: TestUser) =>
      inRealm(realm, async ({ parts: { sql } }) => {
        const before = sql.counts.read
        await unread(user)
        return sql.counts.read - before
      })
    await forget()
    expect(await rows(bea)).toBeGreaterThan(2 * RECENT_MESSAGES.ids)
    // Each registration reads a block at most for others.
    for (let block = 0; block < 3; block += 1) await unread(bea)
    expect(await rows(ann)).toBeLessThan(RECENT_MESSAGES.ids)
  })

  it('give a page of a channel or topic that was quiet while thousands wrote elsewhere', async () => {
    const quiet = await post(vault.id, 'before the others wrote')
    const found = await changeRealm(realm, ({ sql }) => {
      const { id: _, ...message } = findMessage(sql, quiet)!
      const { topicId } = findMessage(sql, first)!
      const { recipientId } = findMessage(sql, first)!
      const start = quiet - (quiet % RECENT_MESSAGES.ids) + RECENT_MESSAGES.ids
      let last = quiet
      while (last < start + 19) last = insertMessage(sql, message, null)
      // Many more than are looked at one by one.
      for (let at = 0; at < 20 * 16 + 2 * RECENT_MESSAGES.ids; at += 1)
        last = insertMessage(sql, { ...message, recipientId, topicId }, null)
      const before = sql.counts.read
      const pages = [
        { by: 'recipientId', key: message.recipientId } as const,
        { by: 'topicId', key: message.topicId } as const,
      ].map((common) =>
        recentMessages(sql).newestBetween(sql, start - 1, last, 20, {
          passes: (each) => each[common.by] === common.key,
          common,
        }),
      )
      return { pages, rows: sql.counts.read - before, start }
    })
    const expected = Array.from({ length: 20 }, (_, at) => found.start + 19 - at)
    expect(found.pages.map(({ messages }) => messages.map(({ id }) => id))).toEqual([expected, expected])
    expect(found.rows).toBe(0)
  })
})
