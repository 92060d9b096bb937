import { expect, test } from 'vitest'
import {
  isAdministrator,
  isFullMember,
  isGuest,
  isModerator,
  isOwner,
  type Role,
} from '../../src/rules/roles.ts'

const ranks: [Role, { owner: boolean; administrator: boolean; moderator: boolean; guest: boolean }][] = [
  [100, { owner: true, administrator: true, moderator: true, guest: false }],
  [200, { owner: false, administrator: true, moderator: true, guest: false }],
  [300, { owner: false, administrator: false, moderator: true, guest: false }],
  [400, { owner: false, administrator: false, moderator: false, guest: false }],
  [600, { owner: false, administrator: false, moderator: false, guest: true }],
]

test.each(ranks)('role %i', (role, expected) => {
  expect({
    owner: isOwner({ role }),
    administrator: isAdministrator({ role }),
    moderator: isModerator({ role }),
    guest: isGuest({ role }),
  }).toEqual(expected)
})

const day = 86_400
const fullMembers: [Role, number, number, boolean][] = [
  [400, 0, 0, true],
  [400, 3 * day - 1, 3, false],
  [400, 3 * day, 3, true],
  [400, day, 3, false],
  [300, 0, 1000, true],
  [200, 0, 1000, true],
  [100, 0, 1000, true],
  [600, 1000 * day, 0, false],
]

test.each(fullMembers)('role %i, %i s old, %i days asked: full member %s', (role, age, days, expected) => {
  expect(isFullMember({ role }, age, days)).toBe(expected)
})
