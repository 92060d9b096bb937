import { randomInt } from 'node:crypto'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSocket } from '../../bench/open-socket.ts'
import { type LocalServer, startLocalServer } from '../../scripts/local-server.ts'
import type { CreatedOrganization } from '../../scripts/organizations.ts'
import { wait } from '../../src/core/within-time.ts'
import { fromJson } from '../support/json.ts'
import { found } from './found.ts'

/**
 * People who log in with passwords over few and many connections, some of which are cut in the middle, beside others who send, register,
 * upload, poll and listen. Hashing holds the only thread: before it went through a gate, whoever cut a connection ended others with it.
 */
const CONNECTIONS = [1, 16, 64]
/** Logins over so many connections each. `LOGINS=300` (npm run test:nightly) is the full size: some 40 seconds of hashing each. */
const LOGINS = process.env.LOGINS ? CONNECTIONS.map(() => Number(process.env.LOGINS)) : [10, 40, 70]
/** Fewer than five logins of an account are cut, or their attempts would count as guesses of its password. */
const PEOPLE = Math.max(24, ...LOGINS.map((logins) => Math.ceil(logins / 5)))
const ONE_IN = 5
/** Milliseconds within which a connection is cut: before the request has been read, while it waits, or while its answer comes. */
const CUT_WITHIN = 1_500
/** Milliseconds that no answer takes on a machine several times as slow. */
const UNANSWERED = 100_000

let server: LocalServer
let ann: CreatedOrganization
beforeAll(async () => {
  server = await startLocalServer({ vars: { RATE_LIMITS: 'off', LOG: 'troubles', POLL_HOLD_SECONDS: '5' } })
  ann = await found(server)
}, 180_000)
afterAll(() => server?.stop())

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Record<string, unknown>
}

interface Asked {
  readonly method?: string
  readonly path: string
  readonly fields?: Readonly<Record<string, string>>
  readonly form?: FormData
  readonly key?: string
  readonly agent: Agent
  /** Milliseconds after which the connection is cut. */
  readonly cutAfter?: number
}

/** What has become of the requests that were not cut. */
const answers = { expected: 0, came: 0 }

/** Makes a request over a connection of its own agent. Returns undefined if the connection was cut. */
async function ask({
  method = 'POST',
  path,
  fields,
  form,
  key,
  agent,
  cutAfter,
}: Asked): Promise<Answer | undefined> {
  const inQuery = method === 'GET' && fields ? `?${new URLSearchParams(fields)}` : ''
  const posted = form ?? (method === 'GET' ? undefined : new URLSearchParams(fields))
  const encoded = new Response(posted)
  const body = Buffer.from(await encoded.arrayBuffer())
  const type = encoded.headers.get('content-type')
  const isCut = cutAfter !== undefined
  if (!isCut) answers.expected += 1
  return new Promise((resolve, reject) => {
    const headers = {
      'content-length': body.length,
      ...(type ? { 'content-type': type } : {}),
      ...(key ? { authorization: `Basic ${btoa(key)}` } : {}),
    }
    const sent = request(`${server.url}/api/v1${path}${inQuery}`, { method, agent, headers }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', () => isCut && resolve(undefined))
      response.on('end', () => {
        if (!isCut) answers.came += 1
        const text = Buffer.concat(parts).toString()
        resolve({ status: response.statusCode!, headers: response.headers, body: fromJson(text) })
      })
    })
    const what = `${method} ${path} was not answered`
    sent.on('error', (cause) => (isCut ? resolve(undefined) : reject(new Error(what, { cause }))))
    sent.setTimeout(UNANSWERED, () => sent.destroy(new Error(what)))
    if (isCut) setTimeout(() => sent.destroy(), cutAfter)
    sent.end(body)
  })
}

async function succeed(asked: Asked): Promise<Record<string, unknown>> {
  const answer = await ask(asked)
  expect(answer, asked.path).toMatchObject({ status: 200 })
  return answer!.body
}

const onOne = () => new Agent({ keepAlive: true, maxSockets: 1 })
const emailOf = (person: number) => `person-${person}@example.com`
const passwordOf = (person: number) => `correct horse ${person}`

