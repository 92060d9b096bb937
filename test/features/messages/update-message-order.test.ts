import { createHash } from 'node:crypto'
import { beforeAll, describe, it } from 'vitest'
import type { ParameterValue } from '../../support/api.ts'
import { buildChannel, type TestUser } from '../../support/factories.ts'
import { insertUsers } from '../../support/inside.ts'
import { sendDirect, sendTo } from '../../support/messages.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'
import { whileSettings } from '../../support/while-settings.ts'
import { world } from '../../support/world.ts'

const WRONG_HASH = createHash('sha256').update('something else').digest('hex')
const EVERYTHING = {
  stream_id: 987_654,
  topic: '✔',
  content: 'a\0b @**all**',
  propagate_mode: 'change_all',
  prev_content_sha256: WRONG_HASH,
}

const { realm, ann, ben, guest, channel, strict } = useRealm(
  { ann: 'member', ben: 'member', guest: 'guest' },
  {
    channels: {
      /** A large channel; members may not move anything in it or out of it. */
      channel: ['owner', 'ann', 'ben', 'guest'],
      strict: {
        subscribers: ['owner', 'ann'],
        topics_policy: 'disable_empty_topic',
        can_send_message_group: 3,
      },
    },
  },
)
let message: number
beforeAll(async () => {
  await insertUsers(realm, 15, channel.id)
  message = await sendTo(ann, channel.id, 'order')
})

function edit(user: TestUser, id: number, params: Record<string, ParameterValue | undefined>) {
  return user.api.patch(`/messages/${id}`, params)
}

