import { describe, expect, it } from 'vitest'
import { runAlarms } from '../../support/alarms.ts'
import { buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { mailsTo, postForm } from '../../support/pages.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm, owner, ann, ben } = useRealm({ ann: 'member', ben: 'member' })
const DAY = 86_400
let made = 0

function newAddress(): string {
  made += 1
  return `stranger-${made}@example.com`
}

const invite = (user: TestUser, ...addresses: string[]) =>
  user.api.post('/invites', { invitee_emails: addresses.join(), stream_ids: [] })

const invitesOf = async (user: TestUser) =>
  expectSuccess(await user.api.get('/invites')).invites as { id: number; email?: string; link_url?: string }[]

const idOf = async (user: TestUser, address: string) =>
  (await invitesOf(user)).find(({ email }) => email === address)!.id

async function mailFive(address: string): Promise<void> {
  for (let at = 0; at < 5; at += 1) expectSuccess(await invite(ann, address))
}

const TOO_MANY =
  'To protect users, Parley limits the number of invitations you can send in one day. Because you have reached the limit, no invitations were sent.'

const refusalOf = (address: string) =>
  [
    TOO_MANY,
    {
      code: 'INVITATION_FAILED',
      daily_limit_reached: true,
      sent_invitations: false,
      errors: [[address, 'Has been sent too much mail today.', false]],
    },
  ] as const

describe('a person without an account', () => {
  it('is mailed five times a day, however and by whomever it is caused', async () => {
    const address = newAddress()
    const { invite_link } = expectSuccess(await owner.api.post('/invites/multiuse', { stream_ids: [] }))
    expectSuccess(await invite(ann, address))
    expectSuccess(await ann.api.delete(`/invites/${await idOf(ann, address)}`))
    expectSuccess(await invite(ann, address.toUpperCase()))
    expectSuccess(await ann.api.post(`/invites/${await idOf(ann, address.toUpperCase())}/resend`))
    expect((await postForm(invite_link, { email: address })).status).toBe(200)
    expectSuccess(await ben.api.patch('/settings', { email: address }))

    expectRefusal(await invite(ben, address), ...refusalOf(address))
    const again = await ann.api.post(`/invites/${await idOf(ann, address.toUpperCase())}/resend`)
    expectRefusal(again, ...refusalOf(address.toUpperCase()))
    expect((await postForm(invite_link, { email: address })).status).toBe(429)
    expect((await ann.api.patch('/settings', { email: address })).body.msg).toMatch(
      /^You're making too many attempts! Try again in \d+ seconds\.$/,
    )
    expect(await mailsTo(realm.host, address)).toHaveLength(3)
    expect(await mailsTo(realm.host, address.toUpperCase())).toHaveLength(2)
    world.clockOffset = DAY + 1
    expectSuccess(await invite(ben, address))
    world.clockOffset = 0
  })

  it('who has got five keeps everybody else of the same request from being invited', async () => {
    const [full, free] = [newAddress(), newAddress()]
    await mailFive(full)
    const before = await invitesOf(owner)
    expectRefusal(await invite(ben, free, full), ...refusalOf(full))
    expect(await invitesOf(owner)).toEqual(before)
    expect(await mailsTo(realm.host, free)).toEqual([])
  })

  it('who has got five gets no reminder that day', async () => {
    const [full, free] = [newAddress(), newAddress()]
    expectSuccess(await invite(ann, full, free))
    world.clockOffset = 8 * DAY - 60
    await mailFive(full)
    await runAlarms(realm, 1, 120)
    world.clockOffset = 0
    expect((await mailsTo(realm.host, free)).map(({ subject }) => subject)).toEqual([
      expect.stringContaining('Reminder'),
      expect.stringContaining('has invited you'),
    ])
    expect(await mailsTo(realm.host, full)).toHaveLength(6)
  })

  it('who has got five gets no welcome with an account that an administrator makes', async () => {
    const [full, free] = [newAddress(), newAddress()]
    await mailFive(full)
    for (const email of [full, free]) {
      expectSuccess(
        await owner.api.post('/users', {
          email,
          full_name: `Full ${email.length}`,
          password: 'a fine password',
        }),
      )
    }
    expect(await mailsTo(realm.host, full)).toHaveLength(5)
    expect(await mailsTo(realm.host, free)).toHaveLength(1)
  })
})

describe('an address that an account has lost', () => {
  it('is told so five times a day; then the account keeps it', async () => {
    const person = await buildUser(realm)
    const move = (email: string) => owner.api.patch(`/users/${person.id}`, { new_email: email })
    const addresses = Array.from({ length: 5 }, newAddress)
    // All are told to the address that the person has confirmed.
    for (const email of addresses) expectSuccess(await move(email))
    expect((await move(newAddress())).body.msg).toMatch(/^You're making too many attempts!/)
    const { user } = expectSuccess(await owner.api.get(`/users/${person.id}`))
    expect(user.delivery_email).toBe(addresses.at(-1))
    expect(await mailsTo(realm.host, person.email)).toHaveLength(5)
  })

  it('gets no more than five mails a day, however often the account is closed', async () => {
    for (let at = 0; at < 7; at += 1) {
      expectSuccess(await owner.api.delete(`/users/${ben.id}`, { deactivation_notification_comment: 'Bye' }))
      expectSuccess(await owner.api.post(`/users/${ben.id}/reactivate`))
    }
    expect(await mailsTo(realm.host, ben.email)).toHaveLength(5)
  })
})
