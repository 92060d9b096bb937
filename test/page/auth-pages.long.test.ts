import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { PASSWORD } from '../node/found.ts'
import { A_BROWSER, needs } from '../support/needs.ts'
import { Browsers, CHROMIUM, OWNER, startPage, usePage } from './open-page.ts'
import { violations } from './violations.ts'

const OTHER = 'Bea Baker'

const { server, browsers } = usePage([OTHER])

describe.skipIf(CHROMIUM === undefined)(
  'pages for people without a session, in a browser,',
  needs(A_BROWSER, { timeout: 120_000 }),
  () => {
    it('log in at once a user who accepts an invitation by mail', async () => {
      const { page } = await browsers.enter(OWNER, {}, '/#organization/invitations')
      await page.getByLabel(/^Email addresses/).fill('dora@example.com')
      await page.getByRole('button', { name: 'Send invitations' }).click()
      await page.getByText('Invitation sent to dora@example.com.').waitFor()
      await page.getByRole('button', { name: 'Revoke: dora@example.com' }).waitFor()
      const seat = await browsers.open({}, await linkTo('dora@example.com'))
      await seat.page.getByText(`${OWNER} invited you to join`).waitFor()
      expect(await seat.page.getByLabel('Email address').inputValue()).toBe('dora@example.com')
      // The browser itself checks for six characters; all other errors come from the server, and appear beside the field.
      await seat.page.getByLabel('Your name').fill('Do*ra')
      await seat.page.getByLabel(/^Password \(/).fill(PASSWORD)
      await seat.page.getByRole('button', { name: 'Join' }).click()
      expect(await seat.page.getByRole('alert').textContent()).toContain('Choose another one.')
      expect(await seat.page.getByLabel('Your name').inputValue()).toBe('Do*ra')
      expect(seat.complaints.splice(0)).toEqual([expect.stringContaining('400')])
      await seat.page.getByLabel('Your name').fill('Dora Dean')
      await seat.page.getByLabel(/^Password \(/).fill(PASSWORD)
      await seat.page.getByRole('button', { name: 'Join' }).click()
      await seat.page.getByRole('button', { name: 'You: Dora Dean' }).waitFor()
      await page.getByText('No pending invitations.').waitFor()
    })

    it('log in at once a user who joins by a link, in their language', async () => {
      const { page } = await browsers.enter(OWNER, {}, '/#organization/invitations')
      await page.getByRole('button', { name: 'Create link' }).click()
      const link = new URL((await page.locator('[role="status"] .settings-key code').textContent())!)
      const seat = await browsers.open({ locale: 'de-DE' }, link.pathname)
      expect(await seat.page.evaluate(() => document.documentElement.lang)).toBe('de')
      await seat.page.getByLabel('E-Mail-Adresse').and(seat.page.locator(':focus')).waitFor()
      await seat.page.keyboard.type('emil@example.com')
      await seat.page.getByRole('button', { name: 'Link schicken' }).click()
      await seat.page.getByText('Wir haben eine E-Mail an emil@example.com geschickt').waitFor()
      await seat.page.goto(`${server.url}${await linkTo('emil@example.com')}`)
      expect(await seat.page.getByLabel('E-Mail-Adresse').inputValue()).toBe('emil@example.com')
      await seat.page.getByLabel('Dein Name').and(seat.page.locator(':focus')).waitFor()
      await seat.page.keyboard.type('Emil Ernst')
      await seat.page.getByLabel(/^Passwort \(/).fill(PASSWORD)
      await seat.page.getByRole('button', { name: 'Beitreten' }).click()
      await seat.page.locator('.app-shell').waitFor()
    })

    it('let a user set a new password by mail', async () => {
      const { page } = await browsers.open()
      await page.getByLabel('Email address').and(page.locator(':focus')).waitFor()
      const onPhone = await browsers.open({ viewport: PHONE, hasTouch: true, isMobile: true })
      await onPhone.page.getByLabel('Email address').waitFor()
      expect(await onPhone.page.evaluate(() => document.activeElement === document.body)).toBe(true)
      await page.getByRole('link', { name: 'Forgot your password?' }).click()
      await page.getByLabel('Email address').fill('bea@example.com')
      await page.getByRole('button', { name: 'Send link' }).click()
      await page.getByText('you’ll get an email with a link').waitFor()
      await page.goto(`${server.url}${await linkTo('bea@example.com')}`)
      await page.getByLabel(/^Password \(/).fill('a better horse')
      await page.getByRole('button', { name: 'Set password' }).click()
      await page.getByRole('link', { name: 'Go to login' }).click()
      await page.getByLabel('Email address').fill('bea@example.com')
      await page.getByLabel('Password', { exact: true }).fill('a better horse')
      await page.getByRole('button', { name: 'Log in' }).click()
      await page.locator('.app-shell').waitFor()
    })

    it('change an address by a link that is mailed to the new one', async () => {
      const { page } = await browsers.enter(OTHER, {}, '/#settings/account-and-privacy')
      await page.getByLabel('New email address').fill('beatrice@example.com')
      await page
        .locator('form', { has: page.getByLabel('New email address') })
        .getByRole('button', { name: 'Change' })
        .click()
      await page.getByText('Check beatrice@example.com for a link').waitFor()
      const path = await linkTo('beatrice@example.com')
      const there = await browsers.open({}, path)
      await there.page.getByText('beatrice@example.com').waitFor()
      await there.page.getByRole('button', { name: 'Confirm' }).click()
      await there.page.getByText('Your email address is now beatrice@example.com').waitFor()
      await page.getByText('beatrice@example.com', { exact: true }).waitFor()
      await there.page.goto(`${server.url}${path}`)
      await there.page.getByText('This link has expired or was already used.').waitFor()
      expect(there.complaints.splice(0)).toEqual([expect.stringContaining('404')])
    })

    it.each(['light', 'dark'] as const)('look like the app, and axe finds nothing (%s)', async (scheme) => {
      const inside = await browsers.enter(OWNER, { colorScheme: scheme }, '/#inbox')
      const ground = await groundOf(inside.page, 'body')
      const { page, complaints } = await browsers.open({ colorScheme: scheme, viewport: PHONE })
      for (const path of [
        '/accounts/login/',
        '/accounts/password/reset/',
        '/accounts/deactivated/',
        '/accounts/reactivate/',
        '/help/',
        '/join/none',
      ]) {
        await page.goto(`${server.url}${path}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        expect([path, await groundOf(page, '.auth-card')]).toEqual([path, ground])
        expect([path, await violations(page)]).toEqual([path, []])
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width)
      }
      expect(complaints.splice(0)).toEqual([expect.stringContaining('404')])
    })
  },
)

describe.skipIf(CHROMIUM === undefined)(
  'a deactivated organization',
  needs(A_BROWSER, { timeout: 120_000 }),
  () => {
    it('says how it is reactivated to whoever deactivates it or tries to log in', async () => {
      const closed = await startPage()
      const visitors = await new Browsers().launch(closed)
      try {
        const owner = await visitors.enter(OWNER, {}, '/#organization/organization-profile')
        const end = 'Deactivate organization'
        await owner.page.getByRole('button', { name: end }).click()
        await owner.page.getByRole('dialog').getByRole('button', { name: end }).click()
        const late = await visitors.open()
        await late.page.getByLabel('Email address').fill('ann@example.com')
        await late.page.getByLabel('Password', { exact: true }).fill(PASSWORD)
        await late.page.getByRole('button', { name: 'Log in', exact: true }).click()
        for (const { page } of [owner, late]) {
          await page.getByRole('heading', { name: 'This organization was deactivated' }).waitFor()
          await page.getByRole('link', { name: 'Reactivate' }).waitFor()
        }
      } finally {
        await visitors.close()
        await closed.stop()
      }
    })
  },
)

const PHONE = { width: 360, height: 700 }

async function linkTo(address: string): Promise<string> {
  // A later job sends the mail.
  for (let look = 0; look < 40; look += 1) {
    const text = await (await fetch(`${server.url}/dev/emails`)).text()
    const mail = text.split('<article>').find((article) => article.includes(`To ${address},`))
    const link = /<pre>.*?http:\/\/[^/\s]+(\/(?:join|accounts)\/\S+)/s.exec(mail ?? '')
    if (link) return link[1]!
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  throw new Error(`No mail to ${address}`)
}

function groundOf(page: Page, selector: string): Promise<string> {
  return page.locator(selector).evaluate((element) => getComputedStyle(element).backgroundColor)
}
