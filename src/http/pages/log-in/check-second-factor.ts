import { ApiError, RateLimitHitError, UnauthorizedError } from '../../../core/errors.ts'
import type { FinishCodeParams, LoginWithCode } from '../../../features/second-factors/log-in-with-code.ts'
import {
  checkLoginCodeStep,
  finishLoginWithCodeStep,
} from '../../../features/second-factors/log-in-with-code.ts'
import { enteredCodeOf } from '../../../features/second-factors/totp.ts'
import { type CodeCheck, wrongCode } from '../../../model/second-factors/codes.ts'
import { askOrRefuse, readForm } from '../../operations/ask-realm.ts'
import { requireOwnOrigin } from '../../request/browser-session.ts'
import type { Environment } from '../../request/environment.ts'
import { retryLater } from '../../request/respond.ts'
import {
  asksForJson,
  refuseAsJson,
  refuseDestination,
  respondLoginRefused,
  respondTooMany,
} from './login-answers.ts'
import { beginLogin, countingFailures, type Destination, destinationOf, queryFor } from './login-end.ts'
import { respondFinished } from './respond-finished.ts'
import { type AskedFactor, respondSecondFactor, secretsAt } from './second-factor-page.ts'

/** POST /accounts/login/second-factor/: finishes the log-in with a code. */
export async function checkSecondFactor(request: Request, env: Environment): Promise<Response> {
  const destination = destinationOf(new URL(request.url))
  if (!destination) return refuseDestination(request)
  const { ticket, code } = await readForm(request, ['ticket', 'code'])
  try {
    requireOwnOrigin(request)
    const underWay = await beginLogin(destination)
    const checked = await countingFailures('second factor', request, env, () =>
      checkCode(request, env, { ticket, code, end: underWay.end }),
    )
    const { recovery_codes, ...finished } = checked
    return await respondFinished(request, env, underWay, finished, recovery_codes)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (asksForJson(request)) return refuseAsJson(request, error)
    if (error instanceof RateLimitHitError) return respondTooMany(request, error)
    return retryLater(
      await askAgain(request, env, destination, { ticket, refusal: error }, error.status),
      error,
    )
  }
}

/** Shows the page again with the refusal, or the refusal alone if the login has to start over. */
async function askAgain(
  request: Request,
  env: Environment,
  destination: Destination,
  asked: AskedFactor,
  status: number,
): Promise<Response> {
  try {
    return await respondSecondFactor(request, env, destination, asked, status)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return respondLoginRefused(request, error, queryFor(destination))
  }
}

/** @throws ApiError */
async function checkCode(
  request: Request,
  env: Environment,
  { ticket, code, end }: Pick<FinishCodeParams, 'ticket' | 'code' | 'end'>,
): Promise<Exclude<LoginWithCode, { kind: 'wrong code' }>> {
  const check = await askOrRefuse<CodeCheck>(request, env, checkLoginCodeStep.operation, { ticket })
  const entered = await enteredCodeOf(code, check, { secrets: await secretsAt(request, env) })
  const value = { ticket, end, ...entered }
  const { operation } = finishLoginWithCodeStep
  const done = await askOrRefuse<LoginWithCode>(request, env, operation, value, { counted: true })
  if (done.kind === 'wrong code') throw new UnauthorizedError(wrongCode().message, 'AUTHENTICATION_FAILED')
  return done
}
