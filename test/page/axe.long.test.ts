import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { ApiClient } from '../../scripts/api-client.ts'
import { A_BROWSER, needs } from '../support/needs.ts'
import { chosenViews } from './chosen-views.ts'
import { CHROMIUM, OWNER, untilStill, usePage } from './open-page.ts'
import { violations, violationsInColours } from './violations.ts'

const OTHER = 'Bea Baker'
const THIRD = 'Cem Carter'
const TOPIC = '#narrow/channel/1-general/topic/lunch'

/** The views besides the sections of the settings, which the page itself lists. */
const VIEWS = [
  '#inbox',
  '#recent',
  '#feed',
  '#narrow/channel/1-general',
  TOPIC,
  '#narrow/is/dm',
  '#narrow/is/mentioned',
  '#narrow/is/starred',
  '#narrow/is/unread',
  '#narrow/search/salad',
  '#drafts',
  '#channels',
  '#channels/all',
  '#channels/1',
  '#channels/1/general/personal',
  '#channels/1/general/general',
  '#channels/1/general/permissions',
  '#channels/1/general/subscribers',
  '#channels/new',
  '#people',
  '#user/8',
  '#help',
  '#nowhere',
]

const FIGURES = '| a | b |\n|---|---|\n| 1 | 2 |'
const CODE = '```python\nprint("hello")\n```'
const SAID = [
  `${FIGURES}\n\n${FIGURES}\n\n${CODE}\n\n${CODE}`,
  '```spoiler Who\nNobody\n```\n\n```spoiler Who\nSomebody\n```',
  '$$\\frac{1}{2}$$ and :salad: <time:2026-01-01T10:00:00Z>',
  `@**${OWNER}** and @**${OTHER}**, look: https://example.com/ and #**general>lunch**`,
]

const { server, browsers } = usePage([OTHER, THIRD])

/** Parts of the views: a test of each ends within its time on a busy machine. */
const PARTS = process.env.VIEWS === 'all' ? [0, 1, 2, 3, 4, 5] : [0, 1]
const SMALLEST = { viewport: { width: 320, height: 640 }, hasTouch: true }

type Check = (page: Page) => Promise<string[]>

describe.skipIf(CHROMIUM === undefined)('on every view', needs(A_BROWSER, { timeout: 240_000 }), () => {
  it.each(PARTS)('axe finds nothing when empty, for a member on a phone (part %i)', async (part) => {
    const { page } = await browsers.enter(OTHER, SMALLEST)
    await expectNone(page, [part, 0], violations)
  })

  describe('with much content', () => {
    beforeAll(fill, 120_000)

    it.each(PARTS)('axe finds nothing in light (part %i)', async (part) => {
      const { page } = await browsers.enter(OWNER)
      await expectNone(page, [part, 1], violations)
    })

    it.each(PARTS)('axe finds nothing in dark (part %i)', async (part) => {
      const { page } = await browsers.enter(OWNER, { colorScheme: 'dark' })
      await expectNone(page, [part, 2], violationsInColours)
    })

    it.each(PARTS)('nothing is cut off at 320 px (part %i)', async (part) => {
      const { page } = await browsers.enter(OWNER, SMALLEST)
      await expectNone(page, [part, 3], cutOff)
    })
  })

  async function expectNone(page: Page, [part, way]: [number, number], check: Check): Promise<void> {
    await page.goto(`${server.url}/#settings`)
    await page.locator('.settings-nav a').first().waitFor()
    const sections = await page
      .locator('.settings-nav a')
      .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).hash))
    expect(sections.length).toBeGreaterThan(10)
    const chosen = chosenViews([...VIEWS, ...sections], way)
    const views = chosen.filter((_, at) => at % PARTS.length === part)
    const found: [string, string[]][] = []
    for (const view of views) {
      await page.goto(`${server.url}/${view}`)
      await page.locator('.view-head').waitFor()
      await page.waitForFunction(() => document.querySelector('.loading') === null)
      await untilStill(page)
      found.push([view, await check(page)])
    }
    expect(found.filter(([, faults]) => faults.length > 0)).toEqual([])
  }
})

/**
 * Returns what reaches beyond the window, or what only scrolling sideways shows (WCAG 2.2, 1.4.10). Tables, code and formulas of messages,
 * and rows of buttons that scroll by themselves, may.
 */
