import { beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest'
import { expectSuccess, type TestUser } from '../support/factories.ts'
import { inRealm } from '../support/inside.ts'
import { fromJson } from '../support/json.ts'
import { visit } from '../support/pages.ts'
import { openQueue } from '../support/queues.ts'
import { useReliableD1 } from '../support/reliable-d1.ts'
import { postFiles, readStatus, upload } from '../support/uploads.ts'
import { buildRealm, useRealm } from '../support/use-realm.ts'
import { type RealmInterceptor, world } from '../support/world.ts'

const { realm, ann } = useRealm({ ann: 'member' })
let logged: MockInstance
useReliableD1()
beforeEach(() => {
  // The failures make the server log errors.
  logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})

const UNAVAILABLE = {
  result: 'error',
  msg: 'The server cannot answer just now. Please try again in a moment.',
  code: 'SERVICE_UNAVAILABLE',
}

function expectUnavailable(
  { status, headers, body }: Awaited<ReturnType<TestUser['api']['get']>>,
  seconds = 1,
) {
  expect([status, headers.get('retry-after')]).toEqual([503, String(seconds)])
  expect(body).toEqual({ ...UNAVAILABLE, 'retry-after': seconds })
}

const send = (content: string, params = {}) =>
  ann.api.post('/messages', { type: 'direct', to: [ann.id], content, ...params })

/** The platform's errors, with the properties that it sets on them. */
const overloaded = () =>
  Object.assign(new Error('Durable Object is overloaded. Too many requests queued.'), { overloaded: true })
const lostConnection = () => Object.assign(new Error('Network connection lost.'), { retryable: true })
const codeUpdated = () =>
  Object.assign(new Error('Durable Object reset because its code was updated.'), { durableObjectReset: true })
const notResolved = () =>
  Object.assign(new Error('Cannot resolve Durable Object due to transient issue on remote node.'), {
    retryable: true,
  })

/** Fails the given number of RPCs to the realm object, before or after they are executed; counts all. */
function failing(times: number, error: () => Error, when: 'before' | 'after' = 'before') {
  const count = { calls: 0 }
  const reach: RealmInterceptor = async (call) => {
    count.calls += 1
    if (count.calls > times) return call()
    if (when === 'after') await call()
    throw error()
  }
  world.reach = reach
  return count
}

describe('while the realm object is overloaded', () => {
  it.each([
    ['GET', '/users/me', {}],
    ['POST', '/messages', { type: 'direct', to: [1], content: 'x' }],
    ['POST', '/register', {}],
    ['GET', '/events', { queue_id: 'x', last_event_id: -1 }],
  ])('%s %s is refused with 503, without a retry', async (method, path, params) => {
    const count = failing(Number.POSITIVE_INFINITY, overloaded)
    expectUnavailable(await ann.api.request(method, path, params), 5)
    expect(count.calls).toBe(1)
  })

  it('pages and files are refused with 503, too', async () => {
    failing(Number.POSITIVE_INFINITY, overloaded)
    const page = await visit(`http://${realm.host}/`)
    expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
    expect(page.text).toContain('The server can’t respond right now. Try again in a moment.')
    const key = { Authorization: `Basic ${btoa(`${ann.email}:${ann.apiKey}`)}` }
    for (const path of ['/user_uploads/1/ab/cd/file.txt', '/avatar/1']) {
      const file = await visit(`http://${realm.host}${path}`, { headers: key })
      expect([file.status, file.headers.get('retry-after')]).toEqual([503, '5'])
    }
  })
})

describe('when the connection to the realm object is lost', () => {
  it.each([
    ['before', lostConnection],
    ['after', lostConnection],
    ['after', codeUpdated],
  ] as const)('%s the call was made, a read is retried (%#)', async (when, error) => {
    const count = failing(1, error, when)
    expectSuccess(await ann.api.get('/users/me'))
    expect(count.calls).toBe(2)
  })

  it('a message with an Idempotency-Key is sent again, and stored once', async () => {
    const queue = await openQueue(ann, { event_types: ['message'] })
    failing(1, lostConnection, 'after')
    const keyed = expectSuccess(await send('keyed', { queue_id: queue.id, local_id: '1' }))
    failing(1, lostConnection, 'after')
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const params = { type: 'direct', to: [ann.id], content: 'with a header' }
    const named = expectSuccess(await ann.api.request('POST', '/messages', params, { headers }))
    const ids = (await queue.eventsOf('message')).map(({ message }) => message.id)
    expect(ids).toEqual([keyed.id, named.id])
  })

  it('a queue is registered all the same', async () => {
    failing(1, lostConnection, 'after')
    const { queue_id } = expectSuccess(await ann.api.post('/register'))
    failing(1, lostConnection)
    const poll = { queue_id, last_event_id: -1, dont_block: true }
    expectSuccess(await ann.api.get('/events', poll))
  })

  it.each([lostConnection, codeUpdated])(
    'a message without an Idempotency-Key is not sent again (%#)',
    async (error) => {
      const queue = await openQueue(ann, { event_types: ['message'] })
      const count = failing(1, error, 'after')
      expectUnavailable(await send('once'))
      expect(count.calls).toBe(1)
      expect(await queue.eventsOf('message')).toHaveLength(1)
    },
  )

  it('a message without one is sent again if the object cannot have received it', async () => {
    const queue = await openQueue(ann, { event_types: ['message'] })
    failing(1, notResolved)
    const { id } = expectSuccess(await send('late'))
    expect((await queue.eventsOf('message')).map(({ message }) => message.id)).toEqual([id])
  })

  it('it gives up after three attempts', async () => {
    const count = failing(Number.POSITIVE_INFINITY, lostConnection)
    expectUnavailable(await ann.api.get('/users/me'))
    expect(count.calls).toBe(3)
  })

  it('a poll that waits goes on when the object can be reached again', async () => {
    const queue = await openQueue(ann, { event_types: ['message'] })
    const held = world.pollsHeld
    const answer = ann.api.get('/events', { queue_id: queue.id, last_event_id: -1 })
    await expect.poll(() => world.pollsHeld).toBe(held + 1)
    world.crashAt = 'committed'
    let failures = 0
    world.reach = (call, kind) => {
      if (kind !== 'fetch' || failures === 2) return call()
      failures += 1
      return Promise.reject(overloaded())
    }
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const params = { type: 'direct', to: [ann.id], content: 'crash' }
    expectSuccess(await ann.api.request('POST', '/messages', params, { headers }))
    expect(expectSuccess(await answer).events).toMatchObject([{ message: { content: '<p>crash</p>' } }])
    expect(failures).toBe(2)
  })
})

describe('while D1 is down', () => {
  const down = () => Promise.reject(new Error('D1_ERROR: Network connection lost.'))

  it('an organization that the Worker has not cached is refused with 503', async () => {
    world.d1 = down
    const address = `http://unmet-${crypto.randomUUID()}.test`
    for (const path of ['/api/v1/server_settings', '/api/v1/users/me', '/api/v1/messages']) {
      const page = await visit(`${address}${path}`)
      expect([page.status, page.headers.get('retry-after')]).toEqual([503, '1'])
      expect(fromJson(page.text)).toMatchObject(UNAVAILABLE)
    }
    const page = await visit(`${address}/`)
    expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
  })

  it('one that it has cached keeps working', async () => {
    expectSuccess(await ann.api.get('/users/me'))
    world.d1 = down
    expectSuccess(await ann.api.get('/users/me'))
    expectSuccess(await send('in the tail'))
  })

  it('a moment of it is bridged by a retry', async () => {
    let calls = 0
    world.d1 = (call) => {
      calls += 1
      return calls === 1 ? down() : call()
    }
    expect((await visit(`http://unmet-${crypto.randomUUID()}.test/api/v1/server_settings`)).status).toBe(400)
    // A copy of D1 is asked, and asked again; it knows no such host, so D1 itself is asked last.
    expect(calls).toBe(3)
  })

  it('texts that only D1 has are refused with 503, and searches too', async () => {
    // An object that wakes up reads the newest bodies from its log.
    world.evictable = false
    const { realm: fresh } = await buildRealm()
    const { api } = fresh.owner
    const note = { type: 'direct', to: [fresh.owner.id], content: 'only in D1' }
    const { id } = expectSuccess(await api.post('/messages', note))
    await expect.poll(() => inRealm(fresh, ({ parts }) => parts.tail.get(id))).toBeUndefined()
    world.d1 = down
    expectUnavailable(await api.get(`/messages/${id}`))
    const search = [{ operator: 'search', operand: 'only' }]
    const page = { anchor: 'newest', num_before: 5, num_after: 0, narrow: search }
    expectUnavailable(await api.get('/messages', page))
    // Editing needs the old body, which is read before anything is decided.
    expectUnavailable(await api.patch(`/messages/${id}`, { content: 'changed' }))
    world.d1 = (call) => call()
    const { message } = expectSuccess(await api.get(`/messages/${id}`, { apply_markdown: false }))
    expect(message.content).toBe('only in D1')
  })
})

describe('files, while their store is down', () => {
  it('are neither stored nor served: 503, and nothing half-stored remains', async () => {
    const path = await upload(ann)
    const { attachments } = expectSuccess(await ann.api.get('/attachments'))
    world.storeIsDown = true
    const refused = await postFiles(ann, '/user_uploads', [{ name: 'lost.txt' }])
    expectUnavailable(refused)
    expect(await readStatus(realm, path, ann)).toBe(503)
    expect(await readStatus(realm, `/user_avatars/${realm.id}/realm/icon/1.png`)).not.toBe(500)
    world.storeIsDown = false
    expect(await readStatus(realm, path, ann)).toBe(200)
    expect(expectSuccess(await ann.api.get('/attachments')).attachments).toEqual(attachments)
  })
})

describe('a bug', () => {
  // An object that has thrown keeps a reference in local workerd, and is not evicted before that is given up.
  beforeEach(() => {
    world.evictable = false
  })

  const BROKEN = { result: 'error', msg: 'Internal server error', code: 'INTERNAL_SERVER_ERROR' }

  it('in the realm object: 500 without detail, nothing is changed, and it keeps working', async () => {
    const queue = await openQueue(ann, { event_types: ['message'] })
    world.bugAt = 'decided'
    const response = await send('never')
    expect([response.status, response.body]).toEqual([500, BROKEN])
    expect(world.bugAt).toBeUndefined()
    expect(logged).toHaveBeenCalledWith(
      expect.stringMatching(/"operation":"send-message","error":"Error: A bug at decided/),
    )
    expectSuccess(await send('again'))
    const contents = (await queue.eventsOf('message')).map(({ message }) => message.content)
    expect(contents).toEqual(['<p>again</p>'])
  })

  it('in a query for D1: 500 without detail', async () => {
    world.d1 = () => Promise.reject(new Error('D1_ERROR: near "FORM": syntax error: SQLITE_ERROR'))
    const page = await visit(`http://unmet-${crypto.randomUUID()}.test/api/v1/server_settings`)
    expect([page.status, fromJson(page.text)]).toEqual([500, BROKEN])
    expect(page.text).not.toContain('SQLITE')
  })

  it('in what leads to the endpoint: 500 without detail', async () => {
    world.reach = () => Promise.reject(new TypeError('undefined is not a function'))
    const response = await ann.api.get('/users/me')
    expect([response.status, response.body]).toEqual([500, BROKEN])
  })
})