/** Makes the accounts, and returns their keys. */
async function makePeople(): Promise<string[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  const key = keyOf(ann)
  const keys = Array.from({ length: PEOPLE }, async (_, person) => {
    const login = { email: emailOf(person), password: passwordOf(person) }
    await succeed({ path: '/users', fields: { ...login, full_name: `Person ${person}` }, key, agent })
    const fetched = await succeed({
      path: '/fetch_api_key',
      fields: { username: login.email, password: login.password },
      agent,
    })
    return fetched.api_key as string
  })
  const made = await Promise.all(keys)
  agent.destroy()
  return made
}

function keyOf({ email, api_key }: CreatedOrganization): string {
  return `${email}:${api_key}`
}

/** Logs people in, some with a wrong name; every fifth connection is cut meanwhile. */
async function logIn(connections: number, logins: number, keys: readonly string[]): Promise<void> {
  let next = 0
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const agent = onOne()
      for (let number = next++; number < logins; number = next++) {
        const isCut = number % ONE_IN === 1
        const isUnknown = number % ONE_IN === 3
        // Those that are cut are spread over all accounts.
        const person = isCut ? Math.floor(number / ONE_IN) % PEOPLE : number % PEOPLE
        const username = isUnknown ? `nobody-${connections}-${number}@example.com` : emailOf(person)
        const asked = { path: '/fetch_api_key', fields: { username, password: passwordOf(person) }, agent }
        if (isCut) {
          await ask({ ...asked, cutAfter: randomInt(CUT_WITHIN) })
          continue
        }
        const answer = await ask(asked)
        if (isUnknown) expect(answer).toMatchObject({ status: 401, body: { code: 'AUTHENTICATION_FAILED' } })
        else expect(answer).toMatchObject({ status: 200, body: { api_key: keys[person] } })
      }
      agent.destroy()
    }),
  )
}

/** What people do beside the logins, until they are over. */
class Others {
  readonly #key: string
  #isOver = false
  readonly acknowledged = new Map<string, number>()
  readonly tried = new Set<string>()
  readonly uploads: { readonly url: string; readonly bytes: number }[] = []
  #done: Promise<unknown>[] = []

  constructor(key: string) {
    this.#key = key
  }

  begin(): void {
    this.#done = [
      ...Array.from({ length: 3 }, (_, sender) =>
        this.#repeat((agent, time) => this.#send(agent, sender, time)),
      ),
      this.#repeat((agent) => this.#register(agent)),
      this.#repeat((agent) => this.#upload(agent)),
    ]
  }

  async end(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#done)
  }

  async #repeat(work: (agent: Agent, time: number) => Promise<unknown>): Promise<void> {
    const agent = onOne()
    for (let time = 0; !this.#isOver; time += 1) {
      await work(agent, time)
      await wait(randomInt(40))
    }
    agent.destroy()
  }

  #cut(time: number): { readonly cutAfter?: number } {
    return time % ONE_IN === 1 ? { cutAfter: randomInt(200) } : {}
  }

  async #send(agent: Agent, sender: number, time: number): Promise<void> {
    const content = `${sender}:${time}`
    this.tried.add(content)
    const fields = { type: 'stream', to: 'general', topic: `sender ${sender}`, content }
    const answer = await ask({ path: '/messages', fields, key: this.#key, agent, ...this.#cut(time) })
    if (!answer) return
    expect(answer).toMatchObject({ status: 200 })
    this.acknowledged.set(content, answer.body.id as number)
  }

  async #register(agent: Agent): Promise<void> {
    const asked = { path: '/register', fields: {}, key: this.#key, agent }
    await ask({ ...asked, cutAfter: randomInt(200) })
    const { queue_id } = await succeed(asked)
    await succeed({ ...asked, method: 'DELETE', path: '/events', fields: { queue_id: queue_id as string } })
  }

  async #upload(agent: Agent): Promise<void> {
    const bytes = 50_000 + randomInt(200_000)
    const form = new FormData()
    form.append('file', new Blob([Buffer.alloc(bytes, 'x')]), 'letter.txt')
    const asked = { path: '/user_uploads', form, key: this.#key, agent }
    await ask({ ...asked, cutAfter: randomInt(100) })
    const { url } = await succeed(asked)
    this.uploads.push({ url: url as string, bytes })
  }
}

interface Event {
  readonly id: number
  readonly message: { readonly id: number; readonly content: string }
}

async function registered(key: string): Promise<string> {
  const agent = onOne()
  const fields = { event_types: '["message"]', apply_markdown: 'false' }
  const { queue_id } = await succeed({ path: '/register', fields, key, agent })
  agent.destroy()
  return queue_id as string
}

