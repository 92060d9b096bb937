import { describe, expect, it } from 'vitest'
import { ApiClient, askWorker } from '../support/api.ts'
import { buildUser, expectSuccess } from '../support/factories.ts'
import { readJson } from '../support/json.ts'
import { useRealm } from '../support/use-realm.ts'

const { realm, ann } = useRealm({ ann: 'member' })
/** The owner of another organization. */
const { owner: stranger } = useRealm()

function as(email: string, apiKey: string): ApiClient {
  return new ApiClient({ host: realm.host, realmId: realm.id, email, apiKey })
}

async function withHeader(authorization: string) {
  const response = await askWorker(
    new Request(`http://${realm.host}/api/v1/users/me`, { headers: { Authorization: authorization } }),
  )
  return {
    status: response.status,
    headers: response.headers,
    body: await readJson<{ code: string; msg: string }>(response),
  }
}

describe('5 Authentication', () => {
  it('5.1 the user name is the API email, the password the API key', async () => {
    expectSuccess(await as(ann.email, ann.apiKey).get('/users/me'))
  })

  it('5.1 either address of the account will do, whatever its case', async () => {
    expectSuccess(await as(`user${ann.id}@${realm.host}`, ann.apiKey).get('/users/me'))
    expectSuccess(await as(` ${ann.email.toUpperCase()} `, ann.apiKey).get('/users/me'))
  })

  it('5.1 the key must be that account’s', async () => {
    for (const [email, key] of [
      [realm.owner.email, ann.apiKey],
      [ann.email, 'x'.repeat(32)],
      ['nobody@example.com', ann.apiKey],
    ] as const) {
      const { status, body } = await as(email, key).get('/users/me')
      expect([status, body.code, body.msg]).toEqual([401, 'UNAUTHORIZED', 'Invalid API key'])
    }
  })

  it('5.2 GET /server_settings answers without credentials', async () => {
    expectSuccess(await realm.anonymous.get('/server_settings'))
  })

  it.each([
    ['PATCH', '/realm/user_settings_defaults'],
    ['POST', '/streams/1/delete_topic'],
    ['POST', '/users'],
  ])('5.3 %s %s is for administrators alone: UNAUTHORIZED_PRINCIPAL', async (method, path) => {
    const { status, body } = await ann.api.request(method, path)
    expect([status, body.code, body.msg]).toEqual([
      400,
      'UNAUTHORIZED_PRINCIPAL',
      'Must be an organization administrator',
    ])
  })

  it('5.5 a key is got with address and password', async () => {
    const { api_key } = expectSuccess(
      await realm.anonymous.post('/fetch_api_key', { username: ann.email, password: 'a fine password' }),
    )
    expect(api_key).toBe(ann.apiKey)
  })

  it('5.6 without credentials: 401 UNAUTHORIZED', async () => {
    const { status, body, headers } = await realm.anonymous.get('/users/me')
    expect([status, body.code, body.msg]).toEqual([
      401,
      'UNAUTHORIZED',
      'Not logged in: API authentication or user session required',
    ])
    expect(headers.get('www-authenticate')).toMatch(/^Basic realm=/)
  })

  it.each([
    ['Bearer abc', 400, 'BAD_REQUEST', 'This endpoint requires HTTP basic authentication.'],
    ['Basic %%%', 401, 'UNAUTHORIZED', 'Invalid authorization header for basic auth'],
    [`Basic ${btoa('no colon')}`, 401, 'UNAUTHORIZED', 'Invalid authorization header for basic auth'],
    [`Basic ${btoa('a:b:c')}`, 401, 'UNAUTHORIZED', 'Invalid authorization header for basic auth'],
    [`Basic ${btoa('a@example.com:short')}`, 401, 'UNAUTHORIZED', 'Malformed API key'],
  ])('5.6 %j: %i %s', async (authorization, status, code, msg) => {
    const answer = await withHeader(authorization)
    expect([answer.status, answer.body.code, answer.body.msg]).toEqual([status, code, msg])
  })

  it('5.6 a deactivated account: 401', async () => {
    const dan = await buildUser(realm)
    expectSuccess(await realm.owner.api.delete(`/users/${dan.id}`))
    expect(await dan.api.get('/users/me')).toMatchObject({
      status: 401,
      body: { code: 'UNAUTHORIZED', msg: 'Account is deactivated' },
    })
  })

  it('5.6 another organization’s account: 401', async () => {
    // D1 gets the key, by which the organization of an account is found, after the commit.
    await expect
      .poll(async () => (await as(stranger.email, stranger.apiKey).get('/users/me')).body.msg)
      .toBe('Account is not associated with this subdomain')
  })
})
