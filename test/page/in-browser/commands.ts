import { describe, expect, it } from 'vitest'
import { A_BROWSER, needs } from '../../support/needs.ts'
import { CHROMIUM, expectRefusals, OWNER, operate, userIdOf } from '../open-page.ts'
import { browsers, OTHER, server, TIME } from './organization.ts'

describe.skipIf(CHROMIUM === undefined)('a command', needs(A_BROWSER, TIME), () => {
  const COMMANDS = '/#narrow/channel/1-general/topic/commands'

  it('is suggested at the beginning of a message, and changes the page’s looks', async () => {
    const { page } = await browsers.enter(OTHER, {}, COMMANDS)
    const box = page.locator('.compose-text')
    await box.fill('well, /da')
    expect(await page.locator('.completion').count()).toBe(0)
    await box.fill('/da')
    await page.locator('.completion', { hasText: '/dark' }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => box.inputValue()).toBe('/dark ')
    await page.keyboard.press('Control+Enter')
    await page.locator('html[data-scheme=dark]').waitFor()
    await expect.poll(() => box.inputValue()).toBe('')
    expect(await page.locator('.message').count()).toBe(0)
  })

  it('reminds of the newest message, and keeps its text when it is refused', async () => {
    const seat = await browsers.enter(OWNER, {}, COMMANDS)
    const { page } = seat
    const box = page.locator('.compose-text')
    const submit = async (text: string) => {
      await box.fill(text)
      await page.keyboard.press('Control+Enter')
    }
    await submit('/remind 2h call Ann')
    await page.getByText('message_id is missing').waitFor()
    expect(await box.inputValue()).toBe('/remind 2h call Ann')
    await submit('/me is baking')
    await page.locator('.message[data-id]', { hasText: 'is baking' }).waitFor()
    await submit('/remind some day')
    await page.getByText('Say when').waitFor()
    await submit('/remind 2h call Ann')
    await page.getByText('Reminder set for').waitFor()
    expectRefusals(seat)
    await expect.poll(() => box.inputValue()).toBe('')
    await page.goto(`${server.url}/#drafts`)
    await page.getByText('call Ann').waitFor()
  })

  it('makes a poll and a list, and calls a bot by its name', async () => {
    const owner = await userIdOf(server, OWNER)
    await operate(server, owner, 'create-bot', {
      full_name: 'Crier',
      short_name: 'crier',
      bot_type: 3,
      payload_url: '',
      interface_type: 1,
    })
    const { page } = await browsers.enter(OWNER, {}, COMMANDS)
    const box = page.locator('.compose-text')
    await box.fill('/poll Soup or stew?\nSoup\nStew')
    await page.keyboard.press('Control+Enter')
    await page
      .locator('.message[data-id]', { hasText: 'Soup or stew?' })
      .getByText('Stew', { exact: true })
      .waitFor()
    await box.fill('/todo Party\nCake: with candles')
    await page.keyboard.press('Control+Enter')
    await page.locator('.message[data-id]', { hasText: 'Party' }).getByText('with candles').waitFor()
    await box.fill('/cri')
    await page.locator('.completion', { hasText: '/Crier' }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => box.inputValue()).toMatch(/^@\*\*Crier\|\d+\*\* $/)
  })
})
