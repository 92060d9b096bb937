/**
 * `npm run bench -- --page`: measures how long the page keeps a reader waiting, in headless Chromium. Times are taken in the browser: from
 * an action of the reader, or the arrival of an event, to the frame after which the result is on the screen.
 */
import { availableParallelism, loadavg } from 'node:os'
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core'
import { ApiClient } from '../scripts/api-client.ts'
import { buildPage } from '../scripts/build-page.ts'
import { chromiumPath } from '../scripts/chromium.ts'
import {
  DEMO_ORGANIZATION,
  DEMO_OWNER,
  DEMO_PASSWORD,
  fillDemoOrganization,
} from '../scripts/demo-organization.ts'
import { type LocalServer, startLocalServer } from '../scripts/local-server.ts'
import { createOrganization, readAnswer } from '../scripts/organizations.ts'
import { type SeedSize, seededEmail, seedOrganization } from '../scripts/seed-organization.ts'
import { DEMO_GOALS, LARGE_PAGE_GOALS, type PageGoals } from './page-goals.ts'

export interface Spread {
  readonly median: number
  readonly worst: number
  readonly times: number
}

/** Times in ms. */
export interface PageResults {
  readonly name: string
  readonly goals: PageGoals
  /** From the click that logs in to messages on the screen, with files in the browser's cache and without. */
  readonly firstMessages: Spread
  /** With the processor slowed four times. */
  readonly firstMessagesSlowly: Spread
  /** Opening channels for the first time, and the same ones again. */
  readonly openFirst: Spread
  readonly openAgain: Spread
  /** The processor time of the page's thread while a channel is opened for the first time. */
  readonly openProcessor: Spread
  /** From the event's arrival in the browser. */
  readonly live: Spread
  readonly scroll: { readonly messages: number; readonly seconds: number; readonly worstFrame: number }
  /** Bytes after a collection, in the beginning and after each minute of five messages a second. */
  readonly heap: readonly number[]
  /** The mean number of programs that wanted a processor in a minute meanwhile; there are `cores` processors. */
  readonly load: number
  readonly cores: number
}

const SLOWER = 4
const LOG_INS = 3
const CHANNELS_OPENED = 10
const LIVE_MESSAGES = 20
const MESSAGES_SCROLLED = 10_000
/** Scrolls at each frame, like a user who drags the scroll bar. */
const PIXELS_A_FRAME = 400
const HEAP_MESSAGES_A_SECOND = 5

interface Subject {
  readonly name: string
  readonly goals: PageGoals
  readonly server: LocalServer
  /** The reader and the writer. */
  readonly reader: ApiClient
  readonly writer: ApiClient
  /** The channel that both are subscribed to. */
  readonly channel: { readonly id: number; readonly name: string }
}

/**
 * @param minutes of messages for the heap.
 * @param note is called with the results so far after each organization, since later ones may fail on a busy machine.
 */
export async function measurePage(
  size: SeedSize,
  minutes: number,
  note: (results: readonly PageResults[]) => void,
): Promise<PageResults[]> {
  const executablePath = chromiumPath()
  if (executablePath === undefined)
    throw new Error('Chromium was not found. Install it, or set CHROMIUM to its path')
  const { folder } = await buildPage()
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  const results: PageResults[] = []
  try {
    for (const prepare of [prepareDemo, prepareLarge]) {
      const server = await startLocalServer({ page: folder, vars: { RATE_LIMITS: 'off', LOG: 'off' } })
      try {
        const subject = await prepare(server, size)
        process.stderr.write(`${subject.name} … `)
        results.push(await measure(browser, subject, minutes))
        note(results)
      } finally {
        await server.stop()
      }
    }
  } finally {
    await browser.close()
  }
  return results
}

