import { beforeEach, expect, it, vi } from 'vitest'
import { runAlarms } from '../support/alarms.ts'
import type { ApiResponse } from '../support/api.ts'
import { keepAlarmsAway } from '../support/exports.ts'
import { expectSuccess, type TestRealm, type TestUser } from '../support/factories.ts'
import { insertInIndex } from '../support/inserted-messages.ts'
import { addChannels, changeRealm, inRealm, insertUsers, subscribe } from '../support/inside.ts'
import { insertGroup, insertMembers, insertReminder } from '../support/inside-rows.ts'
import {
  CHANGES_OF_COMMIT,
  ENTRIES_AT_ONCE,
  LARGE_CHANGES_OF_COMMIT,
  ROWS_OF_ACCOUNT,
  ROWS_OF_SLICE,
} from '../support/limits.ts'
import { sendTo } from '../support/messages.ts'
import { openQueue, type TestEvent } from '../support/queues.ts'
import { WEEK } from '../support/times.ts'
import { buildRealm, type Organization } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

/*
 * Every change that takes more than one commit (docs/reliability.md#changes-of-several-commits), made three times in organizations that are
 * alike: whole, cut by a crash after its first commit, and after a later one. Nobody asks again; state and events must be the same.
 * test/house/changes-of-several-commits.test.ts knows which there are.
 */

type Alike = Organization<'ann' | 'ben' | 'guest' | 'zoe', 'from' | 'to'>

/** Prepares an organization, and returns the request that begins the change. */
type Case = (alike: Alike) => Promise<() => Promise<ApiResponse>>

const enter = (realm: TestRealm, sender: TestUser, channelId: number, count: number) =>
  insertInIndex(realm, sender, { channelId, topic: 'long', count })
const idsOf = (users: readonly TestUser[]) => users.map(({ id }) => id)
const numbers = (first: number, count: number) => Array.from({ length: count }, (_, at) => first + at)

/** Gives Zoe many bots. */
async function insertBots({ realm, zoe }: Alike, count: number): Promise<void> {
  const bots = await insertUsers(realm, count)
  await changeRealm(realm, ({ sql }) =>
    sql.run(
      `UPDATE user SET bot_type = 1, bot_owner_id = ? WHERE id IN (SELECT value FROM json_each(?))`,
      zoe.id,
      JSON.stringify(idsOf(bots)),
    ),
  )
}

