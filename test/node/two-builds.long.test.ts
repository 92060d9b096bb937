import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildWorker, type WorkerBundle } from '../../scripts/build.ts'
import { type LocalServer, startLocalServer } from '../../scripts/local-server.ts'
import type { CreatedOrganization } from '../../scripts/organizations.ts'
import type { WorkerOptions } from '../../scripts/runtime.ts'
import { INTERFACE_VERSION } from '../../src/core/call.ts'
import { readJson } from '../support/json.ts'
import { found, PASSWORD } from './found.ts'

/**
 * During a deployment Workers of two builds run at once, with an object of one of them, which is then stopped and started
 * again with the other build. Both are real bundles in workerd, on one state. The newer build is this source with one more
 * step of the schema and the next version of the interface, so that neither build's object understands the other's Worker.
 */
const SENDERS = 3
const vars = { RATE_LIMITS: 'off', POLL_HOLD_SECONDS: '2' }
const folders: string[] = []

let older: WorkerBundle
let newer: WorkerBundle
let ports: readonly number[]
let stateDir: string
let server: LocalServer
let ann: CreatedOrganization
beforeAll(async () => {
  older = await buildWorker('local')
  newer = nextBuild(older)
  ports = [await freePort(), await freePort()]
  stateDir = temporaryFolder()
  server = await start(older, newer)
  ann = await found(server)
}, 120_000)
afterAll(async () => {
  await server?.stop()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-builds-'))
  folders.push(folder)
  return folder
}

function nextBuild(build: WorkerBundle): WorkerBundle {
  // Both bundles are in one folder, since the runtime takes its modules from below one folder.
  const folder = join(dirname(build.folder), `next-${process.pid}`)
  folders.push(folder)
  cpSync(build.folder, folder, { recursive: true })
  const main = join(folder, build.modules[0]!.path)
  const text = readFileSync(main, 'utf8')
  const [, steps = ''] = /var SCHEMA_STEPS=\s*\[([\s\S]*?\})\s*\]\s*;/.exec(text) ?? []
  const last = [...steps.matchAll(/\bversion:\s*(\d+)/g)].at(-1)?.[1]
  const step = `{version:${Number(last) + 1},name:"next",statements:["CREATE TABLE next (id INTEGER PRIMARY KEY)"]}`
  expect(Number(last)).toBeGreaterThan(0)
  const version = /var INTERFACE_VERSION\s*=\s*\d+;/
  expect(text).toMatch(version)
  const next = `var INTERFACE_VERSION=${INTERFACE_VERSION + 1};`
  writeFileSync(main, text.replace(steps, () => `${steps},\n${step}`).replace(version, next))
  return { ...build, folder }
}

/**
 * Starts a server whose object is of the first build; the Worker of the other build uses the same object, on a port of its
 * own.
 */
function start(object: WorkerBundle, other: WorkerBundle): Promise<LocalServer> {
  const { assets: _, ...options } = other.workerOptions as WorkerOptions
  const beside = {
    ...options,
    name: 'other',
    modulesRoot: other.folder,
    modules: other.modules.map((module) => ({ ...module, path: join(other.folder, module.path) })),
    bindings: vars,
    durableObjects: {
      REALM: { className: 'RealmObject', scriptName: 'parley', useSQLite: true },
      HASHER: { className: 'HasherObject', scriptName: 'parley', useSQLite: true },
    },
    unsafeDirectSockets: [{ host: '127.0.0.1', port: ports[1] }],
  } as WorkerOptions
  return startLocalServer({ bundle: object, beside: [beside], port: ports[0]!, stateDir, vars })
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}

type Fields = Record<string, string>

async function ask(way: number, method: string, path: string, fields: Fields | FormData = {}, key?: string) {
  const body = fields instanceof FormData ? fields : new URLSearchParams(fields)
  const inQuery = method === 'GET'
  const response = await fetch(`http://127.0.0.1:${ports[way]}/api/v1${path}${inQuery ? `?${body}` : ''}`, {
    method,
    headers: {
      authorization: `Basic ${btoa(`${ann.email}:${ann.api_key}`)}`,
      ...(key ? { 'idempotency-key': key } : {}),
    },
    body: inQuery ? undefined : body,
    signal: AbortSignal.timeout(10_000),
  })
  answered[response.status] = (answered[response.status] ?? 0) + 1
  if (response.status >= 500) {
    expect([response.status, response.headers.get('retry-after') === null]).toEqual([503, false])
    throw new Error('Not now')
  }
  return readJson(response)
}
const answered: Record<number, number> = {}

/** Sends a request to the Workers of both builds in turn until one answers: a client does not choose its Worker. */
async function insist(method: string, path: string, fields?: Fields | FormData, key?: string) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await ask(attempt % 2, method, path, fields, key)
    } catch {
      await new Promise((done) => setTimeout(done, 50))
    }
  }
}

