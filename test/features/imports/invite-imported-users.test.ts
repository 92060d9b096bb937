import { beforeEach, describe, expect, it } from 'vitest'
import { runAlarms } from '../../support/alarms.ts'
import { keepAlarmsAway } from '../../support/exports.ts'
import { buildUser, expectSuccess } from '../../support/factories.ts'
import { headOf, importArchive, importedPerson, type Line } from '../../support/imports.ts'
import { addLoginProvider } from '../../support/login-identities.ts'
import { mailedLink, mailsTo, postForm } from '../../support/pages.ts'
import { openQueue } from '../../support/queues.ts'
import { turnRealmSettings } from '../../support/realm-settings.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { useRealmPerTest } from '../../support/use-realm.ts'

const made = useRealmPerTest()
beforeEach(keepAlarmsAway)

const PATH = '/imports/invitations'
const user = (id: string, more: Line = {}): Line => ({ type: 'user', id, full_name: `Person ${id}`, ...more })

describe('POST /imports/invitations', () => {
  it('is for owners', async () => {
    const { realm } = made
    const others = await Promise.all(([200, 400, 600] as const).map((role) => buildUser(realm, { role })))
    for (const { api } of others) {
      expectRefusal(await api.post(PATH), 'Must be an organization owner', {
        code: 'UNAUTHORIZED_PRINCIPAL',
      })
    }
    expectUnauthorized(await realm.anonymous.post(PATH))
  })

  it('mails those alone who have an address, an open account, and have not come yet', async () => {
    const { realm } = made
    const known = await buildUser(realm)
    await importArchive(realm, [
      headOf('stubs'),
      user('1', { email: 'ada@example.org', joined_ms: 1_000_000_000_000 }),
      user('2'),
      user('3', { email: 'gone@example.org', deactivated: true }),
      user('4', { email: 'robot@example.org', is_bot: true }),
      user('5', { email: known.email }),
    ])
    expect(await importedPerson(realm, 'Person 1')).toMatchObject({
      is_imported_stub: true,
      date_joined: '2001-09-09T01:46+00:00',
    })
    expect((await importedPerson(realm, 'Person 4')).is_imported_stub).toBe(false)
    expect(await mailsTo(realm.host, 'ada@example.org')).toEqual([])

    for (let time = 0; time < 3; time += 1) {
      expectSuccess(await realm.owner.api.post(PATH))
      await runAlarms(realm, 3, 40)
    }
    const mails = await mailsTo(realm.host, 'ada@example.org')
    expect(mails[0]!.subject).toMatch(/^Your account in /)
    // As often as a stranger is mailed at most.
    expect(mails.length).toBeLessThanOrEqual(5)
    for (const address of ['gone@example.org', 'robot@example.org', known.email]) {
      expect(await mailsTo(realm.host, address)).toEqual([])
    }

    const queue = await openQueue(realm.owner)
    const link = await mailedLink(realm.host, 'ada@example.org')
    expect((await postForm(link, { password: 'quite another one' })).status).toBe(200)
    const credentials = { username: 'ada@example.org', password: 'quite another one' }
    expectSuccess(await realm.anonymous.post('/fetch_api_key', credentials))
    const ada = await importedPerson(realm, 'Person 1')
    expect(ada.is_imported_stub).toBe(false)
    expect(ada.date_joined).not.toMatch(/^2001/)
    const told = (await queue.eventsOf('realm_user', 'update')).map(({ person }) => person)
    expect(told).toEqual(
      expect.arrayContaining([
        { user_id: ada.user_id, date_joined: ada.date_joined },
        { user_id: ada.user_id, is_imported_stub: false },
      ]),
    )
    const before = (await mailsTo(realm.host, 'ada@example.org')).filter(({ subject }) =>
      /^Your account/.test(subject),
    )
    expectSuccess(await realm.owner.api.post(PATH))
    await runAlarms(realm, 3, 86_400)
    const after = (await mailsTo(realm.host, 'ada@example.org')).filter(({ subject }) =>
      /^Your account/.test(subject),
    )
    expect(after).toHaveLength(before.length)
  })

  it('takes its time with many', async () => {
    const { realm } = made
    const people = Array.from({ length: 40 }, (_, at) => user(`p${at}`, { email: `p${at}@example.org` }))
    await importArchive(realm, [headOf('many'), ...people])
    expectSuccess(await realm.owner.api.post(PATH))
    const mailed = async () =>
      (
        await Promise.all(people.map(async ({ email }) => (await mailsTo(realm.host, String(email))).length))
      ).filter((count) => count === 1).length
    await runAlarms(realm, 1)
    const first = await mailed()
    expect(first).toBeLessThan(people.length)
    await runAlarms(realm, 6, 40)
    expect(await mailed()).toBe(people.length)
  })

  it('reaches a pilot group and its subgroups first, then everybody', async () => {
    const { realm } = made
    const people = Array.from({ length: 30 }, (_, at) => user(`p${at}`, { email: `p${at}@example.org` }))
    await importArchive(realm, [headOf('pilots'), ...people])
    const group = async (name: string, members: number[], subgroups: number[] = []) =>
      expectSuccess(
        await realm.owner.api.post('/user_groups/create', { name, description: '', members, subgroups }),
      ).group_id as number
    const idOf = async (name: string) => (await importedPerson(realm, name)).user_id as number
    const inner = await group('Inner', [await idOf('Person p29')])
    const pilots = await group('Pilots', [await idOf('Person p28'), realm.owner.id], [inner])
    const mailed = async () => {
      const counts = await Promise.all(people.map(({ email }) => mailsTo(realm.host, String(email))))
      return counts.flatMap((mails, at) => (mails.length > 0 ? [at] : []))
    }
    for (const user_group_id of [99_999, -1]) {
      expectRefusal(await realm.owner.api.post(PATH, { user_group_id }), 'Invalid user group')
    }
    expectSuccess(await realm.owner.api.post(PATH, { user_group_id: pilots }))
    await runAlarms(realm, 3, 40)
    expect(await mailed()).toEqual([28, 29])
    expectSuccess(await realm.owner.api.post(`/user_groups/${pilots}/deactivate`))
    expectRefusal(await realm.owner.api.post(PATH, { user_group_id: pilots }), 'Invalid user group')
    expectSuccess(await realm.owner.api.post(PATH))
    await runAlarms(realm, 6, 40)
    expect(await mailed()).toHaveLength(people.length)
  })

  it('leads to the organization’s provider where passwords are off, with the account’s address', async () => {
    const { realm } = made
    await addLoginProvider(realm, 'acme', { display_name: 'Acme' })
    await importArchive(realm, [headOf('single'), user('1', { email: 'ada@example.org' })])
    await turnRealmSettings(realm, { authentication_methods: { Email: false, 'OpenID Connect': true } })
    expectSuccess(await realm.owner.api.post(PATH))
    await runAlarms(realm, 2, 40)
    const [mail] = await mailsTo(realm.host, 'ada@example.org')
    expect(mail!.subject).toMatch(/^Your account in /)
    expect(mail!.body).toMatch(/To log in with Acme, open this page:\nhttps?:\/\/[^/]+\/accounts\/login\/\n/)
    expect(mail!.body).toContain(`://${realm.host}/accounts/login/`)
    expect(mail!.body).toContain('Use your account there that has the email address ada@example.org.')
    expect(mail!.body).not.toContain('password')
  })

  it('is refused where nobody could log in', async () => {
    const { realm } = made
    await turnRealmSettings(realm, { authentication_methods: { Email: false, 'OpenID Connect': true } })
    expectRefusal(
      await realm.owner.api.post(PATH),
      'Password authentication is disabled in this organization',
    )
  })
})
