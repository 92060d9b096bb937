import { expect, test } from 'vitest'
import type { Role } from '../../src/rules/roles.ts'
import {
  directSystemGroupsOf,
  isSystemGroupId,
  SYSTEM_GROUPS,
  systemGroupById,
  systemGroupId,
} from '../../src/rules/system-groups.ts'

test('the ids are 1 to 8 in the documented order', () => {
  expect(SYSTEM_GROUPS.map(({ id, name }) => [id, name])).toEqual([
    [1, 'role:nobody'],
    [2, 'role:owners'],
    [3, 'role:administrators'],
    [4, 'role:moderators'],
    [5, 'role:fullmembers'],
    [6, 'role:members'],
    [7, 'role:everyone'],
    [8, 'role:internet'],
  ])
})

test.each(SYSTEM_GROUPS)('$name is found by name and by id', (group) => {
  expect(systemGroupId(group.name)).toBe(group.id)
  expect(systemGroupById(group.id)).toBe(group)
  expect(isSystemGroupId(group.id)).toBe(true)
})

test('no other id is one of theirs', () => {
  for (const id of [0, 9, -1]) expect(isSystemGroupId(id)).toBe(false)
})

const direct: [Role, boolean, string[]][] = [
  [100, true, ['role:owners']],
  [200, true, ['role:administrators']],
  [300, true, ['role:moderators']],
  [400, true, ['role:members', 'role:fullmembers']],
  [400, false, ['role:members']],
  [600, false, ['role:everyone']],
]

test.each(direct)('role %i, full member %s, is directly in %j', (role, isFullMember, names) => {
  expect(directSystemGroupsOf({ role, isFullMember })).toEqual(names)
})
