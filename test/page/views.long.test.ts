import { Response as SentResponse } from 'miniflare'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { ApiClient } from '../../scripts/api-client.ts'
import { hashPassword } from '../../src/hasher/password-hash.ts'
import { PASSWORD } from '../node/found.ts'
import { A_BROWSER, needs } from '../support/needs.ts'
import { CHROMIUM, OWNER, operate, untilStill, usePage, userIdOf } from './open-page.ts'
import { violations } from './violations.ts'

const OTHER = 'Bea Baker'
const THIRD = 'Cem Carter'
const TOPIC = '/#narrow/channel/1-general/topic/lunch'

const { server, browsers } = usePage([OTHER, THIRD], {
  // The service refuses all mail.
  vars: { EMAIL_API_URL: 'https://mail.example.com/send' },
  web: async () => new SentResponse('no', { status: 422 }),
})

describe.skipIf(CHROMIUM === undefined)('views in a browser', needs(A_BROWSER, { timeout: 120_000 }), () => {
  beforeAll(async () => {
    await operate(server, await userIdOf(server, OWNER), 'send-message', {
      type: 'channel',
      to: ['general'],
      topic: 'lunch',
      content: 'Salad',
    })
  })

  it('say that a channel has no address where the server accepts no mail', async () => {
    const { page } = await browsers.enter(OTHER, {}, '/#channels/1/general/general')
    await page.getByRole('button', { name: 'Show address' }).click()
    await page.getByText('Incoming email isn’t set up').waitFor()
    expect(await page.locator('.settings-key').count()).toBe(0)
  })

  it('go to views, channels, users and conversations by Ctrl K', async () => {
    const { page } = await browsers.enter(OWNER, {}, '/#inbox')
    const title = page.getByRole('main').getByRole('heading', { level: 1 })
    const go = async (words: string) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Go to' }).fill(words)
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await go('combined')
    await expect.poll(() => title.textContent()).toBe('Combined feed')
    // The letters also occur in a view's name, but further back.
    await go('ge')
    await expect.poll(() => title.textContent()).toBe('general')
    await go('bea')
    await expect.poll(() => title.textContent()).toBe(OTHER)
    await page.goto(`${server.url}${TOPIC}`)
    await page.locator('.compose-text').fill('Soup')
    await page.keyboard.press('Control+Enter')
    await page.locator('.message[data-id]', { hasText: 'Soup' }).waitFor()
    await page.keyboard.press('Escape')
    await go('settings')
    await page.locator('.settings').waitFor()
    await page.keyboard.press('Control+k')
    const choice = page.getByRole('option', { name: 'general › lunch' })
    await choice.waitFor()
    expect(await violations(page)).toEqual([])
    await choice.click()
    await expect.poll(() => title.textContent()).toContain('lunch')
  })

  it('show a user at their own URL, with a status emoji', async () => {
    const [ann, bea] = [await browsers.enter(OWNER), await browsers.enter(OTHER, {}, '/#settings/profile')]
    await bea.page.getByLabel('Status').fill('At sea')
    await bea.page.keyboard.press('Enter')
    await bea.page.getByRole('button', { name: 'Status emoji' }).click()
    await bea.page.getByRole('combobox', { name: 'Search emoji' }).fill('sailboat')
    await bea.page.getByRole('gridcell', { name: 'sailboat', exact: true }).click()
    await bea.page.getByText(':sailboat:').waitFor()
    await ann.page.goto(`${server.url}/#user/${await userIdOf(server, OTHER)}`)
    await ann.page.getByRole('heading', { name: OTHER, level: 1 }).waitFor()
    await expect.poll(() => ann.page.locator('.card-status').textContent()).toBe('⛵At sea')
    expect(await violations(ann.page)).toEqual([])
    await bea.page.getByRole('button', { name: 'No emoji' }).click()
    await expect.poll(() => ann.page.locator('.card-status').textContent()).toBe('At sea')
    await ann.page.goto(`${server.url}/#user/99999`)
    await ann.page.getByText('This person doesn’t exist').waitFor()
  })

  it('show an owner dead letters, to retry and delete', async () => {
    const { page } = await browsers.enter(OWNER, {}, '/#organization/invitations')
    await page.getByLabel(/^Email addresses/).fill('nobody@example.com')
    await page.getByRole('button', { name: 'Send invitations' }).click()
    await page.getByText('Invitation sent to nobody@example.com.').waitFor()
    await page.goto(`${server.url}/#organization/dead-letters`)
    const letter = page.locator('.item', { hasText: 'nobody@example.com' })
    await expect
      .poll(
        async () => {
          await page.reload()
          await page.locator('.settings .part').first().waitFor()
          await page.waitForFunction(() => document.querySelector('.loading') === null)
          return letter.count()
        },
        { timeout: 20_000 },
      )
      .toBe(1)
    expect(await violations(page)).toEqual([])
    await letter.getByRole('button', { name: /^Delete/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await letter.waitFor({ state: 'detached' })
  })

  it('show an owner what the organization costs, and take a cap', async () => {
    const { page } = await browsers.enter(OWNER, {}, '/#organization/cost')
    await page.getByRole('rowheader', { name: 'Rows written', exact: true }).waitFor()
    expect(await page.getByText(/ so far, and about /).count()).toBe(1)
    expect(await violations(page)).toEqual([])
    await page.getByLabel('Cap for a month, in US dollars').fill('20')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('of the cap is used up').waitFor()
    await page.getByRole('button', { name: 'No cap' }).click()
    await page.getByText('of the cap is used up').waitFor({ state: 'detached' })
    const member = await browsers.enter(OTHER, {}, '/#organization/cost')
    await member.page.getByText('you don’t have permission to change them').waitFor()
  })

  it('can be used by keyboard alone, from the log-in page on', async () => {
    const { page } = await browsers.open()
    await page.getByRole('button', { name: 'Log in' }).waitFor()
    await tabTo(page, `${OTHER}`)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Go to' }).waitFor()
    await page.keyboard.type('lunch')
    await page.getByRole('option', { name: 'general › lunch' }).waitFor()
    await page.keyboard.press('Enter')
    await page.locator('.message[data-id]').first().waitFor()
    await page.keyboard.press('r')
    await page.keyboard.type('Without a mouse')
    await page.keyboard.press('Control+Enter')
    const mine = page.locator('.message[data-id]', { hasText: 'Without a mouse' })
    await mine.waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('End')
    await page.keyboard.press('k')
    // The newest element is a limited number of steps away, whatever has arrived since.
    for (let step = 0; step < 20; step += 1) {
      await page.keyboard.press('j')
      if (await mine.evaluate((row) => row.contains(document.activeElement))) break
      await untilStill(page)
    }
    await page.keyboard.press('+')
    await mine.getByRole('button', { name: 'You: :+1:' }).waitFor()
    await page.keyboard.press('*')
    await mine.locator('.message-star').waitFor()
    await page.keyboard.press('i')
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await tabTo(page, `You: ${OTHER}`)
    await page.keyboard.press('Enter')
    await page.getByRole('menu').waitFor()
    await page.keyboard.press('End')
    await expect.poll(() => focused(page)).toContain('Log out')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Log in' }).waitFor()
  })

  it('close a dialog whose message is deleted meanwhile', async () => {
    const { page } = await browsers.enter(OWNER, {}, TOPIC)
    const client = await new ApiClient(server.url).logIn('ann@example.com')
    const params = { type: 'channel', to: ['general'], topic: 'lunch', content: 'Not for long' }
    const { id } = await client.call('POST', '/messages', params)
    const message = page.locator(`.message[data-id="${id}"]`)
    await message.hover()
    await page.getByRole('toolbar').getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: /^Move/ }).click()
    await page.getByRole('dialog', { name: 'Move' }).waitFor()
    await page.getByRole('combobox', { name: 'Topic' }).fill('elsewhere')
    await client.call('DELETE', `/messages/${id}`)
    await page.getByRole('dialog', { name: 'Move' }).waitFor({ state: 'detached' })
    await message.waitFor({ state: 'detached' })
  })

  it('send a message at a chosen time, which can be changed until then', async () => {
    const { page } = await browsers.enter(OWNER, {}, '/#settings/saved-snippets')
    await page.getByLabel('Title').fill('Thanks')
    await page.getByLabel('Text').fill('Thank you for **soup**.')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('button', { name: 'Change: Thanks' }).click()
    const form = page.locator('.item form')
    await form.getByLabel('Text').fill('Thank you for the soup.')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Thank you for the soup.').waitFor()
    await page.goto(`${server.url}${TOPIC}`)
    const box = page.locator('.compose-text')
    await box.fill('So: ')
    await page.getByRole('button', { name: 'Add files and more' }).click()
    await page.getByRole('menuitem', { name: 'Saved snippet' }).click()
    await page.getByRole('menuitem', { name: 'Thanks' }).click()
    // The menu returns focus to its button, and the text takes it from there.
    await expect.poll(() => box.evaluate((field) => field === document.activeElement)).toBe(true)
    await page.keyboard.type(' Really.')
    await expect.poll(() => box.inputValue()).toBe('So: Thank you for the soup. Really.')
    await page.getByRole('button', { name: 'Send options' }).click()
    await page.getByRole('menuitem', { name: 'Custom time' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('When').fill('2099-02-03T04:05')
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Schedule message' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => box.inputValue()).toBe('')
    await page.goto(`${server.url}/#drafts`)
    await page.getByRole('button', { name: 'Edit scheduled message' }).click()
    expect(await dialog.getByLabel('When').inputValue()).toBe('2099-02-03T04:05')
    await dialog.getByLabel('Text').fill('Other words')
    await dialog.getByLabel('When').fill('2098-02-03T04:06')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Other words').waitFor()
    await page.setViewportSize({ width: 320, height: 640 })
    const when = page.locator('.inbox-row', { hasText: 'Other words' }).getByText('2098')
    expect(await when.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
    await page.setViewportSize({ width: 1280, height: 800 })
    const client = await new ApiClient(server.url).logIn('ann@example.com')
    const { scheduled_messages } = await client.call<{
      scheduled_messages: { content: string; scheduled_delivery_timestamp: number }[]
    }>('GET', '/scheduled_messages')
    const [one] = scheduled_messages
    const wanted = await page.evaluate(() => new Date('2098-02-03T04:06').getTime() / 1_000)
    expect([one?.content, one?.scheduled_delivery_timestamp]).toEqual(['Other words', wanted])
    await page.getByRole('button', { name: 'Send now' }).click()
    const toast = page.locator('.toast', { hasText: 'Sent to #general › lunch' })
    await toast.getByRole('link', { name: 'View' }).click()
    await page.locator('.message[data-id]', { hasText: 'Other words' }).waitFor()
    expect(await client.call('GET', '/scheduled_messages')).toMatchObject({ scheduled_messages: [] })
  })

  it('delete a whole topic after a confirmation, for permitted users', async () => {
    const topic = '/#narrow/channel/1-general/topic/to.20be.20gone'
    await operate(server, await userIdOf(server, OTHER), 'send-message', {
      type: 'channel',
      to: ['general'],
      topic: 'to be gone',
      content: 'Not for long',
    })
    const [ann, bea] = [await browsers.enter(OWNER, {}, topic), await browsers.enter(OTHER, {}, topic)]
    const more = (page: Page) => page.getByRole('button', { name: 'Conversation options' }).click()
    await bea.page.getByText('Not for long').waitFor()
    await more(bea.page)
    expect(await bea.page.getByRole('menuitem', { name: 'Delete topic' }).count()).toBe(0)
    await more(ann.page)
    await ann.page.getByRole('menuitem', { name: 'Delete topic' }).click()
    expect(await violations(ann.page)).toEqual([])
    await ann.page.getByRole('dialog').getByRole('button', { name: 'Delete topic' }).click()
    await ann.page.getByRole('heading', { name: 'general', exact: true }).waitFor()
    await bea.page.getByText('Not for long').waitFor({ state: 'detached' })
  })

  it('offer new permissions as soon as they are given', async () => {
    const [ann, cem] = [await browsers.enter(OWNER), await browsers.enter(THIRD, {}, TOPIC)]
    const client = await new ApiClient(server.url).logIn('ann@example.com')
    const resolve = cem.page.getByRole('button', { name: 'Resolve' })
    await resolve.waitFor()
    const groups = await client.call<{ user_groups: { id: number; name: string }[] }>('GET', '/user_groups')
    const idOf = (name: string) => groups.user_groups.find((group) => group.name === name)!.id
    const allow = (group: number) =>
      client.call('PATCH', '/realm', { can_resolve_topics_group: { new: group } })
    await allow(idOf('role:owners'))
    await resolve.waitFor({ state: 'detached' })
    await allow(idOf('role:everyone'))
    await resolve.waitFor()
    expect(ann.complaints).toEqual([])
  })

  it('name some voters of a poll, and open a list of all of them', async () => {
    const owner = await userIdOf(server, OWNER)
    const { id } = await operate(server, owner, 'send-message', {
      type: 'channel',
      to: ['general'],
      topic: 'crowd',
      content: '/poll A longer break?\nYes\nNo',
      read_by_sender: true,
    })
    const password_hash = await hashPassword(PASSWORD)
    for (let voter = 10; voter < 40; voter += 1) {
      const full_name = `Voter Number${voter}`
      const { user_id } = await operate(server, owner, 'dev-create-user', {
        email: `voter${voter}@example.com`,
        full_name,
        password: PASSWORD,
        password_hash,
      })
      const content = JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 })
      await operate(server, user_id as number, 'send-submessage', {
        message_id: id,
        msg_type: 'widget',
        content,
      })
      await operate(server, user_id as number, 'add-reaction', { message_id: id, emoji_name: 'heart' })
    }
    const phone = { viewport: { width: 320, height: 640 } }
    const { page } = await browsers.enter(OWNER, phone, '/#narrow/channel/1-general/topic/crowd')
    const voters = page.getByRole('button', { name: /^Voter Number10, .* and 25 others$/ })
    expect((await voters.boundingBox())!.height).toBeLessThan(80)
    const heart = page.getByRole('button', { name: /^Voter Number10, .* and 18 others: :heart:$/ })
    expect((await heart.boundingBox())!.width).toBeLessThan(80)
    await voters.click()
    const list = page.getByRole('dialog', { name: 'A longer break?' })
    await list.getByText('Voter Number39').waitFor()
    expect(await list.getByRole('listitem').count()).toBe(30)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    expect(await violations(page)).toEqual([])
  })

  it('count unread messages as the server does, after every random step', async () => {
    const { page } = await browsers.enter(OWNER, {}, '/#inbox')
    const [ann, bea] = [await userIdOf(server, OWNER), await userIdOf(server, OTHER)]
    const client = await new ApiClient(server.url).logIn('ann@example.com')
    const sent: number[] = []
    const random = numbersFrom(SEED)
    const one = <T>(of: readonly T[]) => of[Math.floor(random() * of.length)]!
    const say = async (to: object, content: string) => {
      const { id } = await operate(server, bea, 'send-message', { ...to, content, read_by_sender: true })
      sent.push(id as number)
    }
    const toTopic = (topic: string) => ({ type: 'channel', to: ['general'], topic })
    const steps: Record<string, () => Promise<unknown>> = {
      'say in a topic': () => say(toTopic(one(['walk', 'run'])), 'hello'),
      mention: () => say(toTopic('walk'), `@**${OWNER}** look`),
      'say to her': () => say({ type: 'direct', to: [ann] }, 'psst'),
      delete: async () => {
        const id = sent.pop()
        if (id !== undefined) await client.call('DELETE', `/messages/${id}`)
      },
      move: async () => {
        if (sent.length === 0) return
        const params = { topic: 'run', propagate_mode: 'change_one' }
        // A message that was moved there already is refused.
        await client.call('PATCH', `/messages/${one(sent)}`, params).catch(() => {})
      },
      'mark as unread elsewhere': async () => {
        if (sent.length === 0) return
        const params = { messages: [one(sent)], op: 'remove', flag: 'read' }
        await client.call('POST', '/messages/flags', params)
      },
      'mute a topic': () =>
        client.call('POST', '/user_topics', {
          stream_id: 1,
          topic: one(['walk', 'run']),
          visibility_policy: one([0, 1]),
        }),
      'read a topic': async () => {
        await page.bringToFront()
        await page.goto(`${server.url}/#narrow/channel/1-general/topic/${one(['walk', 'run'])}`)
        await look(page)
      },
      'read what was sent to her': async () => {
        await page.goto(`${server.url}/#narrow/dm/${ann},${bea}`)
        await look(page)
      },
      'mark a conversation as read': async () => {
        await page.goto(`${server.url}/#inbox`)
        const button = page.locator('.inbox-row').getByRole('button').first()
        if ((await button.count()) > 0) await button.click()
      },
    }
    const done: string[] = []
    for (let step = 0; step < STEPS; step += 1) {
      const name = one(Object.keys(steps))
      done.push(name)
      await steps[name]!()
      // The server is asked each time too: what the page has just marked as read may be on its way.
      await vi.waitFor(
        async () => expect([done, await shownCounts(page)]).toEqual([done, await serverCounts(client)]),
        { timeout: 10_000, interval: 100 },
      )
    }
  })
})

const SEED = Number(process.env.SEED ?? 7)
const STEPS = 40

/** Milliseconds for which a conversation is looked at: it counts as read then; others may be unread. */
const LOOK_MS = 900

async function look(page: Page): Promise<void> {
  await page.waitForTimeout(LOOK_MS)
}

/** Returns the server's unread counts by conversation, muted ones included. */
async function serverCounts(client: ApiClient): Promise<Record<string, number>> {
  const { unread_msgs, user_topics, queue_id } = await client.call<{
    unread_msgs: {
      streams: { topic: string; unread_message_ids: number[] }[]
      pms: { unread_message_ids: number[] }[]
    }
    user_topics: { topic_name: string; visibility_policy: number }[]
    queue_id: string
  }>('POST', '/register', { event_types: ['message', 'update_message_flags', 'user_topic'] })
  await client.call('DELETE', '/events', { queue_id })
  const counts: Record<string, number> = {}
  for (const { topic, unread_message_ids } of unread_msgs.streams) counts[topic] = unread_message_ids.length
  const direct = unread_msgs.pms.reduce((sum, one) => sum + one.unread_message_ids.length, 0)
  if (direct > 0) counts.direct = direct
  // The inbox leaves muted topics out.
  for (const { topic_name, visibility_policy } of user_topics) {
    if (visibility_policy === 1) delete counts[topic_name]
  }
  return counts
}

/** Returns the unread counts that the inbox lists; the inbox marks nothing as read. */
async function shownCounts(page: Page): Promise<Record<string, number>> {
  await page.evaluate(() => {
    location.hash = '#inbox'
  })
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  return page.evaluate((other) => {
    const counts: Record<string, number> = {}
    for (const row of document.querySelectorAll('.inbox-row')) {
      const name = row.querySelector('.one-line')!.textContent!
      counts[name === other ? 'direct' : name] = Number.parseInt(
        row.querySelector('.count [aria-hidden]')!.textContent!,
        10,
      )
    }
    return counts
  }, OTHER)
}

function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function focused(page: Page): Promise<string> {
  return page.evaluate(() =>
    document.activeElement === document.body ? '' : (document.activeElement?.textContent ?? ''),
  )
}

async function tabTo(page: Page, text: string): Promise<void> {
  for (let step = 0; step < 80; step += 1) {
    if ((await focused(page)).includes(text)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`No way to ${text} with the tab key`)
}
