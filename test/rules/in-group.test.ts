import { describe, expect, test } from 'vitest'
import { channelGroupSetting, realmGroupSetting } from '../../src/rules/group-settings.ts'
import { groupIdsOf, inGroupSetting, isInGroupValue } from '../../src/rules/in-group.ts'
import type { Role } from '../../src/rules/roles.ts'
import { buildActor, guest, member } from './build-actor.ts'

const noLinks = { groupsOfMember: () => [], groupsOfSubgroup: () => [] }

describe('groupIdsOf', () => {
  const byRole: [Role, boolean, number[]][] = [
    [100, true, [2, 3, 4, 5, 6, 7, 8]],
    [200, true, [3, 4, 5, 6, 7, 8]],
    [300, true, [4, 5, 6, 7, 8]],
    [400, true, [5, 6, 7, 8]],
    [400, false, [6, 7, 8]],
    [600, false, [7, 8]],
  ]
  test.each(byRole)('role %i, full member %s', (role, isFullMember, expected) => {
    const ids = groupIdsOf({ id: 1, role, isFullMember }, noLinks)
    expect([...ids].sort((a, b) => a - b)).toEqual(expected)
  })

  test('follows named groups and system groups, through any depth and cycles', () => {
    const above = new Map([
      [20, [21]],
      [21, [22]],
      [22, [20]],
      [7, [30]],
      [2, [40]],
    ])
    const ids = groupIdsOf(
      { id: 5, role: 600, isFullMember: false },
      { groupsOfMember: (id) => (id === 5 ? [20] : [99]), groupsOfSubgroup: (id) => above.get(id) ?? [] },
    )
    expect([...ids].sort((a, b) => a - b)).toEqual([7, 8, 20, 21, 22, 30])
  })
})

describe('isInGroupValue', () => {
  test.each([
    ['a group the user is in', 6, true],
    ['a group the user is not in', 3, false],
    ['listed by id', { direct_members: [4], direct_subgroups: [] }, true],
    ['others listed', { direct_members: [5], direct_subgroups: [3] }, false],
    ['in a listed subgroup', { direct_members: [5], direct_subgroups: [3, 6] }, true],
    ['nobody', 1, false],
  ])('%s', (_case, value, expected) => {
    expect(isInGroupValue(member, value)).toBe(expected)
  })

  test('a deactivated user is in no group', () => {
    expect(isInGroupValue(buildActor({ isActive: false }), 7)).toBe(false)
  })
})

describe('inGroupSetting', () => {
  const closedToGuests = realmGroupSetting('can_create_groups')
  const openToGuests = channelGroupSetting('can_send_message_group')

  test.each([
    ['a guest listed by id, setting closed to everyone', guest, closedToGuests, [guest.id], false],
    ['a guest listed by id, setting open to everyone', guest, openToGuests, [guest.id], true],
    ['a member listed by id', member, closedToGuests, [member.id], true],
    ['a member not listed', member, closedToGuests, [guest.id], false],
  ])('%s', (_case, actor, setting, direct_members, expected) => {
    expect(inGroupSetting(actor, setting, { direct_members, direct_subgroups: [] })).toBe(expected)
  })
})
