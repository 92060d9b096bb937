import { createPrivateKey, createPublicKey } from 'node:crypto'
import sodium from 'libsodium-wrappers'
import { beforeAll, describe, expect, it } from 'vitest'
import { sealBox } from '../../src/core/sealed-box.ts'
import { makeBoxKeys, openSealedBox } from '../support/sealed-boxes.ts'

const TEXTS = ['', 'a', 'Who’s there? 🙂', 'Nay, answer me. '.repeat(200)]

beforeAll(() => sodium.ready)

describe('a sealed box', () => {
  it.each(TEXTS)('is opened by libsodium with the private key: %.20s', async (text) => {
    const { publicKey, privateKey } = sodium.crypto_box_keypair()
    const box = await sealBox(bytesOf(text), publicKey)
    expect(box.length).toBe(bytesOf(text).length + sodium.crypto_box_SEALBYTES)
    expect(textOf(sodium.crypto_box_seal_open(box, publicKey, privateKey))).toBe(text)
  })

  it('equals libsodium’s byte for byte when both use the same ephemeral keys', async () => {
    const theirs = sodium.crypto_box_seed_keypair(new Uint8Array(32).fill(7))
    const once = sodium.crypto_box_seed_keypair(new Uint8Array(32).fill(8))
    const text = bytesOf('Long live the king!')
    const box = await sealBox(text, theirs.publicKey, await keyPairOf(once.privateKey))
    const nonce = sodium.crypto_generichash(
      24,
      new Uint8Array([...once.publicKey, ...theirs.publicKey]),
      null,
    )
    const sealed = sodium.crypto_box_easy(text, nonce, theirs.publicKey, once.privateKey)
    expect(sodium.to_hex(box)).toBe(sodium.to_hex(once.publicKey) + sodium.to_hex(sealed))
  })

  it('differs each time, and neither another key nor a changed box opens', async () => {
    const [ours, others] = [sodium.crypto_box_keypair(), sodium.crypto_box_keypair()]
    const boxes = [
      await sealBox(bytesOf('Bernardo?'), ours.publicKey),
      await sealBox(bytesOf('He.'), ours.publicKey),
    ]
    expect(boxes[0]!.slice(0, 32)).not.toEqual(boxes[1]!.slice(0, 32))
    expect(() => sodium.crypto_box_seal_open(boxes[0]!, others.publicKey, others.privateKey)).toThrow()
    const changed = boxes[1]!.with(40, boxes[1]!.at(40)! ^ 1)
    expect(() => sodium.crypto_box_seal_open(changed, ours.publicKey, ours.privateKey)).toThrow()
  })

  it.each([0, 31, 32, 33])('is refused for an invalid public key: %i zeros', async (length) => {
    await expect(sealBox(bytesOf('He.'), new Uint8Array(length))).rejects.toThrow(RangeError)
  })
})

describe('the tests’ own function that opens boxes', () => {
  it('opens those of libsodium', async () => {
    const keys = await makeBoxKeys()
    const box = sodium.crypto_box_seal(bytesOf('’Tis now struck twelve'), keys.publicKey)
    expect(textOf(await openSealedBox(box, keys))).toBe('’Tis now struck twelve')
    await expect(openSealedBox(box.with(50, box.at(50)! ^ 1), keys)).rejects.toThrow()
  })
})

/** Node takes a private key behind a header that says its kind. */
async function keyPairOf(privateKey: Uint8Array): Promise<CryptoKeyPair> {
  const prefix = Buffer.from('302e020100300506032b656e04220420', 'hex')
  const key = createPrivateKey({ key: Buffer.concat([prefix, privateKey]), format: 'der', type: 'pkcs8' })
  return {
    privateKey: key.toCryptoKey({ name: 'X25519' }, true, ['deriveBits']),
    publicKey: createPublicKey(key).toCryptoKey({ name: 'X25519' }, true, []),
  } as CryptoKeyPair
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}
