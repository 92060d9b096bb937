import { env } from 'cloudflare:test'
import { runUntil } from './backups.ts'
import { Browser } from './browsing.ts'
import { expectSuccess, type TestRealm } from './factories.ts'

export interface Copy {
  readonly id: number
  readonly host: string
  readonly link: string
}

/** Makes a copy of a backup, and waits until it is filled; `meanwhile` is called before each run. */
export async function copy(of: TestRealm, backupId: number, meanwhile: () => void = () => {}): Promise<Copy> {
  const { url } = expectSuccess(await of.owner.api.post(`/backups/${backupId}/copy`))
  const { host } = new URL(url)
  const row = await env.DB.prepare(`SELECT id FROM realm WHERE host = ?`).bind(host).first<{ id: number }>()
  const isFilled = async () => (await new Browser(host).ask('GET', '/api/v1/server_settings')).status === 200
  await runUntil(row!.id, isFilled, meanwhile)
  return { id: row!.id, host, link: url }
}

/** Enters a copy by its link. */
export async function enter({ host, link }: Pick<Copy, 'host' | 'link'>): Promise<Browser> {
  const { pathname, search } = new URL(link)
  const browser = new Browser(host)
  await browser.ask('POST', `${pathname}${search}`, { headers: { Origin: browser.origin } })
  return browser
}

export async function contentsIn(browser: Browser): Promise<Map<number, string>> {
  const asked = { anchor: 'newest', num_before: 200, num_after: 0, apply_markdown: false }
  const { messages } = expectSuccess(await browser.json('GET', '/messages', asked))
  return new Map(messages.map(({ id, content }: { id: number; content: string }) => [id, content]))
}
