import { describe, expect, test } from 'vitest'
import {
  type DeletionFacts,
  mayModifyMessage,
  mayReadMessage,
  requireMayDeleteMessage,
  requireMayEditContent,
} from '../../src/rules/message-rules.ts'
import { administrator, buildActor, guest, member, moderator, owner } from './build-actor.ts'
import { buildChannel, members, nobody, only, realmPermissions } from './build-facts.ts'
import { refusal } from './refusal.ts'

describe('reading and modifying', () => {
  const open = buildChannel()
  const shared = buildChannel({ isPrivate: true })
  const guarded = buildChannel({ isPrivate: true, historyPublicToSubscribers: false })
  const granted = { settings: { can_subscribe_group: only(member.id) } }
  const archived = buildChannel({ isArchived: true })
  const readable = { reads: true, modifies: true }
  const hidden = { reads: false, modifies: false }

  test.each([
    ['direct, participant', member, null, false, true, readable],
    ['direct, not a participant', member, null, false, false, hidden],
    ['direct, owner but not a participant', owner, null, false, false, hidden],
    ['public, not subscribed, no record', member, open, false, false, readable],
    ['public, guest not subscribed', guest, open, false, true, hidden],
    ['public, guest subscribed', guest, open, true, false, readable],
    ['private shared, subscribed, older than the subscription', member, shared, true, false, readable],
    ['private shared, no longer subscribed though once received', member, shared, false, true, hidden],
    ['private shared, administrator outside', administrator, shared, false, true, hidden],
    [
      'private shared, by group',
      member,
      buildChannel({ isPrivate: true, ...granted }),
      false,
      false,
      readable,
    ],
    ['protected, subscribed with record', member, guarded, true, true, readable],
    ['protected, subscribed without record', member, guarded, true, false, hidden],
    ['protected, record but no longer subscribed', member, guarded, false, true, hidden],
    [
      'protected, by group, without record',
      member,
      buildChannel({ isPrivate: true, historyPublicToSubscribers: false, ...granted }),
      false,
      false,
      hidden,
    ],
    ['archived', member, archived, true, true, { reads: true, modifies: false }],
  ])('%s', (_case, actor, channel, isSubscribed, hasRecord, expected) => {
    const access = { channel, isSubscribed, hasRecord }
    expect({ reads: mayReadMessage(actor, access), modifies: mayModifyMessage(actor, access) }).toEqual(
      expected,
    )
  })
})

describe('editing the content', () => {
  const realm = { allow_message_editing: true, message_content_edit_limit_seconds: 600 }
  const unlimited = { ...realm, message_content_edit_limit_seconds: null }
  const off = { ...realm, allow_message_editing: false }
  const late = 'The time limit for editing this message has passed'
  const own = (ageSeconds: number) => ({ senderId: member.id, ageSeconds })

  test.each([
    ['own, in time', member, own(600), realm, null],
    ['own, in the slack', member, own(620), realm, null],
    ['own, past the slack', member, own(620.001), realm, late],
    ['own, no limit', member, own(1e9), unlimited, null],
    ['editing is off', member, own(0), off, 'Your organization has turned off message editing'],
    [
      'editing is off comes before the sender',
      owner,
      own(0),
      off,
      'Your organization has turned off message editing',
    ],
    ["another's, as an owner", owner, own(0), realm, "You don't have permission to edit this message"],
    [
      "another's comes before the limit",
      owner,
      own(1e9),
      realm,
      "You don't have permission to edit this message",
    ],
    ['an administrator has the limit too', administrator, { senderId: 2, ageSeconds: 621 }, realm, late],
  ])('%s', (_case, actor, message, limits, expected) => {
    expect(refusal(() => requireMayEditContent(actor, message, limits))).toBe(expected)
  })

  test('typing in an edit has no slack', () => {
    expect(refusal(() => requireMayEditContent(member, own(600), realm, 0))).toBeNull()
    expect(refusal(() => requireMayEditContent(member, own(601), realm, 0))).toBe(late)
  })
})

describe('deleting', () => {
  const facts = (change: Partial<DeletionFacts> = {}): DeletionFacts => ({
    ...realmPermissions(),
    message_content_delete_limit_seconds: 600,
    ...change,
  })
  const denied = "You don't have permission to delete this message"
  const late = 'The time limit for deleting this message has passed'
  const message = { senderId: member.id, senderBotOwnerId: null, ageSeconds: 600, channel: null }
  const old = { ...message, ageSeconds: 600.001 }
  const notOwn = facts({ can_delete_own_message_group: nobody })
  const inChannel = (settings: Parameters<typeof buildChannel>[0] = {}) => ({
    ...message,
    channel: buildChannel(settings),
  })

  test.each([
    ['own, at the limit', member, message, facts(), null],
    ['own, past the limit: no slack', member, old, facts(), late],
    ['own, no limit', member, old, facts({ message_content_delete_limit_seconds: null }), null],
    ['own, without the right', member, message, notOwn, denied],
    [
      "own, by the channel's grant",
      member,
      inChannel({ settings: { can_delete_own_message_group: members } }),
      notOwn,
      null,
    ],
    [
      "own, by the channel's grant, past the limit",
      member,
      { ...inChannel({ settings: { can_delete_own_message_group: members } }), ageSeconds: 601 },
      notOwn,
      late,
    ],
    ["another's, as a member", buildActor({ id: 50 }), message, facts(), denied],
    ["another's, as a moderator", moderator, message, facts(), denied],
    ["another's, as an administrator, however old", administrator, old, facts(), null],
    [
      "another's, by the channel's grant, however old",
      buildActor({ id: 50 }),
      { ...inChannel({ settings: { can_delete_any_message_group: only(50) } }), ageSeconds: 1e9 },
      facts(),
      null,
    ],
    ["the own bot's", member, { ...message, senderId: 70, senderBotOwnerId: member.id }, facts(), null],
    ["another's bot's", member, { ...message, senderId: 70, senderBotOwnerId: 71 }, facts(), denied],
    ['own, as a guest', guest, { ...message, senderId: guest.id }, facts(), null],
  ])('%s', (_case, actor, deleted, realm, expected) => {
    expect(refusal(() => requireMayDeleteMessage(actor, deleted, realm))).toBe(expected)
  })
})
