import { beforeAll, describe, expect, it } from 'vitest'
import { ApiClient } from '../../../scripts/api-client.ts'
import { A_BROWSER, needs } from '../../support/needs.ts'
import { headingOf, messageOf } from '../in-conversation.ts'
import { CHROMIUM, expectRefusals, OWNER, userIdOf } from '../open-page.ts'
import { browsers, OTHER, server, TIME } from './organization.ts'

const GENERAL = 1
const LUNCH = '#narrow/channel/1-general/topic/lunch'

describe.skipIf(CHROMIUM === undefined)('a link in the page', needs(A_BROWSER, TIME), () => {
  let ann: ApiClient
  let council: number
  /** Messages of the topic “lunch” that are moved to “dinner”, and one that stays. */
  let moved: number
  let stays: number
  let deleted: number
  let hidden: number

  beforeAll(async () => {
    if (CHROMIUM === undefined) return
    ann = await new ApiClient(server.url).logIn('ann@example.com')
    moved = await say('Soup at noon', 'lunch')
    await say('A salad then', 'lunch')
    await ann.call('PATCH', `/messages/${moved}`, { topic: 'dinner', propagate_mode: 'change_all' })
    stays = await say('Bread', 'lunch')
    deleted = await say('A slip', 'lunch')
    await ann.call('DELETE', `/messages/${deleted}`)
    const { id } = await ann.call('POST', '/channels/create', {
      name: 'council',
      subscribers: [await userIdOf(server, OWNER)],
      invite_only: true,
    })
    council = id as number
    hidden = await say('A secret', 'plans', council)
  })

  async function say(content: string, topic: string, to: number = GENERAL): Promise<number> {
    const { id } = await ann.call('POST', '/messages', { type: 'channel', to, topic, content })
    return id as number
  }

  it('leads to the message’s present place, and the address follows', async () => {
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
      await page.getByText('This message was deleted, or you don’t have access to it.').waitFor()
      await messageOf(page, stays).waitFor()
      expect(await page.locator('.message-target').count()).toBe(0)
    }
    await page.goto(`${server.url}/#narrow/near/${deleted}`)
    await page.getByText('This message was deleted, or you don’t have access to it.').waitFor()
  })

  it('leads there when it is opened first, and by the back button', async () => {
    const { page } = await browsers.enter(OTHER, {}, `/${LUNCH}/near/${moved}`)
    await messageOf(page, moved).waitFor()
    expect(await headingOf(page)).toBe('general dinner')
    await page.goto(`${server.url}/#inbox`)
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await page.goBack()
    await messageOf(page, moved).waitFor()
    expect(await headingOf(page)).toBe('general dinner')
  })

  it('to a message that one may not see says the same as to none', async () => {
    const seat = await browsers.enter(OTHER)
    const { page } = seat
    await page.goto(`${server.url}/${LUNCH}/near/${hidden}`)
    await page.getByText('This message was deleted, or you don’t have access to it.').waitFor()
    await messageOf(page, stays).waitFor()
    await page.goto(`${server.url}/#narrow/channel/${council}-council/topic/plans/near/${hidden}`)
    await page
      .getByRole('heading', { name: 'This channel doesn’t exist, or you don’t have access to it.' })
      .waitFor()
    await page.goto(`${server.url}/#narrow/with/${hidden}`)
    await page.getByText('This message was deleted, or you don’t have access to it.').waitFor()
    expectRefusals(seat)
  })

  it('to a topic by its name alone leads there after it was resolved', async () => {
    const id = await say('The lock sticks', 'door')
    await ann.call('PATCH', `/messages/${id}`, { topic: '✔ door', propagate_mode: 'change_all' })
    const { page } = await browsers.enter(OTHER, {}, '/#narrow/channel/1-general/topic/door')
    await messageOf(page, id).waitFor()
    expect(await headingOf(page)).toBe('general ✔ door')
    await ann.call('PATCH', `/messages/${id}`, { topic: 'door', propagate_mode: 'change_all' })
    await expect.poll(() => headingOf(page)).toBe('general door')
    await page.goto(`${server.url}/#inbox`)
    await page.goto(`${server.url}/#narrow/channel/1-general/topic/.E2.9C.94.20door`)
    await messageOf(page, id).waitFor()
    expect(await headingOf(page)).toBe('general door')
  })

  it('of a reminder, and of a found message, leads to its conversation', async () => {
    await ann.call('POST', '/reminders', {
      message_id: moved,
      scheduled_delivery_timestamp: Math.floor(Date.now() / 1_000) + 3_600,
    })
    const { page } = await browsers.enter(OWNER, {}, '/#reminders')
    // Other tests have reminders of their own.
    await page.locator(`.draft-link[href="#narrow/near/${moved}"]`).first().click()
    await messageOf(page, moved).waitFor()
    expect(await headingOf(page)).toBe('general dinner')
    await page.goto(`${server.url}/#narrow/search/soup`)
    await messageOf(page, moved).locator('.message-time').click()
    await expect.poll(() => headingOf(page)).toBe('general dinner')
    await messageOf(page, moved).and(page.locator('.message-target')).waitFor()
  })
})
