import type { RealmCall } from '../core/call.ts'
import { ApiError, BadRequestError, UnauthorizedError, type WireError } from '../core/errors.ts'
import { log } from '../core/log.ts'
import { isKeyOfOtherRealm } from '../store/d1/stored-rows.ts'
import type { Environment } from './environment.ts'
import { sha256Hex } from './sha256.ts'

/**
 * Returns the realm object's refusal as the client gets it. A key that is unknown there may be another
 * organization's, which only D1 knows (docs/interface/conventions.md#authentication).
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
 * Whether the refusal is of a move of which no part is allowed. Web clients offer to move the part that a
 * refusal names, and show nothing where it names none, so browsers get only its text
 * (docs/interface/messages.md#edit-or-move-a-message).
 */
function allowsNoMove({ code, extra }: WireError): boolean {
  return code === 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED' && extra.first_message_id_allowed_to_move === null
}

/** Whether the key is another organization's. Without D1 the general refusal is given. */
async function isForeignKey({ DB }: Environment, realmId: number, apiKey: string): Promise<boolean> {
  try {
    return await isKeyOfOtherRealm(DB, await sha256Hex(apiKey), realmId)
  } catch (error) {
    log('warn', 'D1 could not be asked whose key it is', { error })
    return false
  }
}
