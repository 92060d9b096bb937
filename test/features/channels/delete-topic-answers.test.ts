import { afterEach, describe, expect, it, vi } from 'vitest'
import { buildUser, expectSuccess } from '../../support/factories.ts'
import { insertMessages } from '../../support/inserted-messages.ts'
import { CHANGES_OF_COMMIT } from '../../support/limits.ts'
import { sendTo } from '../../support/messages.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { useReliableD1 } from '../../support/reliable-d1.ts'
import { useRealm } from '../../support/use-realm.ts'

// Messages are entered next to those whose deletion D1 may not have yet.
useReliableD1()

const { realm, ann, admin, channel } = useRealm(
  { ann: 'member', admin: 'administrator' },
  { channels: { channel: ['ann'] } },
)
afterEach(() => {
  vi.restoreAllMocks()
})

function remove(topic_name: string, user = admin, id = channel.id) {
  return user.api.post(`/streams/${id}/delete_topic`, { topic_name })
}

async function fill(topic: string, count: number, to = channel): Promise<number[]> {
  const ids: number[] = []
  for (let n = 0; n < count; n += 1) ids.push(await sendTo(ann, to.id, topic))
  return ids
}

async function topics(id = channel.id): Promise<string[]> {
  const body = expectSuccess(await ann.api.get(`/users/me/${id}/topics`, { allow_empty_topic_name: true }))
  return body.topics.map(({ name }: { name: string }) => name)
}

describe('deleting a topic', () => {
  it('needs the topic’s name', async () => {
    expectRefusal(
      await admin.api.post(`/streams/${channel.id}/delete_topic`),
      "Missing 'topic_name' argument",
      { code: 'REQUEST_VARIABLE_MISSING' },
    )
  })

  it('goes on from the newest messages, until the time is over, and then again', async () => {
    const count = CHANGES_OF_COMMIT + 1
    const ids = await insertMessages(realm, ann, {
      channelId: channel.id,
      topic: 'endless',
      count,
      length: 20,
    })
    const queue = await openQueue(ann)
    const started = Date.now()
    // The clock moves on by a minute each time that it is read.
    let minutes = 0
    vi.spyOn(Date, 'now').mockImplementation(() => started + 60_000 * minutes++)
    const partial = expectSuccess(await remove('endless'))
    vi.restoreAllMocks()
    expect(partial).toMatchObject({ result: 'success', complete: false })
    const deleted = async () => (await queue.eventsOf('delete_message')).map(({ message_ids }) => message_ids)
    const batches = await deleted()
    expect(batches.flat().sort((a, b) => a - b)).toEqual(ids.slice(1))
    expect(Math.min(...batches[0])).toBeGreaterThan(Math.max(...batches.at(-1)))
    expectSuccess(await ann.api.get(`/messages/${ids[0]}`))
    expect(expectSuccess(await remove('endless')).complete).toBe(true)
    expect(await deleted()).toEqual([[ids[0]]])
    expect(await topics()).not.toContain('endless')
  })

  it('emits no event about a channel whose first message stays', async () => {
    await fill('not the first', 1)
    const queue = await openQueue(ann)
    expectSuccess(await remove('not the first'))
    expect((await queue.events()).map(({ type }) => type)).not.toContain('stream')
  })

  it('is for administrators alone', async () => {
    await fill('safe', 1)
    for (const role of [300, 400, 600] as const) {
      expectRefusal(
        await remove('safe', await buildUser(realm, { role })),
        'Must be an organization administrator',
        { code: 'UNAUTHORIZED_PRINCIPAL' },
      )
    }
    expect(await topics()).toContain('safe')
    expectUnauthorized(await realm.anonymous.post(`/streams/${channel.id}/delete_topic`))
  })
})
