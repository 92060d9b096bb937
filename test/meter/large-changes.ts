import { expect } from 'vitest'
import type { ApiResponse } from '../support/api.ts'
import { expectSuccess, type TestRealm, type TestUser } from '../support/factories.ts'
import { insertInIndex } from '../support/inserted-messages.ts'
import { addChannels, changeRealm, insertUsers, subscribe } from '../support/inside.ts'
import { defaultPermissions, insertGroup, insertMembers, insertReminder } from '../support/inside-rows.ts'
import {
  CHANGES_OF_COMMIT,
  ENTRIES_AT_ONCE,
  LARGE_CHANGES_OF_COMMIT,
  ROWS_OF_ACCOUNT,
  ROWS_OF_SLICE,
} from '../support/limits.ts'
import { sendTo } from '../support/messages.ts'
import { systemGroupId } from '../support/system-groups.ts'
import { WEEK } from '../support/times.ts'
import type { Organization } from '../support/use-realm.ts'

/** Changes that take more than one commit (docs/reliability.md#changes-of-several-commits). test/house/changes-of-several-commits.test.ts knows which there are. */

/** An organization in which a change is made, alike each time. */
export type Alike = Organization<'ann' | 'ben' | 'guest' | 'zoe', 'from' | 'to'>

/** Prepares an organization, and returns the request that begins the change. */
export type LargeChange = (alike: Alike) => Promise<() => Promise<ApiResponse>>

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

const own = ({ id }: TestUser) => ({ direct_members: [id], direct_subgroups: [] })

/** Creates groups in which a user is, and which name them in two permissions: every second by its creator, as these are not stored. */
function enterGroups(realm: TestRealm, user: TestUser): Promise<void> {
  const [nobody, everyone] = [systemGroupId('role:nobody'), systemGroupId('role:everyone')]
  const settings = {
    can_add_members_group: own(user),
    can_join_group: nobody,
    can_leave_group: everyone,
    can_manage_group: own(user),
    can_mention_group: everyone,
    can_remove_members_group: nobody,
  }
  return changeRealm(realm, (tx) => {
    for (const at of numbers(0, CHANGES_OF_COMMIT + 10)) {
      const group = { name: `group ${at}`, description: '', createdAt: tx.now, settings }
      const id = insertGroup(tx.sql, { ...group, creatorId: at % 2 ? user.id : null })
      if (at % 2) tx.sql.run(`UPDATE user_group SET settings = '{}' WHERE id = ?`, id)
      insertMembers(tx.sql, id, [user.id])
    }
  })
}

/** By the operation or job that makes it. */
export const LARGE_CHANGES: Readonly<Record<string, LargeChange>> = {
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
  'erase-person': async ({ realm, owner, zoe, from }) => {
    await enter(realm, zoe, from.id, 2 * CHANGES_OF_COMMIT + 10)
    return () => owner.api.post(`/users/${zoe.id}/erase`, { messages: 'remove' })
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
  'announce-naming: of channels': async ({ realm, owner, zoe }) => {
    const settings = { ...defaultPermissions(null), can_administer_channel_group: own(zoe) }
    const names = numbers(1, CHANGES_OF_COMMIT + 30).map((at) => `made by Zoe ${at}`)
    await addChannels(realm, names, { settings })
    expectSuccess(await owner.api.delete(`/users/${zoe.id}`))
    return () => owner.api.post(`/users/${zoe.id}/reactivate`)
  },
  'announce-naming: of groups that name the account': async ({ realm, owner, zoe }) => {
    await enterGroups(realm, zoe)
    expectSuccess(await owner.api.delete(`/users/${zoe.id}`))
    return () => owner.api.post(`/users/${zoe.id}/reactivate`)
  },
  'announce-naming: to guests who do not see the account': async ({ realm, owner, zoe, from }) => {
    await enterGroups(realm, zoe)
    const { subscriptions } = expectSuccess(await zoe.api.get('/users/me/subscriptions'))
    const names = subscriptions.map(({ name }: { name: string }) => name)
    expect(names).toContain(from.name)
    expectSuccess(await zoe.api.patch('/users/me/subscriptions', { delete: names }))
    const members = { new: systemGroupId('role:members') }
    expectSuccess(await owner.api.patch('/realm', { can_access_all_users_group: members }))
    return () => owner.api.delete(`/users/${zoe.id}`)
  },
  'migrate-policies': async ({ realm, owner, ann, from }) => {
    const people = await insertUsers(realm, 2 * CHANGES_OF_COMMIT + 10, from.id)
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
