import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ApiResponse, ParameterValue } from '../support/api.ts'
import { exampleOf } from '../support/example-values.ts'
import { buildChannel, expectSuccess, type TestUser } from '../support/factories.ts'
import { ENDPOINTS } from '../support/inside-declarations.ts'
import { idsIn, sendDirect, sendTo } from '../support/messages.ts'
import { neverEvict } from '../support/never-evict.ts'
import { openQueue } from '../support/queues.ts'
import { expectRefusal } from '../support/refusals.ts'
import { fetchPath, readStatus, upload } from '../support/uploads.ts'
import { useRealm } from '../support/use-realm.ts'

/**
 * Ways in which servers of this API have shown content to users who may not see it, each by name. Ways by which they have
 * revealed who and what exists: test/http/absent-and-hidden.long.test.ts. By uploads alone: files.test.ts,
 * thumbnails.test.ts. By exports of private files: exports.test.ts.
 */

/** A word that every secret of a test contains, and nothing else. */
let MARK = ''
let tests = 0
beforeEach(() => {
  tests += 1
  MARK = `zqx${tests}z`
})
const SHARED = { invite_only: true, history_public_to_subscribers: true }
const PROTECTED = { invite_only: true, history_public_to_subscribers: false }

const { realm, ann, ben, spy, guest, requests } = useRealm(
  { ann: 'member', ben: 'member', spy: 'member', guest: 'guest' },
  { channels: { requests: { subscribers: ['owner'], ...SHARED } } },
)
neverEvict()
beforeAll(async () => {
  expectSuccess(await realm.owner.api.patch('/realm', { moderation_request_channel_id: requests.id }))
})

type Channel = { id: number; name: string }
type Fields = Record<string, ParameterValue>

async function add({ name }: Channel, user: TestUser): Promise<void> {
  const params = { subscriptions: [{ name }], principals: [user.id], send_new_subscription_messages: false }
  expectSuccess(await ann.api.post('/users/me/subscriptions', params))
}

async function leave(user: TestUser, { name }: Channel): Promise<void> {
  expectSuccess(await user.api.delete('/users/me/subscriptions', { subscriptions: [name] }))
}

const move = (user: TestUser, id: number, changes: Fields): Promise<ApiResponse> =>
  user.api.patch(`/messages/${id}`, {
    propagate_mode: 'change_all',
    send_notification_to_new_thread: false,
    ...changes,
  })

const marked = (answer: unknown) => JSON.stringify(answer).includes(MARK)

/** Returns the answers that contain the message: alone, in a list, by its id, in a search. */
async function readingsOf(user: TestUser, id: number): Promise<ApiResponse[]> {
  const around = { anchor: id, num_before: 50, num_after: 50, apply_markdown: false }
  return Promise.all([
    user.api.get(`/messages/${id}`),
    user.api.get(`/messages/${id}/history`),
    user.api.get('/messages', { ...around, narrow: [] }),
    user.api.get('/messages', { message_ids: [id] }),
    user.api.get('/messages', { ...around, narrow: [['id', id]] }),
    user.api.get('/messages', { ...around, narrow: [['search', MARK]] }),
    user.api.get('/messages', { ...around, narrow: [{ operator: 'channels', operand: 'public' }] }),
    user.api.get('/messages/matches_narrow', {
      msg_ids: [id],
      narrow: [{ operator: 'has', operand: 'link' }],
    }),
  ])
}

describe('a former subscriber', () => {
  const LATER = Math.floor(Date.now() / 1_000) + 86_400
  const FIELDS: Fields = {
    command: '/remind 2h',
    content: 'mine again',
    topic: 'mine',
    emoji_name: 'tada',
    op: 'start',
    report_type: 'spam',
    msg_type: 'widget',
    scheduled_delivery_timestamp: LATER,
  }
  const about = ENDPOINTS.filter(({ params }) => 'message_id' in params)

  it('does nothing to a message, their own or others’: edit, deletion, reaction, history', async () => {
    const channel = await buildChannel([ann, spy], SHARED)
    const messages = [
      await sendTo(spy, channel.id, 'plans', `${MARK} mine`),
      await sendTo(ann, channel.id, 'plans', `${MARK} hers`),
      await sendTo(spy, channel.id, 'plans', '/poll Where?'),
    ]
    await leave(spy, channel)
    const own = await buildChannel([spy])
    expect(about.length).toBeGreaterThan(10)
    const before = await idsIn(ann, [['channel', channel.name]])
    for (const id of messages) {
      for (const { method, path, params, operation } of about) {
        const given = Object.fromEntries(
          Object.keys(params)
            .filter((name) => operation !== 'pin-in-channel' || name !== 'topic')
            .filter((name) => name in FIELDS || params[name]!.type !== 'optional')
            .map((name) => [name, FIELDS[name] ?? exampleOf(params[name]!)]),
        )
        const fields = { ...given, message_id: id }
        const route = path.replace(':message_id', String(id)).replace(':stream_id', String(own.id))
        const answer = await spy.api.request(method, route, fields)
        expect([operation, answer.status, answer.body.msg]).toEqual([operation, 400, 'Invalid message(s)'])
      }
      expect(marked(await readingsOf(spy, id))).toBe(false)
    }
    expect(await idsIn(ann, [['channel', channel.name]])).toEqual(before)
    const stars = { messages, op: 'add', flag: 'starred' }
    expectRefusal(await spy.api.post('/messages/flags', stars), 'Invalid message(s)')
  })

  it('gets no later messages and changes, whatever their queue asked for', async () => {
    const channel = await buildChannel([ann, spy], SHARED)
    const id = await sendTo(spy, channel.id, 'plans', 'old')
    const queues = [
      await openQueue(spy),
      await openQueue(spy, { all_public_streams: true }),
      await openQueue(spy, { narrow: [['channel', channel.name]] }),
    ]
    await leave(spy, channel)
    for (const queue of queues) await queue.events()
    await sendTo(ann, channel.id, 'plans', MARK)
    expectSuccess(await ann.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }))
    expectSuccess(await ann.api.patch(`/messages/${id}`, { topic: MARK }))
    for (const queue of queues) expect(await queue.events()).toEqual([])
  })
})

