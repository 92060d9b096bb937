import type { RequestTo } from './bouncer-protocol.ts'
import { fromJson } from './json.ts'
import { type BoxKeys, makeBoxKeys, openSealedBox } from './sealed-boxes.ts'
import { world } from './world.ts'

/** A token that the bouncer has accepted, with what was in the sealed registration. */
interface AcceptedToken {
  readonly realmUuid: string
  readonly token: string
  readonly kind: 'fcm' | 'apns'
  readonly appId: string | undefined
}

/** An encrypted notification for a device with a key, with everything that the bouncer can read. */
export interface KeyedBox {
  readonly tokenId: string
  readonly keyId: number
  /** Options for the push service that delivers it. */
  readonly delivery: unknown
  readonly box: Uint8Array
}

type RegisterByToken = Extract<RequestTo<'e2ee/register'>, { readonly token_id: string }>
type Notify = RequestTo<'e2ee/notify'>
export type NotifyByToken = Extract<
  Notify,
  { readonly push_requests: readonly { readonly token_id: string }[] }
>

let keys: Promise<BoxKeys> | undefined

/** The bouncer's key pair; the public key is part of every release of the app. */
export function bouncerKeys(): Promise<BoxKeys> {
  keys ??= makeBoxKeys()
  return keys
}

/** The bouncer since level 468, which knows devices by the ids of their tokens, and reads the tokens in the sealed registrations. */
export class TokenBouncer {
  /** By id. */
  readonly tokens = new Map<string, AcceptedToken>()
  /** Notifications, in the order in which they came. */
  readonly boxes: KeyedBox[] = []
  registrations = 0

  forgetRequests(): void {
    this.boxes.length = 0
    this.registrations = 0
  }

  /** Registers a token. Returns the code of a refusal. */
  async register(form: RegisterByToken): Promise<string | undefined> {
    this.registrations += 1
    const own = await bouncerKeys()
    if (form.bouncer_public_key !== base64(own.publicKey)) return 'INVALID_BOUNCER_PUBLIC_KEY'
    const opened = await open(form.encrypted_push_registration, own)
    if (!opened) return 'BAD_REQUEST'
    const { token_kind: kind, token, timestamp, ios_app_id: appId, ...more } = opened
    if (Object.keys(more).length > 0 || (kind !== 'fcm' && kind !== 'apns')) return 'BAD_REQUEST'
    if ((kind === 'apns') !== (appId !== undefined)) return 'BAD_REQUEST'
    if ((await tokenIdOf(String(token))) !== form.token_id) return 'BAD_REQUEST'
    if (Number(timestamp) < Date.now() / 1_000 + world.clockOffset - 86_400) return 'REQUEST_EXPIRED'
    this.tokens.set(form.token_id, {
      realmUuid: form.realm_uuid,
      token: String(token),
      kind,
      appId: appId === undefined ? undefined : String(appId),
    })
    return undefined
  }

  /** Delivers a notification, and answers with the tokens that are no longer known. */
  deliver(
    { realm_uuid, push_requests }: NotifyByToken,
    dead: ReadonlySet<string>,
    requireKind: (kind: string, kinds: string) => void,
  ): object {
    const sent = { fcm: 0, apns: 0 }
    const gone: string[] = []
    for (const { token_id: tokenId, payload, ...delivery } of push_requests) {
      const known = this.tokens.get(tokenId)
      if (dead.has(tokenId) || known?.realmUuid !== realm_uuid) {
        gone.push(tokenId)
        continue
      }
      requireKind(known.kind, 'fcm_priority' in delivery ? 'fcm' : 'apns')
      const { push_key_id: keyId, encrypted_data: box, ...more } = payload
      this.boxes.push({ tokenId, keyId, delivery: { ...delivery, ...more }, box })
      sent[known.kind] += 1
    }
    return {
      android_successfully_sent_count: sent.fcm,
      apple_successfully_sent_count: sent.apns,
      delete_token_ids: gone,
    }
  }
}

async function open(registration: string, own: BoxKeys): Promise<Record<string, unknown> | undefined> {
  try {
    return fromJson(new TextDecoder().decode(await openSealedBox(bytesOf(registration), own)))
  } catch {
    return undefined
  }
}

/** Returns the id of a token: the first eight bytes of its SHA-256, in Base64. */
export async function tokenIdOf(token: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))
  return base64(new Uint8Array(digest).slice(0, 8))
}

export function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}
