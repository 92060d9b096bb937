import { beforeEach, describe, expect, it } from 'vitest'
import { Browser } from '../support/browsing.ts'
import {
  buildChannel,
  buildUser,
  expectSuccess,
  type TestRealm,
  type TestUser,
} from '../support/factories.ts'
import { REGISTRATION } from '../support/inside-declarations.ts'
import { fromJson, type Json } from '../support/json.ts'
import { visit } from '../support/pages.ts'
import { allowSpectators, openChannel, WEB_PUBLIC } from '../support/spectator.ts'
import { DAY } from '../support/times.ts'
import { buildRealm, useRealm } from '../support/use-realm.ts'
import { type World, world } from '../support/world.ts'

const PASSWORD = 'a fine password'
const OWNERS_PASSWORD = 'correct horse'
const PAGE = `<html lang="{{language}}" class="{{color_scheme}}"><title>{{realm_name}}</title>
<div id="page-params" data-params="{{page_params}}"></div>
<input type="hidden" name="csrfmiddlewaretoken" value="{{csrf_token}}"><p>{{language}}</p>{{unknown}}`
const LANGUAGES = [
  { code: 'en', locale: 'en', name: 'English' },
  { code: 'de', locale: 'de', name: 'Deutsch', percent_translated: 97 },
  { code: 'pt-br', locale: 'pt_BR', name: 'Português' },
]

/** Keys of a registration that are younger than level 420. */
const YOUNGER_KEYS = [
  'server_report_message_types',
  'realm_owner_full_content_access',
  'tenor_api_key',
  'realm_send_channel_events_messages',
  'realm_default_avatar_source',
  'realm_uuid',
  'realm_media_preview_size',
  'realm_workplace_users_group',
  'has_webex_token',
  'realm_gif_rating_policy',
  'gif_rating_policy_options',
  'devices',
  'idle_queue_timeout_secs',
]

/** Static assets as they are deployed with a web client of this feature level. */
function deployed(level: number, more: object = {}): World['bindings'] {
  const files: Record<string, string> = {
    '/index.html': '<title>the built-in page</title>',
    '/client/index.html': PAGE,
    '/client/client.json': JSON.stringify({ feature_level: level, languages: LANGUAGES, ...more }),
    '/client/static/app.js': 'let it = "run"',
    '/client/static/app.0123456789abcdef.css': 'p {}',
    '/client/login': 'in our place',
    '/client/api/v1/server_settings': 'in our place',
    '/client/.secret/x': 'hidden',
  }
  const assets = {
    fetch: async ({ url, headers }: Request) => {
      const file = files[new URL(url).pathname]
      if (file === undefined) return new Response(null, { status: 404 })
      const isKnown = headers.get('if-none-match') === '"tag"'
      return new Response(isKnown ? null : file, { status: isKnown ? 304 : 200, headers: { ETag: '"tag"' } })
    },
  }
  return { ASSETS: assets }
}

const { realm } = useRealm()
beforeEach(() => {
  world.bindings = deployed(420)
})

async function loggedIn(user: Pick<TestUser, 'email'>, at = realm, password = PASSWORD): Promise<Browser> {
  const browser = new Browser(at.host)
  expect((await browser.logIn(user.email, password)).status).toBe(302)
  return browser
}

function unescaped(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
}

function parametersIn(page: string): Json {
  return fromJson(unescaped(/data-params="([^"]*)"/.exec(page)![1]!))
}

async function open(browser: Browser, path = '/') {
  const response = await browser.ask('GET', path)
  const text = await response.text()
  expect([path, response.status, text.slice(0, 5)]).toEqual([path, 200, '<html'])
  return { text, parameters: parametersIn(text), headers: response.headers }
}

