import { BadRequestError } from '../../core/errors.ts'
import { fromJson, type JsonText, jsonText } from '../../core/json.ts'
import { openSecret, type SecretPurpose, sealSecret } from '../../core/sealed-secret.ts'
import { MINUTE } from '../../core/time.ts'
import { hostCookie, hostCookieSet } from './browser-session.ts'
import type { Environment } from './environment.ts'
import { findRealm } from './find-realm.ts'

/** The state of a process that leads a browser to another site and back. The browser keeps it, sealed from all others. */
export interface FlowKind {
  readonly cookie: string
  readonly purpose: SecretPurpose
}

/** `begunAt`: UNIX seconds. */
export type Kept<Flow> = Flow & { readonly begunAt: number }

const GOOD_FOR_SECONDS = 10 * MINUTE

/** Returns the Set-Cookie value that stores the flow in this browser, replacing any earlier flow. @throws NoSecretsKeyError */
export async function keepFlow<Flow extends object>(
  request: Request,
  env: Environment,
  { cookie, purpose }: FlowKind,
  flow: Flow,
): Promise<string> {
  const kept: Kept<Flow> = { ...flow, begunAt: Math.floor(Date.now() / 1_000) }
  const sealed = await sealSecret(env, await placeOf(request, env, purpose), jsonText(kept))
  return hostCookieSet(new URL(request.url), cookie, sealed, GOOD_FOR_SECONDS)
}

/** Returns the pending flow of this browser; undefined without one, or after it has expired. */
export async function keptFlow<Flow extends object>(
  request: Request,
  env: Environment,
  { cookie, purpose }: FlowKind,
): Promise<Kept<Flow> | undefined> {
  const sealed = hostCookie(request, cookie)
  if (sealed === undefined) return undefined
  try {
    const text = await openSecret(env, await placeOf(request, env, purpose), sealed)
    const flow = fromJson(text as JsonText<Kept<Flow>>)
    return Date.now() / 1_000 < flow.begunAt + GOOD_FOR_SECONDS ? flow : undefined
  } catch (error) {
    // Sealed elsewhere, or forged.
    if (error instanceof BadRequestError) return undefined
    throw error
  }
}

/** Whether the browser has a cookie that could be a flow. */
export function hasFlow(request: Request, { cookie }: FlowKind): boolean {
  return hostCookie(request, cookie) !== undefined
}

/** Returns the Set-Cookie value that deletes the flow. */
export function endFlow(request: Request, { cookie }: FlowKind): string {
  return hostCookieSet(new URL(request.url), cookie, '', 0)
}

async function placeOf(request: Request, { DB }: Environment, purpose: SecretPurpose) {
  const realm = await findRealm(DB, new URL(request.url))
  return { realmId: realm?.id ?? 0, purpose }
}
