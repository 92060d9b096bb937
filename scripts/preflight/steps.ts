/** What the checks of `npm run preflight` do as a client. */
import type { ApiClient } from '../api-client.ts'
import { drawInitials } from '../draw-initials.ts'

export interface Checked {
  readonly url: string
  readonly owner: ApiClient
  readonly password: string
  /** The organization's host. */
  readonly host: string
  /** Runs a statement on its D1. */
  query(sql: string): Promise<{ readonly results: readonly object[] }>
  /** Minutes for which a queue is polled. */
  readonly pollMinutes: number
  /** Who gets a test mail. */
  readonly mailTo: string | undefined
  /** Has the organization's object evicted, or waits until it should be. */
  sleep(): Promise<void>
}

export function expectThat(condition: boolean, otherwise: string): void {
  if (!condition) throw new Error(otherwise)
}

export async function timed(work: () => Promise<unknown>): Promise<string> {
  const began = performance.now()
  await work()
  return `${(performance.now() - began).toFixed(0)} ms`
}

/** How a check answers that needs an option. */
export const ONLY_WITH = 'only with '
export const CHANNEL = 'preflight'
export const TOPIC = 'checks'

export function send(owner: ApiClient, content: string): Promise<{ id: number }> {
  return owner.call('POST', '/messages', { type: 'channel', to: CHANNEL, topic: TOPIC, content })
}

export async function sourceOf(owner: ApiClient, id: number): Promise<string> {
  const params = { apply_markdown: false }
  const { message } = await owner.call<{ message: { content: string } }>('GET', `/messages/${id}`, params)
  return message.content
}

export async function refusedWith(answer: Promise<Response>, status: number): Promise<Response> {
  const response = await answer
  expectThat(response.status === status, `it answers ${response.status} in place of ${status}`)
  return response
}

interface Queue {
  readonly queue_id: string
  last_event_id: number
}

export function openQueue(owner: ApiClient): Promise<Queue> {
  return owner.call('POST', '/register', { event_types: ['message'] })
}

/** Polls once; returns the contents of new messages. */
export async function poll(owner: ApiClient, queue: Queue): Promise<string[]> {
  interface Polled {
    events: { id: number; type: string; message?: { content: string } }[]
  }
  const { events } = await owner.call<Polled>('GET', '/events', { ...queue })
  queue.last_event_id = events.at(-1)?.id ?? queue.last_event_id
  return events.flatMap(({ message }) => message?.content ?? [])
}

/** Polls until a message comes. */
export async function untilHeard(owner: ApiClient, queue: Queue, text: string): Promise<void> {
  for (let polls = 0; polls < 5; polls += 1) {
    if ((await poll(owner, queue)).some((content) => content.includes(text))) return
  }
  throw new Error('five polls did not have the message')
}

export async function uploaded(owner: ApiClient, name: string): Promise<string> {
  return (await owner.upload<{ url: string }>('POST', '/user_uploads', drawInitials(name))).url
}

export const heads = (owner: ApiClient) => owner.authorization()

/** Opens an event stream; returns what resolves when a message comes over it, and what closes it. */
export async function openStream(
  owner: ApiClient,
  text: string,
): Promise<{ heard: Promise<void>; close: () => void }> {
  const { queue_id, last_event_id } = await openQueue(owner)
  const query = new URLSearchParams({ queue_id, last_event_id: String(last_event_id) })
  const url = `${owner.url.replace(/^http/, 'ws')}/api/v1/events?${query}`
  // Node's sockets take headers, which the types of a browser's do not know.
  const socket: WebSocket = Reflect.construct(WebSocket, [url, { headers: heads(owner) }])
  const heard = new Promise<void>((resolve, reject) => {
    socket.addEventListener('message', ({ data }) => String(data).includes(text) && resolve())
    socket.addEventListener('close', ({ code }) => reject(new Error(`the stream was closed with ${code}`)))
  })
  // Whoever waits for it later gets the error then.
  heard.catch(() => {})
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error('no stream is opened')))
  })
  return { heard, close: () => socket.close() }
}
