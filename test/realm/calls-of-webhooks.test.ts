import { expect, it } from 'vitest'
import { countRows } from '../support/counted-rows.ts'
import { buildChannel } from '../support/factories.ts'
import { changeRealm } from '../support/inside.ts'
import {
  deleteWebhookCall,
  deleteWebhookCallsAbout,
  insertWebhookCalls,
  leaseWebhookCall,
} from '../support/inside-due-work.ts'
import { sendTo } from '../support/messages.ts'
import { buildRealm } from '../support/use-realm.ts'

const WAITING = 500

it('deleting a message reads no webhook calls about other messages', async () => {
  const { realm, ann } = await buildRealm({ ann: 'member' })
  const room = await buildChannel([realm.owner, ann])
  const [one, other] = [await sendTo(ann, room.id, 'one', 'x'), await sendTo(ann, room.id, 'two', 'x')]
  await changeRealm(realm, ({ sql }) =>
    sql.run(
      `WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number LIMIT ?)
       INSERT INTO webhook_call (bot_id, cause, message, origin, due_at, webhook_id)
       SELECT ?, 'mention', json_object('id', iif(n = 1, ?, ?)), '', 1e12, '' FROM number`,
      WAITING,
      ann.id,
      one,
      other + 1,
    ),
  )
  const { object } = await countRows(realm.owner.api, 'DELETE', `/messages/${one}`)
  expect(object.read).toBeLessThan(WAITING)
  const left = await changeRealm(realm, ({ sql }) =>
    sql.first<{ count: number }>(`SELECT count(*) AS count FROM webhook_call`),
  )
  expect(left?.count).toBe(WAITING - 1)
})

it('a message that calls many bots is stored once, until the last call succeeds', async () => {
  const { realm } = await buildRealm()
  const bots = [901, 902, 903, 904, 905]
  const message = {
    id: 77,
    type: 'stream',
    display_recipient: 'news',
    sender_id: realm.owner.id,
    sender_full_name: 'Olga',
    timestamp: 1,
    content: 'c'.repeat(10_000),
    rendered_content: 'r'.repeat(100_000),
  } as const
  const call = { cause: 'mention', message, origin: 'https://chat.example.com' } as const
  await changeRealm(realm, ({ sql }) => {
    const bytes = () =>
      sql.first<{ bytes: number }>(`SELECT ifnull(sum(length(message)), 0) AS bytes FROM webhook_call`)!.bytes
    const counted = () =>
      sql.first<{ bytes: number }>(
        `SELECT bytes FROM quota_use WHERE kind = 'webhookCalls' AND account_id = 0`,
      )!.bytes
    insertWebhookCalls(sql, bots, call, 10)
    const seen: number[] = []
    // Calls that have been tried end one after another, in no particular order.
    for (const busy of [[901], [901, 902], [902, 904], [904], []]) {
      const leased = leaseWebhookCall(sql, 10, 10, busy)!
      expect(leased).toMatchObject({ message })
      seen.push(leased.botId)
      deleteWebhookCall(sql, leased.id)
      expect(bytes()).toBeLessThan(112_000)
      expect(counted()).toBe(bytes())
    }
    expect(seen.toSorted()).toEqual(bots)
    expect(bytes()).toBe(0)
    insertWebhookCalls(sql, bots, call, 10)
    insertWebhookCalls(sql, [901, 902], { ...call, message: { ...message, id: 78 } }, 10)
    deleteWebhookCallsAbout(sql, [77])
    expect(leaseWebhookCall(sql, 10, 10, [901])).toMatchObject({ message: { id: 78 } })
    deleteWebhookCallsAbout(sql, [78])
    expect(bytes()).toBe(0)
  })
})
