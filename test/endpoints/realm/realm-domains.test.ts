import { beforeEach, describe, expect, it } from 'vitest'
import { buildRealm, buildUser, expectSuccess, type TestRealm } from '../../support/factories.ts'
import { openQueue } from '../../support/queues.ts'

let realm: TestRealm
beforeEach(async () => {
  realm = await buildRealm()
})

const add = (domain: string, allow_subdomains = false) =>
  realm.owner.api.post('/realm/domains', { domain, allow_subdomains })
const create = (email: string) =>
  realm.owner.api.post('/users', { email, full_name: 'Nina New', password: 'a fine password' })

describe('domains of addresses', () => {
  it('are added, changed and removed, and told to everybody', async () => {
    const queue = await openQueue(await buildUser(realm, { role: 600 }))
    expectSuccess(await add('Example.COM'))
    expectSuccess(await realm.owner.api.patch('/realm/domains/example.com', { allow_subdomains: true }))
    expectSuccess(await realm.owner.api.patch('/realm/domains/example.com', { allow_subdomains: true }))
    const listed = { domain: 'example.com', allow_subdomains: true }
    expect(expectSuccess(await realm.owner.api.get('/realm/domains')).domains).toEqual([listed])
    expect((await openQueue(realm.owner)).snapshot.realm_domains).toEqual([listed])
    expectSuccess(await realm.owner.api.delete('/realm/domains/example.com'))
    expect(await queue.eventsOf('realm_domains')).toMatchObject([
      { op: 'add', realm_domain: { domain: 'example.com', allow_subdomains: false } },
      { op: 'change', realm_domain: listed },
      { op: 'remove', domain: 'example.com' },
    ])
  })

  it('are refused when they are none, there already, or unknown', async () => {
    expectSuccess(await add('example.com'))
    expect((await add('EXAMPLE.com')).body.msg).toBe(
      'The domain example.com is already a part of your organization.',
    )
    for (const domain of ['', 'example', '.com', 'a..b', '-a.com', 'ex ample.com']) {
      expect((await add(domain)).body.msg).toMatch(/^Invalid domain: /)
    }
    const { api } = realm.owner
    expect((await api.delete('/realm/domains/other.com')).body).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'No entry found for domain other.com.',
    })
    expect((await api.patch('/realm/domains/other.com', { allow_subdomains: true })).body.msg).toBe(
      'No entry found for domain other.com.',
    )
  })

  it('restrict the addresses of new accounts', async () => {
    expectSuccess(await add('example.com'))
    expectSuccess(await add('example.org', true))
    expectSuccess(await realm.owner.api.patch('/realm', { emails_restricted_to_domains: true }))
    expectSuccess(await create('nina@example.com'))
    expectSuccess(await create('nina@post.example.org'))
    expect((await create('nina@post.example.com')).body.msg).toBe(
      "Email 'nina@post.example.com' not allowed in this organization",
    )
    expect((await create('nina+1@example.com')).body.msg).toBe(
      'Email addresses containing + are not allowed.',
    )
  })

  it('take the restriction with them when the last one goes', async () => {
    expectSuccess(await add('example.com'))
    expectSuccess(await realm.owner.api.patch('/realm', { emails_restricted_to_domains: true }))
    const queue = await openQueue(realm.owner)
    expectSuccess(await realm.owner.api.delete('/realm/domains/example.com'))
    expect(await queue.eventsOf('realm')).toMatchObject([
      { op: 'update', property: 'emails_restricted_to_domains', value: false },
    ])
    expectSuccess(await create('nina@anywhere.example'))
  })

  it('are for owners', async () => {
    const admin = await buildUser(realm, { role: 200 })
    const refusal = { code: 'UNAUTHORIZED_PRINCIPAL', msg: 'Must be an organization owner' }
    expect((await admin.api.get('/realm/domains')).body).toMatchObject(refusal)
    expect((await admin.api.post('/realm/domains', { domain: 'a.b' })).body).toMatchObject(refusal)
    expect((await admin.api.delete('/realm/domains/a.b')).body).toMatchObject(refusal)
    expect((await realm.anonymous.get('/realm/domains')).status).toBe(401)
  })
})
