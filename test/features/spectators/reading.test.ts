import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ApiResponse } from '../../support/api.ts'
import { expectSuccess } from '../../support/factories.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { allowSpectators, openChannel, Spectator, say, WEB_PUBLIC } from '../../support/spectator.ts'
import { fetchPath, upload } from '../../support/uploads.ts'
import { buildRealm, useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm, owner, ann, closed } = useRealm({ ann: 'member' }, { channels: { closed: ['owner', 'ann'] } })
let open: number
let said: number
let hidden: number
let anybody: Spectator

beforeAll(async () => {
  anybody = new Spectator(realm.host)
  await allowSpectators(realm)
  open = await openChannel(owner, 'open')
  said = await say(ann, open, 'weather', 'it is **sunny**')
  hidden = await say(ann, closed.id, 'secrets', 'a secret')
})
beforeEach(() => {
  world.settings = WEB_PUBLIC
})

function expectLogIn({ status, body }: ApiResponse): void {
  expect([status, body]).toEqual([
    401,
    {
      result: 'error',
      msg: 'Not logged in: API authentication or user session required',
      code: 'UNAUTHORIZED',
    },
  ])
}

const ids = ({ body }: ApiResponse) => body.messages.map(({ id }: { id: number }) => id)
const PUBLIC = ['channels', 'web-public']

