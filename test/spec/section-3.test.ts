import { describe, expect, it } from 'vitest'
import { buildUser, expectSuccess, type TestUser } from '../support/factories.ts'
import { sendTo } from '../support/messages.ts'
import { openQueue } from '../support/queues.ts'
import { expectRefusal } from '../support/refusals.ts'
import { useRealm } from '../support/use-realm.ts'
import { whileSettings } from './while-settings.ts'

const { realm, ann, ben, channel } = useRealm(
  { ann: 'member', ben: 'member' },
  { channels: { channel: ['ann', 'ben'] } },
)

async function setPolicy(topic: string, visibility_policy: number): Promise<void> {
  expectSuccess(await ann.api.post('/user_topics', { stream_id: channel.id, topic, visibility_policy }))
}

async function policyOf(topic: string): Promise<number> {
  const { snapshot } = await openQueue(ann, { fetch_event_types: ['user_topic'] })
  const rows: { topic_name: string; visibility_policy: number }[] = snapshot.user_topics
  return rows.find(({ topic_name }) => topic_name === topic)?.visibility_policy ?? 0
}

async function groupOf(id: number) {
  const { user_groups } = expectSuccess(
    await ben.api.get('/user_groups', { include_deactivated_groups: true }),
  )
  return user_groups.find((group: { id: number }) => group.id === id)
}

let groups = 0
async function newGroup(members: readonly TestUser[] = [ann]): Promise<number> {
  groups += 1
  const params = { name: `state ${groups}`, description: '', members: members.map(({ id }) => id) }
  return expectSuccess(await ann.api.post('/user_groups/create', params)).group_id
}

