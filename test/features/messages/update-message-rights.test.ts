import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { ParameterValue } from '../../support/api.ts'
import { buildChannel, expectSuccess, type TestUser } from '../../support/factories.ts'
import { insertUsers } from '../../support/inside.ts'
import { sendTo } from '../../support/messages.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'
import { whileSettings } from '../../support/while-settings.ts'
import { world } from '../../support/world.ts'

const WEEK = 7 * 86_400
const QUIET = { send_notification_to_new_thread: false }

const { realm, ann, ben, moderator, admin, guest, channel, other } = useRealm(
  { ann: 'member', ben: 'member', moderator: 'moderator', admin: 'administrator', guest: 'guest' },
  {
    channels: {
      channel: ['owner', 'ann', 'ben', 'moderator', 'admin', 'guest'],
      other: ['owner', 'ann', 'ben', 'moderator', 'admin', 'guest'],
    },
  },
)

function edit(user: TestUser, id: number, params: Record<string, ParameterValue | undefined>) {
  return user.api.patch(`/messages/${id}`, params)
}

const NO_EDIT = "You don't have permission to edit this message"
const NO_MOVE = "You don't have permission to move this message"
const NO_RESOLVE = "You don't have permission to resolve topics in this channel."

const LIMIT = { code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED' }

async function subscribe(name: string, user: TestUser, by = ann): Promise<void> {
  const params = { subscriptions: [{ name }], principals: [user.id] }
  expectSuccess(await by.api.post('/users/me/subscriptions', params))
}

/** A channel with protected history: two messages from before Ben subscribed, and two from after. */
async function protectedTopic(topic: string) {
  const secret = await buildChannel([ann], { invite_only: true })
  const unseen = [await sendTo(ann, secret.id, topic), await sendTo(ann, secret.id, topic)]
  await subscribe(secret.name, ben)
  const seen = [await sendTo(ann, secret.id, topic), await sendTo(ann, secret.id, topic)]
  return { secret, unseen, seen }
}

describe('the right to edit or move a message', () => {
  it('to edit expires for everyone, owners included', async () => {
    const id = await sendTo(realm.owner, channel.id, 'limits')
    world.clockOffset = 630
    expectRefusal(
      await edit(realm.owner, id, { content: 'late' }),
      'The time limit for editing this message has passed',
    )
  })

  it('to edit never expires without a limit', async () => {
    const id = await sendTo(ann, channel.id, 'limits')
    await whileSettings(realm, { message_content_edit_limit_seconds: null }, async () => {
      world.clockOffset = 400 * 86_400
      expectSuccess(await edit(ann, id, { content: 'after a year' }))
    })
  })

  it('has one limit within the channel, and another between channels', async () => {
    const id = await sendTo(ann, channel.id, 'lifted')
    world.clockOffset = WEEK + 100
    await whileSettings(realm, { move_messages_within_stream_limit_seconds: null }, async () => {
      expectSuccess(await edit(ben, id, { topic: 'lifted 2', ...QUIET }))
      expect((await edit(ben, id, { stream_id: other.id })).body.code).toBe(
        'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
      )
    })
    await whileSettings(realm, { move_messages_between_streams_limit_seconds: null }, async () => {
      expectSuccess(await edit(ben, id, { stream_id: other.id, ...QUIET }))
      expect((await edit(ben, id, { topic: 'lifted 3' })).body.code).toBe('MOVE_MESSAGES_TIME_LIMIT_EXCEEDED')
    })
  })

  it.each([
    ['moderators', () => moderator],
    ['administrators', () => admin],
  ])('has no time limits for %s', async (_who, user) => {
    const id = await sendTo(ann, channel.id, 'exempt')
    world.clockOffset = 4 * WEEK
    expectSuccess(await edit(user(), id, { topic: 'exempt 2', ...QUIET }))
    expectSuccess(await edit(user(), id, { stream_id: other.id, ...QUIET }))
  })

  it('has no time limit for resolving and unresolving', async () => {
    const id = await sendTo(ann, channel.id, 'unlimited')
    world.clockOffset = 4 * WEEK
    expectSuccess(await edit(ben, id, { topic: '✔ unlimited', propagate_mode: 'change_all' }))
    expectSuccess(await edit(ben, id, { topic: 'unlimited', propagate_mode: 'change_all' }))
  })

  it('names the first message that change_later can move', async () => {
    const old = await sendTo(ann, channel.id, 'repeated')
    world.clockOffset = 6 * 86_400
    const young = await sendTo(ann, channel.id, 'repeated')
    world.clockOffset = 8 * 86_400
    const { body } = await edit(ben, young, { stream_id: other.id, propagate_mode: 'change_all' })
    const first = body.first_message_id_allowed_to_move
    expect(first).toBe(young)
    expectSuccess(await edit(ben, first, { stream_id: other.id, propagate_mode: 'change_later', ...QUIET }))
    const channelOf = async (id: number) =>
      expectSuccess(await ben.api.get(`/messages/${id}`)).message.stream_id
    expect([await channelOf(old), await channelOf(young)]).toEqual([channel.id, other.id])
  })

  it('expires at the smaller limit if both channel and topic change', async () => {
    const old = await sendTo(ann, channel.id, 'smaller')
    world.clockOffset = 1_000
    const young = await sendTo(ann, channel.id, 'smaller')
    world.clockOffset = 1_100
    await whileSettings(realm, { move_messages_within_stream_limit_seconds: 600 }, async () => {
      const params = { stream_id: other.id, topic: 'smaller 2', propagate_mode: 'change_all' }
      expect((await edit(ben, young, params)).body).toMatchObject({
        code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
        first_message_id_allowed_to_move: young,
        total_messages_allowed_to_move: 1,
        total_messages_in_topic: 2,
      })
      expect(old).toBeLessThan(young)
    })
  })

  it('to move to other topics is that of can_move_messages_between_topics_group', async () => {
    const id = await sendTo(ann, channel.id, 'topics group')
    await whileSettings(realm, { can_move_messages_between_topics_group: 4 }, async () => {
      expectRefusal(await edit(ben, id, { topic: 'x' }), NO_EDIT)
      expectRefusal(await edit(ann, id, { topic: 'x' }), NO_EDIT)
      expectSuccess(await edit(moderator, id, { topic: 'x', ...QUIET }))
    })
    expectSuccess(await edit(guest, id, { topic: 'y', ...QUIET }))
  })

  it('to resolve does not need that to move', async () => {
    const id = await sendTo(ann, channel.id, 'resolve only')
    await whileSettings(realm, { can_move_messages_between_topics_group: 4 }, async () => {
      expectSuccess(await edit(ben, id, { topic: '✔ resolve only', propagate_mode: 'change_all' }))
    })
  })

  it('is also that of the channel’s groups and administrators', async () => {
    const bens = { direct_members: [ben.id], direct_subgroups: [] }
    const granted = await buildChannel([realm.owner, ann, ben], {
      can_move_messages_within_channel_group: bens,
      can_move_messages_out_of_channel_group: bens,
      can_resolve_topics_group: bens,
    })
    const own = await buildChannel([ann])
    await whileSettings(
      realm,
      {
        can_move_messages_between_topics_group: 4,
        can_move_messages_between_channels_group: 4,
        can_resolve_topics_group: 4,
      },
      async () => {
        const there = await sendTo(ann, granted.id, 'granted')
        expectRefusal(await edit(ann, there, { topic: 'x' }), NO_EDIT)
        expectRefusal(await edit(ann, there, { stream_id: other.id }), NO_MOVE)
        expectRefusal(await edit(ann, there, { topic: '✔ granted' }), NO_RESOLVE)
        expectSuccess(await edit(ben, there, { topic: '✔ granted', propagate_mode: 'change_all' }))
        expectSuccess(await edit(ben, there, { topic: 'x', ...QUIET }))
        expectSuccess(await edit(ben, there, { stream_id: other.id, ...QUIET }))
        const mine = await sendTo(ann, own.id, 'mine')
        expectSuccess(await edit(ann, mine, { topic: 'x', ...QUIET }))
        expectSuccess(await edit(ann, mine, { stream_id: other.id, ...QUIET }))
      },
    )
  })

  it('to move covers only channels in which the user may post', async () => {
    const closed = await buildChannel([realm.owner, ben], { can_send_message_group: 2 })
    const id = await sendTo(ann, channel.id, 'closed')
    expectRefusal(
      await edit(ben, id, { stream_id: closed.id }),
      'You do not have permission to post in this channel.',
    )
  })

  it('to mention a topic ends at more than 15 participants', async () => {
    const crowd = await insertUsers(realm, 15, channel.id)
    for (const user of crowd) await sendTo(user, channel.id, 'busy')
    const id = await sendTo(ann, channel.id, 'busy')
    expectRefusal(
      await edit(ann, id, { content: '@**topic**' }),
      'You do not have permission to use topic wildcard mentions in this topic.',
      { code: 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED' },
    )
    const alone = await sendTo(ann, channel.id, 'alone')
    expectSuccess(await edit(ann, alone, { content: '@**topic**' }))
  })

  it.each(['change_one', 'change_later', 'change_all'])(
    'to resolve has no limit of time, whatever moves: %s',
    async (propagate_mode) => {
      const id = await sendTo(ann, channel.id, `resolved by ${propagate_mode}`)
      world.clockOffset = 30 * 86_400
      expectSuccess(await edit(ben, id, { topic: `✔ resolved by ${propagate_mode}`, propagate_mode }))
    },
  )

  it('to resolve is the channel’s, and the organization’s is always enough', async () => {
    const granted = await buildChannel([realm.owner, ann, ben], {
      can_resolve_topics_group: { direct_members: [ben.id], direct_subgroups: [] },
    })
    const id = await sendTo(ann, granted.id, 'granted')
    expectSuccess(await edit(ann, id, { topic: '✔ granted' }))
    await whileSettings(realm, { can_resolve_topics_group: 3 }, async () => {
      const refusal = "You don't have permission to resolve topics in this channel."
      expectRefusal(await edit(ann, id, { topic: 'granted' }), refusal)
      expectSuccess(await edit(ben, id, { topic: 'granted' }))
    })
  })

  it.each([
    ['change_one', { topic: 'x' }, "The time limit for editing this message's topic has passed."],
    ['change_later', { topic: 'x' }, "The time limit for editing this message's topic has passed."],
    ['change_all', { topic: 'x' }, "The time limit for editing this message's topic has passed."],
    ['change_one', {}, "The time limit for editing this message's channel has passed"],
    ['change_all', {}, "The time limit for editing this message's channel has passed"],
  ])('ends with null and 0 where %s can move nothing: %j', async (mode, topic, msg) => {
    const id = await sendTo(ann, channel.id, `${mode} ${JSON.stringify(topic)}`)
    world.clockOffset = WEEK + 100
    const to: Record<string, ParameterValue> = 'topic' in topic ? topic : { stream_id: other.id }
    expectRefusal(await edit(ben, id, { ...to, propagate_mode: mode }), msg, {
      ...LIMIT,
      first_message_id_allowed_to_move: null,
      total_messages_allowed_to_move: 0,
      total_messages_in_topic: 1,
    })
  })

  it('counts only messages that the user can access', async () => {
    const { seen } = await protectedTopic('counted')
    world.clockOffset = WEEK + 100
    expectRefusal(
      await edit(ben, seen[0]!, { topic: 'x', propagate_mode: 'change_all' }),
      "The time limit for editing this message's topic has passed.",
      { ...LIMIT, total_messages_in_topic: 2, total_messages_allowed_to_move: 0 },
    )
  })

  it('has 20 seconds of grace to edit and move, and none to delete', async () => {
    const id = await sendTo(ann, channel.id, 'grace')
    await whileSettings(realm, { can_delete_own_message_group: 7 }, async () => {
      world.clockOffset = 615
      expectSuccess(await edit(ann, id, { content: 'in grace' }))
      expect((await ann.api.delete(`/messages/${id}`)).status).toBe(400)
      world.clockOffset = WEEK + 15
      expectSuccess(await edit(ben, id, { topic: 'grace 2' }))
      expectSuccess(await edit(ben, id, { stream_id: other.id }))
    })
  })

  it('expires with an error code of its own, after other refusals', async () => {
    const id = await sendTo(ann, channel.id, 'old', 'text')
    const other = await buildChannel([ann, ben])
    const prev_content_sha256 = createHash('sha256').update('another').digest('hex')
    world.clockOffset = 8 * 86_400
    const codeOf = async (params: Record<string, ParameterValue>) =>
      (await ben.api.patch(`/messages/${id}`, params)).body.code
    expect(await codeOf({ topic: 'x' })).toBe('MOVE_MESSAGES_TIME_LIMIT_EXCEEDED')
    expect(await codeOf({ stream_id: other.id })).toBe('MOVE_MESSAGES_TIME_LIMIT_EXCEEDED')
    expect(await codeOf({ topic: 'x', prev_content_sha256 })).toBe('EXPECTATION_MISMATCH')
    expect(await codeOf({ stream_id: 987_654 })).toBe('BAD_REQUEST')
  })
})
