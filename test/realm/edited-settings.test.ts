import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { SCHEMA_STEPS, upgradeSchema } from '../../src/realm/schema/schema.ts'

const STEP = SCHEMA_STEPS.find(({ name }) => name === 'edited-settings')!.version

it('in older accounts every setting that is stored counts as changed by its owner', async () => {
  const object = env.REALM.get(env.REALM.newUniqueId())
  const stored = await runInDurableObject(object, (_, { storage: { sql } }) => {
    upgradeSchema(sql, SCHEMA_STEPS.slice(0, STEP - 1))
    for (const [name, settings] of [
      ['ann', '{}'],
      ['ben', '{"color_scheme":2,"enter_sends":true}'],
    ]) {
      sql.exec(
        `INSERT INTO user (delivery_email, full_name, role, joined_at, api_key, settings) VALUES (?1 || '@x', ?1, 400, 0, '', ?2)`,
        name!,
        settings!,
      )
    }
    upgradeSchema(sql)
    return sql
      .exec<{ edited_settings: string }>(`SELECT edited_settings FROM user ORDER BY id`)
      .toArray()
      .map(({ edited_settings }) => edited_settings)
  })
  expect(stored).toEqual(['[]', '["color_scheme","enter_sends"]'])
})
