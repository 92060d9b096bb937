import type { RequestSource } from '../../core/call.ts'
import { ApiError } from '../../core/errors.ts'
import { callRealm } from '../request/call-realm.ts'
import type { Environment } from '../request/environment.ts'
import { realmElsewhere } from '../request/find-realm.ts'

/**
 * Makes a call that may be repeated to another organization of the deployment, at the address of its page. It learns nothing of the
 * organization whose page asks, and counts the request for the network that it comes from. Returns its answer; undefined where none is there,
 * or it refuses.
 */
export async function runElsewhere(
  env: Environment,
  { origin: own, userAgent, ip, deployment }: RequestSource,
  url: string,
  { operation, value }: { readonly operation: string; readonly value: object },
): Promise<unknown> {
  try {
    const asked = await realmElsewhere(env.DB, url, new URL(own))
    if (!asked) return undefined
    const { realm } = asked
    const { outcome } = await callRealm(
      env,
      realm,
      {
        operation,
        credentials: { kind: 'none' },
        parameters: { ok: true, value },
        source: { origin: asked.url.origin, userAgent, ip, ...(deployment ? { deployment } : {}) },
        host: realm.host,
      },
      true,
    )
    return outcome.ok ? outcome.value : undefined
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}
