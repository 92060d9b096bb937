import { describe, expect, it } from 'vitest'
import { evictRealm } from '../support/api.ts'
import { expectSuccess } from '../support/factories.ts'
import { changeRealm } from '../support/inside.ts'
import { TAIL } from '../support/limits.ts'
import { down, useOutages } from '../support/outages.ts'
import { world } from '../support/world.ts'

const outages = useOutages()
describe('while D1 is gone for a day', () => {
  /** Each about 2 MB: the largest there are. */
  async function fillTail(): Promise<number[]> {
    const ids: number[] = []
    const large = 'x'.repeat(1_900_000)
    for (let bytes = 0; bytes < TAIL.bytes; bytes += large.length) {
      const id = await outages.send('large')
      await changeRealm(outages.realm, (tx) => {
        tx.sql.run('UPDATE message_index SET version = 1 WHERE id = ?', id)
        tx.writeToD1({ statement: 'replace-message-body', row: [id, 1, 'large', large, '[]'] })
      })
      ids.push(id)
    }
    return ids
  }

  it('sends stop at the tail’s limit, reads and deletions work, and everything catches up', async () => {
    world.d1 = down
    const ids = await fillTail()
    expect(await outages.health()).toMatchObject({ tail: { is_full: true } })
    const refused = await outages.realm.owner.api.post('/messages', outages.note('too much'))
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60'])
    expect((await outages.realm.owner.api.patch(`/messages/${ids[0]}`, { content: 'x' })).status).toBe(503)
    expect(await outages.contents([ids[0]!, ids.at(-1)!])).toEqual(['large', 'large'])
    expectSuccess(
      await outages.realm.owner.api.post('/messages/flags', { messages: ids, op: 'add', flag: 'starred' }),
    )
    expectSuccess(await outages.realm.owner.api.delete(`/messages/${ids[1]}`))
    await evictRealm(outages.realm.id)
    expect((await outages.realm.owner.api.post('/messages', outages.note('too much'))).status).toBe(503)
    await outages.comeBack()
    expect(Object.keys(await outages.bodies()).map(Number)).toEqual(ids.filter((_, index) => index !== 1))
    expect((await outages.health()).tail).toMatchObject({ entries: 0, bytes: 0, is_full: false })
    await outages.send('as ever')
  }, 60_000)
})
