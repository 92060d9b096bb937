/** The demo organization with something of every kind that can be made over HTTP, for the states that later builds open. */
import { ApiClient, type ParameterValue } from './api-client.ts'
import { DEMO_ORGANIZATION, DEMO_OWNER, DEMO_PASSWORD, fillDemoOrganization } from './demo-organization.ts'
import type { LocalServer } from './local-server.ts'
import { createOrganization } from './organizations.ts'

type Params = Readonly<Record<string, ParameterValue>>

/** Ids, addresses and texts of what was made. */
export type Facts = Readonly<Record<string, string | number>>

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)
/** 1 January 2100: nothing of it becomes due while a later build opens the state. */
const LATER = 4_102_444_000

/** Makes the demo organization and something of everything in it. */
export async function furnish(server: LocalServer): Promise<Facts> {
  const database = await server.runtime.getD1Database('DB')
  const created = await createOrganization(server.url, (sql) => database.prepare(sql).run(), {
    name: DEMO_ORGANIZATION,
    host: 'localhost',
    owner: { ...DEMO_OWNER, password: DEMO_PASSWORD },
  })
  await fillDemoOrganization(server.url, created)
  const owner = await new ApiClient(server.url).logIn(DEMO_OWNER.email)
  const { members } = await owner.call<{
    members: { email: string; user_id: number; role: number; is_bot: boolean }[]
  }>('GET', '/users')
  const people = members.filter(({ is_bot, role }) => !is_bot && role === 400)
  const [ben, cai] = await Promise.all(people.slice(0, 2).map(({ email }) => owner.logIn(email)))
  const [benId, caiId] = people.slice(0, 2).map(({ user_id }) => user_id)
  const made = new Maker(
    server.url,
    { owner, ben: ben!, cai: cai! },
    { ben: benId!, cai: caiId!, owner: created.user_id },
  )
  await made.everything()
  return { ...made.facts, owner: owner.email!, ownerId: created.user_id, password: DEMO_PASSWORD }
}

type Who = 'owner' | 'ben' | 'cai'

/** Makes one thing after another, and says which could not be made. */
class Maker {
  readonly facts: Record<string, string | number> = {}
  readonly #url: string
  readonly #clients: Readonly<Record<Who, ApiClient>>
  readonly #ids: Readonly<Record<Who, number>>

  constructor(url: string, clients: Readonly<Record<Who, ApiClient>>, ids: Readonly<Record<Who, number>>) {
    this.#url = url
    this.#clients = clients
    this.#ids = ids
  }

