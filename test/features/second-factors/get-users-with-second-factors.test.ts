import { expect, it } from 'vitest'
import { addPasskey } from '../../support/add-passkey.ts'
import { withApp } from '../../support/authenticator-app.ts'
import { createBot, expectSuccess, type TestUser } from '../../support/factories.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, owner, admin, moderator, member, ann, bob } = useRealm({
  admin: 'administrator',
  moderator: 'moderator',
  member: 'member',
  ann: 'member',
  bob: 'guest',
})

const listed = async ({ api }: TestUser) => expectSuccess(await api.get('/second_factors/users')).user_ids

it('administrators see who has a second factor, and nobody else does', async () => {
  expect(await listed(admin)).toEqual([])
  await withApp(ann)
  await addPasskey(bob, realm.host)
  await addPasskey(ann, realm.host)
  // An app that nobody has confirmed lets nobody in.
  expectSuccess(await member.api.post('/second_factors/totp'))
  const expected = [ann.id, bob.id].toSorted((a, b) => a - b)
  for (const who of [owner, admin]) expect(await listed(who)).toEqual(expected)
  const bot = await createBot(owner, 'robot')
  for (const who of [moderator, member, ann, bob, bot]) {
    expectRefusal(await who.api.get('/second_factors/users'), 'Must be an organization administrator', {
      code: 'UNAUTHORIZED_PRINCIPAL',
    })
  }
  expect((await realm.anonymous.get('/second_factors/users')).status).toBe(401)
  expectSuccess(await owner.api.delete(`/users/${ann.id}/second_factors`))
  expect(await listed(admin)).toEqual([bob.id])
})
