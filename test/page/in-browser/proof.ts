import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { PASSWORD } from '../../node/found.ts'
import { A_BROWSER, needs } from '../../support/needs.ts'
import { CHROMIUM } from '../open-page.ts'
import { browsers, OTHER, TIME } from './organization.ts'

/** Answers the next request for the key as a browser is answered in which nobody has proved lately who is there. */
async function askForProof(page: Page): Promise<void> {
  await page.route(
    '**/json/fetch_api_key',
    (route) =>
      route.fulfill({
        status: 403,
        json: { result: 'error', code: 'REAUTHENTICATION_REQUIRED', msg: 'Confirm that it is you' },
      }),
    { times: 1 },
  )
}

describe.skipIf(CHROMIUM === undefined)('who is at the browser', needs(A_BROWSER, TIME), () => {
  it('is asked for a proof before what matters, which then goes on', async () => {
    const { page, complaints } = await browsers.enter(OTHER, {}, '/#settings/security')
    await askForProof(page)
    await page.getByRole('button', { name: 'Show key' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' })
    await dialog.getByLabel('Password').and(page.locator(':focus')).waitFor()
    await page.keyboard.type('wrong')
    await page.keyboard.press('Enter')
    await dialog.getByText('Wrong password. Try again.').waitFor()
    await dialog.getByLabel('Password').fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('[api]').waitFor()
    await page.getByRole('button', { name: 'Copy' }).first().and(page.locator(':focus')).waitFor()
    await page.getByRole('button', { name: 'Hide' }).click()
    await page.getByRole('button', { name: 'Show key' }).and(page.locator(':focus')).waitFor()
    complaints.splice(0)
  })

  it('does nothing that matters when the dialog is closed', async () => {
    const { page, complaints } = await browsers.enter(OTHER, {}, '/#settings/security')
    await askForProof(page)
    await page.getByRole('button', { name: 'Show key' }).click()
    await page.getByRole('dialog', { name: 'Confirm it’s you' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('alert').getByText('Confirm that it is you').waitFor()
    expect(await page.getByText('[api]').count()).toBe(0)
    complaints.splice(0)
  })

  it('logs out everywhere else, and stays', async () => {
    const left = await browsers.enter(OTHER)
    const { page } = await browsers.enter(OTHER, {}, '/#settings/security')
    await page.getByText('(this browser)').waitFor()
    const rest = page.getByRole('button', { name: /^Log out: / })
    expect(await rest.count()).toBeGreaterThan(0)
    await page.getByRole('button', { name: 'Log out everywhere else' }).click()
    await page
      .getByRole('dialog', { name: 'Log out everywhere else?' })
      .getByRole('button', { name: 'Log out everywhere else' })
      .click()
    await expect.poll(() => rest.count()).toBe(0)
    await page.getByText('(this browser)').waitFor()
    await left.page.getByRole('button', { name: 'Log in', exact: true }).waitFor()
    await page.reload()
    await page.getByText('(this browser)').waitFor()
    left.complaints.splice(0)
  })
})
