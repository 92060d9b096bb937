import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { SCHEMA_STEPS, upgradeSchema } from '../../src/realm/schema/schema.ts'

const STEP = SCHEMA_STEPS.find(({ name }) => name === 'name-keys')!.version

it('older names get keys; of two that are the same now, the older has it', async () => {
  const object = env.REALM.get(env.REALM.newUniqueId())
  const stored = await runInDurableObject(object, (_, { storage: { sql } }) => {
    upgradeSchema(sql, SCHEMA_STEPS.slice(0, STEP - 1))
    const names = ['Café', 'STRASSE', 'ＡＢＣ', 'Cafe\u0301', 'straße', 'abc', 'plain']
    for (const name of names) {
      sql.exec(
        `INSERT INTO user (delivery_email, full_name, role, joined_at, api_key) VALUES (?1 || '@x', ?1, 400, 0, '')`,
        name,
      )
      sql.exec(`INSERT INTO user_group (name) VALUES (?)`, name)
      const key = name.toLowerCase()
      sql.exec(`INSERT INTO channel (name, name_key, created_at) VALUES (?, ?, 0)`, name, key)
      sql.exec(
        `INSERT INTO channel_folder (name, name_key, description, rendered_description, created_at, position)
         VALUES (?, ?, '', '', 0, 0)`,
        name,
        key,
      )
    }
    upgradeSchema(sql)
    return ['user', 'user_group', 'channel', 'channel_folder'].map((table) =>
      sql
        .exec<{ name_key: string }>(`SELECT name_key FROM ${table} ORDER BY id`)
        .toArray()
        .map(({ name_key }) => name_key),
    )
  })
  const same = ['café', 'strasse', 'abc', 'café', 'strasse', 'abc', 'plain']
  const unique = ['café', 'strasse', 'abc', 'café\n4', 'strasse\n5', 'abc\n6', 'plain']
  expect(stored).toEqual([same, same, unique, unique])
})