describe('the checks of an edit', () => {
  it('begin with access to the message', async () => {
    expectRefusal(await edit(ben, 987_654, EVERYTHING), 'Invalid message(s)')
    expectRefusal(await edit(ben, await sendDirect(ann, [guest]), EVERYTHING), 'Invalid message(s)')
  })

  it('then ask for editing in the organization, the sender, and the time', async () => {
    world.clockOffset = 1_000
    await whileSettings(realm, { allow_message_editing: false }, async () => {
      expectRefusal(await edit(ben, message, EVERYTHING), 'Your organization has turned off message editing')
    })
    expectRefusal(await edit(ben, message, EVERYTHING), "You don't have permission to edit this message")
    expectRefusal(await edit(ann, message, EVERYTHING), 'The time limit for editing this message has passed')
  })

  it('refuse who may not edit a direct message before looking at its topic', async () => {
    const direct = await sendDirect(ann, [ben])
    expectRefusal(await edit(ben, direct, EVERYTHING), "You don't have permission to edit this message")
  })

  it('take the present topic as not given, and then find nothing to change', async () => {
    for (const topic of ['order', ' order ']) {
      const params = { topic, propagate_mode: 'change_all', prev_content_sha256: WRONG_HASH }
      expectRefusal(await edit(ben, message, params), 'Nothing to change')
    }
  })

  it('find nothing to change before mode and hash', async () => {
    const params = { propagate_mode: 'change_all', prev_content_sha256: WRONG_HASH }
    expectRefusal(await edit(ann, message, params), 'Nothing to change')
  })

  it('refuse channel, then topic, for a direct message', async () => {
    const direct = await sendDirect(ann, [ben])
    expectRefusal(await edit(ann, direct, EVERYTHING), 'Direct messages cannot be moved to channels.')
    const { stream_id: _, ...rest } = EVERYTHING
    expectRefusal(await edit(ann, direct, rest), 'Direct messages cannot have topics.')
  })

  it('refuse a mode without a move before the hash', async () => {
    const params = { content: 'a\0b', propagate_mode: 'change_all', prev_content_sha256: WRONG_HASH }
    expectRefusal(await edit(ann, message, params), 'Invalid propagate_mode without topic edit')
  })

  it.each(['✔', '✔ general chat'])(
    'refuse the empty topic for resolving (%s) before content with a channel',
    async (topic) => {
      expectRefusal(
        await edit(ann, message, { ...EVERYTHING, topic }),
        'General chat cannot be marked as resolved',
      )
    },
  )

  it('refuse a topic that cannot be printed before content with a channel', async () => {
    expectRefusal(
      await edit(ann, message, { ...EVERYTHING, topic: 'ab\u0007' }),
      'Invalid character in topic, at position 3!',
    )
  })

  it('refuse content with a channel before they look at widgets', async () => {
    const poll = await sendTo(ann, channel.id, 'order', '/poll Which?\nthis\nthat')
    expectRefusal(
      await edit(ann, poll, { ...EVERYTHING, topic: 'fine' }),
      'Cannot change message content while changing channel',
    )
  })

  it('refuse edits of widgets before the hash', async () => {
    const poll = await sendTo(ann, channel.id, 'order', '/poll Which?\nthis\nthat')
    expectRefusal(
      await edit(ann, poll, { content: 'a\0b', prev_content_sha256: WRONG_HASH }),
      'Widgets cannot be edited.',
    )
  })

  it('compare the hash before content and target, even without content', async () => {
    const mismatch = "'prev_content_sha256' value does not match the expected value."
    for (const params of [{ content: 'a\0b' }, { stream_id: 987_654 }]) {
      expectRefusal(await edit(ann, message, { ...params, prev_content_sha256: WRONG_HASH }), mismatch, {
        code: 'EXPECTATION_MISMATCH',
      })
    }
  })

  it('refuse null bytes before the permission to move', async () => {
    await whileSettings(realm, { can_move_messages_between_topics_group: 3 }, async () => {
      expectRefusal(
        await edit(ann, message, { content: 'a\0b', topic: 'x' }),
        'Message must not contain null bytes',
      )
    })
  })

  it('look for the target channel before its topics', async () => {
    const closed = await buildChannel([realm.owner], {
      invite_only: true,
      topics_policy: 'disable_empty_topic',
    })
    expectRefusal(await edit(ann, message, { stream_id: closed.id, topic: '' }), 'Invalid channel ID')
  })

  it('apply the target’s policy for topics before the permission to move', async () => {
    await whileSettings(
      realm,
      { can_move_messages_between_topics_group: 3, can_move_messages_between_channels_group: 3 },
      async () => {
        expectRefusal(
          await edit(ann, message, { stream_id: strict.id, topic: '' }),
          'Sending messages to the general chat is not allowed in this channel.',
        )
      },
    )
  })

  it('ask for the permission to change the topic before mentions', async () => {
    await whileSettings(
      realm,
      { can_move_messages_between_topics_group: 3, can_resolve_topics_group: 3 },
      async () => {
        expectRefusal(
          await edit(ann, message, { topic: 'x', content: '@**all**' }),
          "You don't have permission to edit this message",
        )
        expectRefusal(
          await edit(ann, message, { topic: '✔ order', content: '@**all**' }),
          "You don't have permission to resolve topics in this channel.",
        )
      },
    )
  })

  it('ask for the permission to change the topic before channel and time', async () => {
    world.clockOffset = 8 * 86_400
    const params = { topic: 'x', stream_id: strict.id, propagate_mode: 'change_all' }
    await whileSettings(
      realm,
      { can_move_messages_between_topics_group: 3, can_move_messages_between_channels_group: 3 },
      async () => {
        expectRefusal(await edit(ann, message, params), "You don't have permission to edit this message")
      },
    )
  })

  it('judge mentions by the sender’s right', async () => {
    expectRefusal(
      await edit(ann, message, { topic: 'x', content: '@**all**' }),
      'You do not have permission to use channel wildcard mentions in this channel.',
      { code: 'STREAM_WILDCARD_MENTION_NOT_ALLOWED' },
    )
  })

  it('end with the permission to move, to post there, and the time', async () => {
    world.clockOffset = 8 * 86_400
    const params = { stream_id: strict.id, propagate_mode: 'change_all' }
    await whileSettings(realm, { can_move_messages_between_channels_group: 3 }, async () => {
      expectRefusal(await edit(ann, message, params), "You don't have permission to move this message")
    })
    expectRefusal(await edit(ann, message, params), 'You do not have permission to post in this channel.')
    const target = await buildChannel([realm.owner, ann])
    expectRefusal(
      await edit(ann, message, { ...params, stream_id: target.id }),
      "The time limit for editing this message's channel has passed",
      { code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED' },
    )
  })
})
