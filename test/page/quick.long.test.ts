import { beforeAll, describe, expect, it } from 'vitest'
import { A_BROWSER, needs } from '../support/needs.ts'
import { CHROMIUM, OWNER, operate, usePage, userIdOf } from './open-page.ts'

const OTHER = 'Bea Baker'
const LINES = 110

const { server, browsers } = usePage([OTHER])

describe.skipIf(CHROMIUM === undefined)(
  'the page responds quickly: it',
  needs(A_BROWSER, { timeout: 120_000 }),
  () => {
    beforeAll(async () => {
      const other = await userIdOf(server, OTHER)
      for (let line = 0; line < LINES; line += 1) {
        await operate(server, other, 'send-message', {
          type: 'channel',
          to: ['general'],
          topic: 'story',
          content: `Line ${line} of a long story`,
          read_by_sender: true,
        })
      }
    })

    it('draws the visible rows first, and then the others without moving them', async () => {
      const { page } = await browsers.enter(OTHER)
      const steps = await page.evaluate(async () => {
        const found: [rows: number, end: number][] = []
        location.hash = '#narrow/channel/1-general/topic/story'
        for (let frame = 0; frame < 90; frame += 1) {
          await new Promise((resolve) => requestAnimationFrame(resolve))
          const rows = document.querySelectorAll('.message[data-id]')
          const last = rows[rows.length - 1]
          if (last) found.push([rows.length, Math.round(last.getBoundingClientRect().bottom)])
        }
        return found
      })
      expect(steps[0]![0]).toBeLessThan(60)
      expect(steps.at(-1)![0]).toBe(LINES)
      expect(new Set(steps.map(([, end]) => end)).size).toBe(1)
    })

    it('shows that a part failed to load, and the part once it loads', async () => {
      const seat = await browsers.enter(OWNER)
      const { page } = seat
      let isGone = true
      await page.route(/\/page\/.*\.js$/, (route) => (isGone ? route.abort() : route.continue()))
      await page.evaluate(() => {
        location.hash = '#settings/profile'
      })
      await page.getByText('This part of the page didn’t load').waitFor()
      isGone = false
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByLabel('Name', { exact: true }).waitFor()
      seat.complaints.splice(0)
    })

    it('prefetches a link’s target on hover, and not again on click', async () => {
      const { page } = await browsers.enter(OWNER, {}, '/#inbox')
      const asked: string[] = []
      page.on('request', (request) => {
        if (/\/json\/messages\?/.test(request.url()) && request.url().includes('first_unread')) {
          asked.push(request.url())
        }
      })
      const link = page.locator('.sidebar').getByRole('link', { name: /^general/ })
      await link.hover()
      await expect.poll(() => asked.length).toBe(1)
      await link.click()
      await page.locator('.message').first().waitFor()
      expect(asked).toHaveLength(1)
    })
  },
)
