import { beforeAll, expect, it } from 'vitest'
import { countQueuesOfUser } from '../../../src/events/queue.ts'
import { evictRealm } from '../../support/api.ts'
import { expectSuccess } from '../../support/factories.ts'
import { inRealm } from '../../support/inside.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, hoarder } = useRealm({ hoarder: 'member' })

/** A character that takes one byte of a quota, and six in JSON. */
const TEXT = '\u0001'.repeat(10_000)

beforeAll(async () => {
  await inRealm(realm, (_, { storage: { sql } }) => {
    for (let count = 0; count < 200; count += 1) {
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
  await evictRealm(realm.id)
})

const queues = () => inRealm(realm, ({ parts }) => countQueuesOfUser(parts.sql, hoarder.id).count)

it('a snapshot that one call cannot carry leaves no queue, and its parts are sent', async () => {
  const { status, body } = await hoarder.api.post('/register')
  expect([status, body.msg]).toEqual([
    413,
    'That is more than one answer can hold: ask for fewer kinds of data',
  ])
  expect(await queues()).toBe(0)
  const { drafts } = expectSuccess(await hoarder.api.post('/register', { fetch_event_types: ['drafts'] }))
  expect(drafts).toHaveLength(200)
  expect(await queues()).toBe(1)
  expectSuccess(await realm.owner.api.post('/register'))
})
