import { describe, expect, test } from 'vitest'
import {
  type EmailVisibility,
  maySeeDeliveryEmail,
  maySeeUser,
  requireMayAdministerUser,
  requireMayChangeRole,
  requireMayDeactivateUser,
  seesAllUsers,
} from '../../src/rules/user-rules.ts'
import { administrator, bot, everybody, guest, member, moderator, owner } from './build-actor.ts'
import { members, realmPermissions } from './build-facts.ts'
import { refusal } from './refusal.ts'

describe('real email addresses', () => {
  const visible: [EmailVisibility, string[]][] = [
    [1, ['owner', 'administrator', 'moderator', 'member', 'guest']],
    [2, ['owner', 'administrator', 'moderator', 'member']],
    [5, ['owner', 'administrator', 'moderator']],
    [3, ['owner', 'administrator']],
    [4, []],
  ]
  test.each(visible)('visibility %i: seen by %j', (emailVisibility, expected) => {
    const viewers = { owner, administrator, moderator, member, guest }
    const seen = Object.entries(viewers).filter(([, viewer]) =>
      maySeeDeliveryEmail(viewer, { id: 99, isBot: false, emailVisibility }),
    )
    expect(seen.map(([name]) => name)).toEqual(expected)
  })

  test('users see their own address, and everyone sees those of bots', () => {
    expect(maySeeDeliveryEmail(guest, { id: guest.id, isBot: false, emailVisibility: 4 })).toBe(true)
    expect(maySeeDeliveryEmail(guest, { id: 99, isBot: true, emailVisibility: 4 })).toBe(true)
  })
})

describe('seeing users', () => {
  const restricted = realmPermissions({ can_access_all_users_group: members })
  const stranger = { id: 99, isBot: false, sharesConversation: false }
  test.each([
    ['guest, unrestricted', guest, stranger, realmPermissions(), true],
    ['guest, restricted', guest, stranger, restricted, false],
    ['guest, sharing a channel', guest, { ...stranger, sharesConversation: true }, restricted, true],
    ['guest, a bot', guest, { ...stranger, isBot: true }, restricted, true],
    ['guest, oneself', guest, { ...stranger, id: guest.id }, restricted, true],
    ['member, restricted', member, stranger, restricted, true],
  ])('%s', (_case, viewer, user, realm, may) => {
    expect(maySeeUser(viewer, user, realm)).toBe(may)
  })

  test('only restricted guests need a check for each user', () => {
    const seeingAll = Object.entries(everybody).filter(([, viewer]) => seesAllUsers(viewer, restricted))
    expect(seeingAll.map(([name]) => name)).not.toContain('guest')
    expect(seeingAll).toHaveLength(Object.keys(everybody).length - 1)
    expect(seesAllUsers(guest, realmPermissions())).toBe(true)
  })
})

describe('administering users', () => {
  const insufficient = 'Insufficient permission'
  const mustBeOwner = 'Must be an organization owner'
  const person = { botType: null, botOwnerId: null, botOwnerRole: undefined }
  const target = { id: 99, role: 400 as const, isOnlyOwner: false, ...person }
  const ownBot = { ...target, botType: 1, botOwnerId: member.id, botOwnerRole: 400 as const }
  const ownersBot = { ...ownBot, role: 100 as const, botOwnerId: owner.id, botOwnerRole: 100 as const }
  const otherOwner = { ...target, role: 100 as const }
  const onlyOwner = { ...otherOwner, id: owner.id, isOnlyOwner: true }

  test.each([
    ['administrator', administrator, target, null],
    ['moderator', moderator, target, insufficient],
    ['oneself', member, { ...target, id: member.id }, insufficient],
    ['the own bot', member, ownBot, null],
    ["another's bot", moderator, ownBot, insufficient],
    ["another's bot, by an administrator", administrator, ownBot, null],
    ["a bot with an owner's role, by an administrator", administrator, ownersBot, mustBeOwner],
    ["a bot with an owner's role, by another owner", { ...owner, id: 98 }, ownersBot, null],
  ])('%s', (_case, actor, user, expected) => {
    expect(refusal(() => requireMayAdministerUser(actor, user))).toBe(expected)
  })

  test.each([
    ['administrator makes an administrator', administrator, target, 200, null],
    ['administrator makes an owner', administrator, target, 100, mustBeOwner],
    ['administrator unmakes an owner', administrator, otherOwner, 400, mustBeOwner],
    ['owner makes an owner', owner, target, 100, null],
    ['owner unmakes another owner', owner, otherOwner, 400, null],
    [
      'the only owner',
      owner,
      onlyOwner,
      200,
      'The owner permission cannot be removed from the only organization owner.',
    ],
    ['the only owner stays owner', owner, onlyOwner, 100, null],
    ['a bot owner who is no administrator', member, ownBot, 300, insufficient],
    ["above its owner's, for a bot", owner, ownBot, 300, insufficient],
    ["its owner's, for a bot", administrator, { ...ownBot, role: 600 as const }, 400, null],
  ] as const)('role: %s', (_case, actor, user, role, expected) => {
    expect(refusal(() => requireMayChangeRole(actor, user, role))).toBe(expected)
  })

  test.each([
    ['administrator, a member', administrator, target, null],
    ['moderator, a member', moderator, target, insufficient],
    ['administrator, an owner', administrator, otherOwner, mustBeOwner],
    ['owner, another owner', owner, otherOwner, null],
    ['owner, the only one', owner, onlyOwner, 'Cannot deactivate the only organization owner'],
  ])('deactivate: %s', (_case, actor, user, expected) => {
    expect(refusal(() => requireMayDeactivateUser(actor, user))).toBe(expected)
  })

  test('a bot may do none of it', () => {
    expect(refusal(() => requireMayAdministerUser(bot, target))).toBe(insufficient)
  })
})
