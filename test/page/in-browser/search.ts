import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { ApiClient } from '../../../scripts/api-client.ts'
import { A_BROWSER, needs } from '../../support/needs.ts'
import { headingOf, messageOf } from '../in-conversation.ts'
import { CHROMIUM, OWNER, operate, untilStill, userIdOf } from '../open-page.ts'
import { roomForWords } from '../space-for-words.ts'
import { browsers, OTHER, server, TIME } from './organization.ts'

/** Words that no other test of the organization writes. */
const HARVEST = '/#narrow/search/rhubarb'

describe.skipIf(CHROMIUM === undefined)('a search', needs(A_BROWSER, TIME), () => {
  let first: number
  let last: number

  beforeAll(async () => {
    if (CHROMIUM === undefined) return
    const [ann, bea] = [await userIdOf(server, OWNER), await userIdOf(server, OTHER)]
    const say = async (user: number, topic: string, content: string) => {
      const params = { type: 'channel', to: ['general'], topic, content, read_by_sender: true }
      return (await operate(server, user, 'send-message', params)).id as number
    }
    first = await say(ann, 'harvest', 'The first rhubarb')
    await say(ann, 'rhubarb pie', 'It is in the oven')
    for (let basket = 0; basket < 110; basket += 1) await say(bea, 'harvest', `Basket ${basket} of rhubarb`)
    last = await say(bea, 'harvest', 'See https://rhubarb.example for the last rhubarb')
  })

  function card(page: Page, text: string) {
    return page.locator('.result', { hasText: text })
  }

  it('shows the newest first, with the place of each, and their number', async () => {
    const { page } = await browsers.enter(OWNER, {}, HARVEST)
    await page.getByText('100+ results').waitFor()
    expect(await page.locator('.result').first().locator('.message').getAttribute('data-id')).toBe(
      String(last),
    )
    await card(page, 'Basket 109').getByRole('link', { name: 'harvest' }).waitFor()
    await card(page, 'Basket 109').locator('.message-main .highlight', { hasText: 'rhubarb' }).waitFor()
    await page.getByRole('button', { name: 'Newest first' }).click()
    await page.getByRole('menuitemradio', { name: 'Oldest first' }).click()
    await page.waitForURL(/order\/oldest/)
    // The topic with the word in its name is above the messages.
    await page.locator('.result').first().getByText('1 message').waitFor()
    await expect
      .poll(() => page.locator('.result .message').first().getAttribute('data-id'))
      .toBe(String(first))
  })

  it('marks the words in a topic', async () => {
    const sender = await userIdOf(server, OWNER)
    const { page } = await browsers.enter(OWNER, {}, `${HARVEST}/sender/${sender}`)
    const oven = card(page, 'It is in the oven')
    await oven.locator('.result-topic .highlight').waitFor()
    // The channel's sign stands before its plain name, as in all lists.
    expect(await oven.locator('.result-place').textContent()).toBe('generalrhubarb pie')
    expect(await oven.locator('.result-place > .icon').count()).toBe(2)
  })

  it('fetches more at its end, and then knows how many there are', async () => {
    const { page } = await browsers.enter(OWNER, {}, HARVEST)
    await page.getByText('100+ results').waitFor()
    await page.locator('.results').evaluate((list) => list.scrollTo(0, list.scrollHeight))
    await page.getByText('113 results').waitFor()
    await messageOf(page, first).waitFor()
  })

  it('leads to a message among those around it', async () => {
    const { page } = await browsers.enter(OWNER, {}, HARVEST)
    await card(page, 'Basket 105').getByRole('link', { name: 'View in context' }).click()
    await page.locator('.message-target', { hasText: 'Basket 105' }).waitFor()
    expect(await headingOf(page)).toBe('general harvest')
    await page.locator('.message[data-id]', { hasText: 'Basket 104' }).waitFor()
  })

  it('is gone through by keys', async () => {
    const { page } = await browsers.enter(OWNER, {}, HARVEST)
    await card(page, 'Basket 109').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.locator('.message-target', { hasText: 'Basket 109' }).waitFor()
  })

  it('is at the same place when one comes back to it', async () => {
    const { page } = await browsers.enter(OWNER, {}, HARVEST)
    const middle = card(page, 'Basket 60')
    await middle.waitFor({ state: 'attached' })
    await middle.evaluate((element) => element.scrollIntoView({ block: 'start' }))
    await page.waitForTimeout(400)
    const before = await middle.boundingBox()
    await middle.getByRole('link', { name: 'View in context' }).click()
    await page.locator('.message-target').waitFor()
    await page.goBack()
    await middle.waitFor()
    await untilStill(page)
    expect(await middle.boundingBox()).toEqual(before)
  })

  it('is narrowed by person, channel, kind and day', async () => {
    const { page } = await browsers.enter(OWNER, {}, HARVEST)
    const filters = page.getByRole('group', { name: 'Filters' })
    await filters.getByRole('button', { name: 'From', exact: true }).click()
    await page.getByRole('combobox', { name: 'Find a person' }).fill('ann')
    await page.keyboard.press('Enter')
    await page.getByText('2 results').waitFor()
    expect(await page.getByRole('combobox', { name: 'Search' }).inputValue()).toBe(`rhubarb sender:${OWNER}`)
    await filters.getByRole('button', { name: `Remove filter: ${OWNER}` }).click()
    await page.getByText('100+ results').waitFor()
    await filters.getByRole('button', { name: 'In', exact: true }).click()
    await page.getByRole('combobox', { name: 'Find a channel' }).fill('gen')
    await page.keyboard.press('Enter')
    await page.waitForURL(/channel\/1-general/)
    await filters.getByRole('button', { name: 'Has', exact: true }).click()
    await page.getByRole('menuitemradio', { name: 'Links' }).click()
    await page.getByText('1 result', { exact: true }).waitFor()
    await messageOf(page, last).waitFor()
    await filters.getByRole('button', { name: 'Date', exact: true }).click()
    const dates = page.getByRole('dialog', { name: 'Date' })
    await dates.getByLabel('Before').fill('2020-01-01')
    await dates.getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('heading', { name: 'No results' }).waitFor()
    await filters.getByRole('button', { name: /^Date:/ }).click()
    await dates.getByRole('button', { name: 'Today' }).click()
    await messageOf(page, last).waitFor()
    expect(await page.getByRole('combobox', { name: 'Search' }).inputValue()).toMatch(
      / after:\d{4}-\d\d-\d\d$/,
    )
  })

  it('begins with the words themselves, and offers what they may name', async () => {
    const { page } = await browsers.enter(OWNER)
    const field = page.getByRole('combobox', { name: 'Search' })
    await field.fill('rhubarb')
    await page.getByRole('option', { name: 'rhubarb Search messages', selected: true }).waitFor()
    await page.getByRole('option', { name: /#general › rhubarb pie/ }).waitFor()
    await field.fill('be')
    await page.getByRole('option', { name: `sender:"${OTHER}"` }).waitFor()
    await field.fill('rhubarb before:')
    await page.getByRole('option', { selected: true }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(/search\/rhubarb\/before\/\d{4}-\d\d-\d\d$/)
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Search')
  })

  it('is saved in the sidebar, renamed, and removed with Undo', async () => {
    const { page } = await browsers.enter(OWNER, {}, `${HARVEST}/has/link`)
    await page.getByRole('button', { name: 'Save search' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save search' })
    await dialog.getByLabel('Name').fill('Links to rhubarb')
    await dialog.getByRole('button', { name: 'Save search' }).click()
    const list = page.getByRole('list', { name: 'Saved searches' })
    await list.getByRole('link', { name: 'Links to rhubarb' }).waitFor()
    await page.goto(`${server.url}/#inbox`)
    await page.reload()
    await list.getByRole('link', { name: 'Links to rhubarb' }).click()
    await messageOf(page, last).waitFor()
    const choose = async (name: string, item: string) => {
      await list.getByRole('link', { name }).hover()
      await list.getByRole('button', { name: `Options for ${name}` }).click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    await choose('Links to rhubarb', 'Rename')
    const renaming = page.getByRole('dialog', { name: 'Rename' })
    await renaming.getByLabel('Name').fill('Rhubarb')
    await renaming.getByRole('button', { name: 'Rename' }).click()
    await list.getByRole('link', { name: 'Rhubarb', exact: true }).waitFor()
    await choose('Rhubarb', 'Remove from sidebar')
    await list.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await list.getByRole('link', { name: 'Rhubarb', exact: true }).waitFor()
    const ann = await new ApiClient(server.url).logIn('ann@example.com')
    const { navigation_views } = await ann.call('GET', '/navigation_views')
    expect(navigation_views).toEqual([
      { fragment: 'narrow/search/rhubarb/has/link', is_pinned: true, name: 'Rhubarb' },
    ])
  })
})

describe.skipIf(CHROMIUM === undefined)('the smallest phone', needs(A_BROWSER, TIME), () => {
  const phone = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true }
  const topic = 'gooseberry and ginger jam'

  beforeAll(async () => {
    if (CHROMIUM === undefined) return
    const params = { type: 'channel', to: ['general'], topic, content: 'Two jars', read_by_sender: true }
    await operate(server, await userIdOf(server, OWNER), 'send-message', params)
  })

  it('shows whole in which topic a message was found', async () => {
    const { page } = await browsers.enter(OWNER, phone, '/#narrow/search/gooseberry')
    const place = page.locator('.result-place').first()
    await place.waitFor()
    const cut = await place.evaluate((line) =>
      [...line.querySelectorAll('*')]
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
        .map(({ className }) => String(className)),
    )
    expect(cut.filter((name) => /one-line|rendered/.test(name))).toEqual([])
  })

  it('offers topics by their whole names', async () => {
    const { page } = await browsers.enter(OWNER, phone, '/#narrow/channel/1-general')
    const field = page.getByRole('combobox', { name: 'Topic' })
    expect(await field.getAttribute('placeholder')).toBe('Topic')
    expect(await field.evaluate(roomForWords)).toBeGreaterThanOrEqual(0)
    await field.tap()
    await page.keyboard.type('gooseberry')
    const name = page.getByRole('option').locator('.one-line').first()
    await name.waitFor()
    expect(await name.textContent()).toBe(topic)
    expect(await name.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThan(2)
  })

  it('offers commands by their whole names', async () => {
    const { page } = await browsers.enter(OWNER, phone, `/#narrow/channel/1-general/topic/${topic}`)
    await page.locator('.compose-text').fill('/remin')
    const name = page.getByRole('option').locator('.one-line').first()
    await name.waitFor()
    expect(await name.textContent()).toBe('/remind')
    expect(await name.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThan(2)
  })
})
