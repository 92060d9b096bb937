import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { evictRealm, type ParameterValue } from '../../support/api.ts'
import {
  buildChannel,
  buildRealm,
  buildUser,
  expectSuccess,
  type TestRealm,
  type TestUser,
} from '../../support/factories.ts'
import { inRealm } from '../../support/inside.ts'
import { BOUNCER_SETTINGS, PushBouncer } from '../../support/push-bouncer.ts'
import { bringPushes, enterDevice } from '../../support/push-devices.ts'
import { openQueue } from '../../support/queues.ts'
import { world } from '../../support/world.ts'

let realm: TestRealm
let ann: TestUser
let ben: TestUser
let cat: TestUser
let channel: { id: number; name: string }
let bouncer: PushBouncer
let phone: string

async function buildCastle(): Promise<void> {
  realm = await buildRealm({ name: 'Castle' })
  ann = await buildUser(realm, { name: 'Ann' })
  ben = await buildUser(realm, { name: 'Ben' })
  cat = await buildUser(realm, { name: 'Cat' })
  phone = await enterDevice(realm, ben)
}

function open(): void {
  bouncer.open()
  world.settings = BOUNCER_SETTINGS
}

beforeAll(async () => {
  bouncer = new PushBouncer()
  open()
  await buildCastle()
})

beforeEach(async () => {
  open()
  vi.spyOn(console, 'error').mockImplementation(() => {})
  channel = await buildChannel([realm.owner, ann, ben, cat])
  await bringPushes(realm)
  bouncer.forgetRequests()
})

afterEach(async () => {
  expectSuccess(await ben.api.post('/mark_all_as_read'))
  await bringPushes(realm)
  vi.restoreAllMocks()
  bouncer.close()
})

type Fields = Record<string, ParameterValue>

async function send(user: TestUser, fields: Fields): Promise<number> {
  return expectSuccess(await user.api.post('/messages', { content: 'Hello', ...fields })).id
}

const say = (user: TestUser, content = 'Hello', topic = 'walls') =>
  send(user, { type: 'channel', to: channel.id, topic, content })
const write = (user: TestUser, to: readonly TestUser[], content = 'Hello') =>
  send(user, { type: 'direct', to: to.map(({ id }) => id), content })

const set = async (user: TestUser, settings: Fields) =>
  expectSuccess(await user.api.patch('/settings', settings))

const subscription = async (user: TestUser, property: string, value: boolean) =>
  expectSuccess(
    await user.api.post('/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id: channel.id, property, value }],
    }),
  )

const policy = async (user: TestUser, topic: string, visibility_policy: number) =>
  expectSuccess(await user.api.post('/user_topics', { stream_id: channel.id, topic, visibility_policy }))

const read = async (user: TestUser, messages: readonly number[]) =>
  expectSuccess(await user.api.post('/messages/flags', { messages, op: 'add', flag: 'read' }))

/** Who is told of it, after everything has been brought. */
async function toldOf(message: Promise<number>): Promise<number[]> {
  const id = await message
  await bringPushes(realm)
  return bouncer.told.filter(([, messageId]) => messageId === id).map(([userId]) => userId)
}

