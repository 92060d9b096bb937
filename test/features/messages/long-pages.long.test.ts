import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { askWorker } from '../../support/api.ts'
import { buildChannel, expectSuccess, type TestUser } from '../../support/factories.ts'
import { forgetTexts } from '../../support/forget-texts.ts'
import { insertMessages, insertUnprojected } from '../../support/inserted-messages.ts'
import { readJson } from '../../support/json.ts'
import { BYTES_AT_ONCE, MESSAGES_AT_ONCE } from '../../support/limits.ts'
import { neverEvict } from '../../support/never-evict.ts'
import { useReliableD1 } from '../../support/reliable-d1.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

/** Characters of a message's source, and of its HTML. */
const LENGTH = 10_000
/** Number of messages: more than one answer of the realm object or a few answers of D1 can carry. */
const COUNT = MESSAGES_AT_ONCE + 200

const { realm, ann, ben, room } = useRealm(
  { ann: 'member', ben: 'member' },
  { channels: { room: ['ann', 'ben'] } },
)
let ids: number[]

neverEvict()
useReliableD1()
// What the Worker keeps depends on other organizations; these tests count what is read from D1.
beforeEach(forgetTexts)
beforeAll(async () => {
  ids = await insertMessages(realm, ann, { channelId: room.id, topic: 'long', count: COUNT, length: LENGTH })
})

const everyMessage = (topic: string) => ({
  anchor: 'oldest',
  num_before: 0,
  num_after: 5_000,
  narrow: [
    ['channel', room.name],
    ['topic', topic],
  ],
})

/** Returns the response with its body unread. */
function ask(user: TestUser, params: Record<string, unknown>): Promise<Response> {
  const url = new URL(`http://${realm.host}/api/v1/messages`)
  for (const [name, value] of Object.entries(params)) {
    url.searchParams.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  const headers = { Authorization: `Basic ${btoa(`${user.email}:${user.apiKey}`)}` }
  return askWorker(new Request(url, { headers }))
}

/** Calls `before` at each read of D1, with the number of earlier reads. */
function whenRead(before: (readings: number) => Promise<unknown> | undefined): { readonly count: number } {
  const readings = { count: 0 }
  world.d1 = async (call, kind) => {
    if (kind === 'read') {
      readings.count += 1
      await before(readings.count)
    }
    return call()
  }
  return readings
}

describe('a page that is larger than memory', () => {
  it('has every message with its text, in order; no answer of D1 is large', async () => {
    const lengths: number[] = []
    world.d1 = async (call) => {
      const answer = await call()
      lengths.push(JSON.stringify(answer).length)
      return answer
    }
    const { messages, ...found } = expectSuccess(await ben.api.get('/messages', everyMessage('long')))
    expect(messages.map(({ id }: { id: number }) => id)).toEqual(ids)
    for (const { id, content } of messages) expect(content).toBe(`<p>${id}`.padEnd(LENGTH))
    expect(found).toMatchObject({ anchor: 0, found_oldest: true, found_newest: true, found_anchor: false })
    expect(lengths.length).toBeGreaterThanOrEqual((COUNT * 2 * LENGTH) / (BYTES_AT_ONCE + 2 * LENGTH))
    for (const length of lengths) expect(length).toBeLessThan(BYTES_AT_ONCE * 1.1)
  })

  it('is streamed while it is read, by ids too', async () => {
    const readings = whenRead(() => undefined)
    const wanted = ids.slice(0, 1_000)
    const response = await ask(ben, { message_ids: wanted, apply_markdown: false })
    expect(response.status).toBe(200)
    const soFar = readings.count
    const { messages } = await readJson<{ messages: { id: number; content: string }[] }>(response)
    expect(messages.map(({ id }) => id)).toEqual(wanted)
    expect(messages.at(-1)!.content.trim()).toBe(String(wanted.at(-1)))
    expect(readings.count).toBeGreaterThan(soFar)
  })

  it('is a 503 when D1 fails at once, and is aborted when it fails later', async () => {
    world.d1 = () => Promise.reject(new Error('D1 is down'))
    expect((await ask(ben, everyMessage('long'))).status).toBe(503)
    const readings = whenRead((count) => (count > 2 ? Promise.reject(new Error('D1 is down')) : undefined))
    const response = await ask(ben, everyMessage('long'))
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow()
    expect(readings.count).toBeGreaterThan(2)
  })

  it('shows concurrent edits, and leaves out messages deleted or hidden meanwhile', async () => {
    const hidden = await buildChannel([realm.owner], { invite_only: true })
    expectSuccess(
      await realm.owner.api.post('/users/me/subscriptions', { subscriptions: [{ name: room.name }] }),
    )
    const [edited, deleted, moved] = ids.slice(-3) as [number, number, number]
    whenRead(async (count) => {
      if (count !== 3) return
      expectSuccess(await ann.api.patch(`/messages/${edited}`, { content: 'new' }))
      expectSuccess(await realm.owner.api.delete(`/messages/${deleted}`))
      const move = { stream_id: hidden.id, propagate_mode: 'change_one' }
      expectSuccess(await realm.owner.api.patch(`/messages/${moved}`, move))
    })
    const { messages } = expectSuccess(await ben.api.get('/messages', everyMessage('long')))
    world.d1 = (call) => call()
    expect(messages.map(({ id }: { id: number }) => id)).toEqual(ids.slice(0, -2))
    expect(messages.at(-1)).toMatchObject({ id: edited, content: '<p>new</p>' })
  })

  it('is read from the log while D1 has nothing of it', async () => {
    world.d1 = () => Promise.reject(new Error('D1 is down'))
    const count = Math.ceil((BYTES_AT_ONCE * 1.3) / (2 * LENGTH))
    const late = { channelId: room.id, topic: 'late', count, length: LENGTH }
    const unprojected = await insertUnprojected(realm, ann, late)
    const { messages } = expectSuccess(await ben.api.get('/messages', everyMessage('late')))
    expect(messages.map(({ id }: { id: number }) => id)).toEqual(unprojected)
    for (const { id, content } of messages) expect(content).toBe(`<p>${id}`.padEnd(LENGTH))
  })

  it('can be matched with a narrow', async () => {
    const wanted = ids.slice(0, 300)
    const { messages } = expectSuccess(
      await ben.api.get('/messages/matches_narrow', { msg_ids: wanted, narrow: [['search', '123']] }),
    )
    expect(Object.keys(messages).map(Number)).toEqual([123])
    const all = expectSuccess(
      await ben.api.get('/messages/matches_narrow', { msg_ids: wanted, narrow: [['topic', 'long']] }),
    )
    expect(Object.keys(all.messages).map(Number)).toEqual(wanted)
  })
})
