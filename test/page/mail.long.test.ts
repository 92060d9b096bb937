import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MailServer, refusal, startMailServer } from '../support/mail-server.ts'
import { A_BROWSER, needs } from '../support/needs.ts'
import { CHROMIUM, OWNER, usePage } from './open-page.ts'
import { violations } from './violations.ts'

const GONE = 'Bea Baker'

let mail: MailServer
beforeAll(async () => {
  mail = await startMailServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) =>
      done(address.startsWith('bea') ? refusal(550, '5.1.1 No such user') : undefined),
  })
})
afterAll(() => mail?.stop())
const { server, browsers } = usePage([GONE], () => ({
  vars: { SMTP_URL: `smtp://127.0.0.1:${mail.port}?tls=none`, EMAIL_DOMAIN: 'mail.example.com' },
}))

describe.skipIf(CHROMIUM === undefined)('mail in the page', needs(A_BROWSER, { timeout: 120_000 }), () => {
  it('shows a channel’s address, for the gateway or oneself as sender', async () => {
    const { page } = await browsers.enter(OWNER, {}, '/#channels/1/general/general')
    const shown = page.locator('.settings-key code')
    await page.getByRole('button', { name: 'Show address' }).click()
    await expect.poll(() => shown.textContent()).toMatch(/^general\.c_\S+\.show-sender@mail\.example\.com$/)
    const byGateway = await shown.textContent()
    await page.getByLabel('Posted by').selectOption('You')
    expect(await shown.count()).toBe(0)
    await page.getByRole('button', { name: 'Show address' }).click()
    await shown.waitFor()
    expect(await shown.textContent()).not.toBe(byGateway)
    expect(await violations(page)).toEqual([])
  })

  it('warns that one’s own address refuses mail, until one retries it', async () => {
    const line = (of: { page: import('playwright-core').Page }) =>
      of.page.getByRole('region', { name: 'We can’t email you' })
    const before = await browsers.enter(GONE)
    expect(await line(before).count()).toBe(0)
    await fetch(`${server.url}/accounts/password/reset/`, {
      method: 'POST',
      body: new URLSearchParams({ email: 'bea@example.com' }),
    })
    const after = await browsers.enter(GONE, {}, '/#settings/notifications')
    const isSaid = async () => {
      await after.page.reload()
      await after.page.locator('.app-shell').waitFor()
      // The preview line is loaded only where it is shown.
      await line(after)
        .waitFor({ timeout: 2_000 })
        .catch(() => {})
      return line(after).count()
    }
    await expect.poll(isSaid, { timeout: 40_000 }).toBe(1)
    expect(await violations(after.page)).toEqual([])
    expect(await line(after).getByRole('link').getAttribute('href')).toBe('#settings/account-and-privacy')
    await line(after).getByRole('button', { name: 'Try again' }).click()
    await line(after).waitFor({ state: 'detached' })
    await after.page.reload()
    await after.page.locator('.app-shell').waitFor()
    expect(await line(after).count()).toBe(0)
    expect(await line(await browsers.enter(OWNER)).count()).toBe(0)
  })
})
