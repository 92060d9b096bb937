import type { ParameterValue } from './api.ts'
import { expectSuccess, type TestRealm, type TestUser } from './factories.ts'
import { fromJson } from './json.ts'
import { BOUNCER_PUBLIC_KEY, type BouncedBox, type PushBouncer } from './push-bouncer.ts'
import { deliverPushes } from './push-devices.ts'
import { type BoxKeys, makeBoxKeys, openSealedBox } from './sealed-boxes.ts'

/** The newest account id. Clients choose ids that are too large for a JavaScript number to hold exactly. */
let accounts = 2n ** 62n

/** An installation of the mobile app with a user who is logged in. */
export class Phone {
  readonly accountId: string
  readonly keys: BoxKeys
  readonly kind: 'fcm' | 'apns'
  readonly #bouncer: PushBouncer

  constructor(bouncer: PushBouncer, kind: 'fcm' | 'apns', keys: BoxKeys) {
    accounts += 1n
    this.accountId = String(accounts)
    this.keys = keys
    this.kind = kind
    this.#bouncer = bouncer
  }

  /** The bouncer's number for the phone, once it has one. */
  get deviceId(): string {
    const known = [...this.#bouncer.sealedDevices].findLast(
      ([, { accountId }]) => accountId === this.accountId,
    )
    return known![0]
  }

  /** Parameters of POST /mobile_push/register. */
  registration(changes: Record<string, ParameterValue> = {}): Record<string, ParameterValue> {
    return {
      token_kind: this.kind,
      push_account_id: this.accountId,
      push_public_key: btoa(String.fromCharCode(...this.keys.publicKey)),
      bouncer_public_key: BOUNCER_PUBLIC_KEY,
      encrypted_push_registration: btoa(`registration ${this.accountId}`),
      ...changes,
    }
  }

  /** Returns the encrypted notifications that the bouncer got for the phone. */
  get boxes(): BouncedBox[] {
    return this.#bouncer.boxes.filter(({ accountId }) => accountId === this.accountId)
  }

  /** Decrypts all notifications that arrived for it. */
  async read(): Promise<Record<string, unknown>[]> {
    const texts = await Promise.all(this.boxes.map(({ box }) => openSealedBox(box, this.keys)))
    return texts.map((text) => fromJson(new TextDecoder().decode(text)))
  }
}

/** Registers a device of the user for encrypted notifications. */
export async function registerPhone(
  { realm, bouncer }: { readonly realm: TestRealm; readonly bouncer: PushBouncer },
  user: TestUser,
  kind: 'fcm' | 'apns' = 'fcm',
): Promise<Phone> {
  const phone = new Phone(bouncer, kind, await makeBoxKeys())
  expectSuccess(await user.api.post('/mobile_push/register', phone.registration()))
  await deliverPushes(realm)
  return phone
}
