import { beforeAll, expect, it } from 'vitest'
import { evictRealm } from '../../support/api.ts'
import { expectSuccess } from '../../support/factories.ts'
import { inRealm } from '../../support/inside.ts'
import { betweenSlices, longTextOf } from '../../support/inside-work.ts'
import { MAX_CROSSING } from '../../support/limits.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, hoarder } = useRealm({ hoarder: 'member' })

/** A character that takes one byte of a quota, and six in JSON. */
const TEXT = '\u0001'.repeat(10_000)

/** Characters of two UTF-16 units at every place where a piece may end. */
const TEXTS = ['x', '😀'.repeat(300_000), 'ä', '', '😀x'.repeat(200_000), '\ufeff', 'y'.repeat(262_143), '😀']

beforeAll(async () => {
  await inRealm(realm, (_, { storage: { sql } }) => {
    for (let count = 0; count < 199; count += 1) {
      sql.exec(
        `INSERT INTO draft (user_id, type, recipients, topic, content, edited_at) VALUES (?, '', '[]', '', ?, 1)`,
        hoarder.id,
        TEXT,
      )
    }
    for (let count = 0; count < 100; count += 1) {
      sql.exec(
        `INSERT INTO saved_snippet (user_id, title, content, created_at) VALUES (?, 'x', ?, 1)`,
        hoarder.id,
        TEXT,
      )
      sql.exec(
        `INSERT INTO reminder (user_id, message_id, content, rendered_content, note, origin, due_at)
         VALUES (?, 1, ?, ?, '', '', 9e9)`,
        hoarder.id,
        TEXT,
        TEXT,
      )
      sql.exec(
        `INSERT INTO scheduled_message (user_id, destination, content, rendered_content, due_at, client, origin, read_by_sender)
         VALUES (?, '{"kind":"direct","userIds":[1]}', ?, ?, 9e9, '', '', 0)`,
        hoarder.id,
        TEXT,
        TEXT,
      )
    }
  })
  // With one character that needs more than a byte, a text takes two for each.
  expectSuccess(
    await hoarder.api.post('/drafts', {
      drafts: [{ type: '', to: [], topic: '', content: '😀'.repeat(100), timestamp: 1 }],
    }),
  )
  await evictRealm(realm.id)
})

const queues = () =>
  inRealm(
    realm,
    ({ parts: { sql } }) =>
      sql.first<{ count: number }>('SELECT count(*) AS count FROM queue WHERE user_id = ?', hoarder.id)!
        .count,
  )

it('a snapshot of more than one call can carry arrives whole, with a queue', async () => {
  const kinds = ['drafts', 'saved_snippets', 'reminders', 'scheduled_messages']
  const { queue_id, ...whole } = expectSuccess(await hoarder.api.post('/register'))
  expect(await queues()).toBe(1)
  const lengths = kinds.map((kind) => whole[kind].length)
  expect(lengths).toEqual([200, 100, 100, 100])
  expect(JSON.stringify(whole).length).toBeGreaterThan(MAX_CROSSING)
  for (const kind of kinds) {
    const part = expectSuccess(await hoarder.api.post('/register', { fetch_event_types: [kind] }))
    expect(JSON.stringify(whole[kind]) === JSON.stringify(part[kind])).toBe(true)
  }
  expect(whole.realm_users.map(({ user_id }: { user_id: number }) => user_id)).toContain(hoarder.id)
  expectSuccess(await hoarder.api.get('/events', { queue_id, last_event_id: -1, dont_block: true }))
})

it('long lists are written in several turns, and changes meanwhile are in events', async () => {
  const before = expectSuccess(await hoarder.api.get('/drafts')).drafts as { id: number }[]
  const { id } = before.at(-1)!
  const queuesBefore = await queues()
  /** Pauses since the lists were read, in the transaction that opened the queue. */
  let turns = 0
  const end = betweenSlices(async () => {
    if (turns > 0 || (await queues()) > queuesBefore) turns += 1
    if (turns === 2) expectSuccess(await hoarder.api.delete(`/drafts/${id}`))
  })
  const { queue_id, drafts, saved_snippets } = expectSuccess(await hoarder.api.post('/register'))
  end()
  expect(turns).toBeGreaterThan(20)
  expect(drafts).toEqual(before)
  expect(saved_snippets).toHaveLength(100)
  const asked = { queue_id, last_event_id: -1, dont_block: true }
  const { events } = expectSuccess(await hoarder.api.get('/events', asked))
  expect(events).toMatchObject([{ type: 'drafts', op: 'remove', draft_id: id }])
  expect(expectSuccess(await hoarder.api.get('/drafts')).count).toBe(before.length - 1)
})

it('a long answer has every character, wherever its pieces end', async () => {
  const expected = new TextEncoder().encode(TEXTS.join(''))
  const text = longTextOf(TEXTS, expected.length)
  const read = new Uint8Array(await new Response(text.stream).arrayBuffer())
  expect(read).toHaveLength(expected.length)
  expect(Buffer.compare(read, expected)).toBe(0)
})