describe('the page of a web client', () => {
  it('needs a session; others are redirected to the log-in, and back', async () => {
    for (const [path, location] of [
      ['/', '/login/'],
      ['/de/', '/login/?next=%2Fde%2F'],
      ['/?x=1', '/login/?next=%2F%3Fx%3D1'],
    ]) {
      const answer = await visit(`http://${realm.host}${path}`)
      expect([path, answer.status, answer.headers.get('location')]).toEqual([path, 302, location])
    }
  })

  it('has every parameter, and as its state what a registration answers', async () => {
    const user = await buildUser(realm)
    await buildChannel([user])
    const browser = await loggedIn(user)
    const { parameters } = await open(browser)
    const { state_data, ...others } = parameters
    expect(others).toEqual({
      page_type: 'home',
      development_environment: true,
      request_language: 'en',
      language_list: LANGUAGES,
      translation_data: {},
      apps_page_url: 'https://zulip.com/apps/',
      corporate_enabled: false,
      embedded_bots_enabled: false,
      furthest_read_time: null,
      insecure_desktop_app: false,
      is_spectator: false,
      login_page: '/login/',
      no_event_queue: false,
      presence_history_limit_days_for_web_app: 365,
      promote_sponsoring_zulip: false,
      show_webathena: false,
      test_suite: false,
      two_fa_enabled: false,
      two_fa_enabled_user: false,
      warn_no_email: false,
    })
    const registered = expectSuccess(
      await browser.json('POST', '/register', Object.fromEntries(REGISTRATION)),
    )
    expect(YOUNGER_KEYS.filter((key) => !(key in registered))).toEqual([])
    const left = ['result', 'msg', 'streams', ...YOUNGER_KEYS]
    const maps = registered.server_supported_permission_settings
    const { can_create_topic_group: _c, ...stream } = maps.stream
    const { workplace_users_group: _w, ...ofRealm } = maps.realm
    expect(state_data).toEqual({
      ...Object.fromEntries(Object.entries<Json>(registered).filter(([key]) => !left.includes(key))),
      server_supported_permission_settings: { ...maps, stream, realm: ofRealm },
      queue_id: expect.any(String),
      server_timestamp: expect.any(Number),
      realm_is_zephyr_mirror_realm: false,
    })
    expect(state_data.onboarding_steps.map(({ name }: { name: string }) => name)).not.toContain(
      'navigation_tour_video',
    )
  })

  it('uses the browser’s queue and token: events come, and a change is accepted', async () => {
    const user = await buildUser(realm)
    const browser = await loggedIn(user)
    const { text, parameters } = await open(browser)
    const token = /name="csrfmiddlewaretoken" value="(\w+)"/.exec(text)![1]!
    expect(token).toBe(browser.cookies.get('csrftoken'))
    const { queue_id, last_event_id } = parameters.state_data
    const sent = { type: 'direct', to: [realm.owner.id], content: ':zulip:' }
    const { id } = expectSuccess(await browser.json('POST', '/messages', sent, { 'X-CSRFToken': token }))
    expectSuccess(await browser.json('POST', `/messages/${id}/reactions`, { emoji_name: 'zulip' }))
    const { events } = expectSuccess(await browser.json('GET', '/events', { queue_id, last_event_id }))
    expect(events[0]).toMatchObject({ type: 'message', flags: ['read'], message: { id, client: 'website' } })
    expect(events[1]).toMatchObject({ type: 'reaction', reaction_type: 'zulip_extra_emoji' })
  })

  it('says when its reader was last there', async () => {
    const user = await buildUser(realm)
    const browser = await loggedIn(user)
    expectSuccess(await browser.json('POST', '/users/me/presence', { status: 'active', last_update_id: -1 }))
    const { furthest_read_time } = (await open(browser)).parameters
    expect(Math.abs(furthest_read_time - Date.now() / 1_000 - world.clockOffset)).toBeLessThan(60)
  })

  it('texts of users cannot break out of the page’s parameters', async () => {
    const { realm: hostile } = await buildRealm()
    const name = `"'><script>alert(1)</script>&amp;`
    expectSuccess(await hostile.owner.api.patch('/realm', { name }))
    expectSuccess(await hostile.owner.api.patch('/realm', { description: `${name} \\" \u2028 ü 🐙` }))
    const { text, parameters } = await open(await loggedIn(hostile.owner, hostile, OWNERS_PASSWORD))
    expect(parameters.state_data.realm_name).toBe(name)
    expect(parameters.state_data.realm_description).toBe(`${name} \\" \u2028 ü 🐙`)
    expect(unescaped(/<title>(.*)<\/title>/.exec(text)![1]!)).toBe(name)
    expect(text).not.toContain('<script')
    // Only placeholders without a meaning to the server are left as they were.
    expect(text).toContain('{{unknown}}')
  })

  it('uses the URL’s language, or else the reader’s, and the reader’s theme', async () => {
    const user = await buildUser(realm)
    const browser = await loggedIn(user)
    const seen = async (path: string) => {
      const { text, parameters } = await open(browser, path)
      const [, lang, colours] = /<html lang="(.*)" class="(.*)"/.exec(text)!
      expect(text).toContain(`<p>${lang}</p>`)
      expect(parameters.request_language).toBe(lang)
      return [lang, colours]
    }
    expect(await seen('/')).toEqual(['en', 'automatic'])
    expectSuccess(await browser.json('PATCH', '/settings', { default_language: 'de', color_scheme: 2 }))
    expect(await seen('/')).toEqual(['de', 'dark'])
    expect(await seen('/pt-BR/')).toEqual(['pt-br', 'dark'])
    expectSuccess(await browser.json('PATCH', '/settings', { default_language: 'fr', color_scheme: 3 }))
    expect(await seen('/')).toEqual(['en', 'light'])
    expect((await browser.ask('GET', '/fr/')).status).toBe(404)
  })

  it('has the policy of its description, or a default, and is never cached', async () => {
    const browser = await loggedIn(await buildUser(realm))
    const { headers } = await open(browser)
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'self'; .*frame-ancestors 'none'$/)
    expect(headers.get('cache-control')).toBe('no-store')
    world.bindings = deployed(420, { content_security_policy: "default-src 'self' blob:" })
    expect((await open(browser)).headers.get('content-security-policy')).toBe("default-src 'self' blob:")
  })

  it('may ask GIF providers for which the deployment has keys', async () => {
    const browser = await loggedIn(await buildUser(realm))
    const policyWith = async (settings: Record<string, string>) => {
      const before = world.settings
      world.settings = { ...before, ...settings }
      try {
        return (await open(browser)).headers.get('content-security-policy')!
      } finally {
        world.settings = before
      }
    }
    expect(await policyWith({})).not.toMatch(/giphy|tenor/)
    const policy = await policyWith({ GIPHY_API_KEY: 'key' })
    expect(policy).toContain("; connect-src 'self' https://api.giphy.com;")
    expect(policy).toMatch(/; img-src [^;]* https:\/\/\*\.giphy\.com;/)
    expect(policy).not.toContain('tenor')
  })

  it('answers HEAD without registering a queue', async () => {
    const user = await buildUser(realm)
    const browser = await loggedIn(user)
    world.limited = true
    const answer = await browser.ask('HEAD', '/')
    world.limited = false
    expect([answer.status, answer.headers.get('x-ratelimit-limit'), await answer.text()]).toEqual([
      200,
      null,
      '',
    ])
  })
})

