import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { ApiClient } from '../../../scripts/api-client.ts'
import { A_BROWSER, needs } from '../../support/needs.ts'
import { CHROMIUM, OWNER, operate, untilStill, userIdOf } from '../open-page.ts'
import { browsers, OTHER, server, TIME } from './organization.ts'

const GENERAL = '/#narrow/channel/1-general'
const SIZES = [
  { width: 390, height: 844 },
  { width: 900, height: 800 },
  { width: 1440, height: 900 },
  { width: 1920, height: 1080 },
] as const

/** Sends messages to topics of a channel, as the other member. */
async function say(channel: string, ...topics: readonly string[]): Promise<void> {
  const sender = await userIdOf(server, OTHER)
  for (const topic of topics) {
    const params = { type: 'channel', to: [channel], topic, content: `About ${topic}`, read_by_sender: true }
    await operate(server, sender, 'send-message', params)
  }
}

/** Writes to the owner alone, or to others too. */
async function write(content: string, ...to: readonly number[]): Promise<void> {
  const ids = to.length > 0 ? to : [await userIdOf(server, OWNER)]
  const params = { type: 'direct', to: ids, content, read_by_sender: true }
  await operate(server, await userIdOf(server, OTHER), 'send-message', params)
}

/** Creates channels with the owner and the other member. */
async function createChannels(...names: readonly string[]): Promise<void> {
  const [ann, bea] = [await userIdOf(server, OWNER), await userIdOf(server, OTHER)]
  const params = { subscriptions: names.map((name) => ({ name })), principals: [ann, bea] }
  await operate(server, ann, 'subscribe', params)
}

const boxOf = async (part: Locator) => (await part.boundingBox())!
const startOf = async (part: Locator) => Math.round((await boxOf(part)).x)

/** Enters as the owner, and loads the page anew in a window of each size. */
async function* atEachSize(path: string) {
  const { page } = await browsers.enter(OWNER, { viewport: SIZES[0] }, path)
  for (const viewport of SIZES) {
    if (viewport !== SIZES[0]) {
      await page.setViewportSize(viewport)
      await page.goto('about:blank')
      await page.goto(`${server.url}${path}`)
    }
    yield { page, viewport }
  }
}

const opacityOf = (part: Locator) => part.evaluate((element) => getComputedStyle(element).opacity)

