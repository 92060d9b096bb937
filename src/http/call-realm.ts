import type { RealmAnswer, RealmCall } from '../core/call.ts'
import { NonexistentSubdomainError, ServiceUnavailableError } from '../core/errors.ts'
import { log } from '../core/log.ts'
import { countCostOfRequest, farTrip, noteOfRequest } from '../core/request-record.ts'
import type { RealmAddress } from '../d1/realms.ts'
import { type Environment, realmObject } from './environment.ts'

const ATTEMPTS = 3
const FIRST_WAIT_MS = 50
/** An object with too much to do needs longer than one that moves. */
const OVERLOADED_RETRY_SECONDS = 5

/**
 * The notes of the platform on an error that comes from an object (Cloudflare's "Error handling" of Durable Objects). `remote`:
 * it was thrown there, by our code, unless something else is noted too.
 */
interface NotedError extends Error {
  readonly remote?: boolean
  /** Whether the failure may pass. Whether the object had the call already is not said. */
  readonly retryable?: boolean
  readonly overloaded?: boolean
  readonly durableObjectReset?: boolean
}

/** Errors of the platform that can only come before the object has the call. */
const NOT_DELIVERED =
  /^(Cannot resolve Durable Object|Your account is generating too much load on Durable Objects|Internal error while starting up Durable Object)/

/**
 * One call to the realm object. `repeatable`: made twice it does no more than once.
 * @throws NonexistentSubdomainError when no organization lives there: its host still leads to it, or did a moment ago.
 * @throws ServiceUnavailableError (503) when the object cannot be reached, or has too much to do.
 */
export async function callRealm(
  env: Environment,
  realm: RealmAddress,
  call: RealmCall,
  repeatable: boolean,
): Promise<RealmAnswer> {
  const answer = await whenReachable(
    repeatable,
    async () => (await realmObject(env, realm).run(call)) as RealmAnswer,
  )
  countCostOfRequest(answer)
  noteProvenKey(call, answer)
  requireRealmAlive(answer)
  return answer
}

/** @throws NonexistentSubdomainError */
export function requireRealmAlive({ outcome }: RealmAnswer): void {
  if (!outcome.ok && outcome.error.code === 'NONEXISTENT_SUBDOMAIN') throw new NonexistentSubdomainError()
}

/** Notes that a key is right. Where a key is refused nothing else is answered. */
export function noteProvenKey({ credentials }: RealmCall, { outcome }: RealmAnswer): void {
  if (credentials.kind === 'basic' && outcome.ok) noteOfRequest({ isKeyProven: true })
}

/**
 * Tries again, a few times, when the platform fails (a deploy, a move, a connection lost). The change may have
 * been made all the same: what is not `repeatable` is tried again only if it cannot have been, and otherwise
 * only the client knows whether to. An overloaded object is left alone. `reach` must take a fresh stub each
 * time. Errors of our own code pass.
 * @throws ServiceUnavailableError (503)
 */
export async function whenReachable<R>(repeatable: boolean, reach: () => Promise<R>): Promise<R> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await farTrip(reach)
    } catch (error) {
      if (!isOfPlatform(error)) throw error
      const mayRepeat = error.overloaded !== true && (repeatable || NOT_DELIVERED.test(error.message))
      if (!mayRepeat || attempt >= ATTEMPTS) {
        log('error', 'The realm object cannot be reached', { error })
        throw new ServiceUnavailableError(error.overloaded === true ? OVERLOADED_RETRY_SECONDS : undefined)
      }
      await scheduler.wait(attempt * FIRST_WAIT_MS)
    }
  }
}

/**
 * Errors of the platform that look as if they came from our code: a failure of its own, and storage that the life
 * of the object before this one has not let go yet.
 */
const PLATFORM_FAILS = /^internal error; reference|SQLITE_BUSY/

/** A bug of ours is no plain Error, or was thrown in the object, with nothing else noted. */
function isOfPlatform(error: unknown): error is NotedError {
  const { name, message, remote, retryable, overloaded, durableObjectReset } = error as NotedError
  if (retryable === true || overloaded === true || durableObjectReset === true) return true
  return name === 'Error' && (remote !== true || PLATFORM_FAILS.test(message))
}
