import { ApiError } from '../../../core/errors.ts'
import { fromJson, type JsonText, jsonText } from '../../../core/json.ts'
import { openSecret, sealSecret } from '../../../core/sealed-secret.ts'
import { MINUTE } from '../../../core/time.ts'
import { hostCookie, hostCookieSet } from '../../browser-session.ts'
import type { Environment } from '../../environment.ts'
import { findRealm } from '../../find-realm.ts'
import type { FlowSecrets } from '../../providers/code-flow.ts'
import type { Destination } from './login-end.ts'

/** What the person comes back for from a provider. */
export type FlowPurpose =
  | 'log in'
  /** To connect what they are there with the account that is logged in. */
  | 'connect'
  /** To prove that they are still who is logged in. */
  | 'prove'

/** A log-in at a provider that is under way. The browser that has begun it keeps it, sealed: nobody else can read or change it. */
export interface ProviderFlow {
  /** The provider's name in addresses. */
  readonly slug: string
  readonly purpose: FlowPurpose
  readonly secrets: FlowSecrets
  readonly destination: Destination
  /** The end of an invitation's link; null without one. */
  readonly invitation: string | null
  /** The digest of the session for which it was begun; null for a log-in. */
  readonly session: string | null
}

interface KeptFlow extends ProviderFlow {
  /** UNIX seconds. */
  readonly begunAt: number
}

const COOKIE = 'login_flow'
const GOOD_FOR_SECONDS = 10 * MINUTE

/** Characters of a path to return to: browsers keep no cookie of more than 4,096 bytes. */
const MAX_NEXT = 1_500

/** Returns a value of Set-Cookie that keeps the flow in this browser. One that was begun before is over. @throws NoSecretsKeyError */
export async function keepFlow(request: Request, env: Environment, flow: ProviderFlow): Promise<string> {
  const { destination } = flow
  const isLong = destination.kind === 'session' && destination.next.length > MAX_NEXT
  const kept: KeptFlow = {
    ...flow,
    destination: isLong ? { kind: 'session', next: '/' } : destination,
    begunAt: Math.floor(Date.now() / 1_000),
  }
  const sealed = await sealSecret(env, await placeOf(request, env), jsonText(kept))
  return hostCookieSet(new URL(request.url), COOKIE, sealed, GOOD_FOR_SECONDS)
}

/** Returns the flow that this browser has begun at this provider; undefined without one, or when it is over. */
export async function keptFlow(
  request: Request,
  env: Environment,
  slug: string,
): Promise<KeptFlow | undefined> {
  const sealed = hostCookie(request, COOKIE)
  if (sealed === undefined) return undefined
  try {
    const text = await openSecret(env, await placeOf(request, env), sealed)
    const flow = fromJson(text as JsonText<KeptFlow>)
    return flow.slug === slug && Date.now() / 1_000 < flow.begunAt + GOOD_FOR_SECONDS ? flow : undefined
  } catch (error) {
    // Sealed elsewhere, or by nobody.
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** Whether the browser has kept anything that could be a flow. */
export function hasFlow(request: Request): boolean {
  return hostCookie(request, COOKIE) !== undefined
}

/** Returns a value of Set-Cookie after which the browser keeps no flow. */
export function endFlow(request: Request): string {
  return hostCookieSet(new URL(request.url), COOKIE, '', 0)
}

async function placeOf(request: Request, { DB }: Environment) {
  const realm = await findRealm(DB, new URL(request.url))
  return { realmId: realm?.id ?? 0, purpose: 'log-in under way' } as const
}
