import { afterEach, beforeEach, expect, it } from 'vitest'
import { type LocalServer, startLocalServer } from '../../scripts/local-server.ts'
import type { CreatedOrganization } from '../../scripts/organizations.ts'
import { readJson } from '../support/json.ts'
import { found } from './found.ts'

const SENDERS = 8
const KILLS = 3
/** Number of messages that are acknowledged before the next kill; the load has begun again by then. */
const BETWEEN_KILLS = 5 * SENDERS

let server: LocalServer
let ann: CreatedOrganization
beforeEach(async () => {
  server = await startLocalServer({ vars: { RATE_LIMITS: 'off', POLL_HOLD_SECONDS: '2' } })
  ann = await found(server)
})
afterEach(() => server.stop())

type Fields = Record<string, string>

async function ask(method: string, path: string, fields: Fields = {}, headers: Fields = {}) {
  const search = new URLSearchParams(fields)
  const inQuery = method === 'GET'
  const response = await fetch(`${server.url}/api/v1${path}${inQuery ? `?${search}` : ''}`, {
    method,
    headers: { authorization: `Basic ${btoa(`${ann.email}:${ann.api_key}`)}`, ...headers },
    body: inQuery ? undefined : search,
    signal: AbortSignal.timeout(10_000),
  })
  if (response.status >= 500) throw new Error(`${response.status}`)
  return readJson(response)
}

/** Repeats a request until there is an answer, as a client does that has lost the connection. */
async function insist(method: string, path: string, fields?: Fields, headers?: Fields) {
  for (;;) {
    try {
      return await ask(method, path, fields, headers)
    } catch {
      await new Promise((done) => setTimeout(done, 50))
    }
  }
}

it('after kill -9 under load each acknowledged message exists once, and queues continue', {
  timeout: 120_000,
}, async () => {
  const registered = await Promise.all(
    Array.from({ length: 3 }, () =>
      ask('POST', '/register', { event_types: '["message"]', apply_markdown: 'false' }),
    ),
  )
  const acknowledged = new Map<string, number>()
  let stop = false
  /** No more messages are sent. */
  let complete = false

  const senders = Array.from({ length: SENDERS }, async (_, sender) => {
    for (let count = 0; !stop; count += 1) {
      const content = `${sender}:${count}`
      const message = { type: 'stream', to: 'general', topic: `sender ${sender}`, content }
      const { id } = await insist('POST', '/messages', message, { 'idempotency-key': content })
      acknowledged.set(content, id)
    }
  })
  const untilMoreAcknowledged = () => {
    const enough = acknowledged.size + BETWEEN_KILLS
    return expect.poll(() => acknowledged.size, { timeout: 30_000 }).toBeGreaterThanOrEqual(enough)
  }
  const received = registered.map(() => [] as { id: number; message: { id: number; content: string } }[])
  const readers = registered.map(async ({ queue_id }, reader) => {
    for (let last = -1; ; ) {
      const answer = await insist('GET', '/events', { queue_id, last_event_id: String(last) })
      expect(answer.result, JSON.stringify(answer)).toBe('success')
      for (const event of answer.events) {
        last = event.id
        if (event.type === 'message') received[reader]!.push(event)
      }
      if (complete && received[reader]!.length >= acknowledged.size) return
    }
  })

  for (let kill = 0; kill < KILLS; kill += 1) {
    await untilMoreAcknowledged()
    const pid = server.runtimePid()
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => server.runtimePid(), { timeout: 30_000 }).not.toBe(pid)
  }
  await untilMoreAcknowledged()
  stop = true
  await Promise.all(senders)
  complete = true
  await Promise.all(readers)

  const byContent = (a: [string, number], b: [string, number]) => a[1] - b[1]
  const expected = [...acknowledged].sort(byContent)
  expect(expected.length).toBeGreaterThan(SENDERS * KILLS)
  // Each queue has every message once, in order, and event ids rise over the crashes.
  for (const events of received) {
    expect(events.map(({ message }): [string, number] => [message.content, message.id])).toEqual(expected)
    const ids = events.map(({ id }) => id)
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b))
  }
  // GET /messages has the same messages, and no others.
  const { messages } = await ask('GET', '/messages', {
    anchor: 'newest',
    num_before: '5000',
    num_after: '0',
    apply_markdown: 'false',
    narrow: JSON.stringify([{ operator: 'channel', operand: 'general' }]),
  })
  const found = messages
    .filter(({ content }: { content: string }) => /^\d+:\d+$/.test(content))
    .map(({ id, content }: { id: number; content: string }) => [content, id])
  expect(found).toEqual(expected.slice(-found.length))
  expect(found.length).toBe(Math.min(expected.length, 5_000))
})
