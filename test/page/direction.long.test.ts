import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { A_BROWSER, needs } from '../support/needs.ts'
import { hashOf, messageOf } from './in-conversation.ts'
import { CHROMIUM, OWNER, operate, untilStill, usePage, userIdOf } from './open-page.ts'

const OTHER = 'Bea Baker'

/** A message with blocks of both directions, each with the direction of its first letters. */
const MIXED = [
  ['ltr', 'Hello, this is English'],
  ['rtl', 'مرحبا بالجميع and hello'],
  ['ltr', '123 only then مرحبا'],
  ['rtl', '1. سلام\n2. peace'],
  ['ltr', '* peace\n* سلام'],
  ['rtl', '> قال أحدهم شيئا\n>\n> and then more'],
  ['rtl', '# عنوان'],
  ['ltr', '## Heading'],
  ['rtl', '| الاسم | age |\n|---|---|\n| سارة | 3 |'],
  ['ltr', '| name | العمر |\n|---|---|\n| سارة | 3 |'],
] as const

const { server, browsers } = usePage([OTHER])

/** Returns of each block of a text its direction, and how far its two sides are from those of the text, in pixels. */
const blocksOf = (text: Locator) =>
  text.evaluate((holder) => {
    const around = holder.getBoundingClientRect()
    // A long text ends with a button that unfolds it.
    return [...holder.children].flatMap((child) => {
      if (child.localName === 'button') return []
      const block = child.matches('.table-frame') ? child.firstElementChild! : child
      const { left, right } = block.getBoundingClientRect()
      return {
        direction: getComputedStyle(block).direction,
        left: Math.round(left - around.left),
        right: Math.round(around.right - right),
      }
    })
  })

/** Returns where the words of an element begin and end, in pixels from its own sides. */
const wordsIn = (element: Locator) =>
  element.evaluate((one) => {
    const range = document.createRange()
    range.selectNodeContents(one)
    const [words, box] = [range.getBoundingClientRect(), one.getBoundingClientRect()]
    return { left: Math.round(words.left - box.left), right: Math.round(box.right - words.right) }
  })

describe.skipIf(CHROMIUM === undefined)(
  'each block of a text',
  needs(A_BROWSER, { timeout: 120_000 }),
  () => {
    let mixed: number
    beforeAll(async () => {
      const sent = await operate(server, await userIdOf(server, OTHER), 'send-message', {
        type: 'channel',
        to: ['general'],
        topic: 'both ways',
        content: MIXED.map(([, source]) => source).join('\n\n'),
      })
      mixed = sent.id as number
    })

    const textOf = (page: Page) => messageOf(page, mixed).locator('.rendered')
    const open = async (page: Page) => {
      await messageOf(page, mixed).waitFor()
      await untilStill(page)
    }

    it('has the direction of its own first letters, at its author’s side', async () => {
      const { page } = await browsers.enter(OWNER, {}, hashOf('1-general', 'both ways'))
      await open(page)
      const blocks = await blocksOf(textOf(page))
      expect(blocks.map(({ direction }) => direction)).toEqual(MIXED.map(([direction]) => direction))
      for (const { left, right, direction } of blocks) {
        expect(left).toBe(0)
        if (direction === 'rtl') expect(right).toBeGreaterThan(100)
      }
    })

    it('keeps its items and cells at one side, each in its own direction', async () => {
      const { page } = await browsers.enter(OWNER, {}, hashOf('1-general', 'both ways'))
      await open(page)
      const peace = textOf(page).locator('ol li', { hasText: 'peace' })
      expect((await wordsIn(peace)).right).toBeLessThanOrEqual(1)
      const salam = textOf(page).locator('ul li', { hasText: 'سلام' })
      expect((await wordsIn(salam)).left).toBeLessThanOrEqual(1)
      // A table begins at its own side.
      const first = (at: number, text: string) =>
        textOf(page).locator('table').nth(at).locator('th', { hasText: text })
      const x = async (cell: Locator) => (await cell.boundingBox())!.x
      expect(await x(first(0, 'الاسم'))).toBeGreaterThan(await x(first(0, 'age')))
      expect(await x(first(1, 'name'))).toBeLessThan(await x(first(1, 'العمر')))
    })

    it('is at the other side where the page is written from right to left', async () => {
      const reader = await userIdOf(server, OTHER)
      await operate(server, reader, 'update-settings', { default_language: 'ar' })
      const { page } = await browsers.enter(OTHER, { locale: 'ar' }, hashOf('1-general', 'both ways'))
      await open(page)
      expect(await page.evaluate(() => document.documentElement.dir)).toBe('rtl')
      const blocks = await blocksOf(textOf(page))
      expect(blocks.map(({ direction }) => direction)).toEqual(MIXED.map(([direction]) => direction))
      for (const { left, right, direction } of blocks) {
        expect(right).toBe(0)
        if (direction === 'ltr') expect(left).toBeGreaterThan(100)
      }
    })

    it('has it while it is written, previewed and on its way', async () => {
      const { page } = await browsers.enter(OWNER, {}, hashOf('1-general', 'both ways'))
      await open(page)
      const box = page.locator('.compose-text')
      await box.fill('Hello\nمرحبا')
      const style = await box.evaluate((one) => {
        const { unicodeBidi, textAlign, direction } = getComputedStyle(one)
        return { unicodeBidi, textAlign, direction }
      })
      expect(style).toEqual({ unicodeBidi: 'plaintext', textAlign: 'start', direction: 'ltr' })
      await box.fill('Hello\n\nمرحبا')
      await page.getByRole('button', { name: 'Preview' }).click()
      const preview = page.locator('.compose-preview .rendered')
      await preview.locator('p').nth(1).waitFor()
      expect((await blocksOf(preview)).map(({ direction, left }) => [direction, left])).toEqual([
        ['ltr', 0],
        ['rtl', 0],
      ])
      await page.getByRole('button', { name: 'Preview' }).click()
      let isHeld = true
      await page.route(/\/messages$/, async (route) => {
        while (isHeld && route.request().method() === 'POST')
          await new Promise((resolve) => setTimeout(resolve, 50))
        await route.continue()
      })
      await box.fill('Before\nمرحبا بكم')
      await page.keyboard.press('Control+Enter')
      const waiting = page.locator('.message-outgoing .rendered')
      await waiting.waitFor()
      const plain = await waiting.evaluate((one) => {
        const { left, width } = one.getBoundingClientRect()
        return { atSide: Math.round(left - one.parentElement!.getBoundingClientRect().left), width }
      })
      expect(plain.atSide).toBe(0)
      expect(plain.width).toBeLessThan(200)
      isHeld = false
      await page.locator('.message-outgoing').waitFor({ state: 'detached' })
    })
  },
)
