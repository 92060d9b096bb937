import { describe, expect, it } from 'vitest'
import { ApiClient } from '../../support/api.ts'
import {
  atLevel,
  buildChannel,
  buildUser,
  createBot,
  expectSuccess,
  type TestUser,
} from '../../support/factories.ts'
import { changeRealm } from '../../support/inside.ts'
import { sendDirect, sendTo } from '../../support/messages.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { upload } from '../../support/uploads.ts'
import { useRealm } from '../../support/use-realm.ts'

/** Managing a bot, and speaking for it (docs/interface/bots.md#who-may-change-a-bot). */

const { realm, keeper, admin } = useRealm({ keeper: 'member', admin: 'administrator' })

const HOOK = 'https://example.com/hook'
let bots = 0
async function buildBot(owner: TestUser, settings: Record<string, string | number> = {}) {
  bots += 1
  return await createBot(owner, `Speaker ${bots}`, settings)
}
const outgoing = (owner: TestUser) => buildBot(owner, { bot_type: 3, payload_url: HOOK })

/** Returns the bot with its present key, which its owner reads. */
async function withPresentKey(bot: TestUser, owner: TestUser): Promise<ApiClient> {
  const { api_key: apiKey } = expectSuccess(await owner.api.get(`/bots/${bot.id}/api_key`))
  return new ApiClient({ host: realm.host, realmId: realm.id, email: bot.email, apiKey })
}
const takeOver = (bot: TestUser, by: TestUser, owner = by) =>
  by.api.patch(`/bots/${bot.id}`, { bot_owner_id: owner.id })

describe('managing a bot', () => {
  it('is for administrators too: name, picture, closing and reopening', async () => {
    const bot = await buildBot(keeper)
    for (const manager of [admin, realm.owner]) {
      expectSuccess(await manager.api.patch(`/bots/${bot.id}`, { full_name: `Named by ${manager.id}` }))
      expectSuccess(await manager.api.patch(`/bots/${bot.id}`, { short_name: `named-${manager.id}` }))
      expectSuccess(await manager.api.delete(`/bots/${bot.id}`))
      expectSuccess(await manager.api.post(`/users/${bot.id}/reactivate`))
    }
    expect(expectSuccess(await keeper.api.get(`/users/${bot.id}`)).user.bot_owner_id).toBe(keeper.id)
  })

  it('changes nothing by repeating all that an administrator was shown', async () => {
    const secret = await buildChannel([keeper], { invite_only: true })
    const bot = await outgoing(keeper)
    expectSuccess(await keeper.api.patch(`/bots/${bot.id}`, { default_sending_stream: secret.name }))
    const { realm_bots } = (await openQueue(admin)).snapshot
    const [service] = realm_bots.find((one: { user_id: number }) => one.user_id === bot.id).services
    const answer = expectSuccess(
      await admin.api.patch(`/bots/${bot.id}`, {
        full_name: `Renamed ${bot.id}`,
        bot_owner_id: keeper.id,
        service_payload_url: service.base_url,
        service_interface: service.interface,
        default_all_public_streams: false,
      }),
    )
    expect(answer).toMatchObject({ full_name: `Renamed ${bot.id}`, service_payload_url: '' })
    const kept = expectSuccess(await keeper.api.patch(`/bots/${bot.id}`, {}))
    expect(kept).toMatchObject({ service_payload_url: HOOK, default_sending_stream: secret.name })
  })
})

