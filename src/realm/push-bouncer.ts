import type { PushDevice, PushErrorCode } from '../domain/push/push-device-rows.ts'
import type { PushOutcome } from '../domain/push/settle-push-device.ts'

/** Settings of the environment for push notifications. */
export interface PushEnvironment {
  /** `https://push.example.com`; without it there are no push notifications. */
  readonly PUSH_BOUNCER_URL?: string
  /** With which this server is known to the bouncer. */
  readonly PUSH_BOUNCER_ORG_ID?: string
  readonly PUSH_BOUNCER_ORG_KEY?: string
}

/**
 * Asks the bouncer to take a device. Rejects when it could not be asked, or did not say anything about the
 * registration itself: then it is asked again.
 */
export type PushRegistrar = (device: PushDevice, realmUuid: string) => Promise<PushOutcome>

const PATH = '/api/v1/remotes/push/e2ee/register'
const ANSWER_WITHIN_MS = 10_000
const REFUSALS: ReadonlySet<string> = new Set<PushErrorCode>([
  'INVALID_BOUNCER_PUBLIC_KEY',
  'BAD_REQUEST',
  'REQUEST_EXPIRED',
])

/** The bouncer of the environment; it is looked up when it is needed. */
export function pushRegistrarOf(env: PushEnvironment): PushRegistrar {
  return async (device, realmUuid) => {
    const url = env.PUSH_BOUNCER_URL
    if (!url) throw new Error('PUSH_BOUNCER_URL is not set')
    return withinTime(async (signal) => {
      const response = await fetch(`${url.replace(/\/$/, '')}${PATH}`, {
        method: 'POST',
        headers: authorizationOf(env),
        body: new URLSearchParams({
          realm_uuid: realmUuid,
          push_account_id: device.accountId,
          encrypted_push_registration: device.encryptedRegistration,
          bouncer_public_key: device.bouncerPublicKey,
        }),
        signal,
      })
      return readOutcome(response)
    })
  }
}

/** The timer goes with the answer: a waiting one would keep the object from sleeping. */
async function withinTime<R>(ask: (signal: AbortSignal) => Promise<R>): Promise<R> {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), ANSWER_WITHIN_MS)
  try {
    return await ask(controller.signal)
  } finally {
    clearTimeout(timer)
  }
}

function authorizationOf({
  PUSH_BOUNCER_ORG_ID,
  PUSH_BOUNCER_ORG_KEY,
}: PushEnvironment): Record<string, string> {
  const pair = `${PUSH_BOUNCER_ORG_ID ?? ''}:${PUSH_BOUNCER_ORG_KEY ?? ''}`
  return pair === ':' ? {} : { Authorization: `Basic ${btoa(pair)}` }
}

async function readOutcome(response: Response): Promise<PushOutcome> {
  const answer = (await response.json().catch(() => ({}))) as { code?: unknown; device_id?: unknown }
  const { device_id, code } = answer
  if (response.ok && (typeof device_id === 'number' || typeof device_id === 'string')) {
    return { deviceId: String(device_id) }
  }
  // What concerns this server, and not the device, has another status: 401, 403, 429, 5xx.
  if (response.status === 400 && typeof code === 'string' && REFUSALS.has(code)) {
    return { errorCode: code as PushErrorCode }
  }
  throw new Error(`The push bouncer answered ${response.status} ${String(code ?? '')}`)
}
