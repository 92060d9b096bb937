import sodium from 'libsodium-wrappers'
import { beforeAll, describe, expect, it } from 'vitest'
import { secretBox } from '../../src/core/sealed-box.ts'

beforeAll(() => sodium.ready)

const bytesOf = (text: string) => new TextEncoder().encode(text)

describe('a secret box', () => {
  it.each(['', 'a', 'Who’s there? 🙂', 'Nay, answer me. '.repeat(200)])(
    'is opened by libsodium with the key: %.20s',
    (text) => {
      const key = sodium.crypto_secretbox_keygen()
      const box = secretBox(bytesOf(text), key)
      const opened = sodium.crypto_secretbox_open_easy(box.slice(24), box.slice(0, 24), key)
      expect(new TextDecoder().decode(opened)).toBe(text)
    },
  )

  it('differs each time, and neither another key nor a changed box opens', () => {
    const [key, other] = [sodium.crypto_secretbox_keygen(), sodium.crypto_secretbox_keygen()]
    const box = secretBox(bytesOf('Bernardo?'), key)
    expect(secretBox(bytesOf('Bernardo?'), key)).not.toEqual(box)
    const open = (bytes: Uint8Array, by: Uint8Array) => () =>
      sodium.crypto_secretbox_open_easy(bytes.slice(24), bytes.slice(0, 24), by)
    expect(open(box, other)).toThrow()
    expect(open(box.with(30, box[30]! ^ 1), key)).toThrow()
  })
})
