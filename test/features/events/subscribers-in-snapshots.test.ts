import { describe, expect, it } from 'vitest'
import { buildChannel, expectSuccess } from '../../support/factories.ts'
import { openQueue } from '../../support/queues.ts'
import { useRealm } from '../../support/use-realm.ts'

const { ann, ben, shy, channel } = useRealm(
  {
    ann: 'member',
    ben: 'member',
    /** Only moderators and above may see this user's address. */
    shy: 'member',
  },
  { channels: { channel: ['ann', 'ben', 'shy'] } },
)

describe('the subscribers of a channel', () => {
  it('include bots and active people in a partial list', async () => {
    const { user_id: bot } = expectSuccess(
      await ann.api.post('/bots', { full_name: 'Counted', short_name: 'counted' }),
    )
    const channel = await buildChannel([ann, ben])
    expectSuccess(
      await ann.api.post('/users/me/subscriptions', {
        subscriptions: [{ name: channel.name }],
        principals: [bot],
      }),
    )
    const { subscriptions } = (await openQueue(ann, { include_subscribers: 'partial' })).snapshot
    const found = subscriptions.find((one: { stream_id: number }) => one.stream_id === channel.id)
    const listed = found.subscribers ?? found.partial_subscribers
    expect(listed).toEqual(expect.arrayContaining([ann.id, ben.id, bot]))
  })

  it('are asked for in part by a bare word or a string of JSON', async () => {
    for (const word of ['partial', '"partial"']) {
      const { snapshot } = await openQueue(ann, { include_subscribers: word })
      expect(snapshot.subscriptions[0]).toHaveProperty('subscribers')
    }
  })

  it('are in snapshot and events for queues that asked, and neither for others', async () => {
    for (const [include, expected] of [
      [true, true],
      ['partial', true],
      [false, false],
    ] as const) {
      const queue = await openQueue(ben, { include_subscribers: include })
      expect('subscribers' in queue.snapshot.subscriptions[0]).toBe(expected)
      const made = await buildChannel([ann])
      expectSuccess(await ben.api.post('/users/me/subscriptions', { subscriptions: [{ name: made.name }] }))
      const [added] = (await queue.eventsOf('subscription', 'add'))[0]!.subscriptions
      expect('subscribers' in added).toBe(expected)
      if (!expected) expect(added).not.toHaveProperty('partial_subscribers')
    }
  })

  it('are all in a partial list, under one key', async () => {
    const { snapshot } = await openQueue(ben, { include_subscribers: 'partial' })
    const own = snapshot.subscriptions.find((one: { stream_id: number }) => one.stream_id === channel.id)
    expect(own.subscribers).toEqual([ann.id, ben.id, shy.id])
    expect(own).not.toHaveProperty('partial_subscribers')
  })
})
