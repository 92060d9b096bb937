import { describe, expect, it } from 'vitest'
import type { ParameterValue } from '../support/api.ts'
import { buildChannel, buildUser, expectSuccess, type TestUser } from '../support/factories.ts'
import { sendTo } from '../support/messages.ts'
import { openQueue, type TestEvent } from '../support/queues.ts'
import { upload } from '../support/uploads.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const { realm, ann, ben, spy } = useRealm({ ann: 'member', ben: 'member', spy: 'member' })

const SHARED = { invite_only: true, history_public_to_subscribers: true }
const PROTECTED = { invite_only: true, history_public_to_subscribers: false }

type Channel = { id: number; name: string }

async function add({ name }: Channel, user: TestUser): Promise<void> {
  const params = { subscriptions: [{ name }], principals: [user.id], send_new_subscription_messages: false }
  expectSuccess(await ann.api.post('/users/me/subscriptions', params))
}

async function remove({ name }: Channel, user: TestUser): Promise<void> {
  const params = { subscriptions: [name], principals: [user.id] }
  expectSuccess(await realm.owner.api.delete('/users/me/subscriptions', params))
}

async function move(id: number, changes: Record<string, ParameterValue>): Promise<void> {
  const quietly = { send_notification_to_new_thread: false, propagate_mode: 'change_all' }
  expectSuccess(await ann.api.patch(`/messages/${id}`, { ...quietly, ...changes }))
}

async function mute(user: TestUser, { id }: Channel, topic: string): Promise<void> {
  expectSuccess(await user.api.post('/user_topics', { stream_id: id, topic, visibility_policy: 1 }))
}

const named = (events: readonly TestEvent[], text: string) => JSON.stringify(events).includes(text)

describe('a move', () => {
  it('between private channels emits nothing to former or later subscribers', async () => {
    for (const settings of [SHARED, PROTECTED]) {
      const from = await buildChannel([ann, ben, spy], settings)
      const to = await buildChannel([ann], SHARED)
      await sendTo(ann, from.id, 'old', 'seen by all')
      await remove(from, spy)
      const secret = await sendTo(ann, from.id, 'merger', 'for those who are here')
      if (settings === PROTECTED) await add(from, spy)
      const queues = [await openQueue(spy), await openQueue(ben)]
      await move(secret, { stream_id: to.id })
      expect(await queues[0]!.events()).toEqual([])
      expect(await queues[1]!.events()).toMatchObject([
        { type: 'delete_message', message_ids: [secret], topic: 'merger' },
      ])
    }
  })

  it('is a deletion to each user for the messages they saw', async () => {
    const from = await buildChannel([ann, ben], PROTECTED)
    const to = await buildChannel([ann], SHARED)
    const first = await sendTo(ann, from.id, 'plans')
    await add(from, spy)
    const second = await sendTo(ann, from.id, 'plans')
    const queues = [await openQueue(spy), await openQueue(ben)]
    await move(first, { stream_id: to.id })
    expect(await queues[0]!.events()).toMatchObject([{ type: 'delete_message', message_ids: [second] }])
    expect(await queues[1]!.events()).toMatchObject([
      { type: 'delete_message', message_ids: [first, second] },
    ])
  })

  it('out of a private channel does not reveal its name', async () => {
    const from = await buildChannel([ann, ben], { ...SHARED, name: 'board of directors' })
    const to = await buildChannel([ann, ben, spy])
    const id = await sendTo(ann, from.id, 'picnic')
    const queues = [await openQueue(spy), await openQueue(ben)]
    await move(id, { stream_id: to.id })
    const [toSpy, toBen] = [await queues[0]!.events(), await queues[1]!.events()]
    expect(toSpy).toMatchObject([{ type: 'update_message', message_ids: [id], new_stream_id: to.id }])
    expect(named(toSpy, from.name)).toBe(false)
    expect(named(toBen, from.name)).toBe(true)
  })

  it('to another topic emits nothing to people with a policy for a hidden topic', async () => {
    const channel = await buildChannel([ann, ben], PROTECTED)
    const left = await buildChannel([ann, ben, spy], SHARED)
    const ids = [await sendTo(ann, channel.id, 'plans'), await sendTo(ann, left.id, 'plans')]
    await mute(spy, left, 'plans')
    await remove(left, spy)
    await add(channel, spy)
    for (const user of [spy, ben]) await mute(user, channel, 'plans')
    const queues = [await openQueue(spy), await openQueue(ben)]
    for (const id of ids) await move(id, { topic: 'merger' })
    expect(await queues[0]!.events()).toEqual([])
    const policies = (await queues[1]!.eventsOf('user_topic')).map((event) => [
      event.topic_name,
      event.visibility_policy,
    ])
    expect(policies).toEqual([
      ['plans', 0],
      ['merger', 1],
    ])
  })
})

