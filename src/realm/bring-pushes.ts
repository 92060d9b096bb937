import type { MessageBody } from '../core/command.ts'
import { log } from '../core/log.ts'
import { DAY } from '../core/time.ts'
import { BRING_PUSHES } from '../domain/push/call-devices.ts'
import { NOTHING_TO_TELL, type PushPlan, planPushes } from '../domain/push/plan-pushes.ts'
import { finishRemovals, planRemovals } from '../domain/push/plan-removals.ts'
import {
  deleteAllPushCalls,
  deletePushCall,
  keepPushCall,
  leasePushCall,
  nextPushCallAt,
  type PushCall,
  postponePushCall,
} from '../domain/push/push-call-rows.ts'
import { PUSH_LISTENERS } from '../domain/push/push-listeners.ts'
import type { PushNotice } from '../domain/push/push-notice.ts'
import {
  deletePushToken,
  hasUntoldTokens,
  leaseUntoldToken,
  nextUntoldTokenAt,
  type PushToken,
  postponePushToken,
} from '../domain/push/push-token-rows.ts'
import { dropGoneDevices, type GoneDevices, NONE_GONE, settleDevices } from '../domain/push/settle-devices.ts'
import {
  leaseStalePushes,
  nextStalePushesAt,
  postponeStalePushes,
  type ShownPushes,
} from '../domain/push/shown-push-rows.ts'
import { usersWithWebPush } from '../domain/push/web-push-rows.ts'
import { BouncerRefusal } from './ask-bouncer.ts'
import { changeBy } from './change-by-job.ts'
import { deliverToken } from './deliver-token.ts'
import { deliverWebPush, WebPushFailure } from './deliver-web-push.ts'
import { receiptOf } from './message-receipt.ts'
import { beginOutgoing, type OutgoingWork } from './outgoing-work.ts'
import type { Runtime } from './runtime.ts'

type PushItem = { readonly attempts: number } & (
  | { readonly what: 'token'; readonly token: PushToken }
  | { readonly what: 'call'; readonly call: PushCall }
  | { readonly what: 'shown'; readonly shown: ShownPushes }
)

/** So many notices of one message in a row that fail, and the others wait for the next try. */
const FAILURES_IN_A_ROW = 3

/**
 * One after the other: what is taken away again must not overtake what it takes away. Each waits for its own pauses; when
 * nothing works any more, all of them wait a little (`PushRest`).
 */
const PUSHES: OutgoingWork<PushItem> = {
  lane: 'push',
  job: BRING_PUSHES,
  lease(runtime, now, until) {
    if (now < runtime.pushes.until) return undefined
    const token = runtime.push.isConfigured ? leaseUntoldToken(runtime.sql, now, until) : undefined
    if (token) return { what: 'token', token, attempts: token.attempts }
    const call = leasePushCall(runtime.sql, now, until)
    if (call) return { what: 'call', call, attempts: call.attempts }
    const shown = leaseStalePushes(runtime.sql, now, until)
    return shown && { what: 'shown', shown, attempts: shown.attempts }
  },
  async carryOut(runtime, item) {
    try {
      if (item.what === 'token') await deliverToken(runtime, item.token)
      else if (item.what === 'call') await bringCall(runtime, item.call)
      else await takeAway(runtime, item.shown)
      runtime.pushes.worked()
    } catch (error) {
      if (!(error instanceof WebPushFailure)) runtime.pushes.failed(runtime.now())
      throw error
    }
  },
  postpone({ sql }, item, dueAt) {
    if (item.what === 'token') postponePushToken(sql, item.token, dueAt)
    else if (item.what === 'call') postponePushCall(sql, item.call.id, dueAt)
    else postponeStalePushes(sql, item.shown.userId, dueAt)
  },
  giveUp(tx, item) {
    if (item.what === 'call') return deletePushCall(tx.sql, item.call.id)
    if (item.what === 'shown') return finishRemovals(tx, item.shown.userId, planRemovals(tx, item.shown).gone)
    deletePushToken(tx.sql, item.token)
    settleDevices(tx, item.token.userId)
  },
  nextAt({ sql, push, pushes, now }) {
    // Tokens wait for a service.
    const tokenAt = push.isConfigured
      ? nextUntoldTokenAt(sql)
      : hasUntoldTokens(sql)
        ? now() + DAY
        : undefined
    const times = [tokenAt, nextPushCallAt(sql), nextStalePushesAt(sql)]
    const next = Math.min(...times.filter((time) => time !== undefined))
    return Number.isFinite(next) ? Math.max(next, pushes.until) : undefined
  },
}

