import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js'
import type { ParameterValue } from './api.ts'
import { expectSuccess, type TestRealm, type TestUser } from './factories.ts'
import { sealBox } from './inside-tools.ts'
import { fromJson } from './json.ts'
import type { PushBouncer } from './push-bouncer.ts'
import { deliverPushes } from './push-devices.ts'
import { base64, bouncerKeys, type KeyedBox, tokenIdOf } from './token-bouncer.ts'
import { world } from './world.ts'

let made = 0

type Fields = Record<string, ParameterValue>

/** An installation of the newest mobile app, in which a user is logged in. It keeps its former keys, as apps do. */
export class KeyedPhone {
  readonly kind: 'fcm' | 'apns'
  readonly deviceId: number
  token: string
  readonly keys: { readonly id: number; readonly bytes: Uint8Array }[] = []
  readonly #bouncer: PushBouncer

  constructor(bouncer: PushBouncer, deviceId: number, kind: 'fcm' | 'apns') {
    this.#bouncer = bouncer
    this.deviceId = deviceId
    this.kind = kind
    this.token = newToken()
    this.renewKey()
  }

  /** Makes the key to be registered next. */
  renewKey(): void {
    made += 1
    this.keys.push({ id: 2 ** 32 - made, bytes: crypto.getRandomValues(new Uint8Array(32)) })
  }

  renewToken(): void {
    this.token = newToken()
  }

  tokenId(): Promise<string> {
    return tokenIdOf(this.token)
  }

  /** The parameters for its newest key. */
  keyFields(): Fields {
    const { id, bytes } = this.keys.at(-1)!
    return { push_key_id: id, push_key: base64(new Uint8Array([0x31, ...bytes])) }
  }

  /** The parameters for its token. `changes`: to what only the bouncer can read. */
  async tokenFields(changes: Record<string, unknown> = {}): Promise<Fields> {
    const { publicKey } = await bouncerKeys()
    const registration = {
      token_kind: this.kind,
      token: this.token,
      timestamp: Math.floor(Date.now() / 1_000 + world.clockOffset),
      ...(this.kind === 'apns' ? { ios_app_id: 'com.example.Chat' } : {}),
      ...changes,
    }
    const sealed = await sealBox(new TextEncoder().encode(JSON.stringify(registration)), publicKey)
    return {
      token_kind: this.kind,
      token_id: await this.tokenId(),
      bouncer_public_key: base64(publicKey),
      encrypted_push_registration: base64(sealed),
    }
  }

  /** All parameters of POST /mobile_push/register. */
  async fields(changes: Fields = {}): Promise<Fields> {
    return { device_id: this.deviceId, ...this.keyFields(), ...(await this.tokenFields()), ...changes }
  }

  /** Returns the notifications that the bouncer got for the phone. */
  async boxes(): Promise<KeyedBox[]> {
    const tokenId = await this.tokenId()
    return this.#bouncer.keyed.boxes.filter((box) => box.tokenId === tokenId)
  }

  /** Decrypts all notifications that arrived for it, each with the key that it names. */
  async read(): Promise<Record<string, unknown>[]> {
    return (await this.boxes()).map(({ keyId, box }) => {
      const key = this.keys.find(({ id }) => id === keyId)!.bytes
      const text = xsalsa20poly1305(key, box.slice(0, 24)).decrypt(box.slice(24))
      return fromJson(new TextDecoder().decode(text))
    })
  }
}

function newToken(): string {
  made += 1
  return `decade${String(made).padStart(4, '0')}`
}

/** A user logs in on a new phone, which registers itself, but not yet for notifications. */
export async function logInOnPhone(
  bouncer: PushBouncer,
  user: TestUser,
  kind: 'fcm' | 'apns' = 'fcm',
): Promise<KeyedPhone> {
  const { device_id } = expectSuccess(await user.api.post('/register_client_device'))
  return new KeyedPhone(bouncer, device_id, kind)
}

/** A user logs in on a new phone, which gets notifications. */
export async function registerKeyedPhone(
  { realm, bouncer }: { readonly realm: TestRealm; readonly bouncer: PushBouncer },
  user: TestUser,
  kind: 'fcm' | 'apns' = 'fcm',
): Promise<KeyedPhone> {
  const phone = await logInOnPhone(bouncer, user, kind)
  expectSuccess(await user.api.post('/mobile_push/register', await phone.fields()))
  await deliverPushes(realm)
  return phone
}
