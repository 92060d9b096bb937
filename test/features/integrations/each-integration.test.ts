import { describe, expect, it } from 'vitest'
import { EXAMPLES, SIGNERS } from '../../integrations/examples/index.ts'
import { askWorker } from '../../support/api.ts'
import { buildChannel, createBot, expectSuccess } from '../../support/factories.ts'
import { idsIn } from '../../support/messages.ts'
import { postAsService, serviceAddress } from '../../support/post-as-service.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

/** Nobody may have as many bots as there are posts here. */
const { keeper: owner, other } = useRealm({ keeper: 'member', other: 'member' })

/** Messages of a new channel. */
const BLANK = 1

/** The first example with a message that each integration has. Templates are settings of a bot, and have a test of their own. */
const firstOnes = Object.entries(EXAMPLES).flatMap(([name, examples]) => {
  const first = examples.find(
    ({ messages = [], form, template }) => messages.length > 0 && !form && !template,
  )
  return first ? [{ name, ...first }] : []
})

describe('a post for an integration', () => {
  it.each(firstOnes)('$name is a message under its topic: $what', async ({ name, messages, ...post }) => {
    const { name: stream } = await buildChannel([owner])
    const bot = await createBot(owner, `Bot of ${name}`, { bot_type: 2 })
    const queue = await openQueue(owner, { event_types: ['message'], apply_markdown: false })
    const address = { api_key: bot.api.apiKey!, stream, ...(post.address as Record<string, string>) }
    expectSuccess(await postAsService(bot, name, address, post))
    const sent = (await queue.eventsOf('message')).map(({ message }) => message)
    expect(sent).toMatchObject(
      messages!.map(({ topic, text }) => ({ subject: topic.slice(0, 60), content: text, sender_id: bot.id })),
    )
  })
  const signed = firstOnes.filter(({ name }) => name in SIGNERS)
  it.each(signed)(
    '$name needs the right signature where the bot has a secret',
    async ({ name, ...example }) => {
      const { id, name: stream } = await buildChannel([other])
      const bot = await createBot(other, `Signed bot of ${name}`, { bot_type: 2 })
      for (const secret of ['older', 'newer']) {
        const change = { secret, keep_previous_secret: true }
        expectSuccess(await other.api.patch(`/bots/${bot.id}/incoming_webhook`, change))
      }
      const body = JSON.stringify(example.body)
      const post = (secret: string) => {
        const address = { api_key: bot.api.apiKey!, stream, ...(example.address as Record<string, string>) }
        const at = Math.floor(Date.now() / 1_000)
        const headers = SIGNERS[name]!({ body, secret, at, address: serviceAddress(bot, name, address).href })
        return postAsService(bot, name, address, { body, headers: { ...example.headers, ...headers } })
      }
      expectRefusal(await post('wrong'), 'Webhook signature verification failed.')
      expect(await idsIn(other, [{ operator: 'channel', operand: id }])).toHaveLength(BLANK)
      expectSuccess(await post('older'))
      expectSuccess(await post('newer'))
      expect((await idsIn(other, [{ operator: 'channel', operand: id }])).length).toBeGreaterThan(BLANK)
    },
  )
  it('of Jira about a comment is one message, though it comes twice', async () => {
    const { id, name: stream } = await buildChannel([owner])
    const bot = await createBot(owner, 'Bot of comments', { bot_type: 2 })
    for (const { body, messages } of EXAMPLES.jira!.filter(({ what }) => what.includes('comment')).slice(
      0,
      2,
    )) {
      expect(messages).toHaveLength(1)
      expectSuccess(await postAsService(bot, 'jira', { api_key: bot.api.apiKey!, stream }, { body }))
    }
    expect(await idsIn(owner, [{ operator: 'channel', operand: id }])).toHaveLength(BLANK + 1)
  })

  it.each(['alertmanager', 'grafana', 'netlify', 'cloudflare', 'jira', 'uptimerobot'])(
    'of %s that is sent again is one message, though it has no id',
    async (name) => {
      const { id, name: stream } = await buildChannel([owner])
      const bot = await createBot(owner, `Retries of ${name}`, { bot_type: 2 })
      const example = EXAMPLES[name]!.find(({ messages }) => messages?.length === 1)!
      const timed = name === 'uptimerobot' ? { alert_date_time: '1793616000' } : {}
      const post = (more: object = {}) => {
        const body = { ...(example.body as object), ...timed, ...more }
        const address = { api_key: bot.api.apiKey!, stream }
        const { 'X-Atlassian-Webhook-Identifier': _, ...headers } = example.headers ?? {}
        return postAsService(bot, name, address, { body, headers })
      }
      const count = async () => (await idsIn(owner, [{ operator: 'channel', operand: id }])).length - BLANK
      expectSuccess(await post())
      world.clockOffset += 45
      expectSuccess(await post())
      expect(await count()).toBe(1)
      expectSuccess(await post({ unknown: 'another' }))
      expect(await count()).toBe(2)
      world.clockOffset += 60
      expectSuccess(await post())
      // A group of alerts is repeated on purpose.
      expect(await count()).toBe(['alertmanager', 'grafana'].includes(name) ? 3 : 2)
    },
  )

  it.each(['slack_incoming', 'discord_incoming', 'json', 'uptimerobot'])(
    'of %s may say the same twice',
    async (name) => {
      const { id, name: stream } = await buildChannel([owner])
      const bot = await createBot(owner, `Twice ${name}`, { bot_type: 2 })
      const { body } = EXAMPLES[name]!.find((example) => example.body && example.messages?.length === 1)!
      for (let n = 0; n < 2; n += 1) {
        expectSuccess(await postAsService(bot, name, { api_key: bot.api.apiKey!, stream }, { body }))
      }
      expect(await idsIn(owner, [{ operator: 'channel', operand: id }])).toHaveLength(BLANK + 2)
    },
  )

  it.each([
    ['asana', 'the secret'],
    ['notion', 'the token'],
  ])('of %s with %s tells it to the owner of the bot alone', async (name, what) => {
    const { id, name: stream } = await buildChannel([owner])
    const bot = await createBot(owner, `Secrets of ${name}`, { bot_type: 2 })
    const queue = await openQueue(owner, { event_types: ['message'], apply_markdown: false })
    const { messages, ...post } = EXAMPLES[name]!.find((example) => example.what === what)!
    const answer = await postAsService(bot, name, { api_key: bot.api.apiKey!, stream }, post)
    expectSuccess(answer)
    const secret = post.headers?.['X-Hook-Secret'] ?? null
    expect(answer.headers.get('X-Hook-Secret')).toBe(secret)
    const sent = (await queue.eventsOf('message')).map(({ message }) => message)
    expect(sent).toMatchObject([{ type: 'private', content: messages![0]!.text, sender_id: bot.id }])
    expect(await idsIn(owner, [{ operator: 'channel', operand: id }])).toHaveLength(BLANK)
  })

  it('that is refused repeats no secret of Asana', async () => {
    const bot = await createBot(owner, 'Refused secrets', { bot_type: 2 })
    const headers = { 'X-Hook-Secret': 'a' }
    const answer = await postAsService(bot, 'asana', { api_key: 'a'.repeat(32) }, { headers })
    expect([answer.status, answer.headers.get('X-Hook-Secret')]).toEqual([401, null])
    const other = await postAsService(bot, 'json', { api_key: bot.api.apiKey! }, { body: {}, headers })
    expect([other.status, other.headers.get('X-Hook-Secret')]).toEqual([200, null])
  })

  it.each([
    ['trello', 200],
    ['intercom', 200],
    ['json', 405],
    ['unknown', 405],
  ])('of %s may be preceded by HEAD: %i', async (name, status) => {
    const bot = await createBot(owner, `Head of ${name}`, { bot_type: 2 })
    const url = serviceAddress(bot, name, { api_key: bot.api.apiKey! })
    expect((await askWorker(new Request(url, { method: 'HEAD' }))).status).toBe(status)
  })

  it('of UptimeRobot may be in the address alone', async () => {
    const { id, name: stream } = await buildChannel([owner])
    const bot = await createBot(owner, 'Bot of ups', { bot_type: 2 })
    const said = { alertTypeFriendlyName: 'Down', monitorFriendlyName: 'Shop' }
    const address = { api_key: bot.api.apiKey!, stream, ...said }
    expectSuccess(await postAsService(bot, 'uptimerobot', address, { body: '' }))
    expect(await idsIn(owner, [{ operator: 'channel', operand: id }])).toHaveLength(BLANK + 1)
  })

  it('of Jira finds a channel whose name is escaped twice', async () => {
    const { id, name } = await buildChannel([owner], { name: 'Ups & downs 100%' })
    const bot = await createBot(owner, 'Bot of escapes', { bot_type: 2 })
    const address = { api_key: bot.api.apiKey!, stream: encodeURIComponent(name) }
    expectSuccess(await postAsService(bot, 'jira', address, { body: EXAMPLES.jira![0]!.body }))
    expect(await idsIn(owner, [{ operator: 'channel', operand: id }])).toHaveLength(BLANK + 1)
  })
})
