import type { AnswerInBlocks } from '../../core/blocks.ts'
import { databaseOf } from '../../core/body-ranges.ts'
import { type RateLimitState, type RealmAnswer, type RealmCall, rateLimitsOf } from '../../core/call.ts'
import { clientNetwork } from '../../core/client-network.ts'
import {
  ApiError,
  DEPLOY_RETRY_SECONDS,
  ServiceUnavailableError,
  StorageFullError,
  TooMuchAtOnceError,
} from '../../core/errors.ts'
import { log } from '../../core/log.ts'
import {
  type LoadView,
  type MemorySlot,
  NotPreparedError,
  type Pause,
  StaleError,
  type Transact,
} from '../../core/realm-transaction.ts'
import { newRecord, recorded } from '../../core/request-record.ts'
import { workGate } from '../../core/work-gate.ts'
import { noteUseOfSession } from '../../domain/browser-sessions/browser-session-rows.ts'
import { type Caller, callerOf } from '../../domain/caller.ts'
import { isOpenToTheWeb } from '../../domain/channels/web-public-channels.ts'
import { TEXT_EPOCH } from '../../domain/messages/text-epoch.ts'
import { requireActiveRealm } from '../../domain/realm/realm-setting-rows.ts'
import { authenticate } from '../../domain/users/login/authenticate.ts'
import type { User } from '../../domain/users/user-rows.ts'
import { checkedParameters } from '../../endpoints/check-step.ts'
import { isAnswerLarge, type Operation } from '../../endpoints/define-endpoint.ts'
import { notLoggedIn, requireAccess, requireAdmitted } from '../../permissions/access.ts'
import { storeContentsOf } from '../jobs/store-contents.ts'
import { isFull, requireRoom } from '../object-space.ts'
import type { Runtime } from '../runtime.ts'
import { adoptPendingKey } from './adopt-pending-key.ts'
import { afterCommit } from './after-commit.ts'
import { answerInBlocks, TooManyBlocksLack, type UnwrittenAnswer } from './answer-in-blocks.ts'
import type { CountedSql } from './counted-sql.ts'
import { requireCrossing } from './crossing.ts'
import { KeyedCall } from './keyed-call.ts'
import { ownerIn, pausesAt } from './pauses.ts'
import { BlockedRequest } from './rate-limiter.ts'
import { audited } from './record-audit.ts'
import { beforeChange } from './shared-turns.ts'
import { type Commit, notPutOffYet, type PutOff, readOn, transactOn } from './transaction.ts'
import { madeAfterwards, withoutBlocks } from './without-blocks.ts'

/** Number of tries of a command whose bodies change faster than it can load them. */
const LOAD_ATTEMPTS = 10

/**
 * Answers from stored data, without a transaction, when the command would change nothing. Returns undefined
 * when it cannot. Refuses what the command refuses.
 */
export type Peek = (sql: CountedSql, caller: Caller, params: unknown) => object | undefined

/** Thrown to roll a rehearsed change back. */
class Rehearsed extends Error {}

/**
 * Makes one call, in the order of docs/interface/conventions.md#order-of-checks: authentication → rate limit
 * → role → parameters → logic. Never throws what the caller should see: an ApiError becomes part of the
 * answer. `at` (UNIX seconds) is only given where a past is invented.
 */
export async function runCall(
  runtime: Runtime,
  call: RealmCall,
  at?: number,
  peek?: Peek,
): Promise<RealmAnswer> {
  await beforeChange()
  return runCallNow(runtime, call, at, peek)
}

/** Does what `runCall` does; a command that loads nothing has made its whole change when this returns the promise. */
export async function runCallNow(
  runtime: Runtime,
  call: RealmCall,
  at?: number,
  peek?: Peek,
): Promise<RealmAnswer> {
  // Trips are made only for what a command loads.
  const operation = runtime.operations.get(call.operation)
  if (!operation?.command.load) {
    return { ...(await answerCall(runtime, call, at, peek)), farTrips: 0, nearTrips: 0 }
  }
  const record = newRecord(call.operation)
  const answer = await recorded(record, () => answerCall(runtime, call, at, peek))
  return { ...answer, farTrips: record.farTrips, nearTrips: record.nearTrips }
}

