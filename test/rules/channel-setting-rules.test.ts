import { describe, expect, test } from 'vitest'
import {
  mayMakeWebPublic,
  requireContentToChange,
  requireMayChangeChannelGroupSetting,
  requireMayChangeDefaultChannels,
  requireMayCreateChannel,
  requireMayUseCreationSettings,
} from '../../src/rules/channel-setting-rules.ts'
import type { RealmPermissions } from '../../src/rules/grants.ts'
import { administrator, bot, guest, member, moderator, owner } from './build-actor.ts'
import { buildChannel, members, nobody, only, realmPermissions } from './build-facts.ts'
import { refusal, refusalError } from './refusal.ts'

const wanted = {
  isPrivate: false,
  isWebPublic: false,
  isDefault: false,
  properties: {},
  setsRetention: false,
}
const pushing = (default_push_notifications: boolean) => ({
  ...wanted,
  properties: { default_push_notifications },
})
const insufficient = 'Insufficient permission'

function creationFacts(change: Partial<RealmPermissions> = {}, isWebPublicEnabled = true) {
  return { ...realmPermissions(change), isWebPublicEnabled }
}

describe('creating a channel', () => {
  test.each([
    ['member, public', member, wanted, creationFacts(), null],
    ['member, private', member, { ...wanted, isPrivate: true }, creationFacts(), null],
    ['bot, public', bot, wanted, creationFacts(), null],
    ['guest, public', guest, wanted, creationFacts(), insufficient],
    [
      'no public right',
      member,
      wanted,
      creationFacts({ can_create_public_channel_group: nobody }),
      insufficient,
    ],
    [
      'no private right',
      member,
      { ...wanted, isPrivate: true },
      creationFacts({ can_create_private_channel_group: nobody }),
      insufficient,
    ],
    [
      'the public right is not asked of a private channel',
      member,
      { ...wanted, isPrivate: true },
      creationFacts({ can_create_public_channel_group: nobody }),
      null,
    ],
    [
      'pushes, by a moderator',
      moderator,
      pushing(true),
      creationFacts(),
      'Must be an organization administrator',
    ],
    ['pushes, by an administrator', administrator, pushing(true), creationFacts(), null],
    ['no pushes, by a member', member, pushing(false), creationFacts(), null],
    ['default, by a member', member, { ...wanted, isDefault: true }, creationFacts(), insufficient],
    ['default, by a moderator', moderator, { ...wanted, isDefault: true }, creationFacts(), insufficient],
    ['default, by an administrator', administrator, { ...wanted, isDefault: true }, creationFacts(), null],
    [
      'default and private',
      administrator,
      { ...wanted, isDefault: true, isPrivate: true },
      creationFacts(),
      'A default channel cannot be private.',
    ],
    ['web-public, by an owner', owner, { ...wanted, isWebPublic: true }, creationFacts(), null],
    [
      'web-public, switched off',
      owner,
      { ...wanted, isWebPublic: true },
      creationFacts({}, false),
      'Web-public channels are not enabled.',
    ],
    [
      'web-public, by an administrator',
      administrator,
      { ...wanted, isWebPublic: true },
      creationFacts(),
      insufficient,
    ],
    ['retention, by an owner', owner, { ...wanted, setsRetention: true }, creationFacts(), null],
    [
      'retention, by an administrator',
      administrator,
      { ...wanted, setsRetention: true },
      creationFacts(),
      'Must be an organization owner',
    ],
  ])('%s', (_case, actor, channel, realm, expected) => {
    expect(refusal(() => requireMayCreateChannel(actor, channel, realm))).toBe(expected)
  })

  test('the refusal of retention has a code of its own', () => {
    const error = refusalError(() =>
      requireMayCreateChannel(administrator, { ...wanted, setsRetention: true }, creationFacts()),
    )
    expect(error?.code).toBe('UNAUTHORIZED_PRINCIPAL')
  })

  test('web-public needs the switch and the right', () => {
    expect(mayMakeWebPublic(owner, creationFacts())).toBe(true)
    expect(mayMakeWebPublic(owner, creationFacts({}, false))).toBe(false)
    expect(mayMakeWebPublic(administrator, creationFacts())).toBe(false)
  })
})

describe('settings given at creation', () => {
  const plain = { settings: {}, topicsPolicy: 'inherit' as const }
  test.each([
    ['nothing given', member, plain, null],
    ['deletion by nobody', member, { ...plain, settings: { can_delete_own_message_group: nobody } }, null],
    [
      'deletion by a list that is empty',
      member,
      { ...plain, settings: { can_delete_any_message_group: only() } },
      null,
    ],
    [
      'deletion by members, as a member',
      member,
      { ...plain, settings: { can_delete_own_message_group: members } },
      insufficient,
    ],
    [
      'deletion by members, as a moderator',
      moderator,
      { ...plain, settings: { can_delete_any_message_group: members } },
      null,
    ],
    ['topics policy, as a member', member, { ...plain, topicsPolicy: 'empty_topic_only' as const }, null],
    [
      'topics policy, as a guest',
      guest,
      { ...plain, topicsPolicy: 'empty_topic_only' as const },
      insufficient,
    ],
    [
      'other settings need nothing',
      member,
      { ...plain, settings: { can_send_message_group: members } },
      null,
    ],
  ])('%s', (_case, actor, given, expected) => {
    expect(refusal(() => requireMayUseCreationSettings(actor, given, realmPermissions()))).toBe(expected)
  })
})

describe('changing group settings of a channel', () => {
  const closed = buildChannel({ isPrivate: true })
  const needsContent = 'Channel content access is required.'
  test.each([
    ['can_send_message_group', administrator, false, null],
    ['can_administer_channel_group', administrator, false, null],
    ['can_subscribe_group', administrator, false, needsContent],
    ['can_subscribe_group', administrator, true, null],
    ['can_add_subscribers_group', owner, false, needsContent],
    ['can_delete_any_message_group', administrator, false, needsContent],
    ['can_delete_own_message_group', administrator, true, null],
    ['can_delete_own_message_group', member, true, insufficient],
    ['can_subscribe_group', member, true, null],
  ] as const)('%s', (name, actor, isSubscribed, expected) => {
    expect(
      refusal(() =>
        requireMayChangeChannelGroupSetting(actor, name, closed, isSubscribed, realmPermissions()),
      ),
    ).toBe(expected)
  })

  test('an administrator outside a private channel cannot open it', () => {
    expect(refusal(() => requireContentToChange(administrator, closed, false))).toBe(needsContent)
    expect(refusal(() => requireContentToChange(administrator, closed, true))).toBeNull()
  })

  test('default channels are for administrators', () => {
    expect(refusal(() => requireMayChangeDefaultChannels(administrator))).toBeNull()
    expect(refusal(() => requireMayChangeDefaultChannels(moderator))).toBe(
      'You do not have permission to change default channels.',
    )
  })
})
