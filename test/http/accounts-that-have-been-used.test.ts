import { SignJWT } from 'jose'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { Browser } from '../support/browsing.ts'
import { buildUser, expectSuccess, type TestUser } from '../support/factories.ts'
import { standInForProvider } from '../support/identity-provider.ts'
import { buildUnused } from '../support/login-identities.ts'
import { mailedLink, mailsTo, postForm, visit } from '../support/pages.ts'
import { connectProvider } from '../support/scim.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const PASSWORD = 'a fine password'
const SECRET = 'the secret of the other system, long enough'

const { realm, owner } = useRealm()
const provider = standInForProvider(realm)

beforeAll(async () => {
  await provider.add(owner)
  await provider.add(owner, 'trusted', { trusts_email: true })
  expectSuccess(await owner.api.request('PUT', '/realm/jwt_secret', { secret: SECRET }))
})

let subjects = 0

type Person = { readonly sub: string; readonly email: string }

const personAt = (email: string): Person => {
  subjects += 1
  return { sub: `subject-${subjects}`, email }
}

const tokenOf = (email: string) =>
  new SignJWT({ email })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuedAt()
    .setExpirationTime('1m')
    .sign(new TextEncoder().encode(SECRET))

/** What owners set up, by which somebody may come as a user. Each returns whether they are let in. */
const WAYS = {
  'a provider that says it has verified the address': async ({ sub, email }: Person) =>
    isIn((await provider.logIn({ sub, email, email_verified: true })).browser),
  'a provider whose addresses the owners trust': async ({ sub, email }: Person) =>
    isIn((await provider.logIn({ sub, email }, { slug: 'trusted' })).browser),
  'a token of the other system': async ({ email }: Person) =>
    (await realm.anonymous.post('/jwt/fetch_api_key', { token: await tokenOf(email) })).status === 200,
}
type Way = keyof typeof WAYS

const isIn = async (browser: Browser) => (await browser.json('GET', '/users/me')).status === 200
const subjectsTo = async (email: string) =>
  (await mailsTo(realm.host, email)).map(({ subject }) => subject).join('\n')
const allowed = async <Value>(run: () => Promise<Value>): Promise<Value> => {
  world.settings = { OWNER_ACCOUNT_ACCESS: `other.test ${realm.host.toUpperCase()}` }
  try {
    return await run()
  } finally {
    world.settings = {}
  }
}

describe.each(Object.keys(WAYS) as Way[])('%s', (way) => {
  it('opens an account that nobody has used, of which its user hears', async () => {
    const user = await buildUnused(realm)
    const person = personAt(user.email)
    expect(await WAYS[way](person)).toBe(true)
    expect(await subjectsTo(user.email)).toContain('New way to log in')
    // And opens it from then on.
    expect(await WAYS[way](person)).toBe(true)
  })

  it('opens one that an identity provider or an administrator has made', async () => {
    const scim = await connectProvider(realm)
    const [bySCIM, byHand] = [`scim-${subjects}@example.com`, `hand-${subjects}@example.com`]
    await scim.makeUser(bySCIM, { displayName: `Made ${subjects}` })
    const account = { email: byHand, password: 'of its maker', full_name: `Hand ${subjects}` }
    expectSuccess(await owner.api.post('/users', account))
    for (const email of [bySCIM, byHand]) expect(await WAYS[way](personAt(email))).toBe(true)
  })

  it('does not open one that has been used, until its user allows it', async () => {
    const user = await buildUser(realm)
    const person = personAt(user.email)
    expect(await WAYS[way](person)).toBe(false)
    const { entries } = expectSuccess(await owner.api.get('/audit_log', { limit: 1 }))
    expect(entries[0]).toMatchObject({
      action: 'login_failed',
      actor_id: null,
      details: { user_id: user.id, because: 'not_connected' },
    })
    expect((await mailsTo(realm.host, user.email)).length).toBe(1)
    const link = await mailedLink(realm.host, user.email)
    // Scanners open links too.
    expect((await visit(link)).text).toContain(user.email)
    expect(await WAYS[way](person)).toBe(false)
    const newest = await mailedLink(realm.host, user.email)
    expect((await postForm(newest, {})).status).toBe(200)
    expect((await postForm(newest, {})).status).toBe(404)
    expect(await WAYS[way](person)).toBe(true)
    expect(await subjectsTo(user.email)).toContain('New way to log in')
  })

  it('mails its user twice an hour, however often it is tried', async () => {
    const user = await buildUser(realm)
    for (let tried = 0; tried < 4; tried += 1) expect(await WAYS[way](personAt(user.email))).toBe(false)
    expect((await mailsTo(realm.host, user.email)).length).toBe(2)
  })

  it('opens a used one where the deployment allows it; its user and owners hear', async () => {
    const user = await buildUser(realm)
    const person = personAt(user.email)
    expect(await allowed(() => WAYS[way](person))).toBe(true)
    expect(await subjectsTo(user.email)).toContain('New way to log in')
    expect(await subjectsTo(owner.email)).toContain(
      `The account of ${user.fullName} in Test was opened in a new way`,
    )
  })

  it('does not open a closed one, of which nobody is mailed', async () => {
    const user = await buildUser(realm)
    expectSuccess(await owner.api.delete(`/users/${user.id}`))
    expect(await WAYS[way](personAt(user.email))).toBe(false)
    expect(await subjectsTo(user.email)).not.toContain('Allow')
  })
})

