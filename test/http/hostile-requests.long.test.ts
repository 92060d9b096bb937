import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { askWorker } from '../support/api.ts'
import { exampleOf } from '../support/example-values.ts'
import type { TestUser } from '../support/factories.ts'
import { changeRealm, insertUsers } from '../support/inside.ts'
import { ENDPOINTS, type Endpoint } from '../support/inside-declarations.ts'
import { fromJson } from '../support/json.ts'
import { useRealm, useRealmPerTest } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

/** Values that no client should send, but attackers will. */
const HOSTILE = [
  '',
  ' ',
  '\u0000',
  '\ufffd\u202e\ud83d',
  '-1',
  '9007199254740993',
  '1e309',
  'null',
  'true',
  '"text"',
  '{}',
  '[]',
  '[null]',
  '[[]]',
  '[{}]',
  '["\\ud800\\u0000"]',
  '[-1, 1e308, 0.5]',
  '{"__proto__": {"x": 1}, "constructor": 1, "toString": null}',
  '[{"name": "\\ud800", "stream_id": -1, "operator": "id", "operand": {}, "new": [], "old": []}]',
  'user@example.com,user@example.com',
  '%zz%00',
]

const HOSTILE_PATHS = ['0', '999999999999999', '-1', '%00', '%zz', '%ff%fe', '..%2f..', 'a'.repeat(10_000)]

/** Bodies whose content does not fit their declared type. */
const BROKEN_BODIES: readonly [string, string][] = [
  ['multipart/form-data', 'x'],
  ['multipart/form-data; boundary=', '--\r\n'],
  ['multipart/form-data; boundary=b', '--b\r\nContent-Disposition: form-data; name="content"\r\n\r\nx'],
  ['application/x-www-form-urlencoded', '%zz=%ff&&&=&=='],
  ['application/x-www-form-urlencoded; charset=nonsense', 'a=b'],
  ['application/json', '{'],
]

const AT_ONCE = 8

/** Values that are too large to be tried everywhere. */
const HUGE = ['['.repeat(100_000), `${'['.repeat(5_000)}${']'.repeat(5_000)}`, 'a'.repeat(1_000_000)]

const { realm } = useRealm()
/** Each test has an owner of its own, since some of the requests close the account. */
let attackers: TestUser[]
let attacker: TestUser
beforeAll(async () => {
  attackers = await insertUsers(realm, 2 * ENDPOINTS.length)
  await changeRealm(realm, (tx) => {
    for (const { id } of attackers) {
      tx.sql.run('UPDATE user SET role = 100, can_create_users = 1 WHERE id = ?', id)
    }
  })
})
beforeEach(() => {
  world.pollHoldSeconds = 0.01
  attacker = attackers.pop()!
})

type Fields = Record<string, string>

async function send(endpoint: Endpoint, path: string, body: BodyInit | undefined, headers: Fields = {}) {
  const isGet = endpoint.method === 'GET'
  const response = await askWorker(
    new Request(`http://${attacker.api.host}/api/v1${path}${isGet && body ? `?${body}` : ''}`, {
      method: endpoint.method,
      headers: { Authorization: `Basic ${btoa(`${attacker.email}:${attacker.apiKey}`)}`, ...headers },
      body: isGet ? undefined : body,
    }),
  )
  return { status: response.status, text: await response.text() }
}

function requireAnswer({ status, text }: { status: number; text: string }, what: unknown) {
  const shown = `${status} ${text.slice(0, 500)} for ${JSON.stringify(what)?.slice(0, 500)}`
  expect(status, shown).toBeLessThan(500)
  expect(fromJson(text), shown).toHaveProperty('result')
  expect(text, shown).not.toMatch(/\bat .+\.(ts|m?js):\d+/)
}

function examples({ params, path }: Endpoint): Fields {
  return Object.fromEntries(
    Object.entries(params)
      .filter(([name]) => !path.includes(`:${name}`))
      .map(([name, schema]) => [name, exampleOf(schema)]),
  )
}

const pathWith = ({ path }: Endpoint, value: string) => path.replaceAll(/:\w+\+?/g, value)

const named = ENDPOINTS.map((endpoint, number): [string, Endpoint, number] => [
  endpoint.operation,
  endpoint,
  number,
])

/** Makes all requests at once, and requires that each is answered. */
async function requireAnswers(endpoint: Endpoint, all: readonly Fields[], path = pathWith(endpoint, '1')) {
  for (let next = 0; next < all.length; next += AT_ONCE) {
    const asked = all.slice(next, next + AT_ONCE)
    await Promise.all(
      asked.map(async (fields) => {
        requireAnswer(await send(endpoint, path, new URLSearchParams(fields)), fields)
      }),
    )
  }
}

describe.each(named)('%s', (_name, endpoint, number) => {
  // This operation removes the organization, which later requests need.
  if (endpoint.operation === 'deactivate-realm') {
    const { owner } = useRealmPerTest()
    beforeEach(() => {
      attacker = owner
    })
  }

  const wellMeant = examples(endpoint)
  const names = Object.keys(wellMeant)
  const everywhere = (value: string) => Object.fromEntries(names.map((name) => [name, value]))

  it('answers hostile values, in all parameters and in single ones', { timeout: 60_000 }, async () => {
    const errors = vi.spyOn(console, 'error').mockClear()
    await requireAnswers(endpoint, sample(HOSTILE, number, 2).map(everywhere))
    await requireAnswers(
      endpoint,
      names.flatMap((name, position) =>
        sample(HOSTILE, number + position, 1).map((value) => ({ ...wellMeant, [name]: value })),
      ),
    )
    expect(errors).not.toHaveBeenCalled()
  })

  it('answers hostile paths, huge values and broken bodies', { timeout: 60_000 }, async () => {
    for (const value of sample(HOSTILE_PATHS, number, 2)) {
      await requireAnswers(endpoint, [wellMeant], pathWith(endpoint, value))
    }
    if (endpoint.method === 'GET') return
    await requireAnswers(endpoint, sample(hugeOnes(wellMeant), number, 1))
    for (const [type, body] of sample(BROKEN_BODIES, number, 1)) {
      requireAnswer(await send(endpoint, pathWith(endpoint, '1'), body, { 'Content-Type': type }), type)
    }
  })
})

/** Requests in which one field is hostile; each field and each value occurs at least once. */
function hugeOnes(wellMeant: Fields): Fields[] {
  const names = Object.keys(wellMeant)
  if (names.length === 0) return []
  return Array.from({ length: Math.max(names.length, HUGE.length) }, (_, position) => ({
    ...wellMeant,
    [names[position % names.length]!]: HUGE[position % HUGE.length]!,
  }))
}

/**
 * Returns `count` items of the list, others for each position, so that all are tried somewhere; with `FUZZ=all`, returns all.
 */
function sample<Item>(list: readonly Item[], position: number, count: number): readonly Item[] {
  if (env.FUZZ === 'all' || list.length <= count) return list
  return Array.from({ length: count }, (_, index) => list[(position * count + index) % list.length]!)
}
