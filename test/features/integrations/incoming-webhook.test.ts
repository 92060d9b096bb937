import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { buildChannel, createBot, expectSuccess } from '../../support/factories.ts'
import { inRealm } from '../../support/inside.ts'
import { idsIn } from '../../support/messages.ts'
import { postAsService } from '../../support/post-as-service.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { keeper: owner, other, realm } = useRealm({ keeper: 'member', other: 'member' })

let bots = 0
const buildBot = async () => {
  bots += 1
  return createBot(owner, `Signed ${bots}`, { bot_type: 2 })
}
const settingsOf = (bot: { id: number }) => `/bots/${bot.id}/incoming_webhook`
const NOTHING = { secrets: 0, allows_mentions: false, topic_template: '', text_template: '' }

const body = JSON.stringify({ action: 'deleted', sender: { login: 'ada' } })
const signed = (secret: string) => ({
  'X-GitHub-Event': 'meta',
  'X-Hub-Signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
})
const WRONG = 'Webhook signature verification failed.'

/** A bot that posts to a channel of its own, and the number of messages there. */
async function buildHook() {
  const bot = await buildBot()
  const { id, name } = await buildChannel([owner, other])
  const address = { api_key: bot.api.apiKey!, stream: name, topic: 'posts' }
  return {
    bot,
    post: (headers: Record<string, string>, integration = 'github', text: unknown = body) =>
      postAsService(bot, integration, address, { body: text, headers }),
    count: async () =>
      (
        await idsIn(owner, [
          { operator: 'channel', operand: id },
          { operator: 'topic', operand: 'posts' },
        ])
      ).length,
  }
}

describe('the settings of an incoming webhook', () => {
  it('are shown and changed by the owner, without its secrets', async () => {
    const bot = await buildBot()
    expect(expectSuccess(await owner.api.get(settingsOf(bot)))).toMatchObject(NOTHING)
    const changed = await owner.api.patch(settingsOf(bot), { secret: 'first', allows_mentions: true })
    expect(expectSuccess(changed)).toMatchObject({ ...NOTHING, secrets: 1, allows_mentions: true })
    const again = expectSuccess(await owner.api.get(settingsOf(bot)))
    expect(again).toMatchObject({ ...NOTHING, secrets: 1, allows_mentions: true })
    expect(JSON.stringify(again)).not.toContain('first')
  })

  it('are hidden from others, and exist only for bots', async () => {
    const bot = await buildBot()
    for (const { api } of [other, realm.owner]) {
      expectRefusal(await api.get(settingsOf(bot)), 'Insufficient permission')
      expectRefusal(await api.patch(settingsOf(bot), { secret: 'x' }), 'Insufficient permission')
    }
    expectRefusal(await realm.owner.api.get(settingsOf(other)), 'No such bot')
  })
})

describe('the last posts', () => {
  it('are shown to the owner with what came of them, twenty at most', async () => {
    const { bot, post } = await buildHook()
    const listed = async () => expectSuccess(await owner.api.get(settingsOf(bot))).deliveries
    expect(await listed()).toEqual([])
    const github = { integration: 'github', timestamp: expect.any(Number) }
    expectSuccess(await post({ 'X-GitHub-Event': 'meta' }))
    expectSuccess(await post({ 'X-GitHub-Event': 'label' }))
    await post({ 'X-GitHub-Event': 'project' })
    await post({})
    await post({ 'X-GitHub-Event': 'meta' }, 'github', '{')
    await postAsService(bot, 'json', { api_key: bot.api.apiKey!, stream: 'nowhere' }, { body: {} })
    expectSuccess(await owner.api.patch(settingsOf(bot), { secret: 'first' }))
    await post(signed('second'))
    const refused = { ...github, outcome: 'refused' }
    expect(await listed()).toEqual([
      { ...refused, event: '', error: WRONG },
      { ...refused, integration: 'json', event: '', error: "Channel 'nowhere' does not exist" },
      { ...refused, event: '', error: 'Malformed JSON' },
      { ...refused, event: '', error: "Missing the HTTP event header 'X-GitHub-Event'" },
      { ...refused, event: 'project:deleted', error: expect.stringContaining('supported') },
      { ...github, event: 'label', outcome: 'nothing', error: null },
      { ...github, event: 'meta', outcome: 'sent', error: null },
    ])
    for (let n = 0; n < 20; n += 1) expectSuccess(await post(signed('first')))
    expect(await listed()).toEqual(Array(20).fill({ ...github, event: 'meta', outcome: 'sent', error: null }))
  })
})

