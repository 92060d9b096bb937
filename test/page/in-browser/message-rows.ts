import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { ApiClient } from '../../../scripts/api-client.ts'
import { A_BROWSER, needs } from '../../support/needs.ts'
import { hashOf, headingOf, messageOf, openTopic } from '../in-conversation.ts'
import { CHROMIUM, OWNER, operate, userIdOf } from '../open-page.ts'
import { browsers, OTHER, server, TIME } from './organization.ts'

/** Sends a message to a topic of the first channel as the owner; returns its id. */
async function say(topic: string, content: string, name = OWNER): Promise<number> {
  const { id } = await operate(server, await userIdOf(server, name), 'send-message', {
    type: 'channel',
    to: ['general'],
    topic,
    content,
    read_by_sender: true,
  })
  return id as number
}

async function choose(page: Page, id: number, item: string): Promise<void> {
  await messageOf(page, id).hover()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

describe.skipIf(CHROMIUM === undefined)('a deleted message', needs(A_BROWSER, TIME), () => {
  let ann: ApiClient

  beforeAll(async () => {
    if (CHROMIUM !== undefined) ann = await new ApiClient(server.url).logIn('ann@example.com')
  })

  async function exists(id: number): Promise<boolean> {
    const { messages } = await ann.call('GET', '/messages', { message_ids: [id] })
    return (messages as unknown[]).length > 0
  }

  it('comes back by Undo, and was never deleted', async () => {
    const id = await say('deletions', 'A slip of the pen')
    const { page } = await browsers.enter(OWNER)
    await openTopic(page, 'deletions')
    await choose(page, id, 'Delete')
    await messageOf(page, id).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await messageOf(page, id).waitFor()
    await page.waitForTimeout(500)
    expect(await exists(id)).toBe(true)
  })

  it('is deleted once its toast has gone', async () => {
    const id = await say('deletions', 'Another slip')
    const { page } = await browsers.enter(OWNER)
    await openTopic(page, 'deletions')
    await choose(page, id, 'Delete')
    await page.locator('.toast', { hasText: 'Message deleted' }).waitFor()
    expect(await exists(id)).toBe(true)
    await page.locator('.toast').getByRole('button', { name: 'Close' }).click()
    await expect.poll(() => exists(id)).toBe(false)
    expect(await messageOf(page, id).count()).toBe(0)
  })

  it('is deleted at once when the page goes away', async () => {
    const id = await say('deletions', 'A third slip')
    const { page } = await browsers.enter(OWNER)
    await openTopic(page, 'deletions')
    await choose(page, id, 'Delete')
    await page.locator('.toast', { hasText: 'Message deleted' }).waitFor()
    await page.goto('about:blank')
    await expect.poll(() => exists(id), { timeout: 10_000 }).toBe(false)
  })
})

describe.skipIf(CHROMIUM === undefined)('a row', needs(A_BROWSER, TIME), () => {
  it('shows its time beside its text, by either clock', async () => {
    await say('hours', 'First')
    const id = await say('hours', 'Second')
    const { page } = await browsers.enter(OWNER, { locale: 'en-US' }, hashOf('1-general', 'hours'))
    await messageOf(page, id).waitFor()
    await messageOf(page, id)
      .locator('.message-hour')
      .evaluate((hour) => {
        hour.textContent = '12:59'
      })
    const hour = await messageOf(page, id)
      .locator('.message-hour')
      .evaluate((element) => {
        const range = document.createRange()
        range.selectNodeContents(element)
        const { left, right } = range.getBoundingClientRect()
        return { left, right }
      })
    const row = (await messageOf(page, id).boundingBox())!
    const text = (await messageOf(page, id).locator('.message-main').boundingBox())!
    expect(hour.right).toBeLessThan(text.x)
    expect(hour.left).toBeGreaterThanOrEqual(row.x)
  })

  it('says in the line of its text that it was edited', async () => {
    const id = await say('edited', 'One line of text')
    const ann = await new ApiClient(server.url).logIn('ann@example.com')
    await ann.call('PATCH', `/messages/${id}`, { content: 'One line of other text' })
    const { page } = await browsers.enter(OWNER, {}, hashOf('1-general', 'edited'))
    const note = messageOf(page, id).getByText('(edited)')
    const line = (await messageOf(page, id).getByText('One line of other text').boundingBox())!
    const { y, height } = (await note.boundingBox())!
    expect(y + height / 2).toBeLessThan(line.y + line.height)
    await note.click()
    await page.getByRole('dialog', { name: 'Edit history' }).waitFor()
  })

  it('is not called moved because its topic was resolved', async () => {
    const id = await say('settled', 'Is it settled?')
    const { page } = await browsers.enter(OWNER, {}, hashOf('1-general', 'settled'))
    await messageOf(page, id).waitFor()
    await page.getByRole('button', { name: 'Resolve' }).click()
    await page.getByRole('heading', { level: 1 }).getByText('✔ settled').waitFor()
    await page.waitForTimeout(300)
    expect(await messageOf(page, id).locator('.message-note').count()).toBe(0)
  })

  it('has the focus again after Escape in its actions, or in its content', async () => {
    const id = await say('escape', 'See [the menu](https://menu.example)')
    const { page } = await browsers.enter(OWNER, {}, hashOf('1-general', 'escape'))
    const row = messageOf(page, id)
    const isFocused = () => row.evaluate((element) => element === document.activeElement)
    await row.hover()
    await page.getByRole('toolbar', { name: 'Message actions' }).getByRole('button', { name: 'Star' }).click()
    await page.locator('.message-star').waitFor()
    await page.keyboard.press('Escape')
    expect(await isFocused()).toBe(true)
    await row.getByRole('link', { name: 'the menu' }).focus()
    await page.keyboard.press('Escape')
    expect(await isFocused()).toBe(true)
    expect(page.url()).toContain('topic/escape')
  })

  it('that an address names stands out from the others', async () => {
    const first = await say('named', 'One')
    const second = await say('named', 'Two')
    const { page } = await browsers.enter(OWNER, {}, `${hashOf('1-general', 'named')}/near/${second}`)
    await messageOf(page, second).waitFor()
    await page.mouse.move(0, 0)
    const groundOf = (id: number) =>
      messageOf(page, id).evaluate((row) => getComputedStyle(row).backgroundColor)
    expect(await groundOf(second)).not.toBe(await groundOf(first))
  })

  it('that is not sent yet says so, and why', async () => {
    await say('slow', 'Before')
    const { page } = await browsers.enter(OWNER, {}, hashOf('1-general', 'slow'))
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/json/messages', async (route) => {
      if (route.request().method() === 'POST') await held
      await route.continue()
    })
    await page.locator('.compose-text').fill('On its way')
    await page.locator('.compose-text').press('Control+Enter')
    const row = page.locator('.message-outgoing', { hasText: 'On its way' })
    await row.getByText('Sending…').waitFor()
    release()
    await row.waitFor({ state: 'detached' })
    await page.locator('.message[data-id]', { hasText: 'On its way' }).waitFor()
  })

  it('that was not sent can be discarded, and its text taken back', async () => {
    await say('refused', 'Before')
    const { page, complaints } = await browsers.enter(OWNER, {}, hashOf('1-general', 'refused'))
    await page.route('**/json/messages', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 400, json: { result: 'error', code: 'BAD_REQUEST', msg: 'Not now' } })
        : route.continue(),
    )
    const box = page.locator('.compose-text')
    await box.fill('Long words')
    await box.press('Control+Enter')
    const row = page.locator('.message-outgoing', { hasText: 'Long words' })
    await row.getByText('Not now').waitFor()
    await row.getByRole('button', { name: 'Discard' }).click()
    await row.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => box.inputValue()).toBe('Long words')
    await box.fill('')
    expect(complaints.splice(0).filter((text) => !text.includes('400'))).toEqual([])
  })
})

