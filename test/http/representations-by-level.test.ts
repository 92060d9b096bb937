import { beforeEach, describe, expect, it } from 'vitest'
import { evictRealm } from '../support/api.ts'
import { atLevel, expectSuccess, type TestUser } from '../support/factories.ts'
import type { Json } from '../support/json.ts'
import { ALL_CAPABILITIES, openQueue, type TestEvent } from '../support/queues.ts'
import { upload } from '../support/uploads.ts'
import { useRealm } from '../support/use-realm.ts'

const { realm, ann, ben } = useRealm(
  { ann: 'member', ben: 'member' },
  { channels: { plans: ['ann', 'ben'] } },
)

let messageId: number
beforeEach(async () => {
  const message = { type: 'stream', to: 'plans', topic: 'ideas', content: 'hello' }
  messageId = expectSuccess(await ann.api.post('/messages', message)).id
})

/** Adds a reaction, and says for each queue whether its event has the `user` of older levels. */
async function haveUser(queues: readonly Awaited<ReturnType<typeof openQueue>>[]): Promise<boolean[]> {
  expectSuccess(await ben.api.post(`/messages/${messageId}/reactions`, { emoji_name: 'octopus' }))
  const events = await Promise.all(queues.map(async (queue) => (await queue.eventsOf('reaction'))[0]!))
  expect(events.map(({ user_id }) => user_id)).toEqual(queues.map(() => ben.id))
  return events.map(({ user }) => user !== undefined)
}

const reactionQueue = (user: TestUser) => openQueue(user, { event_types: ['reaction'] })

describe('the form of an event', () => {
  it('is that of the level declared at registration: reactions have a user below 484', async () => {
    const queues = [
      await reactionQueue(atLevel(ann, 420)),
      await reactionQueue(atLevel(ann, 483)),
      await reactionQueue(atLevel(ann, 484)),
      await reactionQueue(atLevel(ann, 500)),
      await reactionQueue(atLevel(ann, 700)),
    ]
    expect(await haveUser(queues)).toEqual([true, true, false, false, false])
  })

  it('stays that of the registration, whatever polls declare, and after an eviction', async () => {
    const newer = await reactionQueue(atLevel(ann, 500))
    const older = await reactionQueue(atLevel(ann, 420))
    const polled = [
      Object.assign(newer, { user: atLevel(ann, 420) }),
      Object.assign(older, { user: atLevel(ann, 500) }),
    ]
    await evictRealm(realm.id)
    expect(await haveUser(polled)).toEqual([false, true])
  })

  it('is that of a queue that GET /events opens too', async () => {
    const { api } = atLevel(ann, 500)
    const opened = expectSuccess(
      await api.get('/events', { dont_block: true, event_types: ['reaction'], apply_markdown: true }),
    )
    expectSuccess(await ben.api.post(`/messages/${messageId}/reactions`, { emoji_name: 'octopus' }))
    const poll = { queue_id: opened.queue_id, last_event_id: -1, dont_block: true }
    const { events } = expectSuccess(await ann.api.get('/events', poll))
    expect(events).toMatchObject([{ type: 'reaction', user_id: ben.id }])
    expect('user' in events[0]).toBe(false)
  })

  it('of old settings is none from 439 on, whatever the client can', async () => {
    const params = { client_capabilities: { ...ALL_CAPABILITIES, user_settings_object: false } }
    const queues = [await openQueue(atLevel(ann, 420), params), await openQueue(atLevel(ann, 439), params)]
    expectSuccess(await ann.api.patch('/settings', { color_scheme: 2, enable_sounds: false }))
    const types = await Promise.all(
      queues.map(async (queue) => (await queue.events()).map(({ type }) => type)),
    )
    expect(types).toEqual([
      ['user_settings', 'update_display_settings', 'user_settings', 'update_global_notifications'],
      ['user_settings', 'user_settings'],
    ])
    expectSuccess(await ann.api.patch('/settings', { color_scheme: 1, enable_sounds: true }))
  })
})

/** What clients of two levels get of the same event. */
async function eventsOf(
  type: string,
  levels: readonly number[],
  act: () => Promise<unknown>,
  user: TestUser = ann,
): Promise<TestEvent[][]> {
  const queues = await Promise.all(levels.map((level) => openQueue(atLevel(user, level))))
  await act()
  return Promise.all(queues.map((queue) => queue.eventsOf(type)))
}