describe('without an account', () => {
  const at = ({ host }: TestRealm, path = '/', language = 'en') =>
    visit(`http://${host}${path}`, { headers: { 'Accept-Language': language } })
  const facts = async (...asked: Parameters<typeof at>) => {
    const { status, text } = await at(...asked)
    expect(status).toBe(200)
    return parametersIn(text)
  }

  it('spectators get the page where reading needs no account, and nothing more', async () => {
    const { realm: birds } = await buildRealm()
    await allowSpectators(birds)
    await openChannel(birds.owner, 'birds')
    world.settings = WEB_PUBLIC
    expect(await facts(birds)).toMatchObject({
      page_type: 'home',
      is_spectator: true,
      no_event_queue: true,
      state_data: null,
      request_language: 'en',
      realm_rendered_description: expect.any(String),
    })
    expect(await facts(birds, '/de/')).toMatchObject({ request_language: 'de' })
    const brazilian = await facts(birds, '/', 'xx, pt-BR;q=0.9, de;q=0.5')
    expect(brazilian).toMatchObject({ request_language: 'pt-br' })
    const { parameters } = await open(await loggedIn(birds.owner, birds, OWNERS_PASSWORD))
    expect(parameters).toMatchObject({ is_spectator: false, no_event_queue: false })
  })

  it('others get the log-in when either switch is off', async () => {
    const { realm: closed } = await buildRealm()
    world.settings = WEB_PUBLIC
    const leads = async () => {
      const response = await at(closed)
      return [response.status, response.headers.get('location')]
    }
    expect(await leads()).toEqual([302, '/login/'])
    await allowSpectators(closed)
    expect(await leads()).toEqual([302, '/login/'])
    await openChannel(closed.owner, 'birds')
    expect((await at(closed)).status).toBe(200)
    world.settings = {}
    expect(await leads()).toEqual([302, '/login/'])
  })
})

