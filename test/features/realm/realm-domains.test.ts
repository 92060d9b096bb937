import { describe, expect, it } from 'vitest'
import { countRows } from '../../support/counted-rows.ts'
import { buildUser, expectSuccess } from '../../support/factories.ts'
import { changeRealm } from '../../support/inside.ts'
import { postForm } from '../../support/pages.ts'
import { openQueue } from '../../support/queues.ts'
import { useRealmPerTest } from '../../support/use-realm.ts'

const { realm } = useRealmPerTest()

const add = (domain: string, allow_subdomains = false) =>
  realm.owner.api.post('/realm/domains', { domain, allow_subdomains })
const create = (email: string) =>
  realm.owner.api.post('/users', { email, full_name: 'Nina New', password: 'a fine password' })

describe('allowed e-mail domains', () => {
  it('can be added, changed and removed, and are sent to everybody', async () => {
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

  it('allow addresses in them, and in subdomains if these are included', async () => {
    expectSuccess(await add('exact.com'))
    expectSuccess(await add('wide.co.uk', true))
    expectSuccess(await realm.owner.api.patch('/realm', { emails_restricted_to_domains: true }))
    for (const email of ['a@exact.com', 'b@WIDE.co.uk', 'c@in.Wide.co.uk', 'd@far.in.wide.co.uk']) {
      expectSuccess(await create(email))
    }
    for (const email of ['e@in.exact.com', 'f@notwide.co.uk', 'g@co.uk', 'h@wide.co.uk.com', 'i@com']) {
      expect((await create(email)).body.msg).toBe(`Email '${email}' not allowed in this organization`)
    }
  })

  it('are not all read for each address', async () => {
    const [domains, people] = [500, 20]
    await changeRealm(realm, ({ sql }) => {
      for (let at = 0; at < domains; at += 1) {
        sql.run('INSERT INTO realm_domain (domain, allows_subdomains) VALUES (?, 1)', `d${at}.example.com`)
      }
    })
    expectSuccess(await realm.owner.api.patch('/realm', { emails_restricted_to_domains: true }))
    const invitee_emails = Array.from({ length: people }, (_, at) => `p@x.d${at}.example.com`).join()
    const asked = { invitee_emails, stream_ids: [] }
    const { object } = await countRows(realm.owner.api, 'POST', '/invites', asked)
    expect(object.read).toBeLessThan((people * domains) / 5)
  })

  it('are refused when invalid, present already, or unknown', async () => {
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

  it('lift the restriction when the last one is removed', async () => {
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

describe('disposable e-mail addresses', () => {
  const REFUSAL = 'Disposable email addresses are not allowed in this organization'
  const DISPOSABLE = ['nina@mailinator.com', 'nina@MAILINATOR.com', 'nina@inbox.mailinator.com']

  const allow = () => realm.owner.api.patch('/realm', { disallow_disposable_email_addresses: false })
  const invite = (invitee_emails: string) =>
    realm.owner.api.post('/invites', { invitee_emails, stream_ids: [] })
  const move = (new_email: string) => realm.owner.api.patch(`/users/${realm.owner.id}`, { new_email })
  async function join(email: string) {
    const { invite_link } = expectSuccess(await realm.owner.api.post('/invites/multiuse', { stream_ids: [] }))
    return postForm(invite_link, { email, full_name: 'Nina New', password: 'a fine password' })
  }

  it('are refused for new accounts, invitations, and changes of address', async () => {
    for (const email of DISPOSABLE) expect((await create(email)).body.msg).toBe(REFUSAL)
    const [email] = DISPOSABLE as [string]
    expect((await invite(`${email}, nina@example.com`)).body).toMatchObject({
      code: 'INVITATION_FAILED',
      errors: [[email, 'Please use your real email address.', false]],
      sent_invitations: false,
    })
    const page = await join(email)
    expect([page.status, page.text.includes('Disposable addresses are not allowed')]).toEqual([400, true])
    expect((await realm.owner.api.patch('/settings', { email })).body.msg).toBe(
      'Please use your real email address.',
    )
    expect((await move(email)).body.msg).toBe('New email value error: Please use your real email address.')
  })

  it('are accepted where the organization allows them', async () => {
    expectSuccess(await allow())
    expectSuccess(await create('a@mailinator.com'))
    expectSuccess(await invite('b@mailinator.com'))
    expect((await join('c@mailinator.com')).status).toBe(200)
    expectSuccess(await move('d@mailinator.com'))
  })

  it('are accepted where addresses are restricted to domains that include theirs', async () => {
    expectSuccess(await add('mailinator.com'))
    expectSuccess(await realm.owner.api.patch('/realm', { emails_restricted_to_domains: true }))
    expectSuccess(await create('nina@mailinator.com'))
  })

  it('do not include domains that only look alike', async () => {
    for (const email of ['a@post-mailinator.com', 'a@mailinator.com.example.com', 'a@mailinator']) {
      expectSuccess(await create(email))
    }
  })
})