describe('a log-in as before', () => {
  const comeFrom = async (user: TestUser, query = '') => {
    const person = personAt(user.email)
    const { browser, location, status } = await provider.logIn({ ...person, email_verified: true }, { query })
    expect([status, location]).toEqual([
      302,
      expect.stringMatching(/^\/accounts\/login\/\?(.*&)?connects=1$/),
    ])
    const page = await (await browser.ask('GET', location!)).text()
    expect(page).toContain(`There’s an account for ${user.email}, but it isn’t connected with The house yet`)
    const enter = (email: string, path = location!) => {
      const body = new URLSearchParams({ username: email, password: PASSWORD })
      return browser.ask('POST', path, { body, headers: { Origin: browser.origin } })
    }
    const comesIn = async () => isIn((await provider.logIn(person)).browser)
    return { enter, comesIn }
  }

  it('on the page to which the provider leads connects the account', async () => {
    const user = await buildUser(realm)
    const { enter, comesIn } = await comeFrom(user)
    expect((await enter(user.email)).status).toBe(302)
    expect(await comesIn()).toBe(true)
    expect(await subjectsTo(user.email)).toContain('New way to log in')
  })

  it('for an app connects the account', async () => {
    const user = await buildUser(realm)
    const { enter, comesIn } = await comeFrom(user, `?mobile_flow_otp=${'ab'.repeat(32)}`)
    expect((await enter(user.email)).headers.get('location')).toMatch(/^zulip:\/\/login\?/)
    expect(await comesIn()).toBe(true)
  })

  it('to another account, elsewhere or with a wrong password connects nothing', async () => {
    const [user, other] = [await buildUser(realm), await buildUser(realm)]
    const { enter, comesIn } = await comeFrom(user)
    expect((await enter(user.email, '/accounts/login/')).status).toBe(302)
    expect(await comesIn()).toBe(false)
    const second = await comeFrom(user)
    expect((await second.enter(other.email)).status).toBe(302)
    expect(await second.comesIn()).toBe(false)
    const third = await comeFrom(user)
    expect((await third.enter('nobody@example.com')).status).toBe(200)
    expect(await third.comesIn()).toBe(false)
  })
})

describe('the public GitHub', () => {
  it('opens used accounts by verified addresses, since no owner controls it', async () => {
    await provider.add(owner, 'github', {
      preset: 'github',
      client_secret: 'a secret',
      issuer: 'https://github.com',
    })
    const user = await buildUser(realm)
    const answers: Record<string, unknown> = {
      'https://github.com/login/oauth/access_token': { access_token: 'a', token_type: 'bearer' },
      'https://api.github.com/user': { id: 77, login: 'ann' },
      'https://api.github.com/user/emails?per_page=100': [
        { email: user.email, primary: true, verified: true },
      ],
    }
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (target) => Response.json(answers[String(target)]))
    const browser = new Browser(realm.host)
    const sent = await browser.ask('GET', '/accounts/login/social/github')
    const state = new URL(sent.headers.get('location')!).searchParams.get('state')
    const back = await browser.ask('GET', `/complete/github/?code=1&state=${state}`)
    expect(back.status).toBe(302)
    expect(expectSuccess(await browser.json('GET', '/users/me')).user_id).toBe(user.id)
  })
})

