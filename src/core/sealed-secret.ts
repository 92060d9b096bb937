import { logSettingProblem } from './deployment-settings.ts'
import { BadRequestError } from './errors.ts'

export interface SealingEnvironment {
  /** The deployment's key for sealing organizations' secrets: 32 bytes in base64. */
  readonly SECRETS_KEY?: string
  /** The previous key, which still opens what it has sealed. */
  readonly SECRETS_KEY_PREVIOUS?: string
}

/** The purpose of a secret. A secret that was sealed for one purpose opens for no other. */
export type SecretPurpose =
  | 'login provider'
  | 'json web token'
  | 'second factor'
  | 'incoming webhook'
  /** The state of a log-in, which a browser keeps for some minutes. */
  | 'log-in under way'
  /** The ID token with which a browser's session began at a provider. */
  | 'session at a provider'
  /** The identity of a browser that was used to log in. */
  | 'known browser'
  /** The tokens with which this server creates an account's calls at Zoom. */
  | 'zoom account'
  /** The store and the key of a backup of another server, while it is filled in. */
  | 'move'
  /** The state of a log-in at Zoom, which a browser keeps for some minutes. */
  | 'zoom log-in under way'

/** The place where a sealed secret belongs: it opens nowhere else, whatever row it is copied to. */
export interface SecretPlace {
  readonly realmId: number
  readonly purpose: SecretPurpose
}

/** The sealer of one organization, for endpoints. */
export interface SecretSealer {
  seal(purpose: SecretPurpose, text: string): Promise<string>
  /** Seals deterministically: the same text gives the same result, which shows that a secret was entered before. */
  sealAlike(purpose: SecretPurpose, text: string): Promise<string>
  open(purpose: SecretPurpose, sealed: string): Promise<string>
}

const VERSION = '1.'
const KEY_BYTES = 32
const IV_BYTES = 12

/** The refusal if the deployment has no key, for users who set up something that needs one. */
export class NoSecretsKeyError extends BadRequestError {
  constructor() {
    super('This server cannot keep secrets yet. Ask its operator to set SECRETS_KEY.')
  }
}

/** The refusal if none of the deployment's keys opens a sealed text. */
export class LostSecretError extends BadRequestError {
  constructor() {
    super('This server cannot read this secret any more, since its key was replaced. Enter it again.')
  }
}

/** Whether the deployment has a key, without which nothing can be sealed. */
export function canSeal({ SECRETS_KEY }: SealingEnvironment): boolean {
  return keyBytes('SECRETS_KEY', SECRETS_KEY) !== undefined
}

/**
 * Encrypts a secret for storage (AES-256-GCM, with a key for this place alone). Two results of the same text differ. Only for the Worker:
 * the platform's cryptography is asynchronous, which no transaction may be.
 * @throws NoSecretsKeyError
 */
export async function sealSecret(env: SealingEnvironment, place: SecretPlace, text: string): Promise<string> {
  return sealed(env, place, text, async () => crypto.getRandomValues(new Uint8Array(IV_BYTES)))
}

async function sealed(
  env: SealingEnvironment,
  place: SecretPlace,
  text: string,
  ivOf: (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array<ArrayBuffer>>,
): Promise<string> {
  const bytes = keyBytes('SECRETS_KEY', env.SECRETS_KEY)
  if (!bytes) throw new NoSecretsKeyError()
  const key = await keyFor(bytes, place, 'encrypt')
  const iv = await ivOf(bytes)
  const content = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, new TextEncoder().encode(text))
  return VERSION + Buffer.concat([iv, new Uint8Array(content)]).toString('base64url')
}

/** Derives an initialization vector from the text, so that no two texts share one. */
async function ivOfText(bytes: Uint8Array<ArrayBuffer>, place: SecretPlace, text: string) {
  const key = await crypto.subtle.deriveKey(
    derivationFor(place, 'vector'),
    await crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveKey']),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  )
  const digest = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text))
  return new Uint8Array(digest, 0, IV_BYTES)
}

/** @throws NoSecretsKeyError, and LostSecretError if none of the deployment's keys opens it in this place. */
export async function openSecret(
  env: SealingEnvironment,
  place: SecretPlace,
  sealed: string,
): Promise<string> {
  const keys = [
    keyBytes('SECRETS_KEY', env.SECRETS_KEY),
    keyBytes('SECRETS_KEY_PREVIOUS', env.SECRETS_KEY_PREVIOUS),
  ].filter((bytes) => bytes !== undefined)
  if (keys.length === 0) throw new NoSecretsKeyError()
  const body = sealed.startsWith(VERSION)
    ? Buffer.from(sealed.slice(VERSION.length), 'base64url')
    : new Uint8Array()
  for (const bytes of keys) {
    const key = await keyFor(bytes, place, 'decrypt')
    const iv = body.subarray(0, IV_BYTES)
    try {
      const text = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, body.subarray(IV_BYTES))
      return new TextDecoder().decode(text)
    } catch {
      // Sealed with the other key, or in another place.
    }
  }
  throw new LostSecretError()
}

export function sealerOf(env: SealingEnvironment, realmId: number): SecretSealer {
  return {
    seal: (purpose, text) => sealSecret(env, { realmId, purpose }, text),
    sealAlike(purpose, text) {
      const place = { realmId, purpose }
      return sealed(env, place, text, (bytes) => ivOfText(bytes, place, text))
    },
    open: (purpose, sealed) => openSecret(env, { realmId, purpose }, sealed),
  }
}

function keyFor(
  bytes: Uint8Array<ArrayBuffer>,
  place: SecretPlace,
  use: 'encrypt' | 'decrypt',
): Promise<CryptoKey> {
  const derivation = derivationFor(place)
  return crypto.subtle
    .importKey('raw', bytes, 'HKDF', false, ['deriveKey'])
    .then((key) =>
      crypto.subtle.deriveKey(derivation, key, { name: 'AES-GCM', length: 8 * KEY_BYTES }, false, [use]),
    )
}

function derivationFor({ realmId, purpose }: SecretPlace, part?: 'vector') {
  const words = ['parley secret', realmId, purpose, ...(part === undefined ? [] : [part])]
  const info = new TextEncoder().encode(words.join('\n'))
  return { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info }
}

/** Returns undefined for a key that is absent or invalid. An invalid one is logged without its value, which may be half a key. */
export function keyBytes(name: string, value: string | undefined): Uint8Array<ArrayBuffer> | undefined {
  if (!value) return undefined
  const bytes = new Uint8Array(Buffer.from(value, 'base64'))
  if (bytes.length === KEY_BYTES) return bytes
  logSettingProblem(name, '…', 'It must be 32 bytes in base64.')
  return undefined
}
