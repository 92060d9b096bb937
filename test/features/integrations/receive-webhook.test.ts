import { describe, expect, it, onTestFinished } from 'vitest'
import { countRows, ROWS_HEADER, rowsOf } from '../../support/counted-rows.ts'
import { buildChannel, createBot, expectSuccess, type TestUser } from '../../support/factories.ts'
import { inRealm } from '../../support/inside.ts'
import { RATE_LIMITS } from '../../support/limits.ts'
import { idsIn, sendDirect } from '../../support/messages.ts'
import { postAsService } from '../../support/post-as-service.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const DAY = 86_400

const { keeper: owner, other, realm } = useRealm({ keeper: 'member', other: 'member' })

let bots = 0
const buildBot = async (settings: Record<string, number> = { bot_type: 2 }) => {
  bots += 1
  return createBot(owner, `Hook ${bots}`, settings)
}

const issue = { number: 7, title: 'It stops', html_url: 'https://git.example/7', body: null }
const opened = { action: 'opened', issue, repository: { name: 'engine' }, sender: { login: 'ada' } }
const ISSUES = { 'X-GitHub-Event': 'issues' }
const TEXT = 'ada opened [issue #7](https://git.example/7).'
const TITLED = 'ada opened [issue #7 It stops](https://git.example/7).'

interface Posted {
  readonly subject: string
  readonly content: string
  readonly sender_id: number
  readonly type: string
  readonly client: string
}

/** Returns what a reader gets while something is done. */
async function heard(reader: TestUser, act: () => Promise<unknown>): Promise<Posted[]> {
  const queue = await openQueue(reader, { event_types: ['message'], apply_markdown: false })
  await act()
  const events = await queue.eventsOf('message')
  return events.map(({ message }) => message as Posted)
}

const keyOf = ({ api }: TestUser) => ({ api_key: api.apiKey! })

describe('a post of a service', () => {
  it('is a message of the bot under the integration’s own topic', async () => {
    const { id, name } = await buildChannel([owner])
    const bot = await buildBot()
    for (const stream of [name, id]) {
      const messages = await heard(owner, async () => {
        const answer = await postAsService(
          bot,
          'github',
          { ...keyOf(bot), stream },
          { body: opened, headers: ISSUES },
        )
        expect(expectSuccess(answer)).toEqual({ result: 'success', msg: '' })
      })
      expect(messages).toMatchObject([
        {
          type: 'stream',
          sender_id: bot.id,
          subject: 'engine / issue #7 It stops',
          content: TEXT,
          client: 'ParleyGitHubWebhook',
        },
      ])
    }
  })

  it('is under the topic of the address, with what that does not say', async () => {
    const { name } = await buildChannel([owner])
    const bot = await buildBot()
    const address = { ...keyOf(bot), stream: name, topic: 'code' }
    const messages = await heard(owner, () =>
      postAsService(bot, 'github', address, { body: opened, headers: ISSUES }),
    )
    expect(messages).toMatchObject([{ subject: 'code', content: TITLED }])
  })

  it('is a direct message to the bot’s owner where the address names no channel', async () => {
    const bot = await buildBot()
    const messages = await heard(owner, () =>
      postAsService(bot, 'github', keyOf(bot), { body: opened, headers: ISSUES }),
    )
    expect(messages).toMatchObject([{ type: 'private', sender_id: bot.id, content: TITLED }])
  })

  it('may be a form, with parameters and the payload in its fields', async () => {
    const { name } = await buildChannel([owner])
    const bot = await buildBot({ bot_type: 1 })
    const form = new URLSearchParams({ ...keyOf(bot), stream: name, payload: JSON.stringify(opened) })
    const headers = { ...ISSUES, 'Content-Type': 'application/x-www-form-urlencoded' }
    const messages = await heard(owner, async () =>
      expectSuccess(await postAsService(bot, 'github', {}, { body: form.toString(), headers })),
    )
    expect(messages).toMatchObject([{ content: TEXT }])
  })

  it('that comes again with the sender’s id is sent once to each address', async () => {
    const { id, name } = await buildChannel([owner])
    const bot = await buildBot()
    const headers = { ...ISSUES, 'X-GitHub-Delivery': 'd-1' }
    const post = (address: Record<string, string>, body: object = opened) =>
      postAsService(bot, 'github', { ...keyOf(bot), stream: name, ...address }, { body, headers })
    for (let at = 0; at < 2; at += 1) {
      expectSuccess(await post({}, { ...opened, at }))
      expectSuccess(await post({ topic: 'code' }))
    }
    expect(await idsIn(owner, [{ operator: 'channel', operand: id }])).toHaveLength(2 + 1)
  })

  it('notifies nobody whom it mentions', async () => {
    const { name } = await buildChannel([owner, other])
    const bot = await buildBot()
    const body = { ...opened, issue: { ...issue, body: `@**all** @**${other.fullName}** @*role:everyone*` } }
    const queue = await openQueue(other, { event_types: ['message'] })
    expectSuccess(
      await postAsService(bot, 'github', { ...keyOf(bot), stream: name }, { body, headers: ISSUES }),
    )
    const [event] = await queue.eventsOf('message')
    expect(event).toMatchObject({ flags: [] })
  })

  it('of which the address filters the event is answered, and says nothing', async () => {
    const { id, name } = await buildChannel([owner])
    const bot = await buildBot()
    const post = (address: Record<string, readonly string[]>) =>
      postAsService(
        bot,
        'github',
        { ...keyOf(bot), stream: name, ...address },
        { body: opened, headers: ISSUES },
      )
    expectSuccess(await post({ only_events: ['push*', 'pull_request'] }))
    expectSuccess(await post({ exclude_events: ['i?sue[a-s]'] }))
    expectSuccess(await post({ only_events: ['issue*'], exclude_events: ['issue_*'] }))
    expect(await idsIn(owner, [{ operator: 'channel', operand: id }])).toHaveLength(1 + 1)
    expectRefusal(
      await post({ only_events: [] as string[], exclude_events: 'push' as never }),
      'exclude_events is not valid JSON',
    )
    const patterns = Array.from({ length: 101 }, () => 'push*')
    expectRefusal(await post({ only_events: patterns }), 'only_events is too long (limit: 100 items)')
    expectRefusal(await post({ exclude_events: patterns }), 'exclude_events is too long (limit: 100 items)')
    expectRefusal(
      await post({ branches: patterns.join(',') as never }),
      'branches is too long (limit: 100 items)',
    )
    expectSuccess(
      await post({ exclude_events: patterns.slice(1), branches: patterns.slice(1).join(',') as never }),
    )
  })
})

