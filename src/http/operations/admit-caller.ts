import type { Endpoint } from '../../api/define-endpoint.ts'
import type { RealmCall } from '../../core/call.ts'
import { ApiError, BodyTooLargeError } from '../../core/errors.ts'
import { MIB } from '../../core/files.ts'
import type { RealmAddress } from '../../store/d1/realms.ts'
import type { ArrivedRequest } from '../input/arrived-request.ts'
import { MAX_OPEN_BODY } from '../input/body-limit.ts'
import type { RawParameters } from '../input/read-parameters.ts'
import { callRealm, explainRefusal } from '../request/call-realm.ts'
import { isAccepted, noteAnswer } from '../request/credentials.ts'
import type { Environment } from '../request/environment.ts'

/** Stands in place of parameters that nobody has read yet: the organization refuses a call with it only once it has accepted the caller. */
const NOT_READ_YET = new ApiError('NOT_READ_YET', 'The parameters are not read yet').toWire()

/**
 * Reads the parameters. Where that is work, it is done only for callers whom the organization has accepted: a caller it does not know is
 * refused first, with the errors of the call itself, and an isolate asks once for one that it has not met yet. What is open to everybody
 * takes no such body.
 * @throws ApiError as the call
 */
export async function readAdmitted(
  arrived: ArrivedRequest,
  endpoint: Endpoint,
  env: Environment,
  realm: RealmAddress,
  caller: Pick<RealmCall, 'credentials' | 'source' | 'host'>,
): Promise<RawParameters> {
  const { operation, access } = endpoint
  const { credentials } = caller
  if (!arrived.asksFirst || isAccepted(realm.id, credentials)) return arrived.read()
  if (access === 'anyone' || access === 'spectator') {
    if (arrived.length > MAX_OPEN_BODY * MIB) throw new BodyTooLargeError(MAX_OPEN_BODY)
    return arrived.read()
  }
  const parameters = { ok: false, error: NOT_READ_YET } as const
  // The call itself is counted.
  const call: RealmCall = { ...caller, operation, parameters, rehearse: true, counted: true }
  const { outcome } = await callRealm(env, realm, call, true)
  const isAdmitted = !outcome.ok && outcome.error.code === NOT_READ_YET.code
  noteAnswer(realm.id, credentials, isAdmitted)
  if (!outcome.ok && !isAdmitted) throw await explainRefusal(env, realm.id, call, outcome.error)
  return arrived.read()
}
