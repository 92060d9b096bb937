import { describe, expect, it } from 'vitest'
import { buildChannel, buildUser, expectSuccess, type TestUser } from '../support/factories.ts'
import { PNG } from '../support/images.ts'
import { sendDirect, sendTo } from '../support/messages.ts'
import { openQueue } from '../support/queues.ts'
import { expectRefusal } from '../support/refusals.ts'
import { postFiles, upload } from '../support/uploads.ts'
import { useRealm } from '../support/use-realm.ts'

const { realm, ann, ben, channel } = useRealm(
  { ann: 'member', ben: 'member' },
  { channels: { channel: ['ann', 'ben'] } },
)

async function read(id: number, params: Record<string, boolean> = {}, user = ben) {
  return expectSuccess(await user.api.get(`/messages/${id}`, params)).message
}

async function groupOf(id: number) {
  const { user_groups } = expectSuccess(await ben.api.get('/user_groups'))
  return user_groups.find((group: { id: number }) => group.id === id)
}

let groups = 0
async function newGroup(settings: Record<string, number | object> = {}): Promise<number> {
  groups += 1
  const params = { name: `record ${groups}`, description: 'of 2.6', members: [ann.id], ...settings }
  return expectSuccess(await ann.api.post('/user_groups/create', params)).group_id
}

async function subscriptionOf(user: TestUser, id: number, params: Record<string, string | boolean> = {}) {
  const { subscriptions } = expectSuccess(await user.api.get('/users/me/subscriptions', params))
  return subscriptions.find((one: { stream_id: number }) => one.stream_id === id)
}