describe('a direct message', () => {
  it('is told to its receivers’ devices as each service and the mobile client read it', async () => {
    const tablet = await enterDevice(realm, ben, 'apns')
    const id = await write(ann, [ben], 'Who’s **there**? :smile:')
    await bringPushes(realm)
    expect(bouncer.notices).toHaveLength(1)
    const [notice] = bouncer.notices
    const identity = {
      server: realm.host,
      realm_id: realm.id,
      realm_uri: `http://${realm.host}`,
      realm_url: `http://${realm.host}`,
      realm_name: 'Castle',
      user_id: ben.id,
    }
    const common = {
      ...identity,
      sender_id: ann.id,
      sender_email: ann.email,
      time: expect.any(Number),
      recipient_type: 'private',
    }
    expect(notice).toEqual({
      realm_uuid: bouncer.devices.get(phone)!.realmUuid,
      user_uuid: bouncer.devices.get(phone)!.userUuid,
      user_id: ben.id,
      android_devices: [phone],
      apple_devices: [tablet],
      gcm_options: { priority: 'high' },
      gcm_payload: {
        ...common,
        event: 'message',
        zulip_message_id: id,
        content: 'Who’s there? 🙂',
        content_truncated: false,
        sender_full_name: 'Ann',
        sender_avatar_url: expect.stringMatching(/^https:/),
      },
      apns_payload: {
        alert: { title: 'Ann', subtitle: '', body: 'Who’s there? 🙂' },
        sound: 'default',
        badge: 0,
        custom: { zulip: { ...common, message_ids: [id] } },
      },
    })
    expect(bouncer.devices.get(tablet)).toMatchObject({ kind: 'apns', appId: 'com.example.Chat' })
  })

  it('in a group names the group', async () => {
    const id = await write(ann, [ben, cat])
    await bringPushes(realm)
    const [{ gcm_payload, apns_payload }] = bouncer.notices as [(typeof bouncer.notices)[0]]
    const users = [ann.id, ben.id, cat.id].join(',')
    expect(gcm_payload).toMatchObject({ zulip_message_id: id, recipient_type: 'private', pm_users: users })
    expect(apns_payload).toMatchObject({ alert: { title: 'Ann, Ben, Cat', subtitle: 'Ann:' } })
  })

  it('is not told to its sender, nor to those who have muted the sender or want no calls', async () => {
    expect(await toldOf(write(ben, [ann]))).toEqual([])
    expect(await toldOf(write(ben, [ben]))).toEqual([])
    expectSuccess(await ben.api.post(`/users/me/muted_users/${ann.id}`))
    expect(await toldOf(write(ann, [ben]))).toEqual([])
    expectSuccess(await ben.api.delete(`/users/me/muted_users/${ann.id}`))
    await set(ben, { enable_offline_push_notifications: false })
    expect(await toldOf(write(ann, [ben]))).toEqual([])
    await set(ben, { enable_offline_push_notifications: true })
    expect(await toldOf(write(ann, [ben]))).toEqual([ben.id])
  })

  it('of the organization’s own bots is told, too', async () => {
    const other = await buildChannel([ann])
    await ann.api.post('/users/me/subscriptions', {
      subscriptions: [{ name: other.name }],
      principals: [ben.id],
    })
    await bringPushes(realm)
    expect(bouncer.notices.map(({ gcm_payload: { event }, user_id }) => [user_id, event])).toEqual([
      [ben.id, 'message'],
    ])
  })
})