  async everything(): Promise<void> {
    const { ben } = this.#clients
    const { ben: benId, cai: caiId } = this.#ids
    await this.#ask('owner', 'POST', '/channels/create', {
      name: 'boats',
      subscribers: [this.#ids.owner, benId, caiId],
    })
    await this.#ask('owner', 'POST', '/channels/create', {
      name: 'board',
      subscribers: [this.#ids.owner, benId],
      invite_only: true,
    })
    const { stream_id: boats } = await this.#ask('owner', 'GET', '/get_stream_id', { stream: 'boats' })
    const { stream_id: board } = await this.#ask('owner', 'GET', '/get_stream_id', { stream: 'board' })
    const file = await this.#upload('ben', '/user_uploads', 'plan.txt', 'the plan')
    const path = String(file.url)
    const { id: first } = await this.#send(
      'ben',
      boats,
      'engine',
      `@**Ada** see [plan](${path}) #**board>plans**`,
    )
    const { id: edited } = await this.#send('cai', boats, 'engine', 'brokn')
    await this.#ask('cai', 'PATCH', `/messages/${edited}`, { content: 'broken' })
    const { id: secret } = await this.#send('owner', board, 'plans', 'between us')
    const { id: moved } = await this.#send('owner', board, 'plans', 'for all to see')
    await this.#ask('owner', 'PATCH', `/messages/${moved}`, {
      stream_id: boats!,
      topic: 'engine',
      propagate_mode: 'change_one',
    })
    const { id: gone } = await this.#send('owner', boats, 'short-lived', 'gone soon')
    await this.#ask('owner', 'DELETE', `/messages/${gone}`)
    const { id: direct } = await this.#ask('ben', 'POST', '/messages', {
      type: 'direct',
      to: [caiId],
      content: 'psst',
    })
    Object.assign(this.facts, {
      boats,
      board,
      first,
      edited,
      secret,
      direct,
      file: path,
      member: ben.email!,
      memberId: benId,
    })
    const { id: poll } = await this.#send('ben', boats, 'lunch', '/poll Where to?\nHarbour\nPark')
    await this.#ask('cai', 'POST', '/submessage', {
      message_id: poll!,
      msg_type: 'widget',
      content: '{"type":"vote","key":"canned,1","vote":1}',
    })
    await this.#ask('cai', 'POST', `/messages/${first}/reactions`, { emoji_name: 'tada' })
    await this.#ask('cai', 'POST', '/messages/flags', { messages: [first!], op: 'add', flag: 'starred' })
    const asWriting = { 'Idempotency-Key': 'one' }
    await this.#raw(
      'ben',
      'POST',
      '/messages',
      { type: 'channel', to: boats!, topic: 'engine', content: 'once' },
      asWriting,
    )

    await this.#ask('ben', 'POST', '/user_topics', {
      stream_id: boats!,
      topic: 'engine',
      visibility_policy: 3,
    })
    await this.#ask('ben', 'POST', '/users/me/alert_words', { alert_words: ['fog'] })
    await this.#ask('ben', 'POST', `/users/me/muted_users/${caiId}`)
    await this.#ask('ben', 'DELETE', `/users/me/muted_users/${caiId}`)
    await this.#ask('cai', 'POST', `/users/me/muted_users/${this.#ids.owner}`)
    await this.#ask('ben', 'POST', '/saved_snippets', { title: 'T', content: 'mine' })
    await this.#ask('ben', 'POST', '/drafts', {
      drafts: [{ type: 'stream', to: [boats!], topic: 'engine', content: 'half' }],
    })
    await this.#ask('ben', 'POST', '/scheduled_messages', {
      type: 'channel',
      to: boats!,
      topic: 'engine',
      content: `later [plan](${path})`,
      scheduled_delivery_timestamp: LATER,
    })
    await this.#ask('ben', 'POST', '/reminders', { message_id: first!, scheduled_delivery_timestamp: LATER })
    await this.#ask('ben', 'POST', '/navigation_views', { fragment: 'narrow/is/starred', is_pinned: true })
    await this.#ask('ben', 'POST', '/users/me/onboarding_steps', {
      onboarding_step: 'intro_inbox_view_modal',
    })
    await this.#ask('ben', 'POST', '/users/me/status', { status_text: 'At sea', emoji_name: 'boat' })
    await this.#ask('ben', 'POST', '/register_client_device')
    await this.#ask('ben', 'POST', '/users/me/android_gcm_reg_id', { token: 'c0ffee0001' })
    await this.#ask('ben', 'POST', '/users/me/apns_device_token', {
      token: 'c0ffee0002',
      appid: 'com.example.Chat',
    })
    await this.#ask('ben', 'PATCH', '/settings', { color_scheme: 2, default_language: 'de' })
    await this.#ask('cai', 'PATCH', '/settings', { email: 'cai-new@example.com' })

    await this.#ask('owner', 'POST', '/channel_folders/create', { name: 'Work', description: 'All work' })
    await this.#ask('owner', 'POST', '/default_stream_groups/create', {
      group_name: 'Sailors',
      description: 'all',
      stream_names: ['boats'],
    })
    await this.#ask('owner', 'POST', '/realm/profile_fields', { name: 'Boat', field_type: 1 })
    await this.#ask('owner', 'POST', '/realm/filters', {
      pattern: '#(?P<id>[0-9]+)',
      url_template: 'https://a.example/{id}',
    })
    await this.#ask('owner', 'POST', '/realm/playgrounds', {
      name: 'Play',
      pygments_language: 'Python',
      url_template: 'https://a.example/{code}',
    })
    await this.#ask('owner', 'POST', '/realm/domains', {
      domain: 'boats.example.com',
      allow_subdomains: true,
    })
    const { group_id: crew } = await this.#ask('owner', 'POST', '/user_groups/create', {
      name: 'crew',
      description: 'all',
      members: [benId],
    })
    await this.#ask('owner', 'POST', '/user_groups/create', {
      name: 'fleet',
      description: 'all',
      members: [caiId],
      subgroups: [crew!],
    })
    await this.#ask('owner', 'PATCH', '/realm', { message_retention_days: 3_000, description: 'Kept' })
    await this.#ask('owner', 'POST', '/invites', { invitee_emails: 'new@example.com', stream_ids: [boats!] })
    await this.#ask('owner', 'POST', '/invites/multiuse', { stream_ids: [boats!] })
    await this.#ask('owner', 'PUT', '/realm/jwt_secret', {
      secret: 'a secret of forty characters, all of them',
    })
    await this.#upload('owner', '/realm/emoji/octo', 'octo.png', PNG)
    await this.#upload('owner', '/realm/icon', 'icon.png', PNG)
    await this.#upload('ben', '/users/me/avatar', 'ben.png', PNG)
    await this.#upload('ben', '/user_uploads', 'unused.txt', 'in no message')

    const bot = await this.#ask('owner', 'POST', '/bots', {
      full_name: 'Bell',
      short_name: 'bell',
      bot_type: 2,
    })
    await this.#ask('owner', 'PATCH', `/bots/${bot.user_id}/incoming_webhook`, { allows_mentions: true })
    await this.#external(String(bot.api_key), { text: 'It rings' })
    const hook = {
      full_name: 'Hook',
      short_name: 'hook',
      bot_type: 3,
      payload_url: JSON.stringify('https://hooks.example.com/'),
      interface_type: 1,
    }
    const outgoing = await this.#ask('owner', 'POST', '/bots', hook)
    await this.#ask('owner', 'PUT', `/bots/${outgoing.user_id}/event_subscriptions`, {
      event_subscriptions: [{ event: 'message', channel_ids: [boats!] }],
    })
    await this.#ask('owner', 'POST', '/messages', {
      type: 'direct',
      to: [Number(outgoing.user_id)],
      content: 'ring',
    })
    const plain = await this.#ask('owner', 'POST', '/bots', {
      full_name: 'Note',
      short_name: 'note',
      bot_type: 1,
    })
    const asBot = new ApiClient(this.#url, {
      email: String(plain.email ?? 'note-bot@localhost'),
      api_key: String(plain.api_key),
    })
    await this.#raw(asBot, 'PUT', '/bot_storage', { storage: { last: '1' } })

    await this.#logIn(DEMO_OWNER.email, DEMO_PASSWORD)
    await this.#logIn(DEMO_OWNER.email, 'not this one')
    await this.#ask('owner', 'POST', '/export/realm', { export_type: 1 })
    await this.#keepAndErase(boats!, board!, edited!)
    await this.#ask('owner', 'POST', '/backups')
    const archive = [
      { type: 'parley-import', version: 1, source: 'another place' },
      { type: 'user', id: 'u1', full_name: 'Una Once' },
      { type: 'channel', id: 'c1', name: 'imported', privacy: 'public', members: [{ user: 'u1' }] },
      {
        type: 'message',
        id: 'm1',
        sender: 'u1',
        time_ms: 1_600_000_000_000,
        channel: 'c1',
        topic: 'past',
        content: 'of yore',
      },
    ]
    await this.#import(archive.map((line) => JSON.stringify(line)).join('\n'))
    await this.#ask('owner', 'POST', '/users/me/api_key/regenerate', { two_step: true })
    await this.#ofServices(boats!)
  }

  /** Pins, a hold, an erased person, and a message that was moved before it was deleted. */
  async #keepAndErase(
    boats: string | number,
    board: string | number,
    pinned: string | number,
  ): Promise<void> {
    await this.#ask('owner', 'POST', `/streams/${boats}/pins`, { message_id: pinned })
    await this.#ask('owner', 'POST', `/streams/${boats}/pins`, { topic: 'engine' })
    const { id } = await this.#send('owner', boats, 'short-lived', 'not for all')
    const into = { stream_id: board, topic: 'plans', propagate_mode: 'change_one' }
    await this.#ask('owner', 'PATCH', `/messages/${id}`, into)
    await this.#ask('owner', 'DELETE', `/messages/${id}`)
    await this.#ask('owner', 'POST', '/realm/holds', { stream_id: board, reason: 'a matter' })
    const leaver = { email: 'dot@example.com', full_name: 'Dot Doe', password: DEMO_PASSWORD }
    const { user_id } = await this.#ask('owner', 'POST', '/users', leaver)
    await this.#ask('owner', 'POST', `/users/${user_id}/erase`, { messages: 'keep' })
  }

  /** Things of log-in, devices and files that come in parts. */
  async #ofServices(boats: string | number): Promise<void> {
    await this.#raw(
      'ben',
      'POST',
      '/saved_snippets',
      { title: 'U', content: 'once' },
      { 'Idempotency-Key': 'two' },
    )
    const { attachments } = (await this.#clients.ben.call('GET', '/attachments')) as {
      attachments: { id: number; name: string }[]
    }
    const unused = attachments.find(({ name }) => name === 'unused.txt')
    await this.#ask('ben', 'DELETE', `/attachments/${unused?.id}`)
    for (const path of ['/tus/', '/imports/uploads/']) await this.#beginUpload(path)
    await this.#ask('owner', 'POST', '/login_providers', {
      slug: 'works',
      display_name: 'Works',
      issuer: 'https://id.example.com',
      client_id: 'x',
      client_secret: 'y',
    })
    const { token } = await this.#ask('owner', 'POST', '/scim_token')
    await this.#scim(String(token), '/Users', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: 'sid@example.com',
      name: { formatted: 'Sid Sent' },
      active: true,
    })
    await this.#scim(String(token), '/Groups', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
      displayName: 'Sent',
      members: [],
    })
    await this.#ask('ben', 'POST', '/web_push/subscriptions', {
      endpoint: 'https://push-service.example.com/one',
      p256dh: 'B'.repeat(87),
      auth: 'A'.repeat(22),
    })
    await this.#ask('owner', 'PATCH', '/realm', { inline_url_embed_preview: true })
    await this.#send('ben', boats, 'engine', 'https://site.example.com/page')
    await this.#ask('ben', 'DELETE', '/users/me/subscriptions', { subscriptions: ['board'] })
    await this.#ask('owner', 'POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'board' }],
      principals: [this.#ids.ben],
    })
    await this.#ask('ben', 'POST', '/second_factors/totp')
    // An import ends all queues.
    await this.#ask('ben', 'POST', '/register', { event_types: ['message'], queue_lifespan_secs: 604_800 })
  }

  /** Begins an upload in parts, and sends the first. */
  async #beginUpload(path: string): Promise<void> {
    const headers = { ...this.#clients.owner.authorization(), 'Tus-Resumable': '1.0.0', Connection: 'close' }
    const name = `filename ${btoa('large.txt')}`
    const begun = await fetch(`${this.#url}/api/v1${path}`, {
      method: 'POST',
      headers: { ...headers, 'Upload-Length': '40', 'Upload-Metadata': name },
    })
    await begun.text()
    const at = new URL(begun.headers.get('Location') ?? '', this.#url)
    const part = { ...headers, 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' }
    await (await fetch(at, { method: 'PATCH', headers: part, body: 'the first part' })).text()
  }

  async #scim(token: string, path: string, body: object): Promise<void> {
    const headers = {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/scim+json',
      Connection: 'close',
    }
    const response = await fetch(`${this.#url}/scim/v2${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    const answer = await response.text()
    if (response.status !== 201) console.log(`${path}: ${response.status} ${answer}`)
  }

  async #import(archive: string): Promise<void> {
    const { url } = await this.#upload('owner', '/user_uploads', 'import.jsonl', archive)
    const { id } = await this.#ask('owner', 'POST', '/imports', {
      path_id: String(url).replace('/user_uploads/', ''),
    })
    for (const [state, action] of [
      ['waiting', 'run'],
      ['finished', undefined],
    ] as const) {
      for (let tries = 0; tries < 60; tries += 1) {
        const { imports } = (await this.#clients.owner.call('GET', '/imports')) as {
          imports: { id: number; state: string }[]
        }
        if (imports.find((one) => one.id === id)?.state === state) break
        await new Promise((resolve) => setTimeout(resolve, 500))
      }
      if (action) await this.#ask('owner', 'PATCH', `/imports/${id}`, { action })
    }
  }

  #send(who: Who, channel: unknown, topic: string, content: string) {
    return this.#ask(who, 'POST', '/messages', { type: 'channel', to: channel as number, topic, content })
  }

  #ask(
    who: Who,
    method: string,
    path: string,
    params: Params = {},
  ): Promise<Record<string, string | number>> {
    return this.#raw(who, method, path, params)
  }

  async #raw(
    who: Who | ApiClient,
    method: string,
    path: string,
    params: Params,
    headers: Record<string, string> = {},
  ): Promise<Record<string, string | number>> {
    const client = typeof who === 'string' ? this.#clients[who] : who
    const fields = new URLSearchParams(
      Object.entries(params).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    )
    const inQuery = method === 'GET'
    const response = await fetch(`${this.#url}/api/v1${path}${inQuery ? `?${fields}` : ''}`, {
      method,
      headers: { ...client.authorization(), ...headers, Connection: 'close' },
      ...(inQuery ? {} : { body: fields }),
    })
    return this.#read(`${method} ${path}`, response)
  }

  async #upload(
    who: Who,
    path: string,
    name: string,
    content: string | Uint8Array,
  ): Promise<Record<string, string | number>> {
    const body = new FormData()
    const type = name.endsWith('.png') ? 'image/png' : 'text/plain'
    body.set('file', new File([content as string], name, { type }))
    const headers = { ...this.#clients[who].authorization(), Connection: 'close' }
    return this.#read(path, await fetch(`${this.#url}/api/v1${path}`, { method: 'POST', headers, body }))
  }

  async #external(key: string, body: object): Promise<void> {
    const url = `${this.#url}/api/v1/external/slack_incoming?api_key=${key}&stream=boats&topic=bell`
    const headers = { 'Content-Type': 'application/json', Connection: 'close' }
    await (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).text()
  }

  /** Logs in as a browser does. */
  async #logIn(username: string, password: string): Promise<void> {
    const page = await fetch(`${this.#url}/login/`, { headers: { Connection: 'close' } })
    const cookies = page.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
    const token = cookies.find((cookie) => cookie!.includes('csrftoken='))?.split('=')[1] ?? ''
    await fetch(`${this.#url}/accounts/login/`, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        Cookie: cookies.join('; '),
        Referer: `${this.#url}/login/`,
        Origin: this.#url,
        Connection: 'close',
      },
      body: new URLSearchParams({ username, password, csrfmiddlewaretoken: token }),
    })
  }

  async #read(what: string, response: Response): Promise<Record<string, string | number>> {
    const answer = (await response.json()) as Record<string, string | number>
    if (response.status !== 200) console.log(`${what}: ${JSON.stringify(answer)}`)
    return answer
  }
}
