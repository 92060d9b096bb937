import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readJson } from '../../support/json.ts'
import { A_BROWSER, needs } from '../../support/needs.ts'
import { CHROMIUM, OWNER, userIdOf } from '../open-page.ts'
import { browsers, server, TIME } from './organization.ts'

let clients: Server
let front: Server
/** Pages of another site, and of another port of the same host. */
let origins: string[]
let chat: string
let ann: { readonly id: number; readonly email: string; readonly key: string }
/** What the browser has sent to the organization. */
const sent: { path: string; headers: IncomingHttpHeaders }[] = []

/**
 * Serves the organization at an address of its own, where `/challenge` asks for a name and a password, which nothing else in Parley does.
 * The browser then stores a key and a cookie for that address.
 */
function serveBehindChallenge(): Server {
  return createServer((incoming, answer) => {
    const { url = '/', method, headers } = incoming
    sent.push({ path: url, headers })
    if (url === '/challenge') {
      const isKnown = headers.authorization !== undefined
      answer.writeHead(isKnown ? 200 : 401, {
        'Content-Type': 'text/html',
        'Set-Cookie': 'theme=dark; Path=/; SameSite=Lax',
        ...(isKnown ? {} : { 'WWW-Authenticate': 'Basic realm="x"' }),
      })
      return answer.end('Hello')
    }
    const { hostname, port } = new URL(server.url)
    const forwarded = request({ hostname, port, path: url, method, headers }, (response) => {
      answer.writeHead(response.statusCode!, response.headers)
      response.pipe(answer)
    })
    return incoming.pipe(forwarded)
  })
}

async function listen(one: Server): Promise<number> {
  await new Promise<void>((done) => one.listen(0, '127.0.0.1', done))
  return (one.address() as AddressInfo).port
}

/** Opens a page of another origin, in a browser that answers a prompt for a name and a password. */
async function openElsewhere(origin: string): Promise<Page> {
  const context = await browsers.openContext({ httpCredentials: { username: ann.email, password: ann.key } })
  const page = await context.newPage()
  await page.goto(`${chat}/challenge`)
  await page.goto(origin)
  return page
}

async function messages(): Promise<string[]> {
  const query = new URLSearchParams({
    anchor: 'newest',
    num_before: '50',
    num_after: '0',
    apply_markdown: 'false',
  })
  const headers = { authorization: `Basic ${btoa(`${ann.email}:${ann.key}`)}` }
  const answer = await fetch(`${server.url}/api/v1/messages?${query}`, { headers })
  const { messages } = await readJson<{ messages: { content: string }[] }>(answer)
  return messages.map(({ content }) => content)
}

