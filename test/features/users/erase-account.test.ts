import { expect, it } from 'vitest'
import { runAlarms } from '../../support/alarms.ts'
import { withApp } from '../../support/authenticator-app.ts'
import { Browser } from '../../support/browsing.ts'
import { leftAfterFirstCommit } from '../../support/commits.ts'
import { keepAlarmsAway } from '../../support/exports.ts'
import {
  atLevel,
  buildChannel,
  createBot,
  expectSuccess,
  reopen,
  type TestUser,
} from '../../support/factories.ts'
import { PNG } from '../../support/images.ts'
import { insertInIndex } from '../../support/inserted-messages.ts'
import { changeRealm, inRealm } from '../../support/inside.ts'
import { fillPostings } from '../../support/inside-rows.ts'
import { CHANGES_OF_COMMIT } from '../../support/limits.ts'
import { addLoginProvider, connectTo } from '../../support/login-identities.ts'
import { idsIn, sendDirect, sendTo } from '../../support/messages.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { postFiles } from '../../support/uploads.ts'
import { useRealmPerTest } from '../../support/use-realm.ts'

const { realm, admin, ann, ben, guest } = useRealmPerTest({
  admin: 'administrator',
  ann: 'member',
  ben: 'member',
  guest: 'guest',
})

type Action =
  | 'delete_profile'
  | 'delete_public_channel_messages'
  | 'delete_private_channel_messages'
  | 'delete_direct_messages'

const close = (user: TestUser, actions: readonly Action[], by: TestUser = admin) =>
  by.api.delete(`/users/${user.id}`, { actions: Object.fromEntries(actions.map((action) => [action, true])) })

const found = (channel: string) => idsIn(ben, [{ operator: 'channel', operand: channel }])

const userOf = async (id: number, reader: TestUser = ben) =>
  expectSuccess(
    await reader.api.get(`/users/${id}`, { client_gravatar: false, include_custom_profile_fields: true }),
  ).user

it('an erased account has no name, picture, address, profile, status or time zone', async () => {
  const field = expectSuccess(
    await admin.api.post('/realm/profile_fields', { name: 'Motto', field_type: 1 }),
  ).id
  expectSuccess(await ann.api.patch('/users/me/profile_data', { data: [{ id: field, value: 'carpe diem' }] }))
  expectSuccess(await ann.api.post('/users/me/status', { status_text: 'here' }))
  expectSuccess(await ann.api.patch('/settings', { timezone: 'Europe/Berlin' }))
  expectSuccess(await postFiles(ann, '/users/me/avatar', [{ name: 'ann.png', ...PNG }]))
  const before = await userOf(ann.id)
  const queue = await openQueue(atLevel(ben, 510))
  expectSuccess(await close(ann, ['delete_profile']))
  const address = `deleteduser${ann.id}@${realm.host}`
  const after = await userOf(ann.id)
  expect(after).toMatchObject({
    is_active: false,
    is_deleted: true,
    full_name: 'Deleted user',
    email: address,
    delivery_email: address,
    timezone: '',
    profile_data: {},
  })
  expect([before.avatar_url, before.delivery_email]).not.toContain(after.avatar_url)
  expect(JSON.stringify(after)).not.toContain(ann.email)
  const events = await queue.events()
  const people = events.filter(({ type }) => type === 'realm_user').map(({ person }) => person)
  expect(people[0]).toEqual({ user_id: ann.id, is_active: false })
  expect(people).toContainEqual({ user_id: ann.id, full_name: 'Deleted user' })
  expect(people).toContainEqual({ user_id: ann.id, new_email: address })
  expect(people.at(-1)).toEqual({ user_id: ann.id, is_active: false, is_deleted: true })
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'user_status', user_id: ann.id, status_text: '' }),
  )
  const { snapshot } = await openQueue(ben)
  const shown = snapshot.realm_non_active_users.find(({ user_id }: { user_id: number }) => user_id === ann.id)
  expect(shown).toMatchObject({ is_deleted: true, full_name: 'Deleted user' })
  expect(snapshot.user_status[ann.id]).toBeUndefined()
  expect(await userOf(ben.id)).not.toHaveProperty('is_deleted')
})

