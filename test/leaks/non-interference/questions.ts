import { exampleOf } from '../../support/example-values.ts'
import { ENDPOINTS } from '../../support/inside-declarations.ts'
import type { Chances } from './chances.ts'
import { absentId, askAsX, type Fields, type Kept, type Question, type Stage } from './stage.ts'

/** Ids and names that X guesses. Some do not exist in the organization with fewer secrets, which X must not find out. */
interface Guesses {
  readonly messages: readonly number[]
  readonly channels: readonly { readonly id: number; readonly name: string }[]
  kept(kind: Kept): number
  readonly queue: string
}

const GUESSES = 4

function guessesOf({ secret }: Stage): Guesses {
  const numbers = Array.from({ length: GUESSES }, (_, number) => number)
  const newest = <T>(list: readonly T[], number: number): T | undefined => list.at(-1 - number)
  return {
    messages: numbers.map((number) => newest(secret.messages, number)?.id ?? absentId('message', number)),
    channels: numbers.map(
      (number) =>
        // One of them exists in both organizations from the beginning.
        newest(secret.channels.slice(1), number) ?? {
          id: absentId('channel', number),
          name: `nothing ${number}`,
        },
    ),
    kept: (kind) => newest(secret.kept[kind], 0) ?? absentId(kind, 0),
    queue: newest(secret.queues, 0) ?? '00000000-000000000000000000000000',
  }
}

const AROUND = { num_before: 12, num_after: 12 }

export interface Curiosity {
  /** The number of fetches of messages; there are twice as many guesses. */
  readonly searches: number
  /** The number of values with which each GET endpoint is requested: with 0, most endpoints are left out. */
  readonly rounds: number
}

/**
 * Every GET endpoint with what fits its parameters (where nothing is said here, with examples of its declaration),
 * searches, and guesses.
 */
export async function askEverything(
  stage: Stage,
  chances: Chances,
  { searches, rounds }: Curiosity,
): Promise<void> {
  for (const endpoint of ENDPOINTS) {
    if (endpoint.method !== 'GET' || ASKED_ELSEWHERE.has(endpoint.operation)) continue
    if (rounds === 0 && !chances.onceIn(6)) continue
    const questions = chances.some(questionsOf(stage, endpoint), Math.max(1, rounds))
    for (const question of questions) await askAsX(stage, endpoint.operation, question)
  }
  for (let count = 0; count < searches; count += 1) await search(stage, chances)
  const guesses = guessing(stage, guessesOf(stage))
  for (const [name, question] of chances.some(guesses, 2 * searches)) await askAsX(stage, name, question)
}

/** Events are read elsewhere, and messages in many other ways. */
const ASKED_ELSEWHERE = new Set(['get-events', 'get-messages', 'match-narrow'])

function questionsOf(stage: Stage, endpoint: (typeof ENDPOINTS)[number]): Question[] {
  const { channels, ann, cid, sam, x, shared } = stage
  const channelIds = Object.values(channels).map(({ id }) => id)
  const users = [ann, cid, sam, x].map(({ id }) => id)
  const values: Readonly<Record<string, readonly (string | number)[]>> = {
    stream_id: channelIds,
    user_id: users,
    email: [ann.email, cid.email, `user${cid.id}@${stage.realm.host}`],
    message_id: shared.slice(-3).map(({ id }) => id),
    stream: Object.values(channels).map(({ name }) => name),
    user_group_id: [3, 7],
    subdomain: ['castle'],
  }
  const inPath = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
  const required = Object.entries(endpoint.params).filter(
    ([name, schema]) => !inPath.includes(name) && !('default' in schema) && schema.type !== 'optional',
  )
  const names = [...inPath, ...required.map(([name]) => name)]
  const rounds = Math.max(1, ...names.map((name) => values[name]?.length ?? 1))
  return Array.from({ length: rounds }, (_, round) => {
    const given = (name: string) => {
      const of = values[name] ?? [exampleOf(endpoint.params[name]!)]
      return of[round % of.length]
    }
    const path = endpoint.path.replaceAll(/:(\w+)/g, (_name, name) => encodeURIComponent(String(given(name))))
    const fields = Object.fromEntries(required.map(([name]) => [name, given(name)]))
    return { path, fields: { ...fields, ...WITH_ALL[endpoint.operation] } }
  })
}

/** Parameters that make answers larger. */
const WITH_ALL: Readonly<Record<string, Fields>> = {
  'get-streams': { include_all: true, exclude_archived: false, include_subscribed: true },
  'get-subscriptions': { include_subscribers: true },
  'get-users': { include_custom_profile_fields: true, client_gravatar: false },
  'get-user-groups': { include_deactivated_groups: true },
  'get-message': { apply_markdown: false },
}

