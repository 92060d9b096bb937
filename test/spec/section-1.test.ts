import { describe, expect, it } from 'vitest'
import { askWorker } from '../support/api.ts'
import { expectSuccess, type TestUser } from '../support/factories.ts'
import { readJson } from '../support/json.ts'
import { ALL_CAPABILITIES, openQueue } from '../support/queues.ts'
import { useRealm } from '../support/use-realm.ts'

const { realm, ann } = useRealm({ ann: 'member' })

function raw(user: TestUser, path: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.set('Authorization', `Basic ${btoa(`${user.email}:${user.apiKey}`)}`)
  return askWorker(new Request(`http://${realm.host}/api/v1${path}`, { ...init, headers }))
}

async function send(topic: string, content = 'hello'): Promise<number> {
  return expectSuccess(await ann.api.post('/messages', { type: 'channel', to: 'general', topic, content })).id
}

describe('1 What the service does', () => {
  it('1.1 POST, PATCH and DELETE take form-urlencoded fields, GET takes the query string', async () => {
    const posted = await raw(ann, '/messages', {
      method: 'POST',
      body: new URLSearchParams({ type: 'stream', to: 'general', topic: 'form', content: 'by form' }),
    })
    expect(posted.status).toBe(200)
    const { id } = await readJson<{ id: number }>(posted)
    const patched = await raw(ann, `/messages/${id}`, {
      method: 'PATCH',
      body: new URLSearchParams({ content: 'by patch' }),
    })
    expect(patched.status).toBe(200)
    const got = await raw(ann, `/messages/${id}?apply_markdown=false`, { method: 'GET' })
    expect((await readJson<{ message: { content: string } }>(got)).message.content).toBe('by patch')
  })

  it('1.2 a list or an object is one field of JSON text', async () => {
    const { status, body } = await ann.api.post('/messages/flags', {
      messages: '[',
      op: 'add',
      flag: 'starred',
    })
    expect([status, body.msg]).toEqual([400, 'messages is not valid JSON'])
    const id = await send('lists')
    expectSuccess(await ann.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' }))
  })

  it('1.3 every response has result and msg; an error has code', async () => {
    const success = (await ann.api.get('/users/me')).body
    expect(success).toMatchObject({ result: 'success', msg: '' })
    for (const response of [
      await ann.api.get('/nowhere'),
      await ann.api.get('/users/999999'),
      await realm.anonymous.get('/users/me'),
      await ann.api.delete('/server_settings'),
    ]) {
      expect(response.body).toMatchObject({
        result: 'error',
        msg: expect.any(String),
        code: expect.any(String),
      })
    }
  })

  it('1.4 a success names the parameters that the endpoint does not support, sorted', async () => {
    const { body } = await ann.api.get('/users/me', { zebra: 1, apple: 'x' })
    expect(body.ignored_parameters_unsupported).toEqual(['apple', 'zebra'])
  })

  it('1.4 without such parameters the key is absent; an error never has it', async () => {
    expect((await ann.api.get('/users/me')).body).not.toHaveProperty('ignored_parameters_unsupported')
    expect((await ann.api.get('/users/999999', { zebra: 1 })).body).not.toHaveProperty(
      'ignored_parameters_unsupported',
    )
  })

  it('1.4 any endpoint does so, also one without parameters', async () => {
    const { body } = await realm.anonymous.get('/server_settings', { zebra: 1 })
    expect(body.ignored_parameters_unsupported).toEqual(['zebra'])
  })

  it('1.5 a timestamp is in UTC seconds', async () => {
    const id = await send('time')
    const { message } = expectSuccess(await ann.api.get(`/messages/${id}`))
    expect(Math.abs(message.timestamp - Date.now() / 1_000)).toBeLessThan(60)
    expect(Number.isInteger(message.timestamp)).toBe(true)
  })

  it('1.6 the empty string is a topic; register has its display name', async () => {
    const queue = await openQueue(ann)
    expect(queue.snapshot.realm_empty_topic_display_name).toBe('general chat')
    await send('')
    expect((await queue.eventsOf('message'))[0]?.message.subject).toBe('')
  })

  it.each(['general chat', '(no topic)'])(
    '1.6 sending to %j is sending to the empty topic',
    async (topic) => {
      const queue = await openQueue(ann)
      await send(topic)
      expect((await queue.eventsOf('message'))[0]?.message.subject).toBe('')
    },
  )

  it('1.6 a client that does not declare the empty topic gets the display name instead', async () => {
    const queue = await openQueue(ann, {
      client_capabilities: { ...ALL_CAPABILITIES, empty_topic_name: false },
    })
    const id = await send('')
    expect((await queue.eventsOf('message'))[0]?.message.subject).toBe('general chat')
    const plain = expectSuccess(await ann.api.get(`/messages/${id}`))
    expect(plain.message.subject).toBe('general chat')
    const capable = expectSuccess(await ann.api.get(`/messages/${id}`, { allow_empty_topic_name: true }))
    expect(capable.message.subject).toBe('')
  })

  it('1.7 register has the maximum sizes', async () => {
    const { snapshot } = await openQueue(ann, { fetch_event_types: ['realm'] })
    expect(snapshot).toMatchObject({
      max_message_length: 10_000,
      max_topic_length: 60,
      max_stream_name_length: 60,
      max_stream_description_length: 1_024,
    })
  })

  it('1.7 what is longer is cut, so that nothing longer is ever stored', async () => {
    const id = await send('t'.repeat(70), 'x'.repeat(10_050))
    const { message } = expectSuccess(
      await ann.api.get(`/messages/${id}`, { apply_markdown: false, allow_empty_topic_name: true }),
    )
    expect([...message.content]).toHaveLength(10_000)
    expect(message.content.endsWith('\n[message truncated]')).toBe(true)
    expect(message.subject).toBe(`${'t'.repeat(57)}...`)
  })
})
