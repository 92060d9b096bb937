import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { A_BROWSER, needs } from '../support/needs.ts'
import { messageOf } from './in-conversation.ts'
import { CHROMIUM, OWNER, operate, untilStill, usePage, userIdOf } from './open-page.ts'

const [BEA, MORITZ, NORA] = ['Bea Baker', 'Moritz Quill', 'Nora Quill'] as const

/** Their names, and a word that they alone write. */
const TRACES = /Moritz|Nora|Quill|quibble/

const { server, browsers } = usePage([BEA, MORITZ, NORA])

/** Returns every word in the document: what is seen, read out and shown on hover. */
const wordsOf = (page: Page) =>
  page.evaluate(() => {
    const names = ['aria-label', 'title', 'alt', 'data-tip', 'placeholder']
    const said = [...document.querySelectorAll('*')].flatMap((one) =>
      names.map((name) => one.getAttribute(name)),
    )
    return [document.title, document.body.innerText, ...said].join('\n')
  })

/** Returns the lines that have a trace of the muted people. */
const tracesIn = async (page: Page) => (await wordsOf(page)).split('\n').filter((line) => TRACES.test(line))

const at = (hash: string) => async (page: Page) => {
  await page.evaluate((to) => {
    location.hash = to
  }, hash)
  await untilStill(page)
}

