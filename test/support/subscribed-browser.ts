import { Buffer } from 'node:buffer'
import { fromJson, type Json } from './json.ts'

type Payload = Record<string, Json>

/** A client of the API with the credentials of the browser's owner. */
interface Subscriber {
  readonly api: { post(path: string, params: Record<string, string>): Promise<{ readonly status: number }> }
}

/** Headers of a Worker, of Node or of Miniflare. */
type ReadHeaders = Pick<Headers, 'get'>

const SERVICE = 'https://push-service.example.com'
const P256 = { name: 'ECDH', namedCurve: 'P-256' } as const
const utf8 = new TextEncoder()

/** A user's browser and its push service: it decrypts what arrives, and checks it against RFC 8291 and 8292. */
export class SubscribedBrowser {
  readonly endpoint = `${SERVICE}/${crypto.randomUUID()}`
  readonly #keys: CryptoKeyPair
  readonly #auth = crypto.getRandomValues(new Uint8Array(16))
  readonly #point: Uint8Array<ArrayBuffer>
  /** The requests that it got, with their bodies. */
  readonly requests: { readonly headers: ReadHeaders; readonly body: Uint8Array<ArrayBuffer> }[] = []
  /** The status with which its push service answers, and the value of Retry-After in seconds. */
  status = 201
  seconds = 0

  private constructor(keys: CryptoKeyPair, point: ArrayBuffer) {
    this.#keys = keys
    this.#point = new Uint8Array(point)
  }

  static async open(): Promise<SubscribedBrowser> {
    const keys = (await crypto.subtle.generateKey(P256, true, ['deriveBits'])) as CryptoKeyPair
    return new SubscribedBrowser(keys, (await crypto.subtle.exportKey('raw', keys.publicKey)) as ArrayBuffer)
  }

  /** The subscription in the form of the API. */
  get params(): { endpoint: string; p256dh: string; auth: string } {
    const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
    return { endpoint: this.endpoint, p256dh: text(this.#point), auth: text(this.#auth) }
  }

  async subscribe({ api }: Subscriber): Promise<void> {
    const { status } = await api.post('/web_push/subscriptions', this.params)
    if (status !== 200) throw new Error(`The subscription was answered with ${status}`)
  }

  /** Returns the decrypted notifications, in order. */
  read(): Promise<Payload[]> {
    return Promise.all(this.requests.map(({ body }) => this.#decrypt(body)))
  }

  /** Decrypts by RFC 8188 and 8291, as a browser does. */
  async #decrypt(body: Uint8Array<ArrayBuffer>): Promise<Payload> {
    const salt = body.slice(0, 16)
    const sender = body.slice(21, 21 + body[20]!)
    const sealed = body.slice(21 + body[20]!)
    const senderKey = await crypto.subtle.importKey('raw', sender, P256, true, [])
    const options = { name: 'ECDH', $public: senderKey, public: senderKey }
    const secret = await crypto.subtle.deriveBits(options, this.#keys.privateKey, 256)
    const info = Buffer.concat([utf8.encode('WebPush: info\0'), this.#point, sender])
    const ikm = await hkdf(secret, this.#auth, info, 32)
    const key = await hkdf(ikm, salt, utf8.encode('Content-Encoding: aes128gcm\0'), 16)
    const nonce = await hkdf(ikm, salt, utf8.encode('Content-Encoding: nonce\0'), 12)
    const aes = await crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['decrypt'])
    const padded = new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv: nonce }, aes, sealed))
    const text = new TextDecoder().decode(padded.slice(0, padded.lastIndexOf(2)))
    return fromJson<Payload>(text)
  }
}

async function hkdf(
  secret: ArrayBuffer,
  salt: Uint8Array<ArrayBuffer>,
  info: Uint8Array<ArrayBuffer>,
  bytes: number,
): Promise<ArrayBuffer> {
  const key = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits'])
  return crypto.subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt, info }, key, bytes * 8)
}
