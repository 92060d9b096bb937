import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { ApiClient, type ParameterValue } from '../support/api.ts'
import { buildChannel, expectSuccess, type TestUser } from '../support/factories.ts'
import { enterUsers } from '../support/inside.ts'
import { sendDirect, sendTo } from '../support/messages.ts'
import { expectRefusal } from '../support/refusals.ts'
import { upload } from '../support/uploads.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'
import { whileSettings } from './while-settings.ts'

const WEEK = 7 * 86_400
const LIMIT = { code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED' }

const { realm, ann, ben, carl, channel, other } = useRealm(
  { ann: 'member', ben: 'member', carl: 'member' },
  { channels: { channel: ['owner', 'ann', 'ben'], other: ['owner', 'ann', 'ben'] } },
)

function edit(user: TestUser, id: number, params: Record<string, ParameterValue>) {
  return user.api.patch(`/messages/${id}`, params)
}

function change(user: TestUser, messages: readonly number[], op: string, flag: string) {
  return user.api.post('/messages/flags', { messages, op, flag })
}

function schedule(params: Record<string, ParameterValue | undefined>) {
  const scheduled_delivery_timestamp = Math.floor(Date.now() / 1_000) + 3_600
  const message = { type: 'channel', to: channel.id, topic: 'later', content: 'x' }
  return ann.api.post('/scheduled_messages', { ...message, scheduled_delivery_timestamp, ...params })
}

async function read(id: number, user = ben) {
  return expectSuccess(await user.api.get(`/messages/${id}`, { allow_empty_topic_name: true })).message
}

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

describe('Decisions 3: Messages', () => {
  it('4.1 to: an integer for a channel, an array for people; POST /messages is lenient', async () => {
    expectRefusal(await schedule({ to: [channel.id] }), 'Invalid data type for channel ID')
    expectRefusal(await schedule({ type: 'direct', to: ben.id }), 'Invalid data type for recipients')
    expect((await schedule({ to: channel.name })).status).toBe(400)
    const lenient = { type: 'direct', to: ben.email, content: 'x' }
    expectSuccess(await ann.api.post('/messages', lenient))
  })

  it('4.1 a missing channel: STREAM_DOES_NOT_EXIST; no right to post: BAD_REQUEST', async () => {
    expect((await schedule({ to: 987_654 })).body.code).toBe('STREAM_DOES_NOT_EXIST')
    const archived = await buildChannel([ben, ann])
    expectSuccess(await realm.owner.api.delete(`/streams/${archived.id}`))
    expectRefusal(await schedule({ to: archived.id }), `Not authorized to send to channel '${archived.name}'`)
    const closed = await buildChannel([ben, ann], { can_send_message_group: 3 })
    expectRefusal(await schedule({ to: closed.id }), 'You do not have permission to post in this channel.')
  })

  it('4.1 no topic for a channel: BAD_REQUEST Missing topic', async () => {
    expectRefusal(await schedule({ topic: undefined }), 'Missing topic')
  })

  it.each(['', '(no topic)', 'general chat'])(
    '4.1, 4.2 where a topic is required %j is refused in sending, scheduling and editing',
    async (topic) => {
      const strict = await buildChannel([ann], { topics_policy: 'disable_empty_topic' })
      const refusal = 'Sending messages to the general chat is not allowed in this channel.'
      const params = { type: 'channel', to: strict.id, topic, content: 'x' }
      expectRefusal(await ann.api.post('/messages', params), refusal)
      expectRefusal(await schedule({ to: strict.id, topic }), refusal)
      expectRefusal(await edit(ann, await sendTo(ann, strict.id, 'named'), { topic }), refusal)
    },
  )

  it('4.2 r4 of a protected history only accessible messages move, within the channel', async () => {
    const { unseen, seen } = await protectedTopic('halved')
    expectSuccess(await edit(ben, seen[0]!, { topic: 'moved', propagate_mode: 'change_all' }))
    for (const id of seen) expect(await read(id)).toMatchObject({ subject: 'moved' })
    for (const id of unseen) expect(await read(id, ann)).toMatchObject({ subject: 'halved' })
  })

  it('4.2 r4 and to another channel, too', async () => {
    const { secret, unseen, seen } = await protectedTopic('halved')
    expectSuccess(await edit(ben, seen[0]!, { stream_id: other.id, propagate_mode: 'change_all' }))
    for (const id of seen) expect(await read(id)).toMatchObject({ stream_id: other.id })
    for (const id of unseen) expect(await read(id, ann)).toMatchObject({ stream_id: secret.id })
  })

  it('4.2 r4 only accessible messages are counted', async () => {
    const { seen } = await protectedTopic('counted')
    world.clockOffset = WEEK + 100
    expectRefusal(
      await edit(ben, seen[0]!, { topic: 'x', propagate_mode: 'change_all' }),
      "The time limit for editing this message's topic has passed.",
      { ...LIMIT, total_messages_in_topic: 2, total_messages_allowed_to_move: 0 },
    )
  })

  it('4.2 r2 change_all with newer movable messages: the code with the first of these', async () => {
    const old = await sendTo(ann, channel.id, 'ages')
    world.clockOffset = WEEK - 100
    const young = await sendTo(ann, channel.id, 'ages')
    world.clockOffset = WEEK + 100
    expectRefusal(
      await edit(ben, old, { topic: 'x', propagate_mode: 'change_all' }),
      'You only have permission to move the 1/2 most recent messages in this topic.',
      {
        ...LIMIT,
        first_message_id_allowed_to_move: young,
        total_messages_allowed_to_move: 1,
        total_messages_in_topic: 2,
      },
    )
  })

  it.each([
    ['change_one', { topic: 'x' }, "The time limit for editing this message's topic has passed."],
    ['change_later', { topic: 'x' }, "The time limit for editing this message's topic has passed."],
    ['change_all', { topic: 'x' }, "The time limit for editing this message's topic has passed."],
    ['change_one', {}, "The time limit for editing this message's channel has passed"],
    ['change_all', {}, "The time limit for editing this message's channel has passed"],
  ])('4.2 r2 %s with nothing movable, %j: the code with null and 0', async (mode, topic, msg) => {
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

  it('4.2 r2 the limit of editing content stays BAD_REQUEST', async () => {
    const id = await sendTo(ann, channel.id, 'content limit')
    world.clockOffset = 700
    expectRefusal(await edit(ann, id, { content: 'x' }), 'The time limit for editing this message has passed')
  })

  it('4.2, 8 20 seconds of grace on each limit; none on deletion', async () => {
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

  it('4.2 r2 channel groups and channel administrators add rights to the organization’s', async () => {
    const own = await buildChannel([ann, ben])
    const id = await sendTo(ben, own.id, 'additive')
    await whileSettings(realm, { can_move_messages_between_topics_group: 3 }, async () => {
      expectRefusal(await edit(ben, id, { topic: 'x' }), "You don't have permission to edit this message")
      expectSuccess(await edit(ann, id, { topic: 'x' }))
    })
  })

  it('4.2 prev_content_sha256 mismatch: 400 EXPECTATION_MISMATCH', async () => {
    const id = await sendTo(ann, channel.id, 'hash')
    const prev_content_sha256 = createHash('sha256').update('another').digest('hex')
    expectRefusal(
      await edit(ann, id, { content: 'x', prev_content_sha256 }),
      "'prev_content_sha256' value does not match the expected value.",
      { code: 'EXPECTATION_MISMATCH' },
    )
  })

  it('4.2 a topic on a direct message is an error, unless it is empty', async () => {
    const id = await sendDirect(ann, [ben])
    expectRefusal(await edit(ann, id, { topic: 'x', content: 'y' }), 'Direct messages cannot have topics.')
    expectSuccess(await edit(ann, id, { topic: '', content: 'y' }))
  })

  it('4.2 r1 content with stream_id is an error even when it is the present channel', async () => {
    const id = await sendTo(ann, channel.id, 'r1')
    expectRefusal(
      await edit(ann, id, { content: 'x', stream_id: channel.id }),
      'Cannot change message content while changing channel',
    )
  })

  it('4.2 detached_uploads are the sender’s; [] when there are none', async () => {
    const file = await upload(ann, { name: 'a.txt' })
    const id = await sendTo(ann, channel.id, 'files', `[a](${file})`)
    expect(expectSuccess(await edit(ann, id, { content: 'without' })).detached_uploads).toMatchObject([
      { name: 'a.txt', messages: [] },
    ])
    expect(expectSuccess(await edit(ann, id, { content: 'again' })).detached_uploads).toEqual([])
  })

  it('4.2, 4.11, 4.16 missing or invisible: 400 Invalid message(s)', async () => {
    for (const id of [987_654, await sendDirect(ann, [carl])]) {
      expectRefusal(await edit(ben, id, { topic: 'x' }), 'Invalid message(s)')
      expectRefusal(await ben.api.get(`/messages/${id}`), 'Invalid message(s)')
      expectRefusal(await ben.api.get(`/messages/${id}/history`), 'Invalid message(s)')
    }
  })

  it('4.19 messages: modified ids only, in the order of the request, without duplicates', async () => {
    const ids: number[] = []
    for (let n = 0; n < 3; n += 1) ids.push(await sendTo(ann, channel.id, 'modified'))
    expectSuccess(await change(ben, [ids[1]!], 'add', 'read'))
    const asked = [ids[2]!, ids[1]!, ids[0]!, ids[2]!]
    expect(expectSuccess(await change(ben, asked, 'add', 'read')).messages).toEqual([ids[2], ids[0]])
    expect(expectSuccess(await change(ben, asked, 'add', 'read')).messages).toEqual([])
  })

  it('4.19 messages: those of skipped channels, and those without a record, are left out', async () => {
    const id = await sendTo(ann, channel.id, 'no record')
    expect(expectSuccess(await change(carl, [id], 'remove', 'read')).messages).toEqual([])
    expect(expectSuccess(await change(carl, [id], 'add', 'read')).messages).toEqual([])
    expect(expectSuccess(await change(carl, [id], 'remove', 'starred')).messages).toEqual([])
  })

  it('4.19 ignored_because_not_subscribed_channels: only for read + remove, then always, ids ascending', async () => {
    const key = 'ignored_because_not_subscribed_channels'
    const ids = [await sendTo(ann, other.id, 'x'), await sendTo(ann, channel.id, 'x')]
    expect(expectSuccess(await change(carl, ids, 'remove', 'read'))[key]).toEqual([channel.id, other.id])
    expect(expectSuccess(await change(ben, ids, 'remove', 'read'))[key]).toEqual([])
    expect(expectSuccess(await change(ben, ids, 'add', 'read'))).not.toHaveProperty(key)
    expect(expectSuccess(await change(ben, ids, 'remove', 'starred'))).not.toHaveProperty(key)
  })

  it('4.19 POST /messages/flags/narrow: always there', async () => {
    const params = { anchor: 'newest', num_before: 1, num_after: 0, narrow: [], op: 'add', flag: 'starred' }
    expect(expectSuccess(await ben.api.post('/messages/flags/narrow', params))).toMatchObject({
      ignored_because_not_subscribed_channels: [],
    })
  })

  it('4.19 inaccessible ids: skipped by add-read and remove-other; else Invalid message(s), nothing changed', async () => {
    const hidden = await sendDirect(ann, [carl])
    const seen = await sendTo(ann, channel.id, 'seen')
    for (const [op, flag] of [
      ['add', 'starred'],
      ['add', 'collapsed'],
      ['remove', 'read'],
    ] as const) {
      expectRefusal(await change(ben, [seen, hidden], op, flag), 'Invalid message(s)')
    }
    expect((await read(seen)).flags).toEqual([])
    expect(expectSuccess(await change(ben, [seen, hidden], 'add', 'read')).messages).toEqual([seen])
    expect(expectSuccess(await change(ben, [seen, hidden], 'remove', 'starred')).messages).toEqual([])
  })

  it('4.14 an unknown topic is complete; without content access: Invalid channel ID, administrators too', async () => {
    const remove = (id: number, user = realm.owner) =>
      user.api.post(`/streams/${id}/delete_topic`, { topic_name: 'unknown' })
    expect(expectSuccess(await remove(channel.id)).complete).toBe(true)
    const secret = await buildChannel([ann], { invite_only: true })
    expectRefusal(await remove(secret.id), 'Invalid channel ID')
  })

  it('4.14 groups that may delete messages do not help others', async () => {
    const anns = { direct_members: [ann.id], direct_subgroups: [] }
    const open = await buildChannel([realm.owner, ann], { can_delete_any_message_group: anns })
    await whileSettings(realm, { can_delete_any_message_group: 5 }, async () => {
      expectRefusal(
        await ann.api.post(`/streams/${open.id}/delete_topic`, { topic_name: 'x' }),
        'Must be an organization administrator',
        { code: 'UNAUTHORIZED_PRINCIPAL' },
      )
    })
  })

  it('4.2, 7.2 a channel is large with more than 15 subscribers', async () => {
    const large = await buildChannel([ann])
    const id = await sendTo(ann, large.id, 'calls')
    await enterUsers(realm, 14, large.id)
    expectSuccess(await edit(ann, id, { content: '@**all** fifteen' }))
    await enterUsers(realm, 1, large.id)
    expect((await edit(ann, id, { content: '@**all** sixteen' })).body.code).toBe(
      'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    )
  })

  it('4.2, 7.2 a topic is large with more than 15 participants, reactions included', async () => {
    const room = await buildChannel([ann])
    const crowd = await enterUsers(realm, 15, room.id)
    const id = await sendTo(ann, room.id, 'calls')
    for (const user of crowd.slice(0, 7)) await sendTo(user, room.id, 'calls')
    for (const user of crowd.slice(7, 14)) {
      expectSuccess(await user.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }))
    }
    expectSuccess(await edit(ann, id, { content: '@**topic** fifteen' }))
    expectSuccess(await crowd[14]!.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }))
    expect((await edit(ann, id, { content: '@**topic** sixteen' })).body.code).toBe(
      'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
    )
  })

  it.each([
    [undefined, 'website/1.0', true],
    [undefined, 'ZulipMobile/30.0', true],
    [undefined, 'MyScript/1.0', false],
    [true, 'MyScript/1.0', true],
    [false, 'website/1.0', false],
  ])('2.14, 4.1 read_by_sender %j from %s: read is %j', async (read_by_sender, userAgent, isRead) => {
    const { email, apiKey } = ann
    const api = new ApiClient({ host: realm.host, realmId: realm.id, email, apiKey, userAgent })
    const params = { type: 'channel', to: channel.id, topic: 'x', content: 'x', read_by_sender }
    const { id } = expectSuccess(await api.post('/messages', params))
    expect((await read(id, ann)).flags.includes('read')).toBe(isRead)
  })

  it('4.16 history policy none: BAD_REQUEST; moves: filtered', async () => {
    const id = await sendTo(ann, channel.id, 'history', 'one')
    expectSuccess(await edit(ann, id, { content: 'two' }))
    expectSuccess(await edit(ann, id, { topic: 'history 2' }))
    await whileSettings(realm, { message_edit_history_visibility_policy: 'none' }, async () => {
      expectRefusal(
        await ben.api.get(`/messages/${id}/history`),
        'Message edit history is disabled in this organization',
      )
    })
    await whileSettings(realm, { message_edit_history_visibility_policy: 'moves' }, async () => {
      const { message_history } = expectSuccess(await ben.api.get(`/messages/${id}/history`))
      expect(message_history.map(({ topic }: { topic: string }) => topic)).toEqual(['history', 'history 2'])
      expect(JSON.stringify(message_history)).not.toContain('prev_content')
    })
  })

  it('4.20 topics: newest first; an archived channel is readable for who could read it', async () => {
    const room = await buildChannel([ann, ben])
    for (const topic of ['first', 'second', 'first']) await sendTo(ann, room.id, topic)
    expectSuccess(await ann.api.delete(`/streams/${room.id}`))
    const { topics } = expectSuccess(await ben.api.get(`/users/me/${room.id}/topics`))
    const names = topics.map(({ name }: { name: string }) => name)
    expect(names.filter((name: string) => name !== 'channel events')).toEqual(['first', 'second'])
  })

  it('4.20 topics: bots by their own subscription', async () => {
    const { secret } = await protectedTopic('before')
    const made = expectSuccess(await ben.api.post('/bots', { full_name: 'Reader', short_name: 'reader' }))
    const bot = new ApiClient({
      host: realm.host,
      realmId: realm.id,
      email: `reader-bot@${realm.host}`,
      apiKey: made.api_key,
    })
    expectRefusal(await bot.get(`/users/me/${secret.id}/topics`), 'Invalid channel ID')
    const params = { subscriptions: [{ name: secret.name }], principals: [made.user_id] }
    expectSuccess(await ann.api.post('/users/me/subscriptions', params))
    await sendTo(ann, secret.id, 'after')
    const { topics } = expectSuccess(await bot.get(`/users/me/${secret.id}/topics`))
    expect(topics.map(({ name }: { name: string }) => name)).toEqual(['after'])
  })
})
