import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findChromium } from '../../scripts/chromium.ts'
import { type LocalServer, startLocalServer } from '../../scripts/local-server.ts'
import { buildAssets } from '../../scripts/web-client.ts'
import { Browser, type Page } from '../support/browser.ts'
import { readJson } from '../support/json.ts'
import { A_BROWSER, needs } from '../support/needs.ts'
import { found, PASSWORD } from './found.ts'

const CHROMIUM = findChromium()
const MINUTES = 10 * 60_000
/** A client built like those of other projects: it reads every page parameter, and shows nothing if one is not as it expects. */
const CLIENT = join(import.meta.dirname, 'web-client')

describe.runIf(CHROMIUM)(
  'a web client of one’s own, in a browser',
  needs(A_BROWSER, { timeout: MINUTES }),
  () => {
    let server: LocalServer
    let browser: Browser
    let page: Page
    let here: string
    let bot: string
    let owner: { email: string; user_id: number }

    beforeAll(async () => {
      const { folder } = await buildAssets(CLIENT)
      server = await startLocalServer({ vars: { LOG: 'troubles' }, page: folder })
      const { email, api_key } = await found(server)
      here = `http://localhost:${new URL(server.url).port}`
      const ann = `Basic ${btoa(`${email}:${api_key}`)}`
      owner = await ask(ann, '/users/me')
      const made = await ask<{ user_id: number; api_key: string }>(ann, '/bots', {
        full_name: 'Bo',
        short_name: 'bo',
      })
      const { user } = await ask<{ user: { email: string } }>(ann, `/users/${made.user_id}`)
      bot = `Basic ${btoa(`${user.email}:${made.api_key}`)}`
      await say('An old message')
      browser = await Browser.launch(CHROMIUM!)
      page = await browser.newPage()
    }, MINUTES)

    afterAll(async () => {
      await browser?.close()
      await server?.stop()
    }, MINUTES)

    async function ask<Answer>(who: string, path: string, fields?: Record<string, string>): Promise<Answer> {
      const body = fields && new URLSearchParams(fields)
      const init = {
        method: body ? 'POST' : 'GET',
        headers: { Authorization: who },
        ...(body ? { body } : {}),
      }
      const answer = await readJson<
        Answer & {
          msg: string
        }
      >(await fetch(`${server.url}/api/v1${path}`, init))
      if ((answer as { result?: string }).result !== 'success') throw new Error(`${path}: ${answer.msg}`)
      return answer
    }

    const say = (content: string) =>
      ask(bot, '/messages', { type: 'direct', to: JSON.stringify([owner.user_id]), content })

    /** Waits until an expression in the page has an expected value; returns its last value. */
    async function until<Value>(expression: string, isSo: (value: Value) => boolean): Promise<Value> {
      for (let tries = 0; ; tries += 1) {
        const value = (await page.evaluate(expression)) as Value
        if (isSo(value) || tries === 100) return value
        await new Promise((done) => setTimeout(done, 100))
      }
    }

    const SHOWN = `[...document.querySelectorAll('#messages li')].map(({ textContent }) => textContent.trim())`
    const untilShown = (text: string) => until<string[]>(SHOWN, (texts) => texts.includes(text))
    const pathname = () => page.evaluate('location.pathname')

    async function logIn(): Promise<void> {
      await page.evaluate(`
      document.querySelector('[type=email]').value = ${JSON.stringify(owner.email)}
      document.querySelector('[type=password]').value = ${JSON.stringify(PASSWORD)}
      document.querySelector('form button').click()`)
      expect(await until('document.body?.dataset.state', (state) => state === 'ready')).toBe('ready')
    }

    it('logs in, gets every parameter it needs, and shows messages', async () => {
      await page.open(`${here}/`)
      await until('location.pathname', (path) => path === '/login/')
      expect(await pathname()).toBe('/login/')
      await logIn()
      expect(await pathname()).toBe('/')
      expect(
        await page.evaluate(`[...document.querySelectorAll('#problems li')].map((item) => item.textContent)`),
      ).toEqual([])
      expect(await page.evaluate(SHOWN)).toContain('An old message')
      expect(
        await page.evaluate('[document.documentElement.lang, document.documentElement.className]'),
      ).toEqual(['en', 'automatic'])
      expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(1, 2, 3)')
    })

    it('sends messages, and receives those of others', async () => {
      await page.evaluate(`
      document.querySelector('textarea').value = 'Said in a browser'
      document.querySelector('#compose button').click()`)
      expect(await untilShown('Said in a browser')).toContain('Said in a browser')
      await say('Said elsewhere')
      expect(await untilShown('Said elsewhere')).toContain('Said elsewhere')
    })

    it('uploads a file, and opens it', async () => {
      await page.evaluate(`
      const files = new DataTransfer()
      files.items.add(new File(['the plan'], 'plan.txt', { type: 'text/plain' }))
      document.querySelector('[type=file]').files = files.files
      document.querySelector('textarea').value = 'See'
      document.querySelector('#compose button').click()`)
      expect(await untilShown('See plan.txt')).toContain('See plan.txt')
      await page.evaluate(`
      fetch([...document.querySelectorAll('#messages a')].at(-1).href)
        .then((file) => file.text())
        .then((text) => { document.body.dataset.file = text })`)
      expect(await until('document.body.dataset.file', (text) => text !== undefined)).toBe('the plan')
    })

    it('speaks another language at its address, and the built-in page is beside it', async () => {
      await page.open(`${here}/de/`)
      expect(await page.evaluate('document.documentElement.lang')).toBe('de')
      expect(await until('document.body?.dataset.state', (state) => state === 'ready')).toBe('ready')
      const other = await browser.newPage()
      expect((await other.open(`${here}/parley/`)).status).toBe(200)
      expect(await other.evaluate(`document.getElementById('page-params')`)).toBeNull()
      await other.close()
    })

    it('shows nothing after a log-out, and returns to the same view after a log-in', async () => {
      await page.open(`${here}/de/`)
      await page.evaluate(`document.querySelector('#log-out button').click()`)
      await until('location.pathname', (path) => path === '/accounts/login/')
      expect(await pathname()).toBe('/accounts/login/')
      await page.open(`${here}/de/`)
      await until('location.pathname', (path) => path === '/login/')
      expect(await page.evaluate('location.pathname + location.search')).toBe('/login/?next=%2Fde%2F')
      await logIn()
      expect(await pathname()).toBe('/de/')
    })

    it('no policy blocked anything, and no other server was contacted', () => {
      // The poll that waits at log-out is refused, which the browser reports if it has not left the page yet.
      const refused = /responded with a status of 401/
      expect(page.complaints.filter((text) => !refused.test(text))).toEqual([])
      expect(page.requests.filter((url) => !url.startsWith(here))).toEqual([])
    })
  },
)