describe('a channel message', () => {
  it('is told to those who want it: of the channel, in general, or of the topic', async () => {
    expect(await toldOf(say(ann))).toEqual([])
    await subscription(ben, 'push_notifications', true)
    expect(await toldOf(say(ann))).toEqual([ben.id])
    await policy(ben, 'walls', 1)
    expect(await toldOf(say(ann))).toEqual([])
    await policy(ben, 'walls', 0)
    await subscription(ben, 'push_notifications', false)
    await set(ben, { enable_stream_push_notifications: true })
    expect(await toldOf(say(ann))).toEqual([])
    await subscription(ben, 'push_notifications', true)
    await subscription(ben, 'is_muted', true)
    expect(await toldOf(say(ann))).toEqual([])
    await policy(ben, 'Walls', 3)
    expect(await toldOf(say(ann))).toEqual([ben.id])
  })

  it('inherits the general setting, as it is at the time', async () => {
    await set(ben, { enable_stream_push_notifications: true })
    expect(await toldOf(say(ann))).toEqual([ben.id])
    await set(ben, { enable_stream_push_notifications: false })
    expect(await toldOf(say(ann))).toEqual([])
  })

  it('names channel and topic, and what called', async () => {
    const group = expectSuccess(
      await realm.owner.api.post('/user_groups/create', {
        name: 'guards',
        description: '',
        members: [ben.id, cat.id],
      }),
    ).group_id
    await subscription(ben, 'push_notifications', true)
    const subtitles: string[] = []
    for (const content of [
      'plain',
      `@**Ben**`,
      '@*guards*',
      '@**Ben** @*guards*',
      '@**all**',
      '@**topic**',
    ]) {
      if (content === '@**topic**') await say(ben)
      await say(ann, content)
      await bringPushes(realm)
      const { apns_payload } = bouncer.notices.at(-1)!
      if ('alert' in apns_payload) subtitles.push(apns_payload.alert.subtitle)
    }
    expect(subtitles).toEqual([
      'Ann:',
      'Ann mentioned you:',
      'Ann mentioned @guards:',
      'Ann mentioned you:',
      'Ann mentioned everyone:',
      'Ann mentioned all topic participants:',
    ])
    const [plain, , mentioned] = bouncer.notices.map(({ gcm_payload }) => gcm_payload)
    expect(plain).toMatchObject({
      recipient_type: 'stream',
      stream: channel.name,
      stream_id: channel.id,
      topic: 'walls',
    })
    expect(plain).not.toHaveProperty('mentioned_user_group_id')
    expect(mentioned).toMatchObject({ mentioned_user_group_id: group, mentioned_user_group_name: 'guards' })
    expect(bouncer.notices[0]!.apns_payload).toMatchObject({ alert: { title: `#${channel.name} > walls` } })
  })

  it('is not told to those who are not mentioned, not subscribed, or mentioned silently', async () => {
    expect(await toldOf(say(ann, '@**Cat** @_**Ben**'))).toEqual([])
    expectSuccess(await ben.api.delete('/users/me/subscriptions', { subscriptions: [channel.name] }))
    expect(await toldOf(say(ann, '@**Ben** @**all**'))).toEqual([])
  })

  it('of a channel that does not want to be called is not told for its wildcards', async () => {
    await subscription(ben, 'wildcard_mentions_notify', false)
    expect(await toldOf(say(ann, '@**all**'))).toEqual([])
    await subscription(ben, 'wildcard_mentions_notify', true)
    expect(await toldOf(say(ann, '@**all**'))).toEqual([ben.id])
  })

  it('that is long is cut; a spoiler is not given away', async () => {
    await subscription(ben, 'push_notifications', true)
    await say(ann, `${'🐎'.repeat(201)}`)
    await say(ann, '```spoiler Who\nthe gardener\n```')
    await bringPushes(realm)
    const texts = bouncer.notices.map(({ gcm_payload }) =>
      gcm_payload.event === 'message' ? [gcm_payload.content, gcm_payload.content_truncated] : [],
    )
    expect(texts).toEqual([
      [`${'🐎'.repeat(200)}…`, true],
      [expect.stringMatching(/^Who\s*\(…\)$/), false],
    ])
  })

  it('keeps its text where the organization lets none out unencrypted', async () => {
    expectSuccess(await realm.owner.api.patch('/realm', { require_e2ee_push_notifications: true }))
    await say(ann, '@**Ben** the password is swordfish')
    await bringPushes(realm)
    expectSuccess(await realm.owner.api.patch('/realm', { require_e2ee_push_notifications: false }))
    expect(JSON.stringify(bouncer.notices)).not.toContain('swordfish')
    expect(bouncer.notices[0]!.gcm_payload).toMatchObject({ content: 'New message' })
  })
})

describe('a guest', () => {
  it('is not told who somebody is whom they cannot see', async () => {
    const guest = await buildUser(realm, { name: 'Gus', role: 600 })
    const { subscriptions } = expectSuccess(await guest.api.get('/users/me/subscriptions'))
    const names = subscriptions.map(({ name }: { name: string }) => name)
    expectSuccess(await guest.api.delete('/users/me/subscriptions', { subscriptions: names }))
    await enterDevice(realm, guest)
    const open = await buildChannel([realm.owner, guest])
    const can_access_all_users_group = { new: 6 }
    expectSuccess(await realm.owner.api.patch('/realm', { can_access_all_users_group }))
    const id = await send(ann, { type: 'channel', to: open.id, topic: 't', content: '@**Gus**' })
    await bringPushes(realm)
    expectSuccess(await realm.owner.api.patch('/realm', { can_access_all_users_group: { new: 7 } }))
    const payload = bouncer.notices.find(({ user_id }) => user_id === guest.id)!.gcm_payload
    expect(payload).toMatchObject({ zulip_message_id: id, sender_full_name: 'Unknown user' })
    expect(JSON.stringify(payload)).not.toContain(ann.email)
  })
})

