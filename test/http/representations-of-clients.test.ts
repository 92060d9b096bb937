import { beforeAll, describe, expect, it } from 'vitest'
import { ApiClient, type ParameterValue } from '../support/api.ts'
import { buildUser, createBot, expectSuccess, type TestUser } from '../support/factories.ts'
import {
  ANNOUNCED_LEVEL,
  REPRESENTATION_CHANGES,
  type Representation,
} from '../support/inside-declarations.ts'
import type { Json } from '../support/json.ts'
import { BOUNCER_SETTINGS } from '../support/push-bouncer.ts'
import { ALL_CAPABILITIES, openQueue, type TestEvent } from '../support/queues.ts'
import { upload } from '../support/uploads.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const { realm, owner, room } = useRealm({}, { channels: { room: ['owner'] } })

let messageId: number
beforeAll(async () => {
  world.settings = BOUNCER_SETTINGS
  const url = await upload(owner, { name: 'plan.txt', content: 'text' })
  const message = { type: 'stream', to: room.id, topic: 'ideas', content: `[plan](${url})` }
  messageId = expectSuccess(await owner.api.post('/messages', message)).id
  expectSuccess(
    await owner.api.post('/messages/flags', { messages: [messageId], op: 'add', flag: 'hide_link_previews' }),
  )
  expectSuccess(
    await owner.api.post('/messages/flags', { messages: [messageId], op: 'add', flag: 'starred' }),
  )
  expectSuccess(await owner.api.patch('/settings', { web_home_view: 'recent' }))
  expectSuccess(await owner.api.post('/export/realm', { export_type: 'public' }))
})

/** A client of the owner's: its name, and the level in its header. */
interface Client {
  readonly name: string
  readonly level?: number
}

function at({ name, level }: Client): TestUser {
  const { host, email, apiKey } = owner.api
  return { ...owner, api: new ApiClient({ host, realmId: realm.id, email, apiKey, userAgent: name, level }) }
}

/** Says for each client whether it gets the newer form. */
type Observe = (clients: readonly TestUser[]) => Promise<boolean[]>

function each(see: (client: TestUser) => Promise<boolean>): Observe {
  return async (clients) => {
    const seen: boolean[] = []
    for (const client of clients) seen.push(await see(client))
    return seen
  }
}

const registered = async (user: TestUser, type: string): Promise<Json> =>
  (await openQueue(user, { fetch_event_types: [type], event_types: [type] })).snapshot

/** Looks at the events that each client gets of the same change. */
function ofEvents(
  act: () => Promise<unknown>,
  isNewer: (events: readonly TestEvent[]) => boolean,
  params: Record<string, ParameterValue> = {},
): Observe {
  return async (clients) => {
    const queues = await Promise.all(clients.map((client) => openQueue(client, params)))
    await act()
    return Promise.all(queues.map(async (queue) => isNewer(await queue.events())))
  }
}

let changes = 0

