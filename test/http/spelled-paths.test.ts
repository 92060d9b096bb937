import { expect, it } from 'vitest'
import { Browser } from '../support/browsing.ts'
import { buildUser, expectSuccess } from '../support/factories.ts'
import { neverEvict } from '../support/never-evict.ts'
import { postForm, visit } from '../support/pages.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

/** However a path is spelled, every check sees the one that the router sees. */

const { realm, ann } = useRealm({ ann: 'member' })
neverEvict()

let networks = 0
function newIp(): string {
  networks += 1
  return `100.67.0.${networks}`
}

/** Returns a path with its slashes doubled: each, and all of them. */
function doubled(path: string): string[] {
  const parts = path.split('/')
  const each = parts.slice(1).map((_, at) => {
    return `${parts.slice(0, at + 1).join('/')}//${parts.slice(at + 1).join('/')}`
  })
  return [...each, path.replaceAll('/', '///')]
}

const at = (path: string) => `http://${realm.host}${path}`
const keyed = () => ({ Authorization: `Basic ${btoa(`${ann.email}:${ann.apiKey}`)}` })

/** What a client sees of an answer, but for times and random values. */
async function seen(path: string, init: RequestInit) {
  const { status, headers, text } = await visit(at(path), { ...init, signal: null })
  const kept = [...headers].filter(([name]) => !/^(?:x-ratelimit-|retry-after|date$|set-cookie)/.test(name))
  return { status, headers: kept, text: text.replaceAll(/[0-9a-f]{32,}|nonce-[\w+/=-]+/g, '…') }
}

const form = (fields: Record<string, string>) => ({ method: 'POST', body: new URLSearchParams(fields) })
const withKey = () => ({ headers: keyed() })
const withNothing = () => ({})
const fromElsewhere = () => ({ headers: { Origin: 'https://elsewhere.example', ...keyed() } })
const preflight = () => ({
  method: 'OPTIONS',
  headers: { Origin: 'https://elsewhere.example', 'Access-Control-Request-Method': 'POST' },
})

it.each<[string, () => RequestInit, number]>([
  ['/api/v1/users/me', withKey, 200],
  ['/api/v1/users/me', withNothing, 401],
  ['/api/v1/users/me', fromElsewhere, 200],
  ['/api/v1/messages', preflight, 204],
  ['/api/v1/nothing/there', withKey, 404],
  ['/api/v1/user_topics', () => ({ ...form({ stream_id: '1' }), ...withKey() }), 400],
  ['/api/v1/messages', () => ({ ...form({ content: 'x'.repeat(4_000_000) }), ...withKey() }), 413],
  ['/api/v1/openapi.json', withNothing, 200],
  ['/api/v1/external/uptimerobot', () => form({ api_key: 'a'.repeat(32) }), 401],
  ['/json/users/me', withNothing, 401],
  ['/json/messages', () => form({ type: 'direct' }), 401],
  ['/json/messages', preflight, 204],
  ['/services/T1/B1/aaaaaaaa', () => form({ payload: '{}' }), 403],
  ['/scim/v2/Users', withNothing, 401],
  ['/accounts/login', withNothing, 200],
  ['/accounts/password/reset/0123', withNothing, 404],
  ['/join/0123', withNothing, 404],
  ['/user_uploads/1/ab/file.txt', withNothing, 404],
  ['/robots.txt', withNothing, 404],
  ['/health', withNothing, 200],
  ['/docs/index.html', withNothing, 404],
  ['/nothing/there', withNothing, 404],
])('slashes that follow one another mean one: %s', async (path, init, status) => {
  const plain = await seen(path, init())
  for (const spelled of doubled(path))
    expect([spelled, await seen(spelled, init())]).toEqual([spelled, plain])
  expect(plain.status).toBe(status)
})

