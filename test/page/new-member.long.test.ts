import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { PNG } from '../support/images.ts'
import { A_BROWSER, needs } from '../support/needs.ts'
import { hashOf } from './in-conversation.ts'
import { CHROMIUM, expectRefusals, OWNER, operate, usePage, userIdOf } from './open-page.ts'

const OTHER = 'Bea Baker'

const THIRD = 'Cal Carver'
const FOURTH = 'Dee Dyer'
const FIFTH = 'Eve Eaton'

const { server, browsers } = usePage([OTHER, THIRD, FOURTH, FIFTH])

describe.skipIf(CHROMIUM === undefined)('a new member', needs(A_BROWSER, { timeout: 120_000 }), () => {
  let bea: number
  let ann: number

  beforeAll(async () => {
    if (CHROMIUM === undefined) return
    bea = await userIdOf(server, OTHER)
    ann = await userIdOf(server, OWNER)
  })

  async function say(topic: string, content: string): Promise<number> {
    const params = { type: 'channel', to: ['general'], topic, content }
    return (await operate(server, bea, 'send-message', params)).id as number
  }

  const searchBox = (page: Page) => page.getByRole('combobox', { name: 'Search', exact: true })

  it('can empty the filter of the inbox when the last it found is read', async () => {
    await say('plums', 'Ripe ones')
    const { page } = await browsers.enter(OWNER, {}, '/#inbox')
    const filter = page.getByRole('searchbox', { name: 'Filter', exact: true })
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await filter.fill('plum')
    // What is about everything is not offered beside a part of it.
    await page.getByRole('button', { name: 'Mark all as read' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Mark plums as read' }).click()
    await page.getByRole('heading', { name: 'No matches' }).waitFor()
    await filter.press('Escape')
    await page.getByRole('heading', { name: 'You’re all caught up' }).waitFor()
  })

  it('empties the filter of people by Escape, too', async () => {
    const { page } = await browsers.enter(OWNER, {}, '/#narrow/channel/1-general')
    const filter = page.getByRole('searchbox', { name: 'Find people' })
    await filter.fill('nobody at all')
    await page.getByText('No people found.').waitFor()
    await filter.press('Escape')
    expect(await filter.inputValue()).toBe('')
    await page.locator('.people-row', { hasText: OTHER }).waitFor()
  })

  it('is told that the text of an unsent message is copied', async () => {
    const seat = await browsers.enter(
      OWNER,
      { permissions: ['clipboard-read', 'clipboard-write'] },
      hashOf('1-general', 'refused'),
    )
    const { page } = seat
    await page.route('**/json/messages', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 400, json: { result: 'error', code: 'BAD_REQUEST', msg: 'Not now' } })
        : route.continue(),
    )
    await page.locator('.compose-text').fill('Long words')
    await page.locator('.compose-text').press('Control+Enter')
    await page.getByRole('button', { name: 'Copy text' }).click()
    await page.locator('.toast', { hasText: 'Copied' }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('Long words')
    await page.getByRole('button', { name: 'Discard' }).click()
    expectRefusals(seat)
  })

  it('can copy code twice, and is told each time', async () => {
    const id = await say('code', '```\nlet plums = 3\n```')
    const { page } = await browsers.enter(
      OWNER,
      { permissions: ['clipboard-read', 'clipboard-write'] },
      hashOf('1-general', 'code'),
    )
    const row = page.locator(`.message[data-id="${id}"]`)
    await row.hover()
    await row.getByRole('button', { name: 'Copy', exact: true }).click()
    await row.getByRole('button', { name: 'Copied' }).waitFor()
    await row.getByRole('button', { name: 'Copy', exact: true }).waitFor()
  })

  it('learns that nobody has the name typed as a recipient', async () => {
    const { page } = await browsers.enter(OWNER, {}, '/#inbox')
    await page.locator('.inbox, .empty').first().waitFor()
    await page.keyboard.press('x')
    const field = page.getByRole('combobox', { name: 'Add people' })
    await field.fill('Zebulon')
    await page.locator('.compose').getByText('No people found.').waitFor()
    await field.fill('Bea')
    await page.getByRole('option', { name: OTHER }).waitFor()
    expect(await page.locator('.compose').getByText('No people found.').count()).toBe(0)
  })

  it('sees emoji of the organization in others’ status among the people', async () => {
    const { page } = await browsers.enter(OWNER, {}, '/#organization/emoji-settings')
    await page.getByLabel('Name').fill('plum')
    const buffer = Buffer.from(PNG.content as Uint8Array)
    await page
      .getByLabel('Picture: Choose')
      .setInputFiles({ name: 'plum.png', mimeType: 'image/png', buffer })
    await page.getByRole('button', { name: 'Add' }).click()
    await page.getByText(':plum:').waitFor()
    await page.goto(`${server.url}/#narrow/channel/1-general`)
    await operate(server, bea, 'update-own-status', { status_text: 'Picking', emoji_name: 'plum' })
    await page.locator('.people-row', { hasText: OTHER }).locator('.status-emoji img').waitFor()
    await operate(server, bea, 'update-own-status', { status_text: '', emoji_name: '' })
  })

  it('is told that nothing was unread where all is marked as read', async () => {
    await say('calm', 'Read at once')
    const { page } = await browsers.enter(OWNER, {}, hashOf('1-general', 'calm'))
    await page.locator('.message[data-id]').first().waitFor()
    await page.goto(`${server.url}/#narrow/dm/${bea}-bea`)
    await page.getByRole('button', { name: 'Conversation options' }).click()
    await page.getByRole('menuitem', { name: 'Mark all as read' }).click()
    await page.locator('.toast', { hasText: 'You’re all caught up' }).waitFor()
  })

  it('searches for nothing by Enter in the empty search box', async () => {
    const { page } = await browsers.enter(OWNER, {}, '/#inbox')
    await searchBox(page).click()
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('Enter')
    expect(await searchBox(page).inputValue()).toBe('')
  })

  it('leaves no half-typed search in its box by Escape', async () => {
    const { page } = await browsers.enter(OWNER, {}, '/#inbox')
    await searchBox(page).fill('half a thou')
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => searchBox(page).inputValue()).toBe('')
  })

  it('goes through the people of a search’s filter by arrows', async () => {
    await say('harvest', 'rhubarb for all')
    const { page } = await browsers.enter(OWNER, {}, '/#narrow/search/rhubarb')
    await page.getByRole('group', { name: 'Filters' }).getByRole('button', { name: 'From' }).click()
    const field = page.getByPlaceholder('Find a person')
    await field.fill('nobody like this')
    await page.locator('.picker').getByText('No matches').waitFor()
    await field.fill('')
    await page.keyboard.press('ArrowDown')
    const second = page.getByRole('option', { selected: true })
    const name = (await second.locator('.one-line').textContent())!
    expect(await page.locator('.picker [role="option"]').nth(1).textContent()).toContain(name)
    await page.keyboard.press('Enter')
    await expect
      .poll(() => searchBox(page).inputValue())
      .toContain(`sender:${name.includes(' ') ? `"${name}"` : name}`)
  })

  it('chooses several kinds in a search’s filter at once', async () => {
    const { page } = await browsers.enter(OWNER, {}, '/#narrow/search/rhubarb')
    await page.getByRole('group', { name: 'Filters' }).getByRole('button', { name: 'Has' }).click()
    await page.getByRole('menuitemradio', { name: 'Links' }).click()
    await page.getByRole('menuitemradio', { name: 'Images' }).click()
    await expect.poll(() => searchBox(page).inputValue()).toBe('rhubarb has:link has:image')
  })

  it('finds from the own picture where the profile is changed', async () => {
    const { page } = await browsers.enter(OWNER, {}, '/#inbox')
    await page.getByRole('button', { name: `You: ${OWNER}` }).click()
    await page.getByRole('menuitem', { name: 'Edit profile' }).click()
    await page.getByRole('button', { name: 'Upload picture' }).waitFor()
    await page.goto(`${server.url}/#user/${ann}`)
    await page.getByRole('link', { name: 'Edit profile' }).click()
    await page.getByRole('button', { name: 'Upload picture' }).waitFor()
  })

  it('learns why Enter sends nothing while files are uploading', async () => {
    const { page } = await browsers.enter(OWNER, {}, hashOf('1-general', 'uploading'))
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/json/tus/**', async (route) => {
      await held
      await route.continue()
    })
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Add files and more' }).click()
    await page.getByRole('menuitem', { name: 'Attach files' }).click()
    await (await chooser).setFiles({ name: 'list.txt', mimeType: 'text/plain', buffer: Buffer.from('plums') })
    await page.locator('.file-chip', { hasText: 'list.txt' }).waitFor()
    await page.locator('.compose-text').fill('Here it is')
    await page.locator('.compose-text').press('Control+Enter')
    await page.locator('.compose').getByText('Files are still uploading.').waitFor()
    release()
    await page.locator('.compose').getByText('Files are still uploading.').waitFor({ state: 'detached' })
    await page.locator('.compose-text').fill('')
  })

  it('counts a draft in Later that only this browser has', async () => {
    await operate(server, bea, 'update-settings', { enable_drafts_synchronization: false })
    const { page } = await browsers.enter(OTHER, {}, hashOf('1-general', 'only here'))
    await page.locator('.compose-text').fill('Half a letter')
    await page.getByRole('link', { name: 'Later 1 for later' }).waitFor()
    await page.locator('.compose-text').fill('')
    await operate(server, bea, 'update-settings', { enable_drafts_synchronization: true })
  })

  it('is told offline why logging out does nothing', async () => {
    const seat = await browsers.enter(OWNER, {}, '/#inbox')
    const { page } = seat
    const menu = page.getByRole('button', { name: `You: ${OWNER}` })
    await menu.click()
    const out = page.getByRole('menuitem', { name: 'Log out' })
    await out.waitFor()
    await page.keyboard.press('Escape')
    await page.context().setOffline(true)
    await menu.click()
    await out.click()
    await page.locator('.toast', { hasText: 'offline' }).waitFor()
    seat.complaints.splice(0)
  })

  it('can allow notifications in the settings after “Not now”', async () => {
    const { page } = await browsers.open()
    await page.addInitScript(() => {
      const stub = { permission: 'default', requestPermission: async () => (stub.permission = 'granted') }
      Object.defineProperty(window, 'Notification', { value: stub })
    })
    await page.reload()
    await page.getByRole('button', { name: OWNER }).click()
    await page.getByRole('button', { name: 'Not now' }).click()
    await page.goto(`${server.url}/#settings/notifications`)
    await page.getByRole('button', { name: 'Enable notifications' }).click()
    await page.getByText('Notifications are on in this browser.').waitFor()
  })

  it('is shown as away to themselves when they appear away', async () => {
    const { page } = await browsers.enter(OTHER, {}, '/#narrow/channel/1-general')
    const own = page.locator('.people-row', { hasText: OTHER })
    await own.getByRole('img', { name: 'Active' }).waitFor()
    await operate(server, bea, 'update-settings', { presence_enabled: false })
    await own.locator('.presence').waitFor({ state: 'detached' })
    await operate(server, bea, 'update-settings', { presence_enabled: true })
    await own.getByRole('img', { name: 'Active' }).waitFor()
  })

  it('sees first who is in a conversation of several', async () => {
    const cal = await userIdOf(server, THIRD)
    const { page } = await browsers.enter(OWNER, {}, `/#narrow/dm/${bea},${cal}-group`)
    const here = page.getByRole('region', { name: 'In this conversation' })
    await here.getByRole('button', { name: THIRD }).waitFor()
    expect(await here.getByRole('listitem').count()).toBe(3)
    await page.getByRole('region', { name: 'Others' }).getByRole('button', { name: FOURTH }).waitFor()
  })

  it('votes in a poll by a click on the words of an option', async () => {
    await say('lunch', '/poll Where to?\nQuay\nHill')
    const { page } = await browsers.enter(OWNER, {}, hashOf('1-general', 'lunch'))
    await page.locator('.widget').getByText('Hill', { exact: true }).click()
    await page.getByRole('button', { name: 'Hill: 1 vote', exact: true, pressed: true }).waitFor()
  })

  it('forwards a message to another conversation, with words of their own', async () => {
    const id = await say('forwarded', 'The roof drips again')
    await say('roof', 'What is known so far')
    const { page } = await browsers.enter(OWNER, {}, hashOf('1-general', 'forwarded'))
    const open = async () => {
      await page.locator(`.message[data-id="${id}"]`).hover()
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Forward' }).click()
    }
    await open()
    await page.getByRole('combobox', { name: 'Forward' }).fill('roof')
    await page.keyboard.press('Enter')
    await page.waitForURL(/topic\/roof/)
    await page.locator('.quote-chip', { hasText: 'The roof drips again' }).waitFor()
    await page.locator('.compose-text:focus').waitFor()
    await page.keyboard.type('See above')
    await page.keyboard.press('Control+Enter')
    const sent = page.locator('.message[data-id]', { hasText: 'See above' })
    await sent.locator('blockquote', { hasText: 'The roof drips again' }).waitFor()
    // A person is found by name, too.
    await page.goto(`${server.url}${hashOf('1-general', 'forwarded')}`)
    await open()
    await page.getByRole('combobox', { name: 'Forward' }).fill('Cal')
    await page.keyboard.press('Enter')
    await page.getByPlaceholder(`Message ${THIRD}`).waitFor()
    await page.locator('.quote-chip', { hasText: 'The roof drips again' }).waitFor()
    await page.getByRole('button', { name: 'Remove quote' }).click()
  })

  it('learns by a click on a mentioned group who is in it', async () => {
    const cal = await userIdOf(server, THIRD)
    await operate(server, ann, 'create-user-group', {
      name: 'pickers',
      description: 'Who picks the plums',
      members: [bea, cal],
      subgroups: [],
    })
    await say('picking', 'Tomorrow at six, @*pickers*')
    const { page } = await browsers.enter(OWNER, {}, hashOf('1-general', 'picking'))
    await page.getByRole('button', { name: '@pickers' }).click()
    const card = page.getByRole('dialog', { name: 'pickers' })
    await card.getByText('Who picks the plums').waitFor()
    await card.getByText('2 people').waitFor()
    await card.getByRole('link', { name: THIRD }).click()
    await page.waitForURL(new RegExp(`#user/${cal}$`))
  })

  it('is led to the recipients by sending to nobody', async () => {
    const { page } = await browsers.enter(OWNER, {}, '/#inbox')
    await page.locator('.inbox, .empty').first().waitFor()
    await page.keyboard.press('x')
    await page.getByRole('combobox', { name: 'Add people' }).and(page.locator(':focus')).waitFor()
    await page.locator('.compose-text').fill('Hello there')
    await page.locator('.compose-text').press('Control+Enter')
    await page.getByRole('combobox', { name: 'Add people' }).and(page.locator(':focus')).waitFor()
    expect(await page.locator('.compose-text').inputValue()).toBe('Hello there')
  })

  it('marks all direct messages as read in the inbox', async () => {
    await operate(server, bea, 'send-message', { type: 'direct', to: [ann], content: 'For you alone' })
    const { page } = await browsers.enter(OWNER, {}, '/#inbox')
    await page.getByRole('button', { name: 'Mark Direct messages as read' }).click()
    await page.locator('.toast', { hasText: 'marked as read' }).waitFor()
    await page.locator('.inbox').getByText('Direct messages').waitFor({ state: 'detached' })
  })

  it('is not offered to remove a picture that is not theirs', async () => {
    const { page } = await browsers.enter(OTHER, {}, '/#settings/profile')
    await page.getByRole('button', { name: 'Upload picture' }).waitFor()
    const remove = page.getByRole('button', { name: 'Remove', exact: true })
    expect(await remove.count()).toBe(0)
    const buffer = Buffer.from(PNG.content as Uint8Array)
    const picture = { name: 'me.png', mimeType: 'image/png', buffer }
    await page.locator('.settings-picture input[type="file"]').setInputFiles(picture)
    await remove.waitFor()
    await page.reload()
    await remove.waitFor()
  })

  it('has files in the order in which they were chosen', async () => {
    const { page } = await browsers.enter(OWNER, {}, hashOf('1-general', 'in order'))
    let isFirst = true
    await page.route('**/json/tus/**', async (route) => {
      const isSlow = isFirst
      isFirst = false
      if (isSlow) await new Promise((resolve) => setTimeout(resolve, 1_500))
      await route.continue()
    })
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Add files and more' }).click()
    await page.getByRole('menuitem', { name: 'Attach files' }).click()
    const file = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) })
    await (await chooser).setFiles([file('first.txt'), file('second.txt')])
    await expect.poll(() => page.locator('.file-chip:not(.upload)').count(), { timeout: 10_000 }).toBe(2)
    expect(await page.locator('.file-chip .one-line').allTextContents()).toEqual(['first.txt', 'second.txt'])
    for (const name of ['first', 'second']) {
      await page.getByRole('button', { name: `Remove ${name}.txt` }).click()
    }
  })

  it('empties the search box by its button', async () => {
    const { page } = await browsers.enter(OWNER, {}, '/#inbox')
    await searchBox(page).fill('plums')
    await page.getByRole('button', { name: 'Clear search' }).click()
    expect(await searchBox(page).inputValue()).toBe('')
    await searchBox(page).and(page.locator(':focus')).waitFor()
    expect(await page.getByRole('button', { name: 'Clear search' }).count()).toBe(0)
  })

  it('writes to people, and finds channels, where they have left all channels', async () => {
    const { page } = await browsers.enter(FOURTH, {}, '/#channels/subscribed')
    const leave = page.getByRole('button', { name: 'Leave' })
    await leave.first().waitFor()
    for (let left = await leave.count(); left > 0; left -= 1) {
      await leave.first().click()
      await expect.poll(() => leave.count()).toBe(left - 1)
    }
    await page.goto(`${server.url}/#inbox`)
    if ((await page.getByRole('button', { name: 'Mark all as read' }).count()) > 0) {
      await page.getByRole('button', { name: 'Mark all as read' }).click()
    }
    await page.getByRole('link', { name: 'All channels' }).first().waitFor()
    await page.locator('.empty').getByRole('link', { name: 'All channels' }).waitFor()
    await page.getByRole('button', { name: 'New message' }).click()
    await page.getByRole('combobox', { name: 'Add people' }).and(page.locator(':focus')).waitFor()
    // A channel that is only looked at can be joined where it is read.
    await page.goto(`${server.url}/#narrow/channel/1-general`)
    await page.locator('.view-head').getByRole('button', { name: 'Join' }).click()
    await page.locator('.view-head').getByRole('button', { name: 'Join' }).waitFor({ state: 'detached' })
    await page
      .locator('.sidebar')
      .getByRole('link', { name: /^general/ })
      .waitFor()
  })

  it('sees which of the people they are, however long their name', async () => {
    const name = `Bea ${'Baker'.repeat(12)}`
    await operate(server, bea, 'update-settings', { full_name: name })
    const { page } = await browsers.enter(name, {}, '/#narrow/channel/1-general')
    const you = page.locator('.people-row').getByText('(you)')
    const list = (await page.locator('.people').boundingBox())!
    const box = (await you.boundingBox())!
    expect(box.width).toBeGreaterThan(20)
    expect(box.x + box.width).toBeLessThanOrEqual(list.x + list.width)
  })

  it('goes to the items of a menu by their first letter', async () => {
    const { page } = await browsers.enter(OWNER, {}, '/#inbox')
    await page.getByRole('button', { name: `You: ${OWNER}` }).click()
    const focused = (name: string) =>
      page.getByRole('menuitem', { name }).and(page.locator(':focus')).waitFor()
    await page.getByRole('menuitem', { name: 'Log out' }).waitFor()
    await page.keyboard.press('l')
    await page.getByRole('menuitemradio', { name: 'Light' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('L')
    await focused('Log out')
    await page.keyboard.press('s')
    await focused('Set a status')
  })

  it('finds the topic without a name by what their language calls it', async () => {
    await say('', 'Without a topic')
    await operate(server, bea, 'update-settings', { default_language: 'de' })
    const { page } = await browsers.enter(OTHER, {}, '/#inbox')
    await page.locator('.inbox, .empty').first().waitFor()
    await page.keyboard.press('c')
    const topic = page.getByRole('combobox', { name: 'Thema' })
    const option = page.getByRole('option', { name: 'Allgemeines' })
    await topic.pressSequentially('allge')
    await option.waitFor()
    await page.locator('.compose-text').fill('#**general>allge')
    await option.waitFor()
    await operate(server, bea, 'update-settings', { default_language: 'en' })
  })

  it('sees what points the way of the text mirrored where that is right to left', async () => {
    await operate(server, ann, 'create-scheduled-message', {
      type: 'channel',
      to: 1,
      topic: 'plums',
      content: 'Later',
      scheduled_delivery_timestamp: Math.floor(Date.now() / 1_000) + 86_400,
    })
    const id = await say('plums', 'To forward')
    const { page } = await browsers.enter(OWNER, {}, '/?dir=rtl#scheduled')
    const isMirrored = (name: string) =>
      page
        .locator('button', { has: page.locator('svg') })
        .and(
          page
            .getByRole('button', { name, exact: true })
            .or(page.getByRole('menuitem', { name, exact: true })),
        )
        .locator('svg > *')
        .first()
        .evaluate((shape: SVGGraphicsElement) => shape.getScreenCTM()!.a < 0)
    await expect.poll(() => isMirrored('Send now')).toBe(true)
    expect(await isMirrored('Delete')).toBe(false)
    await page.goto(`${server.url}/?dir=rtl${hashOf('1-general', 'plums').slice(1)}`)
    await page.locator(`.message[data-id="${id}"]`).hover()
    await page.getByRole('toolbar').getByRole('button', { name: 'More actions' }).click()
    await expect.poll(() => isMirrored('Forward')).toBe(true)
  })

  it('is told at the door that the account is deactivated which they have closed', async () => {
    const seat = await browsers.enter(FIFTH, {}, '/#settings/account-and-privacy')
    const { page } = seat
    await page.getByRole('button', { name: 'Deactivate account' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate account' }).click()
    await page.getByRole('status').filter({ hasText: 'Your account has been deactivated.' }).waitFor()
    expect(await page.getByText('Your session has ended').count()).toBe(0)
    await page.getByLabel('Email address').fill('bea@example.com')
    await page.getByLabel('Password', { exact: true }).fill('correct horse')
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    seat.complaints.splice(0)
  })
})
