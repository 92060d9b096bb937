import { beforeEach, describe, expect, it } from 'vitest'
import { withApp } from '../../support/authenticator-app.ts'
import { Browser } from '../../support/browsing.ts'
import { buildUser, expectSuccess } from '../../support/factories.ts'
import { Mailbox } from '../../support/mailbox.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm } = useRealm()
const mailbox = new Mailbox()
beforeEach(() => {
  mailbox.open()
  mailbox.isFor(realm)
  mailbox.forget()
})

const factorsOf = async ({ api }: Awaited<ReturnType<typeof buildUser>>) =>
  expectSuccess(await api.get('/second_factors'))

describe('resetting the second factors of a user', () => {
  it('is for administrators, and those of owners for owners', async () => {
    const [member, administrator, owner] = [
      await buildUser(realm),
      await buildUser(realm, { role: 200 }),
      await buildUser(realm, { role: 100 }),
    ]
    await withApp(member)
    await withApp(owner)
    const reset = (by: typeof member, of: typeof member) => by.api.delete(`/users/${of.id}/second_factors`)
    const moderator = await buildUser(realm, { role: 300 })
    expect((await reset(moderator, member)).body).toMatchObject({
      msg: 'Must be an organization administrator',
    })
    expect((await reset(administrator, owner)).body).toMatchObject({ msg: 'Must be an organization owner' })
    expect(await factorsOf(owner)).toMatchObject({ totp_made_at: expect.any(Number) })
    expectSuccess(await reset(administrator, member))
    expect(await factorsOf(member)).toMatchObject({ totp_made_at: null, recovery_codes_left: 0 })
    expect((await reset(administrator, member)).body).toMatchObject({
      msg: 'This user has no two-step verification.',
    })
    expectSuccess(await reset(realm.owner, owner))
    const browser = new Browser(realm.host)
    expect((await browser.logIn(member.email, 'a fine password')).headers.get('location')).toBe('/')
  })

  it('is mailed to them, as every other change of a second factor', async () => {
    const user = await buildUser(realm)
    await withApp(user)
    expect((await mailbox.only(user)).subject).toBe('Two-step verification for Test: new method')
    expectSuccess(await user.api.post('/second_factors/recovery_codes'))
    expect((await mailbox.only(user)).subject).toBe('New recovery codes for Test')
    mailbox.pass(86_400)
    expectSuccess(await realm.owner.api.delete(`/users/${user.id}/second_factors`))
    const mail = await mailbox.only(user)
    expect(mail.subject).toBe('Two-step verification for Test was reset')
    expect(mail.text).toContain('An administrator removed')
    await withApp(user)
    expectSuccess(await user.api.delete('/second_factors/totp'))
    await mailbox.deliver()
    expect(mailbox.to(user).map(({ subject }) => subject)).toContain(
      'Two-step verification for Test: method removed',
    )
  })

  it('is in the audit log', async () => {
    const user = await buildUser(realm)
    await withApp(user)
    expectSuccess(await realm.owner.api.delete(`/users/${user.id}/second_factors`))
    const { entries } = expectSuccess(await realm.owner.api.get('/audit_log'))
    const own = (entries as { action: string; details: { user_id?: number } }[]).filter(
      ({ details }) => details.user_id === user.id,
    )
    expect(own.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['second_factor_added', 'second_factors_reset']),
    )
  })
})
