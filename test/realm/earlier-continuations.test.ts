import { expect, it } from 'vitest'
import { runAlarms } from '../support/alarms.ts'
import { keepAlarmsAway } from '../support/exports.ts'
import { expectSuccess } from '../support/factories.ts'
import { changeRealm, inRealm, insertUsers } from '../support/inside.ts'
import { insertReminder } from '../support/inside-rows.ts'
import { SCHEMA_STEPS } from '../support/inside-schema.ts'
import { sendTo } from '../support/messages.ts'
import { openQueue } from '../support/queues.ts'
import { MINUTE } from '../support/times.ts'
import { buildRealm } from '../support/use-realm.ts'

const STEP = SCHEMA_STEPS.find(({ name }) => name === 'continuations')!
const FOLLOWED = 3

it('what earlier builds have left to later commits is finished', async () => {
  keepAlarmsAway()
  const { realm, owner, ann, ben, from } = await buildRealm(
    { ann: 'member', ben: 'member' },
    { channels: { from: ['owner', 'ann', 'ben'] } },
  )
  const { id: fieldId } = expectSuccess(
    await owner.api.post('/realm/profile_fields', { field_type: 1, name: 'Team' }),
  )
  const { group_id: groupId } = expectSuccess(
    await owner.api.post('/user_groups/create', { name: 'few', description: '', members: [owner.id] }),
  )
  const [bot, lowered] = await insertUsers(realm, 2)
  const message = await sendTo(ben, from.id, 'plans')
  await sendTo(owner, from.id, 'elsewhere')
  const queue = await openQueue(owner, { event_types: ['realm_user', 'user_group'], fetch_event_types: [] })

  await changeRealm(realm, ({ sql, now, origin }) => {
    const leave = (kind: string, key: string | number, row?: readonly [key: string, left: unknown]) => {
      sql.run(`INSERT INTO job (kind, key, due_at) VALUES (?, ?, ?)`, kind, String(key), Math.floor(now))
      if (!row) return
      const value = typeof row[1] === 'number' ? row[1] : JSON.stringify(row[1])
      sql.run(`INSERT INTO meta (key, value) VALUES (?, ?)`, row[0], value)
    }
    const members = { userId: null, add: [ann.id], remove: [], added: [], removed: [], isSilent: true }
    leave('continue-group-change', groupId, [`group_change:${groupId}`, members])
    sql.run(`UPDATE user SET bot_type = 1, bot_owner_id = ? WHERE id IN (?, ?)`, ben.id, bot!.id, lowered!.id)
    leave('close-bots', ben.id, [`closing_bots:${ben.id}`, [bot!.id]])
    leave('announce-lowered-bots', ben.id, [`lowered_bots:${ben.id}`, [[lowered!.id, 200]]])
    sql.run(`UPDATE user SET profile_data = ? WHERE id = ?`, `{"${fieldId + 1}":{"value":"x"}}`, ann.id)
    leave('withdraw-profile-values', fieldId + 1, [`profile_withdrawal:${fieldId + 1}`, 0])
    const actions = {
      delete_profile: false,
      delete_public_channel_messages: true,
      delete_private_channel_messages: false,
      delete_direct_messages: false,
    }
    const erasure = { actions, accounts: [ben.id], above: 0, upTo: message }
    leave('erase-account', ben.id, [`erasing:${ben.id}`, erasure])
    leave('announce-naming', owner.id, [`announcing_naming:${owner.id}`, { part: 'memberships', above: 0 }])
    const gone = message + 1_000
    const texts = { content: 'a message', renderedContent: '<p>a message</p>', note: '', origin }
    insertReminder(sql, {
      userId: ann.id,
      messageId: gone,
      ...texts,
      dueAt: Math.floor(now) + MINUTE * MINUTE,
    })
    leave('remove-reminders', gone)
    sql.run(
      `INSERT INTO user_topic (user_id, channel_id, name_key, name, policy, updated_at) VALUES (?, ?, 'one', 'one', ?, 0)`,
      ann.id,
      from.id,
      FOLLOWED,
    )
    const topics = ['one', 'two', 'three']
    for (const at of [0, 1]) {
      const key = `policies:${String(at + 1).padStart(16, '0')} ${from.id} ${topics[at]}`
      const moved = {
        from: { channelId: from.id, topic: topics[at] },
        to: { channelId: from.id, topic: topics[at + 1] },
        ...{ targetHadMessages: false, newestMessageId: message, at: Math.floor(now), after: 0 },
      }
      sql.run(`INSERT INTO meta (key, value) VALUES (?, ?)`, key, JSON.stringify(moved))
    }
    leave('migrate-policies', '')
    for (const statement of STEP.statements) sql.run(statement)
  })
  await runAlarms(realm, 4, 2)

  const { members } = expectSuccess(await owner.api.get(`/user_groups/${groupId}/members`))
  expect(members).toEqual([owner.id, ann.id])
  const { members: users } = expectSuccess(
    await owner.api.get('/users', { include_custom_profile_fields: true }),
  )
  const userOf = (id: number) => users.find((user: { user_id: number }) => user.user_id === id)
  expect(userOf(bot!.id)).toMatchObject({ is_active: false })
  expect(userOf(lowered!.id)).toMatchObject({ is_active: true })
  expect(userOf(ann.id).profile_data).toEqual({})
  expect((await owner.api.get(`/messages/${message}`)).body).toMatchObject({ result: 'error' })
  expect(expectSuccess(await ann.api.get('/reminders')).reminders).toEqual([])
  const { snapshot } = await openQueue(ann, { fetch_event_types: ['user_topic'] })
  expect(snapshot.user_topics).toMatchObject([{ topic_name: 'three', visibility_policy: FOLLOWED }])
  const told = (await queue.events()).map(({ op, group_id, user_ids, person }) => [
    ...[op, group_id, user_ids ?? person?.user_id],
  ])
  expect(told).toContainEqual(['update', undefined, lowered!.id])
  expect(told).toContainEqual(['add_members', groupId, [owner.id]])
  expect(
    await inRealm(realm, ({ parts: { sql } }) => [
      ...sql.values(`SELECT key FROM meta WHERE key LIKE '%:%' AND key NOT LIKE 'push%'`),
      ...sql.values(`SELECT key FROM job WHERE kind LIKE '%-change'`),
    ]),
  ).toEqual([])
})
