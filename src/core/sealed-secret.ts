import { logSettingProblem } from './deployment-settings.ts'
import { BadRequestError } from './errors.ts'

export interface SealingEnvironment {
  /** Secret of the deployment: 32 bytes in base64, with which it seals the secrets of organizations. */
  readonly SECRETS_KEY?: string
  /** The key of before, which still opens what it has sealed. */
  readonly SECRETS_KEY_PREVIOUS?: string
}

/** What a secret is for. What was sealed for one purpose opens for no other. */
export type SecretPurpose =
  | 'login provider'
  | 'json web token'
  | 'second factor'
  | 'incoming webhook'
  /** What a browser keeps of a log-in for minutes. */
  | 'log-in under way'
  /** What identifies a browser that was used to log in. */
  | 'known browser'
  /** The tokens with which this server makes an account's calls at Zoom. */
  | 'zoom account'
  /** What a browser keeps, for minutes, of a log-in at Zoom. */
  | 'zoom log-in under way'

/** Where a sealed secret belongs: it opens nowhere else, whatever row it is copied to. */
export interface SecretPlace {
  readonly realmId: number
  readonly purpose: SecretPurpose
}

/** The sealing of one organization, for endpoints. */
export interface SecretSealer {
  seal(purpose: SecretPurpose, text: string): Promise<string>
  /** Seals so that the same text gives the same result, by which one can see that a secret was entered before. */
  sealAlike(purpose: SecretPurpose, text: string): Promise<string>
  open(purpose: SecretPurpose, sealed: string): Promise<string>
}

const VERSION = '1.'
const KEY_BYTES = 32
const IV_BYTES = 12

/** The refusal where the deployment has no key, for whoever sets something up that needs one. */
export class NoSecretsKeyError extends BadRequestError {
  constructor() {
    super('This server cannot keep secrets yet. Ask whoever runs it to set SECRETS_KEY.')
  }
}

/** The refusal where a sealed text opens with no key that the deployment has. */
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
 * Encrypts a secret that is stored (AES-256-GCM, with a key for this place alone). Two results of the same text differ. In the Worker only:
 * the platform's cryptography waits, which no transaction may.
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

/** Returns an initialization vector that follows from the text, so that no two texts share one. */
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

/** @throws NoSecretsKeyError, and LostSecretError where no key of the deployment opens it in this place. */
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
      // Sealed with the other key, or not here.
    }
  }
  throw new LostSecretError()
}

/** Returns the sealing of one organization. */
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

/** Returns undefined for a key that is absent, or is none: that is logged without the value, which may be half a key. */
function keyBytes(name: string, value: string | undefined): Uint8Array<ArrayBuffer> | undefined {
  if (!value) return undefined
  const bytes = new Uint8Array(Buffer.from(value, 'base64'))
  if (bytes.length === KEY_BYTES) return bytes
  logSettingProblem(name, '…', 'It must be 32 bytes in base64.')
  return undefined
}
