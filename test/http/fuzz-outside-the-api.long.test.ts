import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { askWorker } from '../support/api.ts'
import { keepAlarmsAway } from '../support/exports.ts'
import { newestLogId } from '../support/inside.ts'
import { routesBesideEndpoints } from '../support/inside-router.ts'
import { isOfRequest } from '../support/log-lines.ts'
import { useReliableD1 } from '../support/reliable-d1.ts'
import { AGAIN, beginSample, isTried, SHARE } from '../support/samples.ts'
import { authorization } from '../support/uploads.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

/** What a client may put where an id, a name or a secret belongs. */
const SEGMENTS = [
  '0',
  '-1',
  '999999999999999999999',
  '%00',
  '%ff%fe',
  '%ed%a0%80',
  '%zz',
  '..%2f..',
  '1%2f2',
  'null',
  '__proto__',
  '%f0%9f%98%80',
  'x'.repeat(5_000),
  '.',
  '%20',
  '%5c',
  '1.png',
  ';',
  "'",
  '%22',
]
/** Number of segments that are added behind a whole path. */
const BEHIND = 6
const VALUES = [
  '',
  '\u0000',
  '\ud800',
  '["\\ud800"]',
  '-1',
  '1e309',
  'null',
  '{}',
  '['.repeat(3_000),
  'x'.repeat(20_000),
  '//evil.example.com',
  '/\\evil',
  'javascript:x',
]
/** Names that pages, files and the deployment's own routes read. */
const FIELDS = [
  'next',
  'email',
  'username',
  'password',
  'full_name',
  'new_password',
  'csrfmiddlewaretoken',
  'method',
  'url',
  'size',
  'after',
  'before',
  'deep',
  'mobile_flow_otp',
  'name',
  'token',
  'to',
  'host',
  'short_name',
  'string_id',
  'repair',
  'organization',
  'List-Unsubscribe',
  'reason',
  'channel',
  'message',
  'download',
]
const HEADERS: readonly Record<string, string>[] = [
  { Range: 'bytes=99999999999999999999-' },
  { Range: 'bytes=-0' },
  { Range: 'items=0-1' },
  { 'If-None-Match': '"'.repeat(5_000) },
  { Cookie: '=;;;=%ff; __Host-sessionid=x; __Host-csrftoken=%00; sessionid=\u00ff' },
  { Cookie: 'a=b;'.repeat(2_000) },
  { Authorization: 'Basic ////' },
  { Authorization: `Basic ${'A'.repeat(8_000)}` },
  { Authorization: 'Bearer \u00ff' },
  { Authorization: '' },
  { 'Accept-Language': ',;q=,'.repeat(1_000) },
  { 'Accept-Language': 'de;q=NaN,__proto__' },
  { 'User-Agent': '\u00ff'.repeat(3_000) },
  { 'Idempotency-Key': '\u00ff' },
  { 'Idempotency-Key': 'x'.repeat(300) },
  { Upgrade: 'websocket' },
  { 'X-HTTP-Method-Override': 'PATCH' },
  { Origin: 'null' },
  { Accept: 'application/json' },
  { 'Content-Length': '99999999999' },
]
const FORM = 'application/x-www-form-urlencoded'
const CRLF = '\r\n'
const ofFile = `--b${CRLF}Content-Disposition: form-data; name="email"; filename="../\u0000"${CRLF}${CRLF}`
const BODIES: readonly [type: string, body: BodyInit][] = [
  ['text/plain', 'email=x'],
  ['application/json', '{"email": ["x"]}'],
  ['application/json', '['.repeat(5_000)],
  ['application/octet-stream', new Uint8Array([0, 255, 254, 128])],
  [`${FORM}; charset=utf-16`, 'email=x'],
  [FORM, '%zz=%ff&&&=&=='],
  ['multipart/form-data', 'x'],
  ['multipart/form-data; boundary=b', `${ofFile}x${CRLF}--b--${CRLF}`],
  ['multipart/form-data; boundary=b', `${ofFile}x`],
  ['application/offset+octet-stream', 'x'],
  ['', 'x'.repeat(100)],
]
const ALL_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

