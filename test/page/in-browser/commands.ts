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

describe.skipIf(CHROMIUM === undefined)('a to-do list', needs(A_BROWSER, TIME), () => {
  const LISTS = '/#narrow/channel/1-general/topic/lists'

  it('accepts concurrent entries and ticks, and unticks what was refused', async () => {
    const [ann, bea] = [await browsers.enter(OWNER, {}, LISTS), await browsers.enter(OTHER, {}, LISTS)]
    await ann.page.locator('.compose-text').fill('/todo Picnic\nBread')
    await ann.page.keyboard.press('Control+Enter')
    const [hers, others] = [ann.page, bea.page].map((page) =>
      page.locator('.message[data-id]', { hasText: 'Picnic' }),
    )
    const field = hers!.getByRole('textbox', { name: 'New task' })
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await ann.page.route('**/submessage', async (route) => {
      await held
      await route.continue()
    })
    for (const task of ['Candles', 'Matches']) {
      await field.fill(task)
      await field.press('Enter')
    }
    await others!.getByRole('textbox', { name: 'New task' }).fill('Blanket')
    await others!.getByRole('textbox', { name: 'New task' }).press('Enter')
    release()
    for (const list of [hers!, others!]) {
      for (const task of ['Bread', 'Candles', 'Matches', 'Blanket'])
        await list.getByRole('checkbox', { name: task }).waitFor()
    }
    await hers!.getByRole('checkbox', { name: 'Candles' }).check()
    await others!.getByRole('checkbox', { name: 'Matches' }).check()
    for (const list of [hers!, others!]) {
      const ticked = () => list.getByRole('checkbox', { checked: true }).count()
      await expect.poll(ticked).toBe(2)
    }
    await ann.page.unroute('**/submessage')
    await ann.page.route('**/submessage', (route) =>
      route.fulfill({ status: 400, json: { result: 'error', code: 'BAD_REQUEST', msg: 'Not now' } }),
    )
    await hers!.getByRole('checkbox', { name: 'Bread' }).click()
    await ann.page.getByText('Not now', { exact: true }).first().waitFor()
    expect(await hers!.getByRole('checkbox', { name: 'Bread' }).isChecked()).toBe(false)
    expectRefusals(ann)
  })
})
