import { expect, it } from 'vitest'
import { channelRecipientId } from '../../src/core/recipient-id.ts'
import { type ExportPage, type ExportSource, exportScope } from '../../src/model/exports/export-source.ts'
import { messagesSource } from '../../src/model/exports/export-sources.ts'
import { topicsSource } from '../../src/model/exports/read-channels.ts'
import { consentingIds, listExports } from '../../src/store/exports/export-rows.ts'
import {
  type PlaceInTopics,
  placeAfter,
  topicsReceivedByAny,
} from '../../src/store/messages/channel-topic-rows.ts'
import { putFlagBitsOfUsers } from '../../src/store/messages/flags/flag-rows.ts'
import { findMessages } from '../../src/store/messages/message-rows.ts'
import type { ReceivedRange } from '../../src/store/subscriptions/period-rows.ts'
import { rangesReceivedByAny, receivedByMany } from '../../src/store/subscriptions/periods-of-many-rows.ts'
import { isReceived, receivedRanges } from '../../src/store/subscriptions/received-range-rows.ts'
import { enterInIndex, enterManyTopics } from '../support/entered-messages.ts'
import { buildChannel, expectSuccess, type TestRealm, type TestUser } from '../support/factories.ts'
import { changeRealm, enterUsers, inRealm, subscribe } from '../support/inside.ts'
import { FLAG_BIT } from '../support/message-bits.ts'
import { sendTo } from '../support/messages.ts'
import { buildRealm, useRealm } from '../support/use-realm.ts'

const PROTECTED = { is_private: true, history_public_to_subscribers: false }
const { realm, owner, ann, ben } = useRealm({ ann: 'member', ben: 'member' })

it('what many have received, asked together, is what each has, moved messages included', async () => {
  const people = [ann, ben]
  const channels = [
    await buildChannel([owner, ann]),
    await buildChannel([owner, ben]),
    await buildChannel([owner]),
  ]
  expectSuccess(await owner.api.patch(`/streams/${channels[2]!.id}`, PROTECTED))
  const ids: number[] = []
  const move = async (id: number, stream_id: number) => {
    const moved = await owner.api.patch(`/messages/${id}`, {
      propagate_mode: 'change_one',
      stream_id,
      send_notification_to_new_thread: false,
    })
    // It may be there already.
    if (moved.body.msg !== 'Nothing to change') expectSuccess(moved)
  }
  const subscribe = async (user: TestUser, name: string, joins: boolean) =>
    expectSuccess(
      await owner.api.request(joins ? 'POST' : 'DELETE', '/users/me/subscriptions', {
        subscriptions: joins ? [{ name }] : [name],
        principals: [user.id],
      }),
    )
  // Everybody comes, goes and comes back while messages are sent to each channel and moved around.
  for (let step = 0; step < 12; step += 1) {
    for (const { id } of channels) ids.push(await sendTo(owner, id, `topic ${step}`, 'text'))
    const [one, other] = [channels[step % 3]!, channels[(step + 1) % 3]!]
    await subscribe(people[step % 2]!, other.name, step % 4 < 2)
    await move(ids.at(-1 - (step % 3))!, one.id)
    if (step > 2) await move(ids[step]!, other.id)
  }
  await inRealm(realm, ({ parts: { sql } }) => {
    const userIds = people.map(({ id }) => id)
    let received = 0
    for (const { id: channelId } of channels) {
      const messages = findMessages(sql, ids).filter(
        ({ recipientId }) => recipientId === channelRecipientId(channelId),
      )
      const any = rangesReceivedByAny(sql, userIds, channelId)
      const each = new Map(userIds.map((userId) => [userId, receivedRanges(sql, userId, channelId)]))
      const ofMany = receivedByMany(sql, channelId, userIds)(messages)
      for (const userId of userIds) {
        const own = messages.filter(({ id }) => isReceived(each.get(userId)!, id)).map(({ id }) => id)
        expect(ofMany(userId).toSorted((a, b) => a - b)).toEqual(own)
        received += own.length
      }
      for (const { id } of messages) {
        expect(isReceived(any, id)).toBe(userIds.some((userId) => isReceived(each.get(userId)!, id)))
      }
    }
    expect(received).toBeGreaterThan(10)
  })
})

