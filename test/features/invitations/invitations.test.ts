import { afterEach, describe, expect, it } from 'vitest'
import { askWorker } from '../../support/api.ts'
import { buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { joinByLink } from '../../support/joining.ts'
import { mailsTo } from '../../support/pages.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { buildRealm, useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm, ann, guest } = useRealm({ ann: 'member', guest: 'guest' })
let addresses = 0
afterEach(() => {
  world.clockOffset = 0
})

function newAddress(): string {
  addresses += 1
  return `new-${addresses}@example.com`
}

function invite(user: TestUser, params: Record<string, unknown>) {
  return user.api.post('/invites', { stream_ids: [], ...(params as Record<string, string>) })
}

/** Returns the link in the newest mail to an address. */
async function mailedLink(host: string, email: string): Promise<string> {
  const page = await askWorker(new Request(`http://${host}/dev/emails`))
  const text = await page.text()
  const mail = text.slice(text.indexOf(`To ${email},`))
  return /http:\/\/[^\s<]+\/join\/[0-9a-f]+/.exec(mail)![0]
}

async function join(link: string, fields: Record<string, string>) {
  const response = await askWorker(new Request(link, { method: 'POST', body: new URLSearchParams(fields) }))
  return { status: response.status, text: await response.text() }
}

describe('GET, DELETE and resending', () => {
  it('shows administrators all and others their own', async () => {
    const [annAddress, ownerAddress] = [newAddress(), newAddress()]
    expectSuccess(await invite(ann, { invitee_emails: annAddress }))
    expectSuccess(await invite(realm.owner, { invitee_emails: ownerAddress }))
    const list = async (user: TestUser) =>
      expectSuccess(await user.api.get('/invites')).invites.map(({ email }: { email: string }) => email)
    expect(await list(ann)).toContain(annAddress)
    expect(await list(ann)).not.toContain(ownerAddress)
    expect(await list(realm.owner)).toEqual(expect.arrayContaining([annAddress, ownerAddress]))
    expect((await guest.api.get('/invites')).body.msg).toBe('Not allowed for guest users')
  })

  it('a revoked invitation opens nothing', async () => {
    const email = newAddress()
    expectSuccess(await invite(ann, { invitee_emails: email }))
    const link = await mailedLink(realm.host, email)
    const { invites } = expectSuccess(await ann.api.get('/invites'))
    const { id } = invites.find((one: { email: string }) => one.email === email)
    const ben = await buildUser(realm)
    expect((await ben.api.delete(`/invites/${id}`)).body.msg).toBe('No such invitation')
    expectSuccess(await ann.api.delete(`/invites/${id}`))
    expect((await askWorker(new Request(link))).status).toBe(404)
    expect((await ann.api.delete(`/invites/${id}`)).body.msg).toBe('No such invitation')
    expect((await ann.api.post(`/invites/${id}/resend`)).body.msg).toBe('No such invitation')
  })

  it('a resent invitation has the same link and the same expiry', async () => {
    const email = newAddress()
    expectSuccess(await invite(ann, { invitee_emails: email }))
    const link = await mailedLink(realm.host, email)
    const own = async () =>
      expectSuccess(await ann.api.get('/invites')).invites.find(
        (one: { email: string }) => one.email === email,
      )
    const before = await own()
    const ben = await buildUser(realm)
    world.clockOffset = 3_600
    expectRefusal(await ben.api.post(`/invites/${before.id}/resend`), 'No such invitation')
    expectSuccess(await ann.api.post(`/invites/${before.id}/resend`))
    expect(await mailsTo(realm.host, email)).toHaveLength(2)
    expect(await mailedLink(realm.host, email)).toBe(link)
    expect((await own()).expiry_date).toBe(before.expiry_date)
    expect((await join(link, { full_name: 'New Comer', password: 'a good one' })).status).toBe(200)
  })

  it('open organizations have a hundred a day, resent ones included; none from new members', async () => {
    const { realm: open, newest } = await buildRealm({ newest: 'member' })
    expectSuccess(await open.owner.api.patch('/realm', { invite_required: false }))
    expectRefusal(
      await invite(newest, { invitee_emails: newAddress() }),
      'Your account is too new to send invites for this organization. Ask an organization admin, or a more experienced user.',
      { code: 'INVITATION_FAILED', daily_limit_reached: false, sent_invitations: false },
    )
    const addresses = Array.from({ length: 99 }, newAddress)
    expectSuccess(await invite(open.owner, { invitee_emails: addresses.join() }))
    const limit = [
      'To protect users, Parley limits the number of invitations you can send in one day. Because you have reached the limit, no invitations were sent.',
      { code: 'INVITATION_FAILED', daily_limit_reached: true, sent_invitations: false, errors: [] },
    ] as const
    expectRefusal(await invite(open.owner, { invitee_emails: [newAddress(), newAddress()].join() }), ...limit)
    const { invites } = expectSuccess(await open.owner.api.get('/invites'))
    const resend = () => open.owner.api.post(`/invites/${invites[0].id}/resend`)
    expectSuccess(await resend())
    expectRefusal(await resend(), ...limit)
    expectRefusal(await invite(open.owner, { invitee_emails: newAddress() }), ...limit)
    expect(await mailsTo(open.host, invites[0].email)).toHaveLength(2)
    // By then the account is old enough as well.
    world.clockOffset = 3 * 86_400 + 60
    expectSuccess(await resend())
    expectSuccess(await invite(newest, { invitee_emails: newAddress() }))
  })

  it('a link lets many in, until it is revoked', async () => {
    expect((await ann.api.post('/invites/multiuse')).body.msg).toBe('Insufficient permission')
    const { invite_link } = expectSuccess(await realm.owner.api.post('/invites/multiuse', { invite_as: 400 }))
    for (const name of ['First One', 'Second One']) {
      const account = { email: newAddress(), full_name: name, password: 'a good one' }
      const joined = await joinByLink(realm.host, invite_link, account)
      expect(joined.status).toBe(200)
    }
    const { invites } = expectSuccess(await realm.owner.api.get('/invites'))
    const { id } = invites.find((one: { link_url?: string }) => one.link_url === invite_link)
    expectSuccess(await realm.owner.api.delete(`/invites/multiuse/${id}`))
    expect((await realm.owner.api.delete(`/invites/multiuse/${id}`)).body.msg).toBe(
      'Invitation has already been revoked',
    )
    expect((await askWorker(new Request(invite_link))).status).toBe(404)
  })

  it('an invitation to a role is hidden from everyone below it, even its creator', async () => {
    const { owner } = realm
    const admin = await buildUser(realm, { role: 200 })
    const { invite_link: toOwner } = expectSuccess(
      await owner.api.post('/invites/multiuse', { invite_as: 100 }),
    )
    const { invite_link: toAdmin } = expectSuccess(
      await admin.api.post('/invites/multiuse', { invite_as: 200 }),
    )
    const linksOf = async (user: TestUser) =>
      expectSuccess(await user.api.get('/invites')).invites.map((one: { link_url?: string }) => one.link_url)
    expect(await linksOf(owner)).toEqual(expect.arrayContaining([toOwner, toAdmin]))
    expect(await linksOf(admin)).toContain(toAdmin)
    expect(await linksOf(admin)).not.toContain(toOwner)
    expectSuccess(await owner.api.patch(`/users/${admin.id}`, { role: 300 }))
    expect(await linksOf(admin)).not.toContain(toAdmin)
  })
})

describe('an invitation in the list', () => {
  it('has no welcome text where the bare word null was sent', async () => {
    const email = 'null@example.com'
    const params = { invitee_emails: email, stream_ids: [], welcome_message_custom_text: 'null' }
    expectSuccess(await realm.owner.api.post('/invites', params))
    const { invites } = expectSuccess(await realm.owner.api.get('/invites'))
    expect(invites.find((one: { email: string }) => one.email === email)).toMatchObject({
      welcome_message_custom_text: null,
    })
  })

  it('has the welcome text that an administrator chose', async () => {
    const text = 'welcome to level 416'
    const email = 'level-416@example.com'
    expectSuccess(
      await realm.owner.api.post('/invites', {
        invitee_emails: email,
        stream_ids: [],
        welcome_message_custom_text: text,
      }),
    )
    const { invites } = expectSuccess(await realm.owner.api.get('/invites'))
    expect(invites.find((one: { email: string }) => one.email === email)).toMatchObject({
      welcome_message_custom_text: text,
    })
  })

  it('has these fields', async () => {
    expectSuccess(await ann.api.post('/invites', { invitee_emails: 'in@example.com', stream_ids: [] }))
    const { invites } = expectSuccess(await ann.api.get('/invites'))
    expect(invites.filter((one: { email: string }) => one.email === 'in@example.com')).toEqual([
      {
        id: expect.any(Number),
        invited_by_user_id: ann.id,
        invited: expect.any(Number),
        expiry_date: expect.any(Number),
        invited_as: 400,
        email: 'in@example.com',
        notify_referrer_on_join: true,
        is_multiuse: false,
        welcome_message_custom_text: null,
      },
    ])
  })
})
