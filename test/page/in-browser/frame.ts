import { describe, expect, it } from 'vitest'
import { A_BROWSER, needs } from '../../support/needs.ts'
import { CHROMIUM, OWNER } from '../open-page.ts'
import { browsers, TIME } from './organization.ts'

const TOPIC = '/#narrow/channel/1-general/topic/frame'

describe.skipIf(CHROMIUM === undefined)('a tooltip', needs(A_BROWSER, TIME), () => {
  it('says what a button does, with its keys as caps, until a key is pressed', async () => {
    const { page } = await browsers.enter(OWNER)
    const tooltip = page.getByRole('tooltip')
    await page.getByRole('button', { name: 'Keyboard' }).hover()
    await tooltip.waitFor()
    expect(await tooltip.locator('kbd').allTextContents()).toEqual(['?'])
    await page.keyboard.press('Escape')
    await tooltip.waitFor({ state: 'hidden' })
    expect(await page.locator('.room [title]').count()).toBe(0)
  })

  it('is shown where the focus comes by a key', async () => {
    const { page } = await browsers.enter(OWNER, {}, TOPIC)
    await page.locator('.compose-text').focus()
    await page.keyboard.press('Tab')
    await page.getByRole('tooltip').filter({ hasText: 'Attach files' }).waitFor()
  })
})

describe.skipIf(CHROMIUM === undefined)('a toast', needs(A_BROWSER, TIME), () => {
  it('goes by itself, but not while the pointer is on it', async () => {
    const { page } = await browsers.enter(OWNER, {}, TOPIC)
    await page.locator('.compose-text').fill('/dark')
    await page.keyboard.press('Escape')
    await page.locator('.compose-text').press('Control+Enter')
    const toast = page.getByRole('status').locator('.toast')
    await toast.hover()
    await page.clock.install()
    await page.clock.fastForward(60_000)
    expect(await toast.count()).toBe(1)
    await page.locator('.compose-text').hover()
    await page.clock.fastForward(60_000)
    await toast.waitFor({ state: 'detached' })
  })
})