it('an export asks once for all who consent what they received in a protected channel', async () => {
  const COUNT = 500
  const MESSAGES = 40
  const { realm: large, owner: admin } = await buildRealm()
  const room = await buildChannel([admin])
  const first = await enterInIndex(large, admin, { channelId: room.id, topic: 'before', count: MESSAGES })
  const people = await enterUsers(large, COUNT, room.id)
  expectSuccess(await admin.api.patch(`/streams/${room.id}`, PROTECTED))
  expectSuccess(await admin.api.delete('/users/me/subscriptions', { subscriptions: [room.name] }))
  const later = await enterInIndex(large, people[0]!, { channelId: room.id, topic: 'after', count: MESSAGES })
  await changeRealm(large, (tx) => {
    tx.sql.run(`UPDATE user SET settings = json_set(settings, '$.allow_private_data_export', json('true'))`)
  })
  await inRealm(large, ({ parts }) => {
    const sql = parts.sql.counter()
    const consenting = people.map(({ id }) => id)
    expect(consentingIds(sql)).toEqual(expect.arrayContaining(consenting))
    const before = sql.counts.read
    const scope = exportScope(sql, { type: 2, consenting })
    const includes = (id: number) => scope.includesMessage({ id, recipientId: channelRecipientId(room.id) })
    for (let at = 0; at < MESSAGES; at += 1) {
      expect([includes(first + at), includes(later + at)]).toEqual([false, true])
    }
    expect(scope.rangesOf(room.id)).toHaveLength(1)
    // A few rows for each of the people, all for the first question.
    expect(sql.counts.read - before).toBeLessThan(12 * COUNT)
  })
})

it('what people keep is looked for only where nobody received the newest message', async () => {
  const COUNT = 500
  const { realm: large, owner: admin } = await buildRealm()
  const room = await buildChannel([admin])
  const people = await enterUsers(large, COUNT)
  const id = await sendTo(admin, room.id, 'topic', 'text')
  const userIds = new Set(people.map((user) => user.id))
  const keep = (messageId: number, users: Iterable<number>) =>
    changeRealm(large, (tx) => {
      const bits = new Map(Array.from(users, (userId) => [userId, FLAG_BIT.starred] as const))
      putFlagBitsOfUsers(tx.sql, messageId, bits)
    })
  await keep(id, userIds)
  const read = (ranges: readonly ReceivedRange[]) =>
    inRealm(large, ({ parts: { sql } }) => {
      const before = sql.counts.read
      const limits = { topics: 500, rows: 20_000 }
      const from = placeAfter(undefined)
      const { topics, next } = topicsReceivedByAny(sql, room.id, { userIds, ranges }, from, limits)
      expect(next).toBeNull()
      expect(topics.find(({ name }) => name === 'topic')).toMatchObject({ newestMessageId: id })
      return sql.counts.read - before
    })
  expect(await read([{ channelId: room.id, since: 0, until: id }])).toBeLessThan(20)
  expect(await read([])).toBeGreaterThan(COUNT)
  // What else they keep is not read, however much it is.
  const others = await enterInIndex(large, admin, { channelId: room.id, topic: 'other', count: 20 })
  for (let at = 0; at < 20; at += 1) await keep(others + at, userIds)
  expect(await read([])).toBeLessThan(4 * COUNT)
})

