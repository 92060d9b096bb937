import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildWorker } from '../../scripts/build.ts'
import { type LocalServer, startLocalServer } from '../../scripts/local-server.ts'
import { type Runtime, startRuntime, type WorkerOptions } from '../../scripts/runtime.ts'
import { buildAssets } from '../../scripts/web-client.ts'

/** Says what it was asked for, in place of the Worker. */
const ASKED = "export default { fetch: ({ url }) => new Response('asked for ' + new URL(url).pathname) }"

let server: LocalServer
let cloudflare: Runtime
let [atCloudflare, names]: [string, string[]] = ['', []]

beforeAll(async () => {
  const [{ folder }, bundle] = [await buildAssets(undefined), await buildWorker('deployed')]
  names = readdirSync(join(folder, 'page'))
  server = await startLocalServer({ entry: 'deployed', page: folder, vars: { LOG: 'off' } })
  // Cloudflare's own code of static files, with what wrangler.toml says of them.
  const { assets } = bundle.workerOptions as WorkerOptions & { assets: object }
  const { compatibilityDate } = bundle.workerOptions
  cloudflare = await startRuntime({
    workers: [
      {
        ...{ name: 'asked', modules: true, script: ASKED, compatibilityDate },
        assets: { ...assets, directory: folder },
      } as WorkerOptions,
    ],
  })
  atCloudflare = (await cloudflare.miniflare.ready).origin
}, 300_000)
afterAll(async () => {
  await server?.stop()
  await cloudflare?.dispose()
})

/** Headers that depend on how an answer is sent. */
const OF_SENDING = [
  'cf-cache-status',
  'connection',
  'content-encoding',
  'content-length',
  'date',
  'etag',
  'vary',
]
/** A browser heeds it over https alone, where the Worker sends it too. */
const OVER_HTTPS = 'strict-transport-security'

async function served(origin: string, path: string) {
  const response = await fetch(origin + path, { redirect: 'manual' })
  const headers = Object.fromEntries(
    [...response.headers].filter(
      ([name]) => ![...OF_SENDING, OVER_HTTPS, 'transfer-encoding'].includes(name),
    ),
  )
  const body = Buffer.from(await response.arrayBuffer()).toString('base64')
  return { status: response.status, headers, body }
}

it('Cloudflare serves each file of the page as the Worker does, without asking it', async () => {
  expect(names.length).toBeGreaterThan(100)
  for (const name of names) {
    const path = `/page/${name}`
    expect([name, await served(atCloudflare, path)]).toEqual([name, await served(server.url, path)])
  }
  const { headers } = await fetch(`${atCloudflare}/page/public.css`)
  expect(headers.get(OVER_HTTPS)).toBe('max-age=31536000')
}, 60_000)

it('an absent file is the Worker’s to refuse, and kept by nobody', async () => {
  const path = '/page/first-00000000.js'
  const asked = await served(atCloudflare, path)
  expect([asked.headers['cache-control'], Buffer.from(asked.body, 'base64').toString()]).toEqual([
    undefined,
    `asked for ${path}`,
  ])
  const refused = await served(server.url, path)
  expect(refused.status).toBe(404)
  expect(refused.headers['cache-control']).toContain('no-store')
})

it.each([
  '/',
  '/index.html',
  '/service-worker.js',
  '/docs/',
  '/docs/index.html',
  '/client/client.json',
  '/_headers',
  '/page',
  '/api/v1/messages',
])('%s is the Worker’s', async (path) => {
  expect(await (await fetch(atCloudflare + path)).text()).toBe(`asked for ${path}`)
})

it.each(['//index.html', '/%69ndex.html', '/%64ocs/index.html', '//service-worker.js'])(
  '%s leads to what is the Worker’s, or is so itself',
  async (path) => {
    const { status, headers, body } = await served(atCloudflare, path)
    if (status === 307) expect(headers.location).toMatch(/^\/(?:index\.html|docs\/.*|service-worker\.js)$/)
    else expect(Buffer.from(body, 'base64').toString()).toContain('asked for ')
  },
)