describe('speaking for a bot', () => {
  const WAYS: Readonly<
    Record<string, (by: TestUser, bot: TestUser, channel: number) => ReturnType<ApiClient['get']>>
  > = {
    'reading the key': (by, bot) => by.api.get(`/bots/${bot.id}/api_key`),
    'renewing the key': (by, bot) => by.api.post(`/bots/${bot.id}/api_key/regenerate`),
    'the address of its webhook': (by, bot) =>
      by.api.patch(`/bots/${bot.id}`, { service_payload_url: 'https://example.org/mine' }),
    'the format of its webhook': (by, bot) => by.api.patch(`/bots/${bot.id}`, { service_interface: 2 }),
    'its default channel': (by, bot) =>
      by.api.patch(`/bots/${bot.id}`, { default_sending_stream: 'general' }),
    'its default queue': (by, bot) => by.api.patch(`/bots/${bot.id}`, { default_all_public_streams: true }),
    'the secret of its webhook': (by, bot) => by.api.post(`/bots/${bot.id}/webhook_secret`),
    'the calls of its webhook': (by, bot) => by.api.get(`/bots/${bot.id}/deliveries`),
    'its events': (by, bot) => by.api.get(`/bots/${bot.id}/event_subscriptions`),
    'other events': (by, bot, channel) =>
      by.api.request('PUT', `/bots/${bot.id}/event_subscriptions`, {
        event_subscriptions: [{ event: 'reaction', channel_ids: [channel] }],
      }),
    'its settings for posts of services': (by, bot) => by.api.get(`/bots/${bot.id}/incoming_webhook`),
    'a secret for posts of services': (by, bot) =>
      by.api.patch(`/bots/${bot.id}/incoming_webhook`, { secret: 'mine' }),
    'a post in its name': (by, bot) =>
      by.api.post(`/bots/${bot.id}/incoming_webhook/test`, { integration: 'json' }),
    'mail in its name': (by, bot, channel) =>
      by.api.get(`/streams/${channel}/email_address`, { sender_id: bot.id }),
  }

  it.each(Object.entries(WAYS))('is its owner’s alone: %s', async (_way, ask) => {
    const bot = await outgoing(keeper)
    const { id } = await buildChannel([keeper, admin])
    for (const by of [admin, realm.owner]) {
      const refused = await ask(by, bot, id)
      expect(refused.status).toBe(400)
      expect(['Insufficient permission', 'No such outgoing webhook']).toContain(refused.body.msg)
    }
    expectSuccess(await ask(keeper, bot, id))
  })

  it('needs the key, which administrators get neither in snapshots nor in events', async () => {
    const queue = await openQueue(atLevel(admin, 473))
    const bot = await outgoing(keeper)
    const { api_key } = expectSuccess(await keeper.api.post(`/bots/${bot.id}/api_key/regenerate`))
    expectSuccess(
      await keeper.api.patch(`/bots/${bot.id}`, { service_payload_url: 'https://example.com/new' }),
    )
    expectSuccess(await keeper.api.patch(`/bots/${bot.id}`, { service_interface: 2 }))
    const managed = { api_key: '', services: [{ base_url: '', interface: 2, token: '' }] }
    const events = await queue.eventsOf('realm_bot')
    expect(events.map(({ op, bot: one }) => [op, one])).toMatchObject([
      ['add', { user_id: bot.id, api_key: '', services: [{ base_url: '', interface: 1, token: '' }] }],
      ['update', { user_id: bot.id, services: managed.services }],
    ])
    const snapshotOf = async (user: TestUser) =>
      (await openQueue(atLevel(user, 473))).snapshot.realm_bots.find(
        (one: { user_id: number }) => one.user_id === bot.id,
      )
    expect(await snapshotOf(admin)).toMatchObject({ owner_id: keeper.id, ...managed })
    expect(await snapshotOf(keeper)).toMatchObject({
      api_key,
      services: [{ base_url: 'https://example.com/new', interface: 2 }],
    })
  })
})

describe('a bot with an owner’s role', () => {
  it('is touched by owners alone, in any field', async () => {
    const bot = await buildBot(realm.owner)
    expectSuccess(await realm.owner.api.patch(`/bots/${bot.id}`, { role: 100 }))
    for (const ask of [
      () => admin.api.patch(`/bots/${bot.id}`, { full_name: 'Mine' }),
      () => admin.api.patch(`/users/${bot.id}`, { full_name: 'Mine' }),
      () => admin.api.patch(`/users/${bot.email}`, { full_name: 'Mine' }),
      () => admin.api.delete(`/bots/${bot.id}`),
      () => admin.api.get(`/bots/${bot.id}/api_key`),
      () => takeOver(bot, admin),
    ]) {
      expectRefusal(await ask(), 'Must be an organization owner', { code: 'UNAUTHORIZED_PRINCIPAL' })
    }
    const second = await buildUser(realm, { role: 100 })
    expectSuccess(await second.api.patch(`/bots/${bot.id}`, { full_name: `Kept ${bot.id}` }))
  })
})