it('the topics that many keep are found in pages, as in one', async () => {
  const MESSAGES = 600
  const READERS = 30
  const STRANGERS = 1_100
  const { realm: large, owner: admin } = await buildRealm()
  const room = await buildChannel([admin])
  const enter = (topic: string, count = MESSAGES) =>
    enterInIndex(large, admin, { channelId: room.id, topic, count })
  const firsts = {
    unkept: await enter('unkept'),
    kept: await enter('kept'),
    between: await enter('between strangers'),
    crowded: await enter('crowded'),
    received: await enter('received'),
  }
  const readers = Array.from({ length: READERS }, (_, at) => 1_000_000 + at)
  const strangers = Array.from({ length: STRANGERS }, (_, at) => 900_000 + at)
  const keep: readonly (readonly [messageId: number, userIds: readonly number[]])[] = [
    [firsts.kept, readers],
    [firsts.kept + 1, strangers],
    // Two of the messages that are read together have more rows than are.
    [firsts.between + 410, strangers.slice(600)],
    [firsts.between + 400, strangers.slice(600)],
    [firsts.between + 399, readers.slice(1)],
    // Of these, the reader's is not among those that are read together.
    [firsts.crowded + 500, [...strangers, readers[0]!]],
  ]
  await changeRealm(large, (tx) => {
    for (const [id, userIds] of keep) {
      putFlagBitsOfUsers(tx.sql, id, new Map(userIds.map((userId) => [userId, FLAG_BIT.starred])))
    }
  })
  const expected = {
    kept: firsts.kept,
    'between strangers': firsts.between + 399,
    crowded: firsts.crowded + 500,
    received: firsts.received + 10,
  }
  const range = { channelId: room.id, since: 0, until: firsts.received + 10 }
  await inRealm(large, ({ parts: { sql } }) => {
    const received = { userIds: new Set(readers), ranges: [{ ...range, since: firsts.received - 1 }] }
    for (const maxRows of [1, 1_000, 100_000]) {
      const found: [string, number][] = []
      const pages: number[] = []
      let place: PlaceInTopics | null = placeAfter(undefined)
      while (place) {
        const before = sql.counts.read
        const limits = { topics: 500, rows: maxRows }
        const page = topicsReceivedByAny(sql, room.id, received, place, limits)
        pages.push(sql.counts.read - before)
        found.push(
          ...page.topics.map(({ name, newestMessageId }) => [name, newestMessageId] as [string, number]),
        )
        place = page.next
      }
      const named = found.filter(([name]) => name in expected)
      expect(Object.fromEntries(named)).toEqual(expected)
      expect(found.map(([name]) => name)).not.toContain('unkept')
      expect(named).toHaveLength(Object.keys(expected).length)
      expect(pages.length > 1).toBe(maxRows < 100_000)
      // A step may come above the limit: some hundred messages, and the people of one.
      if (maxRows <= 1_000) expect(Math.max(...pages)).toBeLessThan(maxRows + 5 * STRANGERS)
    }
  })
})

interface ExportedTopics {
  readonly topics: readonly { readonly name: string; readonly max_id: number }[]
}

function topicsOf(page: ExportPage): ExportedTopics['topics'] {
  return (page.kind === 'json' && (page.content as ExportedTopics | null)?.topics) || []
}

/** Reads a source of the only export to its end, and returns the rows that each page read. */
async function readSource(
  of: TestRealm,
  source: ExportSource,
  from: readonly number[],
  note: (page: ExportPage) => void,
): Promise<number[]> {
  const exported = await inRealm(of, ({ parts }) => listExports(parts.sql)[0]!)
  const rows: number[] = []
  for (let at: Pick<ExportPage, 'next' | 'nextName'> = { next: from }; at.next; ) {
    const { next, nextName } = at
    const page = await changeRealm(of, (tx) => {
      const before = tx.sql.counts.read
      const page = source.read({ tx, exported, scope: exportScope(tx.sql, exported) }, next, nextName)
      rows.push(tx.sql.counts.read - before)
      return page
    })
    note(page)
    at = page
  }
  return rows
}

