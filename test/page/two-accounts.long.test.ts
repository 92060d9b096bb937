import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { found, PASSWORD } from '../node/found.ts'
import { A_BROWSER, needs } from '../support/needs.ts'
import { hide, keptTexts, SEALED } from './kept-state.ts'
import { CHROMIUM, OWNER, operate, type Seat, usePage, userIdOf } from './open-page.ts'

const OTHER = 'Bea Baker'
const TOPIC = '#narrow/channel/1-general/topic/shared'

/** The service worker keeps the page's files. */
const KEEPING = { serviceWorkers: 'allow' } as const

const { server, browsers } = usePage([OTHER])

describe.skipIf(CHROMIUM === undefined)(
  'two accounts in one browser',
  needs(A_BROWSER, { timeout: 180_000 }),
  () => {
    it('a log-in in another tab loads the first one anew, with its drafts kept apart', async () => {
      const seat = await browsers.enter(OWNER, KEEPING, `/${TOPIC}`)
      const { page } = seat
      await untilWritable(page)
      await page.locator('.compose-text').fill('Ann’s half thought')
      await logInElsewhere(page)
      await page.getByRole('button', { name: `You: ${OTHER}` }).waitFor()
      await untilWritable(page)
      expect(await page.locator('.compose-text').inputValue()).toBe('')
      await logInElsewhere(page, 'ann@example.com')
      await page.getByRole('button', { name: `You: ${OWNER}` }).waitFor()
      await expect.poll(() => page.locator('.compose-text').inputValue()).toBe('Ann’s half thought')
      seat.complaints.splice(0)
    })

    it('what is written in the first tab is never sent as the other account', async () => {
      const seat = await browsers.enter(OWNER, KEEPING, `/${TOPIC}`)
      const { page } = seat
      await untilWritable(page)
      await page.locator('.compose-text').fill('Sent between two sessions')
      // The tab hears of nothing until its next request.
      await replaceSession(page)
      await page.keyboard.press('Control+Enter')
      await page.getByRole('button', { name: `You: ${OTHER}` }).waitFor()
      expect(await senders(seat, 'Sent between two sessions')).not.toContain(OTHER)
      seat.complaints.splice(0)
    })

    it('nothing of the first account is kept under the other’s session', async () => {
      const seat = await browsers.enter(OWNER, KEEPING, `/${TOPIC}`)
      const { page } = seat
      const owner = await userIdOf(server, OWNER)
      await operate(server, owner, 'send-message', {
        type: 'direct',
        to: [owner],
        content: 'For Ann alone',
      })
      await page.goto(`${server.url}/#narrow/dm/${owner}`)
      await page.locator('.message[data-id]', { hasText: 'For Ann alone' }).waitFor()
      await hide(page)
      await expect.poll(() => keptTexts(page), { timeout: 20_000 }).toContain('For Ann alone')
      await logInElsewhere(page)
      await page.getByRole('button', { name: `You: ${OTHER}` }).waitFor()
      await expect
        .poll(() => keptTexts(page), { timeout: 20_000 })
        .not.toMatch(RegExp(`For Ann alone|${SEALED}`))
      await page.context().setOffline(true)
      await page.reload()
      await page.waitForTimeout(2_000)
      expect(await page.getByText('For Ann alone').count()).toBe(0)
      await page.goto('about:blank')
      seat.complaints.splice(0)
    })

    it('a shared computer keeps no text of the account before', async () => {
      const seat = await browsers.open(KEEPING, `/${TOPIC}`)
      const { page } = seat
      await page.getByLabel('This is a shared computer').check()
      await page.getByRole('button', { name: OWNER }).click()
      await untilWritable(page)
      await page.locator('.compose-text').fill('On a shared computer')
      await logInElsewhere(page)
      await page.getByRole('button', { name: `You: ${OTHER}` }).waitFor()
      await expect
        .poll(() => page.evaluate(() => JSON.stringify(localStorage)))
        .not.toContain('On a shared computer')
      seat.complaints.splice(0)
    })

    it('a channel that the account has left is not in what is kept', async () => {
      const seat = await browsers.enter(OTHER, KEEPING, '/')
      const { page } = seat
      const [owner, other] = [await userIdOf(server, OWNER), await userIdOf(server, OTHER)]
      await operate(server, owner, 'subscribe', {
        subscriptions: [{ name: 'closed room' }],
        principals: [owner, other],
        invite_only: true,
      })
      await operate(server, owner, 'send-message', {
        type: 'channel',
        to: ['closed room'],
        topic: 'inside',
        content: 'Only for the room',
      })
      await page.getByText('closed room').first().click()
      await page.locator('.message[data-id]', { hasText: 'Only for the room' }).waitFor()
      await hide(page)
      await expect.poll(() => keptTexts(page), { timeout: 20_000 }).toContain('Only for the room')
      await operate(server, owner, 'unsubscribe', {
        subscriptions: ['closed room'],
        principals: [other],
      })
      await page.reload()
      await page.locator('.app-shell').waitFor()
      await hide(page)
      await expect
        .poll(() => keptTexts(page), { timeout: 30_000 })
        .not.toMatch(RegExp(`Only for the room|${SEALED}`))
      // The address is still that of the room, whose topics are refused.
      await page.goto('about:blank')
      seat.complaints.splice(0)
    })

    it('another organization’s log-in and log-out leave the tab as it is', async () => {
      const origin = server.url.replace('127.0.0.1', 'other.localhost')
      await found(server, 'other.localhost')
      const seat = await browsers.enter(OWNER, KEEPING, `/${TOPIC}`)
      const { page } = seat
      await untilWritable(page)
      await page.locator('.compose-text').fill('Not for the other place')
      const other = await page.context().newPage()
      await other.goto(`${origin}/`)
      await other.getByLabel('Email address').fill('ann@example.com')
      await other.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await other.getByRole('button', { name: 'Log in' }).click()
      await other.locator('.top-bar-name').click()
      expect(await other.evaluate(() => JSON.stringify(localStorage))).not.toContain(
        'Not for the other place',
      )
      await other.getByRole('menuitem', { name: 'Log out' }).click()
      await other.getByLabel('Password', { exact: true }).waitFor()
      await page.reload()
      await page.getByRole('button', { name: `You: ${OWNER}` }).waitFor()
      await untilWritable(page)
      await expect.poll(() => page.locator('.compose-text').inputValue()).toBe('Not for the other place')
    })
  },
)

