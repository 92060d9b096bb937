import { expect, it } from 'vitest'
import { countRows } from '../support/counted-rows.ts'
import { buildChannel } from '../support/factories.ts'
import { changeRealm } from '../support/inside.ts'
import { sendTo } from '../support/messages.ts'
import { buildRealm } from '../support/use-realm.ts'

const WAITING = 500

it('deleting a message reads no webhook calls about others', async () => {
  const { realm, ann } = await buildRealm({ ann: 'member' })
  const room = await buildChannel([realm.owner, ann])
  const [one, other] = [await sendTo(ann, room.id, 'one', 'x'), await sendTo(ann, room.id, 'two', 'x')]
  await changeRealm(realm, ({ sql }) =>
    sql.run(
      `WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number LIMIT ?)
       INSERT INTO webhook_call (bot_id, cause, message, origin, due_at)
       SELECT ?, 'mention', json_object('id', iif(n = 1, ?, ?)), '', 1e12 FROM number`,
      WAITING,
      ann.id,
      one,
      other + 1,
    ),
  )
  const { object } = await countRows(realm.owner.api, 'DELETE', `/messages/${one}`)
  expect(object.read).toBeLessThan(WAITING)
  const left = await changeRealm(realm, ({ sql }) =>
    sql.first<{ count: number }>(`SELECT count(*) AS count FROM webhook_call`),
  )
  expect(left?.count).toBe(WAITING - 1)
})
