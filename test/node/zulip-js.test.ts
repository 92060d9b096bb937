import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import zulip from 'zulip-js'
import { type LocalServer, startLocalServer } from '../../scripts/local-server.ts'
import type { CreatedOrganization } from '../../scripts/organizations.ts'
import { found, PASSWORD } from './found.ts'

let server: LocalServer
let ann: CreatedOrganization
beforeAll(async () => {
  server = await startLocalServer({ vars: { POLL_HOLD_SECONDS: '2' } })
  ann = await found(server)
})
afterAll(() => server.stop())

const login = (username: string, password: string) => zulip({ realm: server.url, username, password })

/** An account that Ann creates with the client itself. */
async function newMember(name: string) {
  const client = await login(ann.email, PASSWORD)
  const email = `${name}@example.com`
  const { user_id } = await client.users.create({
    email,
    full_name: name,
    password: `${name} has a password`,
  })
  return { id: user_id as number, email, client: await login(email, `${name} has a password`) }
}

/** Polls until something happens: a machine that is busy may send heartbeats before. */
async function eventsAfter(
  client: Awaited<ReturnType<typeof zulip>>,
  queue_id: string,
  last_event_id: number,
) {
  for (let last = last_event_id; ; ) {
    const { events } = (await client.events.retrieve({ queue_id, last_event_id: last })) as {
      events: { type: string; id: number }[]
    }
    if (events.some(({ type }) => type !== 'heartbeat')) return events
    last = events.at(-1)!.id
  }
}

describe('the official JavaScript client, unmodified,', () => {
  it('logs in with a password', async () => {
    const client = await login(ann.email, PASSWORD)
    expect(client.config.apiKey).toBe(ann.api_key)
    expect(await client.users.me.getProfile()).toMatchObject({ result: 'success', user_id: ann.user_id })
  })

  it('logs in with a key', async () => {
    const client = await zulip({ realm: server.url, username: ann.email, apiKey: ann.api_key })
    expect(await client.users.me.getProfile()).toMatchObject({ result: 'success', email: ann.email })
  })

  it('logs in with a file of settings', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'zuliprc-'))
    const zuliprc = join(folder, 'zuliprc')
    await writeFile(zuliprc, `[api]\nemail=${ann.email}\nkey=${ann.api_key}\nsite=${server.url}\n`)
    const client = await zulip({ zuliprc })
    await rm(folder, { recursive: true })
    expect(await client.users.me.getProfile()).toMatchObject({ result: 'success', email: ann.email })
  })

  it('recognizes when the password is wrong', async () => {
    const client = await login(ann.email, 'wrong')
    expect(await client.users.me.getProfile()).toMatchObject({ result: 'error', code: 'UNAUTHORIZED' })
  })

  it('registers a queue, sends, and receives', async () => {
    const bob = await newMember('bob')
    const client = await login(ann.email, PASSWORD)
    const queue = await bob.client.queues.register({ event_types: ['message'] })
    expect(queue).toMatchObject({ result: 'success', queue_id: expect.any(String), last_event_id: -1 })

    const waiting = eventsAfter(bob.client, queue.queue_id, -1)
    const sent = await client.messages.send({ type: 'stream', to: 'general', topic: 'js', content: '**hi**' })
    expect(sent).toMatchObject({ result: 'success', id: expect.any(Number) })
    expect(await waiting).toMatchObject([
      {
        type: 'message',
        message: { id: sent.id, content: '**hi**', subject: 'js', sender_email: ann.email },
      },
    ])

    const answered = await bob.client.messages.send({
      type: 'private',
      to: [ann.user_id],
      content: 'hello back',
    })
    const { messages } = await client.messages.retrieve({ anchor: 'newest', num_before: 2, num_after: 0 })
    expect(messages.map(({ id }: { id: number }) => id)).toEqual([sent.id, answered.id])
    const { result } = await bob.client.queues.deregister({ queue_id: queue.queue_id })
    expect(result).toBe('success')
  })

  it('gets a heartbeat when nothing happens', async () => {
    const client = await login(ann.email, PASSWORD)
    const { queue_id } = await client.queues.register({ event_types: ['reaction'] })
    const { events } = await client.events.retrieve({ queue_id, last_event_id: -1 })
    expect(events).toEqual([{ type: 'heartbeat', id: expect.any(Number) }])
  })

  it('edits, flags and reads with parameters in the query string', async () => {
    const client = await login(ann.email, PASSWORD)
    const { id } = await client.messages.send({ type: 'private', to: [ann.user_id], content: 'first' })
    expect(await client.messages.update({ message_id: id, content: 'second' })).toMatchObject({
      result: 'success',
    })
    expect(await client.messages.flags.add({ messages: [id], flag: 'starred' })).toMatchObject({
      messages: [id],
    })
    const { messages } = await client.messages.retrieve({
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
      narrow: [{ operator: 'is', operand: 'starred' }],
    })
    expect(messages).toMatchObject([{ id, content: '<p>second</p>' }])
    expect(await client.messages.deleteById({ message_id: id })).toMatchObject({ result: 'success' })
  })

  it('lists channels, subscriptions and users', async () => {
    const client = await login(ann.email, PASSWORD)
    const { streams } = await client.streams.retrieve()
    const { subscriptions } = await client.streams.subscriptions.retrieve()
    const names = (list: { name: string }[]) => list.map(({ name }) => name)
    expect(names(streams)).toEqual(expect.arrayContaining(['general', 'sandbox']))
    expect(names(subscriptions)).toEqual(expect.arrayContaining(['general']))
    const { members } = await client.users.retrieve()
    expect(members.some(({ user_id }: { user_id: number }) => user_id === ann.user_id)).toBe(true)
  })
})
