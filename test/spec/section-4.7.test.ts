import { describe, expect, it } from 'vitest'
import { expectSuccess } from '../support/factories.ts'
import { openQueue } from '../support/queues.ts'
import { useRealm } from '../support/use-realm.ts'

const { ann, ben, channel } = useRealm({ ann: 'member', ben: 'member' }, { channels: { channel: ['ann'] } })

function change(data: readonly unknown[], user = ann) {
  return user.api.post('/users/me/subscriptions/properties', { subscription_data: data })
}

async function subscription() {
  const { subscriptions } = expectSuccess(await ann.api.get('/users/me/subscriptions'))
  return subscriptions.find((one: { stream_id: number }) => one.stream_id === channel.id)
}

describe('4.7 Update subscription settings', () => {
  it.each([
    'pin_to_top',
    'desktop_notifications',
    'audible_notifications',
    'push_notifications',
    'email_notifications',
    'wildcard_mentions_notify',
  ])('%s is a boolean; only the user’s clients get the event', async (property) => {
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

  it.each([
    ['#A1B2C3', '#a1b2c3'],
    ['#abc', '#aabbcc'],
  ])('color: %s is kept as %s', async (given, kept) => {
    expectSuccess(await change([{ stream_id: channel.id, property: 'color', value: given }]))
    expect((await subscription()).color).toBe(kept)
  })

  it.each([
    ['is_muted', true],
    ['in_home_view', false],
  ])('%s: two events, the legacy inverse first', async (property, value) => {
    expectSuccess(await change([{ stream_id: channel.id, property: 'is_muted', value: false }]))
    const queue = await openQueue(ann)
    expectSuccess(await change([{ stream_id: channel.id, property, value }]))
    expect(
      (await queue.eventsOf('subscription', 'update')).map((event) => [event.property, event.value]),
    ).toEqual([
      ['in_home_view', false],
      ['is_muted', true],
    ])
    expect(await subscription()).toMatchObject({ is_muted: true, in_home_view: false })
  })

  it('several objects are applied in their order', async () => {
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
    [{ property: 'nonsense', value: true }, 'Unknown subscription property: nonsense'],
    [{ property: 'pin_to_top', value: 'yes' }, 'pin_to_top is not a boolean'],
    [{ property: 'pin_to_top', value: null }, 'pin_to_top is not a boolean'],
    [
      { property: 'color', value: 'red' },
      'Invalid subscription_data[0]: Value error, color is not a valid hex color code',
    ],
    [{ property: 'pin_to_top' }, 'subscription_data[0]["value"] field is missing: Field required'],
  ])('%j is refused', async (item, msg) => {
    const { status, body } = await change([{ stream_id: channel.id, ...item }])
    expect([status, body.code, body.msg]).toEqual([400, 'BAD_REQUEST', msg])
  })

  it('a channel one is not subscribed to, and one that is not there', async () => {
    expect(
      (await change([{ stream_id: channel.id, property: 'pin_to_top', value: true }], ben)).body.msg,
    ).toBe(`Not subscribed to channel ID ${channel.id}`)
    expect((await change([{ stream_id: 987_654, property: 'pin_to_top', value: true }])).body.msg).toBe(
      'Invalid channel ID',
    )
  })

  it('parameters that are not known are named', async () => {
    const { body } = await ann.api.post('/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id: channel.id, property: 'pin_to_top', value: true }],
      other: 1,
    })
    expect(body.ignored_parameters_unsupported).toEqual(['other'])
  })
})
