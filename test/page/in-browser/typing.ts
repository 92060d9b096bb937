import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ApiClient } from '../../../scripts/api-client.ts'
import { isOfComposition } from '../../../web/ui/composition.ts'
import { A_BROWSER, needs } from '../../support/needs.ts'
import { CHROMIUM, OWNER, operate, userIdOf } from '../open-page.ts'
import { browsers, OTHER, server, TIME } from './organization.ts'

const TOPIC = '/#narrow/channel/1-general/topic/typing'

const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] }
/** A picture of one pixel, in base64. */
const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

/** A draft is sent to the server a while after the last key. */
const SAVED = { timeout: 10_000 }

describe('a key belongs to an input method', () => {
  it.each([
    ['while it composes', { isComposing: true, key: 'Enter', keyCode: 13 }, true],
    ['by the name Process', { isComposing: false, key: 'Process', keyCode: 0 }, true],
    ['by its code after the end', { isComposing: false, key: 'Enter', keyCode: 229 }, true],
    ['and no other does', { isComposing: false, key: 'Enter', keyCode: 13 }, false],
  ])('%s', (_, event, isIt) => {
    expect(isOfComposition(event)).toBe(isIt)
  })
})

describe.skipIf(CHROMIUM === undefined)('a draft', needs(A_BROWSER, TIME), () => {
  it('is sent to the server once, although its conversation is left at once', async () => {
    const ann = await new ApiClient(server.url).logIn('ann@example.com')
    const contents = async () =>
      ((await ann.call('GET', '/drafts')).drafts as { content: string }[]).map(({ content }) => content)
    const { page } = await browsers.enter(OWNER, {}, TOPIC)
    const box = page.locator('.compose-text')
    await box.fill('Half a sentence')
    await page.evaluate(() => {
      location.hash += '-elsewhere'
    })
    await expect.poll(() => box.inputValue()).toBe('')
    await expect.poll(contents, SAVED).toEqual(['Half a sentence'])
    await page.goBack()
    await expect.poll(() => box.inputValue()).toBe('Half a sentence')
    await box.press('End')
    await box.pressSequentially(', and the rest')
    await expect.poll(contents, SAVED).toEqual(['Half a sentence, and the rest'])
    await box.fill('')
    await expect.poll(contents, SAVED).toEqual([])
  })
})

describe.skipIf(CHROMIUM === undefined)('a draft in two tabs', needs(A_BROWSER, TIME), () => {
  it('is one, with the words that were typed last', async () => {
    const ann = await new ApiClient(server.url).logIn('ann@example.com')
    const contents = async () =>
      ((await ann.call('GET', '/drafts')).drafts as { content: string }[]).map(({ content }) => content)
    const { page } = await browsers.enter(OWNER, {}, `${TOPIC}-in-two-tabs`)
    const other = await page.context().newPage()
    await other.goto(page.url())
    const [here, there] = [page, other].map((tab) => tab.locator('.compose-text')) as [Locator, Locator]
    await there.waitFor()
    await here.fill('Begun here')
    await expect.poll(() => there.inputValue()).toBe('Begun here')
    await there.press('End')
    await there.pressSequentially(', continued there')
    await expect.poll(() => here.inputValue()).toBe('Begun here, continued there')
    await here.press('End')
    await here.pressSequentially(', ended here')
    await expect.poll(() => there.inputValue()).toBe('Begun here, continued there, ended here')
    await expect.poll(contents, SAVED).toEqual(['Begun here, continued there, ended here'])
    await there.press('End')
    await there.pressSequentially('.')
    await expect.poll(contents, SAVED).toEqual(['Begun here, continued there, ended here.'])
    await other.getByRole('button', { name: 'Send', exact: true }).click()
    await expect.poll(() => here.inputValue()).toBe('')
    await expect.poll(contents, SAVED).toEqual([])
  })
})

