/** The prefix of a secret that receivers expect. */
const SECRET_PREFIX = 'whsec_'
/** Bytes of a secret. The standard requires 24 to 64. */
const SECRET_BYTES = 32

/** Makes a secret for signing webhooks: `whsec_` and base64. */
export function newWebhookSecret({ randomHex }: { randomHex(bytes: number): string }): string {
  return SECRET_PREFIX + Buffer.from(randomHex(SECRET_BYTES), 'hex').toString('base64')
}

interface SignedCall {
  /** The same for every attempt, so that a receiver recognizes repetitions. */
  readonly id: string
  /** UNIX seconds of this attempt. */
  readonly timestamp: number
  readonly body: string
}

/**
 * Returns the headers that prove to a receiver with one of the secrets that a call is from here. Source: the specification of Standard
 * Webhooks, version 1.
 */
export async function signatureHeaders(
  secrets: readonly string[],
  { id, timestamp, body }: SignedCall,
): Promise<Record<string, string>> {
  const text = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  const signatures = await Promise.all(secrets.map((secret) => sign(secret, text)))
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.map((signature) => `v1,${signature}`).join(' '),
  }
}

async function sign(secret: string, text: Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return Buffer.from(await crypto.subtle.sign('HMAC', key, text)).toString('base64')
}
