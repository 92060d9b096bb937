import { afterEach, describe, expect, it } from 'vitest'
import { evictRealm } from '../../support/api.ts'
import { buildUser, expectSuccess } from '../../support/factories.ts'
import { buildRealm, useRealmPerTest } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm } = useRealmPerTest()
afterEach(() => {
  world.clockOffset = 0
})

const login = (username: string, password: string) =>
  realm.anonymous.post('/fetch_api_key', { username, password })

const REFUSAL = {
  result: 'error',
  msg: 'Your username or password is incorrect',
  code: 'AUTHENTICATION_FAILED',
}

describe('fetching a key', () => {
  it('returns key, address and id for the right password, whatever the address’s case', async () => {
    const user = await buildUser(realm)
    expect(expectSuccess(await login(user.email.toUpperCase(), 'a fine password'))).toMatchObject({
      api_key: user.apiKey,
      email: user.email,
      user_id: user.id,
    })
  })

  it('refuses a wrong password and an unknown address alike', async () => {
    const user = await buildUser(realm)
    for (const [username, password] of [
      [user.email, 'another password'],
      ['nobody@example.com', 'a fine password'],
      [`notification-bot@${realm.host}`, 'a fine password'],
    ] as const) {
      const response = await login(username, password)
      expect(response.status).toBe(401)
      expect(response.body).toEqual(REFUSAL)
    }
  })

  it('requires an address', async () => {
    expect((await login('olga', 'x')).body).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'Enter a valid email address.',
    })
    expect((await realm.anonymous.post('/fetch_api_key', { username: 'a@b.c' })).body).toMatchObject({
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: 'password',
    })
  })

  it('cannot be requested with GET', async () => {
    expect((await realm.anonymous.get('/fetch_api_key')).status).toBe(405)
  })

  it('reveals that the account is deactivated only with its password', async () => {
    const user = await buildUser(realm)
    expectSuccess(await realm.owner.api.delete(`/users/${user.id}`))
    expect((await login(user.email, 'wrong password')).body).toEqual(REFUSAL)
    const response = await login(user.email, 'a fine password')
    expect(response.status).toBe(401)
    expect(response.body).toMatchObject({ code: 'USER_DEACTIVATED', msg: 'Account is deactivated' })
  })

  it('returns no key of another organization', async () => {
    const { owner: stranger } = await buildRealm()
    expect((await login(stranger.email, 'correct horse')).body).toEqual(REFUSAL)
  })

  it('stops for half an hour after five failures, for right passwords and after eviction', async () => {
    const user = await buildUser(realm)
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      expect((await login(user.email, 'wrong password')).body).toEqual(REFUSAL)
    }
    await evictRealm(realm.id)
    const blocked = await login(user.email, 'a fine password')
    expect(blocked.status).toBe(429)
    expect(blocked.body.code).toBe('RATE_LIMIT_HIT')
    expect(blocked.body['retry-after']).toBeGreaterThan(1_700)
    expect(blocked.headers.get('retry-after')).toBe(String(blocked.body['retry-after']))
    expectSuccess(await login(realm.owner.email, 'correct horse'))
    world.clockOffset = 1_801
    expectSuccess(await login(user.email, 'a fine password'))
  })

  it('forgets failures of a clock that was ahead', async () => {
    const user = await buildUser(realm)
    world.clockOffset = 3_600
    for (let attempt = 1; attempt <= 5; attempt += 1) await login(user.email, 'wrong password')
    expect((await login(user.email, 'a fine password')).status).toBe(429)
    world.clockOffset = 0
    expectSuccess(await login(user.email, 'a fine password'))
  })

  it('resets the count of failures at a success', async () => {
    const user = await buildUser(realm)
    for (let round = 1; round <= 2; round += 1) {
      for (let attempt = 1; attempt <= 4; attempt += 1) await login(user.email, 'wrong password')
      expectSuccess(await login(user.email, 'a fine password'))
    }
  })

  it('counts concurrent attempts', async () => {
    const user = await buildUser(realm)
    const answers = await Promise.all(Array.from({ length: 8 }, () => login(user.email, 'wrong password')))
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(3)
  })

  it('has an inner step that no route leads to', async () => {
    expect((await realm.anonymous.post('/complete-login')).status).toBe(404)
    expect((await realm.anonymous.post('/complete_login')).status).toBe(404)
  })
})

describe('a new key', () => {
  it('replaces the old one at once', async () => {
    const user = await buildUser(realm)
    const { api_key } = expectSuccess(await user.api.post('/users/me/api_key/regenerate'))
    expect(api_key).toMatch(/^[A-Za-z0-9]{32}$/)
    expect((await user.api.get('/users/me')).body).toMatchObject({
      code: 'UNAUTHORIZED',
      msg: 'Invalid API key',
    })
    const again = expectSuccess(await login(user.email, 'a fine password'))
    expect(again.api_key).toBe(api_key)
  })

  it('needs credentials', async () => {
    expect((await realm.anonymous.post('/users/me/api_key/regenerate')).status).toBe(401)
  })
})