describe.skipIf(CHROMIUM === undefined)('what is too wide for a phone', needs(A_BROWSER, TIME), () => {
  it('is broken, or scrolls by itself, to its end', async () => {
    const word = 'Donaudampfschifffahrtsgesellschaft'.repeat(8)
    const cells = Array.from({ length: 20 }, (_, column) => `column ${column}`)
    const sum = Array.from({ length: 30 }, (_, at) => `x_{${at}}^2`).join(' + ')
    const quotes = ['`````quote', 'Outside', '````quote', 'Within', '```quote', word, '```', '````', '`````']
    const id = await say(
      'wide',
      [
        `${word} https://example.com/${word}`,
        `|${cells.join('|')}|\n|${'-|'.repeat(20)}\n|${cells.join('|')}|`,
        `\`\`\`js\n${'call(first, second); '.repeat(20)}\n\`\`\``,
        quotes.join('\n'),
        `\`\`\`math\n${sum}\n\`\`\``,
        `In a line: $$${sum}$$`,
      ].join('\n\n'),
    )
    const phone = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true }
    const { page } = await browsers.enter(OWNER, phone, hashOf('1-general', 'wide'))
    const message = messageOf(page, id)
    await message.locator('.katex-display').waitFor()
    await message.locator('.table-frame').waitFor()
    const wide = await message.evaluate((row) => ({
      page: document.documentElement.scrollWidth,
      list: row.closest('.messages')!.scrollWidth,
      scrolled: ['.table-frame', 'pre', '.katex-display', 'p:has(> .katex)'].filter((name) => {
        const box = [...row.querySelectorAll(name)].at(-1)!
        box.scrollLeft = 40
        return box.scrollLeft === 40
      }),
    }))
    expect(wide).toEqual({
      page: 320,
      list: 320,
      scrolled: ['.table-frame', 'pre', '.katex-display', 'p:has(> .katex)'],
    })
  })
})

