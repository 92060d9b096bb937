import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredPresenceEvent } from '../../events/presence.ts'
import { type Presence, savePresenceBlock } from '../../store/presence/presence-and-status-rows.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { activeUsers } from '../../store/users/account-set-rows.ts'
import { userSetting } from '../../store/users/settings/user-setting-rows.ts'
import type { User } from '../../store/users/user-rows.ts'
import { apiEmail } from '../users/addresses/api-email.ts'
import { userAudience } from '../users/visibility/visible-users.ts'
import { legacyStatus, modernEntry, PRESENCE } from './presence-memory.ts'

export type PresenceStatus = 'active' | 'idle'

/** Seconds within which further pings change nothing (docs/interface/users.md#presence). */
const PING_SECONDS = 55
/** Seconds without activity after which a user counts as having come back: offline threshold − ping interval − 10. */
const BACK_AFTER_SECONDS = 130
/** Limit of receivers of a presence event. In larger organizations clients poll instead. */
const MAX_RECEIVERS = 100
/** Number of seconds by which a presence is backdated to make a user offline at once. */
const AWAY_SECONDS = 265

/** Records that a user's client is active. Users who hide their presence leave no trace. */
export function recordPresence(tx: RealmTransaction, user: User, status: PresenceStatus): void {
  if (!userSetting(user, 'presence_enabled')) return
  const now = Math.floor(tx.now)
  const known = tx.recall(PRESENCE).of(user.id)
  // A time that is ahead of the clock would make the user present until then.
  const before = known && known.connectedAt <= now ? known : undefined
  const after = presenceAfter(before, user.id, status, now)
  if (!after) return
  const isBack =
    before === undefined ||
    (status === 'active' && (before.activeAt === null || now - before.activeAt > BACK_AFTER_SECONDS))
  const entered = put(tx, after, isBack)
  if (isBack) announce(tx, user, entered)
}

/** Shows or hides the user's presence at once, after a change of `presence_enabled` (docs/interface/users.md#presence). */
export function changePresence(tx: RealmTransaction, user: User, isShown: boolean): void {
  const now = Math.floor(tx.now)
  const gone = now - AWAY_SECONDS
  const before = tx.recall(PRESENCE).of(user.id)
  const after = isShown
    ? { userId: user.id, activeAt: now, connectedAt: now }
    : {
        userId: user.id,
        activeAt: before?.activeAt == null ? null : Math.min(before.activeAt, gone),
        connectedAt: Math.min(before?.connectedAt ?? gone, gone),
      }
  announce(tx, user, put(tx, after, true))
}

/** Limits all presences to now after the clock was set back: users would count as present until then, and get no notifications. */
export function endLaterPresences(tx: RealmTransaction): void {
  for (const { block, presences } of tx.recallToChange(PRESENCE).endLaterTimes(Math.floor(tx.now))) {
    savePresenceBlock(tx.sql, block, presences)
  }
}

function put(tx: RealmTransaction, presence: Omit<Presence, 'updateId'>, atOnce: boolean): Presence {
  const { entered, toSave } = tx.recallToChange(PRESENCE).put(presence, { now: tx.now, atOnce })
  if (toSave) savePresenceBlock(tx.sql, toSave.block, toSave.presences)
  return entered
}

/** Returns the presence after a ping; undefined when nothing is new. */
function presenceAfter(
  before: Presence | undefined,
  userId: number,
  status: PresenceStatus,
  now: number,
): Omit<Presence, 'updateId'> | undefined {
  if (!before) return { userId, activeAt: status === 'active' ? now : null, connectedAt: now }
  const isActive = status === 'active' && (before.activeAt === null || now - before.activeAt > PING_SECONDS)
  if (!isActive && now - before.connectedAt <= PING_SECONDS) return undefined
  return { userId, activeAt: isActive ? now : before.activeAt, connectedAt: now }
}

function announce(tx: RealmTransaction, user: User, presence: Presence): void {
  if (realmProperty(tx.sql, 'presence_disabled')) return
  if (activeUsers(tx.sql).size > MAX_RECEIVERS) return
  const event: StoredPresenceEvent = {
    type: 'presence',
    user_id: user.id,
    email: apiEmail(user, tx.realm),
    server_timestamp: tx.now,
    status: legacyStatus(presence).status,
    ...modernEntry(presence, user),
  }
  tx.emitEphemeral(event, userAudience(tx, user))
}