/** Begins to bring to bouncer and browsers what is to be brought there. Answers when to look again (UNIX seconds). */
export function bringPushes(runtime: Runtime): number | undefined {
  const hasService = runtime.push.isConfigured || usersWithWebPush(runtime.sql).length > 0
  return hasService ? beginOutgoing(runtime, PUSHES) : withoutService(runtime)
}

/** Tokens wait for a service; what would have been told is not kept for it. */
function withoutService(runtime: Runtime): number | undefined {
  changeBy(runtime, (tx) => {
    deleteAllPushCalls(tx.sql)
    tx.recall(PUSH_LISTENERS).fallSilent()
  })
  return hasUntoldTokens(runtime.sql) ? runtime.now() + DAY : undefined
}

async function bringCall(runtime: Runtime, call: PushCall): Promise<void> {
  const reader = runtime.tail.readerOver(runtime)
  const body = (await reader.read([{ id: call.messageId }])).get(call.messageId)
  const plan = planOf(runtime, call, body)
  const notices = plan.pushes.map(({ notice }) => notice)
  const { told, failure } = await notifyAll(runtime, notices)
  // Each way by itself: what has been told in one is not told again because the other has failed.
  const untold = plan.pushes
    .filter(({ notice }) => !told.has(notice))
    .map(({ called, notice }) => ({ ...called, way: notice.way }))
  changeBy(runtime, (tx) => {
    for (const [{ userId }, gone] of told) dropGoneDevices(tx, userId, gone)
    const attempts = failure ? call.attempts : 0
    keepPushCall(tx.sql, { ...call, attempts }, [...untold, ...plan.left], failure ? tx.now : plan.leftDueAt)
  })
  if (failure) throw failure
}

/** What cannot be told, by a fault of ours, must not keep everything after it waiting. */
function planOf(runtime: Runtime, call: PushCall, body: MessageBody | undefined): PushPlan {
  try {
    return changeBy(runtime, (tx) => planPushes(tx, call, body, receiptOf(runtime, call.eventId)))
  } catch (error) {
    log('error', 'Nobody is told of a message', { message_id: call.messageId, error })
    return NOTHING_TO_TELL
  }
}

async function takeAway(runtime: Runtime, stale: ShownPushes): Promise<void> {
  const plan = changeBy(runtime, (tx) => planRemovals(tx, stale))
  const { told, failure } = await notifyAll(runtime, plan.notices)
  if (failure) throw failure
  changeBy(runtime, (tx) => {
    finishRemovals(tx, stale.userId, plan.gone)
    for (const [{ userId }, gone] of told) dropGoneDevices(tx, userId, gone)
  })
}

interface Told {
  /** What the bouncer has taken, or refused for good, and what it has said of the devices. */
  readonly told: ReadonlyMap<PushNotice, GoneDevices>
  /** Why others have not been taken. */
  readonly failure: unknown
}

async function notifyAll(runtime: Runtime, notices: readonly PushNotice[]): Promise<Told> {
  const told = new Map<PushNotice, GoneDevices>()
  let failure: unknown
  let failuresInRow = 0
  for (const notice of notices) {
    if (failuresInRow >= FAILURES_IN_A_ROW) break
    try {
      told.set(notice, await notifyOne(runtime, notice))
      failuresInRow = 0
    } catch (error) {
      // A service that a member has named says nothing of the bouncer.
      const isOfOne = error instanceof WebPushFailure
      if (!isOfOne || failure === undefined) failure = error
      if (!isOfOne) failuresInRow += 1
    }
  }
  return { told, failure }
}

/** What the bouncer refuses for good is not sent again. */
async function notifyOne(runtime: Runtime, notice: PushNotice): Promise<GoneDevices> {
  try {
    if (notice.way === 'web') return await deliverWebPush(runtime, notice)
    // There was one once: its devices stay for when there is one again.
    if (!runtime.push.isConfigured) return NONE_GONE
    return await runtime.push.notify(notice)
  } catch (error) {
    if (!(error instanceof BouncerRefusal)) throw error
    log('error', 'No push notification for a user', { user_id: notice.userId, error })
    return NONE_GONE
  }
}