describe.skipIf(CHROMIUM === undefined)(
  'in a browser, a page of another origin',
  needs(A_BROWSER, TIME),
  () => {
    beforeAll(async () => {
      const email = 'ann@example.com'
      const asked = await fetch(`${server.url}/api/v1/dev_fetch_api_key`, {
        method: 'POST',
        body: new URLSearchParams({ username: email }),
      })
      const { api_key } = await readJson<{ api_key: string }>(asked)
      ann = { id: await userIdOf(server, OWNER), email, key: api_key }
      front = serveBehindChallenge()
      chat = `http://localhost:${await listen(front)}`
      clients = createServer((_, answer) =>
        answer.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>A client'),
      )
      const port = await listen(clients)
      origins = [`http://127.0.0.1:${port}`, `http://localhost:${port}`]
    })
    afterAll(() => {
      clients?.close()
      front?.close()
    })

    it('is a client like any other, with a key of its own', async () => {
      for (const origin of origins) {
        const page = await openElsewhere(origin)
        const got = await page.evaluate(
          async ({ chat, ann, origin }) => {
            const headers = { Authorization: `Basic ${btoa(`${ann.email}:${ann.key}`)}` }
            const ask = async (method: string, path: string, body?: BodyInit, more = {}) => {
              const init = { method, headers: { ...headers, ...more }, body: body ?? null }
              const answer = await fetch(`${chat}${path}`, init)
              return { status: answer.status, text: await answer.text() }
            }
            const content = `from ${origin}`
            const message = new URLSearchParams({ type: 'direct', to: `[${ann.id}]`, content })
            const repeatable = { 'Idempotency-Key': origin }
            const form = new FormData()
            form.append('file', new File(['words'], 'a.txt'))
            const sent = await ask('POST', '/api/v1/messages', message, repeatable)
            const changed = await ask(
              'PATCH',
              '/api/v1/settings',
              new URLSearchParams({ twenty_four_hour_time: 'true' }),
            )
            const { text } = await ask('POST', '/api/v1/user_uploads', form)
            const [, path] = /"url":"([^"]+)"/.exec(text) ?? []
            const file = await fetch(`${chat}${path}`, { headers })
            const wrong = { headers: { Authorization: `Basic ${btoa('x@example.com:x')}` } }
            const refused = await fetch(`${chat}/api/v1/users/me`, wrong)
            return [sent.status, changed.status, await file.text(), await refused.text()]
          },
          { chat, ann, origin },
        )
        expect(got).toEqual([200, 200, 'words', expect.stringContaining('UNAUTHORIZED')])
        expect(await messages()).toContain(`from ${origin}`)
        await page.context().close()
      }
    })

    it('cannot use a key that the browser has stored', async () => {
      const before = await messages()
      sent.splice(0)
      for (const origin of origins) {
        const page = await openElsewhere(origin)
        await page.evaluate(
          async ({ chat, ann }) => {
            const body = new URLSearchParams({ type: 'direct', to: `[${ann.id}]`, content: 'forged' })
            for (const mode of ['no-cors', 'cors'] as const) {
              await fetch(`${chat}/api/v1/messages`, {
                method: 'POST',
                mode,
                credentials: 'include',
                body,
              }).catch(() => {})
            }
          },
          { chat, ann },
        )
        const answered = page.waitForResponse((response) => response.request().isNavigationRequest())
        await page.evaluate(
          ({ chat, ann }) => {
            document.body.innerHTML = `<form method="post" action="${chat}/api/v1/messages">
              <input name="type" value="direct"><input name="to" value="[${ann.id}]"><input name="content" value="forged"></form>`
            document.querySelector('form')!.submit()
          },
          { chat, ann },
        )
        expect((await answered).status()).toBe(403)
        await page.context().close()
      }
      // The browser sent the stored key at least with the forms.
      const keys = sent.filter(({ path, headers }) => path === '/api/v1/messages' && headers.authorization)
      expect(keys.length).toBeGreaterThanOrEqual(4)
      expect(await messages()).toEqual(before)
    })

    it('cannot read the keys that a development server gives to anyone', async () => {
      const page = await openElsewhere(origins[0]!)
      const outcome = await page.evaluate(
        async ({ chat, ann }) => {
          const body = new URLSearchParams({ username: ann.email })
          const asked = fetch(`${chat}/api/v1/dev_fetch_api_key`, { method: 'POST', body })
          return await asked.then(() => 'read', String)
        },
        { chat, ann },
      )
      expect(outcome).toBe('TypeError: Failed to fetch')
      await page.context().close()
    })

    it('finds no stored key, since browsers are never asked for one', async () => {
      const context = await browsers.openContext({
        httpCredentials: { username: ann.email, password: ann.key },
      })
      const page = await context.newPage()
      sent.splice(0)
      for (const path of ['/api/v1/users/me', '/user_uploads/1/a/b/c.txt', '/avatar/1', '/json/users/me']) {
        const answer = await page.goto(`${chat}${path}`)
        expect([401, 403]).toContain(answer!.status())
      }
      expect(sent.length).toBeGreaterThanOrEqual(4)
      expect(sent.filter(({ headers }) => headers.authorization !== undefined)).toEqual([])
      await context.close()
    })
  },
)