async function answerCall(
  runtime: Runtime,
  given: RealmCall,
  at: number | undefined,
  peek: Peek | undefined,
): Promise<Omit<RealmAnswer, 'farTrips' | 'nearTrips'>> {
  const sql = runtime.sql.counter()
  const isForSpectators = runtime.operations.get(given.operation)?.access === 'spectator'
  let rateLimit: RateLimitState | undefined
  let answer: Omit<RealmAnswer, 'farTrips' | 'nearTrips' | 'rateLimit' | 'rows' | 'json'>
  try {
    const operation = runtime.operations.get(given.operation)
    // For the time of a deploy the Worker may know a newer operation.
    if (!operation) throw new ServiceUnavailableError(DEPLOY_RETRY_SECONDS)
    if (isOtherRealm(runtime, given.operation, given.host)) throw new ServiceUnavailableError()
    const parameters = checkedParameters(operation, given.parameters, DEPLOY_RETRY_SECONDS)
    const call = { ...given, parameters }
    const now = at ?? runtime.now()
    const user = identify(runtime, operation, call, now)
    rateLimit = countRequest(runtime, operation, call, user, now)
    if (user) requireAccess(operation.access, { role: user.role, isBot: user.botType !== null })
    if (!call.parameters.ok) throw ApiError.fromWire(call.parameters.error)
    requireRoom(runtime, operation)
    const context = user ? callerOf(sql, user, call.source, now) : { source: call.source }
    const execution = { runtime, sql, operation, context, call, now, putOff: notPutOffYet() }
    const params = call.parameters.value
    const seen = 'user' in context ? peek?.(sql, context, params) : undefined
    const result = seen ? { value: seen } : execute(execution, params)
    const { value, repeated, inBlocks } = result instanceof Promise ? await result : result
    const ids = call.rehearse ? [] : operation.command.bodiesFor?.(value)
    const bodies = {
      ...unprojectedBodies(runtime, ids),
      ...rangesOf(runtime, call, ids),
      ...textEpochFor(runtime, ids),
    }
    answer = {
      outcome: { ok: true, value },
      ...(repeated ? { repeated } : {}),
      ...(inBlocks
        ? { inBlocks: 'write' in inBlocks ? await inBlocks.write(pauseOf(execution)) : inBlocks }
        : {}),
      ...bodies,
    }
  } catch (error) {
    if (error instanceof BlockedRequest) rateLimit = error.state
    if (!(error instanceof ApiError)) throw error
    answer = { outcome: { ok: false, error: error.toWire() } }
  } finally {
    if (isForSpectators) runtime.spectators.take(sql.counts.read, runtime.now())
  }
  return { ...answer, rateLimit, rows: sql.counts }
}

function identify(
  runtime: Runtime,
  operation: Operation,
  { credentials, source }: RealmCall,
  now: number,
): User | undefined {
  const { sql, realm } = runtime
  if (operation.access === 'anyone') return undefined
  requireActiveRealm(sql)
  if (operation.access === 'spectator') {
    if (!isOpenToTheWeb(sql, source)) throw notLoggedIn()
    return undefined
  }
  const user = authenticate(sql, realm, credentials, now)
  requireAdmitted(operation, user)
  if (credentials.kind === 'session') noteUseOfSession(sql, credentials.digest, now)
  const isPending = credentials.kind === 'basic' && credentials.apiKey !== user.apiKey
  return isPending ? adoptPendingKey(transactFor(runtime, sql, now), user, credentials.apiKey, source) : user
}

function transactFor(runtime: Runtime, sql: Runtime['sql'], now: number, putOff?: PutOff): Transact {
  const onCommit = (commit: Commit) => afterCommit(runtime, commit)
  return transactOn({ ...runtime, sql, now, putOff, onCommit })
}

function countRequest(
  { limiter, limited, spectators }: Runtime,
  operation: Operation,
  call: RealmCall,
  user: User | undefined,
  now: number,
): RateLimitState | undefined {
  if (call.counted || operation.rateLimit === 'none' || !limited()) return undefined
  const limits = rateLimitsOf(call.source)
  const network = clientNetwork(call.source.ip)
  if (operation.rateLimit === 'pictures') {
    const state = limiter.count('picturesByIp', network, limits.picturesByIp, now)
    limiter.count('pictures', '', limits.pictures, now)
    return state
  }
  if (!user) {
    const state = limiter.count('anonymous', network, limits.anonymous, now)
    if (operation.access === 'spectator') spectators.requireSome(now)
    countThing(operation, call, (name) => limiter.count('perThing', name, limits.perThing, now))
    return state
  }
  const bucket = operation.rateLimit ?? 'user'
  return limiter.count(bucket, user.id, limits[bucket], now)
}

