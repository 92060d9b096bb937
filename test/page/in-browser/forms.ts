import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { A_BROWSER, needs } from '../../support/needs.ts'
import { CHROMIUM, OWNER } from '../open-page.ts'
import { browsers, TIME } from './organization.ts'

describe.skipIf(CHROMIUM === undefined)('a form that was sent', needs(A_BROWSER, TIME), () => {
  it('keeps what was chosen, so the next invitation has the same terms', async () => {
    const { page } = await browsers.enter(OWNER, {}, '/#organization/invitations')
    const byLink = page.locator('section', { has: page.getByRole('heading', { name: 'Invite by link' }) })
    await byLink.getByLabel('Join as').waitFor()
    expect(await chosenIn(byLink)).toEqual(['Member', '1 week'])
    await byLink.getByLabel('Join as').selectOption('Guest')
    await byLink.getByLabel('Expires after').selectOption('3 days')
    for (const count of [1, 2]) {
      await byLink.getByRole('button', { name: 'Create link' }).click()
      await expect.poll(() => openInvitations(page)).toEqual(Array(count).fill('Link Guest'))
      expect(await chosenIn(byLink)).toEqual(['Guest', '3 days'])
    }
  })

  it('loses what was typed', async () => {
    const { page } = await browsers.enter(OWNER, {}, '/#settings/alert-words')
    await page.getByRole('textbox').last().fill('lighthouse')
    await page.keyboard.press('Enter')
    await page.getByRole('listitem').filter({ hasText: 'lighthouse' }).waitFor()
    expect(await page.getByRole('textbox').last().inputValue()).toBe('')
  })

  it('shows the type of bot that it would make next', async () => {
    const { page } = await browsers.enter(OWNER, {}, '/#settings/your-bots')
    await page.getByLabel('Type').selectOption({ index: 1 })
    const chosen = await chosenIn(page.locator('form'))
    await page.getByLabel('Name', { exact: true }).fill('Door bell')
    await page.locator('input[name="short"]').fill('bell')
    await page.locator('form button[type="submit"]').click()
    await page.getByText('Door bell').first().waitFor()
    await expect.poll(() => page.locator('input[name="short"]').inputValue()).toBe('')
    expect(await chosenIn(page.locator('form'))).toEqual(chosen)
  })
})

describe.skipIf(CHROMIUM === undefined)('an invitation of owners', needs(A_BROWSER, TIME), () => {
  it('asks first, and is not made without an answer', async () => {
    const { page } = await browsers.enter(OWNER, {}, '/#organization/invitations')
    const before = await openInvitations(page)
    const byMail = page.locator('section', { has: page.getByRole('heading', { name: 'Invite by email' }) })
    await byMail.getByLabel('Join as').selectOption('Owner')
    await byMail.getByRole('textbox').fill('owner@example.com')
    await byMail.locator('button[type="submit"]').click()
    const dialog = page.getByRole('dialog', { name: 'Invite as an owner?' })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await openInvitations(page)).toEqual(before)
    expect(await byMail.getByRole('textbox').inputValue()).toBe('owner@example.com')
    await byMail.locator('button[type="submit"]').click()
    await dialog.getByRole('button', { name: 'Send invitations' }).click()
    await expect.poll(() => openInvitations(page)).toContain('owner@example.com Owner')
  })
})

describe.skipIf(CHROMIUM === undefined)('a form', needs(A_BROWSER, TIME), () => {
  it('says which channels an invitation has, while their list is closed', async () => {
    const { page } = await browsers.enter(OWNER, {}, '/#organization/invitations')
    const channels = page.locator('summary', { hasText: 'Channels to join' }).first()
    const before = await channels.textContent()
    expect(before).toContain('#general')
    await channels.click()
    await page.getByRole('checkbox', { name: '#general' }).first().uncheck()
    await channels.click()
    await expect.poll(() => channels.textContent()).not.toContain('#general')
  })

  it('suggests a username by the name of a bot, unless one was typed', async () => {
    const { page } = await browsers.enter(OWNER, {}, '/#settings/your-bots')
    const [name, short] = [page.getByLabel('Name', { exact: true }), page.locator('input[name="short"]')]
    await name.fill('Über Deploy!')
    expect(await short.inputValue()).toBe('uber-deploy')
    await short.fill('mine')
    await name.fill('Another')
    expect(await short.inputValue()).toBe('mine')
  })
})

function chosenIn(form: Locator): Promise<string[]> {
  return form
    .locator('select')
    .evaluateAll((selects) =>
      selects.map((select) =>
        select instanceof HTMLSelectElement ? (select.selectedOptions[0]?.textContent ?? '') : '',
      ),
    )
}

async function openInvitations(page: Page): Promise<string[]> {
  const open = page.locator('section', { has: page.getByRole('heading', { name: 'Pending invitations' }) })
  await open.locator('.item, .setting-nothing, p').first().waitFor()
  const lines = await open
    .locator('.item-main')
    .evaluateAll((items) => items.map((item) => [...item.childNodes].slice(0, 3).map((n) => n.textContent)))
  return lines.map((parts) => parts.join('').trim())
}
