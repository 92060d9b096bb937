import { describe, expect, it } from 'vitest'
import type { Endpoint } from '../../src/api/define-endpoint.ts'
import { ENDPOINTS } from '../../src/features/index.ts'
import { bodyLimitAt, bodyLimitOf, MAX_BODY, MAX_FORM, MIN_LIMIT } from '../../src/http/input/body-limit.ts'
import { describeParameter } from '../../src/http/input/openapi-parameters.ts'
import { readParameters } from '../../src/http/input/read-parameters.ts'
import { askWorker } from '../support/api.ts'
import { readJson } from '../support/json.ts'
import { useRealm } from '../support/use-realm.ts'

const MIB = 1_048_576

/**
 * Returns the bytes of the longest value that the parameter accepts, in characters for which a form needs the most bytes.
 */
function longestValue({ params }: Endpoint, name: string): number {
  const schema = params[name]!
  const { schema: described, isJson } = describeParameter(name, schema)
  const endless = new Map([[name, '7'.repeat(2_100_000)]])
  const read = readParameters({ params: { [name]: schema } }, { values: endless, files: [] }, {})
  const limit = read.ok ? undefined : /\(limit: (\d+) characters\)/.exec(read.error.toWire().msg)?.[1]
  // Values that are cut and never refused are tested far beyond their limit; values from a list of words are tested at the
  // length of a word.
  const length = limit ? Number(limit) : read.ok ? 10 * Number(described.maxLength) : 20
  const mayHoldText = /"type":"string"|{}|additional/.test(JSON.stringify(described))
  return length * encodeURIComponent(isJson && !mayHoldText ? ',' : '\u{1f600}').length
}

const held = ENDPOINTS.filter(({ streamsFiles, tus, readsBody }) => !streamsFiles && !tus && !readsBody)

describe('the limit of a body is larger than all parameters at their limits', () => {
  it.each(held.map((endpoint) => [endpoint.operation, endpoint] as const))(
    'of %s',
    (_operation, endpoint) => {
      const limit = bodyLimitOf(endpoint)
      expect(limit).toBeGreaterThanOrEqual(MIN_LIMIT)
      expect(limit).toBeLessThanOrEqual(endpoint.takesFiles ? MAX_BODY : MAX_FORM)
      if (limit >= MAX_FORM) return
      const sizes = Object.keys(endpoint.params).map((name) => name.length + 2 + longestValue(endpoint, name))
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(limit * MIB)
    },
  )

  it('and is small for most endpoints', () => {
    const large = held.filter((endpoint) => bodyLimitOf(endpoint) > MAX_FORM)
    expect(large.length).toBeLessThan(10)
    expect(large.every(({ takesFiles }) => takesFiles)).toBe(true)
    expect(held.filter((endpoint) => bodyLimitOf(endpoint) === MIN_LIMIT).length).toBeGreaterThan(
      held.length / 2,
    )
  })

  it('a form that stands for another method has that method’s limit', () => {
    const endpoints = ENDPOINTS.filter(({ path }) => path === '/users/me/subscriptions')
    const [get, patch] = ['GET', 'PATCH'].map((method) => bodyLimitAt(endpoints, method))
    expect(bodyLimitAt(endpoints, 'POST')).toBe(MAX_FORM)
    expect(get).toBe(MIN_LIMIT)
    expect(patch).toBeGreaterThan(MIN_LIMIT)
    // The longest request that an organization of ten thousand makes.
    const everybody = Array.from({ length: 20_000 }, (_, at) => `somebody.with.a.long.name.${at}@example.com`)
    const form = new URLSearchParams({ principals: JSON.stringify(everybody) })
    expect(form.toString().length).toBeLessThan(MAX_FORM * MIB)
  })
})

describe('a body over its endpoint’s limit', () => {
  const { realm } = useRealm()

  async function ask(method: string, path: string, body: BodyInit, headers: Record<string, string> = {}) {
    const { email, apiKey } = realm.owner
    const response = await askWorker(
      new Request(`http://${realm.host}/api/v1${path}`, {
        method,
        body,
        headers: { Authorization: `Basic ${btoa(`${email}:${apiKey}`)}`, ...headers },
      }),
    )
    return { status: response.status, body: await readJson<Record<string, unknown>>(response) }
  }

  it.each([
    ['POST', '/mark_all_as_read', 1],
    ['POST', '/messages', 3],
    ['DELETE', '/drafts/1', 1],
    ['POST', '/user_groups/create', 3],
    ['POST', '/users/me/avatar', 10],
  ])('%s %s: is refused, and a shorter one is read', async (method, path, limit) => {
    const form = (mib: number) => new URLSearchParams({ note: 'x'.repeat(mib * MIB) })
    const past = await ask(method, path, form(limit))
    expect([past.status, past.body]).toEqual([
      413,
      {
        result: 'error',
        msg: `Request body is larger than the allowed limit of ${limit} MiB`,
        code: 'BAD_REQUEST',
      },
    ])
    expect((await ask(method, path, form(limit - 0.1))).status).toBeLessThan(413)
  })

  it('is read up to its limit, and passed over when its length exceeds that', async () => {
    const counted = { chunks: 0 }
    const endless = () =>
      new ReadableStream({
        pull(controller) {
          counted.chunks += 1
          controller.enqueue(new Uint8Array(MIB / 4).fill(97))
        },
      })
    const type = { 'Content-Type': 'application/x-www-form-urlencoded' }
    expect((await ask('DELETE', '/drafts/1', endless(), type)).status).toBe(413)
    expect(counted.chunks).toBeLessThan(12)
    counted.chunks = 0
    const announced = { ...type, 'Content-Length': String(2 * MIB) }
    expect((await ask('DELETE', '/drafts/1', endless(), announced)).status).toBe(413)
    expect(counted.chunks).toBeLessThan(4 * MAX_BODY + 4)
  })

  it.each([
    ['that nobody asks for', '/no/such/thing', 404],
    ['of what may not be posted', '/events', 405],
  ])('%s is passed over before the answer', async (_, path, status) => {
    let chunks = 0
    const body = new ReadableStream({
      pull(controller) {
        chunks += 1
        if (chunks <= 12) controller.enqueue(new Uint8Array(MIB / 4).fill(97))
        else controller.close()
      },
    })
    expect((await ask('POST', path, body)).status).toBe(status)
    expect(chunks).toBe(13)
  })
})
