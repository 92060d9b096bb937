import { describe, expect, it } from 'vitest'
import { openQueue } from '../support/queues.ts'
import { buildRealm, useRealm } from '../support/use-realm.ts'

const { owner, ann } = useRealm({ ann: 'member' })
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('the organization’s id that no other has', () => {
  it('is in every snapshot of it, and another in another organization', async () => {
    const other = await buildRealm()
    const [first, second, third] = await Promise.all(
      [owner, ann, other.owner].map(async (user) => (await openQueue(user)).snapshot.realm_uuid),
    )
    expect(first).toMatch(UUID)
    expect(second).toBe(first)
    expect(third).toMatch(UUID)
    expect(third).not.toBe(first)
  })
})
