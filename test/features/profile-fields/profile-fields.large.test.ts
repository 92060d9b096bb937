import { beforeEach, expect, it } from 'vitest'
import { runAlarms } from '../../support/alarms.ts'
import { leftAfterFirstCommit } from '../../support/commits.ts'
import { keepAlarmsAway } from '../../support/exports.ts'
import { expectSuccess } from '../../support/factories.ts'
import { changeRealm, inRealm, insertUsers } from '../../support/inside.ts'
import { CHANGES_OF_COMMIT } from '../../support/limits.ts'
import { openQueue } from '../../support/queues.ts'
import { buildRealm } from '../../support/use-realm.ts'

beforeEach(keepAlarmsAway)

const MORE = 20
const V = { text: 'Vim', order: '1' }
const E = { text: 'Emacs', order: '2' }

interface ShownUser {
  readonly user_id: number
  readonly profile_data?: Readonly<Record<string, { readonly value: string }>>
}

interface ChangedUser {
  readonly user_id: number
  readonly custom_profile_field: { readonly value: string | null }
}

/** An organization in which all but one person have made the same choice. */
async function arrange() {
  const { realm, owner, other } = await buildRealm({ other: 'member' })
  const people = await insertUsers(realm, CHANGES_OF_COMMIT + MORE)
  const field = { name: 'Editor', field_type: 3, field_data: { v: V, e: E } }
  const { id } = expectSuccess(await owner.api.post('/realm/profile_fields', field))
  const path = `/realm/profile_fields/${id}`
  const choose = (person: typeof other, value: string) =>
    person.api.patch('/users/me/profile_data', { data: [{ id, value }] })
  expectSuccess(await choose(other, 'e'))
  await changeRealm(realm, (tx) => {
    const chosen = JSON.stringify({ [id]: { value: 'v' } })
    const ids = JSON.stringify(people.map((person) => person.id))
    tx.sql.run(`UPDATE user SET profile_data = ? WHERE id IN (SELECT value FROM json_each(?))`, chosen, ids)
  })
  const queue = await openQueue(owner, { event_types: ['realm_user'] })
  const valuesOf = (users: readonly ShownUser[]) =>
    users.flatMap(({ user_id, profile_data }): [number, string][] =>
      profile_data?.[id] ? [[user_id, profile_data[id].value]] : [],
    )
  const byEvents = new Map(valuesOf(queue.snapshot.realm_users as ShownUser[]))
  /** Returns the values as a client has them that applies the events, after a comparison with new ones. */
  const values = async () => {
    for (const { person } of await queue.eventsOf('realm_user', 'update')) {
      const { user_id, custom_profile_field } = person as ChangedUser
      if (custom_profile_field.value === null) byEvents.delete(user_id)
      else byEvents.set(user_id, custom_profile_field.value)
    }
    const listed = await owner.api.get('/users', { include_custom_profile_fields: true })
    expect(new Map(valuesOf(expectSuccess(listed).members))).toEqual(byEvents)
    return byEvents
  }
  const left = () =>
    inRealm(realm, ({ parts }) => [
      ...parts.sql.all(`SELECT key FROM job WHERE kind = 'finish-change'`),
      ...parts.sql.all(`SELECT key FROM meta WHERE key LIKE 'continuation:%'`),
    ])
  return { realm, owner, people, path, choose, values, left }
}

it('values that a request has left are withdrawn, and nobody gives others', async () => {
  for (const [method, params, others, refusal] of [
    ['PATCH', { field_data: { e: E } }, 1, /is not a valid choice/],
    ['DELETE', {}, 0, /^Field id \d+ not found/],
  ] as const) {
    const { realm, owner, people, path, values, choose, left } = await arrange()
    const before = (await values()).size
    expect(await leftAfterFirstCommit(() => owner.api.request(method, path, params))).toBe(true)
    expect((await values()).size).toBe(before - CHANGES_OF_COMMIT)
    expect((await choose(people[0]!, 'v')).body.msg).toMatch(refusal)
    await runAlarms(realm, 1, 61)
    expect((await values()).size).toBe(others)
    expect(await left()).toEqual([])
  }
})

it('a choice that is given back stays with those who still have it', async () => {
  const { realm, owner, people, path, values, choose, left } = await arrange()
  await leftAfterFirstCommit(() => owner.api.patch(path, { field_data: { e: E } }))
  expectSuccess(await owner.api.patch(path, { field_data: { v: V, e: E } }))
  expectSuccess(await choose(people[0]!, 'v'))
  await runAlarms(realm, 1, 61)
  expect(await left()).toEqual([])
  expect((await values()).size).toBe(MORE + 2)
  expectSuccess(await owner.api.patch(path, { field_data: { e: E } }))
  expect((await values()).size).toBe(1)
})

it('a choice that goes twice meanwhile goes from everybody', async () => {
  const { owner, people, path, values, choose } = await arrange()
  await leftAfterFirstCommit(() => owner.api.patch(path, { field_data: { e: E } }))
  expectSuccess(await owner.api.patch(path, { field_data: { v: V, e: E } }))
  expectSuccess(await choose(people[0]!, 'v'))
  expectSuccess(await owner.api.patch(path, { field_data: { e: E } }))
  expect((await values()).size).toBe(1)
})
