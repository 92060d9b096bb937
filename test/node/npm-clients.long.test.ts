import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ApiClient } from '../../scripts/api-client.ts'
import { type LocalServer, startLocalServer } from '../../scripts/local-server.ts'
import type { CreatedOrganization } from '../../scripts/organizations.ts'
import { fromJson, type Json } from '../support/json.ts'
import { found } from './found.ts'

const run = promisify(execFile)

let server: LocalServer
let ann: CreatedOrganization
let folder: string
let load: NodeJS.Require
beforeAll(async () => {
  server = await startLocalServer({ vars: { POLL_HOLD_SECONDS: '2' } })
  ann = await found(server)
  // The published packages, installed apart from the project's own dependencies.
  folder = await mkdtemp(join(tmpdir(), 'npm-clients-'))
  await cp(join(import.meta.dirname, 'npm-clients'), folder, { recursive: true })
  await run('npm', ['ci', '--ignore-scripts'], { cwd: folder })
  load = createRequire(join(folder, 'package.json'))
}, 180_000)
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

type Answer = Record<string, Json>

/** Returns a promise of an answer, since these clients were written before promises. */
const answered = <R = Answer>(call: (done: (error: unknown, answer: R) => void) => void) =>
  new Promise<R>((resolve, reject) =>
    call((error, answer) => (error ? reject(new Error(String(error))) : resolve(answer))),
  )

async function newestMessage(): Promise<Answer> {
  const asked = { anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false }
  const { messages } = await new ApiClient(server.url, ann).call<Answer>('GET', '/messages', asked)
  return messages[0]
}

describe('the npm package zulip 0.1, unmodified,', () => {
  const connect = () => {
    const { Client } = load('zulip')
    return new Client({ email: ann.email, api_key: ann.api_key, site: server.url, verbose: false })
  }

  it('sends, reads people and subscriptions', async () => {
    const client = connect()
    const message = { type: 'stream', to: 'general', subject: 'from npm', content: 'by zulip' }
    const sent = await answered((done) => client.sendMessage(message, done))
    expect(await newestMessage()).toMatchObject({ id: sent.id, subject: 'from npm', content: 'by zulip' })
    const { members } = await answered((done) => client.getMembers({}, done))
    expect(members.map(({ email }: Answer) => email)).toContain(ann.email)
    const { subscriptions } = await answered((done) => client.listSubscriptions({}, done))
    expect(subscriptions.map(({ name }: Answer) => name)).toContain('general')
  })

  it('receives messages, poll after poll', async () => {
    const client = connect()
    const registered = once(client, 'registered')
    client.registerEventQueue({ event_types: ['message'] })
    await registered
    for (const content of ['first', 'second']) {
      const heard = once(client, 'message')
      await answered((done) => client.sendMessage({ type: 'private', to: [ann.email], content }, done))
      expect((await heard)[0]).toMatchObject({ content, sender_email: ann.email })
    }
    // Makes the client's next poll its last, since it would poll for ever.
    client._poll = () => {}
  })

  it('recognizes when its key is wrong', async () => {
    const { Client } = load('zulip')
    const client = new Client({ email: ann.email, api_key: 'wrong', site: server.url, verbose: false })
    await expect(answered((done) => client.getMembers({}, done))).rejects.toThrow('status 401')
  })
})

describe('the npm package zulip-node 1.0, its code unmodified, given our address,', () => {
  /** The package knows one server only, whose address is a field of the client. */
  const connect = () => {
    const Client = load('zulip-node')
    const client = new Client(ann.email, ann.api_key)
    for (const [name, url] of Object.entries<string>(client.urls)) {
      client.urls[name] = url.replace('https://api.zulip.com', `${server.url}/api`)
    }
    return client
  }

  it('sends to channels and people, edits, and reads what it knows of', async () => {
    const client = connect()
    const sent = await answered((done) =>
      client.sendStreamMessage({ to: 'general', subject: 'node', content: 'by zulip-node' }, done),
    )
    expect(await newestMessage()).toMatchObject({ id: sent.id, content: 'by zulip-node' })
    const direct = await answered((done) =>
      client.sendPrivateMessage({ to: JSON.stringify([ann.email]), content: 'to oneself' }, done),
    )
    expect(await newestMessage()).toMatchObject({ id: direct.id, type: 'private' })
    const { members } = await answered((done) => client.getUsers(done))
    expect(members.map(({ email }: Answer) => email)).toContain(ann.email)
    const { streams } = await answered((done) => client.getStreams(done))
    expect(streams.map(({ name }: Answer) => name)).toContain('general')
    const subscriptions = await answered<Answer[]>((done) => client.getSubscriptions(done))
    expect(subscriptions.map(({ name }) => name)).toContain('general')
    expect(await answered((done) => client.me(done))).toMatchObject({ email: ann.email })
  })

  it('registers a queue, receives a message, and deletes the queue', async () => {
    const client = connect()
    const registered = once(client, 'registered')
    client.registerQueue({ event_types: JSON.stringify(['message']) })
    await registered
    const heard = once(client, 'message')
    client.getEvents()
    await answered((done) =>
      client.sendStreamMessage({ to: 'general', subject: 'node', content: 'heard' }, done),
    )
    expect(await heard).toMatchObject([{ content: 'heard', subject: 'node' }, 'stream'])
    expect(await answered((done) => client.deregisterQueue(client.queueId, done))).toMatchObject({
      result: 'success',
    })
  })
})

it('the npm package winston-zulip 0.0.6, unmodified, writes a log into a topic', async () => {
  const options = {
    zulipUsername: ann.email,
    zulipApikey: ann.api_key,
    zulipRealm: server.url,
    zulipTo: 'general',
    zulipSubject: 'log',
  }
  // The client's library for forms is older than Node's fetch, and does not work with it.
  const script = `
    delete globalThis.fetch
    const Transport = require('winston-zulip')
    new Transport(${JSON.stringify(options)}).log('info', 'it runs', {}, (_, sent) => console.log(sent.id))`
  const { stdout } = await run(process.execPath, ['-e', script], { cwd: folder })
  const message = await newestMessage()
  expect(message).toMatchObject({ id: Number(stdout), subject: 'log' })
  expect(fromJson(message.content)).toMatchObject({ level: 'info', message: 'it runs' })
})

it('the links in a message are those of @zulip/shared 0.0.18, which browsers and phones read', async () => {
  const shared = pathToFileURL(join(folder, 'node_modules/@zulip/shared/lib/internal_url.js')).href
  const { encode_stream_id, encodeHashComponent } = await import(/* @vite-ignore */ shared)
  const owner = new ApiClient(server.url, ann)
  for (const [name, topic] of [
    ['design (drafts)', 'v1.0 & later?'],
    ['päivä 100%', 'tilaa/äläkä #5'],
  ]) {
    await owner.call('POST', '/users/me/subscriptions', { subscriptions: [{ name }] })
    const { stream_id } = await owner.call<Answer>('GET', '/get_stream_id', { stream: name! })
    const content = `#**${name}>${topic}**`
    const { rendered } = await owner.call<Answer>('POST', '/messages/render', { content })
    const slug = encode_stream_id(stream_id, () => name)
    expect(rendered).toContain(`href="/#narrow/channel/${slug}/topic/${encodeHashComponent(topic)}"`)
  }
})
