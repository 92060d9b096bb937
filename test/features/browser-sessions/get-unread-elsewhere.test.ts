import { describe, expect, it } from 'vitest'
import { evictRealm } from '../../support/api.ts'
import { Browser } from '../../support/browsing.ts'
import { expectSuccess, type TestUser } from '../../support/factories.ts'
import { buildBot } from '../../support/inside.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

const here = useRealm({ ann: 'member' })
const there = useRealm({ ann: 'member', ben: 'member' }, { channels: { channel: ['owner', 'ann'] } })
const PATH = '/organizations/unread'
const STATE = 'a-state'
const [thisOrigin, otherOrigin] = [() => `http://${here.realm.host}`, () => `http://${there.realm.host}`]
const address = (page = thisOrigin(), state = STATE) =>
  `/accounts/unread/?${new URLSearchParams({ for: page, state })}`

async function loggedIn({ email }: TestUser): Promise<Browser> {
  const browser = new Browser(there.realm.host)
  expect((await browser.logIn(email, 'a fine password')).status).toBe(302)
  return browser
}

/** Presses the page's button, and returns what the other page gets. */
async function allow(browser: Browser, at = address()): Promise<URLSearchParams> {
  const csrfmiddlewaretoken = browser.cookies.get('csrftoken') ?? ''
  const headers = { Origin: browser.origin, 'Sec-Fetch-Site': 'same-origin' }
  const body = new URLSearchParams({ csrfmiddlewaretoken })
  const response = await browser.ask('POST', at, { body, headers })
  expect(response.status).toBe(302)
  const [page, fragment] = response.headers.get('location')!.split('#unread?')
  expect(page).toBe(`${thisOrigin()}/`)
  return new URLSearchParams(fragment)
}

async function keyOf(user: TestUser) {
  const browser = await loggedIn(user)
  const given = await allow(browser)
  return { url: given.get('url')!, key: given.get('key')!, browser }
}

const count = async (...organizations: { url: string; key: string }[]) =>
  expectSuccess(await here.ann.api.post(PATH, { organizations })).counts as (number | null)[]
const tell = (user: TestUser, to: TestUser, content = 'x') =>
  user.api.post('/messages', { type: 'direct', to: [to.id], content })

describe('the page that asks to show unread messages', () => {
  it('leads to the log-in first', async () => {
    const browser = await loggedIn(there.ann)
    browser.cookies.clear()
    const response = await browser.ask('GET', address())
    expect(response.status).toBe(302)
    const next = new URLSearchParams({ next: address() })
    expect(response.headers.get('location')).toBe(`/accounts/login/?${next}`)
  })

  it('names both organizations, and lets its form lead to the other alone', async () => {
    const browser = await loggedIn(there.ann)
    const response = await browser.ask('GET', address())
    const text = await response.text()
    expect(text).toContain(here.realm.host)
    expect(text).toContain(browser.cookies.get('csrftoken'))
    expect(response.headers.get('content-security-policy')).toContain(`form-action 'self' ${thisOrigin()};`)
  })

  it('is for the pages of other organizations of the deployment alone', async () => {
    const browser = await loggedIn(there.ann)
    const refused = [
      address('https://evil.example'),
      address(`http://${here.realm.host}:8443`),
      address(`https://${here.realm.host}`),
      address(otherOrigin()),
      address('javascript:alert(1)'),
      address(''),
      address(thisOrigin(), ''),
      address(thisOrigin(), '"><script>'),
      '/accounts/unread/',
    ]
    for (const at of refused) {
      const shown = await browser.ask('GET', at)
      expect(shown.status).toBe(400)
      expect(await shown.text()).not.toContain('<script>')
      expect((await browser.ask('POST', at)).status).toBe(400)
    }
  })

  it('gives a key only to a form of its own', async () => {
    const browser = await loggedIn(there.ann)
    const body = new URLSearchParams({ csrfmiddlewaretoken: browser.cookies.get('csrftoken')! })
    const by = async (headers: Record<string, string>, fields = body) =>
      (await browser.ask('POST', address(), { body: fields, headers })).status
    expect(await by({ Origin: thisOrigin() })).toBe(403)
    expect(await by({ Origin: browser.origin, 'Sec-Fetch-Site': 'cross-site' })).toBe(403)
    expect(await by({ Origin: browser.origin }, new URLSearchParams())).toBe(403)
  })
})

