import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import {
  findShownPushes,
  keepShownPushes,
  type ShownPush,
  type ShownPushes,
} from '../../store/push/shown-push-rows.ts'
import { findUser } from '../../store/users/user-rows.ts'
import { stillNotifiable } from '../notifications/still-notifiable.ts'
import { presentRemovalPush } from './present-push.ts'
import { presentSealedRemoval } from './present-sealed-push.ts'
import { notificationsTo, type PushNotification } from './push-notification.ts'

export interface RemovalPlan {
  readonly notifications: readonly PushNotification[]
  /** Messages whose notifications are to be removed. */
  readonly gone: ReadonlySet<number>
}

/** Limit of a list, since the bouncer keeps no more of a longer one. */
const REMOVED_AT_ONCE = 200

/** Plans the removal of a user's notifications that must no longer be shown. */
export function planRemovals(tx: RealmTransaction, { userId, shown, origin }: ShownPushes): RemovalPlan {
  const gone = shown.filter((push) => !isToBeShown(tx, userId, push)).map(({ messageId }) => messageId)
  const notifications: PushNotification[] = []
  for (let from = 0; from < gone.length; from += REMOVED_AT_ONCE) {
    const ids = gone.slice(from, from + REMOVED_AT_ONCE)
    const present = {
      plain: () => presentRemovalPush(tx, userId, ids, origin),
      sealed: () => presentSealedRemoval(tx, userId, ids, origin),
      keyed: () => presentSealedRemoval(tx, userId, ids, origin),
      web: () => presentSealedRemoval(tx, userId, ids, origin),
    }
    notifications.push(...notificationsTo(tx, userId, present))
  }
  return { notifications, gone: new Set(gone) }
}

/** Ends the removal of notifications. Others may have become read since, or been added. */
export function finishRemovals(tx: RealmTransaction, userId: number, gone: ReadonlySet<number>): void {
  const left = (findShownPushes(tx.sql, userId)?.shown ?? []).filter(({ messageId }) => !gone.has(messageId))
  keepShownPushes(
    tx.sql,
    userId,
    left,
    left.some((push) => !isToBeShown(tx, userId, push)),
  )
}

function isToBeShown(tx: RealmReads, userId: number, { messageId, cause }: ShownPush): boolean {
  const user = findUser(tx.sql, userId)
  return user !== undefined && stillNotifiable(tx, user, messageId, cause) !== undefined
}