/** Counts how often a thing is shown; above the limit it is refused in its own words. */
function countThing(
  { perThing }: Operation,
  { parameters }: RealmCall,
  count: (name: string) => unknown,
): void {
  if (!perThing || !parameters.ok) return
  try {
    count(perThing.name(parameters.value))
  } catch (error) {
    throw perThing.refusal?.() ?? error
  }
}

interface Execution {
  readonly runtime: Runtime
  /** Counts the cost of this call. */
  readonly sql: CountedSql
  readonly operation: Operation
  readonly context: Caller | { source: RealmCall['source'] }
  readonly call: RealmCall
  readonly now: number
  /** How often it was put off. */
  readonly putOff: PutOff
}

/** The result of a command. `repeated` as in RealmAnswer. */
interface Result {
  readonly value: unknown
  /** The value in blocks, or what writes the rest of it. */
  readonly inBlocks?: AnswerInBlocks | UnwrittenAnswer
  readonly repeated?: RealmAnswer['repeated']
}

/**
 * Returns the caller for the rules of the present turn: since `seen` others may have closed the account,
 * changed its key or its role, or closed the organization. All of these take an id of the log.
 */
function admittedNow(execution: Execution, seen: number): Execution['context'] {
  const { runtime, sql, operation, call, now, context } = execution
  if (runtime.ids.last === seen) return context
  const user = identify(runtime, operation, call, now)
  if (!user) return context
  requireAccess(operation.access, { role: user.role, isBot: user.botType !== null })
  return callerOf(sql, user, call.source, now)
}

/** One try of a command, with what it has loaded. */
type Try = (context: Execution['context'], loaded: unknown) => Result | Promise<Result>

/** Returns the realm as `load` sees it. */
function viewOf(execution: Execution): LoadView {
  const { runtime, sql, now } = execution
  const { realm, proxiesPictures, directory: remembered, memory } = runtime
  const recall = <Value>(slot: MemorySlot<Value>) => memory.recall(slot, sql)
  return { now, sql, realm, proxiesPictures, remembered, recall, pause: pauseOf(execution) }
}

/** Carries out the command, at once if it has nothing to load. */
function execute(execution: Execution, params: unknown): Result | Promise<Result> {
  const { runtime, sql, operation, call, now, putOff } = execution
  const { command } = operation
  const view = viewOf(execution)
  const transact = command.reads
    ? readOn({ ...runtime, sql, now, putOff })
    : transactFor(runtime, sql, now, putOff)
  const keyed = new KeyedCall(operation, execution.context)
  const attempt: Try = (context, loaded) => {
    try {
      const result = transact((tx): Result => {
        const first = keyed.firstAnswer(tx, params)
        if (first) return first
        const value = audited(tx, { operation, context, params }, () =>
          command.apply(tx, context, params, loaded),
        ) as object
        if (call.rehearse) throw new Rehearsed()
        keyed.keep(tx, value)
        const inBlocks = call.held && answerInBlocks(tx, value, call.held, runtime.build)
        if (inBlocks) requireCrossing({ inBlocks })
        runtime.reached('decided')
        if (inBlocks) return { value: {}, inBlocks }
        // Those of a large answer are presented, and written, in turns of their own.
        return { value: withoutBlocks(value, isAnswerLarge(operation, call.parameters)) }
      })
      const make = madeAfterwards(result.value, pauseOf(execution))
      return make ? make().then((value) => ({ ...result, value })) : result
    } catch (error) {
      if (error instanceof Rehearsed) return { value: {} }
      if (error instanceof TooManyBlocksLack) return fetchedBlocks(transact, error, pauseOf(execution))
      if (isTooLong(error)) throw new TooMuchAtOnceError()
      if (isFull(error)) throw new StorageFullError()
      if (error instanceof ApiError && command.afterRefusal) {
        transact((tx) => command.afterRefusal?.(tx, context, params, error))
      }
      throw error
    }
  }
  // What the first request has changed may be gone by now: then there is nothing to load.
  const firstAnswer = () => keyed.firstAnswer(view, params)
  if (command.load) return loadAndTry(execution, params, attempt, firstAnswer)
  try {
    return attempt(execution.context, undefined)
  } catch (error) {
    if (!(error instanceof NotPreparedError)) throw error
    return loadAndTry(execution, params, attempt, firstAnswer, error)
  }
}

