import { beforeAll, describe, expect, it } from 'vitest'
import { ApiClient } from '../../support/api.ts'
import {
  buildChannel,
  buildUser,
  createBot,
  expectSuccess,
  type TestChannel,
  type TestUser,
} from '../../support/factories.ts'
import { changeRealm } from '../../support/inside.ts'
import { joinByLink } from '../../support/joining.ts'
import { fromJson } from '../../support/json.ts'
import { sendDirect, sendTo } from '../../support/messages.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { systemGroupId } from '../../support/system-groups.ts'
import { useRealm } from '../../support/use-realm.ts'
import { receiveWebhooks, type TestWebhook } from '../../support/webhooks.ts'

const { realm, keeper, writer, guest, admin } = useRealm({
  keeper: 'member',
  writer: 'member',
  guest: 'guest',
  admin: 'administrator',
})
const { owner: stranger } = useRealm()
const server = receiveWebhooks(realm)

interface Wanted {
  readonly event: string
  readonly channel_ids?: readonly number[] | null
}

const wish = (by: { api: ApiClient }, id: number, wanted: readonly Wanted[]) =>
  by.api.request('PUT', `/bots/${id}/event_subscriptions`, {
    event_subscriptions: JSON.stringify(wanted.map((one) => ({ channel_ids: null, ...one }))),
  })
const listOf = (by: { api: ApiClient }, id: number) => by.api.get(`/bots/${id}/event_subscriptions`)

/** Builds a webhook of the keeper that is subscribed to these events, and to nothing else. */
async function listener(wanted: readonly Wanted[], settings = {}): Promise<TestWebhook> {
  const hook = await server.build(keeper, settings)
  expectSuccess(await wish(keeper, hook.id, wanted))
  listeners.push(hook)
  return hook
}
const listeners: TestWebhook[] = []
/** Ends what earlier tests have subscribed. */
async function quiet(): Promise<void> {
  for (const { id } of listeners.splice(0)) expectSuccess(await wish(keeper, id, []))
}

/** Returns what has been posted since it was last asked. */
async function heard(): Promise<Record<string, unknown>[]> {
  // One call of a bot is under way at a time.
  for (let at = -1; at < server.posted.length; ) {
    at = server.posted.length
    await server.work()
    if (server.posted.length === at) break
  }
  return server.posted.splice(0).map(({ body }) => fromJson(body))
}

const join = async (by: TestUser, room: TestChannel, people: readonly { id: number }[]) =>
  expectSuccess(
    await by.api.post('/users/me/subscriptions', {
      subscriptions: JSON.stringify([{ name: room.name }]),
      principals: people.map(({ id }) => id),
    }),
  )
const leave = async (room: TestChannel, { id }: { id: number }) =>
  expectSuccess(
    await realm.owner.api.delete('/users/me/subscriptions', { subscriptions: [room.name], principals: [id] }),
  )
const react = async (by: TestUser, id: number, method: 'POST' | 'DELETE' = 'POST', emoji_name = 'tada') =>
  expectSuccess(await by.api.request(method, `/messages/${id}/reactions`, { emoji_name }))

