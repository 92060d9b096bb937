import { expect, it } from 'vitest'
import { runAlarms } from '../support/alarms.ts'
import { expectSuccess } from '../support/factories.ts'
import { CHANGES_OF_COMMIT } from '../support/limits.ts'
import { openQueue } from '../support/queues.ts'
import { buildRealm } from '../support/use-realm.ts'

const MORE = 30
const COUNT = CHANGES_OF_COMMIT + MORE

it('permissions of channels that name a reopened account are announced some at a time', async () => {
  const { realm, owner, ann, ben } = await buildRealm({ ann: 'member', ben: 'member' })
  const subscriptions = Array.from({ length: COUNT }, (_, at) => ({ name: `made by Ann ${at}` }))
  // One request makes 200 at most.
  for (const part of [subscriptions.slice(0, 200), subscriptions.slice(200)]) {
    expectSuccess(await ann.api.post('/users/me/subscriptions', { subscriptions: part }))
  }
  expectSuccess(await owner.api.delete(`/users/${ann.id}`))
  const queue = await openQueue(ben, { event_types: ['stream'], fetch_event_types: [] })
  const named = async () =>
    (await queue.eventsOf('stream', 'update'))
      .filter(({ property }) => property === 'can_administer_channel_group')
      .map(({ stream_id, value }) => {
        expect(value).toMatchObject({ direct_members: [ann.id] })
        return stream_id as number
      })
  expectSuccess(await owner.api.post(`/users/${ann.id}/reactivate`))
  const first = await named()
  expect(first).toHaveLength(CHANGES_OF_COMMIT)
  await runAlarms(realm, 2, 2)
  const later = await named()
  const { streams } = expectSuccess(await owner.api.get('/streams', { include_all: true }))
  const made = streams
    .filter(({ name }: { name: string }) => name.startsWith('made by Ann'))
    .map(({ stream_id }: { stream_id: number }) => stream_id)
  const all = later.length === COUNT ? later : [...first, ...later]
  expect(all.toSorted((one, other) => one - other)).toEqual(
    made.toSorted((one: number, other: number) => one - other),
  )
})
