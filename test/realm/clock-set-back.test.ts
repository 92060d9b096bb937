import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { HOUR } from '../../src/core/time.ts'
import { enqueueDigest } from '../../src/domain/digests/digest-rows.ts'
import { insertEmail, SEND_EMAILS } from '../../src/domain/emails/email-rows.ts'
import { addMissedMessage } from '../../src/domain/missed-messages/missed-mail-rows.ts'
import { PRESENCE } from '../../src/domain/presence/presence-memory.ts'
import { insertPendingPush } from '../../src/domain/push/pending-push-rows.ts'
import { putPushToken } from '../../src/domain/push/push-token-rows.ts'
import { addStalePushes } from '../../src/domain/push/shown-push-rows.ts'
import { DELIVER_REMINDER } from '../../src/domain/reminders/remove-reminder.ts'
import { DELIVER_SCHEDULED } from '../../src/domain/scheduled-messages/delivery-job.ts'
import { enqueueRemoval } from '../../src/domain/uploads/removal-rows.ts'
import { enqueuePreviewRequest } from '../../src/domain/website-previews/preview-request-rows.ts'
import { listMessageQueuesOfUser } from '../../src/events/queue.ts'
import { leaseJob, nextJobOf } from '../../src/realm/jobs/job-rows.ts'
import { evictRealm } from '../support/api.ts'
import { buildUser, expectSuccess } from '../support/factories.ts'
import { changeRealm, inRealm } from '../support/inside.ts'
import { useRealmPerTest } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const HOOK = 'https://hook.example.com/in'
const MAIL = 'https://mail.example.com/send'

const { realm, ann, channel } = useRealmPerTest(
  { ann: 'member' },
  { channels: { channel: ['owner', 'ann'] } },
)
let asked: string[]
let service: () => Response

beforeEach(() => {
  asked = []
  service = () => new Response('{}')
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (url) => {
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

/** Sets the clock back by an hour, and lets somebody ask for something. */
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
          `INSERT INTO webhook_call (bot_id, cause, message, origin, due_at) VALUES (?, 'mention', '{}', '', 0)`,
          ann.id,
        )
        enqueueRemoval(tx.sql, 'a', tx.now)
        tx.schedule({ kind: SEND_EMAILS, key: '', dueAt: tx.now + 600 })
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

    it('mail whose service failed is sent when its pause ends', async () => {
      world.settings = { EMAIL_API_URL: MAIL }
      service = () => new Response('', { status: 503 })
      const invitation = {
        invitee_emails: 'new@example.com',
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
        for (const kind of [DELIVER_SCHEDULED, DELIVER_REMINDER]) {
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
        const { activeAt } = parts.memory.recall(PRESENCE, parts.sql).of(ben.id)!
        return [queue!.seenAt, parts.progress.of(queue!).seenAt, activeAt!]
      })
      for (const time of seen) expect(time).toBeLessThanOrEqual(now() + 1)
    })
  },
)
