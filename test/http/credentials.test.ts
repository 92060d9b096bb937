import { describe, expect, it } from 'vitest'
import { askWorker } from '../support/api.ts'
import type { TestUser } from '../support/factories.ts'
import { expectSuccess } from '../support/factories.ts'
import { changeRealm, insertUsers } from '../support/inside.ts'
import { readJson } from '../support/json.ts'
import { turnRealmSettings } from '../support/realm-settings.ts'
import { buildRealm, useRealm } from '../support/use-realm.ts'

const { realm, owner } = useRealm()
/** Another organization. */
const { realm: other } = useRealm()

async function withHeader(authorization: string | undefined, { host = realm.host, path = '/users/me' } = {}) {
  const response = await askWorker(
    new Request(`http://${host}/api/v1${path}`, {
      headers: authorization === undefined ? {} : { Authorization: authorization },
    }),
  )
  const body = await readJson<Record<string, unknown>>(response)
  return { status: response.status, challenge: response.headers.get('www-authenticate'), body }
}

const basic = (text: string) => `Basic ${btoa(text)}`
const refused = (msg: string) => ({
  status: 401,
  challenge: 'Basic realm="parley"',
  body: { result: 'error', code: 'UNAUTHORIZED', msg },
})

describe('accepted credentials', () => {
  const accepted = async (authorization: string) =>
    expect(await withHeader(authorization)).toMatchObject({ status: 200, body: { user_id: owner.id } })

  it('are address and key', () => accepted(basic(`${owner.email}:${owner.apiKey}`)))
  it('are the address in any case, with white space around both', () =>
    accepted(basic(` ${owner.email.toUpperCase()} : ${owner.apiKey} `)))
  it('are the dummy address and the key', () =>
    accepted(basic(`user${owner.id}@${realm.host}:${owner.apiKey}`)))
  it('are an address beyond ASCII and the key', async () => {
    const [member] = (await insertUsers(realm, 1)) as [TestUser]
    await changeRealm(realm, ({ sql }) =>
      sql.run('UPDATE user SET delivery_email = ? WHERE id = ?', 'zoë@example.com', member.id),
    )
    const bytes = new TextEncoder().encode(`zoë@example.com:${member.apiKey}`)
    const answer = await withHeader(basic(String.fromCharCode(...bytes)))
    expect(answer).toMatchObject({ status: 200, body: { user_id: member.id } })
  })
  it('may name the scheme in any case', () =>
    accepted(basic(`${owner.email}:${owner.apiKey}`).replace('Basic', 'bAsIc')))
})

describe('credentials are refused', () => {
  it('when there are none', async () => {
    const msg = 'Not logged in: API authentication or user session required'
    expect(await withHeader(undefined)).toMatchObject(refused(msg))
  })

  it.each(['Bearer abc', 'Digest x="y"', 'key'])('with another scheme: %j', async (header) => {
    expect(await withHeader(header)).toMatchObject({
      status: 400,
      challenge: null,
      body: { code: 'BAD_REQUEST', msg: 'This endpoint requires HTTP basic authentication.' },
    })
  })

  it.each([
    'Basic',
    'Basic ***',
    'Basic one two',
    `Basic ${btoa('\xff\xfe:x')}`,
    basic('no colon'),
    basic('too:many:colons'),
  ])('that cannot be decoded: %s', async (header) => {
    expect(await withHeader(header)).toMatchObject(refused('Invalid authorization header for basic auth'))
  })

  it.each(['', 'short', 'k'.repeat(33), `${'k'.repeat(31)}-`])(
    'with a key of another form: %j',
    async (key) => {
      expect(await withHeader(basic(`${owner.email}:${key}`))).toMatchObject(refused('Malformed API key'))
    },
  )

  it('with an unknown key', async () => {
    const unknown = basic(`${owner.email}:${'k'.repeat(32)}`)
    expect(await withHeader(unknown)).toMatchObject(refused('Invalid API key'))
  })

  it('with the address of another user, or an unknown one', async () => {
    const [member] = (await insertUsers(realm, 1)) as [TestUser]
    for (const address of [member.email, `user${member.id}@${realm.host}`, 'nobody@example.com']) {
      const mixed = basic(`${address}:${owner.apiKey}`)
      expect(await withHeader(mixed)).toMatchObject(refused('Invalid API key'))
    }
  })

  it('of another organization’s account', async () => {
    const theirs = basic(`${owner.email}:${owner.apiKey}`)
    const refusal = refused('Account is not associated with this subdomain')
    for (const path of ['/users/me', '/events?queue_id=x']) {
      await expect.poll(() => withHeader(theirs, { host: other.host, path })).toMatchObject(refusal)
    }
  })

  it('of a deactivated account', async () => {
    const [member] = (await insertUsers(realm, 1)) as [TestUser]
    expectSuccess(await owner.api.delete(`/users/${member.id}`))
    const theirs = basic(`${member.email}:${member.apiKey}`)
    expect(await withHeader(theirs)).toMatchObject(refused('Account is deactivated'))
  })

  it('in a deactivated organization', async () => {
    const { realm: closed } = await buildRealm()
    await turnRealmSettings(closed, { deactivated: true })
    const theirs = basic(`${closed.owner.email}:${closed.owner.apiKey}`)
    expect(await withHeader(theirs, { host: closed.host })).toMatchObject(
      refused('This organization has been deactivated'),
    )
  })

  it('at a host without an organization', async () => {
    const theirs = basic(`${owner.email}:${owner.apiKey}`)
    expect(await withHeader(theirs, { host: 'nowhere.test' })).toMatchObject({
      status: 404,
      body: { code: 'NONEXISTENT_SUBDOMAIN', msg: 'Invalid subdomain' },
    })
  })

  it('before parameters and roles are looked at', async () => {
    const { status, body } = await realm.anonymous.post('/users', { unheard_of: 'x' })
    expect([status, body.code]).toEqual([401, 'UNAUTHORIZED'])
    const [member] = (await insertUsers(realm, 1)) as [TestUser]
    expect((await member.api.post('/users', {})).body).toMatchObject({
      code: 'UNAUTHORIZED_PRINCIPAL',
      msg: 'Must be an organization administrator',
    })
  })
})