describe('a secret', () => {
  it('makes the signature of each post necessary, until it is removed', async () => {
    const { bot, post, count } = await buildHook()
    expectSuccess(await owner.api.patch(settingsOf(bot), { secret: 'first' }))
    expectRefusal(await post({ 'X-GitHub-Event': 'meta' }), WRONG)
    expectRefusal(await post(signed('second')), WRONG)
    expectRefusal(await post({}, 'json'), WRONG)
    expect(await count()).toBe(0)
    expectSuccess(await post(signed('first')))
    expect(await count()).toBe(1)
    expectSuccess(await owner.api.patch(settingsOf(bot), { secret: '' }))
    expectSuccess(await post({ 'X-GitHub-Event': 'meta' }))
    expect(await count()).toBe(2)
  })

  it('is valid beside the next one as long as its owner likes', async () => {
    const { bot, post } = await buildHook()
    for (const secret of ['first', 'second', 'third']) {
      expectSuccess(await owner.api.patch(settingsOf(bot), { secret, keep_previous_secret: true }))
    }
    expectRefusal(await post(signed('first')), WRONG)
    expectSuccess(await post(signed('second')))
    expectSuccess(await post(signed('third')))
    const last = await owner.api.patch(settingsOf(bot), { secret: 'third' })
    expect(expectSuccess(last)).toMatchObject({ secrets: 1 })
    expectRefusal(await post(signed('second')), WRONG)
  })

  it('is stored sealed, and opens no more once the server’s key is lost', async () => {
    const { bot, post, count } = await buildHook()
    const change = { secret: 'first', keep_previous_secret: true }
    expectSuccess(await owner.api.patch(settingsOf(bot), change))
    // Once more it is the same one.
    expect(expectSuccess(await owner.api.patch(settingsOf(bot), change))).toMatchObject({ secrets: 1 })
    const stored = await inRealm(realm, ({ parts: { sql } }) =>
      JSON.stringify(sql.all('SELECT * FROM incoming_webhook WHERE user_id = ?', bot.id)),
    )
    expect(stored).not.toContain('first')
    const previous = world.settings
    const lost = 'This server cannot read this secret any more, since its key was replaced. Enter it again.'
    world.settings = { ...previous, SECRETS_KEY: btoa('Another key, of 32 bytes exactly') }
    expectRefusal(await post(signed('first')), lost)
    const [refused] = expectSuccess(await owner.api.get(settingsOf(bot))).deliveries
    expect(refused).toMatchObject({ outcome: 'refused', error: lost })
    expectSuccess(await owner.api.patch(settingsOf(bot), { ...change, secret: 'second' }))
    expectRefusal(await post(signed('first')), WRONG)
    expectSuccess(await post(signed('second')))
    world.settings = { ...previous, SECRETS_KEY: '' }
    const refusal = 'This server cannot keep secrets yet. Ask its operator to set SECRETS_KEY.'
    expectRefusal(await owner.api.patch(settingsOf(bot), { secret: 'third' }), refusal)
    expectSuccess(await owner.api.patch(settingsOf(bot), { secret: '' }))
    expectSuccess(await post({ 'X-GitHub-Event': 'meta' }))
    world.settings = previous
    expect(await count()).toBe(2)
  })

  it('keeps an unsigned post from notifying the owner', async () => {
    const { bot, post } = await buildHook()
    expectSuccess(await owner.api.patch(settingsOf(bot), { secret: 'first' }))
    const queue = await openQueue(owner, { event_types: ['message'] })
    expectRefusal(await post({ 'X-GitHub-Event': 'meta' }, 'github', '{'), WRONG)
    expectRefusal(await post({ 'X-GitHub-Event': 'project' }), WRONG)
    expect(await queue.eventsOf('message')).toEqual([])
  })
})

