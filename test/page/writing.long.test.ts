import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { A_BROWSER, needs } from '../support/needs.ts'
import { CHROMIUM, OWNER, operate, usePage, userIdOf } from './open-page.ts'

const OTHER = 'Bea'
const TOPIC = '/#narrow/channel/1-general/topic/writing'
/** The time of a recording that has something: a busy machine does not show each second for long. */
const RECORDED = /^0:(0[1-9]|[1-5]\d)$/

describe.skipIf(CHROMIUM === undefined)('the emoji picker', needs(A_BROWSER, { timeout: 120_000 }), () => {
  const { server, browsers } = usePage([OTHER])

  async function openPicker(page: Page) {
    await page.locator('.compose-buttons').getByRole('button', { name: 'Emoji' }).click()
    await page.getByRole('gridcell').first().waitFor()
  }

  it('leads to each category, with few rows in the document', async () => {
    const { page } = await browsers.enter(OWNER, {}, TOPIC)
    await openPicker(page)
    const heading = (name: string) => page.getByRole('rowheader', { name })
    expect(await heading('Flags').count()).toBe(0)
    await page.getByRole('button', { name: 'Flags', exact: true }).click()
    await heading('Flags').waitFor()
    await expect
      .poll(() => page.getByRole('button', { name: 'Flags', exact: true }).getAttribute('aria-current'))
      .toBe('true')
    expect(await heading('Smileys & emotion').count()).toBe(0)
    const grid = page.getByRole('grid', { name: 'Emoji' })
    expect(Number(await grid.getAttribute('aria-rowcount'))).toBeGreaterThan(200)
    expect(await page.getByRole('row').count()).toBeLessThan(20)
  })

  it('is used by keys alone, and returns the focus', async () => {
    const { page } = await browsers.enter(OWNER, {}, TOPIC)
    await openPicker(page)
    await page.keyboard.type('sailb')
    await page.getByRole('gridcell', { name: 'sailboat', exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('.compose-text').inputValue()).toBe(':sailboat: ')
    expect(await page.locator('.compose-text').evaluate((box) => box === document.activeElement)).toBe(true)
    await openPicker(page)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowRight')
    const chosen = page.locator('[role="gridcell"][aria-selected="true"]')
    const field = page.getByRole('combobox', { name: 'Search emoji' })
    expect(await field.getAttribute('aria-activedescendant')).toBe(await chosen.getAttribute('id'))
    const name = await chosen.getByRole('button').getAttribute('aria-label')
    expect(await page.locator('.emoji-name').textContent()).toContain(name)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement!.getAttribute('aria-label'))).toBe(
      'Frequently used',
    )
    await page.keyboard.press('Escape')
    await page.getByRole('grid').waitFor({ state: 'detached' })
    // What was chosen comes first from now on.
    await openPicker(page)
    expect(await page.getByRole('gridcell').first().getByRole('button').getAttribute('aria-label')).toBe(
      'sailboat',
    )
  })

  it('keeps a skin tone for texts, which reactions do not have', async () => {
    // The draft of another test may be on the server.
    const { page } = await browsers.enter(OWNER, {}, `${TOPIC}-tones`)
    await openPicker(page)
    await page.getByRole('button', { name: 'Skin tone: Default' }).click()
    await page.getByRole('button', { name: 'Medium-dark' }).click()
    await page.getByRole('gridcell', { name: 'thumbs up', exact: true }).click()
    await expect.poll(() => page.locator('.compose-text').inputValue()).toBe('👍🏾 ')
    await page.reload()
    await openPicker(page)
    await page.getByRole('button', { name: 'Skin tone: Medium-dark' }).waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.compose-text').fill('Well done')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.locator('.message[data-id]').getByText('Well done').hover()
    await page.getByRole('toolbar').getByRole('button', { name: 'React', exact: true }).click()
    await page.getByRole('gridcell', { name: 'thumbs up', exact: true }).waitFor()
    expect(await page.getByRole('button', { name: /^Skin tone/ }).count()).toBe(0)
    await page.getByRole('gridcell', { name: 'thumbs up', exact: true }).click()
    await page.getByRole('button', { name: 'You: :+1:' }).waitFor()
  })

  it('uses the language of the page, as do completions after a colon', async () => {
    await operate(server, await userIdOf(server, OTHER), 'update-settings', { default_language: 'de' })
    const { page } = await browsers.enter(OTHER, {}, TOPIC)
    await openPicker(page)
    await page.getByRole('rowheader', { name: 'Smileys & Gefühle' }).waitFor()
    await page.getByRole('combobox', { name: 'Emoji suchen' }).fill('segelb')
    await page.getByRole('gridcell', { name: 'Segelboot', exact: true }).click()
    await expect.poll(() => page.locator('.compose-text').inputValue()).toBe(':boat: ')
    await page.locator('.compose-text').fill('')
    await page.locator('.compose-text').pressSequentially(':daumen_ho')
    await page.getByRole('option', { name: 'Daumen hoch' }).waitFor()
    await page.keyboard.press('Enter')
    expect(await page.locator('.compose-text').inputValue()).toBe(':+1: ')
  })

  it.each([
    [1280, 800],
    [390, 780],
    [320, 256],
  ])('stays on the screen: %i × %i', async (width, height) => {
    const { page } = await browsers.enter(OWNER, { viewport: { width, height } }, TOPIC)
    await openPicker(page)
    const dialog = page.getByRole('dialog', { name: 'Emoji' })
    // While it opens it is a little smaller.
    await dialog.evaluate((it) => Promise.all(it.getAnimations().map(({ finished }) => finished)))
    const box = (await dialog.boundingBox())!
    expect(Math.min(box.x, box.y)).toBeGreaterThanOrEqual(0)
    expect(box.x + box.width).toBeLessThanOrEqual(width)
    expect(box.y + box.height).toBeLessThanOrEqual(height)
    if (width < 600) expect([box.width, box.y + box.height]).toEqual([width, height])
  })
})

