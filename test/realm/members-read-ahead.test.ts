import { expect, it } from 'vitest'
import type { MemorySlot } from '../../src/core/realm-transaction.ts'
import { membersByJoining, readMembersAhead } from '../../src/domain/register/members-by-joining.ts'
import { expectSuccess } from '../support/factories.ts'
import { changeRealm, enterUsers, inRealm } from '../support/inside.ts'
import { neverEvict } from '../support/never-evict.ts'
import { openQueue } from '../support/queues.ts'
import { useRealm } from '../support/use-realm.ts'

// What was read in one turn is asked for in the next.
neverEvict()

const PEOPLE = 50
const { realm, owner, ann, guest } = useRealm({ ann: 'member', guest: 'guest' })

/** Reads members in a turn of their own, as `load` does. */
function readAhead() {
  return inRealm(realm, ({ parts }) => {
    const { sql, directory: remembered } = parts
    const recall = <Value>(slot: MemorySlot<Value>) => parts.memory.recall(slot, sql)
    return readMembersAhead({ ...parts, now: parts.now(), remembered, recall })
  })
}

it('members are not read ahead where nobody has to wait', async () => {
  expect(await readAhead()).toBeUndefined()
})

it('members that were read ahead are used until somebody changes', async () => {
  const people = await enterUsers(realm, PEOPLE)
  const waiting = { waiting_period_threshold: 3 }
  expectSuccess(await owner.api.patch('/realm', waiting))
  const look = (ahead: Awaited<ReturnType<typeof readAhead>>) =>
    changeRealm(realm, (tx) => {
      const before = tx.sql.counts.read
      const members = membersByJoining(tx, ahead).map(([id]) => id)
      return { members, rows: tx.sql.counts.read - before }
    })
  const old = await readAhead()
  expect(old!.members.map(([id]) => id)).toEqual(expect.arrayContaining([ann.id, people[0]!.id]))
  expect(old!.members.map(([id]) => id)).not.toContain(guest.id)
  expectSuccess(await owner.api.delete(`/users/${people[0]!.id}`))
  const { members } = await look(old)
  expect(members).toContain(people[1]!.id)
  expect(members).not.toContain(people[0]!.id)
  // What is remembered need not be read.
  expect(await readAhead()).toBeUndefined()
  expectSuccess(await ann.api.patch('/settings', { full_name: 'Ann Other' }))
  const ahead = await readAhead()
  expect(await look(ahead)).toEqual({ members, rows: 0 })
})

it('a registration shows who is a full member, with a waiting period and without', async () => {
  const full = async () => {
    const { snapshot } = await openQueue(owner, { fetch_event_types: ['realm_user_groups'] })
    const groups = snapshot.realm_user_groups as { name: string; members: number[] }[]
    return groups.find(({ name }) => name === 'role:fullmembers')!.members
  }
  expect(await full()).not.toContain(ann.id)
  expectSuccess(await owner.api.patch('/realm', { waiting_period_threshold: 0 }))
  expect(await full()).toContain(ann.id)
})