describe('a private channel from which a user was removed', () => {
  it('does not reveal its later names to them', async () => {
    const eve = await buildUser(realm)
    const channel = await buildChannel([ann, eve], SHARED)
    const open = await buildChannel([ann, eve])
    await mute(eve, channel, 'lunch')
    await remove(channel, eve)
    expectSuccess(await ann.api.patch(`/streams/${channel.id}`, { new_name: 'layoffs' }))
    const queue = await openQueue(eve)
    expect(JSON.stringify(queue.snapshot)).not.toContain('layoffs')
    await mute(eve, open, 'noise')
    const [event] = await queue.eventsOf('muted_topics')
    expect(event!.muted_topics).toMatchObject([[open.name, 'noise', expect.any(Number)]])
    // Users may remove settings that they have made.
    const gone = { stream_id: channel.id, topic: 'lunch', visibility_policy: 0 }
    expectSuccess(await eve.api.post('/user_topics', gone))
    expect((await openQueue(eve)).snapshot.user_topics).toMatchObject([{ topic_name: 'noise' }])
  })

  it('does not show its name in the settings of their bots', async () => {
    const channel = await buildChannel([ann, spy], SHARED)
    const bot = { full_name: 'Snoop', short_name: 'snoop', default_sending_stream: channel.name }
    const { user_id } = expectSuccess(await spy.api.post('/bots', bot))
    await remove(channel, spy)
    expectSuccess(await ann.api.patch(`/streams/${channel.id}`, { new_name: 'takeover' }))
    const { bots } = expectSuccess(await spy.api.get('/bots'))
    expect(bots).toMatchObject([{ user_id, default_sending_stream: null }])
    expect(JSON.stringify((await openQueue(spy)).snapshot.realm_bots)).not.toContain('takeover')
    const seen = (await openQueue(realm.owner)).snapshot.realm_bots
    expect(seen).toContainEqual(expect.objectContaining({ user_id, default_sending_stream: 'takeover' }))
    expectSuccess(await spy.api.patch(`/bots/${user_id}`, { default_sending_stream: '' }))
    const afterwards = (await openQueue(realm.owner)).snapshot.realm_bots
    expect(afterwards).toContainEqual(expect.objectContaining({ user_id, default_sending_stream: null }))
  })
})

it('typing in an edit is sent only to readers of the message', async () => {
  // Typing is kept in memory only.
  world.evictable = false
  const channel = await buildChannel([ann, ben], PROTECTED)
  const id = await sendTo(ann, channel.id, 'merger')
  await add(channel, spy)
  const queues = [await openQueue(spy), await openQueue(ben)]
  expectSuccess(await ann.api.post(`/messages/${id}/typing`, { op: 'start' }))
  expect(await queues[0]!.events()).toEqual([])
  expect(await queues[1]!.events()).toMatchObject([{ type: 'typing_edit_message', message_id: id }])
})

it('an upload lists only those messages that its owner may see', async () => {
  const [open, closed] = [await buildChannel([ann, spy]), await buildChannel([ann], SHARED)]
  const url = await upload(spy)
  const shown = await sendTo(spy, open.id, 'files', `[it](${url})`)
  const queue = await openQueue(spy)
  await sendTo(ann, closed.id, 'files', `[from the spy](${url})`)
  for (const { attachment } of await queue.eventsOf('attachment')) {
    expect(attachment.messages).toMatchObject([{ id: shown }])
  }
  const { attachments } = expectSuccess(await spy.api.get('/attachments'))
  expect(attachments.at(-1).messages).toMatchObject([{ id: shown }])
})

it('a message’s local id is sent to its sender alone', async () => {
  const channel = await buildChannel([ann, spy])
  const queue = await openQueue(ann)
  const message = { type: 'channel', to: channel.id, topic: 'echo', content: 'hello', local_id: '1.5' }
  expectSuccess(await spy.api.post('/messages', { ...message, queue_id: queue.id }))
  expect((await queue.eventsOf('message'))[0]).not.toHaveProperty('local_message_id')
})