describe('a client of a newer level', () => {
  it('gets the forms of its level, in the page, in answers and in events', async () => {
    world.bindings = deployed(500)
    const browser = await loggedIn(await buildUser(realm))
    const { parameters } = await open(browser)
    const { queue_id, last_event_id } = parameters.state_data
    const registered = expectSuccess(await browser.json('POST', '/register'))
    for (const state of [parameters.state_data, registered]) {
      const { stream } = state.server_supported_permission_settings
      expect(stream.can_administer_channel_group.default_group_name).toBe('channel_creator')
    }
    const sent = { type: 'direct', to: [realm.owner.id], content: 'hello' }
    const { id } = expectSuccess(await browser.json('POST', '/messages', sent))
    expectSuccess(await browser.json('POST', `/messages/${id}/reactions`, { emoji_name: 'octopus' }))
    const { events } = expectSuccess(await browser.json('GET', '/events', { queue_id, last_event_id }))
    expect(events[1]).toMatchObject({ type: 'reaction', user_id: parameters.state_data.user_id })
    expect('user' in events[1]).toBe(false)
  })
})

describe('a client of an older level', () => {
  it('gets the snapshot keys of its feature level, and those removed since', async () => {
    const browser = await loggedIn(await buildUser(realm))
    const stateAt = async (level: number) => {
      world.bindings = deployed(level)
      return (await open(browser)).parameters.state_data
    }
    const [oldest, middle, newest] = [await stateAt(372), await stateAt(400), await stateAt(426)]
    const lost = (state: object) => Object.keys(newest).filter((key) => !(key in state))
    expect(lost(middle).sort()).toEqual([
      'max_channel_folder_description_length',
      'max_channel_folder_name_length',
      'max_reminder_note_length',
      'push_devices',
      'realm_can_set_delete_message_policy_group',
      'realm_require_e2ee_push_notifications',
      'realm_welcome_message_custom_text',
    ])
    expect(lost(oldest).sort()).toEqual(
      [
        ...lost(middle),
        'channel_folders',
        'max_bulk_new_subscription_messages',
        'navigation_views',
        'realm_can_set_topics_policy_group',
        'realm_topics_policy',
        'reminders',
      ].sort(),
    )
    expect([oldest.realm_is_zephyr_mirror_realm, 'realm_is_zephyr_mirror_realm' in newest]).toEqual([
      false,
      false,
    ])
    const permissions = (state: { server_supported_permission_settings: Record<string, object> }) =>
      Object.entries(state.server_supported_permission_settings).flatMap(([map, settings]) =>
        Object.keys(settings).map((name) => `${map} ${name}`),
      )
    const all = permissions(newest)
    expect(all.filter((name) => !permissions(oldest).includes(name))).toEqual([
      'realm can_set_delete_message_policy_group',
      'realm can_set_topics_policy_group',
      'stream can_delete_any_message_group',
      'stream can_delete_own_message_group',
      'stream can_move_messages_out_of_channel_group',
      'stream can_move_messages_within_channel_group',
      'stream can_resolve_topics_group',
    ])
    expect(permissions(middle)).toContain('stream can_move_messages_within_channel_group')
    expect(permissions(middle)).not.toContain('stream can_resolve_topics_group')
  })
})

