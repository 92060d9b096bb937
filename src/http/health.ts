import { ServiceUnavailableError } from '../core/errors.ts'
import { probeRealms } from '../d1/realms.ts'
import type { Environment } from './environment.ts'
import { respondError, respondSuccess } from './respond.ts'

/** GET /health, for whoever watches over a deployment: 200 while the Worker runs and reaches D1, else 503. */
export async function respondHealth(env: Environment): Promise<Response> {
  try {
    await probeRealms(env.DB)
    return respondSuccess({})
  } catch (error) {
    console.error('D1 cannot be reached', error)
    return respondError(new ServiceUnavailableError())
  }
}
