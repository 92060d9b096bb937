import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { ApiClient, type ParameterValue } from '../support/api.ts'
import { buildChannel, buildUser, expectSuccess } from '../support/factories.ts'
import { sendTo } from '../support/messages.ts'
import { openQueue } from '../support/queues.ts'
import { expectRefusal } from '../support/refusals.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const { realm, ann, ben, channel } = useRealm(
  { ann: 'member', ben: 'member' },
  { channels: { channel: ['owner', 'ann', 'ben'] } },
)

function setProperties(data: readonly Record<string, ParameterValue>[]) {
  return ann.api.post('/users/me/subscriptions/properties', { subscription_data: data })
}

async function subscription() {
  const { subscriptions } = expectSuccess(await ann.api.get('/users/me/subscriptions'))
  return subscriptions.find((one: { stream_id: number }) => one.stream_id === channel.id)
}

describe('Decisions 7: Conflicts inside the reference files', () => {
  it.each([
    ['ZulipMobile/30.0', 'zulip_extra_emoji'],
    ['ZulipTerminal/0.7', 'zulip_extra_emoji'],
    ['MyClient/1.0', 'svc_extra_emoji'],
  ])('the type of a reaction goes by the User-Agent: %s gets %s', async (userAgent, expected) => {
    const id = await sendTo(ann, channel.id, 'agents')
    expectSuccess(await ann.api.post(`/messages/${id}/reactions`, { emoji_name: 'zulip' }))
    const { email, apiKey } = ben
    const api = new ApiClient({ host: realm.host, realmId: realm.id, email, apiKey, userAgent })
    const { message } = expectSuccess(await api.get(`/messages/${id}`))
    expect(message.reactions[0].reaction_type).toBe(expected)
  })

  it('4.19 modified ids, no echo of the request', async () => {
    const ids = [await sendTo(ann, channel.id, 'x'), await sendTo(ann, channel.id, 'x')]
    const star = (messages: number[]) =>
      ben.api.post('/messages/flags', { messages, op: 'add', flag: 'starred' })
    expectSuccess(await star([ids[0]!]))
    expect(expectSuccess(await star(ids)).messages).toEqual([ids[1]])
  })

  it('4.8 role:owners for can_mention_group is refused', async () => {
    const params = { name: 'conflicting', description: '', members: [ann.id] }
    const { group_id } = expectSuccess(await ann.api.post('/user_groups/create', params))
    expectRefusal(
      await ann.api.patch(`/user_groups/${group_id}`, { can_mention_group: { new: 2 } }),
      "'can_mention_group' setting cannot be set to 'role:owners' group.",
    )
  })

  it('4.2 the special code replaces the error of steps 14 and 16, after others', async () => {
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

  it('4.2 accessible messages only are changed, not the whole topic', async () => {
    const secret = await buildChannel([ann], { invite_only: true })
    const unseen = await sendTo(ann, secret.id, 'topic')
    const params = { subscriptions: [{ name: secret.name }], principals: [ben.id] }
    expectSuccess(await ann.api.post('/users/me/subscriptions', params))
    const seen = await sendTo(ann, secret.id, 'topic')
    const move = { topic: 'moved', propagate_mode: 'change_all' }
    expectSuccess(await ben.api.patch(`/messages/${seen}`, move))
    expect(expectSuccess(await ann.api.get(`/messages/${unseen}`)).message.subject).toBe('topic')
  })

  it('4.12 moderators may invite moderators; the owner’s role is BAD_REQUEST; welcome texts are fine', async () => {
    const moderator = await buildUser(realm, { role: 300 })
    const invite = (invitee_emails: string, params: Record<string, ParameterValue>) =>
      moderator.api.post('/invites', { invitee_emails, stream_ids: [], ...params })
    expectSuccess(await invite('m1@example.com', { invite_as: 300 }))
    expectRefusal(await invite('m2@example.com', { invite_as: 100 }), 'Must be an organization owner')
    expectSuccess(await invite('m3@example.com', { welcome_message_custom_text: 'x' }))
  })

  it('4.5 a missing last_event_id is no error', async () => {
    const queue = await openQueue(ben)
    expectSuccess(await ben.api.get('/events', { queue_id: queue.id, dont_block: true }))
  })

  it('4.7 one bad item rejects all', async () => {
    const good = { stream_id: channel.id, property: 'pin_to_top', value: true }
    expect((await setProperties([good, { ...good, property: 'flavour' }])).status).toBe(400)
    expect((await setProperties([good, { ...good, value: 'yes' }])).status).toBe(400)
    expect(await subscription()).toMatchObject({ pin_to_top: false })
  })

  it('4.7 valid items are applied one by one: those before a failure stay', async () => {
    const good = { stream_id: channel.id, property: 'pin_to_top', value: true }
    expectRefusal(await setProperties([good, { ...good, stream_id: 987_654 }]), 'Invalid channel ID')
    expect(await subscription()).toMatchObject({ pin_to_top: true })
  })

  it('PATCH /streams: all or nothing', async () => {
    const params = { description: 'changed', new_name: 'general' }
    expect((await realm.owner.api.patch(`/streams/${channel.id}`, params)).status).toBe(400)
    expect(await subscription()).toMatchObject({ description: '', name: channel.name })
  })

  it('4.6: all or nothing', async () => {
    const params = { enter_sends: true, notification_sound: 'trumpet' }
    expect((await realm.owner.api.patch('/realm/user_settings_defaults', params)).status).toBe(400)
    const { snapshot } = await openQueue(ann)
    expect(snapshot.realm_user_settings_defaults.enter_sends).toBe(false)
  })

  it.each([
    [undefined, ['muted_topics', 'user_topic']],
    [['muted_topics'], ['muted_topics']],
    [['muted_topics', 'user_topic'], ['user_topic']],
  ])('4.9 with event_types %j a queue gets %j', async (event_types, expected) => {
    const queue = await openQueue(ben, { event_types })
    const topic = `types ${JSON.stringify(event_types)}`
    expectSuccess(await ben.api.post('/user_topics', { stream_id: channel.id, topic, visibility_policy: 1 }))
    expect((await queue.events()).map(({ type }) => type)).toEqual(expected)
  })

  it('subscription add has subscribers only if asked for', async () => {
    const [plain, full] = [await openQueue(ben), await openQueue(ben, { include_subscribers: true })]
    const { name } = await buildChannel([ann])
    expectSuccess(await ben.api.post('/users/me/subscriptions', { subscriptions: [{ name }] }))
    const keys: boolean[] = []
    for (const queue of [plain, full]) {
      const [event] = await queue.eventsOf('subscription', 'add')
      keys.push('subscribers' in event!.subscriptions[0])
    }
    expect(keys).toEqual([false, true])
  })
})
