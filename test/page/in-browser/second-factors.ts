import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { PASSWORD } from '../../node/found.ts'
import { AuthenticatorApp } from '../../support/authenticator-codes.ts'
import { A_BROWSER, needs } from '../../support/needs.ts'
import { CHROMIUM, expectRefusals, OWNER, operate, type Seat, untilStill, userIdOf } from '../open-page.ts'
import { browsers, OTHER, server, TIME } from './organization.ts'

const EMAIL = `${OTHER.split(' ')[0]!.toLowerCase()}@example.com`

/** Browsers keep no passkeys for numeric addresses. */
const atLocalhost = (path = '') => `${server.url.replace('127.0.0.1', 'localhost')}/${path}`

/** Gives the page a device with a fingerprint reader, which always recognizes its owner. */
async function withAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

/**
 * Answers with objects of its own in the place of the browser's, as password managers do: they have the fields of those, and inherit from
 * them, so that `toJSON` throws. Runs in the page.
 */
function actAsPasswordManager(): void {
  const answers = ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle']
  const imitation = (of: object, prototype: object, fields: readonly string[]): object => {
    const copied = fields.flatMap((name) => {
      const value: unknown = Reflect.get(of, name)
      return value === undefined ? [] : [[name, { value, enumerable: true }]]
    })
    return Object.create(prototype, Object.fromEntries(copied))
  }
  const imitated = (credential: Credential | null): Credential => {
    const { response } = credential as PublicKeyCredential
    const own = imitation(response, Object.getPrototypeOf(response), answers)
    const names = imitation(credential!, PublicKeyCredential.prototype, ['id', 'rawId', 'type'])
    return Object.defineProperty(names, 'response', { value: own }) as Credential
  }
  const { credentials } = navigator
  // Only pages of secure origins have it.
  if (!credentials) return
  const [create, get] = [credentials.create.bind(credentials), credentials.get.bind(credentials)]
  credentials.create = async (options) => imitated(await create(options))
  credentials.get = async (options) => imitated(await get(options))
}

/** Sets up an authenticator app in the settings, which are open. */
async function setUpApp(seat: Seat): Promise<AuthenticatorApp> {
  const { page } = seat
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
  const app = new AuthenticatorApp((await page.locator('.totp-secret').textContent())!)
  await page.getByLabel('Code from the app').fill('000000')
  await page.keyboard.press('Enter')
  await page.getByText('That code is wrong or was already used. Enter the newest one.').waitFor()
  expectRefusals(seat)
  await page.getByLabel('Code from the app').fill(app.code())
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByRole('button', { name: 'I have saved them' }).click()
  return app
}

async function enterPassword(page: Page): Promise<void> {
  await page.getByLabel('Email address').fill(EMAIL)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
}

/** Forgets the session, and shows the log-in. The room goes first: pictures that it still loads would be refused. */
async function leave(page: Page, path = ''): Promise<void> {
  await page.goto('about:blank')
  await page.context().clearCookies()
  await page.goto(atLocalhost(path))
}

/** Returns how many characters stand left of the one before them on their line. Runs in the page. */
function placesOfCharacters(element: Element) {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const places: DOMRect[] = []
  const range = document.createRange()
  while (walker.nextNode()) {
    const { data } = walker.currentNode as Text
    for (let at = 0; at < data.length; at += 1) {
      range.setStart(walker.currentNode, at)
      range.setEnd(walker.currentNode, at + 1)
      if (data[at]!.trim() !== '') places.push(range.getBoundingClientRect())
    }
  }
  const backwards = places.filter(
    ({ left, top }, at) => at > 0 && top === places[at - 1]!.top && left < places[at - 1]!.left,
  )
  return { backwards: backwards.length }
}

