import { runDurableObjectAlarm } from 'cloudflare:test'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { realmStub } from '../../support/api.ts'
import { buildChannel, expectSuccess, type TestUser } from '../../support/factories.ts'
import { changeRealm, inRealm } from '../../support/inside.ts'
import { fromJson } from '../../support/json.ts'
import { openQueue, type TestEvent, type TestQueue } from '../../support/queues.ts'
import { systemGroupId } from '../../support/system-groups.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

interface Posted {
  readonly url: string
  readonly headers: Record<string, string>
  readonly body: string
}

/** The owner of the bots is a member. */
const { realm, keeper: owner, writer } = useRealm({ keeper: 'member', writer: 'member' })
/** Address that only this file uses: organizations of other files live in the same isolate, and their alarms call the same `fetch`. */
let hookUrl: string
let posted: Posted[]
/** Returns the answer of the webhook's server; each test sets its own. */
let answer: () => Response | Promise<Response>

beforeAll(async () => {
  hookUrl = `https://${realm.host.split('.')[0]}.hooks.example.com/in`
})

beforeEach(() => {
  posted = []
  answer = () => new Response('{}')
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
    if (String(url) !== hookUrl) return new Response('{}')
    posted.push({
      url: String(url),
      headers: init?.headers as Record<string, string>,
      body: String(init?.body),
    })
    return answer()
  })
})
afterEach(() => vi.restoreAllMocks())

let bots = 0
async function buildHook(settings: Record<string, string | number> = {}) {
  bots += 1
  const account = { full_name: `Hook ${bots}`, short_name: `hook-${bots}`, bot_type: 3 }
  const { user_id } = expectSuccess(
    await owner.api.post('/bots', { ...account, payload_url: hookUrl, ...settings }),
  )
  const { snapshot } = await openQueue(owner, { fetch_event_types: ['realm_bot'] })
  const { services } = snapshot.realm_bots.find((bot: { user_id: number }) => bot.user_id === user_id)
  return {
    id: user_id as number,
    name: account.full_name,
    email: `hook-${bots}-bot@${realm.host}`,
    token: services[0]?.token as string,
  }
}

const write = async (user: TestUser, to: unknown, content: string, topic?: string) =>
  expectSuccess(
    await user.api.post('/messages', {
      type: topic === undefined ? 'direct' : 'channel',
      to: JSON.stringify(to),
      content,
      ...(topic === undefined ? {} : { topic }),
    }),
  ).id as number

/** Runs everything that is due `seconds` from now, and waits for its end. */
async function work(seconds = 1): Promise<void> {
  world.clockOffset += seconds
  await runDurableObjectAlarm(realmStub(realm.id))
  await inRealm(realm, async ({ parts }) => {
    while (!parts.lanes.isIdle) await scheduler.wait(1)
  })
}

const formIn = (n: number) =>
  Object.fromEntries(new URLSearchParams(posted[n]!.body)) as Record<string, string>

async function messages(queue: TestQueue, count: number): Promise<TestEvent[]> {
  const found: TestEvent[] = []
  await vi.waitFor(async () => {
    found.push(...(await queue.eventsOf('message')))
    expect(found.length).toBeGreaterThanOrEqual(count)
  })
  return found
}

