import { describe, expect, it } from 'vitest'
import { buildUser, expectSuccess } from '../../support/factories.ts'
import { changeRealm } from '../../support/inside.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

const SECRET = 'the secret of the other system, long enough'

const { realm, owner } = useRealm()
const setSecret = (secret: string) => owner.api.request('PUT', '/realm/jwt_secret', { secret })

describe('the secret of another system’s tokens', () => {
  it('is for owners alone, and never shown', async () => {
    const administrator = await buildUser(realm, { role: 200 })
    for (const { api } of [administrator, await buildUser(realm)]) {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const refused = await api.request(method, '/realm/jwt_secret', { secret: SECRET })
        expectRefusal(refused, 'Must be an organization owner', { code: 'UNAUTHORIZED_PRINCIPAL' })
      }
    }
    expectSuccess(await setSecret(SECRET))
    const answer = await owner.api.get('/realm/jwt_secret')
    expect(expectSuccess(answer)).toEqual({ result: 'success', msg: '', is_set: true })
    const { entries } = expectSuccess(await owner.api.get('/audit_log', { limit: 1 }))
    expect(entries[0]).toMatchObject({ action: 'organization_changed', details: { jwt_secret: 'changed' } })
    await changeRealm(realm, ({ sql }) => {
      const rows = sql.all<{ value: string }>(`SELECT value FROM meta WHERE key = 'jwt_secret'`)
      expect(rows).toEqual([{ value: expect.not.stringContaining(SECRET) }])
    })
  })

  it('needs 32 characters', async () => {
    expectRefusal(await setSecret('x'.repeat(31)), 'The secret needs at least 32 characters.')
    expectSuccess(await setSecret('x'.repeat(32)))
  })
})