describe.skipIf(CHROMIUM === undefined)('the actions on a message', needs(A_BROWSER, TIME), () => {
  it('begin with the reactions that one has chosen most', async () => {
    const id = await say('reacted', 'Shall we?')
    const { page } = await browsers.enter(OWNER, {}, hashOf('1-general', 'reacted'))
    const bar = page.getByRole('toolbar', { name: 'Message actions' })
    await messageOf(page, id).hover()
    const labels = () =>
      bar.locator('.quick-reaction').evaluateAll((all) => all.map((button) => button.ariaLabel))
    await expect.poll(labels).toEqual(['React with :+1:', 'React with :heart:', 'React with :tada:'])
    await bar.getByRole('button', { name: 'React with :tada:' }).click()
    const reaction = messageOf(page, id).locator('.reaction[aria-pressed="true"]')
    await reaction.waitFor()
    await page.reload()
    await messageOf(page, id).hover()
    await expect.poll(async () => (await labels())[0]).toBe('React with :tada:')
    await bar.getByRole('button', { name: 'React with :tada:' }).click()
    await reaction.waitFor({ state: 'detached' })
  })

  it('show the source of what anybody wrote', async () => {
    const id = await say('sources', 'Some **bold** words', OTHER)
    const { page } = await browsers.enter(OWNER, {}, hashOf('1-general', 'sources'))
    await choose(page, id, 'View source')
    const dialog = page.getByRole('dialog', { name: 'View source' })
    await expect.poll(() => dialog.getByRole('textbox').inputValue()).toBe('Some **bold** words')
  })
})

describe.skipIf(CHROMIUM === undefined)('a topic', needs(A_BROWSER, TIME), () => {
  it('is renamed from its heading, which can be undone', async () => {
    const id = await say('old name', 'Before and after')
    const { page } = await browsers.enter(OWNER, {}, hashOf('1-general', 'old.20name'))
    await messageOf(page, id).waitFor()
    await page.getByRole('button', { name: 'Conversation options' }).click()
    await page.getByRole('menuitem', { name: 'Rename topic' }).click()
    const dialog = page.getByRole('dialog', { name: 'Rename topic' })
    await dialog.getByLabel('Topic').fill('new name')
    await dialog.getByRole('button', { name: 'Rename topic' }).click()
    await expect.poll(() => headingOf(page)).toBe('general new name')
    await messageOf(page, id).waitFor()
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await expect.poll(() => headingOf(page)).toBe('general old name')
  })
})

