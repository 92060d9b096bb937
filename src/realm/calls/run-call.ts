import type { Operation } from '../../api/define-endpoint.ts'
import { checkedParameters } from '../../api/step-types.ts'
import { BYTES_AT_ONCE, FREE_OF_SHARE, MAX_CROSSING } from '../../core/budgets.ts'
import { type RateLimitState, type RealmAnswer, type RealmCall, rateLimitsOf } from '../../core/call.ts'
import { dailyLimitOf } from '../../core/daily-limits.ts'
import {
  ApiError,
  DEPLOY_RETRY_SECONDS,
  RateLimitHitError,
  ServiceUnavailableError,
  TooLargeAnswerError,
} from '../../core/errors.ts'
import { ownerOfCall } from '../../core/fair-scheduler.ts'
import { log } from '../../core/log.ts'
import { databaseOf } from '../../core/message-bodies.ts'
import type { Pause } from '../../core/pauses.ts'
import { pausesOf } from '../../core/pauses.ts'
import { clientNetwork } from '../../core/rate-limits.ts'
import type { RefusalLanguage } from '../../core/refusal-text.ts'
import { newRecord, recorded } from '../../core/request-record.ts'
import { UNKNOWN_ANSWER_IN_SECTIONS, UNKNOWN_ANSWER_WITH_SECTIONS } from '../../core/sections.ts'
import type { CountedSql } from '../../engine/counted-sql.ts'
import { type Caller, callerOf } from '../../model/caller.ts'
import { requireAccess } from '../../rules/access.ts'
import { requireMadeInCopies } from '../../rules/copy-rules.ts'
import { refusalLanguageOf } from '../../store/users/settings/user-setting-rows.ts'
import type { User } from '../../store/users/user-rows.ts'
import { TEXT_EPOCH } from '../projection/text-epoch.ts'
import { identify } from './admission.ts'
import type { CallRuntime } from './call-runtime.ts'
import { answerInSections, whenRead } from './large-answers.ts'
import { BlockedRequest } from './rate-limiter.ts'
import { actingIn, requireProof } from './recent-proof.ts'
import { runCommand } from './run-command.ts'
import { beforeChange } from './shared-slices.ts'
import { shedAnswer } from './shed-answer.ts'
import { requireRoom } from './storage-room.ts'

/** Answers without a transaction where the command would change nothing, with the same refusals; else undefined. */
export type Peek = (sql: CountedSql, caller: Caller, params: unknown) => object | undefined

/**
 * Makes one call, in the order of docs/interface/conventions.md#order-of-checks: authentication → rate limit → role → parameters → logic.
 * An ApiError becomes part of the answer. `at` (UNIX seconds) is given only where a past is invented.
 */
export async function runCall(
  runtime: CallRuntime,
  call: RealmCall,
  at?: number,
  peek?: Peek,
): Promise<RealmAnswer> {
  await beforeChange()
  return runCallNow(runtime, call, at, peek)
}

/** Makes a call like `runCall`. A command that asks no other store has made its whole change when this returns the promise. */
export async function runCallNow(
  runtime: CallRuntime,
  call: RealmCall,
  at?: number,
  peek?: Peek,
): Promise<RealmAnswer> {
  if (call.usage) runtime.usage.add(call.usage)
  if (call.limit) runtime.limits.note(call.limit)
  // Only what a command asks other stores makes trips.
  const operation = runtime.operations.get(call.operation)
  if (!operation?.command.asks) {
    return { ...(await answerCall(runtime, call, at, peek)), farTrips: 0, nearTrips: 0 }
  }
  const record = newRecord(call.operation)
  const answer = await recorded(record, () => answerCall(runtime, call, at, peek))
  return { ...answer, farTrips: record.farTrips, nearTrips: record.nearTrips }
}

