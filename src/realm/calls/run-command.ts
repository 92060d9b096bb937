import type { Idempotency, Operation } from '../../api/define-endpoint.ts'
import { COMMITS_OF_ONE_REQUEST_MS, PAUSES, WORK_WAITING } from '../../core/budgets.ts'
import type { IdempotentRequest, RealmAnswer, RealmCall, RequestSource } from '../../core/call.ts'
import { type Commits, commit, type Part } from '../../core/command.ts'
import {
  ApiError,
  IdempotencyKeyReusedError,
  ServiceUnavailableError,
  StorageFullError,
  TooMuchAtOnceError,
} from '../../core/errors.ts'
import { fromJson } from '../../core/json.ts'
import type { RealmTransaction, RealmView, WorkLeft } from '../../core/realm-transaction.ts'
import { TimeLimit } from '../../core/within-time.ts'
import { type PlaceAtGate, workGate } from '../../core/work-gate.ts'
import {
  LongChange,
  type Pause,
  type Suspended,
  Suspensions,
  untilNotSuspended,
} from '../../engine/suspended.ts'
import { type Caller, callerOf } from '../../model/caller.ts'
import { firstAnswerTo, keepFirstAnswer } from '../../model/idempotency/first-answer.ts'
import { findKeyedMessage } from '../../model/messages/send/send-for-caller.ts'
import { requireAccess } from '../../rules/access.ts'
import { storesOf } from '../jobs/store-contents.ts'
import type { Runtime } from '../runtime.ts'
import { isFull } from '../storage-state.ts'
import { type CallContext, identify, transactFor } from './admission.ts'
import type { CountedSql } from './counted-sql.ts'
import { requireFewLacking, SectionsLack } from './large-answers.ts'
import { ownerIn, pausesAt, withPlace } from './pauses.ts'
import { ActsAsAdministrator, actingIn, asAdministrator, requireProofForState } from './recent-proof.ts'
import { audited } from './record-audit.ts'
import { readOn, throwIfSuspended } from './transaction.ts'

/** Milliseconds that a commit takes, roughly. */
const COMMIT_MS = 25

/** Thrown to roll a rehearsed change back. */
class Rehearsed extends Error {}

interface Admitted {
  readonly runtime: Runtime
  /** Counts the cost of this call. */
  readonly sql: CountedSql
  readonly operation: Operation
  readonly context: CallContext
  readonly call: RealmCall
  readonly now: number
  /** The time of all its commits, where a past is invented. */
  readonly at: number | undefined
}

/** The commits of a change, like `LongChange`. */
type Change = Pick<LongChange<Part<unknown>, unknown>, 'next' | 'goOn'>

interface Execution extends Admitted {
  readonly params: unknown
  readonly change: Change
  readonly isBegun: boolean
  /** Work that its commits leave to the request. */
  readonly left: WorkLeft[]
  /** The answer, while the work that was left is finished. */
  readonly answer?: Result
  /** The suspensions of the present commit. */
  readonly suspensions: Suspensions
  /** The place at the gate of a change of several commits. */
  readonly place?: PlaceAtGate
}

/** The result of a command. `repeated` as in RealmAnswer. */
interface Result {
  readonly value: unknown
  /** The answer to the Worker in place of the value. */
  readonly inPieces?: RealmAnswer['inPieces']
  readonly repeated?: RealmAnswer['repeated']
}

/** The outcome of one commit: the result after the last one. */
type Made = Result | undefined

/** Carries out the command. Unless it is suspended, its first commit is made when this returns. */
export function runCommand(admitted: Admitted, params: unknown): Result | Promise<Result> {
  const change = changeOf(admitted.operation.command, params)
  const execution: Execution = {
    ...admitted,
    params,
    change,
    isBegun: false,
    left: [],
    suspensions: new Suspensions(),
  }
  const goOn = (made: Made) => (made ? finish(execution, made) : makeFurtherCommits(execution))
  const first = makeCommit(execution)
  return first instanceof Promise ? first.then(goOn) : goOn(first)
}

function changeOf(command: Operation['command'], params: unknown): Change {
  if ('commits' in command) return new LongChange(command.commits(params))
  return {
    next: (tx, context) => command.apply(tx, context, params),
    goOn: (_, result) => ({ result }),
  }
}

/**
 * Makes the remaining commits. Before each there is a pause in which others are served, and the caller is admitted anew.
 * @throws ServiceUnavailableError (503) when the time of the request is over, or too many changes wait: commits that were made stay
 */
async function makeFurtherCommits(execution: Execution): Promise<Result> {
  const { runtime, operation, at, answer } = execution
  const time = new TimeLimit(COMMITS_OF_ONE_REQUEST_MS)
  const place = workGate.reserve(ownerOf(execution), WORK_WAITING.suspendedOfOne)
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
      if (made) return answer ?? finish(execution, made)
    }
  } finally {
    place.leave()
  }
  return answer ?? { value: unfinished(operation) }
}