describe('messages without an account', () => {
  it('are those of web-public channels, marked as read, with their senders', async () => {
    const answer = await anybody.messages()
    const { messages, found_newest } = expectSuccess(answer)
    expect(ids(answer)).toContain(said)
    expect(ids(answer)).not.toContain(hidden)
    expect(found_newest).toBe(true)
    const message = messages.find(({ id }: { id: number }) => id === said)
    expect(message).toMatchObject({
      content: '<p>it is <strong>sunny</strong></p>',
      sender_id: ann.id,
      sender_full_name: 'Ann',
      sender_email: `user${ann.id}@${realm.host}`,
      flags: ['read'],
      avatar_url: expect.stringContaining('http'),
      stream_id: open,
      subject: 'weather',
    })
  })

  it.each([
    ['channel', () => [['channel', open]]],
    ['stream', () => [['stream', 'open']]],
    ['topic', () => [['topic', 'WEATHER']]],
    ['sender', () => [['sender', ann.id]]],
    ['search', () => [['search', 'sunny']]],
    ['id', () => [['id', said]]],
    ['near', () => [['near', String(said)]]],
    ['with', () => [['with', said]]],
    ['in:home, which says nothing', () => [['in', 'home']]],
    ['no reaction', () => [{ operator: 'has', operand: 'reaction', negated: true }]],
  ])('can be narrowed by %s', async (_name, terms) => {
    const answer = await anybody.messages({ narrow: [PUBLIC, ...terms()] })
    expectSuccess(answer)
    expect(ids(answer)).toContain(said)
    expect(ids(answer)).not.toContain(hidden)
  })

  it.each([
    ['no narrow', []],
    ['another kind of channels', [['channels', 'public']]],
    ['what is not web-public', [{ operator: 'channels', operand: 'web-public', negated: true }]],
    ['direct messages', [PUBLIC, ['is', 'dm']]],
    ['those with somebody', [PUBLIC, ['dm', 'ann@example.com']]],
    ['starred ones', [PUBLIC, ['is', 'starred']]],
    ['none that are starred', [PUBLIC, { operator: 'is', operand: 'starred', negated: true }]],
    ['all but those at home', [PUBLIC, { operator: 'in', operand: 'home', negated: true }]],
    ['everything', [PUBLIC, ['in', 'all']]],
    ['an unknown operator', [PUBLIC, ['whatever', 'x']]],
  ])('are refused for %s', async (_name, narrow) => {
    expectLogIn(await anybody.messages({ narrow }))
  })

  it('cannot be searched by e-mail address', async () => {
    const of = async (sender: string) =>
      (await anybody.messages({ narrow: [PUBLIC, ['sender', sender]] })).body
    expect((await of(ann.email)).msg).toBe(`Invalid narrow operator: unknown user ${ann.email}`)
    expect((await of('nobody@example.com')).msg).toBe(
      'Invalid narrow operator: unknown user nobody@example.com',
    )
  })

  it('can be limited to resolved topics', async () => {
    const id = await say(owner, open, '✔ done', 'it is done')
    const answer = await anybody.messages({ narrow: [PUBLIC, ['is', 'resolved']] })
    expect(ids(answer)).toEqual([id])
  })

  it('are refused for invalid parameters first', async () => {
    expectRefusal(await anybody.get('/messages', { narrow: [] }), "Missing 'anchor' argument.")
    expectRefusal(
      await anybody.messages({
        narrow: [
          ['with', 1],
          ['with', 2],
        ],
      }),
      "Invalid narrow operator combination: Duplicate 'with' operators.",
      { code: 'BAD_NARROW' },
    )
  })

  it('of a channel that is not web-public are refused as for a missing one', async () => {
    const refused = async (channel: unknown, said: string) => {
      const refusal = `Invalid narrow operator: unknown channel ${said}`
      expectRefusal(await anybody.messages({ narrow: [PUBLIC, ['channel', channel]] }), refusal, {
        code: 'BAD_NARROW',
        desc: `unknown channel ${said}`,
      })
    }
    await refused(closed.id, String(closed.id))
    await refused(closed.name, closed.name)
    await refused(777_777, '777777')
    const of = async (id: number) => (await anybody.messages({ narrow: [PUBLIC, ['with', id]] })).body
    expect(await of(hidden)).toEqual(await of(777_777))
    expect((await of(hidden)).msg).toBe("Invalid narrow operator: Invalid 'with' operator")
  })

  it('have no unread one: first_unread is the newest', async () => {
    const { anchor, messages } = expectSuccess(
      await anybody.messages({ anchor: 'first_unread', num_before: 1 }),
    )
    expect([anchor, messages.length]).toEqual([10_000_000_000_000_000, 1])
  })

  it('can be fetched by ids; those not public are left out', async () => {
    const params = { narrow: [PUBLIC], message_ids: [said, hidden, 777_777] }
    expect(ids(await anybody.get('/messages', params))).toEqual([said])
  })

  it('include reactions and polls', async () => {
    const id = await say(ann, open, 'weather', 'rain?')
    expectSuccess(await owner.api.post(`/messages/${id}/reactions`, { emoji_name: 'umbrella' }))
    const { message } = expectSuccess(await anybody.get(`/messages/${id}`))
    expect(message.reactions).toMatchObject([{ emoji_name: 'umbrella', user_id: owner.id }])
    expect(JSON.stringify(message)).not.toContain(owner.email)
  })

  it('can be fetched one by one with source; all others are refused alike', async () => {
    const { message, raw_content } = expectSuccess(await anybody.get(`/messages/${said}`))
    expect([message.id, raw_content, message.flags]).toEqual([said, 'it is **sunny**', ['read']])
    expectLogIn(await anybody.get(`/messages/${hidden}`))
    expectLogIn(await anybody.get('/messages/777777'))
    const direct = expectSuccess(
      await ann.api.post('/messages', { type: 'direct', to: [owner.id], content: 'psst' }),
    ).id
    expectLogIn(await anybody.get(`/messages/${direct}`))
  })

  it('may be more than one answer of the object holds', async () => {
    const { messages } = expectSuccess(await anybody.messages({ num_before: 4_000 }))
    expect(messages.length).toBeGreaterThan(2)
    expectRefusal(
      await anybody.messages({ num_before: 5_001 }),
      'Too many messages requested (maximum 5000).',
    )
  })
})

describe('topics without an account', () => {
  it('are those of a web-public channel; any other channel is like a missing one', async () => {
    const { topics } = expectSuccess(await anybody.get(`/users/me/${open}/topics`))
    expect(topics.map(({ name }: { name: string }) => name)).toContain('weather')
    expectRefusal(await anybody.get(`/users/me/${closed.id}/topics`), 'Invalid channel ID')
    expectRefusal(await anybody.get('/users/me/777777/topics'), 'Invalid channel ID')
  })
})

