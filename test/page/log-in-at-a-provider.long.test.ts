import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD } from '../node/found.ts'
import { readJson } from '../support/json.ts'
import { A_BROWSER, needs } from '../support/needs.ts'
import { CHROMIUM, OWNER, type Seat, usePage } from './open-page.ts'

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
        post_logout_redirect_uris: [`${server.url}/`],
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
      ...{
        client_id: 'parley',
        token_auth: 'none',
        auto_signup: 'true',
        is_enabled: 'true',
        ends_session: 'true',
      },
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
    /** Goes through the provider's pages. Without a session there the person consents too. */
    async function logInThere(page: Page, login: string): Promise<void> {
      await page.waitForURL(`http://${host}/**`)
      await page.getByPlaceholder('Enter any login').fill(login)
      await page.getByPlaceholder('and password').fill('anything')
      await page.getByRole('button', { name: 'Sign-in' }).click()
      await page.getByRole('button', { name: 'Continue' }).click()
    }

    /** Takes complaints: the provider's pages have a font and a picture from elsewhere, which are not there. */
    function expectLoadFailuresAlone({ complaints }: Seat): void {
      expect(complaints.splice(0).filter((text) => !text.startsWith('Failed to load resource'))).toEqual([])
    }

    it.each([
      ['ann', OWNER],
      ['zoe', 'zoe of Acme'],
    ])('leads through its pages into the room: %s', async (login, name) => {
      const seat = await browsers.open()
      const { page } = seat
      await page.getByRole('link', { name: /Acme/ }).click()
      await logInThere(page, login)
      if (name === OWNER) {
        // The account has been used without the provider.
        await page.getByText('isn’t connected with Acme yet').waitFor()
        expect(await page.getByLabel('Email').inputValue()).toBe('ann@example.com')
        await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
        await page.getByRole('button', { name: 'Log in', exact: true }).click()
      }
      await page.locator('.app-shell').waitFor()
      expectLoadFailuresAlone(seat)
      expect(new URL(page.url()).origin).toBe(server.url)
      await page.getByRole('button', { name: `You: ${name}` }).waitFor()
      const names = (await page.context().cookies(server.url)).map((cookie) => cookie.name)
      expect(names).toContain('sessionid')
      expect(names).not.toContain('login_flow')
      expect(names).not.toContain('login_connection')
    })

    it('leads into the room at once when the account was connected by that', async () => {
      const seat = await browsers.open()
      await seat.page.getByRole('link', { name: /Acme/ }).click()
      await logInThere(seat.page, 'ann')
      await seat.page.getByRole('button', { name: `You: ${OWNER}` }).waitFor()
      expectLoadFailuresAlone(seat)
    })

    it('ends at the provider too by a log-out, which returns here', async () => {
      const seat = await browsers.open()
      const { page } = seat
      await page.getByRole('link', { name: /Acme/ }).click()
      await logInThere(page, 'lea')
      await page.getByRole('button', { name: 'You: lea of Acme' }).click()
      await page.getByRole('menuitem', { name: 'Log out' }).click()
      await page.waitForURL(`http://${host}/session/end?**`)
      await page.getByRole('button', { name: 'Yes, sign me out' }).click()
      await page.waitForURL(`${server.url}/`)
      await page.getByRole('link', { name: /Acme/ }).click()
      // The provider knows nobody any more.
      await page.getByPlaceholder('Enter any login').waitFor()
      expectLoadFailuresAlone(seat)
    })

    it('is repeated to prove the user’s identity, and returns to the same view', async () => {
      const seat = await browsers.open()
      const { page } = seat
      await page.getByRole('link', { name: /Acme/ }).click()
      await logInThere(page, 'pia')
      await page.locator('.app-shell').waitFor()
      await page.goto(`${server.url}/#settings/security`)
      const asked = {
        status: 403,
        json: { result: 'error', code: 'REAUTHENTICATION_REQUIRED', msg: 'Confirm that it is you' },
      }
      await page.route('**/json/fetch_api_key', (route) => route.fulfill(asked), { times: 1 })
      await page.getByRole('button', { name: 'Show key' }).click()
      const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' })
      expect(await dialog.getByLabel('Password', { exact: true }).count()).toBe(0)
      await dialog.getByRole('button', { name: 'Log in with Acme again' }).click()
      // The provider knows the person still, and asks nevertheless.
      await page.waitForURL(`http://${host}/**`)
      await page.getByPlaceholder('Enter any login').fill('pia')
      await page.getByPlaceholder('and password').fill('anything')
      await page.getByRole('button', { name: 'Sign-in' }).click()
      await page.waitForURL(`${server.url}/#settings/security`)
      await page.getByRole('button', { name: 'Show key' }).click()
      await page.getByText('[api]').waitFor()
      expectLoadFailuresAlone(seat)
    })

    it.each(['by hand', 'with its bridge'])('lets a user into the desktop app: %s', async (way) => {
      const start = '/accounts/login/social/acme?next=%2F%23inbox'
      const app = await browsers.open({ userAgent: 'ZulipElectron/5.11.1 Chrome' }, '/accounts/login/')
      if (way === 'with its bridge') await app.page.addInitScript(bridge)
      await app.page.goto(`${server.url}${start}`)
      const link = app.page.getByRole('link', { name: 'Open the browser' })
      await expect.poll(() => link.getAttribute('href')).toContain('desktop_flow_otp=')
      const address = (await link.getAttribute('href'))!
      const outer = await browsers.open({ permissions: ['clipboard-read', 'clipboard-write'] })
      await outer.page.goto(address)
      await logInThere(outer.page, `dora-${way.length}`)
      await outer.page.getByRole('button', { name: 'Copy' }).click()
      const copied = await outer.page.evaluate(() => navigator.clipboard.readText())
      expect(copied).toMatch(/^[0-9a-f]{100,}$/)
      if (way === 'by hand') {
        const pasted = app.page.getByLabel('Code from your browser')
        await pasted.fill('something else')
        await app.page.getByRole('button', { name: 'Log in', exact: true }).click()
        await app.page.getByText('This isn’t the code from your browser').waitFor()
        await pasted.fill(copied)
        await app.page.getByRole('button', { name: 'Log in', exact: true }).click()
      } else {
        expect(await app.page.getByLabel('Code from your browser').isVisible()).toBe(false)
        await app.page.evaluate((hex) => (window as { paste?: (text: string) => void }).paste!(hex), copied)
      }
      await app.page.getByRole('button', { name: `You: dora-${way.length} of Acme` }).waitFor()
      expect(new URL(app.page.url()).hash).toBe('#inbox')
      expect((await outer.page.context().cookies(server.url)).map(({ name }) => name)).not.toContain(
        'sessionid',
      )
      for (const seat of [app, outer]) expectLoadFailuresAlone(seat)
    })
  },
)

/** What the desktop app offers pages: here the clipboard is watched by `paste`. */
function bridge(): void {
  const key = crypto.getRandomValues(new Uint8Array(32))
  const pasted = new Promise<string>((resolve) => {
    Object.assign(window, {
      async paste(hex: string) {
        const bytes = Uint8Array.from(hex.match(/../g)!, (byte) => Number.parseInt(byte, 16))
        const aes = await crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['decrypt'])
        const algorithm = { name: 'AES-GCM', iv: bytes.slice(0, 12) }
        resolve(new TextDecoder().decode(await crypto.subtle.decrypt(algorithm, aes, bytes.slice(12))))
      },
    })
  })
  const others = { send_event: () => true, on_event: () => {} }
  Object.assign(window, { electron_bridge: { ...others, decrypt_clipboard: () => ({ key, pasted }) } })
}
