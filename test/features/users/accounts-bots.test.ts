import { beforeEach, expect, it } from 'vitest'
import { runAlarms } from '../../support/alarms.ts'
import { keepAlarmsAway } from '../../support/exports.ts'
import { expectSuccess } from '../../support/factories.ts'
import { changeRealm, inRealm, insertUsers } from '../../support/inside.ts'
import { LARGE_CHANGES_OF_COMMIT, ROWS_OF_ACCOUNT, ROWS_OF_SLICE } from '../../support/limits.ts'
import { openQueue } from '../../support/queues.ts'
import { buildRealm } from '../../support/use-realm.ts'

const AT_ONCE = Math.floor(ROWS_OF_SLICE / ROWS_OF_ACCOUNT)
const MORE = 15

// The object's own alarm would close further bots between two requests.
beforeEach(keepAlarmsAway)

/** An organization in which a user owns more bots than one commit closes. */
async function arrange(count = AT_ONCE + MORE) {
  const { realm, owner, ann, ben } = await buildRealm({ ann: 'member', ben: 'member' })
  const bots = await insertUsers(realm, count)
  const ids = bots.map(({ id }) => id)
  await changeRealm(realm, ({ sql }) =>
    sql.run(
      `UPDATE user SET bot_type = 1, bot_owner_id = ? WHERE id IN (SELECT value FROM json_each(?))`,
      ann.id,
      JSON.stringify(ids),
    ),
  )
  const closed = async () => {
    const { members } = expectSuccess(await owner.api.get('/users'))
    return ids.filter((id) =>
      members.some((one: { user_id: number; is_active: boolean }) => one.user_id === id && !one.is_active),
    )
  }
  const left = () =>
    inRealm(realm, ({ parts }) =>
      parts.sql.all(`SELECT key FROM meta WHERE key LIKE 'continuation:close-bots:%'`),
    )
  return { realm, owner, ann, ben, bots, ids, closed, left }
}

it('bots of a closed account are closed some at a time, each once', async () => {
  const { realm, owner, ann, bots, ids, closed, left } = await arrange()
  const queue = await openQueue(owner, { event_types: ['realm_user'], fetch_event_types: [] })
  const last = bots.at(-1)!
  const waiting = await openQueue(last, { event_types: ['message'], fetch_event_types: [] })
  expectSuccess(await owner.api.delete(`/users/${ann.id}`))
  const first = await closed()
  expect(first.length).toBeGreaterThan(0)
  expect(first.length).toBeLessThanOrEqual(AT_ONCE)
  // Nobody can use one that is still to be closed.
  expect((await last.api.get('/users/me')).body).toMatchObject({
    code: 'UNAUTHORIZED',
    msg: 'Account is deactivated',
  })
  expect(await left()).toHaveLength(1)
  await runAlarms(realm, 3, 2)
  expect(await closed()).toEqual(ids)
  expect(await left()).toEqual([])
  const told = (await queue.eventsOf('realm_user', 'update')).map(({ person }) => person)
  expect(told).toEqual([ann.id, ...ids].map((user_id) => ({ user_id, is_active: false })))
  expectSuccess(await owner.api.post(`/users/${last.id}/reactivate`))
  expect((await inRealm(realm, ({ parts }) => parts.sql.all(`SELECT id FROM queue`))).length).toBe(1)
  expect(waiting.id).not.toBe(queue.id)
})

it('a bot with another owner by then stays open, an account opened meanwhile changes nothing', async () => {
  const { realm, owner, ann, ben, bots, ids, closed } = await arrange()
  const last = bots.at(-1)!
  expectSuccess(await owner.api.delete(`/users/${ann.id}`))
  expectSuccess(await owner.api.patch(`/bots/${last.id}`, { bot_owner_id: ben.id }))
  expectSuccess(await owner.api.post(`/users/${ann.id}/reactivate`))
  await runAlarms(realm, 3, 2)
  expect(await closed()).toEqual(ids.slice(0, -1))
})

it('bots lose their role with their owner, and are announced some at a time', async () => {
  const { realm, owner, ann, bots, ids } = await arrange(LARGE_CHANGES_OF_COMMIT + MORE)
  const events = { event_types: ['realm_user', 'user_group'], fetch_event_types: [] }
  const queue = await openQueue(owner, events)
  const last = bots.at(-1)!
  const own = await openQueue(last, { event_types: ['message'], fetch_event_types: [] })
  expectSuccess(await owner.api.patch(`/users/${ann.id}`, { role: 600 }))
  expect(expectSuccess(await last.api.get('/users/me')).role).toBe(600)
  await expect(own.events()).rejects.toThrow('BAD_EVENT_QUEUE_ID')
  const told = async () =>
    (await queue.events()).filter(({ person, user_ids = [] }) =>
      [person?.user_id, ...user_ids].includes(last.id),
    )
  expect(await told()).toEqual([])
  await runAlarms(realm, 2, 2)
  const [role, ...groups] = await told()
  expect(role).toMatchObject({ type: 'realm_user', person: { user_id: last.id, role: 600 } })
  const changes = groups.map(({ op, group_id, user_ids }) => [op, group_id, user_ids])
  expect(changes).toEqual([
    ['remove_members', 6, [last.id]],
    ['add_members', 7, [last.id]],
    ['remove_members', 5, [last.id]],
  ])
  const { members } = expectSuccess(await owner.api.get('/users'))
  const roles = members.filter(({ user_id }: { user_id: number }) => ids.includes(user_id))
  expect(new Set(roles.map((one: { role: number }) => one.role))).toEqual(new Set([600]))
  const jobs = () =>
    inRealm(realm, ({ parts }) =>
      parts.sql.all(`SELECT key FROM meta WHERE key LIKE 'continuation:announce-lowered-bots:%'`),
    )
  expect(await jobs()).toEqual([])
})
