import type { Locator, Page, Route } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { MOVING_GIF } from '../support/images.ts'
import { A_BROWSER, needs } from '../support/needs.ts'
import { CHROMIUM, OWNER, type Seat, usePage } from './open-page.ts'
import { violations } from './violations.ts'

const { browsers } = usePage([], { vars: { GIPHY_API_KEY: 'giphy-key' } })

const TITLES = ['Dancing cat', 'Sleeping dog', 'Waving otter', 'Clapping penguin', 'Nodding owl']

/** Answers in GIPHY's place; nothing leaves this machine. */
async function standIn(page: Page, answers: (route: Route, url: URL) => Promise<void> = answer) {
  const searches: URL[] = []
  await page.route('https://api.giphy.com/**', async (route) => {
    const url = new URL(route.request().url())
    searches.push(url)
    await answers(route, url)
  })
  await page.route('https://media1.giphy.com/**', (route) =>
    route.fulfill({ contentType: 'image/gif', body: Buffer.from(MOVING_GIF.content as Uint8Array) }),
  )
  return searches
}

async function answer(route: Route, { searchParams }: URL): Promise<void> {
  const query = searchParams.get('q') ?? ''
  const data = TITLES.filter((title) => title.includes(query)).map((title, index) => ({
    id: `${query}${index}`,
    title,
    rating: 'g',
    images: {
      original: { url: `https://media1.giphy.com/media/${index}/giphy.gif` },
      fixed_width: { url: `https://media1.giphy.com/media/${index}/200w.gif` },
      fixed_width_still: { url: `https://media1.giphy.com/media/${index}/200w_s.gif` },
    },
  }))
  await route.fulfill({
    json: { data, pagination: { offset: 0, count: data.length, total_count: data.length } },
    headers: { 'Access-Control-Allow-Origin': '*' },
  })
}

async function enterTopic(topic: string, options = {}): Promise<Seat & { readonly box: Locator }> {
  const seat = await browsers.enter(OWNER, options, `/#narrow/channel/1-general/topic/${topic}`)
  const box = seat.page.locator('.compose-text')
  await box.waitFor()
  return { ...seat, box }
}

async function openPicker(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add files and more' }).click()
  await page.getByRole('menuitem', { name: 'GIF', exact: true }).click()
  await page.getByRole('dialog', { name: 'GIF' }).waitFor()
}

