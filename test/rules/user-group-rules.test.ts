import { describe, expect, test } from 'vitest'
import {
  requireMayAddMembers,
  requireMayAddSubgroups,
  requireMayCreateGroup,
  requireMayManageGroup,
  requireMayRemoveMembers,
  requireMayRemoveSubgroups,
} from '../../src/rules/user-group-rules.ts'
import { administrator, guest, member, moderator, newMember, owner } from './build-actor.ts'
import { buildGroup, everyone, members, nobody, only, realmPermissions } from './build-facts.ts'
import { refusal } from './refusal.ts'

const insufficient = 'Insufficient permission'
const realm = realmPermissions()
const plain = buildGroup()
const noLeaving = buildGroup({ settings: { can_leave_group: nobody } })
const system = buildGroup({ isSystem: true })
const managed = buildGroup({ settings: { can_manage_group: only(member.id), can_leave_group: nobody } })
const joinable = buildGroup({ settings: { can_join_group: members } })
const adders = buildGroup({ settings: { can_add_members_group: only(member.id), can_leave_group: nobody } })
const removers = buildGroup({
  settings: { can_remove_members_group: only(member.id), can_leave_group: nobody },
})

test.each([
  ['member', member, realm, null],
  ['guest', guest, realm, insufficient],
  ['nobody may', owner, realmPermissions({ can_create_groups: nobody }), insufficient],
])('creating: %s', (_case, actor, permissions, expected) => {
  expect(refusal(() => requireMayCreateGroup(actor, permissions))).toBe(expected)
})

describe('managing', () => {
  test.each([
    ['owner by default', owner, plain, null],
    ['administrator by default', administrator, plain, insufficient],
    ['its manager', member, managed, null],
    ['somebody else', moderator, managed, insufficient],
    ['a system group, as an owner', owner, system, insufficient],
    ['a system group, listed', member, { ...managed, isSystem: true }, insufficient],
    ['an absent group', owner, undefined, 'Invalid user group'],
    ['a deactivated group', owner, buildGroup({ isDeactivated: true }), null],
  ])('%s', (_case, actor, group, expected) => {
    expect(refusal(() => requireMayManageGroup(actor, group, realm))).toBe(expected)
  })

  test('returns the group', () => {
    expect(requireMayManageGroup(owner, plain, realm)).toBe(plain)
  })
})

describe('members', () => {
  test.each([
    ['owner adds another', owner, [9], plain, null],
    ['administrator adds another', administrator, [9], plain, insufficient],
    ['manager adds another', member, [9], managed, null],
    ['adder adds another', member, [9], adders, null],
    ['remover adds another', member, [9], removers, insufficient],
    ['join', newMember, [newMember.id], joinable, null],
    ['join and bring another', newMember, [newMember.id, 9], joinable, insufficient],
    ['add another with the right to join', newMember, [9], joinable, insufficient],
    ['join without the right', newMember, [newMember.id], plain, insufficient],
    [
      'a guest joins though listed',
      guest,
      [guest.id],
      buildGroup({ settings: { can_join_group: only(guest.id) } }),
      insufficient,
    ],
    ['nobody, with the right to join', newMember, [], joinable, insufficient],
    ['join a system group', member, [member.id], { ...joinable, isSystem: true }, insufficient],
    ['an owner adds to a system group', owner, [9], system, insufficient],
  ])('adding: %s', (_case, actor, ids, group, expected) => {
    expect(refusal(() => requireMayAddMembers(actor, ids, group, realm))).toBe(expected)
  })

  test.each([
    ['owner removes another', owner, [9], plain, null],
    ['moderator removes another', moderator, [9], plain, insufficient],
    ['manager removes another', member, [9], managed, null],
    ['remover removes another', member, [9], removers, null],
    ['adder removes another', member, [9], adders, insufficient],
    ['leave', newMember, [newMember.id], plain, null],
    ['leave and take another along', newMember, [newMember.id, 9], plain, insufficient],
    ['leave without the right', newMember, [newMember.id], noLeaving, insufficient],
    ['a remover leaves without the right to leave', member, [member.id], removers, null],
    ['leave a system group', member, [member.id], system, insufficient],
  ])('removing: %s', (_case, actor, ids, group, expected) => {
    expect(refusal(() => requireMayRemoveMembers(actor, ids, group, realm))).toBe(expected)
  })

  test.each([
    ['manager', member, managed, null, null],
    ['adder', member, adders, null, insufficient],
    ['remover', member, removers, insufficient, null],
    [
      'the right to join and leave',
      member,
      { ...joinable, settings: { ...joinable.settings, can_leave_group: everyone } },
      insufficient,
      insufficient,
    ],
  ])('subgroups: %s', (_case, actor, group, adding, removing) => {
    expect(refusal(() => requireMayAddSubgroups(actor, group, realm))).toBe(adding)
    expect(refusal(() => requireMayRemoveSubgroups(actor, group, realm))).toBe(removing)
  })
})
