import { describe, expect, test } from 'vitest'
import {
  requireMayMentionChannel,
  requireMayMentionGroup,
  requireMayMentionTopic,
} from '../../src/rules/message-rules.ts'
import { administrator, bot, guest, member, moderator, owner } from './build-actor.ts'
import { buildGroup, everyone, nobody, only, realmPermissions } from './build-facts.ts'
import { refusalError } from './refusal.ts'

describe('wildcard mentions', () => {
  test.each([
    ['member, 15 people', member, 15, realmPermissions(), true],
    ['member, 16 people', member, 16, realmPermissions(), false],
    ['guest, 15 people', guest, 15, realmPermissions(), true],
    ['bot, 16 people', bot, 16, realmPermissions(), false],
    ['moderator, 16 people', moderator, 16, realmPermissions(), false],
    ['administrator, 16 people', administrator, 16, realmPermissions(), true],
    [
      'guest, 16 people, everyone may',
      guest,
      16,
      realmPermissions({ can_mention_many_users_group: everyone }),
      true,
    ],
    [
      'owner, 16 people, nobody may',
      owner,
      16,
      realmPermissions({ can_mention_many_users_group: nobody }),
      false,
    ],
  ])('%s', (_case, actor, count, realm, may) => {
    expect(refusalError(() => requireMayMentionChannel(actor, count, realm))?.code ?? null).toBe(
      may ? null : 'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    )
    expect(refusalError(() => requireMayMentionTopic(actor, count, realm))?.code ?? null).toBe(
      may ? null : 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
    )
  })
})

describe('group mentions', () => {
  test.each([
    ['everyone, as a guest', guest, buildGroup(), true],
    ['nobody, as an owner', owner, buildGroup({ settings: { can_mention_group: nobody } }), false],
    ['listed', member, buildGroup({ settings: { can_mention_group: only(member.id) } }), true],
    ['not listed', owner, buildGroup({ settings: { can_mention_group: only(member.id) } }), false],
  ])('%s', (_case, actor, group, may) => {
    expect(refusalError(() => requireMayMentionGroup(actor, group))?.message ?? null).toBe(
      may ? null : "You are not allowed to mention user group 'engineers'.",
    )
  })
})
