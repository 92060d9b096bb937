import { beforeAll, describe, expect, it } from 'vitest'
import { buildRealm, expectSuccess, type TestRealm } from '../../support/factories.ts'
import { openQueue } from '../../support/queues.ts'

let realm: TestRealm
beforeAll(async () => {
  realm = await buildRealm()
})

describe('sending to a channel', () => {
  it('gives the message to a subscriber’s queue', async () => {
    const queue = await openQueue(realm.owner)
    const { id } = expectSuccess(
      await realm.owner.api.post('/messages', {
        type: 'stream',
        to: 'general',
        topic: 'greetings',
        content: 'hello **world**',
      }),
    )
    const [event] = await queue.eventsOf('message')
    expect(event).toMatchObject({
      flags: [],
      message: { id, content: '<p>hello <strong>world</strong></p>', subject: 'greetings', type: 'stream' },
    })
  })
})
