import { describe, expect, it } from 'vitest'
import { askWorker } from '../../support/api.ts'
import { buildChannel, createBot, expectSuccess } from '../../support/factories.ts'
import { fromJson } from '../../support/json.ts'
import { openQueue } from '../../support/queues.ts'
import { useRealm } from '../../support/use-realm.ts'

const { keeper: owner, realm } = useRealm({ keeper: 'member' })

let bots = 0
async function buildHook() {
  bots += 1
  const channel = await buildChannel([owner])
  const settings = { bot_type: 2, default_sending_stream: channel.name }
  return { channel, bot: await createBot(owner, `Chat ${bots}`, settings) }
}

async function post(path: string, body: unknown, method = 'POST') {
  const response = await askWorker(
    new Request(`http://${realm.host}${path}`, {
      method,
      headers: { 'Content-Type': 'application/json' },
      ...(method === 'POST' ? { body: typeof body === 'string' ? body : JSON.stringify(body) } : {}),
    }),
  )
  return { status: response.status, text: await response.text(), type: response.headers.get('content-type') }
}

const WRONG_KEY = 'a'.repeat(32)

describe('an address in Slack’s form', () => {
  it('takes messages for the bot’s default channel, and answers ok', async () => {
    const { bot, channel } = await buildHook()
    const queue = await openQueue(owner, { event_types: ['message'], apply_markdown: false })
    const answer = await post(`/services/T0/B0/${bot.apiKey}`, { channel: '#builds', text: '*done*' })
    expect(answer).toEqual({ status: 200, text: 'ok', type: 'text/plain; charset=utf-8' })
    expect(await queue.eventsOf('message')).toMatchObject([
      { message: { stream_id: channel.id, subject: 'builds', content: '**done**', sender_id: bot.id } },
    ])
  })

  it('refuses in Slack’s words', async () => {
    const { bot, channel } = await buildHook()
    const path = `/services/T0/B0/${bot.apiKey}`
    const refused = async (to: string, body: unknown) => {
      const { status, text } = await post(to, body)
      return `${status} ${text}`
    }
    expect(await refused(path, '{')).toBe('400 invalid_payload')
    expect(await refused(path, {})).toBe('400 invalid_payload')
    expect(await refused(`/services/T0/B0/${WRONG_KEY}`, { text: 'x' })).toBe('403 invalid_token')
    expect(await refused('/services/T0/B0/short', { text: 'x' })).toBe('403 invalid_token')
    expect(await refused(`${path}?stream=nowhere`, { text: 'x' })).toBe('404 channel_not_found')
    expectSuccess(await realm.owner.api.delete(`/streams/${channel.id}`))
    expect(await refused(path, { text: 'x' })).toBe('410 channel_is_archived')
    expect((await post(path, '', 'GET')).status).toBe(404)
  })
})

it('the integration for programs that write to Slack answers ok beside its own', async () => {
  const { bot } = await buildHook()
  const answer = await post(`/api/v1/external/slack_incoming?api_key=${bot.apiKey}`, { text: 'done' })
  expect([answer.status, fromJson(answer.text)]).toEqual([200, { result: 'success', msg: '', ok: true }])
})

describe('an address in Discord’s form', () => {
  it('takes messages for the bot’s default channel, and answers nothing', async () => {
    const { bot, channel } = await buildHook()
    const queue = await openQueue(owner, { event_types: ['message'], apply_markdown: false })
    const answer = await post(`/api/webhooks/123/${bot.apiKey}`, { username: 'CI', content: '**done**' })
    expect(answer).toMatchObject({ status: 204, text: '' })
    expect(await queue.eventsOf('message')).toMatchObject([
      { message: { stream_id: channel.id, subject: 'CI', content: '**done**' } },
    ])
  })

  it.each([
    ['a field `content`', { content: '**done**', username: 'CI' }],
    ['JSON in `payload_json`', { payload_json: JSON.stringify({ content: '**done**', username: 'CI' }) }],
  ])('takes a multipart form with %s beside a file', async (_, fields) => {
    const { bot, channel } = await buildHook()
    const queue = await openQueue(owner, { event_types: ['message'], apply_markdown: false })
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    form.set('files[0]', new File(['all green'], 'log.txt', { type: 'text/plain' }))
    const url = `http://${realm.host}/api/webhooks/123/${bot.apiKey}`
    expect((await askWorker(new Request(url, { method: 'POST', body: form }))).status).toBe(204)
    expect(await queue.eventsOf('message')).toMatchObject([
      { message: { stream_id: channel.id, subject: 'CI', content: '**done**' } },
    ])
  })

  it('takes the spellings of `wait` that libraries send', async () => {
    const { bot } = await buildHook()
    const path = `/api/webhooks/123/${bot.apiKey}`
    for (const wait of ['True', '1']) {
      expect((await post(`${path}?wait=${wait}`, { content: 'done' })).status).toBe(200)
    }
    for (const wait of ['False', '0']) {
      expect((await post(`${path}?wait=${wait}`, { content: 'done' })).status).toBe(204)
    }
  })

  it('answers with the message if the program waits for it', async () => {
    const { bot, channel } = await buildHook()
    const queue = await openQueue(owner, { event_types: ['message'], apply_markdown: false })
    const body = { content: ' **done** ', embeds: [{ title: 'Build 7' }] }
    const answer = await post(`/api/webhooks/123/${bot.apiKey}?wait=true`, body)
    const [event] = await queue.eventsOf('message')
    const { id, timestamp, content, sender_full_name: username } = event!.message
    expect([answer.status, fromJson(answer.text)]).toEqual([
      200,
      {
        id: String(id),
        type: 0,
        webhook_id: '123',
        channel_id: String(channel.id),
        author: { id: '123', username, discriminator: '0000', avatar: null, bot: true },
        content,
        timestamp: new Date(1_000 * timestamp).toISOString(),
        edited_timestamp: null,
        tts: false,
        mention_everyone: false,
        mentions: [],
        mention_roles: [],
        attachments: [],
        embeds: [],
        components: [],
        pinned: false,
        flags: 0,
      },
    ])
    expect(content).toContain('**done**')
    expect(content).toContain('Build 7')
  })

  it('answers a direct message as one of the address’s channel', async () => {
    const bot = await createBot(owner, 'Direct', { bot_type: 2 })
    const answer = await post(`/api/webhooks/123/${bot.apiKey}?wait=true`, { content: 'done' })
    expect(fromJson(answer.text)).toMatchObject({ channel_id: '123', content: 'done' })
  })

  it('refuses in Discord’s words', async () => {
    const { bot } = await buildHook()
    expect(await post(`/api/webhooks/123/${WRONG_KEY}`, { content: 'x' })).toMatchObject({
      status: 401,
      text: '{"message":"Invalid API key","code":50027}',
    })
    const empty = await post(`/api/webhooks/123/${bot.apiKey}`, {})
    expect(empty).toMatchObject({ status: 400, text: expect.stringContaining('"code":50006') })
  })
})
