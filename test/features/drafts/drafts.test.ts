import { describe, expect, it } from 'vitest'
import { countRows } from '../../support/counted-rows.ts'
import { buildChannel, buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { insertUsers } from '../../support/inside.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann, ben, guest, channel } = useRealm(
  { ann: 'member', ben: 'member', guest: 'guest' },
  { channels: { channel: ['ann'] } },
)

const inChannel = (changes: object = {}) => ({
  type: 'stream',
  to: [channel.id],
  topic: 'plans',
  content: 'let us',
  timestamp: 1_700_000_000,
  ...changes,
})

async function create(user: TestUser, ...drafts: object[]): Promise<number[]> {
  return expectSuccess(await user.api.post('/drafts', { drafts })).ids
}

async function list(user: TestUser) {
  return expectSuccess(await user.api.get('/drafts'))
}

describe('drafts', () => {
  it('are created in one call, with one event, for their author alone', async () => {
    const [anns, bens] = [await openQueue(ann), await openQueue(ben)]
    const direct = { type: 'private', to: [ben.id], topic: '', content: 'psst', timestamp: 1_600_000_000 }
    const open = { type: '', to: [], topic: '', content: 'hm', timestamp: 1_500_000_000 }
    const [first, second, third] = await create(ann, inChannel(), direct, open)
    const kept = [
      { id: first, ...inChannel() },
      { id: second, ...direct },
      { id: third, ...open },
    ]
    const [event] = await anns.eventsOf('drafts', 'add')
    expect(event!['drafts']).toEqual(kept)
    expect(await bens.events()).toEqual([])
    const { count, drafts } = await list(ann)
    expect(count).toBe(3)
    expect(drafts).toEqual([...kept].reverse())
    const { snapshot } = await openQueue(ann, { fetch_event_types: ['drafts'] })
    expect(snapshot.drafts).toEqual(drafts)
  })

  it('look up once whom several of them name', async () => {
    const author = await buildUser(realm)
    const people = (await insertUsers(realm, 50)).map(({ id }) => id)
    const direct = { type: 'private', to: people, topic: '', content: 'psst' }
    const rows = async (count: number) => {
      const drafts = Array.from({ length: count }, () => direct)
      const { object } = await countRows(author.api, 'POST', '/drafts', { drafts })
      return object.read
    }
    const one = await rows(1)
    // A further draft is a few rows of the quota.
    expect(await rows(21)).toBeLessThan(one + 20 * people.length)
    const to = [...people, 99_999]
    expectRefusal(
      await ben.api.post('/drafts', { drafts: [direct, { ...direct, to }] }),
      'Invalid user ID 99999',
    )
  })

  it('have the time given in whole seconds, or else the present one', async () => {
    const before = Math.floor(Date.now() / 1_000)
    const queue = await openQueue(ann)
    const [given, present] = await create(
      ann,
      inChannel({ timestamp: 1_700_000_000.987_654 }),
      inChannel({ timestamp: undefined }),
    )
    const { drafts } = await list(ann)
    const timeOf = (id?: number) => drafts.find((draft: { id: number }) => draft.id === id).timestamp
    expect(timeOf(given)).toBe(1_700_000_000)
    expect(timeOf(present)).toBeGreaterThanOrEqual(before - 1)
    expect(Number.isInteger(timeOf(present))).toBe(true)
    const [event] = await queue.eventsOf('drafts', 'add')
    expect(event!['drafts'].map(({ timestamp }: { timestamp: number }) => timestamp)).toEqual([
      timeOf(given),
      timeOf(present),
    ])
  })

  it('are cut like messages, and show the empty topic as each client expects', async () => {
    const old = await openQueue(ann, { client_capabilities: { notification_settings_null: true } })
    const [id] = await create(ann, inChannel({ topic: '', content: 'x'.repeat(10_050) }))
    const { drafts } = await list(ann)
    const draft = drafts.find((one: { id: number }) => one.id === id)
    expect([draft.topic, draft.content.length]).toEqual(['', 10_000])
    const [event] = await old.eventsOf('drafts', 'add')
    expect(event!['drafts'][0].topic).toBe('general chat')
  })

  it('are replaced whole', async () => {
    const [id] = await create(ann, inChannel())
    const queue = await openQueue(ann)
    const draft = { type: 'private', to: [ben.id], topic: '', content: 'better so', timestamp: 1_700_000_001 }
    expectSuccess(await ann.api.patch(`/drafts/${id}`, { draft }))
    expect(await queue.eventsOf('drafts', 'update')).toMatchObject([{ draft: { id, ...draft } }])
  })

  it('can be deleted', async () => {
    const [id] = await create(ann, inChannel())
    const queue = await openQueue(ann)
    expectSuccess(await ann.api.delete(`/drafts/${id}`))
    expect(await queue.eventsOf('drafts', 'remove')).toMatchObject([{ draft_id: id }])
    expect((await list(ann)).drafts.map((draft: { id: number }) => draft.id)).not.toContain(id)
  })

  it('are visible to nobody else', async () => {
    const [id] = await create(ann, inChannel())
    for (const response of [
      await ben.api.patch(`/drafts/${id}`, { draft: inChannel() }),
      await ben.api.delete(`/drafts/${id}`),
    ]) {
      expect([response.status, response.body.msg]).toEqual([404, 'Draft does not exist'])
    }
    expect((await realm.anonymous.get('/drafts')).status).toBe(401)
  })
})