describe('a webhook that is subscribed to messages', () => {
  it('gets those of its channels, by people and bots, signed as other calls', async () => {
    await quiet()
    const [room, other] = [await buildChannel([writer]), await buildChannel([writer])]
    const hook = await listener([{ event: 'message', channel_ids: [room.id] }])
    const generic = await createBot(keeper, 'Reporter')
    const id = await sendTo(writer, room.id, 'news', '*extra*')
    await sendTo(writer, other.id, 'news')
    await sendTo(generic, room.id, 'news', 'by a bot')
    await sendDirect(writer, [keeper])
    await server.work()
    await server.work()
    expect(server.posted[0]!.headers).toMatchObject({ 'webhook-id': expect.stringMatching(/^msg_/) })
    const got = await heard()
    expect(got).toMatchObject([
      {
        bot_email: hook.email,
        trigger: 'message',
        data: '*extra*',
        message: { id, stream_id: room.id, rendered_content: '<p><em>extra</em></p>' },
      },
      { trigger: 'message', data: 'by a bot' },
    ])
  })

  it('gets one call for a message that mentions it, and its answers are sent', async () => {
    await quiet()
    const room = await buildChannel([writer])
    const [hook, other] = [await listener([{ event: 'message' }]), await listener([{ event: 'message' }])]
    const queue = await openQueue(writer, { apply_markdown: false })
    server.answer = () => Response.json({ content: 'Heard.' })
    await sendTo(writer, room.id, 'calls', `@**${hook.name}** hello`)
    const got = await heard()
    expect(got.map(({ bot_email, trigger }) => [bot_email, trigger]).sort()).toEqual(
      [
        [hook.email, 'mention'],
        [other.email, 'message'],
      ].sort(),
    )
    // What a webhook says is for no other: each of the two has answered once.
    expect(await heard()).toEqual([])
    const said = (await queue.eventsOf('message')).map(({ message }) => message)
    expect(said.filter(({ content }) => content === 'Heard.')).toHaveLength(2)
  })

  it('gets messages of private channels only while it is subscribed', async () => {
    await quiet()
    const room = await buildChannel([writer], { invite_only: true })
    const hook = await listener([{ event: 'message' }, { event: 'reaction' }])
    await sendTo(writer, room.id, 'secret', 'before')
    await join(writer, room, [hook])
    const id = await sendTo(writer, room.id, 'secret', 'while')
    await react(writer, id)
    await leave(room, hook)
    await sendTo(writer, room.id, 'secret', 'after')
    await react(writer, id, 'DELETE')
    const got = await heard()
    expect(got.map(({ trigger, data, event }) => data ?? [trigger, (event as { op: string }).op])).toEqual([
      'while',
      ['reaction', 'add'],
    ])
  })

  it('gets a form without a command', async () => {
    await quiet()
    const room = await buildChannel([writer])
    await listener([{ event: 'message' }, { event: 'reaction' }], { interface_type: 2 })
    const id = await sendTo(writer, room.id, 'calls', 'hello')
    await react(writer, id)
    await server.work()
    await server.work()
    const [message, reaction] = server.posted.map(({ body }) => Object.fromEntries(new URLSearchParams(body)))
    expect(message).toMatchObject({ trigger_word: 'message', text: 'hello', channel_id: `C${room.id}` })
    expect(message).not.toHaveProperty('command')
    expect(reaction).toMatchObject({ trigger_word: 'reaction', team_domain: realm.host })
    expect(fromJson(reaction!.event!)).toMatchObject({ op: 'add', message_id: id })
  })

  it('gets none when it is closed, and none of a closed subscription', async () => {
    await quiet()
    const room = await buildChannel([writer])
    const [hook, other] = [await listener([{ event: 'message' }]), await listener([{ event: 'message' }])]
    expectSuccess(await keeper.api.delete(`/bots/${hook.id}`))
    expectSuccess(await wish(keeper, other.id, [{ event: 'reaction' }]))
    await sendTo(writer, room.id, 'calls')
    expect(await heard()).toEqual([])
  })
})