describe.skipIf(CHROMIUM === undefined)('forms with Markdown', needs(A_BROWSER, { timeout: 120_000 }), () => {
  const { server, browsers } = usePage([OTHER])

  it('have the compose box: a description keeps the formats of its toolbar', async () => {
    const { page } = await browsers.enter(OWNER, {}, '/#channels/1/general/general')
    const box = page.getByRole('textbox', { name: 'Description' })
    await box.fill('All about tea')
    await box.press('ControlOrMeta+a')
    await page.getByRole('toolbar', { name: 'Formatting' }).getByRole('button', { name: 'Bold' }).click()
    expect(await box.inputValue()).toBe('**All about tea**')
    // The focus is still in the field: nothing is saved yet.
    expect(await page.locator('.save-mark:not([data-state="idle"])').count()).toBe(0)
    await page.getByLabel('Name', { exact: true }).first().focus()
    await page.goto(`${server.url}/#narrow/channel/1-general`)
    await page.locator('.view-head').getByText('All about tea').waitFor()
  })

  it('complete names, and are empty after sending', async () => {
    const { page } = await browsers.enter(OTHER, {}, '/#settings/saved-snippets')
    await page.getByLabel('Title').fill('Greeting')
    const box = page.getByRole('textbox', { name: 'Text' })
    await box.pressSequentially('Ask @An')
    await page.getByRole('option', { name: OWNER }).waitFor()
    await page.keyboard.press('Enter')
    expect(await box.inputValue()).toBe(`Ask @**${OWNER}** `)
    await page.getByRole('button', { name: 'Add' }).click()
    await page.locator('.item').getByText('Greeting').waitFor()
    await expect.poll(() => box.inputValue()).toBe('')
  })
})

