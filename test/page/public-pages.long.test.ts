import { beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD } from '../node/found.ts'
import { readJson } from '../support/json.ts'
import { A_BROWSER, needs } from '../support/needs.ts'
import { CHROMIUM, usePage } from './open-page.ts'
import { violations } from './violations.ts'

const { server, browsers } = usePage([], { vars: { WEB_PUBLIC_STREAMS_ENABLED: 'on' } })
let key = ''

describe.skipIf(CHROMIUM === undefined)(
  'public pages in a browser',
  needs(A_BROWSER, { timeout: 120_000 }),
  () => {
    beforeAll(async () => {
      key = String((await api('POST', '/fetch_api_key', { username: EMAIL, password: PASSWORD })).api_key)
      await api('PATCH', '/realm', { enable_spectator_access: 'true' })
      await api('POST', '/users/me/subscriptions', {
        subscriptions: JSON.stringify([{ name: 'open', description: 'About **birds**' }]),
        is_web_public: 'true',
      })
      for (const content of MESSAGES) {
        await api('POST', '/messages', { type: 'channel', to: '"open"', topic: 'Great tit', content })
      }
    })

    it('lead from channels to messages and the log-in by keyboard alone', async () => {
      const { page } = await browsers.open({ javaScriptEnabled: false }, '/public')
      await page.keyboard.press('Tab')
      expect(await page.locator(':focus').textContent()).toBe('Skip to content')
      await page.getByRole('link', { name: 'open', exact: true }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: '#open' }).waitFor()
      await page.getByRole('link', { name: 'Great tit' }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('article').first().waitFor()
      expect(await page.getByRole('article').count()).toBe(MESSAGES.length)
      await page.locator('summary').click()
      await page.getByText('The gardener').waitFor()
      expect(await page.getByRole('link', { name: 'Open in the app' }).getAttribute('href')).toMatch(
        /^\/#narrow\/channel\/\d+-open\/topic\/Great\.20tit\/near\/\d+$/,
      )
    })

    it.each([
      ['light', 320],
      ['dark', 360],
      ['light', 1440],
      ['dark', 2560],
    ] as const)(
      'axe finds nothing, and nothing is wider than the window (%s, %i px)',
      async (colorScheme, width) => {
        const { page } = await browsers.open({ colorScheme, viewport: { width, height: 800 } }, '/public')
        for (const name of ['open', 'Great tit']) {
          expect(await violations(page)).toEqual([])
          await page.getByRole('link', { name, exact: true }).first().click()
          await page.getByRole('heading', { level: 1, name }).waitFor()
        }
        expect(await violations(page)).toEqual([])
        const [content, window] = await page.evaluate(() => [
          document.documentElement.scrollWidth,
          document.documentElement.clientWidth,
        ])
        expect(content).toBeLessThanOrEqual(window!)
      },
    )

    it('are linked from the log-in page, and show formulas without script', async () => {
      const { page } = await browsers.open()
      await page.getByRole('link', { name: 'Browse without an account' }).click()
      await page.getByRole('link', { name: 'open', exact: true }).click()
      await page.getByRole('link', { name: 'Great tit' }).click()
      const formula = page.locator('math msup')
      await formula.waitFor()
      expect(await page.getByText('x^2').count()).toBe(0)
    })

    it('set each text in its own direction', async () => {
      const { page } = await browsers.open({}, '/public')
      await page.getByRole('link', { name: 'open', exact: true }).click()
      await page.getByRole('link', { name: 'Great tit' }).click()
      const direction = (text: string) =>
        page.getByText(text).evaluate((element) => getComputedStyle(element).direction)
      expect(await direction('שלום עולם')).toBe('rtl')
      expect(await direction('three now')).toBe('ltr')
    })

    it('can be scrolled to their end', async () => {
      const { page } = await browsers.open({ viewport: { width: 360, height: 300 } }, '/public')
      await page.getByRole('link', { name: 'open', exact: true }).click()
      await page.getByRole('link', { name: 'Great tit' }).click()
      await page.getByRole('article').last().scrollIntoViewIfNeeded()
      expect(await page.getByText('the last word').isVisible()).toBe(true)
      expect(await page.evaluate(() => document.scrollingElement!.scrollTop)).toBeGreaterThan(0)
    })
  },
)

const EMAIL = 'ann@example.com'
const MESSAGES = [
  `I saw **two** :bird: and \`code\` that is ${'long'.repeat(60)}`,
  '```python\nprint("a line that is longer than a telephone is wide, and then some more of it")\n```',
  '```spoiler Who did it\nThe gardener\n```',
  '| a | b |\n|---|---|\n| 1 | 2 |\n\n> quoted\n\n1. one\n2. two',
  'שלום עולם',
  'three now, $$x^2$$ and https://example.com/',
  'the last word',
]

async function api(
  method: string,
  path: string,
  fields: Record<string, string>,
): Promise<Record<string, unknown>> {
  const response = await fetch(`${server.url}/api/v1${path}`, {
    method,
    headers: key === '' ? {} : { Authorization: `Basic ${btoa(`${EMAIL}:${key}`)}` },
    body: new URLSearchParams(fields),
  })
  const body = await readJson<Record<string, unknown>>(response)
  if (!response.ok) throw new Error(`${path}: ${JSON.stringify(body)}`)
  return body
}