describe('a webhook that is subscribed to other events', () => {
  it('gets the extra emoji with its public type', async () => {
    await quiet()
    const room = await buildChannel([writer])
    await listener([{ event: 'reaction', channel_ids: [room.id] }])
    await react(writer, await sendTo(writer, room.id, 'news'), 'POST', 'zulip')
    expect(await heard()).toMatchObject([
      { event: { emoji_code: 'zulip', reaction_type: 'zulip_extra_emoji' } },
    ])
  })

  it('gets reactions that others add and remove, whatever it answers', async () => {
    await quiet()
    const room = await buildChannel([writer])
    const hook = await listener([{ event: 'reaction', channel_ids: [room.id] }])
    const queue = await openQueue(keeper)
    server.answer = () => new Response('ok, not JSON')
    const id = await sendTo(writer, room.id, 'news')
    await react(writer, id)
    await react(writer, id, 'DELETE')
    const elsewhere = await sendTo(writer, (await buildChannel([writer])).id, 'news')
    await react(writer, elsewhere)
    const reaction = {
      timestamp: expect.any(Number),
      user_id: writer.id,
      message_id: id,
      stream_id: room.id,
      emoji_name: 'tada',
      emoji_code: '1f389',
      reaction_type: 'unicode_emoji',
    }
    expect(await heard()).toEqual(
      ['add', 'remove'].map((op) => ({
        bot_email: hook.email,
        bot_full_name: hook.name,
        trigger: 'reaction',
        token: expect.any(String),
        event: { op, ...reaction },
      })),
    )
    expect(await queue.eventsOf('message')).toEqual([])
    const { deliveries } = expectSuccess(await keeper.api.get(`/bots/${hook.id}/deliveries`))
    expect(deliveries).toMatchObject([
      { trigger: 'reaction', message_id: null, event: { op: 'remove' }, answer: 'ok, not JSON', error: null },
      { trigger: 'reaction', event: { op: 'add', ...reaction } },
    ])
    expectSuccess(await keeper.api.post(`/bots/${hook.id}/deliveries/${deliveries[1].id}/resend`))
    expect(await heard()).toMatchObject([{ trigger: 'reaction', event: { op: 'add', message_id: id } }])
  })

  it('gets reactions in its direct messages, and in no others', async () => {
    await quiet()
    const hook = await listener([{ event: 'reaction' }])
    const [own, other] = [await sendDirect(writer, [hook]), await sendDirect(writer, [keeper])]
    await react(writer, own)
    await react(writer, other)
    const got = (await heard()).filter(({ trigger }) => trigger === 'reaction')
    expect(got).toMatchObject([{ event: { message_id: own, stream_id: null } }])
  })

  it('gets who joins channels, but nothing of private ones that it is not in', async () => {
    await quiet()
    const hook = await listener([{ event: 'subscription' }])
    const room = await buildChannel([writer])
    const hidden = await buildChannel([writer], { invite_only: true })
    await heard()
    await join(writer, room, [keeper, admin])
    await join(writer, hidden, [keeper])
    expect(await heard()).toMatchObject([
      {
        trigger: 'subscription',
        event: { op: 'add', subscriptions: [{ stream_id: room.id, user_ids: [keeper.id, admin.id] }] },
      },
    ])
    await join(writer, hidden, [hook, admin])
    expect(await heard()).toMatchObject([
      {
        event: {
          subscriptions: [{ stream_id: hidden.id, user_ids: [admin.id, hook.id].sort((a, b) => a - b) }],
        },
      },
    ])
    // Who was subscribed already does not join.
    await join(writer, room, [keeper])
    expect(await heard()).toEqual([])
  })

  it('gets new people, but not bots', async () => {
    await quiet()
    const hook = await listener([{ event: 'new_person' }])
    await createBot(keeper, 'No person')
    const person = await buildUser(realm)
    const { invite_link } = expectSuccess(await realm.owner.api.post('/invites/multiuse', { stream_ids: [] }))
    const joining = { email: `invited@${realm.host}`, full_name: 'Invited', password: 'a fine password' }
    expect((await joinByLink(realm.host, invite_link, joining)).status).toBeLessThan(400)
    const { user } = expectSuccess(await realm.owner.api.get(`/users/${joining.email}`))
    const got = await heard()
    expect(got).toMatchObject([
      { bot_email: hook.email, trigger: 'new_person', event: { op: 'add', user_id: person.id } },
      { trigger: 'new_person', event: { op: 'add', user_id: user.user_id } },
    ])
  })

  it('gets nothing that it caused itself', async () => {
    await quiet()
    const room = await buildChannel([writer])
    const hook = await listener([{ event: 'message' }, { event: 'reaction' }, { event: 'subscription' }])
    const { api_key } = expectSuccess(await keeper.api.get(`/bots/${hook.id}/api_key`))
    const { host, realmId } = keeper.api
    const api = new ApiClient({ host, realmId, email: hook.email, apiKey: api_key })
    const bot = { ...keeper, id: hook.id, api }
    const id = await sendTo(bot, room.id, 'self')
    await react(bot, id)
    await react(bot, id, 'DELETE')
    expectSuccess(
      await bot.api.post('/users/me/subscriptions', { subscriptions: JSON.stringify([{ name: room.name }]) }),
    )
    expect(await heard()).toEqual([])
    await react(writer, id)
    expect(await heard()).toMatchObject([{ trigger: 'reaction' }])
  })

  it('gets nothing of people whom it does not see', async () => {
    await quiet()
    const hook = await listener([{ event: 'reaction' }, { event: 'subscription' }, { event: 'new_person' }])
    const room = await buildChannel([keeper])
    await join(keeper, room, [hook])
    await changeRealm(realm, ({ sql }) => sql.run(`UPDATE user SET role = 600 WHERE id = ?`, hook.id))
    const seenBy = async (group: 'role:members' | 'role:everyone') =>
      expectSuccess(
        await realm.owner.api.patch('/realm', { can_access_all_users_group: { new: systemGroupId(group) } }),
      )
    await seenBy('role:members')
    await heard()
    await buildUser(realm)
    const id = await sendTo(keeper, room.id, 'news')
    await react(writer, id)
    await react(keeper, id)
    expect(await heard()).toMatchObject([{ trigger: 'reaction', event: { user_id: keeper.id } }])
    await seenBy('role:everyone')
  })
})

