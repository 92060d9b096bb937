import { runInDurableObject } from 'cloudflare:test'
import { beforeAll, describe, expect, it } from 'vitest'
import { realmStub } from '../support/api.ts'
import {
  buildChannel,
  buildRealm,
  buildUser,
  expectSuccess,
  type TestRealm,
  type TestUser,
} from '../support/factories.ts'
import { openQueue } from '../support/queues.ts'

let realm: TestRealm
let ann: TestUser
let ben: TestUser
beforeAll(async () => {
  realm = await buildRealm()
  ann = await buildUser(realm)
  ben = await buildUser(realm)
})

async function readFloor(user: TestUser): Promise<number> {
  return runInDurableObject(realmStub(realm.id), (_object, state) => {
    const [row] = state.storage.sql
      .exec<{ read_floor: number }>(`SELECT read_floor FROM user WHERE id = ?`, user.id)
      .toArray()
    return row!.read_floor
  })
}

describe('the read floor', () => {
  it('rises at a register to below the oldest unread message, and what is unread stays so', async () => {
    const channel = await buildChannel([ann, ben])
    const send = async () =>
      expectSuccess(
        await ann.api.post('/messages', { type: 'channel', to: channel.id, topic: 't', content: 'x' }),
      ).id as number
    const read = await send()
    expectSuccess(await ben.api.post('/mark_all_as_read'))
    // As if many messages had come and gone in between.
    await runInDurableObject(realmStub(realm.id), (_object, state) => {
      state.storage.sql.exec(`INSERT OR REPLACE INTO meta (key, value) VALUES ('message_id_floor', 10000)`)
    })
    const unread = [await send(), await send()]
    expect(await readFloor(ben)).toBeLessThan(5_000)
    const first = await openQueue(ben)
    expect(await readFloor(ben)).toBe(unread[0]! - 1)
    const second = await openQueue(ben)
    for (const { snapshot } of [first, second]) {
      const [topic] = snapshot.unread_msgs.streams.filter((one: { topic: string }) => one.topic === 't')
      expect(topic.unread_message_ids).toEqual(unread)
    }
    const { message } = expectSuccess(await ben.api.get(`/messages/${read}`))
    expect(message.flags).toContain('read')
  })
})