describe('a right of a bot', () => {
  it('is never above its owner’s: neither given, nor kept under another owner', async () => {
    const bot = await buildBot(keeper)
    for (const path of [`/bots/${bot.id}`, `/users/${bot.id}`]) {
      expectRefusal(await realm.owner.api.patch(path, { role: 300 }), 'Insufficient permission')
    }
    const strong = await buildBot(realm.owner)
    expectSuccess(await realm.owner.api.patch(`/bots/${strong.id}`, { role: 100 }))
    const answer = expectSuccess(await takeOver(strong, realm.owner, keeper))
    expect(answer.role).toBe(400)
  })

  it('that an earlier build left above its owner’s ends with its next request', async () => {
    const bot = await buildBot(keeper)
    await changeRealm(realm, ({ sql }) => {
      sql.run(`UPDATE user SET role = 100 WHERE id = ?`, bot.id)
    })
    const queue = await openQueue(keeper)
    expectRefusal(await bot.api.get('/audit_log'), 'Must be an organization owner', {
      code: 'UNAUTHORIZED_PRINCIPAL',
    })
    expect(await queue.eventsOf('realm_user', 'update')).toMatchObject([
      { person: { user_id: bot.id, role: 400 } },
    ])
    const { entries } = expectSuccess(
      await realm.owner.api.get('/audit_log', { action: 'role_changed', limit: 1 }),
    )
    expect(entries).toMatchObject([{ actor_id: null, details: { user_id: bot.id, role: 400 } }])
  })

  it('that names the bot alone gives nothing but posting', async () => {
    const bot = await buildBot(keeper)
    const alone = { direct_members: [bot.id], direct_subgroups: [] }
    const closed = await buildChannel([realm.owner], { invite_only: true, can_subscribe_group: alone })
    expectRefusal(await bot.api.get(`/streams/${closed.id}`), 'Invalid channel ID')
    const news = await buildChannel([realm.owner], { can_send_message_group: alone })
    const post = { type: 'channel', to: news.id, topic: 'news', content: 'Read all about it' }
    expectSuccess(await bot.api.post('/messages', post))
    expectRefusal(
      await keeper.api.post('/messages', post),
      'You do not have permission to post in this channel.',
    )
  })
})

