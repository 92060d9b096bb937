import { afterEach, describe, expect, it, vi } from 'vitest'
import { runAlarms } from '../../support/alarms.ts'
import type { ApiResponse } from '../../support/api.ts'
import { commitsFromNow } from '../../support/commits.ts'
import { buildChannel, buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { insertMessages } from '../../support/inserted-messages.ts'
import { changeRealm, inRealm } from '../../support/inside.ts'
import { CHANGES_OF_COMMIT, ROWS_OF_SLICE } from '../../support/limits.ts'
import { ALL_CAPABILITIES, openQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { rowsOfTransactions } from '../../support/rows-of-transactions.ts'
import { useRealm } from '../../support/use-realm.ts'
import { whileSettings } from '../../support/while-settings.ts'

const { realm, ann, admin, guest } = useRealm({ ann: 'member', admin: 'administrator', guest: 'guest' })
/** The owner of another organization. */
const { owner: stranger } = useRealm()

afterEach(() => {
  vi.restoreAllMocks()
})

async function send(from: TestUser, to: string, topic: string, count = 1): Promise<number[]> {
  const ids: number[] = []
  for (let n = 0; n < count; n += 1) {
    const sent = await from.api.post('/messages', { type: 'channel', to, topic, content: `${n}` })
    ids.push(expectSuccess(sent).id)
  }
  return ids
}

async function topics(user: TestUser, id: number): Promise<string[]> {
  const { topics: list } = expectSuccess(
    await user.api.get(`/users/me/${id}/topics`, { allow_empty_topic_name: true }),
  )
  return list.map(({ name }: { name: string }) => name)
}

describe('deleting a topic', () => {
  it('deletes its messages with one event, whatever the case of the name', async () => {
    const { id, name } = await buildChannel([ann, guest])
    const ids = await send(ann, name, 'Lunch', 3)
    const [kept] = await send(ann, name, 'dinner')
    const queues = await Promise.all([ann, guest, admin].map((user) => openQueue(user)))
    const answer = await admin.api.post(`/streams/${id}/delete_topic`, { topic_name: 'LUNCH' })
    expect(expectSuccess(answer).complete).toBe(true)
    for (const queue of queues) {
      expect(await queue.eventsOf('delete_message')).toMatchObject([
        { type: 'delete_message', message_ids: ids, message_type: 'stream', stream_id: id, topic: 'Lunch' },
      ])
    }
    expect(await topics(ann, id)).toEqual(['dinner', 'channel events'])
    expectSuccess(await ann.api.get(`/messages/${kept}`))
    const again = await admin.api.post(`/streams/${id}/delete_topic`, { topic_name: 'Lunch' })
    expect(expectSuccess(again).complete).toBe(true)
  })

  it('of more than a hundred messages works in batches, newest first', async () => {
    const { id } = await buildChannel([ann])
    const ids = await insertMessages(realm, ann, { channelId: id, topic: 'long', count: 105, length: 10 })
    const queue = await openQueue(ann)
    const { bulk_message_deletion: _, ...client_capabilities } = ALL_CAPABILITIES
    const older = await openQueue(ann, { client_capabilities })
    expectSuccess(await admin.api.post(`/streams/${id}/delete_topic`, { topic_name: 'long' }))
    const events = await queue.eventsOf('delete_message')
    expect(events.map(({ message_ids }) => message_ids)).toEqual([ids.slice(5), ids.slice(0, 5)])
    const single = await older.eventsOf('delete_message')
    expect(single.map(({ message_id }) => message_id)).toEqual([...ids.slice(5), ...ids.slice(0, 5)])
  })

  it('of thousands deletes them all for everybody, in commits of bounded size', async () => {
    const { id } = await buildChannel([ann])
    const count = 2 * CHANGES_OF_COMMIT + 100
    const topic = { channelId: id, topic: 'thousands', count, length: 10 }
    const ids = await insertMessages(realm, ann, topic)
    const queues = await Promise.all([ann, admin].map((user) => openQueue(user)))
    let answer: ApiResponse | undefined
    const commits = await rowsOfTransactions(realm, async () => {
      answer = await admin.api.post(`/streams/${id}/delete_topic`, { topic_name: 'thousands' })
    })
    const written = commits.map((rows) => rows.written)
    expect(expectSuccess(answer!).complete).toBe(true)
    expect(written).toHaveLength(3)
    expect(Math.max(...written)).toBeLessThan(CHANGES_OF_COMMIT * 6)
    for (const queue of queues) {
      const events = await queue.eventsOf('delete_message')
      expect(events.flatMap(({ message_ids }) => message_ids).toSorted((a, b) => a - b)).toEqual(ids)
      expect(Math.max(...events.map(({ message_ids }) => message_ids.length))).toBe(100)
    }
    expect(await topics(ann, id)).not.toContain('thousands')
  })

  it('of messages with thousands of rows each deletes a few of them in a commit', async () => {
    const { id } = await buildChannel([ann])
    const ids = await insertMessages(realm, ann, { channelId: id, topic: 'marked', count: 20, length: 10 })
    const OF_EACH = 1_000
    const flagsLeft = () =>
      inRealm(realm, ({ parts }) =>
        parts.sql.first(
          `SELECT count(*) AS count FROM message_flag WHERE message_id BETWEEN ? AND ?`,
          ids[0]!,
          ids.at(-1)!,
        ),
      )
    await changeRealm(realm, ({ sql }) =>
      sql.run(
        `WITH RECURSIVE one(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM one WHERE at < ?)
         INSERT INTO message_flag (user_id, message_id, bits)
         SELECT 1000000 + at, value, 1 FROM json_each(?) CROSS JOIN one`,
        OF_EACH,
        JSON.stringify(ids),
      ),
    )
    const commits = await rowsOfTransactions(realm, async () => {
      const answer = await admin.api.post(`/streams/${id}/delete_topic`, { topic_name: 'marked' })
      expect(expectSuccess(answer).complete).toBe(true)
    })
    // An object that has just woken also reads who has a device, in a turn of its own.
    const changing = commits.filter(({ written }) => written > 0)
    expect(changing).toHaveLength((ids.length * OF_EACH) / ROWS_OF_SLICE)
    expect(await flagsLeft()).toEqual({ count: 0 })
  })

  it('stops when the caller loses the right in between', async () => {
    const { id } = await buildChannel([ann])
    const former = await buildUser(realm, { role: 200 })
    await insertMessages(realm, ann, { channelId: id, topic: 'kept', count: 2_000, length: 10 })
    const made = commitsFromNow()
    const deleting = former.api.post(`/streams/${id}/delete_topic`, { topic_name: 'kept' })
    await made(1)
    expectSuccess(await realm.owner.api.patch(`/users/${former.id}`, { role: 400 }))
    const answer = await deleting
    expectRefusal(answer, 'Must be an organization administrator', { code: 'UNAUTHORIZED_PRINCIPAL' })
    expect(await topics(ann, id)).toContain('kept')
  })

  it('returns complete: false when its time runs out, and then follows by itself', async () => {
    const { id } = await buildChannel([ann])
    await insertMessages(realm, ann, { channelId: id, topic: 'endless', count: 501, length: 10 })
    const started = Date.now()
    // The clock moves on by a minute each time that it is read.
    let minutes = 0
    vi.spyOn(Date, 'now').mockImplementation(() => started + 60_000 * minutes++)
    const request = () => admin.api.post(`/streams/${id}/delete_topic`, { topic_name: 'endless' })
    expect(expectSuccess(await request()).complete).toBe(false)
    vi.restoreAllMocks()
    await runAlarms(realm, 1)
    expect(await topics(ann, id)).not.toContain('endless')
    expect(expectSuccess(await request()).complete).toBe(true)
  })

  it('with the channel’s first message emits the new first_message_id', async () => {
    const { id, name } = await buildChannel([ann])
    const [next] = await send(ann, name, 'later')
    const queue = await openQueue(ann)
    expectSuccess(await admin.api.post(`/streams/${id}/delete_topic`, { topic_name: 'channel events' }))
    expect(await queue.events()).toMatchObject([
      { type: 'stream', op: 'update', property: 'first_message_id', value: next, stream_id: id, name },
      { type: 'delete_message' },
    ])
  })

  it('accepts the empty topic’s display name, and removes users’ policies for it', async () => {
    const { id, name } = await buildChannel([ann])
    await send(ann, name, '', 2)
    expectSuccess(await ann.api.post('/user_topics', { stream_id: id, topic: '', visibility_policy: 3 }))
    const queue = await openQueue(ann)
    expectSuccess(await admin.api.post(`/streams/${id}/delete_topic`, { topic_name: 'general chat' }))
    const events = await queue.events()
    expect(events[0]).toMatchObject({ type: 'delete_message', topic: '' })
    expect(events.at(-1)).toMatchObject({ type: 'user_topic', topic_name: '', visibility_policy: 0 })
    expect(await topics(ann, id)).toEqual(['channel events'])
  })

  it('leaves what the administrator cannot see', async () => {
    const { id, name } = await buildChannel([ann], { invite_only: true })
    const [hidden] = await send(ann, name, 'old')
    await ann.api.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [admin.id] })
    const [seen] = await send(ann, name, 'old')
    const queue = await openQueue(ann)
    expectSuccess(await admin.api.post(`/streams/${id}/delete_topic`, { topic_name: 'old' }))
    expect(await queue.eventsOf('delete_message')).toMatchObject([{ message_ids: [seen] }])
    expectSuccess(await ann.api.get(`/messages/${hidden}`))
  })
})

