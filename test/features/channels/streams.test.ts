import { beforeAll, describe, expect, it } from 'vitest'
import { buildChannel, buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann, ben, admin, guest, open, secret, left } = useRealm(
  { ann: 'member', ben: 'member', admin: 'administrator', guest: 'guest' },
  {
    channels: {
      open: ['ann', 'guest'],
      secret: { subscribers: ['ann'], invite_only: true },
      left: { subscribers: ['ann', 'ben'], invite_only: true },
    },
  },
)
/** The owner of another organization. */
const { owner: stranger } = useRealm()

beforeAll(async () => {
  expectSuccess(await ben.api.delete('/users/me/subscriptions', { subscriptions: ['left'] }))
})

async function names(user: TestUser, params: Record<string, boolean> = {}): Promise<string[]> {
  const { streams } = expectSuccess(await user.api.get('/streams', params))
  return streams.map(({ name }: { name: string }) => name)
}

describe('the list of channels', () => {
  it('holds public ones and one’s own, by name', async () => {
    expect(await names(ann)).toEqual(['general', 'left', 'open', 'Parley', 'sandbox', 'secret'])
    expect(await names(ben)).toEqual(['general', 'open', 'Parley', 'sandbox'])
    expect(await names(admin)).toEqual(['general', 'open', 'Parley', 'sandbox'])
  })

  it('can be narrowed and widened by parameters', async () => {
    expect(await names(ann, { include_public: false })).toContain('secret')
    expect(await names(ben, { include_public: false, include_subscribed: false })).toEqual([])
    const all = ['general', 'left', 'open', 'Parley', 'sandbox', 'secret']
    expect(await names(admin, { include_all: true })).toEqual(all)
    expect(await names(ben, { include_all: true })).toEqual(['general', 'open', 'Parley', 'sandbox'])
    expect(await names(admin, { include_can_access_content: true })).not.toContain('secret')
    const { streams } = expectSuccess(
      await ben.api.get('/streams', {
        include_public: false,
        include_subscribed: false,
        include_default: true,
      }),
    )
    expect(streams.map((one: { name: string; is_default: boolean }) => [one.name, one.is_default])).toEqual([
      ['general', true],
      ['Parley', true],
      ['sandbox', true],
    ])
  })

  it('shows a guest only the guest’s own channels', async () => {
    const everything = { include_public: true, include_all: true }
    const joinedAtFirst = ['general', 'Parley', 'sandbox']
    expect(await names(guest, everything)).toEqual(['general', 'open', 'Parley', 'sandbox'])
    const outsider = await buildUser(realm, { role: 600 })
    expect(await names(outsider, everything)).toEqual(joinedAtFirst)
    expectSuccess(await outsider.api.delete('/users/me/subscriptions', { subscriptions: joinedAtFirst }))
    expect(await names(outsider, everything)).toEqual([])
  })

  it('needs an account', async () => {
    expectUnauthorized(await realm.anonymous.get('/streams'))
  })
})

describe('one channel, its id, its subscribers and its topics', () => {
  it('are returned to everybody who sees the channel', async () => {
    const { stream } = expectSuccess(await ben.api.get(`/streams/${open.id}`))
    expect(stream).toMatchObject({ name: 'open', subscriber_count: 2, is_recently_active: true })
    expect(stream).not.toHaveProperty('color')
    expect(expectSuccess(await admin.api.get(`/streams/${secret.id}/members`)).subscribers).toEqual([ann.id])
    const status = (of: TestUser) => ben.api.get(`/users/${of.id}/subscriptions/${open.id}`)
    expect(expectSuccess(await status(guest)).is_subscribed).toBe(true)
    expect(expectSuccess(await status(ben)).is_subscribed).toBe(false)
    expectRefusal(await ben.api.get(`/users/9999/subscriptions/${open.id}`), 'No such user')
  })

  it('leave deactivated users out', async () => {
    const gone = await buildUser(realm)
    const channel = await buildChannel([ann, gone])
    expectSuccess(await realm.owner.api.delete(`/users/${gone.id}`))
    expect(expectSuccess(await ann.api.get(`/streams/${channel.id}/members`)).subscribers).toEqual([ann.id])
    expect(expectSuccess(await ann.api.get(`/streams/${channel.id}`)).stream.subscriber_count).toBe(1)
  })

  it('are refused to everybody else as for a missing channel', async () => {
    const hidden: [TestUser, number][] = [
      [ben, secret.id],
      [ben, left.id],
      [guest, secret.id],
      [stranger, open.id],
      [ann, 9999],
    ]
    for (const [{ api, id: userId }, id] of hidden) {
      expectRefusal(await api.get(`/streams/${id}`), 'Invalid channel ID')
      expectRefusal(await api.get(`/streams/${id}/members`), 'Invalid channel ID')
      expectRefusal(await api.get(`/users/me/${id}/topics`), 'Invalid channel ID')
      expectRefusal(await api.get(`/users/${userId}/subscriptions/${id}`), 'Invalid channel ID')
    }
    expectRefusal(await ben.api.get('/get_stream_id', { stream: 'secret' }), "Invalid channel name 'secret'")
    for (const path of ['', '/members'])
      expectUnauthorized(await realm.anonymous.get(`/streams/${open.id}${path}`))
    expectUnauthorized(await realm.anonymous.get(`/users/me/${open.id}/topics`))
  })
})

describe('topics', () => {
  it('are ordered by their newest message, and named as it spells them', async () => {
    const room = await buildChannel([ann, ben])
    const send = async (from: TestUser, topic: string) =>
      expectSuccess(await from.api.post('/messages', { type: 'channel', to: room.name, topic, content: 'x' }))
        .id
    await send(ann, 'First')
    const empty = await send(ann, '')
    const first = await send(ben, 'FIRST')
    const list = async (params = {}) =>
      expectSuccess(await admin.api.get(`/users/me/${room.id}/topics`, params)).topics
    expect((await list()).slice(0, 2)).toEqual([
      { name: 'FIRST', max_id: first },
      { name: 'general chat', max_id: empty },
    ])
    expect((await list({ allow_empty_topic_name: true }))[1]).toEqual({ name: '', max_id: empty })
  })

  it('of a protected history are those with messages one received', async () => {
    const room = await buildChannel([ann], { invite_only: true })
    const send = (topic: string) =>
      ann.api.post('/messages', { type: 'channel', to: room.name, topic, content: 'x' })
    await send('before')
    await ann.api.post('/users/me/subscriptions', {
      subscriptions: [{ name: room.name }],
      principals: [ben.id],
    })
    expect(expectSuccess(await ben.api.get(`/users/me/${room.id}/topics`)).topics).toEqual([])
    const { id } = expectSuccess(await send('after'))
    expect(expectSuccess(await ben.api.get(`/users/me/${room.id}/topics`)).topics).toEqual([
      { name: 'after', max_id: id },
    ])
    expectRefusal(await admin.api.get(`/users/me/${room.id}/topics`), 'Invalid channel ID')
  })

  it('of an archived channel stay readable', async () => {
    const room = await buildChannel([ann])
    expectSuccess(await ann.api.delete(`/streams/${room.id}`))
    expect(expectSuccess(await ben.api.get(`/streams/${room.id}`)).stream).toMatchObject({
      is_archived: true,
    })
    expect(expectSuccess(await ben.api.get(`/users/me/${room.id}/topics`)).topics).toMatchObject([
      { name: 'channel events' },
    ])
  })
})
