import { buildPushPayload } from '@block65/webcrypto-web-push'
import { log } from '../../core/log.ts'
import type { MessageBody } from '../../core/message-bodies.ts'
import { DAY } from '../../core/time.ts'
import { TimeLimit } from '../../core/within-time.ts'
import { listMessageQueuesOfUser } from '../../events/queue.ts'
import { dropGoneDevices, type GoneDevices, NONE_GONE, pruneDevices } from '../../model/push/prune-devices.ts'
import {
  deleteAllPendingPushes,
  keepPendingPush,
  leasePendingPush,
  nextPendingPushAt,
  type PendingPush,
  retryPendingPush,
} from '../../store/push/pending-push-rows.ts'
import { usersWithWebPush, type WebPushSubscription } from '../../store/push/push-device-rows.ts'
import {
  deletePushToken,
  findPushToken,
  hasPendingTokens,
  leasePendingToken,
  nextPendingTokenAt,
  type PushToken,
  retryPushTokenLater,
  setPushTokenState,
} from '../../store/push/push-token-rows.ts'
import {
  leaseStalePushes,
  nextStalePushesAt,
  retryStalePushesLater,
  type ShownPushes,
} from '../../store/push/shown-push-rows.ts'
import { callOut, ForbiddenTargetError } from '../call-out.ts'
import { beginOutgoing, type OutgoingWork } from '../outgoing-work.ts'
import { WORKER_POOLS } from '../worker-pools.ts'
import { BouncerRefusal, ServerRefusal } from './ask-bouncer.ts'
import { giveUpPush, giveUpRemovals, giveUpToken } from './give-up-push.ts'
import {
  finishRemovals,
  NO_PUSHES,
  type PushPlan,
  planPushes,
  planRemovals,
  type Whereabouts,
} from './plan-pushes.ts'
import { pushUserUuid, realmUuid } from './push-identity.ts'
import type { PushNotification, WebPushNotification } from './push-notification.ts'
import type { PushRuntime } from './push-runtime.ts'
import { endPause, pauseAfter, pausedUntil } from './refused-server.ts'

type PushItem = { readonly attempts: number } & (
  | { readonly what: 'token'; readonly token: PushToken }
  | { readonly what: 'call'; readonly call: PendingPush }
  | { readonly what: 'shown'; readonly shown: ShownPushes }
)

/** Number of notifications of one message that fail in a row before the others wait for the next try. */
const FAILURES_IN_A_ROW = 3
/** Seconds of a try after which no further notification begins: the call under way ends within the lease. */
const TRY_SECONDS = WORKER_POOLS.push.leaseSeconds / 2

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

async function deliverPending(runtime: PushRuntime, call: PendingPush): Promise<void> {
  const reader = runtime.bodies()
  const body = (await reader.read([{ id: call.messageId }])).get(call.messageId)
  const plan = planOf(runtime, call, body)
  const notifications = plan.pushes.map(({ notification }) => notification)
  const { delivered, failure, isCut } = await notifyAll(runtime, notifications)
  // A notification that was delivered one way is not sent again because another way failed.
  const undelivered = plan.pushes
    .filter(({ notification }) => !delivered.has(notification))
    .map(({ notifiable, notification }) => ({ ...notifiable, way: notification.way }))
  runtime.change((tx) => {
    for (const [{ userId }, gone] of delivered) dropGoneDevices(tx, userId, gone)
    const attempts = failure ? call.attempts : 0
    keepPendingPush(
      tx.sql,
      { ...call, attempts },
      [...undelivered, ...plan.left],
      failure || isCut ? tx.now : plan.leftDueAt,
    )
  })
  if (failure) throw failure
}

/** Returns the plan for a pending push. A message that throws because of a bug is dropped: it must not block those after it. */
function planOf(runtime: PushRuntime, call: PendingPush, body: MessageBody | undefined): PushPlan {
  try {
    return runtime.change((tx) => planPushes(tx, call, body, receiptOf(runtime, call.eventId)))
  } catch (error) {
    log('error', 'Notifications about a message were dropped', {
      organization: runtime.realm.host,
      message_id: call.messageId,
      error,
    })
    return NO_PUSHES
  }
}

