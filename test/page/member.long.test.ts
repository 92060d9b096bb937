import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { readJson } from '../support/json.ts'
import { A_BROWSER, needs } from '../support/needs.ts'
import { hashOf, messageOf, unreadOf } from './in-conversation.ts'
import { CHROMIUM, OWNER, operate, untilStill, usePage, userIdOf } from './open-page.ts'

const OTHER = 'Bea Baker'

/** Parameters that the endpoint for requests would add. */
const NEW_CHANNELS = {
  invite_only: false,
  is_web_public: false,
  is_default_stream: false,
  announce: false,
  authorization_errors_fatal: true,
  send_new_subscription_messages: false,
}

const { server, browsers } = usePage([OTHER])

describe.skipIf(CHROMIUM === undefined)(
  'a member’s day in a browser',
  needs(A_BROWSER, { timeout: 120_000 }),
  () => {
    /** Sends messages to a topic, in one request; returns their ids. */
    async function say(
      topic: string,
      contents: readonly string[],
      { name = OTHER, channel = 'general' } = {},
    ): Promise<number[]> {
      const user_id = await userIdOf(server, name)
      const now = Math.floor(Date.now() / 1_000)
      const calls = contents.map((content) => ({
        operation: 'send-message',
        user_id,
        params: { type: 'channel', to: [channel], topic, content },
        now,
      }))
      const body = JSON.stringify({ calls })
      const response = await fetch(`${server.url}/dev/run`, { method: 'POST', body })
      const { answers } = await readJson<{ answers: { value: { id: number } }[] }>(response)
      return answers.map(({ value }) => value.id)
    }

    const lines = (count: number) => Array.from({ length: count }, (_, at) => `Line ${at} of the story`)

    async function openMessage(page: Page, id: number): Promise<void> {
      await messageOf(page, id).waitFor()
      await untilStill(page)
      await messageOf(page, id).focus()
    }

    it('begins at the first message of a long topic by Home', async () => {
      const ids = await say('home', lines(300))
      const { page } = await browsers.enter(OTHER, {}, hashOf('1-general', 'home'))
      await openMessage(page, ids[0]!)
      await page.keyboard.press('End')
      await openMessage(page, ids.at(-1)!)
      expect(await messageOf(page, ids[0]!).count()).toBe(0)
      await page.keyboard.press('Home')
      const first = messageOf(page, ids[0]!)
      await first.waitFor()
      await expect.poll(() => first.evaluate((row) => row === document.activeElement)).toBe(true)
      const box = async () => (await first.boundingBox())!.y
      await untilStill(page)
      expect(await box()).toBeGreaterThan(0)
      expect(await box()).toBeLessThan(300)
      await page.keyboard.press('End')
      await messageOf(page, ids.at(-1)!).waitFor()
    })

    it('finds conversations older than four hundred messages', async () => {
      await say('long ago', ['The oldest of all'])
      await say('since then', lines(450))
      const { page } = await browsers.enter(OTHER, {}, '/#recent')
      await page.locator('.inbox-row', { hasText: 'since then' }).waitFor()
      const old = page.locator('.inbox-row', { hasText: 'long ago' })
      expect(await old.count()).toBe(0)
      await page.getByRole('button', { name: 'Older conversations' }).click()
      await old.getByText('The oldest of all').waitFor()
    })

    it('brings an edit back that Escape has given up', async () => {
      const [id] = await say('given up', ['Soup at noon'], { name: OTHER })
      const { page } = await browsers.enter(OTHER, {}, hashOf('1-general', 'given up'))
      await openMessage(page, id!)
      await page.keyboard.press('e')
      const box = messageOf(page, id!).locator('.edit-text')
      await box.fill('Soup at noon, and a long story about it')
      await page.keyboard.press('Escape')
      await box.waitFor({ state: 'detached' })
      await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
      await expect.poll(() => box.inputValue()).toBe('Soup at noon, and a long story about it')
      // One without a change goes without a word.
      await box.fill('Soup at noon')
      await page.locator('.toast').waitFor({ state: 'detached' })
      await messageOf(page, id!).getByRole('button', { name: 'Save', exact: true }).click()
      await box.waitFor({ state: 'detached' })
      await openMessage(page, id!)
      await page.keyboard.press('e')
      await expect.poll(() => box.inputValue()).toBe('Soup at noon')
      await page.keyboard.press('Escape')
      await box.waitFor({ state: 'detached' })
      expect(await page.locator('.toast').count()).toBe(0)
    })

    it('moves a message out of a channel without having joined that', async () => {
      await operate(server, await userIdOf(server, OWNER), 'subscribe', {
        ...NEW_CHANNELS,
        subscriptions: [{ name: 'annex', description: '' }],
      })
      const [id] = await say('visit', ['Passing by'], { channel: 'annex' })
      const { page } = await browsers.enter(OTHER, {}, '/#channels/all')
      await page.locator('.channel-link', { hasText: 'annex' }).click()
      await openMessage(page, id!)
      await page.keyboard.press('m')
      const dialog = page.getByRole('dialog')
      const chosen = () => dialog.getByLabel('Channel').locator('option:checked').textContent()
      expect(await chosen()).toBe('#annex')
      await dialog.getByLabel('Channel').selectOption('#general')
      await dialog.getByRole('button', { name: 'Move', exact: true }).click()
      await page.getByRole('heading', { name: /general.*visit/ }).waitFor()
    })

    it('keeps as read what was read just before something was marked as unread', async () => {
      await say('read first', lines(3), { name: OWNER })
      const [marked] = await say('marked', ['Not yet'], { name: OWNER })
      const { page } = await browsers.enter(OTHER, {}, hashOf('1-general', 'read first'))
      // As without a connection, what was read waits here.
      let isLost = true
      await page.route('**/api/v1/messages/flags', (route) => (isLost ? route.abort() : route.continue()))
      await expect.poll(() => unreadOf(page, 'read first')).toBe(0)
      await page.locator('.sidebar-topics').getByRole('link', { name: 'marked' }).click()
      await openMessage(page, marked!)
      await expect.poll(() => unreadOf(page, 'marked')).toBe(0)
      isLost = false
      await messageOf(page, marked!).hover()
      await page.getByRole('toolbar', { name: 'Message actions' }).getByLabel('More actions').click()
      await page.getByRole('menuitem', { name: 'Mark as unread from here' }).click()
      await expect.poll(() => unreadOf(page, 'marked')).toBe(1)
      await page.evaluate(() => {
        location.hash = '#inbox'
      })
      await page.reload()
      await page.locator('.inbox-row', { hasText: 'marked' }).waitFor()
      expect(await page.locator('.inbox-row', { hasText: 'read first' }).count()).toBe(0)
    })

    it('quotes the selected words of a message alone', async () => {
      const [id] = await say('quoted part', ['Soup, or **much** better: salad. And bread.'])
      const { page } = await browsers.enter(OWNER, {}, hashOf('1-general', 'quoted part'))
      await openMessage(page, id!)
      await messageOf(page, id!)
        .locator('.rendered p')
        .evaluate((text) => {
          const range = document.createRange()
          range.setStart(text.childNodes[0]!, 'Soup, or '.length)
          range.setEnd(text.childNodes[2]!, ' better'.length)
          getSelection()!.removeAllRanges()
          getSelection()!.addRange(range)
        })
      await page.keyboard.press('>')
      const quoted = page.locator('.quote-chip')
      await quoted.waitFor()
      expect(await quoted.locator('blockquote').textContent()).toBe('much better')
      await page.getByRole('button', { name: 'Edit quote' }).click()
      await expect.poll(() => page.locator('.compose-text').inputValue()).toContain('**much** better')
    })

    it('acts with keys on a message that is on the screen', async () => {
      const ids = await say('scrolled', lines(80))
      const { page } = await browsers.enter(OTHER, {}, hashOf('1-general', 'scrolled'))
      await openMessage(page, ids.at(-1)!)
      await page.mouse.move(600, 400)
      await page.mouse.wheel(0, -1_500)
      await untilStill(page)
      await page.keyboard.press('k')
      const chosen = () => page.evaluate(() => Number((document.activeElement as HTMLElement).dataset.id))
      await expect.poll(chosen).not.toBe(ids.at(-2)!)
      await expect.poll(async () => ids.indexOf(await chosen())).toBeGreaterThan(0)
      expect(ids.indexOf(await chosen())).toBeLessThan(ids.length - 15)
    })

    it('opens what it has not opened before without a network', async () => {
      const [id] = await say('tunnel', ['Before the tunnel'])
      const seat = await browsers.enter(OTHER, {}, hashOf('1-general', 'tunnel'))
      const { page } = seat
      await openMessage(page, id!)
      const loaded = () =>
        page.evaluate(() =>
          performance.getEntriesByType('resource').some(({ name }) => name.includes('/help-sheet-')),
        )
      await expect.poll(loaded, { timeout: 40_000 }).toBe(true)
      await page.context().setOffline(true)
      await page.locator('.connection-lost').waitFor()
      await messageOf(page, id!).hover()
      await page.getByRole('toolbar', { name: 'Message actions' }).getByLabel('More actions').click()
      await page.getByRole('menuitem', { name: 'Copy link' }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Conversation options' }).click()
      await page.getByRole('menuitem', { name: 'Mark all as read' }).waitFor()
      await page.keyboard.press('Escape')
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog', { name: 'Go to' }).getByRole('option').first().waitFor()
      await page.keyboard.press('Escape')
      await messageOf(page, id!).focus()
      await page.keyboard.press('u')
      await page.locator('.card').waitFor()
      expect(await page.getByText('This part of the page didn’t load').count()).toBe(0)
      seat.complaints.splice(0)
    })

    it('names what a message without words shows, in the lists', async () => {
      const seat = await browsers.enter(OTHER, {}, hashOf('1-general', 'wordless'))
      const file = { name: 'note.wav', mimeType: 'audio/wav', buffer: Buffer.from('RIFF....WAVEfmt ') }
      await seat.page.locator('.compose input[type="file"]').setInputFiles(file)
      await seat.page.locator('.compose .file-chip:not(.upload)', { hasText: 'note.wav' }).waitFor()
      await seat.page.getByRole('button', { name: 'Send', exact: true }).click()
      await seat.page.locator('.message[data-id] audio').first().waitFor({ state: 'attached' })
      const { page } = await browsers.enter(OWNER, {}, '/#inbox')
      await page.locator('.inbox-row', { hasText: 'wordless' }).getByText('Bea: Sound').waitFor()
    })

    it('has each text in its own direction: polls, drafts, fields', async () => {
      await say('directions', ['/poll ما رأيك؟\nنعم!\nNo!'])
      const { page } = await browsers.enter(OTHER, {}, hashOf('1-general', 'directions'))
      const directionOf = (text: Locator) => text.evaluate((element) => getComputedStyle(element).direction)
      await page.locator('.widget-title', { hasText: 'ما رأيك' }).waitFor()
      expect(await directionOf(page.locator('.widget-title'))).toBe('rtl')
      expect(await directionOf(page.getByText('نعم!', { exact: true }))).toBe('rtl')
      expect(await directionOf(page.getByText('No!', { exact: true }))).toBe('ltr')
      await page.locator('.compose-text').fill('سأكتب لاحقًا (غدًا).')
      await page.evaluate(() => {
        location.hash = '#drafts'
      })
      expect(await directionOf(page.getByText('سأكتب لاحقًا'))).toBe('rtl')
      await page.keyboard.press('Control+k')
      const field = page.getByRole('dialog').getByRole('combobox')
      await field.waitFor()
      expect(await directionOf(field)).toBe('ltr')
      await field.fill('عام')
      expect(await directionOf(field)).toBe('rtl')
    })

    it('mentions everyone by other products’ names, and not in direct messages', async () => {
      await say('many', ['Who comes?'])
      const { page } = await browsers.enter(OTHER, {}, hashOf('1-general', 'many'))
      const box = page.locator('.compose-text')
      const offered = page.locator('.completions').getByRole('option')
      for (const typed of ['@everyo', '@chann']) {
        await box.fill(typed)
        await offered.filter({ hasText: 'Notify everyone in this channel' }).waitFor()
      }
      const ann = await userIdOf(server, OWNER)
      await page.goto(`${server.url}/#narrow/dm/${ann}-dm`)
      await box.fill('@a')
      await offered.filter({ hasText: OWNER }).waitFor()
      expect(await offered.filter({ hasText: 'Notify' }).count()).toBe(0)
    })

    it('sees the emoji of others’ status beside their names', async () => {
      await say('status', ['Here for a while'], { name: OWNER })
      const { page } = await browsers.enter(OTHER, {}, hashOf('1-general', 'status'))
      const row = page.locator('.message[data-id]', { hasText: 'Here for a while' })
      await row.waitFor()
      expect(await row.locator('.status-emoji').count()).toBe(0)
      const bus = { emoji_name: 'bus', emoji_code: '1f68c', reaction_type: 'unicode_emoji' }
      const status = { status_text: 'On the road', ...bus }
      await operate(server, await userIdOf(server, OWNER), 'update-own-status', status)
      await row.getByRole('img', { name: 'On the road' }).waitFor()
    })

    it('sees in the sidebar where they are, however far down that is', async () => {
      const names = Array.from({ length: 60 }, (_, at) => `room ${String(at).padStart(2, '0')}`)
      await operate(server, await userIdOf(server, OTHER), 'subscribe', {
        ...NEW_CHANNELS,
        subscriptions: names.map((name) => ({ name, description: '' })),
      })
      await say('corner', ['Far down'], { channel: 'room 57' })
      const { page } = await browsers.enter(OTHER)
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('combobox').fill('room 57')
      await page.getByRole('option', { name: 'room 57', exact: true }).click()
      const chosen = page.locator('#sidebar [aria-current="page"]')
      await expect.poll(() => chosen.textContent()).toContain('room 57')
      const isSeen = () =>
        chosen.evaluate((row) => {
          const { left, right, top, bottom } = row.getBoundingClientRect()
          const x = (left + right) / 2
          return [top + 2, bottom - 2].every((y) => row.contains(document.elementFromPoint(x, y)))
        })
      await expect.poll(isSeen).toBe(true)
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('combobox').fill('room 03')
      await page.getByRole('option', { name: 'room 03', exact: true }).click()
      await expect.poll(() => chosen.textContent()).toContain('room 03')
      await expect.poll(isSeen).toBe(true)
    })

    it('copies the text of messages, without what surrounds it', async () => {
      const ids = await say('copied', ['First words', 'Second words'])
      const { page } = await browsers.enter(OWNER, {}, hashOf('1-general', 'copied'))
      await openMessage(page, ids[1]!)
      const copied = await page.evaluate(
        ([first, last]) => {
          const row = (id: number) => document.querySelector(`.message[data-id="${id}"]`)!
          getSelection()!.setBaseAndExtent(row(first!), 0, row(last!), row(last!).childNodes.length)
          return getSelection()!.toString()
        },
        [ids[0], ids[1]] as const,
      )
      expect(copied.split('\n').filter((line) => line.trim() !== '')).toEqual([
        OTHER,
        expect.stringMatching(/\d+:\d\d/),
        'First words',
        'Second words',
      ])
    })

    it('reads code from left to right in a message that is written from the right', async () => {
      await say('code', ['مرحبًا `f(1)!` بكم\n```\nf(1)!\n```'])
      const { page } = await browsers.enter(OWNER, {}, hashOf('1-general', 'code'))
      const words = page.locator('.message[data-id] .rendered')
      await words.locator('pre').waitFor()
      const directionOf = (text: Locator) => text.evaluate((element) => getComputedStyle(element).direction)
      expect(await directionOf(words.locator('p'))).toBe('rtl')
      expect(await directionOf(words.locator('p > code'))).toBe('ltr')
      expect(await directionOf(words.locator('pre'))).toBe('ltr')
      expect(await words.locator('pre').evaluate((block) => getComputedStyle(block).textAlign)).toBe('left')
    })

    it('leads on to what somebody wrote as French does', async () => {
      const bea = await userIdOf(server, OTHER)
      await say('en français', ['Bonjour'])
      await operate(server, bea, 'update-settings', { default_language: 'fr' })
      const { page } = await browsers.enter(OTHER, { locale: 'fr-FR' }, '/#recent')
      await operate(server, bea, 'update-settings', { default_language: 'en' })
      const row = page.locator('.inbox-row', { hasText: 'en français' })
      await expect.poll(() => row.locator('.row-preview').textContent()).toBe('Vous\u00a0: Bonjour')
    })

    it('shows commands whole, however much is said of them', async () => {
      const { page } = await browsers.enter(
        OTHER,
        { viewport: { width: 390, height: 780 } },
        hashOf('1-general', 'commands'),
      )
      await page.locator('.compose-text').first().pressSequentially('/')
      const labels = page.getByRole('option').locator('.one-line:not(.small)')
      await labels.first().waitFor()
      const cut = await labels.evaluateAll((all) =>
        all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map((one) => one.textContent),
      )
      expect(cut).toEqual([])
    })

    it('calls the topic without a name by a word of the reader’s language', async () => {
      const bea = await userIdOf(server, OTHER)
      await say('', ['Ohne Thema'])
      await operate(server, bea, 'update-settings', { default_language: 'de' })
      const { page } = await browsers.enter(OTHER, { locale: 'de-DE' }, '/#recent')
      await operate(server, bea, 'update-settings', { default_language: 'en' })
      const row = page.locator('.inbox-row', { hasText: 'Ohne Thema' })
      await expect.poll(() => row.locator('.row-name').textContent()).toBe('Allgemeines')
    })

    it('has keys and times as they are written in German', async () => {
      const bea = await userIdOf(server, OTHER)
      await say('auf deutsch', ['Noch neu'])
      await operate(server, bea, 'update-settings', { default_language: 'de' })
      const { page } = await browsers.enter(OTHER, { locale: 'de-DE' }, '/#recent')
      await page.locator('.inbox-row', { hasText: 'auf deutsch' }).waitFor()
      await page.clock.install({ time: Date.now() + 300_000 })
      await page.reload()
      await expect
        .poll(() => page.locator('.inbox-row', { hasText: 'auf deutsch' }).locator('time').textContent())
        .toMatch(/^vor \d+ Min\.$/)
      await page.keyboard.press('?')
      const caps = page.getByRole('dialog').locator('kbd')
      await expect
        .poll(() => caps.allTextContents())
        .toEqual(expect.arrayContaining(['Strg K', 'Bild ↓', 'Pos1']))
      await operate(server, bea, 'update-settings', { default_language: 'en' })
    })

    it.each([
      ['en', '12,345 people'],
      ['de', '12.345 Personen'],
      ['ar', '12,345 شخصًا'],
    ])('has large numbers in sentences with the separators of %s', async (default_language, words) => {
      const bea = await userIdOf(server, OTHER)
      await operate(server, bea, 'update-settings', { default_language })
      const { page } = await browsers.open({}, '/#channels/all')
      await page.route('**/json/register', async (route) => {
        const response = await route.fetch()
        const body = (await response.text()).replaceAll(
          /"subscriber_count":\s*\d+/g,
          '"subscriber_count":12345',
        )
        await route.fulfill({ response, body })
      })
      await page.getByRole('button', { name: OTHER }).click()
      await page.locator('.app-shell').waitFor()
      await operate(server, bea, 'update-settings', { default_language: 'en' })
      await page.getByText(words).first().waitFor()
    })

    it('has its shortcuts on a keyboard of another script', async () => {
      const { page } = await browsers.enter(OTHER)
      await page.getByRole('heading', { name: 'Inbox' }).waitFor()
      const press = (key: string, code: string, held: { readonly ctrlKey?: boolean } = {}) =>
        page.evaluate(
          (init) => document.body.dispatchEvent(new KeyboardEvent('keydown', { ...init, bubbles: true })),
          { key, code, ...held },
        )
      await press('ف', 'KeyT')
      await page.getByRole('heading', { name: 'Recent conversations' }).waitFor()
      await press('ن', 'KeyK', { ctrlKey: true })
      await page.getByRole('dialog', { name: 'Go to' }).waitFor()
    })
  },
)
