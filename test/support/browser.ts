import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fromJson } from './json.ts'

type Fields = Readonly<Record<string, unknown>>
/** A message of the DevTools protocol about one page. */
interface ProtocolMessage {
  readonly id?: number
  readonly method?: string
  readonly params?: Fields
  readonly result?: Fields
  readonly error?: { readonly message: string }
  readonly sessionId?: string
}
type Listener = (params: Fields) => void

/**
 * Chromium without a window, controlled by the DevTools protocol (https://chromedevtools.github.io/devtools-protocol/). Its profile
 * is deleted with it. All host names resolve to this machine, so that a page cannot reach any other.
 */
export class Browser {
  readonly #process: ChildProcess
  readonly #profile: string
  readonly #socket: WebSocket
  readonly #open = new Map<number, (message: ProtocolMessage) => void>()
  readonly #listeners = new Map<string, Listener>()
  #lastId = 0

  private constructor(process: ChildProcess, profile: string, socket: WebSocket) {
    this.#process = process
    this.#profile = profile
    this.#socket = socket
    socket.onmessage = ({ data }) => this.#receive(fromJson(String(data)))
  }

  static async launch(program: string): Promise<Browser> {
    const profile = mkdtempSync(join(tmpdir(), 'parley-browser-'))
    const process = spawn(
      program,
      [
        '--headless=new',
        '--remote-debugging-port=0',
        `--user-data-dir=${profile}`,
        '--host-resolver-rules=MAP * 127.0.0.1',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--disable-gpu',
        '--disable-dev-shm-usage',
        // Tests often run as root, which Chromium's sandbox refuses. All pages come from the tests.
        '--no-sandbox',
        'about:blank',
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    )
    const socket = new WebSocket(await addressOf(process))
    await new Promise((done, fail) => {
      socket.onopen = done
      socket.onerror = () => fail(new Error('The browser does not speak'))
    })
    const browser = new Browser(process, profile, socket)
    await browser.send('Browser.setDownloadBehavior', { behavior: 'deny', eventsEnabled: true })
    return browser
  }

  /** Opens a page with its own cookies and its own cache. */
  async newPage(): Promise<Page> {
    const { browserContextId } = await this.send('Target.createBrowserContext')
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank', browserContextId })
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true })
    const page = new Page(this, String(sessionId), { targetId, browserContextId })
    await page.begin()
    return page
  }

  /** @throws {Error} with the browser's message */
  send(method: string, params: Fields = {}, sessionId?: string): Promise<Fields> {
    this.#lastId += 1
    const id = this.#lastId
    return new Promise((done, fail) => {
      this.#open.set(id, ({ result, error }) => {
        if (error) fail(new Error(`${method}: ${error.message}`))
        else done(result ?? {})
      })
      this.#socket.send(JSON.stringify({ id, method, params, ...(sessionId ? { sessionId } : {}) }))
    })
  }

  /** One listener for each method and page. */
  on(method: string, listener: Listener, sessionId = ''): void {
    this.#listeners.set(`${sessionId} ${method}`, listener)
  }

  async close(): Promise<void> {
    const ended = new Promise((done) => this.#process.once('exit', done))
    this.#socket.close()
    this.#process.kill()
    await ended
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 })
  }

  #receive(message: ProtocolMessage): void {
    if (message.id !== undefined) {
      this.#open.get(message.id)?.(message)
      this.#open.delete(message.id)
    } else {
      const { sessionId = '', method = '', params = {} } = message
      this.#listeners.get(`${sessionId} ${method}`)?.(params)
    }
  }
}

/** The result of opening an address. */
export interface Opened {
  /** Undefined if there was no answer, or it was saved as a file. */
  readonly status: number | undefined
  readonly isDownload: boolean
}

/** One page, with a record of its requests, messages and errors. */
export class Page {
  readonly #browser: Browser
  readonly #session: string
  readonly #ids: Fields
  /** URLs that were requested, the page's own included. */
  readonly requests: string[] = []
  /** Texts that its scripts wrote to the console, and dialogs that they opened. */
  readonly said: string[] = []
  /** Violations of its policy and other errors, in the browser's words. */
  readonly complaints: string[] = []
  /** The document that the page shows, and those for which the browser has reported an idle network. */
  #document: unknown
  readonly #quietDocuments = new Set<unknown>()

