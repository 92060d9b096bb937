import { describe, expect, it, onTestFinished } from 'vitest'
import { EXAMPLES, SIGNERS } from '../../integrations/examples/index.ts'
import type { ParameterValue } from '../../support/api.ts'
import { buildChannel, buildUser, createBot, expectSuccess, type TestUser } from '../../support/factories.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { keeper: owner, other, guest, realm } = useRealm({ keeper: 'member', other: 'member', guest: 'guest' })
/** Another organization. */
const { realm: elsewhere } = useRealm()

const WRONG = 'Webhook signature verification failed.'

let bots = 0
async function buildHook() {
  bots += 1
  const bot = await createBot(owner, `Tested ${bots}`, { bot_type: 2 })
  const { id, name } = await buildChannel([owner, other])
  const settings = `/bots/${bot.id}/incoming_webhook`
  const sendTest = (integration: string, params: Record<string, ParameterValue> = {}, by: TestUser = owner) =>
    by.api.post(`${settings}/test`, { integration, stream: id, ...params })
  const deliveries = async () => expectSuccess(await owner.api.get(settings)).deliveries
  return { bot, id, name, settings, sendTest, deliveries }
}

/** Returns what a reader gets while something is done. */
async function heard(reader: TestUser, act: () => Promise<unknown>) {
  const queue = await openQueue(reader, { event_types: ['message'], apply_markdown: false })
  await act()
  return (await queue.eventsOf('message')).map(({ message }) => message)
}

/** Returns the messages of the post that is sent as a test. */
function messagesOf(name: string) {
  const examples = EXAMPLES[name]!
  const { messages = [] } = examples.find(({ isShown }) => isShown) ?? examples[0]!
  return messages.map(({ topic, text }) => ({
    subject: topic === '(no topic)' ? '' : topic.slice(0, 60),
    content: text,
  }))
}

const names = Object.keys(EXAMPLES).filter((name) => name !== 'template')

