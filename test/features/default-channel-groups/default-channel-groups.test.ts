import { describe, expect, it } from 'vitest'
import { buildChannel, expectSuccess, type TestUser } from '../../support/factories.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

const PATH = '/default_stream_groups'

const { realm, ann, guest } = useRealm({ ann: 'member', guest: 'guest' })

const groups = async (user: TestUser) =>
  (await openQueue(user, { fetch_event_types: ['default_stream_groups'] })).snapshot
    .realm_default_stream_groups

async function makeGroup(group_name: string, stream_names: string[]): Promise<number> {
  const params = { group_name, description: 'for them', stream_names }
  expectSuccess(await realm.owner.api.post('/default_stream_groups/create', params))
  return (await groups(ann)).find(({ name }: { name: string }) => name === group_name).id
}

describe('a group of default channels', () => {
  it('can be created, changed and removed; all but guests get the list', async () => {
    const [one, two] = [await buildChannel([ann]), await buildChannel([ann])]
    const [queue, guestQueue] = await Promise.all([openQueue(ann), openQueue(guest)])
    const id = await makeGroup('designers', [one.name])
    const group = { id, name: 'designers', description: 'for them', streams: [one.id] }
    expect(await queue.events()).toMatchObject([
      { type: 'default_stream_groups', default_stream_groups: [group] },
    ])
    expect(await groups(guest)).toEqual([])
    const { api } = realm.owner
    expectSuccess(await api.patch(`${PATH}/${id}`, { new_group_name: 'painters', new_description: '' }))
    expectSuccess(await api.patch(`${PATH}/${id}/streams`, { op: 'add', stream_names: [two.name] }))
    expectSuccess(await api.patch(`${PATH}/${id}/streams`, { op: 'remove', stream_names: [one.name] }))
    expect((await queue.events()).at(-1)!.default_stream_groups).toEqual([
      { id, name: 'painters', description: '', streams: [two.id] },
    ])
    expectSuccess(await ann.api.delete(`/streams/${two.id}`))
    expect((await queue.eventsOf('default_stream_groups'))[0]!.default_stream_groups[0].streams).toEqual([])
    expectSuccess(await api.delete(`${PATH}/${id}`))
    expect(await groups(ann)).toEqual([])
    expect(await guestQueue.events()).toEqual([])
  })

  it('may hold only public channels that are not default, each once', async () => {
    const room = await buildChannel([ann])
    const secret = await buildChannel([realm.owner], { invite_only: true })
    const id = await makeGroup('writers', [room.name])
    const add = (name: string, op = 'add') =>
      realm.owner.api.patch(`${PATH}/${id}/streams`, { op, stream_names: [name] })
    expectRefusal(await add('general'), "'general' is a default channel and cannot be added to 'writers'")
    expectRefusal(await add(secret.name), 'Private channels cannot be made default.')
    expectRefusal(
      await add(room.name),
      `Channel '${room.name}' is already present in default channel group 'writers'`,
    )
    expectRefusal(
      await add('sandbox', 'remove'),
      "Channel 'sandbox' is not present in default channel group 'writers'",
    )
    expectRefusal(await add('nowhere'), "Invalid channel name 'nowhere'")
    expectRefusal(await add(room.name, 'keep'), 'Invalid value for "op". Specify one of "add" or "remove".')
    const create = (group_name: string) =>
      realm.owner.api.post('/default_stream_groups/create', { group_name, description: '', stream_names: [] })
    expectRefusal(await create('writers'), "Default channel group 'writers' already exists")
    expectRefusal(await create(' '), "Invalid default channel group name ''")
    expectRefusal(
      await realm.owner.api.patch(`${PATH}/${id}`, {}),
      'You must pass "new_description" or "new_group_name".',
    )
    expectRefusal(
      await realm.owner.api.delete(`${PATH}/999`),
      "Default channel group with id '999' does not exist.",
    )
  })

  it('is managed by administrators alone', async () => {
    const params = { group_name: 'x', description: '', stream_names: [] }
    for (const { api } of [ann, guest]) {
      for (const attempt of [
        api.post('/default_stream_groups/create', params),
        api.patch(`${PATH}/1`, { new_group_name: 'x' }),
        api.patch(`${PATH}/1/streams`, { op: 'add', stream_names: [] }),
        api.delete(`${PATH}/1`),
      ]) {
        expectRefusal(await attempt, 'Must be an organization administrator', {
          code: 'UNAUTHORIZED_PRINCIPAL',
        })
      }
    }
    expectUnauthorized(await realm.anonymous.post('/default_stream_groups/create', params))
    expectUnauthorized(await realm.anonymous.delete(`${PATH}/1`))
  })
})
