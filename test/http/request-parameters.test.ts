import { describe, expect, it } from 'vitest'
import { askWorker } from '../support/api.ts'
import { fromJson } from '../support/json.ts'
import { visit } from '../support/pages.ts'
import { openQueue } from '../support/queues.ts'
import { useRealm } from '../support/use-realm.ts'

const { realm } = useRealm()

interface Raw {
  readonly query?: Record<string, string> | string
  readonly body?: BodyInit
  readonly headers?: Record<string, string>
}

/** Sends a request from the owner as it is on the wire. */
async function ask(method: string, path: string, { query = {}, body, headers = {} }: Raw = {}) {
  const search = new URLSearchParams(query).toString()
  const { email, apiKey } = realm.owner
  const response = await askWorker(
    new Request(`http://${realm.host}/api/v1${path}${search === '' ? '' : `?${search}`}`, {
      method,
      body,
      headers: { Authorization: `Basic ${btoa(`${email}:${apiKey}`)}`, ...headers },
    }),
  )
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? '' : fromJson(text) }
}

function multipart(fields: Record<string, string>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return form
}

const message = (content: string) => ({
  type: 'direct',
  to: JSON.stringify([realm.owner.id]),
  content,
})

async function contentOf(id: number): Promise<string> {
  const { body } = await ask('GET', `/messages/${id}`, { query: { apply_markdown: 'false' } })
  return body.message.content
}

describe('parameters come from', () => {
  it('an urlencoded body', async () => {
    const { body } = await ask('POST', '/messages', { body: new URLSearchParams(message('urlencoded')) })
    expect(await contentOf(body.id)).toBe('urlencoded')
  })

  it.each([
    ['a+%2B+b%21+%E2%82%AC', 'a + b! €'],
    ['100%+sure+%E2%82%AC', '100% sure €'],
    ['%ff+a=b', '\ufffd a=b'],
  ])('an urlencoded body, whatever its percent signs mean: %s', async (sent, content) => {
    const { content: _, ...rest } = message('')
    const { body } = await ask('POST', '/messages', {
      body: `&${new URLSearchParams(rest)}&&content=${sent}&`,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    })
    expect(body).toMatchObject({ result: 'success' })
    expect(body).not.toHaveProperty('ignored_parameters_unsupported')
    expect(await contentOf(body.id)).toBe(content)
  })

  it('a multipart body', async () => {
    const { body } = await ask('POST', '/messages', { body: multipart(message('multipart')) })
    expect(await contentOf(body.id)).toBe('multipart')
  })

  it('the query string, in any method', async () => {
    const { body } = await ask('POST', '/messages', { query: message('in the query') })
    expect(await contentOf(body.id)).toBe('in the query')
    const { id } = await openQueue(realm.owner)
    expect((await ask('DELETE', '/events', { query: { queue_id: id } })).status).toBe(200)
  })

  it('the body of a PATCH and a DELETE', async () => {
    const { id } = await openQueue(realm.owner)
    const urlencoded = new URLSearchParams({ queue_id: id })
    expect((await ask('DELETE', '/events', { body: urlencoded })).status).toBe(200)
    const { body } = await ask('PATCH', `/users/${realm.owner.id}`, {
      body: multipart({ full_name: 'Olga the Owner' }),
    })
    expect(body.result).toBe('success')
  })

  it('both at once, and the body wins', async () => {
    const { body } = await ask('POST', '/messages', {
      query: { ...message('from the query'), local_id: '1' },
      body: new URLSearchParams({ content: 'from the body' }),
    })
    expect(await contentOf(body.id)).toBe('from the body')
  })

  it('the last of several of the same name', async () => {
    const form = new URLSearchParams(message('first'))
    form.append('content', 'last')
    const { body } = await ask('POST', '/messages', { body: form })
    expect(await contentOf(body.id)).toBe('last')
  })

  it.each<[string, Raw]>([
    ['no body', {}],
    ['an empty body', { body: '', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }],
    ['a body of another type', { body: '{"queue_id":"x"}', headers: { 'Content-Type': 'application/json' } }],
    ['multipart without a boundary', { body: 'x', headers: { 'Content-Type': 'multipart/form-data' } }],
    [
      'multipart that breaks off',
      { body: '--b\r\nContent-Disp', headers: { 'Content-Type': 'multipart/form-data; boundary=b' } },
    ],
  ])('nowhere with %s: then a required one is missing', async (_what, raw) => {
    expect(await ask('DELETE', '/events', raw)).toMatchObject({
      status: 400,
      body: { code: 'REQUEST_VARIABLE_MISSING', var_name: 'queue_id' },
    })
  })
})

