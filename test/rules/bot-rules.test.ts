import { describe, expect, test } from 'vitest'
import {
  maySpeakForBot,
  requireMayCreateBot,
  requireMaySpeakForBot,
  roleWithin,
} from '../../src/rules/bot-rules.ts'
import { hasRealmGrant } from '../../src/rules/grants.ts'
import { administrator, bot, buildActor, guest, member, moderator, owner } from './build-actor.ts'
import { nobody, realmPermissions } from './build-facts.ts'
import { refusal } from './refusal.ts'

const insufficient = 'Insufficient permission'

describe('speaking for a bot', () => {
  const plain = { role: 400 as const, botOwnerId: member.id }
  const ownersBot = { role: 100 as const, botOwnerId: owner.id }
  test.each([
    ['its owner', member, plain, null],
    ['a moderator', moderator, plain, insufficient],
    ['an administrator', administrator, plain, insufficient],
    ['an owner of the organization', owner, plain, insufficient],
    ["an owner, a bot with an owner's role", owner, ownersBot, null],
    [
      "an administrator, a bot with an owner's role",
      administrator,
      ownersBot,
      'Must be an organization owner',
    ],
    [
      "a member, a bot that has kept an owner's role",
      member,
      { ...ownersBot, botOwnerId: member.id },
      'Must be an organization owner',
    ],
    ['an administrator, a bot without an owner', administrator, { ...plain, botOwnerId: null }, insufficient],
  ])('%s', (_case, actor, of, expected) => {
    expect(refusal(() => requireMaySpeakForBot(actor, of))).toBe(expected)
    expect(maySpeakForBot(actor, of)).toBe(expected === null)
  })
})

test("a bot's role is never above its owner's", () => {
  expect(roleWithin(100, 400)).toBe(400)
  expect(roleWithin(600, 400)).toBe(600)
  expect(roleWithin(200, 200)).toBe(200)
  expect(roleWithin(300, undefined)).toBe(300)
})

describe('a right that is given to a bot', () => {
  const named = realmPermissions({
    can_invite_users_group: { direct_members: [bot.id], direct_subgroups: [] },
  })
  const both = realmPermissions({
    can_invite_users_group: { direct_members: [bot.id, member.id], direct_subgroups: [] },
  })
  const owned = buildActor({ ...bot, botOwner: member })
  test.each([
    ['its owner has it too', owned, both, true],
    ['its owner lacks it', owned, named, false],
    ["its owner's account is closed", { ...owned, botOwner: { ...member, isActive: false } }, both, false],
    ['it has no owner', bot, named, true],
  ])('%s', (_case, actor, realm, has) => {
    expect(hasRealmGrant(actor, realm, 'can_invite_users_group')).toBe(has)
  })
})

describe('making a bot', () => {
  const hooksOnly = realmPermissions({ can_create_bots_group: nobody })
  const noBots = realmPermissions({ can_create_bots_group: nobody, can_create_write_only_bots_group: nobody })
  const botsOnly = realmPermissions({ can_create_write_only_bots_group: nobody })
  test.each([
    ['member, generic', member, 1, realmPermissions(), true],
    ['guest, generic', guest, 1, realmPermissions(), false],
    ['generic with the write-only right', member, 1, hooksOnly, false],
    ['incoming webhook with the write-only right', member, 2, hooksOnly, true],
    ['incoming webhook with the full right', member, 2, botsOnly, true],
    ['incoming webhook with neither', member, 2, noBots, false],
    ['outgoing webhook with the write-only right', member, 3, hooksOnly, false],
  ])('%s', (_case, actor, type, realm, may) => {
    expect(refusal(() => requireMayCreateBot(actor, type, realm))).toBe(may ? null : insufficient)
  })
})
