import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js'

const NONCE_BYTES = 24

/**
 * Encrypts for whoever has the key: a random nonce, followed by libsodium's `crypto_secretbox_easy` (XSalsa20,
 * Poly1305). Two boxes of the same text differ.
 */
export function secretBox(text: Uint8Array, key: Uint8Array): Uint8Array {
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
  const encrypted = xsalsa20poly1305(key, nonce).encrypt(text)
  const box = new Uint8Array(NONCE_BYTES + encrypted.length)
  box.set(nonce)
  box.set(encrypted, NONCE_BYTES)
  return box
}
