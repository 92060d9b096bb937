/** Measures operations in a large organization, and how long other users wait during them. */

import { type ApiClient, encodeFields, type ParameterValue } from '../scripts/api-client.ts'
import { fromJson } from '../scripts/json.ts'
import { type SeededOrganization, type SeedSize, seededEmail } from '../scripts/seed-organization.ts'
import type { RowCounts } from '../src/core/sql.ts'
import { type RequestRows, ROWS_HEADER } from '../src/dev/count-rows.ts'
import { seedTopic } from '../src/dev/seed/seed-plan.ts'
import { again } from './hostile-chat.ts'
import { type Ask, Connections } from './http-load.ts'
import { processorMs } from './processor-time.ts'
import type { LongestSlices } from './slices.ts'

export interface Asked {
  readonly name: string
  readonly method: Ask['method']
  readonly path: string
  readonly fields?: Record<string, ParameterValue>
}

export interface OperationCost {
  readonly name: string
  readonly ms: number
  /** Milliseconds of processor time of the server's process, including the other user's messages. */
  readonly processorMs: number
  /** Rows that the realm object read and wrote. */
  readonly rows: RowCounts
  /** The time of the slowest message of the other user meanwhile, in ms. */
  readonly longestWaitMs: number
  /** The longest turn of the realm object, in ms, during which the whole organization waited. */
  readonly longestTurnMs: number
}

/** Does some work, and returns the lengths of the turns of object and Worker meanwhile. */
export type Watch = <Result>(
  work: () => Promise<Result>,
) => Promise<{ readonly turns: LongestSlices; readonly result: Result }>

/** Milliseconds between two messages of the other user. */
const CHAT_EVERY_MS = 10
const PART = 1_000
/** The number that one request takes in several commits. */
const MANY = 10_000

/** The operations in order, since later ones depend on earlier ones. */
export async function operationCosts(
  owner: ApiClient,
  { firstUserId, firstChannelId }: SeededOrganization,
  { users, channels }: SeedSize,
  pid: number,
  watch: Watch,
): Promise<OperationCost[]> {
  const costs: OperationCost[] = []
  const other = await owner.logIn(seededEmail(0))
  const measure = async (client: ApiClient, asked: Asked) => {
    const { turns, result } = await watch(async () => {
      const chat = new Chat(other, firstUserId)
      const before = processorMs(pid)
      const { ms, rows } = await askCounted(client, asked)
      const spent = processorMs(pid) - before
      return { name: asked.name, ms, processorMs: spent, rows, longestWaitMs: await chat.end() }
    })
    costs.push({ ...result, longestTurnMs: turns.object })
  }
  const people = Array.from({ length: Math.min(users, PART) }, (_, at) => firstUserId + at)
  const member = await owner.logIn(seededEmail(Math.min(users, PART) - 1))
  const channel = firstChannelId
  const target = firstChannelId + Math.min(1, channels - 1)
  const topic = 'the long topic'

  await owner.call('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'everybody' }, { name: 'channel 1' }],
  })
  const message = { type: 'channel', to: channel, topic: 'measured', content: 'to everybody' }
  await measure(member, { name: 'send to everybody', method: 'POST', path: '/messages', fields: message })
  const register = (name: string, fields: Asked['fields']): Asked => ({
    name,
    method: 'POST',
    path: '/register',
    fields,
  })
  await measure(member, register('register, messages alone', { event_types: ['message'] }))
  await measure(member, register('register, everything', {}))
  const page = (name: string, narrow: ParameterValue[]): Asked => ({
    name,
    method: 'GET',
    path: '/messages',
    fields: { anchor: 'newest', num_before: 100, num_after: 0, narrow },
  })
  await measure(member, page('the newest 100', []))
  await member.call('POST', '/user_topics', { stream_id: channel, topic, visibility_policy: 1 })
  await measure(member, page('the newest 100 of what is muted', [['is', 'muted']]))
  await measure(member, page('a word', [['search', 'zyzzyva']]))
  const markAll = { op: 'add', flag: 'read', anchor: 'oldest', num_before: 0, num_after: 5_000, narrow: [] }
  const flags = { method: 'POST', path: '/messages/flags/narrow', fields: markAll } as const
  await measure(member, { name: 'mark 5,000 as read', ...flags })
  const reader = await owner.logIn(seededEmail(1))
  const inTopic = { stream_id: channel, topic_name: topic }
  await measure(reader, {
    name: 'mark the long topic as read',
    method: 'POST',
    path: '/mark_topic_as_read',
    fields: inTopic,
  })
  await measure(reader, {
    name: 'mark the channel of everybody as read',
    method: 'POST',
    path: '/mark_stream_as_read',
    fields: { stream_id: channel },
  })
  await measure(member, { name: 'mark all as read', method: 'POST', path: '/mark_all_as_read' })
  await measure(owner, {
    name: 'subscribe a thousand',
    method: 'POST',
    path: '/users/me/subscriptions',
    fields: { subscriptions: [{ name: 'a new channel' }], principals: people },
  })
  const many = Array.from({ length: Math.min(users, MANY) }, (_, at) => firstUserId + at)
  await measure(owner, {
    name: 'subscribe everybody, at most 10,000',
    method: 'POST',
    path: '/users/me/subscriptions',
    fields: { subscriptions: [{ name: 'another new channel' }], principals: many },
  })
  await measure(owner, {
    name: 'a group of a thousand',
    method: 'POST',
    path: '/user_groups/create',
    fields: { name: 'measured', description: '', members: people },
  })

  const crowd = { type: 'channel', to: channel, topic: 'measured', content: '@*measured*' }
  await measure(owner, { name: 'mention them', method: 'POST', path: '/messages', fields: crowd })
  const names = Array.from({ length: channels }, (_, at) => `channel ${at}`).slice(1)
  const subscribe = { method: 'POST', path: '/users/me/subscriptions' } as const
  const all = { subscriptions: names.map((name) => ({ name })), authorization_errors_fatal: false }
  await measure(owner, { name: 'join all channels', ...subscribe, fields: all })
  const none = { method: 'PATCH', path: '/users/me/subscriptions', fields: { delete: names } } as const
  await measure(owner, { name: 'leave all channels', ...none })
  await measure(owner, {
    name: 'leave the channel of everybody, unread',
    method: 'PATCH',
    path: '/users/me/subscriptions',
    fields: { delete: ['everybody'] },
  })
  await owner.call('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'everybody' }, { name: 'channel 1' }],
  })
  await measure(owner, {
    name: 'delete a topic that was never moved',
    method: 'POST',
    path: `/streams/${channel}/delete_topic`,
    fields: { stream_id: channel, topic_name: seedTopic(1) },
  })

  const change = async (name: string, fields: Record<string, ParameterValue>): Promise<void> => {
    const all = { propagate_mode: 'change_all', send_notification_to_new_thread: false, ...fields }
    await measure(owner, { name, method: 'PATCH', path: `/messages/${id}`, fields: all })
  }
  const { messages } = await owner.call<{ messages: { id: number }[] }>('GET', '/messages', {
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    narrow: [
      ['channel', String(channel)],
      ['topic', topic],
    ],
  })
  const id = messages[0]!.id
  await change('resolve the long topic', { topic: `✔ ${topic}` })
  await change('rename it', { topic: 'renamed' })
  await change('move it to another channel', { stream_id: target })
  for (const client of [owner, member]) {
    const whose = client === owner ? 'owner' : 'member'
    await measure(client, { name: `users/me afterwards, ${whose}`, method: 'GET', path: '/users/me' })
  }
  await measure(member, register('register, everything, afterwards', {}))
  await measure(member, page('the newest 100 afterwards', [['channel', String(target)]]))
  const doomed = { stream_id: target, topic_name: 'renamed' }
  await measure(owner, {
    name: 'delete it',
    method: 'POST',
    path: `/streams/${target}/delete_topic`,
    fields: doomed,
  })
  await measure(owner, { name: 'users/me without it', method: 'GET', path: '/users/me' })
  return costs
}

