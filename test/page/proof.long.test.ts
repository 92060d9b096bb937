import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { buildPage } from '../../scripts/build-page.ts'
import { type LocalServer, startLocalServer } from '../../scripts/local-server.ts'
import { makeSetUpLink } from '../../scripts/organizations.ts'
import { PASSWORD } from '../node/found.ts'
import { readJson } from '../support/json.ts'
import { A_BROWSER, needs } from '../support/needs.ts'
import { chosenViews } from './chosen-views.ts'
import {
  Browsers,
  CHROMIUM,
  OWNER,
  operate,
  type Seat,
  STARTED_MS,
  startPage,
  untilStill,
  userIdOf,
} from './open-page.ts'
import { violations } from './violations.ts'

const OTHER = 'Bea Baker'
const GUEST = 'Gus Gray'
const TOPIC = '/#narrow/channel/1-general/topic/story'

let server: LocalServer
let browsers: Browsers

async function say(content: string): Promise<void> {
  await operate(server, await userIdOf(server, OTHER), 'send-message', {
    type: 'channel',
    to: ['general'],
    topic: 'story',
    content,
  })
}

/** State that would be lost if the page were reloaded, and a half-written message. */
async function settle({ page }: Seat): Promise<void> {
  await page.locator('.message').first().waitFor()
  await page.evaluate(() => Object.assign(window, { isSamePage: true }))
  await page.locator('.compose textarea').fill('Half a sentence')
}

async function expectSettled({ page }: Seat): Promise<void> {
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
  expect(await page.locator('.compose textarea').inputValue()).toBe('Half a sentence')
  expect(new URL(page.url()).hash).toContain('topic/story')
}

describe.skipIf(CHROMIUM === undefined)('the page', needs(A_BROWSER, { timeout: 120_000 }), () => {
  beforeAll(async () => {
    server = await startPage([OTHER, GUEST])
    await operate(server, await userIdOf(server, OWNER), 'update-user', {
      user_id: await userIdOf(server, GUEST),
      role: 600,
    })
    for (let line = 0; line < 40; line += 1) await say(`Line ${line} of a story`)
    browsers = await new Browsers().launch(server)
  }, STARTED_MS)
  afterAll(async () => {
    await browsers?.close()
    await server?.stop()
  })
  afterEach(async () => {
    expect(await browsers.clear()).toEqual([])
  })

  it('recovers when its queue is gone', async () => {
    const seat = await browsers.open({}, TOPIC)
    const registered = seat.page.waitForResponse(/\/json\/register/)
    await seat.page.getByRole('button', { name: OWNER }).click()
    const { queue_id } = await readJson<{ queue_id: string }>(await registered)
    await settle(seat)
    const status = await seat.page.evaluate(async (id) => {
      const token = /csrftoken=([^;]+)/.exec(document.cookie)![1]!
      const body = new URLSearchParams({ queue_id: id })
      return (await fetch('/json/events', { method: 'DELETE', headers: { 'X-CSRFToken': token }, body }))
        .status
    }, queue_id)
    expect(status).toBe(200)
    await say('After the queue')
    await seat.page.getByText('After the queue').waitFor({ timeout: 60_000 })
    await expectSettled(seat)
    await seat.page.locator('.people').getByRole('heading', { name: 'In this channel' }).waitFor()
    // The browser itself logs that the old queue is refused.
    seat.complaints.splice(0)
  })

  it('recovers by itself when the server restarts', async () => {
    const seat = await browsers.enter(OWNER, {}, TOPIC)
    await settle(seat)
    process.kill(server.runtimePid(), 'SIGKILL')
    await expect
      .poll(
        () =>
          say('After the start').then(
            () => true,
            () => false,
          ),
        { timeout: 60_000 },
      )
      .toBe(true)
    await seat.page.getByText('After the start').first().waitFor({ timeout: 60_000 })
    await expectSettled(seat)
    seat.complaints.splice(0)
  })

  it('recovers by itself when its session ended and the user logs in again', async () => {
    const seat = await browsers.enter(OWNER, {}, TOPIC)
    await settle(seat)
    const other = await browsers.enter(OWNER, {}, '/#settings/security')
    for (;;) {
      await other.page.getByText('(this browser)').waitFor()
      const rest = other.page.getByRole('button', { name: /^Log out:/ })
      if ((await rest.count()) === 0) break
      const before = await rest.count()
      await rest.first().click()
      await other.page.getByRole('dialog').getByRole('button', { name: 'Log out', exact: true }).click()
      await expect.poll(() => rest.count()).toBeLessThan(before)
    }
    // Until it hears that it is logged out, the page has buttons with the same name.
    await seat.page.locator('.top-bar-me').waitFor({ state: 'detached', timeout: 60_000 })
    await seat.page.getByRole('button', { name: OWNER }).click()
    await seat.page.locator('.message').first().waitFor()
    await expectSettled(seat)
    seat.complaints.splice(0)
  })

  it('the server refuses what the page does not offer', async () => {
    const { page, complaints } = await browsers.enter(GUEST, {}, '/#inbox')
    const statuses = await page.evaluate(
      async ([id, owner]) => {
        const token = /csrftoken=([^;]+)/.exec(document.cookie)![1]!
        const tries: [string, string, Record<string, string>][] = [
          ['PATCH', '/json/realm', { name: 'Mine' }],
          ['POST', '/json/channels/create', { name: 'mine', subscribers: '[]' }],
          ['POST', '/json/invites/multiuse', {}],
          ['PATCH', `/json/users/${owner}`, { role: '600' }],
          ['DELETE', `/json/users/${owner}`, {}],
          ['POST', '/json/realm/filters', { pattern: 'x', url_template: 'https://example.com' }],
          ['POST', '/json/export/realm', {}],
          ['GET', '/json/audit_log', {}],
          ['GET', '/json/dead_letters', {}],
          ['DELETE', `/json/messages/${id}`, {}],
          ['PATCH', `/json/messages/${id}`, { content: 'mine' }],
          ['PATCH', '/json/streams/1', { description: 'mine' }],
        ]
        return Promise.all(
          tries.map(async ([method, path, fields]) => {
            const init = method === 'GET' ? {} : { body: new URLSearchParams(fields) }
            const { status } = await fetch(path, { method, headers: { 'X-CSRFToken': token }, ...init })
            return `${method} ${path.replace(/\d+/, 'N')} ${status >= 400 && status < 500}`
          }),
        )
      },
      ['1', String(await userIdOf(server, OWNER))] as const,
    )
    expect(statuses.filter((one) => !one.endsWith(' true'))).toEqual([])
    complaints.splice(0)
  })

  it.each([
    [320, 568, 'ltr'],
    [320, 568, 'rtl'],
    [760, 900, 'ltr'],
    [1_100, 800, 'rtl'],
    [1_440, 900, 'ltr'],
    [2_560, 1_400, 'rtl'],
    // A window of 1,280 by 800 at 200 %.
    [640, 400, 'ltr'],
  ] as const)(
    'is never wider than its window, and axe finds nothing (%i x %i, %s)',
    async (width, height, dir) => {
      const views = [TOPIC.slice(1), '#inbox', '#people', '#help']
      const inspected = chosenViews(views, width)
      const { page } = await browsers.enter(OWNER, { viewport: { width, height } }, `/?dir=${dir}`)
      for (const hash of views) {
        await page.evaluate((next) => {
          location.hash = next
        }, hash)
        await page.locator('.middle :is(.message, .view-head)').first().waitFor()
        await untilStill(page)
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        const faults = inspected.includes(hash) ? await violations(page) : []
        expect([hash, over, faults]).toEqual([hash, 0, []])
      }
    },
  )
})

