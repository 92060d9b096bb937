import { describe, expect, it } from 'vitest'
import { buildUser, expectSuccess, reopen, type TestRealm, type TestUser } from '../../support/factories.ts'
import { buildBot, inRealm } from '../../support/inside.ts'
import { consentingIds } from '../../support/inside-rows.ts'
import { openQueue } from '../../support/queues.ts'
import { buildRealm } from '../../support/use-realm.ts'

async function consents(realm: TestRealm) {
  return expectSuccess(await realm.owner.api.get('/export/realm/consents')).export_consents
}

const allow = (user: TestUser, value: boolean) =>
  user.api.patch('/settings', { allow_private_data_export: value })

describe('consent to the export of private data', () => {
  it('is listed for every active account except bots', async () => {
    const { realm, ann, ben } = await buildRealm({ ann: 'member', ben: 'member' })
    await buildBot(realm, ann)
    const entry = (user: TestUser, consented: boolean) => ({
      user_id: user.id,
      consented,
      email_address_visibility: 1,
    })
    expect(await consents(realm)).toEqual([entry(realm.owner, false), entry(ann, false), entry(ben, false)])
    expectSuccess(await allow(ann, true))
    expectSuccess(await realm.owner.api.delete(`/users/${ben.id}`))
    expect(await consents(realm)).toEqual([entry(realm.owner, false), entry(ann, true)])
  })

  it('is sent to administrators when it changes, and when accounts are created', async () => {
    const { realm, ann } = await buildRealm({ ann: 'member' })
    const owners = await openQueue(realm.owner)
    expectSuccess(await allow(ann, true))
    expectSuccess(await allow(ann, true))
    expectSuccess(await realm.owner.api.delete(`/users/${ann.id}`))
    await reopen(realm, ann)
    const ben = await buildUser(realm)
    const consents = (await owners.eventsOf('realm_export_consent')).map(({ user_id, consented }) => [
      user_id,
      consented,
    ])
    expect(consents).toEqual([
      [ann.id, true],
      [ann.id, true],
      [ben.id, false],
    ])
    const bens = await openQueue(ben)
    expectSuccess(await allow(realm.owner, true))
    expect(await bens.eventsOf('realm_export_consent')).toEqual([])
  })

  it('is read once for all pages of an export, until a user changes it', async () => {
    const { realm, ann, ben } = await buildRealm({ ann: 'member', ben: 'member' })
    const bot = await buildBot(realm, ann)
    expectSuccess(await allow(ann, true))
    const read = () =>
      inRealm(realm, ({ parts: { sql } }) => {
        const before = sql.counts.read
        const all = [consentingIds(sql), consentingIds(sql)]
        expect(all[1]).toEqual(all[0])
        const first = sql.counts.read - before
        consentingIds(sql)
        expect(sql.counts.read - before).toBe(first)
        return all[0]
      })
    expect(await read()).toEqual([ann.id, bot.id])
    expectSuccess(await allow(ben, true))
    expect(await read()).toEqual([ann.id, ben.id, bot.id])
    expectSuccess(await allow(ann, false))
    expect(await read()).toEqual([ben.id])
  })
})
