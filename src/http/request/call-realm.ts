import { answerOf, crossing, INTERFACE_VERSION, type RealmAnswer, type RealmCall } from '../../core/call.ts'
import { dailyLimitOf } from '../../core/daily-limits.ts'
import {
  ApiError,
  BadRequestError,
  NonexistentSubdomainError,
  ServiceUnavailableError,
  UnauthorizedError,
  type WireError,
} from '../../core/errors.ts'
import type { JsonText } from '../../core/json.ts'
import { log } from '../../core/log.ts'
import { countCostOfRequest, farTrip, noteOfRequest } from '../../core/request-record.ts'
import { OPERATIONS } from '../../features/index.ts'
import { isKeyOfOtherRealm } from '../../store/d1/accounts.ts'
import type { RealmAddress } from '../../store/d1/realms.ts'
import { withCounts } from './count-requests.ts'
import { type Environment, realmObject } from './environment.ts'
import { sha256Hex } from './sha256.ts'

const ATTEMPTS = 3
const FIRST_WAIT_MS = 50
/** Retry-After for an overloaded object, in seconds: longer than a move takes. */
const OVERLOADED_RETRY_SECONDS = 5

/**
 * Properties that the platform sets on an error from an object (Cloudflare's "Error handling" of Durable Objects). `remote`: our code
 * threw it there, unless another property is set too.
 */
interface MarkedError extends Error {
  readonly remote?: boolean
  /** Whether the failure may pass. It does not say whether the object had received the call. */
  readonly retryable?: boolean
  readonly overloaded?: boolean
  readonly durableObjectReset?: boolean
}

/** Platform errors that can only occur before the object receives the call. */
const NOT_DELIVERED =
  /^(Cannot resolve Durable Object|Your account is generating too much load on Durable Objects|Internal error while starting up Durable Object)/

/**
 * Makes one call to the realm object. `repeatable`: a second call has no further effect.
 * @throws NonexistentSubdomainError when no organization is there: its host still leads to the object, or did a moment ago.
 * @throws ServiceUnavailableError (503) when the object cannot be reached, or is overloaded.
 */
export async function callRealm(
  env: Environment,
  realm: RealmAddress,
  call: RealmCall,
  repeatable: boolean,
): Promise<RealmAnswer> {
  const asksForPage = OPERATIONS.get(call.operation)?.command.bodiesFor !== undefined
  const reply = await withCounts(call, (counted) => {
    const { text, facts } = crossing(counted, asksForPage)
    return whenReachable(repeatable, () => realmObject(env, realm).run(INTERFACE_VERSION, text, facts))
  })
  const answer = answerOf(reply as JsonText<RealmAnswer> | RealmAnswer)
  countCostOfRequest(answer)
  noteProvenKey(call, answer)
  requireRealmAlive(answer)
  return answer
}

/** @throws NonexistentSubdomainError */
export function requireRealmAlive({ outcome }: RealmAnswer): void {
  if (!outcome.ok && outcome.error.code === 'NONEXISTENT_SUBDOMAIN') throw new NonexistentSubdomainError()
}

/** Records that a key or session is valid: operations that are open to anyone are called with neither. */
export function noteProvenKey({ credentials }: RealmCall, { outcome }: RealmAnswer): void {
  const { kind } = credentials
  const isKey = kind === 'basic' || kind === 'bot key' || kind === 'scim' || kind === 'session'
  if (isKey && outcome.ok) noteOfRequest({ isKeyProven: true })
}

/**
 * Retries a few times when the platform fails (a deploy, a move, a lost connection). The change may have been made all the same, so a
 * call that is not `repeatable` is retried only if it cannot have arrived; otherwise only the client knows whether to repeat it. An
 * overloaded object, or one whose allowance is used up, is not retried. `reach` must take a fresh stub each time. Errors of our own code pass through.
 * @throws ServiceUnavailableError (503)
 */
export async function whenReachable<R>(repeatable: boolean, reach: () => Promise<R>): Promise<R> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await farTrip(reach)
    } catch (error) {
      const limit = dailyLimitOf(error)
      if (limit) throw limit
      if (!isOfPlatform(error)) throw error
      const mayRepeat = error.overloaded !== true && (repeatable || NOT_DELIVERED.test(error.message))
      if (!mayRepeat || attempt >= ATTEMPTS) {
        log('error', 'An object cannot be reached', { error })
        throw new ServiceUnavailableError(error.overloaded === true ? OVERLOADED_RETRY_SECONDS : undefined)
      }
      await scheduler.wait(attempt * FIRST_WAIT_MS)
    }
  }
}

/** Platform errors that look like ours: its internal failure, and storage that an earlier instance still holds. */
const PLATFORM_FAILS = /^internal error; reference|SQLITE_BUSY/

/** A bug of ours is not a plain Error, or was thrown in the object with no other property set. */
function isOfPlatform(error: unknown): error is MarkedError {
  const { name, message, remote, retryable, overloaded, durableObjectReset } = error as MarkedError
  if (retryable === true || overloaded === true || durableObjectReset === true) return true
  return name === 'Error' && (remote !== true || PLATFORM_FAILS.test(message))
}

/**
 * Returns the realm object's refusal as the client gets it. A key that the object does not know may belong to another organization, which
 * only D1 can tell (docs/interface/conventions.md#authentication).
 */
export async function explainRefusal(
  env: Environment,
  realmId: number,
  { credentials }: RealmCall,
  refusal: WireError,
): Promise<ApiError> {
  const hasKey = credentials.kind === 'basic' || credentials.kind === 'bot key'
  if (hasKey && refusal.status === 401 && refusal.msg === 'Invalid API key') {
    if (await isForeignKey(env, realmId, credentials.apiKey)) {
      return new UnauthorizedError('Account is not associated with this subdomain')
    }
  }
  if (credentials.kind === 'session' && allowsNoMove(refusal)) return new BadRequestError(refusal.msg)
  return ApiError.fromWire(refusal)
}

/**
 * Whether no part of a move is allowed. Web clients offer to move the part that a refusal names, and show nothing if it names none, so
 * browsers get only the text (docs/interface/messages.md#edit-or-move-a-message).
 */
function allowsNoMove({ code, extra }: WireError): boolean {
  return code === 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED' && extra.first_message_id_allowed_to_move === null
}

/** Whether the key belongs to another organization. Without D1 the client gets the general refusal. */
async function isForeignKey({ DB }: Environment, realmId: number, apiKey: string): Promise<boolean> {
  try {
    return await isKeyOfOtherRealm(DB, await sha256Hex(apiKey), realmId)
  } catch (error) {
    log('warn', 'D1 could not be asked for the owner of a key', { error })
    return false
  }
}
