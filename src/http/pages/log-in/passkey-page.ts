import * as v from 'valibot'
import { ApiError } from '../../../core/errors.ts'
import { credentialAnswer } from '../../../features/second-factors/credentials.ts'
import {
  beginPasskeyLoginStep,
  finishPasskeyLoginStep,
} from '../../../features/second-factors/log-in-with-passkey.ts'
import { answeredPasskey } from '../../../features/second-factors/reauthentication.ts'
import {
  type PasskeyQuestion,
  requestOptions,
  unusablePasskey,
} from '../../../model/second-factors/in-worker/passkey-answers.ts'
import type { FinishedLogin } from '../../../store/users/login/login-ticket-rows.ts'
import { askOrRefuse, askRealm, readForm } from '../../operations/ask-realm.ts'
import { requestSource } from '../../operations/handle-request.ts'
import { requireOwnOrigin } from '../../request/browser-session.ts'
import type { Environment } from '../../request/environment.ts'
import { respondSuccess, retryLater } from '../../request/respond.ts'
import { asksForJson, refuseAsJson, refuseDestination, respondLoginRefused } from './login-answers.ts'
import { beginLogin, destinationOf, queryFor } from './login-end.ts'
import { respondFinished } from './respond-finished.ts'

/** POST /accounts/login/passkey/options/: returns the challenge for a passkey, as JSON. */
export async function offerPasskeys(request: Request, env: Environment): Promise<Response> {
  const { ticket } = await readForm(request, ['ticket'])
  const params = { ticket: ticket === '' ? null : ticket }
  const begun = await askRealm(request, env, beginPasskeyLoginStep.operation, params)
  if (!begun.ok) return refuseAsJson(request, ApiError.fromWire(begun.error))
  const source = requestSource(request, new URL(request.url), env)
  return respondSuccess({ options: requestOptions(begun.value as PasskeyQuestion, source) })
}

/** POST /accounts/login/passkey/: logs in with a passkey, without a name, or after the password. */
export async function logInWithPasskey(request: Request, env: Environment): Promise<Response> {
  const destination = destinationOf(new URL(request.url))
  if (!destination) return refuseDestination(request)
  const entered = await readForm(request, ['ticket', 'credential'])
  const ticket = entered.ticket === '' ? null : entered.ticket
  try {
    requireOwnOrigin(request)
    const parsed = v.safeParse(credentialAnswer, entered.credential)
    if (!parsed.success) throw unusablePasskey()
    const underWay = await beginLogin(destination)
    const source = requestSource(request, new URL(request.url), env)
    const run = (operation: string, params: object) => askOrRefuse(request, env, operation, params)
    const answer = await answeredPasskey(parsed.output, { run, source })
    const params = { answer, ticket, end: underWay.end }
    const { operation } = finishPasskeyLoginStep
    const finished = await askOrRefuse<FinishedLogin>(request, env, operation, params, { counted: true })
    return await respondFinished(request, env, underWay, finished)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (asksForJson(request)) return refuseAsJson(request, error)
    return retryLater(respondLoginRefused(request, error, queryFor(destination)), error)
  }
}
