import { describe, expect, it } from 'vitest'
import { buildChannel, expectSuccess } from '../../support/factories.ts'
import { ALL_CAPABILITIES, openQueue, type TestEvent } from '../../support/queues.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { buildRealm, useRealm } from '../../support/use-realm.ts'

const { ann, ben, admin, realm } = useRealm({ ann: 'member', ben: 'member', admin: 'administrator' })

const kinds = (events: readonly TestEvent[]) =>
  events.map(({ type, op, property }) => [type, op, property].filter(Boolean).join('/'))
const newest = (events: readonly TestEvent[]) => events.findLast(({ type }) => type === 'message')!.message

describe('archiving', () => {
  it('hides the channel from older clients, keeps it for newer ones, and refuses changes', async () => {
    const { id, name } = await buildChannel([ann, ben])
    const sent = await ben.api.post('/messages', { type: 'channel', to: name, topic: 't', content: 'kept' })
    const message = expectSuccess(sent).id
    const { archived_channels: _, ...client_capabilities } = ALL_CAPABILITIES
    const [modern, older] = [await openQueue(ben), await openQueue(ben, { client_capabilities })]
    expectSuccess(await ann.api.delete(`/streams/${id}`))
    const events = await modern.events()
    expect(kinds(events)).toEqual(['stream/update/is_archived', 'message'])
    expect(events[0]).toMatchObject({ value: true, stream_id: id, name })
    expect(newest(events)).toMatchObject({ content: `<p>Channel ${name} has been archived.</p>` })
    expect(events[1]!.flags).toContain('read')
    expect(await older.events()).toMatchObject([{ type: 'stream', op: 'delete', stream_ids: [id] }, {}])
    expectRefusal(await ann.api.delete(`/streams/${id}`), 'Channel is already deactivated')
    expectSuccess(await ben.api.get(`/messages/${message}`))
    expectRefusal(await realm.owner.api.delete(`/messages/${message}`), 'Invalid message(s)')
    expectRefusal(
      await ben.api.post('/messages', { type: 'channel', to: name, topic: 't', content: 'x' }),
      `Not authorized to send to channel '${name}'`,
    )
    const listed = async (params: object) =>
      expectSuccess(await ben.api.get('/streams', params as Record<string, boolean>)).streams.map(
        (one: { stream_id: number }) => one.stream_id,
      )
    expect(await listed({})).not.toContain(id)
    expect(await listed({ exclude_archived: false })).toContain(id)
    expect((await openQueue(ben)).snapshot.subscriptions).toContainEqual(
      expect.objectContaining({ stream_id: id, is_archived: true }),
    )

    expectSuccess(await ann.api.patch(`/streams/${id}`, { is_archived: false }))
    const back = await modern.events()
    expect(kinds(back)).toEqual(['stream/update/is_archived', 'message'])
    expect(newest(back).content).toBe(`<p>Channel ${name} un-archived.</p>`)
    expect(kinds(await older.events())).toEqual(['stream/create', 'subscription/add', 'message'])
    expectRefusal(
      await ann.api.patch(`/streams/${id}`, { is_archived: false }),
      'Channel is not currently deactivated',
    )
  })

  it('takes the channel out of the organization’s settings', async () => {
    const { owner } = await buildRealm()
    const { stream_id: id } = expectSuccess(await owner.api.get('/get_stream_id', { stream: 'general' }))
    const queue = await openQueue(owner)
    expectSuccess(await owner.api.delete(`/streams/${id}`))
    const events = await queue.events()
    expect(kinds(events).slice(0, 4)).toEqual([
      'default_streams',
      'realm/update_dict/default',
      'realm/update_dict/default',
      'stream/update/is_archived',
    ])
    expect(events[1]!.data).toEqual({ new_stream_announcements_stream_id: -1 })
    const { snapshot } = await openQueue(owner)
    expect(snapshot.realm_new_stream_announcements_stream_id).toBe(-1)
    expect(snapshot.realm_default_streams).not.toContain(id)
  })

  it('of a private channel without subscribers cannot be undone', async () => {
    const { id, name } = await buildChannel([ann], { invite_only: true })
    expectSuccess(await ann.api.delete('/users/me/subscriptions', { subscriptions: [name] }))
    expectSuccess(await admin.api.delete(`/streams/${id}`))
    expectRefusal(
      await admin.api.patch(`/streams/${id}`, { is_archived: false }),
      'Channel is private and have no subscribers',
    )
  })
})
