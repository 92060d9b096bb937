import { expect, it } from 'vitest'
import { NO_STATUS, putStatus } from '../../../src/store/presence/presence-and-status-rows.ts'
import { countRows } from '../../support/counted-rows.ts'
import { buildChannel, expectSuccess } from '../../support/factories.ts'
import { changeRealm, insertUsers } from '../../support/inside.ts'
import { sendDirect } from '../../support/messages.ts'
import { neverEvict } from '../../support/never-evict.ts'
import { openQueue, type TestEvent } from '../../support/queues.ts'
import { buildRealm } from '../../support/use-realm.ts'

// What is read in one turn is asked for in the next.
neverEvict()

/** More people than are looked up one by one. */
const MANY = 2_100

interface Status {
  readonly status_text?: string
  readonly away?: boolean
}

/** Statuses as a client has them after the events of its queue. */
function after(events: readonly TestEvent[], statuses: Readonly<Record<string, Status>>) {
  const known = { ...statuses }
  for (const { user_id, status_text } of events.filter(({ type }) => type === 'user_status')) {
    known[user_id] = { ...known[user_id], status_text }
  }
  return known
}

async function build() {
  const built = await buildRealm({ guest: 'guest' })
  const { realm, owner, guest } = built
  const { user_groups } = expectSuccess(await owner.api.get('/user_groups'))
  const members = user_groups.find(({ name }: { name: string }) => name === 'role:members').id as number
  expectSuccess(await owner.api.patch('/realm', { can_access_all_users_group: { new: members } }))
  const hall = await buildChannel([owner, guest])
  const people = await insertUsers(realm, MANY, hall.id)
  const [stranger] = await insertUsers(realm, 1)
  await changeRealm(realm, (tx) => {
    for (const { id } of [...people, stranger!]) putStatus(tx.sql, id, { ...NO_STATUS, status_text: `${id}` })
  })
  return { ...built, people, stranger: stranger! }
}

it('a guest registers with the present statuses of those whom they see', async () => {
  const { owner, guest, people, stranger } = await build()
  const [first, hiding, closed] = [people[0]!, people[1]!, people[2]!]
  expectSuccess(await hiding.api.patch('/settings', { presence_enabled: false }))
  for (const one of [first, closed, stranger]) {
    expectSuccess(await one.api.post('/users/me/presence', { status: 'active' }))
  }
  expectSuccess(await owner.api.delete(`/users/${closed.id}`))
  const parts = ['user_status', 'presence']
  for (const types of [parts, [...parts, 'realm_user']]) {
    const opening = openQueue(guest, { event_types: types, slim_presence: true })
    for (const status_text of ['a', 'b', 'c']) {
      for (const one of [first, stranger]) {
        expectSuccess(await one.api.post('/users/me/status', { status_text }))
      }
    }
    const queue = await opening
    const { user_status, presences } = queue.snapshot
    const seen = after(await queue.events(), user_status)
    const ids = people.map(({ id }) => id).filter((id) => id !== closed.id)
    expect(Object.keys(seen).map(Number)).toEqual(ids)
    expect(seen[first.id]).toEqual({ status_text: 'c' })
    expect(seen[hiding.id]).toEqual({ status_text: `${hiding.id}`, away: true })
    expect(Object.keys(presences)).toContain(`${first.id}`)
    for (const { id } of [closed, stranger]) expect(Object.keys(presences)).not.toContain(`${id}`)
  }
})

it('statuses of the few whom a guest sees cost one look at each account', async () => {
  const { guest, people } = await build()
  const { subscriptions } = expectSuccess(await guest.api.get('/users/me/subscriptions'))
  const names = subscriptions.map(({ name }: { name: string }) => name)
  expectSuccess(await guest.api.patch('/users/me/subscriptions', { delete: names }))
  await sendDirect(people[0]!, [guest], 'hello')
  const { body, object } = await countRows(guest.api, 'POST', '/register', {
    fetch_event_types: ['user_status'],
  })
  expect(body.user_status).toEqual({ [people[0]!.id]: { status_text: `${people[0]!.id}` } })
  expect(object.read).toBeLessThan(MANY + 200)
})
