import { describe, expect, it, vi } from 'vitest'
import { ApiClient, askWorker, type ParameterValue } from '../support/api.ts'
import { buildUser, expectSuccess, type TestUser } from '../support/factories.ts'
import { type Json, readJson } from '../support/json.ts'
import { sendTo } from '../support/messages.ts'
import { ALL_CAPABILITIES, openQueue, whileListening } from '../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../support/refusals.ts'
import { authorization } from '../support/uploads.ts'
import { buildRealm, useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const { realm, ann, ben, guest, channel } = useRealm(
  { ann: 'member', ben: 'member', guest: 'guest' },
  { channels: { channel: ['ann', 'ben', 'guest'] } },
)

function as(user: TestUser, facts: { email?: string; apiKey?: string; userAgent?: string }): ApiClient {
  return new ApiClient({
    host: realm.host,
    realmId: realm.id,
    email: user.email,
    apiKey: user.apiKey,
    ...facts,
  })
}

async function raw(path: string, init: RequestInit): Promise<{ status: number; body: Json }> {
  const response = await askWorker(new Request(`http://${realm.host}/api/v1${path}`, init))
  return { status: response.status, body: await readJson(response) }
}

async function ignoredBy(
  user: TestUser,
  method: string,
  path: string,
  params: Record<string, ParameterValue>,
) {
  return expectSuccess(await user.api.request(method, path, params)).ignored_parameters_unsupported
}

async function topicOf(id: number): Promise<string> {
  return expectSuccess(await ann.api.get(`/messages/${id}`, { allow_empty_topic_name: true })).message.subject
}

describe('Decisions 1: Conventions, errors, authentication', () => {
  it('5.1 the user name is either address of the account, in any case, trimmed', async () => {
    for (const email of [ann.email, ` ${ann.email.toUpperCase()} `, `user${ann.id}@${realm.host}`]) {
      expectSuccess(await as(ann, { email }).get('/users/me'))
    }
  })

  it('5.1 the key decides; an address it does not belong to: 401 Invalid API key', async () => {
    for (const email of [ben.email, `user${ben.id}@${realm.host}`, 'nobody@example.com']) {
      expectRefusal(await as(ann, { email }).get('/users/me'), 'Invalid API key', {
        status: 401,
        code: 'UNAUTHORIZED',
      })
    }
  })

  it('5.1 GET /server_settings and endpoints that give keys are open; others answer 401', async () => {
    expectSuccess(await realm.anonymous.get('/server_settings'))
    const params = { username: ann.email, password: 'a fine password' }
    expectSuccess(await realm.anonymous.post('/fetch_api_key', params))
    for (const [method, path] of [
      ['POST', '/register'],
      ['GET', '/messages'],
      ['GET', '/events'],
      ['GET', '/users'],
      ['PATCH', '/settings'],
      ['DELETE', '/users/me/subscriptions'],
    ] as const) {
      expectUnauthorized(await realm.anonymous.request(method, path))
    }
  })

  it('5.6 bad credentials: 401 with WWW-Authenticate; another scheme than Basic: 400', async () => {
    const wrong = await as(ann, { apiKey: 'x'.repeat(32) }).get('/users/me')
    expect([wrong.status, wrong.body.code]).toEqual([401, 'UNAUTHORIZED'])
    expect(wrong.headers.get('www-authenticate')).toMatch(/^Basic realm=/)
    expect(await raw('/users/me', { headers: { Authorization: 'Bearer x' } })).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', msg: 'This endpoint requires HTTP basic authentication.' },
    })
  })

  it('1.3 every error is JSON with a code: 404, and 405 with Allow and allowed_methods', async () => {
    expect((await ann.api.get('/no/such/path')).body).toMatchObject({ result: 'error', code: 'BAD_REQUEST' })
    const wrong = await ann.api.request('DELETE', '/messages/flags')
    expect(wrong).toMatchObject({
      status: 405,
      body: { result: 'error', code: 'BAD_REQUEST', allowed_methods: expect.arrayContaining(['POST']) },
    })
    expect(wrong.headers.get('allow')?.split(', ')).toEqual(wrong.body.allowed_methods)
  })

  it('1.3 what breaks inside is 500 INTERNAL_SERVER_ERROR, without detail', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    // The test runner cannot evict an object that has failed in this way.
    world.evictable = false
    const { owner } = await buildRealm()
    world.bugAt = 'decided'
    expect(await owner.api.get('/users/me')).toMatchObject({
      status: 500,
      body: { result: 'error', msg: 'Internal server error', code: 'INTERNAL_SERVER_ERROR' },
    })
    logged.mockRestore()
    expectSuccess(await owner.api.get('/users/me'))
  })

  it('7.2 codes beyond the table: public ones, where the document names none', async () => {
    const events = { queue_id: 'nowhere', last_event_id: -1 }
    expect((await ann.api.get('/events', events)).body.code).toBe('BAD_EVENT_QUEUE_ID')
    const id = await sendTo(ann, channel.id, 'codes')
    const params = { content: 'x', prev_content_sha256: '0'.repeat(64) }
    expect((await ann.api.patch(`/messages/${id}`, params)).body.code).toBe('EXPECTATION_MISMATCH')
    const reaction = { emoji_name: 'tada' }
    expectSuccess(await ann.api.post(`/messages/${id}/reactions`, reaction))
    const again = await ann.api.post(`/messages/${id}/reactions`, reaction)
    expect(again.body.code).toBe('REACTION_ALREADY_EXISTS')
  })

  it.each([
    ['POST', '/scheduled_messages', 'type'],
    ['POST', '/users/me/subscriptions', 'subscriptions'],
    ['DELETE', '/users/me/subscriptions', 'subscriptions'],
    ['POST', '/users/me/subscriptions/properties', 'subscription_data'],
    ['POST', '/user_topics', 'stream_id'],
    ['POST', '/user_groups/create', 'name'],
    ['POST', '/messages/flags', 'messages'],
  ])('7.2 %s %s without a required parameter: REQUEST_VARIABLE_MISSING', async (method, path, name) => {
    expectRefusal(await ann.api.request(method, path), `Missing '${name}' argument`, {
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: name,
    })
  })

  it.each([
    ['PATCH', '/realm/user_settings_defaults'],
    ['POST', '/streams/1/delete_topic'],
    ['POST', '/users'],
  ])('5.3, 7.2 %s %s is for administrators: 400 UNAUTHORIZED_PRINCIPAL, never 403', async (method, path) => {
    for (const user of [ann, guest]) {
      expectRefusal(await user.api.request(method, path), 'Must be an organization administrator', {
        code: 'UNAUTHORIZED_PRINCIPAL',
      })
    }
  })

  it('5.3 the list is not extended to 4.8 and 4.15: refusals there are BAD_REQUEST', async () => {
    const params = { name: 'of nobody', description: '', members: [] }
    const { group_id } = expectSuccess(await ann.api.post('/user_groups/create', params))
    expectRefusal(await ben.api.patch(`/user_groups/${group_id}`, { name: 'x' }), 'Insufficient permission')
    expectRefusal(await guest.api.post('/user_groups/create', params), 'Not allowed for guest users')
  })

  it('1.4 all endpoints list unsupported parameters, sorted, in successes only, no empty list', async () => {
    expect(await ignoredBy(ann, 'GET', '/server_settings', { b: 1, a: 2 })).toEqual(['a', 'b'])
    expect(
      await ignoredBy(ann, 'POST', '/messages/flags', { messages: [], op: 'add', flag: 'read', z: 1 }),
    ).toEqual(['z'])
    expect((await ann.api.get('/users/me')).body).not.toHaveProperty('ignored_parameters_unsupported')
    expect((await ann.api.get('/users/0', { z: 1 })).body).not.toHaveProperty(
      'ignored_parameters_unsupported',
    )
  })

  it('1.4 not listed: path parameters, aliases, deprecated ones that are read, client and method', async () => {
    const id = await sendTo(ann, channel.id, 'listed')
    const edit = { message_id: id, subject: 'listed too', client: 'x', method: 'PATCH' }
    expect(await ignoredBy(ann, 'PATCH', `/messages/${id}`, edit)).toBeUndefined()
    const presence = { status: 'active', slim_presence: true }
    expect(await ignoredBy(ann, 'POST', '/users/me/presence', presence)).toBeUndefined()
  })

  it('1.4 not listed: supported parameters without effect this time, and keys inside JSON values', async () => {
    const direct = { type: 'direct', to: [ben.id], content: 'x', topic: 'without effect' }
    expect(await ignoredBy(ann, 'POST', '/messages', direct)).toBeUndefined()
    const existing = { subscriptions: [{ name: channel.name, no_such_key: 1 }], invite_only: true }
    expect(await ignoredBy(ann, 'POST', '/users/me/subscriptions', existing)).toBeUndefined()
    const presence = { status: 'active', last_update_id: 5, history_limit_days: 3 }
    expect(await ignoredBy(ann, 'POST', '/users/me/presence', presence)).toBeUndefined()
    const welcome = {
      invitee_emails: 'decided@example.com',
      stream_ids: [],
      welcome_message_custom_text: 'of no administrator',
    }
    expect(await ignoredBy(ann, 'POST', '/invites', welcome)).toBeUndefined()
  })

  it('1.4 listed: unknown names from the query and from the body', async () => {
    const { body } = await raw('/messages/flags?from_query=1', {
      method: 'POST',
      headers: authorization(ann),
      body: new URLSearchParams({ messages: '[]', op: 'add', flag: 'read', from_body: '1' }),
    })
    expect(body).toMatchObject({ ignored_parameters_unsupported: ['from_body', 'from_query'] })
  })

  it('1.1 parameters are read anywhere, multipart too; the body wins', async () => {
    const headers = authorization(ann)
    const send = async (query: Record<string, string>, body?: BodyInit) => {
      const answer = await raw(`/messages?${new URLSearchParams(query)}`, { method: 'POST', headers, body })
      return answer.body.id
    }
    const fields = { type: 'stream', to: channel.name, content: 'x' }
    expect(await topicOf(await send({ ...fields, topic: 'from the query' }))).toBe('from the query')
    const form = new FormData()
    for (const [name, value] of Object.entries({ ...fields, topic: 'from a form' })) form.set(name, value)
    expect(await topicOf(await send({}, form))).toBe('from a form')
    const body = new URLSearchParams({ ...fields, topic: 'from the body' })
    expect(await topicOf(await send({ topic: 'from the query' }, body))).toBe('from the body')
  })

  it('1.2 message_retention_days takes the bare word and the JSON string', async () => {
    for (const [name, word] of [
      ['retained 1', 'unlimited'],
      ['retained 2', '"unlimited"'],
    ] as const) {
      const params = { subscriptions: [{ name }], message_retention_days: word }
      expectSuccess(await realm.owner.api.post('/users/me/subscriptions', params))
      const { subscriptions } = expectSuccess(await realm.owner.api.get('/users/me/subscriptions'))
      expect(subscriptions.find((one: { name: string }) => one.name === name)).toMatchObject({
        message_retention_days: -1,
      })
    }
  })

  it('1.2 include_subscribers takes partial and "partial"; to takes a name and a JSON string', async () => {
    for (const word of ['partial', '"partial"']) {
      const { snapshot } = await openQueue(ann, { include_subscribers: word })
      expect(snapshot.subscriptions[0]).toHaveProperty('subscribers')
    }
    for (const to of [channel.name, JSON.stringify(channel.name)]) {
      expectSuccess(await ann.api.post('/messages', { type: 'channel', to, topic: 'x', content: 'x' }))
    }
  })

  it('1.2 welcome_message_custom_text: the bare word null is null', async () => {
    const email = 'null@example.com'
    const params = { invitee_emails: email, stream_ids: [], welcome_message_custom_text: 'null' }
    expectSuccess(await realm.owner.api.post('/invites', params))
    const { invites } = expectSuccess(await realm.owner.api.get('/invites'))
    expect(invites.find((one: { email: string }) => one.email === email)).toMatchObject({
      welcome_message_custom_text: null,
    })
  })

  it('1.6 (no topic) is empty in sending; an ordinary name in editing, 4.9 and 4.14', async () => {
    const id = await sendTo(ann, channel.id, '(no topic)')
    expect(await topicOf(id)).toBe('')
    expectSuccess(await ann.api.patch(`/messages/${id}`, { topic: '(no topic)' }))
    expect(await topicOf(id)).toBe('(no topic)')
    const preference = { stream_id: channel.id, topic: '(no topic)', visibility_policy: 1 }
    expectSuccess(await ben.api.post('/user_topics', preference))
    const { snapshot } = await openQueue(ben, { fetch_event_types: ['user_topic'] })
    expect(snapshot.user_topics).toMatchObject([{ topic_name: '(no topic)' }])
    const empty = await sendTo(ann, channel.id, '')
    const path = `/streams/${channel.id}/delete_topic`
    expectSuccess(await realm.owner.api.post(path, { topic_name: '(no topic)' }))
    expectSuccess(await ann.api.get(`/messages/${empty}`))
    expectRefusal(await ann.api.get(`/messages/${id}`), 'Invalid message(s)')
  })

  it('1.6 every topic for a client without empty_topic_name is replaced: messages, scheduled ones, drafts', async () => {
    const old = await openQueue(ann, {
      client_capabilities: { ...ALL_CAPABILITIES, empty_topic_name: false },
    })
    const at = Math.floor(Date.now() / 1_000) + 3_600
    const params = { type: 'channel', to: channel.id, topic: '', content: 'x' }
    expectSuccess(await ann.api.post('/messages', params))
    const scheduled = expectSuccess(
      await ann.api.post('/scheduled_messages', { ...params, scheduled_delivery_timestamp: at }),
    )
    const draft = { type: 'stream', to: [channel.id], topic: '', content: 'x', timestamp: at }
    expectSuccess(await ann.api.post('/drafts', { drafts: [draft] }))
    const events = await old.events()
    const of = (type: string) => events.find((event) => event.type === type)
    expect(of('message')?.message.subject).toBe('general chat')
    expect(of('scheduled_messages')?.scheduled_messages[0].topic).toBe('general chat')
    expect(of('drafts')?.drafts[0].topic).toBe('general chat')
    expectSuccess(await ann.api.delete(`/scheduled_messages/${scheduled.scheduled_message_id}`))
  })

  it('1.6 so is that of typing_edit_message', async () => {
    const id = await sendTo(ann, channel.id, '')
    const queue = await openQueue(ben, {
      client_capabilities: { ...ALL_CAPABILITIES, empty_topic_name: false },
    })
    const [events] = await whileListening([queue], async () => {
      expectSuccess(await ann.api.post(`/messages/${id}/typing`, { op: 'start' }))
    })
    expect(events?.find(({ type }) => type === 'typing_edit_message')?.recipient.topic).toBe('general chat')
  })

  it('1.7 over the limit is cut in sending, scheduling and editing', async () => {
    const [long, cut] = ['t'.repeat(61), `${'t'.repeat(57)}...`]
    const id = await sendTo(ann, channel.id, long)
    expect(await topicOf(id)).toBe(cut)
    expectSuccess(await ann.api.patch(`/messages/${id}`, { topic: 'u'.repeat(61) }))
    expect(await topicOf(id)).toBe(`${'u'.repeat(57)}...`)
    const params = { type: 'channel', to: channel.id, topic: long, content: 'x' }
    const at = Math.floor(Date.now() / 1_000) + 3_600
    expectSuccess(await ben.api.post('/scheduled_messages', { ...params, scheduled_delivery_timestamp: at }))
    const { scheduled_messages } = expectSuccess(await ben.api.get('/scheduled_messages'))
    expect(scheduled_messages).toMatchObject([{ topic: cut }])
  })

  it('4.9, 4.3, 4.12, 4.13 over the limit is an error: BAD_REQUEST', async () => {
    const refused: [TestUser, string, Record<string, ParameterValue>][] = [
      [ann, '/user_topics', { stream_id: channel.id, topic: 't'.repeat(61), visibility_policy: 1 }],
      [ann, '/users/me/subscriptions', { subscriptions: [{ name: 'n'.repeat(61) }] }],
      [ann, '/users/me/subscriptions', { subscriptions: [{ name: 'n', description: 'd'.repeat(1_025) }] }],
      [
        realm.owner,
        '/invites',
        { invitee_emails: 'x@example.com', stream_ids: [], welcome_message_custom_text: 'w'.repeat(8_001) },
      ],
      [ann, '/users/me/status', { status_text: 's'.repeat(61) }],
    ]
    for (const [user, path, params] of refused) {
      expect(await user.api.post(path, params)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
    }
  })

  it('4 an unknown id in a path: 400 BAD_REQUEST; no number: 404 with that code', async () => {
    const beyond = '9'.repeat(30)
    const paths = [987654, beyond].flatMap((id) => [
      `/messages/${id}`,
      `/users/me/${id}/topics`,
      `/users/${id}`,
    ])
    for (const path of [...paths, '/messages/987654/history']) {
      expect(await ann.api.get(path)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
    }
    for (const path of ['/messages/x', '/users/me/x/topics', '/messages/x/history']) {
      expect(await ann.api.get(path)).toMatchObject({ status: 404, body: { code: 'BAD_REQUEST' } })
    }
  })

  it('8 200 requests a minute and user, sent in headers; polls count separately', async () => {
    // The object counts requests in memory.
    world.evictable = false
    world.limited = true
    const counted = await buildUser(realm)
    const { queue_id } = expectSuccess(await counted.api.post('/register'))
    const limits = async (path: string, params = {}) => {
      const { headers } = await counted.api.get(path, params)
      return ['limit', 'remaining'].map((name) => Number(headers.get(`x-ratelimit-${name}`)))
    }
    expect(await limits('/users/me')).toEqual([200, 198])
    const poll = { queue_id, last_event_id: -1, dont_block: true }
    expect(await limits('/events', poll)).toEqual([200, 199])
    expect(await limits('/users/me')).toEqual([200, 197])
    world.clockOffset = 61
    expect(await limits('/users/me')).toEqual([200, 199])
    world.settings = { RATE_LIMIT_API_BY_USER: '5/60', RATE_LIMIT_EVENTS_BY_USER: '6/60' }
    world.clockOffset = 122
    expect(await limits('/users/me')).toEqual([5, 4])
    expect(await limits('/events', poll)).toEqual([6, 5])
  })

  it('9 level 500 is advertised; nothing of before level N is built', async () => {
    expect(expectSuccess(await realm.anonymous.get('/server_settings')).svc_feature_level).toBe(500)
    const params = { subscriptions: [{ name: channel.name }], principals: [987_654] }
    const bad = await ann.api.post('/users/me/subscriptions', params)
    expect([bad.status, bad.body.code]).toEqual([400, 'BAD_REQUEST'])
  })

  it('2.3, 4.23 keys are sent under both names', async () => {
    const settings = expectSuccess(await realm.anonymous.get('/server_settings'))
    const { snapshot } = await openQueue(ann)
    for (const body of [settings, snapshot]) {
      for (const name of ['feature_level', 'version', 'merge_base']) {
        expect(body[`svc_${name}`]).toBeDefined()
        expect(body[`svc_${name}`]).toEqual(body[`zulip_${name}`])
      }
    }
  })

  it('2.3, 4.13 values are accepted under both names', async () => {
    for (const reaction_type of ['svc_extra_emoji', 'zulip_extra_emoji']) {
      const id = await sendTo(ann, channel.id, 'emoji')
      const emoji = { emoji_name: 'zulip', emoji_code: 'zulip', reaction_type }
      expectSuccess(await ann.api.post(`/messages/${id}/reactions`, emoji))
      expectSuccess(await ann.api.post('/users/me/status', emoji))
      const { message } = expectSuccess(await ann.api.get(`/messages/${id}`))
      expect(message.reactions[0].reaction_type).toBe('svc_extra_emoji')
    }
  })

  it('2.3 a value follows the User-Agent: clients get theirs, and a queue remembers it', async () => {
    const mobile = { ...ben, api: as(ben, { userAgent: 'ZulipMobile/30.0 (Android 15)' }) }
    const queues = [await openQueue(ben), await openQueue(mobile)]
    const id = await sendTo(ann, channel.id, 'named emoji')
    expectSuccess(await ann.api.post(`/messages/${id}/reactions`, { emoji_name: 'zulip' }))
    const types: string[] = []
    for (const queue of queues) types.push((await queue.eventsOf('reaction'))[0]?.reaction_type)
    for (const user of [ben, mobile]) {
      const { message } = expectSuccess(await user.api.get(`/messages/${id}`))
      types.push(message.reactions[0].reaction_type)
    }
    const [own, theirs] = ['svc_extra_emoji', 'zulip_extra_emoji']
    expect(types).toEqual([own, theirs, own, theirs])
  })
})