async function takeAway(runtime: PushRuntime, stale: ShownPushes): Promise<void> {
  const plan = runtime.change((tx) => planRemovals(tx, stale))
  const { delivered, failure, isCut } = await notifyAll(runtime, plan.notifications)
  if (failure || isCut) throw failure ?? new Error('The service is too slow')
  runtime.change((tx) => {
    finishRemovals(tx, stale.userId, plan.gone)
    for (const [{ userId }, gone] of delivered) dropGoneDevices(tx, userId, gone)
  })
}

interface Delivered {
  /** Notifications that the bouncer accepted, or refused for good, with the devices that it reported as gone. */
  readonly delivered: ReadonlyMap<PushNotification, GoneDevices>
  /** Why others were not accepted; undefined if all were. */
  readonly failure: unknown
  /** Whether some are left, since the service is slow. */
  readonly isCut: boolean
}

async function notifyAll(
  runtime: PushRuntime,
  notifications: readonly PushNotification[],
): Promise<Delivered> {
  const delivered = new Map<PushNotification, GoneDevices>()
  let failure: unknown
  let failuresInRow = 0
  const time = new TimeLimit(TRY_SECONDS * 1_000)
  for (const notification of notifications) {
    if (failuresInRow >= FAILURES_IN_A_ROW) break
    if (time.isOver) return { delivered, failure, isCut: true }
    try {
      delivered.set(notification, await notifyOne(runtime, notification))
      failuresInRow = 0
    } catch (error) {
      // A member's own service says nothing about the bouncer.
      const isOfOne = error instanceof WebPushFailure
      if (!isOfOne || failure === undefined) failure = error
      if (!isOfOne) failuresInRow += 1
    }
  }
  return { delivered, failure, isCut: false }
}

/**
 * Delivers one notification. One that the bouncer refuses for good counts as delivered, and is not sent again; those for phones are
 * dropped while it refuses this server.
 */
async function notifyOne(runtime: PushRuntime, notification: PushNotification): Promise<GoneDevices> {
  try {
    if (notification.way === 'web') return await deliverWebPush(runtime, notification)
    // Devices of a former service stay for the next one.
    if (!runtime.push.isConfigured || pausedUntil(runtime) !== undefined) return NONE_GONE
    const gone = await runtime.push.notify(notification)
    endPause(runtime)
    return gone
  } catch (error) {
    if (!(error instanceof BouncerRefusal || error instanceof ServerRefusal)) throw error
    if (error instanceof ServerRefusal) pauseAfter(runtime, error)
    log('error', 'No push notification for a user', {
      organization: runtime.realm.host,
      user_id: notification.userId,
      error,
    })
    return NONE_GONE
  }
}

/**
 * Returns who has an event, by their queues. A user who has acknowledged it has it; one with a queue that may still ask for it counts as
 * present until the queue ends. Source: docs/interface/events.md#poll.
 */
function receiptOf({ sql, progress, now }: PushRuntime, eventId: number): (userId: number) => Whereabouts {
  return (userId) => {
    const own = listMessageQueuesOfUser(sql, userId)
    if (own.some((queue) => progress.of(queue).acked >= eventId)) return 'has it'
    const endsAt = own.map((queue) => progress.of(queue).seenAt + queue.lifespan).filter((at) => at > now())
    return endsAt.length === 0 ? 'away' : { untilAt: Math.max(...endsAt) + 1 }
  }
}

/** Seconds after which the push service drops an undelivered notification. */
const KEPT_SECONDS = 86_400
const MAX_ANSWER_LENGTH = 4_096

/** Milliseconds for the call and its answer. One user's service must not hold up the browsers of others. */
const TIMEOUT_MS = 5_000

/** Seconds of an answer above which a service rests for a while. */
const SLOW_SECONDS = 1

type Outcome = 'taken' | 'gone' | 'refused' | 'later'

/** Thrown where no push service of a user has accepted a notification, while one may later. */
class WebPushFailure extends Error {}

/**
 * Sends a notification, encrypted for each, to the push services of a user's browsers. Resolves to those that no longer exist. Sources:
 * RFC 8030, 8291, 8292.
 * @throws WebPushFailure
 */
