import { expect, it } from 'vitest'
import type { ParameterValue } from '../../support/api.ts'
import { buildUser, expectSuccess, reopen, type TestUser } from '../../support/factories.ts'
import { buildBot, insertUsers } from '../../support/inside.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { systemGroupId } from '../../support/system-groups.ts'
import { useRealmPerTest } from '../../support/use-realm.ts'

const { realm, admin, ann, ben, guest } = useRealmPerTest({
  admin: 'administrator',
  ann: 'member',
  ben: 'member',
  guest: 'guest',
})

interface Target {
  readonly user_ids?: readonly number[]
  readonly group_ids?: readonly number[]
  readonly skip_if_already_edited?: boolean
}

const change = (by: TestUser, target: Target, settings: Record<string, ParameterValue>) =>
  by.api.patch('/settings', { target_users: { skip_if_already_edited: false, ...target }, ...settings })

const settingsOf = async (user: TestUser) =>
  (await openQueue(user, { fetch_event_types: ['user_settings'] })).snapshot.user_settings

it('others’ settings are changed by administrators, with events to these people alone', async () => {
  const [owns, anns, bens] = [await openQueue(admin), await openQueue(ann), await openQueue(ben)]
  const wanted = { color_scheme: 2, twenty_four_hour_time: true }
  expectSuccess(await change(admin, { user_ids: [ann.id, guest.id] }, wanted))
  expect(await anns.events()).toMatchObject([
    { type: 'user_settings', op: 'update', property: 'twenty_four_hour_time', value: true },
    { type: 'user_settings', op: 'update', property: 'color_scheme', value: 2 },
  ])
  expect([await owns.events(), await bens.events()]).toEqual([[], []])
  for (const user of [ann, guest]) expect(await settingsOf(user)).toMatchObject(wanted)
  for (const user of [admin, ben]) expect(await settingsOf(user)).toMatchObject({ color_scheme: 1 })
  expectSuccess(await change(admin, { user_ids: [ann.id] }, wanted))
  expect(await anns.events()).toEqual([])
  const { entries } = expectSuccess(await realm.owner.api.get('/audit_log', { action: 'settings_changed' }))
  expect(entries).toMatchObject([
    { actor_id: admin.id, details: { color_scheme: 2, twenty_four_hour_time: true, users: 2, groups: [] } },
  ])
})

it('others’ settings are changed for groups and their subgroups, closed accounts too, but no bots', async () => {
  const bot = await buildBot(realm, ann)
  const make = async (name: string, members: readonly number[], subgroups: readonly number[] = []) =>
    expectSuccess(await ann.api.post('/user_groups/create', { name, description: '', members, subgroups }))
      .group_id
  const inner = await make('inner', [ann.id, bot.id])
  const outer = await make('outer', [guest.id], [inner])
  expectSuccess(await realm.owner.api.delete(`/users/${ben.id}`))
  const target = { group_ids: [outer], user_ids: [ben.id, bot.id] }
  expectSuccess(await change(realm.owner, target, { enter_sends: false }))
  const reopened = await reopen(realm, ben)
  for (const user of [ann, reopened, guest])
    expect(await settingsOf(user)).toMatchObject({ enter_sends: false })
  expect(await settingsOf(admin)).toMatchObject({ enter_sends: true })
})

it('settings that users have changed themselves are kept on request', async () => {
  expectSuccess(await ann.api.patch('/settings', { color_scheme: 2 }))
  expectSuccess(await ann.api.patch('/settings', { color_scheme: 1 }))
  const gently = { user_ids: [ann.id, ben.id], skip_if_already_edited: true }
  expectSuccess(await change(admin, gently, { color_scheme: 3, enter_sends: true }))
  expect(await settingsOf(ann)).toMatchObject({ color_scheme: 1, enter_sends: true })
  expect(await settingsOf(ben)).toMatchObject({ color_scheme: 3, enter_sends: true })
  // What an administrator has chosen is not the person's own choice.
  expectSuccess(await change(admin, gently, { color_scheme: 2, enter_sends: false }))
  expect(await settingsOf(ann)).toMatchObject({ color_scheme: 1, enter_sends: false })
  expect(await settingsOf(ben)).toMatchObject({ color_scheme: 2, enter_sends: false })
  expectSuccess(await change(admin, { user_ids: [ann.id] }, { color_scheme: 3 }))
  expect(await settingsOf(ann)).toMatchObject({ color_scheme: 3 })
})

