import { describe, expect, it } from 'vitest'
import { ApiClient } from '../../../scripts/api-client.ts'
import { A_BROWSER, needs } from '../../support/needs.ts'
import { CHROMIUM, OWNER, operate, userIdOf } from '../open-page.ts'
import { browsers, OTHER, server, TIME } from './organization.ts'

const TOPIC = '/#narrow/channel/1-general/topic/frame'

describe.skipIf(CHROMIUM === undefined)('a tooltip', needs(A_BROWSER, TIME), () => {
  it('says what a button does, with its keys as caps, until a key is pressed', async () => {
    const { page } = await browsers.enter(OWNER)
    const tooltip = page.getByRole('tooltip')
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).hover()
    await tooltip.waitFor()
    expect(await tooltip.locator('kbd').allTextContents()).toEqual(['?'])
    await page.keyboard.press('Escape')
    await tooltip.waitFor({ state: 'hidden' })
    expect(await page.locator('.app-shell [title]').count()).toBe(0)
  })

  it('is shown where the focus comes by a key', async () => {
    const { page } = await browsers.enter(OWNER, {}, TOPIC)
    await page.locator('.compose-text').focus()
    await page.keyboard.press('Tab')
    await page.getByRole('tooltip').filter({ hasText: 'Add files and more' }).waitFor()
  })

  it('covers nothing that the press of its button has opened', async () => {
    const { page } = await browsers.enter(OWNER, {}, TOPIC)
    await page.getByRole('button', { name: 'Add files and more' }).click()
    await page.getByRole('menuitem', { name: 'Poll' }).waitFor()
    // The icon below the pointer may be drawn anew, or the pointer may move a little.
    await page.getByRole('button', { name: 'Add files and more' }).dispatchEvent('pointerover')
    await page.waitForTimeout(1_000)
    expect(await page.getByRole('tooltip').count()).toBe(0)
  })

  it('of the focused button stays while messages scroll and the pointer moves', async () => {
    const { page } = await browsers.enter(OWNER, {}, TOPIC)
    const tooltip = page.getByRole('tooltip').filter({ hasText: 'Add files and more' })
    await page.locator('.compose-text').focus()
    await page.keyboard.press('Tab')
    await page.mouse.move(640, 300)
    await page.locator('.sidebar').dispatchEvent('scroll')
    await tooltip.waitFor()
    await page.mouse.move(640, 200)
    await page.locator('.sidebar').dispatchEvent('scroll')
    expect(await tooltip.isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    await tooltip.waitFor({ state: 'hidden' })
  })
})

describe.skipIf(CHROMIUM === undefined)('a toast', needs(A_BROWSER, TIME), () => {
  it('goes by itself, but not while the pointer is on it', async () => {
    const { page } = await browsers.enter(OWNER, {}, TOPIC)
    await page.locator('.compose-text').fill('/dark')
    await page.keyboard.press('Escape')
    await page.locator('.compose-text').press('Control+Enter')
    const toast = page.getByRole('status').locator('.toast')
    await toast.hover()
    await page.clock.install()
    await page.clock.fastForward(60_000)
    expect(await toast.count()).toBe(1)
    await page.locator('.compose-text').hover()
    await page.clock.fastForward(60_000)
    await toast.waitFor({ state: 'detached' })
  })
})

describe.skipIf(CHROMIUM === undefined)('a new message', needs(A_BROWSER, TIME), () => {
  it('is written from the inbox by a key, and leads to its topic', async () => {
    const { page } = await browsers.enter(OWNER)
    await page.keyboard.press('c')
    await page.keyboard.type('from the inbox')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Hello')
    await page.keyboard.press('Control+Enter')
    const toast = page.locator('.toast', { hasText: 'Sent to #general › from the inbox' })
    await toast.getByRole('link', { name: 'View' }).click()
    await page.locator('.message[data-id]', { hasText: 'Hello' }).waitFor()
    await page.goto(`${server.url}/#recent`)
    await page.getByRole('button', { name: 'New message' }).click()
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Topic')
  })

  it('that was given up takes no key of the next view', async () => {
    const { page } = await browsers.enter(OWNER)
    await page.keyboard.press('c')
    await page.keyboard.press('Escape')
    await page.locator('.compose').waitFor({ state: 'detached' })
    await page.goto(`${server.url}${TOPIC}`)
    await page.locator('.compose-text').waitFor()
    expect(await page.evaluate(() => document.activeElement?.matches('input, textarea'))).toBe(false)
  })
})

