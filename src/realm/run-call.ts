import type { RateLimitState, RealmAnswer, RealmCall } from '../core/call.ts'
import type { MessageBody } from '../core/command.ts'
import { ApiError } from '../core/errors.ts'
import { StaleError } from '../core/realm-transaction.ts'
import { type Caller, callerOf } from '../domain/caller.ts'
import { requireActiveRealm } from '../domain/realm/realm-setting-rows.ts'
import { authenticate } from '../domain/users/authenticate.ts'
import type { User } from '../domain/users/user-rows.ts'
import type { Operation } from '../endpoints/define-endpoint.ts'
import { requireAccess } from '../permissions/access.ts'
import { afterCommit } from './after-commit.ts'
import { BlockedRequest } from './rate-limiter.ts'
import type { Runtime } from './runtime.ts'
import { transactOn, viewOf } from './transaction.ts'

/** A command whose bodies change faster than it can load them gives up after so many tries. */
const LOAD_ATTEMPTS = 10

/** Thrown to roll a rehearsed change back. */
class Rehearsed extends Error {}

/**
 * One call, in the order of behaviour 0.1: authentication → rate limit → role → parameters → logic.
 * Never throws what the caller should see: an ApiError becomes part of the answer.
 */
export async function runCall(runtime: Runtime, call: RealmCall, at?: number): Promise<RealmAnswer> {
  const started = { ...runtime.sql.counts }
  let rateLimit: RateLimitState | undefined
  let outcome: RealmAnswer['outcome']
  let bodies: RealmAnswer['bodies']
  try {
    const endpoint = runtime.operations.get(call.operation)
    if (!endpoint) throw new Error(`Unknown operation ${call.operation}`)
    const now = at ?? runtime.now()
    const user = identify(runtime, endpoint, call)
    rateLimit = countRequest(runtime, endpoint, call, user, now)
    if (user) requireAccess(endpoint.access, { role: user.role, isBot: user.botType !== null })
    if (!call.parameters.ok) throw ApiError.fromWire(call.parameters.error)
    const context = user ? callerOf(runtime.sql, user, call.source, now) : { source: call.source }
    const value = await execute(runtime, endpoint, context, call, call.parameters.value, now)
    outcome = { ok: true, value }
    bodies = unprojectedBodies(runtime, call.rehearse ? [] : endpoint.command.bodiesFor?.(value))
  } catch (error) {
    if (error instanceof BlockedRequest) rateLimit = error.state
    if (!(error instanceof ApiError)) throw error
    outcome = { ok: false, error: error.toWire() }
  }
  const { read, written } = runtime.sql.counts
  return {
    outcome,
    rateLimit,
    bodies,
    rows: { read: read - started.read, written: written - started.written },
  }
}

function identify(runtime: Runtime, endpoint: Operation, call: RealmCall): User | undefined {
  if (endpoint.access === 'anyone') return undefined
  requireActiveRealm(runtime.sql)
  return authenticate(runtime.sql, runtime.realm, call.credentials)
}

function countRequest(
  runtime: Runtime,
  endpoint: Operation,
  call: RealmCall,
  user: User | undefined,
  now: number,
): RateLimitState | undefined {
  if (!runtime.limited || call.resumed || endpoint.rateLimit === 'none') return undefined
  if (!user) return runtime.limiter.count('anonymous', call.source.ip, now)
  return runtime.limiter.count(endpoint.rateLimit ?? 'user', user.id, now)
}

async function execute(
  runtime: Runtime,
  endpoint: Operation,
  context: Caller | { source: RealmCall['source'] },
  call: RealmCall,
  params: unknown,
  now: number,
): Promise<unknown> {
  const transact = transactOn({ ...runtime, now, onCommit: (commit) => afterCommit(runtime, commit) })
  const bodies = runtime.tail.readerOver(runtime.db, runtime.realm.id)
  for (let attempt = 1; ; attempt += 1) {
    const loaded = endpoint.command.load
      ? await endpoint.command.load(bodies, viewOf({ ...runtime, now }), context, params)
      : undefined
    try {
      return transact((tx) => {
        const value = endpoint.command.apply(tx, context, params, loaded) as object
        if (call.rehearse) throw new Rehearsed()
        runtime.reached('decided')
        return value
      })
    } catch (error) {
      if (error instanceof Rehearsed) return {}
      if (!(error instanceof StaleError) || attempt >= LOAD_ATTEMPTS) throw error
    }
  }
}

/** Read in the turn of the commit: what D1 gets after it has at least these versions. */
function unprojectedBodies({ tail }: Runtime, ids: readonly number[] = []): MessageBody[] | undefined {
  const bodies = ids.map((id) => tail.get(id)).filter((body) => body !== undefined)
  return bodies.length > 0 ? bodies : undefined
}
