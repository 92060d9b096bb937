import { ServiceUnavailableError } from '../../core/errors.ts'
import { log } from '../../core/log.ts'
import { noteOfRequest } from '../../core/request-record.ts'
import { withinTime } from '../../core/within-time.ts'
import { probeRealms } from '../../store/d1/realms.ts'
import type { Environment } from '../environment.ts'
import { respondError, respondNotFound, respondSuccess } from '../respond.ts'
import { HEALTH_PATIENCE_MS, hasHealthToken, respondDeepHealth } from './deep-health.ts'

/**
 * GET /health, for monitoring: 200 while the Worker runs and reaches D1, else 503. With `deep` it says more
 * to callers with the deployment's token; for others that path does not exist.
 */
export async function respondHealth(request: Request, env: Environment): Promise<Response> {
  if (new URL(request.url).searchParams.has('deep')) {
    if (!hasHealthToken(request, env)) return respondNotFound()
    // A monitor is served although others at its address guess.
    noteOfRequest({ isKeyProven: true })
    return respondDeepHealth(request, env)
  }
  try {
    await withinTime(HEALTH_PATIENCE_MS, probeRealms(env.DB))
    return respondSuccess({})
  } catch (error) {
    log('error', 'D1 cannot be reached', { error })
    return respondError(new ServiceUnavailableError())
  }
}
