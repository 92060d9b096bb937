import { describe, expect, it } from 'vitest'
import { atLevel, expectSuccess } from '../../support/factories.ts'
import { sendTo } from '../../support/messages.ts'
import { ALL_CAPABILITIES, openQueue, type TestQueue } from '../../support/queues.ts'
import { useRealm } from '../../support/use-realm.ts'

const { user_settings_object: _, ...BEFORE_LEVEL_89 } = ALL_CAPABILITIES

const { realm, ann, ben, channel } = useRealm(
  { ann: 'member', ben: 'member' },
  { channels: { channel: ['owner', 'ann', 'ben'] } },
)

async function namesOf(queue: TestQueue): Promise<string[]> {
  return (await queue.events()).map(({ type, op }) => (op === undefined ? type : `${type}/${op}`))
}

describe('the types of events', () => {
  it('of old settings are sent if named, below level 439 also if none were', async () => {
    const client_capabilities = BEFORE_LEVEL_89
    const old = atLevel(ben, 438)
    const event_types = ['update_display_settings']
    const queues = [
      await openQueue(ben, { client_capabilities }),
      await openQueue(ben, { client_capabilities, event_types }),
      await openQueue(ben, { event_types }),
      await openQueue(old, { client_capabilities }),
      await openQueue(old, { client_capabilities, event_types }),
      await openQueue(old, { client_capabilities, event_types: ['message'] }),
      await openQueue(old),
    ]
    expectSuccess(await ben.api.patch('/settings', { high_contrast_mode: true }))
    const counts: number[] = []
    for (const queue of queues) counts.push((await queue.eventsOf('update_display_settings')).length)
    expect(counts).toEqual([0, 1, 0, 1, 1, 0, 0])
  })

  it('are those that public clients know', async () => {
    const id = await sendTo(ann, channel.id, 'other types')
    const queue = await openQueue(ben)
    expectSuccess(await ann.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }))
    expectSuccess(await ann.api.delete(`/messages/${id}/reactions`, { emoji_name: 'tada' }))
    expectSuccess(await ann.api.patch(`/messages/${id}`, { content: 'changed' }))
    expectSuccess(await ann.api.post('/users/me/status', { status_text: 'x' }))
    expectSuccess(await realm.owner.api.patch('/realm', { name: 'Renamed' }))
    expectSuccess(await realm.owner.api.patch(`/streams/${channel.id}`, { description: 'new' }))
    expectSuccess(await realm.owner.api.delete(`/messages/${id}`))
    const names = await namesOf(queue)
    expect(names.filter((name) => name !== 'message')).toEqual([
      'reaction/add',
      'reaction/remove',
      'update_message',
      'user_status',
      'realm/update',
      'stream/update',
      'delete_message',
    ])
  })

  it('can be chosen at registration; every event has a rising id and a type', async () => {
    const all = await openQueue(ben)
    const some = await openQueue(ben, { event_types: ['reaction'] })
    const { id } = expectSuccess(
      await ann.api.post('/messages', { type: 'channel', to: 'general', topic: 't', content: 'x' }),
    )
    expectSuccess(await ann.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }))
    const events = await all.events()
    expect(events.map(({ type }) => type)).toEqual(['message', 'reaction'])
    expect(events[1]!.id).toBeGreaterThan(events[0]!.id)
    expect((await some.events()).map(({ type }) => type)).toEqual(['reaction'])
  })
})
