import { describe, expect, it } from 'vitest'
import { insertCustomEmoji } from '../../src/store/emoji/custom-emoji-rows.ts'
import { isSubscribed } from '../../src/store/subscriptions/subscriber-rows.ts'
import { findSubscription, subscriptionsAmong } from '../../src/store/subscriptions/subscription-rows.ts'
import { listUserTopics } from '../../src/store/user-topics/user-topic-rows.ts'
import { userSetting } from '../../src/store/users/settings/user-setting-rows.ts'
import { findUsers } from '../../src/store/users/user-rows.ts'
import { countRows } from '../support/counted-rows.ts'
import { buildChannel, expectSuccess, type TestUser } from '../support/factories.ts'
import { changeRealm, inRealm, subscribe } from '../support/inside.ts'
import { QUOTAS } from '../support/limits.ts'
import { neverEvict } from '../support/never-evict.ts'
import { openQueue } from '../support/queues.ts'
import { useRealm } from '../support/use-realm.ts'

/*
 * The object keeps what it has read of channels, their subscribers and topics from one request to the next. In each of
 * these tests a request reads something, another one changes it, and the object stays awake.
 */
neverEvict()
const { realm, owner, ann, bea, cove } = useRealm(
  { ann: 'member', bea: 'member' },
  {
    channels: { cove: { subscribers: ['owner', 'ann', 'bea'], name: 'cove', invite_only: true } },
  },
)

const post = (user: TestUser, to: string | number = cove.id, topic = 'tides') =>
  user.api.post('/messages', { type: 'channel', to, topic, content: 'x' })

/** Enters custom emoji, named from 0. Those that have the names go. */
function importEmoji(count: number): Promise<unknown> {
  return changeRealm(realm, ({ sql }) => {
    sql.run(`DELETE FROM custom_emoji`)
    for (let at = 0; at < count; at += 1) {
      insertCustomEmoji(sql, { name: `emoji_${at}`, path: '/x.png', stillPath: null, authorId: owner.id })
    }
  })
}

