import { expect, it } from 'vitest'
import { expectSuccess } from '../../support/factories.ts'
import { untilWaiting } from '../../support/held-polls.ts'
import { openQueue } from '../../support/queues.ts'
import { buildRealm } from '../../support/use-realm.ts'

it('deactivating an organization is for owners', async () => {
  const { realm, admin } = await buildRealm({ admin: 'administrator' })
  expect((await admin.api.post('/realm/deactivate')).body).toMatchObject({
    code: 'UNAUTHORIZED_PRINCIPAL',
    msg: 'Must be an organization owner',
  })
  expect((await realm.anonymous.post('/realm/deactivate')).status).toBe(401)
})

it('deactivation answers waiting polls, and every later key and login is refused', async () => {
  const { realm, member } = await buildRealm({ member: 'member' })
  const queue = await openQueue(member)
  const poll = queue.poll()
  await untilWaiting(realm, queue)
  expectSuccess(await realm.owner.api.post('/realm/deactivate'))
  expect(await poll).toMatchObject([{ type: 'realm', op: 'deactivated', realm_id: realm.id }])
  for (const user of [member, realm.owner]) {
    const { status, body } = await user.api.get('/users/me')
    expect(status).toBe(401)
    expect(body).toMatchObject({ code: 'UNAUTHORIZED', msg: 'This organization has been deactivated' })
  }
  const login = await realm.anonymous.post('/fetch_api_key', {
    username: member.email,
    password: 'a fine password',
  })
  expect(login.status).toBe(401)
  expect(login.body).toMatchObject({
    code: 'REALM_DEACTIVATED',
    msg: 'This organization has been deactivated',
  })
})