it('a change through such a path passes the checks of the plain one', async () => {
  const browser = new Browser(realm.host)
  expect((await browser.logIn(ann.email, 'a fine password')).status).toBe(302)
  const write = async (path: string, headers: Record<string, string> = {}) => {
    const body = new URLSearchParams({ to: JSON.stringify([ann.id]), type: 'direct', content: path })
    return (await browser.ask('POST', path, { body, headers })).status
  }
  const token = { 'X-CSRFToken': browser.cookies.get('csrftoken')! }
  for (const path of ['/json/messages', ...doubled('/json/messages')]) {
    expect([path, await write(path)]).toEqual([path, 403])
    expect([path, await write(path, { ...token, Origin: 'https://elsewhere.example' })]).toEqual([path, 403])
    expect([path, await write(path, token)]).toEqual([path, 200])
  }
})

it.each([
  ['/api/v1/%75sers/me', 404],
  ['/api%2Fv1/users/me', 404],
  ['/api/v1/users%2Fme', 404],
  ['/%61pi/v1/users/me', 404],
  ['/api/v1/./users/me', 200],
  ['/api/v1/streams/../users/me', 200],
  ['/api/v1/%2e/users/me', 200],
  ['/api/v1/streams/%2E%2e/users/me', 200],
  ['/api/v1/users/me/', 200],
  ['/api/v1/users/me//', 200],
  ['/api\\v1\\users/me', 200],
  ['/json/../api/v1/users/me', 200],
  ['/api/v1/../../json/users/me', 401],
])('nothing is decoded before it is routed, and dots are resolved: %s is %i', async (path, status) => {
  expect((await visit(at(path), withKey())).status).toBe(status)
})

it('guesses of secrets count, however their paths are spelled', async () => {
  world.settings = { RATE_LIMIT_API_BY_IP: '3/60' }
  const spellings = [
    ['/health?deep=1', '/health/?deep=1', '//health//?deep=1', '/health///?deep=1'],
    ['/join/0', '/join/0/', '//join//0', '/join/0//'],
    [
      '/accounts/password/reset/0',
      '/accounts//password/reset/0',
      '/accounts/password/reset//0',
      '//accounts/password/reset/0/',
    ],
  ]
  for (const paths of spellings) {
    const headers = { 'CF-Connecting-IP': newIp() }
    const statuses: number[] = []
    for (const path of paths) statuses.push((await visit(at(path), { headers })).status)
    expect([paths[0], statuses]).toEqual([paths[0], [404, 404, 404, 429]])
  }
})

it('the ways to log in stay open, however their paths are spelled', async () => {
  world.settings = { RATE_LIMIT_API_BY_IP: '3/60' }
  const ip = newIp()
  const headers = { 'CF-Connecting-IP': ip }
  for (let times = 0; times < 4; times += 1) await visit(at('/json/users/me'), { headers })
  expect((await visit(at('/json//users/me'), { headers })).status).toBe(429)
  const user = await buildUser(realm)
  const fields = { username: user.email, password: 'a fine password' }
  for (const path of [
    '/api/v1/fetch_api_key',
    '/api/v1/fetch_api_key/',
    '/api/v1//fetch_api_key',
    '//api/v1/fetch_api_key',
  ]) {
    expect([path, (await postForm(at(path), fields, ip)).status]).toEqual([path, 200])
  }
  for (const path of [
    '/accounts/password/reset',
    '/accounts/password/reset//',
    '//accounts/password//reset/',
  ]) {
    expect([path, (await visit(at(path), { headers })).status]).toEqual([path, 200])
  }
})

it('a webhook’s right key vouches for no other one, with a slash at the end', async () => {
  world.settings = { RATE_LIMIT_API_BY_IP: '3/60' }
  const { api_key } = expectSuccess(
    await ann.api.post('/bots', { full_name: 'Hook', short_name: 'hook', bot_type: 2 }),
  )
  const headers = { 'CF-Connecting-IP': newIp() }
  const post = async (secret: string) => {
    const body = new URLSearchParams({ payload: '{"text":"hello"}', channel: 'nowhere' })
    return (await visit(at(`/services/T1/B1/${secret}/`), { method: 'POST', body, headers })).status
  }
  const right = await post(String(api_key))
  expect([401, 403, 429]).not.toContain(right)
  for (let times = 0; times < 3; times += 1) expect(await post(`${times}`.repeat(32))).toBe(403)
  expect(await post('9'.repeat(32))).toBe(429)
  expect(await post(String(api_key))).toBe(right)
})
