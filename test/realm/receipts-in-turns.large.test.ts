import { beforeAll, describe, expect, it } from 'vitest'
import { expectSuccess, type TestUser } from '../support/factories.ts'
import { insertUsers } from '../support/inside.ts'
import { sendTo } from '../support/messages.ts'
import { neverEvict } from '../support/never-evict.ts'
import { useRealm } from '../support/use-realm.ts'
import { inWatchedSlices } from '../support/watched-slices.ts'

// The object that is asked is the one whose turns are watched.
neverEvict()
/** More people than one turn looks at. */
const MANY = 6_000
const { realm, owner, ann, hall, cellar } = useRealm(
  { ann: 'member' },
  { channels: { hall: ['owner', 'ann'], cellar: ['owner', 'ann'] } },
)

let people: TestUser[]
beforeAll(async () => {
  people = await insertUsers(realm, MANY, hall.id)
})

const read = async (user: TestUser, id: number, op = 'add') =>
  expectSuccess(await user.api.post('/messages/flags', { messages: [id], op, flag: 'read' }))

/** Asks over HTTP who has read a message, and does something in each turn besides the last. */
async function receipts(id: number, during?: (turn: number) => Promise<unknown>) {
  const ask = () => ann.api.get(`/messages/${id}/read_receipts`)
  const { answer, ...watched } = await inWatchedSlices(realm, ask, during)
  return { userIds: expectSuccess(answer).user_ids as number[], ...watched }
}

/** Sends a message that people far from one another have read, and returns it with them. */
async function readMessage(from = 0) {
  const id = await sendTo(owner, hall.id, 'receipts', 'read me')
  const readers = [0, 1, 2_700, 5_990].map((at) => people[from + at]!)
  for (const reader of readers) await read(reader, id)
  return { id, readers, ids: readers.map((reader) => reader.id) }
}

describe('who of thousands has read a message', () => {
  it('is found in turns of a limited number of rows', async () => {
    const { id, ids } = await readMessage()
    const { userIds, turns, most } = await receipts(id)
    expect(userIds).toEqual(ids)
    expect(turns).toBeGreaterThan(3)
    // Each is a candidate, an account, a subscription and a set of what is read.
    expect(most).toBeLessThan(15_000)
  })

  it('leaves out who meanwhile hides it, is muted, or has a closed account', async () => {
    const { id, readers, ids } = await readMessage(2)
    const [first, second, third] = readers as [TestUser, TestUser, TestUser]
    const { userIds } = await receipts(id, async (turn) => {
      if (turn === 1) expectSuccess(await first.api.patch('/settings', { send_read_receipts: false }))
      if (turn === 2) expectSuccess(await ann.api.post(`/users/me/muted_users/${second.id}`))
      if (turn === 3) expectSuccess(await owner.api.delete(`/users/${third.id}`))
    })
    expect(userIds).toEqual([ids.at(-1)])
  })

  it('is found anew when the message is moved to another channel meanwhile', async () => {
    const { id, readers } = await readMessage()
    const first = readers[0]!
    const { userIds, turns } = await receipts(id, async (turn) => {
      if (turn !== 3) return
      const move = { stream_id: cellar.id, propagate_mode: 'change_one' }
      expectSuccess(await owner.api.patch(`/messages/${id}`, move))
      await read(first, id, 'remove')
    })
    expect(turns).toBeGreaterThan(3)
    expect(userIds).not.toContain(first.id)
  })

  it('is refused when the message is deleted meanwhile', async () => {
    const { id } = await readMessage()
    const answered = receipts(id, async (turn) => {
      if (turn === 2) expectSuccess(await owner.api.delete(`/messages/${id}`))
    })
    await expect(answered).rejects.toThrow('Invalid message(s)')
  })
})