describe.skipIf(CHROMIUM === undefined)('a mention', needs(A_BROWSER, TIME), () => {
  it('of everybody is suggested last, and never taken by Enter alone', async () => {
    const { page } = await browsers.enter(OWNER, {}, TOPIC)
    const box = page.locator('.compose-text')
    const suggested = page.locator('.completions .one-line:not(.soft)')
    await box.pressSequentially('@')
    await expect.poll(() => suggested.first().textContent()).toBe(OTHER)
    expect((await suggested.allTextContents()).at(-1)).toBe(OWNER)
    await box.fill('')
    await box.pressSequentially('@al')
    await expect.poll(() => suggested.allTextContents()).toEqual(['all'])
    // Enter sends what stands there.
    await box.press('Enter')
    await page.locator('.message[data-id]', { hasText: /@al$/ }).waitFor()
    expect(await box.inputValue()).toBe('')
    await box.pressSequentially('@al')
    await expect.poll(() => suggested.allTextContents()).toEqual(['all'])
    await box.press('ArrowDown')
    await box.press('Enter')
    await expect.poll(() => box.inputValue()).toBe('@**all** ')
  })
})

describe.skipIf(CHROMIUM === undefined)('Mention', needs(A_BROWSER, TIME), () => {
  it('from a view without a box begins a new message', async () => {
    const { page } = await browsers.enter(OWNER)
    await page.getByRole('button', { name: 'People', exact: true }).click()
    await page.locator('.people').getByText(OTHER).click()
    await page.getByRole('button', { name: 'Mention', exact: true }).click()
    await expect.poll(() => page.locator('.compose-text').inputValue()).toBe(`@**${OTHER}** `)
    await page.locator('.compose-text').fill('')
  })
})

