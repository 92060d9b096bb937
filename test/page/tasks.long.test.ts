import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { ApiClient } from '../../scripts/api-client.ts'
import { PASSWORD } from '../node/found.ts'
import { A_BROWSER, needs } from '../support/needs.ts'
import { CHROMIUM, OWNER, untilStill, usePage } from './open-page.ts'

const OTHER = 'Bea Baker'
const TOPIC = '#narrow/channel/1-general/topic/lunch'

const { server, browsers } = usePage([OTHER])

describe.skipIf(CHROMIUM === undefined)(
  'the ten main tasks, by keyboard, as a screen reader has them',
  needs(A_BROWSER, { timeout: 60_000 }),
  () => {
    it('logs in', async () => {
      const { page } = await browsers.open()
      page.setDefaultTimeout(8_000)
      const email = page.getByRole('textbox', { name: 'Email address' })
      await email.waitFor()
      await expectTree(page.locator('.auth-card form'), 'log-in')
      await email.focus()
      await page.keyboard.type('ann@example.com')
      await page.keyboard.press('Tab')
      await page.keyboard.type(PASSWORD)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    })

    it('reads unread messages', async () => {
      await say('Soup or salad?')
      const page = await enter('#inbox')
      await page.getByRole('link', { name: /lunch/ }).last().waitFor()
      await page.keyboard.press('n')
      const row = page.locator('.message').last()
      await row.waitFor()
      await untilStill(page)
      await expectTree(row, 'message')
    })

    it('sends to a channel', async () => {
      const page = await enter(TOPIC)
      await page.locator('.message').last().waitFor()
      await page.keyboard.press('r')
      await page.keyboard.type('Salad.')
      await expectTree(page.getByRole('region', { name: 'Compose message' }), 'compose')
      await page.keyboard.press('Control+Enter')
      await page.locator('.message').filter({ hasText: 'Salad.' }).first().waitFor()
    })

    it('sends a direct message', async () => {
      const page = await enter('#inbox')
      await page.keyboard.press('x')
      await page.getByRole('combobox', { name: 'Add people' }).waitFor()
      await page.keyboard.type('Bea')
      await page
        .getByRole('option', { name: /Bea Baker/ })
        .first()
        .waitFor()
      await expectTree(page.getByRole('region', { name: 'Compose message' }), 'direct')
      await page.keyboard.press('Enter')
      await page.keyboard.press('Tab')
      await page.locator('.compose-text:focus').waitFor()
      await page.keyboard.type('Are you there?')
      await page.keyboard.press('Control+Enter')
      await page.getByRole('status').getByText('Sent to Bea Baker').waitFor()
      const bea = await new ApiClient(server.url).logIn('bea@example.com')
      const newest = async () => {
        const range = { anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false }
        const { messages } = await bea.call<{ messages: { type: string; content: string }[] }>(
          'GET',
          '/messages',
          range,
        )
        return messages.map(({ type, content }) => `${type}: ${content}`)
      }
      await expect.poll(newest).toEqual(['private: Are you there?'])
    })

    it('quotes', async () => {
      await say('Soup, then.')
      const page = await enter(TOPIC)
      await page.locator('.message').filter({ hasText: 'Soup, then.' }).last().focus()
      await page.keyboard.press('>')
      const quotes = page.locator('.compose .quote-chip')
      await quotes.getByText('Soup, then.').waitFor()
      await expectTree(quotes, 'quote')
    })

    it('reacts', async () => {
      const page = await enter(TOPIC)
      await page.locator('.message').last().focus()
      await page.keyboard.press('+')
      const reaction = page
        .locator('.message')
        .last()
        .getByRole('button', { name: /You.*:\+1:/ })
      await reaction.waitFor()
      await expectTree(reaction, 'reaction')
    })

    it('searches', async () => {
      const page = await enter('#inbox')
      await page.keyboard.press('/')
      await page.keyboard.type('salad')
      await page.keyboard.press('Enter')
      await page.locator('.message').filter({ hasText: 'salad' }).first().waitFor()
      await expectTree(page.getByRole('combobox', { name: 'Search' }), 'search')
    })

    it('joins a channel', async () => {
      const bea = await new ApiClient(server.url).logIn('bea@example.com')
      await bea.call('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'garden' }] })
      const page = await enter('#channels')
      const join = page.getByRole('button', { name: /Join.*garden/ })
      await join.focus()
      await expectTree(join, 'join')
      await page.keyboard.press('Enter')
      await page
        .locator('.sidebar')
        .getByRole('link', { name: /garden/ })
        .waitFor()
    })

    it('changes a setting', async () => {
      const page = await enter('#settings/preferences')
      const toggle = page.getByRole('switch', { name: 'Press Enter to send' })
      await toggle.focus()
      await page.keyboard.press('Space')
      await page.getByRole('status').filter({ hasText: 'Saved' }).first().waitFor()
      await expectTree(page.locator('.setting-row').filter({ has: toggle }), 'setting')
    })

    it('labels everything in the invitation form', async () => {
      const page = await enter('#organization/invitations')
      await page.getByRole('button', { name: /link/i }).first().waitFor()
      await expectTree(page.locator('main form').first(), 'invite')
    })

    async function enter(path: string): Promise<Page> {
      const { page } = await browsers.enter(OWNER)
      page.setDefaultTimeout(8_000)
      await page.goto(`${server.url}/${path}`)
      await page.locator('.view-head').first().waitFor()
      await untilStill(page)
      return page
    }
  },
)

async function say(content: string): Promise<void> {
  const bea = await new ApiClient(server.url).logIn('bea@example.com')
  await bea.call('POST', '/messages', { type: 'channel', to: ['general'], topic: 'lunch', content })
}

/** Compares what a screen reader gets of the element with the kept text; `--update` writes it anew. */
async function expectTree(element: Locator, name: string): Promise<void> {
  const tree = await element.ariaSnapshot()
  const steady = tree.replace(/\d{1,2}:\d{2}(?: [ap]m)?/g, 'TIME').replace(/near\/\d+/g, 'near/ID')
  await expect(`${steady}\n`).toMatchFileSnapshot(`trees/${name}.txt`)
}