async function prepareDemo(server: LocalServer): Promise<Subject> {
  const database = await server.runtime.getD1Database('DB')
  const organization = await createOrganization(server.url, (sql) => database.prepare(sql).run(), {
    name: DEMO_ORGANIZATION,
    host: 'localhost',
    owner: { ...DEMO_OWNER, password: DEMO_PASSWORD },
  })
  await fillDemoOrganization(server.url, organization)
  const reader = new ApiClient(server.url, organization)
  const { members } = await reader.call<{
    members: { email: string; delivery_email: string | null; is_bot: boolean }[]
  }>('GET', '/users')
  const other = members.find(
    ({ is_bot, delivery_email }) => !is_bot && delivery_email !== null && delivery_email !== DEMO_OWNER.email,
  )!
  const writer = await reader.logIn(other.delivery_email!)
  return {
    name: 'the demo',
    goals: DEMO_GOALS,
    server,
    reader,
    writer,
    channel: await commonChannel(reader, writer),
  }
}

async function prepareLarge(server: LocalServer, size: SeedSize): Promise<Subject> {
  const database = await server.runtime.getD1Database('DB')
  const owner = { email: 'owner@example.com', full_name: 'Olive Owner', password: 'measured words' }
  const founding = { name: 'Large', host: 'localhost', owner }
  const account = await createOrganization(server.url, (sql) => database.prepare(sql).run(), founding)
  await seedOrganization((body) => postSeed(server.url, body), account.user_id, size)
  const client = new ApiClient(server.url, account)
  const [reader, writer] = [await client.logIn(seededEmail(0)), await client.logIn(seededEmail(1))]
  const name = `${size.users} people, ${size.channels} channels, ${size.messages} messages`
  return {
    name,
    goals: LARGE_PAGE_GOALS,
    server,
    reader,
    writer,
    channel: await commonChannel(reader, writer),
  }
}

async function postSeed(url: string, body: object): Promise<unknown> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  return readAnswer(await fetch(`${url}/dev/seed`, init))
}

type Subscriptions = { readonly subscriptions: readonly { stream_id: number; name: string }[] }

async function commonChannel(one: ApiClient, other: ApiClient): Promise<Subject['channel']> {
  const [own, others] = await Promise.all(
    [one, other].map((client) => client.call<Subscriptions>('GET', '/users/me/subscriptions')),
  )
  const theirs = new Set(others!.subscriptions.map(({ stream_id }) => stream_id))
  const { stream_id: id, name } = own!.subscriptions.find(({ stream_id }) => theirs.has(stream_id))!
  return { id, name }
}

async function measure(browser: Browser, subject: Subject, minutes: number): Promise<PageResults> {
  const { name, goals } = subject
  const firstMessages: number[] = []
  const firstMessagesSlowly: number[] = []
  for (let time = 0; time < LOG_INS; time += 1) {
    firstMessages.push(await timeLogIn(browser, subject, 1))
    firstMessagesSlowly.push(await timeLogIn(browser, subject, SLOWER))
  }
  process.stderr.write('in … ')
  const { page, devTools } = await enter(browser, subject, 1)
  try {
    const paths = await channelPaths(subject)
    const openFirst = await timeOpenings(page, devTools, paths)
    const openAgain = await timeOpenings(page, devTools, paths)
    process.stderr.write('channels … ')
    const live = await timeLive(page, subject)
    const scroll = await scrollBack(page)
    const [load = Number.NaN] = loadavg()
    process.stderr.write('scrolled … ')
    const heap = await watchHeap(page, devTools, subject, minutes)
    return {
      name,
      goals,
      firstMessages: spread(firstMessages),
      firstMessagesSlowly: spread(firstMessagesSlowly),
      openFirst: spread(openFirst.map(({ ms }) => ms)),
      openAgain: spread(openAgain.map(({ ms }) => ms)),
      openProcessor: spread(openFirst.map(({ processorMs }) => processorMs)),
      live: spread(live),
      scroll,
      heap,
      load,
      cores: availableParallelism(),
    }
  } finally {
    await page.context().close()
  }
}

