import { runDurableObjectAlarm } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { evictRealm, realmStub } from '../../support/api.ts'
import { expectSuccess } from '../../support/factories.ts'
import { mailedLink, mailsTo, postForm } from '../../support/pages.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const DAY = 86_400

const { realm } = useRealm({}, { name: 'Ferns' })
let addresses = 0

async function invite(days: number | null): Promise<string> {
  addresses += 1
  const email = `invited-${addresses}@example.com`
  expectSuccess(
    await realm.owner.api.post('/invites', {
      invitee_emails: email,
      stream_ids: [],
      invite_expires_in_minutes: days === null ? null : days * 1_440,
    }),
  )
  return email
}

async function passUntil(seconds: number): Promise<void> {
  world.clockOffset = seconds
  await runDurableObjectAlarm(realmStub(realm.id))
}

const subjects = async (email: string) => (await mailsTo(realm.host, email)).map(({ subject }) => subject)

const INVITATION = 'Olga Owner has invited you to join Ferns'
const REMINDER = 'Reminder: join Ferns'

describe('an invitation that will expire', () => {
  it('is mailed again two days before, with the same link', async () => {
    const email = await invite(10)
    const link = await mailedLink(realm.host, email)
    await passUntil(8 * DAY - 60)
    expect(await subjects(email)).toEqual([INVITATION])
    await evictRealm(realm.id)
    await passUntil(8 * DAY + 60)
    expect(await subjects(email)).toEqual([REMINDER, INVITATION])
    expect(await mailedLink(realm.host, email)).toBe(link)
    await passUntil(9 * DAY)
    expect(await subjects(email)).toEqual([REMINDER, INVITATION])
    expect((await postForm(link, { full_name: 'Late Comer', password: 'a good one' })).status).toBe(200)
  })

  it('is not mailed again when valid for less than four days, or for ever', async () => {
    const emails = [await invite(3.9), await invite(null)]
    const reminded = await invite(4)
    await passUntil(2 * DAY + 60)
    for (const email of emails) expect(await subjects(email)).toEqual([INVITATION])
    expect(await subjects(reminded)).toEqual([REMINDER, INVITATION])
  })

  it('is not mailed again after it was accepted or revoked', async () => {
    const [accepted, revoked] = [await invite(10), await invite(10)]
    const link = await mailedLink(realm.host, accepted)
    expect((await postForm(link, { full_name: 'Quick One', password: 'a good one' })).status).toBe(200)
    const { invites } = expectSuccess(await realm.owner.api.get('/invites'))
    const { id } = invites.find((one: { email: string }) => one.email === revoked)
    expectSuccess(await realm.owner.api.delete(`/invites/${id}`))
    await passUntil(8 * DAY + 60)
    expect(await subjects(revoked)).toEqual([INVITATION])
    expect(await subjects(accepted)).not.toContain(REMINDER)
  })
})