describe.skipIf(CHROMIUM === undefined)('a draft that was deleted elsewhere', needs(A_BROWSER, TIME), () => {
  it('is saved anew with what is written next', async () => {
    const ann = await new ApiClient(server.url).logIn('ann@example.com')
    const drafts = async () => (await ann.call('GET', '/drafts')).drafts as { id: number; content: string }[]
    const contents = async () => (await drafts()).map(({ content }) => content)
    const { page, complaints } = await browsers.enter(OWNER, {}, TOPIC)
    await page.locator('.compose-text').fill('Begun')
    await expect.poll(contents, SAVED).toEqual(['Begun'])
    await page
      .locator('.sidebar')
      .getByRole('link', { name: /^Later \d/ })
      .waitFor()
    for (const { id } of await drafts()) await ann.call('DELETE', `/drafts/${id}`)
    await page.locator('.compose-text').fill('Begun again')
    await expect.poll(contents, SAVED).toEqual(['Begun again'])
    expect(complaints.splice(0).filter((text) => !text.includes('404'))).toEqual([])
    await page.locator('.compose-text').fill('')
    await expect.poll(contents, SAVED).toEqual([])
  })
})

describe.skipIf(CHROMIUM === undefined)('Enter that ends a composition', needs(A_BROWSER, TIME), () => {
  it('sends no message, and picks no suggestion', async () => {
    const { page } = await browsers.enter(OWNER, {}, TOPIC)
    const box = page.locator('.compose-text')
    await box.fill('@Be')
    await page.locator('.completion').first().waitFor()
    await endComposition(page)
    expect(await box.inputValue()).toBe('@Be')
    await page.keyboard.press('Enter')
    await expect.poll(() => box.inputValue()).toBe(`@**${OTHER}** `)
    await endComposition(page, { ctrlKey: true })
    expect(await box.inputValue()).toBe(`@**${OTHER}** `)
    expect(await page.locator('.message').count()).toBe(0)
    await page.keyboard.press('Control+Enter')
    await page.locator('.message[data-id]').waitFor()
  })

  it('saves no edit, starts no search, and goes nowhere', async () => {
    const { page } = await browsers.enter(OWNER, {}, TOPIC)
    await operate(server, await userIdOf(server, OWNER), 'send-message', {
      type: 'channel',
      to: ['general'],
      topic: 'typing',
      content: 'Soup',
      read_by_sender: true,
    })
    await page.locator('.message[data-id]', { hasText: 'Soup' }).waitFor()
    await page.locator('.compose-text').press('ArrowUp')
    await page.locator('.edit-box textarea').fill('Stew')
    await endComposition(page, { ctrlKey: true })
    expect(await page.locator('.edit-box').count()).toBe(1)
    await page.keyboard.press('Control+Enter')
    await page.locator('.message[data-id]', { hasText: 'Stew' }).waitFor()

    const address = page.url()
    await page.getByRole('combobox', { name: 'Search' }).fill('stew')
    await endComposition(page)
    expect(page.url()).toBe(address)
    await page.keyboard.press('Enter')
    await page.waitForURL(/search/)

    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Go to' }).fill('inbox')
    await endComposition(page)
    expect(await page.getByRole('dialog', { name: 'Go to' }).count()).toBe(1)
    await page.keyboard.press('Enter')
    await page.waitForURL(/#inbox/)
  })

  it('is taken for one by Chromium’s own events', async () => {
    const { page } = await browsers.enter(OWNER, {}, `${TOPIC}-2`)
    const box = page.locator('.compose-text')
    await box.focus()
    const session = await page.context().newCDPSession(page)
    await session.send('Input.imeSetComposition', { text: 'にほん', selectionStart: 3, selectionEnd: 3 })
    const enter = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, modifiers: 2 } as const
    await session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...enter })
    await session.send('Input.insertText', { text: '日本' })
    await session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...enter })
    expect(await box.inputValue()).toBe('日本')
    expect(await page.locator('.message').count()).toBe(0)
  })
})

