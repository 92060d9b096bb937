import { describe, expect, it } from 'vitest'
import { countRows } from '../../support/counted-rows.ts'
import { buildChannel, expectSuccess, type TestUser } from '../../support/factories.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann, guest } = useRealm({ ann: 'member', guest: 'guest' })
let names = 0

async function makeFolder(name = `folder ${++names}`): Promise<number> {
  const answer = await realm.owner.api.post('/channel_folders/create', { name, description: '' })
  return expectSuccess(answer).channel_folder_id
}

const list = async (user: TestUser, include_archived = false) =>
  expectSuccess(await user.api.get('/channel_folders', { include_archived })).channel_folders

describe('a new folder', () => {
  it('is placed last and sent to everybody', async () => {
    const before = await makeFolder()
    const queues = await Promise.all([ann, guest].map((user) => openQueue(user)))
    const answer = await realm.owner.api.post('/channel_folders/create', {
      name: ' Garden ',
      description: 'for *plants*',
    })
    const id = expectSuccess(answer).channel_folder_id
    const folder = {
      id,
      name: 'Garden',
      description: 'for *plants*',
      rendered_description: '<p>for <em>plants</em></p>',
      creator_id: realm.owner.id,
      is_archived: false,
    }
    for (const queue of queues) {
      expect(await queue.events()).toMatchObject([
        { type: 'channel_folder', op: 'add', channel_folder: folder },
      ])
    }
    const folders = await list(guest)
    expect(folders.slice(-2)).toMatchObject([{ id: before }, folder])
    expect((await openQueue(ann)).snapshot.channel_folders).toEqual(await list(ann, true))
  })

  it('needs a name that no other folder has', async () => {
    await makeFolder('Kitchen')
    const create = (name: string, description = '') =>
      realm.owner.api.post('/channel_folders/create', { name, description })
    expectRefusal(await create('KITCHEN'), "Channel folder 'KITCHEN' already exists")
    expectRefusal(await create(' '), "Channel folder name can't be empty.")
    expectRefusal(await create('a\tb'), 'Invalid character in channel folder name, at position 2.')
    expectRefusal(await create('x'.repeat(61)), 'name is too long (limit: 60 characters)')
    expectRefusal(await create('x', 'd'.repeat(1025)), 'description is too long (limit: 1024 characters)')
  })
})

describe('changing folders', () => {
  it('emits one event for each changed property, and none for others', async () => {
    const id = await makeFolder()
    const queue = await openQueue(ann)
    const params = { name: 'Cellar', description: 'cool', is_archived: true }
    expectSuccess(await realm.owner.api.patch(`/channel_folders/${id}`, params))
    expect(await queue.events()).toMatchObject([
      { op: 'update', channel_folder_id: id, data: { name: 'Cellar' } },
      { op: 'update', data: { description: 'cool', rendered_description: '<p>cool</p>' } },
      { op: 'update', data: { is_archived: true } },
    ])
    expectSuccess(await realm.owner.api.patch(`/channel_folders/${id}`, params))
    expect(await queue.events()).toEqual([])
    expect(await list(ann)).not.toContainEqual(expect.objectContaining({ id }))
    expect(await list(ann, true)).toContainEqual(expect.objectContaining({ id, name: 'Cellar' }))
    expectRefusal(
      await realm.owner.api.patch('/channel_folders/999', { name: 'x' }),
      'Invalid channel folder ID',
    )
  })

  it('into another order writes only the folders that move', async () => {
    for (let made = 0; made < 6; made += 1) await makeFolder()
    const ids = (await list(ann, true)).map(({ id }: { id: number }) => id)
    const order = [ids[1]!, ids[0]!, ...ids.slice(2)]
    const { object } = await countRows(realm.owner.api, 'PATCH', '/channel_folders', { order })
    expect((await list(ann, true)).map(({ id }: { id: number }) => id)).toEqual(order)
    const same = await countRows(realm.owner.api, 'PATCH', '/channel_folders', { order })
    expect(object.written - same.object.written).toBe(2)
  })

  it('into another order requires every folder’s id', async () => {
    await makeFolder()
    const ids = (await list(ann, true)).map(({ id }: { id: number }) => id)
    const order = [...ids].reverse()
    const queue = await openQueue(guest)
    expectSuccess(await realm.owner.api.patch('/channel_folders', { order }))
    expect(await queue.events()).toMatchObject([{ type: 'channel_folder', op: 'reorder', order }])
    expect((await list(ann, true)).map(({ id }: { id: number }) => id)).toEqual(order)
    for (const wrong of [order.slice(1), [...order, 999], [...order.slice(1), order[1]!]]) {
      expectRefusal(
        await realm.owner.api.patch('/channel_folders', { order: wrong }),
        'Invalid order mapping.',
      )
    }
  })
})

describe('a channel in a folder', () => {
  it('is added at creation or later, and prevents archiving the folder', async () => {
    const id = await makeFolder()
    const room = await buildChannel([ann], { folder_id: id })
    expect(expectSuccess(await ann.api.get(`/streams/${room.id}`)).stream.folder_id).toBe(id)
    expectRefusal(
      await realm.owner.api.patch(`/channel_folders/${id}`, { is_archived: true }),
      'You need to remove all the channels from this folder to archive it.',
    )
    const queue = await openQueue(ann)
    expectSuccess(await ann.api.patch(`/streams/${room.id}`, { folder_id: null }))
    expect(await queue.events()).toMatchObject([
      { type: 'stream', op: 'update', property: 'folder_id', value: null, stream_id: room.id },
    ])
    expectSuccess(await realm.owner.api.patch(`/channel_folders/${id}`, { is_archived: true }))
    expectRefusal(await ann.api.patch(`/streams/${room.id}`, { folder_id: id }), 'Invalid channel folder ID')
  })
})

describe('who may not', () => {
  it('anyone but administrators, for any change', async () => {
    const id = await makeFolder()
    const refusal = ['Must be an organization administrator', { code: 'UNAUTHORIZED_PRINCIPAL' }] as const
    for (const { api } of [ann, guest]) {
      expectRefusal(await api.post('/channel_folders/create', { name: 'x', description: '' }), ...refusal)
      expectRefusal(await api.patch(`/channel_folders/${id}`, { name: 'x' }), ...refusal)
      expectRefusal(await api.patch('/channel_folders', { order: [id] }), ...refusal)
    }
    expectUnauthorized(await realm.anonymous.get('/channel_folders'))
    expectUnauthorized(await realm.anonymous.patch(`/channel_folders/${id}`, { name: 'x' }))
  })
})