describe('uploads', () => {
  it('have times in seconds from 443 on, and message_ids from 472 on', async () => {
    const url = await upload(ann, { name: 'plans.txt', content: 'text' })
    const path_id = url.replace('/user_uploads/', '')
    const content = `see [plans](${url})`
    let id = 0
    const events = await eventsOf('attachment', [420, 443, 472], async () => {
      const message = { type: 'stream', to: 'plans', topic: 'files', content }
      id = expectSuccess(await ann.api.post('/messages', message)).id
    })
    const { message } = expectSuccess(await ann.api.get(`/messages/${id}`))
    const now = expect.closeTo(message.timestamp, -1)
    const file = { id: expect.any(Number), name: 'plans.txt', path_id, size: 4 }
    const messages = [{ id, date_sent: message.timestamp }]
    const inSeconds = { ...file, create_time: now, messages }
    const newest = { ...file, create_time: now, message_ids: [id] }
    expect(events.map((of) => of[0]!.attachment)).toEqual([
      { ...file, create_time: expect.closeTo(message.timestamp * 1_000, -5), messages: [expect.anything()] },
      inSeconds,
      newest,
    ])
    expect(Number.isInteger(events[1]![0]!.attachment.create_time)).toBe(true)
    expect(events[0]![0]!.attachment.messages[0].date_sent).toBeGreaterThan(1e12)

    const listed = async (level: number) =>
      expectSuccess(await atLevel(ann, level).api.get('/attachments')).attachments
    expect(await listed(443)).toEqual([inSeconds])
    expect(await listed(472)).toEqual([newest])
    expect((await listed(420))[0].messages[0].date_sent).toBeGreaterThan(1e12)

    const edited = await atLevel(ann, 500).api.patch(`/messages/${id}`, { content: 'no file' })
    expect(expectSuccess(edited).detached_uploads).toEqual([{ ...newest, message_ids: [] }])
  })
})

describe('exports', () => {
  it('have types in words from 449 on; a request may name either, at any level', async () => {
    const { owner } = realm
    let ids: number[] = []
    const [old, newer] = await eventsOf(
      'realm_export',
      [420, 449],
      async () => {
        const types = [2, 'public', 'full_with_consent', '"public"'] as const
        ids = []
        for (const export_type of types) {
          ids.push(expectSuccess(await owner.api.post('/export/realm', { export_type })).id)
        }
      },
      owner,
    )
    const typesOf = (exports: Json) => ids.map((id) => exports.find((one: Json) => one.id === id).export_type)
    const [numbers, words] = [
      [2, 1, 2, 1],
      ['full_with_consent', 'public', 'full_with_consent', 'public'],
    ]
    expect(typesOf(old!.at(-1)!.exports)).toEqual(numbers)
    expect(typesOf(newer!.at(-1)!.exports)).toEqual(words)
    const listed = async (level: number) =>
      typesOf(expectSuccess(await atLevel(owner, level).api.get('/export/realm')).exports)
    expect([await listed(420), await listed(500)]).toEqual([numbers, words])
    const { exports } = expectSuccess(await owner.api.get('/export/realm'))
    const isFromElsewhere = [...exports, ...newer!.at(-1)!.exports].map((one) => one.export_from_prior_server)
    expect(new Set(isFromElsewhere)).toEqual(new Set([false]))
  })
})

