import { describe, expect, it } from 'vitest'
import { ApiClient } from '../../scripts/api-client.ts'
import { A_BROWSER, needs } from '../support/needs.ts'
import { CHROMIUM, OWNER, untilStill, usePage } from './open-page.ts'

const TOPIC = '#narrow/channel/1-general/topic/lunch'
const OTHER = 'Bea Baker'

const { server, browsers } = usePage([OTHER])

async function say(params: Parameters<ApiClient['call']>[2]): Promise<void> {
  const bea = await new ApiClient(server.url).logIn('bea@example.com')
  await bea.call('POST', '/messages', params)
}
const inTopic = (content: string) => say({ type: 'channel', to: ['general'], topic: 'lunch', content })

describe.skipIf(CHROMIUM === undefined)('access', needs(A_BROWSER, { timeout: 120_000 }), () => {
  it('leads by Tab from a message to its actions, and by Escape back', async () => {
    await inTopic('Soup, see [the menu](https://example.com/)')
    const { page } = await browsers.enter(OWNER)
    await page.goto(`${server.url}/${TOPIC}`)
    const row = page.locator('.message[data-id]').last()
    await row.focus()
    const bar = page.getByRole('toolbar', { name: 'Message actions' })
    await bar.waitFor()
    await page.keyboard.press('Tab')
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')
    expect(await bar.locator(':focus').count()).toBe(1)
    const first = await focused()
    await page.keyboard.press('ArrowRight')
    expect(await focused()).not.toBe(first)
    await page.keyboard.press('Home')
    expect(await focused()).toBe(first)
    await page.keyboard.press('Escape')
    expect(await row.evaluate((one) => one === document.activeElement)).toBe(true)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    expect(await row.locator(':focus').count()).toBe(1)
  })

  it('says who wrote where', async () => {
    const { page } = await browsers.enter(OWNER)
    const region = page.locator('.app-shell > [aria-live="polite"].hidden-text')
    await say({ type: 'direct', to: ['ann@example.com'], content: 'psst' })
    await expect.poll(() => region.textContent()).toBe(`Direct message from ${OTHER}: psst`)
    await say({ type: 'channel', to: ['general'], topic: 'lunch', content: `@**${OWNER}** soup?` })
    await expect.poll(() => region.textContent()).toBe(`${OTHER} in #general › lunch: @${OWNER} soup?`)
  })

  it('says at the log-in page that the session has ended', async () => {
    const { page, complaints } = await browsers.enter(OWNER)
    await page.context().clearCookies({ name: /session/ })
    await page.reload()
    await page.getByRole('status').filter({ hasText: 'Your session has ended' }).waitFor()
    expect(complaints.splice(0).filter((text) => !text.includes('401'))).toEqual([])
  })

  it('asks to log in at the first refusal, and sends after it what was written', async () => {
    const { page, complaints } = await browsers.enter(OWNER, {}, `/${TOPIC}`)
    const box = page.locator('.compose-text')
    // What is read meanwhile is not refused first.
    let isSent = false
    await page.route(/\/messages\/flags$/, async (route) => {
      while (!isSent) await new Promise((resolve) => setTimeout(resolve, 50))
      await route.continue().catch(() => {})
    })
    await box.fill('Sent without a session')
    await page.context().clearCookies({ name: /session/ })
    const refused: string[] = []
    page.on('response', (response) => {
      if (response.status() === 401) refused.push(response.url())
    })
    const refusal = page.waitForResponse(/\/json\/messages$/)
    await page.getByRole('button', { name: /^Send/ }).first().click()
    expect((await refusal).status()).toBe(401)
    isSent = true
    await page.getByRole('status').filter({ hasText: 'Your session has ended' }).waitFor()
    const before = refused.length
    expect(before).toBeLessThan(4)
    // Marks of what was read would be repeated every five seconds.
    await page.waitForTimeout(6_000)
    expect(refused).toHaveLength(before)
    await page.getByRole('button', { name: OWNER }).click()
    await page.locator('.message', { hasText: 'Sent without a session' }).waitFor()
    expect(await page.locator('.message-failure').count()).toBe(0)
    await box.fill('A thought not ended')
    await page.context().clearCookies({ name: /session/ })
    await page.evaluate(() => {
      location.hash = '#recent'
    })
    await page.getByRole('button', { name: 'You:' }).waitFor()
    await page.evaluate((hash) => {
      location.hash = hash
    }, TOPIC)
    await page.reload()
    await page.getByRole('button', { name: OWNER }).click()
    await page.locator('.compose-text').waitFor()
    expect(await page.locator('.compose-text').inputValue()).toBe('A thought not ended')
    expect(complaints.splice(0).filter((text) => !text.includes('401'))).toEqual([])
  })

  it('opens the page that was requested at the log-in', async () => {
    await inTopic('Soup after the login')
    const { page } = await browsers.open()
    await page.getByRole('button', { name: OWNER }).waitFor()
    await page.evaluate((hash) => {
      location.hash = hash
    }, TOPIC)
    await page.getByRole('button', { name: OWNER }).click()
    await page.locator('.message', { hasText: 'Soup after the login' }).waitFor()
  })

  it('shows messages at 400 %, without scrolling sideways', async () => {
    await inTopic('A line that is long enough to be wrapped on a small screen, and then once more.')
    const { page } = await browsers.enter(OWNER, { viewport: { width: 320, height: 256 } })
    await page.goto(`${server.url}/${TOPIC}`)
    await page.locator('.message').last().waitFor()
    await untilStill(page)
    expect(await page.locator('.messages').evaluate((list) => list.clientHeight)).toBeGreaterThan(72)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  })
})
