import { log } from '../../core/log.ts'
import type { MessageBody } from '../../core/message-bodies.ts'
import { TimeLimit } from '../../core/within-time.ts'
import { listMessageQueuesOfUser } from '../../events/queue.ts'
import { dropGoneDevices, type GoneDevices, NONE_GONE, pruneDevices } from '../../model/push/prune-devices.ts'
import { keepPendingPush, type PendingPush } from '../../store/push/pending-push-rows.ts'
import {
  deletePushToken,
  findPushToken,
  type PushToken,
  retryPushTokenLater,
  setPushTokenState,
} from '../../store/push/push-token-rows.ts'
import type { ShownPushes } from '../../store/push/shown-push-rows.ts'
import { LANES } from '../lanes.ts'
import { BouncerRefusal, ServerRefusal } from './ask-bouncer.ts'
import {
  finishRemovals,
  NO_PUSHES,
  type PushPlan,
  planPushes,
  planRemovals,
  type Whereabouts,
} from './plan-pushes.ts'
import { pushUserUuid, realmUuid } from './push-identity.ts'
import type { PushNotification } from './push-notification.ts'
import type { PushRuntime } from './push-runtime.ts'
import { endPause, pauseAfter, pausedUntil } from './refused-server.ts'
import { deliverWebPush, WebPushFailure } from './web-push.ts'

/** Number of notifications of one message that fail in a row before the others wait for the next try. */
const FAILURES_IN_A_ROW = 3
/** Seconds of a try after which no further notification begins: the call under way ends within the lease. */
const TRY_SECONDS = LANES.push.leaseSeconds / 2

/** Delivers the notifications of one message. Throws if some have to be tried again. */
export async function deliverPending(runtime: PushRuntime, call: PendingPush): Promise<void> {
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

/** Removes notifications from devices that show them. */
export async function takeAway(runtime: PushRuntime, stale: ShownPushes): Promise<void> {
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

/** Delivers an entered or removed token to the bouncer. */
export async function deliverToken(runtime: PushRuntime, token: PushToken): Promise<void> {
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
