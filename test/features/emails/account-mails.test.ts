import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiClient } from '../../support/api.ts'
import { buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { Mailbox } from '../../support/mailbox.ts'
import { postForm, visit } from '../../support/pages.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const PASSWORD = 'a fine password'

const mailbox = new Mailbox()
beforeAll(() => {
  mailbox.open()
})
const { realm, ann } = useRealm({ ann: 'member' }, { name: 'Castle' })
beforeAll(() => {
  mailbox.isFor(realm)
  mailbox.pass(100)
})
beforeEach(() => {
  mailbox.open()
  mailbox.forget()
})
afterEach(() => vi.restoreAllMocks())

async function logIn(userAgent: string, password = PASSWORD): Promise<void> {
  const client = new ApiClient({ host: realm.host, realmId: realm.id, userAgent })
  await client.post('/fetch_api_key', { username: ann.email, password })
}
const set = async (settings: Record<string, boolean | string>) =>
  expectSuccess(await ann.api.patch('/settings', settings))

describe('a login', () => {
  it('from a new program is mailed once', async () => {
    await logIn(FIREFOX)
    await logIn(FIREFOX)
    await logIn(FIREFOX.replaceAll('140', '141'))
    const { subject, text, html, headers } = await mailbox.only(ann)
    expect(subject).toBe('New login from Firefox on Linux')
    expect(text).toContain(`login as ${ann.email} to Castle (http://${realm.host})`)
    expect(text).toMatch(/When: \w+day,? \d+ \w+ \d{4} at \d+:\d\d [ap]m UTC\nWith: Firefox on Linux/)
    expect(text).toContain(`http://${realm.host}/accounts/password/reset/`)
    expect(html).toContain('Firefox on Linux')
    expect(headers['List-Unsubscribe']).toContain('/accounts/unsubscribe/login/')
    await logIn('curl/8.5.0')
    expect((await mailbox.only(ann)).subject).toBe('New login from curl on an unknown system')
  })

  it('is not mailed for a wrong password, a new member, or a disabled setting', async () => {
    await logIn('Wrong/1.0', 'another')
    expect(await mailbox.count(ann)).toBe(0)
    await set({ enable_login_emails: false })
    await logIn('Unwanted/1.0')
    expect(await mailbox.count(ann)).toBe(0)
    await set({ enable_login_emails: true })
    const ben = await buildUser(realm, { name: 'Ben' })
    const client = new ApiClient({ host: realm.host, realmId: realm.id, userAgent: 'First/1.0' })
    expectSuccess(await client.post('/fetch_api_key', { username: ben.email, password: PASSWORD }))
    expect(await mailbox.count(ben)).toBe(0)
  })

  it.each([
    ['fr', '', 'Nouvelle connexion avec'],
    ['es', '', 'Nuevo inicio de sesión con'],
    ['ja', '', 'からの新しいログイン'],
    ['ar', ' dir="rtl"', 'تسجيل دخول جديد من'],
    ['pt', '', 'New login from'],
  ])('is mailed in %s to whoever has chosen it', async (language, direction, subject) => {
    await set({ default_language: language })
    await logIn(`Program-${language}/1.0`)
    const mail = await mailbox.only(ann)
    await set({ default_language: 'en' })
    expect(mail.subject).toContain(subject)
    expect(mail.html).toContain(`<html lang="${language === 'pt' ? 'en' : language}"${direction}>`)
    expect(mail.text).toContain(ann.email)
  })

  it('is mailed in the user’s language and time zone, until they unsubscribe', async () => {
    await set({ default_language: 'de', timezone: 'Europe/Berlin', twenty_four_hour_time: true })
    await logIn(FIREFOX.replace('X11; Linux x86_64', 'Windows NT 10.0'))
    const { subject, text, headers } = await mailbox.only(ann)
    await set({ default_language: 'en' })
    expect(subject).toBe('Neue Anmeldung mit Firefox auf Windows')
    expect(text).toMatch(/Wann: \w+, \d+\. \S+ \d{4} um \d\d:\d\d (MEZ|MESZ)/)
    const link = /<(.*)>/.exec(headers['List-Unsubscribe']!)![1]!
    expect((await visit(link, { method: 'POST' })).status).toBe(200)
    await logIn('Later/1.0')
    expect(await mailbox.count(ann)).toBe(0)
    await set({ enable_login_emails: true })
  })
})

describe('a new user', () => {
  /** Creates an account, and returns the subjects of the mail that it gets at once. */
  const join = async (name: string): Promise<string[]> => {
    const email = `${name}@${realm.host}`
    expectSuccess(
      await realm.owner.api.post('/invites', {
        invitee_emails: email,
        stream_ids: [],
        invite_expires_in_minutes: null,
      }),
    )
    await mailbox.deliver()
    const link = /http\S+\/join\/\S+/.exec(mailbox.posted[0]!.text)![0]
    mailbox.forget()
    const joined = await postForm(link, { full_name: name, password: 'a very fine password' })
    expect(joined.status).toBe(200)
    await mailbox.deliver()
    const subjects = mailbox.posted.filter(({ to }) => to[0] === email).map(({ subject }) => subject)
    mailbox.forget()
    return subjects
  }

  it('who was invited gets a welcome mail, unless the organization disables it', async () => {
    expect(await join('dora')).toEqual(['Welcome to Castle'])
    expectSuccess(await realm.owner.api.patch('/realm', { send_welcome_emails: false }))
    expect(await join('emil')).toEqual([])
    expectSuccess(await realm.owner.api.patch('/realm', { send_welcome_emails: true }))
  })

  it('whom an administrator created gets it too', async () => {
    world.settings = { ...world.settings, CAN_CREATE_USERS: `${realm.host}/${realm.owner.email}` }
    const create = async (name: string) => {
      const email = `${name}@${realm.host}`
      expectSuccess(
        await realm.owner.api.post('/users', { email, full_name: name, password: 'a very fine password' }),
      )
      await mailbox.deliver()
      const mails = mailbox.posted.filter(({ to }) => to[0] === email)
      mailbox.forget()
      return mails
    }
    const [mail] = await create('ines')
    expect(mail!.subject).toBe('Welcome to Castle')
    expect(mail!.text).toContain(`You log in with ines@${realm.host}.`)
    expectSuccess(await realm.owner.api.patch('/realm', { send_welcome_emails: false }))
    expect(await create('jon')).toEqual([])
    expectSuccess(await realm.owner.api.patch('/realm', { send_welcome_emails: true }))
  })

  it('gets a mail about topics some days later, unless they disable it', async () => {
    for (const name of ['fay', 'gus', 'hal']) await join(name)
    const client = async (name: string) => {
      const email = `${name}@${realm.host}`
      const login = { username: email, password: 'a very fine password' }
      const { api_key } = expectSuccess(await realm.anonymous.post('/fetch_api_key', login))
      return new ApiClient({ host: realm.host, realmId: realm.id, email, apiKey: api_key })
    }
    expectSuccess(await (await client('gus')).patch('/settings', { enable_marketing_emails: false }))
    expectSuccess(await (await client('hal')).delete('/users/me'))
    mailbox.forget()
    await mailbox.deliver(5 * 86_400)
    await mailbox.deliver(1)
    const guides = mailbox.posted.filter(({ subject }) => subject === 'Topics keep conversations apart')
    expect(guides.map(({ to }) => to[0])).toContain(`fay@${realm.host}`)
    for (const name of ['gus', 'hal', 'emil']) {
      expect(guides.map(({ to }) => to[0])).not.toContain(`${name}@${realm.host}`)
    }
    const link = /<(.*)>/.exec(guides.at(-1)!.headers['List-Unsubscribe']!)![1]!
    expect((await visit(link, { method: 'POST' })).text).toContain('no more usage tips from Castle')
    mailbox.forget()
  })
})

describe('the credentials of an account', () => {
  it('are mailed about when they change: when, how, and what to do', async () => {
    const asFirefox = new ApiClient({
      host: realm.host,
      realmId: realm.id,
      email: ann.email,
      apiKey: ann.apiKey,
      userAgent: FIREFOX,
    })
    expectSuccess(
      await asFirefox.patch('/settings', { old_password: PASSWORD, new_password: 'another fine password' }),
    )
    const { subject, text } = await mailbox.only(ann)
    expect(subject).toBe('Your password for Castle was changed')
    expect(text).toContain(`The password of ${ann.email} in Castle was changed.`)
    expect(text).toMatch(/When: \w+day,? \d+ \w+ \d{4} at \d+:\d\d [\s\S]*\nWith: Firefox on Linux/)
    expect(text).toContain(`choose a new password now`)
    // Ann makes no request after this test, since her old key is no longer valid.
    expectSuccess(await asFirefox.post('/users/me/api_key/regenerate'))
    const keyMail = await mailbox.only(ann)
    expect(keyMail.subject).toBe('New API key for Castle')
    expect(keyMail.text).toContain('With: Firefox on Linux')
  })
})

/** The first line of each mail that has no test of its own, in all languages. */
const IN_LANGUAGES = [
  {
    language: 'en',
    invitation: ['Olga Owner has invited you to join Castle', /The link is valid until \w+day/],
    addressCheck: ['Confirm your new address in Castle', /To confirm it, open this link:/],
    addressChange: ['Your address in Castle was changed', /When: \w+day[\s\S]*With: Firefox on Linux/],
    passwordReset: ['A new password for Castle', /To choose one, open this link:/],
    closedAccount: ['Your account at Castle has been deactivated', /Olga Owner writes:\n> Bye/],
  },
  {
    language: 'de',
    invitation: ['Olga Owner lädt dich zu Castle ein', /Der Link gilt bis \w+tag|Mittwoch/],
    addressCheck: ['Bestätige deine neue Adresse in Castle', /Zum Bestätigen öffne diesen Link:/],
    addressChange: ['Deine Adresse in Castle wurde geändert', /Wann: \w+[\s\S]*Womit: Firefox auf Linux/],
    passwordReset: ['Ein neues Passwort für Castle', /Um eines zu wählen, öffne diesen Link:/],
    closedAccount: ['Dein Konto bei Castle wurde deaktiviert', /Olga Owner schreibt dazu:\n> Bye/],
  },
] as const

describe('a user who renews the key repeatedly', () => {
  it('gets a limited number of mails an hour, and again the next hour', async () => {
    world.settings = { ...world.settings, RATE_LIMIT_MISSED_MAIL_BY_USER: '2/3600' }
    const user = await buildUser(realm, { name: 'Kim' })
    let { api } = user
    const again = async () => {
      const { api_key } = expectSuccess(await api.post('/users/me/api_key/regenerate'))
      api = new ApiClient({ host: realm.host, realmId: realm.id, email: user.email, apiKey: api_key })
    }
    for (let times = 0; times < 4; times += 1) await again()
    expect(await mailbox.count(user)).toBe(2)
    mailbox.pass(3_600)
    await again()
    expect(await mailbox.count(user)).toBe(1)
  })
})

describe('mail of accounts', () => {
  it.each(IN_LANGUAGES)('is in its reader’s language ($language), as text and as HTML', async (expected) => {
    const { language } = expected
    const [address, newAddress, invitee] = ['old', 'new', 'invited'].map(
      (name) => `${name}-${language}@${realm.host}`,
    ) as [string, string, string]
    expectSuccess(await realm.owner.api.patch('/realm', { default_language: language }))
    const user = await buildUser(realm, { name: 'Lea', email: address })
    const arrived = async (to: string, [subject, text]: readonly [string, RegExp]) => {
      await mailbox.deliver()
      const mails = mailbox.posted.filter((mail) => mail.to[0] === to)
      mailbox.forget()
      expect(mails.map((mail) => mail.subject)).toEqual([subject])
      expect(mails[0]!.text).toMatch(text)
      expect(mails[0]!.html).toContain(`<html lang="${language}">`)
      const [link] = /^http\S+$/m.exec(mails[0]!.text) ?? []
      if (link) expect(mails[0]!.html).toContain(`<a href="${link}">${link}</a>`)
      return link
    }
    const invitation = { invitee_emails: invitee, stream_ids: [], invite_expires_in_minutes: 10_000 }
    expectSuccess(await realm.owner.api.post('/invites', invitation))
    await arrived(invitee, expected.invitation)
    expectSuccess(await user.api.patch('/settings', { email: newAddress }))
    const link = await arrived(newAddress, expected.addressCheck)
    await visit(link!, { method: 'POST', headers: { 'User-Agent': FIREFOX } })
    await arrived(address, expected.addressChange)
    await postForm(`http://${realm.host}/accounts/password/reset/`, { email: newAddress })
    await arrived(newAddress, expected.passwordReset)
    const comment = { deactivation_notification_comment: 'Bye' }
    expectSuccess(await realm.owner.api.delete(`/users/${user.id}`, comment))
    await arrived(newAddress, expected.closedAccount)
    expectSuccess(await realm.owner.api.patch('/realm', { default_language: 'en' }))
  })
})

describe('an address that takes no mail for good', () => {
  /** Makes the service refuse mail for good, as Cloudflare's service or an SMTP server can; the JSON API cannot. */
  function refuse(): void {
    const refusal = Object.assign(new Error('No `such` user'), { code: 'E_RECIPIENT_SUPPRESSED' })
    const SEND_EMAIL = { send: () => Promise.reject(refusal) }
    world.settings = {}
    world.bindings = { SEND_EMAIL }
  }

  it('gets only mail its owner asked for; the owner is notified, may retry', async () => {
    const cat = await buildUser(realm, { name: 'Cat' })
    const write = () =>
      realm.owner.api
        .post('/messages', { type: 'direct', to: [cat.id], content: 'Hello' })
        .then(expectSuccess)
    await write()
    refuse()
    await mailbox.deliver()
    mailbox.open()
    const { messages } = expectSuccess(
      await cat.api.get('/messages', {
        anchor: 'newest',
        num_before: 5,
        num_after: 0,
        apply_markdown: false,
      }),
    )
    expect(messages.at(-1).content).toContain(`Emails to your address \`${cat.email}\` cannot be delivered`)
    expect(messages.at(-1).content).toContain('E_RECIPIENT_SUPPRESSED No such user`)')
    await write()
    expect(await mailbox.count(cat)).toBe(0)
    for (const on of [false, true]) {
      expectSuccess(await cat.api.patch('/settings', { enable_offline_email_notifications: on }))
    }
    await write()
    expect(await mailbox.count(cat)).toBe(1)
  })

  it('is in its owner’s registration until the address is set again', async () => {
    const dot = await buildUser(realm, { name: 'Dot' })
    const refusedOf = async (user: TestUser) =>
      expectSuccess(await user.api.post('/register', { fetch_event_types: ['realm_user'] }))
        .delivery_email_refused
    const write = () =>
      realm.owner.api
        .post('/messages', { type: 'direct', to: [dot.id], content: 'Hello' })
        .then(expectSuccess)
    expect(await refusedOf(dot)).toBeNull()
    await write()
    refuse()
    await mailbox.deliver()
    mailbox.open()
    expect(await refusedOf(dot)).toMatchObject({
      address: dot.email,
      since: expect.any(Number),
      reason: expect.stringContaining('No `such` user'),
    })
    expect(await refusedOf(realm.owner)).toBeNull()
    // The notice about this is a message too, and no mail about it goes to that address.
    expect(await mailbox.count(dot)).toBe(0)
    expectSuccess(await dot.api.patch('/settings', { email: dot.email }))
    expect(await refusedOf(dot)).toBeNull()
    await write()
    expect(await mailbox.count(dot)).toBe(1)
  })
})
