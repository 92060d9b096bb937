import { hsalsa, xsalsa20poly1305 } from '@noble/ciphers/salsa.js'
import { blake2b } from '@noble/hashes/blake2.js'
import { joinedBytes } from './growing-bytes.ts'

/** Bytes of an X25519 key, and of a shared secret. */
const KEY_BYTES = 32
const NONCE_BYTES = 24
/** The constant of the Salsa family, as words. */
const SIGMA = wordsOf(new TextEncoder().encode('expand 32-byte k'))

/**
 * Encrypts for the owner of the private key to `publicKey`; nobody else can read it, not even the sender.
 *
 * The form is libsodium's `crypto_box_seal`: the public half of a key pair made for this one box, followed by
 * a `crypto_box` (X25519, XSalsa20, Poly1305) whose nonce is the BLAKE2b of both public keys. Two boxes of
 * the same text differ.
 *
 * @param once the key pair of this box, for tests that must know it.
 * @throws RangeError if `publicKey` is not a valid key.
 *
 * Source: libsodium's documentation of sealed boxes.
 */
export async function sealBox(
  text: Uint8Array,
  publicKey: Uint8Array,
  once?: CryptoKeyPair,
): Promise<Uint8Array> {
  const { privateKey, publicKey: oncePublic } = once ?? (await makeKeyPair())
  const ephemeral = new Uint8Array((await crypto.subtle.exportKey('raw', oncePublic)) as ArrayBuffer)
  const key = firstKeyOf(await sharedSecret(privateKey, publicKey))
  const nonce = blake2b(joinedBytes([ephemeral, publicKey]), { dkLen: NONCE_BYTES })
  return joinedBytes([ephemeral, xsalsa20poly1305(key, nonce).encrypt(text)])
}

async function makeKeyPair(): Promise<CryptoKeyPair> {
  return (await crypto.subtle.generateKey({ name: 'X25519' }, true, ['deriveBits'])) as CryptoKeyPair
}

async function sharedSecret(privateKey: CryptoKey, publicKey: Uint8Array): Promise<Uint8Array> {
  try {
    const theirs = await crypto.subtle.importKey('raw', publicKey.slice(), { name: 'X25519' }, true, [])
    const secret = await crypto.subtle.deriveBits(
      { name: 'X25519', public: theirs },
      privateKey,
      KEY_BYTES * 8,
    )
    return new Uint8Array(secret)
  } catch (cause) {
    throw new RangeError('Not a usable X25519 key', { cause })
  }
}

/** Derives the key that `crypto_box` uses from a shared secret: HSalsa20 of it with an empty input. */
function firstKeyOf(secret: Uint8Array): Uint8Array {
  const key = new Uint32Array(KEY_BYTES / 4)
  hsalsa(SIGMA, wordsOf(secret), new Uint32Array(4), key)
  return new Uint8Array(key.buffer)
}

/** Reads words in little-endian order, the platform's own. */
function wordsOf(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(bytes.slice().buffer)
}

/**
 * Encrypts with a shared key: a random nonce, followed by libsodium's `crypto_secretbox_easy` (XSalsa20, Poly1305). Two boxes of the same
 * text differ.
 */
export function secretBox(text: Uint8Array, key: Uint8Array): Uint8Array {
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
  return joinedBytes([nonce, xsalsa20poly1305(key, nonce).encrypt(text)])
}
