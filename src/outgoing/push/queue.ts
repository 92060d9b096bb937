import { DAY } from '../../core/time.ts'
import {
  deleteAllPendingPushes,
  leasePendingPush,
  nextPendingPushAt,
  type PendingPush,
  retryPendingPush,
} from '../../store/push/pending-push-rows.ts'
import { usersWithWebPush } from '../../store/push/push-device-rows.ts'
import {
  hasPendingTokens,
  leasePendingToken,
  nextPendingTokenAt,
  type PushToken,
  retryPushTokenLater,
} from '../../store/push/push-token-rows.ts'
import {
  leaseStalePushes,
  nextStalePushesAt,
  retryStalePushesLater,
  type ShownPushes,
} from '../../store/push/shown-push-rows.ts'
import { beginOutgoing, type OutgoingWork } from '../outgoing-work.ts'
import { deliverPending, deliverToken, takeAway } from './attempt.ts'
import { giveUpPush, giveUpRemovals, giveUpToken } from './failure.ts'
import type { PushRuntime } from './push-runtime.ts'
import { pausedUntil } from './refused-server.ts'
import { WebPushFailure } from './web-push.ts'

type PushItem = { readonly attempts: number } & (
  | { readonly what: 'token'; readonly token: PushToken }
  | { readonly what: 'call'; readonly call: PendingPush }
  | { readonly what: 'shown'; readonly shown: ShownPushes }
)

/**
 * One after the other, since a removal must not overtake its notification. Each waits for its own pauses; if nothing works any more, all
 * of them wait a little (`PushCircuitBreaker`).
 */
const PUSHES: OutgoingWork<PushItem, PushRuntime> = {
  lane: 'push',
  job: 'deliver-pushes',
  lease(runtime, now, until) {
    if (now < runtime.pushes.until(now)) return undefined
    const asksBouncer = runtime.push.isConfigured && pausedUntil(runtime) === undefined
    const token = asksBouncer ? leasePendingToken(runtime.sql, now, until) : undefined
    if (token) return { what: 'token', token, attempts: token.attempts }
    const call = leasePendingPush(runtime.sql, now, until)
    if (call) return { what: 'call', call, attempts: call.attempts }
    const shown = leaseStalePushes(runtime.sql, now, until)
    return shown && { what: 'shown', shown, attempts: shown.attempts }
  },
  async carryOut(runtime, item) {
    try {
      if (item.what === 'token') await deliverToken(runtime, item.token)
      else if (item.what === 'call') await deliverPending(runtime, item.call)
      else await takeAway(runtime, item.shown)
      runtime.pushes.worked()
    } catch (error) {
      if (!(error instanceof WebPushFailure)) runtime.pushes.failed(runtime.now())
      throw error
    }
  },
  retryLater({ sql }, item, dueAt) {
    if (item.what === 'token') retryPushTokenLater(sql, item.token, dueAt)
    else if (item.what === 'call') retryPendingPush(sql, item.call.id, dueAt)
    else retryStalePushesLater(sql, item.shown.userId, dueAt)
  },
  giveUp(tx, item, reason) {
    if (item.what === 'call') giveUpPush(tx, item.call, reason)
    else if (item.what === 'shown') giveUpRemovals(tx, item.shown, reason)
    else giveUpToken(tx, item.token, reason)
  },
  nextAt(runtime) {
    const { sql, push, pushes, now } = runtime
    // Tokens wait for a service.
    const waitUntil = push.isConfigured ? pausedUntil(runtime) : now() + DAY
    const tokenAt =
      waitUntil === undefined ? nextPendingTokenAt(sql) : hasPendingTokens(sql) ? waitUntil : undefined
    const times = [tokenAt, nextPendingPushAt(sql), nextStalePushesAt(sql)]
    const next = Math.min(...times.filter((time) => time !== undefined))
    return Number.isFinite(next) ? Math.max(next, pushes.until(now())) : undefined
  },
}

/** Starts delivery of pending notifications to the bouncer and to browsers. Returns when to look again (UNIX seconds). */
export function deliverPushes(runtime: PushRuntime): number | undefined {
  const hasService = runtime.push.isConfigured || usersWithWebPush(runtime.sql).length > 0
  return hasService ? beginOutgoing(runtime, PUSHES) : withoutService(runtime)
}

/** Handles a deployment without a push service: notifications are dropped; only tokens wait. */
function withoutService(runtime: PushRuntime): number | undefined {
  runtime.change((tx) => deleteAllPendingPushes(tx.sql))
  return hasPendingTokens(runtime.sql) ? runtime.now() + DAY : undefined
}