describe('a move', () => {
  it('of a message that one cannot read is refused', async () => {
    const hidden = await buildChannel([ann], SHARED)
    const mine = await buildChannel([spy])
    const id = await sendTo(ann, hidden.id, 'plans', MARK)
    const ways: Fields[] = [{ stream_id: mine.id }, { topic: 'x' }, { stream_id: mine.id, topic: 'x' }]
    for (const changes of ways) {
      expectRefusal(await move(spy, id, changes), 'Invalid message(s)')
    }
    expect(marked(await readingsOf(spy, id))).toBe(false)
  })

  it('into a channel that one cannot read is refused like into a missing one', async () => {
    const hidden = await buildChannel([ann], SHARED)
    const open = await buildChannel([ann, spy])
    const id = await sendTo(spy, open.id, 'plans', 'mine')
    expectRefusal(await move(spy, id, { stream_id: hidden.id }), 'Invalid channel ID')
    expectRefusal(await move(spy, id, { stream_id: 987_654 }), 'Invalid channel ID')
  })

  it('of a topic by one message does not open those from before one came', async () => {
    const secret = await buildChannel([ann], PROTECTED)
    const [open, old] = [await buildChannel([ann, spy]), await sendTo(ann, secret.id, 'plans', MARK)]
    await add(secret, spy)
    const seen = await sendTo(ann, secret.id, 'plans', 'new')
    // The rule also holds for a user who may move whatever they can read.
    expectSuccess(await realm.owner.api.patch(`/users/${spy.id}`, { role: 300 }))
    expectSuccess(await move(spy, seen, { stream_id: open.id }))
    expectSuccess(await realm.owner.api.patch(`/users/${spy.id}`, { role: 400 }))
    expect(marked(await readingsOf(spy, old))).toBe(false)
    expect(await idsIn(ann, [['channel', secret.name]])).toContain(old)
  })

  it('into private hides a public message with its past, its file and its search', async () => {
    const [open, closed] = [await buildChannel([ann, spy]), await buildChannel([ann], SHARED)]
    const url = await upload(ann, { name: 'plans.txt' })
    const id = await sendTo(ann, open.id, 'plans', 'at first')
    expectSuccess(await ann.api.patch(`/messages/${id}`, { content: `${MARK} [f](${url})` }))
    expectSuccess(await spy.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' }))
    expect(await readStatus(realm, url, spy)).toBe(200)
    expect(marked(await readingsOf(spy, id))).toBe(true)
    expectSuccess(await move(ann, id, { stream_id: closed.id }))
    expect(marked(await readingsOf(spy, id))).toBe(false)
    expect(await idsIn(spy, [['is', 'starred']])).not.toContain(id)
    expect(await readStatus(realm, url, spy)).toBe(403)
  })

  it('into protected history opens it to present subscribers, not to later ones', async () => {
    const [open, secret] = [await buildChannel([ann]), await buildChannel([ann, ben], PROTECTED)]
    const id = await sendTo(ann, open.id, 'plans', MARK)
    expectSuccess(await move(ann, id, { stream_id: secret.id }))
    await add(secret, spy)
    expect(marked(await readingsOf(ben, id))).toBe(true)
    expect(marked(await readingsOf(spy, id))).toBe(false)
  })

  it('there and back, or a change of the channel’s settings, opens nothing new', async () => {
    const secret = await buildChannel([ann], PROTECTED)
    const id = await sendTo(ann, secret.id, 'plans', MARK)
    await add(secret, spy)
    expectSuccess(await move(ann, id, { topic: 'other' }))
    expectSuccess(await move(ann, id, { topic: 'plans' }))
    expect(marked(await readingsOf(spy, id))).toBe(false)
    // Nobody who is not subscribed gets in: administrators see that the channel exists, and may change no setting that
    // would let them in.
    for (const change of [{ is_private: false }, { history_public_to_subscribers: true, is_private: true }]) {
      expect((await spy.api.patch(`/streams/${secret.id}`, change)).status).toBe(400)
      expect((await realm.owner.api.patch(`/streams/${secret.id}`, change)).status).toBe(400)
    }
    expect(marked(await readingsOf(spy, id))).toBe(false)
  })
})

describe('protected history', () => {
  it('is not opened to latecomers by edits, mentions, reactions or replies', async () => {
    const secret = await buildChannel([ann, ben], PROTECTED)
    const id = await sendTo(ann, secret.id, 'plans', 'at first')
    await add(secret, spy)
    const queues = [await openQueue(spy), await openQueue(ben)] as const
    expectSuccess(await ann.api.patch(`/messages/${id}`, { content: `${MARK} @**Spy** @**all**` }))
    expectSuccess(await ben.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }))
    expectSuccess(await move(ann, id, { topic: `${MARK} plans` }))
    expect(await queues[0].events()).toEqual([])
    expect((await queues[1].events()).map(({ type }) => type)).toEqual([
      'update_message',
      'reaction',
      'update_message',
    ])
    expect(marked(await readingsOf(spy, id))).toBe(false)
    expect(await idsIn(spy, [['is', 'mentioned']])).not.toContain(id)
    const { topics } = expectSuccess(await spy.api.get(`/users/me/${secret.id}/topics`))
    expect(marked(topics)).toBe(false)
  })

  it('is not opened by leaving and coming back', async () => {
    const secret = await buildChannel([ann, spy], PROTECTED)
    await leave(spy, secret)
    const id = await sendTo(ann, secret.id, 'plans', MARK)
    await add(secret, spy)
    expect(marked(await readingsOf(spy, id))).toBe(false)
  })
})

