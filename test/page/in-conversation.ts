import type { Page } from 'playwright-core'

/** What tests of conversations ask a page. */

export function hashOf(channel: string, topic: string): string {
  return `/#narrow/channel/${channel}/topic/${topic}`
}

export function messageOf(page: Page, id: number) {
  return page.locator(`.message[data-id="${id}"]`)
}

/** Returns where a page is, in each place that says so; the count after the title is left out. */
export async function placeOf(page: Page) {
  return {
    heading: await headingOf(page),
    box: await page.locator('.compose-text').getAttribute('placeholder'),
    title: (await page.title()).replace(/ \(\d+\)$/, ''),
    hash: await page.evaluate(() => location.hash),
  }
}

/** Returns the words of the heading: the channel and the topic. */
export async function headingOf(page: Page): Promise<string> {
  const words = await page.locator('.view-head-title > .one-line').allTextContents()
  return words.join(' ')
}

/** Opens a topic of the first channel. */
export async function openTopic(page: Page, topic: string): Promise<void> {
  await page.evaluate((name) => {
    location.hash = `#narrow/channel/1-general/topic/${name}`
  }, topic)
  await page.locator('.message[data-id]').first().waitFor()
}

/** Returns the number beside a topic in the sidebar. */
export async function unreadOf(page: Page, topic: string): Promise<number> {
  const link = page.locator('.sidebar-topics').getByRole('link', { name: topic })
  return Number(/(\d+) unread/.exec((await link.ariaSnapshot()) ?? '')?.[1] ?? 0)
}