const REPRESENTATIONS: Readonly<Record<Representation, Observe>> = {
  'options of integrations in url_options': each(
    async (client) =>
      'url_options' in
      (await registered(client, 'realm_incoming_webhook_bots')).realm_incoming_webhook_bots[0],
  ),
  'options of integrations with input_type': each(async (client) => {
    const { realm_incoming_webhook_bots: all } = await registered(client, 'realm_incoming_webhook_bots')
    const options: Json[] = all.flatMap(
      ({ url_options, config_options }: Json) => url_options ?? config_options,
    )
    expect(options.length).toBeGreaterThan(0)
    return options.every((option) => 'input_type' in option && !('validator' in option))
  }),
  'permission default named channel_creator': each(async (client) => {
    const { server_supported_permission_settings: settings } = await registered(client, 'realm')
    return settings.stream.can_administer_channel_group.default_group_name === 'channel_creator'
  }),
  'no events of old settings': ofEvents(
    async () => {
      changes += 1
      expectSuccess(await owner.api.patch('/settings', { high_contrast_mode: changes % 2 === 1 }))
    },
    (events) => {
      const types = events.map(({ type }) => type).filter((type) => /^user_settings$|^update_/.test(type))
      expect(types).toContain('user_settings')
      return types.length === 1
    },
    { client_capabilities: { ...ALL_CAPABILITIES, user_settings_object: false } },
  ),
  'uploads with times in seconds': each(async (client) => {
    const { attachments } = expectSuccess(await client.api.get('/attachments'))
    return attachments[0].create_time < 1e11
  }),
  'uploads with message_ids': each(async (client) => {
    const { attachments } = expectSuccess(await client.api.get('/attachments'))
    expect('messages' in attachments[0]).toBe(!('message_ids' in attachments[0]))
    return 'message_ids' in attachments[0]
  }),
  'types of exports as words': each(async (client) => {
    const { exports } = expectSuccess(await client.api.get('/export/realm'))
    return exports[0].export_type === 'public'
  }),
  'gif_rating_policy in events and answers': each(async (client) => {
    changes += 1
    const giphy_rating = changes % 2 === 1 ? 3 : 4
    return 'gif_rating_policy' in expectSuccess(await client.api.patch('/realm', { giphy_rating }))
  }),
  'web_home_view named recent': each(
    async (client) => (await registered(client, 'user_settings')).user_settings.web_home_view === 'recent',
  ),
  'description by update_dict': ofEvents(
    async () => {
      changes += 1
      expectSuccess(await owner.api.patch('/realm', { description: `No. ${changes}` }))
    },
    (events) => events.find(({ type }) => type === 'realm')!.op === 'update_dict',
  ),
  'devices of apps with keys alone': each(
    async (client) => !('push_devices' in (await openQueue(client)).snapshot),
  ),
  'bots with their own fields alone': async (clients) => {
    await createBot(owner, 'Robin')
    return each(async (client) => {
      const { realm_bots } = (await openQueue(client)).snapshot
      expect(realm_bots).toHaveLength(1)
      return Object.keys(realm_bots[0]).every((key) => /^(?:user_id|default_.*|services)$/.test(key))
    })(clients)
  },
  'reaction events without user': ofEvents(
    async () => {
      const emoji = { emoji_name: 'tada' }
      expectSuccess(await owner.api.post(`/messages/${messageId}/reactions`, emoji))
      expectSuccess(await owner.api.delete(`/messages/${messageId}/reactions`, emoji))
    },
    (events) => {
      const reactions = events.filter(({ type }) => type === 'reaction')
      expect(reactions.map(({ user_id }) => user_id)).toEqual([owner.id, owner.id])
      return reactions.every(({ user }) => user === undefined)
    },
  ),
  'is_deleted in changes of users': ofEvents(
    async () => {
      const { id } = await buildUser(realm)
      expectSuccess(await owner.api.delete(`/users/${id}`, { actions: { delete_profile: true } }))
    },
    (events) => events.some(({ person }) => person?.is_deleted === true),
    { event_types: ['realm_user'] },
  ),
  'channels with default_push_notifications': each(async (client) => {
    const name = 'default_push_notifications'
    const { snapshot } = await openQueue(client)
    const answers = [
      expectSuccess(await client.api.get(`/streams/${room.id}`)).stream,
      ...expectSuccess(await client.api.get('/streams')).streams,
      ...expectSuccess(await client.api.get('/users/me/subscriptions')).subscriptions,
      ...snapshot.streams,
      ...snapshot.subscriptions,
    ].map((channel) => channel[name])
    const values = new Set(answers)
    expect(values.size).toBe(1)
    return values.has(false)
  }),
  'addresses of sent messages': each(async (client) => {
    const message = { type: 'direct', to: [owner.id], content: 'hello' }
    const answer = expectSuccess(await client.api.post('/messages', message))
    expect('message_link' in answer).toBe('message_url' in answer)
    return 'message_url' in answer
  }),
  'flag hide_link_previews': each(async (client) => {
    const { message } = expectSuccess(await client.api.get(`/messages/${messageId}`))
    expect(message.flags).toContain('starred')
    return message.flags.includes('hide_link_previews')
  }),
}

/** Public clients that declare no level, and read the announced one. */
const UNDECLARED = [
  'curl/8.0',
  'ZulipPython/0.9.1 (Debian GNU/Linux; 13)',
  'ZulipMobile/27.234 (iOS 17.4)',
  'ZulipFlutter/30.0.270+270 (Android 14)',
  'okhttp/4.12',
]
const OF_RELEASE_12 = 'ZulipFlutter/30.0.274+274 (Android 14)'
const TERMINAL = 'ZulipTerminal/0.7.0 Linux (Linux; 6.1)'

