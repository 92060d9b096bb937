import * as v from 'valibot'
import { vi } from 'vitest'
import { type Address, REQUESTS, type RequestTo } from './bouncer-protocol.ts'
import { fromJson } from './json.ts'
import { type NotifyByToken, TokenBouncer } from './token-bouncer.ts'

/** One registration for encrypted notifications as it reached the bouncer. */
export interface BouncedRegistration {
  readonly realmUuid: string
  readonly accountId: string
  readonly encryptedRegistration: string
  readonly bouncerPublicKey: string
}

/** A device that the bouncer knows by its token. */
export interface BouncedDevice {
  readonly realmUuid: string
  readonly userUuid: string
  readonly kind: 'fcm' | 'apns'
  readonly appId: string | undefined
}

/** A device that the bouncer knows by a number of its own, for encrypted notifications. */
interface SealedDevice {
  readonly realmUuid: string
  readonly accountId: string
}

/** An encrypted notification as it reached the bouncer, with everything that the bouncer can read. */
export interface BouncedBox {
  readonly deviceId: string
  readonly accountId: string
  /** Options for the push service that delivers it. */
  readonly delivery: unknown
  readonly box: Uint8Array
}

const BOUNCER_URL = 'https://push.example.test'
export const BOUNCER_PUBLIC_KEY = 'Ym91bmNlciBwdWJsaWMga2V5'

/** Settings of a deployment that is known to the bouncer. */
export const BOUNCER_SETTINGS = {
  PUSH_BOUNCER_URL: BOUNCER_URL,
  PUSH_BOUNCER_ORG_ID: 'org-1',
  PUSH_BOUNCER_ORG_KEY: 'org-key',
}

const PATHS = '/api/v1/remotes/push/'
export type BouncedNotification = RequestTo<'notify'>
export type BouncedTest = RequestTo<'test_notification'>

/** Routes that accept a form; the others accept JSON. */
const FORMS: ReadonlySet<Address> = new Set<Address>(['e2ee/register', 'register', 'unregister'])

/**
 * A push bouncer at BOUNCER_URL, in place of the network. It checks its protocol: an invalid request
 * makes the test fail. A registration is the base64 of `expired`, or of any other text;
 * a text that is not base64 stands for one that cannot be decrypted.
 */
export class PushBouncer {
  readonly registrations: BouncedRegistration[] = []
  /** Devices by token. */
  readonly devices = new Map<string, BouncedDevice>()
  readonly notifications: BouncedNotification[] = []
  readonly tests: BouncedTest[] = []
  /** Encrypted notifications, in the order in which they came. */
  readonly boxes: BouncedBox[] = []
  /** Everything that the bouncer could read in requests with encrypted notifications. */
  readable = ''
  /** Devices by the bouncer's id. */
  readonly sealedDevices = new Map<string, SealedDevice>()
  /** Its part for devices that have a key. */
  readonly keyed = new TokenBouncer()
  /** Tokens and device ids that the services behind the bouncer do not know any more. */
  readonly dead = new Set<string>()
  /** Failures of the next requests, in order: an HTTP status, a refusal's code, an error, or another answer. Later requests succeed. */
  readonly failures: (number | string | Error | (() => Response))[] = []
  /** Like `failures`, for requests with encrypted notifications alone. */
  readonly failuresOfBoxes: (number | string | Error)[] = []
  /** Called before a notification, or the registration of a token, is answered. */
  meanwhile: (() => Promise<unknown>) | undefined
  /** Violations of the protocol in requests. */
  readonly complaints: string[] = []
  requests = 0

