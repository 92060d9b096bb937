import { describe, expect, it } from 'vitest'
import operations from '../compatibility/public-operations.json'
import { fromJson } from '../support/json.ts'
import { visit } from '../support/pages.ts'
import { useRealm } from '../support/use-realm.ts'

const { realm } = useRealm()

/** Returns a path of the list with suitable values. */
function samplePath(path: string): string {
  return path
    .replace('{realm_id}/{filename}', '1/aa/secret/file.txt')
    .replace(/\{(\w+)\}/g, (_, name: string) => (name.endsWith('_id') ? '1' : 'somebody@example.com'))
}

/** Operations that are open to anybody, with the answer to a request without parameters. */
const OPEN: Readonly<Record<string, { status: number; code?: string; var_name?: string }>> = {
  'GET /server_settings': { status: 200 },
  'POST /fetch_api_key': { status: 400, code: 'REQUEST_VARIABLE_MISSING', var_name: 'username' },
  'POST /dev_fetch_api_key': { status: 400, code: 'REQUEST_VARIABLE_MISSING', var_name: 'username' },
}
/** The answer of all other operations, which ask for a key before anything else. */
const ASKS_FOR_KEY = { status: 401, code: 'UNAUTHORIZED' }

describe('every operation that clients need', () => {
  it.each(operations.filter(({ priority }) => priority <= 2))(
    '$method $path is served',
    async ({ method, path }) => {
      const body = method === 'GET' ? undefined : new URLSearchParams()
      const page = await visit(`http://${realm.host}/api/v1${samplePath(path)}`, { method, body })
      expect({ status: page.status, ...fromJson(page.text) }).toMatchObject(
        OPEN[`${method} ${path}`] ?? ASKS_FOR_KEY,
      )
    },
  )

  it('and an unknown path is a 404', async () => {
    const page = await visit(`http://${realm.host}/api/v1/no/such/operation`)
    expect([page.status, page.text.includes('"msg":"Not found"')]).toEqual([404, true])
  })
})
