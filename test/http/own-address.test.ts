import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { atRoutedPath, buildRouter } from '../support/inside-router.ts'
import { fromJson } from '../support/json.ts'
import { authorization } from '../support/uploads.ts'
import { useRealm } from '../support/use-realm.ts'

const { realm } = useRealm()
/** As in a deployment, in which nothing says that this is local development. */
const deployed = buildRouter()

async function ask(method: string, origin: string, path: string) {
  const headers = authorization(realm.owner)
  const request = new Request(`${origin}/api/v1${path}`, { method, headers })
  const response = await atRoutedPath(request, (asked) => deployed.serve(asked, env))
  return fromJson<Record<string, string>>(await response.text())
}

it.each(['http://HOST', 'http://HOST:8080', 'https://HOST:8443', 'https://HOST'])(
  'a deployment’s links lead to its own address, whichever a request was sent to: %s',
  async (address) => {
    const origin = address.replace('HOST', realm.host)
    const { invite_link } = await ask('POST', origin, '/invites/multiuse')
    expect(invite_link).toMatch(new RegExp(`^https://${realm.host}/join/`))
    expect((await ask('GET', origin, '/server_settings')).realm_url).toBe(`https://${realm.host}`)
  },
)