describe('2 Resources and their fields', () => {
  describe('2.1 Group-setting value', () => {
    it('an integer names a group by its id', async () => {
      const id = await newGroup({ can_mention_group: 5 })
      expect(await groupOf(id)).toMatchObject({ can_mention_group: 5 })
    })

    it('an object holds direct_members and direct_subgroups', async () => {
      const value = { direct_members: [ann.id, ben.id], direct_subgroups: [4] }
      expect(await groupOf(await newGroup({ can_mention_group: value }))).toMatchObject({
        can_mention_group: value,
      })
    })

    it.each(['direct_members', 'direct_subgroups'])('the object must have %s', async (name) => {
      const { [name as 'direct_members']: _, ...value } = { direct_members: [], direct_subgroups: [] }
      const params = { name: `without ${name}`, description: '', members: [], can_mention_group: value }
      expect((await ann.api.post('/user_groups/create', params)).status).toBe(400)
    })

    it('direct_members does not include deactivated users', async () => {
      const dan = await buildUser(realm)
      const value = { direct_members: [ann.id, dan.id], direct_subgroups: [] }
      const id = await newGroup({ can_mention_group: value })
      expectSuccess(await realm.owner.api.delete(`/users/${dan.id}`))
      expect(await groupOf(id)).toMatchObject({
        can_mention_group: { direct_members: [ann.id], direct_subgroups: [] },
      })
    })
  })

  describe('2.3 Message', () => {
    it('client is the name of the sending client', async () => {
      const script = await buildUser(realm, { userAgent: 'TidyScript/2.1 (some system)' })
      expect(await read(await sendTo(script, channel.id, 'client'))).toMatchObject({ client: 'TidyScript' })
    })

    it('display_recipient: a channel’s name, as it is now', async () => {
      const renamed = await buildChannel([ann, ben])
      const id = await sendTo(ann, renamed.id, 'x')
      expectSuccess(await ann.api.patch(`/streams/${renamed.id}`, { new_name: `${renamed.name} anew` }))
      expect(await read(id)).toMatchObject({ display_recipient: `${renamed.name} anew` })
    })

    it('display_recipient: everybody in a group conversation', async () => {
      const { display_recipient } = await read(await sendDirect(ann, [ben, realm.owner]))
      expect(display_recipient.map(({ id }: { id: number }) => id).sort()).toEqual(
        [ann.id, ben.id, realm.owner.id].sort(),
      )
    })

    it('edit_history entries have user_id, timestamp, and what was edited', async () => {
      const other = await buildChannel([ann, ben])
      const id = await sendTo(ann, channel.id, 'one', 'first')
      expectSuccess(await ann.api.patch(`/messages/${id}`, { content: 'second' }))
      expectSuccess(await ben.api.patch(`/messages/${id}`, { topic: 'two' }))
      expectSuccess(await ben.api.patch(`/messages/${id}`, { stream_id: other.id }))
      const timestamp = expect.any(Number)
      expect((await read(id)).edit_history).toEqual([
        { user_id: ben.id, timestamp, prev_stream: channel.id, stream: other.id },
        { user_id: ben.id, timestamp, prev_topic: 'one', topic: 'two' },
        { user_id: ann.id, timestamp, prev_content: 'first', prev_rendered_content: '<p>first</p>' },
      ])
    })

    it('reactions: unicode_emoji, whose code is of hexadecimal code points with dashes', async () => {
      const id = await sendTo(ann, channel.id, 'reactions')
      const params = { emoji_name: 'flag_austria', emoji_code: '1f1e6-1f1f9' }
      const answer = await ben.api.post(`/messages/${id}/reactions`, params)
      const { reactions } = await read(id)
      expect([answer.status, reactions.length]).toEqual([200, 1])
      expect(reactions[0]).toMatchObject({
        emoji_code: '1f1e6-1f1f9',
        reaction_type: 'unicode_emoji',
        user_id: ben.id,
      })
    })

    it('reactions: the extra emoji, whose code is its name', async () => {
      const id = await sendTo(ann, channel.id, 'reactions')
      expectSuccess(await ben.api.post(`/messages/${id}/reactions`, { emoji_name: 'zulip' }))
      expect((await read(id)).reactions).toMatchObject([
        { emoji_name: 'zulip', emoji_code: 'zulip', reaction_type: 'svc_extra_emoji', user_id: ben.id },
      ])
    })

    it('reactions: realm_emoji, whose code is the id of the custom emoji', async () => {
      expectSuccess(await postFiles(realm.owner, '/realm/emoji/harbour', [PNG]))
      const { emoji } = expectSuccess(await ann.api.get('/realm/emoji'))
      const [code] = Object.keys(emoji)
      expect(emoji[code!]).toMatchObject({ id: code, name: 'harbour' })
      const id = await sendTo(ann, channel.id, 'reactions')
      const queue = await openQueue(ann)
      const path = `/messages/${id}/reactions`
      const params = { emoji_name: 'harbour', emoji_code: code!, reaction_type: 'realm_emoji' }
      const said = { ...params, user_id: ben.id }
      expectSuccess(await ben.api.post(path, params))
      expect((await read(id)).reactions).toMatchObject([said])
      expect(await queue.eventsOf('reaction')).toMatchObject([{ op: 'add', message_id: id, ...said }])
      expectSuccess(await ben.api.delete(path, params))
      expect(await queue.eventsOf('reaction')).toMatchObject([{ op: 'remove', message_id: id, ...said }])
      expect((await read(id)).reactions).toEqual([])
      expectRefusal(await ben.api.post(path, { ...params, emoji_code: '987654' }), 'Invalid custom emoji.')
    })

    it('recipient_id is the same for all messages to the same receivers', async () => {
      const ids = [await sendTo(ann, channel.id, 'a'), await sendTo(ben, channel.id, 'b')]
      const [first, second] = [await read(ids[0]!), await read(ids[1]!)]
      expect(first.recipient_id).toBe(second.recipient_id)
      const direct = [await sendDirect(ann, [ben, realm.owner]), await sendDirect(ben, [ann, realm.owner])]
      const [third, fourth] = [await read(direct[0]!), await read(direct[1]!)]
      expect(third.recipient_id).toBe(fourth.recipient_id)
      expect(third.recipient_id).not.toBe(first.recipient_id)
    })

    it('sender_realm_str is the same for all of a realm', async () => {
      const [first, second] = [await sendTo(ann, channel.id, 'x'), await sendTo(ben, channel.id, 'x')]
      expect((await read(first)).sender_realm_str).toBe((await read(second)).sender_realm_str)
    })

    it('submessages of a widget', async () => {
      const id = await sendTo(ann, channel.id, 'widgets', '/poll Which?\nthis\nthat')
      expect((await read(id)).submessages).toEqual([
        {
          id: expect.any(Number),
          message_id: id,
          sender_id: ann.id,
          msg_type: 'widget',
          content: expect.stringContaining('Which?'),
        },
      ])
    })

    it('topic_links: a link in the topic', async () => {
      const id = await sendTo(ann, channel.id, 'see https://example.com/x')
      expect((await read(id)).topic_links).toEqual([
        { text: 'https://example.com/x', url: 'https://example.com/x' },
      ])
    })

    it('flags are the requester’s', async () => {
      const id = await sendTo(ann, channel.id, 'x', '@**Ben**')
      expect((await read(id)).flags).toEqual(['mentioned'])
      expect((await read(id, {}, ann)).flags).toEqual([])
    })
  })

  it('2.4 an attachment', async () => {
    const url = await upload(ann, { name: 'plan.txt', content: 'four' })
    const id = await sendTo(ann, channel.id, 'files', `[plan](${url})`)
    const { attachments } = expectSuccess(await ann.api.get('/attachments'))
    const { timestamp } = await read(id)
    const { create_time, ...rest } = attachments[0]
    expect(rest).toEqual({
      id: expect.any(Number),
      name: 'plan.txt',
      path_id: url.replace('/user_uploads/', ''),
      size: 4,
      messages: [{ id, date_sent: expect.any(Number) }],
    })
    expect(Math.floor(rest.messages[0].date_sent / 1_000)).toBe(timestamp)
    expect(Math.abs(create_time - Date.now())).toBeLessThan(60_000)
  })

  describe('2.5 User', () => {
    async function user(id: number, params: Record<string, boolean> = {}) {
      return expectSuccess(await ann.api.get(`/users/${id}`, params)).user
    }

    it.each([
      [100, { is_owner: true, is_admin: true, is_guest: false }],
      [200, { is_owner: false, is_admin: true, is_guest: false }],
      [300, { is_owner: false, is_admin: false, is_guest: false }],
      [400, { is_owner: false, is_admin: false, is_guest: false }],
      [600, { is_owner: false, is_admin: false, is_guest: true }],
    ] as const)('role %i', async (role, flags) => {
      const { id } = await buildUser(realm, { role })
      expect(await user(id)).toMatchObject({ role, ...flags })
    })

    it.each([
      ['Europe/Vienna', 'Europe/Vienna'],
      ['Asia/Kolkata', 'Asia/Kolkata'],
      ['Europe/Kiev', 'Europe/Kyiv'],
    ])('timezone is an IANA name: %s is %s', async (given, timezone) => {
      const zoned = await buildUser(realm)
      expectSuccess(await zoned.api.patch('/settings', { timezone: given }))
      expect(await user(zoned.id)).toMatchObject({ timezone })
    })

    it('a bot has bot_type, bot_owner_id and its address, and never profile_data', async () => {
      for (const bot_type of [1, 3]) {
        const params = { full_name: `Bot ${bot_type}`, short_name: `of-type-${bot_type}`, bot_type }
        const more = bot_type === 3 ? { payload_url: 'https://example.com/hook' } : {}
        const { user_id } = expectSuccess(await ann.api.post('/bots', { ...params, ...more }))
        const bot = await user(user_id, { include_custom_profile_fields: true })
        expect(bot).toMatchObject({
          is_bot: true,
          bot_type,
          bot_owner_id: ann.id,
          delivery_email: `of-type-${bot_type}-bot@${realm.host}`,
        })
        expect(bot).not.toHaveProperty('profile_data')
      }
    })
  })

  describe('2.6 User group', () => {
    it('the record has these fields', async () => {
      const id = await newGroup()
      expect(await groupOf(id)).toMatchObject({
        id,
        name: `record ${groups}`,
        description: 'of 2.6',
        members: [ann.id],
        direct_subgroup_ids: [],
        deactivated: false,
        is_system_group: false,
        creator_id: ann.id,
        date_created: expect.any(Number),
        can_add_members_group: expect.anything(),
        can_join_group: expect.anything(),
        can_leave_group: expect.anything(),
        can_manage_group: expect.anything(),
        can_mention_group: expect.anything(),
        can_remove_members_group: expect.anything(),
      })
    })

    it('a deactivated group cannot become a subgroup', async () => {
      const [id, other] = [await newGroup(), await newGroup()]
      expectSuccess(await ann.api.post(`/user_groups/${id}/deactivate`))
      expectRefusal(
        await ann.api.post(`/user_groups/${other}/subgroups`, { add: [id] }),
        'User group is deactivated.',
      )
    })
  })

  describe('2.7 Channel and subscription', () => {
    it('the record has these fields', async () => {
      const made = await buildChannel([ann, ben], { invite_only: true })
      expectSuccess(await ann.api.patch(`/streams/${made.id}`, { description: 'all *about* it' }))
      expect(await subscriptionOf(ben, made.id, { include_subscribers: true })).toMatchObject({
        stream_id: made.id,
        name: made.name,
        description: 'all *about* it',
        rendered_description: '<p>all <em>about</em> it</p>',
        date_created: expect.any(Number),
        creator_id: ann.id,
        invite_only: true,
        subscribers: [ann.id, ben.id],
      })
    })

    it('creator_id is null when there is no recorded creator', async () => {
      const { stream_id } = expectSuccess(await ann.api.get('/get_stream_id', { stream: 'general' }))
      expect(await subscriptionOf(ann, stream_id)).toMatchObject({ creator_id: null })
    })

    it('subscribers only if include_subscribers is true', async () => {
      for (const params of [{}, { include_subscribers: false }]) {
        const { stream_id, ...found } = await subscriptionOf(ann, channel.id, params as { x: boolean })
        expect(stream_id).toBe(channel.id)
        expect(found).not.toHaveProperty('subscribers')
        expect(found).not.toHaveProperty('partial_subscribers')
      }
    })

    it.each([
      ['color', '#123456'],
      ['is_muted', true],
      ['pin_to_top', true],
      ['desktop_notifications', true],
      ['audible_notifications', true],
      ['push_notifications', true],
      ['email_notifications', true],
      ['wildcard_mentions_notify', false],
    ])('%s is the user’s own', async (property, value) => {
      const data = [{ stream_id: channel.id, property, value }]
      expectSuccess(await ann.api.post('/users/me/subscriptions/properties', { subscription_data: data }))
      expect(await subscriptionOf(ann, channel.id)).toMatchObject({ [property]: value })
      expect((await subscriptionOf(ben, channel.id))[property]).not.toBe(value)
    })

    it('in_home_view is the opposite of is_muted', async () => {
      for (const value of [false, true]) {
        const data = [{ stream_id: channel.id, property: 'in_home_view', value }]
        expectSuccess(await ann.api.post('/users/me/subscriptions/properties', { subscription_data: data }))
        expect(await subscriptionOf(ann, channel.id)).toMatchObject({ in_home_view: value, is_muted: !value })
      }
    })
  })

  it('2.8 a topic visibility preference belongs to a channel and a topic', async () => {
    const other = await buildChannel([ann])
    for (const [stream_id, policy] of [
      [channel.id, 1],
      [other.id, 3],
    ]) {
      const params = { stream_id: stream_id!, topic: 'same', visibility_policy: policy! }
      expectSuccess(await ann.api.post('/user_topics', params))
    }
    const { snapshot } = await openQueue(ann, { fetch_event_types: ['user_topic'] })
    const rows: { topic_name: string }[] = snapshot.user_topics
    expect(rows.filter(({ topic_name }) => topic_name === 'same')).toEqual([
      expect.objectContaining({ stream_id: channel.id, topic_name: 'same', visibility_policy: 1 }),
      expect.objectContaining({ stream_id: other.id, topic_name: 'same', visibility_policy: 3 }),
    ])
  })

  it('2.10 a user status', async () => {
    const carl = await buildUser(realm)
    expectSuccess(
      await carl.api.post('/users/me/status', { status_text: 'out', emoji_name: 'car', away: true }),
    )
    expect(expectSuccess(await ann.api.get(`/users/${carl.id}/status`)).status).toEqual({
      status_text: 'out',
      emoji_name: 'car',
      emoji_code: '1f697',
      reaction_type: 'unicode_emoji',
      away: true,
    })
  })

  it('2.11 an invitation', async () => {
    expectSuccess(await ann.api.post('/invites', { invitee_emails: 'in@example.com', stream_ids: [] }))
    const { invites } = expectSuccess(await ann.api.get('/invites'))
    expect(invites).toEqual([
      {
        id: expect.any(Number),
        invited_by_user_id: ann.id,
        invited: expect.any(Number),
        expiry_date: expect.any(Number),
        invited_as: 400,
        email: 'in@example.com',
        notify_referrer_on_join: true,
        is_multiuse: false,
        welcome_message_custom_text: null,
      },
    ])
  })

  it('2.14 has_alert_word', async () => {
    const carl = await buildUser(realm)
    expectSuccess(await carl.api.post('/users/me/subscriptions', { subscriptions: [{ name: channel.name }] }))
    expectSuccess(await carl.api.post('/users/me/alert_words', { alert_words: ['lighthouse'] }))
    const id = await sendTo(ann, channel.id, 'alert', 'the Lighthouse is on')
    expect((await read(id, {}, carl)).flags).toEqual(['has_alert_word'])
    expect((await read(id)).flags).toEqual([])
  })

  it('2.14 mentioned changes when the message is edited', async () => {
    const id = await sendTo(ann, channel.id, 'edited mention', 'nobody')
    expectSuccess(await ann.api.patch(`/messages/${id}`, { content: '@**Ben**' }))
    expect((await read(id)).flags).toEqual(['mentioned'])
    expectSuccess(await ann.api.patch(`/messages/${id}`, { content: 'nobody again' }))
    expect((await read(id)).flags).toEqual([])
  })
})