/** Ends a composition in the focused field with Enter, in the order of events of each browser. */
async function endComposition(page: Page, keys: { readonly ctrlKey?: boolean } = {}): Promise<void> {
  await page.evaluate((held) => {
    const field = document.activeElement!
    const enter = (init: KeyboardEventInit) =>
      field.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...held, ...init }))
    const end = () => field.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }))
    const begin = () => field.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }))
    begin()
    enter({ key: 'Enter', keyCode: 229, isComposing: true })
    end()
    begin()
    enter({ key: 'Process', keyCode: 229, isComposing: true })
    end()
    begin()
    end()
    enter({ key: 'Enter', keyCode: 229, isComposing: false })
  }, keys)
}

describe.skipIf(CHROMIUM === undefined)('Enter in the search box', needs(A_BROWSER, TIME), () => {
  it('takes the suggestion for a name, and leaves the keys to the box', async () => {
    const { page } = await browsers.enter(OWNER, {}, TOPIC)
    const field = page.getByRole('combobox', { name: 'Search' })
    await field.fill('sender:be')
    await page.getByRole('option', { name: OTHER, selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/#narrow\/sender\//)
    expect(await field.inputValue()).toBe(`sender:"${OTHER}"`)
    await page.keyboard.type(' relics')
    expect(await field.inputValue()).toBe(`sender:"${OTHER}" relics`)
    await page.keyboard.press('Enter')
    await page.waitForURL(/#narrow\/sender\/.*\/search\/relics/)
    expect(await page.locator('.compose').getByRole('textbox').count()).toBe(0)
  })

  it('goes to a channel that is named, where keys are shortcuts again', async () => {
    const { page } = await browsers.enter(OWNER)
    await page.getByRole('combobox', { name: 'Search' }).fill('channel:gen')
    await page.keyboard.press('Enter')
    await page.waitForURL(/#narrow\/channel\/1-general/)
    await page.locator('.message[data-id]').first().waitFor()
    await page.keyboard.press('i')
    await page.waitForURL(/#inbox/)
  })
})

describe.skipIf(CHROMIUM === undefined)('a paste into the box', needs(A_BROWSER, TIME), () => {
  it('of cells with their picture is the cells', async () => {
    const { page } = await browsers.enter(OWNER, CLIPBOARD, `${TOPIC}-3`)
    const box = page.locator('.compose-text')
    await box.focus()
    await copy(page, {
      'text/plain': 'Monday\t3',
      'text/html': '<td>Monday</td><td>3</td>',
      'image/png': DOT,
    })
    await page.keyboard.press('Control+v')
    await expect.poll(() => box.inputValue()).toBe('Monday\t3')
    expect(await page.locator('.upload').count()).toBe(0)
    await box.fill('')
    await copy(page, { 'image/png': DOT })
    await page.keyboard.press('Control+v')
    await page.locator('.file-chip', { hasText: 'image.png' }).locator('img').waitFor()
    expect(await box.inputValue()).toBe('')
    await page.getByRole('button', { name: 'Remove image.png' }).click()
  })

  it('of HTML alone is its Markdown', async () => {
    const { page } = await browsers.enter(OWNER, CLIPBOARD, `${TOPIC}-3`)
    const box = page.locator('.compose-text')
    await box.fill('')
    await copy(page, { 'text/html': '<h1>To do</h1><ul><li>sweep</li><li>lock <b>up</b></li></ul>' })
    await page.keyboard.press('Control+v')
    await expect.poll(() => box.inputValue()).toBe('**To do**\n\n* sweep\n* lock **up**')
  })

  it('of an address makes a link of the selection, which can be undone', async () => {
    const { page } = await browsers.enter(OWNER, CLIPBOARD, `${TOPIC}-3`)
    const box = page.locator('.compose-text')
    await box.fill('')
    await box.pressSequentially('See the list')
    await box.evaluate((element: HTMLTextAreaElement) => element.setSelectionRange(4, 12))
    await copy(page, { 'text/plain': 'https://a.example/list' })
    await page.keyboard.press('Control+v')
    await expect.poll(() => box.inputValue()).toBe('See [the list](https://a.example/list)')
    await page.keyboard.press('Control+z')
    await expect.poll(() => box.inputValue()).toBe('See the list')
  })

  it('of an address is the text that a linkifier links, which can be undone', async () => {
    const linkifier = {
      pattern: '#(?P<id>[0-9]+)',
      url_template: 'https://a.example/issues/{id}',
      example_input: '#1',
      reverse_template: '#{id}',
    }
    await operate(server, await userIdOf(server, OWNER), 'add-linkifier', linkifier)
    const { page } = await browsers.enter(OWNER, CLIPBOARD, `${TOPIC}-3`)
    const box = page.locator('.compose-text')
    await box.fill('')
    await box.pressSequentially('Look at ')
    await copy(page, { 'text/plain': 'https://a.example/issues/77' })
    await page.keyboard.press('Control+v')
    await expect.poll(() => box.inputValue()).toBe('Look at #77')
    await page.keyboard.press('Control+z')
    await expect.poll(() => box.inputValue()).toBe('Look at https://a.example/issues/77')
    await copy(page, { 'text/plain': 'https://a.example/issues/none' })
    await page.keyboard.press('Control+v')
    await expect.poll(() => box.inputValue()).toMatch(/none$/)
  })
})

describe.skipIf(CHROMIUM === undefined)('what is dropped', needs(A_BROWSER, TIME), () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-dropped-'))
  beforeAll(() => writeFileSync(join(folder, 'list.txt'), 'a list'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const file = { files: [join(folder, 'list.txt')] }
  const link = { 'text/uri-list': 'https://a.example/' }

  it('on the messages is attached; beside them it opens nothing', async () => {
    const { page } = await browsers.enter(OWNER, {}, `${TOPIC}-4`)
    const address = page.url()
    const box = page.locator('.compose-text')
    await box.waitFor()
    for (const target of ['.sidebar', '.top-bar', '.people']) await drop(page, target, file)
    for (const target of ['.sidebar', '.messages-frame']) await drop(page, target, link)
    for (const target of ['.messages-frame', '.compose-box']) {
      await drop(page, target, file)
      await page.locator('.file-chip', { hasText: 'list.txt' }).waitFor()
      expect(await box.inputValue()).toBe('')
      await page.getByRole('button', { name: 'Remove list.txt' }).click()
      await page.locator('.file-chip').waitFor({ state: 'detached' })
    }
    expect(
      page
        .context()
        .pages()
        .map((one) => one.url()),
    ).toEqual([address])
  })
})

/** Puts values into the clipboard, by their type; a picture in base64. */
async function copy(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  await page.evaluate(async (given) => {
    const blobs = Object.entries(given).map(([type, value]) => {
      const bytes = type.startsWith('image/')
        ? Uint8Array.from(atob(value), (sign) => sign.charCodeAt(0))
        : value
      return [type, new Blob([bytes], { type })] as const
    })
    await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(blobs))])
  }, values)
}

interface Dragged {
  /** Their paths. */
  readonly files?: string[]
  readonly 'text/uri-list'?: string
}

/** Drags something into the page and drops it, as the browser would: it would open what no element takes. */
async function drop(page: Page, target: string, dragged: Dragged): Promise<void> {
  const at = await page.locator(target).first().boundingBox()
  const session = await page.context().newCDPSession(page)
  const data = {
    items: Object.entries(dragged).flatMap(([mimeType, value]) =>
      mimeType === 'files' ? [] : [{ mimeType, data: String(value) }],
    ),
    files: dragged.files ?? [],
    dragOperationsMask: 1,
  }
  const [x, y] = [at!.x + at!.width / 2, at!.y + at!.height / 2]
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x, y, data })
  await session.detach()
}
