import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { A_BROWSER, needs } from '../support/needs.ts'
import { hide, keptBytes, keptTexts } from './kept-state.ts'
import { CHROMIUM, OWNER, operate, type Seat, usePage, userIdOf } from './open-page.ts'

const OTHER = 'Bea Baker'
const TOPIC = '#narrow/channel/1-general/topic/kept'

/** The service worker keeps the page's files. */
const KEEPING = { serviceWorkers: 'allow' } as const

const { server, browsers } = usePage([OTHER])

describe.skipIf(CHROMIUM === undefined)('the page offline', needs(A_BROWSER, { timeout: 120_000 }), () => {
  beforeAll(async () => {
    const other = await userIdOf(server, OTHER)
    await operate(server, other, 'send-message', {
      type: 'channel',
      to: ['general'],
      topic: 'kept',
      content: 'The key is under the mat',
    })
  })

  it('shows the kept messages, and sends unsent ones once online', async () => {
    const seat = await browsers.enter(OWNER, KEEPING, `/${TOPIC}`)
    const { page } = seat
    await untilKept(page)
    await page.context().setOffline(true)
    await page.reload()
    await page.getByText('This is what was here on').waitFor()
    await page.locator('.message[data-id]', { hasText: 'under the mat' }).waitFor()
    await page.locator('.sidebar').getByText('general').waitFor()
    await page.locator('.compose-text').fill('Written without a network')
    await page.keyboard.press('Control+Enter')
    await page.locator('.message', { hasText: 'Written without a network' }).waitFor()
    const other = await userIdOf(server, OTHER)
    await operate(server, other, 'send-message', {
      type: 'channel',
      to: ['general'],
      topic: 'kept',
      content: 'Meanwhile elsewhere',
    })
    await page.context().setOffline(false)
    await page.locator('.message[data-id]', { hasText: 'Written without a network' }).waitFor()
    await page.locator('.message[data-id]', { hasText: 'Meanwhile elsewhere' }).waitFor()
    await expect.poll(() => page.locator('.connection-lost').count()).toBe(0)
    seat.complaints.splice(0)
  })

  it('opens as it was while a limit keeps the server from answering', async () => {
    const seat = await browsers.enter(OWNER, KEEPING, `/${TOPIC}`)
    const { page } = seat
    await untilKept(page)
    // As Cloudflare answers in place of the Worker, which may not run.
    const refuse = (status: number) =>
      page
        .context()
        .route(/^[^?]*\/(?:json\/.*)?(?:\?.*)?$/, (route) =>
          route.fulfill({ status, contentType: 'text/html', body: `error code: ${status}` }),
        )
    await refuse(429)
    await page.reload()
    await page.locator('.message[data-id]', { hasText: 'under the mat' }).waitFor()
    await page.context().unrouteAll()
    await refuse(503)
    await page.reload()
    await page.locator('.message[data-id]', { hasText: 'under the mat' }).waitFor()
    await page.context().unrouteAll()
    seat.complaints.splice(0)
  })

  it('shows what is written where no messages can come', async () => {
    const seat = await browsers.enter(OWNER, {}, `/${TOPIC}`)
    const { page } = seat
    await page.locator('.message[data-id]').first().waitFor()
    // The box comes after the messages.
    await page.locator('.compose-text').waitFor()
    await page.context().setOffline(true)
    await page.evaluate(() => {
      location.hash = '#narrow/channel/1-general/topic/never%20opened'
    })
    await page.getByText('Couldn’t load messages').waitFor()
    await page.getByPlaceholder('never opened').fill('Into the dark')
    await page.keyboard.press('Control+Enter')
    await page.locator('.message', { hasText: 'Into the dark' }).waitFor()
    await page.context().setOffline(false)
    await page.locator('.message[data-id]', { hasText: 'Into the dark' }).waitFor()
    seat.complaints.splice(0)
  })

  it('asks only once more for a file that has not loaded', async () => {
    const seat = await browsers.enter(OWNER, KEEPING, `/${TOPIC}`)
    const { page } = seat
    let asked = 0
    page.context().on('request', (request) => {
      if (request.url().endsWith('/page/none.js')) asked += 1
    })
    await untilKept(page)
    await page.evaluate(`import('/page/none.js').catch(() => {})`)
    await expect.poll(() => asked).toBeGreaterThan(1)
    await page.waitForTimeout(1_000)
    // The page's two requests, and those of its service worker.
    expect(asked).toBeLessThanOrEqual(4)
    seat.complaints.splice(0)
  })

  it('reads and searches all that was loaded, as of a week ago, and catches up', async () => {
    const other = await userIdOf(server, OTHER)
    const write = (topic: string, content: string) =>
      operate(server, other, 'send-message', { type: 'channel', to: ['general'], topic, content })
    await write('boats', 'The ferry leaves at noon')
    await write('trains', 'The sleeper leaves at ten')
    const seat = await browsers.enter(OWNER, KEEPING, '/#narrow/channel/1-general/topic/boats')
    const { page } = seat
    const open = (hash: string) =>
      page.evaluate((to) => {
        location.hash = to
      }, hash)
    await page.locator('.message[data-id]', { hasText: 'ferry' }).waitFor()
    await open('#narrow/channel/1-general/topic/trains')
    await page.locator('.message[data-id]', { hasText: 'sleeper' }).waitFor()
    await open('#narrow/search/ferry')
    await page.locator('.message[data-id]', { hasText: 'ferry' }).waitFor()
    await open('#drafts')
    await page.getByText('Nothing for later').waitFor()
    await open(TOPIC)
    await untilKept(page)
    await page.context().setOffline(true)
    await page.clock.install({ time: Date.now() + 7 * 24 * 60 * 60_000 })
    await page.reload()
    await page.locator('.message[data-id]', { hasText: 'under the mat' }).waitFor()
    // Neither was open before the page was loaded again.
    await open('#narrow/channel/1-general/topic/boats')
    await page.locator('.message[data-id]', { hasText: 'ferry' }).waitFor()
    await open('#narrow/search/leaves')
    await expect.poll(() => page.locator('.message[data-id]').count()).toBe(2)
    await open('#narrow/channel/1-general/topic/trains')
    await page.locator('.message[data-id]', { hasText: 'sleeper' }).waitFor()
    await page.locator('.compose-text').fill('I’ll take the sleeper')
    await page.keyboard.press('Control+Enter')
    await open('#drafts')
    await page.getByRole('heading', { name: 'Waiting to be sent' }).waitFor()
    await page.locator('.inbox-row', { hasText: 'I’ll take the sleeper' }).waitFor()
    await write('trains', 'It is full')
    await page.context().setOffline(false)
    await expect.poll(() => page.locator('.inbox-row', { hasText: 'sleeper' }).count()).toBe(0)
    await open('#narrow/channel/1-general/topic/trains')
    await page.locator('.message[data-id]', { hasText: 'It is full' }).waitFor()
    const texts = () => page.locator('.message[data-id] .rendered').allInnerTexts()
    await expect.poll(texts).toEqual(['The sleeper leaves at ten', 'It is full', 'I’ll take the sleeper'])
    seat.complaints.splice(0)
  })

  it('keeps as many messages as were chosen, sealed, and none that is deleted', async () => {
    const other = await userIdOf(server, OTHER)
    const sent = await operate(server, other, 'send-message', {
      type: 'channel',
      to: ['general'],
      topic: 'kept',
      content: 'A regrettable remark',
    })
    const { page } = await browsers.enter(OWNER, KEEPING, `/${TOPIC}`)
    const keeps = async (text: string) => (await keptTexts(page)).includes(text)
    await page.locator('.message[data-id]', { hasText: 'regrettable' }).waitFor()
    await untilKept(page)
    expect(await keeps('regrettable')).toBe(true)
    expect(/regrettable|under the mat|general/.test(await keptBytes(page))).toBe(false)
    await page.evaluate(() => {
      location.hash = '#inbox'
    })
    await operate(server, other, 'delete-message', { message_id: (sent as { id: number }).id })
    await expect.poll(() => keeps('regrettable')).toBe(false)
    await page.evaluate(() => {
      location.hash = '#settings/account-and-privacy'
    })
    const choice = page.getByLabel('Messages kept for reading offline')
    await page.getByText(/\d+ messages? so far/).waitFor()
    await choice.selectOption('None')
    await expect.poll(async () => (await keptTexts(page)).length).toBe(2)
    await choice.selectOption('1,000')
    await expect.poll(() => keeps('under the mat')).toBe(true)
  })

  it('keeps nothing after a log-out', async () => {
    const { page, complaints } = await browsers.enter(OWNER, KEEPING, `/${TOPIC}`)
    await untilKept(page)
    expect(await keptTexts(page)).toContain('under the mat')
    await page.getByRole('button', { name: `You: ${OWNER}` }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await page.getByLabel('This is a shared computer').waitFor()
    expect((await keptTexts(page)).length).toBe(2)
    // What was under way is refused, and the browser itself logs that.
    complaints.splice(0)
  })

  it('does not show the data of another session', async () => {
    const seat = await browsers.enter(OWNER, KEEPING, `/${TOPIC}`)
    const { page } = seat
    await untilKept(page)
    const context = page.context()
    const token = (await context.cookies()).find(({ name }) => name.endsWith('csrftoken'))!
    // An open page would reload itself as soon as it asks for something.
    const address = page.url()
    await page.goto('about:blank')
    await context.addCookies([{ ...token, value: `${token.value.slice(0, -1)}_` }])
    await context.setOffline(true)
    await page.goto(address)
    await page
      .getByText('Can’t connect')
      .or(page.getByRole('button', { name: 'Try again' }))
      .first()
      .waitFor()
    expect(await page.getByText('under the mat').count()).toBe(0)
    await endOffline(seat)
  })

  it('shows no data older than a session', async () => {
    const seat = await browsers.enter(OWNER, KEEPING, `/${TOPIC}`)
    const { page } = seat
    await untilKept(page)
    await page.context().setOffline(true)
    await page.clock.install({ time: Date.now() + 15 * 24 * 60 * 60_000 })
    await page.reload()
    await page.getByRole('button', { name: 'Try again' }).first().waitFor()
    expect(await page.getByText('under the mat').count()).toBe(0)
    await expect.poll(async () => (await keptTexts(page)).length).toBe(2)
    await endOffline(seat)
  })

  it('keeps nothing on a shared computer, nor drafts after a log-out', async () => {
    const { page } = await browsers.open(KEEPING, `/${TOPIC}`)
    await page.getByLabel('This is a shared computer').check()
    await page.getByRole('button', { name: OWNER }).click()
    await page.locator('.message[data-id]').first().waitFor()
    await page.locator('.compose-text').fill('Half a thought')
    await hide(page)
    await page.waitForTimeout(6_000)
    expect((await keptTexts(page)).length).toBe(2)
    await page.getByRole('button', { name: `You: ${OWNER}` }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await page.getByLabel('This is a shared computer').waitFor()
    expect(await page.getByLabel('This is a shared computer').isChecked()).toBe(true)
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('Half a thought')
  })

  it('does not call itself so where a proxy answers, or the server is busy', async () => {
    const seat = await browsers.enter(OWNER, {}, '/#settings/security')
    const { page } = seat
    const failed = 'That didn’t work. Try again in a moment.'
    const ofProxy = { status: 404, contentType: 'text/html', body: '<h1>Not here</h1>' }
    await page.route('**/json/second_factors/totp', (route) => route.fulfill(ofProxy))
    await page.getByRole('button', { name: 'Set up' }).click()
    await page.getByText(failed).waitFor()
    const busy = { status: 503, json: { result: 'error', code: 'SERVICE_UNAVAILABLE', msg: 'Busy' } }
    await page.route('**/json/register', (route) => route.fulfill(busy))
    await page.reload()
    await page.getByRole('heading', { name: failed }).waitFor()
    expect(await page.getByText(/offline|reach/i).count()).toBe(0)
    await endOffline(seat)
  })
})

/** Leaves the page, which tries to connect again and again, and takes what the browser has logged of that. */
async function endOffline({ page, complaints }: Seat): Promise<void> {
  await page.goto('about:blank')
  complaints.splice(0)
}

/** Waits until the page's files and its state are kept. */
async function untilKept(page: Page): Promise<void> {
  await page.locator('.message[data-id]').first().waitFor()
  await page.locator('.compose-text').waitFor()
  await page.evaluate(() => navigator.serviceWorker.ready)
  await hide(page)
  await expect.poll(async () => (await keptTexts(page)).includes('under the mat')).toBe(true)
  await expect
    .poll(() =>
      page.evaluate(async () => {
        const cache = await caches.open('shell')
        const files = performance
          .getEntriesByType('resource')
          .filter(({ name }) => /\/page\/.*\.js$/.test(name))
        const kept = await Promise.all(files.map(({ name }) => cache.match(name)))
        return kept.length > 0 && kept.every(Boolean)
      }),
    )
    .toBe(true)
}