/** Makes one fetch of messages, with random narrow and anchor. */
async function search(stage: Stage, chances: Chances): Promise<void> {
  const { channels, ann, ben, cid, x, shared } = stage
  const guesses = guessesOf(stage)
  const seen = shared.at(-1)?.id ?? 1
  const guessed = guesses.messages[chances.below(GUESSES)]!
  const room = guesses.channels[chances.below(GUESSES)]!
  const term = (operator: string, operand: unknown, negated = false) => ({ operator, operand, negated })
  const channel = chances.pick(Object.values(channels))
  const narrows: readonly (readonly [object[], (string | number)[]?])[] = [
    [[]],
    [[term('channel', channel.id)]],
    [[term('channel', channel.name), term('topic', chances.pick(['first', 'walls', 'files', '']))]],
    [[term('topic', 'WALLS')]],
    [[term('channel', channel.id, true)]],
    [[term('channel', room.id)], [room.id]],
    [[term('channel', room.name)], [room.name]],
    [[term('channel', room.id, true)], [room.id]],
    [[term('dm', [ann.id])]],
    [[term('dm', [ann.id, ben.id])]],
    [[term('dm', [ben.id, cid.id, ann.id])]],
    [[term('dm-including', cid.id)]],
    [[term('sender', chances.pick([ann, ben, cid, x]).id)]],
    ...['dm', 'mentioned', 'starred', 'unread', 'alerted', 'followed', 'resolved', 'muted'].map(
      (is): readonly [object[]] => [[term('is', is, chances.onceIn(4))]],
    ),
    ...['link', 'image', 'attachment', 'reaction'].map((has): readonly [object[]] => [
      [term('has', has, chances.onceIn(3))],
    ]),
    [[term('search', 'secret')]],
    [[term('search', `word${chances.below(20)}`)]],
    [[term('search', 'again', true)]],
    [[term('search', '"zebra secret"')]],
    [[term('channels', 'public')]],
    [[term('channels', 'public', true)]],
    [[term('id', guessed)], [guessed]],
    [[term('near', guessed)], [guessed]],
    [[term('with', guessed)], [guessed]],
    [[term('with', seen)]],
    [[term('near', seen)]],
  ]
  const [narrow, secret = []] = chances.pick(narrows)
  const anchors = ['newest', 'oldest', 'first_unread', String(seen)]
  const fields = { ...AROUND, narrow, anchor: chances.pick(anchors), apply_markdown: chances.onceIn(2) }
  const asked = `get-messages ${JSON.stringify(narrow)} ${fields.anchor}`.replaceAll(/\d{8}/g, '#')
  const name = secret.reduce<string>((text, value) => text.replaceAll(String(value), '…'), asked)
  await askAsX(stage, name, { path: '/messages', fields, secret })
}

