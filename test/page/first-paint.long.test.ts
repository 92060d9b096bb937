import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { A_BROWSER, needs } from '../support/needs.ts'
import { CHROMIUM, OWNER, usePage } from './open-page.ts'

/** The network of a phone far from a mast, as browsers' tools name "slow 3G". */
const SLOW = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 }

const { server, browsers } = usePage(['Bea Baker'])

describe.skipIf(CHROMIUM === undefined)(
  'the first paint on a slow network',
  needs(A_BROWSER, { timeout: 120_000 }),
  () => {
    it('shows the frame before scripts, and the sidebar within five seconds', async () => {
      const { page } = await browsers.enter(OWNER)
      const times = await reloadSlowly(page)
      expect(times.frame).toBeLessThan(2_000)
      expect(times.register).toBeLessThan(times.script)
      expect(times.words).toBeLessThan(5_000)
      // What is not needed for words comes after the script.
      expect(times.type).toBeGreaterThan(times.script)
    })

    it('loads the fonts along with the script on a fast network', async () => {
      const { page } = await browsers.enter(OWNER)
      await page.route(/\/page\/first-[^/]*\.js$/, () => {})
      let asked = 0
      page.on('request', (request) => {
        if (request.url().endsWith('.woff2')) asked += 1
      })
      // A busy machine may seem to be a slow network once.
      for (let visits = 0; asked === 0 && visits < 5; visits += 1) {
        await page.reload({ waitUntil: 'commit' })
        await page.waitForTimeout(1_000)
      }
      expect(asked).toBeGreaterThan(0)
    })

    it('leaves out the frame for those without a session', async () => {
      const { page } = await browsers.open()
      await page.route('**/page/first-*.js', () => {})
      const early = page.waitForResponse(/\/page\/early-/)
      await page.goto(`${server.url}/?again`, { waitUntil: 'commit' })
      await early
      expect(await page.locator('.still-frame').isVisible()).toBe(false)
    })

    it('registers once', async () => {
      const { page } = await browsers.enter(OWNER)
      const asked: string[] = []
      page.on('request', (request) => {
        if (request.url().endsWith('/register')) asked.push(request.url())
      })
      await page.reload()
      await page.locator('.app-shell').waitFor()
      expect(asked).toHaveLength(1)
      // Nothing is left of the frame, which would be above the room.
      expect(await page.locator('#page > *').count()).toBe(1)
    })
  },
)

/** Loads the page with an empty cache; returns when what was there, in ms. */
async function reloadSlowly(page: Page) {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Network.enable')
  await devTools.send('Network.clearBrowserCache')
  await devTools.send('Network.emulateNetworkConditions', SLOW)
  await page.reload({ waitUntil: 'commit' })
  await page.locator('.app-shell .sidebar a').first().waitFor()
  const words = await page.evaluate(() => performance.now())
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.endsWith('.woff2')),
  )
  return page.evaluate((now) => {
    const of = (part: RegExp) =>
      performance
        .getEntriesByType('resource')
        .find(({ name }) => part.test(name)) as PerformanceResourceTiming
    return {
      frame: performance.getEntriesByName('first-paint')[0]!.startTime,
      register: of(/\/register$/).startTime,
      script: of(/\/page\/first-[^/]*\.js$/).responseEnd,
      type: of(/\.woff2$/).startTime,
      words: now,
    }
  }, words)
}