it('a page of an export ends once its channels have cost enough rows', async () => {
  const COUNT = 3_000
  const { realm: large, owner: admin } = await buildRealm()
  const people = await enterUsers(large, COUNT)
  const rooms = await Promise.all(Array.from({ length: 6 }, () => buildChannel([admin])))
  for (const room of rooms) {
    await changeRealm(large, (tx) =>
      subscribe(
        tx,
        room.id,
        people.map(({ id }) => id),
      ),
    )
    expectSuccess(await admin.api.patch(`/streams/${room.id}`, PROTECTED))
  }
  const ids: number[] = []
  for (const room of rooms) ids.push(await sendTo(admin, room.id, 'topic', 'text'))
  await changeRealm(large, (tx) => {
    tx.sql.run(`UPDATE user SET settings = json_set(settings, '$.allow_private_data_export', json('true'))`)
  })
  expectSuccess(await admin.api.post('/export/realm', { export_type: 2 }))
  const messages: number[] = []
  const ofMessages = await readSource(large, messagesSource, [ids[0]! - 1], (page) => {
    if (page.kind === 'messages') messages.push(...page.messages.map(({ facts }) => facts.id))
  })
  expect(messages).toEqual(ids)
  const newest: number[] = []
  // The channels were made at the same time, in any order.
  const first = Math.min(...rooms.map(({ id }) => id))
  const ofTopics = await readSource(large, topicsSource, [first - 1], (page) => {
    newest.push(
      ...topicsOf(page)
        .filter(({ name }) => name === 'topic')
        .map(({ max_id }) => max_id),
    )
  })
  expect(newest.toSorted((a, b) => a - b)).toEqual(ids)
  for (const rows of [ofMessages, ofTopics]) {
    // Each channel costs some 20,000 rows, of which the last may come above the limit, and everybody's consent some more.
    expect(Math.max(...rows)).toBeGreaterThan(5 * COUNT)
    expect(Math.max(...rows)).toBeLessThan(20 * COUNT)
  }
})

it('a page of an export ends within a long topic that nobody received', async () => {
  const MESSAGES = 12_000
  const { realm: large, owner: admin } = await buildRealm()
  const room = await buildChannel([admin])
  const [reader] = await enterUsers(large, 1)
  const first = await enterInIndex(large, admin, { channelId: room.id, topic: 'long', count: MESSAGES })
  const short = await enterInIndex(large, admin, { channelId: room.id, topic: 'short', count: 1 })
  expectSuccess(await admin.api.patch(`/streams/${room.id}`, PROTECTED))
  await changeRealm(large, (tx) => {
    subscribe(tx, room.id, [reader!.id])
    for (const id of [first, short]) {
      putFlagBitsOfUsers(tx.sql, id, new Map([[reader!.id, FLAG_BIT.starred]]))
    }
    tx.sql.run(
      `UPDATE user SET settings = json_set(settings, '$.allow_private_data_export', json('true')) WHERE id = ?`,
      reader!.id,
    )
  })
  await inRealm(large, ({ parts }) => {
    const sql = parts.sql.counter()
    const exported = { type: 2, consenting: [reader!.id] } as const
    expect(exportScope(sql, exported).readersOf(room.id)).toEqual([reader!.id])
  })
  expectSuccess(await admin.api.post('/export/realm', { export_type: 2 }))
  const found: [string, number][] = []
  const rows = await readSource(large, topicsSource, [], (page) => {
    found.push(...topicsOf(page).map(({ name, max_id }): [string, number] => [name, max_id]))
  })
  const named = found.filter(([name]) => name === 'long' || name === 'short')
  expect(named.toSorted()).toEqual([
    ['long', first],
    ['short', short],
  ])
  expect(Math.max(...rows)).toBeGreaterThan(MESSAGES)
  expect(Math.max(...rows)).toBeLessThan(24_000)
})

it('an export has each topic of a channel of thousands once, in pages', async () => {
  const TOPICS = 1_200
  const { realm: large, owner: admin } = await buildRealm()
  const room = await buildChannel([admin])
  await enterManyTopics(large, admin, { channelId: room.id, prefix: 'Topic ', count: TOPICS })
  const names = Array.from({ length: TOPICS }, (_, at) => `Topic ${at + 1}`)
  for (const change of [{}, PROTECTED]) {
    expectSuccess(await admin.api.patch(`/streams/${room.id}`, change))
    await changeRealm(large, ({ sql }) => {
      sql.run(`UPDATE user SET settings = json_set(settings, '$.allow_private_data_export', json('true'))`)
      sql.run(`DELETE FROM realm_export`)
    })
    expectSuccess(await admin.api.post('/export/realm', { export_type: 2 }))
    const found: string[] = []
    const rows = await readSource(large, topicsSource, [], (page) => {
      found.push(...topicsOf(page).map(({ name }) => name))
    })
    const topics = found.filter((name) => name.startsWith('Topic '))
    expect(topics.toSorted()).toEqual(names.toSorted())
    expect(Math.max(...rows)).toBeLessThan(4 * 500)
  }
})