it('an erased account leaves nothing with which anybody logged in to it', async () => {
  await withApp(ann)
  await new Browser(realm.host).logIn(ann.email, 'a fine password')
  await connectTo(realm, await addLoginProvider(realm, 'work'), ann)
  await changeRealm(realm, ({ sql }) => {
    sql.run(
      `INSERT INTO passkey (user_id, credential_id, public_key, counter, transports, is_backed_up, is_verified, name, made_at)
       VALUES (?, 'id', 'key', 0, '[]', 0, 1, 'Key', 7)`,
      ann.id,
    )
    sql.run(`INSERT INTO known_program (user_id, program, at) VALUES (?, 'Firefox Linux', 7)`, ann.id)
    sql.run(`INSERT INTO login_network_user (network, user_id, at) VALUES ('192.0.2.1', ?, 7)`, ann.id)
  })
  const tables = ['login_identity', 'totp', 'passkey', 'recovery_code', 'known_program', 'login_network_user']
  const left = () =>
    changeRealm(realm, ({ sql }) =>
      tables.filter((table) => sql.first(`SELECT 1 FROM ${table} WHERE user_id = ?`, ann.id)),
    )
  expect(await left()).toEqual(tables)
  expectSuccess(await close(ann, ['delete_profile']))
  expect(await left()).toEqual([])
})

it('an erased account stays closed, and its address is free for another one', async () => {
  expectSuccess(await close(ann, ['delete_profile']))
  const again = await admin.api.post(`/users/${ann.id}/reactivate`)
  expectRefusal(again, 'Deleted users cannot be reactivated.')
  const created = await realm.owner.api.post('/users', {
    email: ann.email,
    full_name: 'Another Ann',
    password: 'correct horse battery',
  })
  expect(expectSuccess(created).user_id).not.toBe(ann.id)
  expect(await userOf(ann.id)).toMatchObject({ full_name: 'Deleted user', is_active: false })
})

it('an erased account without delete_profile keeps its profile, and can be opened again', async () => {
  const open = await buildChannel([ann, ben])
  const id = await sendTo(ann, open.name, 'plans', 'hello')
  expectSuccess(await close(ann, ['delete_public_channel_messages']))
  expect(await found(open.name)).not.toContain(id)
  const after = await userOf(ann.id)
  expect(after).toMatchObject({ full_name: ann.fullName, email: ann.email, is_active: false })
  expect(after).not.toHaveProperty('is_deleted')
  await reopen(realm, ann)
  const later = await sendTo(ann, open.name, 'plans', 'back')
  await runAlarms(realm, 1, 61)
  expect(await found(open.name)).toContain(later)
})

it.each<[Action, string[]]>([
  ['delete_public_channel_messages', ['public', 'bot']],
  ['delete_private_channel_messages', ['private']],
  ['delete_direct_messages', ['direct']],
])('an erasure with %s deletes these messages, of bots too, and no others', async (action, kinds) => {
  const open = await buildChannel([ann, ben])
  const secret = await buildChannel([ann, ben], { invite_only: true })
  const bot = await createBot(ann, 'Ann Bot')
  const sent: Record<string, number> = {
    public: await sendTo(ann, open.name, 'plans', 'public'),
    private: await sendTo(ann, secret.name, 'plans', 'private'),
    direct: await sendDirect(ann, [ben], 'direct'),
    bot: await sendTo(bot, open.name, 'plans', 'by a bot'),
    others: await sendTo(ben, open.name, 'plans', 'by ben'),
    toAnn: await sendDirect(ben, [ann], 'to ann'),
  }
  const queue = await openQueue(ben)
  expectSuccess(await close(ann, [action]))
  const left = async (id: number) => (await ben.api.get(`/messages/${id}`)).status === 200
  const gone: string[] = []
  for (const [kind, id] of Object.entries(sent)) if (!(await left(id))) gone.push(kind)
  expect(gone).toEqual(kinds)
  const ids = (await queue.eventsOf('delete_message')).flatMap(({ message_ids }) => message_ids)
  expect(ids.sort((a, b) => a - b)).toEqual(kinds.map((kind) => sent[kind]))
  const { entries } = expectSuccess(
    await realm.owner.api.get('/audit_log', { action: 'user_deactivated', limit: 1 }),
  )
  expect(entries).toMatchObject([{ details: { user_id: ann.id, [action]: true, delete_profile: false } }])
})

