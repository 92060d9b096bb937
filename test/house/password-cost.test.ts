import { expect, it } from 'vitest'
import { hashPassword, verifyPassword } from '../../src/api/in-worker/password-hash.ts'
import { workGate } from '../../src/core/work-gate.ts'

it('passwords are hashed with scrypt, N = 2^14, r = 8, p = 5, salted', async () => {
  const [first, second] = [await hashPassword('correct horse'), await hashPassword('correct horse')]
  expect(first).toMatch(/^\$scrypt\$ln=14,r=8,p=5\$[\w+/]{22}==\$[\w+/]{43}=$/)
  expect(second).not.toBe(first)
  const place = workGate.reserve()
  expect(await verifyPassword('correct horse', first, place)).toBe(true)
  expect(await verifyPassword('correct house', first, place)).toBe(false)
  expect(await verifyPassword('correct horse', null, place)).toBe(false)
  place.leave()
})
