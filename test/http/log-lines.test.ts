import { runDurableObjectAlarm } from 'cloudflare:test'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiClient, askWorker, realmStub } from '../support/api.ts'
import { buildChannel, expectSuccess } from '../support/factories.ts'
import { inRealm } from '../support/inside.ts'
import { captureLog, MARKER, requireSilence } from '../support/log-lines.ts'
import { visit } from '../support/pages.ts'
import { useReliableD1 } from '../support/reliable-d1.ts'
import { authorization, fetchPath, upload } from '../support/uploads.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

// Before the organization is made: what D1 has refused then would still be waiting.
useReliableD1()
const { realm, ann } = useRealm({ ann: 'member' })
// An object that wakes up reads the setting from its own environment, which tests cannot change.
beforeEach(() => {
  world.evictable = false
})
afterEach(() => vi.restoreAllMocks())

const KNOWN_FACTS = new Set([
  ...['at', 'level', 'what', 'operation', 'method', 'status', 'code', 'duration_ms', 'held_ms'],
  ...['rows_read', 'rows_written', 'far_trips', 'near_trips', 'organization'],
])

describe('a request', () => {
  it('is one line: operation, status, time, rows, far trips, organization', async () => {
    const { id } = await buildChannel([ann])
    const log = captureLog()
    const params = { type: 'channel', to: id, topic: 'a', content: 'words' }
    expectSuccess(await ann.api.post('/messages', params))
    const [line, ...others] = log.lines('request')
    expect(others).toEqual([])
    expect(line).toMatchObject({
      level: 'info',
      operation: 'send-message',
      method: 'POST',
      status: 200,
      organization: realm.host,
      far_trips: 1,
      near_trips: 0,
    })
    expect(line!.duration_ms).toBeGreaterThanOrEqual(0)
    expect(line!.rows_written).toBeGreaterThan(3)
    expect(line!.rows_read).toBeGreaterThan(3)
    expect(Object.keys(line!).filter((name) => !KNOWN_FACTS.has(name))).toEqual([])
  })

  it('counts calls of D1, from the Worker and from the object', async () => {
    // The object itself returns texts that D1 does not have yet, so D1 gets them first.
    await inRealm(realm, ({ parts }) => parts.projector.kick())
    const log = captureLog()
    expectSuccess(await ann.api.get('/messages', { anchor: 'newest', num_before: 5, num_after: 0 }))
    const search = [{ operator: 'search', operand: 'nowhere' }]
    const page = { anchor: 'newest', num_before: 5, num_after: 0, narrow: search }
    expectSuccess(await ann.api.get('/messages', page))
    const trips = log.lines('request').map(({ far_trips, near_trips }) => [far_trips, near_trips])
    expect(trips).toEqual([
      [1, 1],
      [1, 1],
    ])
  })

  it('that is refused has its code; one refused for load is a warning', async () => {
    const log = captureLog()
    expect((await ann.api.get('/messages/999999')).status).toBe(400)
    world.reach = () =>
      Promise.reject(Object.assign(new Error('Durable Object is overloaded.'), { overloaded: true }))
    expect((await ann.api.get('/users/me')).status).toBe(503)
    expect(log.lines('request')).toMatchObject([
      { level: 'info', operation: 'get-message', status: 400, code: 'BAD_REQUEST' },
      { level: 'warn', operation: 'get-own-user', status: 503, code: 'SERVICE_UNAVAILABLE' },
    ])
  })

  it.each([
    ['a form', 'POST', '/api/v1/messages', 'application/x-www-form-urlencoded', 'content=wor'],
    [
      'a file',
      'POST',
      '/api/v1/user_uploads',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="a"; filename="b"\r\n\r\nc',
    ],
    ['a form of a page', 'POST', '/accounts/login/', 'application/x-www-form-urlencoded', 'username=a'],
  ])('whose client breaks off is no error: %s', async (_what, method, path, type, begun) => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(begun)),
      pull: (controller) => controller.error(new Error('Network connection lost.')),
    })
    const log = captureLog()
    const headers = { ...authorization(ann), 'Content-Type': type, Origin: `http://${realm.host}` }
    await askWorker(new Request(`http://${realm.host}${path}`, { method, headers, body }))
    expect(log.lines().filter(({ what }) => what !== 'job')).toMatchObject([
      { level: 'info', what: 'request', status: 499 },
    ])
  })

  it('of a poll has the time held apart from its duration', async () => {
    world.pollHoldSeconds = 0.2
    const { queue_id, last_event_id } = expectSuccess(await ann.api.post('/register', { event_types: [] }))
    const log = captureLog()
    expectSuccess(await ann.api.get('/events', { queue_id, last_event_id }))
    const [line] = log.lines('request')
    expect(line).toMatchObject({ operation: 'get-events', status: 200 })
    expect(line!.held_ms).toBeGreaterThan(100)
  })

  it('is not written if LOG asks for problems only, or for nothing', async () => {
    const log = captureLog()
    world.settings = { LOG: 'troubles' }
    expectSuccess(await ann.api.get('/users/me'))
    expect(log.raw).toEqual([])
    world.bugAt = 'decided'
    expect((await ann.api.get('/users/me')).status).toBe(500)
    expect(log.lines().map(({ level, what }) => [level, what])).toEqual([
      ['error', 'A request failed'],
      ['error', 'request'],
    ])
    world.settings = { LOG: 'off' }
    world.bugAt = 'decided'
    expect((await ann.api.get('/users/me')).status).toBe(500)
    expect(log.raw).toHaveLength(2)
  })

  it('is answered even if its line cannot be written', async () => {
    captureLog()
    vi.spyOn(console, 'log').mockImplementation(() => {
      throw new Error('The terminal is gone')
    })
    expectSuccess(await ann.api.get('/users/me'))
  })
})

