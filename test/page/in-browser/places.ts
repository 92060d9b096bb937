import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { ApiClient } from '../../../scripts/api-client.ts'
import { readJson } from '../../support/json.ts'
import { A_BROWSER, needs } from '../../support/needs.ts'
import { hashOf, messageOf, placeOf } from '../in-conversation.ts'
import { CHROMIUM, expectRefusals, OWNER, untilStill, userIdOf } from '../open-page.ts'
import { browsers, OTHER, server, TIME } from './organization.ts'

const GENERAL = 1

describe.skipIf(CHROMIUM === undefined)('what is open', needs(A_BROWSER, TIME), () => {
  let ann: ApiClient
  let bea: number

  beforeAll(async () => {
    if (CHROMIUM === undefined) return
    ann = await new ApiClient(server.url).logIn('ann@example.com')
    bea = await userIdOf(server, OTHER)
  })

  async function say(topic: string, content: string, to: number = GENERAL): Promise<number> {
    const { id } = await ann.call('POST', '/messages', { type: 'channel', to, topic, content })
    return id as number
  }

  async function createChannel(name: string, facts: Record<string, unknown> = {}): Promise<number> {
    const subscribers = [await userIdOf(server, OWNER), bea]
    return (await ann.call('POST', '/channels/create', { name, subscribers, ...facts })).id as number
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

  it('moves nothing on the screen when its topic goes to another channel', async () => {
    const board = await createChannel('board')
    for (let line = 0; line < 30; line += 1) await say('plans', `Line ${line} of the plans`)
    const last = await say('plans', 'The last line')
    const { page } = await browsers.enter(OTHER, {}, hashOf('1-general', 'plans'))
    await messageOf(page, last).waitFor()
    await page.locator('.messages').evaluate((list) => list.scrollTo(0, 60))
    await page.waitForFunction(() => history.state?.position !== undefined)
    const before = await firstLineOf(page)
    await ann.call('PATCH', `/messages/${last}`, {
      topic: 'aims',
      stream_id: board,
      propagate_mode: 'change_all',
      send_notification_to_new_thread: false,
    })
    await expect.poll(async () => (await placeOf(page)).heading).toBe('board aims')
    await untilStill(page)
    expect(await firstLineOf(page)).toEqual(before)
    expect(await page.locator('.message').count()).toBe(31)
  })

  it('stays where messages stay, and goes with those that are read', async () => {
    const first = await say('tea', 'Green tea')
    const second = await say('tea', 'Black tea')
    const third = await say('tea', 'White tea')
    const { page } = await browsers.enter(OTHER, {}, hashOf('1-general', 'tea'))
    await messageOf(page, third).waitFor()
    await ann.call('PATCH', `/messages/${second}`, { topic: 'black', propagate_mode: 'change_one' })
    await messageOf(page, second).waitFor({ state: 'detached' })
    expect((await placeOf(page)).heading).toBe('general tea')
    await ann.call('PATCH', `/messages/${third}`, { topic: 'white', propagate_mode: 'change_later' })
    await messageOf(page, first).waitFor({ state: 'detached' })
    expect((await placeOf(page)).heading).toBe('general white')
  })

  it('goes along with a message that the reader moves, once and not back', async () => {
    const [first, second] = [await say('soup', 'Carrots'), await say('soup', 'Screws')]
    const { page } = await browsers.enter(OWNER)
    // Events come later than answers, as they do at random.
    await page.routeWebSocket(/json\/events/, (socket) => {
      const toServer = socket.connectToServer()
      toServer.onMessage((said) => void setTimeout(() => socket.send(said), 500))
    })
    await page.goto('about:blank')
    await page.goto(`${server.url}${hashOf('1-general', 'soup')}`)
    await messageOf(page, second).waitFor()
    await page.evaluate(() => {
      const places: string[] = []
      Object.assign(window, { places })
      for (const name of ['pushState', 'replaceState'] as const) {
        const kept = history[name].bind(history)
        history[name] = (...given) => {
          kept(...given)
          places.push(location.hash)
        }
      }
      window.addEventListener('hashchange', () => places.push(location.hash))
    })
    await messageOf(page, second).hover()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Move' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Topic' }).fill('shelves')
    await dialog.getByLabel('Only this message').check()
    await dialog.getByRole('button', { name: 'Move', exact: true }).click()
    await expect.poll(async () => (await placeOf(page)).heading).toBe('general shelves')
    await messageOf(page, second).waitFor()
    await untilStill(page)
    const places = await page.evaluate(() => Reflect.get(window, 'places') as string[])
    const at = places.findIndex((hash) => hash.includes('shelves'))
    expect(places.slice(at).filter((hash) => !hash.includes('shelves'))).toEqual([])
    expect(await messageOf(page, first).count()).toBe(0)
  })

  it('is found by the back button where it was moved meanwhile, with its draft', async () => {
    const id = await say('rent', 'The rent is due')
    const { page } = await browsers.enter(OTHER, {}, hashOf('1-general', 'rent'))
    await messageOf(page, id).waitFor()
    await page.locator('.compose-text').fill('I will pay')
    await page.keyboard.press('Escape')
    await page.goto(`${server.url}/#inbox`)
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await ann.call('PATCH', `/messages/${id}`, { topic: 'rent of May', propagate_mode: 'change_all' })
    await page.goBack()
    await messageOf(page, id).waitFor()
    expect((await placeOf(page)).heading).toBe('general rent of May')
    expect(await page.locator('.compose-text').inputValue()).toBe('I will pay')
  })

  it('joins the texts written for two topics that become one', async () => {
    const [first, second] = [await say('glue', 'We have no glue'), await say('paper', 'We have no paper')]
    const { page } = await browsers.enter(OTHER, {}, hashOf('1-general', 'glue'))
    await messageOf(page, first).waitFor()
    await page.locator('.compose-text').fill('Glue is here')
    await page.goto(`${server.url}${hashOf('1-general', 'paper')}`)
    await messageOf(page, second).waitFor()
    await page.locator('.compose-text').fill('Paper is there')
    await ann.call('PATCH', `/messages/${first}`, { topic: 'paper', propagate_mode: 'change_all' })
    await messageOf(page, first).waitFor()
    expect(await page.locator('.compose-text').inputValue()).toBe('Paper is there\n\nGlue is here')
  })

  it('is found at an old address, with the text written there', async () => {
    const id = await say('keys', 'Who has the keys?')
    const { page } = await browsers.enter(OTHER, {}, hashOf('1-general', 'keys'))
    await messageOf(page, id).waitFor()
    await page.locator('.compose-text').fill('I have')
    await page.waitForFunction(() =>
      Object.values(localStorage).some((kept) => String(kept).includes('I have')),
    )
    await page.goto('about:blank')
    await ann.call('PATCH', `/messages/${id}`, { topic: 'keys and alarm', propagate_mode: 'change_all' })
    await page.goto(`${server.url}${hashOf('1-general', 'keys')}`)
    await messageOf(page, id).waitFor()
    expect((await placeOf(page)).heading).toBe('general keys and alarm')
    expect(await page.locator('.compose-text').inputValue()).toBe('I have')
  })

  it('is found after the queue of events was lost', async () => {
    const id = await say('lamp', 'It is dark')
    const seat = await browsers.enter(OTHER, {}, hashOf('1-general', 'lamp'))
    const { page, complaints } = seat
    const [registered] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith('/json/register')),
      page.reload(),
    ])
    const { queue_id } = await readJson<{ queue_id: string }>(registered)
    await messageOf(page, id).waitFor()
    await page.locator('.compose-text').fill('I have a bulb')
    await page.context().setOffline(true)
    await page.locator('.connection-lost').waitFor()
    const client = await ann.logIn('bea@example.com')
    await client.call('DELETE', '/events', { queue_id })
    await ann.call('PATCH', `/messages/${id}`, { topic: 'light', propagate_mode: 'change_all' })
    await page.context().setOffline(false)
    await expect.poll(async () => (await placeOf(page)).heading, { timeout: 30_000 }).toBe('general light')
    await messageOf(page, id).waitFor()
    expect(await page.locator('.compose-text').inputValue()).toBe('I have a bulb')
    // The browser itself logs a lost network, and refused requests.
    complaints.splice(0)
  })

  it('takes over the new name of its channel', async () => {
    const channel = await createChannel('tills')
    const id = await say('reports', 'All is well', channel)
    const { page } = await browsers.enter(OTHER, {}, hashOf(`${channel}-tills`, 'reports'))
    await messageOf(page, id).waitFor()
    await ann.call('PATCH', `/streams/${channel}`, { new_name: 'registers' })
    await expect
      .poll(() => placeOf(page))
      .toEqual({
        heading: 'registers reports',
        box: 'Message #registers › reports',
        title: 'reports · #registers · localhost',
        hash: hashOf(`${channel}-registers`, 'reports').slice(1),
      })
  })

  it('says that its channel is archived, or gone, and keeps what was written', async () => {
    const channel = await createChannel('club', { invite_only: true })
    const id = await say('books', 'What do we read?', channel)
    const seat = await browsers.enter(OTHER, {}, hashOf(`${channel}-club`, 'books'))
    const { page } = seat
    await messageOf(page, id).waitFor()
    await page.locator('.compose-text').fill('Something short')
    const kept = page.getByRole('textbox', { name: 'Your saved draft' })
    await ann.call('DELETE', `/streams/${channel}`)
    await page.getByText('This channel is archived').waitFor()
    expect(await kept.inputValue()).toBe('Something short')
    await ann.call('PATCH', `/streams/${channel}`, { is_archived: false })
    await page.locator('.compose-text').waitFor()
    expect(await page.locator('.compose-text').inputValue()).toBe('Something short')
    await ann.call('DELETE', '/users/me/subscriptions', { subscriptions: ['club'], principals: [bea] })
    await page
      .getByRole('heading', { name: 'This channel doesn’t exist, or you don’t have access to it.' })
      .waitFor()
    expect(await kept.inputValue()).toBe('Something short')
    await ann.call('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'club' }],
      principals: [bea],
    })
    await messageOf(page, id).waitFor()
    expect(await page.locator('.compose-text').inputValue()).toBe('Something short')
    // Notices of typing may be under way when the channel goes.
    expectRefusals(seat)
  })

  it('says that all its messages are gone, and keeps what was written', async () => {
    const id = await say('slip', 'Never mind')
    const { page } = await browsers.enter(OTHER, {}, hashOf('1-general', 'slip'))
    await messageOf(page, id).waitFor()
    await page.locator('.compose-text').fill('But I do')
    await ann.call('DELETE', `/messages/${id}`)
    await page.getByRole('heading', { name: 'These messages are gone' }).waitFor()
    expect(await page.locator('.compose-text').inputValue()).toBe('But I do')
  })
})

/** Returns the first line in view, and where it is. */
function firstLineOf(page: Page) {
  return page.evaluate(() => {
    const { top } = document.querySelector('.messages')!.getBoundingClientRect()
    const rows = [...document.querySelectorAll<HTMLElement>('.message')]
    const row = rows.find((one) => one.getBoundingClientRect().bottom > top)!
    return [row.dataset.id, Math.round(row.getBoundingClientRect().top)]
  })
}