describe.skipIf(CHROMIUM === undefined)('in the sidebar', needs(A_BROWSER, TIME), () => {
  it('views and direct messages stay, however far a channel is below', async () => {
    await createChannels(...Array.from({ length: 20 }, (_, at) => `shelf ${at}`))
    await write('Stay with me')
    await say('shelf 9', 'far below')
    const { page } = await browsers.enter(OWNER)
    const sidebar = page.locator('#sidebar')
    const views = sidebar.locator('.sidebar-views').first()
    const channel = sidebar.locator('.sidebar-channel', { hasText: 'shelf 9' })
    await sidebar.getByRole('link', { name: /^Inbox/ }).waitFor()
    // What is scrolled below the links does not move when they become icons.
    const steps = await sidebar.evaluate(async (list) => {
      const row = list.querySelector('.sidebar-channel')!
      const places: number[] = []
      for (let top = 0; top <= 300; top += 30) {
        list.scrollTo(0, top)
        for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame)
        places.push(Math.round(row.getBoundingClientRect().top + list.scrollTop))
      }
      return places
    })
    expect(new Set(steps).size).toBe(1)
    await channel.click()
    await sidebar.locator('.sidebar-topic', { hasText: 'far below' }).click()
    await untilStill(page)
    const head = await boxOf(sidebar.locator('.sidebar-head'))
    expect((await boxOf(views)).y).toBe(head.y + head.height)
    for (const name of [/^Inbox/, /^Activity/, /^Later/]) {
      const link = sidebar.getByRole('link', { name })
      await link.click({ trial: true })
      expect((await boxOf(link)).y).toBeGreaterThanOrEqual(head.y + head.height)
    }
    const direct = sidebar.getByRole('link', { name: 'Direct messages', exact: true })
    await sidebar.getByRole('link', { name: /^Later/ }).hover()
    await page.getByRole('tooltip').filter({ hasText: 'Later' }).waitFor()
    await direct.click()
    await page.getByRole('heading', { name: 'Direct messages', level: 1 }).waitFor()
    expect((await boxOf(views)).y).toBe(head.y + head.height)
  })

  it('a channel has eight topics, or nine: one alone is never hidden', async () => {
    await createChannels('listed')
    const ann = await userIdOf(server, OWNER)
    const { stream_id: id } = await operate(server, ann, 'get-stream-id', { stream: 'listed' })
    // With the one about the channel's beginning, nine.
    const topics = Array.from({ length: 8 }, (_, at) => `item ${at + 1}`)
    await say('listed', ...topics)
    // The view of the channel would read them.
    const { page } = await browsers.enter(OWNER, {}, `/#narrow/channel/${id}-listed/topic/item.208`)
    const rows = page.locator('.sidebar-topics > li')
    await expect.poll(() => rows.count()).toBe(9)
    const more = page.locator('.sidebar-topics button.sidebar-topic')
    expect(await more.count()).toBe(0)
    await say('listed', 'item 9', 'item 10')
    await expect.poll(() => more.locator('.one-line').textContent()).toBe('3 more')
    expect(await rows.count()).toBe(9)
    await expect.poll(() => more.locator('.count [aria-hidden]').textContent()).toBe('2')
    // The open one is among them, however old.
    await more.click()
    await rows.filter({ hasText: 'item 1' }).last().click()
    await more.click()
    await rows.filter({ hasText: 'item 2' }).waitFor({ state: 'detached' })
    expect(await page.locator('.sidebar-topic[aria-current]').textContent()).toContain('item 1')
    expect(await rows.count()).toBe(9)
  })

  it('of a group one sees the faces and first names', async () => {
    const ann = await new ApiClient(server.url).logIn('ann@example.com')
    const email = 'cy@example.com'
    await ann.call('POST', '/users', { email, password: 'a long password', full_name: 'Cy Young' })
    await write('To both of you', await userIdOf(server, OWNER), await userIdOf(server, 'Cy Young'))
    const { page } = await browsers.enter(OWNER)
    const row = page.locator('#sidebar .sidebar-row', { hasText: 'Bea and Cy' })
    await row.waitFor()
    expect(await row.locator('.avatar').allTextContents()).toEqual(['BB', 'CY'])
  })
})

describe.skipIf(CHROMIUM === undefined)('a toast', needs(A_BROWSER, TIME), () => {
  it('covers nothing that is read or written, and is one of its kind', async () => {
    await say('general', 'toast one', 'toast two')
    for await (const { page, viewport } of atEachSize(`${GENERAL}/topic/toast.20one`)) {
      await page.locator('.message').first().waitFor()
      for (const [name, done] of [
        ['Resolve', 'Topic resolved'],
        ['Reopen', 'Topic reopened'],
      ] as const) {
        await page.locator('.view-head').getByRole('button', { name: 'Conversation options' }).click()
        await page.getByRole('menuitem', { name }).click()
        await page.locator('.toast', { hasText: done }).waitFor()
      }
      await expect.poll(() => page.locator('.toast').count()).toBe(1)
      // It stays while the pointer is on it.
      await page.locator('.toast').hover()
      const toast = await boxOf(page.locator('.toast'))
      const middle = await boxOf(page.locator('#middle'))
      if (viewport.width > 760) expect(toast.x + toast.width).toBeLessThan(middle.x)
      else {
        const head = await boxOf(page.locator('.view-head'))
        expect(toast.y).toBeGreaterThanOrEqual(head.y + head.height)
        expect(toast.y + toast.height).toBeLessThan(middle.y + middle.height / 3)
      }
    }
  })
})

