import { describe, expect, it } from 'vitest'
import { askWorker } from '../support/api.ts'
import { buildChannel, createBot, type TestUser } from '../support/factories.ts'
import { fromJson } from '../support/json.ts'
import { openQueue } from '../support/queues.ts'
import { useRealm } from '../support/use-realm.ts'

const { keeper: owner } = useRealm({ keeper: 'member' })

/** An incoming-webhook bot and a generic one, by their types. */
const [WEBHOOK, GENERIC] = [2, 1]

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly json: Readonly<Record<string, unknown>>
}

/** Makes a call as a plugin does. */
async function call(
  { api: { host } }: TestUser,
  method: string,
  path: string,
  { body, headers = {} }: { body?: string | FormData; headers?: Readonly<Record<string, string>> } = {},
): Promise<Answer> {
  const request = new Request(`http://${host}/api/v1${path}`, { method, headers, ...(body ? { body } : {}) })
  const response = await askWorker(request)
  const json = fromJson(await response.text()) as Answer['json']
  return { status: response.status, headers: response.headers, json }
}

const basic = (bot: TestUser) => ({
  Authorization: `Basic ${btoa(`${bot.api.email}:${bot.api.apiKey}`)}`,
})
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }
const form = (values: Readonly<Record<string, string>>) => new URLSearchParams(values).toString()

async function setUp(name: string, type: number | undefined = WEBHOOK) {
  const channel = await buildChannel([owner])
  const bot = await createBot(owner, name, { bot_type: type })
  const queue = await openQueue(owner, { event_types: ['message'], apply_markdown: false })
  const sent = async () => (await queue.eventsOf('message')).map(({ message }) => message)
  return { channel, bot, sent }
}

