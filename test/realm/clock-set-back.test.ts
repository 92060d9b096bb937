import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { listMessageQueuesOfUser } from '../../src/events/queue.ts'
import { evictRealm } from '../support/api.ts'
import { buildUser, expectSuccess } from '../support/factories.ts'
import { changeRealm, inRealm } from '../support/inside.ts'
import {
  addMissedMessage,
  addStalePushes,
  enqueueDigest,
  enqueuePreviewRequest,
  enqueueRemoval,
  insertEmail,
  insertPendingPush,
  leaseJob,
  nextJobOf,
  putPushToken,
} from '../support/inside-due-work.ts'
import { followClock, rememberedPresence } from '../support/inside-work.ts'
import { DAY, HOUR } from '../support/times.ts'
import { useRealmPerTest } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const HOOK = 'https://hook.of-clocks.example.com/in'
const MAIL = 'https://mail.of-clocks.example.com/send'
const RECIPIENT = 'a@of-clocks.example.com'

const { realm, ann, channel } = useRealmPerTest(
  { ann: 'member' },
  { channels: { channel: ['owner', 'ann'] } },
)
let asked: string[]
let service: () => Response

beforeEach(() => {
  asked = []
  service = () => new Response('{}')
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, request) => {
    // Organizations of other test files make calls at the same time, and send mail by the same service, to others.
    const isOurs = String(url) === HOOK || String(request?.body).includes(RECIPIENT)
    if (!isOurs) return new Response('{}')
    asked.push(String(url))
    return service()
  })
})
afterEach(() => vi.restoreAllMocks())

const now = () => Math.floor(Date.now() / 1_000) + world.clockOffset

/** Runs everything that is due `seconds` from now. */
async function work(seconds = 2): Promise<void> {
  world.clockOffset += seconds
  await inRealm(realm, (object) => object.alarm())
}

/** Sets the clock back by an hour, and lets a user ask for something. */
async function setBack({ isAsleep = false } = {}): Promise<void> {
  world.clockOffset -= HOUR
  if (isAsleep) await evictRealm(realm.id)
  expectSuccess(await ann.api.get('/users/me'))
}

/** Returns the tables in which something is due at a time. */
async function tablesWithTimes(): Promise<string[]> {
  return inRealm(realm, ({ parts }) =>
    parts.sql
      .all<{ name: string }>(
        `SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%due_at%' ORDER BY name`,
      )
      .map(({ name }) => name),
  )
}

