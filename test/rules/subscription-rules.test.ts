import { describe, expect, test } from 'vitest'
import { maySubscribeOthers, requireMayUnsubscribe } from '../../src/rules/channel-rules.ts'
import { administrator, bot, buildActor, guest, member, moderator, newMember, owner } from './build-actor.ts'
import { buildChannel, everyone, members, nobody, only, realmPermissions } from './build-facts.ts'
import { refusal } from './refusal.ts'

const realm = realmPermissions()
const strict = realmPermissions({ can_add_subscribers_group: nobody })
const plain = buildChannel()

describe('subscribing others', () => {
  test.each([
    ['member by default', member, plain, realm, true],
    ['new member by default', newMember, plain, realm, true],
    ['bot by default', bot, plain, realm, true],
    ['guest by default', guest, plain, realm, false],
    [
      'guest listed by id',
      guest,
      plain,
      realmPermissions({ can_add_subscribers_group: only(guest.id) }),
      false,
    ],
    ['member without the right', member, plain, strict, false],
    ['moderator without the right', moderator, plain, strict, false],
    ['administrator without the right', administrator, plain, strict, true],
    [
      'channel administrator',
      member,
      buildChannel({ settings: { can_administer_channel_group: only(member.id) } }),
      strict,
      true,
    ],
    [
      "in the channel's group",
      member,
      buildChannel({ settings: { can_add_subscribers_group: members } }),
      strict,
      true,
    ],
  ])('%s', (_case, actor, channel, permissions, may) => {
    expect(maySubscribeOthers(actor, channel, permissions)).toBe(may)
  })
})

describe('unsubscribing', () => {
  const self = (id: number) => ({ id, botOwnerId: null })
  const other = { id: 99, botOwnerId: null }
  const closed = buildChannel({ isPrivate: true })
  const removers = buildChannel({ settings: { can_remove_subscribers_group: members } })
  const privateRemovers = buildChannel({
    isPrivate: true,
    settings: { can_remove_subscribers_group: everyone },
  })
  const led = buildChannel({ isPrivate: true, settings: { can_administer_channel_group: only(member.id) } })
  const ownBot = { id: bot.id, botOwnerId: member.id }

  test.each([
    ['oneself, without access', member, self(member.id), closed, false, true],
    ['a guest oneself', guest, self(guest.id), closed, true, true],
    ['another, as a member', member, other, plain, true, false],
    ['another, as a moderator', moderator, other, plain, true, false],
    ['another, as an administrator', administrator, other, plain, false, true],
    ['another, as an owner, private and not subscribed', owner, other, closed, false, true],
    ['another, as channel administrator', member, other, led, false, true],
    ['another, in can_remove_subscribers_group', member, other, removers, false, true],
    ['the same in a private channel one cannot see', member, other, privateRemovers, false, false],
    ['the same in a private channel one is in', member, other, privateRemovers, true, true],
    ['another, as a guest in the group', guest, other, privateRemovers, true, false],
    ['the own bot, public channel', member, ownBot, plain, false, true],
    ['the own bot, a private channel one cannot see', member, ownBot, closed, false, false],
    ['the own bot, a private channel one is in', member, ownBot, closed, true, true],
    ["another's bot", buildActor({ id: 88 }), ownBot, plain, true, false],
  ])('%s', (_case, actor, user, channel, isSubscribed, may) => {
    expect(refusal(() => requireMayUnsubscribe(actor, user, channel, isSubscribed))).toBe(
      may ? null : 'Insufficient permission',
    )
  })
})
