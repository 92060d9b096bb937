import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { channelRecipientId } from '../../src/core/recipient-id.ts'
import type { MoveIntoChannel } from '../../src/store/messages/move/message-move-rows.ts'
import { openTopic } from '../../src/store/messages/topic-rows.ts'
import { heldAfter, type IdRange, withMoves } from '../../src/store/subscriptions/moved-ranges.ts'
import { isReceived } from '../../src/store/subscriptions/received-range-rows.ts'
import { expectSuccess } from '../support/factories.ts'
import { insertInIndex } from '../support/inserted-messages.ts'
import { changeRealm, inRealm } from '../support/inside.ts'
import { fromJson } from '../support/json.ts'
import { sendTo } from '../support/messages.ts'
import { neverEvict } from '../support/never-evict.ts'
import { buildRealm } from '../support/use-realm.ts'

neverEvict()

it('the newest message is found without reading a thousand moved ranges', async () => {
  const { realm, owner, ann, from, to } = await buildRealm(
    { ann: 'member' },
    { channels: { from: ['owner', 'ann'], to: ['owner', 'ann'] } },
  )
  const count = 2_000
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
  const moved = { stream_id: to.id, propagate_mode: 'change_all', send_notification_to_new_thread: false }
  expectSuccess(await owner.api.patch(`/messages/${first}`, moved))
  const rows = await inRealm(realm, ({ parts }) =>
    parts.sql.all<{ ranges: string }>(`SELECT ranges FROM message_move WHERE ranges IS NOT NULL`),
  )
  expect(rows.flatMap(({ ranges }) => fromJson(ranges))).toHaveLength(count / 2)

  const rowsRead = () => inRealm(realm, ({ parts }) => parts.sql.counts.read)
  const look = async () => {
    const before = await rowsRead()
    const { max_message_id } = expectSuccess(await ann.api.get('/users/me'))
    return { max_message_id, read: (await rowsRead()) - before }
  }
  // Ann keeps the messages that she had in either channel.
  expect((await look()).max_message_id).toBe(first + count - 1)
  expect((await look()).read).toBeLessThan(100)
  const id = await sendTo(owner, to.id, 'later')
  expect((await look()).max_message_id).toBe(id)
})

const LAST_ID = 24
/** Ids in ranges that do not overlap, ascending. */
const ranges = fc
  .uniqueArray(fc.integer({ min: 0, max: LAST_ID }), { maxLength: 10 })
  .map((ends) => ends.sort((a, b) => a - b))
  .map((ends): IdRange[] =>
    Array.from({ length: Math.floor(ends.length / 2) }, (_, at) => ({
      since: ends[2 * at]!,
      until: ends[2 * at + 1]!,
    })),
  )

it('a message’s recipients follow from its last move, or else from subscription periods', () => {
  fc.assert(
    fc.property(ranges, ranges, fc.array(ranges, { maxLength: 3 }), (periods, origin, moved) => {
      const moves = moved.map(
        (parts, at): MoveIntoChannel => ({
          id: at,
          previousId: null,
          userId: 1,
          at: 0,
          seq: at,
          prevTopic: null,
          topic: null,
          prevChannelId: 1,
          channelId: 2,
          subscribersReceived: at === 2,
          ranges: parts.map(({ since, until }) => [since + 1, until] as const),
        }),
      )
      const past = { periods: () => origin, subscribedAt: () => true }
      const held = (move: MoveIntoChannel) => heldAfter([move], past)
      const ranges = withMoves(periods, moves, held).map((range) => ({ channelId: 2, ...range }))
      const has = (among: readonly IdRange[], id: number) =>
        among.some(({ since, until }) => id > since && id <= until)
      for (let id = 1; id <= LAST_ID; id += 1) {
        const last = moved.findLastIndex((parts) => has(parts, id))
        const expected = last < 0 ? has(periods, id) : last === 2 || has(origin, id)
        expect(isReceived(ranges, id)).toBe(expected)
      }
    }),
  )
})
