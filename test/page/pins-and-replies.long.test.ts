import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { fromJson } from '../support/json.ts'
import { A_BROWSER, needs } from '../support/needs.ts'
import { CHROMIUM, OWNER, operate, usePage, userIdOf } from './open-page.ts'
import { violations } from './violations.ts'

const BEA = 'Bea Baker'

const { server, browsers } = usePage([BEA])

const message = (page: Page, words: string) => page.locator('.message', { hasText: words }).first()

async function openMenu(page: Page, words: string): Promise<void> {
  await message(page, words).hover()
  await page.locator('.row-actions').getByRole('button', { name: 'More actions' }).click()
}

/** A picture to look at, where a folder is named. */
async function picture(page: Page, name: string): Promise<void> {
  const { PICTURES_IN: folder } = process.env
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` })
}

describe.skipIf(CHROMIUM === undefined)(
  'pins and replies in a browser',
  needs(A_BROWSER, { timeout: 240_000 }),
  () => {
    const id: Record<string, number> = {}
    let topic = ''
    const say = async (name: string, content: string, to = 'roof') => {
      const params = { type: 'channel', to: ['general'], topic: to, content }
      return (await operate(server, id[name]!, 'send-message', params)).id as number
    }

    beforeAll(async () => {
      for (const name of [OWNER, BEA]) id[name] = await userIdOf(server, name)
      id.keys = await say(BEA, 'The **keys** of the hall are with `Maya`, code 4711')
      id.drip = await say(BEA, 'It drips again, @**Ann**')
      await say(BEA, 'Other words', 'walls')
      id.general = 1
      topic = `/#narrow/channel/${id.general}-general/topic/roof`
    })

    it('pins a message and a topic, for everybody, and takes them off', async () => {
      const { page } = await browsers.enter(OWNER, {}, topic)
      const { page: other } = await browsers.enter(BEA, {}, topic)
      await message(other, 'It drips').waitFor()
      await openMenu(page, 'code 4711')
      await page.getByRole('menuitem', { name: 'Pin to channel' }).click()
      const bar = page.locator('.pins')
      await bar.getByRole('button', { name: /1 pinned/ }).waitFor()
      await other
        .locator('.pins')
        .getByRole('button', { name: /1 pinned/ })
        .waitFor()
      await operate(server, id[OWNER]!, 'pin-in-channel', { stream_id: id.general, topic: 'roof' })
      await page.goto(new URL(`/#narrow/channel/${id.general}-general`, page.url()).href)
      await bar.getByRole('button', { name: /2 pinned/ }).click()
      await bar.getByRole('link', { name: /The keys of the hall are with Maya/ }).waitFor()
      await page.locator('.sidebar-topics .sidebar-pin').waitFor()
      expect(await page.locator('.sidebar-topics li').first().textContent()).toContain('roof')
      expect(await violations(page)).toEqual([])
      await picture(page, 'pins-1440-light')
      await page.emulateMedia({ colorScheme: 'dark' })
      await picture(page, 'pins-1440-dark')
      await page.setViewportSize({ width: 390, height: 844 })
      await picture(page, 'pins-390-dark')
      await page.emulateMedia({ colorScheme: 'light' })
      await picture(page, 'pins-390-light')
      await page.setViewportSize({ width: 1440, height: 900 })
      await bar.getByRole('link', { name: /The keys of the hall/ }).click()
      await page.locator('.message-target', { hasText: 'code 4711' }).waitFor()
      await openMenu(other, 'code 4711')
      await other.getByRole('menuitem', { name: 'Quote and reply' }).waitFor()
      expect(await other.getByRole('menuitem', { name: /channel/ }).count()).toBe(0)
      await other.keyboard.press('Escape')
      await bar.getByRole('button', { name: /Unpin Bea: The keys/ }).click()
      await other.locator('.pins').waitFor({ state: 'detached' })
    })

    it('answers a message by a line that leads there, and gathers the answers', async () => {
      const { page } = await browsers.enter(OWNER, {}, topic)
      await message(page, 'code 4711').hover()
      await page.locator('.row-actions').getByRole('button', { name: 'Reply to message' }).click()
      await page.locator('.quote-chip', { hasText: 'The keys of the hall' }).waitFor()
      await page.keyboard.type('Thanks, got them')
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      const answer = page.locator('.message:not(.message-outgoing)', { hasText: 'Thanks, got them' })
      const line = answer.locator('.reply-line')
      await line.waitFor()
      expect(await line.textContent()).toBe(
        'In reply to Bea Baker The keys of the hall are with Maya, code 4711',
      )
      expect(await answer.locator('blockquote').count()).toBe(0)
      await page.locator('.replies-count', { hasText: '1 reply' }).waitFor()
      await message(page, 'code 4711').hover()
      await page.locator('.row-actions').getByRole('button', { name: 'Reply to message' }).click()
      await page.keyboard.type('And the code works')
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      await page.locator('.replies-count', { hasText: '2 replies' }).click()
      await page
        .locator('.reply-list')
        .getByRole('link', { name: /And the code works/ })
        .waitFor()
      expect(await violations(page)).toEqual([])
      await picture(page, 'replies-1440-light')
      await line.first().click()
      await page.locator('.message-target', { hasText: 'code 4711' }).waitFor()
      const first = page
        .locator('.message[data-id]:has(.reply-line)', { hasText: 'Thanks, got them' })
        .first()
      const message_id = Number(await first.getAttribute('data-id'))
      const answered = await page.evaluate(
        async (of) => (await fetch(`/json/messages/${of}?apply_markdown=false`)).text(),
        message_id,
      )
      const { content } = fromJson<{ message: { content: string } }>(answered).message
      expect(content).toMatch(
        /^@_\*\*Bea Baker\|\d+\*\* \[↩\]\(http[^)]+\/near\/\d+\):\n> The keys of the hall are with Maya, code 4711\n\nThanks, got them$/,
      )
    })

    it('answers in a new topic, with its field ready', async () => {
      const { page } = await browsers.enter(OWNER, {}, topic)
      await openMenu(page, 'It drips again')
      await page.getByRole('menuitem', { name: 'Reply in new topic' }).click()
      const field = page.locator('.compose').getByRole('combobox', { name: 'Topic' }).first()
      await field.waitFor()
      await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true)
      expect(await field.inputValue()).toBe('It drips again, @Ann')
      await page.locator('.quote-chip', { hasText: 'It drips again' }).waitFor()
      await picture(page, 'new-topic-1440-light')
    })

    it('draws no reply from a form that is not exactly its own', async () => {
      const near = `${server.url}${topic}/near/${id.drip}`
      await say(
        BEA,
        `@_**Ann|${id[OWNER]}** [↩](https://elsewhere.example/#narrow/near/1):\n> foreign line\n\nx`,
      )
      await say(BEA, `@**Ann** [↩](${near}):\n> loud line\n\nx`)
      await say(BEA, `@_**Ann|${id[OWNER]}** [said](${near}):\n> said line\n\nx`)
      await say(BEA, `@_**Ann|${id[OWNER]}** [↩](${near}):\n> two\n> lines here\n\nx`)
      const { page } = await browsers.enter(OWNER, {}, topic)
      for (const words of ['foreign line', 'loud line', 'said line', 'lines here']) {
        const row = message(page, words)
        await row.waitFor()
        expect(await row.locator('.reply-line').count(), words).toBe(0)
      }
    })

    it('shows a link to a message as a card, to those who may see it', async () => {
      const subscriptions = [{ name: 'board', description: '' }]
      await operate(server, id[OWNER]!, 'subscribe', { subscriptions, invite_only: true })
      const secret = (await operate(server, id[OWNER]!, 'send-message', {
        ...{ type: 'channel', to: ['board'], topic: 'money', content: 'The secret budget' },
      })) as { id: number }
      await say(BEA, `See ${server.url}${topic}/near/${id.keys} please`, 'cards')
      await say(OWNER, `And #**board>money@${secret.id}** here`, 'cards')
      const cards = `/#narrow/channel/${id.general}-general/topic/cards`
      const { page } = await browsers.enter(OWNER, {}, cards)
      await page.locator('.link-card', { hasText: 'The keys of the hall' }).waitFor()
      await page.locator('.link-card', { hasText: 'The secret budget' }).waitFor()
      await picture(page, 'cards-1440-light')
      const { page: other } = await browsers.enter(BEA, {}, cards)
      await other.locator('.link-card', { hasText: 'The keys of the hall' }).waitFor()
      expect(await other.locator('.link-card').count()).toBe(1)
      expect(await other.locator('.messages').textContent()).not.toContain('secret budget')
    })

    it('keeps no words in a card that were changed or deleted', async () => {
      const slip = await say(BEA, 'My number is 4711', 'numbers')
      await say(OWNER, `See #**general>numbers@${slip}** there`, 'said')
      const { page } = await browsers.enter(OWNER, {}, `/#narrow/channel/${id.general}-general/topic/said`)
      await page.locator('.link-card', { hasText: 'My number is 4711' }).waitFor()
      const change = { message_id: slip, content: 'My number is my own', propagate_mode: 'change_one' }
      await operate(server, id[BEA]!, 'update-message', change)
      await page.locator('.link-card', { hasText: 'My number is my own' }).waitFor()
      await operate(server, id[OWNER]!, 'delete-message', { message_id: slip })
      await expect.poll(() => page.locator('.link-card').count()).toBe(0)
    })

    it('opens the card of a person on whose name the pointer rests, and closes it', async () => {
      const { page } = await browsers.enter(OWNER, {}, topic)
      const name = page.locator('.message-sender', { hasText: BEA }).first()
      await name.hover()
      const card = page.getByRole('dialog', { name: BEA })
      await card.waitFor()
      expect(await page.evaluate(() => document.activeElement?.closest('.card') === null)).toBe(true)
      await picture(page, 'hover-card-1440-light')
      await page.mouse.move(700, 600)
      await card.waitFor({ state: 'detached' })
      await name.hover()
      await card.waitFor()
      await name.click()
      await card.waitFor()
      await page.mouse.move(700, 600)
      await page.waitForTimeout(500)
      expect(await card.isVisible()).toBe(true)
    })
  },
)
