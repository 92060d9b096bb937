import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { digestOfAddress, expectSameAccounts } from '../support/accounts-in-d1.ts'
import { buildUser, expectSuccess, type TestRealm } from '../support/factories.ts'
import { sweepRealms } from '../support/inside-deployment.ts'
import { mailsTo, postForm, visit } from '../support/pages.ts'
import { useReliableD1 } from '../support/reliable-d1.ts'
import { buildRealm, useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const { realm, ann } = useRealm({ ann: 'guest' }, { name: 'Ferns & <b>Mosses</b>' })
const { realm: other } = useRealm()
/** A host of the deployment without an organization. */
const NOWHERE = 'nobody.test'
const HOUR = 3_600

useReliableD1()
afterEach(() => {
  vi.useRealTimers()
})

let clients = 0
function newIp(): string {
  clients += 1
  return `203.0.113.${clients}`
}

let addresses = 0
function newAddress(): string {
  addresses += 1
  return `seeker-${addresses}@example.com`
}

const ask = (email: string, { host = NOWHERE, ip = newIp(), state = '' } = {}) =>
  postForm(`http://${host}/find/`, { email, ...(state && { state }) }, ip)

/** Moves the Worker's clock to so many seconds from now. */
function later(seconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1_000 })
}

/** Returns the lines of the newest mail that the Worker itself has sent to an address. */
async function lettersTo(address: string): Promise<string[]> {
  return (await mailsTo(NOWHERE, address)).map(({ body }) => body)
}

/** An account in each organization with one address, as D1 knows them. */
async function buildTwice(email: string) {
  const here = await buildUser(realm, { email, role: 200 })
  const there = await buildUser(other, { email })
  await expectSameAccounts(realm)
  await expectSameAccounts(other)
  return { here, there }
}

const linkTo = ({ host }: TestRealm) => `http://${host}/`

describe('the page that finds organizations', () => {
  it('is at every host, and linked from the log-in and from a host without one', async () => {
    for (const host of [realm.host, NOWHERE]) {
      const page = await visit(`http://${host}/find`)
      expect([page.status, page.text.includes('type="email"')]).toEqual([200, true])
    }
    for (const address of [`http://${realm.host}/accounts/login/`, `http://${NOWHERE}/`])
      expect((await visit(address)).text).toContain('<a href="/find">Find your organizations</a>')
  })

  it('speaks the language of the browser, as its mail does', async () => {
    const headers = { 'Accept-Language': 'de-CH', 'CF-Connecting-IP': newIp() }
    expect((await visit(`http://${NOWHERE}/find`, { headers })).text).toContain('Deine Organisationen finden')
    const email = newAddress()
    const body = new URLSearchParams({ email })
    const page = await visit(`http://${NOWHERE}/find`, { method: 'POST', body, headers })
    expect(page.text).toContain('Wir haben eine E-Mail an')
    expect((await mailsTo(NOWHERE, email)).map(({ subject }) => subject)).toEqual([
      `Deine Organisationen auf ${NOWHERE}`,
    ])
  })
})

