import { describe, expect, it } from 'vitest'
import { buildChannel, buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { openQueue, type TestEvent, type TestQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann, ben, admin, guest } = useRealm({
  ann: 'member',
  ben: 'member',
  admin: 'administrator',
  guest: 'guest',
})
/** The owner of another organization. */
const { owner: stranger } = useRealm()

const kinds = (events: readonly TestEvent[]) =>
  events.map(({ type, op, property }) => [type, op, property].filter(Boolean).join('/'))
const stream = async (user: TestUser, id: number) =>
  expectSuccess(await user.api.get(`/streams/${id}`)).stream
const newest = (events: readonly TestEvent[]) => events.findLast(({ type }) => type === 'message')!.message

async function changed(
  by: TestUser,
  id: number,
  params: Record<string, unknown>,
  queues: readonly TestQueue[],
): Promise<TestEvent[][]> {
  expectSuccess(await by.api.patch(`/streams/${id}`, params as Record<string, string>))
  return Promise.all(queues.map((queue) => queue.events()))
}

describe('a new name', () => {
  it('is sent with the old one to all who see it, with a notice', async () => {
    const { id, name } = await buildChannel([ann, ben])
    const queues = await Promise.all([ben, admin, guest].map((user) => openQueue(user)))
    const [subscriber, outsider, nobody] = await changed(ann, id, { new_name: ' Renamed ' }, queues)
    expect(kinds(subscriber!)).toEqual(['stream/update/name', 'message'])
    expect(subscriber![0]).toMatchObject({ stream_id: id, name, value: 'Renamed' })
    expect(newest(subscriber!)).toMatchObject({ subject: 'channel events', display_recipient: 'Renamed' })
    expect(newest(subscriber!).content).toMatch(
      new RegExp(`Ann</span> renamed channel <strong>${name}</strong> to <strong>Renamed</strong>.`),
    )
    expect(kinds(outsider!)).toEqual(['stream/update/name'])
    expect(nobody).toEqual([])
    expect((await stream(ben, id)).name).toBe('Renamed')
    expect(expectSuccess(await ben.api.get('/get_stream_id', { stream: 'RENAMED' })).stream_id).toBe(id)
    expectSuccess(await ann.api.patch(`/streams/${id}`, { new_name: 'RENAMED' }))
  })

  it('cannot be the present one, another channel’s, or empty', async () => {
    const { id, name } = await buildChannel([ann])
    const rename = (new_name: string) => ann.api.patch(`/streams/${id}`, { new_name })
    expectRefusal(await rename(name), 'Channel already has that name.')
    expectRefusal(await rename('GENERAL'), 'Channel name is already in use.')
    expectRefusal(await rename('  '), "Channel name can't be empty.")
    expectRefusal(await rename('x'.repeat(61)), 'Channel name too long (limit: 60 characters).')
  })
})

describe('a new description', () => {
  it('is sent with its rendered HTML', async () => {
    const { id } = await buildChannel([ann, ben])
    const [events] = await changed(ann, id, { description: 'all about\n*cats*' }, [await openQueue(ben)])
    expect(events![0]).toMatchObject({
      property: 'description',
      value: 'all about *cats*',
      rendered_description: '<p>all about <em>cats</em></p>',
    })
    expect(newest(events!).content).toContain('<strong>New description:</strong>')
    expect(newest(events!).content).toContain('<em>No description.</em>')
    expectRefusal(
      await ann.api.patch(`/streams/${id}`, { description: 'd'.repeat(1025) }),
      'description is too long (limit: 1024 characters)',
    )
  })
})

describe('privacy', () => {
  it('removed shows the channel to those who could not see it', async () => {
    const { id } = await buildChannel([ann], { invite_only: true })
    const queues = await Promise.all([ann, ben, admin, guest].map((user) => openQueue(user)))
    const [own, outsider, administrator, nobody] = await changed(ann, id, { is_private: false }, queues)
    expect(kinds(own!)).toEqual(['stream/update/invite_only', 'message'])
    expect(own![0]).toMatchObject({ value: false, history_public_to_subscribers: true, is_web_public: false })
    expect(newest(own!).content).toContain(
      'from <strong>Private, protected history</strong> to <strong>Public</strong>.',
    )
    expect(kinds(outsider!)).toEqual(['stream/create', 'subscription/peer_add'])
    expect(outsider![0]!.streams[0]).toMatchObject({ stream_id: id, invite_only: false })
    expect(outsider![1]).toMatchObject({ stream_ids: [id], user_ids: [ann.id] })
    expect(kinds(administrator!)).toEqual(['stream/update/invite_only'])
    expect(nobody).toEqual([])
  })

  it('added hides the channel from non-subscribers', async () => {
    const { id } = await buildChannel([ann, ben])
    const other = await buildUser(realm)
    const queues = await Promise.all([ben, other, admin].map((user) => openQueue(user)))
    const [subscriber, outsider, administrator] = await changed(ann, id, { is_private: true }, queues)
    expect(kinds(subscriber!)).toEqual(['stream/update/invite_only', 'message'])
    expect(subscriber![0]).toMatchObject({ value: true, history_public_to_subscribers: false })
    expect(outsider).toMatchObject([{ type: 'stream', op: 'delete', stream_ids: [id] }])
    expect(kinds(administrator!)).toEqual(['stream/update/invite_only'])
    expectRefusal(await other.api.get(`/streams/${id}`), 'Invalid channel ID')
  })

  it('of the history can be changed by itself', async () => {
    const { id } = await buildChannel([ann, ben], { invite_only: true })
    const [events] = await changed(ann, id, { history_public_to_subscribers: true }, [await openQueue(ben)])
    expect(events![0]).toMatchObject({
      property: 'invite_only',
      value: true,
      history_public_to_subscribers: true,
    })
    expect(newest(events!).content).toContain('to <strong>Private, shared history</strong>')
  })

  it.each([
    [{ is_private: true, is_web_public: true }, 'Invalid parameters'],
    [{ history_public_to_subscribers: false }, 'Invalid parameters'],
    [{ is_web_public: true }, 'Web-public channels are not enabled.'],
    [{ is_private: true, is_default_stream: true }, 'A default channel cannot be private.'],
  ])('cannot become %o', async (params, msg) => {
    const { id } = await buildChannel([admin])
    expectRefusal(await admin.api.patch(`/streams/${id}`, params), msg)
  })

  it('cannot be removed by an administrator who is not subscribed', async () => {
    const { id } = await buildChannel([ann], { invite_only: true })
    expectRefusal(
      await admin.api.patch(`/streams/${id}`, { is_private: false }),
      'Channel content access is required.',
    )
    expectRefusal(
      await admin.api.patch(`/streams/${id}`, { can_subscribe_group: { new: 4 } }),
      'Channel content access is required.',
    )
    expectSuccess(await admin.api.patch(`/streams/${id}`, { description: 'known to administrators' }))
  })
})

describe('permissions', () => {
  it('to post are sent in three forms and announced in a notice', async () => {
    const { id, name } = await buildChannel([ann, ben])
    const queue = await openQueue(ben)
    const can_send_message_group = { new: { direct_members: [], direct_subgroups: [3] }, old: 7 }
    const [events] = await changed(admin, id, { can_send_message_group }, [queue])
    expect(kinds(events!)).toEqual([
      'stream/update/can_send_message_group',
      'stream/update/stream_post_policy',
      'stream/update/is_announcement_only',
      'message',
    ])
    expect(events!.slice(0, 3).map(({ value }) => value)).toEqual([3, 2, true])
    expect(newest(events!).content).toContain('posting permissions')
    expectRefusal(
      await ben.api.post('/messages', { type: 'channel', to: name, topic: 'x', content: 'x' }),
      'You do not have permission to post in this channel.',
    )
    expect(await changed(admin, id, { can_send_message_group: { new: 3 } }, [queue])).toEqual([[]])
  })

  it('are checked: the expected old value, allowed groups, and the caller’s right', async () => {
    const { id } = await buildChannel([ann])
    expectRefusal(
      await ann.api.patch(`/streams/${id}`, { can_remove_subscribers_group: { new: 4, old: 5 } }),
      "'old' value does not match the expected value.",
      { code: 'EXPECTATION_MISMATCH' },
    )
    expectRefusal(
      await ann.api.patch(`/streams/${id}`, { can_subscribe_group: { new: 7 } }),
      "'can_subscribe_group' setting cannot be set to 'role:everyone' group.",
    )
    expectRefusal(
      await ann.api.patch(`/streams/${id}`, { can_delete_any_message_group: { new: 4 } }),
      'Insufficient permission',
    )
  })

  it('to subscribe show a private channel to the new holders', async () => {
    const { id } = await buildChannel([ann], { invite_only: true })
    const queues = await Promise.all([ben, admin].map((user) => openQueue(user)))
    const can_subscribe_group = { new: { direct_members: [ben.id, guest.id], direct_subgroups: [] } }
    const [gaining, administrator] = await changed(ann, id, { can_subscribe_group }, queues)
    expect(kinds(gaining!)).toEqual(['stream/create', 'subscription/peer_add'])
    expect(kinds(administrator!)).toEqual(['stream/update/can_subscribe_group'])
    const { name } = await stream(ben, id)
    expectSuccess(await ben.api.post('/users/me/subscriptions', { subscriptions: [{ name }] }))
  })
})

describe('other settings', () => {
  it('default: administrators only; the event has the whole list', async () => {
    const { id } = await buildChannel([ann])
    expectRefusal(
      await ann.api.patch(`/streams/${id}`, { is_default_stream: true }),
      'You do not have permission to change default channels.',
    )
    const queues = [await openQueue(ben)]
    const [[event]] = (await changed(admin, id, { is_default_stream: true }, queues)) as [TestEvent[]]
    expect(event!.default_streams).toContain(id)
    const [[after]] = (await changed(admin, id, { is_default_stream: false }, queues)) as [TestEvent[]]
    expect(after!.default_streams).not.toContain(id)
  })

  it('retention: owners only', async () => {
    const { id } = await buildChannel([ann, realm.owner])
    expectRefusal(
      await admin.api.patch(`/streams/${id}`, { message_retention_days: 3 }),
      'Must be an organization owner',
      { code: 'UNAUTHORIZED_PRINCIPAL' },
    )
    const [events] = await changed(realm.owner, id, { message_retention_days: 3 }, [await openQueue(ann)])
    expect(events![0]).toMatchObject({ property: 'message_retention_days', value: 3 })
    expect(newest(events!).content).toContain('automatically deleted 3 days after they are sent.')
  })

  it('topics policy: empty-topic-only is refused while other topics exist', async () => {
    const { id } = await buildChannel([ann, ben])
    expectRefusal(
      await ann.api.patch(`/streams/${id}`, { topics_policy: 'empty_topic_only' }),
      'All messages of this channel must be in the general chat topic first.',
    )
    const [events] = await changed(ann, id, { topics_policy: 'disable_empty_topic' }, [await openQueue(ben)])
    expect(events![0]).toMatchObject({ property: 'topics_policy', value: 'disable_empty_topic' })
    expect(newest(events!).content).toContain('<strong>Automatic</strong> to')
  })

  it('change together or not at all', async () => {
    const { id } = await buildChannel([ann])
    const queue = await openQueue(ann)
    expectRefusal(
      await ann.api.patch(`/streams/${id}`, { description: 'new', can_subscribe_group: { new: 99 } }),
      'Invalid user group',
    )
    expectRefusal(await ann.api.patch(`/streams/${id}`, { folder_id: 9 }), 'Invalid channel folder ID')
    expect(await queue.events()).toEqual([])
    expect((await stream(ann, id)).description).toBe('')
  })
})

describe('who may not', () => {
  it('users who do not administer the channel, or do not see it', async () => {
    const { id } = await buildChannel([ann, ben, guest])
    const secret = await buildChannel([ann, ben], { invite_only: true })
    const refusal = 'You do not have permission to administer this channel.'
    for (const user of [ben, guest]) {
      expectRefusal(await user.api.patch(`/streams/${id}`, { description: 'x' }), refusal)
      expectRefusal(await user.api.delete(`/streams/${id}`), refusal)
    }
    const outsider = await buildUser(realm)
    expectSuccess(await ben.api.delete('/users/me/subscriptions', { subscriptions: [secret.name] }))
    for (const { api } of [outsider, ben, guest, stranger]) {
      expectRefusal(await api.patch(`/streams/${secret.id}`, { description: 'x' }), 'Invalid channel ID')
      expectRefusal(await api.delete(`/streams/${secret.id}`), 'Invalid channel ID')
    }
    expectUnauthorized(await realm.anonymous.patch(`/streams/${id}`, { description: 'x' }))
    expectUnauthorized(await realm.anonymous.delete(`/streams/${id}`))
    expect((await stream(ann, id)).description).toBe('')
  })
})