  open(): void {
    vi.stubGlobal('fetch', (input: RequestInfo, init?: RequestInit) => this.#answer(new Request(input, init)))
  }

  close(): void {
    vi.unstubAllGlobals()
    if (this.complaints.length > 0) throw new Error(this.complaints.join('\n'))
  }

  /** Deletes the record of requests; the devices stay. */
  forgetRequests(): void {
    const { registrations, notifications, tests, boxes, failures, failuresOfBoxes } = this
    for (const list of [registrations, notifications, tests, boxes, failures, failuresOfBoxes])
      list.length = 0
    this.keyed.forgetRequests()
    this.readable = ''
    this.requests = 0
  }

  /** The messages that Android devices were notified of, with their recipients. */
  get notified(): [userId: number, messageId: number][] {
    return this.notifications.flatMap(({ gcm_payload: payload }): [number, number][] =>
      payload.event === 'message' ? [[payload.user_id, payload.zulip_message_id]] : [],
    )
  }

  /** The messages whose notifications were removed again, with their recipients. */
  get removed(): [userId: number, messageIds: number[]][] {
    return this.notifications.flatMap(({ gcm_payload: payload }): [number, number[]][] =>
      payload.event === 'remove' ? [[payload.user_id, payload.zulip_message_ids.split(',').map(Number)]] : [],
    )
  }

  async #answer(request: Request): Promise<Response> {
    // The request is from another file's organization, whose alarms call in the same isolate.
    if (new URL(request.url).origin !== BOUNCER_URL) throw new TypeError('no such host')
    this.requests += 1
    const sealed = request.url.endsWith('e2ee/notify') ? this.failuresOfBoxes.shift() : undefined
    const failure = sealed ?? this.failures.shift()
    if (failure instanceof Error) throw failure
    // An answer is made where it is read: a request cannot read what another has made.
    if (typeof failure === 'function') return failure()
    if (typeof failure === 'string') return refusal(failure)
    if (failure !== undefined) return Response.json({ result: 'error', msg: 'down' }, { status: failure })
    const address = this.#addressOf(request)
    const body = new TextDecoder().decode(await request.arrayBuffer())
    const isForm = /x-www-form-urlencoded/.test(request.headers.get('content-type') ?? '')
    this.#require(isForm === FORMS.has(address), `${address} does not take this kind of body`)
    if (address === 'e2ee/notify') this.readable += body
    const fields = isForm ? Object.fromEntries(new URLSearchParams(body)) : fromJson(body, everyDigit)
    return this.#carryOut(address, fields)
  }

