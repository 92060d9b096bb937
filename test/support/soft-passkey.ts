/** A passkey in software, as an authenticator and a browser make one (WebAuthn): ES256, attestation `none`. */

const text = new TextEncoder()

interface Options {
  /** The origin of the page that the browser shows. */
  readonly origin: string
  /** Whether it counts its uses. */
  readonly counts?: boolean
}

interface Answering {
  /** Whether it has verified its user. */
  readonly isVerified?: boolean
  /** The origin of a page that imitates ours. */
  readonly origin?: string
  readonly rpId?: string
  readonly handle?: string
}

export class SoftPasskey {
  readonly id = base64Url(crypto.getRandomValues(new Uint8Array(16)))
  readonly #keys: CryptoKeyPair
  readonly #options: Options
  counter = 0
  #handle = ''

  private constructor(keys: CryptoKeyPair, options: Options) {
    this.#keys = keys
    this.#options = options
  }

  static async make(options: Options): Promise<SoftPasskey> {
    const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
      'sign',
      'verify',
    ])
    return new SoftPasskey(keys as CryptoKeyPair, options)
  }

  /** Answers the options of a new passkey (`navigator.credentials.create`). */
  async created(
    options: { challenge: string; rp: { id: string }; user: { id: string } },
    { origin = this.#options.origin, rpId = options.rp.id }: Answering = {},
  ): Promise<string> {
    this.#handle = options.user.id
    const id = fromBase64Url(this.id)
    const attested = join(new Uint8Array(16), [0, id.length], id, await this.#publicKey())
    const authData = join(await this.#data(rpId, 0x45), attested)
    const attestationObject = join(
      // A map of three: fmt, attStmt, authData.
      [0xa3, ...key('fmt'), ...key('none'), ...key('attStmt'), 0xa0, ...key('authData')],
      [0x59, authData.length >> 8, authData.length & 0xff],
      authData,
    )
    return JSON.stringify({
      ...this.#names(),
      response: {
        clientDataJSON: base64Url(clientData('webauthn.create', options.challenge, origin)),
        attestationObject: base64Url(attestationObject),
        transports: ['internal'],
      },
      clientExtensionResults: {},
    })
  }

  /** Answers a challenge (`navigator.credentials.get`). */
  async answered(
    options: { challenge: string; rpId: string },
    { isVerified = true, origin = this.#options.origin, rpId = options.rpId, handle }: Answering = {},
  ): Promise<string> {
    if (this.#options.counts) this.counter += 1
    const authenticatorData = await this.#data(rpId, isVerified ? 0x05 : 0x01)
    const client = clientData('webauthn.get', options.challenge, origin)
    const signed = join(authenticatorData, new Uint8Array(await crypto.subtle.digest('SHA-256', client)))
    const raw = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, this.#keys.privateKey, signed)
    return JSON.stringify({
      ...this.#names(),
      response: {
        clientDataJSON: base64Url(client),
        authenticatorData: base64Url(authenticatorData),
        signature: base64Url(asDer(new Uint8Array(raw))),
        userHandle: handle ?? this.#handle,
      },
      clientExtensionResults: {},
    })
  }

  #names() {
    return { id: this.id, rawId: this.id, type: 'public-key', authenticatorAttachment: 'platform' }
  }

  /** Returns the authenticator data: the digest of the site, flags, and the count of uses. */
  async #data(rpId: string, flags: number): Promise<Uint8Array<ArrayBuffer>> {
    const site = new Uint8Array(await crypto.subtle.digest('SHA-256', text.encode(rpId)))
    const count = [24, 16, 8, 0].map((shift) => (this.counter >> shift) & 0xff)
    return join(site, [flags, ...count])
  }

  /** Returns the public key as COSE has it: a map of kind, algorithm, curve, x and y. */
  async #publicKey(): Promise<Uint8Array<ArrayBuffer>> {
    const raw = new Uint8Array((await crypto.subtle.exportKey('raw', this.#keys.publicKey)) as ArrayBuffer)
    const [x, y] = [raw.slice(1, 33), raw.slice(33)]
    return join([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 32], x, [0x22, 0x58, 32], y)
  }
}

function clientData(type: string, challenge: string, origin: string): Uint8Array<ArrayBuffer> {
  return text.encode(
    JSON.stringify({ type, challenge, origin, crossOrigin: false }),
  ) as Uint8Array<ArrayBuffer>
}

/** A short text in CBOR. */
function key(word: string): number[] {
  return [0x60 + word.length, ...text.encode(word)]
}

/** Returns a signature of two numbers in DER. */
function asDer(raw: Uint8Array): Uint8Array {
  const numbers = [raw.slice(0, 32), raw.slice(32)].map((bytes) => {
    const trimmed = bytes.slice(bytes.findIndex((byte) => byte !== 0))
    const positive = trimmed[0]! > 0x7f ? join([0], trimmed) : trimmed
    return join([0x02, positive.length], positive)
  })
  const both = join(...numbers)
  return join([0x30, both.length], both)
}

function join(...parts: readonly ArrayLike<number>[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(parts.flatMap((part) => Array.from(part)))
}

function base64Url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}

function fromBase64Url(encoded: string): Uint8Array {
  return new Uint8Array(Buffer.from(encoded, 'base64url'))
}