describe('a plugin of the public project', () => {
  it('for Jenkins sends its own type of form, once asked for the key', async () => {
    const { channel, bot, sent } = await setUp('Jenkins')
    const body = form({
      'api-key': bot.api.apiKey!,
      email: bot.api.email!,
      type: 'stream',
      to: channel.name,
      subject: 'engine',
      content: '**Project: **engine : **Build: **17: **SUCCESS** :check_mark:',
    })
    const headers = { 'Content-Type': 'www-form-urlencoded', 'http.useragent': 'ZulipJenkins/0.1.2' }
    const asked = await call(bot, 'POST', '/messages', { body, headers })
    expect([asked.status, asked.headers.get('WWW-Authenticate')]).toEqual([
      401,
      expect.stringMatching(/^Basic realm=/),
    ])
    const answer = await call(bot, 'POST', '/messages', { body, headers: { ...headers, ...basic(bot) } })
    expect(answer.json).toMatchObject({ result: 'success' })
    expect(await sent()).toMatchObject([{ stream_id: channel.id, subject: 'engine', sender_id: bot.id }])
  })

  it.each([
    ['Discourse', { 'User-Agent': 'Ruby', Accept: '*/*' }],
    ['Redmine', { 'User-Agent': 'ZulipRedminePlugin/1.0.0' }],
  ])('for %s sends a form', async (name, own) => {
    const { channel, bot, sent } = await setUp(name)
    const body = form({
      type: 'stream',
      to: channel.name,
      subject: 'News',
      content: 'A [post](https://a.example/)',
    })
    const headers = { ...FORM, ...own, ...basic(bot) }
    expect((await call(bot, 'POST', '/messages', { body, headers })).status).toBe(200)
    expect(await sent()).toMatchObject([
      { stream_id: channel.id, subject: 'News', client: expect.any(String) },
    ])
  })

  it('for Redmine writes to people by their addresses', async () => {
    const { bot, sent } = await setUp('Redmine to people')
    const body = form({ type: 'private', to: owner.api.email!, content: 'Bug 7 is yours' })
    const answer = await call(bot, 'POST', '/messages', { body, headers: { ...FORM, ...basic(bot) } })
    expect(answer.json).toMatchObject({ result: 'success' })
    expect(await sent()).toMatchObject([{ type: 'private', content: 'Bug 7 is yours', sender_id: bot.id }])
  })

  it('for GitHub Actions sends a multipart form', async () => {
    const { channel, bot, sent } = await setUp('Actions')
    const body = new FormData()
    const values = { to: channel.name, type: 'stream', topic: 'CI', content: 'Done' }
    for (const [name, value] of Object.entries(values)) body.append(name, value)
    const answer = await call(bot, 'POST', '/messages', { body, headers: basic(bot) })
    expect(answer.json).toMatchObject({ result: 'success' })
    expect(await sent()).toMatchObject([{ stream_id: channel.id, subject: 'CI', content: 'Done' }])
  })

  it.each([
    ['ZulipGit/0.9', 'subject'],
    ['ZulipTrac/0.9', 'subject'],
    ['ZulipNagios/0.9', 'subject'],
    ['ZulipRSS/0.9', 'topic'],
    ['ZulipSVN/0.9', 'subject'],
  ])('in Python, such as %s, asks for the settings and sends a form', async (client, topic) => {
    const { channel, bot, sent } = await setUp(client)
    const headers = { ...basic(bot), 'User-agent': `${client} (Linux; 6.1)` }
    const settings = await call(bot, 'GET', '/server_settings', { headers })
    expect(settings.json).toMatchObject({
      result: 'success',
      zulip_version: expect.any(String),
      zulip_feature_level: expect.any(Number),
    })
    const body = form({ type: 'stream', to: channel.name, [topic]: 'main', content: 'A\n\n~~~~\nb\n~~~~\n' })
    const answer = await call(bot, 'POST', '/messages', { body, headers: { ...FORM, ...headers } })
    expect(answer.json).toMatchObject({ result: 'success', id: expect.any(Number) })
    expect(await sent()).toMatchObject([{ stream_id: channel.id, subject: 'main' }])
  })

  it('that is a bridge reads what others write, and writes itself', async () => {
    const { channel, bot, sent } = await setUp('Bridge', GENERIC)
    const headers = { ...FORM, ...basic(bot), 'User-agent': 'irc_mirror (Linux; 6.1)' }
    const narrow = JSON.stringify([['stream', channel.name]])
    const asked = { event_types: '["message"]', narrow, all_public_streams: 'true' }
    const registered = await call(bot, 'POST', '/register', { body: form(asked), headers })
    const { queue_id, last_event_id } = registered.json as { queue_id: string; last_event_id: number }
    const told = { type: 'stream', to: channel.name, topic: 'hello', content: 'From here' }
    await owner.api.post('/messages', told)
    const polled = form({ queue_id, last_event_id: String(last_event_id), dont_block: 'true' })
    const read = await call(bot, 'GET', `/events?${polled}`, { headers: basic(bot) })
    expect(read.json.events).toMatchObject([{ type: 'message', message: { content: 'From here' } }])
    const body = form({ type: 'stream', to: channel.name, subject: 'hello', content: '**ada**: From there' })
    expect((await call(bot, 'POST', '/messages', { body, headers })).status).toBe(200)
    expect(await sent()).toMatchObject([{ content: 'From here' }, { content: '**ada**: From there' }])
    const ended = await call(bot, 'DELETE', '/events', { body: form({ queue_id }), headers })
    expect(ended.json).toMatchObject({ result: 'success' })
  })

  it('for Google Calendar is refused, since it names a sender', async () => {
    const { bot, sent } = await setUp('Calendar', GENERIC)
    const email = bot.api.email!
    const body = form({ type: 'private', to: owner.api.email!, sender: email, content: 'Reminder' })
    const answer = await call(bot, 'POST', '/messages', { body, headers: { ...FORM, ...basic(bot) } })
    expect([answer.status, answer.json.msg]).toEqual([400, 'Invalid mirrored message'])
    expect(await sent()).toEqual([])
  })
})
