import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { Browser } from '../support/browsing.ts'
import { expectSuccess } from '../support/factories.ts'
import { addLoginProvider, connectTo } from '../support/login-identities.ts'
import { visit } from '../support/pages.ts'
import { useReliableD1 } from '../support/reliable-d1.ts'
import { sha256Hex } from '../support/sha256.ts'
import { useRealm } from '../support/use-realm.ts'

const { realm, owner, admin, closed, bot } = useRealm({
  admin: 'administrator',
  closed: 'owner',
  bot: { botOf: 'admin' },
})
const { realm: other } = useRealm()

useReliableD1()

const USED = 'This link has expired or was already used. The server’s administrator can create a new one.'

/** Makes a link as `npm run owner-link` does, `age` seconds ago. */
async function linkFor(email: string, { host = realm.host, age = 0 } = {}): Promise<string> {
  const ticket = await sha256Hex(crypto.randomUUID())
  await env.DB.prepare(
    'INSERT INTO organization_ticket (digest, host, created_at, valid_seconds) VALUES (?, ?, ?, 900)',
  )
    .bind(await sha256Hex(`owner link\n${email}\n${ticket}`), host, Math.floor(Date.now() / 1_000) - age)
    .run()
  return `http://${host}/accounts/owner-link/${ticket}?email=${encodeURIComponent(email)}`
}

async function press(link: string, origin?: string) {
  const { pathname, search, host } = new URL(link)
  const browser = new Browser(host)
  const headers = { Origin: origin ?? browser.origin }
  const answer = await browser.ask('POST', `${pathname}${search}`, { headers })
  return { browser, status: answer.status, text: await answer.text() }
}

const expectOut = async (browser: Browser) =>
  expect((await browser.json('GET', '/users/me')).status).toBe(401)

describe('a link for an owner', () => {
  it('logs its owner in, once, though passwords are off, as the audit log says', async () => {
    await connectTo(realm, await addLoginProvider(realm, 'work'), owner)
    const methods = { Email: false, 'OpenID Connect': true }
    expectSuccess(await owner.api.patch('/realm', { authentication_methods: methods }))
    const link = await linkFor(owner.email)
    for (const _ of [1, 2]) expect((await visit(link)).text).toContain(`logs you in as ${owner.email}, once`)
    const { browser, status } = await press(link)
    expect(status).toBe(302)
    expect(expectSuccess(await browser.json('GET', '/users/me')).user_id).toBe(owner.id)
    const { entries } = expectSuccess(await owner.api.get('/audit_log', { action: 'login' }))
    expect(entries[0]).toMatchObject({
      actor_id: owner.id,
      details: { user_id: owner.id, method: 'owner link' },
    })
    const again = await press(link)
    expect([again.status, again.text.includes(USED)]).toEqual([404, true])
    await expectOut(again.browser)
    expect((await visit(link)).status).toBe(404)
  })

  it('opens no other account', async () => {
    expectSuccess(await owner.api.delete(`/users/${closed.id}`))
    for (const email of [admin.email, closed.email, bot.email, 'nobody@example.com']) {
      const { browser, status, text } = await press(await linkFor(email))
      expect(status).toBe(401)
      expect(text).toContain('This link is for an owner’s account, and no owner has this address.')
      await expectOut(browser)
    }
  })

  it('is for one address, one host and a quarter of an hour', async () => {
    const link = await linkFor(admin.email)
    const ofOwner = link.replace(/email=.*/, `email=${encodeURIComponent(owner.email)}`)
    const elsewhere = (await linkFor(owner.email)).replace(realm.host, other.host)
    const late = await linkFor(owner.email, { age: 901 })
    for (const wrong of [ofOwner, elsewhere, late]) {
      expect((await visit(wrong)).status).toBe(404)
      const { browser, status } = await press(wrong)
      expect(status).toBe(404)
      await expectOut(browser)
    }
  })

  it('is no other ticket, and no other ticket is one', async () => {
    const link = await linkFor(owner.email)
    const [, ticket] = /owner-link\/([0-9a-f]+)/.exec(link)!
    const body = JSON.stringify({ ticket, host: realm.host })
    expect((await visit(`http://${realm.host}/setup/verify`, { method: 'POST', body })).status).toBe(401)
    const set_up = await sha256Hex(crypto.randomUUID())
    await env.DB.prepare('INSERT INTO organization_ticket (digest, host, created_at) VALUES (?, ?, ?)')
      .bind(await sha256Hex(set_up), realm.host, Math.floor(Date.now() / 1_000))
      .run()
    const { browser, status } = await press(link.replace(ticket!, set_up))
    expect(status).toBe(404)
    await expectOut(browser)
  })

  it('logs nobody in whom another site sends', async () => {
    const link = await linkFor(owner.email)
    const { browser, status } = await press(link, 'https://evil.example')
    expect(status).toBe(403)
    await expectOut(browser)
    expect((await press(link)).status).toBe(302)
  })
})
