import { createHmac } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { evictRealm } from '../../support/api.ts'
import { Browser } from '../../support/browsing.ts'
import { CALL_SETTINGS, useCallServices, ZOOM_LOGIN_SETTINGS } from '../../support/call-services.ts'
import { buildUser, expectSuccess, reopen, type TestUser } from '../../support/factories.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'
import { browserOf, logInAtZoom, sentToZoom } from '../../support/zoom-login.ts'

const { realm, ben } = useRealm({ ben: 'member' })
const { zoe: stranger, realm: elsewhere } = useRealm({ zoe: 'member' })
const services = useCallServices(ZOOM_LOGIN_SETTINGS)
const PATH = '/calls/zoom/create'
const HOUR = 3_600
const loggedOut = { code: 'INVALID_ZOOM_TOKEN' }
const refuseToken = async ({ api }: TestUser) =>
  expectRefusal(await api.post(PATH), 'Invalid Zoom access token', loggedOut)
const hasToken = async (user: TestUser) => (await openQueue(user)).snapshot.has_zoom_token as boolean
const logIn = (user: TestUser, zoomId?: string) => logInAtZoom(services, realm.host, user, zoomId)

describe('a log-in at Zoom', () => {
  it('is offered where the deployment has an app for it, and none with an account', async () => {
    const offered = async () => (await openQueue(ben)).snapshot.realm_available_video_chat_providers
    expect(await offered()).toMatchObject({ zoom: { name: 'Zoom', id: 3 } })
    expectSuccess(await realm.owner.api.patch('/realm', { video_chat_provider: 3 }))
    world.settings = CALL_SETTINGS
    expect(await offered()).not.toHaveProperty('zoom')
    for (const settings of [
      { ...ZOOM_LOGIN_SETTINGS, ZOOM_CLIENT_SECRET: '' },
      { ...ZOOM_LOGIN_SETTINGS, SECRETS_KEY: '' },
    ]) {
      world.settings = settings
      expect(await offered()).not.toHaveProperty('zoom')
      expectRefusal(await ben.api.post(PATH), 'Zoom is not configured on this server.')
      expect((await (await browserOf(realm.host, ben)).ask('GET', '/calls/zoom/register')).status).toBe(400)
    }
  })

  it('lets its person alone make calls, as their own user of Zoom', async () => {
    const [ann, guest] = [await buildUser(realm), await buildUser(realm, { role: 600 })]
    const [own, others] = [await openQueue(ann), await openQueue(ben)]
    await refuseToken(ann)
    await logIn(ann)
    await logIn(guest)
    expect(await own.events()).toEqual([expect.objectContaining({ type: 'has_zoom_token', value: true })])
    expect(await others.events()).toEqual([])
    expect([await hasToken(ann), await hasToken(guest), await hasToken(ben)]).toEqual([true, true, false])
    expect(expectSuccess(await ann.api.post(PATH)).url).toBe('https://zoom.us/j/1?pwd=x')
    expect(expectSuccess(await guest.api.post(PATH, { is_video_call: false })).url).toBe(
      'https://zoom.us/j/2?pwd=x',
    )
    expect(services.now.zoomMeetings).toMatchObject([
      { host: `zoom ${ann.email}`, type: 1, settings: { host_video: true } },
      { host: `zoom ${guest.email}`, settings: { host_video: false } },
    ])
    await refuseToken(ben)
    expectUnauthorized(await realm.anonymous.post(PATH))
  })

  it('is said to the clients that ask for it', async () => {
    const ann = await buildUser(realm)
    await logIn(ann)
    const keysOf = async (type: string) =>
      expectSuccess(await ann.api.post('/register', { fetch_event_types: [type] }))
    expect(await keysOf('video_calls')).toMatchObject({ has_zoom_token: true, has_webex_token: false })
    expect(await keysOf('has_zoom_token')).toMatchObject({ has_zoom_token: true })
    expect(await keysOf('has_webex_token')).not.toHaveProperty('has_zoom_token')
  })

  it('holds when the object was evicted in between', async () => {
    const ann = await buildUser(realm)
    const browser = await browserOf(realm.host, ann)
    const query = services.now.allowAtZoom(await sentToZoom(browser), 'zoom-1')
    await evictRealm(realm.id)
    expect((await browser.ask('GET', `/calls/zoom/complete?${query}`)).status).toBe(200)
    await evictRealm(realm.id)
    expectSuccess(await ann.api.post(PATH))
  })

  it('is taken once, in the browser that has begun it, and while its session lasts', async () => {
    const [ann, eve] = [await buildUser(realm), await buildUser(realm)]
    const refuseBack = async (browser: Browser, query: string, sentence = 'started in another browser') => {
      const answer = await browser.ask('GET', `/calls/zoom/complete?${query}`)
      expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(sentence)])
    }
    const browser = await browserOf(realm.host, ann)
    const query = services.now.allowAtZoom(await sentToZoom(browser), 'zoom-ann')
    // Another person's browser, which has begun one of its own.
    const other = await browserOf(realm.host, eve)
    await sentToZoom(other)
    await refuseBack(other, query)
    await refuseBack(new Browser(realm.host), query)
    // The browser itself, after someone else has logged in.
    const kept = browser.cookies.get('zoom_flow')!
    browser.cookies.set('sessionid', other.cookies.get('sessionid')!)
    await refuseBack(browser, query)
    expect([await hasToken(ann), await hasToken(eve)]).toEqual([false, false])
    expect(services.now.requests).toBe(0)

    const again = await freshBrowser(ann)
    const good = services.now.allowAtZoom(await sentToZoom(again), 'zoom-ann')
    again.cookies.set('zoom_flow', `${again.cookies.get('zoom_flow')!}`)
    const flow = again.cookies.get('zoom_flow')!
    expect((await again.ask('GET', `/calls/zoom/complete?${good}`)).status).toBe(200)
    // The cookie is gone, and where it was kept Zoom refuses the code.
    await refuseBack(again, good)
    again.cookies.set('zoom_flow', flow)
    await refuseBack(again, good, 'Zoom refused this login')
    again.cookies.set('zoom_flow', kept)
    await refuseBack(again, good)
  })

  it('of another organization leads nowhere', async () => {
    const ann = await buildUser(realm)
    const there = new Browser(elsewhere.host)
    await there.logIn(stranger.email, 'a fine password')
    const query = services.now.allowAtZoom(await sentToZoom(there), 'zoom-1')
    const here = await freshBrowser(ann)
    here.cookies.set('zoom_flow', there.cookies.get('zoom_flow')!)
    expect((await here.ask('GET', `/calls/zoom/complete?${query}`)).status).toBe(400)
    expect(await hasToken(ann)).toBe(false)
  })

  it('is over after ten minutes', async () => {
    const ann = await buildUser(realm)
    const browser = await freshBrowser(ann)
    const query = services.now.allowAtZoom(await sentToZoom(browser), 'zoom-1')
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 601_000)
    expect((await browser.ask('GET', `/calls/zoom/complete?${query}`)).status).toBe(400)
    expect(await hasToken(ann)).toBe(false)
  })

  it('asks whoever is not logged in to log in here first', async () => {
    const gone = await buildUser(realm)
    const browser = await freshBrowser(gone)
    expectSuccess(await realm.owner.api.delete(`/users/${gone.id}`))
    for (const one of [browser, new Browser(realm.host)]) {
      const answer = await one.ask('GET', '/calls/zoom/register')
      const to = new URL(answer.headers.get('Location')!, 'http://here')
      expect([to.pathname, to.searchParams.get('next')]).toEqual(['/accounts/login/', '/calls/zoom/register'])
    }
  })

  it('says that the person has declined, or that Zoom fails', async () => {
    const ann = await buildUser(realm)
    const browser = await freshBrowser(ann)
    const declined = `error=access_denied&state=${new URL(await sentToZoom(browser)).searchParams.get('state')}`
    expect(await (await browser.ask('GET', `/calls/zoom/complete?${declined}`)).text()).toContain(
      'you didn’t allow',
    )
    const failures: [() => Response | Promise<Response>, string][] = [
      [() => Promise.reject(new TypeError('no such host')), 'Zoom isn’t responding'],
      [() => Response.json({ access_token: 'x'.repeat(5_000), refresh_token: 'y' }), 'Zoom isn’t responding'],
      [() => Response.json({ access_token: 'x' }), 'Zoom isn’t responding'],
      [() => Response.json({ error: 'invalid_client' }, { status: 400 }), 'Zoom refused this login'],
    ]
    for (const [answer, sentence] of failures) {
      const query = services.now.allowAtZoom(await sentToZoom(browser), 'zoom-1')
      services.now.answers.set('https://zoom.us/oauth/token', answer)
      const ended = await browser.ask('GET', `/calls/zoom/complete?${query}`)
      expect([ended.status, await ended.text()]).toEqual([400, expect.stringContaining(sentence)])
      services.now.answers.clear()
    }
    expect(await hasToken(ann)).toBe(false)
  })
})

