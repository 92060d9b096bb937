import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { A_BROWSER, needs } from '../support/needs.ts'
import { CHROMIUM, OWNER, untilStill, usePage, userIdOf } from './open-page.ts'
import { violations } from './violations.ts'

const OTHER = 'Bea Baker'

const { server, browsers } = usePage([OTHER])

/** Sends messages to topics of a channel; returns when all are sent. */
async function say(channel: string, topics: readonly string[]) {
  const user_id = await userIdOf(server, OTHER)
  const calls = topics.map((topic, at) => ({
    operation: 'send-message',
    user_id,
    params: { type: 'channel', to: [channel], topic, content: `Line ${at} of the story` },
    now: Math.floor(Date.now() / 1_000),
  }))
  const response = await fetch(`${server.url}/dev/run`, { method: 'POST', body: JSON.stringify({ calls }) })
  expect(response.status).toBe(200)
}

const headingOf = (page: Page, name: string) =>
  page.locator('.inbox-heading').filter({ has: page.getByRole('button', { name, exact: true }) })
const rowOf = (page: Page, topic: string) => page.locator('.inbox-row', { hasText: topic })

describe.skipIf(CHROMIUM === undefined)(
  'what is unread, in a browser',
  needs(A_BROWSER, { timeout: 120_000 }),
  () => {
    it('is counted in each heading of the inbox, which folds and stays so', async () => {
      await say('sandbox', ['fold one', 'fold one', 'fold two'])
      const { page } = await browsers.enter(OWNER, {}, '/#inbox')
      const heading = headingOf(page, 'sandbox')
      await heading.getByText('3 unread').waitFor()
      const fold = heading.getByRole('button', { name: 'sandbox', exact: true })
      expect(await fold.getAttribute('aria-expanded')).toBe('true')
      await rowOf(page, 'fold one').waitFor()
      await fold.click()
      await rowOf(page, 'fold one').waitFor({ state: 'detached' })
      expect(await violations(page)).toEqual([])
      await say('sandbox', ['fold two'])
      await heading.getByText('4 unread').waitFor()
      await page.reload()
      await heading.getByText('4 unread').waitFor()
      expect(await fold.getAttribute('aria-expanded')).toBe('false')
      expect(await rowOf(page, 'fold two').count()).toBe(0)
      // Who looks for a topic finds it there too.
      await page.keyboard.press('f')
      await page.getByRole('searchbox', { name: 'Filter', exact: true }).fill('fold two')
      await rowOf(page, 'fold two').waitFor()
      await page.getByRole('searchbox', { name: 'Filter', exact: true }).fill('')
      await fold.click()
      await rowOf(page, 'fold one').waitFor()
    })

    it('is reached in a folded part by the arrows, which stop at its heading', async () => {
      await say('sandbox', ['last', 'middle'])
      await say('general', ['newest'])
      const { page } = await browsers.enter(OWNER, {}, '/#inbox')
      await rowOf(page, 'newest').waitFor()
      const fold = headingOf(page, 'sandbox').getByRole('button', { name: 'sandbox', exact: true })
      await fold.click()
      await rowOf(page, 'middle').waitFor({ state: 'detached' })
      await rowOf(page, 'newest').locator('.inbox-link').focus()
      const isAtFold = () => fold.evaluate((button) => document.activeElement === button)
      for (let presses = 0; presses < 9 && !(await isAtFold()); presses += 1)
        await page.keyboard.press('ArrowDown')
      expect(await isAtFold()).toBe(true)
      await page.keyboard.press('Enter')
      await rowOf(page, 'middle').waitFor()
      await page.keyboard.press('ArrowDown')
      expect(await rowOf(page, 'middle').evaluate((row) => row.contains(document.activeElement))).toBe(true)
    })

    it('before the end of a channel is said there, and marked as read on request', async () => {
      const topics = Array.from({ length: 220 }, (_, at) => `story ${at % 4}`)
      await say('general', topics)
      const { page } = await browsers.enter(OWNER, {}, '/#narrow/channel/1-general')
      await page.locator('.message[data-id]').first().waitFor()
      await untilStill(page)
      await page.evaluate(() => (document.activeElement as HTMLElement).blur())
      await page.keyboard.press('End')
      const left = page.locator('.unread-left')
      await left.waitFor()
      await page.locator('.jump-pill').waitFor({ state: 'detached' })
      const countLeft = async () => Number(/\d+/.exec((await left.textContent()) ?? '')?.[0])
      const inSidebar = async () =>
        Number(
          /(\d+) unread/.exec(
            await page.locator('.sidebar-channel', { hasText: 'general' }).first().innerText(),
          )?.[1] ?? 0,
        )
      // What has been fetched counts as read at the end, as in the public client; the rest does not.
      await expect.poll(async () => (await countLeft()) === (await inSidebar())).toBe(true)
      expect(await countLeft()).toBeGreaterThan(20)
      expect(await countLeft()).toBeLessThan(200)
      const before = await countLeft()
      await left.getByRole('button', { name: 'Mark all as read' }).click()
      await left.waitFor({ state: 'detached' })
      await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
      await left.waitFor()
      expect(await countLeft()).toBe(before)
      await left.getByRole('link').click()
      await page.locator('.message-target').waitFor()
    })
  },
)
