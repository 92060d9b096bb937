import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { insertWebhookCalls, type NewWebhookCall } from '../../store/bots/webhook-call-rows.ts'
import type { User } from '../../store/users/user-rows.ts'
import { noteMissed } from '../quotas/note-missed.ts'
import { accountsWithRoom } from '../quotas/within-quota.ts'

/** The job that posts to outgoing webhooks. */
export const DELIVER_WEBHOOK_CALLS = 'call-webhooks'

/** Enqueues the same call for each of these bots. A bot with as many pending calls as the quota allows misses it. */
export function enqueueCalls(tx: RealmTransaction, bots: readonly User[], call: NewWebhookCall): void {
  const ids = withRoom(tx, bots)
  if (ids.length === 0) return
  insertWebhookCalls(tx.sql, ids, call, tx.now)
  tx.schedule({ kind: DELIVER_WEBHOOK_CALLS, key: '', dueAt: tx.now })
}

/** Returns the bots that have room for a call, and notes for each other bot that it misses one. */
function withRoom(tx: RealmTransaction, bots: readonly User[]): number[] {
  const all = bots.map(({ id }) => id)
  const ids = new Set(accountsWithRoom(tx, 'webhookCalls', all))
  return all.filter((id) => {
    if (!ids.has(id)) noteMissed(tx, 'Too many calls of a webhook wait: it misses some', { bot_id: id })
    return ids.has(id)
  })
}
