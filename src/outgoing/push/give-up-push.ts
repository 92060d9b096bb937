import { fromJson, type JsonText } from '../../core/json.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { pruneDevices } from '../../model/push/prune-devices.ts'
import { hasRoom } from '../../model/quotas/within-quota.ts'
import type { DeadLetterPayload } from '../../store/dead-letters/dead-letter-rows.ts'
import {
  deletePendingPush,
  insertPendingPush,
  type PackedUser,
  type PendingPush,
  packUsers,
  unpackUsers,
} from '../../store/push/pending-push-rows.ts'
import {
  deletePushToken,
  findPushToken,
  type PushToken,
  type PushTokenKind,
  putPushToken,
  setPushTokenState,
} from '../../store/push/push-token-rows.ts'
import {
  addStalePushes,
  type PackedShownPush,
  packShown,
  type ShownPushes,
  unpackShown,
} from '../../store/push/shown-push-rows.ts'
import { findUser } from '../../store/users/user-rows.ts'
import { addDeadLetter } from '../add-dead-letter.ts'
import { finishRemovals, planRemovals } from './plan-pushes.ts'

/** Gives up notifications of a message. Owners may retry them. */
export function giveUpPush(tx: RealmTransaction, push: PendingPush, reason: string): void {
  deletePendingPush(tx.sql, push.id)
  addDeadLetter(tx, {
    kind: 'push',
    description: `Notifications of message ${push.messageId}`,
    firstTriedAt: push.enteredAt,
    attempts: push.attempts,
    error: reason,
    payload: {
      message: push.messageId,
      users: packUsers(push.notifiable),
      origin: push.origin,
      event: push.eventId,
    },
  })
}

/** Gives up registering or removing a device at the bouncer. The device is forgotten: the bouncer would deliver nothing to it. */
export function giveUpToken(tx: RealmTransaction, device: PushToken, reason: string): void {
  const { userId, kind, token, appId, state, attempts } = device
  deletePushToken(tx.sql, device)
  pruneDevices(tx, userId)
  addDeadLetter(tx, {
    kind: 'push',
    description: `${state === 'gone' ? 'Removal' : 'Registration'} of a device of user ${userId}`,
    firstTriedAt: null,
    attempts,
    error: reason,
    payload: { user: userId, platform: kind, token, app: appId ?? '', state },
  })
}

/** Gives up removing a user's notifications: they stay on the devices until the user dismisses them. */
export function giveUpRemovals(tx: RealmTransaction, stale: ShownPushes, reason: string): void {
  const { gone } = planRemovals(tx, stale)
  finishRemovals(tx, stale.userId, gone)
  addDeadLetter(tx, {
    kind: 'push',
    description: `Removal of notifications of user ${stale.userId}`,
    firstTriedAt: null,
    attempts: stale.attempts,
    error: reason,
    payload: {
      user: stale.userId,
      shown: packShown(stale.shown.filter(({ messageId }) => gone.has(messageId))),
      origin: stale.origin,
    },
  })
}

/** Retries notifications that were given up. Delivery drops those that are of no use any more. */
export function retryPush(tx: RealmTransaction, payload: DeadLetterPayload): void {
  const { message, users, origin, event, user, shown } = payload
  if (message !== undefined) {
    insertPendingPush(tx.sql, {
      messageId: Number(message),
      notifiable: unpackUsers(fromJson(String(users) as JsonText<PackedUser[]>)),
      origin: String(origin),
      eventId: Number(event),
      enteredAt: tx.now,
    })
  } else if (shown !== undefined) {
    const entries = unpackShown(fromJson(String(shown) as JsonText<PackedShownPush[]>))
    addStalePushes(tx.sql, Number(user), entries, String(origin))
  } else {
    retryToken(tx, payload)
  }
  tx.schedule({ kind: 'deliver-pushes', key: '', dueAt: tx.now })
}

function retryToken(tx: RealmTransaction, { user, platform, token, app, state }: DeadLetterPayload): void {
  const key = { userId: Number(user), kind: platform as PushTokenKind, token: String(token) }
  if (findPushToken(tx.sql, key)) return
  const isGone = state === 'gone'
  if (!isGone && !(findUser(tx.sql, key.userId)?.isActive && hasRoom(tx, 'pushTokens', key.userId))) return
  putPushToken(tx.sql, key.userId, key.kind, key.token, app === '' ? null : String(app))
  if (isGone) setPushTokenState(tx.sql, key, 'gone')
  pruneDevices(tx, key.userId)
}