describe('tokens of Zoom', () => {
  it('are exchanged once when they are over, for all calls that need it', async () => {
    const ann = await buildUser(realm)
    await logIn(ann)
    world.clockOffset += HOUR
    services.now.zoomRenewalMs = 500
    const calls = await Promise.all([ann.api.post(PATH), ann.api.post(PATH), ann.api.post(PATH)])
    for (const call of calls) expectSuccess(call)
    expect([services.now.zoomRenewals, services.now.zoomMeetings.length]).toEqual([1, 3])
    expectSuccess(await ann.api.post(PATH))
    expect(services.now.zoomRenewals).toBe(1)
  })

  it('stay when Zoom fails while they are exchanged, and go when it refuses them', async () => {
    const ann = await buildUser(realm)
    await logIn(ann)
    world.clockOffset += HOUR
    for (const [status, msg] of [
      [500, 'Failed to create Zoom call'],
      [400, 'Invalid Zoom credentials'],
    ] as const) {
      services.now.answers.set('https://zoom.us/oauth/token', () =>
        Response.json({ error: 'invalid_client' }, { status }),
      )
      expectRefusal(await ann.api.post(PATH), msg)
    }
    services.now.answers.clear()
    expectSuccess(await ann.api.post(PATH))
    world.clockOffset += HOUR
    services.now.zoomRefresh.clear()
    await refuseToken(ann)
    expect([await hasToken(ann), services.now.zoomRenewals]).toEqual([false, 2])
  })

  it('go when Zoom refuses them for a call, after which one logs in anew', async () => {
    const ann = await buildUser(realm)
    await logIn(ann)
    const queue = await openQueue(ann)
    services.now.zoomAccess.clear()
    await refuseToken(ann)
    expect(await queue.events()).toEqual([expect.objectContaining({ type: 'has_zoom_token', value: false })])
    await logIn(ann)
    expectSuccess(await ann.api.post(PATH))
  })

  it('stay when Zoom makes no meeting for another reason', async () => {
    const ann = await buildUser(realm)
    await logIn(ann)
    for (const status of [429, 500]) {
      services.now.answers.set('https://api.zoom.us/', () => new Response('{}', { status }))
      expectRefusal(await ann.api.post(PATH), 'Failed to create Zoom call')
    }
    expect(await hasToken(ann)).toBe(true)
  })

  it('go when they cannot be opened any more', async () => {
    const ann = await buildUser(realm)
    await logIn(ann)
    world.settings = { ...ZOOM_LOGIN_SETTINGS, SECRETS_KEY: btoa('Another key, of thirty-two bytes') }
    await refuseToken(ann)
    expect(await hasToken(ann)).toBe(false)
  })

  it('go with the account', async () => {
    const ann = await buildUser(realm)
    await logIn(ann)
    expectSuccess(await realm.owner.api.delete(`/users/${ann.id}`))
    await reopen(realm, ann)
    expect(await hasToken(ann)).toBe(false)
  })
})

