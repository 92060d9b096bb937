import { describe, expect, test } from 'vitest'
import {
  type InvitationChannel,
  isTooNewToInvite,
  mayWriteWelcomeText,
  requireMayCreateInviteLink,
  requireMayInvite,
  requireMayInviteAs,
  requireMayInviteToChannels,
  requireMayInviteToGroups,
  requireMayManageInvitation,
} from '../../src/rules/invitation-rules.ts'
import { administrator, guest, member, moderator, owner } from './build-actor.ts'
import { buildChannel, buildGroup, nobody, only, realmPermissions } from './build-facts.ts'
import { refusal, refusalError } from './refusal.ts'

const insufficient = 'Insufficient permission'
const mustBeOwner = 'Must be an organization owner'
const mustBeAdministrator = 'Must be an organization administrator'

test.each([
  ['member', member, realmPermissions(), null],
  ['guest', guest, realmPermissions(), insufficient],
  ['nobody may', owner, realmPermissions({ can_invite_users_group: nobody }), insufficient],
])('inviting: %s', (_case, actor, realm, expected) => {
  expect(refusal(() => requireMayInvite(actor, realm))).toBe(expected)
})

test.each([
  ['administrator', administrator, null],
  ['moderator', moderator, insufficient],
])('invitation link: %s', (_case, actor, expected) => {
  expect(refusal(() => requireMayCreateInviteLink(actor, realmPermissions()))).toBe(expected)
})

test.each([
  ['owner as owner', owner, 100, null],
  ['administrator as owner', administrator, 100, mustBeOwner],
  ['administrator as administrator', administrator, 200, null],
  ['moderator as owner', moderator, 100, mustBeOwner],
  ['moderator as administrator', moderator, 200, mustBeAdministrator],
  ['moderator as moderator', moderator, 300, null],
  ['member as moderator', member, 300, mustBeAdministrator],
  ['member as member', member, 400, null],
  ['member as guest', member, 600, null],
] as const)('role: %s', (_case, actor, role, expected) => {
  const error = refusalError(() => requireMayInviteAs(actor, role))
  expect(error?.message ?? null).toBe(expected)
  if (error) expect(error.code).toBe('BAD_REQUEST')
})

test('the welcome text is for administrators', () => {
  expect([owner, administrator, moderator, member].map(mayWriteWelcomeText)).toEqual([
    true,
    true,
    false,
    false,
  ])
})

describe('channels', () => {
  const strict = realmPermissions({ can_add_subscribers_group: nobody })
  const noRight = 'You do not have permission to subscribe other users to channels.'
  const open: InvitationChannel = {
    id: 1,
    channel: buildChannel(),
    isSubscribed: false,
    isDefault: false,
  }
  const inDefault = { ...open, isDefault: true }
  const hidden = { ...open, id: 7, channel: buildChannel({ id: 7, isPrivate: true }) }
  const archived = { ...open, id: 8, channel: buildChannel({ id: 8, isArchived: true }) }
  const absent = { ...open, id: 9, channel: undefined }
  test.each([
    ['none', member, [], strict, null],
    ['a readable one', member, [open], realmPermissions(), null],
    [
      'a private one outside',
      member,
      [open, hidden],
      realmPermissions(),
      'Invalid channel ID 7. No invites were sent.',
    ],
    [
      'the same as an administrator',
      administrator,
      [hidden],
      realmPermissions(),
      'Invalid channel ID 7. No invites were sent.',
    ],
    ['an archived one', owner, [archived], realmPermissions(), 'Invalid channel ID 8. No invites were sent.'],
    ['an absent one', owner, [absent], realmPermissions(), 'Invalid channel ID 9. No invites were sent.'],
    ['without the right to add', member, [open], strict, noRight],
    ['without the right, a default channel', member, [inDefault], strict, null],
    ['without the right, both', member, [inDefault, open], strict, noRight],
    [
      'access comes before the right',
      member,
      [open, absent],
      strict,
      'Invalid channel ID 9. No invites were sent.',
    ],
    ['administrator without the right', administrator, [open], strict, null],
  ])('%s', (_case, actor, channels, realm, expected) => {
    expect(refusal(() => requireMayInviteToChannels(actor, channels, realm))).toBe(expected)
  })
})

test.each([
  ['none', member, [], null],
  ['an own group', member, [buildGroup({ settings: { can_manage_group: only(member.id) } })], null],
  [
    'a group one may add to',
    member,
    [buildGroup({ settings: { can_add_members_group: only(member.id) } })],
    null,
  ],
  ['a group of others', member, [buildGroup()], insufficient],
  ['any group, as an owner', owner, [buildGroup()], null],
  ['a system group, as an owner', owner, [buildGroup({ isSystem: true })], insufficient],
  ['an unknown group', owner, [buildGroup(), undefined], 'Invalid user group'],
  ['a deactivated group', owner, [buildGroup({ isDeactivated: true })], 'User group is deactivated.'],
])('groups: %s', (_case, actor, groups, expected) => {
  expect(refusal(() => requireMayInviteToGroups(actor, groups, realmPermissions()))).toBe(expected)
})

test.each([
  ['the own', member, { invitedById: member.id, invitedAs: 400 }, null],
  ["another's, as a member", moderator, { invitedById: 99, invitedAs: 400 }, mustBeAdministrator],
  ["another's, as an administrator", administrator, { invitedById: 99, invitedAs: 200 }, null],
  [
    "another's to an owner, as an administrator",
    administrator,
    { invitedById: 99, invitedAs: 100 },
    mustBeOwner,
  ],
  ["another's to an owner, as an owner", owner, { invitedById: 99, invitedAs: 100 }, null],
] as const)('revoking %s', (_case, actor, invitation, expected) => {
  expect(refusal(() => requireMayManageInvitation(actor, invitation))).toBe(expected)
})

test.each([
  ['open organization, new member', member, 2, false, true],
  ['open organization, three days', member, 3, false, false],
  ['open organization, new administrator', administrator, 0, false, false],
  ['closed organization, new member', member, 0, true, false],
])('%s', (_case, actor, days, invite_required, expected) => {
  expect(isTooNewToInvite(actor, days, { invite_required })).toBe(expected)
})
