import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { FLAG_BIT, NAMED_BIT } from '../../src/domain/messages/flags/message-bits.ts'
import { SCHEMA_STEPS, upgradeSchema } from '../../src/realm/schema/schema.ts'

const STEP = SCHEMA_STEPS.find(({ name }) => name === 'named-mentions')!.version
const { mentioned, starred } = FLAG_BIT

it('older mentions count as mentions by name', async () => {
  const object = env.REALM.get(env.REALM.newUniqueId())
  const bits = await runInDurableObject(object, (_, { storage: { sql } }) => {
    upgradeSchema(sql, SCHEMA_STEPS.slice(0, STEP - 1))
    sql.exec(
      `INSERT INTO message_flag (user_id, message_id, bits) VALUES (1, 5, ?), (1, 6, ?)`,
      mentioned,
      starred,
    )
    upgradeSchema(sql)
    return sql
      .exec<{ bits: number }>(`SELECT bits FROM message_flag ORDER BY message_id`)
      .toArray()
      .map((row) => row.bits)
  })
  expect(bits).toEqual([mentioned | NAMED_BIT, starred])
})
