import { describe, expect, it } from 'vitest'
import { buildUser, expectSuccess, type TestRealm } from '../../support/factories.ts'
import { changeRealm, inRealm } from '../../support/inside.ts'
import { addDeadLetter } from '../../support/inside-rows.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { DAY } from '../../support/times.ts'
import { buildRealm, useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm } = useRealm()
/** Another organization. */
const { realm: other } = useRealm()

const bury = (of: TestRealm, count: number, kind: 'mail' | 'webhook' | 'job' = 'job') =>
  changeRealm(of, (tx) => {
    for (let n = 0; n < count; n += 1) {
      addDeadLetter(tx, {
        kind,
        description: `deliver-reminder ${n}`,
        firstTriedAt: null,
        attempts: 12,
        error: 'e'.repeat(1_000),
        payload: { kind: 'deliver-reminder', key: String(n) },
      })
    }
  })
const listed = async (of: TestRealm) =>
  expectSuccess(await of.owner.api.get('/dead_letters')).dead_letters as {
    id: number
    description: string
    error: string
  }[]

describe('dead letters', () => {
  const calls: [string, string][] = [
    ['GET', '/dead_letters'],
    ['POST', '/dead_letters/retry'],
    ['DELETE', '/dead_letters/1'],
  ]

  it.each(calls)('%s %s is for owners of the organization alone', async (method, path) => {
    await bury(realm, 1)
    const before = await listed(realm)
    const [admin, moderator, member, guest, gone] = await Promise.all([
      buildUser(realm, { role: 200 }),
      buildUser(realm, { role: 300 }),
      buildUser(realm),
      buildUser(realm, { role: 600 }),
      buildUser(realm),
    ])
    expectSuccess(await realm.owner.api.delete(`/users/${gone.id}`))
    for (const { api } of [admin, moderator, member, guest]) {
      expectRefusal(await api.request(method, path), 'Must be an organization owner', {
        code: 'UNAUTHORIZED_PRINCIPAL',
      })
    }
    expectUnauthorized(await realm.anonymous.request(method, path))
    expect((await gone.api.request(method, path)).status).toBe(401)
    const headers = { Authorization: `Basic ${btoa(`${realm.owner.email}:${realm.owner.apiKey}`)}` }
    expect((await other.anonymous.request(method, path, {}, { headers })).status).toBe(401)
    expect(await listed(other)).toEqual([])
    expect(await listed(realm)).toEqual(before)
  })

  it('are listed newest first, and deleted one by one', async () => {
    const { realm: own } = await buildRealm()
    await bury(own, 3)
    const letters = await listed(own)
    expect(letters.map(({ description }) => description)).toEqual([
      'deliver-reminder 2',
      'deliver-reminder 1',
      'deliver-reminder 0',
    ])
    expect(letters[0]!.error).toHaveLength(300)
    expectSuccess(await own.owner.api.delete(`/dead_letters/${letters[1]!.id}`))
    expect((await listed(own)).map(({ id }) => id)).toEqual([letters[0]!.id, letters[2]!.id])
    const again = await own.owner.api.delete(`/dead_letters/${letters[1]!.id}`)
    expect([again.status, again.body.msg]).toEqual([404, 'No such dead letter'])
  })

  it('are retried by name, all or none of them, or a hundred at a time', async () => {
    const { realm: own } = await buildRealm()
    await bury(own, 130)
    const [newest] = await listed(own)
    const jobs = () =>
      inRealm(own, ({ parts }) =>
        parts.sql.all<{ key: string }>(`SELECT key FROM job WHERE kind = 'deliver-reminder'`),
      )
    const retry = (params = {}) => own.owner.api.post('/dead_letters/retry', params)
    expect((await retry({ ids: [newest!.id, 9_999] })).status).toBe(404)
    expect(await jobs()).toEqual([])
    expect(expectSuccess(await retry({ ids: [newest!.id] }))).toMatchObject({ retried: 1, remaining: 129 })
    expect(expectSuccess(await retry())).toMatchObject({ retried: 100, remaining: 29 })
    expect(expectSuccess(await retry())).toMatchObject({ retried: 29, remaining: 0 })
    expect(expectSuccess(await retry())).toMatchObject({ retried: 0, remaining: 0 })
    expect((await retry({ ids: Array.from({ length: 101 }, (_, n) => n) })).status).toBe(400)
  })

  it('are kept for a month, two hundred of a kind', async () => {
    const { realm: own } = await buildRealm()
    await bury(own, 1, 'mail')
    await bury(own, 210, 'webhook')
    expect(await listed(own)).toHaveLength(201)
    world.clockOffset += 31 * DAY
    expect(await listed(own)).toEqual([])
    await bury(own, 1)
    const rows = () => inRealm(own, ({ parts }) => parts.sql.all(`SELECT id FROM dead_letter`))
    expect(await rows()).toHaveLength(1)
  })
})