describe.skipIf(CHROMIUM === undefined)('the box for writing', needs(A_BROWSER, { timeout: 120_000 }), () => {
  const { server, browsers } = usePage([OTHER])

  const at = (topic: string) => `/#narrow/channel/1-general/topic/${topic}`

  async function add(page: Page, name: string) {
    await page.getByRole('button', { name: 'Add files and more' }).click()
    await page.getByRole('menuitem', { name }).click()
  }

  /** Goes to a topic without loading the page again. */
  async function goTo(page: Page, topic: string) {
    await page.evaluate((address) => {
      location.hash = address.slice(1)
    }, at(topic))
    await page.getByPlaceholder(`Message #general › ${topic}`).waitFor()
  }

  it('keeps the poll that was begun in a conversation for that alone', async () => {
    const { page } = await browsers.enter(OWNER, {}, at('pies'))
    await add(page, 'Poll')
    await page.getByLabel('Question').fill('Which pie?')
    await goTo(page, 'soups')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await add(page, 'Poll')
    expect(await page.getByLabel('Question').inputValue()).toBe('')
    await page.keyboard.press('Escape')
    await goTo(page, 'pies')
    await add(page, 'Poll')
    expect(await page.getByLabel('Question').inputValue()).toBe('Which pie?')
  })

  it('says beside its field that an option is already there', async () => {
    const { page } = await browsers.enter(OWNER, {}, at('twice'))
    await add(page, 'Poll')
    await page.getByLabel('Question').fill('Which jam?')
    await page.getByLabel('Option 1').fill('Plum')
    await page.getByLabel('Option 2').fill('Plum ')
    await page.getByRole('alert').getByText('Already on the list.').waitFor()
    const post = page.getByRole('button', { name: 'Post poll' })
    expect(await post.isDisabled()).toBe(true)
    await page.getByLabel('Option 2').fill('Quince')
    await post.click()
    const poll = page.locator('.message[data-id]', { hasText: 'Which jam?' })
    await poll.getByRole('button', { name: 'Quince' }).waitFor()
    const field = poll.getByLabel('New option')
    await field.fill('Quince')
    await field.press('Enter')
    await poll.getByRole('alert').getByText('Already on the list.').waitFor()
    expect(await field.inputValue()).toBe('Quince')
    await field.fill('Cherry')
    expect(await poll.getByRole('alert').count()).toBe(0)
    await field.press('Enter')
    await poll.getByRole('button', { name: 'Cherry' }).waitFor()
  })

  it('stops a recording with its conversation, which keeps it', async () => {
    const { page } = await browsers.enter(OWNER, {}, at('spoken'))
    await page.evaluate(() => {
      navigator.mediaDevices.getUserMedia = async () => {
        const context = new AudioContext()
        const [tone, stream] = [context.createOscillator(), context.createMediaStreamDestination()]
        tone.connect(stream)
        tone.start()
        return stream.stream
      }
    })
    await add(page, 'Voice message')
    const recorder = page.getByRole('group', { name: 'Voice message' })
    await recorder.getByText(RECORDED).waitFor()
    await goTo(page, 'written')
    await recorder.waitFor({ state: 'detached' })
    const toast = page.locator('.toast', { hasText: 'was added to your draft: #general › spoken' })
    await toast.waitFor()
    expect(await page.locator('.file-chip').count()).toBe(0)
    await toast.getByRole('link', { name: 'View' }).click()
    // The player below the name has words of its own.
    await page.locator('.file-chip-sound > .one-line', { hasText: /^voice-message-.*\.wav$/ }).waitFor()
    await add(page, 'Voice message')
    await recorder.getByText(RECORDED).waitFor()
    await recorder.getByRole('button', { name: 'Discard recording' }).click()
    await goTo(page, 'written')
    await goTo(page, 'spoken')
    await page.waitForTimeout(500)
    expect(await page.locator('.file-chip').count()).toBe(1)
    // It can be listened to before it is sent.
    const player = page.locator('.file-chip').getByRole('group', { name: /^voice-message-/ })
    await player.getByRole('button', { name: 'Play' }).click()
    const playedTo = () =>
      player.locator('audio').evaluate((audio) => (audio as HTMLAudioElement).currentTime)
    await expect.poll(playedTo).toBeGreaterThan(0.2)
    await page
      .locator('.file-chip')
      .getByRole('button', { name: /^Remove/ })
      .click()
  })

  it('adds a file to the text of the conversation in which it was chosen', async () => {
    const { page } = await browsers.enter(OWNER, {}, at('files'))
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/json/tus/**', async (route) => {
      await held
      await route.continue()
    })
    const chooser = page.waitForEvent('filechooser')
    await add(page, 'Attach files')
    await (await chooser).setFiles({ name: 'list.txt', mimeType: 'text/plain', buffer: Buffer.from('plums') })
    const chip = page.locator('.file-chip', { hasText: 'list.txt' })
    await chip.waitFor()
    await goTo(page, 'written')
    await chip.waitFor({ state: 'detached' })
    release()
    await page.locator('.toast', { hasText: 'list.txt was added to your draft: #general › files' }).waitFor()
    expect(await chip.count()).toBe(0)
    await goTo(page, 'files')
    await chip.waitFor()
    await chip.getByRole('button').click()
  })

  /** Renames a topic, all of it. */
  async function rename(id: unknown, topic: string) {
    await operate(server, await userIdOf(server, OWNER), 'update-message', {
      message_id: id,
      topic,
      propagate_mode: 'change_all',
    })
  }

  async function say(topic: string, content: string): Promise<number> {
    const params = { type: 'channel', to: 1, topic, content }
    return (await operate(server, await userIdOf(server, OWNER), 'send-message', params)).id as number
  }

  /** Holds requests to these addresses until the returned function is called. */
  async function hold(page: Page, addresses: string): Promise<() => void> {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(addresses, async (route) => {
      await held
      await route.continue()
    })
    return release
  }

  it.each(['another conversation', 'a list'])(
    'adds a file to its renamed conversation from %s',
    async (place) => {
      const [before, after] = [`boxes${place.length}`, `crates${place.length}`]
      const id = await say(before, 'Where are they?')
      const { page } = await browsers.enter(OWNER, {}, at(before))
      const release = await hold(page, '**/json/tus/**')
      const chooser = page.waitForEvent('filechooser')
      await add(page, 'Attach files')
      await (await chooser).setFiles({
        name: 'list.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from('plums'),
      })
      const chip = page.locator('.file-chip', { hasText: 'list.txt' })
      await chip.waitFor()
      if (place === 'a list') await page.goto(`${server.url}/#recent`)
      else {
        // The box belongs to the conversation anew.
        await goTo(page, 'written')
        await page.goBack()
        await chip.waitFor()
        await goTo(page, 'written')
      }
      await chip.waitFor({ state: 'detached' })
      await rename(id, after)
      const list = page.locator(place === 'a list' ? '.recent' : '.sidebar')
      await list.getByText(after).first().waitFor()
      release()
      await page
        .locator('.toast', { hasText: `list.txt was added to your draft: #general › ${after}` })
        .getByRole('link', { name: 'View' })
        .click()
      await page.getByPlaceholder(`Message #general › ${after}`).waitFor()
      await chip.waitFor()
      await chip.getByRole('button').click()
    },
  )

  it('quotes in the conversation in which the quote was asked for', async () => {
    const id = await say('quoted', 'It was the cat')
    const { page } = await browsers.enter(OWNER, {}, at('quoted'))
    const release = await hold(page, `**/json/messages/${id}?*`)
    await page.locator(`.message[data-id="${id}"]`).click()
    const asked = page.waitForRequest(new RegExp(`/json/messages/${id}\\?`))
    await page.keyboard.press('>')
    await asked
    await goTo(page, 'written')
    const answered = page.waitForResponse(new RegExp(`/json/messages/${id}\\?`))
    release()
    await answered
    await page
      .locator('.sidebar')
      .getByRole('link', { name: /quoted/ })
      .click()
    await page.locator('.quote-chip', { hasText: 'It was the cat' }).waitFor()
    await goTo(page, 'written')
    expect(await page.locator('.quote-chip').count()).toBe(0)
  })

  it('inserts an emoji that undo takes back', async () => {
    const { page } = await browsers.enter(OWNER, {}, at('undone'))
    const box = page.locator('.compose-text')
    await box.pressSequentially('Ship ')
    await page.locator('.compose-buttons').getByRole('button', { name: 'Emoji' }).click()
    await page.getByRole('combobox', { name: 'Search emoji' }).fill('sailboat')
    await page.getByRole('gridcell', { name: 'sailboat', exact: true }).click()
    await expect.poll(() => box.inputValue()).toBe('Ship :sailboat: ')
    await page.keyboard.press('Control+z')
    await expect.poll(() => box.inputValue()).toBe('Ship ')
    await box.fill('')
  })

  it('lists a draft by its words in Later until it is deleted', async () => {
    const { page } = await browsers.enter(OWNER, {}, at('later'))
    await operate(server, await userIdOf(server, OWNER), 'update-settings', {
      enable_drafts_synchronization: false,
    })
    await page.locator('.compose-text').fill('Some **cake**')
    await page.evaluate(() => {
      location.hash = '#drafts'
    })
    const entry = page.locator('.draft-link', { hasText: 'Some cake' })
    await entry.waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await entry.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await entry.waitFor()
  })

  it('shows a direct message sent from the inbox among its sender’s conversations at once', async () => {
    const { page } = await browsers.enter(OWNER, {}, '/#inbox')
    await page.keyboard.press('x')
    await page.getByRole('combobox', { name: 'Add people' }).fill(OTHER)
    await page.getByRole('option', { name: OTHER }).first().waitFor()
    await page.keyboard.press('Enter')
    await page.locator('.compose-text').fill('Are you there?')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.locator('.sidebar').getByRole('link', { name: OTHER }).waitFor()
    await page.goto(page.url().replace('#inbox', '#recent'))
    await page.locator('.recent').getByText('You: Are you there?').waitFor()
  })

  it('accepts wide characters of East Asian keyboards, and preselects no wildcard mention', async () => {
    const { page } = await browsers.enter(OWNER, {}, TOPIC)
    const box = page.locator('.compose-text')
    await box.pressSequentially('＠Ｂｅ')
    await page.getByRole('option', { name: OTHER }).waitFor()
    await page.keyboard.press('Enter')
    expect(await box.inputValue()).toBe(`@**${OTHER}** `)
    await box.fill('')
    await box.pressSequentially('@all')
    await page.getByRole('option', { name: /^all/ }).waitFor()
    expect(await page.locator('.completion[aria-selected="true"]').count()).toBe(0)
  })

  it('offers commands and actions after a slash, each as the + menu does', async () => {
    const { page } = await browsers.enter(OWNER, {}, TOPIC)
    const box = page.locator('.compose-text')
    await box.pressSequentially('/')
    await page.getByRole('option').first().waitFor()
    const names = (await page.locator('.completion > :first-child').allTextContents()).map((name) =>
      name.trim(),
    )
    expect(names).toEqual(
      expect.arrayContaining(['/poll', '/todo', '/remind', '/file', '/snippet', '/voice', '/schedule']),
    )
  })

  it('schedules a message that is written after its time was asked for', async () => {
    const { page } = await browsers.enter(OWNER, {}, TOPIC)
    await page.locator('.compose-text').pressSequentially('/sched')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Schedule message' })
    const button = dialog.getByRole('button', { name: 'Schedule message' })
    expect(await button.isDisabled()).toBe(true)
    await dialog.getByLabel('Text').fill('Soup tomorrow')
    await button.click()
    await page.getByText(/^Message scheduled for/).waitFor()
    expect(await page.locator('.compose-text').inputValue()).toBe('')
    await page.goto(page.url().replace(/#.*/, '#scheduled'))
    await page.locator('.draft-link').filter({ hasText: 'Soup tomorrow' }).waitFor()
  })
})
