import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LocalServer, startLocalServer } from '../../scripts/local-server.ts'
import { buildAssets } from '../../scripts/web-client.ts'
import { A_BROWSER, needs } from '../support/needs.ts'
import { Browsers, CHROMIUM } from './open-page.ts'
import { violations } from './violations.ts'

describe.skipIf(CHROMIUM === undefined)('the documentation', needs(A_BROWSER, { timeout: 120_000 }), () => {
  let server: LocalServer
  const browsers = new Browsers()
  beforeAll(async () => {
    const { folder } = await buildAssets(undefined)
    server = await startLocalServer({ page: folder })
    await browsers.launch(server)
  }, 180_000)
  afterAll(async () => {
    await browsers.close()
    await server?.stop()
  })

  it('finds a word, and leads to its section', async () => {
    const { page, complaints } = await browsers.open({}, '/docs/interface/messages.html')
    await page.keyboard.press('/')
    await page.keyboard.type('dormant chan')
    await page.locator('#search li').first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/docs\/[^#]+#|\/docs\/.*\.html$/)
    expect(await page.locator('main').innerText()).toMatch(/dormant channel/i)
    await page.getByRole('searchbox').fill('xyzzyx')
    await page.getByText('Nothing found for “xyzzyx”').waitFor()
    expect(complaints).toEqual([])
  })

  it.each(['light', 'dark'] as const)('has no fault that axe finds: %s', async (colorScheme) => {
    const { page } = await browsers.open({ colorScheme }, '/docs/bots.html')
    expect(await violations(page)).toEqual([])
  })

  it('has its sidebar behind a button on a phone', async () => {
    const { page } = await browsers.open({ viewport: { width: 390, height: 844 } }, '/docs/')
    const link = page.locator('#nav').getByRole('link', { name: 'Operations', exact: true }).first()
    expect(await link.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Menu' }).click()
    await link.click()
    await page.waitForURL(/operations\.html$/)
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  })
})
