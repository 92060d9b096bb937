import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readJson } from '../support/json.ts'
import { A_BROWSER, needs } from '../support/needs.ts'
import { CHROMIUM, OWNER, usePage } from './open-page.ts'

/** A whole provider, with pages on which people log in and consent. Their name there is the beginning of their address. */
const listener = createServer((request, response) => provider.callback()(request, response))
await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
const host = `127.0.0.1:${(listener.address() as AddressInfo).port}`
let provider: Provider

const { server, browsers } = usePage([], { vars: { WEBHOOK_ALLOWED_HOSTS: host } })

beforeAll(async () => {
  provider = new Provider(`http://${host}`, {
    clients: [
      {
        client_id: 'parley',
        token_endpoint_auth_method: 'none',
        redirect_uris: [`${server.url}/complete/acme/`],
      },
    ],
    claims: { email: ['email', 'email_verified'], profile: ['name'] },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, email: `${id}@example.com`, email_verified: true, name: `${id} of Acme` }),
    }),
    cookies: { keys: ['a key of the test'] },
  })
  const username = 'ann@example.com'
  const { api_key } = await readJson(await ask('/dev_fetch_api_key', { username }))
  const added = await ask(
    '/login_providers',
    {
      ...{ slug: 'acme', display_name: 'Acme', issuer: `http://${host}`, scopes: 'openid email profile' },
      ...{ client_id: 'parley', token_auth: 'none', auto_signup: 'true', is_enabled: 'true' },
    },
    { Authorization: `Basic ${btoa(`${username}:${api_key}`)}` },
  )
  expect(added.status).toBe(200)
})
function ask(path: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  const body = new URLSearchParams(fields)
  return fetch(`${server.url}/api/v1${path}`, { method: 'POST', headers, body })
}

afterAll(() => {
  listener.closeAllConnections()
  listener.close()
})

describe.skipIf(CHROMIUM === undefined)(
  'a log-in at a provider, in a browser,',
  needs(A_BROWSER, { timeout: 120_000 }),
  () => {
    it.each([
      ['ann', OWNER],
      ['zoe', 'zoe of Acme'],
    ])('leads through its pages into the room: %s', async (login, name) => {
      const { page, complaints } = await browsers.open()
      await page.getByRole('link', { name: /Acme/ }).click()
      await page.waitForURL(`http://${host}/**`)
      await page.getByPlaceholder('Enter any login').fill(login)
      await page.getByPlaceholder('and password').fill('anything')
      await page.getByRole('button', { name: 'Sign-in' }).click()
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.locator('.room').waitFor()
      // The provider's pages have a font and a picture from elsewhere, which are not there.
      expect(complaints.splice(0).filter((text) => !text.startsWith('Failed to load resource'))).toEqual([])
      expect(new URL(page.url()).origin).toBe(server.url)
      await page.getByRole('button', { name: `You: ${name}` }).waitFor()
      const names = (await page.context().cookies(server.url)).map((cookie) => cookie.name)
      expect(names).toContain('sessionid')
      expect(names).not.toContain('login_flow')
    })
  },
)
