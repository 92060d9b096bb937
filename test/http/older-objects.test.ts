import { beforeEach, expect, it, vi } from 'vitest'
import { expectSuccess } from '../support/factories.ts'
import { inRealm } from '../support/inside.ts'
import { openQueue } from '../support/queues.ts'
import { useReliableD1 } from '../support/reliable-d1.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

/** May go together with src/http/older-objects.ts. */

const { realm, owner, reader } = useRealm({ reader: 'member' })
useReliableD1()
let calls = 0
beforeEach(() => {
  world.objectsAreOlder = true
  calls = 0
  world.reach = (call, kind) => {
    if (kind === 'run') calls += 1
    return call()
  }
})

async function send(content: string): Promise<number> {
  return expectSuccess(await owner.api.post('/messages', { type: 'direct', to: [reader.id], content })).id
}

it('an object without calls in text is asked again in its own way', async () => {
  const now = Date.now()
  const clock = vi.spyOn(Date, 'now').mockReturnValue(now)
  const contents = ['one', 'two', 'three']
  const ids = []
  for (const content of contents) ids.push(await send(content))
  expect(calls).toBe(4)
  clock.mockReturnValue(now + 10_000)
  contents.push('four')
  ids.push(await send('four'))
  expect(calls).toBe(6)
  clock.mockRestore()

  const page = { anchor: 'newest', num_before: 4, num_after: 0, apply_markdown: false }
  const { messages } = expectSuccess(await reader.api.get('/messages', page))
  const found = messages.map(({ id, content }: { id: number; content: string }) => [id, content])
  expect(found).toEqual(ids.map((id, at) => [id, contents[at]]))
  expectSuccess(await owner.api.patch(`/messages/${ids[0]}`, { content: 'first' }))
  const { message } = expectSuccess(await reader.api.get(`/messages/${ids[0]}`, { apply_markdown: false }))
  expect(message.content).toBe('first')
  expect((await reader.api.get('/messages/999999')).body).toMatchObject({
    result: 'error',
    code: 'BAD_REQUEST',
  })
})

it('a busy queue of an object without polls in text gets its events', async () => {
  world.busyQueueMs = 60_000
  const queue = await openQueue(reader, { event_types: ['message'], fetch_event_types: [] })
  for (const content of ['busy', 'still busy']) {
    const received = queue.poll()
    await expect.poll(() => inRealm(realm, ({ parts }) => parts.polls.isWaiting(queue.id))).toBe(true)
    await send(content)
    expect((await received).map(({ message }) => message?.content)).toEqual([`<p>${content}</p>`])
  }
})
