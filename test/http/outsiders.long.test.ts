import { beforeAll, describe, expect, it } from 'vitest'
import type { ParameterValue } from '../support/api.ts'
import { exampleOf } from '../support/example-values.ts'
import { expectSuccess, type TestUser } from '../support/factories.ts'
import { ENDPOINTS, type Endpoint } from '../support/inside-declarations.ts'
import { sendDirect, sendTo } from '../support/messages.ts'
import { neverEvict } from '../support/never-evict.ts'
import { openQueue, type TestQueue } from '../support/queues.ts'
import { useRealm } from '../support/use-realm.ts'

type Fields = Record<string, ParameterValue>

/** Private things that outsiders ask for. */
interface Target {
  readonly channel: number
  readonly messages: readonly number[]
  readonly queue: string
  /** Id of a draft, and of everything else that only its owner sees. */
  readonly kept: number
}

/** A word that every secret contains, and nothing else. */
const MARK = 'zqx'
const LATER = Math.floor(Date.now() / 1_000) + 86_400

const { realm, ann, ben, member, guest, channel } = useRealm(
  {
    ann: { email: `${MARK}-ann@example.com` },
    ben: { email: `${MARK}-ben@example.com` },
    member: 'member',
    guest: 'guest',
  },
  {
    channels: {
      channel: {
        subscribers: ['ann', 'ben'],
        name: `${MARK} channel`,
        invite_only: true,
        history_public_to_subscribers: true,
      },
    },
  },
)
let secret: Target

// A file of thousands of requests: an eviction before each would take minutes.
neverEvict()
beforeAll(async () => {
  for (const user of [ann, ben]) {
    expectSuccess(await user.api.patch('/settings', { email_address_visibility: 4 }))
  }
  expectSuccess(await ann.api.patch(`/streams/${channel.id}`, { description: `${MARK} description` }))
  secret = {
    channel: channel.id,
    messages: await saySecrets(),
    queue: (await openQueue(ann)).id,
    kept: 1,
  }
  await keepSecrets()
})

async function saySecrets(): Promise<number[]> {
  const content = `${MARK} [content](https://${MARK}.example.com)`
  const [first, poll, direct] = [
    await sendTo(ann, channel.id, `${MARK} topic`, content),
    await sendTo(ben, channel.id, `${MARK} topic`, '/poll What?'),
    await sendDirect(ann, [ben], content),
  ]
  for (const id of [first, direct]) {
    expectSuccess(await ann.api.patch(`/messages/${id}`, { content: `${content} edited` }))
    expectSuccess(await ben.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }))
  }
  return [first, poll, direct]
}

async function keepSecrets(): Promise<void> {
  const text = { title: MARK, content: MARK }
  const draft = { type: 'stream', to: [channel.id], topic: MARK, content: MARK, timestamp: 1_700_000_000 }
  const message = { to: channel.id, topic: MARK, content: MARK, scheduled_delivery_timestamp: LATER }
  const reminder = { message_id: secret.messages[0]!, note: MARK, scheduled_delivery_timestamp: LATER }
  const bot = { full_name: 'Robot', short_name: 'robot', default_sending_stream: channel.name }
  const requests: [string, Fields][] = [
    ['/drafts', { drafts: [draft] }],
    ['/saved_snippets', text],
    ['/scheduled_messages', { type: 'channel', ...message }],
    ['/reminders', reminder],
    ['/users/me/alert_words', { alert_words: [MARK] }],
    ['/navigation_views', { fragment: MARK, is_pinned: true, name: MARK }],
    ['/user_topics', { stream_id: channel.id, topic: `${MARK} topic`, visibility_policy: 3 }],
    ['/bots', bot],
  ]
  for (const [path, params] of requests) expectSuccess(await ann.api.post(path, params))
}

function narrows({ channel: id, messages: [first, , direct] }: Target): ParameterValue[] {
  const term = (operator: string, operand: unknown, negated = false) => ({ operator, operand, negated })
  return [
    [],
    [term('with', first)],
    [term('with', first), term('channel', 1), term('topic', 'x')],
    [term('id', first)],
    [term('id', direct)],
    [term('near', direct)],
    [term('dm', [ann.id, ben.id])],
    [term('sender', ann.id)],
    [term('search', 'content')],
    [term('search', 'content', true)],
    [term('has', 'link')],
    [term('is', 'dm')],
    [term('channels', 'public')],
    [term('channels', 'public', true)],
    [term('channel', 1, true)],
    [term('channel', id)],
    [term('channel', id), term('is', 'unread')],
  ]
}

