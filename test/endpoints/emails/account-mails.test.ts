import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiClient } from '../../support/api.ts'
import {
  buildRealm,
  buildUser,
  expectSuccess,
  type TestRealm,
  type TestUser,
} from '../../support/factories.ts'
import { Mailbox } from '../../support/mailbox.ts'
import { postForm, visit } from '../../support/pages.ts'
import { world } from '../../support/world.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const PASSWORD = 'a fine password'

const mailbox = new Mailbox()
let realm: TestRealm
let ann: TestUser
beforeAll(async () => {
  mailbox.open()
  realm = await buildRealm({ name: 'Castle' })
  mailbox.isFor(realm)
  ann = await buildUser(realm, { name: 'Ann' })
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
  it('with a program that was not used before is mailed, once', async () => {
    await logIn(FIREFOX)
    await logIn(FIREFOX)
    await logIn(FIREFOX.replaceAll('140', '141'))
    const { subject, text, html, headers } = await mailbox.only(ann)
    expect(subject).toBe('New login from Firefox on Linux')
    expect(text).toContain(`logged in as ${ann.email} to Castle (http://${realm.host})`)
    expect(text).toMatch(/When: \w+day,? \d+ \w+ \d{4} at \d+:\d\d [ap]m UTC\nWith: Firefox on Linux/)
    expect(text).toContain(`http://${realm.host}/accounts/password/reset/`)
    expect(html).toContain('Firefox on Linux')
    expect(headers['List-Unsubscribe']).toContain('/accounts/unsubscribe/login/')
    await logIn('curl/8.5.0')
    expect((await mailbox.only(ann)).subject).toBe('New login from curl on an unknown system')
  })

  it('is not mailed with a wrong password, to who has just come, or to who does not want that', async () => {
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

  it('is mailed in one’s language and clock, until one follows the link out of it', async () => {
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

describe('who joins by an invitation', () => {
  it('is greeted by mail, unless the organization does not want that', async () => {
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
    expect(await join('dora')).toEqual(['Welcome to Castle'])
    expectSuccess(await realm.owner.api.patch('/realm', { send_welcome_emails: false }))
    expect(await join('emil')).toEqual([])
  })
})

describe('what opens an account', () => {
  it('is changed, and its owner hears of it', async () => {
    await set({ old_password: PASSWORD, new_password: 'another fine password' })
    expect((await mailbox.only(ann)).subject).toBe('Your password for Castle was changed')
    const { api_key } = expectSuccess(await ann.api.post('/users/me/api_key/regenerate'))
    expect((await mailbox.only(ann)).subject).toBe('Your API key for Castle is a new one')
    ann = {
      ...ann,
      apiKey: api_key,
      api: new ApiClient({ host: realm.host, realmId: realm.id, email: ann.email, apiKey: api_key }),
    }
  })
})

describe('an address that takes no mail for good', () => {
  /** As Cloudflare's service says it, or an SMTP server; the JSON API cannot. */
  function refuse(): void {
    const refusal = Object.assign(new Error('No `such` user'), { code: 'E_RECIPIENT_SUPPRESSED' })
    const SEND_EMAIL = { send: () => Promise.reject(refusal) }
    world.settings = { SEND_EMAIL } as unknown as typeof world.settings
  }

  it('gets no more of what nobody has asked for; its owner is told, and can have it tried again', async () => {
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
    expect(messages.at(-1).content).toContain(`Mail to your address \`${cat.email}\` does not arrive`)
    expect(messages.at(-1).content).toContain('E_RECIPIENT_SUPPRESSED No such user`)')
    await write()
    expect(await mailbox.count(cat)).toBe(0)
    for (const on of [false, true]) {
      expectSuccess(await cat.api.patch('/settings', { enable_offline_email_notifications: on }))
    }
    await write()
    expect(await mailbox.count(cat)).toBe(1)
  })
})
