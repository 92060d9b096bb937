import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { ApiClient } from '../../../scripts/api-client.ts'
import { A_BROWSER, needs } from '../../support/needs.ts'
import { openTopic, unreadOf } from '../in-conversation.ts'
import { CHROMIUM, OWNER, operate, untilStill, userIdOf } from '../open-page.ts'
import { browsers, OTHER, server, TIME } from './organization.ts'

describe.skipIf(CHROMIUM === undefined)('the end of a conversation', needs(A_BROWSER, TIME), () => {
  it('marks all of it as read', async () => {
    await say('long', 70)
    const { page } = await browsers.enter(OWNER)
    await openTopic(page, 'long')
    await page.getByRole('button', { name: /new below/ }).waitFor()
    expect(await unreadOf(page, 'long')).toBeGreaterThan(40)
    await page.getByRole('button', { name: /new below/ }).click()
    await expect.poll(() => unreadOf(page, 'long'), { timeout: 10_000 }).toBe(0)
  })

  it('is as far away as its pill says, though most is not fetched', async () => {
    await say('endless', 150)
    const { page } = await browsers.enter(OWNER)
    await openTopic(page, 'endless')
    const pill = page.getByRole('button', { name: /new below/ })
    await pill.waitFor()
    const below = Number.parseInt((await pill.textContent())!, 10)
    const visible = await page.locator('.message[data-id]').evaluateAll((rows) => {
      const { bottom } = document.querySelector('.messages')!.getBoundingClientRect()
      return rows.filter((row) => row.getBoundingClientRect().top < bottom).length
    })
    expect(below + visible).toBe(150)
  })

  it('is followed by those who see it when they open it', async () => {
    await say('short', 2)
    const { page } = await browsers.enter(OWNER)
    await openTopic(page, 'short')
    await say('short', 25)
    await page.locator('.message[data-id]').nth(26).waitFor()
    await expect.poll(() => belowOf(page)).toBeLessThan(2)
    await expect.poll(() => unreadOf(page, 'short'), { timeout: 10_000 }).toBe(0)
  })

  it('stops following at messages that arrived while the page was hidden', async () => {
    await say('away', 2)
    const { page } = await browsers.enter(OWNER)
    await openTopic(page, 'away')
    await expect.poll(() => unreadOf(page, 'away'), { timeout: 10_000 }).toBe(0)
    await page.evaluate(() => {
      document.hasFocus = () => false
      window.dispatchEvent(new Event('blur'))
    })
    await say('away', 40)
    await page.locator('.message[data-id]').nth(41).waitFor()
    await untilStill(page)
    const firstUnseen = page.locator('.message[data-id]').nth(2)
    expect(await firstUnseen.isVisible()).toBe(true)
    const [list, row] = [await page.locator('.messages').boundingBox(), await firstUnseen.boundingBox()]
    expect(row!.y).toBeGreaterThanOrEqual(list!.y)
    expect(row!.y).toBeLessThan(list!.y + list!.height / 2)
    expect(await unreadOf(page, 'away')).toBe(40)
    await page.evaluate(() => {
      document.hasFocus = () => true
      window.dispatchEvent(new Event('focus'))
    })
    await expect.poll(() => unreadOf(page, 'away'), { timeout: 10_000 }).toBeLessThan(40)
    expect(await unreadOf(page, 'away')).toBeGreaterThan(0)
  })
})

describe.skipIf(CHROMIUM === undefined)('a long conversation', needs(A_BROWSER, TIME), () => {
  it('has few rows in the document however long one scrolls back', async () => {
    await say('ages', 900)
    const { page } = await browsers.enter(OTHER)
    await openTopic(page, 'ages')
    // On a slow machine rows come faster than they go.
    const devTools = await page.context().newCDPSession(page)
    await devTools.send('Emulation.setCPUThrottlingRate', { rate: 6 })
    const { most, seen } = await page.evaluate(async () => {
      const list = document.querySelector('.messages')!
      const ids = new Set<string | undefined>()
      let rows: HTMLElement[] = []
      let greatest = 0
      while (list.scrollTop > 0 || !list.querySelector('.messages-begin')) {
        await new Promise(requestAnimationFrame)
        rows = [...list.querySelectorAll<HTMLElement>('.message')]
        greatest = Math.max(greatest, rows.length)
        for (const { dataset } of rows) ids.add(dataset.id)
        list.scrollTop -= 400
      }
      return { most: greatest, seen: ids.size }
    })
    expect(seen).toBe(900)
    expect(most).toBeLessThan(460)
  })
})

