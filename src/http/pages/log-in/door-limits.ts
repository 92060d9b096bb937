import { RateLimitHitError } from '../../../core/errors.ts'
import { secondsToWait } from '../../../core/rate-limits.ts'
import { MINUTE } from '../../../core/time.ts'
import type { Environment } from '../../environment.ts'
import { countedClient } from '../../known-browser.ts'
import { RequestsOfNetworks } from '../../requests-of-networks.ts'

/**
 * Log-ins at some doors are counted by the client's network, apart from all other attempts, and at each door apart: a client that uses up the
 * limit of a network keeps nobody from logging in at another door, or with a password, nor a browser that was used to log in before.
 */
export type CountedDoor = 'provider' | 'access' | 'desktop' | 'second factor' | 'zoom'

/** Log-ins at providers that one network may begin: a whole house comes at nine o'clock through one address. */
const BEGUN = [{ requests: 1_000, seconds: MINUTE }]
/** Failed log-ins, each of which may have cost calls to the object and to the provider. */
const FAILED = [{ requests: 300, seconds: MINUTE }]

const begun = new RequestsOfNetworks()
const failed: Readonly<Record<CountedDoor, RequestsOfNetworks>> = {
  provider: new RequestsOfNetworks(),
  access: new RequestsOfNetworks(),
  desktop: new RequestsOfNetworks(),
  'second factor': new RequestsOfNetworks(),
  zoom: new RequestsOfNetworks(),
}

/** @throws RateLimitHitError */
export async function countBegunLogin(request: Request, env: Environment): Promise<void> {
  const client = await countedClient(request, env)
  requireNoWait(client === undefined ? 0 : begun.count(client, BEGUN, Date.now() / 1_000))
}

/** Does what a door is there for, unless too many have come from the same network in vain. @throws RateLimitHitError */
export async function countingFailures<Value>(
  door: CountedDoor,
  request: Request,
  env: Environment,
  end: () => Promise<Value>,
): Promise<Value> {
  const client = await countedClient(request, env)
  if (client === undefined) return end()
  const now = Date.now() / 1_000
  requireNoWait(secondsToWait(failed[door].recent(client, FAILED, now), FAILED, now))
  try {
    return await end()
  } catch (error) {
    failed[door].add(client, FAILED, now)
    throw error
  }
}

function requireNoWait(wait: number): void {
  if (wait > 0) throw new RateLimitHitError(wait)
}