describe.skipIf(CHROMIUM === undefined)('the topic without a name', needs(A_BROWSER, TIME), () => {
  const move = async (page: Page, id: number, topic: string) => {
    await choose(page, id, 'Move')
    const dialog = page.getByRole('dialog', { name: 'Move' })
    const field = dialog.getByRole('combobox', { name: 'Topic' })
    const before = [await field.inputValue(), await field.getAttribute('placeholder')]
    await field.fill(topic)
    await dialog.getByRole('button', { name: 'Move', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    return before
  }

  it('is called by its name where messages are moved to it and from it', async () => {
    const id = await say('', 'Hello all')
    const { page } = await browsers.enter(OWNER, {}, hashOf('1-general', ''))
    expect(await move(page, id, 'hellos')).toEqual(['', 'general chat'])
    await expect.poll(() => headingOf(page)).toBe('general hellos')
    expect(await move(page, id, 'general chat')).toEqual(['hellos', 'general chat'])
    await expect.poll(() => headingOf(page)).toBe('general general chat')
    await move(page, id, 'goodbyes')
    await expect.poll(() => headingOf(page)).toBe('general goodbyes')
    await move(page, id, '')
    await expect.poll(() => headingOf(page)).toBe('general general chat')
    await messageOf(page, id).waitFor()
  })

  it('can be given a name, and this be taken away', async () => {
    const id = await say('passing name', 'Nameless soon')
    const { page } = await browsers.enter(OWNER, {}, hashOf('1-general', 'passing.20name'))
    await messageOf(page, id).waitFor()
    await page.getByRole('button', { name: 'Conversation options' }).click()
    await page.getByRole('menuitem', { name: 'Rename topic' }).click()
    const dialog = page.getByRole('dialog', { name: 'Rename topic' })
    await dialog.getByLabel('Topic').fill('')
    expect(await dialog.getByLabel('Topic').getAttribute('placeholder')).toBe('general chat')
    await dialog.getByRole('button', { name: 'Rename topic' }).click()
    await expect.poll(() => headingOf(page)).toBe('general general chat')
    await messageOf(page, id).waitFor()
  })
})

describe.skipIf(CHROMIUM === undefined)('a list of several conversations', needs(A_BROWSER, TIME), () => {
  it('names a conversation once while its messages follow each other', async () => {
    await say('headed', 'A day before', OTHER)
    const { page } = await browsers.enter(OWNER, {}, '/#feed')
    await page.locator('.message[data-id]').first().waitFor()
    await say('headed', 'A day later')
    // Other tests may have left unread messages above, where the view stays.
    await page.keyboard.press('End')
    await page.locator('.message[data-id]', { hasText: 'A day later' }).waitFor()
    const headings = await page
      .locator('.messages-inner > *')
      .evaluateAll((rows) =>
        rows.flatMap((row) => (row.matches('.heading-row') ? [row.textContent?.trim()] : [])),
      )
    expect(headings.filter((heading, at) => heading === headings[at - 1])).toEqual([])
  })

  it('does not begin as a conversation does', async () => {
    const { page } = await browsers.enter(OWNER, {}, hashOf('1-general', 'begun'))
    await say('begun', 'To be starred')
    const row = page.locator('.message[data-id]', { hasText: 'To be starred' })
    await row.hover()
    await page.getByText('This is the beginning of the conversation.').waitFor()
    await page.getByRole('button', { name: 'Star', exact: true }).click()
    await page.goto(`${server.url}/#narrow/is/starred`)
    await row.waitFor()
    expect(await page.getByText('This is the beginning').count()).toBe(0)
  })
})

describe.skipIf(CHROMIUM === undefined)('a time in a message', needs(A_BROWSER, TIME), () => {
  async function chooseClock(page: Page, name: string) {
    await page.evaluate(() => {
      location.hash = '#settings/preferences'
    })
    await page.getByLabel('Time format').selectOption({ label: name })
    await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
  }

  async function timeIn(page: Page, topic: string, id: number) {
    await openTopic(page, topic)
    return messageOf(page, id).locator('time[datetime^="2025"]').textContent()
  }

  it('is by the clock of the language until the reader has chosen one', async () => {
    const id = await say('afternoons', '<time:2025-06-03T15:05:00Z>')
    const read = async (page: Page) => {
      await page.goto(`${server.url}/#recent`)
      return timeIn(page, 'afternoons', id)
    }
    const { page } = await browsers.enter(OWNER, { timezoneId: 'UTC' })
    expect(await read(page)).toBe('3 Jun 2025, 15:05')
    await chooseClock(page, '5:00 PM')
    expect(await read(page)).toBe('3 Jun 2025, 3:05 pm')
    await page.reload()
    expect(await read(page)).toBe('3 Jun 2025, 3:05 pm')
    const american = await browsers.enter(OWNER, { timezoneId: 'UTC', locale: 'en-US' })
    expect(await read(american.page)).toBe('Jun 3, 2025, 3:05 PM')
    await chooseClock(american.page, '17:00')
    for (const one of [page, american.page]) await expect.poll(() => read(one)).toMatch(/ 15:05$/)
    await chooseClock(page, '5:00 PM')
    await expect.poll(() => read(american.page)).toBe('Jun 3, 2025, 3:05 PM')
  })

  it('has no zero before an hour in the morning', async () => {
    const id = await say('mornings', '<time:2025-06-03T09:05:00Z>')
    const { page } = await browsers.enter(OWNER, { timezoneId: 'UTC' })
    await chooseClock(page, '5:00 PM')
    expect(await timeIn(page, 'mornings', id)).toBe('3 Jun 2025, 9:05 am')
  })
})

describe.skipIf(CHROMIUM === undefined)('a spoiler', needs(A_BROWSER, TIME), () => {
  it('opens by a button, which has no link in it', async () => {
    const id = await say('spoilers', '```spoiler See [the plan](https://example.com/)\nHidden\n```')
    const { page } = await browsers.enter(OWNER)
    await openTopic(page, 'spoilers')
    const spoiler = messageOf(page, id).locator('.spoiler-block')
    await spoiler.getByRole('link', { name: 'the plan' }).waitFor()
    expect(await spoiler.locator('button a').count()).toBe(0)
    await spoiler.getByRole('button', { name: 'See the plan' }).click()
    await spoiler.getByText('Hidden').waitFor()
  })
})

describe.skipIf(CHROMIUM === undefined)('reactions', needs(A_BROWSER, TIME), () => {
  /** Sends a message with a thumb of both people and a heart of one. */
  async function sayAndReact(topic: string): Promise<number> {
    const id = await say(topic, 'Who brings the cake?')
    for (const [name, emoji] of [
      [OWNER, 'thumbs_up'],
      [OTHER, 'thumbs_up'],
      [OTHER, 'heart'],
    ] as const) {
      const params = { message_id: id, emoji_name: emoji }
      await operate(server, await userIdOf(server, name), 'add-reaction', params)
    }
    return id
  }

  it('tell a resting finger who gave them, and stay as they are', async () => {
    const id = await sayAndReact('cakes')
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
    const { page } = await browsers.enter(OWNER, phone, hashOf('1-general', 'cakes'))
    const thumb = messageOf(page, id).locator('.reaction').first()
    const { x, y } = (await thumb.boundingBox())!
    const touch = await page.context().newCDPSession(page)
    await touch.send('Input.dispatchTouchEvent', {
      type: 'touchStart',
      touchPoints: [{ x: x + 8, y: y + 8 }],
    })
    const dialog = page.getByRole('dialog', { name: 'Reactions' })
    await dialog.waitFor()
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    const told = await dialog
      .locator('section')
      .evaluateAll((all) =>
        all.map((one) => [...one.querySelectorAll('li bdi')].map((name) => name.textContent)),
      )
    expect(told).toEqual([[OWNER, OTHER], [OTHER]])
    await dialog.getByRole('button', { name: 'Close' }).tap()
    await dialog.waitFor({ state: 'detached' })
    expect(await thumb.getAttribute('aria-pressed')).toBe('true')
    await thumb.tap()
    await expect.poll(() => thumb.getAttribute('aria-pressed')).toBe('false')
  })

  it('are listed by the menu of their message', async () => {
    const id = await sayAndReact('pies')
    const { page } = await browsers.enter(OWNER, {}, hashOf('1-general', 'pies'))
    await choose(page, id, 'Reactions')
    await page.getByRole('dialog', { name: 'Reactions' }).getByText(OTHER).first().waitFor()
  })
})