describe('3 States and transitions', () => {
  it.each([0, 1, 2, 3])(
    'topic visibility %i: policy 0 makes it None, the mute is removed',
    async (before) => {
      const topic = `from ${before}`
      await setPolicy(topic, before)
      await setPolicy(topic, 0)
      expect(await policyOf(topic)).toBe(0)
    },
  )

  it.each([0, 1, 2, 3])('topic visibility %i: policy 1 makes it muted', async (before) => {
    const topic = `to mute, from ${before}`
    await setPolicy(topic, before)
    await setPolicy(topic, 1)
    expect(await policyOf(topic)).toBe(1)
  })

  it.each([0, 1])('topic visibility: policy %i can be set on a topic without messages', async (policy) => {
    await setPolicy(`nothing here ${policy}`, policy)
    expect(await policyOf(`nothing here ${policy}`)).toBe(policy)
  })

  it('topic name: check mark, space and the topic with change_all make it resolved', async () => {
    const ids = [await sendTo(ann, channel.id, 'task'), await sendTo(ben, channel.id, 'task')]
    expectSuccess(
      await ben.api.patch(`/messages/${ids[0]}`, { topic: '✔ task', propagate_mode: 'change_all' }),
    )
    for (const id of ids) {
      const { message } = expectSuccess(await ann.api.get(`/messages/${id}`))
      expect(message.subject).toBe('✔ task')
    }
  })

  it('topic name: only for members of can_resolve_topics_group', async () => {
    const id = await sendTo(ann, channel.id, 'not yours')
    const params = { topic: '✔ not yours', propagate_mode: 'change_all' }
    await whileSettings(realm, { can_resolve_topics_group: 3 }, async () => {
      expectRefusal(
        await ben.api.patch(`/messages/${id}`, params),
        "You don't have permission to resolve topics in this channel.",
      )
    })
    expectSuccess(await ben.api.patch(`/messages/${id}`, params))
  })

  it('topic name: an empty topic is refused for resolving', async () => {
    const id = await sendTo(ann, channel.id, '')
    for (const topic of ['✔', '✔ ', '✔ general chat']) {
      expectRefusal(
        await ann.api.patch(`/messages/${id}`, { topic, propagate_mode: 'change_all' }),
        'General chat cannot be marked as resolved',
      )
    }
  })

  it('topic name: no additional notification in the new thread for a pure resolve', async () => {
    const id = await sendTo(ann, channel.id, 'pure')
    const queue = await openQueue(ben, { apply_markdown: false })
    expectSuccess(await ann.api.patch(`/messages/${id}`, { topic: '✔ pure', propagate_mode: 'change_all' }))
    expect((await queue.eventsOf('message')).map(({ message }) => message.content)).toEqual([
      `@_**Ann|${ann.id}** has marked this topic as resolved.`,
    ])
  })

  it('user group, deactivated: deactivated=false makes it active', async () => {
    const id = await newGroup()
    expectSuccess(await ann.api.post(`/user_groups/${id}/deactivate`))
    const queue = await openQueue(ben)
    expectSuccess(await ann.api.patch(`/user_groups/${id}`, { deactivated: false }))
    expect(await groupOf(id)).toMatchObject({ deactivated: false })
    expect(await queue.eventsOf('user_group', 'update')).toMatchObject([
      { group_id: id, data: { deactivated: false } },
    ])
  })

  it('user group, deactivated: reactivating needs the permission to modify the group', async () => {
    const id = await newGroup()
    expectSuccess(await ann.api.post(`/user_groups/${id}/deactivate`))
    expectRefusal(
      await ben.api.patch(`/user_groups/${id}`, { deactivated: false }),
      'Insufficient permission',
    )
    expect(await groupOf(id)).toMatchObject({ deactivated: true })
  })

  it('user group, active: the deactivation endpoint makes it deactivated', async () => {
    const id = await newGroup()
    expectSuccess(await ann.api.post(`/user_groups/${id}/deactivate`))
    expect(await groupOf(id)).toMatchObject({ deactivated: true })
  })

  it('message flag: add makes it present, remove absent; the modified ids are listed', async () => {
    const id = await sendTo(ann, channel.id, 'flags')
    const flags = async () => expectSuccess(await ben.api.get(`/messages/${id}`)).message.flags
    for (const [op, expected] of [
      ['add', ['starred']],
      ['remove', []],
    ] as const) {
      const params = { messages: [id], op, flag: 'starred' }
      expect(expectSuccess(await ben.api.post('/messages/flags', params)).messages).toEqual([id])
      expect(await flags()).toEqual(expected)
    }
  })

  it('message flag: only one that is user-settable', async () => {
    const id = await sendTo(ann, channel.id, 'flags')
    for (const op of ['add', 'remove']) {
      const answer = await ben.api.post('/messages/flags', { messages: [id], op, flag: 'mentioned' })
      expectRefusal(answer, "Flag not editable: 'mentioned'")
    }
  })

  it('topic messages: delete_topic by an administrator deletes them', async () => {
    const id = await sendTo(ann, channel.id, 'deleted')
    const path = `/streams/${channel.id}/delete_topic`
    expectRefusal(
      await ann.api.post(path, { topic_name: 'deleted' }),
      'Must be an organization administrator',
      { code: 'UNAUTHORIZED_PRINCIPAL' },
    )
    expect(expectSuccess(await realm.owner.api.post(path, { topic_name: 'deleted' })).complete).toBe(true)
    expectRefusal(await ann.api.get(`/messages/${id}`), 'Invalid message(s)')
  })

  it('user account, active: deactivation makes is_active false, and ends group memberships', async () => {
    const dan = await buildUser(realm)
    const id = await newGroup([ann, dan])
    const queue = await openQueue(ben)
    expectSuccess(await realm.owner.api.delete(`/users/${dan.id}`))
    expect(await queue.eventsOf('realm_user', 'update')).toMatchObject([
      { person: { user_id: dan.id, is_active: false } },
    ])
    expect((await groupOf(id)).members).toEqual([ann.id])
  })

  it('user account, deactivated: reactivation makes is_active true', async () => {
    const dan = await buildUser(realm)
    const id = await newGroup([ann, dan])
    expectSuccess(await realm.owner.api.delete(`/users/${dan.id}`))
    const queue = await openQueue(ben)
    expectSuccess(await realm.owner.api.post(`/users/${dan.id}/reactivate`))
    expect(await queue.eventsOf('realm_user', 'update')).toMatchObject([
      { person: { user_id: dan.id, is_active: true } },
    ])
    expect((await groupOf(id)).members).toEqual([ann.id, dan.id])
  })
})
