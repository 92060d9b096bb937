import { runDurableObjectAlarm } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import { realmStub } from '../support/api.ts'
import { buildUser, expectSuccess, type TestUser } from '../support/factories.ts'
import { inRealm, insertUsers } from '../support/inside.ts'
import { openQueue } from '../support/queues.ts'
import { useReliableD1 } from '../support/reliable-d1.ts'
import { postBody } from '../support/uploads.ts'
import { buildRealm, useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const { realm, ann, ben } = useRealm({ ann: 'member', ben: 'member' })
useReliableD1()

const DAY = 86_400
const REUSED = {
  status: 422,
  body: {
    result: 'error',
    code: 'IDEMPOTENCY_KEY_REUSED',
    msg: 'This Idempotency-Key was sent with another request',
  },
}

const newKey = () => ({ 'Idempotency-Key': crypto.randomUUID() })
const snippet = (user: TestUser, headers: Record<string, string>, title = 'one') =>
  user.api.request('POST', '/saved_snippets', { title, content: 'text' }, { headers })
const titles = async ({ api }: TestUser) =>
  expectSuccess(await api.get('/saved_snippets')).saved_snippets.map(({ title }: { title: string }) => title)

const keptRows = () =>
  inRealm(realm, ({ parts }) => parts.sql.first<{ n: number }>('SELECT COUNT(*) AS n FROM first_answer')!.n)

describe('a request repeated with its Idempotency-Key', () => {
  it('gets the first answer, with one change and one event', async () => {
    const queue = await openQueue(ann, { event_types: ['saved_snippets'] })
    const headers = newKey()
    const first = expectSuccess(await snippet(ann, headers))
    expect(expectSuccess(await snippet(ann, headers))).toEqual(first)
    expect(await titles(ann)).toEqual(['one'])
    expect(await queue.eventsOf('saved_snippets')).toHaveLength(1)
  })

  it('gets it even when what it created was deleted meanwhile', async () => {
    const headers = newKey()
    const { saved_snippet_id } = expectSuccess(await snippet(ann, headers, 'gone'))
    expectSuccess(await ann.api.delete(`/saved_snippets/${saved_snippet_id}`))
    expect(expectSuccess(await snippet(ann, headers, 'gone')).saved_snippet_id).toBe(saved_snippet_id)
    expect(await titles(ann)).not.toContain('gone')
  })

  it('gets it for an edit even after the message is deleted', async () => {
    const { id } = expectSuccess(
      await realm.owner.api.post('/messages', { type: 'direct', to: [ann.id], content: 'a' }),
    )
    const headers = newKey()
    const edit = () => realm.owner.api.request('PATCH', `/messages/${id}`, { content: 'b' }, { headers })
    const first = expectSuccess(await edit())
    expectSuccess(await realm.owner.api.delete(`/messages/${id}`))
    expect(expectSuccess(await edit())).toEqual(first)
  })

  it('at the same time as the first is executed once', async () => {
    const headers = newKey()
    const answers = await Promise.all(Array.from({ length: 5 }, () => snippet(ben, headers, 'at once')))
    expect(new Set(answers.map((answer) => expectSuccess(answer).saved_snippet_id)).size).toBe(1)
    expect(await titles(ben)).toEqual(['at once'])
  })

  it('with another body is refused with 422, and changes nothing', async () => {
    const headers = newKey()
    expectSuccess(await snippet(ann, headers, 'same'))
    expect(await snippet(ann, headers, 'different')).toMatchObject(REUSED)
    expect(await ann.api.request('POST', '/mark_all_as_read', {}, { headers })).toMatchObject(REUSED)
    expect(await titles(ann)).not.toContain('different')
  })

  it('of a send: the same body gives its message; another body or operation, 422', async () => {
    const headers = newKey()
    const send = (content: string) =>
      ann.api.request('POST', '/messages', { type: 'direct', to: [ann.id], content }, { headers })
    const { id } = expectSuccess(await send('once'))
    expect(expectSuccess(await send('once')).id).toBe(id)
    expect(await send('twice')).toMatchObject(REUSED)
    expect(await snippet(ann, headers, 'by a key of a send')).toMatchObject(REUSED)
    expectSuccess(await snippet(ann, newKey(), 'x'))
    const used = newKey()
    expectSuccess(await snippet(ann, used, 'y'))
    const params = { type: 'direct', to: [ann.id], content: 'z' }
    expect(await ann.api.request('POST', '/messages', params, { headers: used })).toMatchObject(REUSED)
  })

  it('is separate from another user’s request with the same key', async () => {
    const headers = newKey()
    const mine = expectSuccess(await snippet(ann, headers, 'shared key'))
    const theirs = expectSuccess(await snippet(ben, headers, 'another text'))
    expect(theirs.saved_snippet_id).not.toBe(mine.saved_snippet_id)
    const stranger = { api: realm.anonymous } as TestUser
    expect((await snippet(stranger, headers, 'shared key')).status).toBe(401)
  })

  it('after a day is executed again, and the stored answer is deleted', async () => {
    const headers = newKey()
    const first = expectSuccess(await snippet(ann, headers, 'yesterday'))
    world.clockOffset = DAY - 60
    expect(expectSuccess(await snippet(ann, headers, 'yesterday'))).toEqual(first)
    world.clockOffset = DAY + 60
    const second = expectSuccess(await snippet(ann, headers, 'yesterday'))
    expect(second.saved_snippet_id).not.toBe(first.saved_snippet_id)
    expect(await keptRows()).toBeGreaterThan(1)
    world.clockOffset = 4 * DAY
    await runDurableObjectAlarm(realmStub(realm.id))
    expect(await keptRows()).toBe(0)
  })

  it('that was refused is executed again', async () => {
    const headers = newKey()
    const add = () => ann.api.request('POST', '/users/me/muted_users/999999', {}, { headers })
    expect((await add()).status).toBe(400)
    expect((await add()).status).toBe(400)
    const refused = await ann.api.request('POST', '/saved_snippets', { title: 'x' }, { headers })
    expect(refused.body.code).toBe('REQUEST_VARIABLE_MISSING')
    expectSuccess(await snippet(ann, headers, 'at last'))
  })

  it('is repeated by the Worker itself when the connection is lost', async () => {
    let calls = 0
    world.reach = async (call) => {
      calls += 1
      const answer = await call()
      if (calls === 1) throw Object.assign(new Error('Network connection lost.'), { retryable: true })
      return answer
    }
    expectSuccess(await snippet(ben, newKey(), 'lost on the way'))
    expect(calls).toBe(2)
    expect((await titles(ben)).filter((title: string) => title === 'lost on the way')).toHaveLength(1)
  })
})

describe('a key', () => {
  it.each(['', 'x'.repeat(256)])('must have 1 to 255 characters (%#)', async (key) => {
    const refused = await snippet(ann, { 'Idempotency-Key': key }, 'never')
    expect([refused.status, refused.body.msg]).toEqual([400, 'Idempotency-Key must have 1 to 255 characters'])
  })

  it('costs rows only where one is sent, and is ignored by reads', async () => {
    const before = await keptRows()
    expectSuccess(await snippet(ann, {}, 'without'))
    expectSuccess(await ann.api.post('/typing', { op: 'start', to: [ben.id] }))
    expectSuccess(await ann.api.request('GET', '/users/me', {}, { headers: newKey() }))
    expectSuccess(await ann.api.request('POST', '/register', {}, { headers: newKey() }))
    expect(await keptRows()).toBe(before)
  })

  it('of typing notifies others once', async () => {
    const queue = await openQueue(ben, { event_types: ['typing'] })
    world.evictable = false
    const headers = newKey()
    const params = { op: 'start', to: [ben.id] }
    for (let times = 2; times > 0; times -= 1) {
      expectSuccess(await ann.api.request('POST', '/typing', params, { headers }))
    }
    expect(await queue.eventsOf('typing')).toHaveLength(1)
  })

  it('beyond an account’s quota gives 429 until the next day, and changes nothing', async () => {
    const carl = await buildUser(realm)
    expectSuccess(await snippet(carl, newKey(), 'first'))
    await inRealm(realm, ({ parts }) =>
      parts.sql.run('UPDATE first_answer SET nth = 10000 WHERE user_id = ?', carl.id),
    )
    const refused = await snippet(carl, newKey(), 'one too many')
    expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMIT_HIT'])
    expect(await titles(carl)).toEqual(['first'])
    expectSuccess(await snippet(carl, {}, 'without a key'))
    expectSuccess(await snippet(ann, newKey(), 'others go on'))
  })
})

describe('an upload with a key', () => {
  const form = (content: string) => {
    const data = new FormData()
    data.append('file', new File([content], 'notes.txt', { type: 'text/plain' }))
    return data
  }

  it('is stored once; other bytes with the key are another request', async () => {
    const headers = newKey()
    const first = expectSuccess(await postBody(ann, '/user_uploads', form('bytes'), headers))
    expect(expectSuccess(await postBody(ann, '/user_uploads', form('bytes'), headers))).toEqual(first)
    expect(await postBody(ann, '/user_uploads', form('other'), headers)).toMatchObject(REUSED)
    const { attachments } = expectSuccess(await ann.api.get('/attachments'))
    expect(attachments).toHaveLength(1)
  })
})

describe('the stored answer', () => {
  it('holds no key of a bot, no password and no client key', async () => {
    const headers = { 'Idempotency-Key': 'a-key-of-the-client' }
    const params = { full_name: 'Robot', short_name: 'kept' }
    const { owner } = realm
    const bot = expectSuccess(await owner.api.request('POST', '/bots', params, { headers }))
    const person = { email: `kept@${realm.host}`, password: 'a secret password', full_name: 'Kept' }
    expectSuccess(await owner.api.request('POST', '/users', person, { headers: newKey() }))
    const rows = await inRealm(realm, ({ parts }) =>
      JSON.stringify(parts.sql.all('SELECT * FROM first_answer')),
    )
    expect(rows).toContain(`"user_id\\":${bot.user_id}`)
    for (const secret of [bot.api_key, 'a secret password', 'a-key-of-the-client']) {
      expect(rows).not.toContain(secret)
    }
    expect(expectSuccess(await owner.api.request('POST', '/bots', params, { headers }))).toEqual(bot)
  })

  it('does not reveal a bot’s key to a former owner', async () => {
    const admin = await buildUser(realm)
    const headers = newKey()
    const params = { full_name: 'Given away', short_name: 'given' }
    const make = () => admin.api.request('POST', '/bots', params, { headers })
    const { user_id } = expectSuccess(await make())
    expectSuccess(await realm.owner.api.patch(`/bots/${user_id}`, { bot_owner_id: realm.owner.id }))
    const { status, body } = await make()
    expect([status, body.api_key]).toEqual([400, undefined])
  })

  it('prevents a second renewal of a key whose answer was lost', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const dora = await buildUser(realm)
    const headers = newKey()
    const renew = () => dora.api.request('POST', '/users/me/api_key/regenerate', {}, { headers })
    expectSuccess(await renew())
    // The old key does not work any more; a login returns the new one.
    expect((await renew()).status).toBe(401)
  })
})

it('a registration whose answer is too large to store is executed again', async () => {
  const { realm: large } = await buildRealm()
  await insertUsers(large, 700)
  const headers = newKey()
  const register = () => large.owner.api.request('POST', '/register', {}, { headers })
  const first = await register()
  expect(JSON.stringify(first.body).length).toBeGreaterThan(256_000)
  expect([first.status, (await register()).status]).toEqual([200, 200])
})