/** Collects events until `isComplete`, by polls of which some are cut. */
async function poll(key: string, queue_id: string, isComplete: (received: readonly Event[]) => boolean) {
  const agent = onOne()
  const received: Event[] = []
  for (let time = 0; !isComplete(received); time += 1) {
    const fields = { queue_id, last_event_id: String(received.at(-1)?.id ?? -1) }
    const cut = time % ONE_IN === 1 ? { cutAfter: randomInt(100) } : {}
    const answer = await ask({ method: 'GET', path: '/events', fields, key, agent, ...cut })
    if (!answer) continue
    expect(answer).toMatchObject({ status: 200 })
    received.push(...(answer.body.events as Event[]).filter(({ message }) => message))
  }
  agent.destroy()
  return received
}

/** Collects events until `isComplete`, by one event stream, which stays open. */
async function listen(key: string, queue_id: string, isComplete: (received: readonly Event[]) => boolean) {
  const address = `${server.url}/api/v1/events?queue_id=${queue_id}&last_event_id=-1`
  const socket = openSocket(address, { authorization: `Basic ${btoa(key)}` })
  const received: Event[] = []
  let last = -1
  let closed: unknown
  socket.addEventListener('close', ({ code }) => {
    closed = code
  })
  socket.addEventListener('message', ({ data }) => {
    for (const event of fromJson<{ events: Event[] }>(String(data)).events) {
      last = event.id
      if (event.message) received.push(event)
    }
    if (last >= 0) socket.send(JSON.stringify({ last_event_id: last }))
  })
  while (!isComplete(received)) {
    expect(closed).toBe(undefined)
    await wait(100)
  }
  socket.close()
  return received
}

it('interrupted log-ins do not affect other users', { timeout: 1_200_000 }, async () => {
  const key = keyOf(ann)
  const keys = await makePeople()
  const others = new Others(key)
  let isSent = false
  const isComplete = (received: readonly Event[]) =>
    isSent &&
    [...others.acknowledged.values()].every((id) => received.some(({ message }) => message.id === id))
  const queues = [await registered(key), await registered(key)]
  const readers = [poll(key, queues[0]!, isComplete), listen(key, queues[1]!, isComplete)]
  others.begin()
  for (const [index, connections] of CONNECTIONS.entries()) await logIn(connections, LOGINS[index]!, keys)
  await others.end()
  isSent = true
  const received = await Promise.all(readers)

  // Every request whose connection was not cut has got one answer.
  expect(answers.came).toBe(answers.expected)
  const agent = onOne()
  const fields = {
    anchor: 'newest',
    num_before: '5000',
    num_after: '0',
    apply_markdown: 'false',
    narrow: JSON.stringify([{ operator: 'channel', operand: 'general' }]),
  }
  const { messages } = await succeed({ method: 'GET', path: '/messages', fields, key, agent })
  const stored = (messages as Event['message'][]).filter(({ content }) => /^\d+:\d+$/.test(content))
  expect(others.acknowledged.size).toBeGreaterThan(20)
  // What was acknowledged is stored; what was cut may be; and nothing is there twice.
  expect(stored.filter(({ content }) => !others.tried.has(content))).toEqual([])
  expect(new Set(stored.map(({ content }) => content)).size).toBe(stored.length)
  for (const [content, id] of others.acknowledged)
    expect(stored).toContainEqual(expect.objectContaining({ content, id }))
  const ids = stored.map(({ id }) => id)
  for (const events of received)
    expect(events.map(({ message }) => message.id)).toEqual(ids.slice(0, events.length))
  const { attachments } = (await succeed({ method: 'GET', path: '/attachments', key, agent })) as {
    attachments: { path_id: string; size: number }[]
  }
  for (const { url, bytes } of others.uploads) {
    const path_id = url.replace(/^.*\/user_uploads\//, '')
    expect(attachments).toContainEqual(expect.objectContaining({ path_id, size: bytes }))
  }
  // Nobody is locked out.
  for (const [person, api_key] of keys.entries()) {
    const login = { username: emailOf(person), password: passwordOf(person) }
    expect(await succeed({ path: '/fetch_api_key', fields: login, agent })).toMatchObject({ api_key })
  }
  agent.destroy()
})
