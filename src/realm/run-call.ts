import { type RateLimitState, type RealmAnswer, type RealmCall, rateLimitsOf } from '../core/call.ts'
import { ApiError, ServiceUnavailableError, TooMuchAtOnceError } from '../core/errors.ts'
import { StaleError } from '../core/realm-transaction.ts'
import { type Caller, callerOf } from '../domain/caller.ts'
import { requireActiveRealm } from '../domain/realm/realm-setting-rows.ts'
import { authenticate } from '../domain/users/authenticate.ts'
import type { User } from '../domain/users/user-rows.ts'
import type { Operation } from '../endpoints/define-endpoint.ts'
import { requireAccess, requireAdmitted } from '../permissions/access.ts'
import { afterCommit } from './after-commit.ts'
import type { CountedSql } from './counted-sql.ts'
import { BlockedRequest } from './rate-limiter.ts'
import type { Runtime } from './runtime.ts'
import { transactOn } from './transaction.ts'

/** A command whose bodies change faster than it can load them gives up after so many tries. */
const LOAD_ATTEMPTS = 10

/** Thrown to roll a rehearsed change back. */
class Rehearsed extends Error {}

/**
 * One call, in the order of behaviour 0.1: authentication → rate limit → role → parameters → logic.
 * Never throws what the caller should see: an ApiError becomes part of the answer. `at` (UNIX seconds)
 * is only given where a past is made up.
 */
export async function runCall(runtime: Runtime, call: RealmCall, at?: number): Promise<RealmAnswer> {
  const sql = runtime.sql.counter()
  let rateLimit: RateLimitState | undefined
  let answer: Pick<RealmAnswer, 'outcome' | 'bodies' | 'unsentBodies'>
  try {
    const operation = runtime.operations.get(call.operation)
    if (!operation) throw new Error(`Unknown operation ${call.operation}`)
    const now = at ?? runtime.now()
    const user = identify(runtime, operation, call)
    rateLimit = countRequest(runtime, operation, call, user, now)
    if (user) requireAccess(operation.access, { role: user.role, isBot: user.botType !== null })
    if (!call.parameters.ok) throw ApiError.fromWire(call.parameters.error)
    const context = user ? callerOf(sql, user, call.source, now) : { source: call.source }
    const value = await execute({ runtime, sql, operation, context, call, now }, call.parameters.value)
    const ids = call.rehearse ? [] : operation.command.bodiesFor?.(value)
    answer = { outcome: { ok: true, value }, ...unprojectedBodies(runtime, ids) }
  } catch (error) {
    if (error instanceof BlockedRequest) rateLimit = error.state
    if (!(error instanceof ApiError)) throw error
    answer = { outcome: { ok: false, error: error.toWire() } }
  }
  return { ...answer, rateLimit, rows: sql.counts }
}

function identify({ sql, realm }: Runtime, operation: Operation, call: RealmCall): User | undefined {
  if (operation.access === 'anyone') return undefined
  requireActiveRealm(sql)
  const user = authenticate(sql, realm, call.credentials)
  requireAdmitted(operation.operation, user)
  return user
}

function countRequest(
  { limiter, limited }: Runtime,
  operation: Operation,
  call: RealmCall,
  user: User | undefined,
  now: number,
): RateLimitState | undefined {
  if (call.counted || operation.rateLimit === 'none' || !limited()) return undefined
  const limits = rateLimitsOf(call.source)
  if (!user) return limiter.count('anonymous', call.source.ip, limits.anonymous, now)
  const bucket = operation.rateLimit ?? 'user'
  return limiter.count(bucket, user.id, limits[bucket], now)
}

interface Execution {
  readonly runtime: Runtime
  /** Counts what this call costs. */
  readonly sql: CountedSql
  readonly operation: Operation
  readonly context: Caller | { source: RealmCall['source'] }
  readonly call: RealmCall
  readonly now: number
}

async function execute(
  { runtime, sql, operation: { command }, context, call, now }: Execution,
  params: unknown,
): Promise<unknown> {
  const { realm } = runtime
  const transact = transactOn({ ...runtime, sql, now, onCommit: (commit) => afterCommit(runtime, commit) })
  const bodies = runtime.tail.readerOver(runtime.db, realm.id)
  for (let attempt = 1; ; attempt += 1) {
    const loaded = await command.load?.(bodies, { now, sql, realm }, context, params)
    try {
      return transact((tx) => {
        const value = command.apply(tx, context, params, loaded) as object
        if (call.rehearse) throw new Rehearsed()
        runtime.reached('decided')
        return value
      })
    } catch (error) {
      if (error instanceof Rehearsed) return {}
      if (isTooLong(error)) throw new TooMuchAtOnceError()
      if (error instanceof ApiError && command.afterRefusal && !call.rehearse) {
        transact((tx) => command.afterRefusal?.(tx, context, params, error))
      }
      if (!(error instanceof StaleError)) throw error
      if (attempt >= LOAD_ATTEMPTS) throw new ServiceUnavailableError()
    }
  }
}

/** A text or a list has no limit of its own here, or what is to be told of it has become too long together. */
function isTooLong(error: unknown): boolean {
  return error instanceof Error && error.message.includes('SQLITE_TOOBIG')
}

/** Read in the turn of the commit: what D1 gets after it has at least these versions. */
function unprojectedBodies(
  { tail }: Runtime,
  ids: readonly number[] = [],
): Pick<RealmAnswer, 'bodies' | 'unsentBodies'> {
  const { bodies, unread } = tail.read(ids)
  return {
    ...(bodies.length > 0 ? { bodies } : {}),
    ...(unread.length > 0 ? { unsentBodies: unread } : {}),
  }
}
