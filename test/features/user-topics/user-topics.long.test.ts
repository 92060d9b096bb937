import { beforeEach, describe, expect, it } from 'vitest'
import { runAlarms } from '../../support/alarms.ts'
import { countRows } from '../../support/counted-rows.ts'
import { expectSuccess, type TestRealm, type TestUser } from '../../support/factories.ts'
import { changeRealm, inRealm, insertUsers } from '../../support/inside.ts'
import { setPolicy } from '../../support/inside-rows.ts'
import { CHANGES_OF_COMMIT } from '../../support/limits.ts'
import { Mailbox } from '../../support/mailbox.ts'
import { sendTo } from '../../support/messages.ts'
import { neverEvict } from '../../support/never-evict.ts'
import { openQueue } from '../../support/queues.ts'
import { buildRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

/** Topics that thousands of people follow or have muted: no change of them, and no message there, takes a turn for all of these. */

const FOLLOWED = 3
const MUTED = 1

const mailbox = new Mailbox()
beforeEach(() => {
  mailbox.open()
  mailbox.forget()
})
// Rows are counted as they are for an object in memory.
neverEvict()

const follow = (
  where: TestRealm,
  channelId: number,
  topic: string,
  people: readonly TestUser[],
  policy: 1 | 2 | 3 = FOLLOWED,
) =>
  changeRealm(where, (tx) => {
    for (const { id: userId } of people) setPolicy(tx, { userId, channelId, topic, policy })
  })

describe('a message in a topic that hundreds follow', () => {
  it('is mailed once to each of them who wants that, in turns of their own', async () => {
    const { realm, ann, channel } = await hall()
    const people = await insertUsers(realm, 330, channel.id)
    const [named, reader, muter, left, refuser, unfollower, ...others] = people as TestUser[]
    await follow(realm, channel.id, 'news', people)
    expectSuccess(await muter!.api.post(`/users/me/muted_users/${ann.id}`))
    expectSuccess(await left!.api.delete('/users/me/subscriptions', { subscriptions: [channel.name] }))
    expectSuccess(await refuser!.api.patch('/settings', { enable_followed_topic_email_notifications: false }))
    await sendTo(ann, channel.id, 'news')
    await deliverAll()
    mailbox.forget()
    const sent = {
      type: 'channel',
      to: channel.id,
      topic: 'news',
      content: `@**${named!.fullName}|${named!.id}** Hello`,
    }
    const { id } = expectSuccess(await ann.api.post('/messages', sent))
    expectSuccess(await reader!.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' }))
    const unfollow = { stream_id: channel.id, topic: 'news', visibility_policy: 0 }
    expectSuccess(await unfollower!.api.post('/user_topics', unfollow))
    await deliverAll()
    expect(addresses()).toEqual([named!, ...others].map(({ email }) => email).sort())
    const textTo = ({ email }: TestUser) =>
      mailbox.posted.find(({ to: [address] }) => address === email)!.text
    expect(textTo(named!)).toContain('you were mentioned')
    expect(textTo(others[0]!)).toContain('you follow')
  })

  it('that mentions the channel is mailed once, for the mention where that is wanted', async () => {
    const { realm, ann, ben, channel } = await hall()
    const people = await insertUsers(realm, 310, channel.id)
    const [deaf, ...others] = people as [TestUser, ...TestUser[]]
    await follow(realm, channel.id, 'news', people)
    expectSuccess(
      await deaf.api.patch('/settings', {
        wildcard_mentions_notify: false,
        enable_followed_topic_wildcard_mentions_notify: false,
      }),
    )
    expectSuccess(
      await realm.owner.api.patch('/realm', { message_content_edit_limit_seconds: '"unlimited"' }),
    )
    const id = await sendTo(realm.owner, channel.id, 'news')
    await deliverAll()
    mailbox.forget()
    await sendTo(realm.owner, channel.id, 'news', '@**all**')
    await deliverAll()
    expect(addresses()).toEqual([ann, ben, deaf, ...others].map(({ email }) => email).sort())
    mailbox.forget()
    // All of them but Ann and Ben were notified of it, because they follow.
    expectSuccess(await realm.owner.api.patch(`/messages/${id}`, { content: '@**all**' }))
    await deliverAll()
    expect(addresses()).toEqual([ann, ben].map(({ email }) => email).sort())
  })

  async function hall() {
    const built = await buildRealm(
      { ann: 'member', ben: 'member' },
      { channels: { channel: ['owner', 'ann', 'ben'] } },
    )
    mailbox.isFor(built.realm)
    return built
  }

  async function deliverAll(): Promise<void> {
    for (let turn = 0; turn < 4; turn += 1) await mailbox.deliver()
  }

  function addresses(): string[] {
    return mailbox.posted.map(({ to: [address] }) => address).sort()
  }
})

describe('a topic that thousands have a setting for', () => {
  const COUNT = 2 * CHANGES_OF_COMMIT + 100

  it('costs a send no row for each of them, who are kept in memory', async () => {
    const { realm: large, channel: room } = await crowd()
    for (const topic of ['none', 'news']) await sendTo(large.owner, room.id, topic)
    const sent = (topic: string) => ({ type: 'channel', to: room.id, topic, content: 'x' })
    const rowsIn = async (topic: string) =>
      (await countRows(large.owner.api, 'POST', '/messages', sent(topic))).object.read
    await rowsIn('news')
    const [few, many] = [await rowsIn('none'), await rowsIn('news')]
    expect(many).toBeLessThan(few + 20)
  })

  it('keeps them under its new names, each with an event, in commits of some hundreds', async () => {
    const { realm: large, channel: room, people } = await crowd()
    const id = await sendTo(large.owner, room.id, 'news')
    const last = people.at(-1)!
    const muter = people.at(-2)!
    await follow(large, room.id, 'news', [muter], MUTED)
    const queue = await openQueue(last, { event_types: ['user_topic'] })
    const rename = async (topic: string) =>
      countRows(large.owner.api, 'PATCH', `/messages/${id}`, {
        topic,
        propagate_mode: 'change_all',
        send_notification_to_new_thread: false,
      })
    const { object } = await rename('old news')
    expect(object.written).toBeLessThan(4 * CHANGES_OF_COMMIT)
    expect((await settingsFor('news')).length).toBe(COUNT + 1 - CHANGES_OF_COMMIT)
    // The next name comes before all have followed to the first.
    await rename('oldest news')
    expect(await settingsFor('oldest news')).toEqual([])
    await runAlarms(large, 20)
    expect(await settingsFor('news')).toEqual([])
    expect(await settingsFor('old news')).toEqual([])
    const settled = await settingsFor('oldest news')
    // With the owner, who began it.
    expect(settled).toHaveLength(COUNT + 1)
    expect(settled.filter(({ policy }) => policy !== FOLLOWED)).toEqual([
      { user_id: muter.id, policy: MUTED },
    ])
    const events = (await queue.eventsOf('user_topic')).map(({ topic_name, visibility_policy }) => [
      topic_name,
      visibility_policy,
    ])
    expect(events).toEqual([
      ['news', 0],
      ['old news', FOLLOWED],
      ['old news', 0],
      ['oldest news', FOLLOWED],
    ])
    const { snapshot } = await openQueue(last, { fetch_event_types: ['user_topic'] })
    expect(snapshot.user_topics).toMatchObject([{ topic_name: 'oldest news', visibility_policy: FOLLOWED }])
    expect(await openMigrations()).toEqual([])

    async function settingsFor(topic: string) {
      return inRealm(large, ({ parts }) =>
        parts.sql.all<{ user_id: number; policy: number }>(
          `SELECT user_id, policy FROM user_topic WHERE channel_id = ? AND name_key = ? ORDER BY user_id`,
          room.id,
          topic,
        ),
      )
    }
    async function openMigrations() {
      return inRealm(large, ({ parts }) =>
        parts.sql.all(`SELECT key FROM meta WHERE key LIKE 'continuation:migrate-policies:%'`),
      )
    }
  })

  it('leaves alone what people set after it has got another name', async () => {
    const { realm: large, channel: room, people } = await crowd()
    const id = await sendTo(large.owner, room.id, 'news')
    const move = { topic: 'elsewhere', propagate_mode: 'change_all', send_notification_to_new_thread: false }
    expectSuccess(await large.owner.api.patch(`/messages/${id}`, move))
    world.clockOffset += 1
    const [last, other] = [people.at(-1)!, people.at(-2)!]
    const set = async (user: TestUser, topic: string, visibility_policy: number) =>
      expectSuccess(await user.api.post('/user_topics', { stream_id: room.id, topic, visibility_policy }))
    await set(last, 'elsewhere', MUTED)
    await set(other, 'news', MUTED)
    await runAlarms(large, 10)
    const topicsOf = async (user: TestUser) => {
      const { snapshot } = await openQueue(user, { fetch_event_types: ['user_topic'] })
      return (snapshot.user_topics as { topic_name: string; visibility_policy: number }[]).map(
        ({ topic_name, visibility_policy }) => [topic_name, visibility_policy],
      )
    }
    expect(await topicsOf(last)).toEqual([['elsewhere', MUTED]])
    expect(await topicsOf(other)).toEqual([['news', MUTED]])
    expect(await topicsOf(people.at(-3)!)).toEqual([['elsewhere', FOLLOWED]])
  })

  it('loses them when it is deleted', async () => {
    const { realm: large, channel: room } = await crowd()
    await sendTo(large.owner, room.id, 'news')
    const { object } = await countRows(large.owner.api, 'POST', `/streams/${room.id}/delete_topic`, {
      topic_name: 'news',
    })
    // Beside the settings there are the message and its topic.
    expect(object.written).toBeLessThan(4 * CHANGES_OF_COMMIT + 30)
    await runAlarms(large, 10)
    const left = await inRealm(large, ({ parts }) => parts.sql.all(`SELECT user_id FROM user_topic`))
    expect(left).toEqual([])
  })

  it('shows the notice that it is resolved as unread to all who follow it', async () => {
    const { realm: large, channel: room, people } = await crowd()
    const id = await sendTo(large.owner, room.id, 'news')
    const [first, last] = [people[0]!, people.at(-1)!]
    const [indifferent] = await insertUsers(large, 1, room.id)
    const toggle = (topic: string) =>
      countRows(large.owner.api, 'PATCH', `/messages/${id}`, { topic, propagate_mode: 'change_all' })
    const { object } = await toggle('✔ news')
    // With their settings for the topic, but without a row for each of them.
    expect(object.written).toBeLessThan(4 * CHANGES_OF_COMMIT + 30)
    const noticeFor = async ({ api }: TestUser) => {
      const params = { anchor: 'newest', num_before: 1, num_after: 0 }
      return expectSuccess(await api.get('/messages', params)).messages[0] as { id: number; flags: string[] }
    }
    const flagsFor = async (user: TestUser) => (await noticeFor(user)).flags
    const { id: notice } = await noticeFor(first)
    const flag = async (op: string) =>
      expectSuccess(await first.api.post('/messages/flags', { messages: [notice], op, flag: 'read' }))
    const readers = async () =>
      expectSuccess(await large.owner.api.get(`/messages/${notice}/read_receipts`)).user_ids as number[]
    for (const user of [first, last]) expect(await flagsFor(user)).toEqual([])
    for (const user of [indifferent!, large.owner]) expect(await flagsFor(user)).toEqual(['read'])
    const others = await readers()
    expect(others).toContain(indifferent!.id)
    expect(others).not.toContain(first.id)
    await flag('add')
    expect(await flagsFor(first)).toEqual(['read'])
    expect(await readers()).toEqual([first.id, ...others].sort((a, b) => a - b))
    await flag('remove')
    expect(await flagsFor(first)).toEqual([])
    expect(await flagsFor(last)).toEqual([])
    await runAlarms(large, 10)
    await toggle('news')
    const left = await inRealm(large, ({ parts }) => parts.sql.all(`SELECT message_id FROM unread_notice`))
    expect(left).toEqual([])
  })

  async function crowd() {
    const { realm: large, channel: room } = await buildRealm({}, { channels: { channel: ['owner'] } })
    const people = await insertUsers(large, COUNT, room.id)
    await follow(large, room.id, 'news', people)
    return { realm: large, channel: room, people }
  }
})
