import { type Request as SentRequest, Response as SentResponse } from 'miniflare'
import type { CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LocalServer } from '../../scripts/local-server.ts'
import { readJson } from '../support/json.ts'
import { A_BROWSER, needs } from '../support/needs.ts'
import { SubscribedBrowser } from '../support/subscribed-browser.ts'
import { Browsers, CHROMIUM, OWNER, operate, startPage } from './open-page.ts'

const OTHER = 'Bea Baker'
const THIRD = 'Cem Carter'
const NOTIFIED = { permissions: ['notifications'], serviceWorkers: 'allow' as const }

let subscribed: SubscribedBrowser
let server: LocalServer
let browsers: Browsers

describe.skipIf(CHROMIUM === undefined)(
  'Web Push, from the server to the browser',
  needs(A_BROWSER, { timeout: 120_000 }),
  () => {
    beforeAll(async () => {
      subscribed = await SubscribedBrowser.open()
      server = await startPage([OTHER, THIRD], { web: pushService })
      browsers = await new Browsers().launch(server, { whole: true })
    })
    afterAll(async () => {
      await browsers?.close()
      await server?.stop()
    })

    it('a notification appears in other windows, links to its message, and disappears when read', async () => {
      const { page } = await browsers.enter(OWNER, NOTIFIED)
      const { ann, bea } = await people()
      await operate(server, ann, 'add-web-push-subscription', subscribed.params)
      const worker = await workerOf(page)
      await page.goto('about:blank')
      const { id } = await operate(server, bea, 'send-message', {
        type: 'direct',
        to: `[${ann}]`,
        content: 'Come to the *gate*',
      })
      await worker.deliver(await pushed(1))
      await operate(server, ann, 'update-flags', { messages: [id], op: 'add', flag: 'read' })
      await page.goto(`${server.url}/`)
      await page.locator('.app-shell').waitFor()
      expect(await shownIn(page)).toEqual([
        { title: OTHER, body: 'Come to the gate', hash: expect.stringContaining(`${id}`), messageId: id },
      ])
      await worker.deliver(await pushed(2))
      expect(await shownIn(page)).toEqual([])
    })

    it('a pause is sent with the browser’s subscription, and its end too', async () => {
      const { page } = await browsers.open(NOTIFIED)
      await page.addInitScript(standInForPushService, subscribed.params)
      const sent: URLSearchParams[] = []
      page.on('request', (request) => {
        const isSubscription =
          request.method() === 'POST' && request.url().endsWith('/web_push/subscriptions')
        if (isSubscription) sent.push(new URLSearchParams(request.postData() ?? ''))
      })
      await page.getByRole('button', { name: OWNER }).click()
      await page.locator('.app-shell').waitFor()
      await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}))
      await page.reload()
      await page.locator('.app-shell').waitFor()
      await expect.poll(() => sent.length).toBeGreaterThan(0)
      sent.splice(0, sent.length - 1)
      expect(sent[0]!.get('paused_until')).toBe('0')
      const choose = async (item: string) => {
        await page.getByRole('button', { name: /^You: / }).click()
        await page.getByRole('menuitem', { name: item }).click()
      }
      await choose('For 30 minutes')
      await expect.poll(() => sent.length).toBe(2)
      const left = Number(sent[1]!.get('paused_until')) - Date.now() / 1_000
      expect(left).toBeGreaterThan(29 * 60)
      expect(left).toBeLessThan(31 * 60)
      await choose('Resume notifications')
      await expect.poll(() => sent.length).toBe(3)
      expect(sent[2]!.get('paused_until')).toBe('0')
      await choose('Notification schedule')
      await page.getByLabel('Pause every day').check()
      await page.getByRole('button', { name: 'Save' }).click()
      await expect.poll(() => sent.length).toBe(4)
      expect(Object.fromEntries(sent[3]!)).toMatchObject({ quiet_from: '22:00', quiet_to: '08:00' })
      expect(sent[3]!.get('timezone')).not.toBe('')
    })

    it('an open page notifies a user in another window, until the message is read', async () => {
      const { page } = await browsers.open(NOTIFIED)
      await page.addInitScript(() => {
        const own = window as { looksElsewhere?: boolean }
        own.looksElsewhere = true
        document.hasFocus = () => !own.looksElsewhere
      })
      await page.reload()
      await page.getByRole('button', { name: THIRD }).click()
      await page.locator('.app-shell').waitFor()
      await page.evaluate(() => navigator.serviceWorker.ready)
      const { bea, cem } = await people()
      const shown = async () => (await shownIn(page)).map(({ title, body }) => [title, body])
      await operate(server, bea, 'send-message', { type: 'direct', to: [cem], content: 'Are *you* there?' })
      await expect.poll(shown, { timeout: 15_000 }).toEqual([[OTHER, 'Are you there?']])
      await page.evaluate(() => {
        Object.assign(window, { looksElsewhere: false })
      })
      await page.goto(`${server.url}/#narrow/dm/${bea},${cem}`)
      await page.locator('.message', { hasText: 'Are you there?' }).waitFor()
      await expect.poll(shown, { timeout: 15_000 }).toEqual([])
    })

    it('no notification appears while the user looks at the page', async () => {
      const { page } = await browsers.enter(OWNER, NOTIFIED)
      await page.bringToFront()
      const worker = await workerOf(page)
      await worker.deliver(
        JSON.stringify({ type: 'message', message_id: 1, sender_full_name: OTHER, content: 'a' }),
      )
      expect(await shownIn(page)).toEqual([])
    })
  },
)

