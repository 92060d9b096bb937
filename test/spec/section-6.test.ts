import { describe, expect, it } from 'vitest'
import { buildChannel, buildUser, expectSuccess } from '../support/factories.ts'
import { PNG } from '../support/images.ts'
import { ALL_CAPABILITIES, openQueue } from '../support/queues.ts'
import { postFiles } from '../support/uploads.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const { realm, ann, ben } = useRealm({ ann: 'member', ben: 'member' })

const OLD_CLIENT = { ...ALL_CAPABILITIES, user_settings_object: false }

describe('6 Events', () => {
  it('every event has a rising id and a type; types can be filtered at registration', async () => {
    const all = await openQueue(ben)
    const some = await openQueue(ben, { event_types: ['reaction'] })
    const { id } = expectSuccess(
      await ann.api.post('/messages', { type: 'channel', to: 'general', topic: 't', content: 'x' }),
    )
    expectSuccess(await ann.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }))
    const events = await all.events()
    expect(events.map(({ type }) => type)).toEqual(['message', 'reaction'])
    expect(events[1]!.id).toBeGreaterThan(events[0]!.id)
    expect((await some.events()).map(({ type }) => type)).toEqual(['reaction'])
  })

  it('alert_words: to the user alone, the whole list', async () => {
    const [own, other] = [await openQueue(ann), await openQueue(ben)]
    expectSuccess(await ann.api.post('/users/me/alert_words', { alert_words: ['fire'] }))
    expect((await own.eventsOf('alert_words'))[0]).toMatchObject({ alert_words: ['fire'] })
    expect(await other.events()).toEqual([])
  })

  it('user_settings update: property and value, to the user alone', async () => {
    const [own, other] = [await openQueue(ann), await openQueue(ben)]
    expectSuccess(await ann.api.patch('/settings', { twenty_four_hour_time: true }))
    expect(await own.events()).toEqual([
      {
        id: expect.any(Number),
        type: 'user_settings',
        op: 'update',
        property: 'twenty_four_hour_time',
        value: true,
      },
    ])
    expect(await other.events()).toEqual([])
  })

  it('user_settings update: language_name only for default_language', async () => {
    const queue = await openQueue(ann)
    expectSuccess(await ann.api.patch('/settings', { default_language: 'de' }))
    expect((await queue.eventsOf('user_settings'))[0]).toMatchObject({
      property: 'default_language',
      value: 'de',
      language_name: expect.any(String),
    })
  })

  it('update_display_settings and update_global_notifications: to clients without user_settings_object', async () => {
    const [old, modern] = [await openQueue(ann, { client_capabilities: OLD_CLIENT }), await openQueue(ann)]
    expectSuccess(await ann.api.patch('/settings', { starred_message_counts: false, enable_sounds: false }))
    expect((await old.eventsOf('update_display_settings'))[0] ?? null).toMatchObject({
      user: ann.email,
      setting_name: 'starred_message_counts',
      setting: false,
    })
    const types = (await modern.events()).map(({ type }) => type)
    expect(types).toEqual(['user_settings', 'user_settings'])
  })

  it('update_global_notifications: notification_name and setting', async () => {
    const old = await openQueue(ann, { client_capabilities: OLD_CLIENT })
    expectSuccess(await ann.api.patch('/settings', { enable_desktop_notifications: false }))
    expect((await old.eventsOf('update_global_notifications'))[0]).toMatchObject({
      user: ann.email,
      notification_name: 'enable_desktop_notifications',
      setting: false,
    })
  })

  it('realm_user update: a new name', async () => {
    const queue = await openQueue(ben)
    expectSuccess(await realm.owner.api.patch(`/users/${ann.id}`, { full_name: 'Anna' }))
    expect(await queue.eventsOf('realm_user', 'update')).toMatchObject([
      { person: { user_id: ann.id, full_name: 'Anna' } },
    ])
  })

  it('realm_user update: a new role', async () => {
    const queue = await openQueue(ben)
    expectSuccess(await realm.owner.api.patch(`/users/${ann.id}`, { role: 300 }))
    expect(await queue.eventsOf('realm_user', 'update')).toMatchObject([
      { person: { user_id: ann.id, role: 300 } },
    ])
    expectSuccess(await realm.owner.api.patch(`/users/${ann.id}`, { role: 400 }))
  })

  it('realm_user update: a new time zone', async () => {
    const queue = await openQueue(ben)
    expectSuccess(await ann.api.patch('/settings', { timezone: 'Europe/Vienna' }))
    expect(await queue.eventsOf('realm_user', 'update')).toMatchObject([
      { person: { user_id: ann.id, email: ann.email, timezone: 'Europe/Vienna' } },
    ])
  })

  it('realm_user update: a delivery email for those who gain it, null for losers', async () => {
    const moderator = await buildUser(realm, { role: 300 })
    const queues = { member: await openQueue(ben), moderator: await openQueue(moderator) }
    expectSuccess(await ann.api.patch('/settings', { email_address_visibility: 5 }))
    const lost = await queues.member.eventsOf('realm_user', 'update')
    expect(lost).toContainEqual(
      expect.objectContaining({ person: { user_id: ann.id, delivery_email: null } }),
    )
    expect(lost).toContainEqual(
      expect.objectContaining({ person: { user_id: ann.id, new_email: `user${ann.id}@${realm.host}` } }),
    )
    const kept = await queues.moderator.eventsOf('realm_user', 'update')
    expect(kept.filter(({ person }) => 'delivery_email' in person)).toEqual([])
    expectSuccess(await ann.api.patch('/settings', { email_address_visibility: 1 }))
    expect(await queues.member.eventsOf('realm_user', 'update')).toContainEqual(
      expect.objectContaining({ person: { user_id: ann.id, delivery_email: ann.email } }),
    )
  })

  it('realm_user update: a picture that is uploaded, and deleted', async () => {
    const queue = await openQueue(ben)
    const { avatar_url } = expectSuccess(await postFiles(ann, '/users/me/avatar', [PNG]))
    expectSuccess(await ann.api.delete('/users/me/avatar'))
    const events = await queue.eventsOf('realm_user', 'update')
    expect(events.map(({ person }) => person)).toEqual([
      {
        user_id: ann.id,
        avatar_source: 'U',
        avatar_url,
        avatar_url_medium: expect.stringMatching(/^\/user_avatars\//),
        avatar_version: 2,
      },
      {
        user_id: ann.id,
        avatar_source: 'G',
        avatar_url: expect.stringMatching(/^https:\/\//),
        avatar_url_medium: expect.stringMatching(/^https:\/\//),
        avatar_version: 3,
      },
    ])
  })

  it('realm_user update: a custom profile field, rendered if Markdown; null when emptied', async () => {
    const [MARKDOWN, LINK] = [1, 5]
    const create = async (name: string, field_type: number) =>
      expectSuccess(await realm.owner.api.post('/realm/profile_fields', { name, field_type })).id
    const [about, site] = [await create('About', MARKDOWN), await create('Site', LINK)]
    const queue = await openQueue(ben)
    const say = (data: object[]) => ann.api.patch('/users/me/profile_data', { data })
    const url = 'https://example.com/'
    expectSuccess(
      await say([
        { id: about, value: '*me*' },
        { id: site, value: url },
      ]),
    )
    expectSuccess(await ann.api.delete('/users/me/profile_data', { data: [site] }))
    const events = await queue.eventsOf('realm_user', 'update')
    expect(events.map(({ person }) => person)).toEqual([
      {
        user_id: ann.id,
        custom_profile_field: { id: about, value: '*me*', rendered_value: '<p><em>me</em></p>' },
      },
      { user_id: ann.id, custom_profile_field: { id: site, value: url } },
      { user_id: ann.id, custom_profile_field: { id: site, value: null } },
    ])
  })

  it('realm_user update: a bot’s new owner', async () => {
    const { user_id } = expectSuccess(
      await ann.api.post('/bots', { full_name: 'Passed On', short_name: 'passed-on' }),
    )
    const queue = await openQueue(ben)
    expectSuccess(await realm.owner.api.patch(`/bots/${user_id}`, { bot_owner_id: ben.id }))
    expect((await queue.eventsOf('realm_user', 'update')).map(({ person }) => person)).toEqual([
      { user_id, bot_owner_id: ben.id },
    ])
  })

  it('realm_user update: deactivation and reactivation', async () => {
    const dan = await buildUser(realm)
    const queue = await openQueue(ben)
    expectSuccess(await realm.owner.api.delete(`/users/${dan.id}`))
    expectSuccess(await realm.owner.api.post(`/users/${dan.id}/reactivate`))
    expect((await queue.eventsOf('realm_user', 'update')).map(({ person }) => person)).toEqual([
      { user_id: dan.id, is_active: false },
      { user_id: dan.id, is_active: true },
    ])
  })

  it('subscription add: channel objects, with subscribers only where they were asked for', async () => {
    const plain = await openQueue(ben)
    const full = await openQueue(ben, { include_subscribers: true })
    const channel = await buildChannel([ann])
    expectSuccess(await ben.api.post('/users/me/subscriptions', { subscriptions: [{ name: channel.name }] }))
    const [without] = await plain.eventsOf('subscription', 'add')
    const [withAll] = await full.eventsOf('subscription', 'add')
    expect(without?.subscriptions[0]).toMatchObject({ stream_id: channel.id, name: channel.name })
    expect(without?.subscriptions[0]).not.toHaveProperty('subscribers')
    expect(withAll?.subscriptions[0].subscribers).toEqual([ann.id, ben.id].sort((a, b) => a - b))
  })

  it('typing is sent only to users who want to receive it', async () => {
    // Typing is kept in memory only.
    world.evictable = false
    const queue = await openQueue(ben)
    expectSuccess(await ann.api.post('/typing', { type: 'direct', op: 'start', to: [ben.id] }))
    expect(await queue.eventsOf('typing')).toHaveLength(1)
    expectSuccess(await ben.api.patch('/settings', { receives_typing_notifications: false }))
    await queue.events()
    expectSuccess(await ann.api.post('/typing', { type: 'direct', op: 'start', to: [ben.id] }))
    expect(await queue.eventsOf('typing')).toEqual([])
    expectSuccess(await ben.api.patch('/settings', { receives_typing_notifications: true }))
  })
})
