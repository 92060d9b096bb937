import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { askWorker } from '../support/api.ts'
import { exampleOf } from '../support/example-values.ts'
import { keepAlarmsAway } from '../support/exports.ts'
import { createBot, type TestUser } from '../support/factories.ts'
import { changeRealm, insertUsers, newestLogId } from '../support/inside.ts'
import { describeParameter, ENDPOINTS, type Endpoint } from '../support/inside-declarations.ts'
import { fromJson } from '../support/json.ts'
import { isOfRequest } from '../support/log-lines.ts'
import { useReliableD1 } from '../support/reliable-d1.ts'
import { AGAIN, beginSample, isTried, SHARE } from '../support/samples.ts'
import { authorization } from '../support/uploads.ts'
import { buildRealm, useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

/** Values of another type than most parameters, in another encoding, or with characters that no text should have. */
const WRONG = [
  '',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '"\\ud800"',
  '["\\udc00\\u0000"]',
  '-1',
  '1e309',
  '9007199254740993',
  'null',
  'true',
  '"text"',
  '{}',
  '[]',
  '[[[null]]]',
  '{"a": [{"b": {"c": [1, "2", null]}}]}',
  '{"__proto__": {"x": 1}}',
  '['.repeat(3_000),
  `${'['.repeat(3_000)}${']'.repeat(3_000)}`,
  `${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}`,
]

const CRLF = '\r\n'
const part = (name: string, value: string) =>
  `--b${CRLF}Content-Disposition: form-data; name="${name}"${CRLF}${CRLF}${value}${CRLF}`

/** Returns bodies whose content does not fit their declared type. */
const brokenBodies = (name: string, value: string): readonly [type: string, body: BodyInit][] => [
  ['text/plain', `${name}=${value}`],
  ['application/json', JSON.stringify({ [name]: value })],
  ['application/octet-stream', new Uint8Array([0, 255, 254, 128])],
  ['application/x-www-form-urlencoded; charset=utf-16', `${name}=${value}`],
  ['application/x-www-form-urlencoded', new Uint8Array([...Buffer.from(`${name}=`), 0xff, 0xfe, 0xc0, 0x80])],
  ['multipart/form-data', part(name, value)],
  ['multipart/form-data; boundary=b', part(name, value)],
  ['multipart/form-data; boundary=b', part(name, value).slice(0, -4)],
  ['multipart/form-data; boundary=b', `${part(name, value)}${part(name, 'other')}--b--${CRLF}`],
  [
    'multipart/form-data; boundary=b',
    `--b${CRLF}Content-Disposition: form-data${CRLF}${CRLF}x${CRLF}--b--${CRLF}`,
  ],
  [
    'multipart/form-data; boundary=b',
    `--b${CRLF}Content-Disposition: form-data; name="${name}"; filename="../\u0000"${CRLF}${CRLF}x${CRLF}--b--${CRLF}`,
  ],
  [`multipart/form-data; boundary=${'b'.repeat(300)}`, part(name, value)],
]

const named = ENDPOINTS.map((endpoint): [string, Endpoint] => [endpoint.operation, endpoint])

const { realm } = useRealm()
let attackers: TestUser[]
let attacker: TestUser
useReliableD1()
beforeAll(async () => {
  attackers = await insertUsers(realm, named.length)
  // Some of the requests close the account, so each endpoint has an owner of its own.
  await changeRealm(realm, (tx) => {
    for (const { id } of attackers)
      tx.sql.run('UPDATE user SET role = 100, can_create_users = 1 WHERE id = ?', id)
  })
})
beforeEach(() => {
  world.pollHoldSeconds = 0.01
  // Due jobs change things by themselves.
  keepAlarmsAway()
  beginSample()
  attacker = attackers.pop()!
})

interface Sent {
  readonly query?: string
  readonly body?: BodyInit
  readonly type?: string
  readonly path?: string
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

async function send(endpoint: Endpoint, { query = '', body, type, path }: Sent): Promise<Answer> {
  const at = path ?? endpoint.path.replace(':integration', 'json').replaceAll(/:\w+\+?/g, '1')
  const response = await askWorker(
    new Request(`http://${attacker.api.host}/api/v1${at}${query && `?${query}`}`, {
      method: endpoint.method,
      headers: {
        ...authorization(attacker),
        ...(endpoint.tus ? { 'Tus-Resumable': '1.0.0' } : {}),
        ...(type ? { 'Content-Type': type } : {}),
      },
      body: endpoint.method === 'GET' ? undefined : body,
    }),
  )
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** Returns the end of the organization's log, where every change appears. */
const logHead = () => newestLogId({ ...realm, id: attacker.api.realmId })

/** Number of answers by status. */
const statuses = new Map<number, number>()

/** One request at a time, so that only it can have changed anything. Some are left out (test/support/samples.ts). */
async function requireAnswer(endpoint: Endpoint, sent: Sent, what: string): Promise<void> {
  if (!isTried()) return
  const before = await logHead()
  const answer = await send(endpoint, sent)
  const { status, text, headers } = answer
  const shown = `${AGAIN} ${endpoint.operation}, ${what.slice(0, 120)}: ${status} ${text.slice(0, 300)}`
  if (status >= 500) {
    expect(status, shown).toBe(503)
    expect(Number(headers.get('retry-after')), shown).toBeGreaterThanOrEqual(1)
  }
  expect(text, shown).not.toMatch(/\bat .+\.(ts|m?js):\d+/)
  statuses.set(status, (statuses.get(status) ?? 0) + 1)
  if (status < 400) return
  // The protocol of resumable uploads has refusals without a body.
  if (text !== '' || !endpoint.tus) {
    const { result, msg, code } = fromJson(text)
    expect([result, typeof msg, typeof code], shown).toEqual(['error', 'string', 'string'])
  }
  // The owner of a bot is told, once a day, of a post that cannot be read.
  if (endpoint.operation === 'receive-webhook') return
  expect(await logHead(), `${shown} has changed something`).toBe(before)
}

const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString()

/** Returns a request with the fields in the query, if it only reads, or else in a form. */
function inForm({ method, streamsFiles, tus }: Endpoint, fields: Record<string, string>, more = ''): Sent {
  const text = `${form(fields)}${more}`
  if (method === 'GET' || streamsFiles || tus) return { query: text }
  return { body: text, type: 'application/x-www-form-urlencoded' }
}

/** At the limit, and beyond it. */
function sizesOf(endpoint: Endpoint, name: string): string[] {
  const { schema, isJson } = describeParameter(name, endpoint.params[name]!)
  const limit = Number(schema.maxItems ?? schema.maxLength)
  if (!Number.isFinite(limit)) return []
  const sized = (size: number) => {
    if (schema.type === 'array') return JSON.stringify(Array.from({ length: size }, () => 0))
    return isJson ? JSON.stringify('x'.repeat(size)) : 'x'.repeat(size)
  }
  return [limit, limit + 1].map(sized).filter(({ length }) => length < 1_500_000)
}

describe.each(named)('%s', (_name, endpoint) => {
  const names = Object.keys(endpoint.params)
  const inPath = names.filter((name) => endpoint.path.includes(`:${name}`))
  const wellMeant = Object.fromEntries(
    names.filter((name) => !inPath.includes(name)).map((name) => [name, exampleOf(endpoint.params[name]!)]),
  )

  it('refuses invalid parameters in the standard form, and changes nothing', {
    timeout: 120_000,
  }, async () => {
    // This operation removes the organization, which later requests need.
    if (endpoint.operation === 'deactivate-realm') attacker = (await buildRealm()).owner
    // Its caller is a bot, which names itself in the parameters.
    if (endpoint.operation === 'receive-webhook') {
      wellMeant.api_key = (await createBot(attacker, 'hook', { bot_type: 2 })).apiKey
    }
    const errors = vi.spyOn(console, 'error').mockClear()
    const large = endpoint.path.replaceAll(/:\w+\+?/g, 'x'.repeat(5_000))
    for (const path of [
      large,
      ...['%00', '%ff', '%ed%a0%80', '-1', '1e9', 'null'].map((value) =>
        endpoint.path.replaceAll(/:\w+\+?/g, value),
      ),
    ]) {
      if (inPath.length > 0) await requireAnswer(endpoint, { ...inForm(endpoint, wellMeant), path }, path)
    }
    for (const [at, name] of Object.keys(wellMeant).entries()) {
      for (const value of chosen(WRONG, at)) {
        await requireAnswer(endpoint, inForm(endpoint, { ...wellMeant, [name]: value }), `${name}=${value}`)
      }
      for (const value of sizesOf(endpoint, name)) {
        await requireAnswer(
          endpoint,
          inForm(endpoint, { ...wellMeant, [name]: value }),
          `${name}: ${value.length} characters`,
        )
      }
      const twice = `&${form({ [name]: chosen(WRONG, at + 1)[0]! })}`
      await requireAnswer(endpoint, inForm(endpoint, wellMeant, twice), `${name} twice`)
    }
    if (endpoint.method !== 'GET') {
      const [name, value] = Object.entries(wellMeant)[0] ?? ['nothing', 'x']
      for (const [type, body] of brokenBodies(name, value)) {
        await requireAnswer(endpoint, { body, type }, `${type}: ${String(body)}`)
      }
    }
    const ofRequests = errors.mock.calls.filter(([line]) => isOfRequest(line, attacker.api.realmId))
    expect(ofRequests).toEqual([])
  })
})

it('the attempts reached the parameters, and some succeeded', () => {
  console.info(`Fuzz: answers by status ${JSON.stringify(Object.fromEntries(statuses))}`)
  expect(statuses.get(400)).toBeGreaterThan(5_000 * SHARE)
  expect(statuses.get(200)).toBeGreaterThan(100 * SHARE)
  expect(statuses.get(401) ?? 0).toBeLessThan(100)
})

/** Returns a third of the list, another one for each position, so that each value is tried in many. */
function chosen<Item>(list: readonly Item[], at: number): readonly Item[] {
  const count = Math.ceil(list.length / 3)
  return Array.from({ length: count }, (_, index) => list[(at * count + index) % list.length]!)
}
