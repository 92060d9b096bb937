import { describe, expect, it } from 'vitest'
import { buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { addChannels } from '../../support/inside.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { buildRealm, useRealm } from '../../support/use-realm.ts'

const { realm, ann, ben, guest } = useRealm({ ann: 'member', ben: 'member', guest: 'guest' })

const create = (user: TestUser, params: Record<string, string | boolean | number[]>) =>
  user.api.post('/channels/create', params)

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