describe('credentials that a browser sends by itself', () => {
  const send = (site: string | undefined, method: string, path: string) =>
    owner.api.request(method, path, {}, { headers: site === undefined ? {} : { 'Sec-Fetch-Site': site } })

  it.each(['cross-site', 'same-site'])('change nothing from a page of another host: %s', async (site) => {
    for (const [method, path] of [
      ['POST', '/users/me/api_key/regenerate'],
      ['PATCH', '/settings'],
      ['DELETE', '/users/me'],
      ['PUT', '/bot_storage'],
      ['POST', '/tus/'],
    ] as const) {
      const refused = await send(site, method, path)
      expect(refused).toMatchObject({ status: 403, body: { result: 'error', code: 'CSRF_FAILED' } })
      expect(refused.headers.get('www-authenticate')).toBeNull()
    }
    expect((await owner.api.get('/users/me')).status).toBe(200)
  })

  it.each(['same-origin', 'none', undefined])('are accepted elsewhere: %s', async (site) => {
    expect((await send(site, 'PATCH', '/settings')).status).toBe(200)
  })

  it('in a cookie are ignored, except sessions below /json', async () => {
    const headers = { Cookie: 'sessionid=x; csrftoken=x' }
    const body = new URLSearchParams({ type: 'direct', to: `[${owner.id}]`, content: 'x' })
    const post = (path: string) =>
      askWorker(new Request(`http://${realm.host}${path}`, { method: 'POST', headers, body }))
    expect((await post('/api/v1/messages')).status).toBe(401)
    expect((await post('/json/messages')).status).toBe(401)
  })
})

describe('an incoming-webhook bot', () => {
  it('sends messages and does nothing else', async () => {
    const [bot] = (await insertUsers(realm, 1)) as [TestUser]
    await changeRealm(realm, (tx) => {
      tx.sql.run('UPDATE user SET bot_type = 2, bot_owner_id = ? WHERE id = ?', owner.id, bot.id)
    })
    const header = basic(`${bot.email}:${bot.apiKey}`)
    const refusal = refused('This API is not available to incoming webhook bots.')
    for (const path of ['/users/me', '/messages', '/events?queue_id=x']) {
      expect(await withHeader(header, { path })).toMatchObject(refusal)
    }
    const sent = { type: 'stream', to: 'general', topic: 'hooks', content: 'beep' }
    expect((await bot.api.post('/messages', sent)).status).toBe(200)
  })
})

describe('without credentials', () => {
  it('the open endpoints answer', async () => {
    expect((await realm.anonymous.get('/server_settings')).status).toBe(200)
    const { status, body } = await realm.anonymous.post('/fetch_api_key', {
      username: 'x@y.z',
      password: 'x',
    })
    expect([status, body.code]).toEqual([401, 'AUTHENTICATION_FAILED'])
  })
})
