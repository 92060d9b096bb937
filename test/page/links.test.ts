import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { A_BROWSER, needs } from '../support/needs.ts'
import { type AskAs, CHROMIUM, logInByApi, OWNER, type Seat, usePage, userIdOf } from './open-page.ts'

const OTHER = 'Bea Baker'
const GENERAL = 1
const LUNCH = '#narrow/channel/1-general/topic/lunch'

const { server, browsers } = usePage([OTHER])

describe.skipIf(CHROMIUM === undefined)('a link in the page', needs(A_BROWSER, { timeout: 60_000 }), () => {
  let ann: AskAs
  let board: number
  /** Messages of the topic “lunch” that are moved to “dinner”, and one that stays. */
  let moved: number
  let stays: number
  let deleted: number
  let hidden: number

  beforeAll(async () => {
    if (CHROMIUM === undefined) return
    ann = await logInByApi(server, 'ann@example.com')
    moved = await say('Soup at noon', 'lunch')
    await say('A salad then', 'lunch')
    await ann('PATCH', `/messages/${moved}`, { topic: 'dinner', propagate_mode: 'change_all' })
    stays = await say('Bread', 'lunch')
    deleted = await say('A slip', 'lunch')
    await ann('DELETE', `/messages/${deleted}`)
    const { id } = await ann('POST', '/channels/create', {
      name: 'board',
      subscribers: [await userIdOf(server, OWNER)],
      invite_only: true,
    })
    board = id as number
    hidden = await say('A secret', 'plans', board)
  })

  async function say(content: string, topic: string, to: number = GENERAL): Promise<number> {
    const { id } = await ann('POST', '/messages', { type: 'channel', to, topic, content })
    return id as number
  }

  it('leads to the message where it is now, and the address says so', async () => {
    const { page } = await browsers.enter(OTHER)
    for (const [link, isFirst] of [
      [`${LUNCH}/near/${moved}`, true],
      [`#narrow/with/${moved}`, true],
      [`${LUNCH}/with/${moved}`, false],
      [`#narrow/near/${moved}`, false],
      [`#narrow/stream/renamed-since/topic/lunch/near/${moved}`, false],
      [`#narrow/is/starred/near/${moved}`, false],
      [`#narrow/id/${moved}/near/${moved}`, false],
    ] as const) {
      await page.goto(`${server.url}/#inbox`)
      // Else the page knows the message already.
      if (isFirst) await page.reload()
      await page.getByRole('heading', { name: 'Inbox' }).waitFor()
      await page.goto(`${server.url}/${link}`)
      await messageOf(page, moved).waitFor()
      expect([link, await title(page)]).toEqual([link, 'general dinner'])
      const kind = link.includes('/with/') ? 'with' : 'near'
      const present = `#narrow/channel/1-general/topic/dinner/${kind}/${moved}`
      await expect.poll(() => page.evaluate(() => location.hash)).toBe(present)
      expect(await messageOf(page, stays).count()).toBe(0)
    }
  })

  it('leads there when it is opened first, and by the back button', async () => {
    const { page } = await browsers.enter(OTHER, {}, `/${LUNCH}/near/${moved}`)
    await messageOf(page, moved).waitFor()
    expect(await title(page)).toBe('general dinner')
    await page.goto(`${server.url}/#inbox`)
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await page.goBack()
    await messageOf(page, moved).waitFor()
    expect(await title(page)).toBe('general dinner')
  })

  it('to a message that is deleted shows a sentence and the conversation', async () => {
    const seat = await browsers.enter(OTHER)
    const { page } = seat
    for (const kind of ['near', 'with']) {
      await page.goto(`${server.url}/${LUNCH}/${kind}/${deleted}`)
      await page.getByText('This message was deleted, or you cannot see it.').waitFor()
      await messageOf(page, stays).waitFor()
      expect(await page.locator('.message-target').count()).toBe(0)
    }
    await page.goto(`${server.url}/#narrow/near/${deleted}`)
    await page.getByText('This message was deleted, or you cannot see it.').waitFor()
    expectRefusals(seat)
  })

  it('to a message that one may not see says the same as to none', async () => {
    const seat = await browsers.enter(OTHER)
    const { page } = seat
    await page.goto(`${server.url}/${LUNCH}/near/${hidden}`)
    await page.getByText('This message was deleted, or you cannot see it.').waitFor()
    await messageOf(page, stays).waitFor()
    await page.goto(`${server.url}/#narrow/channel/${board}-board/topic/plans/near/${hidden}`)
    await page.getByRole('heading', { name: 'This channel does not exist, or you may not see it.' }).waitFor()
    await page.goto(`${server.url}/#narrow/with/${hidden}`)
    await page.getByText('This message was deleted, or you cannot see it.').waitFor()
    expectRefusals(seat)
  })

  it('of a reminder, and of a found message, leads to its conversation', async () => {
    await ann('POST', '/reminders', {
      message_id: moved,
      scheduled_delivery_timestamp: Math.floor(Date.now() / 1_000) + 3_600,
    })
    const { page } = await browsers.enter(OWNER, {}, '/#reminders')
    await page.locator('.draft-link').click()
    await messageOf(page, moved).waitFor()
    expect(await title(page)).toBe('general dinner')
    await page.goto(`${server.url}/#narrow/search/soup`)
    await messageOf(page, moved).locator('.message-time').click()
    await expect.poll(() => title(page)).toBe('general dinner')
    await messageOf(page, moved).and(page.locator('.message-target')).waitFor()
  })
})

/** The browser itself logs requests that are refused. */
function expectRefusals({ complaints }: Seat): void {
  expect(complaints.splice(0).filter((text) => !text.includes('400'))).toEqual([])
}

function messageOf(page: Page, id: number) {
  return page.locator(`.message[data-id="${id}"]`)
}

/** Returns the words of the heading: the channel and the topic. */
async function title(page: Page): Promise<string> {
  const words = await page.locator('.view-head-title > .one-line').allTextContents()
  return words.join(' ')
}
