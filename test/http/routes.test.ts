import { describe, expect, it } from 'vitest'
import { askWorker } from '../support/api.ts'
import { byPath, ENDPOINTS } from '../support/inside-declarations.ts'
import { fromJson } from '../support/json.ts'
import { neverEvict } from '../support/never-evict.ts'
import { visit } from '../support/pages.ts'
import { authorization, upload } from '../support/uploads.ts'
import { useRealm } from '../support/use-realm.ts'

/** Which route has a path, and what it says to methods that it has not. */

const { realm, ann } = useRealm({ ann: 'member' })
neverEvict()

async function ask(method: string, path: string, init: RequestInit = {}) {
  const headers = { ...authorization(ann), ...init.headers }
  const response = await askWorker(
    new Request(`http://${realm.host}${path}`, { method, redirect: 'manual', ...init, headers }),
  )
  const { status, headers: got } = response
  return { status, allow: got.get('allow'), headers: got, text: await response.text() }
}

const NOT_FOUND = { result: 'error', msg: 'Not found', code: 'BAD_REQUEST' }

describe('a method that a path has not', () => {
  it.each([
    ['/messages', 'DELETE', 'GET, HEAD, OPTIONS, POST'],
    ['/messages/12', 'PUT', 'DELETE, GET, HEAD, OPTIONS, PATCH'],
    ['/messages/12/reactions', 'GET', 'DELETE, OPTIONS, POST'],
    ['/messages/12/reactions', 'HEAD', 'DELETE, OPTIONS, POST'],
    ['/realm/emoji/smile', 'GET', 'DELETE, OPTIONS, POST'],
    ['/external/uptimerobot', 'GET', 'OPTIONS, POST'],
    ['/external/uptimerobot', 'HEAD', 'OPTIONS, POST'],
    ['/users/ann%40example.com', 'DELETE', 'GET, HEAD, OPTIONS, PATCH'],
    ['/users/12', 'POST', 'DELETE, GET, HEAD, OPTIONS, PATCH'],
    ['/users/me', 'PATCH', 'DELETE, GET, HEAD, OPTIONS'],
    ['/user_uploads/1/ab/file.txt', 'DELETE', 'GET, HEAD, OPTIONS'],
  ])('is refused with those that it has, below both roots: %s %s', async (path, method, allow) => {
    for (const root of ['/api/v1', '/json']) {
      const refused = await ask(method, root + path)
      expect([refused.status, refused.allow]).toEqual([405, allow])
      const body = { result: 'error', msg: 'Method Not Allowed', code: 'BAD_REQUEST' }
      // The runtime of the tests, unlike the network, delivers the body of a HEAD.
      expect(fromJson(refused.text)).toEqual({ ...body, allowed_methods: allow.split(', ') })
      const asked = await ask('OPTIONS', `${root}${path}/`, { headers: { Authorization: 'none' } })
      expect([asked.status, asked.allow, asked.text]).toEqual([204, allow, ''])
    }
  })

  it('may not be named by a form either', async () => {
    const body = new URLSearchParams({ method: 'put' })
    const refused = await ask('POST', '/api/v1/messages/12', { body })
    expect([refused.status, refused.allow]).toEqual([405, 'DELETE, GET, HEAD, OPTIONS, PATCH'])
  })

  it('is nothing that is there, at a page and at an unknown path', async () => {
    for (const [method, path] of [
      ['OPTIONS', '/api/v1/nothing'],
      ['PUT', '/json/nothing/12'],
      ['POST', '/api/v1/openapi.json'],
      ['POST', '/health'],
      ['OPTIONS', '/health'],
      ['DELETE', '/accounts/login'],
      ['POST', `/avatar/${ann.id}`],
      ['HEAD', `/api/v1/avatar/${ann.id}`],
      ['GET', '/services/T1/B1/aaaaaaaa'],
      ['GET', '/setup/organizations/more'],
    ] as const) {
      const { status, allow, text } = await ask(method, path)
      expect([method, path, status, allow, fromJson(text)]).toEqual([method, path, 404, null, NOT_FOUND])
    }
  })
})