it('others’ settings are kept where the organization’s defaults gave them another value', async () => {
  expectSuccess(await admin.api.patch('/realm/user_settings_defaults', { color_scheme: 2 }))
  const newMember = await buildUser(realm)
  expect(await settingsOf(newMember)).toMatchObject({ color_scheme: 2 })
  const gently = { user_ids: [newMember.id], skip_if_already_edited: true }
  expectSuccess(await change(admin, gently, { color_scheme: 3 }))
  expect(await settingsOf(newMember)).toMatchObject({ color_scheme: 3 })
})

it('others’ settings are refused with these texts, and then nothing changes', async () => {
  const wanted = { color_scheme: 2 }
  const them = { user_ids: [ann.id] }
  const administrators = 'Must be an organization administrator'
  for (const user of [ben, guest]) {
    const answer = await change(user, them, wanted)
    expectRefusal(answer, administrators, { status: 400, code: 'UNAUTHORIZED_PRINCIPAL' })
  }
  const bot = await buildBot(realm, admin)
  expectRefusal(await change(bot, them, wanted), 'This endpoint does not accept bot requests.')
  for (const target of [{}, { user_ids: [] }, { group_ids: [], user_ids: [] }]) {
    expectRefusal(await change(admin, target, wanted), 'Either user_ids or group_ids must be provided.')
  }
  const own = 'Cannot change this setting for other users.'
  const settingsOfOneself: Record<string, ParameterValue>[] = [
    { full_name: 'Mallory' },
    { email: 'new@example.com' },
    { new_password: 'new password', old_password: 'old password' },
    { timezone: 'Europe/Berlin' },
    { allow_private_data_export: true },
    { email_address_visibility: 4 },
    { enable_digest_emails: false },
    { enable_login_emails: false },
    { enable_marketing_emails: false },
    { presence_enabled: false },
    { send_private_typing_notifications: false },
    { send_read_receipts: false },
    { send_stream_typing_notifications: false },
  ]
  for (const one of settingsOfOneself) {
    expectRefusal(await change(admin, them, { ...wanted, ...one }), own)
  }
  const stranger = 9_999_999
  expectRefusal(await change(admin, { user_ids: [ann.id, stranger] }, wanted), `Invalid user ID: ${stranger}`)
  expectRefusal(await change(admin, { group_ids: [stranger] }, wanted), `Invalid user group ID: ${stranger}`)
  expectRefusal(await change(admin, them, { ...wanted, web_home_view: 'nowhere' }), 'Invalid web_home_view')
  const unsaid = await admin.api.patch('/settings', { target_users: { user_ids: [ann.id] }, ...wanted })
  expect(unsaid).toMatchObject({ status: 400, body: { result: 'error', code: 'BAD_REQUEST' } })
  expectUnauthorized(await realm.anonymous.patch('/settings', { target_users: them, ...wanted }))
  for (const user of [ann, admin]) expect(await settingsOf(user)).toMatchObject({ color_scheme: 1 })
})

it('others’ settings are changed in several commits where the people are many', async () => {
  const people = await insertUsers(realm, 520)
  const target = { group_ids: [systemGroupId('role:members')] }
  const wanted = { color_scheme: 2, enter_sends: true }
  expectSuccess(await change(admin, target, wanted))
  for (const user of [ann, people[0]!, people[260]!, people.at(-1)!]) {
    expect(await settingsOf(user)).toMatchObject(wanted)
  }
  expect(await settingsOf(guest)).toMatchObject({ color_scheme: 1 })
})
