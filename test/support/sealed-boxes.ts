import { hsalsa, xsalsa20poly1305 } from '@noble/ciphers/salsa.js'
import { blake2b } from '@noble/hashes/blake2.js'

/** The keys of a device; the server knows the public one. */
export interface BoxKeys {
  readonly privateKey: CryptoKey
  readonly publicKey: Uint8Array
}

export async function makeBoxKeys(): Promise<BoxKeys> {
  const made = await crypto.subtle.generateKey({ name: 'X25519' }, true, ['deriveBits'])
  const { privateKey, publicKey } = made as CryptoKeyPair
  return {
    privateKey,
    publicKey: new Uint8Array((await crypto.subtle.exportKey('raw', publicKey)) as ArrayBuffer),
  }
}

/**
 * Opens a box that was sealed for `keys`; throws for another key or a damaged box. test/core/sealed-box.test.ts
 * compares it with libsodium, which does not run everywhere.
 */
export async function openSealedBox(
  box: Uint8Array,
  { privateKey, publicKey }: BoxKeys,
): Promise<Uint8Array> {
  const once = box.slice(0, 32)
  const theirs = await crypto.subtle.importKey('raw', once, { name: 'X25519' }, true, [])
  const secret = await crypto.subtle.deriveBits({ name: 'X25519', public: theirs }, privateKey, 256)
  const key = new Uint32Array(8)
  const sigma = new Uint32Array(new TextEncoder().encode('expand 32-byte k').buffer)
  hsalsa(sigma, new Uint32Array(secret), new Uint32Array(4), key)
  const nonce = blake2b(new Uint8Array([...once, ...publicKey]), { dkLen: 24 })
  return xsalsa20poly1305(new Uint8Array(key.buffer), nonce).decrypt(box.slice(32))
}