interface Seat {
  readonly page: Page
  readonly devTools: CDPSession
  /** From the click at the door to messages on the screen, ms. */
  readonly ms: number
}

async function timeLogIn(browser: Browser, subject: Subject, slower: number): Promise<number> {
  const { page, ms } = await enter(browser, subject, slower)
  await page.context().close()
  return ms
}

/** Starts a new browser, with only the files of the log-in page in its cache. */
async function enter(browser: Browser, { server, reader, channel }: Subject, slower: number): Promise<Seat> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' })
  const page = await context.newPage()
  const devTools = await context.newCDPSession(page)
  // The log-in of a large organization would offer its owner.
  const people = [{ email: reader.email, full_name: 'The Reader', role: 400 }]
  await page.route('**/dev/people', (route) =>
    route.fulfill({ json: { result: 'success', msg: '', people } }),
  )
  await page.addInitScript(noteArrivals)
  await page.goto(`${server.url}/#narrow/channel/${channel.id}`)
  await page.getByRole('button', { name: 'The Reader' }).waitFor()
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: slower })
  const ms = await page.evaluate(async () => {
    const began = performance.now()
    const button = document.querySelector<HTMLElement>('.door-person')!
    button.click()
    await window.whenShown(() => document.querySelector('.messages .message[data-id]') !== null)
    return performance.now() - began
  })
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  return { page, devTools, ms }
}

declare global {
  interface Window {
    /** Resolves at the frame after which the condition holds. */
    whenShown(holds: () => boolean): Promise<void>
    /** When an event with this text came over the socket; ms since the page began. */
    arrivals: Map<string, number>
  }
}