it('an erasure of thousands of messages takes several commits, and other messages stay', async () => {
  const { id: channelId, name } = await buildChannel([ann, ben])
  const first = await sendTo(ben, name, 'long', 'first')
  await insertInIndex(realm, ann, { channelId, topic: 'long', count: 2 * CHANGES_OF_COMMIT })
  await insertInIndex(realm, ben, { channelId, topic: 'long', count: 4_200 })
  await insertInIndex(realm, ann, { channelId, topic: 'long', count: 20 })
  await changeRealm(realm, (tx) => void fillPostings(tx))
  const last = await sendTo(ann, name, 'other', 'last')
  const countOf = (user: TestUser) =>
    inRealm(
      realm,
      ({ parts: { sql } }) =>
        sql.first<{ n: number }>('SELECT count(*) AS n FROM message_index WHERE sender_id = ?', user.id)!.n,
    )
  const others = await countOf(ben)
  expect(await countOf(ann)).toBeGreaterThan(2 * CHANGES_OF_COMMIT)
  expectSuccess(await close(ann, ['delete_public_channel_messages']))
  expect([await countOf(ann), await countOf(ben)]).toEqual([0, others])
  expect(await found(name)).toContain(first)
  expect(await found(name)).not.toContain(last)
})

it('an erasure that a request has left is ended by the organization itself', async () => {
  keepAlarmsAway()
  const { id: channelId } = await buildChannel([ann, ben])
  await insertInIndex(realm, ann, { channelId, topic: 'long', count: 2 * CHANGES_OF_COMMIT })
  const bot = await createBot(ann, 'Left Bot')
  const actions: Action[] = ['delete_profile', 'delete_public_channel_messages']
  expect(await leftAfterFirstCommit(() => close(ann, actions))).toBe(true)
  expect(await userOf(ann.id)).toMatchObject({ is_deleted: true })
  expect(await userOf(bot.id)).not.toHaveProperty('is_deleted')
  await runAlarms(realm, 1, 61)
  await runAlarms(realm, 5, 2)
  const left = await inRealm(realm, ({ parts: { sql } }) => [
    ...sql.all('SELECT id FROM message_index WHERE sender_id = ?', ann.id),
    ...sql.all(`SELECT key FROM meta WHERE key LIKE 'continuation:erase-account:%'`),
    ...sql.all(`SELECT key FROM job WHERE kind = 'finish-change'`),
  ])
  expect(left).toEqual([])
  expect(await userOf(bot.id)).toMatchObject({
    is_deleted: true,
    is_active: false,
    full_name: 'Deleted user',
  })
})

it('an erasure is refused to those who may not close the account, and deletes nothing', async () => {
  const open = await buildChannel([ann, ben])
  const id = await sendTo(ann, open.name, 'plans', 'hello')
  const all: Action[] = ['delete_profile', 'delete_public_channel_messages', 'delete_direct_messages']
  for (const user of [ben, guest, ann]) {
    expectRefusal(await close(ann, all, user), 'Insufficient permission')
  }
  expectRefusal(await close(realm.owner, all), 'Must be an organization owner', {
    status: 400,
    code: 'UNAUTHORIZED_PRINCIPAL',
  })
  const wrong = await admin.api.delete(`/users/${ann.id}`, { actions: { delete_profile: 'yes' } })
  expect(wrong).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
  expect(await userOf(ann.id)).toMatchObject({ full_name: ann.fullName, is_active: true })
  expect(await found(open.name)).toContain(id)
})
