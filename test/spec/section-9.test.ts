import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { askWorker } from '../support/api.ts'
import { buildChannel, buildUser, expectSuccess, type TestUser } from '../support/factories.ts'
import { sendTo } from '../support/messages.ts'
import { openQueue } from '../support/queues.ts'
import { expectRefusal } from '../support/refusals.ts'
import { useRealm } from '../support/use-realm.ts'

const { realm, ann, ben, channel } = useRealm(
  { ann: 'member', ben: 'member' },
  { channels: { channel: ['ann', 'ben'] } },
)

async function read(id: number, user = ben) {
  return expectSuccess(await user.api.get(`/messages/${id}`)).message
}

async function subscribe(user: TestUser, name: string, settings: Record<string, string | number> = {}) {
  expectSuccess(await user.api.post('/users/me/subscriptions', { subscriptions: [{ name }], ...settings }))
  const { subscriptions } = expectSuccess(await user.api.get('/users/me/subscriptions'))
  return subscriptions.find((one: { name: string }) => one.name === name)
}

describe('9 Versioning', () => {
  it('9.1 addresses of the API begin with /api/v1', async () => {
    for (const [path, status] of [
      ['/api/v1/server_settings', 200],
      ['/api/v2/server_settings', 404],
      ['/server_settings', 404],
    ] as const) {
      const response = await askWorker(new Request(`http://${realm.host}${path}`))
      await response.arrayBuffer()
      expect([path, response.status]).toEqual([path, status])
    }
  })

  it('9.2 svc_feature_level is an integer, in the server settings and at registration', async () => {
    const { svc_feature_level } = expectSuccess(await realm.anonymous.get('/server_settings'))
    expect(svc_feature_level).toBe(500)
    const { snapshot } = await openQueue(ann, { fetch_event_types: ['realm'] })
    expect(snapshot).toMatchObject({ svc_feature_level, zulip_feature_level: svc_feature_level })
  })

  describe('9.3 changes by feature level', () => {
    it('1 channel moves, user fetch by id, bot_owner_id, topic_links', async () => {
      const id = await sendTo(ann, channel.id, 'level 1')
      const other = await buildChannel([ann])
      expectSuccess(await ann.api.patch(`/messages/${id}`, { stream_id: other.id }))
      expect(await read(id)).toMatchObject({ stream_id: other.id, topic_links: [] })
      expect(expectSuccess(await ben.api.get(`/users/${ann.id}`)).user).toHaveProperty('bot_owner_id', null)
    })

    it('9 send_notification_* in edits, integer principals', async () => {
      const id = await sendTo(ann, channel.id, 'level 9')
      const answer = await ann.api.patch(`/messages/${id}`, {
        topic: 'level 9 b',
        send_notification_to_old_thread: true,
        send_notification_to_new_thread: false,
      })
      expect(expectSuccess(answer)).not.toHaveProperty('ignored_parameters_unsupported')
      const params = { subscriptions: [{ name: 'level 9' }], principals: [ben.id] }
      expect(expectSuccess(await ann.api.post('/users/me/subscriptions', params)).subscribed).toEqual({
        [ben.id]: ['level 9'],
      })
    })

    it('61 invite_as moderator', async () => {
      const params = { invitee_emails: 'level-61@example.com', stream_ids: [], invite_as: 300 }
      expectSuccess(await realm.owner.api.post('/invites', params))
      expect(expectSuccess(await realm.owner.api.get('/invites')).invites).toMatchObject([
        { invited_as: 300 },
      ])
    })

    it('86 emoji parameters of a status', async () => {
      const params = { emoji_name: 'car', emoji_code: '1f697', reaction_type: 'unicode_emoji' }
      expectSuccess(await ann.api.post('/users/me/status', params))
      expect(expectSuccess(await ben.api.get(`/users/${ann.id}/status`)).status).toEqual(params)
    })

    it('89 user_settings replaces the two deprecated events', async () => {
      const queue = await openQueue(ann)
      expectSuccess(await ann.api.patch('/settings', { enter_sends: true, enable_sounds: false }))
      expect((await queue.events()).map(({ type }) => type)).toEqual(['user_settings', 'user_settings'])
    })

    it('111, 167 ignored_parameters_unsupported', async () => {
      const body = expectSuccess(await ann.api.patch('/settings', { no_such_setting: true }))
      expect(body.ignored_parameters_unsupported).toEqual(['no_such_setting'])
      expect(
        expectSuccess(await ann.api.get('/users', { no_such: 1 })).ignored_parameters_unsupported,
      ).toEqual(['no_such'])
    })

    it('117, 126 the expiry of an invitation is in minutes, or null', async () => {
      for (const [email, minutes] of [
        ['level-117@example.com', null],
        ['level-126@example.com', 90],
      ] as const) {
        const params = { invitee_emails: email, stream_ids: [], invite_expires_in_minutes: minutes }
        expectSuccess(await ann.api.post('/invites', params))
      }
      const { invites } = expectSuccess(await ann.api.get('/invites'))
      const found: { email: string; invited: number; expiry_date: number | null }[] = invites
      const lasts = found.map(({ email, invited, expiry_date }) => [
        email,
        expiry_date && expiry_date - invited,
      ])
      expect(lasts).toContainEqual(['level-117@example.com', null])
      expect(lasts).toContainEqual(['level-126@example.com', 90 * 60])
    })

    it('120 apply_markdown for one message, and the message object', async () => {
      const id = await sendTo(ann, channel.id, 'level 120', '*x*')
      const { message } = expectSuccess(await ben.api.get(`/messages/${id}`, { apply_markdown: false }))
      expect(message).toMatchObject({ id, content: '*x*' })
    })

    it('139 two subscription events when a channel is muted', async () => {
      const queue = await openQueue(ann)
      const data = [{ stream_id: channel.id, property: 'is_muted', value: true }]
      expectSuccess(await ann.api.post('/users/me/subscriptions/properties', { subscription_data: data }))
      expect(
        (await queue.events()).map(({ type, op, property, value }) => [type, op, property, value]),
      ).toEqual([
        ['subscription', 'update', 'in_home_view', false],
        ['subscription', 'update', 'is_muted', true],
      ])
    })

    it('147, 154, 211 delete_topic reports completion as a success', async () => {
      await sendTo(ann, channel.id, 'level 211')
      const path = `/streams/${channel.id}/delete_topic`
      expect(expectSuccess(await realm.owner.api.post(path, { topic_name: 'level 211' }))).toEqual({
        result: 'success',
        msg: '',
        complete: true,
      })
    })

    it('148 away stands for presence_enabled', async () => {
      expectSuccess(await ann.api.post('/users/me/status', { away: true }))
      const { snapshot } = await openQueue(ann, { fetch_event_types: ['user_settings'] })
      expect(snapshot.user_settings.presence_enabled).toBe(false)
      expectSuccess(await ann.api.post('/users/me/status', { away: false }))
    })

    it('163 email_address_visibility is a user’s setting; delivery_email is always present', async () => {
      const shy = await buildUser(realm)
      expectSuccess(await shy.api.patch('/settings', { email_address_visibility: 4 }))
      const { members } = expectSuccess(await ann.api.get('/users'))
      const found: { user_id: number; delivery_email: string | null }[] = members
      expect(found.every((member) => 'delivery_email' in member)).toBe(true)
      expect(found.find(({ user_id }) => user_id === shy.id)?.delivery_email).toBeNull()
    })

    it('179, 184, 236, 248 scheduled messages: edited apart, read_by_sender, type channel', async () => {
      const at = Math.floor(Date.now() / 1_000) + 3_600
      const { scheduled_message_id: id } = expectSuccess(
        await ann.api.post('/scheduled_messages', {
          type: 'channel',
          to: channel.id,
          topic: 'level 248',
          content: 'x',
          scheduled_delivery_timestamp: at,
          read_by_sender: true,
        }),
      )
      expectSuccess(await ann.api.patch(`/scheduled_messages/${id}`, { content: 'y' }))
      const { scheduled_messages } = expectSuccess(await ann.api.get('/scheduled_messages'))
      expect(scheduled_messages).toMatchObject([{ scheduled_message_id: id, content: 'y' }])
      expectSuccess(await ann.api.delete(`/scheduled_messages/${id}`))
    })

    it('208 bad principals: 400 BAD_REQUEST', async () => {
      const params = { subscriptions: [{ name: channel.name }], principals: [987_654] }
      expectRefusal(await ann.api.post('/users/me/subscriptions', params), 'No such user')
    })

    it('222 deactivation is a realm_user update', async () => {
      const dan = await buildUser(realm)
      const queue = await openQueue(ben)
      expectSuccess(await realm.owner.api.delete(`/users/${dan.id}`))
      const ops = (await queue.eventsOf('realm_user')).map(({ op }) => op)
      expect(ops).toEqual(['update'])
    })

    it('263, 288 last_update_id and history_limit_days of presence', async () => {
      const params = { status: 'active', last_update_id: -1, history_limit_days: 1 }
      const body = expectSuccess(await ann.api.post('/users/me/presence', params))
      expect(body).toMatchObject({ presence_last_update_id: expect.any(Number) })
      expect(body).not.toHaveProperty('ignored_parameters_unsupported')
    })

    it('302 a user is found by the real email', async () => {
      expect(expectSuccess(await ben.api.get(`/users/${ann.email}`)).user.user_id).toBe(ann.id)
    })

    it('303 a group-setting value does not name deactivated users', async () => {
      const dan = await buildUser(realm)
      const value = { direct_members: [ann.id, dan.id], direct_subgroups: [] }
      const params = { name: 'level 303', description: '', members: [], can_join_group: value }
      const { group_id } = expectSuccess(await ann.api.post('/user_groups/create', params))
      expectSuccess(await realm.owner.api.delete(`/users/${dan.id}`))
      const { user_groups } = expectSuccess(await ann.api.get('/user_groups'))
      const group = user_groups.find(({ id }: { id: number }) => id === group_id)
      expect(group.can_join_group.direct_members).toEqual([ann.id])
    })

    it('320, 325, 333, 342, 349 channel permission groups; stream_post_policy is no parameter', async () => {
      const groups = {
        can_add_subscribers_group: 5,
        can_administer_channel_group: 4,
        can_remove_subscribers_group: 3,
        can_send_message_group: 5,
      }
      const made = await subscribe(ann, 'level 349', groups)
      expect(made).toMatchObject(groups)
      const body = expectSuccess(
        await realm.owner.api.patch(`/streams/${made.stream_id}`, {
          stream_post_policy: 2,
          description: 'x',
        }),
      )
      expect(body.ignored_parameters_unsupported).toEqual(['stream_post_policy'])
    })

    it('334, 370 the empty topic, and its display name', async () => {
      const id = await sendTo(ann, channel.id, 'general chat')
      expect((await read(id)).subject).toBe('general chat')
      const capable = await ben.api.get(`/messages/${id}`, { allow_empty_topic_name: true })
      expect(expectSuccess(capable).message.subject).toBe('')
    })

    it('355 ignored_because_not_subscribed_channels', async () => {
      const id = await sendTo(ann, channel.id, 'level 355')
      const params = { messages: [id], op: 'remove', flag: 'read' }
      const carl = await buildUser(realm)
      expect(
        expectSuccess(await carl.api.post('/messages/flags', params)).ignored_because_not_subscribed_channels,
      ).toEqual([channel.id])
    })

    it('362 subscriptions in archived channels can be modified', async () => {
      const archived = await buildChannel([ann, ben])
      expectSuccess(await ann.api.delete(`/streams/${archived.id}`))
      const params = { subscriptions: [archived.name] }
      expect(expectSuccess(await ben.api.delete('/users/me/subscriptions', params)).removed).toEqual([
        archived.name,
      ])
    })

    it('363 users have no is_billing_admin', async () => {
      expect(expectSuccess(await ann.api.get(`/users/${ben.id}`)).user).not.toHaveProperty('is_billing_admin')
    })

    it('365 last_moved_timestamp', async () => {
      const id = await sendTo(ann, channel.id, 'level 365')
      expectSuccess(await ann.api.patch(`/messages/${id}`, { topic: 'level 365 b' }))
      const message = await read(id)
      expect(message).toMatchObject({ last_moved_timestamp: expect.any(Number) })
      expect(message).not.toHaveProperty('last_edit_timestamp')
    })

    it('379 prev_content_sha256', async () => {
      const id = await sendTo(ann, channel.id, 'level 379', 'known')
      const hash = (text: string) => createHash('sha256').update(text).digest('hex')
      const params = { content: 'new', prev_content_sha256: hash('unknown') }
      expect((await ann.api.patch(`/messages/${id}`, params)).body.code).toBe('EXPECTATION_MISMATCH')
      expectSuccess(await ann.api.patch(`/messages/${id}`, { ...params, prev_content_sha256: hash('known') }))
    })

    it('386 a group can be reactivated', async () => {
      const { group_id } = expectSuccess(
        await ann.api.post('/user_groups/create', { name: 'level 386', description: '', members: [] }),
      )
      expectSuccess(await ann.api.post(`/user_groups/${group_id}/deactivate`))
      expectSuccess(await ann.api.patch(`/user_groups/${group_id}`, { deactivated: false }))
      const { user_groups } = expectSuccess(await ann.api.get('/user_groups'))
      expect(user_groups.map(({ id }: { id: number }) => id)).toContain(group_id)
    })

    it('392, 404 topics_policy, with empty_topic_only', async () => {
      expect(await subscribe(ann, 'level 404', { topics_policy: 'empty_topic_only' })).toMatchObject({
        topics_policy: 'empty_topic_only',
      })
    })

    it('406 the endpoint of encrypted push', async () => {
      const answer = await ann.api.post('/mobile_push/register', {
        token_kind: 'apns',
        push_account_id: 1,
        push_public_key: 'a2V5',
        bouncer_public_key: 'a2V5',
        encrypted_push_registration: 'dGV4dA==',
      })
      expect(answer.body.code).toBe('PUSH_SERVICE_NOT_CONFIGURED')
    })

    it('407 delete permissions of a channel', async () => {
      const groups = { can_delete_any_message_group: 4, can_delete_own_message_group: 5 }
      expect(await subscribe(realm.owner, 'level 407', groups)).toMatchObject(groups)
    })

    it('416 welcome_message_custom_text', async () => {
      const text = 'welcome to level 416'
      const email = 'level-416@example.com'
      expectSuccess(
        await realm.owner.api.post('/invites', {
          invitee_emails: email,
          stream_ids: [],
          welcome_message_custom_text: text,
        }),
      )
      const { invites } = expectSuccess(await realm.owner.api.get('/invites'))
      expect(invites.find((one: { email: string }) => one.email === email)).toMatchObject({
        welcome_message_custom_text: text,
      })
    })
  })
})
