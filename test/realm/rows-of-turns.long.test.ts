import { describe, expect, it, vi } from 'vitest'
import { BYTES_AT_ONCE, ROWS_OF_SLICE } from '../../src/core/budgets.ts'
import type { RowCounts } from '../../src/core/sql.ts'
import { newestLogId, readWritesAfter } from '../../src/events/log.ts'
import { forgetOld } from '../../src/realm/jobs/forget-old.ts'
import { KEPT_SECONDS } from '../../src/store/dead-letters/dead-letter-rows.ts'
import { putEmptiedTopic } from '../../src/store/messages/topic-rows.ts'
import { oldestUnclaimedAt, putUnclaimed } from '../../src/store/uploads/removal-rows.ts'
import { BLANK_EVENT } from '../support/blank-event.ts'
import { countRows } from '../support/counted-rows.ts'
import { buildChannel, expectSuccess, type TestRealm, type TestUser } from '../support/factories.ts'
import { insertInIndex } from '../support/inserted-messages.ts'
import { addChannels, changeRealm, inRealm, insertUsers } from '../support/inside.ts'
import { ENTRIES_AT_ONCE } from '../support/limits.ts'
import { neverEvict } from '../support/never-evict.ts'
import { rowsOfTransactions } from '../support/rows-of-transactions.ts'
import { buildRealm } from '../support/use-realm.ts'

neverEvict()

const UNREAD = [{ operator: 'is', operand: 'unread' }]

/** Returns the number of statements that are executed during `act`. */
async function statementsDuring(realm: TestRealm, act: () => Promise<unknown>): Promise<number> {
  // Each call has an object of its own, which counts its rows.
  const spies = await inRealm(realm, ({ parts: { sql } }) => {
    const proto = Object.getPrototypeOf(sql) as typeof sql
    return [vi.spyOn(proto, 'all'), vi.spyOn(proto, 'first')]
  })
  await act()
  const count = spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0)
  for (const spy of spies) spy.mockRestore()
  return count
}

const maxOf = (rows: readonly RowCounts[], kind: keyof RowCounts) => Math.max(...rows.map((one) => one[kind]))

