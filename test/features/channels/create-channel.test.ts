import { describe, expect, it } from 'vitest'
import { expectSuccess, type TestUser } from '../../support/factories.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

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