async function untilWritable(page: Page): Promise<void> {
  await page.locator('.compose-text').waitFor()
}

/** Logs in as another account in a second tab, without a log-out. */
async function logInElsewhere(page: Page, username = 'bea@example.com'): Promise<void> {
  const second = await page.context().newPage()
  await second.goto(`${server.url}/accounts/login/`)
  await logInHere(second, username)
  await second.close()
}

async function logInHere(page: Page, username: string): Promise<void> {
  const status = await page.evaluate(async (name) => {
    const body = new URLSearchParams({ username: name })
    return (await fetch('/dev/log_in', { method: 'POST', body })).status
  }, username)
  expect(status).toBe(200)
}

/** Gives the browser the session of the other account, as a log-in in a second tab does, while the tab is looking elsewhere. */
async function replaceSession(page: Page): Promise<void> {
  await logInHere(page, 'bea@example.com')
}

/** Returns the names of those who have sent this text. */
async function senders({ page }: Seat, text: string): Promise<string[]> {
  return page.evaluate(async (wanted) => {
    const query = new URLSearchParams({ anchor: 'newest', num_before: '50', num_after: '0' })
    const { messages }: { messages: { content: string; sender_full_name: string }[] } = await (
      await fetch(`/json/messages?${query}`)
    ).json()
    return messages
      .filter(({ content }) => content.includes(wanted))
      .map(({ sender_full_name }) => sender_full_name)
  }, text)
}
