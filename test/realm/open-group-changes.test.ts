import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { SCHEMA_STEPS, upgradeSchema } from '../../src/realm/schema/schema.ts'
import { fromJson } from '../support/json.ts'

const STEP = SCHEMA_STEPS.find(({ name }) => name === 'open-group-changes')!.version

it('changes of members that were open in the older form go on where they were', async () => {
  const object = env.REALM.get(env.REALM.newUniqueId())
  const stored = await runInDurableObject(object, (_, { storage: { sql } }) => {
    upgradeSchema(sql, SCHEMA_STEPS.slice(0, STEP - 1))
    const begun = { userId: 9, add: [70_000, 12], remove: [300], added: [11], removed: [] }
    const isSilent = { userId: 9, add: [13], remove: [], added: [], removed: [], isSilent: true }
    const notifying = { userId: 8, add: [], remove: [], added: [21], removed: [22, 23] }
    for (const [group, change] of Object.entries({ 12: begun, 34: isSilent, 56: notifying })) {
      sql.exec(`INSERT INTO meta VALUES (?, ?)`, `group_change:${group}`, JSON.stringify(change))
    }
    upgradeSchema(sql)
    return sql
      .exec<{ key: string; value: string | ArrayBuffer }>(
        `SELECT key, value FROM meta WHERE key LIKE 'group_change%'`,
      )
      .toArray()
      .map(({ key, value }) => [
        key,
        typeof value === 'string' ? fromJson(value) : [...new Uint32Array(value)],
      ])
  })
  expect(Object.fromEntries(stored)).toEqual({
    'group_change:12': { userId: 9, users: 4, adds: 3, changed: 1, notified: 0 },
    'group_change_users:12': [11, 70_000, 12, 300],
    'group_change:34': { userId: 9, users: 1, adds: 1, changed: 0, notified: 0, isSilent: true },
    'group_change_users:34': [13],
    'group_change:56': { userId: 8, users: 3, adds: 1, changed: 3, notified: 0 },
    'group_change_users:56': [21, 22, 23],
  })
})