describe('who may not:', () => {
  const leadsAway = async (browser: Browser) => {
    const answer = await browser.ask('GET', '/')
    expect([answer.status, answer.headers.get('location'), await answer.text()]).toEqual([302, '/login/', ''])
  }

  it('sessions of another organization, of deactivated accounts, expired, or forged', async () => {
    const { realm: other } = await buildRealm()
    const stranger = await loggedIn(await buildUser(other), other)
    const elsewhere = new Browser(realm.host)
    elsewhere.cookies.set('sessionid', stranger.cookies.get('sessionid')!)
    await leadsAway(elsewhere)
    // The cookies of an invalid session are removed.
    expect(elsewhere.cookies.size).toBe(0)
    elsewhere.cookies.set('sessionid', 'a'.repeat(43))
    await leadsAway(elsewhere)

    const user = await buildUser(realm)
    const closed = await loggedIn(user)
    expectSuccess(await realm.owner.api.delete(`/users/${user.id}`))
    await leadsAway(closed)

    const late = await loggedIn(await buildUser(realm))
    world.clockOffset += 15 * DAY
    await leadsAway(late)
    world.clockOffset -= 15 * DAY
  })

  it('anybody in a deactivated organization, or without an organization', async () => {
    const { realm: closed } = await buildRealm()
    const browser = await loggedIn(await buildUser(closed), closed)
    expectSuccess(await closed.owner.api.post('/realm/deactivate'))
    await leadsAway(browser)
    expect((await new Browser('nobody.example').ask('GET', '/')).status).toBe(404)
  })

  it('a client over the rate limit, with a page that says when to return', async () => {
    const browser = await loggedIn(await buildUser(realm))
    world.settings = { ...world.settings, RATE_LIMIT_API_BY_USER: '1/60' }
    world.limited = true
    await open(browser)
    const answer = await browser.ask('GET', '/')
    world.limited = false
    expect([answer.status, Number(answer.headers.get('retry-after')) > 0]).toEqual([429, true])
    expect(answer.headers.get('content-type')).toContain('text/html')
  })
})

describe('beside the page', () => {
  it('other files are public, typed by their names, and revalidated by ETag', async () => {
    const script = await visit(`http://${realm.host}/static/app.js`)
    expect([script.status, script.text]).toEqual([200, 'let it = "run"'])
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(script.headers.get('cache-control')).toBe('no-cache')
    expect(script.headers.get('content-security-policy')).toContain("default-src 'self'")
    const headers = { 'If-None-Match': script.headers.get('etag')! }
    expect((await visit(`http://${realm.host}/static/app.js`, { headers })).status).toBe(304)
    const style = await visit(`http://${realm.host}/static/app.0123456789abcdef.css`)
    expect(style.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  })

  it('routes of the API, pages and hidden files are unchanged', async () => {
    const settings = await visit(`http://${realm.host}/api/v1/server_settings`)
    expect(fromJson(settings.text)).toMatchObject({ result: 'success' })
    expect((await visit(`http://${realm.host}/login/`)).text).toContain('type="password"')
    for (const path of [
      '/index.html',
      '/client.json',
      '/client/index.html',
      '/.secret/x',
      '/static/../client.json',
      '/static/%2e%2e/client.json',
      '/none.js',
    ]) {
      expect([path, (await visit(`http://${realm.host}${path}`)).status]).toEqual([path, 404])
    }
  })

  it('the built-in page is served at /parley/', async () => {
    for (const path of ['/parley/', '/parley']) {
      const page = await visit(`http://${realm.host}${path}`)
      expect([page.status, page.text]).toEqual([200, '<title>the built-in page</title>'])
    }
  })

  it('without a web client the built-in page is at /, and its routes are 404', async () => {
    world.bindings = {}
    expect((await visit(`http://${realm.host}/`)).status).toBe(200)
    for (const path of ['/de/', '/static/app.js']) {
      expect((await visit(`http://${realm.host}${path}`)).status).toBe(404)
    }
  })
})