/** Carries out a command with what it needs from D1, as often as that has changed meanwhile, or as the command was put off. */
async function loadAndTry(
  execution: Execution,
  params: unknown,
  attempt: Try,
  firstAnswer: () => Result | undefined,
  putOff?: NotPreparedError,
): Promise<Result> {
  const { runtime, operation } = execution
  const view = viewOf(execution)
  const bodies = bodiesFor(execution)
  const seen = runtime.ids.last
  if (putOff) await prepare(execution, putOff)
  let stale: StaleError | undefined
  for (let attempts = 1; ; attempts += 1) {
    const known = firstAnswer()
    if (known) return known
    const context = admittedNow(execution, seen)
    const loaded = await operation.command.load?.(bodies, view, context, params, stale)
    try {
      return await attempt(admittedNow(execution, seen), loaded)
    } catch (error) {
      if (!(error instanceof StaleError)) throw error
      if (attempts >= LOAD_ATTEMPTS) throw new ServiceUnavailableError()
      if (error instanceof NotPreparedError) await prepare(execution, error)
      else stale = error
    }
  }
}

/** Returns the pauses of the caller's work. */
function pauseOf({ runtime, context }: Execution): Pause {
  return 'user' in context ? runtime.pauseFor(context.user.id) : runtime.pause
}

/**
 * Prepares what a command needs, before it has changed anything. A step of an operation is not refused, since the steps before it may have.
 * @throws ServiceUnavailableError (503) when too much waits at the gate
 */
async function prepare(execution: Execution, error: NotPreparedError): Promise<void> {
  execution.putOff.times += 1
  const { operation, runtime, context } = execution
  if (operation.stepParams) return error.prepare(pauseOf(execution))
  const place = workGate.reserve(ownerIn(runtime.realm.id, 'user' in context ? context.user.id : undefined))
  try {
    await error.prepare(pausesAt(place))
  } finally {
    place.leave()
  }
}

/** Returns what a command may load from. */
function bodiesFor({ runtime, context }: Execution) {
  return {
    ...runtime.tail.readerOver(runtime),
    walks: runtime.walks.of('user' in context ? context.user.id : 0),
    contents: storeContentsOf(runtime),
  }
}

/** @throws StorageFullError (507) */
async function fetchedBlocks(transact: Transact, lack: TooManyBlocksLack, pause: Pause): Promise<Result> {
  try {
    return { value: {}, inBlocks: await lack.fetched(transact, pause) }
  } catch (error) {
    throw isFull(error) ? new StorageFullError() : error
  }
}

/** Whether a text or a list without a limit of its own, or its whole event, has become too long. */
function isTooLong(error: unknown): boolean {
  return error instanceof Error && error.message.includes('SQLITE_TOOBIG')
}

/**
 * Whether another organization was meant: D1 was restored from a copy, and has given its id again. The caller
 * learns nothing of this one.
 */
export function isOtherRealm({ realm }: Pick<Runtime, 'realm'>, operation: string, host: string): boolean {
  if (host === realm.host) return false
  log('error', 'A call has reached the object of another organization: D1 has given its id again', {
    operation,
    realm_id: realm.id,
  })
  return true
}

/** Returns the epoch of the texts of an answer; none while they must not come from copies of D1. */
function textEpochFor(
  { memory, sql, now }: Runtime,
  ids: readonly number[] | undefined,
): Pick<RealmAnswer, 'textEpoch'> {
  if (!ids) return {}
  const { epoch, copiesFrom } = memory.recall(TEXT_EPOCH, sql)
  return copiesFrom > now() ? {} : { textEpoch: epoch }
}

/**
 * Returns the databases that have the bodies, if not all are in `DB`.
 * @throws ServiceUnavailableError (503) for the time of a deploy, while the Worker has no binding to the newest.
 */
function rangesOf(
  { tail: { ranges } }: Runtime,
  { source: { deployment } }: RealmCall,
  ids: readonly number[] = [],
): Pick<RealmAnswer, 'bodyRanges'> {
  const newest = ids.length === 0 ? 0 : databaseOf(ranges, Math.max(...ids))
  if (newest === 0) return {}
  if (deployment && deployment.newestBodyDatabase < newest) {
    throw new ServiceUnavailableError(DEPLOY_RETRY_SECONDS)
  }
  return { bodyRanges: ranges }
}

/** Reads the versions of bodies in the turn of the commit; D1 gets at least these later. */
function unprojectedBodies(
  { tail }: Runtime,
  ids: readonly number[] = [],
): Pick<RealmAnswer, 'bodies' | 'unsentBodies'> {
  if (ids.length === 0) return {}
  const { bodies, unread } = tail.read(ids)
  return {
    ...(bodies.length > 0 ? { bodies } : {}),
    ...(unread.length > 0 ? { unsentBodies: unread } : {}),
  }
}