describe('POST /organizations/unread', () => {
  it('counts direct messages and mentions, but no others', async () => {
    const { ann, ben, realm, channel } = there
    const { browser: _, ...known } = await keyOf(ann)
    const [before] = await count(known)
    await tell(ben, ann)
    await realm.owner.api.post('/messages', { type: 'stream', to: channel.id, topic: 't', content: 'plain' })
    const content = `@_**${ann.fullName}** and @**${ann.fullName}**`
    const sent = await realm.owner.api.post('/messages', {
      type: 'stream',
      to: channel.id,
      topic: 't',
      content,
    })
    expect(await count(known)).toEqual([before! + 2])
    await evictRealm(realm.id)
    expect(await count(known)).toEqual([before! + 2])
    const { id } = expectSuccess(sent)
    expectSuccess(await ann.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' }))
    expect(await count(known)).toEqual([before! + 1])
  })

  it('leaves out mentions of everybody in a muted channel', async () => {
    const { ann, realm, channel } = there
    const { browser: _, ...known } = await keyOf(ann)
    const [before] = await count(known)
    const mute = (value: boolean) =>
      ann.api.post('/users/me/subscriptions/properties', {
        subscription_data: [{ stream_id: channel.id, property: 'is_muted', value }],
      })
    await realm.owner.api.post('/messages', {
      type: 'stream',
      to: channel.id,
      topic: 'loud',
      content: '@**all**',
    })
    expect(await count(known)).toEqual([before! + 1])
    expectSuccess(await mute(true))
    expect(await count(known)).toEqual([before])
    expectSuccess(await mute(false))
  })

  it('leaves out mentions in an archived channel, as the page does', async () => {
    const { ann, realm } = there
    const { browser: _, ...known } = await keyOf(ann)
    const [before] = await count(known)
    const { owner } = realm
    const subscriptions = [{ name: 'soon over' }]
    expectSuccess(
      await owner.api.post('/users/me/subscriptions', { subscriptions, principals: [owner.id, ann.id] }),
    )
    const content = `@**${ann.fullName}** and @**all**`
    const message = { type: 'stream', to: 'soon over', topic: 't', content }
    expectSuccess(await owner.api.post('/messages', message))
    expect(await count(known)).toEqual([before! + 1])
    const { stream_id } = expectSuccess(await ann.api.get('/get_stream_id', { stream: 'soon over' }))
    expectSuccess(await owner.api.delete(`/streams/${stream_id}`))
    expect(await count(known)).toEqual([before])
    await evictRealm(realm.id)
    expect(await count(known)).toEqual([before])
  })

  it('answers in the order of the list, with null for refused addresses and keys', async () => {
    const { url, key } = await keyOf(there.ben)
    const [id, secret] = key.split('.')
    const wrong = `${id}.${secret!.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))}`
    const counts = await count(
      { url: 'https://elsewhere.example', key },
      { url, key },
      { url, key: wrong },
      { url, key: '' },
      { url: 'no address', key },
      { url: 'mailto:a@b.example', key },
      { url: 'javascript:alert(1)', key },
      { url: thisOrigin(), key },
      { url: `${url}:8443`, key },
      { url: url.replace('http:', 'https:'), key },
      { url, key: `9${key}` },
    )
    expect(counts).toEqual([null, expect.any(Number), ...Array(9).fill(null)])
  })

  it('gives nothing any more after the log-out', async () => {
    const { browser, ...known } = await keyOf(there.ben)
    expect(await count(known)).toEqual([expect.any(Number)])
    const body = new URLSearchParams({ csrfmiddlewaretoken: browser.cookies.get('csrftoken')! })
    await browser.ask('POST', '/accounts/logout/', { body, headers: { Origin: browser.origin } })
    expect(await count(known)).toEqual([null])
  })

  it('gives nothing of a closed account', async () => {
    const { browser: _, ...known } = await keyOf(there.ben)
    expectSuccess(await there.realm.owner.api.delete(`/users/${there.ben.id}`))
    expect(await count(known)).toEqual([null])
  })

  it('refuses more than twenty organizations, bots and visitors', async () => {
    const one = { url: otherOrigin(), key: 'x' }
    const organizations = Array.from({ length: 21 }, () => one)
    const { status } = await here.ann.api.post(PATH, { organizations })
    expect(status).toBe(400)
    const bot = await buildBot(there.realm, there.ann)
    expectRefusal(
      await bot.api.post(PATH, { organizations: [one] }),
      'This endpoint does not accept bot requests.',
    )
    expectUnauthorized(await here.realm.anonymous.post(PATH, { organizations: [one] }))
  })
})
