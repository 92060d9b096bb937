import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { ApiClient } from '../../scripts/api-client.ts'
import { A_BROWSER, needs } from '../support/needs.ts'
import { messageOf, openTopic } from './in-conversation.ts'
import { CHROMIUM, expectRefusals, OWNER, operate, untilStill, usePage, userIdOf } from './open-page.ts'
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

/** Opens the box of a message and types; returns once the browser has kept that. */
async function beginEdit(page: Page, id: number, text: string): Promise<void> {
  await messageOf(page, id).focus()
  await page.keyboard.press('e')
  await messageOf(page, id).locator('.edit-text').fill(text)
  await expect.poll(() => keptEdits(page)).toContain(text)
}

/** Returns the texts that the browser has kept, with what else it has kept of each. */
async function keptEdits(page: Page): Promise<string> {
  return page.evaluate(() =>
    Object.entries(localStorage)
      .flatMap(([key, kept]) => (key.startsWith('edit ') ? [kept] : []))
      .join(),
  )
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

    it('gets a late file after it was left, but not once given up', async () => {
      const id = await say(OWNER, 'shelf', 'Planks')
      await say(OWNER, 'cellar', 'Elsewhere')
      const { page } = await browsers.enter(OWNER, {}, topicAt('shelf'))
      const row = messageOf(page, id)
      let release = () => {}
      await page.route('**/json/tus/**', async (route) => {
        await new Promise<void>((resolve) => {
          release = resolve
        })
        await route.continue().catch(() => {})
      })
      const attach = async (name: string) => {
        await row.focus()
        await page.keyboard.press('e')
        await row.getByRole('button', { name: 'Add files and more' }).click()
        const chooser = page.waitForEvent('filechooser')
        await page.getByRole('menuitem', { name: 'Attach files' }).click()
        const asked = page.waitForRequest('**/json/tus/**')
        await (await chooser).setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from('oak') })
        await asked
      }
      await attach('list.txt')
      await openTopic(page, 'cellar')
      await row.waitFor({ state: 'detached' })
      await openTopic(page, 'shelf')
      await row.locator('.edit-text').fill('Planks and screws')
      await row.locator('.file-chip.upload').waitFor()
      release()
      await row.locator('.file-chip:not(.upload)', { hasText: 'list.txt' }).waitFor()
      await row.getByRole('button', { name: 'Save' }).click()
      await row.getByText('Planks and screws').waitFor()
      await row.getByRole('link', { name: 'list.txt' }).waitFor()
      await attach('late.txt')
      await row.locator('.edit-box-buttons').getByRole('button', { name: 'Cancel' }).click()
      release()
      await untilStill(page)
      expect(await keptEdits(page)).toBe('')
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

    it('saves over a newer text of the message only when told to', async () => {
      const id = await say(OWNER, 'newer', 'First words')
      const seat = await browsers.enter(OWNER, {}, topicAt('newer'))
      const { page } = seat
      const row = messageOf(page, id)
      const box = row.locator('.edit-text')
      await beginEdit(page, id, 'Words of this page')
      // A kept edit still knows the text that it changes.
      await page.reload()
      await row.getByRole('button', { name: 'Save' }).waitFor()
      const phone = await new ApiClient(server.url).logIn('ann@example.com')
      await phone.call('PATCH', `/messages/${id}`, { content: 'Words of a phone' })
      await row.getByRole('button', { name: 'Save' }).click()
      const notice = row.getByRole('alert')
      await notice.getByText('Words of a phone').waitFor()
      expect(await box.inputValue()).toBe('Words of this page')
      expect(await violations(page)).toEqual([])
      await row.getByRole('button', { name: 'Edit the new text' }).click()
      await expect.poll(() => box.inputValue()).toBe('Words of a phone')
      await page.keyboard.press('Control+z')
      await expect.poll(() => box.inputValue()).toBe('Words of this page')
      await phone.call('PATCH', `/messages/${id}`, { content: 'Other words of a phone' })
      await row.getByRole('button', { name: 'Save' }).click()
      await notice.getByText('Other words of a phone').waitFor()
      await row.getByRole('button', { name: 'Overwrite with my text' }).click()
      await box.waitFor({ state: 'detached' })
      await row.getByText('Words of this page').waitFor()
      expectRefusals(seat)
    })

    it('is one in two tabs, with one text and one end', async () => {
      const id = await say(OWNER, 'tabs', 'First words')
      const { page } = await browsers.enter(OWNER, {}, topicAt('tabs'))
      await beginEdit(page, id, 'Second words')
      const other = await page.context().newPage()
      await other.goto(page.url())
      const box = messageOf(other, id).locator('.edit-text')
      await expect.poll(() => box.inputValue()).toBe('Second words')
      await messageOf(page, id).locator('.edit-text').fill('Third words')
      await expect.poll(() => box.inputValue()).toBe('Third words')
      await messageOf(page, id).getByRole('button', { name: 'Cancel' }).click()
      await box.waitFor({ state: 'detached' })
    })

    it('ends with its message, whose text becomes a draft', async () => {
      const id = await say(OWNER, 'gone', 'First words')
      const { page } = await browsers.enter(OWNER, {}, topicAt('gone'))
      await beginEdit(page, id, 'Words to save')
      const address = page.url()
      await page.goto('about:blank')
      await operate(server, await userIdOf(server, OWNER), 'delete-message', { message_id: id })
      await page.goto(address)
      await page.locator('.toast', { hasText: 'The message you were editing was deleted' }).waitFor()
      await expect.poll(() => page.locator('.compose-text').inputValue()).toBe('Words to save')
      await page.locator('.compose-text').fill('')
    })

    it('becomes a draft if the message may no longer be edited', async () => {
      const id = await say(OWNER, 'late', 'First words')
      const { page } = await browsers.enter(OWNER, {}, topicAt('late'))
      await beginEdit(page, id, 'Words too late')
      const address = page.url()
      await page.goto('about:blank')
      const allow = async (allow_message_editing: boolean) =>
        operate(server, await userIdOf(server, OWNER), 'update-realm', { allow_message_editing })
      await allow(false)
      await page.goto(address)
      await page.locator('.toast', { hasText: 'can’t be edited anymore' }).waitFor()
      await expect.poll(() => page.locator('.compose-text').inputValue()).toBe('Words too late')
      expect(await keptEdits(page)).toBe('')
      await page.locator('.compose-text').fill('')
      await allow(true)
    })

    it('ends after two weeks, and at log-out', async () => {
      const id = await say(OWNER, 'ends', 'First words')
      const { page, complaints } = await browsers.enter(OWNER, {}, topicAt('ends'))
      await beginEdit(page, id, 'Old words')
      await page.evaluate(
        (age) => {
          for (const [key, kept] of Object.entries(localStorage)) {
            const older = kept.replace(/"at":(\d+)/, (_: string, at: string) => `"at":${Number(at) - age}`)
            if (key.startsWith('edit ')) localStorage.setItem(key, older)
          }
        },
        15 * 24 * 60 * 60_000,
      )
      await page.goto('about:blank')
      await page.goto(`${server.url}/#inbox`)
      await expect.poll(() => keptEdits(page), { timeout: 30_000 }).toBe('')
      await page.goto(`${server.url}${topicAt('ends')}`)
      await beginEdit(page, id, 'New words')
      await page.getByRole('button', { name: `You: ${OWNER}` }).click()
      await page.getByRole('menuitem', { name: 'Log out' }).click()
      await page.getByRole('button', { name: 'Log in' }).waitFor()
      expect(await keptEdits(page)).toBe('')
      // A message may be marked as read just when the session has ended.
      expect(complaints.splice(0).filter((text) => !text.includes('/messages/flags'))).toEqual([])
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
      await page.locator('.app-shell').waitFor()
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
        const isFree = async () => {
          const [above, below] = [await bar.boundingBox(), await time.boundingBox()]
          return (
            above!.y + above!.height <= below!.y ||
            above!.x + above!.width <= below!.x ||
            below!.x + below!.width <= above!.x
          )
        }
        await expect.poll(async () => [query, await isFree()]).toEqual([query, true])
      }
    })
  },
)