describe('event subscriptions', () => {
  let hook: TestWebhook
  beforeAll(async () => {
    await quiet()
  })

  it('are read and replaced by the bot’s owner alone', async () => {
    hook = await server.build(keeper)
    const room = await buildChannel([keeper], { invite_only: true })
    const wanted = [{ event: 'message', channel_ids: [room.id] }, { event: 'new_person' }]
    expect(expectSuccess(await wish(keeper, hook.id, wanted)).event_subscriptions).toEqual([
      wanted[0],
      { event: 'new_person', channel_ids: null },
    ])
    expect(expectSuccess(await listOf(keeper, hook.id)).event_subscriptions).toHaveLength(2)
    const generic = await createBot(keeper, 'Unsubscribed')
    const gone = await buildUser(realm)
    expectSuccess(await realm.owner.api.delete(`/users/${gone.id}`))
    for (const ask of [listOf, (by: { api: ApiClient }, id: number) => wish(by, id, [])]) {
      for (const by of [writer, admin, realm.owner]) {
        expectRefusal(await ask(by, hook.id), 'No such outgoing webhook')
      }
      expectRefusal(await ask(stranger, hook.id), 'No such outgoing webhook')
      expectRefusal(await ask(admin, 9_999_999), 'No such outgoing webhook')
      expectRefusal(await ask(keeper, generic.id), 'No such outgoing webhook')
      expectRefusal(await ask(guest, hook.id), 'Not allowed for guest users')
      expectRefusal(await ask(generic, hook.id), 'This endpoint does not accept bot requests.')
      expect((await ask(gone, hook.id)).status).toBe(401)
      expectUnauthorized(await ask({ api: realm.anonymous }, hook.id))
    }
    expect(expectSuccess(await listOf(keeper, hook.id)).event_subscriptions).toHaveLength(2)
    expectSuccess(await admin.api.patch(`/bots/${hook.id}`, { bot_owner_id: writer.id }))
    expectRefusal(await listOf(keeper, hook.id), 'No such outgoing webhook')
    expect(expectSuccess(await listOf(writer, hook.id)).event_subscriptions).toEqual([])
  })

  it('refuse hidden channels as those that do not exist, and what makes no sense', async () => {
    const own = await server.build(keeper)
    const hidden = await buildChannel([writer], { invite_only: true })
    for (const id of [hidden.id, 9_999_999]) {
      expectRefusal(
        await wish(keeper, own.id, [{ event: 'message', channel_ids: [id] }]),
        'Invalid channel ID',
      )
    }
    const twice = [{ event: 'message' }, { event: 'message', channel_ids: [] }]
    expectRefusal(await wish(keeper, own.id, twice), 'Each event may be named only once.')
    expectRefusal(
      await wish(keeper, own.id, [{ event: 'new_person', channel_ids: [1] }]),
      'New people are not in a channel.',
    )
    expect((await wish(keeper, own.id, [{ event: 'typing' }])).status).toBe(400)
    const many = Array.from({ length: 101 }, () => 1)
    expect((await wish(keeper, own.id, [{ event: 'message', channel_ids: many }])).status).toBe(400)
    expect(expectSuccess(await listOf(keeper, own.id)).event_subscriptions).toEqual([])
  })

  it('are for twenty bots of an organization', async () => {
    const own = await server.build(keeper)
    await changeRealm(realm, ({ sql }) =>
      sql.run(
        `WITH RECURSIVE number (n) AS (SELECT 900001 UNION ALL SELECT n + 1 FROM number LIMIT 20)
         INSERT INTO event_subscription SELECT n, '[]' FROM number`,
      ),
    )
    expectRefusal(
      await wish(keeper, own.id, [{ event: 'message' }]),
      'No more than 20 bots of an organization can be subscribed to events.',
    )
    expectSuccess(await wish(keeper, own.id, []))
    await changeRealm(realm, ({ sql }) => sql.run(`DELETE FROM event_subscription WHERE bot_id > 900000`))
  })
})
