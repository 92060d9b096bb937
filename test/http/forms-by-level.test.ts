import { beforeEach, describe, expect, it } from 'vitest'
import { evictRealm } from '../support/api.ts'
import { atLevel, expectSuccess, type TestUser } from '../support/factories.ts'
import { inRealm } from '../support/inside.ts'
import { ALL_CAPABILITIES, openQueue } from '../support/queues.ts'
import { useRealm } from '../support/use-realm.ts'

const { realm, ann, ben } = useRealm(
  { ann: 'member', ben: 'member' },
  { channels: { plans: ['ann', 'ben'] } },
)

let messageId: number
beforeEach(async () => {
  const message = { type: 'stream', to: 'plans', topic: 'ideas', content: 'hello' }
  messageId = expectSuccess(await ann.api.post('/messages', message)).id
})

/** Adds a reaction, and says for each queue whether its event has the `user` of older levels. */
async function haveUser(queues: readonly Awaited<ReturnType<typeof openQueue>>[]): Promise<boolean[]> {
  expectSuccess(await ben.api.post(`/messages/${messageId}/reactions`, { emoji_name: 'octopus' }))
  const events = await Promise.all(queues.map(async (queue) => (await queue.eventsOf('reaction'))[0]!))
  expect(events.map(({ user_id }) => user_id)).toEqual(queues.map(() => ben.id))
  return events.map(({ user }) => user !== undefined)
}

const reactionQueue = (user: TestUser) => openQueue(user, { event_types: ['reaction'] })

describe('the form of an event', () => {
  it('is that of the level declared at registration: reactions have a user below 484', async () => {
    const queues = [
      await reactionQueue(ann),
      await reactionQueue(atLevel(ann, 483)),
      await reactionQueue(atLevel(ann, 484)),
      await reactionQueue(atLevel(ann, 500)),
      await reactionQueue(atLevel(ann, 700)),
    ]
    expect(await haveUser(queues)).toEqual([true, true, false, false, false])
  })

  it('stays that of the registration, whatever polls declare, and after an eviction', async () => {
    const newer = await reactionQueue(atLevel(ann, 500))
    const older = await reactionQueue(ann)
    const polled = [Object.assign(newer, { user: ann }), Object.assign(older, { user: atLevel(ann, 500) })]
    await evictRealm(realm.id)
    expect(await haveUser(polled)).toEqual([false, true])
  })

  it('is the older one in queues that were opened before levels were declared', async () => {
    const queue = await reactionQueue(atLevel(ann, 500))
    await inRealm(realm, (_object, { storage }) => {
      storage.sql.exec(`UPDATE queue SET options = json_remove(options, '$.level') WHERE id = ?`, queue.id)
    })
    await evictRealm(realm.id)
    expect(await haveUser([queue])).toEqual([true])
  })

  it('is that of a queue that GET /events opens too', async () => {
    const { api } = atLevel(ann, 500)
    const opened = expectSuccess(
      await api.get('/events', { dont_block: true, event_types: ['reaction'], apply_markdown: true }),
    )
    expectSuccess(await ben.api.post(`/messages/${messageId}/reactions`, { emoji_name: 'octopus' }))
    const poll = { queue_id: opened.queue_id, last_event_id: -1, dont_block: true }
    const { events } = expectSuccess(await ann.api.get('/events', poll))
    expect(events).toMatchObject([{ type: 'reaction', user_id: ben.id }])
    expect('user' in events[0]).toBe(false)
  })

  it('of old settings is none from 439 on, whatever the client can', async () => {
    const params = { client_capabilities: { ...ALL_CAPABILITIES, user_settings_object: false } }
    const queues = [await openQueue(ann, params), await openQueue(atLevel(ann, 439), params)]
    expectSuccess(await ann.api.patch('/settings', { color_scheme: 2, enable_sounds: false }))
    const types = await Promise.all(
      queues.map(async (queue) => (await queue.events()).map(({ type }) => type)),
    )
    expect(types).toEqual([
      ['user_settings', 'update_display_settings', 'user_settings', 'update_global_notifications'],
      ['user_settings', 'user_settings'],
    ])
    expectSuccess(await ann.api.patch('/settings', { color_scheme: 1, enable_sounds: true }))
  })
})

describe('the form of an answer', () => {
  it('names the default of channels’ permissions channel_creator from 427 on', async () => {
    const defaultAt = async (user: TestUser) => {
      const { snapshot } = await openQueue(user, { fetch_event_types: ['realm'] })
      const { stream, group } = snapshot.server_supported_permission_settings
      return [
        stream.can_administer_channel_group.default_group_name,
        group.can_manage_group.default_group_name,
      ]
    }
    expect(await defaultAt(ann)).toEqual(['stream_creator_or_nobody', 'group_creator'])
    expect(await defaultAt(atLevel(ann, 427))).toEqual(['channel_creator', 'group_creator'])
    // The older form once more: what registrations share is not mixed up.
    expect(await defaultAt(atLevel(ann, 426))).toEqual(['stream_creator_or_nobody', 'group_creator'])
  })
})