/** Code that runs in the page before the page's own script. */
function noteArrivals(): void {
  window.arrivals = new Map()
  window.whenShown = (holds) =>
    new Promise((resolve) => {
      const look = () => {
        // A frame is on the screen when the next task begins.
        if (holds()) setTimeout(resolve)
        else requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
    })
  const add = WebSocket.prototype.addEventListener
  const note = (event: Event) => {
    const text = String((event as MessageEvent).data)
    for (const [mark] of text.matchAll(/measured-\d+/g)) {
      if (!window.arrivals.has(mark)) window.arrivals.set(mark, performance.now())
    }
  }
  window.WebSocket = class extends WebSocket {
    constructor(...args: ConstructorParameters<typeof WebSocket>) {
      super(...args)
      add.call(this, 'message', note)
    }
  }
}

async function channelPaths({ reader, channel }: Subject): Promise<string[]> {
  const { subscriptions } = await reader.call<Subscriptions>('GET', '/users/me/subscriptions')
  return subscriptions
    .filter(({ stream_id }) => stream_id !== channel.id)
    .slice(0, CHANNELS_OPENED)
    .map(({ stream_id }) => `#narrow/channel/${stream_id}`)
}

/** Measures how long conversations take to open after a click on a link, rendering included. */
async function timeOpenings(
  page: Page,
  devTools: CDPSession,
  paths: readonly string[],
): Promise<{ ms: number; processorMs: number }[]> {
  await devTools.send('Performance.enable', { timeDomain: 'threadTicks' })
  const times: { ms: number; processorMs: number }[] = []
  for (const path of paths) {
    const before = await threadMs(devTools)
    const ms = await page.evaluate(async (hash) => {
      const shown = document.querySelector('.messages')
      const began = performance.now()
      location.hash = hash
      await window.whenShown(() => {
        const now = document.querySelector('.messages')
        return (
          (now !== shown && now?.querySelector('.message') != null) ||
          document.querySelector('.middle .empty') !== null
        )
      })
      return performance.now() - began
    }, path)
    times.push({ ms, processorMs: (await threadMs(devTools)) - before })
    await page.waitForTimeout(300)
  }
  return times
}

/** Returns the processor time of the page's thread. */
async function threadMs(devTools: CDPSession): Promise<number> {
  const { metrics } = await devTools.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1_000
}

async function timeLive(page: Page, { writer, channel }: Subject): Promise<number[]> {
  const times: number[] = []
  await page.evaluate(async (id) => {
    location.hash = `#narrow/channel/${id}/topic/measured`
    await window.whenShown(() => document.querySelector('.middle .empty, .middle .message') !== null)
  }, channel.id)
  for (let number = 0; number < LIVE_MESSAGES; number += 1) {
    const mark = `measured-${number}`
    const shown = page.evaluate(async (text) => {
      await window.whenShown(
        () => document.querySelector('.messages')?.lastElementChild?.textContent?.includes(text) === true,
      )
      return performance.now() - (window.arrivals.get(text) ?? Number.NaN)
    }, mark)
    await say(writer, channel.id, `A message that is ${mark}.`)
    times.push(await shown)
  }
  return times.filter((ms) => !Number.isNaN(ms))
}

function say(writer: ApiClient, to: number, content: string): Promise<unknown> {
  return writer.call('POST', '/messages', { type: 'channel', to, topic: 'measured', content })
}

/** Scrolls back from the newest message, as fast as messages load. */
async function scrollBack(page: Page): Promise<PageResults['scroll']> {
  await page.evaluate(async () => {
    const before = document.querySelector('.messages')
    location.hash = '#feed'
    await window.whenShown(() => {
      const now = document.querySelector('.messages')
      return now !== before && now?.querySelector('.message') != null
    })
  })
  await page.waitForTimeout(500)
  return page.evaluate(
    async ([most, pixels]) => {
      const list = document.querySelector('.messages')!
      const seen = new Set<string>()
      const began = performance.now()
      let [before, worst, waited] = [began, 0, 0]
      for (;;) {
        const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve))
        worst = Math.max(worst, now - before)
        before = now
        for (const row of list.querySelectorAll<HTMLElement>('.message[data-id]')) seen.add(row.dataset.id!)
        waited = list.scrollTop > 0 ? 0 : waited + 1
        const isOver = list.querySelector('.messages-begin') !== null && list.scrollTop === 0
        if (seen.size >= most! || isOver || waited > 1_200) break
        list.scrollTop -= pixels!
      }
      return { messages: seen.size, seconds: (performance.now() - began) / 1_000, worstFrame: worst }
    },
    [MESSAGES_SCROLLED, PIXELS_A_FRAME],
  )
}

/** Measures the heap while messages come and the reader looks at their conversation. */
async function watchHeap(
  page: Page,
  devTools: CDPSession,
  { writer, channel }: Subject,
  minutes: number,
): Promise<number[]> {
  await page.evaluate((id) => {
    location.hash = `#narrow/channel/${id}/topic/measured`
  }, channel.id)
  await page.waitForTimeout(1_000)
  const used = async () => {
    await devTools.send('HeapProfiler.collectGarbage')
    return (await devTools.send('Runtime.getHeapUsage')).usedSize
  }
  const heap = [await used()]
  for (let minute = 0; minute < minutes; minute += 1) {
    const began = performance.now()
    for (let number = 0; number < 60 * HEAP_MESSAGES_A_SECOND; number += 1) {
      await say(writer, channel.id, `Number ${number} of minute ${minute}, with **words** in it.`)
      const ahead = began + ((number + 1) * 1_000) / HEAP_MESSAGES_A_SECOND - performance.now()
      if (ahead > 0) await new Promise((resolve) => setTimeout(resolve, ahead))
    }
    heap.push(await used())
  }
  return heap
}

function spread(times: readonly number[]): Spread {
  const sorted = times.toSorted((a, b) => a - b)
  return {
    median: sorted[sorted.length >> 1] ?? Number.NaN,
    worst: sorted.at(-1) ?? Number.NaN,
    times: times.length,
  }
}
