import { describe, expect, it } from 'vitest'
import { EXAMPLES } from '../../integrations/examples/index.ts'
import { askWorker, evictRealm } from '../../support/api.ts'
import { buildChannel, createBot, expectSuccess } from '../../support/factories.ts'
import { idsIn } from '../../support/messages.ts'
import { postAsService } from '../../support/post-as-service.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

const { keeper: owner, realm } = useRealm({ keeper: 'member' })

const MIB = 1_048_576
const TOO_LARGE = 'Request body is larger than the allowed limit of 5 MiB'
const opened = {
  action: 'opened',
  issue: { number: 7, title: 'It stops', html_url: 'https://git.example/7', body: null },
  repository: { name: 'engine' },
  sender: { login: 'ada' },
}

let hooks = 0

/** Makes a bot that posts as GitHub into a channel of its own. */
async function newHook(channel?: { readonly id: number; readonly name: string }) {
  const { id, name: stream } = channel ?? (await buildChannel([owner]))
  const before = await idsIn(owner, [{ operator: 'channel', operand: id }])
  hooks += 1
  const bot = await createBot(owner, `Again ${hooks}`, { bot_type: 2 })
  const post = (delivery: string, more: Record<string, string> = {}) => {
    const headers = { 'X-GitHub-Event': 'issues', 'X-GitHub-Delivery': delivery }
    const address = { api_key: bot.api.apiKey!, stream, ...more }
    return postAsService(bot, 'github', address, { body: opened, headers })
  }
  const count = async () =>
    (await idsIn(owner, [{ operator: 'channel', operand: id }])).length - before.length
  return { bot, channel: { id, name: stream }, post, count }
}

describe('a delivery that comes again is one message', () => {
  it('when it comes five times at once', async () => {
    const { post, count } = await newHook()
    const answers = await Promise.all(Array.from({ length: 5 }, () => post('at-once')))
    for (const answer of answers) expectSuccess(answer)
    expect(await count()).toBe(1)
  })

  it('after the server has restarted', async () => {
    const { post, count } = await newHook()
    expectSuccess(await post('restarted'))
    await evictRealm(realm.id)
    expectSuccess(await post('restarted'))
    expect(await count()).toBe(1)
  })

  it('after the bot got another name and another key', async () => {
    const { bot, post, count } = await newHook()
    expectSuccess(await post('renamed'))
    expectSuccess(await owner.api.patch(`/bots/${bot.id}`, { full_name: `Renamed ${hooks}` }))
    const { api_key } = expectSuccess(await owner.api.post(`/bots/${bot.id}/api_key/regenerate`))
    expectRefusal(await post('renamed'), 'Invalid API key', { status: 401, code: 'INVALID_API_KEY' })
    expectSuccess(await post('renamed', { api_key }))
    expect(await count()).toBe(1)
  })

  it('for each bot that gets it', async () => {
    const first = await newHook()
    const second = await newHook(first.channel)
    for (const { post } of [first, second, first, second]) expectSuccess(await post('shared'))
    expect(await first.count()).toBe(2)
  })

  it('for each message that one post becomes', async () => {
    const { bot, channel, count } = await newHook()
    const { headers = {}, ...example } = EXAMPLES.bitbucket2!.find(
      ({ messages }) => (messages?.length ?? 0) > 1,
    )!
    for (let n = 0; n < 2; n += 1) {
      const sender = { ...headers, 'X-Request-UUID': 'several' }
      const address = { api_key: bot.api.apiKey!, stream: channel.name, topic: 'all' }
      expectSuccess(await postAsService(bot, 'bitbucket2', address, { ...example, headers: sender }))
    }
    expect(await count()).toBe(example.messages!.length)
  })
})

describe('a delivery that was refused is sent when it comes again', () => {
  it('with the right signature', async () => {
    const { bot, post, count } = await newHook()
    const settings = `/bots/${bot.id}/incoming_webhook`
    expectSuccess(await owner.api.patch(settings, { secret: 'known' }))
    expectRefusal(await post('unsigned'), 'Webhook signature verification failed.')
    expect(await count()).toBe(0)
    expectSuccess(await owner.api.patch(settings, { secret: '' }))
    expectSuccess(await post('unsigned'))
    expect(await count()).toBe(1)
  })

  it('after its channel was made', async () => {
    const { post } = await newHook()
    const name = `Made late ${hooks}`
    expectSuccess(await post('early', { stream: name }))
    const { id } = await buildChannel([owner], { name })
    const before = await idsIn(owner, [{ operator: 'channel', operand: id }])
    expectSuccess(await post('early', { stream: name }))
    expectSuccess(await post('early', { stream: name }))
    expect(await idsIn(owner, [{ operator: 'channel', operand: id }])).toHaveLength(before.length + 1)
  })
})

describe('a body that does not say how long it is', () => {
  it.each(['gitea', 'github', 'template'])('is read up to 5 MiB for %s, and not further', async (name) => {
    const { bot, count } = await newHook()
    let given = 0
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          const chunk = new TextEncoder().encode(given === 0 ? '{"more":"' : 'x'.repeat(MIB / 4))
          given += chunk.length
          controller.enqueue(chunk)
          if (given > 20 * MIB) controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    const headers = {
      'Content-Type': 'application/json',
      'X-GitHub-Event': 'issues',
      'X-Gitea-Event': 'issues',
    }
    const url = `http://${realm.host}/api/v1/external/${name}?api_key=${bot.api.apiKey}`
    const answer = await askWorker(new Request(url, { method: 'POST', headers, body }))
    expect([answer.status, await answer.json()]).toMatchObject([413, { msg: TOO_LARGE }])
    expect(given).toBeLessThan(7 * MIB)
    expect(await count()).toBe(0)
  })
})