describe('taking over a bot', () => {
  it('takes it out of channels that the administrator may not read, in the same commit', async () => {
    const hidden = await buildChannel([keeper], { invite_only: true })
    const shared = await buildChannel([keeper, admin], {
      invite_only: true,
      history_public_to_subscribers: true,
    })
    const guarded = await buildChannel([keeper], { invite_only: true, history_public_to_subscribers: false })
    const open = await buildChannel([keeper])
    const all = [hidden, shared, guarded, open]
    const bot = await buildBot(keeper)
    expectSuccess(
      await keeper.api.post('/users/me/subscriptions', {
        subscriptions: all.map(({ name }) => ({ name })),
        principals: [bot.id],
      }),
    )
    const sent = await sendTo(keeper, guarded.id, 'plans', 'a secret plan')
    expectSuccess(
      await keeper.api.post('/users/me/subscriptions', {
        subscriptions: [{ name: guarded.name }],
        principals: [admin.id],
      }),
    )
    const queue = await openQueue(keeper)
    expectSuccess(await takeOver(bot, admin))
    const left = await queue.eventsOf('subscription', 'peer_remove')
    expect(left.flatMap(({ stream_ids }) => stream_ids).toSorted()).toEqual(
      [hidden.id, guarded.id].toSorted(),
    )
    const api = await withPresentKey(bot, admin)
    const { subscriptions } = expectSuccess(await api.get('/users/me/subscriptions'))
    expect(subscriptions.map(({ stream_id }: { stream_id: number }) => stream_id).toSorted()).toEqual(
      [shared.id, open.id].toSorted(),
    )
    // Back in a protected history, it knows no more than the administrator does.
    expectSuccess(
      await admin.api.post('/users/me/subscriptions', {
        subscriptions: [{ name: guarded.name }],
        principals: [bot.id],
      }),
    )
    expectRefusal(await api.get(`/messages/${sent}`), 'Invalid message(s)')
    expect(expectSuccess(await api.get(`/users/me/${guarded.id}/topics`)).topics).toEqual([])
  })

  it('closes its direct conversations so far, which stay for the others', async () => {
    const bot = await buildBot(keeper)
    const old = await sendDirect(keeper, [bot], 'between us')
    expectSuccess(await bot.api.post(`/messages/${old}/reactions`, { emoji_name: 'tada' }))
    expectSuccess(await takeOver(bot, admin))
    const api = await withPresentKey(bot, admin)
    const shownTo = async (client: ApiClient, narrow: object[], window = { num_before: 9, num_after: 0 }) => {
      const { messages } = expectSuccess(
        await client.get('/messages', { anchor: 'newest', ...window, narrow }),
      )
      return messages.map(({ id }: { id: number }) => id)
    }
    const narrows = [
      [],
      [{ operator: 'dm', operand: [keeper.id] }],
      [{ operator: 'is', operand: 'dm' }],
      [{ operator: 'dm-including', operand: keeper.id }],
      [{ operator: 'search', operand: 'between' }],
      [{ operator: 'id', operand: old }],
    ]
    for (const narrow of narrows) expect(await shownTo(api, narrow)).not.toContain(old)
    expectRefusal(await api.get(`/messages/${old}`), 'Invalid message(s)')
    expectRefusal(await api.get(`/messages/${old}/history`), 'Invalid message(s)')
    const snapshot = expectSuccess(await api.post('/register', {}))
    expect(snapshot.recent_private_conversations).toEqual([])
    expect(snapshot.unread_msgs.pms).toEqual([])
    const next = await sendDirect(keeper, [bot], 'to whom it may concern')
    expect(await shownTo(api, narrows[1]!)).toEqual([next])
    expect(await shownTo(keeper.api, [{ operator: 'dm', operand: [bot.id] }])).toEqual([old, next])
  })

  it('ends all that was its own: key, queues, address, events, storage, drafts, files, waiting messages', async () => {
    const bot = await outgoing(keeper)
    const queue = await openQueue(bot)
    const path = await upload(bot, new File(['for us'], 'for-us.txt'))
    expectSuccess(await bot.api.request('PUT', '/bot_storage', { storage: { secret: 'ours' } }))
    expectSuccess(
      await keeper.api.request('PUT', `/bots/${bot.id}/event_subscriptions`, {
        event_subscriptions: [{ event: 'reaction', channel_ids: null }],
      }),
    )
    expectSuccess(await bot.api.post('/saved_snippets', { title: 'ours', content: 'ours' }))
    const later = {
      type: 'direct',
      to: [keeper.id],
      content: 'later',
      scheduled_delivery_timestamp: Math.floor(Date.now() / 1_000) + 86_400,
    }
    expectSuccess(await bot.api.post('/scheduled_messages', later))
    expectSuccess(await keeper.api.patch(`/bots/${bot.id}/incoming_webhook`, { text_template: 'ours' }))
    const answer = expectSuccess(await takeOver(bot, admin))
    expect(answer).toMatchObject({ role: 400, service_payload_url: '', service_interface: 1 })
    expect((await bot.api.get('/users/me')).status).toBe(401)
    const api = await withPresentKey(bot, admin)
    expectRefusal(
      await api.get('/events', { queue_id: queue.id, last_event_id: -1, dont_block: true }),
      `Bad event queue ID: ${queue.id}`,
      { code: 'BAD_EVENT_QUEUE_ID', queue_id: queue.id },
    )
    expect(expectSuccess(await api.get('/bot_storage')).storage).toEqual({})
    expect(expectSuccess(await api.get('/saved_snippets')).saved_snippets).toEqual([])
    expect(expectSuccess(await api.get('/scheduled_messages')).scheduled_messages).toEqual([])
    expect(expectSuccess(await api.get('/attachments')).attachments).toEqual([])
    expect((await api.get(path)).status).toBe(403)
    const { attachments } = expectSuccess(await keeper.api.get('/attachments'))
    expect(attachments.map(({ name }: { name: string }) => name)).toContain('for-us.txt')
    const events = expectSuccess(await admin.api.get(`/bots/${bot.id}/event_subscriptions`))
    expect(events.event_subscriptions).toEqual([])
    const incoming = expectSuccess(await admin.api.get(`/bots/${bot.id}/incoming_webhook`))
    expect(incoming).toMatchObject({ text_template: '', deliveries: [] })
  })

  it('is in the audit log, and tells the former owner', async () => {
    const bot = await buildBot(keeper)
    const queue = await openQueue(keeper)
    const administrators = await openQueue(atLevel(realm.owner, 473))
    expectSuccess(await takeOver(bot, admin))
    const events = await queue.events()
    expect(events.filter(({ type }) => type === 'realm_bot')).toEqual([
      expect.objectContaining({ op: 'delete', bot: { user_id: bot.id } }),
    ])
    const { message } = events.find(({ type }) => type === 'message')!
    expect(message.content).toContain('took over your bot')
    expect(message.content).toContain('Its key no longer works.')
    expect(await administrators.eventsOf('realm_bot')).toMatchObject([
      { op: 'update', bot: { user_id: bot.id, owner_id: admin.id } },
    ])
    const { entries } = expectSuccess(
      await realm.owner.api.get('/audit_log', { action: 'bot_owner_changed', limit: 1 }),
    )
    expect(entries).toMatchObject([{ actor_id: admin.id, details: { user_id: bot.id, owner_id: admin.id } }])
  })

  it('lowers its role to the administrator’s, and serves in one request with new settings', async () => {
    const bot = await outgoing(keeper)
    const strong = await buildBot(await buildUser(realm, { role: 200 }))
    expectSuccess(await realm.owner.api.patch(`/bots/${strong.id}`, { role: 200 }))
    const answer = expectSuccess(
      await admin.api.patch(`/bots/${bot.id}`, {
        bot_owner_id: admin.id,
        service_payload_url: 'https://example.org/mine',
        role: 200,
      }),
    )
    expect(answer).toMatchObject({ service_payload_url: 'https://example.org/mine', role: 200 })
    // For somebody else, the administrator may not set it up.
    const other = await outgoing(keeper)
    expectRefusal(
      await admin.api.patch(`/bots/${other.id}`, {
        bot_owner_id: realm.owner.id,
        service_payload_url: 'https://example.org/mine',
      }),
      'Insufficient permission',
    )
    expect(expectSuccess(await keeper.api.get(`/users/${other.id}`)).user.bot_owner_id).toBe(keeper.id)
    expectSuccess(await takeOver(strong, admin, keeper))
    expect(expectSuccess(await admin.api.get(`/users/${strong.id}`)).user.role).toBe(400)
  })

  it('happens too when an administrator reopens a bot whose owner’s account is closed', async () => {
    const leaver = await buildUser(realm)
    const hidden = await buildChannel([leaver], { invite_only: true })
    const bot = await buildBot(leaver)
    expectSuccess(
      await leaver.api.post('/users/me/subscriptions', {
        subscriptions: [{ name: hidden.name }],
        principals: [bot.id],
      }),
    )
    expectSuccess(await realm.owner.api.delete(`/users/${leaver.id}`))
    expectSuccess(await admin.api.post(`/users/${bot.id}/reactivate`))
    const api = await withPresentKey(bot, admin)
    expect(expectSuccess(await api.get('/users/me/subscriptions')).subscriptions).toEqual([])
    const { entries } = expectSuccess(
      await realm.owner.api.get('/audit_log', { action: 'bot_owner_changed', limit: 1 }),
    )
    expect(entries).toMatchObject([{ actor_id: admin.id, details: { user_id: bot.id, owner_id: admin.id } }])
  })
})