describe('the rows of a turn', () => {
  it('that registers a user in thousands of channels again are not their subscriptions', async () => {
    const CHANNELS = 3_500
    const { realm, ann } = await buildRealm({ ann: 'member' })
    const ids = await addChannels(
      realm,
      Array.from({ length: CHANNELS }, (_, at) => `channel ${at}`),
    )
    await changeRealm(realm, (tx) => {
      tx.sql.run(
        `INSERT INTO subscription (channel_id, user_id, is_active, since_event, since_message, color)
         SELECT value, ?, 1, 0, 0, '#76ce90' FROM json_each(?)`,
        ann.id,
        JSON.stringify(ids),
      )
    })
    const register = () => countRows(ann.api, 'POST', '/register', { slim_presence: true })
    const first = await register()
    const again = await register()
    expect(again.body.subscriptions).toEqual(first.body.subscriptions)
    expect(again.body.subscriptions.length).toBeGreaterThan(CHANNELS)
    // Moves into each channel are looked for.
    expect(again.object.read).toBeLessThan(3 * CHANNELS)
  })

  it('that mutes a user are limited, whoever wrote the messages', async () => {
    const { realm, ann, ben, channel } = await buildRealm(
      { ann: 'member', ben: 'member' },
      { channels: { channel: ['owner', 'ann', 'ben'] } },
    )
    const enter = (sender: TestUser, count: number) =>
      insertInIndex(realm, sender, { channelId: channel.id, topic: 'long', count })
    await enter(realm.owner, 6_000)
    const first = await enter(ben, ENTRIES_AT_ONCE + 100)
    const found = await rowsOfTransactions(realm, async () => {
      expectSuccess(await ann.api.post(`/users/me/muted_users/${ben.id}`))
    })
    const { messages } = expectSuccess(
      await ann.api.get('/messages', { anchor: first, num_before: 0, num_after: 5, narrow: UNREAD }),
    )
    expect(messages).toEqual([])
    // With what is read at a time, and of the caller and the channel.
    expect(maxOf(found, 'read')).toBeLessThan(7_000)
    expect(maxOf(found, 'read')).toBeGreaterThan(ENTRIES_AT_ONCE)
  })

  it('that flags messages of a narrow are a few for each that it may flag', async () => {
    const { realm, ann, channel } = await buildRealm(
      { ann: 'member' },
      { channels: { channel: ['owner', 'ann'] } },
    )
    const COUNT = 3 * ENTRIES_AT_ONCE
    await insertInIndex(realm, realm.owner, { channelId: channel.id, topic: 'long', count: COUNT })
    for (const flag of ['read', 'starred']) {
      const found = await rowsOfTransactions(realm, async () => {
        const narrow = [['channel', channel.name]]
        const params = { anchor: 'oldest', num_before: 0, num_after: 5_000, narrow, op: 'add', flag }
        const { updated_count } = expectSuccess(await ann.api.post('/messages/flags/narrow', params))
        expect(updated_count).toBeGreaterThanOrEqual(COUNT)
      })
      expect(found.length).toBeGreaterThanOrEqual(3)
      expect(maxOf(found, 'read')).toBeLessThan(3 * ENTRIES_AT_ONCE)
      expect(maxOf(found, 'written')).toBeLessThan(3 * ENTRIES_AT_ONCE)
    }
  })

  it('that moves messages into protected history are read for all subscribers together', async () => {
    const { realm, owner, from } = await buildRealm({}, { channels: { from: ['owner'] } })
    const to = await buildChannel([owner], { invite_only: true, history_public_to_subscribers: false })
    const PEOPLE = 300
    const people = await insertUsers(realm, PEOPLE)
    const principals = people.map(({ id }) => id)
    const subscriptions = [{ name: from.name }, { name: to.name }]
    expectSuccess(await owner.api.post('/users/me/subscriptions', { subscriptions, principals }))
    const first = await insertInIndex(realm, owner, { channelId: from.id, topic: 'long', count: 20 })
    const asked = await statementsDuring(realm, async () => {
      const params = {
        stream_id: to.id,
        propagate_mode: 'change_all',
        send_notification_to_new_thread: false,
      }
      expectSuccess(await owner.api.patch(`/messages/${first}`, params))
    })
    expect(asked).toBeLessThan(PEOPLE)
  })

  it('that reads deletions for D1 are the first entries with as many as it parses', async () => {
    const { realm } = await buildRealm()
    const EACH = 400
    const before = await inRealm(realm, ({ parts }) => newestLogId(parts.sql))
    for (let entry = 0; entry < 5; entry += 1) {
      await changeRealm(realm, (tx) => {
        for (let id = 1; id <= EACH; id += 1) {
          tx.writeToD1({ statement: 'delete-message-body', row: [id + entry * EACH] })
        }
      })
    }
    const budget = { entries: 500, bytes: 4_000_000, writes: 2 * EACH }
    const { found, read } = await inRealm(realm, ({ parts: { sql } }) => {
      const { read } = sql.counts
      return { found: readWritesAfter(sql, before, budget), read: sql.counts.read - read }
    })
    expect(found.map(({ writes }) => writes.length)).toEqual([EACH, EACH])
    expect(read).toBeLessThanOrEqual(3)
  })

  it('of housekeeping that deletes the log are those of its budget', async () => {
    const { realm } = await buildRealm()
    const COUNT = 2 * ROWS_OF_SLICE + 500
    await changeRealm(realm, (tx) => {
      for (let count = 0; count < COUNT; count += 1) tx.emit(BLANK_EVENT, { users: [] })
    })
    const found = await inRealm(realm, async ({ parts }) => {
      // What D1 lacks is not deleted.
      while (parts.projector.projected < newestLogId(parts.sql)) {
        await scheduler.wait(1)
        parts.projector.passEvents()
      }
      const runs: number[] = []
      parts.housekeeping.run(parts)
      for (let run = 0; run < 4; run += 1) {
        const { written } = parts.sql.counts
        parts.housekeeping.run(parts)
        runs.push(parts.sql.counts.written - written)
      }
      return runs
    })
    expect(found.reduce((sum, rows) => sum + rows)).toBeGreaterThanOrEqual(COUNT)
    expect(Math.max(...found)).toBeLessThanOrEqual(ROWS_OF_SLICE + 10)
  })

  it('of housekeeping that deletes long entries of the log are fewer', async () => {
    const { realm } = await buildRealm()
    const IN_A_TURN = 8
    const filler = 'x'.repeat(BYTES_AT_ONCE / IN_A_TURN)
    const event = { ...BLANK_EVENT, filler }
    for (let count = 0; count < 3 * IN_A_TURN; count += 1) {
      await changeRealm(realm, (tx) => tx.emit(event, { users: [] }))
    }
    const left = await inRealm(realm, ({ parts }) => {
      const { housekeeping, sql } = parts
      const long = `SELECT 1 FROM log WHERE octet_length(event) > ?`
      const countLong = () => sql.all(long, filler.length).length
      housekeeping.run(parts)
      return [0, 1, 2, 3].map(() => {
        housekeeping.run(parts)
        return countLong()
      })
    })
    expect(left.every((count, run) => count >= 3 * IN_A_TURN - (run + 1) * IN_A_TURN)).toBe(true)
    expect(left.at(-1)).toBe(0)
  })

  it('that forgets what is a month old are not those of what is younger', async () => {
    const { realm } = await buildRealm()
    const YOUNGER = 2_000
    const rows = await changeRealm(realm, (tx) => {
      for (let at = 1; at <= YOUNGER; at += 1) {
        putUnclaimed(tx.sql, at, tx.now)
        putEmptiedTopic(tx.sql, 1_000_000 + at, tx.now)
      }
      const before = tx.sql.counts.read
      // The oldest has the highest id.
      const old = tx.now - KEPT_SECONDS - 1
      putUnclaimed(tx.sql, YOUNGER + 1, old)
      putEmptiedTopic(tx.sql, 2_000_000, old)
      expect(forgetOld(tx)).toBeGreaterThan(tx.now)
      expect(oldestUnclaimedAt(tx.sql)).toBeGreaterThan(old)
      return tx.sql.counts.read - before
    })
    expect(rows).toBeLessThan(100)
  })
})