/** Finishes the work that the commits have left. A job does it if too much waits, or if the request ends first. */
function finish(execution: Execution, answer: Result): Result | Promise<Result> {
  const work = execution.left.shift()
  if (!work) return answer
  const change = new LongChange(finishing(work))
  return makeFurtherCommits({ ...execution, change, answer })
    .catch((error: unknown) => {
      if (!(error instanceof ServiceUnavailableError)) throw error
    })
    .then(() => finish(execution, answer))
}

function* finishing(work: WorkLeft): Commits<unknown, void> {
  let isOver = false
  while (!isOver) {
    isOver = yield* commit((tx) => {
      if (work.next(tx, work.key) !== undefined) return false
      tx.unschedule(work)
      return true
    })
  }
}

function unfinished({ command }: Operation): unknown {
  if ('commits' in command && command.unfinished) return command.unfinished
  throw new ServiceUnavailableError()
}

/** Makes the next commit: at once, unless it is suspended. */
function makeCommit(execution: Execution): Made | Promise<Made> {
  const part = execution.change.next
  const { runtime, sql, operation, call, now, suspensions, params } = execution
  const { command } = operation
  const stores =
    command.asks && (() => storesOf(runtime, (work) => inTurns(execution, work, WORK_WAITING.suspendedOfOne)))
  const parts = { sql, now, suspensions, stores }
  const transact = command.reads
    ? readOn({ ...runtime, ...parts })
    : transactFor(runtime, parts, execution.left)
  const keyed = execution.answer ? undefined : new KeyedCall(operation, execution.context)
  let { context } = execution
  const attempt = (): Made => {
    try {
      return transact((tx): Made => {
        const first = keyed?.firstAnswer(tx, params)
        if (first) requireProofForState(tx, operation, context, params)
        if (first) return first
        const over = audited(tx, { operation, context, params, isBegun: execution.isBegun }, () => {
          const returned = part?.(tx, context)
          if (!execution.isBegun) requireProofForState(tx, operation, context, params)
          if (call.rehearse) throw new Rehearsed()
          throwIfSuspended(tx)
          return execution.change.goOn(part, returned)
        })
        if (!over) return undefined
        const value = (over.result ?? {}) as object
        keyed?.keep(tx, value)
        if (call.held) requireFewLacking(value, call.held)
        runtime.reached('decided')
        return { value }
      })
    } catch (error) {
      if (error instanceof Rehearsed) return { value: {} }
      if (error instanceof ActsAsAdministrator) {
        context = asAdministrator(sql, context as Caller, now)
        return attempt()
      }
      if (error instanceof SectionsLack) return { value: {}, inPieces: error.answer }
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
  const ofOne = suspended.keepsMuch ? WORK_WAITING.suspendedOfOne : undefined
  return inTurns(execution, (pause) => suspended.finish(pause), ofOne)
}

/** Does work in turns of the caller. `ofOne`: a lower limit of how much of the caller's may wait. */
function inTurns<Value>(
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

/** A call with an `Idempotency-Key`: it is made once, and each repetition gets the first answer. Without a key it does nothing. */
class KeyedCall {
  readonly #operation: Operation
  readonly #context: Caller | { readonly source: RequestSource }
  readonly #idempotency: IdempotentRequest | undefined
  readonly #means: Idempotency

  constructor(operation: Operation, context: Caller | { readonly source: RequestSource }) {
    this.#operation = operation
    this.#context = context
    this.#means = operation.idempotency ?? 'answer'
    const hasKey = 'user' in context && this.#means !== 'harmless'
    this.#idempotency = hasKey ? context.source.idempotency : undefined
  }

  /** @throws IdempotencyKeyReusedError (422) */
  firstAnswer(
    view: RealmView,
    params: unknown,
  ): (Required<Pick<RealmAnswer, 'repeated'>> & { value: unknown }) | undefined {
    if (!this.#idempotency) return undefined
    const { user } = this.#context as Caller
    const first = firstAnswerTo(view, user.id, this.#idempotency)
    if (!first) {
      this.#requireNoMessage(view, user.id, this.#idempotency)
      return undefined
    }
    const { withoutSecret } = this.#operation.command
    const kept = fromJson(first.answer)
    const value = withoutSecret ? withoutSecret.restore(view, this.#context, kept, params) : kept
    return { value, repeated: { files: first.files } }
  }

  /** @throws TooMuchAtOnceError (413), RateLimitHitError (429): then the change is not made. */
  keep(tx: RealmTransaction, value: object): void {
    if (!this.#idempotency || this.#means !== 'answer') return
    const { withoutSecret } = this.#operation.command
    const { user } = this.#context as Caller
    keepFirstAnswer(tx, user.id, this.#idempotency, withoutSecret ? withoutSecret.keep(value) : value)
  }

  /** Requires that no message has the key: the keys of sends are stored with their messages. */
  #requireNoMessage({ sql, now }: RealmView, userId: number, idempotency: IdempotentRequest): void {
    if (this.#means === 'own') return
    if (findKeyedMessage(sql, userId, idempotency, now) !== undefined) throw new IdempotencyKeyReusedError()
  }
}