describe.skipIf(CHROMIUM === undefined)('what can be undone', needs(A_BROWSER, TIME), () => {
  it('is marking as read', async () => {
    await say('undone', 3)
    const { page } = await browsers.enter(OWNER)
    await page.getByRole('button', { name: 'Mark undone as read' }).click()
    const link = page.getByRole('main').getByRole('link', { name: /undone/ })
    await link.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByRole('main').getByRole('link', { name: 'undone 3 unread' }).waitFor()
  })

  it('is resolving a topic, which goes back to its name', async () => {
    await say('question', 1)
    const { page } = await browsers.enter(OWNER)
    await openTopic(page, 'question')
    await page.getByRole('button', { name: 'Resolve' }).click()
    const heading = page.getByRole('main').getByRole('heading', { level: 1 })
    await heading.getByText('✔ question').waitFor()
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await heading.getByText('question', { exact: true }).waitFor()
    await page.locator('.message[data-id]').first().waitFor()
  })

  it('is leaving a public channel, with what was unread there', async () => {
    await say('left', 4)
    const { page } = await browsers.enter(OWNER, {}, '/#channels/all')
    const before = await channelUnread(page)
    expect(before).toBeGreaterThanOrEqual(4)
    await page.getByRole('button', { name: 'Leave: general' }).click()
    await page.getByRole('button', { name: 'Join: general' }).waitFor()
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByRole('button', { name: 'Leave: general' }).waitFor()
    await expect.poll(() => channelUnread(page)).toBe(before)
  })

  it('is moving a topic to a new name, but not into one that has messages', async () => {
    await say('moved', 1)
    await say('taken', 1)
    const { page } = await browsers.enter(OWNER)
    const heading = page.getByRole('main').getByRole('heading', { level: 1 })
    const move = async (topic: string) => {
      const message = page.locator('.message[data-id]').first()
      await message.hover()
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Move' }).click()
      const dialog = page.getByRole('dialog', { name: 'Move' })
      await dialog.getByLabel('Topic', { exact: true }).fill(topic)
      await dialog.getByLabel('All messages in the topic').check()
      await dialog.getByRole('button', { name: 'Move', exact: true }).click()
      await heading.getByText(topic, { exact: true }).waitFor()
    }
    await openTopic(page, 'moved')
    await move('moved away')
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await heading.getByText('moved', { exact: true }).waitFor()
    await move('taken')
    await page.locator('.toast', { hasText: 'Moved to #general › taken' }).waitFor()
    expect(await page.getByRole('button', { name: 'Undo', exact: true }).count()).toBe(0)
  })

  it('is deleting a draft', async () => {
    const { page } = await browsers.enter(OWNER, {}, '/#narrow/channel/1-general/topic/drafted')
    await page.locator('.compose-text').fill('A draft to delete')
    await page
      .locator('.sidebar')
      .getByRole('link', { name: /^Later \d/ })
      .click()
    const draft = page.locator('.inbox-row', { hasText: 'A draft to delete' })
    await draft.getByRole('button', { name: 'Delete' }).click()
    await draft.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await draft.click()
    await expect.poll(() => page.locator('.compose-text').inputValue()).toBe('A draft to delete')
    await page.goBack()
    await draft.getByRole('button', { name: 'Delete' }).click()
    await draft.waitFor({ state: 'detached' })
    await page.goBack()
    expect(await page.locator('.compose-text').inputValue()).toBe('')
  })

  it('is archiving a channel', async () => {
    const ann = await new ApiClient(server.url).logIn('ann@example.com')
    const subscribers = [await userIdOf(server, OWNER)]
    const { id } = await ann.call('POST', '/channels/create', { name: 'attic', subscribers })
    const { page } = await browsers.enter(OWNER, {}, `/#channels/${id}`)
    await page.getByRole('button', { name: 'Archive' }).click()
    await page.locator('.toast', { hasText: '#attic is archived' }).waitFor()
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.locator('.sidebar').getByRole('link', { name: /attic/ }).waitFor()
  })

  it('is not archiving a channel that new people join, which asks first', async () => {
    const ann = await new ApiClient(server.url).logIn('ann@example.com')
    const subscribers = [await userIdOf(server, OWNER)]
    const { id } = await ann.call('POST', '/channels/create', { name: 'lobby', subscribers })
    await ann.call('POST', '/default_streams', { stream_id: id as number })
    const { page } = await browsers.enter(OWNER, {}, `/#channels/${id}`)
    await page.getByRole('button', { name: 'Archive' }).click()
    const dialog = page.getByRole('dialog', { name: 'Archive #lobby?' })
    await dialog.getByText('New users will no longer join it automatically').waitFor()
    await dialog.getByRole('button', { name: 'Archive' }).click()
    await page.locator('.toast', { hasText: '#lobby is archived' }).waitFor()
    expect(await page.getByRole('button', { name: 'Undo', exact: true }).count()).toBe(0)
  })

  it('is deleting a scheduled message, a draft once its time has passed', async () => {
    const ann = await new ApiClient(server.url).logIn('ann@example.com')
    const at = Math.floor(Date.now() / 1_000) + 3_600
    await ann.call('POST', '/scheduled_messages', {
      type: 'channel',
      to: 1,
      topic: 'later',
      content: 'Scheduled and deleted',
      scheduled_delivery_timestamp: at,
    })
    const { page } = await browsers.enter(OWNER, {}, '/#drafts')
    const row = page.locator('.inbox-row', { hasText: 'Scheduled and deleted' })
    const remove = async () => {
      await row.getByRole('button', { name: 'Delete' }).click()
      await row.waitFor({ state: 'detached' })
    }
    await remove()
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await row.waitFor()
    await remove()
    await page.clock.setFixedTime((at + 60) * 1_000)
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.locator('.toast', { hasText: 'saved as a draft' }).waitFor()
    await row.waitFor()
    const headings = page.getByRole('main').getByRole('heading', { level: 2 })
    expect(await headings.allTextContents()).not.toContain('Scheduled')
    await remove()
  })

  it('is not leaving a private channel, which asks first', async () => {
    const { page } = await browsers.enter(OWNER, {}, '/#channels/new')
    await page.getByLabel('Name', { exact: true }).fill('vault')
    await page
      .getByLabel(/^Private/)
      .first()
      .check()
    await page.locator('form button[type="submit"]').click()
    await page.locator('.sidebar').getByRole('link', { name: /vault/ }).waitFor()
    await page.goto(`${server.url}/#channels/all`)
    await page.getByRole('button', { name: 'Leave: vault' }).click()
    const dialog = page.getByRole('dialog', { name: 'Leave #vault?' })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.locator('.sidebar').getByRole('link', { name: /vault/ }).click()
    await page.getByRole('button', { name: 'Conversation options' }).click()
    await page.getByRole('menuitem', { name: 'Leave channel' }).click()
    await dialog.getByRole('button', { name: 'Leave' }).click()
    await page.locator('.sidebar').getByRole('link', { name: /vault/ }).waitFor({ state: 'detached' })
    await page.getByRole('status').getByText('You left #vault').waitFor()
    expect(await page.getByRole('button', { name: 'Undo', exact: true }).count()).toBe(0)
  })
})

/** Lets the other person write into a topic of the first channel. */
async function say(topic: string, count: number): Promise<void> {
  const other = await userIdOf(server, OTHER)
  for (let line = 0; line < count; line += 1) {
    await operate(server, other, 'send-message', {
      type: 'channel',
      to: ['general'],
      topic,
      content: `Line ${line} of ${topic}`,
      read_by_sender: true,
    })
  }
}

async function channelUnread(page: Page): Promise<number> {
  const link = page.locator('.sidebar').getByRole('link', { name: /general/ })
  return Number(/(\d+) unread/.exec(await link.ariaSnapshot())?.[1] ?? 0)
}

/** Returns the pixels of the list below what is on screen. */
function belowOf(page: Page): Promise<number> {
  return page.locator('.messages').evaluate((list) => list.scrollHeight - list.scrollTop - list.clientHeight)
}
