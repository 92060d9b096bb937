import { beforeAll, expect, it } from 'vitest'
import { messagesWithFlag } from '../../../src/store/messages/flags/flag-rows.ts'
import { expectSuccess } from '../../support/factories.ts'
import { insertInIndex } from '../../support/inserted-messages.ts'
import { changeRealm, inRealm } from '../../support/inside.ts'
import { FLAG_BIT } from '../../support/message-bits.ts'
import { neverEvict } from '../../support/never-evict.ts'
import { openQueue, type TestEvent } from '../../support/queues.ts'
import { useRealm } from '../../support/use-realm.ts'

// What was read in one turn is asked for in the next.
neverEvict()
/** More drafts and snippets, and more starred messages, than are read in the turn of the answer. */
const TEXTS = 400
const STARS = 1_200
const { realm, ann, hall } = useRealm({ ann: 'member' }, { channels: { hall: ['owner', 'ann'] } })
let first: number

beforeAll(async () => {
  first = await insertInIndex(realm, realm.owner, { channelId: hall.id, topic: 'stars', count: STARS })
  await changeRealm(realm, ({ sql }) => {
    for (let at = 0; at < TEXTS; at += 1) {
      sql.run(
        `INSERT INTO draft (user_id, type, recipients, topic, content, edited_at) VALUES (?, '', '[]', '', ?, 1)`,
        ann.id,
        `draft ${at}`,
      )
      sql.run(
        `INSERT INTO saved_snippet (user_id, title, content, created_at) VALUES (?, 'x', ?, 1)`,
        ann.id,
        `snippet ${at}`,
      )
    }
    for (let at = 0; at < STARS; at += 1) {
      sql.run(
        `INSERT INTO message_flag (user_id, message_id, bits) VALUES (?, ?, ?)`,
        ann.id,
        first + at,
        FLAG_BIT.starred,
      )
    }
  })
})

interface Lists {
  readonly drafts: readonly { readonly id: number }[]
  readonly saved_snippets: readonly { readonly id: number }[]
  readonly starred_messages: readonly number[]
}

/** The ids of the lists. */
function idsOf({ drafts, saved_snippets, starred_messages }: Lists) {
  const ids = (list: readonly { readonly id: number }[]) => new Set(list.map(({ id }) => id))
  return {
    drafts: ids(drafts),
    snippets: ids(saved_snippets),
    stars: new Set(starred_messages),
  }
}

/** Ids as a client has them after the events of a queue. */
function after(events: readonly TestEvent[], snapshot: Lists) {
  const known = idsOf(snapshot)
  for (const event of events) {
    if (event.type === 'drafts' && event.op === 'remove') known.drafts.delete(event.draft_id)
    if (event.type === 'drafts' && event.op === 'add') {
      for (const { id } of event.drafts) known.drafts.add(id)
    }
    if (event.type === 'saved_snippets' && event.op === 'remove') {
      known.snippets.delete(event.saved_snippet_id)
    }
    if (event.type === 'saved_snippets' && event.op === 'add') known.snippets.add(event.saved_snippet.id)
    if (event.type === 'update_message_flags' && event.flag === 'starred') {
      for (const id of event.messages) {
        if (event.op === 'add') known.stars.add(id)
        else known.stars.delete(id)
      }
    }
  }
  return known
}

const star = (op: string, id: number) =>
  ann.api.post('/messages/flags', { messages: [id], op, flag: 'starred' })

it('long lists that change while they are read are whole, or completed by events', async () => {
  const open = () =>
    openQueue(ann, {}) as Promise<Awaited<ReturnType<typeof openQueue>> & { snapshot: Lists }>
  const before = idsOf((await open()).snapshot)
  expect([before.drafts.size, before.snippets.size, before.stars.size]).toEqual([TEXTS, TEXTS, STARS])
  const [drafts, snippets] = [[...before.drafts], [...before.snippets]]
  const draft = { type: '', to: [], topic: '', content: 'new', timestamp: 2 }
  const queues = await Promise.all(
    Array.from({ length: 4 }, async (_, at) => {
      const opening = open()
      for (const change of [
        () => ann.api.delete(`/drafts/${drafts[at]!}`),
        () => ann.api.post('/saved_snippets', { title: 'x', content: 'new' }),
        () => star('remove', first + at),
        () => ann.api.post('/drafts', { drafts: [draft] }),
        () => ann.api.delete(`/saved_snippets/${snippets[at]!}`),
        () => star('add', first + at),
        () => star('remove', first + 10 + at),
      ]) {
        expectSuccess(await change())
      }
      return opening
    }),
  )
  const anew = idsOf((await open()).snapshot)
  expect([anew.drafts.size, anew.snippets.size, anew.stars.size]).toEqual([TEXTS, TEXTS, STARS - 4])
  for (const queue of queues) expect(after(await queue.events(), queue.snapshot)).toEqual(anew)
})

it('starred messages are found in parts, also where others are between them', async () => {
  await changeRealm(realm, ({ sql }) => {
    sql.run(
      `UPDATE message_flag SET bits = ? WHERE user_id = ? AND message_id < ?`,
      FLAG_BIT.mentioned,
      ann.id,
      first + 500,
    )
  })
  const parts = await inRealm(realm, ({ parts: { sql } }) => [
    ...messagesWithFlag(sql, ann.id, FLAG_BIT.starred, 200),
  ])
  expect(parts.length).toBeGreaterThan(5)
  expect(parts[0]).toEqual([])
  expect(parts.flat()).toEqual(Array.from({ length: STARS - 500 }, (_, at) => first + 500 + at))
})