describe('readers without an account do not see', () => {
  it('versions of a message from before it was public', async () => {
    const id = await say(ann, closed.id, 'a hidden topic', 'a hidden text')
    expectSuccess(await ann.api.patch(`/messages/${id}`, { content: 'harmless' }))
    expectSuccess(await owner.api.patch(`/messages/${id}`, { stream_id: open, topic: 'shown' }))
    expectSuccess(await ann.api.patch(`/messages/${id}`, { content: 'more harmless' }))
    expectSuccess(await owner.api.patch(`/messages/${id}`, { topic: 'shown again' }))
    const { message } = expectSuccess(await anybody.get(`/messages/${id}`))
    expect(message.edit_history).toMatchObject([
      { topic: 'shown again', prev_topic: 'shown' },
      { prev_content: 'harmless' },
    ])
    expect(message.edit_history).toHaveLength(2)
    const all = JSON.stringify(expectSuccess(await anybody.messages({ narrow: [PUBLIC, ['id', id]] })))
    expect(all).not.toContain('hidden')
    expect(all).not.toContain('prev_stream')
  })

  it('messages that have moved away', async () => {
    const id = await say(owner, open, 'to go', 'going')
    expectSuccess(await anybody.get(`/messages/${id}`))
    expectSuccess(await owner.api.patch(`/messages/${id}`, { stream_id: closed.id }))
    expectLogIn(await anybody.get(`/messages/${id}`))
    expect(ids(await anybody.messages())).not.toContain(id)
  })

  it('edit history that the organization’s policy hides', async () => {
    const id = await say(ann, open, 'weather', 'first')
    expectSuccess(await ann.api.patch(`/messages/${id}`, { content: 'second' }))
    const history = async () => expectSuccess(await anybody.get(`/messages/${id}`)).message.edit_history
    expect(await history()).toMatchObject([{ prev_content: 'first' }])
    const set = async (message_edit_history_visibility_policy: string) =>
      expectSuccess(await owner.api.patch('/realm', { message_edit_history_visibility_policy }))
    await set('moves')
    expect(await history()).toBeUndefined()
    await set('all')
  })
})

describe('files without an account', () => {
  const status = async (path: string) => {
    const response = await fetchPath(realm, path)
    return [response.status, await response.text()]
  }
  const NOT_YOURS = [403, '<p>You are not authorized to view this file.</p>']

  it('are readable while a message of a web-public channel links to them', async () => {
    const path = await upload(ann, { content: 'public words' })
    expect(await status(path)).toEqual(NOT_YOURS)
    await say(ann, closed.id, 'files', `[x](${path})`)
    expect(await status(path)).toEqual(NOT_YOURS)
    const id = await say(ann, open, 'files', `[x](${path})`)
    expect(await status(path)).toEqual([200, 'public words'])
    expectSuccess(await owner.api.patch(`/messages/${id}`, { stream_id: closed.id }))
    expect(await status(path)).toEqual(NOT_YOURS)
  })

  it('are refused alike whether hidden or missing', async () => {
    const [, realmId] = /^\/user_uploads\/(\d+)\//.exec(await upload(ann))!
    expect(await status(`/user_uploads/${realmId}/ab/cdefghijklmnop/absent.txt`)).toEqual(NOT_YOURS)
  })

  it('are served to all visitors together at most a thousand times a day', async () => {
    const path = await upload(ann, { content: 'wanted' })
    await say(ann, open, 'files', `[x](${path})`)
    world.limited = true
    world.evictable = false
    world.settings = { ...WEB_PUBLIC, RATE_LIMIT_SPECTATOR_ACCESS_BY_FILE: '2/86400' }
    expect([await status(path), await status(path), await status(path)].map(([code]) => code)).toEqual([
      200, 200, 403,
    ])
  })
})

describe('pictures of people without an account', () => {
  it('are found by id, and never by e-mail address', async () => {
    const avatar = (user: string | number) => fetchPath(realm, `/avatar/${user}`)
    const answer = await avatar(ann.id)
    expect([answer.status, answer.headers.get('location')]).toEqual([
      302,
      expect.stringContaining('gravatar'),
    ])
    expect((await avatar(777_777)).status).toBe(302)
    expect((await avatar(ann.email)).status).toBe(401)
  })
})

