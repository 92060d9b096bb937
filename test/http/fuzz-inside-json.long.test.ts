import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { askWorker } from '../support/api.ts'
import { exampleOf, examplesOf } from '../support/example-values.ts'
import { keepAlarmsAway } from '../support/exports.ts'
import type { TestUser } from '../support/factories.ts'
import { changeRealm, insertUsers, newestLogId } from '../support/inside.ts'
import { ENDPOINTS, type Endpoint } from '../support/inside-declarations.ts'
import { isOfRequest } from '../support/log-lines.ts'
import { sendTo } from '../support/messages.ts'
import { useReliableD1 } from '../support/reliable-d1.ts'
import { AGAIN, beginSample, isTried, SHARE } from '../support/samples.ts'
import { authorization } from '../support/uploads.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

/** What may stand in the place of a number, a text, or whatever else is nested in a parameter. */
const LEAVES = [
  '',
  '\u0000',
  '\ud800',
  'a\udc00b',
  '\u202e',
  '\ud83d\ude00',
  '1',
  'all',
  '__proto__',
  'x'.repeat(9_990),
  -1,
  0,
  1,
  1.5,
  9_007_199_254_740_992,
  999_999_999_999_999,
  -999_999_999_999_999,
  null,
  true,
  [],
  {},
  [[null]],
  [1, '2'],
  { a: 1 },
]

/** Limit of the values that are tried of one parameter, spread over all places in it. */
const TRIED = 300

/** Removes the organization, which later requests need. */
const LEFT_OUT = 'deactivate-realm'

const { realm, channel } = useRealm({}, { channels: { channel: ['owner'] } })
let attackers: TestUser[]
let attacker: TestUser
useReliableD1()
beforeAll(async () => {
  attackers = await insertUsers(realm, ENDPOINTS.length)
  // Some of the requests close the account, so each endpoint has an owner of its own.
  await changeRealm(realm, (tx) => {
    for (const { id } of attackers)
      tx.sql.run('UPDATE user SET role = 100, can_create_users = 1 WHERE id = ?', id)
  })
  for (const text of ['one', 'two', 'three']) await sendTo(realm.owner, channel.id, 'topic', text)
})
beforeEach(() => {
  world.pollHoldSeconds = 0.01
  // Due jobs change things by themselves.
  keepAlarmsAway()
  beginSample()
  attacker = attackers.pop()!
})

/** Yields a value with one place changed, for each place and each leaf; also lists twice as long or empty, and objects without a key. */
function* changed(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) {
      for (const other of changed(item)) yield value.with(at, other)
    }
    yield [...value, ...value]
    yield []
    return
  }
  if (typeof value !== 'object' || value === null) {
    yield* LEAVES
    return
  }
  for (const [key, inner] of Object.entries(value)) {
    for (const other of changed(inner)) yield { ...value, [key]: other }
    const { [key]: _, ...rest } = value as Record<string, unknown>
    yield rest
  }
  yield { ...value, '\ud800': 1 }
}

/** None for a parameter that is neither a list nor an object. */
function nestedValuesFor(endpoint: Endpoint, name: string): string[] {
  const examples = examplesOf(endpoint.params[name]!)
  const nested = examples.filter((example) => typeof example === 'object' && example !== null)
  const all = nested.flatMap((example) => [example, ...changed(example)])
  const texts = [...new Set(all.map((value) => JSON.stringify(value)))]
  const step = Math.ceil(texts.length / TRIED)
  return texts.filter((_, at) => at % step === 0)
}

/** Returns the end of the organization's log, where every change appears. */
const logHead = () => newestLogId(realm)

/** Number of answers by status. */
const statuses = new Map<number, number>()

/** Some values are left out (test/support/samples.ts). */
async function requireRefusal(endpoint: Endpoint, fields: Record<string, string>, what: string) {
  if (!isTried()) return
  const form = new URLSearchParams(fields).toString()
  const inQuery = endpoint.method === 'GET' || endpoint.streamsFiles || endpoint.tus !== undefined
  const path = endpoint.path.replaceAll(/:\w+\+?/g, '1')
  const before = await logHead()
  const response = await askWorker(
    new Request(`http://${attacker.api.host}/api/v1${path}${inQuery ? `?${form}` : ''}`, {
      method: endpoint.method,
      headers: {
        ...authorization(attacker),
        ...(inQuery ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' }),
      },
      body: inQuery ? undefined : form,
    }),
  )
  const { status } = response
  const shown = `${AGAIN} ${endpoint.operation}, ${what.slice(0, 150)}: ${status} ${(await response.text()).slice(0, 200)}`
  statuses.set(status, (statuses.get(status) ?? 0) + 1)
  expect(status, shown).toBeLessThan(500)
  if (status >= 400) expect(await logHead(), `${shown} has changed something`).toBe(before)
}

describe.each(
  ENDPOINTS.filter(({ operation }) => operation !== LEFT_OUT).map((one) => [one.operation, one] as const),
)('%s', (_name, endpoint) => {
  const names = Object.keys(endpoint.params).filter((name) => !endpoint.path.includes(`:${name}`))
  const wellMeant = Object.fromEntries(names.map((name) => [name, exampleOf(endpoint.params[name]!)]))

  it('refuses wrong values at every place within JSON, and changes nothing', {
    timeout: 240_000,
  }, async () => {
    const errors = vi.spyOn(console, 'error').mockClear()
    for (const name of names) {
      for (const value of nestedValuesFor(endpoint, name)) {
        await requireRefusal(endpoint, { ...wellMeant, [name]: value }, `${name}=${value}`)
      }
    }
    const ofRequests = errors.mock.calls.filter(([line]) => isOfRequest(line, realm.id))
    expect(ofRequests).toEqual([])
  })
})

it('the values reached what checks them, and some were accepted', () => {
  console.info(`Fuzz inside JSON: answers by status ${JSON.stringify(Object.fromEntries(statuses))}`)
  expect(statuses.get(400)).toBeGreaterThan(10_000 * SHARE)
  // An endpoint with parameters that exclude each other accepts none.
  expect(statuses.get(200)).toBeGreaterThan(50 * SHARE)
})
