import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { BadRequestError } from '../../core/errors.ts'

/** The first byte of a key: the cipher that it is for, XSalsa20 with Poly1305. */
const SECRET_BOX = 0x31
const PUSH_KEY_BYTES = 33
const TOKEN_ID_BYTES = 8
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** Throws when the text is not a key of a device in Base64. Source: the public API's page on registering devices. */
export function requirePushKey(text: string): void {
  const bytes = bytesOf(text)
  if (bytes?.length !== PUSH_KEY_BYTES || bytes[0] !== SECRET_BOX) {
    throw new BadRequestError('Invalid `push_key`')
  }
}

/** Returns the cipher's key that is in the key of a device. */
export function secretBoxKey(pushKey: string): Uint8Array {
  return Uint8Array.from(Buffer.from(pushKey, 'base64').subarray(1))
}

/** Throws when the text is not an id of a token. */
export function requireTokenId(text: string): void {
  const bytes = bytesOf(text)
  if (!bytes) throw new BadRequestError('`token_id` is not Base64 encoded')
  // The public server cannot store another number of bytes, and has no text for it.
  if (bytes.length !== TOKEN_ID_BYTES) throw new BadRequestError('Invalid `token_id`')
}

/** Returns the id by which devices and the bouncer name a token. */
export function tokenIdOf(token: string): string {
  return createHash('sha256').update(token).digest().subarray(0, TOKEN_ID_BYTES).toString('base64')
}

function bytesOf(base64: string): Uint8Array | undefined {
  return BASE64.test(base64) ? Buffer.from(base64, 'base64') : undefined
}