describe.skipIf(CHROMIUM === undefined)('in the middle', needs(A_BROWSER, TIME), () => {
  it('title, bars, faces and box begin at one edge, at every width', async () => {
    await say('general', 'edges')
    for await (const { page, viewport } of atEachSize('/#inbox')) {
      await page.locator('.row-face').first().waitFor()
      const isSmall = viewport.width < 760
      const edge = await startOf(page.locator('.view-head > .icon'))
      expect([viewport.width, await startOf(page.locator('.row-face').first())]).toEqual([
        viewport.width,
        edge,
      ])
      expect(await startOf(page.locator('.inbox-heading > .icon').first())).toBe(edge)
      await page.goto(`${server.url}${GENERAL}`)
      await page.locator('.message-avatar').first().waitFor()
      const side = isSmall ? edge : await startOf(page.locator('.view-head > .icon'))
      expect(await startOf(page.locator('.message-avatar').last())).toBe(side)
      expect(await startOf(page.locator('.heading-row > a').last())).toBe(side)
      expect(await startOf(page.locator('.compose-box, .compose-place').last())).toBe(side)
      expect(await startOf(page.locator('.day-line').last().locator('span'))).toBeGreaterThan(side)
    }
  })

  it('they do so in a mirrored page', async () => {
    await say('general', 'edges')
    const { page } = await browsers.enter(OWNER, { viewport: SIZES[2] }, `/?dir=rtl${GENERAL.slice(1)}`)
    await page.locator('.message-avatar').first().waitFor()
    const endOf = async (part: Locator) => {
      const { x, width } = await boxOf(part)
      return Math.round(x + width)
    }
    const edge = await endOf(page.locator('.view-head > .icon'))
    expect(await endOf(page.locator('.message-avatar').last())).toBe(edge)
    expect(await endOf(page.locator('.compose-place').last())).toBe(edge)
  })

  it('a row that is chosen moves no other: actions take the place of the head', async () => {
    await say('general', 'ticked one', 'ticked two')
    for await (const { page, viewport } of atEachSize('/#inbox')) {
      const row = page.locator('.inbox-row', { hasText: 'ticked one' })
      await row.hover()
      const before = await boxOf(row)
      const head = await boxOf(page.locator('.view-head'))
      await row.getByRole('checkbox').click()
      const bar = page.getByRole('toolbar', { name: '1 selected' })
      await bar.getByRole('button', { name: 'Mute' }).waitFor()
      expect(await boxOf(row)).toEqual(before)
      expect(await boxOf(page.locator('.view-head'))).toEqual(head)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width)
      await page.keyboard.press('Escape')
      await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    }
  })

  it('the inbox shows what can be done where the pointer or the focus is', async () => {
    await say('general', 'quiet one', 'quiet two')
    const { page } = await browsers.enter(OWNER, {}, '/#inbox')
    const row = page.locator('.inbox-row', { hasText: 'quiet one' })
    const read = row.locator('.inbox-read')
    await row.waitFor()
    await page.locator('.top-bar').hover()
    expect(await opacityOf(read)).toBe('0')
    await row.hover()
    expect(await opacityOf(read)).toBe('1')
    await page.locator('.top-bar').hover()
    await row.locator('.inbox-link').focus()
    expect(await opacityOf(read)).toBe('1')
    // Of fields there is the one of the sidebar, and the search.
    expect(await page.locator('.app-shell input:not([type=checkbox])').count()).toBe(2)
    await page.keyboard.press('f')
    await page.keyboard.type('quiet two')
    await row.waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await row.waitFor()
    await page.locator('.view-head h1').click()
    await page.locator('.view-filter').waitFor({ state: 'detached' })
    const phone = await browsers.enter(
      OWNER,
      { viewport: SIZES[0], hasTouch: true, isMobile: true },
      '/#inbox',
    )
    await phone.page.locator('.inbox-row', { hasText: 'quiet one' }).waitFor()
    expect(await opacityOf(phone.page.locator('.inbox-read').first())).toBe('1')
  })

  it('bars in one channel do not repeat its name', async () => {
    await say('general', 'bars')
    const { page } = await browsers.enter(OWNER, {}, GENERAL)
    const bar = page.locator('.heading-row', { hasText: 'bars' })
    await bar.waitFor()
    expect(await bar.innerText()).toBe('bars')
    await page.goto(`${server.url}/#feed`)
    await page.getByRole('heading', { name: 'Combined feed' }).waitFor()
    // It begins where other tests left something unread.
    await page.keyboard.press('End')
    await expect.poll(() => bar.innerText()).toMatch(/^general\s+bars$/)
  })

  it('a mention is marked, but not where all are', async () => {
    const params = { type: 'channel', to: ['general'], topic: 'marked for me', content: `@**${OWNER}** look` }
    await operate(server, await userIdOf(server, OTHER), 'send-message', params)
    const { page } = await browsers.enter(OWNER, {}, `${GENERAL}/topic/marked.20for.20me`)
    const message = page.locator('.message-mentions').last()
    const ground = () => message.evaluate((row) => getComputedStyle(row).backgroundColor)
    await message.waitFor()
    expect(await ground()).not.toBe('rgba(0, 0, 0, 0)')
    await page.goto(`${server.url}/#narrow/is/mentioned`)
    await page.getByRole('heading', { name: 'Mentions' }).waitFor()
    await message.waitFor()
    await page.locator('.top-bar').hover()
    expect(await ground()).toBe('rgba(0, 0, 0, 0)')
  })
})

