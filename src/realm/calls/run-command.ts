import type { Operation } from '../../api/define-endpoint.ts'
import { COMMITS_OF_ONE_REQUEST_MS, PAUSES, WORK_WAITING } from '../../core/budgets.ts'
import type { RealmCall } from '../../core/call.ts'
import type { Commits, Part } from '../../core/command.ts'
import {
  ApiError,
  isFull,
  isRefusal,
  ServiceUnavailableError,
  StorageFullError,
  TooMuchAtOnceError,
} from '../../core/errors.ts'
import { fairScheduler, type ReservedSlices } from '../../core/fair-scheduler.ts'
import { inCommits } from '../../core/in-commits.ts'
import { sample } from '../../core/metrics.ts'
import { ownerIn, type Pause, pausesAt, withPlace } from '../../core/pauses.ts'
import { TimeLimit } from '../../core/within-time.ts'
import type { CountedSql } from '../../engine/counted-sql.ts'
import { LongChange, type Suspended, Suspensions, untilNotSuspended } from '../../engine/suspended.ts'
import { type Caller, callerOf } from '../../model/caller.ts'
import type { KeyedRequest } from '../../model/idempotency/first-answer.ts'
import { requireAccess } from '../../rules/access.ts'
import type { AuditAction } from '../../store/audit-log/audit-entry-rows.ts'
import { type CallContext, identify, transactFor } from './admission.ts'
import type { CallRuntime } from './call-runtime.ts'
import { ChangeUnderWay, type Resumed } from './change-under-way.ts'
import { jobOfContinuation, makeNextCommit } from './continuation.ts'
import { KeyedCall, keyedRequestOf, type Result } from './keyed-call.ts'
import { requireFewLacking, SectionsLack } from './large-answers.ts'
import { ActsAsAdministrator, actingIn, asAdministrator, requireProofForState } from './recent-proof.ts'
import { audited } from './record-audit.ts'
import { requireRoom } from './storage-room.ts'
import { storesOf } from './store-contents.ts'
import { type AwaitedRest, readOn, throwIfSuspended } from './transaction.ts'

/** Milliseconds that a commit takes, roughly. */
const COMMIT_MS = 25

/** Thrown to roll a rehearsed change back. */
class Rehearsed extends Error {}

interface Admitted {
  readonly runtime: CallRuntime
  /** Counts the cost of this call. */
  readonly sql: CountedSql
  readonly operation: Operation
  readonly context: CallContext
  readonly call: RealmCall
  readonly now: number
  /** The time of all its commits, where a past is invented. */
  readonly at: number | undefined
  /** The request's key, if it has one. */
  readonly keyed?: KeyedRequest | undefined
}

/** The commits of a change, like `LongChange`. */
type Change = Pick<LongChange<Part<unknown>, unknown>, 'next' | 'goOn'>

interface Execution extends Admitted {
  readonly params: unknown
  readonly change: Change
  /** Absent where there is one commit, and for work that commits have left, which has a row and a job of its own. */
  readonly underWay?: ChangeUnderWay | undefined
  readonly isBegun: boolean
  /** What its commits leave to the request. */
  readonly left: AwaitedRest[]
  /** The answer, while the work that was left is finished. */
  readonly answer?: Result
  /** The suspensions of the present commit. */
  readonly suspensions: Suspensions
  /** The place at the gate of a change of several commits. */
  readonly place?: ReservedSlices
}

/** The outcome of one commit: the result after the last one. */
type Made = Result | undefined

/** Carries out the command. Unless it is suspended, its first commit is made when this returns. */
export function runCommand(call: Admitted, params: unknown): Result | Promise<Result> {
  const { runtime, operation, context } = call
  const admitted = { ...call, keyed: keyedRequestOf(operation, context) }
  const begun =
    'commits' in operation.command && 'user' in context && admitted.keyed
      ? ChangeUnderWay.ofRequest(runtime.sql, context.user.id, admitted.keyed)
      : undefined
  if (begun) return continued(admitted, params, begun)
  const execution: Execution = {
    ...admitted,
    params,
    change: changeOf(operation.command, params),
    underWay: 'commits' in operation.command ? ChangeUnderWay.begin({ ...admitted, params }) : undefined,
    isBegun: false,
    left: [],
    suspensions: new Suspensions(),
  }
  const goOn = (made: Made) => (made ? finish(execution, made) : answerFor(execution))
  const first = makeCommit(execution)
  return first instanceof Promise ? first.then(goOn) : goOn(first)
}

/** Continues a change that the same request has begun before, or waits for the one that does. */
function continued(call: Admitted, params: unknown, begun: Resumed): Promise<Result> {
  const driven = call.runtime.drivenChanges.get(begun.id)
  if (!driven) return answerFor(resumed(call, params, begun))
  return driven.then(() => {
    const next = { ...call, now: call.at ?? call.runtime.now() }
    return runCommand({ ...next, context: admitted(next) }, params)
  })
}

