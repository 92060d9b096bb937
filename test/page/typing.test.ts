import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { isOfComposition } from '../../web/ui/composition.ts'
import { A_BROWSER, needs } from '../support/needs.ts'
import { CHROMIUM, OWNER, operate, usePage, userIdOf } from './open-page.ts'

const OTHER = 'Bea Baker'
const TOPIC = '/#narrow/channel/1-general/topic/lunch'
/** A browser is slow on a machine that has other work. */
const TIME = { timeout: 120_000 }

const { server, browsers } = usePage([OTHER])

describe('a key belongs to an input method', () => {
  it.each([
    ['while it composes', { isComposing: true, key: 'Enter', keyCode: 13 }, true],
    ['by the name Process', { isComposing: false, key: 'Process', keyCode: 0 }, true],
    ['by its code after the end', { isComposing: false, key: 'Enter', keyCode: 229 }, true],
    ['and no other does', { isComposing: false, key: 'Enter', keyCode: 13 }, false],
  ])('%s', (_, event, isIt) => {
    expect(isOfComposition(event)).toBe(isIt)
  })
})

describe.skipIf(CHROMIUM === undefined)('Enter that ends a composition', needs(A_BROWSER, TIME), () => {
  it('sends no message, and picks no suggestion', async () => {
    const { page } = await browsers.enter(OWNER, {}, TOPIC)
    const box = page.locator('.compose-text')
    await box.fill('@Be')
    await page.locator('.completion').first().waitFor()
    await endComposition(page)
    expect(await box.inputValue()).toBe('@Be')
    await page.keyboard.press('Enter')
    await expect.poll(() => box.inputValue()).toBe(`@**${OTHER}** `)
    await endComposition(page, { ctrlKey: true })
    expect(await box.inputValue()).toBe(`@**${OTHER}** `)
    expect(await page.locator('.message').count()).toBe(0)
    await page.keyboard.press('Control+Enter')
    await page.locator('.message[data-id]').waitFor()
  })

  it('saves no edit, starts no search, and goes nowhere', async () => {
    const { page } = await browsers.enter(OWNER, {}, TOPIC)
    await operate(server, await userIdOf(server, OWNER), 'send-message', {
      type: 'channel',
      to: ['general'],
      topic: 'lunch',
      content: 'Soup',
      read_by_sender: true,
    })
    await page.locator('.message[data-id]', { hasText: 'Soup' }).waitFor()
    await page.locator('.compose-text').press('ArrowUp')
    await page.locator('.edit-box textarea').fill('Stew')
    await endComposition(page, { ctrlKey: true })
    expect(await page.locator('.edit-box').count()).toBe(1)
    await page.keyboard.press('Control+Enter')
    await page.locator('.message[data-id]', { hasText: 'Stew' }).waitFor()

    const address = page.url()
    await page.getByRole('combobox', { name: 'Search' }).fill('stew')
    await endComposition(page)
    expect(page.url()).toBe(address)
    await page.keyboard.press('Enter')
    await page.waitForURL(/search/)

    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Go to' }).fill('inbox')
    await endComposition(page)
    expect(await page.getByRole('dialog', { name: 'Go to' }).count()).toBe(1)
    await page.keyboard.press('Enter')
    await page.waitForURL(/#inbox/)
  })

  it('is taken for one by Chromium’s own events', async () => {
    const { page } = await browsers.enter(OWNER, {}, `${TOPIC}-2`)
    const box = page.locator('.compose-text')
    await box.focus()
    const session = await page.context().newCDPSession(page)
    await session.send('Input.imeSetComposition', { text: 'にほん', selectionStart: 3, selectionEnd: 3 })
    const enter = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, modifiers: 2 } as const
    await session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...enter })
    await session.send('Input.insertText', { text: '日本' })
    await session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...enter })
    expect(await box.inputValue()).toBe('日本')
    expect(await page.locator('.message').count()).toBe(0)
  })
})

/** Ends a composition in the focused field with Enter, in the order of events of each browser. */
async function endComposition(page: Page, keys: { readonly ctrlKey?: boolean } = {}): Promise<void> {
  await page.evaluate((held) => {
    const field = document.activeElement!
    const enter = (init: KeyboardEventInit) =>
      field.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...held, ...init }))
    const end = () => field.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }))
    const begin = () => field.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }))
    begin()
    enter({ key: 'Enter', keyCode: 229, isComposing: true })
    end()
    begin()
    enter({ key: 'Process', keyCode: 229, isComposing: true })
    end()
    begin()
    end()
    enter({ key: 'Enter', keyCode: 229, isComposing: false })
  }, keys)
}