describe.skipIf(CHROMIUM === undefined)('Ctrl K', needs(A_BROWSER, TIME), () => {
  it('does what can be done, opens settings, and searches messages', async () => {
    const { page } = await browsers.enter(OWNER)
    const go = async (words: string) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Go to' }).fill(words)
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: 'Go to' }).waitFor({ state: 'detached' })
    }
    await go('dark')
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset.scheme)).toBe('dark')
    await go('notif')
    await page.waitForURL(/#settings\/notifications$/)
    await go('new direct')
    await page.getByRole('combobox', { name: 'Add people' }).waitFor()
    await page.keyboard.press('Escape')
    await go('quinces')
    await page.waitForURL(/#narrow\/search\/quinces$/)
  })

  it('pressed again before it has loaded types into no field', async () => {
    const { page } = await browsers.enter(OWNER, {}, '/#narrow/channel/1-general/topic/palette')
    const box = page.locator('.compose-text')
    await box.focus()
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(/\/page\/.*\.js$/, async (route) => {
      await held
      await route.continue()
    })
    await page.keyboard.press('Control+k')
    await page.keyboard.type('inbox')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('soup')
    expect(await box.inputValue()).toBe('soup')
    release()
    await page.waitForTimeout(300)
    expect(await box.inputValue()).toBe('soup')
    expect(await page.getByRole('dialog', { name: 'Go to' }).count()).toBe(0)
    await box.fill('')
  })

  it('gives the keys back to the field from which it was opened', async () => {
    await say('filtered')
    const { page } = await browsers.enter(OWNER, {}, TOPIC)
    const field = page.getByRole('searchbox', { name: 'Filter conversations' })
    await field.pressSequentially('fil')
    for (const [typed, key] of [
      ['filt', 'Escape'],
      ['filte', 'Control+k'],
    ] as const) {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Go to' }).pressSequentially('inb')
      await page.keyboard.press(key)
      await page.getByRole('dialog', { name: 'Go to' }).waitFor({ state: 'detached' })
      await page.keyboard.type(typed.at(-1)!)
      expect(await field.inputValue()).toBe(typed)
    }
    expect(page.url()).toContain(TOPIC)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Go to' }).fill('inbox')
    await page.keyboard.press('Enter')
    await page.waitForURL(/#inbox$/)
    await page.keyboard.press('t')
    await page.waitForURL(/#recent$/)
    expect(await field.inputValue()).toBe('filte')
  })

  it('acts on what is open, and on everything', async () => {
    await say('palette')
    const { page } = await browsers.enter(OWNER, {}, '/#narrow/channel/1-general/topic/palette')
    await page.locator('.message[data-id]').first().waitFor()
    const choose = async (words: string, name: string) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Go to' }).fill(words)
      await page.getByRole('option', { name }).first().click()
      await page.getByRole('dialog', { name: 'Go to' }).waitFor({ state: 'detached' })
    }
    await choose('follow', 'Follow this topic')
    await page.getByRole('button', { name: 'Following' }).waitFor()
    await choose('unfollow', 'Unfollow this topic')
    await page.getByRole('button', { name: 'Follow', exact: true }).waitFor()
    await choose('theme', 'Switch to dark mode')
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset.scheme)).toBe('dark')
    await say('left unread')
    for (const words of ['mark all', 'everything']) {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Go to' }).fill(words)
      await page.getByRole('option', { name: 'Mark all as read' }).waitFor()
      await page.keyboard.press('Escape')
    }
    await choose('mark', 'Mark all as read')
    await page.locator('.toast', { hasText: 'marked as read' }).waitFor()
    await choose('set a status', 'Set a status')
    await page.getByRole('dialog', { name: 'Status' }).waitFor()
  })

  it('finds messages by their words, and topics and settings by their names', async () => {
    await say('persimmons')
    const { page } = await browsers.enter(OWNER)
    const options = page.getByRole('option')
    await page.keyboard.press('Control+k')
    const box = page.getByRole('combobox', { name: 'Go to' })
    await box.fill('two-step')
    await options.filter({ hasText: 'Security' }).first().waitFor()
    await box.fill('about persim')
    await options.filter({ hasText: 'Bea: About persimmons' }).click()
    await page.waitForURL(/topic\/persimmons\/near\/\d+$/)
  })
})

describe.skipIf(CHROMIUM === undefined)('keys in the inbox', needs(A_BROWSER, TIME), () => {
  it('go through its rows, open one, and mark one as read', async () => {
    for (const topic of ['row one', 'row two']) await say(topic)
    const { page } = await browsers.enter(OWNER)
    const rows = page.getByRole('main').locator('.inbox-link')
    const chosen = () => page.evaluate(() => document.activeElement?.textContent ?? '')
    await rows.filter({ hasText: 'row two' }).waitFor()
    await page.keyboard.press('j')
    expect(await chosen()).toContain('row two')
    await page.keyboard.press('ArrowDown')
    expect(await chosen()).toContain('row one')
    await page.keyboard.press('k')
    await page.keyboard.press('e')
    await rows.filter({ hasText: 'row two' }).waitFor({ state: 'detached' })
    expect(await chosen()).toContain('row one')
    await page.keyboard.press('Enter')
    await page.locator('.message[data-id]', { hasText: 'About row one' }).waitFor()
  })
})