describe('a fixed word in a path', () => {
  it.each([
    // GET /users/{email}/presence, GET /messages/{message_id} and the like have no such word.
    ['GET', '/users/me/presence', 'OPTIONS, POST'],
    ['GET', '/messages/flags', 'OPTIONS, POST'],
    ['POST', '/messages/matches_narrow', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/invites/multiuse', 'OPTIONS, POST'],
    ['PATCH', '/user_groups/create', 'OPTIONS, POST'],
    ['GET', '/users/me/subscriptions/properties', 'OPTIONS, POST'],
    ['POST', '/users/me/subscriptions/muted_topics', 'OPTIONS, PATCH'],
    ['GET', '/imports/invitations', 'OPTIONS, POST'],
  ])('goes before a parameter, whatever the method: %s %s', async (method, path, allow) => {
    const refused = await ask(method, `/api/v1${path}`)
    expect([refused.status, refused.allow]).toEqual([405, allow])
  })

  it('is compared as it is sent: neither decoded nor in other letters', async () => {
    const me = await ask('GET', '/api/v1/users/me')
    expect(fromJson(me.text).user_id).toBe(ann.id)
    // The address “me”, and none that exists.
    const address = await ask('GET', '/api/v1/users/m%65')
    expect([address.status, fromJson(address.text).msg]).toEqual([400, 'No such user'])
    for (const path of ['/api/v1/Users/me', '/API/v1/users/me', '/api/v1/user_groups/creat%65'])
      expect([path, (await ask('GET', path)).status]).toEqual([path, 404])
  })
})

describe('a parameter in a path', () => {
  const idAt = async (path: string) => {
    const { status, text } = await ask('GET', `/api/v1${path}`)
    const { user, code } = fromJson(text)
    return status === 200 ? user.user_id : [status, code]
  }

  it('is decoded once, and is nothing if it cannot be', async () => {
    const email = encodeURIComponent(ann.email)
    expect(await idAt(`/users/${email}`)).toBe(ann.id)
    expect(
      await idAt(`/users/${email.replaceAll(/[a-z]/g, (one) => `%${one.charCodeAt(0).toString(16)}`)}`),
    ).toBe(ann.id)
    expect(await idAt(`/users/${encodeURIComponent(email)}`)).toEqual([400, 'BAD_REQUEST'])
    for (const broken of ['%', '%zz', '%ff', '%e2%82', `${email}%`])
      expect([broken, await idAt(`/users/${broken}`)]).toEqual([broken, [404, 'BAD_REQUEST']])
  })

  it('may contain an encoded slash, but no slash', async () => {
    expect(await idAt('/users/a%2Fb')).toEqual([400, 'BAD_REQUEST'])
    expect(await idAt('/users/a/b')).toEqual([404, 'BAD_REQUEST'])
    expect(await idAt(`/users/${ann.id}%2F`)).toEqual([400, 'BAD_REQUEST'])
  })

  it('that is an id has only digits, however they are encoded and filled', async () => {
    const digits = String(ann.id)
    const encoded = [...digits].map((digit) => `%3${digit}`).join('')
    for (const id of [digits, `000${digits}`, `${'0'.repeat(40)}${digits}`, encoded])
      expect([id, await idAt(`/users/${id}`)]).toEqual([id, ann.id])
    // All others are addresses, or texts that no address is.
    for (const id of [`+${digits}`, `${digits}.0`, `-${digits}`, `%20${digits}`, '٣'])
      expect([id, await idAt(`/users/${id}`)]).toEqual([id, [400, 'BAD_REQUEST']])
    for (const id of ['x', '-1', '1.5', '1%2f', '%d9%a3'])
      expect([id, (await ask('GET', `/api/v1/messages/${id}`)).status]).toEqual([id, 404])
  })

  it('is there: an empty one is another path', async () => {
    const list = await ask('GET', '/api/v1/users/')
    expect(fromJson(list.text).members.length).toBeGreaterThan(1)
    expect((await ask('GET', '/api/v1/user_uploads/1/')).status).toBe(404)
    expect((await ask('GET', '/api/v1/messages//reactions')).status).toBe(404)
  })
})

it('no two paths differ only in the names of their parameters', () => {
  const forms = byPath(ENDPOINTS).map(([path]) =>
    path.replace(/:\w+/g, (name) => (/_id(_str)?$/.test(name) ? '1' : 'x')),
  )
  expect(forms.filter((form, at) => forms.indexOf(form) !== at)).toEqual([])
})

describe('the rest of a path', () => {
  it('is one parameter: slashes, encoded ones, and none at its end', async () => {
    const path = await upload(ann, { name: 'a file.txt', type: 'text/plain', content: 'words' })
    const [, , realmId, ...rest] = path.split('/')
    const urls: string[] = []
    for (const spelled of [rest.join('/'), rest.join('%2F'), `${rest.join('/')}/`, rest.join('//')]) {
      const { status, text } = await ask('GET', `/api/v1/user_uploads/${realmId}/${spelled}`)
      expect([spelled, status]).toEqual([spelled, 200])
      urls.push(fromJson(text).url.split('/').at(-1))
    }
    expect(new Set(urls)).toEqual(new Set([rest.at(-1)]))
    const more = await ask('GET', `/api/v1/user_uploads/${realmId}/${rest.join('/')}/more`)
    expect([more.status, fromJson(more.text).msg]).toEqual([
      404,
      'This file does not exist or has been deleted.',
    ])
    expect((await ask('GET', `/api/v1/user_uploads/x/${rest.join('/')}`)).status).toBe(404)
    expect((await ask('GET', `/api/v1/user_uploads/${realmId}/%`)).status).toBe(404)
  })
})

describe('a path outside the API', () => {
  it.each([
    ['/health', 200],
    ['/accounts/login', 200],
    ['/accounts/password/reset', 200],
    ['/accounts/password/reset/0123', 404],
    ['/accounts/deactivated', 200],
    ['/help/a-page', 200],
    ['/emoji-data.json', 200],
    ['/api/v1/openapi.json', 200],
  ])('may end with a slash: %s', async (path, status) => {
    const [plain, slashed] = [await ask('GET', path), await ask('GET', `${path}/`)]
    expect([plain.status, slashed.status]).toEqual([status, status])
    expect(slashed.text).toBe(plain.text)
  })

  it('that is a page answers HEAD without the page', async () => {
    for (const path of ['/accounts/login', '/help', '/accounts/deactivated', '/health']) {
      const { status, text } = await ask('HEAD', path)
      expect([path, status, text]).toEqual([path, 200, ''])
    }
  })

  it('has no endpoints, and the API has no pages', async () => {
    for (const path of ['/users/me', '/v1/users/me', '/api/users/me', '/jsonusers/me', '/json', '/api/v1'])
      expect([path, (await ask('GET', path)).status]).toEqual([path, 404])
    for (const path of ['/api/v1/accounts/login', '/json/health', '/api/v1/join/0123'])
      expect(fromJson((await ask('GET', path, { headers: { Accept: 'text/html' } })).text)).toEqual(NOT_FOUND)
  })
})

describe('below /json', () => {
  it('a refusal asks for no password of the browser, and nothing is open to scripts', async () => {
    const path = '/users/me'
    const api = await visit(`http://${realm.host}/api/v1${path}`)
    const json = await visit(`http://${realm.host}/json${path}`)
    expect([api.status, json.status]).toEqual([401, 401])
    expect(api.headers.get('www-authenticate')).toBe('Basic realm="parley"')
    expect(json.headers.has('www-authenticate')).toBe(false)
    const preflight = { Origin: 'https://elsewhere.example', 'Access-Control-Request-Method': 'GET' }
    const asked = await ask('OPTIONS', `/json${path}`, { headers: preflight })
    expect([asked.allow, asked.headers.has('access-control-allow-origin')]).toEqual([
      'DELETE, GET, HEAD, OPTIONS',
      false,
    ])
    const open = await ask('OPTIONS', `/api/v1${path}`, { headers: preflight })
    expect([open.status, open.allow, open.headers.get('access-control-allow-origin')]).toEqual([
      204,
      null,
      '*',
    ])
  })
})
