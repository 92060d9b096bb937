import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { askWorker } from '../support/api.ts'
import { exampleOf } from '../support/example-values.ts'
import { insertUsers } from '../support/inside.ts'
import { ENDPOINTS, type Endpoint } from '../support/inside-declarations.ts'
import { captureLog, MARKER, requireSilence } from '../support/log-lines.ts'
import { useReliableD1 } from '../support/reliable-d1.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

// Before the organization is made: what D1 has refused then would still be waiting.
useReliableD1()
const { realm } = useRealm()
// An object that wakes up reads the setting from its own environment, which tests cannot change.
beforeEach(() => {
  world.evictable = false
})
afterEach(() => vi.restoreAllMocks())

const IP = '203.0.113.77'

/** Returns the example of every parameter, with the marker in all texts. */
function marked({ params, path }: Endpoint): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params)
      .filter(([name]) => !path.includes(`:${name}`))
      .map(([name, schema]) => [name, exampleOf(schema).replaceAll('example', `${MARKER}@marker.test`)]),
  )
}

describe('no line contains', () => {
  it('parameters, keys or network addresses of any request', { timeout: 60_000 }, async () => {
    const users = await insertUsers(realm, ENDPOINTS.length)
    world.pollHoldSeconds = 0.01
    const log = captureLog()
    for (const [index, endpoint] of ENDPOINTS.entries()) {
      const { email, apiKey } = users[index]!
      const path = endpoint.path.replaceAll(/:(\w+)\+?/g, (_, name) =>
        /_id(_str)?$/.test(name) ? '1' : MARKER,
      )
      const fields = new URLSearchParams(marked(endpoint))
      const isGet = endpoint.method === 'GET'
      await askWorker(
        new Request(`http://${realm.host}/api/v1${path}?q=${MARKER}${isGet ? `&${fields}` : ''}`, {
          method: endpoint.method,
          headers: {
            Authorization: `Basic ${btoa(`${email}:${apiKey}`)}`,
            'CF-Connecting-IP': IP,
            'User-Agent': `${MARKER}/1.0`,
          },
          body: isGet ? undefined : fields,
        }),
      ).then((response) => response.text())
    }
    const logged = () => new Set(log.lines('request').map(({ operation }) => operation))
    await expect
      .poll(() => [...logged()].sort(), { timeout: 20_000 })
      .toEqual(ENDPOINTS.map(({ operation }) => operation).sort())
    requireSilence(log.raw, [MARKER, IP, ...users.map(({ apiKey }) => apiKey)])
  })
})
