import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LocalServer, startLocalServer } from '../../scripts/local-server.ts'
import { createOrganization } from '../../scripts/organizations.ts'

// biome-ignore lint/suspicious/noExplicitAny: the library has no types
type Client = any

const zulip = createRequire(import.meta.url)('zulip-js') as (config: object) => Promise<Client>

const SLOW = 60_000
const OWNER = { email: 'owner@example.com', full_name: 'Olga Owner', password: 'correct horse' }
const CHANNEL = 'harbour'

let server: LocalServer
let client: Client
let channelId: number
beforeAll(async () => {
  server = await startLocalServer({ vars: { RATE_LIMITS: 'off' } })
  const database = await server.runtime.getD1Database('DB')
  await createOrganization(server.url, (sql) => database.prepare(sql).run(), {
    name: 'Port',
    host: 'localhost',
    owner: OWNER,
  })
  const realm = server.url.replace('127.0.0.1', 'localhost')
  client = await zulip({ realm, username: OWNER.email, password: OWNER.password })
  called.add('accounts.retrieve')
  await succeed('users.me.subscriptions.add', { subscriptions: [{ name: CHANNEL }] })
  channelId = (await succeed('streams.getStreamId', CHANNEL)).stream_id
}, SLOW)
afterAll(() => server?.stop())

/** Methods of the library that a test has called, as `resource.method`. */
const called = new Set<string>()

/** Calls a method of the library by its path. */
async function run(path: string, ...args: unknown[]): Promise<Client> {
  called.add(path)
  const names = path.split('.')
  const method = names.reduce((object, name) => object[name], client)
  return method(...args)
}

async function succeed(path: string, ...args: unknown[]): Promise<Client> {
  const answer = await run(path, ...args)
  expect(answer, path).toMatchObject({ result: 'success' })
  return answer
}

async function send(content: string, topic = 'boats'): Promise<number> {
  return (await succeed('messages.send', { type: 'stream', to: CHANNEL, topic, content })).id
}

