import { describe, expect, it } from 'vitest'
import { buildChannel, expectSuccess, type TestRealm } from '../../support/factories.ts'
import { insertInIndex } from '../../support/inserted-messages.ts'
import { changeRealm, inRealm } from '../../support/inside.ts'
import { channelRecipientId, openTopic } from '../../support/inside-rows.ts'
import { fromJson } from '../../support/json.ts'
import { neverEvict } from '../../support/never-evict.ts'
import { openQueue } from '../../support/queues.ts'
import { buildRealm } from '../../support/use-realm.ts'

neverEvict()

const rowsRead = (realm: TestRealm) => inRealm(realm, ({ parts }) => parts.sql.counts.read)

async function counted<Answer>(realm: TestRealm, act: () => Promise<Answer>): Promise<[Answer, number]> {
  const before = await rowsRead(realm)
  const answer = await act()
  return [answer, (await rowsRead(realm)) - before]
}

const rangesKept = (realm: TestRealm) =>
  inRealm(realm, ({ parts }) =>
    parts.sql
      .all<{ ranges: string }>(`SELECT ranges FROM message_move WHERE ranges IS NOT NULL`)
      .reduce((sum, { ranges }) => sum + fromJson<unknown[]>(ranges).length, 0),
  )

/** Moves and deletes messages, half of which lie between others of the channel that they are moved into. */
async function moveAndDelete(count: number, isProtected: boolean) {
  const { realm, owner, ann } = await buildRealm({ ann: 'member' })
  const privacy = isProtected ? { invite_only: true, history_public_to_subscribers: false } : {}
  const from = await buildChannel([owner, ann], privacy)
  const to = await buildChannel([owner, ann], privacy)
  const first = await insertInIndex(realm, owner, { channelId: from.id, topic: 'long', count })
  await changeRealm(realm, ({ sql }) =>
    sql.run(
      `UPDATE message_index SET recipient_id = ?, topic_id = ? WHERE id >= ? AND id % 2 = ?`,
      channelRecipientId(to.id),
      openTopic(sql, to.id, 'between').id,
      first,
      (first + 1) % 2,
    ),
  )
  const queue = await openQueue(ann, { event_types: ['delete_message'] })
  const params = { stream_id: to.id, propagate_mode: 'change_all', send_notification_to_new_thread: false }
  const [moved, move] = await counted(realm, () => owner.api.patch(`/messages/${first}`, params))
  expectSuccess(moved)
  expect(await rangesKept(realm)).toBe(count / 2)
  const [me, look] = await counted(realm, () => ann.api.get('/users/me'))
  expect(expectSuccess(me).max_message_id).toBe(first + count - 1)
  const [deleted, deletion] = await counted(realm, () =>
    owner.api.post(`/streams/${to.id}/delete_topic`, { topic_name: 'long' }),
  )
  expect(expectSuccess(deleted).complete).toBe(true)
  const idsInEvents = (await queue.eventsOf('delete_message')).flatMap(
    ({ message_ids }) => message_ids as number[],
  )
  expect(idsInEvents.length).toBe(count / 2)
  expect(await rangesKept(realm)).toBe(0)
  return { move, look, deletion }
}

describe.each([
  ['public', false],
  ['protected', true],
])('a long topic in a channel with %s history', (_, isProtected) => {
  it('costs rows only for messages that are moved or deleted', async () => {
    const short = await moveAndDelete(4_000, isProtected)
    const long = await moveAndDelete(16_000, isProtected)
    expect(long.move / short.move).toBeLessThan(4.3)
    expect(long.deletion / short.deletion).toBeLessThan(4.3)
    expect(long.look).toBeLessThan(short.look + 20)
  })
})