/** Stops the object of one build, as a deployment does, and lets it come back with the other build. */
async function replace(object: WorkerBundle, other: WorkerBundle): Promise<void> {
  await server.stop()
  server = await start(object, other)
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((done) => setTimeout(done, 20))
}

it('two builds that replace the object in turn under load lose and repeat nothing', {
  timeout: 240_000,
}, async () => {
  const { queue_id } = await insist('POST', '/register', {
    event_types: '["message"]',
    apply_markdown: 'false',
  })
  const acknowledged = new Map<string, number>()
  const files = new Map<string, string>()
  let stop = false
  let complete = false
  const senders = Array.from({ length: SENDERS }, async (_, sender) => {
    for (let count = 0; !stop; count += 1) {
      const content = `${sender}:${count}`
      const message = { type: 'stream', to: 'general', topic: `sender ${sender}`, content }
      acknowledged.set(content, (await insist('POST', '/messages', message, content)).id)
    }
  })
  const uploader = (async () => {
    for (let count = 0; !stop; count += 1) {
      const form = new FormData()
      form.append('file', new File([`words ${count}`], `notes ${count}.txt`, { type: 'text/plain' }))
      const { result, url } = await insist('POST', '/user_uploads', form, `file ${count}`)
      expect(result).toBe('success')
      files.set(url, `words ${count}`)
    }
  })()
  let logins = 0
  const visitor = (async () => {
    for (const login = { username: ann.email, password: PASSWORD }; !stop; logins += 1) {
      const { api_key } = await insist('POST', '/fetch_api_key', login)
      expect(api_key).toBe(ann.api_key)
      // Longer than a check of a password takes, so that the others have the thread too.
      await new Promise((done) => setTimeout(done, 500))
    }
  })()
  /** Waits until the servers have acknowledged a hundred messages, two files and two log-ins more. */
  const moreAcknowledged = () => {
    const [messages, uploads, entered] = [acknowledged.size + 100, files.size + 2, logins + 2]
    return until(() => acknowledged.size >= messages && files.size >= uploads && logins >= entered)
  }
  const received: { id: number; message: { id: number; content: string } }[] = []
  const reader = (async () => {
    for (let last = -1; !(complete && received.length >= acknowledged.size); ) {
      const answer = await insist('GET', '/events', { queue_id, last_event_id: String(last) })
      expect(answer.result, JSON.stringify(answer)).toBe('success')
      for (const event of answer.events) {
        last = event.id
        if (event.type === 'message') received.push(event)
      }
    }
  })()

  await moreAcknowledged()
  await replace(newer, older)
  await moreAcknowledged()
  const before = acknowledged.size
  // The deployment is rolled back too soon: the older build leaves what the newer one has written alone, until the newer
  // one is there again.
  await replace(older, newer)
  await expect(ask(0, 'GET', '/users/me')).rejects.toThrow('Not now')
  // Every sender is refused often enough that one would have been served.
  const refused = (answered[503] ?? 0) + 20 * SENDERS
  await until(() => (answered[503] ?? 0) >= refused)
  expect(acknowledged.size).toBeLessThanOrEqual(before + SENDERS)
  await replace(newer, older)
  await moreAcknowledged()
  stop = true
  await Promise.all([...senders, uploader, visitor])
  complete = true
  await reader

  expect(acknowledged.size).toBeGreaterThan(before)
  expect(answered[503]).toBeGreaterThan(0)
  const expected = [...acknowledged].sort((a, b) => a[1] - b[1])
  expect(received.map(({ message }): [string, number] => [message.content, message.id])).toEqual(expected)
  const narrow = JSON.stringify([{ operator: 'channel', operand: 'general' }])
  const page = { anchor: 'newest', num_before: '5000', num_after: '0', apply_markdown: 'false', narrow }
  const { messages } = await insist('GET', '/messages', page)
  const stored = (messages as { id: number; content: string }[])
    .filter(({ content }) => /^\d+:\d+$/.test(content))
    .map(({ id, content }) => [content, id])
  expect(stored).toEqual(expected.slice(-stored.length))
  expect(stored).toHaveLength(Math.min(expected.length, 5_000))

  const { attachments } = await insist('GET', '/attachments')
  const listed = (attachments as { path_id: string }[]).map(({ path_id }) => `/user_uploads/${path_id}`)
  expect(files.size).toBeGreaterThan(1)
  expect(listed.sort()).toEqual([...files.keys()].sort())
  for (const [url, words] of files) {
    const { url: temporary } = await insist('GET', url)
    const file = await fetch(`http://127.0.0.1:${ports[0]}${temporary}`)
    expect(await file.text()).toBe(words)
  }
})
