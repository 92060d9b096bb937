import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { ApiClient } from '../../scripts/api-client.ts'
import { readJson } from '../support/json.ts'
import { A_BROWSER, needs } from '../support/needs.ts'
import { CHROMIUM, OWNER, operate, untilStill, usePage, userIdOf } from './open-page.ts'
import { violations, violationsInColours } from './violations.ts'

const OTHER = 'Bea Baker'
const THIRD = 'Cem Carter'
const TOPIC = '/#narrow/channel/1-general/topic/lunch'

const { server, browsers } = usePage([OTHER, THIRD])

describe.skipIf(CHROMIUM === undefined)(
  'the page in a browser',
  needs(A_BROWSER, { timeout: 120_000 }),
  () => {
    it('logs in by a click on a name, and out again', async () => {
      const { page } = await browsers.enter(OWNER)
      await page.getByRole('heading', { name: 'Inbox' }).waitFor()
      await page.getByRole('button', { name: `You: ${OWNER}` }).click()
      await page.getByRole('menuitem', { name: 'Log out' }).click()
      await page.getByRole('button', { name: 'Log in' }).waitFor()
      expect(await page.context().cookies()).toEqual([])
    })

    it('logs in with the password, and says why it refuses another', async () => {
      const { page, complaints } = await browsers.open()
      await page.getByLabel('Email address').fill('bea@example.com')
      await page.getByLabel('Password', { exact: true }).fill('wrong')
      await page.getByRole('button', { name: 'Log in' }).click()
      expect(await page.getByRole('alert').textContent()).toContain('reset your password')
      // The browser itself logs the refusal.
      expect(complaints.splice(0)).toEqual([expect.stringContaining('401')])
      await page.getByLabel('Password', { exact: true }).fill('correct horse')
      await page.getByRole('button', { name: 'Log in' }).click()
      await page.locator('.app-shell').waitFor()
    })

    it('shows a message to another user at once, unread until it is read', async () => {
      const [ann, bea] = [await browsers.enter(OWNER, {}, TOPIC), await browsers.enter(OTHER)]
      await write(ann.page, 'Soup or **salad**?')
      await messageOf(ann.page, 'Soup or salad?').waitFor()
      const link = bea.page.locator('.sidebar').getByRole('link', { name: /general/ })
      await expectText(link, /1 unread/)
      await bea.page.bringToFront()
      await link.click()
      await messageOf(bea.page, 'Soup or salad?').waitFor()
      expect(await messageOf(bea.page, 'Soup or salad?').locator('strong').textContent()).toBe('salad')
      await expectText(link, /^general$/)
    })

    it('shows a message of emoji alone enlarged, and no others', async () => {
      const { page } = await browsers.enter(OWNER, {}, TOPIC)
      await write(page, 'Emoji :octopus: in a text')
      await messageOf(page, 'in a text').waitFor()
      await write(page, ':crab: :octopus:')
      const alone = page.locator('.message[data-id] [data-emoji-alone] .emoji')
      await expect.poll(() => alone.count()).toBe(2)
      const heightOf = async (emoji: Locator) => (await emoji.boundingBox())!.height
      const among = messageOf(page, 'in a text').locator('.emoji')
      expect(await heightOf(alone.first())).toBeGreaterThan(1.5 * (await heightOf(among.first())))
    })

    it('shows edits, stars and reactions to another user', async () => {
      const [ann, bea] = [await browsers.enter(OWNER, {}, TOPIC), await browsers.enter(OTHER, {}, TOPIC)]
      await write(ann.page, 'I have cake')
      await messageOf(bea.page, 'I have cake').waitFor()
      await ann.page.locator('.compose-text').press('ArrowUp')
      await ann.page.locator('.edit-box textarea').fill('I have two cakes')
      await ann.page.getByRole('button', { name: 'Save', exact: true }).click()
      await messageOf(bea.page, 'I have two cakes').getByText('edited').waitFor()
      await choose(ann.page, 'I have two cakes', 'Star')
      await ann.page.locator('.message-star').waitFor()
      await bea.page.locator('.messages').getByText('I have two cakes').hover()
      await bea.page.getByRole('toolbar').getByRole('button', { name: 'React', exact: true }).click()
      await bea.page.getByRole('combobox', { name: 'Search emoji' }).fill('tada')
      await bea.page.getByRole('gridcell', { name: 'party popper', exact: true }).click()
      const reaction = ann.page.getByRole('button', { name: `${OTHER}: :tada:` })
      await reaction.click()
      await bea.page.getByRole('button', { name: /You.*:tada:/ }).waitFor()
    })

    it('offers only permitted actions on a message', async () => {
      const [ann, bea] = [await browsers.enter(OWNER, {}, TOPIC), await browsers.enter(OTHER, {}, TOPIC)]
      await write(ann.page, 'Mine to edit')
      await openMenu(bea.page, 'Mine to edit')
      expect(await itemsOf(bea.page)).not.toContain('Edit')
      expect(await itemsOf(bea.page)).not.toContain('Delete')
      await bea.page.keyboard.press('Escape')
      await openMenu(ann.page, 'Mine to edit')
      expect(await itemsOf(ann.page)).toEqual(expect.arrayContaining(['Edit', 'Move', 'Delete', 'Copy link']))
      await ann.page.keyboard.press('Escape')
    })

    it('moves a message, resolves a topic and deletes', async () => {
      const { page } = await browsers.enter(OWNER, {}, TOPIC)
      await write(page, 'Off topic')
      await choose(page, 'Off topic', 'Move')
      await page.getByRole('dialog').getByRole('combobox', { name: 'Topic' }).fill('other things')
      await page.getByRole('dialog').getByLabel('Only this message').check()
      await page.getByRole('dialog').getByRole('button', { name: 'Move', exact: true }).click()
      await page.getByRole('heading', { name: /other things/ }).waitFor()
      await messageOf(page, 'Off topic').waitFor()
      await page.getByRole('button', { name: 'Resolve' }).click()
      await page.getByRole('heading', { name: /✔ other things/ }).waitFor()
      await choose(page, 'Off topic', 'Delete')
      const toast = page.locator('.toast', { hasText: 'Message deleted' })
      await toast.getByRole('button', { name: 'Close' }).click()
      await messageOf(page, 'Off topic').waitFor({ state: 'detached' })
    })

    it.each([
      [1_280, ''],
      [1_280, '?dir=rtl'],
      [360, ''],
    ])('moves nothing that is read when the connection comes and goes, at %i px %s', async (width, query) => {
      const options = { viewport: { width, height: 740 } }
      const seat = await browsers.enter(OWNER, options, `/${query}${TOPIC.slice(1)}`)
      const { page } = seat
      await write(page, `Read in a tunnel ${width}${query}`)
      await messageOf(page, `Read in a tunnel ${width}${query}`).last().waitFor()
      await untilStill(page)
      const places = () =>
        page
          .locator('.view-head h1, .message[data-id], .compose-text, .sidebar:visible a')
          .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().y))
      const before = await places()
      expect(before.length).toBeGreaterThan(2)
      await page.context().setOffline(true)
      await page.locator('.connection-lost').waitFor()
      await untilStill(page)
      expect(await places()).toEqual(before)
      // Nor does it cover the letters of the heading, which begin 6 pixels below the top of its line.
      const line = (await page.locator('.connection-lost').boundingBox())!
      const heading = (await page.locator('.view-head h1').boundingBox())!
      expect(line.y + line.height).toBeLessThanOrEqual(heading.y + 6)
      await page.context().setOffline(false)
      await page.locator('.connection-lost').waitFor({ state: 'detached' })
      expect(await places()).toEqual(before)
      seat.complaints.splice(0)
    })

    it('keeps a message written offline, and sends it once when online', async () => {
      const [ann, bea] = [await browsers.enter(OWNER, {}, TOPIC), await browsers.enter(OTHER, {}, TOPIC)]
      await ann.page.context().setOffline(true)
      await ann.page.locator('.connection-lost').waitFor()
      await write(ann.page, 'Written in a tunnel')
      expect(await ann.page.locator('.message-outgoing').count()).toBe(1)
      await ann.page.context().setOffline(false)
      await messageOf(bea.page, 'Written in a tunnel').waitFor({ timeout: 60_000 })
      await ann.page.locator('.message-outgoing').waitFor({ state: 'detached' })
      expect(await messageOf(ann.page, 'Written in a tunnel').count()).toBe(1)
      expect(await messageOf(bea.page, 'Written in a tunnel').count()).toBe(1)
      // The browser itself logs a lost network.
      expect(
        ann.complaints.splice(0).filter((text) => !/ERR_INTERNET_DISCONNECTED|Failed to load/.test(text)),
      ).toEqual([])
    })

    it('keeps a draft over a reload', async () => {
      const { page } = await browsers.enter(OWNER, {}, TOPIC)
      await page.locator('.compose-text').fill('half a thought')
      await page.waitForFunction(() =>
        Object.values(localStorage).some((kept) => String(kept).includes('half a thought')),
      )
      await page.reload()
      await page.locator('.app-shell').waitFor()
      expect(await page.locator('.compose-text').inputValue()).toBe('half a thought')
      await page.locator('.compose-text').fill('')
    })

    it('counts votes, and announces new messages to screen readers', async () => {
      const [ann, bea] = [await browsers.enter(OWNER, {}, TOPIC), await browsers.enter(OTHER, {}, TOPIC)]
      await write(ann.page, '/poll Lunch?\nSoup\nSalad')
      for (const { page } of [ann, bea])
        await page
          .getByRole('button', { name: /^Soup: [01] votes?$/ })
          .last()
          .click()
      for (const { page } of [ann, bea]) await page.getByRole('button', { name: 'Soup: 2 votes' }).waitFor()
      await write(ann.page, 'Two for *soup*')
      await expectText(bea.page.locator('[aria-live="polite"]'), `${OWNER} in #general › lunch: Two for soup`)
    })

    it('uploads a dropped file, and shows it', async () => {
      const { page } = await browsers.enter(OWNER, {}, TOPIC)
      const files = await page.evaluateHandle(() => {
        const transfer = new DataTransfer()
        transfer.items.add(new File(['a list'], 'list.txt', { type: 'text/plain' }))
        return transfer
      })
      // The box takes files a moment after it is shown: no hand is quicker.
      await expect
        .poll(async () => {
          await page.dispatchEvent('.compose-box', 'dragover', { dataTransfer: files })
          return page.locator('.compose-drop').count()
        })
        .toBe(1)
      await page.dispatchEvent('.compose-box', 'drop', { dataTransfer: files })
      await page.locator('.file-chip:not(.upload)').waitFor()
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      await page.locator('.message').getByRole('link', { name: 'list.txt' }).first().waitFor()
    })

    it('shows pictures as large as the organization has set, at once', async () => {
      const { page } = await browsers.enter(OWNER, {}, TOPIC)
      const files = await page.evaluateHandle(async () => {
        const canvas = new OffscreenCanvas(600, 600)
        canvas.getContext('2d')!.fillRect(0, 0, 300, 300)
        const transfer = new DataTransfer()
        transfer.items.add(new File([await canvas.convertToBlob()], 'square.png', { type: 'image/png' }))
        return transfer
      })
      await page.dispatchEvent('.compose-box', 'drop', { dataTransfer: files })
      await page.locator('.file-chip:not(.upload)').waitFor()
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      const height = async () =>
        (await page.locator('.message .rendered img[alt="square.png"]').boundingBox())?.height
      const set = async (media_preview_size: number) =>
        operate(server, await userIdOf(server, OWNER), 'update-realm', { media_preview_size })
      await expect.poll(height, { timeout: 15_000 }).toBe(240)
      await set(200)
      await expect.poll(height).toBe(480)
      await set(100)
      await expect.poll(height).toBe(240)
    })

    it('does for each key as its help says', async () => {
      const { page } = await browsers.enter(OWNER, {}, TOPIC)
      await write(page, 'For the keys')
      await messageOf(page, 'For the keys').waitFor()
      await page.keyboard.press('Escape')
      const title = page.getByRole('main').getByRole('heading', { level: 1 })
      for (const [key, name] of [
        ['i', 'Inbox'],
        ['t', 'Recent conversations'],
        ['a', 'Combined feed'],
        ['d', 'Later'],
      ] as const) {
        await page.keyboard.press(key)
        await expectText(title, name)
      }
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
      await page.keyboard.press('Escape')
      await page.goBack()
      await page.keyboard.press('/')
      expect(await page.evaluate(() => document.activeElement?.getAttribute('placeholder'))).toBe('Search')
      await page.keyboard.press('Escape')
      await page.goto(`${server.url}${TOPIC}`)
      await messageOf(page, 'For the keys').waitFor()
      await page.keyboard.press('k')
      await page.keyboard.press('j')
      const chosen = () => page.evaluate(() => document.activeElement?.textContent ?? '')
      expect(await chosen()).toContain('For the keys')
      await page.keyboard.press('*')
      await messageOf(page, 'For the keys').locator('.message-star').waitFor()
      await page.keyboard.press('u')
      await page.getByRole('dialog', { name: OWNER }).waitFor()
      await page.keyboard.press('Escape')
      await page.keyboard.press('e')
      await page.locator('.edit-box textarea').waitFor()
      await page.keyboard.press('Escape')
      await page.keyboard.press('r')
      expect(await page.evaluate(() => document.activeElement?.className)).toContain('compose-text')
      await page.keyboard.press('Escape')
      await page.keyboard.press('x')
      await page.getByRole('combobox', { name: 'Add people' }).waitFor()
    })

    it('finds messages by words and operators', async () => {
      const { page } = await browsers.enter(OWNER, {}, TOPIC)
      await write(page, 'A rare marmalade')
      await messageOf(page, 'A rare marmalade').waitFor()
      await page.getByRole('combobox', { name: 'Search' }).fill('topic:lunch marmalade')
      await page.keyboard.press('Enter')
      await page.waitForURL(/search/)
      await page.locator('.message .highlight', { hasText: 'marmalade' }).waitFor()
      expect(await page.locator('.message').count()).toBe(1)
    })

    it('shows search results from the newest, with the words marked there alone', async () => {
      const [, second] = await everybody()
      for (let index = 0; index < 40; index += 1) {
        await operate(server, second!.user_id, 'send-message', {
          type: 'channel',
          to: ['general'],
          topic: 'harvest',
          content: `${index} baskets of quinces`,
          read_by_sender: true,
        })
      }
      const { page } = await browsers.enter(OWNER, {}, '/#narrow/search/quinces')
      const newest = messageOf(page, '39 baskets')
      await newest.locator('.highlight').waitFor()
      expect(await newest.isVisible()).toBe(true)
      await expect.poll(() => page.locator('.messages').evaluate((list) => list.scrollTop)).toBe(0)
      expect(await page.locator('.unread-line').count()).toBe(0)
      await page.evaluate(() => {
        location.hash = '#narrow/channel/1-general/topic/harvest'
      })
      await messageOf(page, ' baskets').first().waitFor()
      expect(await page.locator('.message .highlight').count()).toBe(0)
    })

    it('keeps the scroll position, whatever arrives below', async () => {
      const [me] = (await everybody()).filter(({ full_name }) => full_name === THIRD)
      for (let index = 0; index < 90; index += 1)
        await say(me!.user_id, `Line ${index} of a long story\n\nwith two paragraphs`)
      const { page } = await browsers.enter(OTHER, {}, '/#narrow/channel/1-general/topic/story')
      await messageOf(page, 'Line 3 of').waitFor()
      // The view begins at the first unread message, with the line above it.
      expect(await page.locator('.unread-line').isVisible()).toBe(true)
      const list = page.locator('.messages')
      await list.evaluate((element) => {
        element.scrollTop += 700
      })
      await untilStill(page)
      const place = () =>
        page.evaluate(() => document.querySelector('.message:nth-of-type(20)')?.getBoundingClientRect().top)
      const before = await place()
      for (let index = 0; index < 5; index += 1) await say(me!.user_id, `Later ${index}`)
      await page.getByRole('button', { name: /new below|Jump to latest/ }).waitFor()
      await untilStill(page)
      expect(await place()).toBe(before)
      await page.getByRole('button', { name: /new below|Jump to latest/ }).click()
      await messageOf(page, 'Later 4').waitFor()
      await say(me!.user_id, 'And the last')
      await messageOf(page, 'And the last').waitFor()
      expect(
        await list.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight),
      ).toBeLessThan(2)
    })

    it('restores the position by the back button and after a reload', async () => {
      const { page } = await browsers.enter(OTHER, {}, '/#narrow/channel/1-general/topic/story')
      const list = page.locator('.messages')
      await page.locator('.message').first().waitFor()
      await list.evaluate((element) => {
        element.scrollTop = 1_500
      })
      await untilStill(page)
      await page.waitForFunction(() => history.state?.position !== undefined)
      const firstShown = () =>
        page.evaluate(() => {
          const top = document.querySelector('.messages')!.getBoundingClientRect().top
          const rows = [...document.querySelectorAll<HTMLElement>('.message')]
          const row = rows.find((one) => one.getBoundingClientRect().bottom > top)
          return `${row?.dataset.id} ${Math.round(row!.getBoundingClientRect().top)}`
        })
      const before = await firstShown()
      await page.keyboard.press('i')
      await page.getByRole('heading', { name: 'Inbox' }).waitFor()
      await page.goBack()
      await list.waitFor()
      await expect.poll(firstShown).toBe(before)
      await page.reload()
      await list.waitFor()
      await expect.poll(firstShown).toBe(before)
    })

    it('fits a phone: columns become drawers, and nothing is wider than the window', async () => {
      const { page } = await browsers.enter(
        OWNER,
        { viewport: { width: 360, height: 700 }, hasTouch: true },
        TOPIC,
      )
      await page.locator('.message').first().waitFor()
      for (const hash of [
        '#inbox',
        '#recent',
        '#feed',
        '#channels',
        '#settings',
        '#narrow/channel/1-general/topic/lunch',
      ]) {
        await page.goto(`${server.url}/${hash}`)
        await page.locator('.view-head').waitFor()
        expect([hash, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([hash, 360])
      }
      expect(await page.locator('.sidebar').isVisible()).toBe(false)
      await page.getByRole('button', { name: 'Navigation' }).click()
      await page.locator('.sidebar').getByRole('link', { name: 'Inbox' }).click()
      await page.getByRole('heading', { name: 'Inbox' }).waitFor()
      expect(await page.locator('.sidebar').isVisible()).toBe(false)
    })

    it('mirrors its layout for languages written from right to left', async () => {
      const { page } = await browsers.enter(OWNER, {}, `/?dir=rtl${TOPIC.slice(1)}`)
      await page.locator('.message').first().waitFor()
      const box = await page.locator('.sidebar').boundingBox()
      expect(box!.x + box!.width).toBe(1_280)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1_280)
    })

    it('gives names their own direction there, in headings and choices too', async () => {
      const ann = await new ApiClient(server.url).logIn('ann@example.com')
      const subscribers = [await userIdOf(server, OWNER)]
      const { id } = await ann.call('POST', '/channels/create', { name: 'tills (old)', subscribers })
      const { page } = await browsers.enter(OWNER, {}, `/?dir=rtl#channels/${id}/tills/general`)
      const heading = page.getByRole('heading', { name: 'tills (old)', level: 1 })
      const [first, last] = await heading.evaluate((element) => {
        const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
        const text = walker.nextNode() as Text
        return [0, text.length - 1].map((at) => {
          const range = document.createRange()
          range.setStart(text, at)
          range.setEnd(text, at + 1)
          return range.getBoundingClientRect().x
        })
      })
      expect(last).toBeGreaterThan(first!)
      await page.goto(`${server.url}/?dir=rtl#organization/organization-settings`)
      const options = page.locator('option', { hasText: '#tills (old)' })
      await options.first().waitFor({ state: 'attached' })
      const directions = await options.evaluateAll((all) =>
        all.map((option) => [
          getComputedStyle(option).direction,
          getComputedStyle(option.parentElement!).direction,
        ]),
      )
      expect(directions[0]).toEqual(['ltr', 'rtl'])
    })

    it.each([
      ['ar-EG', 'تسجيل الدخول', 'ar', 'rtl'],
      ['de-DE', 'Anmelden', 'de', 'ltr'],
      ['es-MX', 'Iniciar sesión', 'es', 'ltr'],
      ['fr-CA', 'Se connecter', 'fr', 'ltr'],
      ['ja-JP', 'ログイン', 'ja', 'ltr'],
      ['fi-FI', 'Log in', 'en', 'ltr'],
    ])('is in the language of a browser in %s', async (locale, logIn, lang, dir) => {
      const { page } = await browsers.open({ locale })
      await page.getByRole('button', { name: logIn, exact: true }).waitFor()
      expect(
        await page.evaluate(() => [document.documentElement.lang, document.documentElement.dir]),
      ).toEqual([lang, dir])
    })

    describe.each(['light', 'dark'] as const)('axe finds nothing wrong (%s)', (colorScheme) => {
      const inspect = colorScheme === 'light' ? violations : violationsInColours

      it('log-in page, message menu, key help, emoji picker, user card', async () => {
        const { page } = await browsers.open({ colorScheme }, TOPIC)
        await page.getByRole('button', { name: 'Log in' }).waitFor()
        expect(await inspect(page)).toEqual([])
        await page.getByRole('button', { name: OWNER }).click()
        await page.locator('.message').first().waitFor()
        await openMenu(page, 'For the keys')
        expect(await inspect(page)).toEqual([])
        await page.keyboard.press('Escape')
        await page.keyboard.press('?')
        await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
        expect(await inspect(page)).toEqual([])
        await page.keyboard.press('Escape')
        await page.locator('.compose-buttons').getByRole('button', { name: 'Emoji' }).click()
        await page.getByRole('gridcell').first().waitFor()
        expect(await inspect(page)).toEqual([])
        await page.keyboard.press('Escape')
        await page.locator('.message-avatar').first().click()
        await page.locator('.card').waitFor()
        // While it opens, its words are faint.
        await untilStill(page)
        expect(await inspect(page)).toEqual([])
      })
    })
  },
)