async function answerCall(
  runtime: CallRuntime,
  given: RealmCall,
  at: number | undefined,
  peek: Peek | undefined,
): Promise<Omit<RealmAnswer, 'farTrips' | 'nearTrips'>> {
  const sql = runtime.sql.counter()
  const isForSpectators = runtime.operations.get(given.operation)?.access === 'spectator'
  let rateLimit: RateLimitState | undefined
  let language: RefusalLanguage | undefined
  let answer: Omit<RealmAnswer, 'farTrips' | 'nearTrips' | 'rateLimit' | 'language' | 'rows'>
  try {
    const operation = runtime.operations.get(given.operation)
    // During a deploy, the Worker may know a newer operation.
    if (!operation) throw new ServiceUnavailableError(DEPLOY_RETRY_SECONDS)
    if (isOtherRealm(runtime, given.operation, given.host)) throw new ServiceUnavailableError()
    if (runtime.realm.copyOf) requireMadeInCopies(operation)
    const parameters = checkedParameters(operation, given.parameters, DEPLOY_RETRY_SECONDS)
    const call = { ...given, parameters }
    const now = at ?? runtime.now()
    const user = identify(runtime, operation, call, now)
    if (user) language = refusalLanguageOf(user)
    rateLimit = countRequest(runtime, operation, call, user, now)
    const acting = user && actingIn(sql, operation, call, user)
    if (acting) requireAccess(operation.access, { role: acting.role, isBot: acting.botType !== null })
    if (!call.parameters.ok) throw ApiError.fromWire(call.parameters.error)
    const context = acting ? callerOf(sql, acting, call.source, now) : { source: call.source }
    if ('user' in context) requireProof({ sql, now }, operation, context, call.parameters.value)
    requireRoom(runtime, operation, call.parameters.value)
    const admitted = { runtime, sql, operation, context, call, now, at }
    const params = call.parameters.value
    const seen =
      shedAnswer(runtime, operation, params, now) ??
      ('user' in context ? peek?.(sql, context, params) : undefined)
    const result = seen ? { value: seen } : runCommand(admitted, params)
    const { value, repeated, inSections } = result instanceof Promise ? await result : result
    const ids = call.rehearse ? [] : operation.command.bodiesFor?.(value)
    const bodies = {
      ...unprojectedBodies(runtime, ids),
      ...rangesOf(runtime, call, ids),
      ...textEpochFor(runtime, ids),
    }
    answer = {
      outcome: { ok: true, value },
      ...(repeated ? { repeated } : {}),
      ...(inSections ? { inSections } : {}),
      ...(operation.shed?.afterwards && runtime.cost.isShed(operation.shed.step) ? { isShed: true } : {}),
      ...bodies,
    }
  } catch (error) {
    if (error instanceof BlockedRequest) rateLimit = error.state
    const refusal = error instanceof ApiError ? error : dailyLimitOf(error, runtime.now())
    if (!refusal) throw error
    if (error instanceof RateLimitHitError) runtime.usage.count('rate_limit_refusals_total')
    answer = { outcome: { ok: false, error: refusal.toWire() } }
  } finally {
    if (isForSpectators) runtime.spectators.take(sql.counts.read, runtime.now())
  }
  return { ...answer, rateLimit, language, rows: sql.counts }
}

/** Returns a refusal that has cost nothing. */
export function refusing(error: ApiError): RealmAnswer {
  const outcome = { ok: false, error: error.toWire() } as const
  return { outcome, rows: { read: 0, written: 0 }, farTrips: 0, nearTrips: 0 }
}

/** Returns the refusal for a failure that is a daily limit of the platform; throws any other. */
export function refusingFor(error: unknown, now: number): RealmAnswer {
  const limit = dailyLimitOf(error, now)
  if (!limit) throw error
  return refusing(limit)
}

function countRequest(
  { limiter, limited, spectators }: CallRuntime,
  operation: Operation,
  call: RealmCall,
  user: User | undefined,
  now: number,
): RateLimitState | undefined {
  if (call.counted || operation.rateLimit === 'none' || !limited()) return undefined
  const limits = rateLimitsOf(call.source)
  if (operation.rateLimit === 'pictures') {
    const state = limiter.count('picturesByIp', clientNetwork(call.source.ip), limits.picturesByIp, now)
    limiter.count('pictures', '', limits.pictures, now)
    return state
  }
  if (operation.rateLimit === 'provisioning') {
    return limiter.count('provisioning', '', limits.provisioning, now)
  }
  if (!user) {
    const bucket = operation.rateLimit === 'doors' ? 'doors' : 'anonymous'
    // Other clients of its network do not use up the limit of a known browser.
    const { browser, ip } = call.source
    const client = browser ? `browser ${browser.id}` : clientNetwork(ip)
    const state = limiter.count(bucket, client, limits[bucket], now)
    if (operation.access === 'spectator') spectators.requireSome(now)
    countThing(operation, call, (name) => limiter.count('perThing', name, limits.perThing, now))
    return state
  }
  const bucket = operation.rateLimit ?? 'user'
  return limiter.count(bucket, user.id, limits[bucket], now)
}

