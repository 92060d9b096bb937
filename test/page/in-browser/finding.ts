import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { ApiClient } from '../../../scripts/api-client.ts'
import { readJson } from '../../support/json.ts'
import { A_BROWSER, needs } from '../../support/needs.ts'
import { CHROMIUM, OWNER, operate, userIdOf } from '../open-page.ts'
import { violations } from '../violations.ts'
import { browsers, OTHER, server, TIME } from './organization.ts'

async function say(who: string, topic: string, content: string): Promise<number> {
  const params = { type: 'channel', to: ['general'], topic, content, read_by_sender: true }
  return (await operate(server, await userIdOf(server, who), 'send-message', params)).id as number
}

function press(page: Page, ...keys: readonly string[]): Promise<void> {
  return keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve())
}

function filterOf(page: Page, name: string) {
  return page.getByRole('group', { name: 'Filters' }).getByRole('button', { name, exact: true })
}

describe.skipIf(CHROMIUM === undefined)('a search in the words of other apps', needs(A_BROWSER, TIME), () => {
  it('is turned into operators of the page, and says which term it does not know', async () => {
    const [ann, bea] = [await userIdOf(server, OWNER), await userIdOf(server, OTHER)]
    await say(OTHER, 'orchard', 'The medlars are ripe')
    await operate(server, bea, 'send-message', { type: 'private', to: [ann], content: 'Medlars for you' })
    const { page } = await browsers.enter(OWNER)
    const field = page.getByRole('combobox', { name: 'Search' })
    const search = async (words: string) => {
      await field.fill(words)
      await field.press('Enter')
    }
    await search('in:#general from:@bea medlars')
    await page.getByText('1 result', { exact: true }).waitFor()
    expect(await field.inputValue()).toBe(`channel:general sender:"${OTHER}" medlars`)
    await search('to:me medlars')
    await page.locator('.result', { hasText: 'Medlars for you' }).waitFor()
    await page.getByText('1 result', { exact: true }).waitFor()
    await search('in:@bea medlars')
    await page.locator('.result', { hasText: 'Medlars for you' }).waitFor()
    await search('in:nowhere medlars')
    await page.getByText('in:nowhere didn’t match a person, channel').waitFor()
    await field.fill('@be')
    await page.getByRole('option', { name: `mentions:"${OTHER}"` }).waitFor()
  })
})

describe.skipIf(CHROMIUM === undefined)('a topic that a search finds', needs(A_BROWSER, TIME), () => {
  beforeAll(async () => {
    if (CHROMIUM === undefined) return
    for (const line of ['one', 'two', 'three']) await say(OTHER, 'quince jelly', `Jar ${line}`)
    await say(OTHER, 'sequinced coats', 'Only the letters')
    await say(OTHER, 'supper', 'Is there quince for supper?')
    await say(OTHER, 'sequinced coats', 'The letters again')
  })

  it('is one card with a count, above others, and those with the letters below', async () => {
    const { page } = await browsers.enter(OWNER, {}, '/#narrow/search/quince')
    await page.getByText('3 results', { exact: true }).waitFor()
    const cards = await page
      .locator('.result')
      .evaluateAll((all) =>
        all.map((card) => [
          card.querySelector('.result-topic')?.textContent,
          card.querySelector('.result-count')?.textContent,
        ]),
      )
    expect(cards).toEqual([
      ['quince jelly', '3 messages'],
      ['supper', undefined],
      ['sequinced coats', '2 messages'],
    ])
    expect(await violations(page)).toEqual([])
    await press(page, 'j', 'Enter')
    await expect.poll(() => page.locator('.view-head h1').textContent()).toContain('quince jelly')
  })

  it('is offered while its words are typed', async () => {
    const { page } = await browsers.enter(OWNER)
    await page.getByRole('combobox', { name: 'Search' }).fill('quince')
    const topics = page.getByRole('option', { name: '#general ›' })
    await topics.first().waitFor()
    expect(await topics.first().textContent()).toContain('#general › quince jelly')
  })
})