describe.skipIf(CHROMIUM === undefined)('shortcuts of one key', needs(A_BROWSER, TIME), () => {
  it('can be switched off, and stay off', async () => {
    const { page } = await browsers.enter(OWNER)
    await page.keyboard.press('?')
    await page.getByLabel('Single-key shortcuts').uncheck()
    await page.keyboard.press('Escape')
    await page.reload()
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await page.keyboard.press('t')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Go to' }).waitFor()
    expect(page.url()).toMatch(/\/$/)
  })
})

describe.skipIf(CHROMIUM === undefined)('a shortcut', needs(A_BROWSER, TIME), () => {
  it('is another key if one is chosen, and none if it is removed', async () => {
    const { page } = await browsers.enter(OWNER, {}, '/#settings/keyboard')
    const dialog = page.getByRole('dialog', { name: 'Recent conversations' })
    await page.getByRole('button', { name: 'Recent conversations: t. Change' }).click()
    await page.locator('.keyboard-wait:focus').waitFor()
    await page.keyboard.press('d')
    await dialog.getByText('Already used for “Later”').waitFor()
    await dialog.getByRole('button', { name: 'Replace' }).click()
    await page.getByRole('button', { name: 'Later: choose a shortcut' }).waitFor()
    await page.getByRole('button', { name: 'Remove ? for Keyboard shortcuts' }).click()
    await page.goto(`${server.url}/#inbox`)
    await page.reload()
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await page.keyboard.press('t')
    await page.keyboard.press('?')
    await page.keyboard.press('d')
    await page.waitForURL(/#recent$/)
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    const keysOf = (name: string) =>
      sheet
        .locator('dl > div', { has: page.getByText(name, { exact: true }) })
        .locator('dt')
        .textContent()
    expect(await keysOf('Recent conversations')).toBe('d')
    expect(await keysOf('Keyboard shortcuts')).toBe('None')
    await sheet.getByRole('button', { name: 'Change shortcuts' }).click()
    await page.getByRole('button', { name: 'Reset all shortcuts' }).click()
    await page.getByRole('button', { name: 'Later: d. Change' }).waitFor()
  })

  it('cannot be one that the browser has', async () => {
    const { page } = await browsers.enter(OWNER, {}, '/#settings/keyboard')
    await page.getByRole('button', { name: 'Inbox: i. Change' }).click()
    await page.locator('.keyboard-wait:focus').waitFor()
    await page.keyboard.press('Control+c')
    await page.getByText('Your browser uses this one').waitFor()
    expect(await page.getByRole('dialog').getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
  })
})

describe.skipIf(CHROMIUM === undefined)('the card of a person', needs(A_BROWSER, TIME), () => {
  it('mutes them, with a way back, and leads administrators to their account', async () => {
    const { page } = await browsers.enter(OWNER, {}, '/#narrow/channel/1-general')
    const card = page.getByRole('dialog', { name: OTHER })
    const open = () => page.locator('.people').getByText(OTHER).click()
    await open()
    await card.getByRole('button', { name: 'Mute this person' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await open()
    await card.getByRole('button', { name: 'Mute this person' }).waitFor()
    await card.getByRole('link', { name: 'Manage account' }).click()
    await page.getByRole('dialog', { name: OTHER }).getByLabel('Name', { exact: true }).waitFor()
  })

  it('lets members manage no other accounts', async () => {
    const { page } = await browsers.enter(OTHER, {}, '/#narrow/channel/1-general')
    await page.locator('.people').getByText(OWNER, { exact: true }).click()
    const card = page.getByRole('dialog', { name: OWNER })
    await card.getByRole('button', { name: 'Copy link to profile' }).waitFor()
    expect(await card.getByRole('link', { name: 'Manage account' }).count()).toBe(0)
  })
})

describe.skipIf(CHROMIUM === undefined)('the menu of the organization', needs(A_BROWSER, TIME), () => {
  it('invites for those who may, and keeps a list of others in this browser', async () => {
    const { page } = await browsers.enter(OWNER)
    const name = page.locator('.top-bar-name')
    await name.click()
    await page.getByRole('menuitem', { name: 'Invite people' }).waitFor()
    await page.getByRole('menuitem', { name: 'Add or remove organizations' }).click()
    const dialog = page.getByRole('dialog', { name: 'Your organizations' })
    const add = async (address: string, title: string) => {
      await dialog.getByLabel('Address').fill(address)
      await dialog.getByLabel('Name').fill(title)
      await dialog.getByRole('button', { name: 'Add organization' }).click()
    }
    await add('javascript:alert(1)', 'Trap')
    await dialog.getByText('Enter an address like').waitFor()
    await add(server.url, 'Here')
    await dialog.getByText('already in this organization').waitFor()
    await add('chat.example.com/path?x', 'Elsewhere')
    await dialog.getByRole('link', { name: 'Elsewhere' }).waitFor()
    await page.reload()
    await name.click()
    const item = page.getByRole('menuitem', { name: 'Elsewhere' })
    expect(await item.getAttribute('href')).toBe('https://chat.example.com')
    await page.getByRole('menuitem', { name: 'Add or remove organizations' }).click()
    await dialog.getByRole('button', { name: 'Remove Elsewhere' }).click()
    await dialog.getByRole('link', { name: 'Elsewhere' }).waitFor({ state: 'detached' })
  })

  it('offers members the settings of their own alone', async () => {
    const { page } = await browsers.enter(OTHER)
    await page.locator('.top-bar-name').click()
    await page.getByRole('menuitem', { name: 'Settings', exact: true }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'Organization settings' }).count()).toBe(0)
  })
})

describe.skipIf(CHROMIUM === undefined)('the title of the window', needs(A_BROWSER, TIME), () => {
  it('names each view, and counts what is for oneself', async () => {
    await say('not for Ann')
    const { page } = await browsers.enter(OWNER, {}, '/#channels/1/general')
    await expect.poll(() => page.title()).toBe('#general · localhost')
    const bea = await userIdOf(server, OTHER)
    const ann = await userIdOf(server, OWNER)
    await operate(server, bea, 'send-message', { type: 'direct', to: [ann], content: 'For Ann' })
    await expect.poll(() => page.title()).toBe('#general · localhost (1)')
    await page.goto(`${server.url}/#user/${bea}`)
    await expect.poll(() => page.title()).toBe(`${OTHER} · localhost (1)`)
  })
})

describe.skipIf(CHROMIUM === undefined)('the text size', needs(A_BROWSER, TIME), () => {
  it('follows its setting at once', async () => {
    const { page } = await browsers.enter(OTHER, {}, '/#settings/preferences')
    const size = () => page.evaluate(() => getComputedStyle(document.body).fontSize)
    const choice = page.getByRole('combobox', { name: 'Text size' })
    await choice.waitFor()
    expect(await size()).toBe('15px')
    await choice.selectOption({ label: 'Very large' })
    await expect.poll(size).toBe('18.75px')
    await choice.selectOption({ label: 'Normal' })
    await expect.poll(size).toBe('15px')
  })
})

describe.skipIf(CHROMIUM === undefined)('the density', needs(A_BROWSER, TIME), () => {
  it('follows its setting at once, in lines and in the sidebar', async () => {
    const { page } = await browsers.enter(OTHER, {}, '/#settings/preferences')
    const beside = await browsers.enter(OTHER)
    const heights = () =>
      beside.page.evaluate(() => [
        Number.parseFloat(getComputedStyle(document.body).lineHeight),
        document.querySelector('.sidebar-row')!.getBoundingClientRect().height,
      ])
    const choice = page.getByRole('combobox', { name: 'Density' })
    await choice.waitFor()
    const [usualLine, usualRow] = await heights()
    await choice.selectOption({ label: 'Compact' })
    await expect.poll(async () => (await heights())[0]).toBeLessThan(usualLine!)
    expect((await heights())[1]).toBeLessThan(usualRow!)
    await choice.selectOption({ label: 'Spacious' })
    await expect.poll(async () => (await heights())[0]).toBeGreaterThan(usualLine!)
    await choice.selectOption({ label: 'Comfortable' })
    await expect.poll(heights).toEqual([usualLine, usualRow])
  })
})

describe.skipIf(CHROMIUM === undefined)('the width', needs(A_BROWSER, TIME), () => {
  it('of conversations follows its setting and its commands', async () => {
    const large = { viewport: { width: 1_800, height: 800 } }
    const { page } = await browsers.enter(OTHER, large, '/#narrow/channel/1-general/topic/width')
    const box = page.locator('.compose-inner')
    const width = async () => Math.round((await box.boundingBox())?.width ?? 0)
    const usual = await width()
    expect(usual).toBeLessThan(900)
    await page.locator('.compose-text').fill('/fluid-width')
    await page.keyboard.press('Control+Enter')
    await expect.poll(width).toBeGreaterThan(1_200)
    await page.goto(page.url().replace(/#.*/, '#settings/preferences'))
    await page.getByRole('switch', { name: 'Use the full width of the window' }).uncheck()
    await page.goBack()
    await expect.poll(width).toBe(usual)
  })
})

describe.skipIf(CHROMIUM === undefined)('the sidebar', needs(A_BROWSER, TIME), () => {
  it('has a menu for each row, by its button or a right click', async () => {
    await say('for menus')
    const { page } = await browsers.enter(OWNER, {}, TOPIC)
    const topic = page.locator('.sidebar-line', { hasText: 'for menus' })
    await topic.click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Mark as read' }).click()
    await expect.poll(() => topic.locator('.count').count()).toBe(0)
    await topic.hover()
    await topic.getByRole('button', { name: 'More options for for menus' }).click()
    await page.getByRole('menuitemradio', { name: 'Follow' }).click()
    await expect.poll(() => topic.locator('.icon').count()).toBe(2)
    const channel = page.locator('.sidebar-line', { hasText: 'general' })
    await channel.click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Pin channel' }).click()
    await page.getByRole('button', { name: 'Pinned channels' }).waitFor()
  })

  it('has the same menu for a finger that rests on a row', async () => {
    await say('for fingers')
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
    const { page } = await browsers.enter(OWNER, phone, TOPIC)
    const address = page.url()
    await page.getByRole('button', { name: 'Navigation' }).tap()
    const row = page.locator('.sidebar-line', { hasText: 'for fingers' })
    const { x, y } = (await row.boundingBox())!
    const touch = await page.context().newCDPSession(page)
    const touchPoints = [{ x: x + 60, y: y + 12 }]
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
    const menu = page.getByRole('menu', { name: 'More options for #general › for fingers' })
    await menu.waitFor()
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await page.waitForTimeout(300)
    expect(page.url()).toBe(address)
    await menu.getByRole('menuitemradio', { name: 'Follow' }).tap()
    await menu.waitFor({ state: 'detached' })
    await expect.poll(() => row.locator('.icon').count()).toBe(2)
    await row.tap()
    await page.waitForURL(/topic\/for\.20fingers/)
  })

  it('shows what fits a filter, and which conversations have drafts', async () => {
    await say('apples')
    await say('pears')
    const { page } = await browsers.enter(OWNER, {}, '/#narrow/channel/1-general/topic/apples')
    const rows = page.locator('.sidebar-topics .sidebar-row')
    await page.locator('.compose-text').fill('Half a thought about apples')
    await rows.filter({ hasText: 'apples' }).getByRole('img', { name: 'Has a draft' }).waitFor()
    await page.getByRole('searchbox', { name: 'Filter conversations' }).fill('pea')
    await expect.poll(() => rows.allTextContents()).toEqual([expect.stringContaining('pears')])
    await page.locator('.compose-text').fill('')
  })

  it('is made wider by hand, and stays so', async () => {
    const { page } = await browsers.enter(OWNER)
    const width = () => page.locator('.sidebar').evaluate((sidebar) => sidebar.clientWidth)
    const before = await width()
    await page.getByRole('separator', { name: 'Sidebar width' }).press('ArrowRight')
    await expect.poll(width).toBe(before + 16)
    await page.reload()
    await page.locator('.sidebar').waitFor()
    expect(await width()).toBe(before + 16)
  })

  it('orders channels by hand: by keys, by its menus and by dragging', async () => {
    // Neighbours, whatever other tests have made.
    const trees = ['grove alder', 'grove birch', 'grove cedar']
    const ann = await new ApiClient(server.url).logIn('ann@example.com')
    const subscribers = [await userIdOf(server, OWNER)]
    for (const name of trees) await ann.call('POST', '/channels/create', { name, subscribers })
    const { page } = await browsers.enter(OWNER)
    const names = async () => {
      const all = await page.locator('.sidebar-channel .one-line').allTextContents()
      return all.filter((name) => trees.includes(name))
    }
    const channel = (name: string) => page.locator('.sidebar-channel', { hasText: name })
    await channel('grove cedar').focus()
    await page.keyboard.press('Alt+ArrowUp')
    await page.locator('.toast', { hasText: 'Channels are now in your order' }).waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('grove cedar')
    await expect.poll(names).toEqual(['grove alder', 'grove cedar', 'grove birch'])
    await channel('grove alder').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Move down' }).click()
    await expect.poll(names).toEqual(['grove cedar', 'grove alder', 'grove birch'])
    await channel('grove birch').dragTo(channel('grove cedar'), { targetPosition: { x: 60, y: 3 } })
    const order = ['grove birch', 'grove cedar', 'grove alder']
    await expect.poll(names).toEqual(order)
    await page.reload()
    await channel('grove birch').waitFor()
    expect(await names()).toEqual(order)
  })

  it('marks a channel that is not open and has a draft', async () => {
    await say('quinces')
    const { page } = await browsers.enter(OWNER, {}, '/#narrow/channel/1-general/topic/quinces')
    await page.locator('.compose-text').fill('Half a thought about quinces')
    await page.locator('.sidebar-topics').getByRole('img', { name: 'Has a draft' }).waitFor()
    await page.evaluate(() => {
      location.hash = '#inbox'
    })
    const general = page.locator('.sidebar-channel', { hasText: 'general' })
    await general.getByRole('img', { name: 'Has a draft' }).waitFor()
    await page.goto(`${server.url}/#narrow/channel/1-general/topic/quinces`)
    await page.locator('.compose-text').fill('')
  })

  it('leads to all that is for later', async () => {
    const { page } = await browsers.enter(OWNER)
    await page
      .locator('.sidebar')
      .getByRole('link', { name: /^Later/ })
      .click()
    await page.getByRole('heading', { name: 'Later' }).waitFor()
  })

  it('leaves the column of people open or closed, beside a channel and elsewhere', async () => {
    const { page } = await browsers.enter(OWNER)
    const people = page.locator('.people')
    const toggle = page.getByRole('button', { name: 'People', exact: true })
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    expect(await people.count()).toBe(0)
    await toggle.click()
    await people.waitFor()
    await page.goto(`${server.url}/#narrow/channel/1-general`)
    await page.locator('.view-head-members').waitFor()
    await toggle.click()
    await people.waitFor({ state: 'detached' })
    await page.reload()
    await page.locator('.view-head-members').waitFor()
    expect(await people.count()).toBe(0)
    await page.goto(`${server.url}/#inbox`)
    await people.waitFor()
  })
})

async function say(topic: string): Promise<void> {
  const other = await userIdOf(server, OTHER)
  await operate(server, other, 'send-message', {
    type: 'channel',
    to: ['general'],
    topic,
    content: `About ${topic}`,
    read_by_sender: true,
  })
}
