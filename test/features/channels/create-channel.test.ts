import { describe, expect, it } from 'vitest'
import { buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { addChannels } from '../../support/inside.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { buildRealm, useRealm } from '../../support/use-realm.ts'

const { realm, ann, ben, guest } = useRealm({ ann: 'member', ben: 'member', guest: 'guest' })

const create = (user: TestUser, params: Record<string, string | boolean | number[]>) =>
  user.api.post('/channels/create', params)

describe('creating a channel', () => {
  it('subscribes those who are listed, and not the creator otherwise', async () => {
    const [own, other] = await Promise.all([openQueue(ann), openQueue(ben)])
    const answer = await create(ann, {
      name: 'Attic',
      subscribers: [ben.id, guest.id],
      description: '*old* things',
    })
    const { id } = expectSuccess(answer)
    expect((await own.events()).map(({ type, op }) => [type, op])).toEqual([
      ['stream', 'create'],
      ['subscription', 'peer_add'],
    ])
    expect((await other.events()).map(({ type }) => type)).toEqual(['stream', 'subscription', 'message'])
    expect(expectSuccess(await ann.api.get(`/streams/${id}/members`)).subscribers).toEqual([ben.id, guest.id])
    expect(expectSuccess(await ann.api.get(`/streams/${id}`)).stream).toMatchObject({
      name: 'Attic',
      rendered_description: '<p><em>old</em> things</p>',
      creator_id: ann.id,
    })
  })

  it('may leave it without subscribers', async () => {
    const { id } = expectSuccess(await create(ann, { name: 'Void', subscribers: [], invite_only: true }))
    expect(expectSuccess(await ann.api.get(`/streams/${id}/members`)).subscribers).toEqual([])
    expectRefusal(await ben.api.get(`/streams/${id}`), 'Invalid channel ID')
  })

  it('needs a name that is not in use', async () => {
    expectRefusal(
      await create(ann, { name: ' GENERAL ', subscribers: [] }),
      "Channel 'GENERAL' already exists",
      {
        status: 409,
        code: 'CHANNEL_ALREADY_EXISTS',
      },
    )
    expectRefusal(await create(ann, { name: ' ', subscribers: [] }), "Channel name can't be empty.")
    expectRefusal(await create(ann, { name: 'x', subscribers: [4444] }), 'No such user')
    expectRefusal(await create(ann, { subscribers: [] }), "Missing 'name' argument", {
      code: 'REQUEST_VARIABLE_MISSING',
    })
    expectRefusal(
      await create(ann, { name: 'x', subscribers: [], is_default_stream: true }),
      'Insufficient permission',
    )
    expectRefusal(await ann.api.get('/get_stream_id', { stream: 'x' }), "Invalid channel name 'x'")
  })
})

describe('who may not', () => {
  it('guests, callers without an account, and members without the right', async () => {
    expectRefusal(await create(guest, { name: 'mine', subscribers: [] }), 'Not allowed for guest users')
    expectUnauthorized(await realm.anonymous.post('/channels/create', { name: 'mine', subscribers: [] }))
    expectSuccess(await realm.owner.api.patch('/realm', { can_create_private_channel_group: { new: 3 } }))
    expectRefusal(
      await create(ann, { name: 'mine', subscribers: [], invite_only: true }),
      'Insufficient permission',
    )
    expectSuccess(await create(ann, { name: 'ours', subscribers: [] }))
  })
})

describe('default channels', () => {
  it('can be set and unset by administrators repeatedly', async () => {
    const { id } = expectSuccess(await create(ann, { name: 'Porch', subscribers: [] }))
    const queue = await openQueue(ben)
    const { owner } = realm
    expectSuccess(await owner.api.post('/default_streams', { stream_id: id }))
    expectSuccess(await owner.api.post('/default_streams', { stream_id: id }))
    const newMember = await buildUser(realm)
    expect(expectSuccess(await ann.api.get(`/streams/${id}/members`)).subscribers).toEqual([newMember.id])
    expect((await openQueue(ben)).snapshot.realm_default_streams).toContain(id)
    expect((await openQueue(guest)).snapshot.realm_default_streams).toEqual([])
    expectSuccess(await owner.api.delete('/default_streams', { stream_id: id }))
    expectSuccess(await owner.api.delete('/default_streams', { stream_id: id }))
    const events = await queue.eventsOf('default_streams')
    expect(events.map(({ default_streams }) => default_streams.includes(id))).toEqual([true, false])
  })

  it('are at most 500, in whatever way they become default ones', async () => {
    const { realm, owner } = await buildRealm()
    const names = Array.from({ length: 500 }, (_, at) => `default ${at}`)
    await addChannels(realm, names, { isDefault: true })
    const [id] = await addChannels(realm, ['one more'])
    const subscribe = { subscriptions: [{ name: 'new' }], is_default_stream: true }
    for (const attempt of [
      owner.api.post('/default_streams', { stream_id: id! }),
      owner.api.patch(`/streams/${id}`, { is_default_stream: true }),
      create(owner, { name: 'new', subscribers: [], is_default_stream: true }),
      owner.api.post('/users/me/subscriptions', subscribe),
    ]) {
      expectRefusal(await attempt, 'An organization cannot have more than 500 default channels.')
    }
    // There may be more from before, which stay.
    expectSuccess(await owner.api.delete('/default_streams', { stream_id: id! - 1 }))
  })

  it('cannot be private, and others may not choose them', async () => {
    const { id } = expectSuccess(
      await create(realm.owner, { name: 'Cellar', subscribers: [], invite_only: true }),
    )
    expectRefusal(
      await realm.owner.api.post('/default_streams', { stream_id: id }),
      'Private channels cannot be made default.',
    )
    expectRefusal(await realm.owner.api.post('/default_streams', { stream_id: 9999 }), 'Invalid channel ID')
    for (const { api } of [ann, guest]) {
      for (const attempt of [
        api.post('/default_streams', { stream_id: 1 }),
        api.delete('/default_streams', { stream_id: 1 }),
      ]) {
        expectRefusal(await attempt, 'Must be an organization administrator', {
          code: 'UNAUTHORIZED_PRINCIPAL',
        })
      }
    }
    expectUnauthorized(await realm.anonymous.post('/default_streams', { stream_id: 1 }))
    expectUnauthorized(await realm.anonymous.delete('/default_streams', { stream_id: 1 }))
  })
})