/** Runs in the page: subscribes at the push service of these tests, which headless browsers do not do. */
function standInForPushService({ endpoint, p256dh, auth }: SubscribedBrowser['params']): void {
  const subscription = { toJSON: () => ({ endpoint, keys: { p256dh, auth } }) }
  PushManager.prototype.getSubscription = async () => null
  // What the page asks of a subscription is its JSON alone.
  Object.assign(PushManager.prototype, { subscribe: async () => subscription })
}

/** Takes notifications for the subscribed browser, as the push service of a browser's maker does. */
async function pushService(request: SentRequest): Promise<SentResponse> {
  if (request.url !== subscribed.endpoint) return new SentResponse(null, { status: 404 })
  const body = new Uint8Array(await request.arrayBuffer())
  subscribed.requests.push({ headers: request.headers, body })
  return new SentResponse(null, { status: 201 })
}

/** Waits for the given number of pushes, and returns the newest one decrypted. */
async function pushed(count: number): Promise<string> {
  await expect.poll(() => subscribed.requests.length, { timeout: 20_000 }).toBe(count)
  return JSON.stringify((await subscribed.read()).at(-1))
}

async function people(): Promise<{ ann: number; bea: number; cem: number }> {
  const { people: all } = await readJson<{
    people: { user_id: number; full_name: string }[]
  }>(await fetch(`${server.url}/dev/people`))
  const idOf = (name: string) => all.find(({ full_name }) => full_name === name)!.user_id
  return { ann: idOf(OWNER), bea: idOf(OTHER), cem: idOf(THIRD) }
}

/**
 * The page's service worker, to which the protocol of the developer tools delivers a push. The delivery ends when the
 * worker has done everything that it does about the push.
 */
async function workerOf(page: Page): Promise<{ deliver(data: string): Promise<void> }> {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}))
  const session: CDPSession = await page.context().newCDPSession(page)
  const registration = new Promise<string>((found) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const ours = registrations.find(({ scopeURL }) => scopeURL.startsWith(server.url))
      if (ours) found(ours.registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  const registrationId = await registration
  return {
    async deliver(data) {
      await session.send('ServiceWorker.startWorker', { scopeURL: `${server.url}/` })
      await expect.poll(() => page.context().serviceWorkers().length).toBe(1)
      const worker = page.context().serviceWorkers()[0]!
      await worker.evaluate(noteWork)
      await session.send('ServiceWorker.deliverPushMessage', { origin: server.url, registrationId, data })
      await worker.evaluate(endOfWork)
    },
  }
}

/** Runs in the service worker: keeps what its events wait for, so that its end can be awaited. */
function noteWork(): void {
  const scope = globalThis as { work?: Promise<unknown>[]; ExtendableEvent?: unknown }
  if (scope.work) return
  scope.work = []
  const events = (scope.ExtendableEvent as { prototype: { waitUntil(work: Promise<unknown>): void } })
    .prototype
  const { waitUntil } = events
  events.waitUntil = function (work) {
    scope.work!.push(work)
    waitUntil.call(this, work)
  }
}

/** Runs in the service worker: resolves when it has begun something since the last call and has finished it. */
async function endOfWork(): Promise<void> {
  const { work = [] } = globalThis as { work?: Promise<unknown>[] }
  while (work.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
  await Promise.allSettled(work.splice(0))
}

function shownIn(page: Page): Promise<{ title: string; body: string; hash: string; messageId: number }[]> {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    const notifications = await registration.getNotifications()
    return notifications.map(({ title, body, data }) => ({
      title,
      body,
      hash: data.hash,
      messageId: data.messageId,
    }))
  })
}