describe('an outgoing webhook', () => {
  it('gets a direct message and the token, and its answer is sent as a message', async () => {
    const hook = await buildHook()
    const queue = await openQueue(writer, { apply_markdown: false })
    answer = () => Response.json({ content: 'I have *heard*.' })
    const id = await write(writer, [hook.id], 'Listen, **you**')
    await work()
    const [, reply] = await messages(queue, 2)
    expect(posted).toHaveLength(1)
    expect(posted[0]!.url).toBe(hookUrl)
    expect(posted[0]!.headers['Content-Type']).toBe('application/json')
    expect(fromJson(posted[0]!.body)).toMatchObject({
      bot_email: hook.email,
      bot_full_name: hook.name,
      data: 'Listen, **you**',
      trigger: 'direct_message',
      token: hook.token,
      message: {
        id,
        sender_id: writer.id,
        sender_email: writer.email,
        type: 'private',
        content: 'Listen, **you**',
        rendered_content: '<p>Listen, <strong>you</strong></p>',
      },
    })
    expect(fromJson(posted[0]!.body).message).not.toHaveProperty('flags')
    expect(reply!.message).toMatchObject({
      sender_id: hook.id,
      type: 'private',
      content: 'I have *heard*.',
      client: 'OutgoingWebhookResponse',
    })
  })

  it('is called when it is mentioned, and answers in the same topic', async () => {
    const hook = await buildHook()
    const channel = await buildChannel([writer])
    const queue = await openQueue(writer, { apply_markdown: false })
    answer = () => Response.json({ response_string: 'Here.' })
    await write(writer, channel.id, 'unnoticed', 'calls')
    await write(writer, channel.id, `@**${hook.name}** where?`, 'calls')
    await work()
    const heard = await messages(queue, 3)
    expect(posted).toHaveLength(1)
    expect(fromJson(posted[0]!.body)).toMatchObject({
      trigger: 'mention',
      message: { stream_id: channel.id, display_recipient: channel.name, subject: 'calls' },
    })
    expect(heard[2]!.message).toMatchObject({ sender_id: hook.id, stream_id: channel.id, subject: 'calls' })
  })

  it('is called like others, but without an author whom it does not see', async () => {
    const hooks = [await buildHook(), await buildHook(), await buildHook()] as const
    const channel = await buildChannel([owner])
    await changeRealm(realm, ({ sql }) =>
      sql.run(`UPDATE user SET role = 600 WHERE id IN (?, ?)`, hooks[0].id, hooks[1].id),
    )
    const principals = hooks.map(({ id }) => id)
    const subscriptions = [{ name: channel.name }]
    expectSuccess(await owner.api.post('/users/me/subscriptions', { subscriptions, principals }))
    const seenBy = async (group: 'role:members' | 'role:everyone') =>
      expectSuccess(
        await realm.owner.api.patch('/realm', { can_access_all_users_group: { new: systemGroupId(group) } }),
      )
    await seenBy('role:members')
    const mentions = hooks.map(({ name }) => `@**${name}**`).join(' ')
    const id = await write(writer, channel.id, `${mentions} hello`, 'calls')
    await work()
    await seenBy('role:everyone')
    const got = posted.map(({ body }) => fromJson(body))
    expect(got.map(({ bot_email }) => bot_email).sort()).toEqual(hooks.map(({ email }) => email).sort())
    for (const { bot_email, message } of got) {
      const isGuest = bot_email !== hooks[2].email
      expect(message).toMatchObject({ id, sender_id: writer.id, content: `${mentions} hello` })
      expect(message.sender_full_name).toBe(isGuest ? 'Unknown user' : writer.fullName)
      expect(message.sender_email === writer.email).toBe(!isGuest)
    }
  })

  it('can be posted to as a form', async () => {
    const hook = await buildHook({ interface_type: 2 })
    const channel = await buildChannel([writer])
    const queue = await openQueue(writer, { apply_markdown: false })
    answer = () => Response.json({ text: 'As a form.' })
    await write(writer, channel.id, `@**${hook.name}** hello`, 'calls')
    await work()
    const [, reply] = await messages(queue, 2)
    expect(formIn(0)).toMatchObject({
      token: hook.token,
      channel_id: `C${channel.id}`,
      channel_name: channel.name,
      user_id: `U${writer.id}`,
      user_name: writer.fullName,
      text: 'hello',
      command: `/${hook.name}`,
      trigger_word: 'mention',
      service_id: String(hook.id),
    })
    expect(reply!.message.content).toBe('As a form.')
  })

  it('gets a form with a command only when the message begins with its mention', async () => {
    const [hook, other] = [await buildHook({ interface_type: 2 }), await buildHook()]
    const channel = await buildChannel([writer])
    const said = [
      [`@**${hook.name}|${hook.id}**  with an id\n`, 'with an id'],
      [`@**${hook.name}**`, ''],
      [`hello @**${hook.name}**`, undefined],
      [`@**${other.name}** and @**${hook.name}**`, undefined],
      [`@**${hook.name}|${hook.id}**, @**${hook.name}**`, `, @**${hook.name}**`],
    ] as const
    for (const [n, [content, rest]] of said.entries()) {
      posted = []
      await write(writer, channel.id, content, `form ${n}`)
      await work()
      const form = formIn(posted.findIndex(({ headers }) => headers['Content-Type']!.includes('form')))
      expect([form.command, form.text]).toEqual([
        rest === undefined ? undefined : `/${hook.name}`,
        rest ?? content,
      ])
    }
  })

  it('posts no message when its response is empty or needs none', async () => {
    const hook = await buildHook()
    const queue = await openQueue(writer)
    for (const said of ['{"response_not_required": true, "content": "no"}', '', '{}', '{"content": " "}']) {
      answer = () => new Response(said)
      await write(writer, [hook.id], 'anything?')
      await work()
    }
    await vi.waitFor(() => expect(posted).toHaveLength(4))
    await work(600)
    expect(await queue.eventsOf('message')).toHaveLength(4)
    expect(posted).toHaveLength(4)
  })

  it('gets nothing from channels it does not read, from other bots, or when deactivated', async () => {
    const [hook, other] = [await buildHook(), await buildHook()]
    const secret = await buildChannel([writer], { invite_only: true })
    await write(writer, secret.id, `@**${hook.name}** secret`, 'calls')
    answer = () => Response.json({ content: `@**${other.name}** you?` })
    const open = await buildChannel([writer])
    await write(writer, open.id, `@**${hook.name}** open`, 'calls')
    await work()
    await vi.waitFor(() => expect(posted).toHaveLength(1))
    expectSuccess(await owner.api.delete(`/bots/${hook.id}`))
    await write(writer, open.id, `@**${hook.name}** closed`, 'calls')
    await work()
    await work(600)
    expect(posted.map(({ body }) => fromJson(body).data)).toEqual([`@**${hook.name}** open`])
  })
})