describe('a form of more than 3 MiB', () => {
  const MIB = 1_048_576
  const refusal = {
    result: 'error',
    msg: 'Request body is larger than the allowed limit of 3 MiB',
    code: 'BAD_REQUEST',
  }
  const fields = (mib: number) => ({ ...message('large'), note: 'x'.repeat(mib * MIB) })

  /** Returns a body of unknown length without an end, which counts how much was read of it. */
  function endless() {
    const counted = { mib: 0 }
    const body = new ReadableStream({
      pull(controller) {
        counted.mib += 1
        controller.enqueue(new Uint8Array(MIB).fill(97))
      },
    })
    return { counted, body }
  }

  it.each([
    ['an urlencoded one', () => new URLSearchParams(fields(4))],
    ['a multipart one', () => multipart(fields(4))],
  ])('is refused: %s', async (_kind, build) => {
    const { status, body } = await ask('POST', '/messages', { body: build() })
    expect([status, body]).toEqual([413, refusal])
  })

  // Unread bodies are discarded up to 10 MiB, so that the sender gets the answer.
  it('is refused by its Content-Length, and passed over', async () => {
    const { counted, body } = endless()
    const headers = { 'Content-Type': 'multipart/form-data; boundary=b', 'Content-Length': String(4 * MIB) }
    expect((await ask('POST', '/messages', { body, headers })).status).toBe(413)
    expect(counted.mib).toBeLessThan(13)
  })

  it.each(['application/x-www-form-urlencoded', 'multipart/form-data; boundary=b'])(
    'is refused when it exceeds the limit while being read: %s',
    async (type) => {
      const { counted, body } = endless()
      expect((await ask('PATCH', '/settings', { body, headers: { 'Content-Type': type } })).status).toBe(413)
      // The limit, and what was under way.
      expect(counted.mib).toBeLessThan(8)
    },
  )

  it('is refused by pages too', async () => {
    const url = `http://${realm.host}/accounts/password/reset/`
    const page = await askWorker(new Request(url, { method: 'POST', body: new URLSearchParams(fields(11)) }))
    expect(page.status).toBe(413)
  })

  it('is accepted up to the limit, and beyond it for streamed files', async () => {
    expect((await ask('POST', '/messages', { body: new URLSearchParams(fields(2)) })).status).toBe(200)
    const form = new FormData()
    form.append('file', new File([new Uint8Array(11 * MIB)], 'large.bin'))
    expect((await ask('POST', '/user_uploads', { body: form })).status).toBe(200)
  })

  it('is passed over if it is not a form', async () => {
    const { counted, body } = endless()
    const headers = { 'Content-Type': 'application/octet-stream' }
    expect((await ask('POST', '/messages', { body, headers })).body.code).toBe('REQUEST_VARIABLE_MISSING')
    expect(counted.mib).toBeLessThan(13)
  })
})

describe('the method', () => {
  it('can be named in a posted form', async () => {
    const { id } = await openQueue(realm.owner)
    const form = new URLSearchParams({ method: 'DELETE', queue_id: id })
    expect((await ask('POST', '/events', { body: form })).body).toEqual({ result: 'success', msg: '' })
    expect((await ask('GET', '/events', { query: { queue_id: id } })).body.code).toBe('BAD_EVENT_QUEUE_ID')
  })

  it('cannot be named in the query string, or the body of another method', async () => {
    const { id } = await openQueue(realm.owner)
    const query = { method: 'DELETE', queue_id: id, dont_block: 'true' }
    expect((await ask('GET', '/events', { query })).body.events).toEqual([])
    expect((await ask('POST', '/events', { query })).status).toBe(405)
  })

  it('HEAD is answered as GET without the body', async () => {
    const head = await ask('HEAD', '/users/me')
    expect(head.status).toBe(200)
    expect(head.body).toBe('')
    expect(head.headers.get('content-type')).toBe('application/json')
    expect((await ask('HEAD', '/messages/999999')).status).toBe(400)
  })

  it('OPTIONS is answered with what is allowed, without credentials', async () => {
    const response = await askWorker(new Request(`http://${realm.host}/api/v1/events`, { method: 'OPTIONS' }))
    expect(response.status).toBe(204)
    expect(await response.text()).toBe('')
    expect(response.headers.get('allow')).toBe('DELETE, GET, HEAD, OPTIONS')
  })

  it('that no route has is refused with those allowed', async () => {
    const { status, headers, body } = await ask('PUT', '/events')
    expect(status).toBe(405)
    expect(headers.get('allow')).toBe('DELETE, GET, HEAD, OPTIONS')
    expect(body).toEqual({
      result: 'error',
      msg: 'Method Not Allowed',
      code: 'BAD_REQUEST',
      allowed_methods: ['DELETE', 'GET', 'HEAD', 'OPTIONS'],
    })
  })
})