async function deliverWebPush(
  runtime: Pick<PushRuntime, 'realm' | 'webhooks' | 'webPushRest' | 'now'>,
  notification: WebPushNotification,
): Promise<GoneDevices> {
  const { webPushRest, now } = runtime
  const outcomes = await Promise.all(
    notification.subscriptions.map(async (subscription): Promise<[number, Outcome]> => {
      const { id } = subscription
      if (webPushRest.isResting(id, now())) return [id, 'later']
      const began = now()
      const outcome = await deliverTo(runtime, subscription, notification)
      if (outcome !== 'later' && now() - began > SLOW_SECONDS) webPushRest.wasSlow(id, now())
      else if (outcome !== 'later') webPushRest.worked(id)
      else if (webPushRest.failed(id, now())) return [id, 'gone']
      return [id, outcome]
    }),
  )
  const found = outcomes.map(([, outcome]) => outcome)
  // A user who was notified in another browser is not notified again.
  if (found.includes('later') && !found.includes('taken')) {
    throw new WebPushFailure('No push service has taken a notification')
  }
  return { ...NONE_GONE, web: outcomes.flatMap(([id, outcome]) => (outcome === 'gone' ? id : [])) }
}

async function deliverTo(
  { realm, webhooks: { allowedHosts } }: Pick<PushRuntime, 'realm' | 'webhooks'>,
  { endpoint, p256dh, auth }: WebPushSubscription,
  { keys, subject, payload }: WebPushNotification,
): Promise<Outcome> {
  try {
    const urgency = payload.type === 'remove' ? 'normal' : 'high'
    const { headers, body } = await buildPushPayload(
      { data: JSON.stringify(payload), options: { ttl: KEPT_SECONDS, urgency } },
      { endpoint, expirationTime: null, keys: { p256dh, auth } },
      { subject, publicKey: keys.publicKey, privateKey: keys.privateKey },
    )
    const { response } = await callOut({
      url: endpoint,
      named: { by: 'user', allowedHosts },
      init: { method: 'POST', headers: headers as Record<string, string>, body: body as BodyInit },
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_ANSWER_LENGTH,
      needsBody: () => false,
    })
    return outcomeOf(response.status)
  } catch (error) {
    if (error instanceof ForbiddenTargetError) return 'gone'
    log('warn', 'A push service could not be reached', { organization: realm.host, error })
    return 'later'
  }
}

/** Returns the outcome by RFC 8030, 5 and 7.3. */
function outcomeOf(status: number): Outcome {
  if (status >= 200 && status < 300) return 'taken'
  if (status === 404 || status === 410) return 'gone'
  return status === 429 || status >= 500 ? 'later' : 'refused'
}

/** Delivers an entered or removed token to the bouncer. */
async function deliverToken(runtime: PushRuntime, token: PushToken): Promise<void> {
  const identity = runtime.change((tx) => ({
    realmUuid: realmUuid(tx),
    userUuid: pushUserUuid(tx, token.userId),
  }))
  const { push } = runtime
  const answer = await answerTo(
    runtime,
    token.state === 'gone' ? push.removeToken(token, identity) : push.insertToken(token, identity),
  )
  if (answer instanceof ServerRefusal) {
    const dueAt = pauseAfter(runtime, answer)
    runtime.change((tx) => retryPushTokenLater(tx.sql, token, dueAt))
    return
  }
  endPause(runtime)
  runtime.change((tx) => {
    // The user changed the token meanwhile, and the change is delivered next.
    const present = findPushToken(tx.sql, token)
    if (present?.state !== token.state || present.appId !== token.appId) return
    if (token.state === 'new' && answer === 'taken') setPushTokenState(tx.sql, token, 'known')
    else deletePushToken(tx.sql, token)
    pruneDevices(tx, token.userId)
  })
}

/** Returns whether the bouncer has accepted a token, or why it refuses this server. A token that it does not know, or refuses, is useless. */
async function answerTo(
  runtime: PushRuntime,
  asked: Promise<void>,
): Promise<'taken' | 'refused' | ServerRefusal> {
  try {
    await asked
    return 'taken'
  } catch (error) {
    if (error instanceof ServerRefusal) return error
    if (!(error instanceof BouncerRefusal)) throw error
    log('error', 'The push bouncer refuses a token', { organization: runtime.realm.host, error })
    return 'refused'
  }
}
