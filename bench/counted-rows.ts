/** Counts the rows of operations, which are billed and do not depend on the machine. */

import { encodeFields, type ParameterValue } from '../scripts/api-client.ts'
import { fromJson } from '../scripts/json.ts'
import type { RowCounts } from '../src/core/sql.ts'
import { type RequestRows, ROWS_HEADER } from '../src/dev/count-rows.ts'
import { type Ask, Connections } from './http-load.ts'
import type { BenchOrganization } from './organization.ts'

export interface OperationRows {
  readonly operation: string
  readonly subscribers: number
  readonly object: RowCounts
  /** Rows that the Worker read in D1, and rows that the projection wrote there afterwards. */
  readonly d1: RowCounts
}

/** People who are notified of a message by mail. Each costs at most two rows, or one if a mail to them is waiting already. */
const MAILED = 5

type Fields = Record<string, ParameterValue>

/** Counts every operation once, in a channel of ten and in one of a thousand. */
export async function countOperations(organization: BenchOrganization): Promise<OperationRows[]> {
  const counter = new Counter(organization)
  const rows: OperationRows[] = []
  for (const subscribers of [10, 1000] as const) {
    rows.push(...(await countIn(counter, organization, subscribers)))
  }
  counter.close()
  return rows
}

async function countIn(
  counter: Counter,
  organization: BenchOrganization,
  subscribers: 10 | 1000,
): Promise<OperationRows[]> {
  const { channels, people } = organization
  const channel = channels[subscribers]
  const elsewhere = channels[subscribers === 10 ? 1000 : 10]
  const reader = people[0]!
  const rows: OperationRows[] = []
  const count = async (operation: string, ask: Asked): Promise<Record<string, unknown>> => {
    const { answer, object, d1 } = await counter.count(ask)
    rows.push({ operation, subscribers, object, d1 })
    return answer
  }
  const message = (content: string, topic: string): Asked => ({
    method: 'POST',
    path: '/messages',
    fields: { type: 'channel', to: channel, topic, content },
  })
  const send = async (content: string, topic = 'counted') =>
    (await counter.count(message(content, topic))).answer.id as number

  // Creates the topic, the client and the first counters before anything is counted.
  const id = await send('first')
  await count('send to a channel', message('second', 'counted'))
  await count('send, one mentioned', message('hello @**Person 0**', 'counted'))
  // No client is open, so everyone who wants mail about the channel is away and gets a row.
  await counter.wantMail(organization.people.slice(0, MAILED), channel, true)
  await count(`send, ${MAILED} mailed`, message('fourth', 'counted'))
  await count(`send, the same ${MAILED} again`, message('fifth', 'counted'))
  await counter.wantMail(organization.people.slice(0, MAILED), channel, false)
  await count('send to a new topic', message('third', `new ${subscribers}`))
  await count('edit the content', { method: 'PATCH', path: `/messages/${id}`, fields: { content: 'edited' } })
  const quiet = { send_notification_to_new_thread: false }
  const moved = { topic: 'moved', ...quiet }
  await count('move one to a topic', { method: 'PATCH', path: `/messages/${id}`, fields: moved })
  const hundred = `hundred for ${subscribers}`
  let last = 0
  for (let index = 0; index < 100; index += 1) last = await send(`line ${index}`, hundred)
  const all = { propagate_mode: 'change_all', ...quiet }
  const path = `/messages/${last}`
  await count('move 100 to a topic', {
    method: 'PATCH',
    path,
    fields: { topic: `${hundred}, moved`, ...all },
  })
  await count('resolve a topic of 100', {
    method: 'PATCH',
    path,
    fields: { topic: `✔ ${hundred}, moved`, ...all },
  })
  await count('fetch 100', {
    method: 'GET',
    path: '/messages',
    fields: { anchor: 'newest', num_before: 100, narrow: [['channel', String(channel)]] },
  })
  await count('move 100 to a channel', { method: 'PATCH', path, fields: { stream_id: elsewhere, ...all } })
  await count('react', {
    method: 'POST',
    path: `/messages/${id}/reactions`,
    fields: { emoji_name: 'tada' },
  })
  const flags = (fields: Fields): Asked => ({ method: 'POST', path: '/messages/flags', fields, as: reader })
  await count('star', flags({ messages: [id], op: 'add', flag: 'starred' }))
  await count('mark one read', flags({ messages: [id], op: 'add', flag: 'read' }))
  const ids = Array.from({ length: 100 }, (_, index) => last - index)
  await count('mark 100 read', flags({ messages: ids, op: 'add', flag: 'read' }))
  await count('delete', { method: 'DELETE', path: `/messages/${id}`, fields: {} })
  await count('type', {
    method: 'POST',
    path: '/typing',
    fields: { type: 'channel', op: 'start', stream_id: channel, topic: 'counted' },
  })
  await count('register, everything', { method: 'POST', path: '/register', fields: {} })
  const registered = await count('register, messages only', {
    method: 'POST',
    path: '/register',
    fields: { event_types: ['message'] },
  })
  await count('poll, nothing there', {
    method: 'GET',
    path: '/events',
    fields: { queue_id: registered.queue_id as string, last_event_id: -1, dont_block: true },
  })
  return rows
}

interface Asked {
  readonly method: Ask['method']
  readonly path: string
  readonly fields: Fields
  /** The speaker by default. */
  readonly as?: As
}

type As = { readonly authorization: Record<string, string> }

class Counter {
  readonly #connections = new Connections()
  readonly #organization: BenchOrganization

  constructor(organization: BenchOrganization) {
    this.#organization = organization
  }

  async count({ method, path, fields, as }: Asked): Promise<{
    answer: Record<string, unknown>
    object: RowCounts
    d1: RowCounts
  }> {
    const { url, speaker } = this.#organization
    const before = await this.#projected()
    const encoded = encodeFields(fields)
    const reply = await this.#connections.ask({
      method,
      url: method === 'GET' ? `${url}/api/v1${path}?${encoded}` : `${url}/api/v1${path}`,
      form: method === 'GET' ? undefined : encoded,
      headers: { ...(as ?? speaker).authorization, [ROWS_HEADER]: 'count' },
    })
    const { object, d1 } = fromJson<RequestRows>(String(reply.headers[ROWS_HEADER]))
    const after = await this.#projected()
    return {
      answer: fromJson<Record<string, unknown>>(reply.text),
      object,
      d1: {
        read: d1.read + after.read - before.read,
        written: d1.written + after.written - before.written,
      },
    }
  }

  /** Sets whether these people get mail about all messages of a channel. */
  async wantMail(people: readonly As[], channel: number, value: boolean): Promise<void> {
    const wanted = [{ stream_id: channel, property: 'email_notifications', value }]
    const fields = { subscription_data: wanted }
    for (const as of people) {
      await this.count({ method: 'POST', path: '/users/me/subscriptions/properties', fields, as })
    }
  }

  close(): void {
    this.#connections.close()
  }

  async #projected(): Promise<RowCounts> {
    const reply = await this.#connections.ask({ method: 'GET', url: `${this.#organization.url}/dev/rows` })
    return fromJson<{ d1: RowCounts }>(reply.text).d1
  }
}