describe.skipIf(CHROMIUM === undefined)('GIFs in a browser', needs(A_BROWSER, { timeout: 120_000 }), () => {
  it('are the popular ones before a search; the chosen one is inserted', async () => {
    const { page, box } = await enterTopic('gifs')
    const searches = await standIn(page)
    await box.fill('Look: ')
    await openPicker(page)
    const picker = page.getByRole('dialog', { name: 'GIF' })
    await picker.getByRole('img', { name: 'Nodding owl' }).waitFor()
    expect(await picker.getByRole('img').count()).toBe(TITLES.length)
    await expect
      .poll(() =>
        picker
          .getByRole('img')
          .evaluateAll((all) => all.every((one) => (one as HTMLImageElement).naturalWidth > 0)),
      )
      .toBe(true)
    expect(await picker.getByRole('link', { name: 'Powered by GIPHY' }).getAttribute('href')).toBe(
      'https://giphy.com/',
    )
    expect(await violations(page)).toEqual([])
    const field = picker.getByRole('combobox', { name: 'Search GIPHY' })
    await field.fill('dog')
    await expect.poll(() => picker.getByRole('img').count()).toBe(1)
    await picker.getByRole('img', { name: 'Sleeping dog' }).click()
    await expect
      .poll(() => box.inputValue())
      .toBe('Look: [Sleeping dog](https://media1.giphy.com/media/0/giphy.gif) ')
    await expect.poll(() => box.evaluate((element) => document.activeElement === element)).toBe(true)
    expect(await picker.count()).toBe(0)
    expect(searches.map(({ pathname }) => pathname)).toEqual(['/v1/gifs/trending', '/v1/gifs/search'])
    expect(Object.fromEntries(searches[1]!.searchParams)).toMatchObject({
      api_key: 'giphy-key',
      q: 'dog',
      rating: 'g',
      lang: 'en',
    })
  })

  it('are chosen with arrows and Enter after /gif, and left with Escape', async () => {
    const { page, box } = await enterTopic('keys')
    await standIn(page)
    await box.pressSequentially('/gi')
    await page.getByText('Search for a GIF').waitFor()
    await box.press('Tab')
    const picker = page.getByRole('dialog', { name: 'GIF' })
    const current = picker.locator('[aria-selected="true"] img')
    await picker.getByRole('img', { name: 'Nodding owl' }).waitFor()
    expect(await box.inputValue()).toBe('')
    for (const [key, title] of [
      ['ArrowRight', 'Sleeping dog'],
      ['ArrowDown', 'Clapping penguin'],
      ['ArrowDown', 'Nodding owl'],
      ['ArrowRight', 'Nodding owl'],
      ['ArrowUp', 'Waving otter'],
    ] as const) {
      await page.keyboard.press(key)
      await expect.poll(() => current.getAttribute('alt')).toBe(title)
    }
    await page.keyboard.press('Escape')
    await picker.waitFor({ state: 'detached' })
    expect(await box.inputValue()).toBe('')
    await openPicker(page)
    await picker.getByRole('img', { name: 'Nodding owl' }).waitFor()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await expect
      .poll(() => box.inputValue())
      .toBe('[Sleeping dog](https://media1.giphy.com/media/1/giphy.gif) ')
  })

  it('are searched for by the words after /gif, chosen or sent', async () => {
    const { page, box } = await enterTopic('words')
    const searches = await standIn(page)
    const picker = page.getByRole('dialog', { name: 'GIF' })
    await box.pressSequentially('/gif dog')
    await page.getByRole('option', { name: '/gif dog' }).waitFor()
    await box.press('Enter')
    await picker.getByRole('img', { name: 'Sleeping dog' }).waitFor()
    expect(await picker.getByRole('combobox').inputValue()).toBe('dog')
    expect(await box.inputValue()).toBe('')
    await page.keyboard.press('Enter')
    await expect.poll(() => box.inputValue()).toContain('[Sleeping dog]')
    await box.fill('')
    await box.pressSequentially('/gif otter')
    await box.press('Control+Enter')
    await picker.getByRole('img', { name: 'Waving otter' }).waitFor()
    expect(await page.locator('.message', { hasText: '/gif' }).count()).toBe(0)
    expect(searches.map(({ searchParams }) => searchParams.get('q'))).toEqual(['dog', 'otter'])
  })

  it('can be reloaded after a failure, and an empty result is shown as such', async () => {
    let isDown = true
    const { page, complaints } = await enterTopic('down')
    await standIn(page, (route, url) => (isDown ? route.abort() : answer(route, url)))
    await openPicker(page)
    const picker = page.getByRole('dialog', { name: 'GIF' })
    await picker.getByText('GIFs couldn’t be loaded.').waitFor()
    isDown = false
    await picker.getByRole('button', { name: 'Try again' }).click()
    await picker.getByRole('img', { name: 'Dancing cat' }).waitFor()
    await picker.getByRole('combobox').fill('zebra')
    await picker.getByText('No GIFs found for “zebra”.').waitFor()
    expect(complaints.splice(0)).toEqual([expect.stringContaining('https://api.giphy.com/v1/gifs/trending')])
  })

  it('are not offered if the organization has turned them off', async () => {
    const settings = await browsers.enter(OWNER, {}, '/#organization/organization-settings')
    const row = settings.page.locator('.setting-row', { hasText: 'Highest GIF rating' })
    await row.getByRole('combobox').selectOption({ label: 'No GIFs' })
    await row.getByText('Saved', { exact: true }).waitFor()
    const { page, box } = await enterTopic('none')
    await page.getByRole('button', { name: 'Add files and more' }).click()
    await page.getByRole('menuitem', { name: 'Poll' }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'GIF' }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await box.pressSequentially('/')
    await page.getByText('/poll').waitFor()
    expect(await page.getByText('/gif').count()).toBe(0)
  })
})
