import { describe, expect, it } from 'vitest'
import { buildUser, expectSuccess, type TestUser } from '../support/factories.ts'
import { mailedLink, mailsTo, postForm, visit } from '../support/pages.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const { realm } = useRealm()
/** Another organization. */
const { realm: other } = useRealm()
let clients = 0

function newIp(): string {
  clients += 1
  return `198.51.100.${clients}`
}

const ask = (email: string, ip = newIp(), host = realm.host) =>
  postForm(`http://${host}/accounts/password/reset/`, { email }, ip)

const login = (user: TestUser, password: string) =>
  realm.anonymous.post('/fetch_api_key', { username: user.email, password })

describe('a password reset', () => {
  it('sets a new password through a mailed link, once', async () => {
    const user = await buildUser(realm)
    const { text } = await visit(`http://${realm.host}/accounts/password/reset/`)
    expect([text.includes('type="email"'), text.includes('>Send link</button>')]).toEqual([true, true])
    expect((await ask(user.email)).status).toBe(200)
    const link = await mailedLink(realm.host, user.email)
    expect(link).toContain(`http://${realm.host}/accounts/password/reset/`)
    expect((await visit(link)).text).toContain(user.email)
    const short = await postForm(link, { password: 'short' })
    expect([short.status, short.text.includes('This password is too weak.')]).toEqual([400, true])
    expect((await postForm(link, { password: 'quite another one' })).status).toBe(200)
    expect(expectSuccess(await login(user, 'quite another one')).api_key).not.toBe(user.apiKey)
    expect((await login(user, 'a fine password')).status).toBe(401)
    expect((await visit(link)).status).toBe(404)
    expect((await postForm(link, { password: 'a third password' })).status).toBe(404)
    expect((await login(user, 'a third password')).status).toBe(401)
  })

  it('ends the lockout after too many failures', async () => {
    const user = await buildUser(realm)
    for (let attempt = 1; attempt <= 5; attempt += 1) await login(user, 'wrong')
    expect((await login(user, 'a fine password')).status).toBe(429)
    await ask(user.email)
    await postForm(await mailedLink(realm.host, user.email), { password: 'quite another one' })
    expectSuccess(await login(user, 'quite another one'))
  })

  it('does not reveal who has an account', async () => {
    const user = await buildUser(realm)
    const closed = await buildUser(realm)
    expectSuccess(await realm.owner.api.delete(`/users/${closed.id}`))
    const strangers = ['nobody@example.com', closed.email, `notification-bot@${realm.host}`]
    const answers = new Set<string>()
    for (const email of [user.email, ...strangers]) {
      const { status, text } = await ask(email)
      answers.add(`${status} ${text.replace(email, '…')}`)
    }
    expect(answers.size).toBe(1)
    for (const email of strangers) expect(await mailsTo(realm.host, email)).toEqual([])
    expect(await mailsTo(realm.host, user.email)).toHaveLength(1)
  })

  it('may be requested twice an hour and five times a day, known or not', async () => {
    const user = await buildUser(realm)
    for (const email of [user.email, 'unknown@example.com']) {
      world.clockOffset = 0
      const statuses: number[] = []
      for (const hour of [0, 0, 0, 1, 1, 2, 2, 25]) {
        world.clockOffset = hour * 3_601
        statuses.push((await ask(email.toUpperCase())).status)
      }
      expect(statuses).toEqual([200, 200, 429, 200, 200, 200, 429, 200])
    }
  })

  it('may be requested a hundred times a day by one network address', async () => {
    const ip = newIp()
    for (let request = 1; request <= 100; request += 1) {
      expect((await ask(`somebody-${request}@example.com`, ip)).status).toBe(200)
    }
    const refused = await ask('somebody-101@example.com', ip)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(86_000)
    expect((await ask('somebody-101@example.com')).status).toBe(200)
    world.clockOffset = 86_401
    expect((await ask('somebody-102@example.com', ip)).status).toBe(200)
  })

  it('has a link valid for a day, replaced by a newer one', async () => {
    const user = await buildUser(realm)
    await ask(user.email)
    const first = await mailedLink(realm.host, user.email)
    await ask(user.email)
    const second = await mailedLink(realm.host, user.email)
    expect((await visit(first)).status).toBe(404)
    expect((await visit(second)).status).toBe(200)
    world.clockOffset = 86_405
    expect((await visit(second)).status).toBe(404)
  })

  it('fails after deactivation, and with another kind of link', async () => {
    const user = await buildUser(realm)
    await ask(user.email)
    const link = await mailedLink(realm.host, user.email)
    expect((await visit(link.replace('password/reset', 'confirm-email'))).status).toBe(404)
    expect((await visit(link.replace(realm.host, other.host))).status).toBe(404)
    expectSuccess(await realm.owner.api.delete(`/users/${user.id}`))
    expect((await visit(link)).status).toBe(404)
    expect((await postForm(link, { password: 'quite another one' })).status).toBe(404)
  })

  it('requires an address', async () => {
    const page = await ask('"><script>')
    expect([page.status, page.text.includes('<script')]).toEqual([400, false])
  })
})
