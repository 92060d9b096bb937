import { expect, it } from 'vitest'
import { expectSuccess, type TestUser } from '../support/factories.ts'
import { changeRealm } from '../support/inside.ts'
import { insertInvitation } from '../support/inside-rows.ts'
import { useRealm } from '../support/use-realm.ts'

const { realm, ann, ben } = useRealm({ ann: 'member', ben: 'member' })

const MANY = 2_500
const OWN = 40

/** Enters as many invitations, every so often one of another user. Returns the ids of hers. */
function insertInvitations(count: number, often: number): Promise<number[]> {
  return changeRealm(realm, (tx) =>
    Array.from({ length: count }, (_, at) => {
      const isHers = at % often === 0
      const id = insertInvitation(tx.sql, {
        kind: 'email',
        secret: crypto.randomUUID(),
        email: `invited-${at}@example.com`,
        referrerId: isHers ? ann.id : ben.id,
        invitedAt: tx.now,
        expiresAt: null,
        inviteAs: 400,
        notifiesReferrer: false,
        channelIds: [],
        groupIds: [],
        joinsDefaultChannels: true,
        welcomeText: null,
        origin: `http://${realm.host}`,
      })
      return isHers ? id : []
    }).flat(),
  )
}

async function listedBy({ api }: TestUser): Promise<number[]> {
  const { invites } = expectSuccess(await api.get('/invites'))
  return invites.map(({ id }: { id: number }) => id)
}

it('thousands of invitations are listed in several turns, and revoked with their account', async () => {
  const hers = await insertInvitations(MANY, MANY / OWN)
  const { owner } = realm
  const all = await listedBy(owner)
  expect(all).toHaveLength(MANY)
  expect(all).toEqual([...all].sort((a, b) => a - b))
  expect(await listedBy(ann)).toEqual(hers)
  expectSuccess(await owner.api.delete(`/invites/${hers[0]}`))
  expect(await listedBy(ann)).toEqual(hers.slice(1))
  expectSuccess(await owner.api.delete(`/users/${ann.id}`))
  expect(await listedBy(owner)).toEqual(all.filter((id) => !hers.includes(id)))
})