describe('settings', () => {
  it('call the rating of pictures gif_rating_policy from 453 on, in both requests and events', async () => {
    const { owner } = realm
    const answers: Json[] = []
    const events = await eventsOf('realm', [420, 453], async () => {
      answers.push(expectSuccess(await atLevel(owner, 420).api.patch('/realm', { gif_rating_policy: 4 })))
      answers.push(expectSuccess(await atLevel(owner, 500).api.patch('/realm', { giphy_rating: 3 })))
    })
    expect(answers.map(({ giphy_rating, gif_rating_policy }) => [giphy_rating, gif_rating_policy])).toEqual([
      [4, undefined],
      [undefined, 3],
    ])
    const changed = events.map((of) => of.map(({ property, value }) => [property, value]))
    expect(changed).toEqual([
      [
        ['giphy_rating', 4],
        ['giphy_rating', 3],
      ],
      [
        ['gif_rating_policy', 4],
        ['gif_rating_policy', 3],
      ],
    ])
    const { snapshot } = await openQueue(ann)
    expect([snapshot.realm_giphy_rating, snapshot.realm_gif_rating_policy]).toEqual([3, 3])
    expect(snapshot.gif_rating_policy_options).toEqual(snapshot.giphy_rating_options)
  })

  it('call the recent conversations recent from 454 on, and take both words', async () => {
    const { owner } = realm
    const [settings, defaults] = [
      await eventsOf(
        'user_settings',
        [420, 454],
        async () => {
          for (const web_home_view of ['recent', 'inbox', 'recent_topics']) {
            expectSuccess(await owner.api.patch('/settings', { web_home_view }))
          }
        },
        owner,
      ),
      await eventsOf('realm_user_settings_defaults', [420, 454], async () => {
        expectSuccess(await owner.api.patch('/realm/user_settings_defaults', { web_home_view: 'recent' }))
      }),
    ]
    const valuesOf = (of: TestEvent[][]) => of.map((events) => events.map(({ value }) => value))
    expect(valuesOf(settings)).toEqual([
      ['recent_topics', 'inbox', 'recent_topics'],
      ['recent', 'inbox', 'recent'],
    ])
    expect(valuesOf(defaults)).toEqual([['recent_topics'], ['recent']])
    const seenAt = async (level: number) => {
      const capabilities = { ...ALL_CAPABILITIES, user_settings_object: false }
      const { snapshot } = await openQueue(atLevel(owner, level), { client_capabilities: capabilities })
      const { user_settings, realm_user_settings_defaults, web_home_view } = snapshot
      return [user_settings.web_home_view, realm_user_settings_defaults.web_home_view, web_home_view]
    }
    expect(await seenAt(453)).toEqual(['recent_topics', 'recent_topics', 'recent_topics'])
    expect(await seenAt(454)).toEqual(['recent', 'recent', 'recent'])
    expect((await owner.api.patch('/settings', { web_home_view: 'recents' })).body.msg).toBe(
      'Invalid web_home_view',
    )
  })

  it('send a new description by update_dict from 464 on', async () => {
    const [old, newer] = await eventsOf('realm', [420, 464], async () => {
      expectSuccess(await realm.owner.api.patch('/realm', { description: '*birds*' }))
    })
    const rendered_description = expect.stringContaining('<em>birds</em>')
    expect(old).toMatchObject([
      { op: 'update', property: 'description', value: '*birds*', rendered_description },
    ])
    expect(newer).toEqual([
      {
        id: expect.any(Number),
        type: 'realm',
        op: 'update_dict',
        property: 'default',
        data: { description: '*birds*', rendered_description },
      },
    ])
  })
})

describe('bots', () => {
  it('have their own fields alone from 474 on, and no events about their accounts', async () => {
    const own = {
      user_id: expect.any(Number),
      default_sending_stream: null,
      default_events_register_stream: null,
      default_all_public_streams: false,
      services: [],
    }
    let bot: Json
    const [old, newer] = await eventsOf('realm_bot', [420, 474], async () => {
      bot = expectSuccess(await ann.api.post('/bots', { full_name: 'Robin', short_name: 'robin' }))
      expectSuccess(await ann.api.patch(`/bots/${bot.user_id}`, { full_name: 'Rob' }))
      expectSuccess(await ann.api.post(`/bots/${bot.user_id}/api_key/regenerate`))
      const changed = { default_all_public_streams: true }
      expectSuccess(await ann.api.patch(`/bots/${bot.user_id}`, changed))
      expectSuccess(await ann.api.delete(`/bots/${bot.user_id}`))
    })
    expect(old!.map(({ op, bot }) => [op, ...Object.keys(bot).slice(1)])).toEqual([
      expect.arrayContaining(['add', 'email', 'full_name', 'api_key', 'owner_id']),
      ['update', 'full_name'],
      ['update', 'api_key'],
      ['update', 'default_all_public_streams'],
      ['update', 'is_active'],
    ])
    expect(newer!.map(({ op, bot }) => [op, bot])).toEqual([
      ['add', own],
      ['update', { user_id: bot.user_id, default_all_public_streams: true }],
    ])
    const botsAt = async (level: number) => (await openQueue(atLevel(ann, level))).snapshot.realm_bots
    expect(await botsAt(474)).toEqual([{ ...own, default_all_public_streams: true }])
    expect(await botsAt(473)).toMatchObject([{ full_name: 'Rob', api_key: expect.any(String) }])
  })
})

describe('the form of an answer', () => {
  it('names the default of channels’ permissions channel_creator from 427 on', async () => {
    const defaultAt = async (user: TestUser) => {
      const { snapshot } = await openQueue(user, { fetch_event_types: ['realm'] })
      const { stream, group } = snapshot.server_supported_permission_settings
      return [
        stream.can_administer_channel_group.default_group_name,
        group.can_manage_group.default_group_name,
      ]
    }
    expect(await defaultAt(atLevel(ann, 420))).toEqual(['stream_creator_or_nobody', 'group_creator'])
    expect(await defaultAt(atLevel(ann, 427))).toEqual(['channel_creator', 'group_creator'])
    // The older form once more: what registrations share is not mixed up.
    expect(await defaultAt(atLevel(ann, 426))).toEqual(['stream_creator_or_nobody', 'group_creator'])
  })
})
