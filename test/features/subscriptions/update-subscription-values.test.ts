import { describe, expect, it } from 'vitest'
import { expectSuccess } from '../../support/factories.ts'
import { openQueue } from '../../support/queues.ts'
import { useRealm } from '../../support/use-realm.ts'

const { ann, ben, channel } = useRealm({ ann: 'member', ben: 'member' }, { channels: { channel: ['ann'] } })

function change(data: readonly unknown[], user = ann) {
  return user.api.post('/users/me/subscriptions/properties', { subscription_data: data })
}

async function subscription() {
  const { subscriptions } = expectSuccess(await ann.api.get('/users/me/subscriptions'))
  return subscriptions.find((one: { stream_id: number }) => one.stream_id === channel.id)
}

describe('a setting of a subscription', () => {
  it.each([
    'pin_to_top',
    'desktop_notifications',
    'audible_notifications',
    'push_notifications',
    'email_notifications',
    'wildcard_mentions_notify',
  ])('%s is a boolean, in an event for the user’s clients alone', async (property) => {
    const [own, other] = [await openQueue(ann), await openQueue(ben)]
    expect(expectSuccess(await change([{ stream_id: channel.id, property, value: true }]))).toEqual({
      result: 'success',
      msg: '',
    })
    expect(await own.eventsOf('subscription')).toMatchObject([
      { op: 'update', stream_id: channel.id, property, value: true },
    ])
    expect(await other.events()).toEqual([])
    expect((await subscription())[property]).toBe(true)
  })

  it('is set in the order of the request', async () => {
    const queue = await openQueue(ann)
    expectSuccess(
      await change([
        { stream_id: channel.id, property: 'pin_to_top', value: true },
        { stream_id: channel.id, property: 'pin_to_top', value: false },
      ]),
    )
    expect((await queue.eventsOf('subscription', 'update')).map(({ value }) => value)).toEqual([true, false])
  })

  it.each([
    ['#ABCDEF', '#abcdef'],
    ['#1aF', '#11aaff'],
    ['#1234', null],
    ['#12345', null],
    ['red', null],
  ])('that is the colour %s is stored as %s', async (value, stored) => {
    const { id } = channel
    const data = [{ stream_id: id, property: 'color', value }]
    const answer = await ann.api.post('/users/me/subscriptions/properties', { subscription_data: data })
    if (stored === null) expect([answer.status, answer.body.code]).toEqual([400, 'BAD_REQUEST'])
    else expect(await subscription()).toMatchObject({ color: stored })
  })
})
