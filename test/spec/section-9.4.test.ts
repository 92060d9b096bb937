import { describe, expect, it } from 'vitest'
import { expectSuccess } from '../support/factories.ts'
import { sendDirect, sendTo } from '../support/messages.ts'
import { ALL_CAPABILITIES, openQueue } from '../support/queues.ts'
import { useRealm } from '../support/use-realm.ts'

const { user_settings_object: _, ...BEFORE_LEVEL_89 } = ALL_CAPABILITIES

const { realm, ann, ben, channel } = useRealm(
  { ann: 'member', ben: 'member' },
  { channels: { channel: ['ann', 'ben'] } },
)

async function read(id: number, user = ben) {
  return expectSuccess(await user.api.get(`/messages/${id}`)).message
}

describe('9 Versioning', () => {
  describe('9.4 deprecated and legacy', () => {
    it('subject is the topic of a message', async () => {
      expect(await read(await sendTo(ann, channel.id, 'named'))).toMatchObject({ subject: 'named' })
      const params = { type: 'stream', to: channel.id, subject: 'legacy', content: 'x' }
      const { id } = expectSuccess(await ann.api.post('/messages', params))
      expect(await read(id)).toMatchObject({ subject: 'legacy' })
    })

    it('stream is a type of message', async () => {
      const params = { type: 'stream', to: channel.name, topic: 'x', content: 'x' }
      expect(await read(expectSuccess(await ann.api.post('/messages', params)).id)).toMatchObject({
        type: 'stream',
      })
    })

    it('private is a type of message', async () => {
      const params = { type: 'private', to: [ben.id], content: 'x' }
      const { id } = expectSuccess(await ann.api.post('/messages', params))
      expect(await read(id)).toMatchObject({ type: 'private' })
      expect(await read(await sendDirect(ann, [ben]))).toMatchObject({ type: 'private' })
    })

    it('in_home_view', async () => {
      const data = [{ stream_id: channel.id, property: 'in_home_view', value: false }]
      expectSuccess(await ben.api.post('/users/me/subscriptions/properties', { subscription_data: data }))
      const { subscriptions } = expectSuccess(await ben.api.get('/users/me/subscriptions'))
      expect(subscriptions.find((one: { stream_id: number }) => one.stream_id === channel.id)).toMatchObject({
        in_home_view: false,
        is_muted: true,
      })
    })

    it('away', async () => {
      expectSuccess(await ben.api.post('/users/me/status', { away: true }))
      expect(expectSuccess(await ann.api.get(`/users/${ben.id}/status`)).status).toMatchObject({ away: true })
      expectSuccess(await ben.api.post('/users/me/status', { away: false }))
    })

    it('slim_presence, and without it the legacy format', async () => {
      const keys = async (params: Record<string, boolean>) =>
        Object.keys(
          expectSuccess(await ben.api.post('/users/me/presence', { status: 'active', ...params })).presences,
        )
      expect(await keys({ slim_presence: true })).toContain(String(ben.id))
      expect(await keys({})).toContain(ben.email)
    })

    it('realm_uri and authentication_methods', async () => {
      const settings = expectSuccess(await realm.anonymous.get('/server_settings'))
      expect(settings.realm_uri).toBe(settings.realm_url)
      expect(settings.authentication_methods).toMatchObject({ password: true, email: true })
    })

    it('wildcard_mentioned', async () => {
      expect((await read(await sendTo(ann, channel.id, 'x', '@**all**'))).flags).toEqual(
        expect.arrayContaining(['stream_wildcard_mentioned', 'wildcard_mentioned']),
      )
    })

    it('raw_content', async () => {
      const id = await sendTo(ann, channel.id, 'x', '*raw*')
      expect(expectSuccess(await ben.api.get(`/messages/${id}`)).raw_content).toBe('*raw*')
    })

    it('update_display_settings and update_global_notifications', async () => {
      const queue = await openQueue(ben, { client_capabilities: BEFORE_LEVEL_89 })
      expectSuccess(await ben.api.patch('/settings', { left_side_userlist: true, enable_sounds: false }))
      const events = await queue.events()
      expect(events.filter(({ type }) => type === 'update_display_settings')).toMatchObject([
        { user: ben.email, setting_name: 'left_side_userlist', setting: true },
      ])
      expect(events.filter(({ type }) => type === 'update_global_notifications')).toMatchObject([
        { user: ben.email, notification_name: 'enable_sounds', setting: false },
      ])
    })
  })
})
