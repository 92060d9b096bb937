import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { SCHEMA_STEPS, upgradeSchema } from '../../src/realm/schema/schema.ts'
import { openQueue } from '../support/queues.ts'
import { buildRealm, useRealm } from '../support/use-realm.ts'

const { owner, ann } = useRealm({ ann: 'member' })
const STEP = SCHEMA_STEPS.find(({ name }) => name === 'realm-uuids')!.version
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

  it('is made for an organization that is older, unless notifications have needed it', async () => {
    const made = async (before?: string) =>
      runInDurableObject(env.REALM.get(env.REALM.newUniqueId()), (_, { storage: { sql } }) => {
        upgradeSchema(sql, SCHEMA_STEPS.slice(0, STEP - 1))
        if (before) sql.exec(`INSERT INTO meta (key, value) VALUES ('realm_uuid', ?)`, before)
        upgradeSchema(sql)
        return sql.exec<{ value: string }>(`SELECT value FROM meta WHERE key = 'realm_uuid'`).one().value
      })
    expect(await made()).toMatch(UUID)
    expect(await made('as it was')).toBe('as it was')
  })
})
