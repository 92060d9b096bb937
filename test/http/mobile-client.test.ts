import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { mobileCalls } from '../clients/mobile-calls.ts'
import { flag, integer, message, text } from '../clients/mobile-models.ts'
import { ApiClient } from '../support/api.ts'
import { expectSuccess } from '../support/factories.ts'
import { PNG } from '../support/images.ts'
import { openQueue } from '../support/queues.ts'
import { fetchPath, postBody, postFiles } from '../support/uploads.ts'
import { useRealm } from '../support/use-realm.ts'

const USER_AGENT = 'ZulipFlutter/30.0.270+270 (Android 14)'

const { realm, ann, bob, channel, other } = useRealm(
  { ann: { userAgent: USER_AGENT }, bob: { userAgent: USER_AGENT } },
  { channels: { channel: ['ann', 'bob'], other: ['ann', 'bob'] } },
)

/** A message from Ann. */
let sent = 0
const CALLS = mobileCalls(() => ({ ann, bob, channel, other, sent }))

describe('the official mobile client', () => {
  const visitor = () => new ApiClient({ host: realm.host, realmId: realm.id, userAgent: USER_AGENT })

  it('learns what organization it speaks to', async () => {
    const settings = expectSuccess(await visitor().get('/server_settings'))
    const form = v.looseObject({
      authentication_methods: v.record(text, flag),
      external_authentication_methods: v.array(
        v.looseObject({
          name: text,
          display_name: text,
          display_icon: v.nullish(text),
          login_url: text,
          signup_url: text,
        }),
      ),
      // Below 277 the client refuses the server, and below 371 it warns.
      zulip_feature_level: v.pipe(integer, v.minValue(371)),
      zulip_version: text,
      zulip_merge_base: text,
      push_notifications_enabled: flag,
      is_incompatible: v.literal(false),
      email_auth_enabled: v.literal(true),
      require_email_format_usernames: flag,
      realm_uri: v.pipe(text, v.url()),
      realm_name: text,
      realm_icon: text,
      realm_description: text,
      realm_web_public_access_enabled: flag,
    })
    expect(v.parse(form, settings)).toBeDefined()
    expect(settings.authentication_methods).toMatchObject({ password: true })
  })

  it('logs in with a password, and recognizes when it is wrong', async () => {
    const login = { username: bob.email, password: 'a fine password' }
    expect(expectSuccess(await visitor().post('/fetch_api_key', login))).toMatchObject({
      api_key: bob.apiKey,
      email: bob.email,
      user_id: bob.id,
    })
    const { status, body } = await visitor().post('/fetch_api_key', { ...login, password: 'wrong' })
    expect([status, body.result, body.code]).toEqual([401, 'error', 'AUTHENTICATION_FAILED'])
    expect(body.msg).toEqual(expect.any(String))
  })

  it('recognizes the message that it has sent', async () => {
    const queue = await openQueue(ann)
    const given = { type: 'stream', to: channel.id, topic: 'plans', content: 'plans', read_by_sender: true }
    const { id } = expectSuccess(
      await ann.api.post('/messages', { ...given, queue_id: queue.id, local_id: '456' }),
    )
    sent = id
    const [event] = await queue.eventsOf('message')
    expect(event).toMatchObject({ local_message_id: '456', flags: ['read'], message: { id } })
  })

  it.each(CALLS)('$name', async ({ call: [method, path, params], reads }) => {
    const answer = expectSuccess(await ann.api.request(method, path(), params()))
    expect(v.safeParse(v.looseObject(reads), answer).issues).toBeUndefined()
  })

  it('keeps its cursor when its poll fails', async () => {
    const queue = await openQueue(ann)
    const { events, queue_id } = expectSuccess(
      await ann.api.get('/events', { queue_id: queue.id, last_event_id: -1, dont_block: true }),
    )
    expect([events, queue_id]).toEqual([[], queue.id])
    const gone = await ann.api.get('/events', { queue_id: 'gone', last_event_id: -1 })
    expect([gone.status, gone.body.result, gone.body.code]).toEqual([400, 'error', 'BAD_EVENT_QUEUE_ID'])
    const stranger = new ApiClient({ host: realm.host, realmId: realm.id, email: ann.email, apiKey: 'x' })
    expect((await stranger.get('/events', { queue_id: queue.id })).status).toBe(401)
  })

  it('does not overwrite what another user has written', async () => {
    const { id } = expectSuccess(
      await ann.api.post('/messages', { type: 'stream', to: channel.id, topic: 'edits', content: 'first' }),
    )
    const edit = { content: 'second', prev_content_sha256: '0'.repeat(64) }
    const { status, body } = await ann.api.patch(`/messages/${id}`, edit)
    expect([status, body.code]).toEqual([400, 'EXPECTATION_MISMATCH'])
  })

  it('takes part in polls', async () => {
    const poll = { type: 'stream', to: channel.id, topic: 'polls', content: '/poll Lunch?\nyes\nno' }
    const { id } = expectSuccess(await ann.api.post('/messages', poll))
    for (const content of [
      { type: 'vote', key: 'canned,0', vote: 1 },
      { type: 'new_option', idx: 1, option: 'perhaps' },
      { type: 'question', question: 'Dinner?' },
    ]) {
      const params = { message_id: id, msg_type: 'widget', content: JSON.stringify(content) }
      expectSuccess(await ann.api.post('/submessage', params))
    }
    const answer = expectSuccess(await bob.api.get(`/messages/${id}`, { allow_empty_topic_name: true }))
    expect(v.safeParse(message, answer.message).issues).toBeUndefined()
    expect(answer.message.submessages).toHaveLength(4)
  })

  it('uploads a picture, as its library writes the form, and opens it', async () => {
    const boundary = 'dart-http-boundary-Aa.+_-1234567890'
    const body = [
      `--${boundary}`,
      'content-type: image/gif',
      'content-disposition: form-data; name="file"; filename="a %22picture%22 ä.gif"',
      '',
      'GIF89a',
      `--${boundary}--`,
      '',
    ].join('\r\n')
    const headers = { 'User-Agent': USER_AGENT, 'content-type': `multipart/form-data; boundary=${boundary}` }
    const { uri, url } = expectSuccess(await postBody(ann, '/user_uploads', body, headers))
    expect(uri).toBe(url)
    expect(uri).toMatch(new RegExp(`^/user_uploads/${realm.id}/.+/a-picture-ä\\.gif$`))
    const lent = expectSuccess(await ann.api.get(uri))
    expect((await fetchPath(realm, lent.url)).status).toBe(200)
    expect((await fetchPath(realm, uri, ann)).status).toBe(200)
  })

  it('shows pictures of people, small and large', async () => {
    expectSuccess(await postFiles(bob, '/users/me/avatar', [PNG]))
    const params = { client_gravatar: false, fetch_event_types: ['realm_user'] }
    const capabilities = { notification_settings_null: true, user_avatar_url_field_optional: false }
    const { realm_users } = (await openQueue(ann, { ...params, client_capabilities: capabilities })).snapshot
    const addresses = new Map<number, string>(
      realm_users.map(({ user_id, avatar_url }: { user_id: number; avatar_url: string }) => [
        user_id,
        avatar_url,
      ]),
    )
    // For an avatar that is not of the picture service, the client requests a larger one by its name.
    expect(addresses.get(ann.id)).toMatch(/^https:\/\/secure\.gravatar\.com\/avatar\//)
    const { pathname, search } = new URL(addresses.get(bob.id)!, `http://${realm.host}`)
    const medium = pathname.replace(/(?:\.png)?$/, '-medium.png')
    for (const path of [pathname + search, medium + search]) {
      expect((await fetchPath(realm, path)).headers.get('Content-Type'), path).toBe('image/png')
    }
    for (const path of [`/avatar/${bob.id}`, `/avatar/${bob.id}/medium`]) {
      const response = await fetchPath(realm, path, ann, { redirect: 'manual' })
      expect([200, 302], path).toContain(response.status)
    }
  })

  it('shows the pictures of system bots', async () => {
    const { cross_realm_bots } = (await openQueue(ann, { client_gravatar: false })).snapshot
    expect(cross_realm_bots).toHaveLength(3)
    for (const { user_id, email, avatar_url } of cross_realm_bots) {
      for (const user of [user_id, email]) {
        const response = await fetchPath(realm, `/avatar/${user}`, ann, { redirect: 'manual' })
        expect(response.headers.get('Location'), user).toBe(avatar_url)
      }
    }
  })

  it('fetches the emoji there are, without logging in', async () => {
    const { server_emoji_data_url } = (await openQueue(ann)).snapshot
    const { host, pathname } = new URL(server_emoji_data_url)
    expect(host).toBe(realm.host)
    const data = await (await fetchPath(realm, pathname)).json()
    const form = v.looseObject({ code_to_names: v.record(text, v.pipe(v.array(text), v.minLength(1))) })
    expect(v.parse(form, data).code_to_names['1f642']).toContain('slight_smile')
  })
})
