import { expect, it } from 'vitest'
import {
  canSeal,
  LostSecretError,
  NoSecretsKeyError,
  openSecret,
  sealerOf,
  sealSecret,
} from '../../src/core/sealed-secret.ts'

const newKey = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')
const PLACE = { realmId: 7, purpose: 'login provider' } as const

it('opens what it sealed, and never seals the same text alike', async () => {
  const env = { SECRETS_KEY: newKey() }
  for (const text of ['', 'secret', 'é😀'.repeat(500)]) {
    const sealed = [await sealSecret(env, PLACE, text), await sealSecret(env, PLACE, text)]
    expect(sealed[0]).not.toBe(sealed[1])
    expect(sealed.every((each) => /^1\.[A-Za-z0-9_-]+$/.test(each))).toBe(true)
    expect(await Promise.all(sealed.map((each) => openSecret(env, PLACE, each)))).toEqual([text, text])
  }
})

it('seals a text alike where that is asked for, in each place another way', async () => {
  const env = { SECRETS_KEY: newKey() }
  const sealer = sealerOf(env, PLACE.realmId)
  const sealed = await sealer.sealAlike(PLACE.purpose, 'secret')
  expect(await sealer.sealAlike(PLACE.purpose, 'secret')).toBe(sealed)
  expect(await sealer.open(PLACE.purpose, sealed)).toBe('secret')
  const others = await Promise.all([
    sealer.sealAlike(PLACE.purpose, 'secret2'),
    sealer.sealAlike('second factor', 'secret'),
    sealerOf(env, 8).sealAlike(PLACE.purpose, 'secret'),
    sealerOf({ SECRETS_KEY: newKey() }, PLACE.realmId).sealAlike(PLACE.purpose, 'secret'),
  ])
  // The vector, which stands before the text, is another one each time.
  expect(new Set([sealed, ...others].map((one) => one.slice(0, 18))).size).toBe(5)
})

it('opens nothing of another organization, another purpose or another key', async () => {
  const env = { SECRETS_KEY: newKey() }
  const sealed = await sealSecret(env, PLACE, 'secret')
  for (const [keys, place] of [
    [env, { ...PLACE, realmId: 8 }],
    [env, { ...PLACE, purpose: 'second factor' }],
    [{ SECRETS_KEY: newKey() }, PLACE],
  ] as const) {
    await expect(openSecret(keys, place, sealed)).rejects.toThrow(LostSecretError)
  }
})

it('refuses sealed texts that were changed, cut or made up', async () => {
  const env = { SECRETS_KEY: newKey() }
  const sealed = await sealSecret(env, PLACE, 'secret')
  const changed = sealed.slice(0, -3) + (sealed.at(-3) === 'A' ? 'B' : 'A') + sealed.slice(-2)
  for (const other of [changed, sealed.slice(0, -4), sealed.replace('1.', '2.'), '1.', '', 'secret']) {
    await expect(openSecret(env, PLACE, other)).rejects.toThrow(LostSecretError)
  }
})

it('opens with the previous key too, and seals with the present one', async () => {
  const [before, now] = [newKey(), newKey()]
  const rotated = { SECRETS_KEY: now, SECRETS_KEY_PREVIOUS: before }
  const old = await sealSecret({ SECRETS_KEY: before }, PLACE, 'secret')
  expect(await openSecret(rotated, PLACE, old)).toBe('secret')
  const anew = await sealSecret(rotated, PLACE, 'secret')
  expect(await openSecret({ SECRETS_KEY: now }, PLACE, anew)).toBe('secret')
})

it('refuses to seal without a key of 32 bytes', async () => {
  for (const env of [{}, { SECRETS_KEY: '' }, { SECRETS_KEY: 'c2hvcnQ=' }]) {
    expect(canSeal(env)).toBe(false)
    await expect(sealSecret(env, PLACE, 'secret')).rejects.toThrow(NoSecretsKeyError)
    await expect(openSecret(env, PLACE, '1.abc')).rejects.toThrow(NoSecretsKeyError)
  }
})