describe.each([false, true])(
  'when the clock is set back by an hour (while the object sleeps: %s)',
  (isAsleep) => {
    it('what is due after a pause is due as soon as before, in every table', async () => {
      const message = expectSuccess(
        await ann.api.post('/messages', { type: 'stream', to: channel.id, topic: 'a', content: 'b' }),
      )
      await changeRealm(realm, (tx) => {
        const origin = 'https://chat.example.com'
        const cause = 'mention' as const
        insertEmail(
          tx.sql,
          { recipient: 'a@example.com', subject: 'a', body: 'b' },
          { writtenAt: tx.now, sentAt: null },
        )
        const missed = { messageId: message.id, cause, groupId: null, enteredAt: tx.now }
        addMissedMessage(tx.sql, ann.id, missed, { origin, dueAt: tx.now })
        enqueueDigest(tx.sql, { userId: ann.id, round: Math.floor(tx.now), origin }, tx.now)
        enqueuePreviewRequest(tx.sql, { messageId: message.id, senderId: ann.id, origin, dueAt: tx.now })
        const notifiable = [{ userId: ann.id, cause, groupId: null }]
        insertPendingPush(tx.sql, {
          messageId: message.id,
          notifiable,
          origin,
          eventId: 1,
          enteredAt: tx.now,
        })
        putPushToken(tx.sql, ann.id, 'fcm', 'token', null)
        addStalePushes(tx.sql, ann.id, [{ messageId: message.id, cause }], origin)
        tx.sql.run(
          `INSERT INTO webhook_call (bot_id, cause, message, origin, due_at, webhook_id) VALUES (?, 'mention', '{}', '', 0, '')`,
          ann.id,
        )
        enqueueRemoval(tx.sql, 'a', tx.now)
        tx.schedule({ kind: 'send-emails', key: '', dueAt: tx.now + 600 })
      })
      const at = now() + 600
      const reminder = { message_id: message.id, scheduled_delivery_timestamp: at }
      expectSuccess(await ann.api.post('/reminders', reminder))
      const scheduled = { type: 'channel', to: channel.id, topic: 'a', content: 'c' }
      expectSuccess(
        await ann.api.post('/scheduled_messages', { ...scheduled, scheduled_delivery_timestamp: at }),
      )
      const tables = await tablesWithTimes()
      await inRealm(realm, ({ parts }) => {
        for (const table of tables) parts.sql.run(`UPDATE ${table} SET due_at = ?`, at)
      })
      await setBack({ isAsleep })
      const moved = await inRealm(realm, ({ parts }) =>
        tables.filter((table) => {
          const times = parts.sql
            .all<{ due_at: number }>(`SELECT due_at FROM ${table}`)
            .map(({ due_at }) => at - due_at)
          expect(times, table).not.toEqual([])
          return times.some((seconds) => seconds > HOUR - 10)
        }),
      )
      const chosenOrOldEnough = ['file_removal', 'reminder', 'scheduled_message']
      expect(tables.filter((table) => !moved.includes(table))).toEqual(chosenOrOldEnough)
    })

    it('a webhook that rests is called when its pause ends', async () => {
      const account = { full_name: 'Hook', short_name: `hook-${realm.id}`, bot_type: 3, payload_url: HOOK }
      const hook = expectSuccess(await realm.owner.api.post('/bots', account)).user_id
      service = () => new Response('', { status: 503 })
      expectSuccess(await ann.api.post('/messages', { type: 'direct', to: [hook], content: 'hello' }))
      await work()
      expect(asked).toEqual([HOOK])
      service = () => new Response('{}')
      await setBack({ isAsleep })
      await work(20)
      expect(asked).toEqual([HOOK, HOOK])
    })

    it('mail is sent when the pause after its service’s failure ends', async () => {
      world.settings = { EMAIL_API_URL: MAIL }
      service = () => new Response('', { status: 503 })
      const invitation = {
        invitee_emails: RECIPIENT,
        stream_ids: [],
        invite_expires_in_minutes: null,
      }
      expectSuccess(await realm.owner.api.post('/invites', invitation))
      await work()
      expect(asked).toEqual([MAIL])
      service = () => new Response('{}')
      await setBack({ isAsleep })
      await work(45)
      expect(asked).toEqual([MAIL, MAIL])
      await setBack({ isAsleep })
      await work(45)
      expect(asked).toEqual([MAIL, MAIL])
    })

    it('scheduled messages and reminders keep their time, once each', async () => {
      const { id } = expectSuccess(
        await ann.api.post('/messages', { type: 'stream', to: channel.id, topic: 'a', content: 'b' }),
      )
      const at = now() + 600
      const time = { scheduled_delivery_timestamp: at }
      const planned = { type: 'channel', to: channel.id, topic: 'a', content: 'planned' }
      expectSuccess(await ann.api.post('/scheduled_messages', { ...planned, ...time }))
      expectSuccess(await ann.api.post('/reminders', { message_id: id, note: 'look', ...time }))
      // The object ends in the middle of both.
      world.clockOffset += HOUR
      await inRealm(realm, ({ parts }) => {
        parts.clock.save(parts.sql)
        for (const kind of ['deliver-scheduled-message', 'deliver-reminder']) {
          leaseJob(parts.sql, nextJobOf(parts.sql, kind)!, now(), now() + 60)
        }
      })
      await setBack({ isAsleep })
      await work(70)
      const pending = async () => [
        ...expectSuccess(await ann.api.get('/scheduled_messages')).scheduled_messages,
        ...expectSuccess(await ann.api.get('/reminders')).reminders,
      ]
      expect(await pending()).toHaveLength(2)
      await work(540)
      await work()
      expect(await pending()).toEqual([])
      const newest = { anchor: 'newest', num_before: 10, num_after: 0, apply_markdown: false }
      const { messages } = expectSuccess(await ann.api.get('/messages', newest))
      const texts: string[] = messages.map(({ content }: { content: string }) => content)
      expect(texts.filter((text) => text === 'planned')).toHaveLength(1)
      expect(texts.filter((text) => text.includes('look'))).toHaveLength(1)
    })

    it('nobody was last seen later than now, so that who has gone is notified', async () => {
      const ben = await buildUser(realm)
      const presence = { status: 'active', new_user_input: true, ping_only: true }
      expectSuccess(await ben.api.post('/users/me/presence', presence))
      expectSuccess(await ben.api.post('/register', { event_types: ['message'] }))
      await setBack({ isAsleep })
      const seen = await inRealm(realm, ({ parts }) => {
        const [queue] = listMessageQueuesOfUser(parts.sql, ben.id)
        const { activeAt } = rememberedPresence(parts, ben.id)
        return [queue!.seenAt, parts.progress.of(queue!).seenAt, activeAt!]
      })
      for (const time of seen) expect(time).toBeLessThanOrEqual(now() + 1)
    })
  },
)