function changeOf(command: Operation['command'], params: unknown): Change {
  if ('commits' in command) return new LongChange(command.commits(params))
  return {
    next: (tx, context) => command.apply(tx, context, params),
    goOn: (_, result) => ({ result }),
  }
}

/** Makes the remaining commits and returns the answer. When the time of the request is over, a job makes the rest. */
async function answerFor(execution: Execution): Promise<Result> {
  const made = await drive(execution)
  if (made) return finish(execution, made)
  const { runtime, sql, operation, underWay } = execution
  const now = runtime.now()
  const job = { kind: 'finish-change', key: underWay!.id!, dueAt: now } as const
  transactFor(runtime, { sql, now })((tx) => tx.schedule(job))
  return { value: unfinished(operation) }
}

/**
 * Continues a stored change: its commits so far are not made again.
 * @throws ApiError that refuses the rest
 */
export async function resumeChange(
  runtime: CallRuntime,
  { asked, ...begun }: Resumed,
): Promise<'over' | 'time is over'> {
  const operation = runtime.operations.get(asked.operation)
  if (!operation) throw new Error(`There is no operation ${asked.operation}`)
  requireRoom(runtime, operation, asked.params)
  const call: RealmCall = {
    operation: asked.operation,
    credentials: asked.userId === null ? { kind: 'none' } : { kind: 'trusted', userId: asked.userId },
    parameters: { ok: true, value: asked.params },
    source: asked.source,
    host: runtime.realm.host,
  }
  const admitted: Admitted = {
    ...{ runtime, operation, call, sql: runtime.sql.counter() },
    context: { source: asked.source },
    now: runtime.now(),
    at: asked.at ?? undefined,
    keyed: asked.keyed ?? undefined,
  }
  const made = await drive(resumed(admitted, asked.params, { asked, ...begun }))
  return made ? 'over' : 'time is over'
}

function resumed(admitted: Admitted, params: unknown, { made, change: underWay }: Resumed): Execution {
  const change = changeOf(admitted.operation.command, params)
  for (const returned of made) change.goOn(change.next, returned)
  return {
    ...admitted,
    ...{ params, change, underWay },
    isBegun: true,
    left: [],
    suspensions: new Suspensions(),
  }
}

/**
 * Makes the remaining commits of a stored change. Nobody else does meanwhile.
 * @throws ApiError that refuses the rest: then the change is over. After any other error, its job continues.
 */
async function drive(execution: Execution): Promise<Made> {
  const { drivenChanges } = execution.runtime
  const id = execution.underWay!.id!
  const driving = furtherCommitsOrRefusal(execution)
  const isOver = () => {}
  drivenChanges.set(id, driving.then(isOver, isOver))
  try {
    return await driving
  } finally {
    drivenChanges.delete(id)
  }
}

async function furtherCommitsOrRefusal(execution: Execution): Promise<Made> {
  try {
    return await makeFurtherCommits(execution)
  } catch (error) {
    const { runtime, sql, underWay } = execution
    if (isRefusal(error)) {
      transactFor(runtime, { sql, now: runtime.now() })((tx) => underWay!.end(tx))
    }
    throw error
  }
}

/**
 * Makes the remaining commits. Before each there is a pause in which others are served, and the caller is admitted anew. Returns
 * undefined when the time of a request is over: commits that were made stay.
 * @throws ServiceUnavailableError (503) when too many changes wait
 */
async function makeFurtherCommits(execution: Execution): Promise<Made> {
  const { runtime, at } = execution
  const time = new TimeLimit(COMMITS_OF_ONE_REQUEST_MS)
  const place = fairScheduler.reserve(ownerOf(execution), WORK_WAITING.suspendedOfOne)
  try {
    while (!time.isOver) {
      await place.turn({ rest: PAUSES.commit, ms: COMMIT_MS })
      const next = {
        ...execution,
        isBegun: true,
        now: at ?? runtime.now(),
        suspensions: new Suspensions(),
        place,
      }
      const made = await makeCommit({ ...next, context: admitted(next) })
      if (made) return made
    }
  } finally {
    place.leave()
  }
  return undefined
}

/** Finishes what the commits have left. A job does it if too much waits, or if the request ends first. */
function finish(execution: Execution, answer: Result): Result | Promise<Result> {
  const rest = execution.left.shift()
  if (!rest) return answer
  const change = new LongChange(finishing(rest))
  return makeFurtherCommits({ ...execution, change, underWay: undefined, answer })
    .catch((error: unknown) => {
      if (!(error instanceof ServiceUnavailableError)) throw error
    })
    .then(() => finish(execution, answer))
}

function finishing({ continuation, key }: AwaitedRest): Commits<unknown, unknown> {
  return inCommits((tx) => {
    if (makeNextCommit(tx, continuation, key)) return true
    tx.unschedule(jobOfContinuation(continuation, key))
    return undefined
  })
}

