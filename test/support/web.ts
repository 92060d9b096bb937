import { runDurableObjectAlarm } from 'cloudflare:test'
import { afterEach, beforeEach, vi } from 'vitest'
import { realmStub } from './api.ts'
import { expectSuccess, type TestRealm, type TestUser } from './factories.ts'
import { inRealm } from './inside.ts'
import { world } from './world.ts'

export type Answer = () => Response | Promise<Response>

/** The web that the server can fetch from. */
export interface Web {
  /** Answers of its servers, by URL; other URLs do not exist. */
  pages: Record<string, Answer>
  /** URLs that were requested, in order. */
  asked: string[]
  /** The URL of an existing page, on another site in each test, since organizations store previews. */
  site: string
}

let sites = 0

/** The User-Agent of requests to websites and images. */
const LOOKS = /^Parley(Import|LinkPreview|Pictures)\//
const SITE = /^https:\/\/site(\d+)\./

/** Requests of other tests' organizations with unfinished work, which share `fetch`: their webhooks, mail and sites. */
function isOurs(address: string, init: RequestInit | undefined): boolean {
  const site = SITE.exec(address)?.[1]
  return (
    LOOKS.test(new Headers(init?.headers).get('User-Agent') ?? '') &&
    (site === undefined || Number(site) === sites)
  )
}

/** Replaces the web in every test of a file. Readers load images from it directly, unless `settings` say otherwise. */
export function standInForTheWeb(
  settings: Readonly<Record<string, string>> = { EXTERNAL_CONTENT: 'direct' },
): Web {
  const web: Web = { pages: {}, asked: [], site: '' }
  beforeEach(() => {
    // An hour ahead of the platform's clock, so that only a test triggers the alarm.
    world.clockOffset = 3_600
    world.settings = settings
    sites += 1
    const site = `https://site${sites}.example.com/`
    Object.assign(web, { site, pages: { [site]: page() }, asked: [] })
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
      if (isOurs(String(url), init)) web.asked.push(String(url))
      const answer = web.pages[String(url)]
      if (!answer) throw new TypeError('no such host')
      return answer()
    })
  })
  afterEach(() => vi.restoreAllMocks())
  return web
}

export const ROCK = {
  'og:title': 'The Rock',
  'og:description': 'A film.',
  'og:image': 'https://img.example.com/rock.jpg',
}

export const answering =
  (status: number): Answer =>
  () =>
    new Response((page()() as Response).body, { status, headers: { 'Content-Type': 'text/html' } })

export function page(
  meta: Record<string, string> = ROCK,
  title = 'Fallback',
  contentType = 'text/html',
): Answer {
  const tags = Object.entries(meta).map(([name, content]) => `<meta property="${name}" content="${content}">`)
  const html = `<!doctype html><html><head><title>${title}</title>${tags.join('')}</head><body>x</body></html>`
  return () => new Response(html, { headers: { 'Content-Type': contentType } })
}

export const redirectTo =
  (location: string, status = 302): Answer =>
  () =>
    new Response('', { status, headers: { Location: location } })

export const linked = (href: string) => `<p><a href="${href}">${href}</a></p>`
export const embedOf = (href: string, texts: string, picture = 'https://img.example.com/rock.jpg') =>
  `<div class="message_embed"><a class="message_embed_image" href="${href}" style="background-image: url(&quot;${picture}&quot;)"></a><div class="data-container">${texts}</div></div>`
export const titled = (href: string, title: string) =>
  `<div class="message_embed_title"><a href="${href}" title="${title}">${title}</a></div>`
export const described = (text: string) => `<div class="message_embed_description">${text}</div>`
export const shown = (href: string) =>
  `${linked(href)}\n${embedOf(href, titled(href, 'The Rock') + described('A film.'))}`

/** Runs everything that is due `seconds` from now, and waits until it has finished. */
export async function work(realm: TestRealm, seconds = 1): Promise<void> {
  world.clockOffset += seconds
  await runDurableObjectAlarm(realmStub(realm.id))
  await inRealm(realm, async ({ parts }) => {
    while (!parts.lanes.isIdle) await scheduler.wait(1)
  })
}

/** Like `work`, without waiting for what was started. */
export async function begin(realm: TestRealm, seconds = 1): Promise<void> {
  world.clockOffset += seconds
  world.alarmsWait = false
  await runDurableObjectAlarm(realmStub(realm.id))
  world.alarmsWait = true
}

export async function contentOf(user: TestUser, messageId: number): Promise<string> {
  return expectSuccess(await user.api.get(`/messages/${messageId}`)).message.content
}