  #addressOf(request: Request): Address {
    const { pathname } = new URL(request.url)
    const address = pathname.replace(PATHS, '')
    this.#require(address in REQUESTS, `The bouncer has no ${request.url}`)
    this.#require(request.method === 'POST', `The bouncer does not take ${request.method}`)
    const isKnown = request.headers.get('authorization') === `Basic ${btoa('org-1:org-key')}`
    this.#require(isKnown, 'The bouncer does not know this server')
    return address as Address
  }

  async #carryOut(address: Address, fields: unknown): Promise<Response> {
    switch (address) {
      case 'e2ee/register':
        return this.#registerDevice(this.#parse(address, fields))
      case 'e2ee/notify':
        return this.#deliver(this.#parse(address, fields))
      case 'register':
        return this.#register(this.#parse(address, fields))
      case 'unregister':
        return this.#unregister(this.#parse(address, fields))
      case 'notify':
        return this.#notify(this.#parse(address, fields))
      case 'test_notification':
        return this.#test(this.#parse(address, fields))
    }
  }

  async #registerDevice(form: RequestTo<'e2ee/register'>): Promise<Response> {
    if ('token_id' in form) {
      const code = await this.keyed.register(form)
      await this.meanwhile?.()
      return code === undefined ? success({}) : refusal(code)
    }
    if (form.bouncer_public_key !== BOUNCER_PUBLIC_KEY) return refusal('INVALID_BOUNCER_PUBLIC_KEY')
    const plain = decrypted(form.encrypted_push_registration)
    if (plain === undefined) return refusal('BAD_REQUEST')
    if (plain === 'expired') return refusal('REQUEST_EXPIRED')
    this.registrations.push({
      realmUuid: form.realm_uuid,
      accountId: form.push_account_id,
      encryptedRegistration: form.encrypted_push_registration,
      bouncerPublicKey: form.bouncer_public_key,
    })
    const deviceId = this.sealedDevices.size + 1
    this.sealedDevices.set(String(deviceId), { realmUuid: form.realm_uuid, accountId: form.push_account_id })
    return success({ device_id: deviceId })
  }

  async #deliver(notification: RequestTo<'e2ee/notify'>): Promise<Response> {
    if (isByToken(notification)) {
      const answer = this.keyed.deliver(notification, this.dead, (kind, kinds) =>
        this.#require(kind === kinds, `A request for ${kinds} has a device of ${kind}`),
      )
      await this.meanwhile?.()
      return success({ ...answer, realm_push_status: { can_push: true, expected_end_timestamp: null } })
    }
    const { realm_uuid, push_requests } = notification
    const isGone = (deviceId: string) => {
      const device = this.sealedDevices.get(deviceId)
      return this.dead.has(deviceId) || device?.realmUuid !== realm_uuid
    }
    for (const { device_id, payload, ...delivery } of push_requests) {
      const { push_account_id: accountId, encrypted_data: box, ...more } = payload
      if (isGone(device_id)) continue
      this.#require(
        this.sealedDevices.get(device_id)?.accountId === accountId,
        `Device ${device_id} is not account ${accountId}`,
      )
      this.boxes.push({ deviceId: device_id, accountId, delivery: { ...delivery, ...more }, box })
    }
    await this.meanwhile?.()
    return success({
      android_successfully_sent_count: push_requests.filter((request) => 'fcm_priority' in request).length,
      apple_successfully_sent_count: push_requests.filter((request) => 'http_headers' in request).length,
      delete_device_ids: push_requests
        .map(({ device_id }) => device_id)
        .filter(isGone)
        .map(Number),
      realm_push_status: { can_push: true, expected_end_timestamp: null },
    })
  }

  #register(form: RequestTo<'register'>): Response {
    const kind = form.token_kind === '1' ? 'apns' : 'fcm'
    if (kind === 'apns' && form.ios_app_id === undefined) return refusal('BAD_REQUEST')
    if (form.token === 'refused') return refusal('BAD_REQUEST')
    this.devices.set(form.token, {
      kind,
      realmUuid: form.realm_uuid,
      userUuid: form.user_uuid,
      appId: form.ios_app_id,
    })
    return success({})
  }

  #unregister(form: RequestTo<'unregister'>): Response {
    return this.devices.delete(form.token) ? success({}) : refusal('BAD_REQUEST')
  }

  async #notify(notification: RequestTo<'notify'>): Promise<Response> {
    this.#require(notification.user_id === notification.gcm_payload.user_id, 'A payload is for somebody else')
    const unusable = (token: string) => {
      const device = this.devices.get(token)
      return this.dead.has(token) || device?.userUuid !== notification.user_uuid
    }
    this.notifications.push(notification)
    await this.meanwhile?.()
    return success({
      total_android_devices: notification.android_devices.length,
      total_apple_devices: notification.apple_devices.length,
      deleted_devices: {
        android_devices: notification.android_devices.filter(unusable),
        apple_devices: notification.apple_devices.filter(unusable),
      },
      realm: { can_push: true, expected_end_timestamp: null },
    })
  }

  #test(test: RequestTo<'test_notification'>): Response {
    if (this.devices.get(test.token)?.userUuid !== test.user_uuid) {
      return refusal('INVALID_REMOTE_PUSH_DEVICE_TOKEN')
    }
    this.tests.push(test)
    return success({})
  }

  #parse<A extends Address>(address: A, fields: unknown): RequestTo<A> {
    const result = v.safeParse(REQUESTS[address], fields)
    const issues = result.issues?.map((issue) => `${v.getDotPath(issue) ?? ''}: ${issue.message}`)
    const what = JSON.stringify(fields, (_key, value) => (typeof value === 'bigint' ? String(value) : value))
    this.#require(result.success, `${address} does not take ${what}: ${issues?.join('; ')}`)
    return result.output as RequestTo<A>
  }

  #require(condition: boolean, complaint: string): void {
    if (condition) return
    this.complaints.push(complaint)
    throw new Error(complaint)
  }
}

/** Restores integers that a number cannot hold exactly, from their source text. */
function everyDigit(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const isLong = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
  return isLong && context?.source ? BigInt(context.source) : value
}

function isByToken(notification: RequestTo<'e2ee/notify'>): notification is NotifyByToken {
  return 'token_id' in notification.push_requests[0]!
}

function success(fields: object): Response {
  return Response.json({ result: 'success', msg: '', ...fields })
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