function unfinished({ command }: Operation): unknown {
  if ('commits' in command && command.unfinished) return command.unfinished
  throw new ServiceUnavailableError()
}

/** Counts log-ins by what a commit has entered in the audit log, which knows every way to log in. */
function countLogins({ usage }: CallRuntime, entered: readonly AuditAction[]): void {
  for (const action of entered) {
    if (action === 'login') usage.count(sample('logins_total', { outcome: 'ok' }))
    if (action === 'login_failed') usage.count(sample('logins_total', { outcome: 'refused' }))
  }
}

/** Makes the next commit: at once, unless it is suspended. */
function makeCommit(execution: Execution): Made | Promise<Made> {
  const part = execution.change.next
  const { runtime, sql, operation, call, now, suspensions, params } = execution
  const { command } = operation
  const stores =
    command.asks &&
    (() => storesOf(runtime, (work) => inSlices(execution, work, WORK_WAITING.suspendedOfOne)))
  const parts = { sql, now, suspensions, stores }
  const transact = command.reads
    ? readOn({ ...runtime, ...parts })
    : transactFor(runtime, parts, execution.left)
  const keyed = execution.answer ? undefined : new KeyedCall(operation, execution.context, execution.keyed)
  let { context } = execution
  const attempt = (): Made => {
    try {
      const entered: AuditAction[] = []
      const made = transact((tx): Made => {
        const first = keyed?.firstAnswer(tx, params)
        if (first) requireProofForState(tx, operation, context, params)
        if (first) return first
        const over = audited(tx, { operation, context, params, isBegun: execution.isBegun, entered }, () => {
          const returned = part?.(tx, context)
          if (!execution.isBegun) requireProofForState(tx, operation, context, params)
          if (call.rehearse) throw new Rehearsed()
          throwIfSuspended(tx)
          const over = execution.change.goOn(part, returned)
          if (!over) execution.underWay?.keep(tx, returned)
          return over
        })
        if (!over) return undefined
        execution.underWay?.end(tx)
        const value = (over.result ?? {}) as object
        keyed?.keep(tx, value)
        if (call.held) requireFewLacking(value, call.held)
        runtime.reached('decided')
        return { value }
      })
      countLogins(runtime, entered)
      return made
    } catch (error) {
      if (error instanceof Rehearsed) return { value: {} }
      if (error instanceof ActsAsAdministrator) {
        context = asAdministrator(sql, context as Caller, now)
        return attempt()
      }
      if (error instanceof SectionsLack) return { value: {}, inSections: error.answer }
      if (isTooLong(error)) throw new TooMuchAtOnceError()
      if (isFull(error)) throw new StorageFullError()
      if (error instanceof ApiError && command.afterRefusal) {
        transact((tx) => command.afterRefusal?.(tx, context, params, error))
      }
      throw error
    }
  }
  return untilNotSuspended(attempt, async (suspended) => {
    await finishReader(execution, suspended)
    context = admitted(execution)
  })
}

/** Returns the caller as of the present turn: account, key, role or organization may have changed. */
function admitted({ runtime, sql, operation, call, now }: Admitted): CallContext {
  const user = identify(runtime, operation, call, now)
  if (!user) return { source: call.source }
  const acting = actingIn(sql, operation, call, user)
  requireAccess(operation.access, { role: acting.role, isBot: acting.botType !== null })
  return callerOf(sql, acting, call.source, now)
}

function pauseOf({ runtime, context }: Pick<Admitted, 'runtime' | 'context'>): Pause {
  return 'user' in context ? runtime.pauseFor(context.user.id) : runtime.pause
}

function ownerOf({ runtime, context }: Admitted): string {
  return ownerIn(runtime.realm.id, 'user' in context ? context.user.id : undefined)
}

/**
 * Finishes the reader for which a commit was suspended. Work that has begun, such as a change of several commits or a step of an
 * operation, is never refused.
 * @throws ServiceUnavailableError (503) when too much waits at the gate
 */
function finishReader(execution: Execution, suspended: Suspended): Promise<void> {
  if (suspended.isFetch) return suspended.finish(execution.runtime.pause)
  const ofOne = suspended.largeState ? WORK_WAITING.suspendedOfOne : undefined
  return inSlices(execution, (pause) => suspended.finish(pause), ofOne)
}

/** Does work in turns of the caller. `ofOne`: a lower limit of how much of the caller's may wait. */
function inSlices<Value>(
  execution: Execution,
  work: (pause: Pause) => Promise<Value>,
  ofOne?: number,
): Promise<Value> {
  if (execution.place) return work(pausesAt(execution.place))
  // A step without a rate limit of its own continues work that has begun.
  if (execution.operation.stepParams && execution.operation.rateLimit === 'none')
    return work(pauseOf(execution))
  return withPlace(ownerOf(execution), work, ofOne)
}

/** Whether a text or list without a limit of its own has become too long, or its event. */
function isTooLong(error: unknown): boolean {
  return error instanceof Error && error.message.includes('SQLITE_TOOBIG')
}
