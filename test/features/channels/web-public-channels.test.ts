import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectSuccess, type TestUser } from '../../support/factories.ts'
import { openQueue, type TestEvent } from '../../support/queues.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { buildRealm, useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm, owner, admin, ann, guest } = useRealm({
  admin: 'administrator',
  ann: 'member',
  guest: 'guest',
})

beforeAll(async () => {
  await allow(true)
})

const ON = { WEB_PUBLIC_STREAMS_ENABLED: 'on' }
beforeEach(() => {
  world.settings = ON
})

const NOT_ENABLED = 'Web-public channels are not enabled.'
const kinds = (events: readonly TestEvent[]) =>
  events.map(({ type, op, property }) => [type, op, property].filter(Boolean).join('/'))
const allow = async (isAllowed: boolean) =>
  expectSuccess(await realm.owner.api.patch('/realm', { enable_spectator_access: isAllowed }))

let count = 0
function subscribe(by: TestUser, settings: Record<string, string | number | boolean> = {}) {
  count += 1
  const name = `web ${count}`
  return { name, answer: by.api.post('/users/me/subscriptions', { subscriptions: [{ name }], ...settings }) }
}

async function build(by: TestUser, settings: Record<string, string | number | boolean> = {}) {
  const { name, answer } = subscribe(by, settings)
  expectSuccess(await answer)
  const { stream_id: id } = expectSuccess(await by.api.get('/get_stream_id', { stream: name }))
  return { id: id as number, name }
}

const streamOf = async (user: TestUser, id: number) =>
  expectSuccess(await user.api.get(`/streams/${id}`)).stream

describe('a web-public channel', () => {
  it('is created and sent to everybody, guests too', async () => {
    const queues = await Promise.all([owner, ann, guest].map((user) => openQueue(user)))
    const { id } = await build(owner, { is_web_public: true })
    const [own, outsider, stranger] = await Promise.all(queues.map((queue) => queue.events()))
    expect(own!.find(({ type }) => type === 'stream')!.streams[0]).toMatchObject({
      stream_id: id,
      is_web_public: true,
      invite_only: false,
      history_public_to_subscribers: true,
    })
    expect(kinds(outsider!)).toEqual(['stream/create', 'subscription/peer_add'])
    expect(kinds(stranger!)).toEqual(['stream/create', 'subscription/peer_add'])
    expect(own!.findLast(({ type }) => type === 'message')!.message.content).toContain(
      '<strong>Web-public</strong> channel created by',
    )
    expect(await streamOf(guest, id)).toMatchObject({ is_web_public: true })
    const { streams } = expectSuccess(
      await guest.api.get('/streams', { include_web_public: true, include_subscribed: false }),
    )
    expect(streams.map(({ stream_id }: { stream_id: number }) => stream_id)).toContain(id)
  })

  it('can be created by POST /channels/create too', async () => {
    const { id } = expectSuccess(
      await owner.api.post('/channels/create', { name: 'by create', subscribers: [], is_web_public: true }),
    )
    expect(await streamOf(guest, id)).toMatchObject({ is_web_public: true })
  })

  it('can be made only by members of can_create_web_public_channel_group', async () => {
    expectRefusal(await subscribe(admin, { is_web_public: true }).answer, 'Insufficient permission')
    const { id } = await build(admin)
    expectRefusal(await admin.api.patch(`/streams/${id}`, { is_web_public: true }), 'Insufficient permission')
    const groups = expectSuccess(await owner.api.get('/user_groups')).user_groups as {
      id: number
      name: string
    }[]
    const group = (name: string) => groups.find((one) => one.name === name)!.id
    const give = (name: string) =>
      owner.api.patch('/realm', { can_create_web_public_channel_group: { new: group(name) } })
    const queue = await openQueue(ann)
    expectSuccess(await give('role:administrators'))
    expect((await queue.events())[0]).toMatchObject({
      type: 'realm',
      op: 'update_dict',
      data: { create_web_public_stream_policy: 2 },
    })
    const { can_create_web_public_streams: may } = expectSuccess(await admin.api.post('/register'))
    expect(may).toBe(true)
    expectSuccess(await admin.api.patch(`/streams/${id}`, { is_web_public: true }))
    for (const name of ['role:members', 'role:everyone']) {
      expect((await give(name)).body.msg).toContain(
        "'can_create_web_public_channel_group' setting cannot be set",
      )
    }
    expectSuccess(await give('role:nobody'))
    expectRefusal(await subscribe(owner, { is_web_public: true }).answer, 'Insufficient permission')
    expectSuccess(await give('role:owners'))
  })

  it.each([[{ invite_only: true }], [{ invite_only: true, history_public_to_subscribers: true }]])(
    'cannot be private as well: %o',
    async (settings) => {
      const { name, answer } = subscribe(owner, { is_web_public: true, ...settings })
      expectRefusal(await answer, 'Invalid parameters')
      expectRefusal(await owner.api.get('/get_stream_id', { stream: name }), `Invalid channel name '${name}'`)
    },
  )

  it('does not come from subscribing to an existing channel with is_web_public', async () => {
    const { id, name } = await build(owner)
    expectSuccess(
      await ann.api.post('/users/me/subscriptions', { subscriptions: [{ name }], is_web_public: true }),
    )
    expect(await streamOf(owner, id)).toMatchObject({ is_web_public: false })
  })

  it('is made from a public one, and back, each with a notice', async () => {
    const { id } = await build(owner)
    const queues = await Promise.all([owner, ann].map((user) => openQueue(user)))
    expectSuccess(await owner.api.patch(`/streams/${id}`, { is_web_public: true }))
    const [own, outsider] = await Promise.all(queues.map((queue) => queue.events()))
    const update = {
      type: 'stream',
      op: 'update',
      property: 'invite_only',
      value: false,
      history_public_to_subscribers: true,
      is_web_public: true,
      stream_id: id,
    }
    expect(own![0]).toMatchObject(update)
    expect(outsider).toMatchObject([update])
    expect(own!.findLast(({ type }) => type === 'message')!.message.content).toContain(
      'from <strong>Public</strong> to <strong>Web-public</strong>',
    )
    expect(await streamOf(guest, id)).toMatchObject({ is_web_public: true })
    expectSuccess(await owner.api.patch(`/streams/${id}`, { is_web_public: false }))
    expect((await queues[1]!.events()).at(-1)).toMatchObject({ ...update, is_web_public: false })
    expectRefusal(await guest.api.get(`/streams/${id}`), 'Invalid channel ID')
  })

  it('can be closed by its administrators whatever the switches say', async () => {
    const { id } = await build(owner, { is_web_public: true })
    await allow(false)
    world.settings = {}
    expectSuccess(await admin.api.patch(`/streams/${id}`, { is_web_public: false }))
    expectRefusal(await owner.api.patch(`/streams/${id}`, { is_web_public: true }), NOT_ENABLED)
    world.settings = ON
    await allow(true)
  })

  it('becomes private by one request that sets both properties', async () => {
    const { id } = await build(owner, { is_web_public: true })
    expectRefusal(await owner.api.patch(`/streams/${id}`, { is_private: true }), 'Invalid parameters')
    expectRefusal(
      await owner.api.patch(`/streams/${id}`, { history_public_to_subscribers: false }),
      'Invalid parameters',
    )
    expectSuccess(await owner.api.patch(`/streams/${id}`, { is_private: true, is_web_public: false }))
    expect(await streamOf(owner, id)).toMatchObject({
      invite_only: true,
      is_web_public: false,
      history_public_to_subscribers: false,
    })
  })

  it('keeps is_web_public while it is archived', async () => {
    const { id } = await build(owner, { is_web_public: true })
    expectSuccess(await owner.api.delete(`/streams/${id}`))
    expectSuccess(await owner.api.patch(`/streams/${id}`, { is_archived: false }))
    expect(await streamOf(guest, id)).toMatchObject({ is_web_public: true, is_archived: false })
  })

  it('lets guests post, but not join', async () => {
    const { id, name } = await build(owner, { is_web_public: true })
    expectSuccess(
      await guest.api.post('/messages', { type: 'channel', to: id, topic: 't', content: 'hello' }),
    )
    expectRefusal(
      await guest.api.post('/users/me/subscriptions', { subscriptions: [{ name }] }),
      'Not allowed for guest users',
    )
  })
})

