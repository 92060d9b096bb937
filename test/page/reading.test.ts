import { describe, expect, it } from 'vitest'
import { A_BROWSER, needs } from '../support/needs.ts'
import { openTopic, unreadOf } from './in-conversation.ts'
import { CHROMIUM, OWNER, operate, usePage, userIdOf } from './open-page.ts'

const OTHER = 'Bea Baker'
/** A browser is slow on a machine that has other work. */
const TIME = { timeout: 120_000 }

const { server, browsers } = usePage([OTHER])

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
})

describe.skipIf(CHROMIUM === undefined)('what can be undone', needs(A_BROWSER, TIME), () => {
  it('is resolving a topic, which goes back to its name', async () => {
    await say('question', 1)
    const { page } = await browsers.enter(OWNER)
    await openTopic(page, 'question')
    await page.getByRole('button', { name: 'Resolve' }).click()
    const heading = page.getByRole('main').getByRole('heading', { level: 1 })
    await heading.getByText('✔ question').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await heading.getByText('question', { exact: true }).waitFor()
    await page.locator('.message[data-id]').first().waitFor()
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
    await page.getByRole('button', { name: 'More about this conversation' }).click()
    await page.getByRole('menuitem', { name: 'Leave the channel' }).click()
    await dialog.getByRole('button', { name: 'Leave' }).click()
    await page.locator('.sidebar').getByRole('link', { name: /vault/ }).waitFor({ state: 'detached' })
    await page.getByRole('status').getByText('You have left #vault.').waitFor()
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
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