const CASES: Readonly<Record<string, Case>> = {
  'update-message': async ({ realm, owner, ann, from, to }) => {
    const first = await enter(realm, ann, from.id, 2 * CHANGES_OF_COMMIT + 10)
    return () => owner.api.patch(`/messages/${first}`, { stream_id: to.id, propagate_mode: 'change_all' })
  },
  'delete-topic': async ({ realm, owner, ann, from }) => {
    await enter(realm, ann, from.id, 2 * CHANGES_OF_COMMIT + 10)
    return () => owner.api.post(`/streams/${from.id}/delete_topic`, { topic_name: 'long' })
  },
  unsubscribe: async ({ realm, owner, from, to }) => {
    const people = await insertUsers(realm, 3 * LARGE_CHANGES_OF_COMMIT, from.id)
    await changeRealm(realm, (tx) => subscribe(tx, to.id, idsOf(people)))
    const request = { subscriptions: [from.name, to.name], principals: idsOf(people) }
    return () => owner.api.delete('/users/me/subscriptions', request)
  },
  subscribe: async ({ realm, owner, to }) => {
    const people = await insertUsers(realm, 2 * CHANGES_OF_COMMIT + 10)
    const subscriptions = [{ name: to.name }, { name: 'new' }]
    return () => owner.api.post('/users/me/subscriptions', { subscriptions, principals: idsOf(people) })
  },
  'update-subscriptions': async ({ realm, ann }) => {
    const count = 2 * LARGE_CHANGES_OF_COMMIT + 5
    const [left, joined] = ['left', 'joined'].map((name) => numbers(1, count).map((at) => `${name} ${at}`))
    const ids = await addChannels(realm, left!)
    await addChannels(realm, joined!)
    await changeRealm(realm, (tx) => {
      for (const id of ids) subscribe(tx, id, [ann.id])
    })
    const add = joined!.map((name) => ({ name }))
    return () => ann.api.patch('/users/me/subscriptions', { add, delete: left! })
  },
  'create-channel': async ({ realm, owner }) => {
    const subscribers = idsOf(await insertUsers(realm, 2 * CHANGES_OF_COMMIT + 10))
    return () => owner.api.post('/channels/create', { name: 'new', subscribers, invite_only: true })
  },
  'update-settings': async ({ realm, owner }) => {
    const user_ids = idsOf(await insertUsers(realm, 2 * CHANGES_OF_COMMIT + 10))
    const target_users = { user_ids, skip_if_already_edited: false }
    return () => owner.api.patch('/settings', { target_users, starred_message_counts: false })
  },
  'mute-user': async ({ realm, ann, ben, from }) => {
    await enter(realm, ben, from.id, 2 * ENTRIES_AT_ONCE + 10)
    return () => ann.api.post(`/users/me/muted_users/${ben.id}`)
  },
  'update-flags': async ({ realm, ann, ben, from }) => {
    const count = 2 * ENTRIES_AT_ONCE + 10
    const messages = numbers(await enter(realm, ben, from.id, count), count)
    return () => ann.api.post('/messages/flags', { messages, op: 'add', flag: 'starred' })
  },
  'update-flags-for-narrow': async ({ realm, ann, ben, from }) => {
    await enter(realm, ben, from.id, 3 * ENTRIES_AT_ONCE)
    const window = { anchor: 'oldest', num_before: 0, num_after: 3 * ENTRIES_AT_ONCE }
    const narrow = [{ operator: 'channel', operand: from.id }]
    return () => ann.api.post('/messages/flags/narrow', { ...window, narrow, op: 'add', flag: 'read' })
  },
  'mark-channel-read': async ({ realm, ann, ben, from }) => {
    await enter(realm, ben, from.id, 3 * ROWS_OF_SLICE)
    return () => ann.api.post('/mark_stream_as_read', { stream_id: from.id })
  },
  'mark-topic-read': async ({ realm, ann, ben, from }) => {
    await enter(realm, ben, from.id, 3 * ROWS_OF_SLICE)
    return () => ann.api.post('/mark_topic_as_read', { stream_id: from.id, topic_name: 'long' })
  },
  'continue-group-change': async ({ realm, owner }) => {
    const people = await insertUsers(realm, 3 * LARGE_CHANGES_OF_COMMIT)
    const group = { name: 'many', description: '', members: [] }
    const { group_id } = expectSuccess(await owner.api.post('/user_groups/create', group))
    return () => owner.api.post(`/user_groups/${group_id}/members`, { add: idsOf(people) })
  },
  'erase-account': async ({ realm, owner, zoe, from }) => {
    await enter(realm, zoe, from.id, 2 * CHANGES_OF_COMMIT + 10)
    const actions = { delete_profile: true, delete_public_channel_messages: true }
    return () => owner.api.delete(`/users/${zoe.id}`, { actions })
  },
  'withdraw-profile-values': async ({ realm, owner }) => {
    const people = await insertUsers(realm, 2 * CHANGES_OF_COMMIT + 10)
    const field = { field_type: 1, name: 'Team' }
    const { id } = expectSuccess(await owner.api.post('/realm/profile_fields', field))
    const data = JSON.stringify({ [id]: { value: 'x' } })
    await changeRealm(realm, ({ sql }) =>
      sql.run(
        `UPDATE user SET profile_data = ? WHERE id IN (SELECT value FROM json_each(?))`,
        data,
        JSON.stringify(idsOf(people)),
      ),
    )
    return () => owner.api.delete(`/realm/profile_fields/${id}`)
  },
  'close-bots': async (alike) => {
    await insertBots(alike, 2 * Math.floor(ROWS_OF_SLICE / ROWS_OF_ACCOUNT) + 5)
    return () => alike.owner.api.delete(`/users/${alike.zoe.id}`)
  },
  'announce-lowered-bots': async (alike) => {
    await insertBots(alike, 2 * LARGE_CHANGES_OF_COMMIT + 5)
    return () => alike.owner.api.patch(`/users/${alike.zoe.id}`, { role: 600 })
  },
  'announce-naming': async ({ realm, owner, zoe }) => {
    expectSuccess(await owner.api.delete(`/users/${zoe.id}`))
    await changeRealm(realm, (tx) => {
      for (const at of numbers(1, 2 * CHANGES_OF_COMMIT + 10)) {
        const group = { name: `group ${at}`, description: '', createdAt: tx.now, creatorId: null }
        insertMembers(tx.sql, insertGroup(tx.sql, { ...group, settings: {} as never }), [zoe.id])
      }
    })
    return () => owner.api.post(`/users/${zoe.id}/reactivate`)
  },
  'migrate-policies': async ({ realm, owner, ann, from }) => {
    const people = await insertUsers(realm, CHANGES_OF_COMMIT + 10, from.id)
    const id = await sendTo(ann, from.id, 'plans')
    await changeRealm(realm, ({ sql }) =>
      sql.run(
        `INSERT INTO user_topic (user_id, channel_id, name_key, name, policy, updated_at)
         SELECT value, ?, 'plans', 'plans', 3, 0 FROM json_each(?)`,
        from.id,
        JSON.stringify(idsOf(people)),
      ),
    )
    return () => owner.api.patch(`/messages/${id}`, { topic: 'other', propagate_mode: 'change_all' })
  },
  'remove-reminders': async ({ realm, owner, ann, ben, from }) => {
    const messageId = await sendTo(ann, from.id, 'plans')
    await changeRealm(realm, (tx) => {
      const dueAt = Math.floor(tx.now) + WEEK
      const texts = { content: 'a message', renderedContent: '<p>a message</p>', note: '', origin: tx.origin }
      for (const _ of numbers(1, 2 * CHANGES_OF_COMMIT + 10)) {
        const id = insertReminder(tx.sql, { userId: ben.id, messageId, ...texts, dueAt })
        tx.schedule({ kind: 'deliver-reminder', key: String(id), dueAt })
      }
    })
    return () => owner.api.delete(`/messages/${messageId}`)
  },
  'update-subscription-settings': async ({ ann, from }) => {
    const subscription_data = numbers(0, 2 * CHANGES_OF_COMMIT + 11).map((at) => ({
      stream_id: from.id,
      property: 'pin_to_top',
      value: at % 2 === 0,
    }))
    return () => ann.api.post('/users/me/subscriptions/properties', { subscription_data })
  },
}