describe('between a message and its notification', () => {
  it('nobody is told who has read it, left, lost the account or turned notifications off', async () => {
    const toldAfter = async (what: () => Promise<unknown>) => {
      const id = await say(ann, '@**Ben**')
      await what()
      return toldOf(Promise.resolve(id))
    }
    expect(await toldAfter(async () => {})).toEqual([ben.id])
    expect(await toldAfter(() => ben.api.post('/mark_all_as_read'))).toEqual([])
    expect(await toldAfter(() => set(ben, { enable_offline_push_notifications: false }))).toEqual([])
    await set(ben, { enable_offline_push_notifications: true })
    const leave = () => ben.api.delete('/users/me/subscriptions', { subscriptions: [channel.name] })
    expect(await toldAfter(leave)).toEqual([])
    expectSuccess(await ben.api.post('/users/me/subscriptions', { subscriptions: [{ name: channel.name }] }))
    expect(await toldAfter(() => realm.owner.api.delete(`/users/${ben.id}`))).toEqual([])
    expectSuccess(await realm.owner.api.post(`/users/${ben.id}/reactivate`))
  })

  it('nobody is told of a message that is deleted, or of a mention that is taken back', async () => {
    const deleted = await say(ann, '@**Ben**')
    expectSuccess(await realm.owner.api.delete(`/messages/${deleted}`))
    const edited = await say(ann, '@**Ben**')
    expectSuccess(await ann.api.patch(`/messages/${edited}`, { content: 'nobody' }))
    await bringPushes(realm)
    expect(bouncer.notices).toEqual([])
  })

  it('its text is the one that it has now', async () => {
    const id = await say(ann, '@**Ben** teh end')
    expectSuccess(await ann.api.patch(`/messages/${id}`, { content: '@**Ben** the end' }))
    expect(await toldOf(Promise.resolve(id))).toEqual([ben.id])
    expect(bouncer.notices[0]!.gcm_payload).toMatchObject({ content: '@Ben the end' })
  })

  it('the object may be evicted', async () => {
    const id = await say(ann, '@**Ben**')
    await evictRealm(realm.id)
    expect(await toldOf(Promise.resolve(id))).toEqual([ben.id])
  })
})

describe('an edit', () => {
  it('that mentions somebody tells them, once, and nobody who was told before', async () => {
    await enterDevice(realm, cat)
    const id = await say(ann, 'Who? @**Cat**')
    await bringPushes(realm)
    expectSuccess(await ann.api.patch(`/messages/${id}`, { content: '@**Ben** and @**Cat**' }))
    await bringPushes(realm)
    expectSuccess(await ann.api.patch(`/messages/${id}`, { content: '@**Ben** and @**Cat**!' }))
    await bringPushes(realm)
    expect(bouncer.told).toEqual([
      [cat.id, id],
      [ben.id, id],
    ])
  })

  it('that calls the channel tells those who had not heard of it', async () => {
    await enterDevice(realm, cat)
    await subscription(cat, 'push_notifications', true)
    const id = await say(ann, 'Fire')
    await bringPushes(realm)
    expectSuccess(await ann.api.patch(`/messages/${id}`, { content: '@**all** fire' }))
    await bringPushes(realm)
    expect(bouncer.told).toEqual([
      [cat.id, id],
      [ben.id, id],
    ])
  })
})

describe('somebody who is there', () => {
  let dan: TestUser
  beforeEach(async () => {
    dan = await buildUser(realm, { name: 'Dan' })
    await enterDevice(realm, dan)
  })

  const present = () => dan.api.post('/users/me/presence', { status: 'active' })
  const wantsQuiet = () => set(dan, { enable_online_push_notifications: false })

  it('is told all the same, if they want to be', async () => {
    await openQueue(dan)
    expectSuccess(await present())
    expect(await toldOf(write(ann, [dan]))).toEqual([dan.id])
  })

  it('is not told of what their client has', async () => {
    await wantsQuiet()
    const queue = await openQueue(dan)
    expectSuccess(await present())
    const id = await write(ann, [dan])
    await queue.events()
    await queue.events()
    expect(await toldOf(Promise.resolve(id))).toEqual([])
    await bringPushes(realm, 3_600)
    expect(bouncer.notices).toEqual([])
  })

  it('is told when the last client has gone without having it', async () => {
    await wantsQuiet()
    await openQueue(dan)
    expectSuccess(await present())
    const id = await write(ann, [dan])
    expect(await toldOf(Promise.resolve(id))).toEqual([])
    await bringPushes(realm, 300)
    expect(bouncer.notices).toEqual([])
    await bringPushes(realm, 700)
    expect(bouncer.told).toEqual([[dan.id, id]])
  })

  it('counts as away without a client that takes messages, or after some time without a sign', async () => {
    await wantsQuiet()
    expectSuccess(await present())
    await openQueue(dan, { event_types: ['presence'] })
    expect(await toldOf(write(ann, [dan]))).toEqual([dan.id])
    await openQueue(dan, { queue_lifespan_secs: 3_600 })
    world.clockOffset += 201
    expect(await toldOf(write(ann, [dan]))).toEqual([dan.id])
  })
})