/** Returns the values for each parameter by name; all other parameters may have any value. */
function valuesFor(target: Target): Readonly<Record<string, readonly ParameterValue[]>> {
  const channelIds = [target.channel]
  return {
    stream_id: channelIds,
    message_id: target.messages,
    draft_id: [target.kept],
    saved_snippet_id: [target.kept],
    scheduled_message_id: [target.kept],
    reminder_id: [target.kept],
    attachment_id: [target.kept],
    messages: [target.messages],
    msg_ids: [target.messages],
    message_ids: [null, target.messages],
    user_id: [ann.id],
    muted_user_id: [ann.id],
    principals: [[ann.id]],
    members: [[ann.id]],
    email: [`user${ann.id}@${realm.host}`],
    to: [target.channel, [ann.id], channelIds],
    type: ['channel', 'direct'],
    topic: ['x'],
    topic_name: ['x'],
    content: [`@_**|${ann.id}** #**${channel.id}**`],
    narrow: narrows(target),
    anchor: ['oldest', 'newest', String(target.messages[0])],
    num_before: [100],
    num_after: [100],
    queue_id: [target.queue],
    last_event_id: [-1],
    dont_block: [true],
    emoji_name: ['tada'],
    flag: ['starred', 'read'],
    op: ['add', 'remove', 'start'],
    scheduled_delivery_timestamp: [LATER],
    stream_ids: [channelIds],
    propagate_mode: ['change_all'],
    subscriptions: [[{ name: 'outsiders' }], ['outsiders']],
    subscription_data: [[{ stream_id: target.channel, property: 'is_muted', value: true }]],
    drafts: [[{ type: 'stream', to: channelIds, topic: 'x', content: 'x' }]],
    visibility_policy: [1],
    event_types: [null],
    client_capabilities: [{ notification_settings_null: true, archived_channels: true }],
    new_name: ['mine'],
    is_private: [false],
    can_subscribe_group: [{ new: 6 }],
  }
}

interface Ask {
  readonly path: string
  readonly fields: Fields
}

/** Every value is tried at least once: together with all parameters, and together with those alone that matter here. */
function requestsTo({ params, path }: Endpoint, target: Target): Ask[] {
  const values = valuesFor(target)
  const isInPath = (name: string) => path.includes(`:${name}`)
  const valuesOf = (name: string): readonly ParameterValue[] =>
    values[name] ?? [isInPath(name) ? 1 : exampleOf(params[name]!)]
  const names = Object.keys(params)
  const rounds = Math.max(1, ...names.map((name) => valuesOf(name).length))
  return Array.from({ length: 2 * rounds }, (_, round) => {
    const chosen = names.filter((name) => round < rounds || name in values || isInPath(name))
    const given = Object.fromEntries(
      chosen.map((name): [string, ParameterValue] => {
        const of = valuesOf(name)
        return [name, of[(round % rounds) % of.length]!]
      }),
    )
    return {
      path: path.replaceAll(/:(\w+)\+?/g, (_name, name) => encodeURIComponent(String(given[name]))),
      fields: Object.fromEntries(Object.entries(given).filter(([name]) => !isInPath(name))),
    }
  })
}

/** Ids by themselves, which messages_ids excludes anchors from, and each narrow with every anchor. */
function fetches(target: Target): Ask[] {
  const around = { num_before: 50, num_after: 50 }
  return [
    { path: '/messages', fields: { message_ids: target.messages } },
    ...narrows(target).flatMap((narrow) =>
      ['oldest', 'newest', 'first_unread', String(target.messages[0])].map((anchor) => ({
        path: '/messages',
        fields: { ...around, narrow, anchor },
      })),
    ),
  ]
}

/** Operations that end the caller's account or key. */
const ENDS = new Set(['deactivate-own-user', 'regenerate-own-api-key', 'log-out-elsewhere'])

const asked = ENDPOINTS.filter(({ operation }) => !ENDS.has(operation))

function secretIn(body: unknown): string | undefined {
  return new RegExp(`.{0,100}${MARK}.{0,50}`, 'i').exec(JSON.stringify(body))?.[0]
}

async function secretsOf(user: TestUser) {
  const all = { anchor: 'oldest', num_before: 0, num_after: 100 }
  const reads: [string, Fields?][] = [
    ['/messages', { ...all, narrow: [['channel', channel.name]] }],
    ['/messages', { ...all, narrow: [{ operator: 'dm', operand: [ben.id] }] }],
    [`/streams/${channel.id}`],
    [`/streams/${channel.id}/members`],
    ...['/drafts', '/reminders', '/scheduled_messages', '/saved_snippets', '/bots'].map((path): [string] => [
      path,
    ]),
  ]
  const answers = reads.map(async ([path, params]) => expectSuccess(await user.api.get(path, params)))
  return Promise.all(answers)
}

describe.each([
  ['a member', () => member],
  ['a guest', () => guest],
] as const)('%s from outside', (_name, who) => {
  let queue: TestQueue
  let before: Awaited<ReturnType<typeof secretsOf>>
  let succeeded = 0
  beforeAll(async () => {
    queue = await openQueue(who())
    before = await secretsOf(ann)
  })

  it.each(asked.map((endpoint) => [endpoint.operation, endpoint] as const))(
    'sees nothing private in %s',
    async (_operation, endpoint) => {
      for (const { path, fields } of requestsTo(endpoint, secret)) {
        const answer = await who().api.request(endpoint.method, path, fields)
        const what = `${path} ${JSON.stringify(fields)}`
        expect(secretIn(answer.body), what).toBeUndefined()
        expect(answer.status, what).toBeLessThan(500)
        if (answer.status === 200) succeeded += 1
      }
    },
  )

  it('sees nothing private in any narrow', async () => {
    for (const { path, fields } of fetches(secret)) {
      const { body } = await who().api.get(path, fields)
      expect(secretIn(body), JSON.stringify(fields)).toBeUndefined()
    }
  })

  it('has changed nothing private, and heard of nothing', async () => {
    expect(succeeded).toBeGreaterThan(100)
    expect(secretIn(await queue.events())).toBeUndefined()
    expect(await secretsOf(ann)).toEqual(before)
  })
})