describe('a test of an incoming webhook', () => {
  it.each(names)('of %s is a message of the bot, twice as well', async (name) => {
    const { bot, sendTest, deliveries } = await buildHook()
    const outcome = { outcome: 'sent', error: null, event: expect.any(String) }
    const messages = await heard(other, async () => {
      for (let n = 0; n < 2; n += 1) expect(expectSuccess(await sendTest(name))).toMatchObject(outcome)
    })
    const expected = messagesOf(name).map((message) => ({ ...message, sender_id: bot.id }))
    expect(messages).toMatchObject([...expected, ...expected])
    expect(await deliveries()).toMatchObject([
      { ...outcome, integration: name },
      { ...outcome, integration: name },
    ])
  })

  it.each(names.filter((name) => name in SIGNERS))(
    'of %s is signed with the secret that nobody is shown',
    async (name) => {
      const { settings, sendTest } = await buildHook()
      for (const secret of ['an older secret', 'whsec_c2VjcmV0']) {
        expectSuccess(await owner.api.patch(settings, { secret, keep_previous_secret: true }))
      }
      const messages = await heard(other, async () => {
        const answer = await sendTest(name)
        expect(expectSuccess(answer).outcome).toBe('sent')
        expect(JSON.stringify(answer)).not.toContain('c2VjcmV0')
      })
      expect(messages).toMatchObject(messagesOf(name))
    },
  )

  it('is refused like a post where the service signs nothing', async () => {
    const { settings, sendTest, deliveries } = await buildHook()
    expectSuccess(await owner.api.patch(settings, { secret: 'secret' }))
    const messages = await heard(other, async () => expectRefusal(await sendTest('alertmanager'), WRONG))
    expect(messages).toEqual([])
    expect(await deliveries()).toMatchObject([
      { integration: 'alertmanager', outcome: 'refused', error: WRONG },
    ])
  })

  it('goes where the address would send it, if its filters allow that', async () => {
    const { bot, name, sendTest } = await buildHook()
    const skipped = { outcome: 'nothing', error: null, event: 'opened_pull_request' }
    for (const filter of [{ exclude_events: ['opened_*'] }, { only_events: ['push*'] }] as Record<
      string,
      string[]
    >[]) {
      expect(await heard(other, () => sendTest('github', filter))).toEqual([])
      expect(expectSuccess(await sendTest('github', filter))).toMatchObject(skipped)
    }
    const [message] = await heard(other, () => sendTest('github', { stream: name, topic: 'tests' }))
    expect(message).toMatchObject({ subject: 'tests', content: expect.stringContaining('engine') })
    const direct = await heard(owner, () =>
      owner.api.post(`/bots/${bot.id}/incoming_webhook/test`, { integration: 'json' }),
    )
    expect(direct).toMatchObject([{ type: 'private', sender_id: bot.id }])
    expect(expectSuccess(await sendTest('github', { stream: 'nowhere' }))).toMatchObject({
      outcome: 'refused',
      error: "Channel 'nowhere' does not exist",
    })
  })

  it('of a template is the payload in its words', async () => {
    const { settings, sendTest } = await buildHook()
    const template = { topic_template: '{{host}}', text_template: '{{title}} at {{host}}', secret: 'key' }
    expectSuccess(await owner.api.patch(settings, template))
    const payload = '{"host":"db-7","title":"Full"}'
    expect(await heard(other, () => sendTest('template', { payload }))).toMatchObject([
      { subject: 'db-7', content: 'Full at db-7' },
    ])
    expectRefusal(await sendTest('template', { payload: '{' }), 'Malformed JSON')
    expectRefusal(
      await sendTest('template', { payload: ' '.repeat(100_001) }),
      'payload is too long (limit: 100000 characters)',
    )
  })

  it('is one message for one key of idempotency, which no other request may have', async () => {
    const { id, settings } = await buildHook()
    const headers = { 'Idempotency-Key': 'one test' }
    const send = (integration: string) =>
      owner.api.request('POST', `${settings}/test`, { integration, stream: id }, { headers })
    const messages = await heard(other, async () => {
      const first = expectSuccess(await send('github'))
      expect(expectSuccess(await send('github'))).toEqual(first)
      expect(first.outcome).toBe('sent')
      const reused = { status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } }
      expect(await send('gitlab')).toMatchObject(reused)
      expect(await owner.api.request('POST', '/mark_all_as_read', {}, { headers })).toMatchObject(reused)
    })
    expect(messages).toHaveLength(1)
  })

  it('needs a secret that the server can still read', async () => {
    const { settings, sendTest } = await buildHook()
    expectSuccess(await owner.api.patch(settings, { secret: 'secret' }))
    const previous = world.settings
    onTestFinished(() => {
      world.settings = previous
    })
    world.settings = { ...previous, SECRETS_KEY: btoa('Another key, of 32 bytes exactly') }
    expectRefusal(
      await sendTest('github'),
      'This server cannot read this secret any more, since its key was replaced. Enter it again.',
    )
  })

  it('is for the owner of the bot, and for bots', async () => {
    const { bot, sendTest, deliveries } = await buildHook()
    for (const by of [other, realm.owner]) {
      expectRefusal(await sendTest('github', {}, by), 'Insufficient permission')
    }
    expectRefusal(await sendTest('github', {}, guest), 'Not allowed for guest users')
    expectRefusal(
      await sendTest('github', {}, await createBot(owner, 'Generic tester')),
      'This endpoint does not accept bot requests.',
    )
    expectUnauthorized(
      await realm.anonymous.post(`/bots/${bot.id}/incoming_webhook/test`, { integration: 'github' }),
    )
    expect((await sendTest('github', {}, bot)).status).toBe(401)
    expectRefusal(
      await elsewhere.owner.api.post(`/bots/${bot.id}/incoming_webhook/test`, { integration: 'json' }),
      'No such bot',
    )
    expectRefusal(
      await owner.api.post(`/bots/${other.id}/incoming_webhook/test`, { integration: 'json' }),
      'No such bot',
    )
    expectRefusal(await sendTest('constructor'), 'No such integration')
    expect(await deliveries()).toEqual([])
    expect(expectSuccess(await sendTest('github')).outcome).toBe('sent')
    expectSuccess(await owner.api.delete(`/bots/${bot.id}`))
    expectRefusal(await sendTest('github'), 'No such bot')
  })

  it('may go only where the bot may', async () => {
    const { sendTest, deliveries } = await buildHook()
    const { id } = await buildChannel([realm.owner], { invite_only: true })
    expect(expectSuccess(await sendTest('github', { stream: id })).outcome).toBe('refused')
    expect(await deliveries()).toHaveLength(1)
    const gone = await buildUser(realm)
    expectSuccess(await realm.owner.api.delete(`/users/${gone.id}`))
    expect((await sendTest('github', {}, gone)).status).toBe(401)
  })
})
