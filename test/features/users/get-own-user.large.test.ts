import { expect, it } from 'vitest'
import { evictRealm } from '../../support/api.ts'
import { countRows } from '../../support/counted-rows.ts'
import { expectSuccess } from '../../support/factories.ts'
import { addChannels, changeRealm } from '../../support/inside.ts'
import { sendTo } from '../../support/messages.ts'
import { buildRealm } from '../../support/use-realm.ts'

const MANY = 1_200

it('the newest message of a user in a thousand channels is found without asking each', async () => {
  const { realm, owner, ann, ben, theirs } = await buildRealm(
    { ann: 'member', ben: 'member' },
    { channels: { theirs: ['ann'] } },
  )
  const names = Array.from({ length: MANY }, (_, at) => `channel ${at}`)
  const channelIds = await addChannels(realm, names)
  await changeRealm(realm, ({ sql }) =>
    sql.run(
      `INSERT INTO subscription (channel_id, user_id, is_active, since_event, since_message, color)
       SELECT value, ?, 1, 0, 0, '#ffffff' FROM json_each(?)`,
      owner.id,
      JSON.stringify(channelIds),
    ),
  )
  const newest = await sendTo(owner, channelIds[7]!, 'hello')
  const direct = async () => {
    const message = { type: 'direct', to: [ben.id], content: 'x' }
    const { id } = expectSuccess(await ann.api.post('/messages', message))
    // More than the object looks at in memory.
    await changeRealm(realm, ({ sql }) =>
      sql.run(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
         INSERT INTO message_index (id, recipient_id, topic_id, sender_id, client_id, sent_at, bits)
         SELECT ?1 + i, recipient_id, 0, sender_id, client_id, sent_at, 0 FROM n JOIN message_index ON id = ?1`,
        id,
        MANY,
      ),
    )
  }
  const look = async () => {
    await evictRealm(realm.id)
    const { body, object } = await countRows(owner.api, 'GET', '/users/me')
    return { newest: body.max_message_id, read: object.read }
  }
  expect((await look()).newest).toBe(newest)
  await sendTo(ann, theirs.id, 'not for everybody')
  await direct()
  const behind = await look()
  expect(behind.newest).toBe(newest)
  expect(behind.read).toBeLessThan(6 * MANY)
  // Nor is it lost behind more messages of channels than are looked at.
  for (let sent = 0; sent < 12; sent += 1) await sendTo(ann, theirs.id, 'not for everybody')
  await direct()
  expect((await look()).newest).toBe(newest)
  const last = await sendTo(owner, channelIds[MANY - 1]!, 'last')
  expect((await look()).newest).toBe(last)
})