describe('a post that cannot be a message', () => {
  it('of an event without messages is answered, and the owner notified once a day', async () => {
    const bot = await buildBot()
    const post = () =>
      postAsService(bot, 'github', keyOf(bot), {
        headers: { 'X-GitHub-Event': 'project' },
        body: { action: 'moved' },
      })
    const refused = async () =>
      expectRefusal(
        await post(),
        "The 'project:moved' event isn't currently supported by the GitHub webhook; ignoring",
        {
          status: 200,
          code: 'UNSUPPORTED_WEBHOOK_EVENT_TYPE',
          webhook_name: 'GitHub',
          event_type: 'project:moved',
        },
      )
    const messages = await heard(owner, async () => {
      await refused()
      await refused()
      world.clockOffset += DAY + 1
      await refused()
    })
    expect(messages).toHaveLength(2)
    expect(messages[0]!.content).toContain(`Your bot ${bot.fullName}`)
  })

  it('without the event’s header is refused, and the owner is notified', async () => {
    const bot = await buildBot()
    const messages = await heard(owner, async () =>
      expectRefusal(
        await postAsService(bot, 'github', keyOf(bot), { body: opened }),
        "Missing the HTTP event header 'X-GitHub-Event'",
        { code: 'MISSING_HTTP_EVENT_HEADER', header: 'X-GitHub-Event' },
      ),
    )
    expect(messages).toMatchObject([{ content: expect.stringContaining('X-GitHub-Event') }])
  })

  it('that is no JSON is refused, and the owner is notified once a day', async () => {
    const bot = await buildBot()
    const messages = await heard(owner, async () => {
      for (const body of ['{', '', 'a=b', '7', `${'['.repeat(300)}${']'.repeat(300)}`]) {
        expectRefusal(
          await postAsService(bot, 'github', keyOf(bot), { body, headers: ISSUES }),
          'Malformed JSON',
        )
      }
    })
    expect(messages).toHaveLength(1)
  })

  it('to a channel that does not exist is answered, and the owner is notified', async () => {
    const bot = await buildBot()
    const messages = await heard(owner, async () =>
      expectSuccess(
        await postAsService(
          bot,
          'github',
          { ...keyOf(bot), stream: 'nowhere' },
          { body: opened, headers: ISSUES },
        ),
      ),
    )
    expect(messages).toMatchObject([{ content: expect.stringContaining('#**nowhere**') }])
  })

  it('of more than 5 MiB, or 25 from GitHub, is refused', async () => {
    const bot = await buildBot()
    const post = (integration: string, mib: number) => {
      const body = JSON.stringify({ ...opened, more: 'x'.repeat(mib * 1_048_576) })
      return postAsService(bot, integration, keyOf(bot), {
        body,
        headers: { 'X-Gitea-Event': 'issues', ...ISSUES },
      })
    }
    const refusal = (mib: number) => `Request body is larger than the allowed limit of ${mib} MiB`
    expectRefusal(await post('gitea', 5), refusal(5), { status: 413 })
    expectRefusal(await post('github', 25), refusal(25), { status: 413 })
  })

  it('by another method, or for no integration, is refused', async () => {
    const bot = await buildBot()
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
      expect((await bot.api.request(method, '/external/github', keyOf(bot))).status).toBe(405)
    }
    expectRefusal(await postAsService(bot, 'nothing', keyOf(bot)), 'Not found', { status: 404 })
  })
})

