import { describe, expect, it } from 'vitest'
import { A_BROWSER, needs } from '../../support/needs.ts'
import { CHROMIUM } from '../open-page.ts'
import { browsers, OTHER, TIME } from './organization.ts'

describe.skipIf(CHROMIUM === undefined)('the own menu', needs(A_BROWSER, TIME), () => {
  it('sets a status with an end, which stays when its words change', async () => {
    const { page } = await browsers.enter(OTHER)
    const open = async (item: string) => {
      await page.getByRole('button', { name: `You: ${OTHER}` }).click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    await open('Set a status')
    const dialog = page.getByRole('dialog', { name: 'Status' })
    await dialog.getByRole('button', { name: 'In a meeting' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await open('Edit status')
    const end = dialog.getByLabel('Clear after').locator('option:checked')
    const before = await end.textContent()
    expect(before).toMatch(/^Until /)
    await dialog.getByLabel('What’s your status?').fill('In a long meeting')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await open('Edit status')
    expect(await end.textContent()).toBe(before)
    expect(await dialog.getByLabel('What’s your status?').inputValue()).toBe('In a long meeting')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await open('Clear status')
    await page.getByRole('button', { name: `You: ${OTHER}` }).click()
    await page.getByRole('menuitem', { name: 'Set a status' }).waitFor()
  })

  it('pauses notifications of this browser until they are resumed', async () => {
    const { page } = await browsers.enter(OTHER)
    const menu = page.getByRole('button', { name: `You: ${OTHER}` })
    await menu.click()
    await page.getByRole('menuitem', { name: 'For 1 hour' }).click()
    await page.reload()
    await menu.click()
    await page.getByText(/^Paused until /).waitFor()
    await page.getByRole('menuitem', { name: 'Resume notifications' }).click()
    await menu.click()
    await page.getByText('Pause notifications').waitFor()
    await page.getByRole('menuitem', { name: 'Until tomorrow' }).click()
    await menu.click()
    await page.getByText(/^Paused until \w+day 0?9:00$/).waitFor()
    await page.getByRole('menuitem', { name: 'Resume notifications' }).click()
  })
})

describe.skipIf(CHROMIUM === undefined)('the head of a conversation', needs(A_BROWSER, TIME), () => {
  it('says how many are in the channel, and opens their column', async () => {
    const { page } = await browsers.enter(OTHER, {}, '/#narrow/channel/1-general')
    const members = page.locator('.view-head-members')
    await members.waitFor()
    const column = page.locator('.people')
    expect(await members.getAttribute('aria-expanded')).toBe('true')
    await members.locator('.avatar').first().waitFor()
    await members.click()
    await column.waitFor({ state: 'detached' })
    expect(await members.getAttribute('aria-expanded')).toBe('false')
    await members.click()
    await column.waitFor()
  })

  it('follows a topic, and says so', async () => {
    const { page } = await browsers.enter(OTHER, {}, '/#narrow/channel/1-general/topic/followed')
    await page.getByRole('button', { name: 'Follow', exact: true }).click()
    await page.getByRole('button', { name: 'Following' }).click()
    await page.getByRole('button', { name: 'Follow', exact: true }).waitFor()
  })
})