describe.skipIf(CHROMIUM === undefined)('a face', needs(A_BROWSER, TIME), () => {
  it('is the same at the door and inside', async () => {
    const look = (face: Locator) =>
      face.evaluate((drawn) => [drawn.textContent, getComputedStyle(drawn).backgroundColor])
    const { page } = await browsers.open()
    const atDoor = await look(page.locator('.auth-person', { hasText: OTHER }).locator('.avatar'))
    await page.locator('.auth-person', { hasText: OWNER }).click()
    await page.goto(`${server.url}${GENERAL}`)
    const inside = page.locator('.people-row', { hasText: OTHER }).locator('.avatar')
    // The list is drawn anew when presence comes.
    await expect.poll(() => look(inside)).toEqual(atDoor)
  })

  it('has a dot of 9 px for who is here, none for others', async () => {
    const ann = await new ApiClient(server.url).logIn('ann@example.com')
    const away = { email: 'away@example.com', password: 'a long password', full_name: 'Abe Away' }
    await ann.call('POST', '/users', away)
    const { page } = await browsers.enter(OWNER, {}, GENERAL)
    const rowOf = (name: string) => page.locator('.people-row', { hasText: name })
    const dot = rowOf(OWNER).getByRole('img', { name: 'Active' })
    await dot.waitFor()
    const size = () => dot.evaluate(({ clientWidth, clientHeight }) => [clientWidth, clientHeight])
    await expect.poll(size).toEqual([9, 9])
    await rowOf('Abe Away').waitFor()
    expect(await rowOf('Abe Away').locator('.presence').count()).toBe(0)
  })
})