describe('mentions in posts', () => {
  it('notify people if the bot’s owner allows it', async () => {
    const { bot, post } = await buildHook()
    expectSuccess(
      await owner.api.patch(settingsOf(bot), {
        allows_mentions: true,
        text_template: `@**${other.fullName}** {{a}}`,
      }),
    )
    const queue = await openQueue(other, { event_types: ['message'] })
    expectSuccess(await post({}, 'template', { a: '@**all**' }))
    expect(await queue.eventsOf('message')).toMatchObject([{ flags: ['mentioned'] }])
    expectSuccess(await owner.api.patch(settingsOf(bot), { allows_mentions: false }))
    expectSuccess(await post({}, 'template', { a: '' }))
    expect(await queue.eventsOf('message')).toMatchObject([{ flags: [] }])
  })
})

describe('a template', () => {
  const payload = {
    build: { title: 'Build *7*', url: 'https://ci.example/7', at: 1_700_000_000 },
    failed: ['a', 'b'],
  }
  const text_template = '[{{build.title}}]({{build.url}}) at {{build.at | time}}:\n{{failed | list}}'
  const text = '[Build &#42;7&#42;](https://ci.example/7) at <time:2023-11-14T22:13:20Z>:\n* a\n* b'

  it('makes the message of any JSON', async () => {
    const { bot, post } = await buildHook()
    const settings = { topic_template: '{{build.title}}', text_template }
    expect(expectSuccess(await owner.api.patch(settingsOf(bot), settings))).toMatchObject(settings)
    const queue = await openQueue(owner, { event_types: ['message'], apply_markdown: false })
    expectSuccess(await post({}, 'template', payload))
    expectSuccess(await postAsService(bot, 'template', { api_key: bot.api.apiKey! }, { body: payload }))
    expect(await queue.eventsOf('message')).toMatchObject([
      { message: { subject: 'posts', content: text } },
      { message: { type: 'private', content: text } },
    ])
  })

  it('is shown with a sample before it is used', async () => {
    const preview = (params: Record<string, string>) =>
      owner.api.post('/bots/preview_webhook_template', params)
    const shown = expectSuccess(
      await preview({
        topic_template: 'CI {{build.title}}',
        text_template,
        payload: JSON.stringify(payload),
      }),
    )
    expect(shown).toMatchObject({ topic: 'CI Build *7*', content: text })
    expect(shown.rendered_content).toContain('<a href="https://ci.example/7">Build *7*</a>')
    expectRefusal(await preview({ text_template, payload: '{' }), 'Malformed JSON')
    expectRefusal(
      await preview({ text_template: '{{a', payload: '{}' }),
      'Invalid template: a value has no end: }} is missing.',
    )
  })

  it('that cannot be read is refused', async () => {
    const bot = await buildBot()
    const refused = async (text_template: string, reason: string) =>
      expectRefusal(await owner.api.patch(settingsOf(bot), { text_template }), `Invalid template: ${reason}`)
    await refused('{{a', 'a value has no end: }} is missing.')
    await refused('{{ }}', '{{}} names no value.')
    await refused('{{a | eval}}', 'there is no filter eval.')
    await refused('{{a}}'.repeat(101), 'it has more than 100 values.')
    expect(expectSuccess(await owner.api.get(settingsOf(bot)))).toMatchObject(NOTHING)
  })

  it('takes posts signed by Standard Webhooks, for five minutes', async () => {
    const { bot, post, count } = await buildHook()
    const secret = `whsec_${btoa('0123456789abcdef0123456789abcdef')}`
    expectSuccess(await owner.api.patch(settingsOf(bot), { secret }))
    const sign = (id: string, at: Date) => ({
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': `v1,wrong ${new Webhook(secret).sign(id, at, body)}`,
    })
    const now = new Date()
    expectSuccess(await post(sign('one', now), 'template'))
    expectSuccess(await post(sign('one', now), 'template'))
    expectRefusal(await post(sign('two', new Date(now.getTime() - 400_000)), 'template'), WRONG)
    expectRefusal(await post({ ...sign('two', now), 'webhook-id': 'three' }, 'template'), WRONG)
    expectSuccess(await post(signed(secret), 'template'))
    expect(await count()).toBe(2)
  })
})