it('A formula writes nothing into the log, whatever KaTeX prints of it', async () => {
  const log = captureLog()
  for (const tex of [`\\message{${MARKER}}`, `\\errmessage{${MARKER}}`, '\\show\\frac', '\\text{\u{2e3b}}']) {
    expectSuccess(await ann.api.post('/messages/render', { content: `$$${tex}$$` }))
  }
  expect(log.raw).toHaveLength(4)
  expect(log.lines('request')).toHaveLength(4)
  requireSilence(log.raw, [MARKER, '\u{2e3b}'])
})

describe('a job', () => {
  it('is one line for each run, with kind and outcome', async () => {
    const log = captureLog()
    const soon = Math.ceil(Date.now() / 1_000) + 60
    const params = { type: 'direct', to: [ann.id], content: 'later', scheduled_delivery_timestamp: soon }
    expectSuccess(await ann.api.post('/scheduled_messages', params))
    world.clockOffset = 61
    await runDurableObjectAlarm(realmStub(realm.id))
    const line = log.lines('job').find(({ kind }) => kind === 'deliver-scheduled-message')
    expect(line).toMatchObject({ level: 'info', outcome: 'done', organization: realm.host, attempts: 1 })
  })
})

const KEY = 'k3y'.repeat(10)

describe('no line contains', () => {
  it('keys, passwords and addresses of logins that fail, or secrets in paths', async () => {
    const file = await upload(ann, { name: `${MARKER}.txt` })
    const log = captureLog()
    const stranger = `stranger-${MARKER}@marker.test`
    const wrong = new ApiClient({ host: realm.host, realmId: realm.id, email: stranger, apiKey: KEY })
    expect((await wrong.get('/users/me')).status).toBe(401)
    const login = { username: ann.email, password: `wrong ${MARKER}` }
    expect((await realm.anonymous.post('/fetch_api_key', login)).status).toBe(401)
    expect((await fetchPath(realm, file, ann)).status).toBe(200)
    const secret = 'ab12'.repeat(12)
    for (const path of [
      `/join/${secret}`,
      `/accounts/password/reset/${secret}`,
      `/accounts/confirm-email/${secret}`,
      `/user_avatars/exports/1/${secret}/${MARKER}`,
      `/${MARKER}/${secret}`,
      `/api/v1/${MARKER}`,
      `/accounts/login/?mobile_flow_otp=${secret}`,
    ]) {
      await visit(`http://${realm.host}${path}`)
    }
    await visit(`http://${MARKER}.test/api/v1/users/me`)
    const logged = log.lines('request').map(({ operation }) => operation)
    expect(logged).toEqual([
      ...['get-own-user', 'fetch-api-key', 'read-upload', 'join-page', 'account-pages', 'account-pages'],
      ...['public-image', 'nothing-there', 'no-operation', 'account-pages', 'get-own-user'],
    ])
    requireSilence(log.raw, [MARKER, secret, KEY, ann.apiKey, ann.email])
  })

  it('texts that an error quotes', async () => {
    const log = captureLog()
    const quotes = `D1_ERROR: fts5: syntax error near "${MARKER}": SQLITE_ERROR for ann@marker.test at https://hooks.test/${MARKER}`
    world.d1 = () => Promise.reject(new Error(quotes))
    const page = await visit(`http://unmet-${crypto.randomUUID()}.test/api/v1/server_settings`)
    expect(page.status).toBe(500)
    const [line] = log.lines('A request failed')
    expect(line!.error).toMatch(/^Error: D1_ERROR: fts5: syntax error near "…": SQLITE_ERROR for <address>/)
    expect(line!.error).toContain('\n    at ')
    requireSilence(log.raw, [MARKER])
  })
})