/** Makes one request, and returns the rows that it cost. */
export async function askCounted(
  client: ApiClient,
  { method, path, fields = {} }: Asked,
): Promise<{ ms: number; rows: RowCounts }> {
  const connections = new Connections()
  const encoded = encodeFields(fields)
  const url = `${client.url}/api/v1${path}`
  const began = performance.now()
  const ask = () =>
    connections.ask({
      method,
      url: method === 'GET' ? `${url}?${encoded}` : url,
      form: method === 'GET' ? undefined : encoded,
      headers: { ...client.authorization(), [ROWS_HEADER]: 'count' },
    })
  const { headers } = await untilWhole(ask)
  const ms = performance.now() - began
  connections.close()
  return { ms, rows: fromJson<RequestRows>(String(headers[ROWS_HEADER])).object }
}

/** Repeats a request of many commits that ran out of time on a busy machine, as its client has to. */
async function untilWhole<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask()
    } catch (error) {
      if (attempt === 5 || !String(error).includes('answered 503')) throw error
      await new Promise((resolve) => setTimeout(resolve, 1_000))
    }
  }
}

/** A user who keeps writing notes to themselves. */
class Chat {
  #isOver = false
  #longest = 0
  readonly #running: Promise<void>

  constructor(writer: ApiClient, userId: number) {
    this.#running = this.#run(writer, { type: 'direct', to: [userId], content: 'a note' })
  }

  /** The longest wait so far, in ms. */
  async end(): Promise<number> {
    this.#isOver = true
    await this.#running
    return this.#longest
  }

  async #run(writer: ApiClient, note: Record<string, ParameterValue>): Promise<void> {
    do {
      const began = performance.now()
      await again(() => writer.call('POST', '/messages', note))
      this.#longest = Math.max(this.#longest, performance.now() - began)
      await new Promise((resolve) => setTimeout(resolve, CHAT_EVERY_MS))
    } while (!this.#isOver)
  }
}