describe('POST /calls/zoom/deauthorize', () => {
  const posted = (user_id: string, { client_id = 'client-1', event = 'app_deauthorized' } = {}) =>
    JSON.stringify({ event, payload: { user_id, client_id, account_id: 'account' } })
  const post = async (
    body: string,
    { secret = 'zoom token', at = Math.floor(Date.now() / 1_000), host = realm.host } = {},
  ) => {
    const signature = createHmac('sha256', secret).update(`v0:${at}:${body}`).digest('hex')
    const headers = { 'x-zm-request-timestamp': String(at), 'x-zm-signature': `v0=${signature}` }
    return new Browser(host).ask('POST', '/calls/zoom/deauthorize', { body, headers })
  }

  it('forgets the tokens of the user who has removed the app, and nobody else', async () => {
    const [ann, eve] = [await buildUser(realm), await buildUser(realm)]
    for (const [user, id] of [
      [ann, 'zoom-ann'],
      [eve, 'zoom-eve'],
    ] as const) {
      await logIn(user, id)
      expectSuccess(await user.api.post(PATH))
    }
    const queue = await openQueue(ann)
    expect((await post(posted('zoom-ann'))).status).toBe(200)
    expect(await queue.events()).toEqual([expect.objectContaining({ type: 'has_zoom_token', value: false })])
    expect([await hasToken(ann), await hasToken(eve)]).toEqual([false, true])
    expect((await post(posted('zoom-ann'))).status).toBe(200)
  })

  it('changes nothing unless Zoom has signed it, lately and about this app', async () => {
    const ann = await buildUser(realm)
    await logIn(ann, 'zoom-ann')
    expectSuccess(await ann.api.post(PATH))
    const body = posted('zoom-ann')
    const old = Math.floor(Date.now() / 1_000) - 301
    const refused = [
      await post(body, { secret: 'another' }),
      await post(body, { at: old }),
      await new Browser(realm.host).ask('POST', '/calls/zoom/deauthorize', { body }),
    ]
    for (const answer of refused) {
      expect([answer.status, await answer.json()]).toEqual([
        400,
        expect.objectContaining({ msg: 'Invalid signature.' }),
      ])
    }
    for (const other of [
      posted('zoom-ann', { client_id: 'client-2' }),
      posted('zoom-ann', { event: 'user.updated' }),
      posted(''),
      'no JSON',
    ]) {
      expect((await post(other)).status).toBe(200)
    }
    expect((await post(body, { host: elsewhere.host })).status).toBe(200)
    expect(await hasToken(ann)).toBe(true)
    world.settings = { ...ZOOM_LOGIN_SETTINGS, ZOOM_SECRET_TOKEN: '' }
    expect((await post(body)).status).toBe(400)
  })
})

async function freshBrowser(user: TestUser): Promise<Browser> {
  const browser = new Browser(realm.host)
  await browser.logIn(user.email, 'a fine password')
  return browser
}
