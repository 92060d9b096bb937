import { describe, expect, test } from 'vitest'
import type { Actor } from '../../src/rules/access.ts'
import {
  type BotOwnerFacts,
  type ChannelFacts,
  invalidChannelName,
  mayAccessChannelContent,
  mayAccessChannelMetadata,
  mayAdministerChannel,
  mayPost,
  requireActiveChannelContent,
  requireChannelContent,
  requireChannelMetadata,
  requireMayAdministerChannel,
  requireMayPost,
} from '../../src/rules/channel-rules.ts'
import { administrator, bot, buildActor, guest, member, moderator, owner } from './build-actor.ts'
import { buildChannel, everyone, members, nobody, only } from './build-facts.ts'
import { refusal } from './refusal.ts'

const open = buildChannel()
const closed = buildChannel({ isPrivate: true })
const protectedHistory = buildChannel({ isPrivate: true, historyPublicToSubscribers: false })
const web = buildChannel({ isWebPublic: true })
const mayAdd = buildChannel({ isPrivate: true, settings: { can_add_subscribers_group: members } })
const maySubscribe = buildChannel({ isPrivate: true, settings: { can_subscribe_group: only(member.id) } })
const ledByMember = buildChannel({
  isPrivate: true,
  settings: { can_administer_channel_group: only(member.id) },
})
const guestListed = buildChannel({
  isPrivate: true,
  settings: {
    can_subscribe_group: only(guest.id),
    can_add_subscribers_group: only(guest.id),
    can_administer_channel_group: only(guest.id),
  },
})

describe('access: who sees the channel, who reads it', () => {
  const cases: [string, Actor, ChannelFacts, boolean, { sees: boolean; reads: boolean }][] = [
    ['member, public', member, open, false, { sees: true, reads: true }],
    ['guest, public', guest, open, false, { sees: false, reads: false }],
    ['guest subscribed, public', guest, open, true, { sees: true, reads: true }],
    ['guest, web-public', guest, web, false, { sees: true, reads: true }],
    ['member, private', member, closed, false, { sees: false, reads: false }],
    ['member subscribed, private', member, closed, true, { sees: true, reads: true }],
    ['guest subscribed, private', guest, closed, true, { sees: true, reads: true }],
    ['moderator, private', moderator, closed, false, { sees: false, reads: false }],
    ['administrator, private', administrator, closed, false, { sees: true, reads: false }],
    ['owner, private', owner, closed, false, { sees: true, reads: false }],
    [
      'administrator, protected history',
      administrator,
      protectedHistory,
      false,
      { sees: true, reads: false },
    ],
    ['member of can_add_subscribers_group', member, mayAdd, false, { sees: true, reads: true }],
    ['member of can_subscribe_group', member, maySubscribe, false, { sees: true, reads: true }],
    ['member outside can_subscribe_group', moderator, maySubscribe, false, { sees: false, reads: false }],
    ['channel administrator', member, ledByMember, false, { sees: true, reads: false }],
    ['guest listed by id in all three groups', guest, guestListed, false, { sees: false, reads: false }],
    [
      'member, archived public',
      member,
      buildChannel({ isArchived: true }),
      false,
      { sees: true, reads: true },
    ],
  ]
  test.each(cases)('%s', (_case, actor, channel, isSubscribed, expected) => {
    expect({
      sees: mayAccessChannelMetadata(actor, channel, isSubscribed),
      reads: mayAccessChannelContent(actor, channel, isSubscribed),
    }).toEqual(expected)
  })
})

describe('a hidden channel looks absent', () => {
  test('by id', () => {
    expect(refusal(() => requireChannelMetadata(member, closed, false))).toBe('Invalid channel ID')
    expect(refusal(() => requireChannelMetadata(member, undefined, false))).toBe('Invalid channel ID')
    expect(refusal(() => requireChannelContent(administrator, closed, false))).toBe('Invalid channel ID')
    expect(refusal(() => requireChannelContent(member, undefined, false))).toBe('Invalid channel ID')
  })
  test('by name', () => {
    const refused = invalidChannelName('Design ')
    expect(refusal(() => requireChannelMetadata(member, closed, false, refused))).toBe(
      "Invalid channel name 'Design '",
    )
  })
  test('a visible one is returned', () => {
    expect(requireChannelMetadata(administrator, closed, false)).toBe(closed)
    expect(requireChannelContent(member, open, false)).toBe(open)
  })
  test('an archived one can be read, but not changed', () => {
    const archived = buildChannel({ isArchived: true })
    expect(requireChannelContent(member, archived, false)).toBe(archived)
    expect(requireActiveChannelContent(member, open, false)).toBe(open)
    expect(refusal(() => requireActiveChannelContent(member, archived, false))).toBe('Invalid channel ID')
  })
})

