import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { buildPage } from '../../scripts/build-page.ts'
import { chromiumPath, chromiumShellPath } from '../../scripts/chromium.ts'
import { type LocalServer, type LocalServerOptions, startLocalServer } from '../../scripts/local-server.ts'
import { hashPassword } from '../../src/hasher/password-hash.ts'
import { found, PASSWORD } from '../node/found.ts'
import { readJson } from '../support/json.ts'

export const CHROMIUM = chromiumPath()
const SHELL = chromiumShellPath()

/** Name of the owner, as `found` sets it. */
export const OWNER = 'Ann'

/** Milliseconds for building the page, and starting server and browser while other tests run. */
export const STARTED_MS = 180_000

type PageOptions = Pick<LocalServerOptions, 'vars' | 'web'>

/**
 * Starts a server with the page (see `startPage`) and Chromium, for all tests of the file. After each test every seat is closed, and no
 * console may have complained. Options that are known only when the tests run are given as a function.
 */
export function usePage(
  others: readonly string[] = [],
  options: PageOptions | (() => PageOptions) = {},
): UsedPage {
  const used = futurePage()
  keepPage(used, others, options)
  return used
}

/** A server with the page, and the browsers of its people. */
interface UsedPage {
  readonly server: LocalServer
  readonly browsers: Browsers
}

/** Returns what tests refer to before the server is started: each file whose tests do starts it (`keepPage`). */
export function futurePage(): UsedPage {
  return { server: {} as LocalServer, browsers: new Browsers() }
}

/** Like `usePage`, for tests that stand in other files than the one that is run. */
export function keepPage(
  { server, browsers }: UsedPage,
  others: readonly string[] = [],
  options: PageOptions | (() => PageOptions) = {},
): void {
  let started: LocalServer | undefined
  beforeAll(async () => {
    started = await startPage(others, typeof options === 'function' ? options() : options)
    Object.assign(server, started)
    await browsers.launch(server)
  }, STARTED_MS)
  afterAll(async () => {
    await browsers.close()
    await started?.stop()
  })
  afterEach(async () => {
    expect(await browsers.clear()).toEqual([])
  })
}

/** Starts a server with the page, and creates an organization with an owner and the named people. */
export async function startPage(
  others: readonly string[] = [],
  { vars = {}, web }: PageOptions = {},
): Promise<LocalServer> {
  const { folder } = await buildPage()
  const server = await startLocalServer({
    page: folder,
    vars: { RATE_LIMITS: 'off', LOG: 'troubles', ...vars },
    ...(web ? { web } : {}),
  })
  const owner = await found(server)
  const password_hash = await hashPassword(PASSWORD)
  for (const full_name of others) {
    const email = `${full_name.split(' ')[0]!.toLowerCase()}@example.com`
    await operate(server, owner.user_id, 'dev-create-user', {
      email,
      full_name,
      password: PASSWORD,
      password_hash,
    })
  }
  return server
}

/** Returns the id of the user with this full name. */
export async function userIdOf(server: LocalServer, name: string): Promise<number> {
  const { people } = await readJson<{
    people: { user_id: number; full_name: string }[]
  }>(await fetch(`${server.url}/dev/people`))
  return people.find(({ full_name }) => full_name === name)!.user_id
}

/** Makes a request as one of the people, with parameters as values. */
export async function operate(
  server: LocalServer,
  user_id: number,
  operation: string,
  params: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const now = Math.floor(Date.now() / 1_000)
  const response = await fetch(`${server.url}/dev/run`, {
    method: 'POST',
    body: JSON.stringify({ calls: [{ operation, user_id, params, now }] }),
  })
  const { answers } = await readJson<{
    answers: { ok: boolean; value: Record<string, unknown>; error?: unknown }[]
  }>(response)
  const [answer] = answers
  if (!answer?.ok) throw new Error(`${operation}: ${JSON.stringify(answer?.error)}`)
  return answer.value
}

/** Waits until nothing in the page moves or changes any more: neither document nor positions, for ten frames in a row. */
export async function untilStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const look = () => {
      const list = document.querySelector('.messages')
      return `${document.body.innerHTML.length} ${document.body.scrollHeight} ${list?.scrollTop} ${list?.scrollHeight}`
    }
    let before = ''
    for (let same = 0; same < 10; ) {
      await new Promise(requestAnimationFrame)
      const now = look()
      const isMoving = document.getAnimations().some(({ playState }) => playState === 'running')
      same = now === before && !isMoving ? same + 1 : 0
      before = now
    }
  })
}

/** One person with a browser of their own, and the complaints of its console. */
export interface Seat {
  readonly page: Page
  readonly complaints: string[]
}

/** Takes a seat's complaints, which may only be the browser's own about requests that were refused. */
export function expectRefusals({ complaints }: Seat): void {
  expect(complaints.splice(0).filter((text) => !text.includes('400'))).toEqual([])
}

/** The browsers that the files of a process share, by their programs: starting one takes as long as several tests. They end with the process. */
const shared = new Map<string | undefined, Browser>()

async function launchOnce(executablePath: string | undefined): Promise<Browser> {
  const running = shared.get(executablePath)
  if (running?.isConnected()) return running
  // Tests often run as root, whom Chromium's own sandbox refuses. What is shown comes from the tests alone.
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  shared.set(executablePath, browser)
  return browser
}

/** What the browser says of a page that registers its service worker where none may run. */
const NO_SERVICE_WORKER = 'Service Worker registration blocked'

export class Browsers {
  readonly #seats: Seat[] = []
  #browser: Browser | undefined
  #url = ''

  /** Lets seats open pages of this server, in Chromium. `whole`: in one that has notifications, and shows a PDF. */
  async launch(server: LocalServer, { whole = false } = {}): Promise<this> {
    this.#browser = await launchOnce(whole ? CHROMIUM : SHELL)
    this.#url = server.url
    return this
  }

  /** Opens a browser of its own, which the caller closes. */
  openContext(options: BrowserContextOptions): Promise<BrowserContext> {
    return this.#browser!.newContext(options)
  }

  /**
   * Opens a browser at the login page. It has no service worker, which would load each file of the page once more, unless the options say
   * `serviceWorkers: 'allow'`.
   */
  async open(options: BrowserContextOptions = {}, path = '/'): Promise<Seat> {
    const context = await this.#browser!.newContext({
      viewport: { width: 1280, height: 800 },
      locale: 'en-GB',
      serviceWorkers: 'block',
      ...options,
    })
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => {
      const isComplaint = message.type() === 'error' || message.type() === 'warning'
      if (isComplaint && !message.text().includes(NO_SERVICE_WORKER))
        complaints.push(`${message.text()} ${message.location().url}`)
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    await page.goto(`${this.#url}${path}`)
    const seat = { page, complaints }
    this.#seats.push(seat)
    return seat
  }

  /** Opens a browser and enters the organization by a button of the demo's login page. */
  async enter(name: string, options: BrowserContextOptions = {}, path = '/'): Promise<Seat> {
    const seat = await this.open(options, path)
    await seat.page.getByRole('button', { name }).click()
    await seat.page.locator('.app-shell').waitFor()
    return seat
  }

  /** Closes all browsers. Returns the complaints of their consoles. */
  async clear(): Promise<string[]> {
    const seats = this.#seats.splice(0)
    for (const { page } of seats) await page.context().close()
    return seats.flatMap(({ complaints }) => complaints)
  }

  /** Closes what tests have left open. */
  async close(): Promise<void> {
    await this.clear()
  }
}