describe.skipIf(CHROMIUM === undefined)(
  'a server without an organization',
  needs(A_BROWSER, { timeout: 120_000 }),
  () => {
    it('creates one by the link of the first start, with its owner logged in', async () => {
      const { folder } = await buildPage()
      const empty = await startLocalServer({ page: folder, vars: { RATE_LIMITS: 'off', LOG: 'troubles' } })
      const visitors = await new Browsers().launch(empty)
      try {
        const database = await empty.runtime.getD1Database('DB')
        const link = await makeSetUpLink(empty.url, 'localhost', (sql) => database.prepare(sql).run())
        const path = new URL(link).pathname
        const { page } = await visitors.open({}, path)
        expect(await violations(page)).toEqual([])
        await page.getByLabel('Organization name').fill('The Bakery')
        await page.getByLabel('Your name').fill('Olive Owner')
        await page.getByLabel('Email address').fill('olive@example.com')
        await page.getByLabel(/^Password \(/).fill(PASSWORD)
        await page.getByRole('button', { name: 'Create organization' }).click()
        await page.getByRole('button', { name: 'You: Olive Owner' }).waitFor()
        await page.getByText('It’s just you so far.').waitFor()
        expect(await violations(page)).toEqual([])
        await page.getByRole('link', { name: 'Invite people' }).click()
        await page.getByRole('heading', { name: 'Invite by email' }).waitFor()
        const late = await visitors.open({}, path)
        await late.page.getByText('This link has expired or was already used').waitFor()
        late.complaints.splice(0)
        expect(await visitors.clear()).toEqual([])
      } finally {
        await visitors.close()
        await empty.stop()
      }
    })
  },
)
