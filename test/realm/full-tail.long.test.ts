import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { TAIL_BYTES } from '../../src/core/budgets.ts'
import { storageState } from '../../src/realm/storage-state.ts'
import { evictRealm, realmStub } from '../support/api.ts'
import { calmD1 } from '../support/calm-d1.ts'
import { buildRealm, expectSuccess, type TestRealm } from '../support/factories.ts'
import { changeRealm, inRealm } from '../support/inside.ts'
import { stayAwake } from '../support/stay-awake.ts'
import { type D1Interceptor, world } from '../support/world.ts'

let realm: TestRealm
stayAwake()
calmD1()
beforeEach(async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  vi.spyOn(console, 'error').mockImplementation(() => {})
  realm = await buildRealm()
  await expect.poll(isCaughtUp).toBe(true)
  await realm.owner.api.get('/users/me')
})

const note = (content: string) => ({ type: 'direct', to: [realm.owner.id], content })

async function send(content: string): Promise<number> {
  return expectSuccess(await realm.owner.api.post('/messages', note(content))).id
}

async function contents(ids: readonly number[]): Promise<string[]> {
  const asked = { message_ids: ids, apply_markdown: false }
  const { messages } = expectSuccess(await realm.owner.api.get('/messages', asked))
  return messages.map(({ content }: { content: string }) => content)
}

async function bodies(): Promise<Record<number, string>> {
  const { results } = await env.DB.prepare(
    'SELECT message_id, content FROM message_body WHERE realm_id = ? ORDER BY message_id',
  )
    .bind(realm.id)
    .all<{ message_id: number; content: string }>()
  return Object.fromEntries(results.map(({ message_id, content }) => [message_id, content]))
}

const down: D1Interceptor = async () => {
  throw new Error('D1 is down')
}

async function comeBack(): Promise<void> {
  world.d1 = (call) => call()
  world.clockOffset += 100
  await runDurableObjectAlarm(realmStub(realm.id))
  await expect.poll(isCaughtUp).toBe(true)
}

const isCaughtUp = () =>
  inRealm(realm, ({ parts }) => {
    parts.projector.passEvents()
    return parts.projector.projected === parts.sql.first<{ id: number }>('SELECT MAX(id) AS id FROM log')!.id
  })

const state = () => inRealm(realm, ({ parts }) => storageState(parts))
describe('while D1 is gone for a day', () => {
  /** Each about 2 MB: the largest there are. */
  async function fillTail(): Promise<number[]> {
    const ids: number[] = []
    const large = 'x'.repeat(1_900_000)
    for (let bytes = 0; bytes < TAIL_BYTES; bytes += large.length) {
      const id = await send('large')
      await changeRealm(realm, (tx) => {
        tx.sql.run('UPDATE message_index SET version = 1 WHERE id = ?', id)
        tx.writeToD1({ statement: 'replace-message-body', row: [id, 1, 'large', large, 1, '[]'] })
      })
      ids.push(id)
    }
    return ids
  }

  it("sends go on up to the tail's limit, and are refused then; reading and deleting go on, and all catches up", async () => {
    world.d1 = down
    const ids = await fillTail()
    expect(await state()).toMatchObject({ tail: { isFull: true } })
    const refused = await realm.owner.api.post('/messages', note('too much'))
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60'])
    expect((await realm.owner.api.patch(`/messages/${ids[0]}`, { content: 'x' })).status).toBe(503)
    expect(await contents([ids[0]!, ids.at(-1)!])).toEqual(['large', 'large'])
    expectSuccess(
      await realm.owner.api.post('/messages/flags', { messages: ids, op: 'add', flag: 'starred' }),
    )
    expectSuccess(await realm.owner.api.delete(`/messages/${ids[1]}`))
    await evictRealm(realm.id)
    expect((await realm.owner.api.post('/messages', note('too much'))).status).toBe(503)
    await comeBack()
    expect(Object.keys(await bodies()).map(Number)).toEqual(ids.filter((_, index) => index !== 1))
    expect((await state()).tail).toEqual({ entries: 0, bytes: 0, isFull: false })
    await send('as ever')
  }, 60_000)
})