/** What is not the state of the organization, or differs by name and time alone. */
const OTHER_TABLES =
  /^(log|job|queue|meta|first_answer.*|schema_step|client|known_program|tail_block|email|sqlite_.*|_cf_.*)$/
const OTHER_COLUMNS =
  /(_at|_event|_key|email|full_name|hash|uuid|seq|secret|bytes|name)$|^(at|since|details|entries|value)$/

/** Returns the rows of all tables. */
function stateOf(realm: TestRealm): Promise<Record<string, string[]>> {
  return inRealm(realm, ({ parts: { sql } }) => {
    const tables = sql.values<string>(`SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`)
    return Object.fromEntries(
      tables
        .filter((table) => !OTHER_TABLES.test(table))
        .map((table) => [
          table,
          sql
            .all<Record<string, unknown>>(`SELECT * FROM ${table}`)
            .map((row) =>
              JSON.stringify(
                Object.entries(row).filter(([column]) => !OTHER_COLUMNS.test(column)),
                (_, value) => (value instanceof ArrayBuffer ? [...new Uint8Array(value)] : value),
              ),
            )
            .sort(),
        ]),
    )
  })
}

/** Returns an event without its id, times and what the organization is called. */
function told({ id: _, ...event }: TestEvent, { host }: TestRealm): string {
  return JSON.stringify(event)
    .replaceAll(host, 'HOST')
    .replaceAll(host.split('.')[0]!, 'HOST')
    .replaceAll(/Person \d+/g, 'Person')
    .replaceAll(/person-\d+/g, 'person')
    .replaceAll(/"(\w*timestamp|date_\w+|last_updated|avatar_url)":("[^"]*"|[\d.]+)/g, '"$1":0')
}

/** Makes the change of a case. `cutAfter`: the number of its commits after which the object is stopped. */
async function make(one: Case, cutAfter?: number) {
  const alike = await buildRealm(
    { ann: 'member', ben: 'member', guest: 'guest', zoe: 'member' },
    {
      channels: {
        from: ['owner', 'ann', 'ben', 'guest', 'zoe'],
        to: { subscribers: ['owner', 'ann'], invite_only: true, history_public_to_subscribers: false },
      },
    },
  )
  const { realm, owner, ann, ben, guest } = alike
  const ask = await one(alike)
  const queues = []
  for (const user of [owner, ann, ben, guest]) queues.push(await openQueue(user, { fetch_event_types: [] }))
  let commits = 0
  world.stopsAt = (point) => {
    if (point === 'committed') commits += 1
    return point === 'committed' && commits === cutAfter
  }
  const answer = await ask()
  const inRequest = commits
  // A stop after the last commit of a request may let its answer pass.
  if (cutAfter === undefined || cutAfter > inRequest) expectSuccess(answer)
  // Nobody asks again. The object may be stopped within an alarm.
  for (let run = 0; run < 8; run += 1) await runAlarms(realm, 1, 70).catch(() => {})
  world.stopsAt = () => false
  const events = []
  for (const queue of queues) events.push((await queue.events()).map((event) => told(event, realm)))
  const left = await inRealm(realm, ({ parts: { sql } }) =>
    sql.values<string>(`SELECT key FROM meta WHERE key LIKE 'change%' OR key LIKE 'continuation%'`),
  )
  return { inRequest, commits, events, left, state: await stateOf(realm) }
}

beforeEach(() => {
  keepAlarmsAway()
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})

it.each(Object.entries(CASES))('%s, cut by a crash, ends as if it had not been cut', async (_, one) => {
  const whole = await make(one)
  expect(whole.left).toEqual([])
  expect(whole.commits).toBeGreaterThan(1)
  const later = 2 + Math.floor(Math.random() * (whole.commits - 2))
  for (const cutAfter of new Set([1, later])) {
    const cut = await make(one, cutAfter)
    expect(cut.commits).toBeGreaterThanOrEqual(cutAfter)
    const where = `cut after ${cutAfter} of ${whole.commits} commits, ${whole.inRequest} of them in the request`
    expect(cut.left, where).toEqual([])
    expect(cut.state, where).toEqual(whole.state)
    expect(cut.events, where).toEqual(whole.events)
  }
})