function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const scrolls = (element: Element): boolean => {
      const { overflowX } = getComputedStyle(element)
      return overflowX === 'auto' || overflowX === 'scroll'
    }
    const within = (element: Element, is: (one: Element) => boolean): boolean =>
      is(element) || (element.parentElement !== null && within(element.parentElement, is))
    const root = document.documentElement
    const wide = root.scrollWidth > root.clientWidth ? [`the page is ${root.scrollWidth} px wide`] : []
    const beyond = [
      ...document.querySelectorAll('.view :is(a, button, input, select, textarea, h1, h2, h3, p, label)'),
    ]
      .filter((element) => {
        const { left, right, width, height } = element.getBoundingClientRect()
        return width > 1 && height > 1 && (left < -1 || right > root.clientWidth + 1)
      })
      .filter((element) => !within(element, scrolls))
    return [...wide, ...beyond.slice(0, 4).map(({ outerHTML }) => outerHTML.slice(0, 160))]
  })
}

/** Creates two of everything, so that labels that do not tell them apart are found. */
async function fill(): Promise<void> {
  const [ann, bea, cem] = await Promise.all(
    ['ann', 'bea', 'cem'].map((name) => new ApiClient(server.url).logIn(`${name}@example.com`)),
  )
  const toTopic = (topic: string) => ({ type: 'channel', to: ['general'], topic })
  for (const content of SAID) {
    await bea!.call('POST', '/messages', { ...toTopic('lunch'), content })
    await cem!.call('POST', '/messages', { ...toTopic('supper'), content })
  }
  for (const content of ['/poll Where?\nhere\nthere', '/poll Where?\nhere', '/todo', '/todo']) {
    const { id } = await bea!.call('POST', '/messages', { ...toTopic('lunch'), content })
    await ann!.call('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })
    await ann!.call('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
  }
  for (const client of [bea!, cem!]) {
    const to = ['ann@example.com']
    const { id } = await client.call('POST', '/messages', { type: 'direct', to, content: 'psst' })
    await client.call('PATCH', `/messages/${id}`, { content: 'psst!' })
    const both = ['ann@example.com', 'bea@example.com', 'cem@example.com']
    await client.call('POST', '/messages', { type: 'direct', to: both, content: 'all three' })
  }
  const later = { scheduled_delivery_timestamp: Math.floor(Date.now() / 1_000) + 86_400 }
  const [first] = (await ann!.call<{ messages: { id: number }[] }>('GET', '/messages', {
    anchor: 'oldest',
    num_before: 0,
    num_after: 1,
  }))!.messages
  for (const name of ['one', 'two']) {
    const topic = { type: 'channel', to: 1, topic: 'lunch', content: name }
    await ann!.call('POST', '/scheduled_messages', { ...topic, ...later })
    await ann!.call('POST', '/reminders', { message_id: first!.id, ...later })
    const draft = { type: 'stream', to: [1], topic: 'lunch', content: name, timestamp: 1_750_000_000 }
    await ann!.call('POST', '/drafts', { drafts: [draft] })
    await ann!.call('POST', '/saved_snippets', { title: name, content: name })
    await ann!.call('POST', '/channel_folders/create', { name, description: '' })
    await ann!.call('POST', '/users/me/subscriptions', { subscriptions: [{ name: `channel ${name}` }] })
    await ann!.call('POST', '/user_groups/create', { name, description: '', members: [] })
    await ann!.call('POST', '/realm/filters', {
      pattern: `${name}-(?P<id>[0-9]+)`,
      url_template: 'https://example.com/{id}',
    })
    const playground = { pygments_language: 'Python', url_template: 'https://example.com/{code}' }
    await ann!.call('POST', '/realm/playgrounds', { name, ...playground })
    await ann!.call('POST', '/realm/domains', { domain: `${name}.example.com`, allow_subdomains: false })
    await ann!.call('POST', '/realm/profile_fields', { name, hint: '', field_type: 1 })
    await ann!.call('POST', '/bots', { full_name: `Bot ${name}`, short_name: name, bot_type: 1 })
    await ann!.call('POST', '/users/me/alert_words', { alert_words: [name] })
    await ann!.call('POST', '/invites', {
      invitee_emails: `${name}@example.org`,
      stream_ids: [],
      invite_expires_in_minutes: 1_000,
      invite_as: 400,
    })
  }
}