describe.skipIf(CHROMIUM === undefined)('Ctrl+K', needs(A_BROWSER, TIME), () => {
  it('has headings and keys, and marks the chosen row by the colour of choices', async () => {
    const { page } = await browsers.enter(OWNER)
    await page.keyboard.press('Control+k')
    const list = page.getByRole('listbox', { name: 'Suggestions' })
    for (const name of ['Recent', 'Channels', 'Actions']) await list.getByRole('group', { name }).waitFor()
    expect(await list.getByRole('option', { name: 'New message c' }).locator('kbd').textContent()).toBe('c')
    const chosen = list.getByRole('option', { selected: true })
    expect(
      await chosen.evaluate((row) => {
        const probe = document.createElement('p')
        probe.style.background = 'var(--ground-chosen)'
        row.appendChild(probe)
        const isSame = getComputedStyle(row).backgroundColor === getComputedStyle(probe).backgroundColor
        probe.remove()
        return isSame
      }),
    ).toBe(true)
    await page.getByRole('combobox', { name: 'Go to' }).fill('bea')
    await list.getByRole('group', { name: 'People' }).getByRole('option', { name: OTHER }).waitFor()
    expect(await violations(page)).toEqual([])
  })
})

describe.skipIf(CHROMIUM === undefined)('recent conversations', needs(A_BROWSER, TIME), () => {
  it('are filtered by what is unread, followed, direct or one’s own, also after a reload', async () => {
    await say(OWNER, 'filtered mine', 'I wrote this')
    await say(OTHER, 'filtered unread', 'Not read')
    const { page } = await browsers.enter(OWNER, {}, '/#recent')
    const row = (topic: string) => page.locator('.inbox-row', { hasText: topic })
    await row('filtered mine').waitFor()
    await filterOf(page, 'Posted in').click()
    await row('filtered unread').waitFor({ state: 'detached' })
    await row('filtered mine').waitFor()
    await filterOf(page, 'Posted in').click()
    await filterOf(page, 'Unread').click()
    await row('filtered mine').waitFor({ state: 'detached' })
    await row('filtered unread').waitFor()
    await page.reload()
    await row('filtered unread').waitFor()
    expect(await filterOf(page, 'Unread').getAttribute('aria-pressed')).toBe('true')
    expect(await row('filtered mine').count()).toBe(0)
    await filterOf(page, 'Followed').click()
    await filterOf(page, 'Posted in').click()
    expect(await violations(page)).toEqual([])
    const clear = page.getByRole('button', { name: 'Clear filters' })
    if ((await clear.count()) > 0) await clear.click()
  })
})