/** Makes requests as X with ids and names that X never received. */
function guessing(stage: Stage, guesses: Guesses): [string, Question][] {
  const { realm, ann, x, file } = stage
  const later = Math.floor(stage.now()) + 3_600
  const all: [string, Question][] = []
  const ask = (method: string, path: string, fields: Fields, secret: readonly (string | number)[]) => {
    const shape = secret.reduce<string>((text, value) => text.replaceAll(String(value), '…'), path)
    const name = `guess ${method} ${shape.replace(file, 'a file')} ${Object.keys(fields).join()}`.replaceAll(
      /\d{8}/g,
      '#',
    )
    all.push([name, { method, path, fields, secret }])
  }
  for (const id of guesses.messages) {
    const secret = [id]
    for (const [method, path, fields = {}] of [
      ['GET', ''],
      ['GET', '/history'],
      ['GET', '/read_receipts'],
      ['PATCH', '', { content: 'Mine' }],
      ['PATCH', '', { topic: 'Mine', propagate_mode: 'change_all' }],
      ['DELETE', ''],
      ['POST', '/reactions', { emoji_name: 'tada' }],
      ['DELETE', '/reactions', { emoji_name: 'octopus' }],
      ['POST', '/typing', { op: 'start' }],
      ['POST', '/report', { report_type: 'spam' }],
    ] as const) {
      ask(method, `/messages/${id}${path}`, fields, secret)
    }
    ask('GET', '/messages', { message_ids: [id] }, secret)
    ask('GET', '/messages/matches_narrow', { msg_ids: [id], narrow: [] }, secret)
    for (const [op, flag] of [
      ['add', 'starred'],
      ['add', 'read'],
      ['remove', 'read'],
      ['remove', 'starred'],
    ] as const) {
      ask('POST', '/messages/flags', { messages: [id], op, flag }, secret)
    }
    ask('POST', '/submessage', { message_id: id, msg_type: 'widget', content: '{}' }, secret)
    ask('POST', '/reminders', { message_id: id, scheduled_delivery_timestamp: later }, secret)
    const link = `https://${realm.host}/#narrow/channel/1-x/topic/x/near/${id}`
    ask('POST', '/messages/render', { content: link }, secret)
  }
  for (const { id, name } of guesses.channels) {
    const secret = [id, name]
    for (const [method, path, fields = {}] of [
      ['GET', ''],
      ['GET', '/members'],
      ['GET', '/email_address'],
      ['PATCH', '', { description: 'Mine' }],
      ['DELETE', ''],
      ['POST', '/delete_topic', { topic_name: 'walls' }],
    ] as const) {
      ask(method, `/streams/${id}${path}`, fields, secret)
    }
    const subscription_data = [{ stream_id: id, property: 'color', value: '#aabbcc' }]
    ask('GET', '/get_stream_id', { stream: name }, secret)
    ask('GET', `/users/me/${id}/topics`, {}, secret)
    ask('GET', `/users/${ann.id}/subscriptions/${id}`, {}, secret)
    ask('POST', '/messages', { type: 'channel', to: id, topic: 'walls', content: 'Hello?' }, secret)
    ask('POST', '/messages', { type: 'channel', to: name, topic: 'walls', content: 'Hello?' }, secret)
    ask(
      'POST',
      '/messages/render',
      { content: `#**${name}** #**${name}>walls** @_**Ann|${ann.id}**` },
      secret,
    )
    ask('POST', '/typing', { op: 'start', type: 'stream', stream_id: id, topic: 'walls' }, secret)
    ask('POST', '/user_topics', { stream_id: id, topic: 'walls', visibility_policy: 3 }, secret)
    ask('POST', '/mark_stream_as_read', { stream_id: id }, secret)
    ask('POST', '/mark_topic_as_read', { stream_id: id, topic_name: 'walls' }, secret)
    ask('POST', '/users/me/subscriptions/properties', { subscription_data }, secret)
    ask('DELETE', '/users/me/subscriptions', { subscriptions: [name] }, secret)
    ask('POST', '/default_streams', { stream_id: id }, secret)
    ask('POST', '/invites/multiuse', { stream_ids: [id] }, secret)
    ask(
      'POST',
      '/drafts',
      { drafts: [{ type: 'stream', to: [id], topic: '', content: 'Hm', timestamp: 1 }] },
      secret,
    )
    const scheduled = { type: 'channel', to: id, topic: 'walls', content: 'Hello?' }
    ask('POST', '/scheduled_messages', { ...scheduled, scheduled_delivery_timestamp: later }, secret)
  }
  // Addresses of files cannot be guessed. X has seen this one in a channel that X has left.
  ask('GET', file, {}, [])
  ask('GET', `/api/v1${file}`, {}, [])
  ask('POST', '/messages/render', { content: `[notes](${file})` }, [])
  const own: readonly [string, string, Kept, Fields?][] = [
    ['PATCH', '/drafts', 'draft', { draft: { type: '', to: [], topic: '', content: 'Hm' } }],
    ['DELETE', '/drafts', 'draft'],
    ['PATCH', '/saved_snippets', 'saved_snippet', { title: 'Mine' }],
    ['DELETE', '/saved_snippets', 'saved_snippet'],
    ['PATCH', '/scheduled_messages', 'scheduled_message', { content: 'Mine' }],
    ['DELETE', '/scheduled_messages', 'scheduled_message'],
    ['DELETE', '/reminders', 'reminder'],
    ['DELETE', '/attachments', 'attachment'],
    ['DELETE', '/invites', 'invitation'],
    ['DELETE', '/invites/multiuse', 'invitation'],
    ['POST', '/invites', 'invitation'],
  ]
  for (const [method, path, kind, fields = {}] of own) {
    const id = guesses.kept(kind)
    ask(method, `${path}/${id}${method === 'POST' ? '/resend' : ''}`, fields, [id])
  }
  ask('GET', '/events', { queue_id: guesses.queue, last_event_id: -1, dont_block: true }, [guesses.queue])
  ask('DELETE', '/events', { queue_id: guesses.queue }, [guesses.queue])
  ask('GET', `/users/${x.id}`, {}, [])
  return all
}
