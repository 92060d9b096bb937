import { beforeAll, describe, expect, it } from 'vitest'
import {
  buildChannel,
  buildRealm,
  buildUser,
  expectSuccess,
  type TestRealm,
} from '../../support/factories.ts'
import { openQueue } from '../../support/queues.ts'

let realm: TestRealm
beforeAll(async () => {
  realm = await buildRealm()
})

describe('subscribing to a channel that does not exist', () => {
  it('creates it and subscribes the principals', async () => {
    const user = await buildUser(realm)
    const queue = await openQueue(user, { include_subscribers: true })
    const channel = await buildChannel([realm.owner, user], { name: 'Greenhouse' })
    const events = await queue.events()
    expect(events.map(({ type, op }) => [type, op])).toEqual([
      ['stream', 'create'],
      ['subscription', 'add'],
    ])
    expect(events[1]!.subscriptions[0]).toMatchObject({
      stream_id: channel.id,
      name: 'Greenhouse',
      subscribers: [realm.owner.id, user.id],
      color: '#e79ab5',
    })
  })
})

describe('the id of a channel', () => {
  it('is found by name whatever its case', async () => {
    const channel = await buildChannel([realm.owner], { name: 'Quiet Room' })
    const { stream_id } = expectSuccess(
      await realm.owner.api.get('/get_stream_id', { stream: ' quiet ROOM ' }),
    )
    expect(stream_id).toBe(channel.id)
  })
})