describe('what a device shows', () => {
  it('is taken away when it is read, however that is', async () => {
    const ids: number[] = []
    for (let count = 0; count < 4; count += 1) ids.push(await say(ann, '@**Ben**'))
    await bringPushes(realm)
    await read(ben, [ids[0]!, ids[1]!])
    await bringPushes(realm)
    expectSuccess(await ben.api.post('/mark_topic_as_read', { stream_id: channel.id, topic_name: 'walls' }))
    await bringPushes(realm)
    expect(bouncer.removed).toEqual([
      [ben.id, ids.slice(0, 2)],
      [ben.id, ids.slice(2)],
    ])
    expect(bouncer.notices.at(-1)).toMatchObject({
      gcm_options: { priority: 'normal' },
      gcm_payload: { event: 'remove', zulip_message_id: ids[2] },
      apns_payload: {
        badge: 0,
        custom: { zulip: { event: 'remove', zulip_message_ids: ids.slice(2).join(',') } },
      },
    })
    await read(ben, ids)
    await bringPushes(realm)
    expect(bouncer.removed).toHaveLength(2)
  })

  it('is taken away when everything is read, or its author muted', async () => {
    const first = await write(ann, [ben])
    await bringPushes(realm)
    expectSuccess(await ben.api.post('/mark_all_as_read'))
    await bringPushes(realm)
    const second = await write(ann, [ben])
    await bringPushes(realm)
    expectSuccess(await ben.api.post(`/users/me/muted_users/${ann.id}`))
    await bringPushes(realm)
    expectSuccess(await ben.api.delete(`/users/me/muted_users/${ann.id}`))
    expect(bouncer.removed).toEqual([
      [ben.id, [first]],
      [ben.id, [second]],
    ])
  })

  it('is taken away when the message is deleted, no longer mentions, or goes out of sight', async () => {
    const hidden = await buildChannel([realm.owner], { invite_only: true })
    const changes: [(id: number) => Promise<unknown>][] = [
      [(id) => realm.owner.api.delete(`/messages/${id}`)],
      [(id) => ann.api.patch(`/messages/${id}`, { content: 'nobody' })],
      [(id) => realm.owner.api.patch(`/messages/${id}`, { stream_id: hidden.id })],
    ]
    for (const [change] of changes) {
      const id = await say(ann, '@**Ben**', `topic ${crypto.randomUUID()}`)
      await bringPushes(realm)
      await change(id)
      await bringPushes(realm)
      expect(bouncer.removed.at(-1)).toEqual([ben.id, [id]])
    }
  })

  it('stays when somebody else reads it, or another message', async () => {
    const id = await say(ann, '@**Ben** @**Cat**')
    const other = await say(ann, 'Hello', 'gates')
    await bringPushes(realm)
    await read(cat, [id])
    await read(ben, [other])
    await bringPushes(realm)
    expect(bouncer.removed.filter(([userId]) => userId === ben.id)).toEqual([])
  })

  it('is taken away when it was read while the notification was under way', async () => {
    world.evictable = false
    const id = await say(ann, '@**Ben**')
    bouncer.meanwhile = async () => {
      bouncer.meanwhile = undefined
      await read(ben, [id])
    }
    await bringPushes(realm)
    await bringPushes(realm)
    expect(bouncer.told).toEqual([[ben.id, id]])
    expect(bouncer.removed).toEqual([[ben.id, [id]]])
  })
})

describe('a bouncer that is away', () => {
  // The clock is turned far, and back: each test has an organization of its own.
  beforeEach(async () => {
    world.evictable = false
    await buildCastle()
    channel = await buildChannel([realm.owner, ann, ben, cat])
    await bringPushes(realm)
    bouncer.forgetRequests()
  })

  it('is asked again later, not for every message, and told everything then', async () => {
    bouncer.failures.push(new Error('no connection'), 503)
    const first = await say(ann, '@**Ben**')
    await bringPushes(realm)
    expect(bouncer.requests).toBe(1)
    const second = await say(ann, '@**Ben**')
    await bringPushes(realm)
    expect(bouncer.requests).toBe(1)
    await bringPushes(realm, 20)
    expect(bouncer.requests).toBe(2)
    await bringPushes(realm, 60)
    expect(bouncer.told).toEqual([
      [ben.id, first],
      [ben.id, second],
    ])
  })

  it('for a day is told no more of what is old', async () => {
    bouncer.failures.push(500)
    await say(ann, '@**Ben**')
    await bringPushes(realm)
    await bringPushes(realm, 90_000)
    expect(bouncer.notices).toEqual([])
  })

  it('as one that does not know this server, is asked again', async () => {
    bouncer.failures.push('INVALID_ZULIP_SERVER')
    const id = await say(ann, '@**Ben**')
    await bringPushes(realm)
    await bringPushes(realm, 60)
    expect(bouncer.told).toEqual([[ben.id, id]])
  })
})