describe('administering', () => {
  test.each([
    ['owner', owner, closed, true],
    ['administrator', administrator, closed, true],
    ['moderator', moderator, closed, false],
    ['member in the group', member, ledByMember, true],
    ['guest in the group', guest, guestListed, false],
  ])('%s', (_case, actor, channel, expected) => {
    expect(mayAdministerChannel(actor, channel)).toBe(expected)
    expect(refusal(() => requireMayAdministerChannel(actor, channel))).toBe(
      expected ? null : 'You do not have permission to administer this channel.',
    )
  })
})

describe('posting', () => {
  const noGrant = 'You do not have permission to post in this channel.'
  const notAuthorized = "Not authorized to send to channel 'design'"
  const forMember = buildChannel({ settings: { can_send_message_group: only(member.id) } })
  const ownerOfBot = (isSubscribed: boolean): BotOwnerFacts => ({ actor: member, isSubscribed })
  const botNotMember = buildActor({ id: 70, role: 600, isBot: true, botOwnerId: member.id })

  const cases: [string, Actor, ChannelFacts, boolean, BotOwnerFacts | null, string | null][] = [
    ['member, public, not subscribed', member, open, false, null, null],
    ['guest, public, not subscribed', guest, open, false, null, notAuthorized],
    ['guest, public, subscribed', guest, open, true, null, null],
    ['guest, web-public, not subscribed', guest, web, false, null, null],
    ['not in the posting group', moderator, forMember, true, null, noGrant],
    ['in the posting group', member, forMember, false, null, null],
    ['owner not in the posting group', owner, forMember, true, null, noGrant],
    ['bot, owner in the posting group', bot, forMember, false, ownerOfBot(false), null],
    [
      'bot, nobody in the posting group',
      bot,
      buildChannel({ settings: { can_send_message_group: nobody } }),
      true,
      ownerOfBot(true),
      noGrant,
    ],
    ['archived', member, buildChannel({ isArchived: true }), true, null, notAuthorized],
    [
      'archived and not in the posting group: the group comes first',
      member,
      buildChannel({ isArchived: true, settings: { can_send_message_group: nobody } }),
      true,
      null,
      noGrant,
    ],
    ['member, private, subscribed', member, closed, true, null, null],
    ['member, private, not subscribed', member, closed, false, null, notAuthorized],
    ['administrator, private, not subscribed', administrator, closed, false, null, notAuthorized],
    ['bot, private, owner subscribed', bot, closed, false, ownerOfBot(true), null],
    ['bot, private, neither subscribed', bot, closed, false, ownerOfBot(false), notAuthorized],
    ['guest bot, public, owner subscribed', botNotMember, open, false, ownerOfBot(true), null],
    ['guest bot, public, neither subscribed', botNotMember, open, false, ownerOfBot(false), notAuthorized],
    ['may subscribe, shared history', member, maySubscribe, false, null, null],
    ['may add subscribers, shared history', member, mayAdd, false, null, null],
    [
      'may subscribe, protected history',
      member,
      { ...maySubscribe, historyPublicToSubscribers: false },
      false,
      null,
      notAuthorized,
    ],
    [
      'guest listed in can_subscribe_group',
      guest,
      buildChannel({
        ...guestListed,
        settings: { ...guestListed.settings, can_send_message_group: everyone },
      }),
      false,
      null,
      notAuthorized,
    ],
  ]
  test.each(cases)('%s', (_case, actor, channel, isSubscribed, botOwner, expected) => {
    expect(refusal(() => requireMayPost(actor, channel, isSubscribed, botOwner))).toBe(expected)
    expect(mayPost(actor, channel, isSubscribed, botOwner)).toBe(expected === null)
  })
})
