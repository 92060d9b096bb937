import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { expect, it, vi } from 'vitest'
import { fairScheduler } from '../../src/core/fair-scheduler.ts'
import { hashPassword, verifyPassword } from '../../src/hasher/password-hash.ts'

it('passwords are hashed with scrypt, N = 2^14, r = 8, p = 5, salted', async () => {
  const [first, second] = [await hashPassword('correct horse'), await hashPassword('correct horse')]
  expect(first).toMatch(/^\$scrypt\$ln=14,r=8,p=5\$[\w+/]{22}==\$[\w+/]{43}=$/)
  expect(second).not.toBe(first)
  const place = fairScheduler.reserve()
  expect(await verifyPassword('correct horse', first, place)).toBe(true)
  expect(await verifyPassword('correct house', first, place)).toBe(false)
  expect(await verifyPassword('correct horse', null, place)).toBe(false)
  place.leave()
})

it('checking a password takes the same work with and without an account', async () => {
  const stored = await hashPassword('correct horse')
  const hashing = vi.spyOn(crypto, 'scryptSync')
  syncBuiltinESMExports()
  const turns = vi.fn(async () => undefined)
  const place = { turn: turns, leave: () => undefined }
  const workOf = async (password: string, hash: string | null) => {
    hashing.mockClear()
    turns.mockClear()
    await verifyPassword(password, hash, place)
    const calls = hashing.mock.calls.map(([text, salt, bytes, cost]) => {
      return [text, Buffer.from(salt as Uint8Array).length, bytes, cost]
    })
    return { calls, turns: turns.mock.calls }
  }
  try {
    const wrong = await workOf('correct house', stored)
    expect(wrong.calls).toHaveLength(1)
    expect(wrong.turns).toHaveLength(1)
    expect(await workOf('correct house', null)).toEqual(wrong)
    expect((await workOf('correct horse', stored)).turns).toEqual(wrong.turns)
  } finally {
    hashing.mockRestore()
    syncBuiltinESMExports()
  }
})
