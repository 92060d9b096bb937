import type { RealmReads } from '../../core/realm-transaction.ts'
import { listMessageQueuesOfUser } from '../../events/queue.ts'
import { wasBrowserUsedSince } from '../browser-sessions/browser-session-rows.ts'
import { PRESENCE } from '../presence/presence-memory.ts'
import { userSetting } from '../users/settings/user-setting-rows.ts'
import type { Profile } from '../users/user-rows.ts'

/**
 * Whether somebody has used the organization since a time (UNIX seconds). Their clients report presence; for
 * people who hide it, or whose clients report none, a client that asked for messages or a browser session in
 * use counts.
 */
export function wasThere(tx: RealmReads, user: Profile, since: number): boolean {
  if (user.joinedAt >= since) return true
  const presence = tx.recall(PRESENCE).of(user.id)
  if (presence?.activeAt != null && presence.activeAt >= since) return true
  const isShared = presence !== undefined && presence.connectedAt >= since
  if (isShared && userSetting(user, 'presence_enabled')) return false
  return (
    listMessageQueuesOfUser(tx.sql, user.id).some(({ seenAt }) => seenAt >= since) ||
    wasBrowserUsedSince(tx.sql, user.id, since)
  )
}