describe('a path', () => {
  const notFound = { status: 404, body: { result: 'error', msg: 'Not found', code: 'BAD_REQUEST' } }

  it.each([
    '/nothing',
    '/messages/abc',
    '/messages/-1',
    '/messages/1.5',
    '/messages/%zz',
    '/users/%',
    '',
    '/',
  ])('%s is not found', async (path) => {
    expect(await ask('GET', path)).toMatchObject(notFound)
  })

  it('outside the API is not found either', async () => {
    const response = await askWorker(new Request(`http://${realm.host}/nowhere`))
    expect([response.status, await response.json()]).toEqual([404, notFound.body])
  })

  it('outside the API is a page for people, in their language', async () => {
    const headers = { Accept: 'text/html,*/*;q=0.8', 'Accept-Language': 'de' }
    const { status, text } = await visit(`http://${realm.host}/nowhere`, { headers })
    expect(status).toBe(404)
    expect(text).toContain('Seite nicht gefunden')
    expect(text).toContain('href="/"')
    const posted = await visit(`http://${realm.host}/nowhere`, { method: 'POST', headers })
    expect(fromJson(posted.text)).toEqual(notFound.body)
    const ofApi = await visit(`http://${realm.host}/api/v1/nowhere`, { headers })
    expect(fromJson(ofApi.text)).toEqual(notFound.body)
  })

  it('with a number never matches a name, nor a fixed word', async () => {
    const { id, email } = realm.owner
    for (const path of [`/users/${id}`, `/users/${encodeURIComponent(email)}`, '/users/me']) {
      const { body } = await ask('GET', path)
      expect((body.user ?? body).user_id).toBe(id)
    }
  })

  it('may end with a slash', async () => {
    expect((await ask('GET', '/users/me/')).status).toBe(200)
  })

  it('of the API begins with /api/v1', async () => {
    for (const [path, status] of [
      ['/api/v1/server_settings', 200],
      ['/api/v2/server_settings', 404],
      ['/server_settings', 404],
    ] as const) {
      const response = await askWorker(new Request(`http://${realm.host}${path}`))
      await response.arrayBuffer()
      expect([path, response.status]).toEqual([path, status])
    }
  })
})

describe('ignored_parameters_unsupported', () => {
  it('lists unknown names of query and body, sorted, each once', async () => {
    const { body } = await ask('POST', '/messages', {
      query: { zebra: '1', apple: '2' },
      body: new URLSearchParams({ ...message('hello'), apple: '3', mango: '4' }),
    })
    expect(body).toMatchObject({
      result: 'success',
      ignored_parameters_unsupported: ['apple', 'mango', 'zebra'],
    })
  })

  it('is absent when there is none', async () => {
    expect(await ask('GET', '/users/me')).not.toHaveProperty('body.ignored_parameters_unsupported')
  })

  it('lists neither path parameters, nor aliases, nor parameters of every endpoint', async () => {
    const { body } = await ask('GET', `/users/${realm.owner.id}`, {
      query: { user_id: '5', client: 'test', method: 'GET' },
    })
    expect(body).not.toHaveProperty('ignored_parameters_unsupported')
    const channel = { type: 'stream', to: 'general', content: 'x', subject: 'an old name' }
    const sent = await ask('POST', '/messages', { body: new URLSearchParams(channel) })
    expect(sent.body).not.toHaveProperty('ignored_parameters_unsupported')
  })

  it('lists no keys inside JSON values', async () => {
    const { body } = await ask('POST', '/register', {
      body: new URLSearchParams({
        fetch_event_types: '[]',
        client_capabilities: '{"notification_settings_null":true,"unheard_of":true}',
      }),
    })
    expect(body).not.toHaveProperty('ignored_parameters_unsupported')
  })

  it('is no part of an error', async () => {
    const { body } = await ask('DELETE', '/events', { query: { unheard_of: '1' } })
    expect(body).not.toHaveProperty('ignored_parameters_unsupported')
  })
})

describe('every answer', () => {
  it.each(['/users/me', '/messages/999999', '/nothing'])('of %s is never cached, and JSON', async (path) => {
    const { headers } = await ask('GET', path)
    expect(headers.get('cache-control')).toBe('max-age=0, no-cache, no-store, must-revalidate, private')
    expect(headers.get('content-type')).toBe('application/json')
  })

  it('has a result and a message', async () => {
    expect((await ask('GET', '/users/me')).body).toMatchObject({ result: 'success', msg: '' })
    expect((await ask('GET', '/messages/999999')).body).toEqual({
      result: 'error',
      msg: 'Invalid message(s)',
      code: 'BAD_REQUEST',
    })
  })
})

it('version keys are sent by both names', async () => {
  const { body } = await ask('POST', '/register', { body: new URLSearchParams({ fetch_event_types: '[]' }) })
  for (const key of ['version', 'feature_level', 'merge_base']) {
    expect(body).toHaveProperty(`zulip_${key}`)
    expect(body[`svc_${key}`]).toEqual(body[`zulip_${key}`])
  }
})