describe('a form that a level changed', () => {
  it.each(Object.entries(REPRESENTATIONS) as [Representation, Observe][])(
    'follows the declared level, without one the announced: %s',
    async (form, observe) => {
      const { since, documented } = REPRESENTATION_CHANGES[form]
      const isAnnounced = since <= ANNOUNCED_LEVEL
      const clients: readonly (readonly [Client, boolean])[] = [
        ...UNDECLARED.map((name) => [{ name }, isAnnounced && documented === undefined] as const),
        [{ name: 'curl/8.0', level: since - 1 }, false],
        [{ name: 'curl/8.0', level: since }, true],
        [{ name: 'curl/8.0', level: 700 }, true],
        [{ name: OF_RELEASE_12 }, isAnnounced],
        [{ name: OF_RELEASE_12, level: since - 1 }, false],
        [{ name: TERMINAL }, since < 439],
      ]
      const seen = await observe(clients.map(([client]) => at(client)))
      expect(clients.map(([client], index) => [client, seen[index]])).toEqual(clients)
    },
  )
})

describe('a client that declares no level', () => {
  const client_capabilities = { ...ALL_CAPABILITIES, user_settings_object: false }

  it('gets events of old settings that it names', async () => {
    const event_types = ['update_display_settings', 'user_settings']
    const named = await openQueue(owner, { client_capabilities, event_types })
    const capable = await openQueue(owner, { event_types })
    expectSuccess(await owner.api.patch('/settings', { color_scheme: 2 }))
    const types = async (queue: typeof named) => (await queue.events()).map(({ type }) => type)
    expect(await types(named)).toEqual(['user_settings', 'update_display_settings'])
    expect(await types(capable)).toEqual(['user_settings'])
  })

  it('gets no events about what only later levels have', async () => {
    const [plain, newer] = [await openQueue(owner), await openQueue(at({ name: 'curl/8.0', level: 510 }))]
    const flag = { messages: [messageId], flag: 'hide_link_previews' }
    expectSuccess(await owner.api.post('/messages/flags', { ...flag, op: 'remove' }))
    expectSuccess(await owner.api.post('/messages/flags', { ...flag, op: 'add' }))
    expectSuccess(await owner.api.patch(`/streams/${room.id}`, { default_push_notifications: true }))
    expectSuccess(await owner.api.patch(`/messages/${messageId}`, { content: 'edited' }))
    const about = async (queue: typeof plain) =>
      (await queue.events()).filter(({ type }) => /^(?:update_message(?:_flags)?|stream)$/.test(type))
    expect((await about(plain)).map(({ type, flags }) => [type, flags])).toEqual([
      ['update_message', ['starred']],
    ])
    expect(
      (await about(newer)).map(({ type, flag, property, flags }) => [type, flag ?? property ?? flags]),
    ).toEqual([
      ['update_message_flags', 'hide_link_previews'],
      ['update_message_flags', 'hide_link_previews'],
      ['stream', 'default_push_notifications'],
      ['update_message', ['starred', 'hide_link_previews']],
    ])
    expectSuccess(await owner.api.patch(`/streams/${room.id}`, { default_push_notifications: false }))
  })

  it('gets new channels and subscriptions without settings of later levels', async () => {
    const clients = [owner, at({ name: 'curl/8.0', level: 507 })]
    const queues = await Promise.all(clients.map((client) => openQueue(client)))
    const subscriptions = [{ name: 'new room' }]
    expectSuccess(await owner.api.post('/users/me/subscriptions', { subscriptions }))
    const have = await Promise.all(
      queues.map(async (queue) =>
        (await queue.events()).flatMap(({ type, op, streams, subscriptions: own }) =>
          op === 'create' || op === 'add'
            ? [[type, 'default_push_notifications' in (streams ?? own)[0]]]
            : [],
        ),
      ),
    )
    expect(have).toEqual([
      [
        ['stream', false],
        ['subscription', false],
      ],
      [
        ['stream', true],
        ['subscription', true],
      ],
    ])
  })
})
