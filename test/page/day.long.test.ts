import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { A_BROWSER, needs } from '../support/needs.ts'
import { CHROMIUM, OWNER, operate, untilStill, usePage, userIdOf } from './open-page.ts'

const OTHER = 'Bea Baker'
const DAY = 86_400

const { server, browsers } = usePage([OTHER])

describe.skipIf(CHROMIUM === undefined)('a long day of use', needs(A_BROWSER, { timeout: 120_000 }), () => {
  let bea: number
  let ann: number

  beforeAll(async () => {
    if (CHROMIUM === undefined) return
    bea = await userIdOf(server, OTHER)
    ann = await userIdOf(server, OWNER)
  })

  /** Sends messages, each as long ago as given; returns their ids. */
  async function say(topic: string, contents: readonly string[], ago = 0, channel = 'general') {
    const now = Math.floor(Date.now() / 1_000) - ago
    const calls = contents.map((content) => ({
      operation: 'send-message',
      user_id: bea,
      params: { type: 'channel', to: [channel], topic, content },
      now,
    }))
    const response = await fetch(`${server.url}/dev/run`, { method: 'POST', body: JSON.stringify({ calls }) })
    expect(response.status).toBe(200)
  }

  const lines = (count: number) => Array.from({ length: count }, (_, at) => `Line ${at} of the story`)
  const topicAt = (topic: string) => `/#narrow/channel/1-general/topic/${topic}`

  it('is named above messages whose line with it is off the screen, except for today', async () => {
    await say('days', lines(40), 3 * DAY)
    await say('days', lines(40))
    const { page } = await browsers.enter(OWNER, {}, topicAt('days'))
    await page.locator('.message[data-id]').first().waitFor()
    await untilStill(page)
    await page.locator('.messages').evaluate((list) => list.scrollTo(0, 600))
    const day = page.locator('.day-in-view > span')
    await day.waitFor()
    const lineOf = page.locator('.day-line').first()
    expect(await day.textContent()).toBe(await lineOf.textContent())
    await page.keyboard.press('End')
    await day.waitFor({ state: 'detached' })
    // More is fetched above until the line itself is there.
    await expect
      .poll(async () => {
        await page.locator('.messages').evaluate((list) => list.scrollTo(0, 0))
        return day.count()
      })
      .toBe(0)
  })

  it('goes on with the topics of the channel that is open', async () => {
    await say('older elsewhere', ['Before'])
    await say('newer here', lines(60), 0, 'sandbox')
    const { page } = await browsers.enter(OWNER)
    await page
      .locator('.sidebar')
      .getByRole('link', { name: /sandbox/ })
      .click()
    await page.locator('.message[data-id]').first().waitFor()
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await page.keyboard.press('n')
    await page.waitForURL(/sandbox\/topic\//)
  })

  it('keeps the new text of a message that was deleted while it was edited', async () => {
    const { id } = await operate(server, ann, 'send-message', {
      type: 'channel',
      to: ['general'],
      topic: 'edited',
      content: 'First words',
    })
    const { page } = await browsers.enter(OWNER, {}, topicAt('edited'))
    await page.locator(`.message[data-id="${id}"]`).focus()
    await page.keyboard.press('e')
    await page.locator('.edit-text').fill('Better words, with much care')
    await operate(server, ann, 'delete-message', { message_id: id })
    await page.locator('.toast', { hasText: 'saved as a draft' }).waitFor()
    await expect
      .poll(() => page.locator('.compose .compose-text').inputValue())
      .toBe('Better words, with much care')
  })

  it('says offline that a conversation cannot be shown, and shows it once online', async () => {
    await say('far away', ['Never seen before'])
    await say('near', ['Here'])
    const { page, complaints } = await browsers.enter(OWNER, {}, topicAt('near'))
    await page.locator('.message[data-id]', { hasText: 'Here' }).waitFor()
    await page.context().setOffline(true)
    await page.evaluate(() => {
      location.hash = '#narrow/channel/1-general/topic/far.20away'
    })
    await page.getByText('Couldn’t load messages').waitFor()
    await page.context().setOffline(false)
    await page.locator('.message[data-id]', { hasText: 'Never seen before' }).waitFor({ timeout: 60_000 })
    complaints.splice(0)
  })

  it('shows initials for a picture that does not come', async () => {
    await say('faces', ['A face'])
    const { page, complaints } = await browsers.open()
    await page.route(/user_avatars|\/avatar/, (route) => route.abort())
    await page.getByRole('button', { name: OWNER }).click()
    await page.locator('.app-shell').waitFor()
    await page.goto(`${server.url}${topicAt('faces')}`)
    const row = page.locator('.message', { hasText: 'A face' })
    await row.waitFor()
    await expect.poll(() => row.locator('.avatar-initials').count()).toBe(1)
    expect(await row.locator('img.avatar').count()).toBe(0)
    complaints.splice(0)
  })

  it('leads from a phone’s sidebar to all direct messages', async () => {
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
    const { page } = await browsers.enter(OWNER, phone)
    await page.getByRole('button', { name: 'Navigation' }).tap()
    const all = page.locator('.sidebar').getByRole('link', { name: 'Direct messages', exact: true })
    const { height } = (await all.boundingBox())!
    expect(height).toBeGreaterThanOrEqual(40)
    await all.tap()
    await page.waitForURL(/#narrow\/is\/dm/)
  })

  it('shows the chosen section in the list of settings', async () => {
    const { page } = await browsers.enter(OWNER, {}, '/#organization/audit-log')
    const chosen = page.locator('.settings-nav a[aria-current]')
    await chosen.waitFor()
    await expect.poll(() => isInView(page, '.settings-nav a[aria-current]')).toBe(true)
  })

  it('says with whom a direct conversation is, and their status', async () => {
    await operate(server, bea, 'update-own-status', { status_text: 'Back on Monday' })
    const { page } = await browsers.enter(OWNER, {}, `/#narrow/dm/${bea}`)
    const head = page.locator('.view-head')
    await head.getByText('Back on Monday').waitFor()
    expect(await head.locator('.presence').count()).toBe(0)
    await browsers.enter(OTHER)
    await head.locator('.presence').waitFor()
    await head.getByRole('button', { name: OTHER }).click()
    await page.locator('[popover]', { hasText: 'bea@example.com' }).waitFor()
  })

  it('shows a person, and all people, in the middle of a narrow window', async () => {
    const { page } = await browsers.enter(OWNER, { viewport: { width: 1024, height: 640 } }, `/#user/${bea}`)
    const profile = page.locator('.user-view')
    await profile.waitFor()
    await expect.poll(async () => (await profile.boundingBox())!.width).toBe(480)
    await page.goto(`${server.url}/#people`)
    const list = page.locator('.people-view > *').first()
    await list.waitFor()
    await expect.poll(async () => (await list.boundingBox())!.width).toBe(520)
  })

  it('names the end of an invitation without seconds', async () => {
    const { page } = await browsers.enter(OWNER, {}, '/#organization/invitations')
    await page.getByRole('button', { name: 'Create link' }).click()
    const line = page.locator('.item', { hasText: 'expires' }).first()
    await line.waitFor()
    expect(await line.textContent()).not.toMatch(/\d:\d\d:\d\d/)
  })

  it('puts the focus back when a dialog is closed', async () => {
    await say('closing', ['Above the dialog'])
    const { page } = await browsers.enter(OWNER, {}, topicAt('closing'))
    await page.locator('.compose-text').focus()
    await page.keyboard.press('Control+k')
    await page.locator('.go-to input:focus').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.compose-text:focus').waitFor()
    await page.locator('.message[data-id]').first().hover()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Remind me' }).click()
    await page.getByRole('textbox', { name: 'Note (optional)', exact: true }).fill('Call Cal')
    // What was typed is not lost to a click outside of the dialog.
    await page.mouse.click(5, 300)
    await page.getByRole('button', { name: 'Custom time' }).click()
    await page.getByLabel('When').and(page.locator(':focus')).waitFor()
    await page.getByRole('button', { name: 'In 3 hours' }).click()
    await page.getByText('Reminder set for').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement !== document.body)).toBe(true)
    await page.getByRole('status').getByRole('link', { name: 'View' }).click()
    await page.getByText('Call Cal · Bea: Above the dialog').waitFor()
  })

  it('goes through a poll’s form by Enter, and keeps it while it is closed', async () => {
    const { page } = await browsers.enter(OWNER, {}, topicAt('polling'))
    const open = async () => {
      await page.getByRole('button', { name: 'Add files and more' }).click()
      await page.getByRole('menuitem', { name: 'Poll' }).click()
      await page.getByRole('textbox', { name: 'Question' }).waitFor()
    }
    await open()
    for (const line of ['Where to?', 'Quay', 'Hill', 'Pier', 'Park']) {
      await page.keyboard.type(line)
      await page.keyboard.press('Enter')
    }
    await page.keyboard.press('Escape')
    await page.locator('.compose-text:focus').waitFor()
    await open()
    expect(await page.getByRole('textbox', { name: 'Option 4' }).inputValue()).toBe('Park')
    await page.keyboard.press('Control+Enter')
    const poll = page.locator('.widget')
    await poll.getByRole('button', { name: 'Park: 0 votes' }).waitFor()
    await poll.getByRole('button', { name: 'Edit: Where to?' }).click()
    await poll.locator('input:focus').waitFor()
    await page.keyboard.type('Where at noon?')
    await page.keyboard.press('Enter')
    await poll.getByText('Where at noon?').waitFor()
    await page.locator('.message[data-id]').last().hover()
    await page.getByRole('button', { name: 'More actions' }).last().click()
    await page.getByRole('menuitem', { name: 'Quote and reply' }).click()
    // Not the command that made it.
    await page.locator('.compose-box').getByText('Where at noon?').waitFor()
  })

  it('says for when a message is scheduled, and takes that back', async () => {
    const { page } = await browsers.enter(OWNER, {}, topicAt('sending later'))
    await page.locator('.compose-text').fill('Not yet')
    await page.getByRole('button', { name: 'Send options' }).click()
    await page.getByRole('menuitem', { name: 'In 3 hours' }).click()
    await page.getByText('Message scheduled for').waitFor()
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
    await page.locator('.compose-text:focus').waitFor()
    await expect.poll(() => page.locator('.compose-text').inputValue()).toBe('Not yet')
  })

  it('says by how much a message is too long', async () => {
    const { page } = await browsers.enter(OWNER, {}, topicAt('long'))
    await page.locator('.compose-text').fill('x'.repeat(10_012))
    await page.getByText('12 characters too long').waitFor()
    await page.locator('.compose-text').fill('x'.repeat(10_000))
    await page.getByText('too long').waitFor({ state: 'detached' })
  })

  it('goes on in the inbox beside the conversation that was read', async () => {
    for (const topic of ['row one', 'row two', 'row three']) await say(topic, ['Unread'])
    const { page } = await browsers.enter(OWNER, {}, '/#inbox')
    const links = page.locator('.inbox-link')
    await links.nth(2).waitFor()
    const third = await links.nth(2).getAttribute('href')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.locator('.message[data-id]').first().waitFor()
    await page.keyboard.press('i')
    await links.first().waitFor()
    await page.keyboard.press('j')
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('href'))
    await expect.poll(focused).toBe(third)
  })

  it('lists drafts that are not synchronized, and leads to them', async () => {
    await operate(server, bea, 'update-settings', { enable_drafts_synchronization: false })
    const { page } = await browsers.enter(OTHER, {}, topicAt('kept here'))
    await page.locator('.compose-text').fill('Only in this browser')
    await page.goto(`${server.url}/#drafts`)
    await page.getByRole('link', { name: 'Only in this browser' }).click()
    await expect.poll(() => page.locator('.compose-text').inputValue()).toBe('Only in this browser')
    await page.goto(`${server.url}/#drafts`)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Nothing for later').waitFor()
  })

  it('keeps for Ctrl+K what is typed before it has been loaded', async () => {
    await say('early keys', ['Unread'])
    const { page } = await browsers.enter(OWNER, {}, '/#recent')
    await page.locator('.inbox-link').first().waitFor()
    await page.route(/\/go-to-[^/]*\.js/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1_500))
      await route.continue()
    })
    await page.keyboard.press('Control+k')
    // Each of these letters is a shortcut where there is no field.
    await page.keyboard.type('dint')
    await expect.poll(() => page.locator('.go-to input').inputValue(), { timeout: 15_000 }).toBe('dint')
    expect(await page.evaluate(() => location.hash)).toBe('#recent')
  })

  it('says that a renamed topic will be one with another', async () => {
    await say('harbour', ['One'])
    await say('harbor', ['Two'])
    const { page } = await browsers.enter(OWNER, {}, topicAt('harbor'))
    await page.getByRole('button', { name: 'Conversation options' }).click()
    await page.getByRole('menuitem', { name: 'Rename topic' }).click()
    await page.getByRole('textbox', { name: 'Topic' }).fill('Harbour')
    await page.getByText('There’s already a topic harbour.').waitFor()
  })
})

function isInView(page: Page, selector: string): Promise<boolean> {
  return page.locator(selector).evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect()
    return top >= 0 && bottom <= innerHeight + 1
  })
}
