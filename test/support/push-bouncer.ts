import { vi } from 'vitest'

/** One registration as it reached the bouncer. */
export interface BouncedRegistration {
  readonly realmUuid: string
  readonly accountId: string
  readonly encryptedRegistration: string
  readonly bouncerPublicKey: string
}

export const BOUNCER_URL = 'https://push.example.test'
export const BOUNCER_PUBLIC_KEY = 'Ym91bmNlciBwdWJsaWMga2V5'

/** Settings of a deployment that is known to the bouncer. */
export const BOUNCER_SETTINGS = {
  PUSH_BOUNCER_URL: BOUNCER_URL,
  PUSH_BOUNCER_ORG_ID: 'org-1',
  PUSH_BOUNCER_ORG_KEY: 'org-key',
}

const FIELDS = ['bouncer_public_key', 'encrypted_push_registration', 'push_account_id', 'realm_uuid']

/**
 * A push bouncer at BOUNCER_URL, in place of the network. It insists on its protocol: whatever is wrong
 * with a request itself is a failed test. A registration is the base64 of `expired`, or of anything else;
 * what is no base64 cannot be decrypted.
 */
export class PushBouncer {
  readonly registrations: BouncedRegistration[] = []
  /** Requests that are to be answered so, before any other is answered as it should be. */
  readonly failures: (number | Error)[] = []
  requests = 0
  /** Nobody is answered before so many have asked. */
  answersAfter = 1
  readonly #waiting: (() => void)[] = []

  open(): void {
    vi.stubGlobal('fetch', (input: RequestInfo, init?: RequestInit) => this.#answer(new Request(input, init)))
  }

  close(): void {
    vi.unstubAllGlobals()
  }

  async #answer(request: Request): Promise<Response> {
    this.requests += 1
    if (this.requests < this.answersAfter) await new Promise<void>((go) => this.#waiting.push(go))
    for (const go of this.#waiting.splice(0)) go()
    const failure = this.failures.shift()
    if (failure instanceof Error) throw failure
    if (failure !== undefined) return Response.json({ result: 'error', msg: 'down' }, { status: failure })
    const form = await this.#requireProtocol(request)
    if (form.get('bouncer_public_key') !== BOUNCER_PUBLIC_KEY) return refusal('INVALID_BOUNCER_PUBLIC_KEY')
    const plain = decrypted(form.get('encrypted_push_registration')!)
    if (plain === undefined) return refusal('BAD_REQUEST')
    if (plain === 'expired') return refusal('REQUEST_EXPIRED')
    this.registrations.push({
      realmUuid: form.get('realm_uuid')!,
      accountId: form.get('push_account_id')!,
      encryptedRegistration: form.get('encrypted_push_registration')!,
      bouncerPublicKey: form.get('bouncer_public_key')!,
    })
    return Response.json({ result: 'success', msg: '', device_id: this.registrations.length })
  }

  async #requireProtocol(request: Request): Promise<URLSearchParams> {
    const { pathname, origin } = new URL(request.url)
    const authorization = `Basic ${btoa('org-1:org-key')}`
    if (origin !== BOUNCER_URL || pathname !== '/api/v1/remotes/push/e2ee/register') {
      throw new Error(`The bouncer has no ${request.url}`)
    }
    if (request.method !== 'POST') throw new Error(`The bouncer does not take ${request.method}`)
    if (request.headers.get('authorization') !== authorization) {
      throw new Error('The bouncer does not know this server')
    }
    const form = new URLSearchParams(new TextDecoder().decode(await request.arrayBuffer()))
    const names = [...form.keys()].sort().join()
    if (names !== FIELDS.join()) throw new Error(`The bouncer does not take ${names}`)
    if (!/^-?\d+$/.test(form.get('push_account_id')!)) throw new Error('push_account_id is no integer')
    if (!/^[0-9a-f-]{36}$/.test(form.get('realm_uuid')!)) throw new Error('realm_uuid is no UUID')
    return form
  }
}

function refusal(code: string): Response {
  return Response.json({ result: 'error', msg: code, code }, { status: 400 })
}

function decrypted(registration: string): string | undefined {
  try {
    return atob(registration)
  } catch {
    return undefined
  }
}
