import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Browser } from '../support/browsing.ts'
import { buildUser, expectSuccess, type TestUser } from '../support/factories.ts'
import { readJson } from '../support/json.ts'
import { mailedLink, postForm } from '../support/pages.ts'
import { pngOf } from '../support/pictures.ts'
import { DAY } from '../support/times.ts'
import { upload } from '../support/uploads.ts'
import { buildRealm, useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const PASSWORD = 'a fine password'
const NOT_LOGGED_IN = {
  status: 401,
  body: {
    result: 'error',
    msg: 'Not logged in: API authentication or user session required',
    code: 'UNAUTHORIZED',
  },
}

const { realm } = useRealm()
/** Another organization. */
const { realm: other } = useRealm()

async function loggedIn(user: TestUser, at = realm): Promise<Browser> {
  const browser = new Browser(at.host)
  expect((await browser.logIn(user.email, PASSWORD)).status).toBe(302)
  return browser
}

const whoIs = (browser: Browser) => browser.json('GET', '/users/me')

describe('logging in with a browser', () => {
  it('shows a form, and creates a session with a token', async () => {
    const user = await buildUser(realm)
    const browser = new Browser(realm.host)
    const form = await browser.ask('GET', '/accounts/login/')
    expect([form.status, await form.text()]).toEqual([200, expect.stringContaining('type="password"')])
    const answer = await browser.logIn(user.email, PASSWORD)
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/'])
    const [session, token] = answer.headers.getSetCookie()
    expect(session).toMatch(/^sessionid=[\w-]{43}; Path=\/; Max-Age=34560000; SameSite=Lax; HttpOnly$/)
    expect(token).toMatch(/^csrftoken=\w{64}; Path=\/; Max-Age=34560000; SameSite=Lax$/)
    expect(expectSuccess(await whoIs(browser)).user_id).toBe(user.id)
  })

  it('also works at /login, and redirects to the path in its URL', async () => {
    const user = await buildUser(realm)
    const browser = new Browser(realm.host)
    expect((await browser.ask('GET', '/login/?next=/de/')).status).toBe(200)
    const body = new URLSearchParams({ username: user.email, password: PASSWORD })
    const answer = await browser.ask('POST', '/login/?next=/de/', { body })
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/de/'])
    expect((await whoIs(browser)).status).toBe(200)
  })

  const overHttps = (user: TestUser) => {
    const browser = new Browser(realm.host)
    Object.assign(browser, { origin: `https://${realm.host}` })
    return { browser, logIn: () => browser.logIn(user.email, PASSWORD) }
  }

  it('over https sets cookies that only this host can set', async () => {
    const { browser, logIn } = overHttps(await buildUser(realm))
    const [session, token, ...others] = (await logIn()).headers.getSetCookie()
    const kept = 'Path=/; Max-Age=34560000; SameSite=Lax; Secure'
    expect(session).toMatch(new RegExp(`^__Host-sessionid=[\\w-]{43}; ${kept}; HttpOnly$`))
    expect(token).toMatch(new RegExp(`^__Host-csrftoken=\\w{64}; ${kept}$`))
    // It outlasts the session, and opens nothing.
    const known = /^__Host-known_browser=[\w.-]+; Path=\/; Max-Age=34560000; SameSite=Lax; Secure; HttpOnly$/
    expect(others).toEqual([expect.stringMatching(known)])
    const headers = { 'X-CSRFToken': browser.cookies.get('__Host-csrftoken')! }
    expectSuccess(await browser.json('PATCH', '/settings', { twenty_four_hour_time: true }, headers))
    const body = new URLSearchParams({ csrfmiddlewaretoken: browser.cookies.get('__Host-csrftoken')! })
    const ended = await browser.ask('POST', '/accounts/logout/', { body })
    expect([ended.status, [...browser.cookies.keys()]]).toEqual([302, ['__Host-known_browser']])
  })

  it('over https takes no session that another host of the domain planted', async () => {
    const [victim, attacker] = [await buildUser(realm), await buildUser(realm)]
    const planted = await loggedIn(attacker)
    const { browser, logIn } = overHttps(victim)
    browser.cookies.set('sessionid', planted.cookies.get('sessionid')!)
    browser.cookies.set('csrftoken', planted.cookies.get('csrftoken')!)
    expect(await whoIs(browser)).toMatchObject(NOT_LOGGED_IN)
    await logIn()
    expect([...browser.cookies.keys()].slice(0, 2)).toEqual(['sessionid', 'csrftoken'])
    expect(expectSuccess(await whoIs(browser)).user_id).toBe(victim.id)
  })

  it('shows the form again after a wrong password, the same for an unknown address', async () => {
    const user = await buildUser(realm)
    const answers = []
    for (const name of [user.email, 'nobody@example.com']) {
      const answer = await new Browser(realm.host).logIn(name, 'wrong')
      answers.push([
        answer.status,
        (await answer.text()).replaceAll(name, 'NAME'),
        answer.headers.getSetCookie(),
      ])
    }
    expect(answers[0]).toEqual([200, expect.stringContaining('reset your password'), []])
    expect(answers[1]).toEqual(answers[0])
  })

  it('redirects to a path of the organization, never to another site', async () => {
    const user = await buildUser(realm)
    for (const [next, location] of [
      ['/#narrow/is/starred', '/#narrow/is/starred'],
      ['/user_uploads/1/x?download=1', '/user_uploads/1/x?download=1'],
      ['//evil.example/', '/'],
      ['/\\evil.example/', '/'],
      ['https://evil.example/', '/'],
      ['evil', '/'],
      ['/..//evil.example/x', '/'],
      ['/.//evil.example/x', '/'],
      ['/a/..//evil.example/x', '/'],
      ['/%2e%2e//evil.example/x', '/'],
      ['/..\\\\evil.example/x', '/'],
      ['/\t/evil.example/x', '/'],
      ['/..//[', '/'],
      ['/a/../b', '/b'],
    ]) {
      const answer = await new Browser(realm.host).logIn(user.email, PASSWORD, { next: next! })
      expect([next, answer.headers.get('location')]).toEqual([next, location])
    }
  })

  it('redirects to itself, whatever the path is put together of', async () => {
    const user = await buildUser(realm)
    const origin = `https://${realm.host}`
    const parts = [
      '/',
      '//',
      '\\',
      '.',
      '..',
      '%2e',
      '%2f',
      '%5c',
      '\t',
      '\n',
      ' ',
      '@',
      ':',
      '?',
      '#',
      '[',
      '。',
      '／',
      '．',
    ]
    const path = fc.array(fc.constantFrom(...parts, 'evil.example', 'https:', 'javascript:'), {
      maxLength: 8,
    })
    const before = world.clockOffset
    await fc.assert(
      fc.asyncProperty(path, async (pieces) => {
        // A name has thirty passwords checked in ten minutes.
        world.clockOffset += 30
        const next = `/${pieces.join('')}`
        const { status, headers } = await new Browser(realm.host).logIn(user.email, PASSWORD, { next })
        const location = headers.get('location') ?? ''
        expect(status).toBe(302)
        expect(location).toMatch(/^\/(?![/\\])/)
        expect(new URL(location, origin).origin).toBe(origin)
        expect(new URL(location, 'https://other.example').origin).toBe('https://other.example')
      }),
      { numRuns: 200 },
    )
    world.clockOffset = before
  })

  it('refuses a form that another site posted', async () => {
    const user = await buildUser(realm)
    const elsewhere: Record<string, string>[] = [
      { Origin: 'https://evil.example' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { Origin: 'null' },
      { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' },
      { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'same-origin' },
    ]
    for (const headers of elsewhere) {
      const body = new URLSearchParams({ username: user.email, password: PASSWORD })
      const answer = await new Browser(realm.host).ask('POST', '/accounts/login/', { body, headers })
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []])
    }
  })

  it('answers clients that accept JSON as the API does', async () => {
    const user = await buildUser(realm)
    const logIn = async (password: string) => {
      const browser = new Browser(realm.host)
      const body = new URLSearchParams({ username: user.email, password })
      const headers = { Accept: 'application/json', Origin: browser.origin }
      return { browser, answer: await browser.ask('POST', '/accounts/login/', { body, headers }) }
    }
    const { answer: refused } = await logIn('wrong')
    expect([refused.status, await refused.json(), refused.headers.getSetCookie()]).toEqual([
      401,
      {
        result: 'error',
        msg: 'Your username or password is incorrect',
        code: 'AUTHENTICATION_FAILED',
        sentence: expect.stringContaining('reset your password'),
      },
      [],
    ])
    const { browser, answer } = await logIn(PASSWORD)
    expect([answer.status, await answer.json()]).toEqual([200, { result: 'success', msg: '' }])
    expect(expectSuccess(await whoIs(browser)).user_id).toBe(user.id)
  })

  it('needs only a click on a development server', async () => {
    const user = await buildUser(realm)
    const browser = new Browser(realm.host)
    const people = await readJson<{ people: unknown[] }>(await browser.ask('GET', '/dev/people'))
    expect(people.people).toContainEqual(expect.objectContaining({ email: user.email, user_id: user.id }))
    const body = new URLSearchParams({ username: user.email })
    expect((await browser.ask('POST', '/dev/log_in', { body })).status).toBe(200)
    expect(expectSuccess(await whoIs(browser)).user_id).toBe(user.id)
    const elsewhere = { Origin: 'https://evil.example' }
    const refused = await browser.ask('POST', '/dev/log_in', { body, headers: elsewhere })
    expect([refused.status, refused.headers.getSetCookie()]).toEqual([403, []])
  })

  it('accepts a form with a hidden origin, since no page sends a referrer', async () => {
    const user = await buildUser(realm)
    const body = new URLSearchParams({ username: user.email, password: PASSWORD })
    const headers = { Origin: 'null', 'Sec-Fetch-Site': 'same-origin' }
    const answer = await new Browser(realm.host).ask('POST', '/accounts/login/', { body, headers })
    expect([answer.status, answer.headers.getSetCookie().length]).toEqual([302, 3])
  })

  it('counts wrong passwords as the API does', async () => {
    const user = await buildUser(realm)
    world.limited = true
    const statuses = []
    for (let attempt = 0; attempt < 6; attempt += 1) {
      statuses.push((await new Browser(realm.host).logIn(user.email, 'wrong')).status)
    }
    world.limited = false
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  })
})

describe('/json', () => {
  it('is the API with a session in place of a key, and only there', async () => {
    const user = await buildUser(realm)
    const browser = await loggedIn(user)
    expectSuccess(await browser.json('PATCH', '/settings', { full_name: 'Renamed' }))
    expect(expectSuccess(await user.api.get('/users/me')).full_name).toBe('Renamed')
    const answer = await browser.ask('GET', '/api/v1/users/me')
    expect([answer.status, (await answer.json<{ code: string }>()).code]).toEqual([401, 'UNAUTHORIZED'])
  })

  it('a posted form can name another method', async () => {
    const browser = await loggedIn(await buildUser(realm))
    expectSuccess(await browser.json('POST', '/settings', { method: 'PATCH', full_name: 'By a form' }))
    expect(expectSuccess(await whoIs(browser)).full_name).toBe('By a form')
  })

  it('sent messages are read by their sender, the client is “website”, and polls work', async () => {
    const user = await buildUser(realm)
    const browser = await loggedIn(user)
    const queue = expectSuccess(await browser.json('POST', '/register', { event_types: ['message'] }))
    const sent = { type: 'direct', to: [realm.owner.id], content: ':zulip:' }
    const { id } = expectSuccess(await browser.json('POST', '/messages', sent))
    expectSuccess(await browser.json('POST', `/messages/${id}/reactions`, { emoji_name: 'zulip' }))
    const { message } = expectSuccess(await browser.json('GET', `/messages/${id}`))
    expect(message).toMatchObject({ client: 'website', flags: ['read'] })
    expect(message.reactions[0].reaction_type).toBe('zulip_extra_emoji')
    const asked = { queue_id: queue.queue_id, last_event_id: -1 }
    const { events } = expectSuccess(await browser.json('GET', '/events', asked))
    expect(events[0]).toMatchObject({ type: 'message', message: { id } })
  })

  it('a key needs no password soon after a log-in', async () => {
    const user = await buildUser(realm)
    const browser = await loggedIn(user)
    expect(expectSuccess(await browser.json('POST', '/fetch_api_key'))).toMatchObject({
      api_key: user.apiKey,
    })
    world.clockOffset = 901
    expect((await browser.json('POST', '/fetch_api_key')).body.code).toBe('REAUTHENTICATION_REQUIRED')
    world.clockOffset = 0
  })

  it('a key is given only for the user’s password, counted as a log-in', async () => {
    const user = await buildUser(realm)
    const browser = await loggedIn(user)
    const ask = (params: Record<string, string>) => browser.json('POST', '/fetch_api_key', params)
    expect(expectSuccess(await ask({ password: PASSWORD }))).toMatchObject({
      api_key: user.apiKey,
      email: user.email,
      user_id: user.id,
    })
    expect(await ask({ password: 'wrong', username: realm.owner.email })).toMatchObject({
      status: 400,
      body: { result: 'error', msg: 'Password is incorrect.', code: 'BAD_REQUEST' },
    })
    const stranger = await new Browser(realm.host).json('POST', '/fetch_api_key', { password: PASSWORD })
    expect(stranger).toMatchObject(NOT_LOGGED_IN)
    world.limited = true
    const texts = []
    for (let attempt = 0; attempt < 6; attempt += 1) texts.push((await ask({ password: 'wrong' })).body.msg)
    world.limited = false
    expect(texts.at(-1)).toMatch(/^You're making too many attempts!/)
    expect((await browser.json('POST', '/fetch_api_key', {}, {})).body.code).toBe('CSRF_FAILED')
  })

  it('a session renews the key under the API’s address too, but not cross-site', async () => {
    const user = await buildUser(realm)
    const browser = await loggedIn(user)
    const renew = (headers: Record<string, string>) =>
      browser.ask('POST', '/api/v1/users/me/api_key/regenerate', { headers })
    expect((await renew({})).status).toBe(403)
    const answer = await renew({ 'X-CSRFToken': browser.cookies.get('csrftoken')! })
    const { api_key } = await answer.json<{ api_key: string }>()
    expect([answer.status, api_key === user.apiKey]).toEqual([200, false])
    expect((await whoIs(browser)).status).toBe(200)
    expect((await user.api.get('/users/me')).status).toBe(401)
  })

  it('the cookie opens uploads, avatars and resumable uploads too, and a key goes before it', async () => {
    const user = await buildUser(realm)
    const browser = await loggedIn(user)
    const url = await upload(user, { name: 'plan.txt', content: 'the plan' })
    const file = await browser.ask('GET', url)
    expect([file.status, await file.text()]).toEqual([200, 'the plan'])
    expect((await new Browser(realm.host).ask('GET', url)).status).toBe(403)
    const picture = await upload(user, pngOf(40, 30))
    const smaller = picture.replace('/user_uploads/', '/user_uploads/thumbnail/')
    const [own, nobodys] = [browser, new Browser(realm.host)].map((one) =>
      one.ask('GET', `${smaller}/300x200.webp`),
    )
    expect([(await own!).status, (await nobodys!).status]).toEqual([200, 403])
    expect((await browser.ask('GET', `/avatar/${user.id}`)).status).toBe(302)
    const tus = {
      'Tus-Resumable': '1.0.0',
      'Upload-Length': '3',
      'Upload-Metadata': `filename ${btoa('a.txt')}`,
    }
    expect((await browser.ask('POST', '/api/v1/tus/', { headers: tus })).status).toBe(403)
    const headers = { ...tus, 'X-CSRFToken': browser.cookies.get('csrftoken')! }
    expect((await browser.ask('POST', '/api/v1/tus/', { headers })).status).toBe(201)
    const wrongKey = { Authorization: `Basic ${btoa(`${user.email}:${'a'.repeat(32)}`)}` }
    expect((await browser.ask('GET', url, { headers: wrongKey })).status).toBe(401)
  })
})

describe('who may use a session:', () => {
  it('nobody without a session, with an invalid one, or with another organization’s', async () => {
    const stranger = await loggedIn(await buildUser(other), other)
    for (const cookie of [undefined, 'x', 'a'.repeat(43), stranger.cookies.get('sessionid')!]) {
      const browser = new Browser(realm.host)
      if (cookie !== undefined) browser.cookies.set('sessionid', cookie)
      expect(await whoIs(browser)).toMatchObject(NOT_LOGGED_IN)
    }
    expect((await new Browser(realm.host).json('POST', '/messages', { content: 'x' })).status).toBe(401)
  })

  it('no change without the token, with another’s, or cross-site', async () => {
    const user = await buildUser(realm)
    const [browser, other] = [await loggedIn(user), await loggedIn(user)]
    const token = browser.cookies.get('csrftoken')!
    const change = (headers: Record<string, string>, params = {}) =>
      browser.json('PATCH', '/settings', { full_name: 'Changed', ...params }, headers)
    for (const [headers, reason] of [
      [{}, 'CSRF token missing.'],
      [{ 'X-CSRFToken': 'a'.repeat(64) }, 'CSRF token incorrect.'],
      [{ 'X-CSRFToken': other.cookies.get('csrftoken')! }, 'CSRF token incorrect.'],
      [{ 'X-CSRFToken': token, Origin: 'https://evil.example' }, 'Origin checking failed.'],
      [{ 'X-CSRFToken': token, 'Sec-Fetch-Site': 'same-site' }, 'Origin checking failed.'],
    ] as const) {
      const body = { result: 'error', msg: `CSRF error: ${reason}`, code: 'CSRF_FAILED', reason }
      expect(await change({ ...headers })).toMatchObject({ status: 403, body })
    }
    expect(expectSuccess(await user.api.get('/users/me')).full_name).not.toBe('Changed')
    const own = { Origin: browser.origin, 'Sec-Fetch-Site': 'same-origin' }
    expect(expectSuccess(await change(own, { csrfmiddlewaretoken: token }))).not.toHaveProperty(
      'ignored_parameters_unsupported',
    )
    expect(expectSuccess(await user.api.get('/users/me')).full_name).toBe('Changed')
  })

  it('no read that names another session than the cookie’s', async () => {
    const [ann, bea] = [await loggedIn(await buildUser(realm)), await loggedIn(await buildUser(realm))]
    const named = async (token: string) =>
      (await ann.ask('GET', '/json/users/me', { headers: { 'X-CSRFToken': token } })).status
    expect(await named(ann.cookies.get('csrftoken')!)).toBe(200)
    expect(await named(bea.cookies.get('csrftoken')!)).toBe(403)
    expect(await named('')).toBe(403)
  })

  it('nobody from before another log-in in the same browser, of whomever', async () => {
    const [ann, bea] = [await buildUser(realm), await buildUser(realm)]
    const [browser, elsewhere] = [await loggedIn(ann), await loggedIn(ann)]
    for (const next of [bea, ann, ann]) {
      const former = new Browser(realm.host)
      for (const [name, value] of browser.cookies) former.cookies.set(name, value)
      expect((await browser.logIn(next.email, PASSWORD)).status).toBe(302)
      expect(await whoIs(former)).toMatchObject(NOT_LOGGED_IN)
      expect(expectSuccess(await whoIs(browser)).user_id).toBe(next.id)
    }
    expect(expectSuccess(await whoIs(elsewhere)).user_id).toBe(ann.id)
  })

  it('everybody after a log-in that failed', async () => {
    const ann = await buildUser(realm)
    const browser = await loggedIn(ann)
    await browser.logIn(ann.email, 'a wrong password')
    expect(expectSuccess(await whoIs(browser)).user_id).toBe(ann.id)
  })

  it('nobody after a fortnight without the session in use; each day renews it', async () => {
    const browser = await loggedIn(await buildUser(realm))
    const before = world.clockOffset
    try {
      for (const days of [13, 13]) {
        world.clockOffset += days * DAY
        expect((await whoIs(browser)).status).toBe(200)
      }
      world.clockOffset += 14 * DAY + 60
      expect(await whoIs(browser)).toMatchObject(NOT_LOGGED_IN)
    } finally {
      world.clockOffset = before
    }
  })

  it('nobody after logging out, which needs the token and is no GET', async () => {
    const browser = await loggedIn(await buildUser(realm))
    const copy = new Browser(realm.host)
    for (const [name, value] of browser.cookies) copy.cookies.set(name, value)
    expect((await browser.ask('POST', '/accounts/logout/')).status).toBe(403)
    expect((await browser.ask('GET', '/accounts/logout/')).status).toBe(404)
    expect((await whoIs(browser)).status).toBe(200)
    const body = new URLSearchParams({ csrfmiddlewaretoken: browser.cookies.get('csrftoken')! })
    const out = await browser.ask('POST', '/accounts/logout/', { body })
    expect([out.status, out.headers.get('location'), [...browser.cookies.keys()]]).toEqual([
      302,
      '/accounts/login/',
      ['known_browser'],
    ])
    expect(await whoIs(copy)).toMatchObject(NOT_LOGGED_IN)
  })

  it('nobody who was deactivated, even after reactivation', async () => {
    const user = await buildUser(realm)
    const browser = await loggedIn(user)
    expectSuccess(await realm.owner.api.delete(`/users/${user.id}`))
    expect((await whoIs(browser)).status).toBe(401)
    expectSuccess(await realm.owner.api.post(`/users/${user.id}/reactivate`))
    expect(await whoIs(browser)).toMatchObject(NOT_LOGGED_IN)
  })

  it('nobody whose session is older than a password reset', async () => {
    const user = await buildUser(realm)
    const browser = await loggedIn(user)
    await postForm(`http://${realm.host}/accounts/password/reset`, { email: user.email })
    await postForm(await mailedLink(realm.host, user.email), { password: 'another password' })
    expect(await whoIs(browser)).toMatchObject(NOT_LOGGED_IN)
  })

  it('no other browser after a password change in one, which stays logged in', async () => {
    const user = await buildUser(realm)
    const [browser, other] = [await loggedIn(user), await loggedIn(user)]
    const change = { old_password: PASSWORD, new_password: 'quite another one' }
    expectSuccess(await browser.json('PATCH', '/settings', change))
    expect((await whoIs(browser)).status).toBe(200)
    expect(await whoIs(other)).toMatchObject(NOT_LOGGED_IN)
  })

  it('nobody in a deactivated organization', async () => {
    const { realm: closed } = await buildRealm()
    const browser = await loggedIn(await buildUser(closed), closed)
    expectSuccess(await closed.owner.api.post('/realm/deactivate'))
    expect((await whoIs(browser)).status).toBe(401)
  })
})