describe.skipIf(CHROMIUM === undefined)('second factors in the page', needs(A_BROWSER, TIME), () => {
  it.each(['the browser', 'a password manager'])(
    'are passkeys of %s: for a log-in without a name, and after the password',
    async (whose) => {
      const { page } = await browsers.open()
      await withAuthenticator(page)
      if (whose === 'a password manager') {
        await page.addInitScript(actAsPasswordManager)
        const inherited = page.evaluate(() => JSON.stringify(Object.create(PublicKeyCredential.prototype)))
        await expect(inherited).rejects.toThrow('Illegal invocation')
      }
      await page.goto(atLocalhost())
      await enterPassword(page)
      await page.locator('.app-shell').waitFor()
      await page.goto(atLocalhost('#settings/security'))
      await page.getByLabel('Passkey name').fill('Laptop')
      await page.getByRole('button', { name: 'Add a passkey' }).click()
      const codes = page.getByRole('dialog', { name: 'Save your recovery codes' })
      expect((await codes.locator('pre').textContent())!.split('\n')).toHaveLength(10)
      // They would be gone for good.
      await page.mouse.click(4, 4)
      await codes.getByRole('button', { name: 'I have saved them' }).click()
      await leave(page)
      await page.getByRole('button', { name: 'Use a passkey' }).click()
      await page.locator('.app-shell').waitFor()
      await leave(page)
      await enterPassword(page)
      await page.getByText('Two-step verification').waitFor()
      await page.getByRole('button', { name: 'Use a passkey' }).click()
      await page.locator('.app-shell').waitFor()
      await leave(page, 'accounts/login/')
      await page.getByRole('button', { name: 'Use a passkey' }).click()
      await page.locator('.app-shell').waitFor()
      await page.goto(atLocalhost('#settings/security'))
      await page.getByRole('button', { name: 'Remove Laptop' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
      await page
        .getByLabel('Passkey name')
        .and(page.locator('[value="Laptop"]'))
        .waitFor({ state: 'detached' })
    },
  )

  it('are reset by an administrator, and only where there are any', async () => {
    const ann = await browsers.enter(OWNER, {}, '/#organization/users/active')
    const edit = async () => {
      await ann.page.getByRole('button', { name: `Edit ${OTHER}` }).click()
      await ann.page.getByText('Forgot password?').waitFor()
    }
    const reset = ann.page.getByRole('dialog').getByRole('button', { name: 'Reset two-step verification' })
    const answered = ann.page.waitForResponse('**/second_factors/users')
    await edit()
    await answered
    await untilStill(ann.page)
    expect(await reset.count()).toBe(0)
    await ann.page.keyboard.press('Escape')
    const seat = await browsers.enter(OTHER, {}, '/#settings/security')
    const { page } = seat
    await setUpApp(seat)
    await edit()
    await reset.click()
    await reset.last().click()
    await expect.poll(() => reset.count()).toBe(0)
    await page.reload()
    await page.getByRole('button', { name: 'Set up' }).waitFor()
  })

  it('are read from left to right in Arabic too: the app’s key and recovery codes', async () => {
    const other = await userIdOf(server, OTHER)
    await operate(server, other, 'update-settings', { default_language: 'ar' })
    const { page } = await browsers.enter(OTHER, {}, '/#settings/security')
    await page.getByRole('button', { name: 'إعداد' }).click()
    const secret = page.locator('.totp-secret')
    await secret.waitFor()
    expect(await secret.evaluate(placesOfCharacters)).toEqual({ backwards: 0 })
    const app = new AuthenticatorApp((await secret.textContent())!)
    await page.getByLabel('الرمز من التطبيق').fill(app.code())
    await page.keyboard.press('Enter')
    expect(await page.locator('.recovery-codes').evaluate(placesOfCharacters)).toEqual({ backwards: 0 })
    await page.getByRole('button', { name: 'حفظتها' }).click()
    await operate(server, other, 'update-settings', { default_language: 'en' })
    await operate(server, other, 'remove-totp', {})
  })

  it('are codes of an authenticator app', async () => {
    const seat = await browsers.enter(OTHER, {}, '/#settings/security')
    const { page } = seat
    const app = await setUpApp(seat)
    await leave(page)
    await enterPassword(page)
    await page
      .getByLabel(/^Code from your authenticator app/)
      .and(page.locator(':focus'))
      .waitFor()
    // The code of this step has been used.
    await page.keyboard.type(app.code(1))
    await page.keyboard.press('Enter')
    await page.locator('.app-shell').waitFor()
    await page.goto(atLocalhost('#settings/security'))
    await page.getByRole('button', { name: 'Remove Authenticator app' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByRole('button', { name: 'Set up' }).waitFor()
  })

  it('are set up at the log-in where they are required', async () => {
    const owner = await userIdOf(server, OWNER)
    await operate(server, owner, 'update-realm', { second_factor_required_for: 'everybody' })
    const { page } = await browsers.open()
    await enterPassword(page)
    await page.getByLabel('Code from the app').and(page.locator(':focus')).waitFor()
    expect((await page.getByRole('img', { name: /^QR code/ }).boundingBox())!.width).toBe(200)
    await operate(server, owner, 'update-realm', { second_factor_required_for: 'nobody' })
  })
})
