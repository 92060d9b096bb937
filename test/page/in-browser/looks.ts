import { describe, expect, it } from 'vitest'
import { ApiClient } from '../../../scripts/api-client.ts'
import { readJson } from '../../support/json.ts'
import { A_BROWSER, needs } from '../../support/needs.ts'
import { hashOf, messageOf } from '../in-conversation.ts'
import { CHROMIUM, OWNER, operate, untilStill, userIdOf } from '../open-page.ts'
import { browsers, OTHER, server, TIME } from './organization.ts'

async function say(topic: string, content: string, ago = 0): Promise<number> {
  const response = await fetch(`${server.url}/dev/run`, {
    method: 'POST',
    body: JSON.stringify({
      calls: [
        {
          operation: 'send-message',
          user_id: await userIdOf(server, OTHER),
          params: { type: 'channel', to: ['general'], topic, content },
          now: Math.floor(Date.now() / 1_000) - ago,
        },
      ],
    }),
  })
  const { answers } = await readJson<{ answers: { value: { id: number } }[] }>(response)
  return answers[0]!.value.id
}

const lines = (count: number, word: string) =>
  Array.from({ length: count }, (_, at) => `${word} ${at}`).join('\n')

describe.skipIf(CHROMIUM === undefined)('a conversation', needs(A_BROWSER, TIME), () => {
  it('sends by Enter in a new organization, as a line below the empty box says', async () => {
    await say('enter', 'Begin here')
    const { page } = await browsers.enter(OWNER, {}, hashOf('1-general', 'enter'))
    const box = page.locator('.compose-text')
    const hint = page.getByText('Enter to send · Shift+Enter for a new line')
    await box.waitFor()
    expect(await hint.isVisible()).toBe(false)
    await box.focus()
    await hint.waitFor()
    const top = (await box.boundingBox())!.y
    await box.pressSequentially('Sent by a key')
    expect(await hint.isVisible()).toBe(false)
    expect((await box.boundingBox())!.y).toBe(top)
    await box.press('Enter')
    await page.locator('.message[data-id]', { hasText: 'Sent by a key' }).waitFor()
    expect(await box.inputValue()).toBe('')
  })

  it('shows the notice of its resolution to a reader at the end', async () => {
    for (let at = 0; at < 12; at += 1) await say('to resolve', lines(4, `Story ${at}`))
    const { page } = await browsers.enter(OWNER, {}, hashOf('1-general', 'to%20resolve'))
    await page.locator('.message[data-id]').first().waitFor()
    await page.locator('.messages').focus()
    await page.keyboard.press('End')
    await untilStill(page)
    await page.getByRole('button', { name: 'Resolve', exact: true }).click()
    const notice = page.locator('.message[data-id]', { hasText: 'resolved' }).last()
    await notice.waitFor()
    await untilStill(page)
    const [row, list] = [(await notice.boundingBox())!, (await page.locator('.messages').boundingBox())!]
    expect(row.y + row.height).toBeLessThanOrEqual(list.y + list.height)
    expect(await page.locator('.jump-pill').count()).toBe(0)
  })

  it('names the day of old messages only while the reader scrolls', async () => {
    for (let at = 0; at < 30; at += 1) await say('old days', lines(3, `Old ${at}`), 3 * 86_400)
    const { page } = await browsers.enter(OWNER, {}, hashOf('1-general', 'old%20days'))
    await page.locator('.message[data-id]').first().waitFor()
    await untilStill(page)
    const day = page.locator('.day-in-view')
    await page.locator('.messages').focus()
    await page.keyboard.press('End')
    await page.locator('.day-in-view-shown').waitFor({ state: 'detached' })
    await untilStill(page)
    await page.locator('.messages').hover()
    await page.mouse.wheel(0, -300)
    await page.locator('.day-in-view-shown > span').waitFor()
    const [shown, list] = [
      (await day.locator('span').boundingBox())!,
      (await page.locator('.messages').boundingBox())!,
    ]
    expect(Math.abs(shown.x + shown.width / 2 - (list.x + list.width / 2))).toBeLessThan(12)
    await page.locator('.day-in-view-shown > span').waitFor({ state: 'detached' })
    // Beside the line that says the same, there is none.
    await page.locator('.messages').evaluate((view) => view.scrollTo(0, 10))
    await page.waitForTimeout(100)
    expect(await day.count()).toBe(0)
  })

  it('folds a long message, and unfolds it where the reader’s eyes are', async () => {
    const short = await say('long', 'A short one')
    const long = await say('long', lines(60, 'Line'))
    const code = await say('long', `\`\`\`python\n${lines(25, 'x = ')}\n\`\`\``)
    const few = await say('long', `\`\`\`python\n${lines(15, 'x = ')}\n\`\`\``)
    const { page } = await browsers.enter(OWNER, {}, hashOf('1-general', 'long'))
    await messageOf(page, few).waitFor()
    await page.locator('.messages').focus()
    await page.keyboard.press('End')
    await untilStill(page)
    const heightOf = async (id: number) =>
      (await messageOf(page, id).locator('.rendered').boundingBox())!.height
    expect(await heightOf(long)).toBe(320)
    expect(await heightOf(code)).toBe(320)
    expect(await messageOf(page, short).getByRole('button', { name: 'Show more' }).count()).toBe(0)
    expect(await messageOf(page, few).getByRole('button', { name: 'Show more' }).count()).toBe(0)
    const top = async (id: number) => Math.round((await messageOf(page, id).boundingBox())!.y)
    // At the end, which is followed otherwise.
    const before = await top(code)
    await messageOf(page, code).getByRole('button', { name: 'Show more' }).click()
    await untilStill(page)
    expect(await heightOf(code)).toBeGreaterThan(400)
    expect(await top(code)).toBe(before)
    await messageOf(page, code).getByRole('button', { name: 'Show less' }).click()
    await untilStill(page)
    expect(await heightOf(code)).toBe(320)
    // Folded again from its end, it is in view.
    await messageOf(page, long).getByRole('button', { name: 'Show more' }).click()
    await messageOf(page, long).getByRole('button', { name: 'Show less' }).click()
    await untilStill(page)
    const list = (await page.locator('.messages').boundingBox())!
    expect(await top(long)).toBeGreaterThanOrEqual(Math.floor(list.y))
    // A change of the message leaves it unfolded.
    await messageOf(page, long).getByRole('button', { name: 'Show more' }).click()
    const bea = await new ApiClient(server.url).logIn('bea@example.com')
    await bea.call('PATCH', `/messages/${long}`, { content: `${lines(60, 'Line')}\nAnd an end` })
    await messageOf(page, long).getByText('And an end').waitFor()
    expect(await heightOf(long)).toBeGreaterThan(1_000)
  })

  it('draws the line of new messages where one marks as unread, with Undo', async () => {
    const ids: number[] = []
    for (let at = 0; at < 4; at += 1) ids.push(await say('seen again', `Thing ${at}`))
    const { page } = await browsers.enter(OWNER, {}, hashOf('1-general', 'seen%20again'))
    await messageOf(page, ids[3]!).waitFor()
    const link = page.locator('.sidebar-topics').getByRole('link', { name: 'seen again' })
    await expect.poll(() => link.ariaSnapshot(), { timeout: 20_000 }).not.toContain('unread')
    const line = page.locator('.unread-line')
    const before = await line.boundingBox()
    await page.waitForTimeout(5_000)
    // What is read leaves no hole, and no other line.
    expect(await line.boundingBox()).toEqual(before)
    await messageOf(page, ids[2]!).hover()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Mark as unread from here' }).click()
    await page.locator(`.unread-line + .message[data-id="${ids[2]}"]`).waitFor()
    await page.getByText('2 messages marked as unread').waitFor()
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.locator(`.unread-line + .message[data-id="${ids[0]}"]`).waitFor()
    await expect.poll(() => link.ariaSnapshot(), { timeout: 20_000 }).not.toContain('unread')
  })

  it('offers topics behind a channel’s name, and turns pasted addresses into links', async () => {
    const id = await say('keys and alarm', 'Under the mat')
    const { page } = await browsers.enter(OWNER, {}, hashOf('1-general', 'links%20typed'))
    const box = page.locator('.compose-text')
    await box.waitFor()
    const option = page.getByRole('option', { name: 'keys and alarm' })
    await box.pressSequentially('see #gene>keys')
    await option.waitFor()
    await box.press('Enter')
    await expect.poll(() => box.inputValue()).toBe('see #**general>keys and alarm** ')
    await box.fill('')
    await box.pressSequentially('#gene')
    await page.getByRole('option', { name: '#general' }).waitFor()
    await box.press('Enter')
    await expect.poll(() => box.inputValue()).toBe('#**general** ')
    await box.pressSequentially('>keys')
    await option.waitFor()
    await box.press('Enter')
    await expect.poll(() => box.inputValue()).toBe('#**general>keys and alarm** ')
    const paste = async (words: string) => {
      await box.fill('')
      await box.evaluate((element, text) => {
        const data = new DataTransfer()
        data.setData('text/plain', text)
        element.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
        )
      }, words)
    }
    const address = `${server.url}/#narrow/channel/1-general/topic/keys.20and.20alarm`
    await paste(`${address}/near/${id}`)
    await expect.poll(() => box.inputValue()).toBe(`#**general>keys and alarm@${id}**`)
    await paste(address)
    await expect.poll(() => box.inputValue()).toBe('#**general>keys and alarm**')
    await box.press('Enter')
    await page.locator('.message[data-id] a', { hasText: 'keys and alarm' }).waitFor()
  })

  it('asks for the topic in a channel; the one without a name must be chosen', async () => {
    // That one follows a topic makes it no newer.
    const ann = await userIdOf(server, OWNER)
    for (const topic of ['one', 'two', 'three', 'four']) {
      await say(`followed ${topic}`, 'Hello')
      const policy = { stream_id: 1, topic: `followed ${topic}`, visibility_policy: 3 }
      await operate(server, ann, 'set-topic-policy', policy)
    }
    await say('newest of all', 'Hello')
    const { page } = await browsers.enter(OWNER, {}, '/#narrow/channel/1-general')
    const box = page.locator('.compose-text')
    await box.fill('Where does this go?')
    expect(await box.getAttribute('placeholder')).not.toContain('general chat')
    await box.press('Enter')
    const topic = page.getByRole('combobox', { name: 'Topic' })
    await expect.poll(() => topic.evaluate((field) => field === document.activeElement)).toBe(true)
    expect(await box.inputValue()).toBe('Where does this go?')
    await page.locator('.topic-chips').getByRole('button', { name: 'general chat' }).click()
    await expect.poll(() => box.getAttribute('placeholder')).toContain('general chat')
    await page.evaluate(() => {
      location.hash = '#narrow/channel/1-general'
    })
    await box.fill('')
    await page.keyboard.press('Escape')
    await page.keyboard.press('c')
    await page.locator('.topic-chips').getByRole('button', { name: 'newest of all' }).click()
    await expect.poll(() => box.evaluate((field) => field === document.activeElement)).toBe(true)
    expect(await page.locator('.topic-chips').count()).toBe(0)
    await page.keyboard.type('It goes there')
    await page.keyboard.press('Enter')
    await page.locator('.message[data-id]', { hasText: 'It goes there' }).waitFor()
    expect(page.url()).toContain('newest.20of.20all')
  })
})