describe('public content', () => {
  it('is not readable for guests: by `channels:public`, queues, searches or ids', async () => {
    const [open, theirs] = [await buildChannel([ann]), await buildChannel([ann, guest])]
    const queue = await openQueue(guest)
    const [secret, seen] = [await sendTo(ann, open.id, MARK, MARK), await sendTo(ann, theirs.id, 'x')]
    for (const negated of [false, true]) {
      const narrow = [{ operator: 'channels', operand: 'public', negated }]
      expect(await idsIn(guest, narrow)).not.toContain(secret)
    }
    expect(await idsIn(guest, [{ operator: 'channels', operand: 'public' }])).toContain(seen)
    expect(marked(await readingsOf(guest, secret))).toBe(false)
    expect(marked(await queue.events())).toBe(false)
    const asking = await guest.api.post('/register', { all_public_streams: true })
    expectRefusal(asking, 'User not authorized for this query')
  })

  it('is without private channels and direct messages for members', async () => {
    const ids = [
      await sendTo(ann, (await buildChannel([ann], SHARED)).id, MARK, MARK),
      await sendDirect(ann, [ben], MARK),
    ]
    for (const operator of ['channels', 'streams']) {
      const found = await idsIn(spy, [{ operator, operand: 'public' }])
      expect(found.filter((id) => ids.includes(id))).toEqual([])
    }
    for (const id of ids) expect(marked(await readingsOf(spy, id))).toBe(false)
  })
})

describe('what browsers and proxies may store', () => {
  it('no answer of the API: none is storable, and none has an ETag', async () => {
    for (const { method, path, params } of ENDPOINTS) {
      if (method !== 'GET' || path === '/events') continue
      const given = Object.fromEntries(Object.keys(params).map((name) => [name, exampleOf(params[name]!)]))
      const filled = path.replaceAll(/:(\w+)\+?/g, (_whole, name) => encodeURIComponent(given[name]!))
      const { headers } = await ann.api.get(filled)
      const kept = [path, headers.get('cache-control'), headers.get('etag'), headers.get('last-modified')]
      expect(kept).toEqual([path, expect.stringMatching(/no-store/), null, null])
    }
  })

  it('a file only for its readers: nobody else gets a 304', async () => {
    const url = await upload(ann)
    const first = await fetchPath(realm, url, ann)
    expect(first.headers.get('cache-control')).toMatch(/private|no-store/)
    await first.arrayBuffer()
    const known = { headers: { 'If-None-Match': first.headers.get('etag')! } }
    expect((await fetchPath(realm, url, ann, known)).status).toBe(304)
    for (const user of [spy, guest, realm.owner, undefined]) {
      const answer = await fetchPath(realm, url, user, known)
      expect([answer.status, answer.headers.get('etag')]).toEqual([user ? 403 : expect.any(Number), null])
      expect([302, 401, 403]).toContain(answer.status)
      await answer.arrayBuffer()
    }
  })
})
