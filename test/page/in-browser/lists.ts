import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { A_BROWSER, needs } from '../../support/needs.ts'
import { unreadOf } from '../in-conversation.ts'
import { CHROMIUM, OWNER, operate, userIdOf } from '../open-page.ts'
import { browsers, OTHER, server, TIME } from './organization.ts'

async function say(topic: string, ...contents: readonly string[]): Promise<void> {
  const bea = await userIdOf(server, OTHER)
  for (const content of contents) {
    const params = { type: 'channel', to: ['general'], topic, content, read_by_sender: true }
    await operate(server, bea, 'send-message', params)
  }
}

function rowOf(page: Page, topic: string) {
  return page.getByRole('main').locator('.inbox-row', { hasText: topic })
}

describe.skipIf(CHROMIUM === undefined)('a row of the inbox', needs(A_BROWSER, TIME), () => {
  it('shows the last message, its sender and its time', async () => {
    await say('previewed', 'An older message', 'It drips **again** :tada:')
    const { page } = await browsers.enter(OWNER)
    const row = rowOf(page, 'previewed')
    await expect.poll(() => row.locator('.row-preview').textContent()).toBe('Bea: It drips again 🎉')
    expect(await row.locator('time').textContent()).toMatch(/^(now|\d+m ago)$/)
    const height = (await row.boundingBox())!.height
    await say('previewed', 'And\n\nagain')
    await expect.poll(() => row.locator('.row-preview').textContent()).toBe('Bea: And again')
    expect((await row.boundingBox())!.height).toBe(height)
  })

  it('names a person once in their conversation', async () => {
    const [ann, bea] = [await userIdOf(server, OWNER), await userIdOf(server, OTHER)]
    await operate(server, bea, 'send-message', { type: 'private', to: [ann], content: 'Only for you' })
    const { page } = await browsers.enter(OWNER)
    await expect.poll(() => rowOf(page, OTHER).locator('.row-preview').textContent()).toBe('Only for you')
  })

  it('says in recent conversations in which channel it is', async () => {
    await say('placed', 'Here')
    const { page } = await browsers.enter(OWNER, {}, '/#recent')
    await rowOf(page, 'placed').getByRole('link', { name: 'general placed 1 unread' }).waitFor()
    await expect.poll(() => rowOf(page, 'placed').locator('.row-preview').textContent()).toBe('Bea: Here')
  })
})

describe.skipIf(CHROMIUM === undefined)('several chosen rows', needs(A_BROWSER, TIME), () => {
  it('are marked as read together, which can be undone', async () => {
    for (const topic of ['bulk one', 'bulk two', 'bulk three']) await say(topic, 'Unread')
    const { page } = await browsers.enter(OWNER)
    await rowOf(page, 'bulk three').hover()
    await page.getByRole('checkbox', { name: 'Select bulk three' }).click()
    await page.getByRole('checkbox', { name: 'Select bulk one' }).click({ modifiers: ['Shift'] })
    const bar = page.getByRole('toolbar', { name: '3 selected' })
    await bar.getByRole('button', { name: 'Mark as read' }).click()
    await page.locator('.toast', { hasText: '3 messages marked as read' }).waitFor()
    for (const topic of ['bulk one', 'bulk two', 'bulk three'])
      expect([topic, await rowOf(page, topic).count()]).toEqual([topic, 0])
    expect(await bar.count()).toBe(0)
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await rowOf(page, 'bulk two').waitFor()
    await rowOf(page, 'bulk three').waitFor()
  })

  it('are muted together, which can be undone', async () => {
    await say('noise', 'Loud')
    const { page } = await browsers.enter(OWNER)
    await rowOf(page, 'noise').hover()
    await page.getByRole('checkbox', { name: 'Select noise' }).click()
    await page.getByRole('toolbar', { name: '1 selected' }).getByRole('button', { name: 'Mute' }).click()
    await rowOf(page, 'noise').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await rowOf(page, 'noise').getByRole('link').click()
    await expect.poll(() => unreadOf(page, 'noise')).toBe(0)
  })

  it('leave the keys as they are, and are given up by Escape', async () => {
    for (const topic of ['keys one', 'keys two']) await say(topic, 'Unread')
    const { page } = await browsers.enter(OWNER, {}, '/#recent')
    await rowOf(page, 'keys two').hover()
    await page.getByRole('checkbox', { name: 'Select keys two' }).click()
    await page.getByRole('toolbar', { name: '1 selected' }).waitFor()
    await page.keyboard.press('j')
    await rowOf(page, 'keys one').getByRole('link').and(page.locator(':focus')).waitFor()
    await page.keyboard.press('k')
    await page.keyboard.press('Escape')
    await page.getByRole('toolbar', { name: '1 selected' }).waitFor({ state: 'detached' })
    expect(page.url()).toContain('#recent')
  })
})
