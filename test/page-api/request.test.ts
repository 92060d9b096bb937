import { describe, expect, it } from 'vitest'
import { ApiError, failureOf, NetworkError, SessionEndedError } from '../../web/api/index.ts'
import { ScriptedServer } from './build.ts'

const lost = new TypeError('fetch failed')

async function failure(promise: Promise<unknown>): Promise<Error> {
  return promise.then(
    () => new Error('It went well'),
    (error) => error,
  )
}

describe('a request', () => {
  it('names its session, and one to change something has an Idempotency-Key', async () => {
    const server = new ScriptedServer({}, { body: { messages: [] } })
    await server.api().post('/messages/flags', { messages: [1, 2], flag: 'read', skipped: undefined })
    await server.api().get('/messages', { narrow: [], anchor: 'newest' })
    const [change, look] = server.asked
    expect(change).toMatchObject({ method: 'POST', url: './json/messages/flags' })
    expect([...change!.fields]).toEqual([
      ['messages', '[1,2]'],
      ['flag', 'read'],
    ])
    expect(change!.headers.get('x-csrftoken')).toBe('token')
    expect(change!.headers.get('idempotency-key')).toBe('id-1')
    expect(look!.url).toBe('./json/messages?narrow=%5B%5D&anchor=newest')
    expect(look!.headers.get('x-csrftoken')).toBe('token')
    expect([change!, look!].map(({ headers }) => headers.get('x-feature-level'))).toEqual(['510', '510'])
    expect(look!.headers.get('idempotency-key')).toBeNull()
  })

  it('is not made once the browser has another session, whose cookie would go with it', async () => {
    const server = new ScriptedServer(
      {},
      { status: 403, body: { code: 'CSRF_FAILED', msg: 'No', reason: 'CSRF token incorrect.' } },
    )
    const api = server.api()
    let replaced = 0
    api.session.onReplaced = () => {
      replaced += 1
    }
    api.session.bind()
    await api.post('/typing')
    server.token = ''
    expect(api.session.isReplaced).toBe(false)
    expect(await failure(api.get('/messages'))).toMatchObject({ code: 'CSRF_FAILED' })
    server.token = 'another'
    for (const asked of [api.get('/messages'), api.post('/messages')]) {
      const error = await failure(asked)
      expect(error).toMatchObject({ code: 'SESSION_REPLACED' })
      expect(failureOf(error).isRefused).toBe(false)
    }
    expect([server.asked.length, replaced]).toEqual([2, 2])
    expect(server.asked.map(({ headers }) => headers.get('x-csrftoken'))).toEqual(['token', 'token'])
  })

  it('that meets another session on its way counts as not made', async () => {
    const server = new ScriptedServer({
      status: 403,
      body: { code: 'CSRF_FAILED', msg: 'No', reason: 'CSRF token incorrect.' },
    })
    const api = server.api()
    api.session.bind()
    const asked = failure(api.post('/messages'))
    server.token = 'another'
    expect(await asked).toMatchObject({ code: 'SESSION_REPLACED' })
  })

  it('is repeated with the same key when its answer is lost', async () => {
    const server = new ScriptedServer(
      lost,
      { status: 502, body: '<html>' },
      { body: '{"result":"succ' },
      { body: { id: 5 } },
    )
    await expect(server.api().post('/messages', {}, { idempotencyKey: 'mine' })).resolves.toMatchObject({
      id: 5,
    })
    expect(server.asked.map(({ headers }) => headers.get('idempotency-key'))).toEqual(Array(4).fill('mine'))
    expect(server.waits).toEqual([750, 1_500, 3_000])
  })

  it('waits as long as a rate limit says', async () => {
    const server = new ScriptedServer(
      { status: 429, headers: { 'Retry-After': '3' }, body: { code: 'RATE_LIMIT_HIT', msg: 'Slowly' } },
      { status: 503, body: { code: 'SERVICE_UNAVAILABLE', msg: 'Later', 'retry-after': 2 } },
      {},
    )
    await server.api().get('/users')
    expect(server.waits).toEqual([3_250, 2_250])
  })

  it('fails when its time limit is over', async () => {
    const server = new ScriptedServer(...Array(20).fill(lost))
    const error = await failure(server.api().get('/users', {}, { patience: 4_000 }))
    expect(error).toBeInstanceOf(NetworkError)
    expect(server.asked).toHaveLength(3)
    expect(await failure(server.api().get('/users', {}, { patience: 0 }))).toBeInstanceOf(NetworkError)
    expect(server.asked).toHaveLength(4)
  })

  it('that is refused is not repeated, and says why', async () => {
    const body = { code: 'STREAM_DOES_NOT_EXIST', msg: 'No such channel', stream_id: 7 }
    const server = new ScriptedServer({ status: 400, body })
    const error = (await failure(server.api().post('/messages'))) as ApiError
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ code: 'STREAM_DOES_NOT_EXIST', status: 400, message: 'No such channel' })
    expect(error.extra).toEqual({ stream_id: 7 })
    expect(error.isRefusal).toBe(true)
    expect(server.asked).toHaveLength(1)
  })

  it('that the server has no space for is not repeated', async () => {
    const server = new ScriptedServer({ status: 507, body: { code: 'STORAGE_FULL', msg: 'Full' } })
    expect(await failure(server.api().post('/messages'))).toMatchObject({ code: 'STORAGE_FULL' })
  })

  it('after the session has ended reports that', async () => {
    const server = new ScriptedServer({ status: 401, body: { code: 'UNAUTHORIZED', msg: 'Not logged in' } })
    const api = server.api()
    let calls = 0
    api.session.onEnded = () => {
      calls += 1
    }
    expect(await failure(api.get('/users'))).toBeInstanceOf(SessionEndedError)
    expect(calls).toBe(1)
  })

  it('after the session has ended is not made until the next log-in', async () => {
    const server = new ScriptedServer({ status: 401, body: { code: 'UNAUTHORIZED', msg: 'Not logged in' } })
    const api = server.api()
    await failure(api.get('/users'))
    const error = await failure(api.post('/messages/flags'))
    expect(error).toBeInstanceOf(SessionEndedError)
    // What was written is kept, to be sent then.
    expect(failureOf(error).isRefused).toBe(false)
    expect(server.asked).toHaveLength(1)
    server.add({})
    api.session.bind()
    await api.post('/messages/flags')
    expect(server.asked).toHaveLength(2)
  })

  it('that is cancelled is not repeated', async () => {
    const server = new ScriptedServer('never')
    const calling = new AbortController()
    const asked = failure(server.api().get('/users', {}, { signal: calling.signal }))
    calling.abort()
    expect(await asked).toBeInstanceOf(NetworkError)
    expect(server.asked).toHaveLength(1)
  })

  it('without an answer ends by a timeout', async () => {
    const server = new ScriptedServer('never')
    const asked = failure(server.api().get('/users', {}, { timeout: 5, patience: 0 }))
    expect(await asked).toBeInstanceOf(NetworkError)
  })
})

describe('the message shown for a failed send', () => {
  it.each([
    [new NetworkError(lost), { code: 'NETWORK', text: '', isRefused: false }],
    [new ApiError('BAD_REQUEST', 'No.', 400), { code: 'BAD_REQUEST', text: 'No.', isRefused: true }],
    [
      new ApiError('RATE_LIMIT_HIT', 'Slowly', 429),
      { code: 'RATE_LIMIT_HIT', text: 'Slowly', isRefused: false },
    ],
    [new ApiError('X', 'Down', 503), { code: 'X', text: 'Down', isRefused: false }],
    [
      new SessionEndedError('UNAUTHORIZED', 'Gone', 401),
      { code: 'UNAUTHORIZED', text: 'Gone', isRefused: false },
    ],
  ])('%s', (error, expected) => {
    expect(failureOf(error)).toEqual(expected)
  })
})
