import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findChromium } from '../../scripts/chromium.ts'
import { type LocalServer, startLocalServer } from '../../scripts/local-server.ts'
import { Browser, type Page } from '../support/browser.ts'
import { readJson } from '../support/json.ts'
import { A_BROWSER, needs } from '../support/needs.ts'
import { found } from './found.ts'
import { type HostileFile, hostileFiles } from './hostile-files.ts'

const CHROMIUM = findChromium()
const MINUTES = 10 * 60_000
const WAITING = { timeout: 20_000 }
const SECRET = 'the-session-of-its-reader'

describe.runIf(CHROMIUM)(
  'what people upload, opened in a browser by somebody who is logged in',
  needs(A_BROWSER),
  () => {
    let server: LocalServer
    /** The address of the organization in the browsers of its people. */
    let here: string
    let authorization: string
    let browser: Browser
    /** The attacker's server, which records requests and embeds the files. */
    let evil: Server
    let evilOrigin: string
    /** URLs that were requested from the attacker's server. */
    const requested: string[] = []
    /** Contents that the attacker's server sends, by path. */
    const pages = new Map<string, { type: string; content: string | Uint8Array }>()

    beforeAll(async () => {
      server = await startLocalServer({ vars: { LOG: 'troubles', RATE_LIMITS: 'off' } })
      const { email, api_key } = await found(server)
      authorization = `Basic ${btoa(`${email}:${api_key}`)}`
      here = `http://localhost:${new URL(server.url).port}`
      evil = createServer(({ url = '' }, response) => {
        const page = pages.get(url)
        if (!page && url !== '/favicon.ico') requested.push(url)
        response.writeHead(page ? 200 : 404, { 'Content-Type': page?.type ?? 'text/plain' })
        response.end(page?.content)
      })
      await new Promise<void>((done) => evil.listen(0, '127.0.0.1', done))
      evilOrigin = `http://evil.test:${(evil.address() as AddressInfo).port}`
      browser = await Browser.launch(CHROMIUM!)
    }, MINUTES)

    afterAll(async () => {
      await browser?.close()
      evil?.close()
      await server?.stop()
    }, MINUTES)

    beforeEach(() => {
      requested.length = 0
      pages.clear()
    })

    async function ask<Answer>(path: string, init: RequestInit = {}): Promise<Answer> {
      const response = await fetch(`${server.url}/api/v1${path}`, { ...init, headers: { authorization } })
      const answer = await readJson<Answer & { result: string; msg: string }>(response)
      if (answer.result !== 'success') throw new Error(`${path}: ${answer.msg}`)
      return answer
    }

    async function upload({ name, type, content }: HostileFile): Promise<string> {
      const form = new FormData()
      form.append('file', new File([content], name, { type }))
      return (await ask<{ url: string }>('/user_uploads', { method: 'POST', body: form })).url
    }

    /**
     * Opens a page of a user who is logged in, by a cookie that scripts could read and a key that is sent with every
     * request.
     */
    async function readersPage(): Promise<Page> {
      const page = await browser.newPage()
      await page.setCookie(here, 'sessionid', SECRET)
      return page
    }

    /** Returns what an opened page has done that it must not, apart from the request for the page itself. */
    async function harmOf(page: Page, url: string): Promise<string[]> {
      const title = await page.evaluate('document.title')
      // The browser's own player draws its buttons from `data:` URLs.
      const asked = page.requests.filter(
        (request) => request !== url && !/^(about:|data:)|\/favicon\.ico$/.test(request),
      )
      return [
        ...page.said.map((text) => `said ${text}`),
        ...(String(title).includes('it ran') ? ['it changed the title'] : []),
        ...asked.map((request) => `asked for ${request}`),
        ...requested.splice(0).map((path) => `evil was requested ${path}`),
      ]
    }

    it('do harm on a careless server, as the test detects', {
      timeout: MINUTES,
    }, async () => {
      const acting = hostileFiles(evilOrigin).filter(({ acts }) => acts)
      expect(acting.length).toBeGreaterThan(5)
      for (const [index, { name, type, content }] of acting.entries()) {
        pages.set(`/${index}`, { type, content })
        const page = await browser.newPage()
        const url = `${evilOrigin}/${index}`
        await page.open(url)
        await expect
          .poll(async () => [name, type, await harmOf(page, url)], WAITING)
          .not.toEqual([name, type, []])
        await page.close()
      }
    })

    it('runs no script, reads no cookie, and sends no request', { timeout: MINUTES }, async () => {
      const harm: unknown[] = []
      let shown = 0
      let saved = 0
      for (const file of hostileFiles(evilOrigin)) {
        const path = await upload(file)
        const { url: temporary } = await ask<{ url: string }>(path)
        const openAsReader = async (address: string) => {
          const page = await readersPage()
          // The reader's key is for the organization only, and is sent nowhere else.
          if (address === path) await page.setHeaders({ Authorization: authorization })
          const url = new URL(address, here).href
          const { status, isDownload } = await page.open(url)
          expect([file.name, status, isDownload]).not.toEqual([file.name, undefined, false])
          if (isDownload) saved += 1
          else shown += 1
          if (!isDownload) await page.untilQuiet()
          const done = await harmOf(page, url)
          if (done.length > 0) harm.push([file.name, file.type, address, done])
          await page.close()
        }
        await Promise.all([path, temporary].map(openAsReader))
      }
      expect(harm).toEqual([])
      // Some files were shown, and some were saved.
      expect([shown > 10, saved > 50]).toEqual([true, true])
    })

    it('has the right headers, whatever its name is', { timeout: MINUTES }, async () => {
      for (const file of hostileFiles(evilOrigin)) {
        const { headers } = await fetch(`${server.url}${await upload(file)}`, { headers: { authorization } })
        const disposition = headers.get('content-disposition') ?? ''
        expect([file.name, disposition]).toEqual([
          file.name,
          expect.stringMatching(/^(inline|attachment); filename\*=UTF-8''[\w%.!~-]+$/),
        ])
        // The name has no control character, and nothing that changes the direction of text.
        expect(decodeURIComponent(disposition)).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
        expect([file.name, headers.get('set-cookie'), headers.get('x')]).toEqual([file.name, null, null])
        expect(headers.get('content-security-policy')).toContain('sandbox')
      }
    })

    it('cannot be run or framed by another site, or shown by it without a key', {
      timeout: MINUTES,
    }, async () => {
      const addresses: string[] = []
      // Such an address has its key in it: whoever was given it may show the picture.
      const withKey = new Set<string>()
      for (const file of hostileFiles(evilOrigin)) {
        const path = await upload(file)
        const { url } = await ask<{ url: string }>(path)
        withKey.add(`${here}${url}`)
        addresses.push(`${here}${path}`, `${here}${url}`)
      }
      const forms = (
        url: string,
      ) => `<script src="${url}"></script><script type="module" src="${url}"></script>
<link rel="stylesheet" href="${url}"><iframe src="${url}"></iframe><object data="${url}"></object><embed src="${url}">
<img src="${url}"><video src="${url}"></video>`
      pages.set('/embedding', {
        type: 'text/html',
        content: `<!doctype html>${addresses.map(forms).join('\n')}`,
      })
      const page = await readersPage()
      await page.open(`${evilOrigin}/embedding`)
      await expect.poll(() => page.requests.length, WAITING).toBeGreaterThan(addresses.length * 4)
      await page.untilQuiet()
      expect([page.said, requested]).toEqual([[], []])
      const shown = (await page.evaluate(
        '[...document.images].filter(({naturalWidth}) => naturalWidth > 0).map(({src}) => src)',
      )) as string[]
      expect(shown.filter((address) => !withKey.has(address))).toEqual([])
      await page.close()
    })

    it('still shows images and plays sound, and avatars on any page', { timeout: MINUTES }, async () => {
      const picture = await upload({ name: 'dot.png', type: 'image/png', content: decoded(DOT) })
      const page = await readersPage()
      await page.setHeaders({ Authorization: authorization })
      expect((await page.open(`${here}${picture}`)).status).toBe(200)
      expect(await page.evaluate('document.images[0]?.naturalWidth')).toBe(1)
      const sound = await upload({ name: 'silence.wav', type: 'audio/wav', content: silence() })
      await page.open(`${here}${sound}`)
      const isPlayable = `document.querySelector('video, audio')?.readyState > 0`
      await expect.poll(() => page.evaluate(isPlayable), WAITING).toBe(true)
      const words = await upload({ name: 'words.txt', type: 'text/plain', content: 'plain <b>words</b>' })
      await page.open(`${here}${words}`)
      expect(await page.evaluate('document.body.innerText')).toBe('plain <b>words</b>')
      await page.close()

      const form = new FormData()
      form.append('file', new File([decoded(DOT)], 'dot.png', { type: 'image/png' }))
      const { avatar_url } = await ask<{ avatar_url: string }>('/users/me/avatar', {
        method: 'POST',
        body: form,
      })
      pages.set('/avatars', { type: 'text/html', content: `<img src="${new URL(avatar_url, here)}">` })
      const elsewhere = await browser.newPage()
      await elsewhere.open(`${evilOrigin}/avatars`)
      await expect.poll(() => elsewhere.evaluate('document.images[0].naturalWidth > 0'), WAITING).toBe(true)
      await elsewhere.close()
    })

    it('does not affect our own pages, which show it as text', { timeout: MINUTES }, async () => {
      const markup = `<script>console.log('it ran')</script>`
      const body = new URLSearchParams({
        name: '</title><script>console.log(1)</script>',
        description: `${markup} <img src=x onerror="console.log('it ran')"> [x](javascript:console.log(1))`,
      })
      await ask('/realm', { method: 'PATCH', body })
      const routes = [
        '/',
        `/accounts/login/?mobile_flow_otp=${'0'.repeat(64)}`,
        `/join/${encodeURIComponent(markup)}`,
        `/accounts/password/reset/${encodeURIComponent(markup)}`,
        `/accounts/confirm-email/${encodeURIComponent(markup)}`,
        `/user_uploads/1/ab/${encodeURIComponent(markup)}/x.png`,
        `/api/v1/${encodeURIComponent(markup)}`,
        `/api/v1/users/${encodeURIComponent(markup)}`,
      ]
      const own = ['/page/auth-pages.css', '/page/passkey-form.js'].map(
        (path) => `asked for ${new URL(path, here).href}`,
      )
      for (const route of routes) {
        const page = await readersPage()
        const url = new URL(route, here).href
        expect((await page.open(url)).status).toBeGreaterThanOrEqual(200)
        await page.untilQuiet()
        const harm = (await harmOf(page, url)).filter((each) => !own.includes(each))
        expect([route, harm]).toEqual([route, []])
        await page.close()
      }
    })
  },
)

/** A PNG of one pixel, in base64. */
const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

function decoded(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
}

/** A tenth of a second of sound: a WAV of eight bits. */
function silence(): Uint8Array<ArrayBuffer> {
  const samples = 800
  const wav = new Uint8Array(44 + samples).fill(128)
  const view = new DataView(wav.buffer)
  const text = (at: number, word: string) => wav.set(new TextEncoder().encode(word), at)
  text(0, 'RIFF')
  view.setUint32(4, 36 + samples, true)
  text(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, 8_000, true)
  view.setUint32(28, 8_000, true)
  view.setUint16(32, 1, true)
  view.setUint16(34, 8, true)
  text(36, 'data')
  view.setUint32(40, samples, true)
  return wav
}