describe('a bouncer', () => {
  beforeAll(async () => {
    open()
    await buildCastle()
  })

  it('that refuses a notification is not asked for it again', async () => {
    bouncer.failures.push('PUSH_NOTIFICATIONS_DISALLOWED')
    await say(ann, '@**Ben**')
    await bringPushes(realm)
    const id = await say(ann, '@**Ben**')
    await bringPushes(realm)
    expect(bouncer.told).toEqual([[ben.id, id]])
  })

  it('names tokens that are dead: they are used no more', async () => {
    const tablet = await enterDevice(realm, ben, 'apns')
    bouncer.dead.add(tablet)
    await say(ann, '@**Ben**')
    await bringPushes(realm)
    await say(ann, '@**Ben**')
    await bringPushes(realm)
    expect(bouncer.notices.map(({ apple_devices }) => apple_devices)).toEqual([[tablet], []])
    bouncer.dead.add(phone)
    await say(ann, '@**Ben**')
    await bringPushes(realm)
    await say(ann, '@**Ben**')
    await bringPushes(realm)
    expect(bouncer.notices).toHaveLength(3)
  })

  it('is told of tokens that are taken off; nothing goes to them from then on', async () => {
    const token = await enterDevice(realm, cat, 'apns')
    expect(await toldOf(say(ann, '@**Cat**'))).toEqual([cat.id])
    bouncer.forgetRequests()
    expectSuccess(await cat.api.delete('/users/me/apns_device_token', { token }))
    await say(ann, '@**Cat**')
    await bringPushes(realm)
    expect(bouncer.devices.has(token)).toBe(false)
    expect(bouncer.notices).toEqual([])
  })

  it('that refuses a token has no such device', async () => {
    expectSuccess(await cat.api.post('/users/me/android_gcm_reg_id', { token: 'refused' }))
    await bringPushes(realm)
    expect(await toldOf(say(ann, '@**Cat**'))).toEqual([])
    expect((await cat.api.delete('/users/me/android_gcm_reg_id', { token: 'refused' })).body.msg).toBe(
      'Token does not exist',
    )
  })

  it('gets tokens that were entered before there was one', async () => {
    world.settings = {}
    expectSuccess(await cat.api.post('/users/me/android_gcm_reg_id', { token: 'early' }))
    world.settings = BOUNCER_SETTINGS
    await enterDevice(realm, ann)
    expect(bouncer.devices.has('early')).toBe(true)
    expect(await toldOf(say(ben, '@**Cat**'))).toEqual([cat.id])
  })
})

describe('what it costs', () => {
  beforeAll(async () => {
    open()
    await buildCastle()
  })

  const rowsOf = (act: () => Promise<unknown>) =>
    inRealm(realm, ({ parts }) => parts.sql.counts.written).then(async (before) => {
      await act()
      return inRealm(realm, ({ parts }) => parts.sql.counts.written - before)
    })

  it('a message that calls nobody with a device is as cheap as without any device', async () => {
    world.evictable = false
    await say(ann)
    const quiet = await rowsOf(() => say(ann))
    const loud = await rowsOf(() => say(ann, '@**all**'))
    expect(quiet).toBe(4)
    // The note, the job and the alarm; the index of wildcard mentions.
    expect(loud).toBe(quiet + 4)
  })

  it('without a push service nothing is written for it, whoever had a device', async () => {
    world.evictable = false
    world.settings = {}
    await say(ann, '@**all**')
    await bringPushes(realm)
    expect(await rowsOf(() => say(ann, '@**all**'))).toBe(5)
    expect(bouncer.notices).toEqual([])
    await inRealm(realm, ({ parts }) => parts.memory.forget(['push-listeners']))
  })
})
