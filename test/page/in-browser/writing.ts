import { describe, expect, it } from 'vitest'
import { ApiClient } from '../../../scripts/api-client.ts'
import { A_BROWSER, needs } from '../../support/needs.ts'
import { CHROMIUM, OWNER, operate, userIdOf } from '../open-page.ts'
import { browsers, OTHER, server, TIME } from './organization.ts'

const TOPIC = '/#narrow/channel/1-general/topic/writing'

async function say(content: string): Promise<number> {
  const { id } = await operate(server, await userIdOf(server, OTHER), 'send-message', {
    type: 'channel',
    to: ['general'],
    topic: 'writing',
    content,
    read_by_sender: true,
  })
  return Number(id)
}

describe.skipIf(CHROMIUM === undefined)('the box for writing', needs(A_BROWSER, TIME), () => {
  it('formats the selected words by buttons and keys, which can be undone', async () => {
    const { page } = await browsers.enter(OWNER, {}, TOPIC)
    const box = page.locator('.compose-text')
    await box.pressSequentially('one')
    await box.press('Control+a')
    await page.getByRole('button', { name: 'Bold' }).click()
    await expect.poll(() => box.inputValue()).toBe('**one**')
    await page.keyboard.press('Control+z')
    await expect.poll(() => box.inputValue()).toBe('one')
    await box.press('Control+a')
    await page.getByRole('button', { name: 'Bulleted list' }).click()
    await box.press('End')
    await box.press('Shift+Enter')
    await page.keyboard.type('two')
    await expect.poll(() => box.inputValue()).toBe('* one\n* two')
    const toolbar = page.getByRole('toolbar', { name: 'Formatting' })
    expect(await toolbar.locator('[tabindex="0"]').count()).toBe(1)
    await box.fill('')
  })

  it('shows what it quotes as a chip, and sends it as Markdown', async () => {
    const id = await say('The **soup** is ready')
    const { page } = await browsers.enter(OWNER, {}, TOPIC)
    await page.locator(`.message[data-id="${id}"]`).focus()
    await page.keyboard.press('>')
    const chip = page.getByRole('figure', { name: `Quote from ${OTHER}` })
    await chip.getByText('The soup is ready').waitFor()
    const box = page.locator('.compose-text')
    expect(await box.inputValue()).toBe('')
    await page.keyboard.type('Coming')
    await page.keyboard.press('Control+Enter')
    await page.locator('.message[data-id] blockquote', { hasText: 'The soup is ready' }).waitFor()
    expect(await chip.count()).toBe(0)
    const ann = await new ApiClient(server.url).logIn('ann@example.com')
    const { messages } = await ann.call<{ messages: { content: string }[] }>('GET', '/messages', {
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
      apply_markdown: false,
    })
    expect(messages[0]!.content).toMatch(/^@_\*\*.*\n```quote\nThe \*\*soup\*\* is ready\n```\nComing$/s)
  })

  it('chooses the key that sends where it sends', async () => {
    const { page } = await browsers.enter(OWNER, {}, TOPIC)
    const choose = async (name: string) => {
      await page.getByRole('button', { name: 'Send options' }).click()
      await page.getByRole('menuitemradio', { name, exact: true }).click()
    }
    const box = page.locator('.compose-text')
    await choose('Ctrl+Enter sends the message')
    await box.fill('first')
    await box.press('Enter')
    await page.keyboard.type('second')
    expect(await box.inputValue()).toBe('first\nsecond')
    await choose('Enter sends the message')
    await box.press('Enter')
    await expect.poll(() => box.inputValue()).toBe('')
    await choose('Ctrl+Enter sends the message')
  })

  it('posts a poll from a form, and starts a call', async () => {
    const { page } = await browsers.enter(OWNER, {}, TOPIC)
    const add = async (name: string) => {
      await page.getByRole('button', { name: 'Add files and more' }).click()
      await page.getByRole('menuitem', { name }).click()
    }
    await add('Poll')
    await page.getByRole('textbox', { name: 'Question' }).fill('Which pie?')
    await page.getByLabel('Option 1').fill('Apple')
    await page.getByLabel('Option 2').fill('Plum')
    await page.getByRole('button', { name: 'Post poll' }).click()
    await page
      .locator('.message[data-id]', { hasText: 'Which pie?' })
      .getByRole('button', { name: 'Plum' })
      .waitFor()
    await add('Video call')
    const box = page.locator('.compose-text')
    await expect
      .poll(() => box.inputValue())
      .toMatch(/^\[Join video call\]\(https:\/\/meet\.jit\.si\/[0-9a-f]{32}#config/)
    await box.fill('')
    await operate(server, await userIdOf(server, OWNER), 'update-realm', { video_chat_provider: 0 })
    await page.getByRole('button', { name: 'Add files and more' }).click()
    await page.getByRole('menuitem', { name: 'Poll' }).waitFor()
    await page.getByRole('menuitem', { name: 'Video call' }).waitFor({ state: 'detached' })
    await operate(server, await userIdOf(server, OWNER), 'update-realm', { video_chat_provider: 1 })
  })

  it('edits a message by the same means', async () => {
    const { page } = await browsers.enter(OWNER, {}, TOPIC)
    const box = page.locator('.compose-text')
    await box.fill('To mend')
    await box.press('Control+Enter')
    await page.locator('.message[data-id]', { hasText: 'To mend' }).waitFor()
    await box.press('ArrowUp')
    const edit = page.locator('.edit-text')
    await edit.press('Control+a')
    await page.locator('.edit-box').getByRole('button', { name: 'Strikethrough' }).click()
    await expect.poll(() => edit.inputValue()).toBe('~~To mend~~')
    await edit.press('Control+Enter')
    await page.locator('.message del', { hasText: 'To mend' }).waitFor()
  })

  it('offers channels and topics in a new message by its own suggestions', async () => {
    await say('A topic to find')
    const { page } = await browsers.enter(OWNER, {}, '/#inbox')
    await page.keyboard.press('c')
    const topic = page.getByRole('combobox', { name: 'Topic' })
    await topic.pressSequentially('writ')
    await page.locator('.compose-to').getByRole('option', { name: 'writing' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    expect(await topic.inputValue()).toBe('writing')
    await expect
      .poll(() => page.locator('.compose-text').evaluate((box) => box === document.activeElement))
      .toBe(true)
    const channel = page.getByRole('combobox', { name: 'Channel' })
    await channel.click()
    await channel.pressSequentially('gene')
    await page.keyboard.press('Enter')
    expect(await channel.inputValue()).toBe('#general')
    await topic.and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Tab')
    await page.locator('.compose-text:focus').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
  })
})