describe('an address that somebody else has set', () => {
  let addresses = 0
  const newAddress = () => {
    addresses += 1
    return `set-${addresses}@example.com`
  }
  const CHANGES = {
    'by SCIM': async (user: TestUser, email: string) => {
      const scim = await connectProvider(realm)
      const operation = { op: 'replace', path: 'userName', value: email }
      expect((await scim.patch(`/Users/${user.id}`, operation)).status).toBe(200)
    },
    'by the founder': async (user: TestUser, email: string) => {
      expectSuccess(await owner.api.patch(`/users/${user.id}`, { new_email: email }))
    },
  }

  let networks = 0
  const askForReset = (email: string) => {
    networks += 1
    return postForm(`http://${realm.host}/accounts/password/reset`, { email }, `198.51.100.${networks}`)
  }
  const resetsTo = async (email: string) =>
    (await mailsTo(realm.host, email)).filter(({ subject }) => subject.startsWith('A new password')).length
  const logIn = async (email: string) => {
    const browser = new Browser(realm.host)
    await browser.logIn(email, PASSWORD)
    return isIn(browser)
  }

  describe.each(Object.keys(CHANGES) as (keyof typeof CHANGES)[])('%s', (how) => {
    it('opens no used account: what opens it goes to the address before', async () => {
      const user = await buildUser(realm)
      const email = newAddress()
      await CHANGES[how](user, email)
      await askForReset(email)
      await askForReset(user.email)
      expect([await resetsTo(email), await resetsTo(user.email)]).toEqual([0, 2])
      for (const way of Object.keys(WAYS) as Way[]) {
        expect([way, await WAYS[way](personAt(email))]).toEqual([way, false])
      }
      expect(await mailsTo(realm.host, email)).toEqual([])
      // The address that is shown is the new one, from the start.
      const { user: shown } = expectSuccess(await owner.api.get(`/users/${user.id}`))
      expect(shown.delivery_email).toBe(email)
    })

    it('is mailed to the address before, and to the owners', async () => {
      const user = await buildUser(realm)
      const email = newAddress()
      await CHANGES[how](user, email)
      const [mail] = await mailsTo(realm.host, user.email)
      expect(mail!.body).toContain(email)
      expect(await subjectsTo(owner.email)).toContain(`The address of ${user.fullName} in Test was changed`)
    })

    it('is confirmed by logging in with it and the password, not with the one before', async () => {
      const user = await buildUser(realm)
      const email = newAddress()
      await CHANGES[how](user, email)
      expect(await logIn(user.email)).toBe(true)
      await askForReset(email)
      expect(await resetsTo(email)).toBe(0)
      expect(await logIn(email)).toBe(true)
      await askForReset(email)
      expect(await resetsTo(email)).toBe(1)
      expect(await logIn(user.email)).toBe(false)
    })

    it('is confirmed by the link mailed to the address before', async () => {
      const user = await buildUser(realm)
      const email = newAddress()
      await CHANGES[how](user, email)
      expect((await postForm(await mailedLink(realm.host, user.email), {})).status).toBe(200)
      await askForReset(email)
      expect(await resetsTo(email)).toBe(1)
    })

    it('is confirmed by a connected provider that says the same', async () => {
      const user = await buildUnused(realm)
      const person = personAt(user.email)
      const come = (claims: object) => provider.logIn({ ...person, email_verified: true, ...claims })
      await come({})
      const email = newAddress()
      await CHANGES[how](user, email)
      expect(await isIn((await come({})).browser)).toBe(true)
      await askForReset(email)
      expect(await resetsTo(email)).toBe(0)
      expect(await isIn((await come({ email })).browser)).toBe(true)
      await askForReset(email)
      expect(await resetsTo(email)).toBe(1)
    })

    it('opens an account that nobody has used', async () => {
      const user = await buildUnused(realm)
      const email = newAddress()
      await CHANGES[how](user, email)
      await askForReset(email)
      expect(await resetsTo(email)).toBe(1)
    })

    it('opens a used account where the deployment allows it, and is mailed too', async () => {
      const user = await buildUser(realm)
      const email = newAddress()
      await allowed(() => CHANGES[how](user, email))
      await askForReset(email)
      expect(await resetsTo(email)).toBe(1)
      expect(await subjectsTo(user.email)).toContain('Your address in Test was changed')
      expect(await subjectsTo(owner.email)).toContain(`The address of ${user.fullName} in Test was changed`)
    })

    it('that is the confirmed one again is confirmed', async () => {
      const user = await buildUser(realm)
      for (const email of [newAddress(), newAddress(), user.email]) await CHANGES[how](user, email)
      await askForReset(user.email)
      expect(await resetsTo(user.email)).toBe(1)
      for (const way of Object.keys(WAYS) as Way[]) await WAYS[way](personAt(user.email))
      expect(await subjectsTo(user.email)).toContain('Allow a new way')
    })
  })

  it('leaves its account to a new password that is set from the address before', async () => {
    const user = await buildUser(realm)
    const email = newAddress()
    await CHANGES['by SCIM'](user, email)
    await askForReset(email)
    const link = await mailedLink(realm.host, user.email)
    expect((await postForm(link, { password: 'another fine password' })).status).toBe(200)
    // Setting it confirms nothing: the page behind the link was not about the address.
    await askForReset(email)
    expect([await resetsTo(email), await resetsTo(user.email)]).toEqual([0, 2])
  })

  it('sends nothing to the address before once that is another account’s', async () => {
    const [user, email] = [await buildUser(realm), newAddress()]
    await CHANGES['by SCIM'](user, email)
    await buildUser(realm, { email: user.email })
    await askForReset(email)
    expect([await resetsTo(email), await resetsTo(user.email)]).toEqual([0, 0])
  })

  it('is the person’s own where an owner sets their own', async () => {
    const boss = await buildUser(realm, { role: 100 })
    const email = newAddress()
    world.settings = { CAN_CHANGE_EMAILS: `${realm.host}/${boss.email}` }
    expectSuccess(await boss.api.patch(`/users/${boss.id}`, { new_email: email }))
    world.settings = {}
    await askForReset(email)
    expect(await resetsTo(email)).toBe(1)
  })

  it('may be changed and promoted by SCIM before it is confirmed', async () => {
    const user = await buildUser(realm)
    const scim = await connectProvider(realm)
    for (const [path, value] of [
      ['userName', newAddress()],
      ['userName', newAddress()],
      ['role', 'administrator'],
    ]) {
      expect((await scim.patch(`/Users/${user.id}`, { op: 'replace', path, value })).status).toBe(200)
    }
  })
})