function messageOf(page: Page, text: string): Locator {
  return page.locator('.message[data-id]', { hasText: text })
}

async function write(page: Page, text: string): Promise<void> {
  await page.locator('.compose-text').fill(text)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
}

async function openMenu(page: Page, text: string): Promise<void> {
  await messageOf(page, text).last().hover()
  await page.getByRole('toolbar').getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menu').waitFor()
}

async function choose(page: Page, text: string, item: string): Promise<void> {
  await openMenu(page, text)
  await page.getByRole('menuitem', { name: new RegExp(`^${item}`) }).click()
}

async function itemsOf(page: Page): Promise<string[]> {
  return page.locator('[role="menuitem"] > span').allTextContents()
}

async function expectText(locator: Locator, text: string | RegExp): Promise<void> {
  await expect
    .poll(async () => (await locator.textContent())?.trim() ?? '', { timeout: 10_000 })
    .toMatch(text)
}

async function everybody(): Promise<{ user_id: number; full_name: string }[]> {
  const response = await fetch(`${server.url}/dev/people`)
  return (await readJson<{ people: { user_id: number; full_name: string }[] }>(response)).people
}

function say(userId: number, content: string): Promise<unknown> {
  return operate(server, userId, 'send-message', {
    type: 'channel',
    to: ['general'],
    topic: 'story',
    content,
    read_by_sender: true,
  })
}
