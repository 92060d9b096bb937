import { beforeAll, describe, expect, it } from 'vitest'
import { ApiClient } from '../../scripts/api-client.ts'
import { A_BROWSER, needs } from '../support/needs.ts'
import { hashOf, headingOf, messageOf, placeOf } from './in-conversation.ts'
import { CHROMIUM, usePage } from './open-page.ts'

const OTHER = 'Bea Baker'
const GENERAL = 1
const LUNCH = '#narrow/channel/1-general/topic/lunch'

const { server, browsers } = usePage([OTHER])

describe.skipIf(CHROMIUM === undefined)('what is open', needs(A_BROWSER, { timeout: 60_000 }), () => {
  let ann: ApiClient

  beforeAll(async () => {
    if (CHROMIUM === undefined) return
    ann = await new ApiClient(server.url).logIn('ann@example.com')
  })

  async function say(topic: string, content: string, to: number = GENERAL): Promise<number> {
    const { id } = await ann.call('POST', '/messages', { type: 'channel', to, topic, content })
    return id as number
  }

  it('follows a topic that is resolved, with what is written, in all windows', async () => {
    const id = await say('roof', 'It drips again')
    const { page } = await browsers.enter(OTHER, {}, hashOf('1-general', 'roof'))
    const window = await page.context().newPage()
    await window.goto(`${server.url}${hashOf('1-general', 'roof')}`)
    for (const one of [page, window]) await messageOf(one, id).waitFor()
    await page.locator('.compose-text').fill('half a thought')
    await ann.call('PATCH', `/messages/${id}`, { topic: '✔ roof', propagate_mode: 'change_all' })
    for (const one of [page, window]) {
      await expect
        .poll(() => placeOf(one))
        .toEqual({
          heading: 'general ✔ roof',
          box: 'Message #general › ✔ roof',
          title: '✔ roof · #general · localhost',
          hash: hashOf('1-general', '.E2.9C.94.20roof').slice(1),
        })
      await messageOf(one, id).waitFor()
    }
    expect(await page.locator('.compose-text').inputValue()).toBe('half a thought')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.locator('.message[data-id]', { hasText: 'half a thought' }).waitFor()
    const { topics } = await ann.call('GET', `/users/me/${GENERAL}/topics`)
    expect((topics as { name: string }[]).filter(({ name }) => name === 'roof')).toEqual([])
    await window.close()
  })
})

describe.skipIf(CHROMIUM === undefined)('a link in the page', needs(A_BROWSER, { timeout: 60_000 }), () => {
  let ann: ApiClient
  /** Messages of the topic “lunch” that are moved to “dinner”, and one that stays. */
  let moved: number
  let stays: number
  let deleted: number

  beforeAll(async () => {
    if (CHROMIUM === undefined) return
    ann = await new ApiClient(server.url).logIn('ann@example.com')
    moved = await say('Soup at noon', 'lunch')
    await say('A salad then', 'lunch')
    await ann.call('PATCH', `/messages/${moved}`, { topic: 'dinner', propagate_mode: 'change_all' })
    stays = await say('Bread', 'lunch')
    deleted = await say('A slip', 'lunch')
    await ann.call('DELETE', `/messages/${deleted}`)
  })

  async function say(content: string, topic: string, to: number = GENERAL): Promise<number> {
    const { id } = await ann.call('POST', '/messages', { type: 'channel', to, topic, content })
    return id as number
  }

  it('leads to the message where it is now, and the address says so', async () => {
    const { page } = await browsers.enter(OTHER)
    for (const [link, isFirst] of [
      [`${LUNCH}/near/${moved}`, true],
      [`#narrow/with/${moved}`, true],
      [`${LUNCH}/with/${moved}`, false],
      [`#narrow/near/${moved}`, false],
      [`#narrow/stream/renamed-since/topic/lunch/near/${moved}`, false],
      [`#narrow/is/starred/near/${moved}`, false],
      [`#narrow/id/${moved}/near/${moved}`, false],
    ] as const) {
      await page.goto(`${server.url}/#inbox`)
      // Else the page knows the message already.
      if (isFirst) await page.reload()
      await page.getByRole('heading', { name: 'Inbox' }).waitFor()
      await page.goto(`${server.url}/${link}`)
      await messageOf(page, moved).waitFor()
      expect([link, await headingOf(page)]).toEqual([link, 'general dinner'])
      const kind = link.includes('/with/') ? 'with' : 'near'
      const present = `#narrow/channel/1-general/topic/dinner/${kind}/${moved}`
      await expect.poll(() => page.evaluate(() => location.hash)).toBe(present)
      expect(await messageOf(page, stays).count()).toBe(0)
    }
  })

  it('to a message that is deleted shows a sentence and the conversation', async () => {
    const { page } = await browsers.enter(OTHER)
    for (const kind of ['near', 'with']) {
      await page.goto(`${server.url}/${LUNCH}/${kind}/${deleted}`)
      await page.getByText('This message was deleted, or you cannot see it.').waitFor()
      await messageOf(page, stays).waitFor()
      expect(await page.locator('.message-target').count()).toBe(0)
    }
    await page.goto(`${server.url}/#narrow/near/${deleted}`)
    await page.getByText('This message was deleted, or you cannot see it.').waitFor()
  })
})