describe('zulip-js, unmodified', () => {
  it('fetches its key with a password', async () => {
    expect(client.config.apiKey).toMatch(/^\w{32}$/)
    expect(await run('accounts.retrieve')).toMatchObject({
      email: OWNER.email,
      api_key: client.config.apiKey,
    })
  })

  it('sends, fetches, renders, changes and deletes messages', async () => {
    const id = await send('**hello**')
    const { messages } = await succeed('messages.retrieve', {
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
      narrow: [{ operator: 'stream', operand: CHANNEL }],
    })
    expect(messages).toMatchObject([{ id, content: '<p><strong>hello</strong></p>' }])
    expect(await succeed('messages.render', '*soft*')).toMatchObject({ rendered: '<p><em>soft</em></p>' })
    expect(await succeed('messages.render', { content: '*soft*' })).toMatchObject({
      rendered: '<p><em>soft</em></p>',
    })
    await succeed('messages.update', { message_id: id, content: 'goodbye' })
    expect((await succeed('messages.getById', { message_id: id })).raw_content).toBe('goodbye')
    const { message_history } = await succeed('messages.getHistoryById', { message_id: id })
    expect(message_history.map((entry: Client) => entry.content)).toEqual(['**hello**', 'goodbye'])
    await succeed('messages.deleteById', { message_id: id })
    expect(await run('messages.getById', { message_id: id })).toMatchObject({
      result: 'error',
      msg: 'Invalid message(s)',
    })
  })

  it('writes to people', async () => {
    const { user_id } = await succeed('users.me.getProfile')
    await succeed('messages.send', { type: 'private', to: [user_id], content: 'a note' })
    await succeed('messages.send', { type: 'private', to: OWNER.email, content: 'another note' })
  })

  it('sets and removes flags', async () => {
    const messages = [await send('to be kept')]
    expect(await succeed('messages.flags.add', { messages, flag: 'starred' })).toMatchObject({ messages })
    expect(await succeed('messages.flags.remove', { messages, flag: 'starred' })).toMatchObject({ messages })
  })

  it('reacts', async () => {
    const message_id = await send('a boat')
    await succeed('reactions.add', { message_id, emoji_name: 'boat' })
    const reactions = async () => (await run('messages.getById', { message_id })).message.reactions
    expect(await reactions()).toMatchObject([{ emoji_name: 'boat' }])
    await succeed('reactions.remove', { message_id, emoji_name: 'boat' })
    expect(await reactions()).toEqual([])
    await succeed('reactions.add', { message_id, emoji_name: 'boat' })
    await succeed('messages.deleteReactionById', { message_id, emoji_name: 'boat' })
    expect(await reactions()).toEqual([])
  })

  it('lists channels, topics and subscriptions', async () => {
    const names = (list: readonly { name: string }[]) => list.map(({ name }) => name)
    expect(names((await succeed('streams.retrieve')).streams)).toContain(CHANNEL)
    expect(await succeed('streams.getStreamId', { stream: CHANNEL })).toMatchObject({ stream_id: channelId })
    expect(names((await succeed('streams.subscriptions.retrieve')).subscriptions)).toContain(CHANNEL)
    await send('more', 'nets')
    expect(names((await succeed('streams.topics.retrieve', { stream_id: channelId })).topics)).toContain(
      'nets',
    )
  })

  it('joins, leaves and archives channels', async () => {
    const joined = await succeed('users.me.subscriptions.add', { subscriptions: [{ name: 'sheds' }] })
    expect(joined.already_subscribed).toEqual({})
    const left = await succeed('users.me.subscriptions.remove', { subscriptions: '["sheds"]' })
    expect(left).toMatchObject({ removed: ['sheds'], not_removed: [] })
    const { stream_id } = await succeed('streams.getStreamId', 'sheds')
    await succeed('streams.deleteById', { stream_id })
    const { streams } = await succeed('streams.retrieve')
    expect(streams.map((one: Client) => one.name)).not.toContain('sheds')
  })

  it('lists and makes users, and knows itself', async () => {
    const person = { email: 'ann@example.com', full_name: 'Ann', password: 'a fine password' }
    const { user_id } = await succeed('users.create', person)
    const { members } = await succeed('users.retrieve')
    expect(members.map((one: Client) => one.user_id)).toContain(user_id)
    expect(await succeed('users.me.getProfile')).toMatchObject({ full_name: OWNER.full_name })
    expect(await succeed('users.me.alertWords.retrieve')).toMatchObject({ alert_words: [] })
  })

  it('reads the server settings and the emoji', async () => {
    expect((await succeed('server.settings')).realm_name).toBe('Port')
    expect(await succeed('emojis.retrieve')).toMatchObject({ emoji: {} })
  })

  it('sends typing notifications', async () => {
    const { user_id } = await succeed('users.me.getProfile')
    const { members } = await run('users.retrieve')
    const other = members.find((one: Client) => one.user_id !== user_id && !one.is_bot)
    await succeed('typing.send', { op: 'start', to: [user_id, other.user_id] })
    await succeed('typing.send', { op: 'stop', to: [other.user_id] })
  })

  it('keeps a queue, reads its events and ends it', async () => {
    const { queue_id, last_event_id } = await succeed('queues.register', { event_types: ['message'] })
    const id = await send('heard')
    const { events } = await succeed('events.retrieve', { queue_id, last_event_id })
    expect(events).toMatchObject([{ type: 'message', message: { id, content: 'heard' } }])
    await succeed('queues.deregister', { queue_id })
    expect(await run('events.retrieve', { queue_id, last_event_id })).toMatchObject({
      code: 'BAD_EVENT_QUEUE_ID',
    })
  })

  it('calls a function for each event', async () => {
    const heard = new Promise<Client>((resolve) => {
      // The client polls for ever, until the server and the test process end.
      void run('callOnEachEvent', (event: Client) => resolve(event), ['message'])
    })
    const timer = setInterval(() => void send('are you there?'), 500)
    expect(await heard).toMatchObject({ type: 'message', message: { content: 'are you there?' } })
    clearInterval(timer)
  })

  it('calls any endpoint', async () => {
    expect(await run('callEndpoint', '/users/me', 'GET')).toMatchObject({ result: 'success' })
    expect(await run('callEndpoint', 'messages/render', 'POST', { content: 'x' })).toMatchObject({
      rendered: '<p>x</p>',
    })
  })

  it('gets a 404 for endpoints that public servers have removed', async () => {
    for (const [path, ...args] of GONE) {
      expect(await run(path, ...args), path).toMatchObject({ result: 'error' })
    }
  })

  it('has had all of its methods called', () => {
    expect([...called].sort()).toEqual(methodsOf(client))
  })
})

/** The pointer ended with feature level 1, GET /realm/filters with 176. */
const GONE: readonly (readonly [string, ...unknown[]])[] = [
  ['users.me.pointer.retrieve'],
  ['users.me.pointer.update', 1],
  ['filters.retrieve'],
]

/** Returns every function of the client, by its path. */
function methodsOf(object: object, path: readonly string[] = []): string[] {
  return Object.entries(object)
    .flatMap(([name, value]) => {
      if (typeof value === 'function') return [[...path, name].join('.')]
      if (name === 'config' || typeof value !== 'object') return []
      return methodsOf(value, [...path, name])
    })
    .sort()
}
