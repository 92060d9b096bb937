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

/** Number of failures, without a success between them, after which the bouncer rests. */
const FAILURES_BEFORE_REST = 3
const FIRST_REST_SECONDS = 5
const MAX_REST_SECONDS = 60

/** Rests an unreachable bouncer. The failure of one notification delays no other. Nothing of this has to survive an eviction. */
export class PushCircuitBreaker {
  #failures = 0
  #until = 0

  /**
   * Returns when it may be called again (UNIX seconds); a time in the past means now. A rest that would last too long is over: the clock was
   * set back.
   */
  until(now: number): number {
    return this.#until - now > MAX_REST_SECONDS ? 0 : this.#until
  }

  worked(): void {
    this.#failures = 0
    this.#until = 0
  }

  failed(now: number): void {
    this.#failures += 1
    const times = this.#failures - FAILURES_BEFORE_REST
    if (times >= 0) this.#until = now + Math.min(FIRST_REST_SECONDS * 2 ** times, MAX_REST_SECONDS)
  }
}

/** Seconds that a push service rests after a failure, doubled each time. */
const FIRST_REST = 60
const MAX_REST = 3_600
/** Number of failures in a row, over some hours, after which a subscription counts as gone. */
const MAX_FAILURES = 10

/**
 * Subscriptions whose push service answers slowly or not at all, and may be a user's own server. They pause, so that none costs the others
 * time. In memory: after an eviction each is tried once more. An entry has some 100 bytes, and only failing subscriptions have one.
 */
export class WebPushCircuitBreaker {
  readonly #failing = new Map<number, { failures: number; until: number }>()

  /** Whether it rests: never longer than the longest rest, since the clock may have been set back. Times in UNIX seconds. */
  isResting(id: number, now: number): boolean {
    const left = (this.#failing.get(id)?.until ?? 0) - now
    return left > 0 && left <= MAX_REST
  }

  /** Records a failure. True if there have been too many. */
  failed(id: number, now: number): boolean {
    const failures = (this.#failing.get(id)?.failures ?? 0) + 1
    this.#failing.set(id, { failures, until: now + Math.min(FIRST_REST * 2 ** (failures - 1), MAX_REST) })
    return failures >= MAX_FAILURES
  }

  /** Records a slow answer, after which the service rests once. */
  wasSlow(id: number, now: number): void {
    this.#failing.set(id, { failures: 0, until: now + FIRST_REST })
  }

  worked(id: number): void {
    this.#failing.delete(id)
  }
}
