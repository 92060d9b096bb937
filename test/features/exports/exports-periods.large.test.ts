import { expect, it } from 'vitest'
import { channelRecipientId } from '../../../src/core/recipient-id.ts'
import { type ExportPage, type ExportSource, exportScope } from '../../../src/model/exports/export-source.ts'
import { messagesSource } from '../../../src/model/exports/export-sources.ts'
import { channelsSource } from '../../../src/model/exports/read-channels.ts'
import { consentingIds, listExports } from '../../../src/store/exports/export-rows.ts'
import { findMessages } from '../../../src/store/messages/message-rows.ts'
import { rangesReceivedByAny, receivedByMany } from '../../../src/store/subscriptions/periods-of-many-rows.ts'
import { isReceived, receivedRanges } from '../../../src/store/subscriptions/received-range-rows.ts'
import { buildChannel, expectSuccess, type TestRealm, type TestUser } from '../../support/factories.ts'
import { insertInIndex } from '../../support/inserted-messages.ts'
import { changeRealm, inRealm, insertUsers, subscribe } from '../../support/inside.ts'
import { sendTo } from '../../support/messages.ts'
import { buildRealm, useRealm } from '../../support/use-realm.ts'

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
  const first = await insertInIndex(large, admin, { channelId: room.id, topic: 'before', count: MESSAGES })
  const people = await insertUsers(large, COUNT, room.id)
  expectSuccess(await admin.api.patch(`/streams/${room.id}`, PROTECTED))
  expectSuccess(await admin.api.delete('/users/me/subscriptions', { subscriptions: [room.name] }))
  const later = await insertInIndex(large, people[0]!, {
    channelId: room.id,
    topic: 'after',
    count: MESSAGES,
  })
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

/** Reads a source of the only export to its end, and returns the rows that each page read. */
async function readSource(
  of: TestRealm,
  source: ExportSource,
  from: readonly number[],
  note: (page: ExportPage) => void,
): Promise<number[]> {
  const exported = await inRealm(of, ({ parts }) => listExports(parts.sql)[0]!)
  const rows: number[] = []
  for (let next: ExportPage['next'] = from; next; ) {
    const at = next
    const page = await changeRealm(of, (tx) => {
      const before = tx.sql.counts.read
      const page = source.read({ tx, exported, scope: exportScope(tx.sql, exported) }, at)
      rows.push(tx.sql.counts.read - before)
      return page
    })
    note(page)
    next = page.next
  }
  return rows
}

it('a page of an export ends once its channels have cost enough rows', async () => {
  const COUNT = 3_000
  const { realm: large, owner: admin } = await buildRealm()
  const people = await insertUsers(large, COUNT)
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
  // The channels were made at the same time, in any order.
  const first = Math.min(...rooms.map(({ id }) => id))
  const members = new Map<string, number>()
  const ofChannels = await readSource(large, channelsSource, [first - 1], (page) => {
    if (page.kind !== 'records') return
    for (const record of page.records)
      if (record.type === 'channel') members.set(record.id, record.members!.length)
  })
  for (const { id } of rooms) expect(members.get(String(id))).toBeGreaterThanOrEqual(COUNT)
  // Each channel costs some 20,000 rows for its messages, of which the last may come above the limit, and everybody's consent some more.
  expect(Math.max(...ofMessages)).toBeGreaterThan(5 * COUNT)
  expect(Math.max(...ofChannels)).toBeGreaterThan(2 * COUNT)
  expect(ofChannels.length).toBeGreaterThan(1)
  expect(Math.max(...ofMessages, ...ofChannels)).toBeLessThan(20 * COUNT)
})