describe('who may not', () => {
  it('anybody but administrators who can read the channel', async () => {
    const { id, name } = await buildChannel([ann, guest])
    const secret = await buildChannel([ann], { invite_only: true })
    await send(ann, name, 'lunch')
    const params = { topic_name: 'lunch' }
    for (const { api } of [ann, guest]) {
      expectRefusal(
        await api.post(`/streams/${id}/delete_topic`, params),
        'Must be an organization administrator',
        {
          code: 'UNAUTHORIZED_PRINCIPAL',
        },
      )
    }
    expectUnauthorized(await realm.anonymous.post(`/streams/${id}/delete_topic`, params))
    expectRefusal(await admin.api.post(`/streams/${secret.id}/delete_topic`, params), 'Invalid channel ID')
    expectRefusal(await admin.api.post('/streams/9999/delete_topic', params), 'Invalid channel ID')
    expectRefusal(await stranger.api.post(`/streams/${id}/delete_topic`, params), 'Invalid channel ID')
    expectSuccess(await ann.api.delete(`/streams/${id}`))
    expectRefusal(await admin.api.post(`/streams/${id}/delete_topic`, params), 'Invalid channel ID')
    expect(await topics(ann, id)).toContain('lunch')
  })

  it('members of groups that may delete any message', async () => {
    const anns = { direct_members: [ann.id], direct_subgroups: [] }
    const open = await buildChannel([realm.owner, ann], { can_delete_any_message_group: anns })
    await whileSettings(realm, { can_delete_any_message_group: 5 }, async () => {
      expectRefusal(
        await ann.api.post(`/streams/${open.id}/delete_topic`, { topic_name: 'x' }),
        'Must be an organization administrator',
        { code: 'UNAUTHORIZED_PRINCIPAL' },
      )
    })
  })
})