describe('the mail that lists organizations', () => {
  it('names each with role and link, and no object is asked', async () => {
    const email = newAddress()
    await buildTwice(email)
    const reached = vi.fn()
    world.reach = (call) => {
      reached()
      return call()
    }
    // A host with an organization looks up how to log in there, for the page alone.
    expect((await ask(` ${email.toUpperCase()} `)).status).toBe(200)
    expect(reached).not.toHaveBeenCalled()
    const [letter = ''] = await lettersTo(email.toUpperCase())
    expect(letter).toContain(`Ferns &#38; &#60;b&#62;Mosses&#60;/b&#62; (administrator)\n${linkTo(realm)}\n`)
    expect(letter).toContain(`(member)\n${linkTo(other)}\n`)
    expect(letter).not.toContain('There is none.')
    await ask(email, { host: realm.host })
    expect((await lettersTo(email))[0]).toContain(linkTo(other))
  })

  it('says that there is none, and the page says the same as otherwise', async () => {
    const email = newAddress()
    await buildTwice(email)
    const answers = new Set<string>()
    const strangers = [newAddress(), `notification-bot@${realm.host}`, realm.owner.email.replace('@', '.x@')]
    for (const address of [email, ...strangers]) {
      const { status, headers, text } = await ask(address)
      answers.add(JSON.stringify([status, [...headers], text.replaceAll(address, '…')]))
    }
    expect(answers.size).toBe(1)
    for (const address of strangers) {
      const [letter, ...more] = await lettersTo(address)
      expect([more, letter]).toEqual([[], expect.stringContaining('There is none.')])
      expect(letter).not.toContain('http://')
    }
  })

  it.each<[string, (realm: TestRealm, id: number) => Promise<unknown>]>([
    ['a deactivated account', (own, id) => own.owner.api.delete(`/users/${id}`)],
    [
      'an account whose address nobody has confirmed',
      (own, id) => own.owner.api.patch(`/users/${id}`, { new_email: `given-${id}@example.com` }),
    ],
    ['an account of a closed organization', (own) => own.owner.api.post('/realm/deactivate')],
  ])('leaves out %s', async (_what, end) => {
    const email = newAddress()
    const { realm: own } = await buildRealm()
    const user = await buildUser(own, { email })
    await expectSameAccounts(own)
    await ask(email)
    expect((await lettersTo(email))[0]).toContain(linkTo(own))
    await end(own, user.id)
    await expectSameAccounts(own)
    for (const address of [email, `given-${user.id}@example.com`]) {
      await ask(address)
      expect((await lettersTo(address))[0]).not.toContain(linkTo(own))
    }
  })

  it('leaves out bots, which have addresses too', async () => {
    const { email } = expectSuccess(
      await realm.owner.api.post('/bots', { full_name: 'Bell', short_name: 'bell', bot_type: 1 }),
    )
    expect(email).toBeUndefined()
    await expectSameAccounts(realm)
    await ask(`bell-bot@${realm.host}`)
    expect((await lettersTo(`bell-bot@${realm.host}`))[0]).toContain('There is none.')
  })

  it('has links that add organizations for the page that has asked alone', async () => {
    const email = newAddress()
    await buildTwice(email)
    await ask(email, { host: realm.host, state: 'a-state' })
    const [letter = ''] = await lettersTo(email)
    const added = new URLSearchParams({ state: 'a-state', url: `http://${other.host}`, name: '' })
    const link = `http://${realm.host}/#organizations?${added}`.replaceAll('&', '&#38;')
    expect(letter).toContain(link)
    expect(letter.match(/#organizations\?/g)).toHaveLength(1)
    for (const state of ['', 'a state', 'x'.repeat(65)]) {
      const address = newAddress()
      await buildTwice(address)
      await ask(address, { host: realm.host, state })
      expect((await lettersTo(address))[0]).not.toContain('#organizations')
    }
  })
})

describe('asking for organizations', () => {
  it('is possible twice an hour, five times a day for an address, known or not', async () => {
    const known = newAddress()
    await buildTwice(known)
    for (const email of [known, newAddress()]) {
      const statuses: number[] = []
      for (const hour of [0, 0, 0, 1, 1, 2, 2, 25]) {
        later(hour * (HOUR + 1))
        statuses.push((await ask(hour % 2 === 0 ? email : email.toUpperCase())).status)
        vi.useRealTimers()
      }
      expect(statuses).toEqual([200, 200, 429, 200, 200, 200, 429, 200])
    }
  })

  it('is possible a hundred times a day from one network, and then elsewhere', async () => {
    world.settings = { RATE_LIMIT_MAIL_BY_IP: '3/86400' }
    const ip = newIp()
    for (let times = 0; times < 3; times += 1) expect((await ask(newAddress(), { ip })).status).toBe(200)
    const refused = await ask(ann.email, { ip, host: realm.host })
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(86_000)
    expect(refused.text).toContain('Too many attempts.')
    expect((await ask(newAddress())).status).toBe(200)
    later(86_401)
    expect((await ask(newAddress(), { ip })).status).toBe(200)
  })

  it('counts many requests at once one after the other', async () => {
    const email = newAddress()
    const asked = await Promise.all(Array.from({ length: 8 }, () => ask(email)))
    expect(asked.map(({ status }) => status).toSorted()).toEqual([200, 200, ...Array(6).fill(429)])
    expect(await lettersTo(email)).toHaveLength(2)
  })

  it('leaves nothing behind once no limit looks back to it', async () => {
    const email = newAddress()
    await ask(email)
    const rowsOf = async () => {
      const query = env.DB.prepare('SELECT * FROM mail_request WHERE owner = ?')
      return (await query.bind(digestOfAddress(email)).all()).results
    }
    await sweepRealms(env, Date.now() / 1_000 + 86_000)
    expect(await rowsOf()).toHaveLength(1)
    const { results } = await env.DB.prepare('SELECT * FROM mail_request').all()
    expect(JSON.stringify(results)).not.toMatch(/example\.com|203\.0\.113/)
    await sweepRealms(env, Date.now() / 1_000 + 86_401)
    expect(await rowsOf()).toEqual([])
  })

  it('needs an address, and a page of this server', async () => {
    const refused = await ask('"><script>')
    expect([refused.status, refused.text.includes('<script')]).toEqual([400, false])
    const email = newAddress()
    const elsewhere = await visit(`http://${NOWHERE}/find`, {
      method: 'POST',
      body: new URLSearchParams({ email }),
      headers: { Origin: 'https://elsewhere.example', 'CF-Connecting-IP': newIp() },
    })
    expect(elsewhere.status).toBe(403)
    expect(await lettersTo(email)).toEqual([])
  })

  it('says that mail cannot be sent now, but not that a mailbox refuses it', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const failing = (code: string) => ({
      send: () => Promise.reject(Object.assign(new Error('no'), { code })),
    })
    world.bindings = { SEND_EMAIL: failing('E_RECIPIENT_SUPPRESSED') }
    expect((await ask(newAddress())).status).toBe(200)
    world.bindings = { SEND_EMAIL: failing('E_DOWN') }
    const failed = await ask(newAddress())
    expect([failed.status, failed.headers.get('retry-after')]).toEqual([503, '1'])
  })

  it('is refused while the deployment has no key, since D1 then knows no address', async () => {
    world.settings = { SECRETS_KEY: '' }
    expect((await ask(ann.email)).status).toBe(503)
  })
})
