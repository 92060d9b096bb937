import { describe, expect, test } from 'vitest'
import {
  defaultGroupSettingValue,
  type GroupFacts,
  type GroupSettingValue,
  normaliseGroupSetting,
  requireExpectedGroupSetting,
  requireValidGroupSetting,
  sameGroupSetting,
} from '../../src/rules/group-setting-values.ts'
import {
  channelGroupSetting,
  GROUP_SETTINGS,
  type GroupSetting,
  realmGroupSetting,
  userGroupSetting,
} from '../../src/rules/group-settings.ts'
import { systemGroupById } from '../../src/rules/system-groups.ts'

const list = (direct_members: number[], direct_subgroups: number[] = []): GroupSettingValue => ({
  direct_members,
  direct_subgroups,
})

const groups = new Map([
  [20, { id: 20, name: 'engineers', isSystem: false, isDeactivated: false }],
  [21, { id: 21, name: 'gone', isSystem: false, isDeactivated: true }],
])
const facts: GroupFacts = {
  group: (id) => {
    const system = systemGroupById(id)
    return system ? { id, name: system.name, isSystem: true, isDeactivated: false } : groups.get(id)
  },
  openAccounts: (ids) => new Set(ids.filter((id) => id === 1 || id === 2)),
}

describe('normal form', () => {
  test.each([
    ['an integer stays', 6, 6],
    ['one subgroup alone is that group', list([], [20]), 20],
    ['the same subgroup twice', list([], [20, 20]), 20],
    ['nothing is role:nobody', list([]), 1],
    ['sorted, without repeats', list([5, 2, 5], [9, 3]), list([2, 5], [3, 9])],
    ['a member and a subgroup', list([5], [9]), list([5], [9])],
  ])('%s', (_case, value, expected) => {
    expect(normaliseGroupSetting(value)).toEqual(expected)
  })

  test.each([
    [list([1, 2]), list([2, 1]), true],
    [list([1, 2]), list([1]), false],
    [list([1], [2]), list([2], [1]), false],
    [7, list([], [7]), true],
    [1, list([]), true],
    [7, 6, false],
    [6, list([6]), false],
  ])('%j and %j are the same: %s', (one, other, expected) => {
    expect(sameGroupSetting(one, other)).toBe(expected)
    expect(sameGroupSetting(other, one)).toBe(expected)
  })
})

describe('expected value', () => {
  test('absent, or the same as a set, passes', () => {
    expect(() => requireExpectedGroupSetting(undefined, () => 6)).not.toThrow()
    expect(() => requireExpectedGroupSetting(null, () => 6)).not.toThrow()
    expect(() => requireExpectedGroupSetting(list([2, 1]), () => list([1, 2]))).not.toThrow()
  })
  test('anything else is a mismatch', () => {
    expect(() => requireExpectedGroupSetting(7, () => 6)).toThrow(
      expect.objectContaining({
        code: 'EXPECTATION_MISMATCH',
        message: "'old' value does not match the expected value.",
      }),
    )
  })
})

describe('default value', () => {
  test.each([
    [realmGroupSetting('can_create_groups'), 5, 6],
    [channelGroupSetting('can_administer_channel_group'), 5, list([5])],
    [channelGroupSetting('can_administer_channel_group'), null, 1],
    [userGroupSetting('can_manage_group'), 5, list([5])],
    [userGroupSetting('can_mention_group'), 5, 7],
  ])('of %j made by %s is %j', (setting, creator, expected) => {
    expect(defaultGroupSettingValue(setting, creator)).toEqual(expected)
  })

  test('is allowed by the setting itself', () => {
    for (const setting of Object.values(GROUP_SETTINGS).flat()) {
      const value = defaultGroupSettingValue(setting, 1)
      expect(requireValidGroupSetting(setting, value, facts)).toEqual(value)
    }
  })
})

describe('validation', () => {
  const groupsOnly = realmGroupSetting('can_create_web_public_channel_group')
  const noGuests = realmGroupSetting('can_create_groups')
  const somebody = realmGroupSetting('can_manage_all_groups')
  const all = userGroupSetting('can_leave_group')
  const mention = userGroupSetting('can_mention_group')
  const seeUsers = realmGroupSetting('can_access_all_users_group')

  const accepted: [GroupSetting, GroupSettingValue, GroupSettingValue][] = [
    [groupsOnly, 4, 4],
    [groupsOnly, list([]), 1],
    [noGuests, 20, 20],
    [noGuests, list([2, 1], [20]), list([1, 2], [20])],
    [noGuests, list([1], [7]), list([1], [7])],
    [all, 7, 7],
    [all, 2, 2],
    [mention, list([1], [2]), list([1], [2])],
    [seeUsers, 6, 6],
  ]
  test.each(accepted)('%j takes %j', (setting, value, expected) => {
    expect(requireValidGroupSetting(setting, value, facts)).toEqual(expected)
  })

  const refused: [GroupSetting, GroupSettingValue, string][] = [
    [noGuests, 999, 'Invalid user group'],
    [noGuests, 21, 'User group is deactivated.'],
    [noGuests, 8, "'can_create_groups' setting cannot be set to 'role:internet' group."],
    [all, 8, "'can_leave_group' setting cannot be set to 'role:internet' group."],
    [noGuests, 7, "'can_create_groups' setting cannot be set to 'role:everyone' group."],
    [noGuests, list([], [7]), "'can_create_groups' setting cannot be set to 'role:everyone' group."],
    [somebody, 1, "'can_manage_all_groups' setting cannot be set to 'role:nobody' group."],
    [somebody, list([]), "'can_manage_all_groups' setting cannot be set to 'role:nobody' group."],
    [groupsOnly, 6, "'can_create_web_public_channel_group' setting cannot be set to 'role:members' group."],
    [seeUsers, 5, "'can_access_all_users_group' setting cannot be set to 'role:fullmembers' group."],
    [mention, 2, "'can_mention_group' setting cannot be set to 'role:owners' group."],
    [mention, list([], [2]), "'can_mention_group' setting cannot be set to 'role:owners' group."],
    [groupsOnly, 20, "'can_create_web_public_channel_group' must be a system user group."],
    [groupsOnly, list([1]), "'can_create_web_public_channel_group' must be a system user group."],
    [noGuests, list([3]), 'Invalid user ID: 3'],
    [noGuests, list([1, 77], [999]), 'Invalid user ID: 77'],
    [noGuests, list([1], [999]), 'Invalid user group ID: 999'],
    [noGuests, list([1], [21]), 'User group is deactivated.'],
  ]
  test.each(refused)('%j refuses %j', (setting, value, message) => {
    expect(() => requireValidGroupSetting(setting, value, facts)).toThrow(
      expect.objectContaining({ message }),
    )
  })

  test('members of a value are looked up together', () => {
    const members = Array.from({ length: 1_000 }, (_, id) => id)
    const asked: (readonly number[])[] = []
    const openAccounts = (ids: readonly number[]) => {
      asked.push(ids)
      return new Set(ids)
    }
    const value = list(members)
    expect(requireValidGroupSetting(all, value, { ...facts, openAccounts })).toEqual(value)
    expect(asked).toEqual([members])
  })

  test('a setting for system groups has its own error code', () => {
    expect(() => requireValidGroupSetting(groupsOnly, 20, facts)).toThrow(
      expect.objectContaining({ code: 'SYSTEM_GROUP_REQUIRED', extra: { setting_name: groupsOnly.name } }),
    )
  })
})