/** Counts how often a thing is shown. Above the limit it has a refusal of its own. */
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

/** Whether another organization is meant: D1 was restored and gave its id again. The caller learns nothing of this one. */
export function isOtherRealm(
  { realm }: Pick<CallRuntime, 'realm'>,
  operation: string,
  host: string,
): boolean {
  if (host === realm.host) return false
  log('error', 'A call reached the object of another organization, since D1 assigned its id again', {
    operation,
    realm_id: realm.id,
  })
  return true
}

/** Returns the epoch of the texts in an answer; none while they must not come from copies of D1. */
function textEpochFor(
  { memory, sql, now }: CallRuntime,
  ids: readonly number[] | undefined,
): Pick<RealmAnswer, 'textEpoch'> {
  if (!ids) return {}
  const { epoch, copiesFrom } = memory.recall(TEXT_EPOCH, sql)
  return copiesFrom > now() ? {} : { textEpoch: epoch }
}

/**
 * Returns the databases that have the bodies, if they are not all in `DB`.
 * @throws ServiceUnavailableError (503) during a deploy, while the Worker has no binding to the newest one
 */
function rangesOf(
  { tail: { ranges } }: CallRuntime,
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
  { tail }: CallRuntime,
  ids: readonly number[] = [],
): Pick<RealmAnswer, 'bodies' | 'unsentBodies'> {
  if (ids.length === 0) return {}
  const { bodies, unread } = tail.read(ids)
  return {
    ...(bodies.length > 0 ? { bodies } : {}),
    ...(unread.length > 0 ? { unsentBodies: unread } : {}),
  }
}

/**
 * Makes a call whose answer may be megabytes. It crosses to the Worker as bytes for the client, and neither side holds it as objects. If
 * too many wait, the caller is told to come again before anything is done.
 */
export async function runLargeCall(runtime: CallRuntime, call: RealmCall): Promise<RealmAnswer> {
  try {
    const { kind, unknown } = sizeOf(call)
    return await runtime.largeAnswers.make(kind, unknown, async () => {
      const pause = pausesOf(ownerOfCall(call))
      await pause(0)
      const answer = await written(await runCall(runtime, call), call, pause)
      const bytes = bytesOf(answer)
      // The platform holds the answer back until the change is stored, which need not count for a small one.
      if (bytes >= FREE_OF_SHARE.answer) await runtime.storage.sync()
      const text = answer.inSections?.text
      return { answer, bytes, sent: text && 'stream' in text ? whenRead(text) : undefined }
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return refusing(error)
  }
}

/** Returns the expected size of the answer, which is far larger with sections than with only their versions. */
function sizeOf({ operation, held }: RealmCall): { readonly kind: string; readonly unknown: number } {
  if (!held) return { kind: operation, unknown: BYTES_AT_ONCE }
  if (held.length === 0) return { kind: `${operation} with sections`, unknown: UNKNOWN_ANSWER_WITH_SECTIONS }
  return { kind: `${operation} in sections`, unknown: UNKNOWN_ANSWER_IN_SECTIONS }
}

/** @throws TooLargeAnswerError where the Worker, which holds the whole answer, has no room */
async function written(answer: RealmAnswer, { held }: RealmCall, pause: Pause): Promise<RealmAnswer> {
  if (!answer.outcome.ok || answer.inSections) return answer
  const inSections = await answerInSections(answer.outcome.value as object, pause, held)
  if (!held && inSections.text.length > MAX_CROSSING) throw new TooLargeAnswerError()
  return { ...answer, outcome: { ok: true, value: {} }, inSections }
}

function bytesOf({ inSections }: RealmAnswer): number {
  return inSections ? inSections.text.length + inSections.sent.bytes.length : 0
}
