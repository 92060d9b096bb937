import { describe, expect, it } from 'vitest'
import type { ParameterValue } from '../support/api.ts'
import { buildChannel, expectSuccess, type TestUser } from '../support/factories.ts'
import { enterUsers } from '../support/inside.ts'
import { sendTo } from '../support/messages.ts'
import { expectRefusal } from '../support/refusals.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'
import { whileSettings } from './while-settings.ts'

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

describe('4.2 Edit a message', () => {
  describe('time limits', () => {
    it('message_content_edit_limit_seconds, and 20 seconds of grace: BAD_REQUEST', async () => {
      const id = await sendTo(ann, channel.id, 'limits')
      await whileSettings(realm, { message_content_edit_limit_seconds: 300 }, async () => {
        world.clockOffset = 310
        expectSuccess(await edit(ann, id, { content: 'in time' }))
        world.clockOffset = 325
        expectRefusal(
          await edit(ann, id, { content: 'late' }),
          'The time limit for editing this message has passed',
        )
      })
    })

    it('message_content_edit_limit_seconds: nobody is exempt', async () => {
      const id = await sendTo(realm.owner, channel.id, 'limits')
      world.clockOffset = 630
      expectRefusal(
        await edit(realm.owner, id, { content: 'late' }),
        'The time limit for editing this message has passed',
      )
    })

    it('message_content_edit_limit_seconds: none at all', async () => {
      const id = await sendTo(ann, channel.id, 'limits')
      await whileSettings(realm, { message_content_edit_limit_seconds: null }, async () => {
        world.clockOffset = 400 * 86_400
        expectSuccess(await edit(ann, id, { content: 'after a year' }))
      })
    })

    it('move_messages_within_stream_limit_seconds, and 20 seconds of grace', async () => {
      const id = await sendTo(ann, channel.id, 'within')
      world.clockOffset = WEEK + 10
      expectSuccess(await edit(ben, id, { topic: 'within 2', ...QUIET }))
      world.clockOffset = WEEK + 25
      expectRefusal(
        await edit(ben, id, { topic: 'within 3', ...QUIET }),
        "The time limit for editing this message's topic has passed.",
        { code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED' },
      )
    })

    it('move_messages_between_streams_limit_seconds, and 20 seconds of grace', async () => {
      const id = await sendTo(ann, channel.id, 'between')
      world.clockOffset = WEEK + 10
      expectSuccess(await edit(ben, id, { stream_id: other.id, ...QUIET }))
      world.clockOffset = WEEK + 25
      expectRefusal(
        await edit(ben, id, { stream_id: channel.id, ...QUIET }),
        "The time limit for editing this message's channel has passed",
        { code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED' },
      )
    })

    it('each limit may be lifted by itself', async () => {
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
        expect((await edit(ben, id, { topic: 'lifted 3' })).body.code).toBe(
          'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
        )
      })
    })

    it.each([
      ['moderators', () => moderator],
      ['administrators', () => admin],
    ])('%s move past the limits', async (_who, user) => {
      const id = await sendTo(ann, channel.id, 'exempt')
      world.clockOffset = 4 * WEEK
      expectSuccess(await edit(user(), id, { topic: 'exempt 2', ...QUIET }))
      expectSuccess(await edit(user(), id, { stream_id: other.id, ...QUIET }))
    })

    it('resolving and unresolving has no time limit', async () => {
      const id = await sendTo(ann, channel.id, 'unlimited')
      world.clockOffset = 4 * WEEK
      expectSuccess(await edit(ben, id, { topic: '✔ unlimited', propagate_mode: 'change_all' }))
      expectSuccess(await edit(ben, id, { topic: 'unlimited', propagate_mode: 'change_all' }))
    })

    it('change_all: MOVE_MESSAGES_TIME_LIMIT_EXCEEDED has the first message the user may move', async () => {
      const old = [await sendTo(ann, channel.id, 'aging'), await sendTo(ann, channel.id, 'aging')]
      world.clockOffset = 6 * 86_400
      const young: number[] = []
      for (let n = 0; n < 3; n += 1) young.push(await sendTo(ann, channel.id, 'aging'))
      world.clockOffset = 8 * 86_400
      for (const id of [young[2]!, old[0]!]) {
        expectRefusal(
          await edit(ben, id, { topic: 'aged', propagate_mode: 'change_all' }),
          'You only have permission to move the 3/5 most recent messages in this topic.',
          {
            code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
            first_message_id_allowed_to_move: young[0],
            total_messages_allowed_to_move: 3,
            total_messages_in_topic: 5,
          },
        )
      }
    })

    it('change_all: a refusal names the first message that change_later can move', async () => {
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

    it('change_all to another channel and topic: the smaller of the two limits counts', async () => {
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

    it.each(['change_one', 'change_later', 'change_all'])(
      '%s with nothing that may be moved: first_message_id_allowed_to_move is null',
      async (propagate_mode) => {
        const topic = `null of ${propagate_mode}`
        const id = await sendTo(ann, channel.id, topic)
        world.clockOffset = WEEK + 100
        expectRefusal(
          await edit(ben, id, { topic: 'elsewhere', propagate_mode }),
          "The time limit for editing this message's topic has passed.",
          {
            code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
            first_message_id_allowed_to_move: null,
            total_messages_allowed_to_move: 0,
            total_messages_in_topic: 1,
          },
        )
      },
    )
  })

  describe('permissions', () => {
    it('can_move_messages_between_topics_group', async () => {
      const id = await sendTo(ann, channel.id, 'topics group')
      await whileSettings(realm, { can_move_messages_between_topics_group: 4 }, async () => {
        expectRefusal(await edit(ben, id, { topic: 'x' }), NO_EDIT)
        expectRefusal(await edit(ann, id, { topic: 'x' }), NO_EDIT)
        expectSuccess(await edit(moderator, id, { topic: 'x', ...QUIET }))
      })
      expectSuccess(await edit(guest, id, { topic: 'y', ...QUIET }))
    })

    it('can_move_messages_between_channels_group', async () => {
      const id = await sendTo(ann, channel.id, 'channels group')
      expectRefusal(await edit(guest, id, { stream_id: other.id }), NO_MOVE)
      await whileSettings(realm, { can_move_messages_between_channels_group: 4 }, async () => {
        expectRefusal(await edit(ben, id, { stream_id: other.id }), NO_MOVE)
        expectSuccess(await edit(moderator, id, { stream_id: other.id, ...QUIET }))
      })
    })

    it('can_resolve_topics_group', async () => {
      const id = await sendTo(ann, channel.id, 'resolve group')
      const params = { topic: '✔ resolve group', propagate_mode: 'change_all' }
      await whileSettings(realm, { can_resolve_topics_group: 4 }, async () => {
        expectRefusal(await edit(ben, id, params), NO_RESOLVE)
        expectSuccess(await edit(moderator, id, params))
      })
    })

    it('who may not move may still resolve', async () => {
      const id = await sendTo(ann, channel.id, 'resolve only')
      await whileSettings(realm, { can_move_messages_between_topics_group: 4 }, async () => {
        expectSuccess(await edit(ben, id, { topic: '✔ resolve only', propagate_mode: 'change_all' }))
      })
    })

    it('groups and administrators of the channel have these rights besides', async () => {
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

    it('only to a channel where the user may post', async () => {
      const closed = await buildChannel([realm.owner, ben], { can_send_message_group: 2 })
      const id = await sendTo(ann, channel.id, 'closed')
      expectRefusal(
        await edit(ben, id, { stream_id: closed.id }),
        'You do not have permission to post in this channel.',
      )
    })

    it('STREAM_WILDCARD_MENTION_NOT_ALLOWED: in a channel of more than 15 subscribers', async () => {
      const large = await buildChannel([realm.owner, ann])
      await enterUsers(realm, 14, large.id)
      const id = await sendTo(ann, large.id, 'quiet')
      expectRefusal(
        await edit(ann, id, { content: '@**all**' }),
        'You do not have permission to use channel wildcard mentions in this channel.',
        { code: 'STREAM_WILDCARD_MENTION_NOT_ALLOWED' },
      )
      const small = await sendTo(ann, channel.id, 'quiet')
      expectSuccess(await edit(ann, small, { content: '@**all**' }))
      const owners = await sendTo(realm.owner, large.id, 'quiet')
      expectSuccess(await edit(realm.owner, owners, { content: '@**all**' }))
    })

    it('TOPIC_WILDCARD_MENTION_NOT_ALLOWED: in a topic of more than 15 participants', async () => {
      const crowd = await enterUsers(realm, 15, channel.id)
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
  })
})