describe.skipIf(CHROMIUM === undefined)(
  'people whom the user has muted',
  needs(A_BROWSER, { timeout: 180_000 }),
  () => {
    const id: Record<string, number> = {}
    const run = (name: string, operation: string, params: Record<string, unknown>) =>
      operate(server, id[name]!, operation, params)
    const say = async (name: string, topic: string, content: string) => {
      const sent = await run(name, 'send-message', { type: 'channel', to: ['general'], topic, content })
      return sent.id as number
    }
    const write = (name: string, to: readonly string[], content: string) =>
      run(name, 'send-message', { type: 'direct', to: to.map((one) => id[one]), content })

    const react = (name: string, message_id: number, emoji_name = 'tada') =>
      run(name, 'add-reaction', { message_id, emoji_name })

    beforeAll(async () => {
      for (const name of [OWNER, BEA, MORITZ, NORA]) id[name] = await userIdOf(server, name)
      id.poll = await say(BEA, 'lunch', '/poll Soup?\nyes')
      id.asked = await say(BEA, 'lunch', `Soup, @**${MORITZ}** and @_**${NORA}**?`)
      await say(OWNER, 'both', `@_**${BEA}** and @_**${NORA}**`)
      id.own = await say(OWNER, 'lunch', 'I bring soup')
      const theirs = await say(MORITZ, 'lunch', `quibble soup @**${OWNER}**`)
      const tomorrow = Math.floor(Date.now() / 1_000) + 86_400
      await run(OWNER, 'create-reminder', {
        message_id: theirs,
        scheduled_delivery_timestamp: tomorrow,
        note: '',
      })
      await say(NORA, 'theirs alone', 'quibble about nothing')
      await write(MORITZ, [OWNER], 'quibble for you')
      await write(BEA, [OWNER, MORITZ], 'All three')
      await write(MORITZ, [OWNER, BEA], 'quibble for three')
      await write(NORA, [OWNER, MORITZ], 'quibble among us')
      await react(MORITZ, id.asked)
      await react(BEA, id.own, 'heart')
      await react(NORA, id.own, 'heart')
      const vote = { type: 'vote', key: 'canned,0', vote: 1 }
      const voted = { message_id: id.poll, msg_type: 'widget', content: JSON.stringify(vote) }
      await run(MORITZ, 'send-submessage', voted)
      for (const name of [MORITZ, NORA]) {
        await run(name, 'update-flags', { messages: [id.own], op: 'add', flag: 'read' })
      }
      await run(MORITZ, 'update-own-status', { status_text: 'quibbling' }).catch(() => {})
    })

    const inMenu = (of: string, item: string) => async (page: Page) => {
      await at('#narrow/channel/1-general/topic/lunch')(page)
      const message = messageOf(page, id[of]!)
      await message.hover()
      await page.getByRole('toolbar', { name: 'Message actions' }).getByLabel('More actions').click()
      const entry = page.getByRole('menuitem', { name: item, exact: true })
      if ((await entry.count()) === 0) return page.keyboard.press('Escape')
      await entry.click()
      await page.getByRole('dialog').waitFor()
      await untilStill(page)
    }
    const finding = (words: string) => async (page: Page) => {
      await at('#inbox')(page)
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').last().fill(words)
      await page.waitForTimeout(900)
    }

    /** The places where people show, each with how to come there. */
    const places: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
      recent: at('#recent'),
      inbox: at('#inbox'),
      feed: at('#feed'),
      'the direct messages': at('#narrow/is/dm'),
      mentions: at('#narrow/is/mentioned'),
      reminders: at('#reminders'),
      'a channel': at('#narrow/channel/1-general'),
      'a topic with a poll, reactions and mentions': at('#narrow/channel/1-general/topic/lunch'),
      'a topic of theirs': at('#narrow/channel/1-general/topic/theirs.20alone'),
      'a group with others': (page) => at(`#narrow/dm/${id[BEA]},${id[MORITZ]}-group`)(page),
      'a group of muted people': (page) => at(`#narrow/dm/${id[MORITZ]},${id[NORA]}-group`)(page),
      'their own conversation': (page) => at(`#narrow/dm/${id[MORITZ]}-x`)(page),
      'what a search finds': at('#narrow/search/soup'),
      'the finder, by name': finding('Mori'),
      'the finder, by their words': finding('quibb'),
      'who has reacted': inMenu('own', 'Reactions'),
      'who has read': inMenu('own', 'Read by'),
      async completions(page) {
        await at('#narrow/channel/1-general/topic/lunch')(page)
        await page.locator('.compose-text').fill('')
        await page.locator('.compose-text').pressSequentially('@Mor')
        await untilStill(page)
      },
      async 'who is typing'(page) {
        await at('#narrow/channel/1-general/topic/lunch')(page)
        const here = { op: 'start', type: 'channel', stream_id: 1, topic: 'lunch' }
        await run(MORITZ, 'set-typing', here)
        await run(BEA, 'set-typing', here)
        await page.locator('.typing', { hasText: 'Bea' }).waitFor()
      },
    }

    /** Visits every place, and returns those with traces of the muted people, each with the lines. */
    async function visitAll(page: Page): Promise<Record<string, string[]>> {
      const found: Record<string, string[]> = {}
      for (const [place, go] of Object.entries(places)) {
        await go(page)
        const traces = await tracesIn(page)
        if (traces.length > 0) found[place] = traces
        for (const _ of 'xx') await page.keyboard.press('Escape')
      }
      return found
    }

    it('are nowhere in the page, neither by name nor by word', async () => {
      const { page } = await browsers.enter(OWNER, {}, '/#inbox')
      // The page has a place for people, which shows them everywhere else.
      expect(Object.keys(await visitAll(page)).sort()).toEqual(Object.keys(places).sort())
      for (const name of [MORITZ, NORA]) await run(OWNER, 'mute-user', { muted_user_id: id[name] })
      await page.locator('.people-row', { hasText: 'Moritz' }).waitFor({ state: 'detached' })
      expect(await visitAll(page)).toEqual({})
      const { page: fresh } = await browsers.enter(OWNER, {}, '/#inbox')
      expect(await visitAll(fresh)).toEqual({})
      for (const shown of [page, fresh]) {
        await at(`#narrow/dm/${id[BEA]},${id[MORITZ]}-group`)(shown)
        expect(await wordsOf(shown)).toContain('Bea Baker and Muted user')
        await at('#narrow/channel/1-general/topic/lunch')(shown)
        expect(await messageOf(shown, id.asked!).textContent()).toContain('Soup, @Muted user and Muted user?')
        // Nobody has voted, one has reacted here, and nobody there.
        expect(await messageOf(shown, id.poll!).locator('.widget-vote .widget-count').textContent()).toBe('0')
        expect(await messageOf(shown, id.asked!).locator('.reactions').count()).toBe(0)
        expect(await messageOf(shown, id.own!).locator('.reaction').first().textContent()).toContain('Bea')
      }
    })

    it('are others in previews once others are muted', async () => {
      const { page } = await browsers.enter(OWNER, {}, '/#recent')
      const preview = page.locator('.inbox-row', { hasText: 'both' })
      await preview.filter({ hasText: 'Bea Baker and Muted user' }).waitFor()
      await at('#narrow/channel/1-general/topic/lunch')(page)
      await run(OWNER, 'unmute-user', { muted_user_id: id[NORA] })
      await run(OWNER, 'mute-user', { muted_user_id: id[BEA] })
      await page.locator('.people-row', { hasText: BEA }).waitFor({ state: 'detached' })
      await at('#recent')(page)
      expect(await preview.textContent()).toContain('Muted user and Nora Quill')
    })
  },
)
