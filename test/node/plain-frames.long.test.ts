import { afterAll, beforeAll, expect, it } from 'vitest'
import { encodeFields } from '../../scripts/api-client.ts'
import { type LocalServer, startLocalServer } from '../../scripts/local-server.ts'
import type { CreatedOrganization } from '../../scripts/organizations.ts'
import { fromJson, readJson } from '../support/json.ts'
import { found } from './found.ts'

let server: LocalServer
let ann: CreatedOrganization
beforeAll(async () => {
  server = await startLocalServer()
  ann = await found(server)
})
afterAll(() => server?.stop())

it('the frames of an event stream are sent uncompressed to a client that offers compression', async () => {
  const headers = { authorization: `Basic ${btoa(`${ann.email}:${ann.api_key}`)}` }
  const registered = await fetch(`${server.url}/api/v1/register`, { method: 'POST', headers })
  const { queue_id } = await readJson<{ queue_id: string }>(registered)
  const address = `${server.url}/api/v1/events?${encodeFields({ queue_id, last_event_id: -1 })}`
  // The WebSocket of Node always offers it, and accepts headers, unlike that of browsers.
  const stream: WebSocket = Reflect.construct(WebSocket, [address.replace('http', 'ws'), { headers }])
  const frame = await new Promise<unknown>((resolve, reject) => {
    stream.addEventListener('message', ({ data }) => resolve(data))
    stream.addEventListener('error', () => reject(new Error('No stream')))
  })
  expect(fromJson(frame as string)).toEqual({ events: [], queue_id })
  expect(stream.extensions).toBe('')
  stream.close()
})