describe.skipIf(CHROMIUM === undefined)('activity', needs(A_BROWSER, TIME), () => {
  it('lists mentions, reactions, quotes and followed topics, and adds what comes', async () => {
    const [ann, bea] = [await userIdOf(server, OWNER), await userIdOf(server, OTHER)]
    const mine = await say(OWNER, 'beehives', 'The bees swarm')
    await operate(server, ann, 'set-topic-policy', { stream_id: 1, topic: 'honey', visibility_policy: 3 })
    await operate(server, bea, 'add-reaction', { message_id: mine, emoji_name: 'honeybee' })
    await say(
      OTHER,
      'beehives',
      `@_**${OWNER}|${ann}** [↗](http://x.org):\n\`\`\`quote\nThe bees swarm\n\`\`\`\nGet the net`,
    )
    await say(OTHER, 'beehives', `@**${OWNER}** hurry`)
    await say(OTHER, 'honey', 'Four jars')
    await say(OTHER, 'honey', 'Five jars')
    const { page } = await browsers.enter(OWNER, {}, '/#inbox')
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /^Activity/ })
      .click()
    const rows = page.getByRole('main').locator('.inbox-row')
    const texts = () =>
      rows.evaluateAll((all) =>
        all.slice(0, 4).map((row) => {
          const says = row.querySelector('.row-name')?.textContent
          return `${says} | ${row.querySelector('.row-preview')?.textContent}`
        }),
      )
    await expect
      .poll(texts)
      .toEqual([
        `${OTHER} posted in a topic you follow | #general › honey · Five jars`,
        `${OTHER} mentioned you | #general › beehives · @${OWNER} hurry`,
        `${OTHER} quoted you | #general › beehives · Get the net`,
        `${OTHER} reacted to your message | #general › beehives · The bees swarm`,
      ])
    expect(await violations(page)).toEqual([])
    const second = await say(OWNER, 'beehives', 'All is well')
    await operate(server, bea, 'add-reaction', { message_id: second, emoji_name: 'tada' })
    await rows.filter({ hasText: 'All is well' }).waitFor()
    await filterOf(page, 'Mentions').click()
    await rows.filter({ hasText: 'All is well' }).waitFor({ state: 'detached' })
    await page.reload()
    await rows.filter({ hasText: 'hurry' }).waitFor()
    expect(await rows.filter({ hasText: 'Five jars' }).count()).toBe(0)
    await press(page, 'j', 'Enter')
    await page.locator('.message-target', { hasText: 'hurry' }).waitFor()
  })
})

describe.skipIf(CHROMIUM === undefined)('shared files', needs(A_BROWSER, TIME), () => {
  it('are cards, by channel and by person, with the ways to them', async () => {
    const bea = await new ApiClient(server.url).logIn('bea@example.com')
    const body = new FormData()
    body.set('file', new File(['yellow'], 'pollen.txt', { type: 'text/plain' }))
    const uploaded = await bea.fetch('/api/v1/user_uploads', {
      method: 'POST',
      headers: bea.authorization(),
      body,
    })
    const { url: notes } = await readJson<{ url: string }>(uploaded)
    const id = await say(OTHER, 'apiary', `[pollen.txt](${notes}) and https://bees.example/swarm`)
    const { page } = await browsers.enter(OWNER, {}, '/#narrow/channel/1-general')
    await page.getByRole('button', { name: 'Conversation options' }).click()
    await page.getByRole('menuitem', { name: 'Files' }).click()
    await page.waitForURL(/#files\/channel\/1-general$/)
    const card = page.locator('.file-card', { hasText: 'pollen.txt' })
    await card.waitFor()
    expect(await card.getByRole('link', { name: 'Download: pollen.txt' }).getAttribute('href')).toContain(
      notes,
    )
    expect(await violations(page)).toEqual([])
    await page.getByRole('group', { name: 'Has' }).getByRole('link', { name: 'Links' }).click()
    await page.waitForURL(/has\/link$/)
    await page.locator('.file-card', { hasText: 'bees.example' }).waitFor()
    await page.goto(`${server.url}/#user/${await userIdOf(server, OTHER)}`)
    await page.getByRole('link', { name: 'View files' }).click()
    await page.getByRole('heading', { name: `Files from ${OTHER}` }).waitFor()
    await card.getByRole('link', { name: 'View message: pollen.txt' }).click()
    await page.locator(`.message-target[data-id="${id}"]`).waitFor()
  })

  it('of a hidden channel are not there', async () => {
    const bea = await new ApiClient(server.url).logIn('bea@example.com')
    const members = [await userIdOf(server, OTHER)]
    const { id } = await bea.call('POST', '/channels/create', {
      name: 'queens',
      subscribers: members,
      invite_only: true,
    })
    const { page } = await browsers.enter(OTHER, {}, `/#files/channel/${id}`)
    await page.getByRole('heading', { name: 'Files in #queens' }).waitFor()
    const { page: other } = await browsers.enter(OWNER, {}, `/#files/channel/${Number(id) + 1}`)
    await other.getByText('This channel doesn’t exist').waitFor()
  })
})