describe('the cache of rows between requests', () => {
  it('never lets a user send who was removed from a channel', async () => {
    expectSuccess(await post(ann))
    const taken = { subscriptions: [cove.name], principals: [ann.id] }
    expectSuccess(await owner.api.delete('/users/me/subscriptions', taken))
    expect((await post(ann)).status).toBe(400)
    const back = { subscriptions: [{ name: cove.name }], principals: [ann.id] }
    expectSuccess(await owner.api.post('/users/me/subscriptions', back))
    expectSuccess(await post(ann))
  })

  it('has a channel’s new name and permissions at once', async () => {
    expectSuccess(await post(ann, 'cove'))
    expectSuccess(await owner.api.patch(`/streams/${cove.id}`, { new_name: 'bay' }))
    expect((await post(ann, 'cove')).status).toBe(400)
    expectSuccess(await post(ann, 'bay'))
    const nobody = { new: { direct_members: [owner.id], direct_subgroups: [] } }
    expectSuccess(await owner.api.patch(`/streams/${cove.id}`, { can_send_message_group: nobody }))
    expect((await post(ann, 'bay')).status).toBe(400)
    expectSuccess(await owner.api.patch(`/streams/${cove.id}`, { new_name: 'cove' }))
  })

  it('has as many topic settings of a user as the quota allows', async () => {
    const count = QUOTAS.topicSettings.account!
    await changeRealm(realm, ({ sql }) =>
      sql.run(
        `INSERT INTO user_topic (user_id, channel_id, name_key, name, policy, updated_at)
         WITH RECURSIVE topic (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM topic WHERE at < ?1)
         SELECT ?2, ?3, printf('%060d', at), printf('%060d', at), 3, 0 FROM topic`,
        count,
        bea.id,
        cove.id,
      ),
    )
    const read = await inRealm(realm, ({ parts }) => {
      const sql = parts.sql.counter()
      const lists = [listUserTopics(sql, bea.id), listUserTopics(sql, bea.id)]
      return [...lists.map(({ length }) => length), sql.counts.read]
    })
    await changeRealm(realm, ({ sql }) => sql.run(`DELETE FROM user_topic WHERE user_id = ?`, bea.id))
    expect(read).toEqual([count, count, count])
  })

  it('has a topic under its new name alone', async () => {
    const { id } = expectSuccess(await post(owner, cove.id, 'ebb'))
    expectSuccess(await owner.api.patch(`/messages/${id}`, { topic: 'flood', propagate_mode: 'change_all' }))
    const { id: other } = expectSuccess(await post(owner, cove.id, 'ebb'))
    const narrow = (topic: string) => [
      { operator: 'channel', operand: cove.id },
      { operator: 'topic', operand: topic },
    ]
    const found = async (topic: string) => {
      const params = { anchor: 'newest', num_before: 10, num_after: 0, narrow: narrow(topic) }
      const { messages } = expectSuccess(await owner.api.get('/messages', params))
      return messages.map((message: { id: number }) => message.id)
    }
    expect(await found('flood')).toContain(id)
    expect(await found('flood')).not.toContain(other)
    expect(await found('ebb')).toContain(other)
    expect(await found('ebb')).not.toContain(id)
  })

  it('has a subscription’s new settings at once', async () => {
    const colors = () =>
      inRealm(realm, ({ parts: { sql } }) => [
        findSubscription(sql, cove.id, bea.id)?.color,
        subscriptionsAmong(sql, cove.id, [bea.id]).get(bea.id)?.color,
      ])
    for (const value of ['#76ce90', '#fae589']) {
      const change = { stream_id: cove.id, property: 'color', value }
      expectSuccess(await bea.api.post('/users/me/subscriptions/properties', { subscription_data: [change] }))
      expect(await colors()).toEqual([value, value])
    }
  })

  it('has a user’s new name and settings at once', async () => {
    const found = () =>
      inRealm(realm, ({ parts: { sql } }) => {
        const user = findUsers(sql, [bea.id]).get(bea.id)!
        return [user.fullName, userSetting(user, 'enable_offline_email_notifications')]
      })
    for (const [full_name, mailed] of [
      ['Bea the First', false],
      ['Bea the Second', true],
    ] as const) {
      expectSuccess(
        await bea.api.patch('/settings', { full_name, enable_offline_email_notifications: mailed }),
      )
      expect(await found()).toEqual([full_name, mailed])
    }
  })

  it('has new mutes at once', async () => {
    expectSuccess(await post(owner))
    const queue = await openQueue(bea, { event_types: ['message'], fetch_event_types: [] })
    expectSuccess(await post(owner))
    expectSuccess(await bea.api.post(`/users/me/muted_users/${owner.id}`))
    expectSuccess(await post(owner))
    const flags = (await queue.events()).map((event) => event.flags)
    expect(flags).toEqual([[], ['read']])
  })

  it('finds the messages and lists of a registration as without it, whatever happens between two', async () => {
    const other = await buildChannel([owner, ann])
    const subscriptions = [{ name: 'cove' }]
    const movable = expectSuccess(await post(owner, other.id, 'drift')).id
    const steps: Record<string, () => Promise<unknown>> = {
      'a message': () => post(owner),
      'a new conversation': () =>
        ann.api.post('/messages', { type: 'direct', to: [bea.id], content: 'to a stranger' }),
      'a message elsewhere': () => post(owner, other.id),
      'a muted topic': () =>
        bea.api.post('/user_topics', { stream_id: cove.id, topic: 'tides', visibility_policy: 1 }),
      'a subscription ends': () => bea.api.delete('/users/me/subscriptions', { subscriptions: ['cove'] }),
      'a message after it': () => post(owner),
      'a new subscription': () =>
        owner.api.post('/users/me/subscriptions', { subscriptions, principals: [bea.id] }),
      'a message in it': () => post(owner),
      'a message moved there': () =>
        owner.api.patch(`/messages/${movable}`, {
          stream_id: cove.id,
          send_notification_to_old_thread: false,
          send_notification_to_new_thread: false,
        }),
      'a deleted message': async () => owner.api.delete(`/messages/${expectSuccess(await post(owner)).id}`),
    }
    const register = async () => {
      const {
        queue_id: _,
        server_timestamp: __,
        ...state
      } = expectSuccess(await bea.api.post('/register', {}))
      return state
    }
    for (const [name, step] of Object.entries(steps)) {
      await register()
      expectSuccess((await step()) as Parameters<typeof expectSuccess>[0])
      const state = await register()
      await inRealm(realm, ({ parts }) => parts.sql.watch.forget())
      expect(state, name).toEqual(await register())
    }
  })

  it('is dropped with a change that was rolled back', async () => {
    const { id } = expectSuccess(
      await owner.api.post('/channels/create', { name: 'reef', subscribers: [owner.id], invite_only: true }),
    )
    const before = (await post(bea, id)).status
    const failed = changeRealm(realm, (tx) => {
      subscribe(tx, id, [bea.id])
      expect(isSubscribed(tx.sql, id, bea.id)).toBe(true)
      throw new Error('after all not')
    })
    await expect(failed).rejects.toThrow('after all not')
    expect([before, (await post(bea, id)).status]).toEqual([400, 400])
  })

  it('has each change of the organization’s lists in the next registration', async () => {
    const types = ['channel_folders', 'realm_domains', 'realm_emoji', 'realm_playgrounds']
    const registered = async () => (await openQueue(ann, { event_types: types })).snapshot
    await registered()
    expectSuccess(await owner.api.post('/channel_folders/create', { name: 'Shelf', description: '' }))
    const domain = { domain: 'new.example.com', allow_subdomains: false }
    expectSuccess(await owner.api.post('/realm/domains', domain))
    const playground = { pygments_language: 'Rust', url_template: 'https://play.example.com/{code}' }
    expectSuccess(await owner.api.post('/realm/playgrounds', { name: 'Play', ...playground }))
    await importEmoji(1)
    const { channel_folders, realm_domains, realm_emoji, realm_playgrounds } = await registered()
    expect(channel_folders).toMatchObject([{ name: 'Shelf' }])
    expect(realm_domains).toEqual([domain])
    expect(Object.values(realm_emoji)).toMatchObject([{ name: 'emoji_0' }])
    expect(realm_playgrounds).toMatchObject([{ name: 'Play', ...playground }])
    expectSuccess(await owner.api.delete('/realm/domains/new.example.com'))
    expect((await registered()).realm_domains).toEqual([])
  })

  it('has the emoji still after a setting of the organization has changed', async () => {
    await importEmoji(300)
    const types = ['realm', 'realm_emoji']
    const register = () => countRows(ann.api, 'POST', '/register', { event_types: types })
    expectSuccess(await owner.api.patch('/realm', { description: 'before' }))
    expect(Object.keys((await register()).body.realm_emoji).length).toBeGreaterThanOrEqual(300)
    expectSuccess(await owner.api.patch('/realm', { description: 'after' }))
    const { body, object } = await register()
    expect(body.realm_description).toBe('after')
    expect(object.read).toBeLessThan(200)
  })
})
