import type { RequestSource } from '../core/call.ts'
import { ApiError } from '../core/errors.ts'
import { countUnreadStep } from '../features/browser-sessions/unread-elsewhere.ts'
import { callRealm } from './call-realm.ts'
import type { Environment } from './environment.ts'
import { realmElsewhere } from './find-realm.ts'

const KEY = /^(\d{1,15})\.([0-9a-f]{64})$/

/**
 * Asks another organization of the deployment for the number of unread messages of whoever has this key; null where it does not say. It learns
 * nothing of the organization whose page asks, and counts the request for the network that it comes from.
 */
export async function unreadAt(
  env: Environment,
  { origin: own, userAgent, ip, deployment }: RequestSource,
  url: string,
  key: string,
): Promise<number | null> {
  const [, session, secret] = KEY.exec(key) ?? []
  if (!session) return null
  try {
    const asked = await realmElsewhere(env.DB, url, new URL(own))
    if (!asked) return null
    const { realm } = asked
    const { outcome } = await callRealm(
      env,
      realm,
      {
        operation: countUnreadStep.operation,
        credentials: { kind: 'none' },
        parameters: { ok: true, value: { session: Number(session), secret } },
        source: { origin: asked.url.origin, userAgent, ip, ...(deployment ? { deployment } : {}) },
        host: realm.host,
      },
      true,
    )
    return outcome.ok ? (outcome.value as { readonly count: number }).count : null
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}