const { realm, ann } = useRealm({ ann: 'member' })
useReliableD1()
beforeAll(() => {
  world.pollHoldSeconds = 0.01
})
beforeEach(() => {
  // Due jobs change things by themselves.
  keepAlarmsAway()
  beginSample()
})

/** Returns the end of the organization's log, where every change appears. */
const logHead = () => newestLogId(realm)

/** Number of answers by status. */
const statuses = new Map<number, number>()

/** Some requests are left out (test/support/samples.ts). */
async function requireAnswer(path: string, init: RequestInit, what: string): Promise<void> {
  if (!isTried()) return
  const request = requestFor(path, init)
  if (!request) return
  const before = await logHead()
  const response = await askWorker(request)
  const { status, headers, webSocket } = response
  webSocket?.accept()
  webSocket?.close()
  const text = webSocket ? '' : await response.text()
  statuses.set(status, (statuses.get(status) ?? 0) + 1)
  const shown = `${AGAIN} ${init.method} ${path.slice(0, 80)} ${what.slice(0, 80)}: ${status} ${text.slice(0, 200)}`
  if (status >= 500) {
    expect(status, shown).toBe(503)
    expect(headers.get('retry-after'), shown).not.toBeNull()
  }
  expect(text, shown).not.toMatch(/\bat .+\.(ts|m?js):\d+/)
  if (status >= 400) expect(await logHead(), `${shown} has changed something`).toBe(before)
}

/** Undefined for what no client can send either. */
function requestFor(path: string, init: RequestInit): Request | undefined {
  try {
    return new Request(`http://${realm.host}${path}`, { redirect: 'manual', ...init })
  } catch {
    return undefined
  }
}

/** Each once; some are there for several hosts. */
const routes = new Map(
  routesBesideEndpoints().map(({ method, path }) => [`${method} ${path}`, [method, path] as const]),
)

describe.each([...routes.values()])('%s %s', (named, path) => {
  const filled = (value: string) => path.replaceAll(/:\w+\+?|\*/g, () => value)

  it('answers whatever it cannot read with a refusal, and changes nothing then', {
    timeout: 120_000,
  }, async () => {
    const errors = vi.spyOn(console, 'error').mockClear()
    for (const method of named === 'ALL' ? ALL_METHODS : [named]) {
      const hasBody = method !== 'GET' && method !== 'HEAD'
      for (const headers of [{}, authorization(ann)]) {
        const inPath = /[:*]/.test(path) ? SEGMENTS.map(filled) : []
        const behind = SEGMENTS.slice(0, BEHIND).map((segment) => `${filled('1')}/${segment}`)
        for (const at of [...inPath, ...behind]) await requireAnswer(at, { method, headers }, at)
      }
      for (const [at, field] of FIELDS.entries()) {
        for (const value of [VALUES[at % VALUES.length]!, VALUES[(at * 5 + 3) % VALUES.length]!]) {
          const twice = new URLSearchParams([
            [field, value],
            [field, 'x'],
          ]).toString()
          await requireAnswer(`${filled('1')}?${twice}`, { method, headers: authorization(ann) }, field)
          const headers = { 'Content-Type': FORM, Accept: at % 2 === 0 ? '*/*' : 'application/json' }
          if (hasBody)
            await requireAnswer(filled('1'), { method, headers, body: twice }, `${field} in a form`)
        }
      }
      for (const headers of HEADERS) {
        await requireAnswer(filled('1'), { method, headers }, JSON.stringify(headers))
      }
      for (const [type, body] of hasBody ? BODIES : []) {
        await requireAnswer(filled('1'), { method, headers: { 'Content-Type': type }, body }, type)
      }
    }
    const ofRequests = errors.mock.calls.filter(([line]) => isOfRequest(line, realm.id))
    expect(ofRequests).toEqual([])
  })
})

it('the attempts reached routes of all kinds', () => {
  console.info(`Fuzz outside the API: answers by status ${JSON.stringify(Object.fromEntries(statuses))}`)
  for (const status of [200, 400, 401, 403, 404])
    expect(statuses.get(status), `${status}`).toBeGreaterThan(10 * SHARE)
})
