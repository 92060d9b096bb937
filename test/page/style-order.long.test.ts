import { describe, expect, it } from 'vitest'
import { A_BROWSER, needs } from '../support/needs.ts'
import { CHROMIUM, OWNER, usePage } from './open-page.ts'

const { browsers } = usePage()

/** Views with styles of their own. */
const VIEWS = ['#inbox', '#settings/profile', '#people', '#help', '#channels/1/general/permissions']

describe.skipIf(CHROMIUM === undefined)('styles in a browser', needs(A_BROWSER, { timeout: 120_000 }), () => {
  it('of a view stand behind the frame’s and the main ones, and win against them', async () => {
    const { page } = await browsers.enter(OWNER)
    for (const view of VIEWS) {
      await page.evaluate((hash) => {
        location.hash = hash
      }, view)
      await page.locator('.view-head').first().waitFor()
    }
    const order = () =>
      page.evaluate(() =>
        [...document.styleSheets].map(({ href }) => /(\w[\w-]*)-[\w-]{8}\.css$/.exec(href ?? '')?.[1]),
      )
    await expect.poll(async () => (await order()).length).toBeGreaterThan(5)
    expect((await order()).slice(0, 2)).toEqual(['frame', 'first'])
    const add = page.locator('.grant-add').first()
    await add.waitFor()
    // It is smaller than other buttons: one class says so against one class.
    expect(await add.evaluate((button) => getComputedStyle(button).blockSize)).toBe('28px')
  })
})