describe('a webhook that fails', () => {
  it('is tried three times, later each time, and then its owner is notified', async () => {
    const hook = await buildHook()
    const queue = await openQueue(owner, { apply_markdown: false })
    answer = () => new Response('', { status: 503 })
    const id = await write(writer, [hook.id], 'are you there?')
    await work()
    await vi.waitFor(() => expect(posted).toHaveLength(1))
    await work(10)
    await vi.waitFor(() => expect(posted).toHaveLength(2))
    expect(await queue.eventsOf('message')).toEqual([])
    await work(30)
    const [notice] = await messages(queue, 1)
    expect(posted).toHaveLength(3)
    expect(notice!.message.content).toContain(`your bot \`${hook.email}\``)
    expect(notice!.message.content).toContain(`/near/${id})`)
    expect(notice!.message.content).toContain('it answered with the status 503.')
    await work(600)
    expect(posted).toHaveLength(3)
  })

  it('that has become a form since is not called for a direct message that waits', async () => {
    const hook = await buildHook()
    const queue = await openQueue(owner, { apply_markdown: false })
    answer = () => new Response('', { status: 503 })
    await write(writer, [hook.id], 'are you there?')
    await work()
    await vi.waitFor(() => expect(posted).toHaveLength(1))
    expectSuccess(await owner.api.patch(`/bots/${hook.id}`, { service_interface: 2 }))
    await work(10)
    const [notice] = await messages(queue, 1)
    expect(notice!.message.content).toContain('its format, Slack’s, has no direct messages.')
    await work(600)
    expect(posted).toHaveLength(1)
  })

  it('is answered exactly once when it recovers before the last try', async () => {
    const hook = await buildHook()
    const queue = await openQueue(writer)
    answer = () => Promise.reject(new TypeError('connection refused'))
    await write(writer, [hook.id], 'again?')
    await work()
    await vi.waitFor(() => expect(posted).toHaveLength(1))
    answer = () => Response.json({ content: 'Back again.' })
    await work(10)
    await messages(queue, 2)
    await work(600)
    expect(posted).toHaveLength(2)
    expect(await queue.eventsOf('message')).toEqual([])
  })

  it.each([
    [() => new Response('', { status: 404 }), 'it answered with the status 404.'],
    [
      () => new Response('', { status: 302, headers: { Location: 'https://example.com' } }),
      'it answered with the status 302.',
    ],
    [() => new Response('no json'), 'its answer was no JSON object.'],
    [() => new Response('x'.repeat(65_537)), 'its answer was too long.'],
  ] as const)('is not retried after a permanent error (%#)', async (said, reason) => {
    const hook = await buildHook()
    const queue = await openQueue(owner, { apply_markdown: false })
    answer = said
    await write(writer, [hook.id], 'well?')
    await work()
    const [notice] = await messages(queue, 1)
    expect(notice!.message.content).toContain(reason)
    await work(600)
    expect(posted).toHaveLength(1)
  })

  it('is never called at an address of a private network', async () => {
    const queue = await openQueue(owner, { apply_markdown: false })
    const hook = await buildHook()
    // As if the deployment had allowed the address then.
    await changeRealm(realm, ({ sql }) =>
      sql.run(
        'UPDATE bot_setting SET service_url = ? WHERE user_id = ?',
        'http://169.254.169.254/latest/meta-data',
        hook.id,
      ),
    )
    await write(writer, [hook.id], 'tell me')
    await work()
    const notices = await messages(queue, 1)
    expect(notices[0]!.message.content).toContain('its address is not one that may be posted to.')
    expect(posted).toEqual([])
  })
})