  constructor(browser: Browser, session: string, ids: Fields) {
    this.#browser = browser
    this.#session = session
    this.#ids = ids
  }

  async begin(): Promise<void> {
    const on = (method: string, listener: Listener) => this.#browser.on(method, listener, this.#session)
    on('Network.requestWillBeSent', ({ request }) => this.requests.push((request as { url: string }).url))
    on('Runtime.consoleAPICalled', ({ args }) => {
      this.said.push((args as { value?: unknown }[]).map(({ value }) => String(value)).join(' '))
    })
    on('Page.javascriptDialogOpening', ({ message }) => {
      this.said.push(String(message))
      void this.send('Page.handleJavaScriptDialog', { accept: false })
    })
    on('Log.entryAdded', ({ entry }) => this.complaints.push((entry as { text: string }).text))
    on('Page.frameNavigated', ({ frame }) => {
      const { parentId, loaderId } = frame as { parentId?: string; loaderId: string }
      if (parentId === undefined) this.#document = loaderId
    })
    on('Page.lifecycleEvent', ({ name, loaderId }) => {
      if (name === 'networkIdle') this.#quietDocuments.add(loaderId)
    })
    for (const domain of ['Network', 'Page', 'Runtime', 'Log']) await this.send(`${domain}.enable`)
    await this.send('Page.setLifecycleEventsEnabled', { enabled: true })
  }

  send(method: string, params: Fields = {}): Promise<Fields> {
    return this.#browser.send(method, params, this.#session)
  }

  /** Headers for every request that the page makes to any host. */
  async setHeaders(headers: Record<string, string>): Promise<void> {
    await this.send('Network.setExtraHTTPHeaders', { headers })
  }

  /** Sets a cookie that scripts may read. */
  async setCookie(url: string, name: string, value: string): Promise<void> {
    await this.send('Network.setCookie', { url, name, value, sameSite: 'Lax' })
  }

  /** Opens a URL and waits until the page has loaded with all its resources. */
  async open(url: string): Promise<Opened> {
    let status: number | undefined
    this.#browser.on(
      'Network.responseReceived',
      ({ type, response }) => {
        if (type === 'Document') status ??= (response as { status: number }).status
      },
      this.#session,
    )
    const loaded = new Promise<void>((done) => {
      this.#browser.on('Page.loadEventFired', () => done(), this.#session)
    })
    const { errorText } = await this.send('Page.navigate', { url })
    const isDownload = errorText === 'net::ERR_ABORTED'
    if (errorText === undefined) await Promise.race([loaded, wait(5_000)])
    return { status, isDownload }
  }

  /** Waits until the browser has seen no request of the page for half a second. */
  async untilQuiet(): Promise<void> {
    const deadline = Date.now() + 60_000
    while (!this.#quietDocuments.has(this.#document)) {
      if (Date.now() > deadline) throw new Error('The page goes on asking for things')
      await wait(10)
    }
  }

  /** Returns the value of an expression in the page; DevTools can evaluate it even where scripts may not run. */
  async evaluate(expression: string): Promise<unknown> {
    const { result } = await this.send('Runtime.evaluate', { expression, returnByValue: true })
    return (result as { value?: unknown }).value
  }

  /** Returns a PNG of the visible page. */
  async screenshot(): Promise<Uint8Array> {
    const { data } = await this.send('Page.captureScreenshot', { format: 'png' })
    return Buffer.from(String(data), 'base64')
  }

  async close(): Promise<void> {
    await this.#browser.send('Target.closeTarget', { targetId: this.#ids.targetId })
    await this.#browser.send('Target.disposeBrowserContext', { browserContextId: this.#ids.browserContextId })
  }
}

/** Returns the address at which Chromium listens, from its standard error. */
function addressOf(process: ChildProcess): Promise<string> {
  return new Promise((done, fail) => {
    let said = ''
    process.stderr?.on('data', (chunk) => {
      said += chunk
      const address = /DevTools listening on (ws:\S+)/.exec(said)?.[1]
      if (address) done(address)
    })
    process.once('exit', () => fail(new Error(`The browser ended:\n${said}`)))
    process.once('error', fail)
  })
}

function wait(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms))
}