describe('a visitor without an account', () => {
  it.each([
    ['GET', '/users'],
    ['GET', '/streams'],
    ['GET', '/realm/emoji'],
    ['GET', '/user_groups'],
    ['GET', '/events'],
    ['GET', '/messages/1/history'],
    ['GET', '/messages/1/read_receipts'],
    ['GET', '/users/me'],
    ['GET', '/attachments'],
    ['POST', '/messages'],
    ['POST', '/messages/render'],
    ['POST', '/messages/flags'],
    ['POST', '/users/me/presence'],
  ])('is refused by %s %s', async (method, path) => {
    expectLogIn(await anybody.json(method, path, {}, {}))
  })

  it('is refused below /api/v1', async () => {
    const narrow = JSON.stringify([PUBLIC])
    for (const path of [
      `/messages?anchor=newest&narrow=${narrow}`,
      `/messages/${said}`,
      `/users/me/${open}/topics`,
    ]) {
      expect((await fetchPath(realm, `/api/v1${path}`)).status).toBe(401)
    }
    expect((await fetchPath(realm, '/api/v1/register', undefined, { method: 'POST' })).status).toBe(401)
  })

  it('can read with a session that has ended', async () => {
    const browser = new Spectator(realm.host)
    browser.cookies.set('sessionid', 'x'.repeat(43))
    expect(ids(await browser.messages())).toContain(said)
  })

  it('never counts as logged in', async () => {
    const browser = new Spectator(realm.host)
    await browser.logIn(ann.email, 'a fine password')
    const { messages } = expectSuccess(await browser.messages({ narrow: [['channel', closed.id]] }))
    expect(messages.length).toBeGreaterThan(0)
  })
})

describe('nothing can be read', () => {
  async function expectClosed(at = anybody): Promise<void> {
    expectLogIn(await at.messages())
    expectLogIn(await at.get(`/messages/${said}`))
    expectLogIn(await at.get(`/users/me/${open}/topics`))
    expectLogIn(await at.register())
    expect((await fetchPath(realm, `/avatar/${ann.id}`)).status).toBe(401)
  }

  it('while the deployment does not allow it', async () => {
    world.settings = {}
    await expectClosed()
  })

  it('while the organization does not allow it', async () => {
    const path = await upload(ann)
    await say(ann, open, 'files', `[x](${path})`)
    expect((await fetchPath(realm, path)).status).toBe(200)
    await allowSpectators(realm, false)
    await expectClosed()
    expect((await fetchPath(realm, path)).status).toBe(403)
    await allowSpectators(realm)
  })

  it('once no channel is web-public any more, private or not', async () => {
    for (const changes of [{ is_web_public: false }, { is_web_public: false, is_private: true }]) {
      expectSuccess(await owner.api.patch(`/streams/${open}`, changes))
      await expectClosed()
      expectSuccess(await owner.api.patch(`/streams/${open}`, { is_private: false, is_web_public: true }))
    }
  })

  it('while an archived channel can still be read', async () => {
    const archived = await openChannel(owner, 'old')
    const id = await say(owner, archived, 'then', 'once upon a time')
    expectSuccess(await owner.api.delete(`/streams/${archived}`))
    expect(ids(await anybody.messages())).toContain(id)
  })

  it('in a deactivated organization, or from another one', async () => {
    const { realm: other } = await buildRealm()
    await allowSpectators(other)
    const theirs = await openChannel(other.owner, 'theirs')
    const id = await say(other.owner, theirs, 't', 'x')
    const spectator = new Spectator(other.host)
    expectSuccess(await spectator.get(`/messages/${id}`))
    expectLogIn(await anybody.get(`/messages/${id + 1_000}`))
    expect(JSON.stringify((await anybody.messages()).body)).not.toContain('theirs')
    expectSuccess(await other.owner.api.post('/realm/deactivate', { deletion_delay_days: 30 }))
    for (const { status, body } of [await spectator.messages(), await spectator.register()]) {
      expect([status, body.msg]).toEqual([401, 'This organization has been deactivated'])
    }
  })
})

describe('too many requests', () => {
  it('of one address are refused, and of all together what costs too much', async () => {
    world.limited = true
    world.evictable = false
    world.settings = { ...WEB_PUBLIC, RATE_LIMIT_API_BY_IP: '3/60' }
    const asked = async (ip: string) =>
      (await anybody.json('GET', `/messages/${said}`, {}, { 'cf-connecting-ip': ip })).status
    // Addresses that no other file of tests asks from.
    const [one, other] = ['192.0.2.111', '192.0.2.112'] as const
    const statuses = [await asked(one), await asked(one), await asked(one), await asked(one)]
    expect([...statuses, await asked(other)]).toEqual([200, 200, 200, 429, 200])
  })
})
