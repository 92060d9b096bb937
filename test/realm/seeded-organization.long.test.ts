import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import type { SeededOrganization } from '../../scripts/seed-organization.ts'
import { expectSuccess, type TestUser } from '../support/factories.ts'
import { inRealm } from '../support/inside.ts'
import { openQueue } from '../support/queues.ts'
import { seededUser, seedRealm } from '../support/seed.ts'
import { buildRealm, useRealm } from '../support/use-realm.ts'

const SIZE = { users: 60, channels: 8, messages: 4_500 }

describe('a seeded organization', () => {
  const { realm } = useRealm()
  let seeded: SeededOrganization
  let member: TestUser
  beforeAll(async () => {
    seeded = await seedRealm(realm, SIZE)
    member = await seededUser(realm, 3)
  })

  const pageOf = async (user: TestUser, narrow: object[], num_before = 100) =>
    expectSuccess(await user.api.get('/messages', { anchor: 'newest', num_before, num_after: 0, narrow }))
      .messages

  it('is the same whenever it is created with the same options', async () => {
    const { realm: other } = await buildRealm()
    await seedRealm(other, SIZE)
    const one = await pageOf(member, [])
    const two = await pageOf(await seededUser(other, 3), [])
    const what = ({ id, sender_full_name, subject, display_recipient, content, flags }: (typeof one)[0]) => {
      const conversation =
        typeof display_recipient === 'string' ? display_recipient : display_recipient.length
      return {
        id,
        sender_full_name,
        subject,
        conversation,
        content: content.replaceAll(/realm\S+?test/g, ''),
        flags,
      }
    }
    expect(two.map(what)).toEqual(one.map(what))
    expect(new Set(one.map(({ sender_id }: { sender_id: number }) => sender_id)).size).toBeGreaterThan(10)
  })

  it('has exactly one body and one search entry for each message of the index', async () => {
    const ids = await inRealm(realm, ({ parts }) =>
      parts.sql.all<{ id: number }>(`SELECT id FROM message_index ORDER BY id`).map(({ id }) => id),
    )
    expect(ids).toHaveLength(SIZE.messages)
    const bodies = await env.DB.prepare(
      `SELECT message_id FROM message_body WHERE realm_id = ? ORDER BY message_id`,
    )
      .bind(realm.id)
      .all<{ message_id: number }>()
    expect(bodies.results.map(({ message_id }) => message_id)).toEqual(ids)
    const entries = await env.DB.prepare(
      `SELECT rowid - (?1 << 32) AS id FROM message_search WHERE rowid > (?1 << 32) AND rowid < ((?1 + 1) << 32)`,
    )
      .bind(realm.id)
      .all<{ id: number }>()
    expect(entries.results.map(({ id }) => id)).toEqual(ids)
    const found = await pageOf(realm.owner, [{ operator: 'search', operand: 'zyzzyva' }])
    expect(found.length).toBeGreaterThan(1)
  })

  it('has messages rendered like any others', async () => {
    const page = await pageOf(member, [])
    const sources = expectSuccess(
      await member.api.get('/messages', {
        anchor: 'newest',
        num_before: 100,
        num_after: 0,
        apply_markdown: false,
      }),
    ).messages
    for (const [at, { content }] of sources.entries()) {
      const { rendered } = expectSuccess(await member.api.post('/messages/render', { content }))
      expect(page[at].content).toBe(rendered)
    }
    expect(sources.some(({ content }: { content: string }) => content.includes('@**'))).toBe(true)
  })

  it('counts as unread what its messages’ flags show', async () => {
    for (const number of [3, 5, 7, 14, 59]) {
      const user = await seededUser(realm, number)
      const { unread_msgs } = (await openQueue(user)).snapshot
      const lists = ['streams', 'pms', 'huddles'].flatMap((kind) => unread_msgs[kind])
      const counted = lists.flatMap((list: { unread_message_ids: number[] }) => list.unread_message_ids)
      const page = await pageOf(user, [], 5_000)
      const shown = page.filter(({ flags }: { flags: string[] }) => !flags.includes('read'))
      expect(counted.toSorted((a, b) => a - b)).toEqual(shown.map(({ id }: { id: number }) => id))
    }
  })

  it('has postings by which senders are found', async () => {
    const all = await pageOf(realm.owner, [], 5_000)
    const sender = all[0].sender_id
    const found = await pageOf(realm.owner, [{ operator: 'sender', operand: sender }], 5_000)
    const expected = all.filter(({ sender_id }: { sender_id: number }) => sender_id === sender)
    expect(found.map(({ id }: { id: number }) => id)).toEqual(expected.map(({ id }: { id: number }) => id))
  })

  it('works like any other: the next message reaches its queues', async () => {
    const queue = await openQueue(member, { fetch_event_types: ['message'] })
    const { id } = expectSuccess(
      await realm.owner.api.post('/messages', {
        type: 'stream',
        to: seeded.firstChannelId,
        topic: 'the long topic',
        content: 'and one more',
      }),
    )
    expect(id).toBe(seeded.firstMessageId + SIZE.messages)
    expect((await queue.eventsOf('message')).map(({ message }) => message.id)).toEqual([id])
  })
})
