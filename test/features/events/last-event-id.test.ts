import { describe, expect, it } from 'vitest'
import type { ParameterValue } from '../../support/api.ts'
import { expectSuccess } from '../../support/factories.ts'
import { sendTo } from '../../support/messages.ts'
import { openQueue, type TestEvent, type TestQueue } from '../../support/queues.ts'
import { useRealm } from '../../support/use-realm.ts'

const { ann, ben, channel } = useRealm(
  { ann: 'member', ben: 'member' },
  { channels: { channel: ['owner', 'ann', 'ben'] } },
)

function ask(queue: TestQueue, params: Record<string, ParameterValue> = {}) {
  return queue.user.api.get('/events', { queue_id: queue.id, dont_block: true, ...params })
}

async function texts(queue: TestQueue, params: Record<string, ParameterValue> = {}): Promise<string[]> {
  const { events } = expectSuccess(await ask(queue, params))
  return events.map(({ message }: TestEvent) => message.content)
}

function openMessageQueue(user = ben): Promise<TestQueue> {
  return openQueue(user, { event_types: ['message'], fetch_event_types: [], apply_markdown: false })
}

describe('last_event_id', () => {
  it('of -1, which register gives, and of 0 is the start', async () => {
    const queue = await openMessageQueue()
    expect(queue.snapshot.last_event_id).toBe(-1)
    await sendTo(ann, channel.id, 'start', 'first')
    expect(await texts(queue, { last_event_id: -1 })).toEqual(['first'])
    expect(await texts(queue, { last_event_id: 0 })).toEqual(['first'])
  })

  it('may be in a gap, and events still kept are served again', async () => {
    const queue = await openMessageQueue()
    await sendTo(ann, channel.id, 'gaps', 'one')
    // Events that this queue does not get leave gaps between its ids.
    for (const word of ['a', 'b']) {
      expectSuccess(await ben.api.post('/users/me/alert_words', { alert_words: [word] }))
    }
    await sendTo(ann, channel.id, 'gaps', 'two')
    const { events } = expectSuccess(await ask(queue, { last_event_id: -1 }))
    const [first, second] = events.map(({ id }: TestEvent) => id)
    expect(second - first).toBeGreaterThan(1)
    expect(await texts(queue, { last_event_id: first + 1 })).toEqual(['two'])
    expect(await texts(queue, { last_event_id: second })).toEqual([])
    expect(await texts(queue, { last_event_id: first })).toEqual(['two'])
  })
})
