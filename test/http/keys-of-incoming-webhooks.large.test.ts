import { beforeEach, describe, expect, it } from 'vitest'
import { askWorker } from '../support/api.ts'
import { exampleOf } from '../support/example-values.ts'
import { createBot, type TestUser } from '../support/factories.ts'
import { newestLogId } from '../support/inside.ts'
import { ENDPOINTS, type Endpoint } from '../support/inside-declarations.ts'
import { routesBesideEndpoints } from '../support/inside-router.ts'
import { fromJson } from '../support/json.ts'
import { authorization, upload } from '../support/uploads.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const REFUSAL = 'This API is not available to incoming webhook bots.'
const UPLOADED = { name: 'plan.txt', type: 'text/plain', content: 'secret' }

const { keeper: owner, realm } = useRealm({ keeper: 'member' })
let bots = 0
const buildHook = (): Promise<TestUser> => {
  bots += 1
  return createBot(owner, `Keyed ${bots}`, { bot_type: 2 })
}
beforeEach(() => {
  world.pollHoldSeconds = 0.01
})

interface Sent {
  readonly headers?: Record<string, string>
  readonly query?: Record<string, string>
}

async function send(method: string, path: string, { headers = {}, query = {} }: Sent) {
  const search = new URLSearchParams(query).toString()
  const url = `http://${realm.host}${path}${search && `?${search}`}`
  const answer = await askWorker(new Request(url, { method, headers, redirect: 'manual' }))
  return { status: answer.status, text: await answer.text() }
}

const pathOf = ({ path }: Endpoint) => path.replaceAll(/:\w+\+?/g, '1')

/** Returns what the endpoint probably accepts, so that no refusal is one of a parameter. */
const wellMeant = ({ params, path }: Endpoint) =>
  Object.fromEntries(
    Object.entries(params)
      .filter(([name]) => !path.includes(`:${name}`))
      .map(([name, schema]) => [name, exampleOf(schema)]),
  )

const headersOf = ({ tus }: Endpoint): Record<string, string> => (tus ? { 'Tus-Resumable': '1.0.0' } : {})

/** Endpoints for callers that have an account, without those that only take messages. */
const closed = ENDPOINTS.filter(
  ({ access, takesWebhookBots }) => access !== 'anyone' && access !== 'provisioning' && !takesWebhookBots,
)

describe('the key of an incoming webhook', () => {
  it('is taken by the two operations that send messages', () => {
    const taking = ENDPOINTS.filter(({ takesWebhookBots }) => takesWebhookBots)
    expect(taking.map(({ operation }) => operation).sort()).toEqual(['receive-webhook', 'send-message'])
    expect(closed.length).toBeGreaterThan(200)
  })

  it('is refused by each other operation, below both roots, and changes nothing', async () => {
    const bot = await buildHook()
    const before = await newestLogId(realm)
    for (const endpoint of closed) {
      const { method, operation } = endpoint
      const headers = { ...headersOf(endpoint), ...authorization(bot) }
      for (const query of [{}, wellMeant(endpoint)]) {
        const answer = await send(method, `/api/v1${pathOf(endpoint)}`, { headers, query })
        expect([operation, answer.status], answer.text).toEqual([operation, 401])
        if (answer.text !== '')
          expect(fromJson(answer.text)).toMatchObject({ msg: REFUSAL, code: 'UNAUTHORIZED' })
      }
      const below = await send(method, `/json${pathOf(endpoint)}`, { headers, query: wellMeant(endpoint) })
      expect([operation, below.status >= 400], below.text).toEqual([operation, true])
    }
    expect(await newestLogId(realm)).toBe(before)
  })

  it('in a parameter is no credential of any other operation', async () => {
    const bot = await buildHook()
    const api_key = bot.api.apiKey!
    for (const endpoint of closed) {
      for (const root of ['/api/v1', '/json']) {
        const ask = (query: Record<string, string>) =>
          send(endpoint.method, root + pathOf(endpoint), { headers: headersOf(endpoint), query })
        const [keyed, anonymous] = [await ask({ api_key, email: bot.email }), await ask({})]
        expect([endpoint.operation, keyed.status]).toEqual([endpoint.operation, anonymous.status])
        if (endpoint.access !== 'spectator') expect(keyed.status).toBeGreaterThanOrEqual(400)
      }
    }
  })

  it('opens no event stream and no file, not even of its owner', async () => {
    const bot = await buildHook()
    const headers = authorization(bot)
    const stream = await send('GET', '/api/v1/events', { headers: { ...headers, Upgrade: 'websocket' } })
    expect([stream.status, fromJson(stream.text).msg]).toEqual([401, REFUSAL])
    const url = await upload(owner, UPLOADED)
    for (const path of [url, url.replace('/user_uploads/', '/user_uploads/download/')]) {
      expect((await send('GET', path, { headers: authorization(owner) })).text).toBe(UPLOADED.content)
      const file = await send('GET', path, { headers })
      expect([file.status, fromJson(file.text).msg]).toEqual([401, REFUSAL])
      expect((await send('GET', path, { query: { api_key: bot.api.apiKey! } })).status).toBe(403)
    }
  })

  it('makes no difference at any route beside the API, of hooks apart', async () => {
    const bot = await buildHook()
    const hooks = new Set(['/services/:team/:hook/:key', '/api/webhooks/:id/:key', '/user_uploads/*'])
    const routes = routesBesideEndpoints().filter(({ path }) => !hooks.has(path))
    expect(routes.length).toBeGreaterThan(50)
    for (const { method, path } of routes) {
      const at = path.replaceAll(/:\w+\+?|\*/g, 'x')
      for (const verb of method === 'ALL' ? ['GET', 'POST'] : [method]) {
        const anonymous = await send(verb, at, {})
        const keyed = await send(verb, at, { headers: authorization(bot) })
        const named = await send(verb, at, { query: { api_key: bot.api.apiKey! } })
        // A key that cannot be used may be refused; nothing may open.
        if (keyed.status !== anonymous.status)
          expect([verb, at, keyed.status >= 400]).toEqual([verb, at, true])
        expect([verb, at, named.status]).toEqual([verb, at, anonymous.status])
      }
    }
  })
})