describe('without the switches', () => {
  it('creating one is refused, by the deployment’s switch first, then the organization’s', async () => {
    const { id } = await build(owner)
    const isRefused = async () => {
      expectRefusal(await subscribe(owner, { is_web_public: true }).answer, NOT_ENABLED)
      expectRefusal(
        await owner.api.post('/channels/create', { name: 'no', subscribers: [], is_web_public: true }),
        NOT_ENABLED,
      )
      expectRefusal(await owner.api.patch(`/streams/${id}`, { is_web_public: true }), NOT_ENABLED)
      const { can_create_web_public_streams: may } = expectSuccess(await owner.api.post('/register'))
      expect(may).toBe(false)
    }
    await allow(false)
    await isRefused()
    await allow(true)
    world.settings = {}
    await isRefused()
    world.settings = { WEB_PUBLIC_STREAMS_ENABLED: 'off' }
    await isRefused()
  })

  it('clients get the server’s, and events when the organization’s changes', async () => {
    const queue = await openQueue(guest)
    await allow(false)
    await allow(true)
    expect(await queue.events()).toMatchObject([
      { type: 'realm', op: 'update', property: 'enable_spectator_access', value: false },
      { type: 'realm', op: 'update', property: 'enable_spectator_access', value: true },
    ])
    const switches = async () => {
      const state = expectSuccess(await ann.api.post('/register'))
      return [state.server_web_public_streams_enabled, state.realm_enable_spectator_access]
    }
    expect(await switches()).toEqual([true, true])
    world.settings = {}
    expect(await switches()).toEqual([false, true])
  })
})

it('the settings say whether the organization has something open to the web', async () => {
  const { realm: other } = await buildRealm()
  const isOpen = async () =>
    expectSuccess(await other.owner.api.get('/server_settings')).realm_web_public_access_enabled
  expect(await isOpen()).toBe(false)
  expectSuccess(await other.owner.api.patch('/realm', { enable_spectator_access: true }))
  expect(await isOpen()).toBe(false)
  const { id } = await build(other.owner, { is_web_public: true })
  expect(await isOpen()).toBe(true)
  world.settings = {}
  expect(await isOpen()).toBe(false)
  world.settings = ON
  expectSuccess(await other.owner.api.patch(`/streams/${id}`, { is_web_public: false }))
  expect(await isOpen()).toBe(false)
})
