import { afterEach, expect, it } from 'vitest'
import { expectSuccess } from '../support/factories.ts'
import { useRealm } from '../support/use-realm.ts'
import { type HasherInterceptor, type RealmInterceptor, world } from '../support/world.ts'

const { realm, ann } = useRealm({ ann: 'member' })
const reached: string[] = []
afterEach(() => {
  world.reach = (call) => call()
  world.hasher = (call) => call()
  reached.length = 0
})

const logIn = (username: string, password: string) =>
  realm.anonymous.post('/fetch_api_key', { username, password })

/** Notes the calls to the objects, in their order. `failing`: what becomes of those to the hasher. */
function watch(failing: HasherInterceptor = (call) => call()): void {
  world.hasher = (call, method) => {
    reached.push(method)
    return failing(call, method)
  }
  const reach: RealmInterceptor = (call) => {
    reached.push('realm')
    return call()
  }
  world.reach = reach
}

const lostConnection = () => Object.assign(new Error('Network connection lost.'), { retryable: true })

it('a place is taken before the attempt counts, and left after one check', async () => {
  watch()
  expectSuccess(await logIn(ann.email, 'a fine password'))
  expect(reached).toEqual(['reserve', 'realm', 'verify', 'realm'])
})

it('an absent account makes the same calls as a wrong password', async () => {
  watch()
  for (const username of [ann.email, 'nobody@example.com']) {
    expect((await logIn(username, 'another password')).status).toBe(401)
  }
  const calls = ['reserve', 'realm', 'verify', 'realm']
  expect(reached).toEqual([...calls, ...calls])
})

it('where too many wait, no attempt is counted', async () => {
  watch(async () => null)
  const refused = await logIn(ann.email, 'another password')
  expect([refused.status, refused.body.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(reached).toEqual(['reserve'])
})

it('a hasher that cannot be reached is asked three times, and no attempt is counted', async () => {
  watch(() => Promise.reject(lostConnection()))
  expect((await logIn(ann.email, 'a fine password')).status).toBe(503)
  expect(reached).toEqual(['reserve', 'reserve', 'reserve'])
})

it('a check whose object has left memory is made in another place', async () => {
  let failures = 0
  watch((call, method) => {
    if (method !== 'verify' || failures === 1) return call()
    failures += 1
    return Promise.reject(lostConnection())
  })
  expectSuccess(await logIn(ann.email, 'a fine password'))
  expect(reached).toEqual(['reserve', 'realm', 'verify', 'reserve', 'verify', 'realm'])
})
