import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { Browser } from '../support/browsing.ts'
import { expectSuccess } from '../support/factories.ts'
import { fromJson } from '../support/json.ts'
import { postForm, visit } from '../support/pages.ts'
import { useReliableD1 } from '../support/reliable-d1.ts'
import { sha256Hex } from '../support/sha256.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const OWNER = { full_name: 'Ann Boss', email: 'ann@example.com', password: 'correct horse' }

useReliableD1()

const { realm } = useRealm()

const newHost = () => `new-${crypto.randomUUID().slice(0, 8)}.test`

/** Creates a set-up link for this host, with this age in seconds. */
async function linkFor(host: string, age = 0): Promise<string> {
  const ticket = (await sha256Hex(crypto.randomUUID())).slice(0, 64)
  await env.DB.prepare(
    'INSERT INTO organization_ticket (digest, host, created_at, valid_seconds) VALUES (?, ?, ?, ?)',
  )
    .bind(await sha256Hex(ticket), host, Math.floor(Date.now() / 1_000) - age, 7 * 86_400)
    .run()
  return `http://${host}/setup/${ticket}`
}

describe('a set-up link', () => {
  it('creates the organization and its owner, who is logged in', async () => {
    const host = newHost()
    const link = await linkFor(host)
    expect((await visit(link)).text).toContain('Organization name')
    const browser = new Browser(host)
    const { pathname } = new URL(link)
    const body = new URLSearchParams({ name: 'Acme', ...OWNER })
    const headers = { Origin: browser.origin, 'Accept-Language': 'de' }
    const made = await browser.ask('POST', pathname, { body, headers })
    expect([made.status, made.headers.get('location')]).toEqual([302, '/'])
    const me = expectSuccess(await browser.json('GET', '/users/me'))
    expect(me).toMatchObject({ full_name: OWNER.full_name, role: 100 })
    const settings = await visit(`http://${host}/api/v1/server_settings`)
    expect(fromJson(settings.text).realm_name).toBe('Acme')
    // The organization gets the language of its founder.
    const registered = await browser.json('POST', '/register', {
      fetch_event_types: ['realm', 'user_settings'],
    })
    const {
      realm_default_language,
      realm_inline_url_embed_preview,
      realm_signup_announcements_stream_id,
      user_settings,
    } = expectSuccess(registered)
    expect([realm_default_language, user_settings.default_language]).toEqual(['de', 'de'])
    expect(realm_inline_url_embed_preview).toBe(true)
    // The founder learns in the first channel who has joined.
    const { stream_id } = expectSuccess(await browser.json('GET', '/get_stream_id', { stream: 'general' }))
    expect(realm_signup_announcements_stream_id).toBe(stream_id)
  })

  it('places it in the region chosen, or else near its founder', async () => {
    const host = newHost()
    const link = await linkFor(host)
    const { text } = await visit(link)
    expect(text).toContain('Team location')
    expect(text).toContain('This can’t be changed later.')
    expect((await postForm(link, { name: 'Acme', ...OWNER, location: 'oc' })).status).toBe(302)
    expect(world.lastHint).toBe('oc')
    expect((await postForm(await linkFor(newHost()), { name: 'Acme', ...OWNER, location: '' })).status).toBe(
      302,
    )
    expect(world.lastHint).toBeUndefined()
  })

  it('creates only one organization', async () => {
    const host = newHost()
    const link = await linkFor(host)
    expect((await postForm(link, { name: 'Acme', ...OWNER })).status).toBe(302)
    expect((await visit(link)).status).toBe(404)
    expect((await postForm(link, { name: 'Other', ...OWNER })).status).toBe(404)
  })

  it('stays valid while the form has errors', async () => {
    const host = newHost()
    const link = await linkFor(host)
    const wrong: [Record<string, string>, string][] = [
      [{ name: '' }, 'Enter a name of 1 to 40 characters'],
      [{ full_name: 'A' }, 'Enter a name of 2 to 100 characters'],
      [{ email: 'nowhere' }, 'Enter a valid email address'],
      [{ password: 'short' }, 'This password is too weak'],
    ]
    for (const [fields, refusal] of wrong) {
      const page = await postForm(link, { name: 'Acme', ...OWNER, ...fields })
      expect([page.status, page.text.includes(refusal)]).toEqual([400, true])
    }
    expect((await postForm(link, { name: 'Acme', ...OWNER })).status).toBe(302)
  })

  it('is valid for its host alone, and for a week', async () => {
    const host = newHost()
    const elsewhere = (await linkFor(host)).replace(host, newHost())
    expect((await visit(elsewhere)).status).toBe(404)
    expect((await postForm(elsewhere, { name: 'Acme', ...OWNER })).status).toBe(404)
    expect((await visit(await linkFor(host, 7 * 86_400 - 60))).status).toBe(200)
    expect((await visit(await linkFor(host, 7 * 86_400 + 1))).status).toBe(404)
  })

  it('makes nobody an owner of an existing organization', async () => {
    const page = await postForm(await linkFor(realm.host), { name: 'Mine', ...OWNER })
    expect([page.status, page.text.includes('There is an organization at this host already.')]).toEqual([
      400,
      true,
    ])
  })

  it('cannot be used by a page of another site', async () => {
    const host = newHost()
    const browser = new Browser(host)
    const { pathname } = new URL(await linkFor(host))
    const body = new URLSearchParams({ name: 'Acme', ...OWNER })
    const headers = { Origin: 'https://elsewhere.example' }
    expect((await browser.ask('POST', pathname, { body, headers })).status).toBe(403)
  })
})