/** Enters so many mails, accounts with missed messages, and failed jobs, all due in a day. */
async function insertMany(count: number): Promise<void> {
  const at = now() + DAY
  await inRealm(realm, ({ parts }) => {
    const many = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`
    parts.sql.run(
      `${many} INSERT INTO email (recipient, subject, body, created_at, due_at) SELECT 'a@example.com', 'a', 'b', 0, ? + i FROM n`,
      at,
    )
    parts.sql.run(
      `${many} INSERT INTO missed_mail (user_id, entries, origin, due_at) SELECT 1000 + i, '[]', '', ? + i FROM n`,
      at,
    )
    parts.sql.run(
      `${many} INSERT INTO job (kind, key, due_at, attempts) SELECT 'from another build', 'key ' || i, ? + i, 1 FROM n`,
      at,
    )
  })
}

/** Returns when all of that is due. */
function dueTimes(): Promise<number[]> {
  const of = ['email ORDER BY id', 'missed_mail ORDER BY user_id', `job WHERE kind LIKE 'from%' ORDER BY key`]
  return inRealm(realm, ({ parts }) =>
    of.flatMap((rows) =>
      parts.sql.all<{ due_at: number }>(`SELECT due_at FROM ${rows}`).map(({ due_at }) => due_at),
    ),
  )
}

describe('where thousands of things are due after a pause, and the clock is set back', () => {
  const MANY = 2_500

  /** Returns by how many seconds each has moved, as a list without repetitions. */
  async function moved(before: readonly number[]): Promise<number[]> {
    const after = await dueTimes()
    return [...new Set(after.map((at, index) => before[index]! - at))]
  }

  it('each is hastened once, before a request is answered', async () => {
    await insertMany(MANY)
    const before = await dueTimes()
    await setBack()
    const [seconds, ...others] = await moved(before)
    expect(seconds).toBeGreaterThan(HOUR - 60)
    expect(others).toEqual([])
  })

  it('a turn looks at a limited number of them', async () => {
    await insertMany(MANY)
    world.clockOffset -= HOUR
    const rows = await inRealm(realm, async ({ parts }) => {
      const turns: number[] = []
      let before = parts.sql.counts.read
      const note = () => {
        turns.push(parts.sql.counts.read - before)
        before = parts.sql.counts.read
      }
      const pause = vi.spyOn(parts, 'pause').mockImplementation(async () => note())
      await followClock(parts)
      note()
      pause.mockRestore()
      return turns
    })
    // Both the key of the last row of a part, and the part, are read.
    expect(Math.max(...rows)).toBeLessThan(5_000)
    expect(rows.length).toBeGreaterThan(3)
  })

  it('an object that ends in between goes on where it was', async () => {
    await insertMany(MANY)
    const before = await dueTimes()
    world.clockOffset -= HOUR
    await inRealm(realm, ({ parts }) => void followClock(parts))
    expect((await moved(before)).length).toBeGreaterThan(1)
    await evictRealm(realm.id)
    expectSuccess(await ann.api.get('/users/me'))
    const [seconds, ...others] = await moved(before)
    expect(seconds).toBeGreaterThan(HOUR - 60)
    expect(others).toEqual([])
  })

  it('what is hastened meanwhile counts both times when the clock is set back again', async () => {
    await insertMany(MANY)
    const before = await dueTimes()
    for (let times = 0; times < 3; times += 1) {
      world.clockOffset -= HOUR
      await inRealm(realm, ({ parts }) => void followClock(parts))
    }
    expectSuccess(await ann.api.get('/users/me'))
    const [seconds, ...others] = await moved(before)
    expect(seconds).toBeGreaterThan(3 * HOUR - 60)
    expect(others).toEqual([])
  })

  it('no job begins before all has been hastened', async () => {
    await insertMany(MANY)
    await changeRealm(realm, (tx) => {
      insertEmail(
        tx.sql,
        { recipient: RECIPIENT, subject: 'a', body: 'b' },
        { writtenAt: tx.now + 30, sentAt: null },
      )
      tx.schedule({ kind: 'send-emails', key: '', dueAt: tx.now + 30 })
    })
    world.settings = { EMAIL_API_URL: MAIL }
    let hasteningWhenAsked: boolean | undefined
    world.clockOffset += 40
    await inRealm(realm, ({ parts }) => void parts.now())
    world.clockOffset -= HOUR
    await inRealm(realm, async (object) => {
      service = () => {
        hasteningWhenAsked ??= !object.parts.clock.isFollowed
        return new Response('{}')
      }
      const running = object.alarm()
      expect(object.parts.clock.isFollowed).toBe(false)
      await running
    })
    await vi.waitFor(() => expect(asked).toContain(MAIL))
    expect(hasteningWhenAsked).toBe(false)
  })
})
