import { describe, expect, it } from 'vitest'
import { A_BROWSER, needs } from '../support/needs.ts'
import { messageOf, openTopic } from './in-conversation.ts'
import { CHROMIUM, OWNER, operate, untilStill, usePage, userIdOf } from './open-page.ts'
import { violations } from './violations.ts'

const OTHER = 'Bea Baker'
/** A name beside which the time comes far in a line. */
const LONG = 'Cornelia Featherstone'

const { server, browsers } = usePage([OTHER, LONG])

async function say(name: string, topic: string, content: string): Promise<number> {
  const sent = await operate(server, await userIdOf(server, name), 'send-message', {
    type: 'channel',
    to: ['general'],
    topic,
    content,
  })
  return sent.id as number
}

const topicAt = (topic: string) => `/#narrow/channel/1-general/topic/${topic}`

describe.skipIf(CHROMIUM === undefined)(
  'the box for editing a message in a browser',
  needs(A_BROWSER, { timeout: 120_000 }),
  () => {
    it('adds emoji and files, and shows a preview, as the box for new ones', async () => {
      const id = await say(OWNER, 'card', 'Cake')
      const { page } = await browsers.enter(OWNER, {}, topicAt('card'))
      const row = messageOf(page, id)
      await row.focus()
      await page.keyboard.press('e')
      const box = row.locator('.edit-text')
      await expect.poll(() => box.inputValue()).toBe('Cake')
      await expect.poll(() => box.evaluate((element) => document.activeElement === element)).toBe(true)
      await box.pressSequentially(' ')
      await row.getByRole('button', { name: 'Emoji', exact: true }).click()
      const picker = page.getByRole('dialog', { name: 'Emoji' })
      await picker.getByRole('combobox').fill('tada')
      await picker.getByRole('gridcell').first().waitFor()
      await page.keyboard.press('Enter')
      await expect.poll(() => box.inputValue()).toBe('Cake :tada: ')
      await row.getByRole('button', { name: 'Add files and more' }).click()
      const chooser = page.waitForEvent('filechooser')
      await page.getByRole('menuitem', { name: 'Attach files' }).click()
      await (await chooser).setFiles({
        name: 'cake.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from('flour'),
      })
      await row.getByText('cake.txt').waitFor()
      expect(await violations(page)).toEqual([])
      await row.getByRole('button', { name: 'Preview' }).click()
      await row.locator('.compose-preview').getByRole('link', { name: 'cake.txt' }).waitFor()
      await row.getByRole('button', { name: 'Preview' }).click()
      await row.getByRole('button', { name: 'Save' }).click()
      await box.waitFor({ state: 'detached' })
      await row.getByRole('link', { name: 'cake.txt' }).waitFor()
    })

    it('has its text again after a reload, until it is saved or given up', async () => {
      const id = await say(OWNER, 'kept', 'First words')
      const { page } = await browsers.enter(OWNER, {}, topicAt('kept'))
      const row = messageOf(page, id)
      const box = row.locator('.edit-text')
      await row.focus()
      await page.keyboard.press('e')
      await box.fill('Second words')
      await page.reload()
      await expect.poll(() => box.inputValue()).toBe('Second words')
      // The reader may be elsewhere: nothing takes the focus.
      expect(await box.evaluate((element) => document.activeElement === element)).toBe(false)
      await row.getByRole('button', { name: 'Cancel' }).click()
      await page.reload()
      await row.getByText('First words').waitFor()
      await untilStill(page)
      expect(await box.count()).toBe(0)
      await row.focus()
      await page.keyboard.press('e')
      await box.fill('Third words')
      await openTopic(page, 'card')
      await openTopic(page, 'kept')
      await expect.poll(() => box.inputValue()).toBe('Third words')
      await row.getByRole('button', { name: 'Save' }).click()
      await row.getByText('Third words').waitFor()
      await page.reload()
      await row.getByText('Third words').waitFor()
      await untilStill(page)
      expect(await box.count()).toBe(0)
    })

    it('shows its text to no other account of the same browser', async () => {
      const id = await say(OWNER, 'mine', 'Mine alone')
      const { page } = await browsers.enter(OWNER, {}, topicAt('mine'))
      const row = messageOf(page, id)
      await row.focus()
      await page.keyboard.press('e')
      await row.locator('.edit-text').fill('A secret')
      await page.reload()
      await row.locator('.edit-text').waitFor()
      await page.context().clearCookies()
      await page.reload()
      await page.getByRole('button', { name: OTHER }).click()
      await page.locator('.room').waitFor()
      await openTopic(page, 'mine')
      await row.getByText('Mine alone').waitFor()
      await untilStill(page)
      expect(await row.locator('.edit-text').count()).toBe(0)
      expect(await page.getByText('A secret').count()).toBe(0)
    })
  },
)

describe.skipIf(CHROMIUM === undefined)(
  'on the smallest phones',
  needs(A_BROWSER, { timeout: 120_000 }),
  () => {
    it('no button for formats is cut, in either direction of writing', async () => {
      for (const [width, query] of [
        [390, ''],
        [360, '?dir=rtl'],
        [320, ''],
      ] as const) {
        const phone = { viewport: { width, height: 700 }, hasTouch: true, isMobile: true }
        const { page } = await browsers.enter(OWNER, phone, `/${query}#narrow/channel/1-general/topic/small`)
        const bar = page.locator('.format-toolbar')
        await bar.waitFor()
        const cut = () =>
          bar.evaluate((toolbar) => {
            const edge = toolbar.getBoundingClientRect()
            return [...toolbar.children].filter((button) => {
              const { left, right } = button.getBoundingClientRect()
              const isOut = right <= edge.left + 1 || left >= edge.right - 1
              return !isOut && (left < edge.left - 1 || right > edge.right + 1)
            }).length
          })
        expect([width, await cut()]).toEqual([width, 0])
        const shown = await bar.evaluate((toolbar) => toolbar.clientWidth)
        expect(shown).toBeGreaterThanOrEqual(40)
        await bar.getByRole('button').last().scrollIntoViewIfNeeded()
        await untilStill(page)
        expect([width, await cut()]).toEqual([width, 0])
      }
    })

    it('the actions on a message leave its name and time free', async () => {
      const id = await say(LONG, 'small', 'A few words')
      for (const query of ['', '?dir=rtl']) {
        const phone = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true }
        const { page } = await browsers.enter(OWNER, phone, `/${query}#narrow/channel/1-general/topic/small`)
        await messageOf(page, id).tap()
        const bar = page.getByRole('toolbar', { name: 'Message actions' })
        await bar.waitFor()
        const time = messageOf(page, id).locator('.message-time')
        const [above, below] = [await bar.boundingBox(), await time.boundingBox()]
        const isFree =
          above!.y + above!.height <= below!.y ||
          above!.x + above!.width <= below!.x ||
          below!.x + below!.width <= above!.x
        expect([query, isFree]).toEqual([query, true])
      }
    })
  },
)