describe('the key of the address', () => {
  const refusals = { status: 401, code: 'INVALID_API_KEY' }

  it('is that of a bot in use', async () => {
    const bot = await buildBot()
    const post = (address: Record<string, string>) =>
      postAsService(bot, 'github', address, { body: opened, headers: ISSUES })
    expectRefusal(await post({}), "Missing 'api_key' argument", { code: 'REQUEST_VARIABLE_MISSING' })
    expectRefusal(await post({ api_key: 'abc' }), 'Malformed API key', refusals)
    expectRefusal(await post({ api_key: 'a'.repeat(32) }), 'Invalid API key', refusals)
    expectRefusal(await post(keyOf(owner)), 'Invalid API key', refusals)
    expectSuccess(await owner.api.delete(`/bots/${bot.id}`))
    expectRefusal(await post(keyOf(bot)), 'Account is deactivated', { status: 401, code: 'USER_DEACTIVATED' })
  })

  it('of an incoming webhook is good for nothing but messages', async () => {
    const bot = await buildBot()
    const refusal = [
      'This API is not available to incoming webhook bots.',
      { status: 401, code: 'UNAUTHORIZED' },
    ] as const
    for (const path of ['/users/me', '/messages', '/streams', '/users', '/events']) {
      expectRefusal(await bot.api.get(path), ...refusal)
    }
    for (const path of [
      '/register',
      '/users/me/subscriptions',
      '/messages/render',
      '/typing',
      '/user_uploads',
    ]) {
      expectRefusal(await bot.api.post(path), ...refusal)
    }
    await sendDirect(bot, [owner])
  })

  it('counts its posts as one account', async () => {
    const bot = await buildBot()
    const second = await buildBot()
    world.limited = true
    onTestFinished(() => {
      world.limited = false
    })
    const answer = await postAsService(bot, 'github', keyOf(bot), { body: opened, headers: ISSUES })
    expect(answer.headers.get('X-RateLimit-Remaining')).toBe('199')
    await inRealm(realm, ({ parts: { limiter, now } }) => {
      while (limiter.count('user', bot.id, RATE_LIMITS.user, now()).remaining > 0);
    })
    const post = (one: TestUser) =>
      postAsService(one, 'github', keyOf(one), { body: opened, headers: ISSUES })
    expectRefusal(await post(bot), 'API usage exceeded rate limit', { status: 429, code: 'RATE_LIMIT_HIT' })
    expectSuccess(await post(second))
  })

  it('posts only where the bot or its owner may', async () => {
    const { name } = await buildChannel([other], { invite_only: true })
    const bot = await buildBot()
    const messages = await heard(other, () =>
      postAsService(bot, 'github', { ...keyOf(bot), stream: name }, { body: opened, headers: ISSUES }),
    )
    expect(messages).toEqual([])
    const stranger = await postAsService(
      { api: realm.owner.api },
      'github',
      { api_key: bot.api.apiKey!, stream: name },
      { headers: ISSUES },
    )
    expect(stranger.status).toBe(200)
  })
})

describe('the rows of a post', () => {
  /** Returns how many rows are written for what the address names. */
  async function written(bot: TestUser, address: Record<string, string>, id = ''): Promise<number> {
    const sender = { ...ISSUES, [ROWS_HEADER]: 'count', ...(id === '' ? {} : { 'X-GitHub-Delivery': id }) }
    const answer = await postAsService(
      bot,
      'github',
      { ...keyOf(bot), ...address },
      { body: opened, headers: sender },
    )
    expectSuccess(answer)
    return rowsOf(answer).object.written
  }
  const ofSend = async ({ api }: TestUser, to: Record<string, string>) =>
    (await countRows(api, 'POST', '/messages', { content: TITLED, ...to })).object.written
  const inChannel = (stream: string, topic: string) =>
    [
      { stream, topic },
      { type: 'stream', to: stream, topic },
    ] as const
  const toOwner = () => [{}, { type: 'direct', to: JSON.stringify([owner.id]) }] as const

  it.each(['a channel', 'the owner'])(
    'are one more than those of a send to %s, and two with an id',
    async (kind) => {
      const { name } = await buildChannel([owner])
      const bot = await buildBot()
      const [address, to] = kind === 'a channel' ? inChannel(name, 'counted') : toOwner()
      // The first ones make the conversation and the names of the clients, and fill the rows of the last posts.
      for (let n = 0; n < 20; n += 1) await written(bot, address)
      await ofSend(bot, to)
      const send = await ofSend(bot, to)
      const posts = [
        await written(bot, address),
        await written(bot, address, 'one'),
        await written(bot, address, 'two'),
      ]
      expect(posts).toEqual([send + 1, send + 2, send + 2])
    },
  )

  it.each(['a channel', 'the owner'])(
    'are at most two more where the post is the first to %s',
    async (kind) => {
      const { name } = await buildChannel([owner])
      const [sender, poster] = [await buildBot(), await buildBot()]
      const [address] = kind === 'a channel' ? inChannel(name, 'by posts') : toOwner()
      const [, to] = kind === 'a channel' ? inChannel(name, 'by sends') : toOwner()
      // The name of a client is kept once for the whole organization.
      await written(await buildBot(), {})
      const send = await ofSend(sender, to)
      expect((await written(poster, address, 'first')) - send).toBeLessThanOrEqual(2)
    },
  )
})
