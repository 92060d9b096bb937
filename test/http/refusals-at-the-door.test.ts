import { describe, expect, it } from 'vitest'
import { Browser } from '../support/browsing.ts'
import { buildUser, expectSuccess } from '../support/factories.ts'
import { fromJson } from '../support/json.ts'
import { addLoginProvider, connectTo } from '../support/login-identities.ts'
import { postForm, visit } from '../support/pages.ts'
import { turnRealmSettings } from '../support/realm-settings.ts'
import { buildRealm, useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const { realm } = useRealm()
const PASSWORD = 'a fine password'

/** Languages, their direction, and words of the sentence for a wrong password. */
const LANGUAGES = [
  ['en', '', 'reset your password'],
  ['de', '', 'setze dein Passwort zurück'],
  ['fr', '', 'réinitialisez votre mot de passe'],
  ['es', '', 'restablece tu contraseña'],
  ['ja', '', 'パスワードを再設定'],
  ['ar', ' dir="rtl"', 'أعد تعيين كلمة المرور'],
] as const

async function logIn(host: string, username: string, password: string, headers: Record<string, string>) {
  const browser = new Browser(host)
  const body = new URLSearchParams({ username, password })
  const answer = await browser.ask('POST', '/accounts/login/', {
    body,
    headers: { Origin: browser.origin, ...headers },
  })
  return { status: answer.status, text: await answer.text(), headers: answer.headers }
}

describe.each(LANGUAGES)('a browser that asks for %s', (language, direction, words) => {
  const headers = { 'Accept-Language': `xx,${language}-XX;q=0.8` }

  it('gets the pages in it, written in its direction', async () => {
    for (const path of [
      '/accounts/login/',
      '/accounts/password/reset/',
      '/accounts/deactivated/',
      '/help/',
    ]) {
      const { text } = await visit(`http://${realm.host}${path}`, { headers })
      expect(text).toContain(`<html lang="${language}"${direction}>`)
    }
  })

  it('gets what to do after a wrong password, the same for an unknown address', async () => {
    const user = await buildUser(realm)
    for (const name of [user.email, `nobody-${language}@example.com`]) {
      expect((await logIn(realm.host, name, 'wrong', headers)).text).toContain(words)
    }
  })

  it('gets it as JSON too, beside the message of the API', async () => {
    const { status, text } = await logIn(realm.host, `nobody-${language}@example.com`, 'wrong', {
      ...headers,
      Accept: 'application/json',
    })
    expect([status, fromJson(text)]).toEqual([
      401,
      {
        result: 'error',
        msg: 'Your username or password is incorrect',
        code: 'AUTHENTICATION_FAILED',
        sentence: expect.stringContaining(words),
      },
    ])
  })
})

describe('the login form', () => {
  it('has the cursor in the first field that is empty', async () => {
    const focused = (text: string) =>
      [...text.matchAll(/<input [^>]*name="(\w+)"[^>]* autofocus>/g)].map(([, name]) => name)
    expect(focused((await visit(`http://${realm.host}/accounts/login/`)).text)).toEqual(['email'])
    expect(focused((await logIn(realm.host, realm.owner.email, 'wrong', {})).text)).toEqual(['password'])
  })
})

describe('a refusal at the door says what to do', () => {
  it('with the right password of a deactivated account, and learns nothing with a wrong one', async () => {
    const user = await buildUser(realm)
    expectSuccess(await realm.owner.api.delete(`/users/${user.id}`))
    expect((await logIn(realm.host, user.email, PASSWORD, {})).text).toContain(
      'Ask an administrator of this organization to reactivate it.',
    )
    expect((await logIn(realm.host, user.email, 'wrong', {})).text).not.toContain('reactivate')
  })

  it('where the organization has single sign-on only', async () => {
    const { realm: own } = await buildRealm()
    await connectTo(own, await addLoginProvider(own, 'work'), own.owner)
    await turnRealmSettings(own, { authentication_methods: { Email: false, 'OpenID Connect': true } })
    const { text } = await logIn(own.host, own.owner.email, PASSWORD, {})
    expect(text).toContain('Log in another way, or ask an administrator.')
    expect(text).toContain('/accounts/login/social/work')
    const api = await own.anonymous.post('/fetch_api_key', { username: own.owner.email, password: PASSWORD })
    expect(api.body.msg).toBe('Password authentication is disabled in this organization')
  })

  it('in an organization that is deactivated', async () => {
    const { realm: own } = await buildRealm()
    expectSuccess(await own.owner.api.post('/realm/deactivate'))
    const { text } = await logIn(own.host, own.owner.email, PASSWORD, {})
    expect(text).toContain('Ask one of its owners to reactivate it.')
  })

  it('by links that are over, of whatever kind', async () => {
    const secret = 'ab'.repeat(32)
    const paths = {
      [`/join/${secret}/`]: 'Ask the person who invited you for a new one.',
      [`/accounts/password/reset/${secret}/`]: 'Ask for a new one.',
      [`/accounts/confirm-email/${secret}/`]: 'Ask for a new one.',
      [`/accounts/reactivate/${secret}/`]: 'Ask for a new one.',
      [`/accounts/owner-link/${secret}/?email=a@example.com`]: 'can create a new one.',
      [`/accounts/login/subdomain/${secret}`]: 'Start again from the app.',
      [`/accounts/unsubscribe/login/${secret}/`]: 'Open it again from the email.',
      '/accounts/login/?mobile_flow_otp=abc': 'Start again from the app.',
      '/accounts/login/social/nobody': 'choose another one.',
    }
    for (const [path, words] of Object.entries(paths)) {
      const { text } = await visit(`http://${realm.host}${path}`)
      expect(text, path).toContain(words)
      if (path.endsWith(`/${secret}/`) && !path.includes('unsubscribe'))
        expect(text, path).toContain('<a class="button button-main" href="/">Go to login</a>')
    }
  })

  it('after a wrong code, and with a ticket that is over', async () => {
    const browser = new Browser(realm.host)
    const enter = (headers: Record<string, string>) =>
      browser.ask('POST', '/accounts/login/second-factor/', {
        body: new URLSearchParams({ ticket: 'ab'.repeat(32), code: '123456' }),
        headers: { Origin: browser.origin, ...headers },
      })
    expect(await (await enter({})).text()).toContain('Log in again.')
    expect(await (await enter({ 'Accept-Language': 'fr' })).text()).toContain('Connectez-vous à nouveau.')
  })

  it('from a page of another site', async () => {
    const body = new URLSearchParams({ username: 'a@example.com', password: 'x' })
    const answer = await new Browser(realm.host).ask('POST', '/accounts/login/', {
      body,
      headers: { Origin: 'http://elsewhere.example' },
    })
    expect([answer.status, await answer.text()]).toEqual([
      403,
      expect.stringContaining('Open the page again and retry.'),
    ])
  })

  it('after too many attempts, with the time to wait', async () => {
    const { realm: own } = await buildRealm()
    const user = await buildUser(own)
    world.limited = true
    const headers = { 'CF-Connecting-IP': '192.0.2.77', 'Accept-Language': 'es' }
    let last = await logIn(own.host, user.email, 'wrong', headers)
    for (let tries = 0; tries < 40 && last.status !== 429; tries += 1) {
      last = await logIn(own.host, user.email, 'wrong', headers)
    }
    world.limited = false
    expect(last.status).toBe(429)
    const wait = Number(last.headers.get('Retry-After'))
    expect(wait).toBeGreaterThan(0)
    expect(last.text).toMatch(/Vuelve a intentarlo dentro de \d+ (?:segundo|minuto)s?\./)
  })

  it('for what is wrong in a form', async () => {
    const { realm: own } = await buildRealm()
    const { invite_link } = expectSuccess(await own.owner.api.post('/invites/multiuse'))
    const refused = await postForm(`http://${own.host}${new URL(invite_link).pathname}`, {
      email: 'nowhere',
      full_name: 'Nora',
      password: 'long enough 1',
    })
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining('Enter a valid email address, such as'),
    ])
  })
})
