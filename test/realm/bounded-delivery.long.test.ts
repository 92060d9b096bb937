import { beforeAll, describe, expect, it } from 'vitest'
import type { StoredTypingEvent } from '../../src/events/typing.ts'
import { evictRealm } from '../support/api.ts'
import { expectSuccess, type TestUser } from '../support/factories.ts'
import { holdPolls } from '../support/held-polls.ts'
import { inRealm, insertUsers } from '../support/inside.ts'
import { DELIVERY_OF_ONE_SLICE } from '../support/limits.ts'
import { openQueue } from '../support/queues.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const { realm, channel } = useRealm({}, { channels: { channel: ['owner'] } })
let readers: TestUser[]
beforeAll(async () => {
  readers = await insertUsers(realm, DELIVERY_OF_ONE_SLICE.polls + 20, channel.id)
})

const queueOf = (user: TestUser) =>
  openQueue(user, { event_types: ['message', 'typing'], fetch_event_types: [] })

async function send(content: string): Promise<number> {
  const sent = { type: 'stream', to: channel.name, topic: 'large', content }
  return expectSuccess(await realm.owner.api.post('/messages', sent)).id
}

function typing(): StoredTypingEvent {
  const sender = { user_id: realm.owner.id, email: realm.owner.email }
  return { type: 'typing', op: 'start', message_type: 'direct', sender, recipients: [sender] }
}

describe('many polls that wait at once', () => {
  it('are all answered over several turns, each with events in order', async () => {
    world.pollHoldSeconds = 60
    const queues = await Promise.all(readers.map(queueOf))
    const polls = await holdPolls(queues)
    const sent = [await send('first'), await send('second')]
    for (const [index, poll] of polls.entries()) {
      const got = (await poll).map(({ message }) => message.id)
      if (got.length < sent.length)
        got.push(...(await queues[index]!.events()).map(({ message }) => message.id))
      expect(got).toEqual(sent)
    }
  }, 60_000)
})

describe('a poll that is waiting when its object wakes', () => {
  it('is answered, though there is more to read than one turn may', async () => {
    world.pollHoldSeconds = 60
    const reader = readers[0]!
    const queue = await queueOf(reader)
    const [poll] = await holdPolls([queue])
    // A life that ends between the commit and the wake-up.
    const last = await inRealm(realm, (object) =>
      object.change(
        (tx) => {
          for (let entry = 0; entry < 1.5 * DELIVERY_OF_ONE_SLICE.looks; entry += 1) {
            tx.emit(typing(), { users: [realm.owner.id] })
          }
          return tx.emit(typing(), { users: [reader.id] })
        },
        { silently: true },
      ),
    )
    await evictRealm(realm.id)
    await realm.owner.api.get('/users/me')
    expect((await poll)!.map(({ id }) => id)).toEqual([last])
  }, 60_000)
})
