import { describe, expect, it } from 'vitest'
import { countRows } from '../../support/counted-rows.ts'
import { buildChannel, expectSuccess, type TestUser } from '../../support/factories.ts'
import { CHANGES_OF_COMMIT } from '../../support/limits.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

const PATH = '/users/me/subscriptions/properties'

const { realm, ann, guest, room } = useRealm(
  { ann: 'member', guest: 'guest' },
  { channels: { room: ['ann', 'guest'] } },
)

const change = (property: string, value: unknown, stream_id = room.id) => ({ stream_id, property, value })
const here = (property: string, value: unknown) => () => change(property, value)

async function ownSubscription(user: TestUser, id = room.id) {
  const { subscriptions } = expectSuccess(await user.api.get('/users/me/subscriptions'))
  return subscriptions.find((one: { stream_id: number }) => one.stream_id === id)
}

describe('personal settings of a channel', () => {
  it('are sent to one’s own clients and nobody else’s', async () => {
    const [own, other] = await Promise.all([openQueue(ann), openQueue(realm.owner)])
    const subscription_data = [
      change('color', '#F0a'),
      change('pin_to_top', true),
      change('push_notifications', false),
    ]
    expectSuccess(await ann.api.post(PATH, { subscription_data }))
    expect(await own.events()).toMatchObject([
      { type: 'subscription', op: 'update', property: 'color', value: '#ff00aa', stream_id: room.id },
      { op: 'update', property: 'pin_to_top', value: true },
      { op: 'update', property: 'push_notifications', value: false },
    ])
    expect(await other.events()).toEqual([])
    expect(await ownSubscription(ann)).toMatchObject({
      color: '#ff00aa',
      pin_to_top: true,
      push_notifications: false,
      email_notifications: null,
    })
    expect(await ownSubscription(guest)).toMatchObject({ pin_to_top: false })
  })

  it.each([
    ['is_muted', true, true],
    ['in_home_view', true, false],
  ])('%s emits two events', async (property, value, muted) => {
    const queue = await openQueue(guest)
    expectSuccess(await guest.api.post(PATH, { subscription_data: [change(property, value)] }))
    expect(await queue.events()).toMatchObject([
      { property: 'in_home_view', value: !muted },
      { property: 'is_muted', value: muted },
    ])
    expect(await ownSubscription(guest)).toMatchObject({ is_muted: muted, in_home_view: !muted })
  })

  it('can be changed one at a time, too', async () => {
    const path = `/users/me/subscriptions/${room.id}`
    expectSuccess(await ann.api.patch(path, { property: 'color', value: '#123456' }))
    expectSuccess(await ann.api.patch(path, { property: 'color', value: '"#abcdef"' }))
    expectSuccess(await ann.api.patch(path, { property: 'audible_notifications', value: true }))
    expect(await ownSubscription(ann)).toMatchObject({ color: '#abcdef', audible_notifications: true })
    expectRefusal(
      await ann.api.patch(path, { property: 'size', value: true }),
      'Unknown subscription property: size',
    )
  })
})

describe('an invalid change', () => {
  it.each([
    [[here('pin_to_top', true), here('size', 3)], 'Unknown subscription property: size'],
    [[here('pin_to_top', 'yes')], 'pin_to_top is not a boolean'],
    [[here('pin_to_top', null)], 'pin_to_top is not a boolean'],
    [
      [here('color', '#12345')],
      'Invalid subscription_data[0]: Value error, color is not a valid hex color code',
    ],
    [
      [here('color', false)],
      'Invalid subscription_data[0]: Value error, color is not a valid hex color code',
    ],
    [
      [() => ({ stream_id: 1, property: 'color' })],
      'subscription_data[0]["value"] field is missing: Field required',
    ],
    [
      [() => ({ stream_id: 'one', property: 'color', value: '#fff' })],
      'subscription_data[0]["stream_id"] is not an integer',
    ],
  ])('makes the whole request fail: %#', async (changes: readonly (() => object)[], msg) => {
    const subscription_data = changes.map((make) => make())
    const queue = await openQueue(ann)
    expectRefusal(await ann.api.post(PATH, { subscription_data }), msg)
    expect(await queue.events()).toEqual([])
  })

  it('of a channel without subscription stops those after it', async () => {
    const other = await buildChannel([realm.owner])
    const secret = await buildChannel([realm.owner], { invite_only: true })
    const changes = (stream_id: number) => [
      change('email_notifications', true),
      change('pin_to_top', true, stream_id),
      change('desktop_notifications', true),
    ]
    const attempt = (id: number) => ann.api.post(PATH, { subscription_data: changes(id) })
    expectRefusal(await attempt(other.id), `Not subscribed to channel ID ${other.id}`)
    expectRefusal(await attempt(secret.id), 'Invalid channel ID')
    expectRefusal(await attempt(9999), 'Invalid channel ID')
    expect(await ownSubscription(ann)).toMatchObject({
      email_notifications: true,
      desktop_notifications: null,
    })
  })
})

describe('who may not', () => {
  it('former subscribers, and callers without credentials', async () => {
    const left = await buildChannel([realm.owner, ann])
    expectSuccess(await ann.api.delete('/users/me/subscriptions', { subscriptions: [left.name] }))
    const subscription_data = [change('pin_to_top', true, left.id)]
    expectRefusal(await ann.api.post(PATH, { subscription_data }), `Not subscribed to channel ID ${left.id}`)
    expectUnauthorized(await realm.anonymous.post(PATH, { subscription_data }))
    expectUnauthorized(
      await realm.anonymous.patch(`/users/me/subscriptions/${left.id}`, { property: 'color', value: '#fff' }),
    )
  })
})

describe('changes of more settings than one commit takes', () => {
  const MANY = 2 * CHANGES_OF_COMMIT + 50
  const colorOf = (at: number) => `#${(at + 1).toString(16).padStart(6, '0')}`
  const all = () => Array.from({ length: MANY }, (_, at) => change('color', colorOf(at)))

  it('are made one after the other, each with its event', async () => {
    const queue = await openQueue(ann, { event_types: ['subscription'] })
    expectSuccess(await ann.api.post(PATH, { subscription_data: all() }))
    const colors: unknown[] = []
    for (;;) {
      const events = await queue.events()
      if (events.length === 0) break
      colors.push(...events.map(({ value }) => value))
    }
    expect(colors).toEqual(Array.from({ length: MANY }, (_, at) => colorOf(at)))
  })

  it('are made without reading channel and subscription for each', async () => {
    const subscription_data = all().slice(0, CHANGES_OF_COMMIT)
    const { object } = await countRows(ann.api, 'POST', PATH, { subscription_data })
    // The row that changes, and one of the log that is overwritten.
    const OF_EACH = 2
    expect(object.read).toBeLessThan((OF_EACH + 1) * CHANGES_OF_COMMIT)
  })

  it('stop at a refusal, and the changes before it stay', async () => {
    const refused = CHANGES_OF_COMMIT + 20
    const subscription_data = all().toSpliced(refused, 0, change('color', '#ffffff', 999_999))
    expectRefusal(await ann.api.post(PATH, { subscription_data }), 'Invalid channel ID')
    expect(await ownSubscription(ann)).toMatchObject({ color: colorOf(refused - 1) })
  })
})
