import { createHash } from 'node:crypto'
import { expect, it, vi } from 'vitest'
import { QUOTAS } from '../../src/core/quotas.ts'

vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof import('node:crypto')>()
  return { ...crypto, createHash: vi.fn(crypto.createHash) }
})

// Files of tests share modules: one that was loaded before computes digests without the counted function.
vi.resetModules()
const { avatarUrlOfEmail } = await import('../../src/model/users/profile/avatar.ts')

it('the pictures of all accounts that there may be are computed once', () => {
  const list = () =>
    Array.from({ length: QUOTAS.accounts.organization! }, (_, at) =>
      avatarUrlOfEmail(`somebody-${at}@organization.example`, 1),
    )
  const first = list()
  expect(first[0]).toContain(createHash('md5').update('somebody-0@organization.example').digest('hex'))
  vi.mocked(createHash).mockClear()
  expect(list()).toEqual(first)
  expect(createHash).not.toHaveBeenCalled()
})

it('pictures of long addresses take the place of others, and stay right', () => {
  const address = (at: number) => `${'x'.repeat(900)}${at}@organization.example`
  const first = Array.from({ length: 4_000 }, (_, at) => avatarUrlOfEmail(address(at), 1))
  vi.mocked(createHash).mockClear()
  expect(avatarUrlOfEmail(address(0), 1)).toBe(first[0])
  expect(createHash).toHaveBeenCalledTimes(1)
})