describe('a draft is refused', () => {
  it.each([
    [{ to: [] }, 'Must specify exactly 1 channel ID for channel messages'],
    [{ to: [1, 2] }, 'Must specify exactly 1 channel ID for channel messages'],
    [{ to: [999_999] }, 'Invalid channel ID'],
    [{ timestamp: -1 }, 'Timestamp must not be negative.'],
    [{ timestamp: '1' }, 'drafts[0]["timestamp"] is not a float'],
    [{ topic: 'a\0b' }, 'Topic must not contain null bytes'],
    [{ content: '' }, 'drafts[0]["content"] cannot be blank'],
    [{ content: ' \n' }, 'Message must not be empty'],
    [{ type: 'channel' }, 'Invalid drafts[0]["type"]'],
    [{ type: 'private', to: [999_999] }, 'Invalid user ID 999999'],
    [{ color: 'red' }, 'Argument "color" at drafts[0] is unexpected'],
  ])('with %j: %s', async (changes, msg) => {
    const { status, body } = await ann.api.post('/drafts', { drafts: [inChannel(changes)] })
    expect([status, body.code, body.msg]).toEqual([400, 'BAD_REQUEST', msg])
  })

  it('for a channel one cannot see, with all drafts of the call', async () => {
    const secret = await buildChannel([ann], { invite_only: true })
    const { body } = await ben.api.post('/drafts', {
      drafts: [inChannel(), inChannel({ to: [secret.id] })],
    })
    expect(body.msg).toBe('Invalid channel ID')
    expect((await list(ben)).count).toBe(0)
  })

  it('for a channel that one has left, in an edit too', async () => {
    for (const [user, settings] of [
      [ben, { invite_only: true }],
      [guest, {}],
    ] as const) {
      const left = await buildChannel([ann, user], settings)
      const draft = inChannel({ to: [left.id] })
      const [id] = await create(user, draft)
      expectSuccess(await user.api.delete('/users/me/subscriptions', { subscriptions: [left.name] }))
      expectRefusal(await user.api.post('/drafts', { drafts: [draft] }), 'Invalid channel ID')
      expectRefusal(await user.api.patch(`/drafts/${id}`, { draft }), 'Invalid channel ID')
      expect((await list(user)).drafts).toEqual([{ id, ...draft }])
      expectSuccess(await user.api.delete(`/drafts/${id}`))
    }
  })

  it('when synchronization is off, which also deletes those on the server', async () => {
    const cid = await buildUser(realm)
    const [id] = await create(cid, inChannel())
    const queue = await openQueue(cid)
    expectSuccess(await cid.api.patch('/settings', { enable_drafts_synchronization: false }))
    expect(await queue.eventsOf('drafts')).toMatchObject([{ op: 'remove', draft_id: id }])
    for (const response of [
      await cid.api.get('/drafts'),
      await cid.api.post('/drafts', { drafts: [inChannel()] }),
      await cid.api.delete(`/drafts/${id}`),
    ]) {
      expect([response.status, response.body.msg]).toEqual([400, 'User has disabled synchronizing drafts.'])
    }
    expectSuccess(await cid.api.patch('/settings', { enable_drafts_synchronization: true }))
    expect(await list(cid)).toMatchObject({ count: 0, drafts: [] })
  })
})