describe.skipIf(CHROMIUM === undefined)('direct messages', needs(A_BROWSER, TIME), () => {
  it('are a list of conversations, which reads none of them', async () => {
    await write('Unread in the list')
    const { page } = await browsers.enter(OWNER)
    await page.locator('#sidebar').getByRole('link', { name: 'Direct messages', exact: true }).click()
    const row = page.locator('.inbox-row', { hasText: OTHER }).first()
    await expect.poll(() => row.locator('.row-preview').textContent()).toBe('Unread in the list')
    await page.waitForTimeout(1_000)
    expect(await row.locator('.count').count()).toBe(1)
    await row.locator('.inbox-link').click()
    await page.locator('.message', { hasText: 'Unread in the list' }).waitFor()
    const inSidebar = page.locator('#sidebar .sidebar-row', { hasText: OTHER }).first()
    await expect.poll(() => inSidebar.locator('.count').count()).toBe(0)
    await page.goBack()
    await row.waitFor()
    await expect.poll(() => row.locator('.count').count()).toBe(0)
  })

  it('have the person and the shared files beside them', async () => {
    const bea = await new ApiClient(server.url).logIn('bea@example.com')
    const bytes = new TextEncoder().encode('Two eggs')
    const { url } = await bea.upload<{ url: string }>('POST', '/user_uploads', bytes)
    await write(`The recipe: [recipe.txt](${url})`)
    const id = await userIdOf(server, OTHER)
    const { page } = await browsers.enter(OWNER, {}, `/#narrow/dm/${id}-bea`)
    const column = page.locator('.people')
    await column.getByRole('heading', { name: OTHER }).waitFor()
    await column.getByRole('button', { name: 'Mute this person' }).waitFor()
    expect(await column.getByText('Everyone').count()).toBe(0)
    const files = column.getByRole('region', { name: 'Shared files' })
    await files.getByRole('link', { name: 'recipe.txt' }).click()
    await page.locator('.message-target', { hasText: 'The recipe' }).waitFor()
  })

  it('have a menu, to mute the person and to add others', async () => {
    await write('For the menu')
    const id = await userIdOf(server, OTHER)
    const { page } = await browsers.enter(OWNER, {}, `/#narrow/dm/${id}-bea`)
    const open = () =>
      page.locator('.view-head').getByRole('button', { name: 'Conversation options' }).click()
    await open()
    await page.getByRole('menuitem', { name: 'Mute this person' }).click()
    await page.locator('.toast', { hasText: 'is muted' }).getByRole('button', { name: 'Undo' }).click()
    await open()
    await page.getByRole('menuitem', { name: 'Mute this person' }).waitFor()
    await page.getByRole('menuitem', { name: 'Add people' }).click()
    const field = page.getByRole('combobox', { name: 'Add people' })
    await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true)
    await page.locator('.compose').getByText(OTHER, { exact: true }).waitFor()
  })
})

describe.skipIf(CHROMIUM === undefined)('on a phone', needs(A_BROWSER, TIME), () => {
  const PHONE = { viewport: SIZES[0], hasTouch: true, isMobile: true }

  it('the head has a way back, and the bar a search that opens', async () => {
    await say('general', 'by phone')
    const { page } = await browsers.enter(OWNER, PHONE, '/#inbox')
    await page.locator('.inbox-row', { hasText: 'by phone' }).locator('.inbox-link').tap()
    await page.locator('.message').first().waitFor()
    expect((await boxOf(page.locator('.view-head'))).height).toBeLessThanOrEqual(48)
    await page.getByRole('button', { name: 'Back' }).tap()
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    const search = page.locator('.search > .field')
    expect((await boxOf(search)).width).toBe(40)
    await search.tap()
    expect((await boxOf(search)).width).toBeGreaterThan(340)
    await search.press('Escape')
    await page.locator('.view-head h1').tap()
    await expect.poll(async () => (await boxOf(search)).width).toBe(40)
    // Where the page has just begun, there is nothing to go back to.
    await page.goto(`${server.url}/?again${GENERAL.slice(1)}`)
    await page.getByRole('button', { name: 'Back' }).tap()
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  })

  it('a menu comes from below, and formats from behind Aa', async () => {
    await say('general', 'by thumb')
    const { page } = await browsers.enter(OWNER, PHONE, `${GENERAL}/topic/by.20thumb`)
    await page.locator('.view-head').getByRole('button', { name: 'Conversation options' }).tap()
    const menu = page.getByRole('menu')
    await menu.waitFor()
    await untilStill(page)
    const { x, y, width, height } = await boxOf(menu)
    expect([x, width, y + height]).toEqual([0, 390, 844])
    await page.touchscreen.tap(195, 100)
    await menu.waitFor({ state: 'detached' })
    const bold = page.getByRole('button', { name: 'Bold' })
    expect(await bold.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Formatting' }).tap()
    for (const name of ['Bold', 'Code', 'Formula']) {
      const button = await boxOf(page.getByRole('button', { name, exact: true }))
      expect(button.x).toBeGreaterThanOrEqual(0)
      expect(button.x + button.width).toBeLessThanOrEqual(390)
    }
  })
})
