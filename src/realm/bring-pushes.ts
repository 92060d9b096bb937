import type { MessageBody } from '../core/command.ts'
import { DAY } from '../core/time.ts'
import { BRING_PUSHES } from '../domain/push/call-devices.ts'
import { NOTHING_TO_TELL, type PushPlan, planPushes } from '../domain/push/plan-pushes.ts'
import { finishRemovals, planRemovals } from '../domain/push/plan-removals.ts'
import {
  deleteAllPushCalls,
  keepPushCall,
  nextDueCall,
  nextPushCallAt,
  type PushCall,
} from '../domain/push/push-call-rows.ts'
import { PUSH_LISTENERS } from '../domain/push/push-listeners.ts'
import type { PushNotice } from '../domain/push/push-notice.ts'
import { hasUntoldTokens } from '../domain/push/push-token-rows.ts'
import { dropGoneDevices, type GoneDevices, NONE_GONE } from '../domain/push/settle-devices.ts'
import { nextStalePushes, type ShownPushes } from '../domain/push/shown-push-rows.ts'
import { BouncerRefusal } from './ask-bouncer.ts'
import { changeBy } from './change-by-job.ts'
import { scheduleJob } from './job-alarm.ts'
import { deleteJob } from './job-rows.ts'
import { UNDER_WAY } from './jobs.ts'
import { receiptOf } from './message-receipt.ts'
import type { Runtime } from './runtime.ts'
import { tellTokens } from './tell-tokens.ts'

/** The platform opens few connections at a time, and others need some. */
const AT_ONCE = 2

/**
 * Begins to bring to the bouncer what is to be brought there. Nothing waits for it: until it is done the
 * job stays due again, later each time.
 */
export function bringPushes(runtime: Runtime): number | typeof UNDER_WAY | undefined {
  if (!runtime.push.isConfigured) return withoutService(runtime)
  if (nextWorkAt(runtime) === undefined) return undefined
  runtime.pushes.begin(runtime.now, () => bringAll(runtime))
  return UNDER_WAY
}

/** Tokens wait for a service; what would have been told is not kept for it. */
function withoutService(runtime: Runtime): number | undefined {
  changeBy(runtime, (tx) => {
    deleteAllPushCalls(tx.sql)
    tx.recall(PUSH_LISTENERS).fallSilent()
  })
  return hasUntoldTokens(runtime.sql) ? runtime.now() + DAY : undefined
}

async function bringAll(runtime: Runtime): Promise<void> {
  await tellTokens(runtime)
  for (let call = dueCall(runtime); call; call = dueCall(runtime)) await bringCall(runtime, call)
  for (let stale = nextStalePushes(runtime.sql); stale; stale = nextStalePushes(runtime.sql)) {
    await takeAway(runtime, stale)
  }
  deleteJob(runtime.sql, { kind: BRING_PUSHES, key: '' })
  const dueAt = nextWorkAt(runtime)
  if (dueAt !== undefined) scheduleJob(runtime, { kind: BRING_PUSHES, key: '', dueAt })
  else runtime.alarm.follow()
}

function dueCall(runtime: Runtime): PushCall | undefined {
  return nextDueCall(runtime.sql, runtime.now())
}

/** UNIX seconds; undefined when nothing is to be brought. */
function nextWorkAt({ sql, now }: Runtime): number | undefined {
  if (hasUntoldTokens(sql) || nextStalePushes(sql)) return now()
  return nextPushCallAt(sql)
}

async function bringCall(runtime: Runtime, call: PushCall): Promise<void> {
  const reader = runtime.tail.readerOver(runtime.db, runtime.realm.id)
  const body = (await reader.read([call.messageId])).get(call.messageId)
  const plan = planOf(runtime, call, body)
  const notices = plan.pushes.map(({ notice }) => notice)
  const { told, failure } = await notifyAll(runtime, notices)
  // Each way by itself: what has been told in one is not told again because the other has failed.
  const untold = plan.pushes
    .filter(({ notice }) => !told.has(notice))
    .map(({ called, notice }) => ({ ...called, way: notice.way }))
  changeBy(runtime, (tx) => {
    for (const [{ userId }, gone] of told) dropGoneDevices(tx, userId, gone)
    keepPushCall(tx.sql, call.id, [...untold, ...plan.left], untold.length > 0 ? tx.now : plan.leftDueAt)
  })
  if (failure) throw failure
}

/** What cannot be told, by a fault of ours, must not keep everything after it waiting. */
function planOf(runtime: Runtime, call: PushCall, body: MessageBody | undefined): PushPlan {
  try {
    return changeBy(runtime, (tx) => planPushes(tx, call, body, receiptOf(runtime, call.eventId)))
  } catch (error) {
    console.error(`Nobody is told of message ${call.messageId}`, error)
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
  const waiting = [...notices]
  let failure: unknown
  const bring = async () => {
    for (let notice = waiting.shift(); notice && !failure; notice = waiting.shift()) {
      try {
        told.set(notice, await notifyOne(runtime, notice))
      } catch (error) {
        failure = error
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, bring))
  return { told, failure }
}

/** What the bouncer refuses for good is not sent again. */
async function notifyOne(runtime: Runtime, notice: PushNotice): Promise<GoneDevices> {
  try {
    return await runtime.push.notify(notice)
  } catch (error) {
    if (!(error instanceof BouncerRefusal)) throw error
    console.error(`No push notification for user ${notice.userId}`, error)
    return NONE_GONE
  }
}
