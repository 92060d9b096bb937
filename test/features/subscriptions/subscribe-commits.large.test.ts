import { beforeAll, describe, expect, it } from 'vitest'
import { RENDERED_IN_ONE_COMMIT } from '../../../src/markdown/render-types.ts'
import type { ParameterValue } from '../../support/api.ts'
import { buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { insertInIndex } from '../../support/inserted-messages.ts'
import { addChannels, changeRealm, insertUsers, subscribe } from '../../support/inside.ts'
import type { Json } from '../../support/json.ts'
import {
  CHANGES_OF_COMMIT,
  ENTRIES_AT_ONCE,
  LARGE_CHANGES_OF_COMMIT,
  NEW_CHANNELS_OF_ONE_REQUEST,
  ROWS_OF_SLICE,
} from '../../support/limits.ts'
import { openQueue } from '../../support/queues.ts'
import { rowsOfTransactions } from '../../support/rows-of-transactions.ts'
import { useRealm } from '../../support/use-realm.ts'

describe('a channel that more users join than fit into one commit', () => {
  const COUNT = CHANGES_OF_COMMIT + 20

  const { realm } = useRealm()
  let people: TestUser[]
  let ids: number[]
  beforeAll(async () => {
    people = await insertUsers(realm, COUNT)
    ids = people.map(({ id }) => id)
  })
  const arrange = async () => ({
    owner: realm.owner,
    queue: await openQueue(realm.owner, {
      event_types: ['subscription', 'stream'],
      fetch_event_types: [],
      include_subscribers: true,
    }),
  })
  const subscribers = async (name: string) => {
    const { stream_id } = expectSuccess(await realm.owner.api.get('/get_stream_id', { stream: name }))
    const { subscribers: found } = expectSuccess(await realm.owner.api.get(`/streams/${stream_id}/members`))
    return found as number[]
  }
  const usersOf = (events: Record<string, unknown>[], op: string) =>
    events.filter((event) => event.op === op).flatMap(({ user_ids }) => user_ids as number[])

  it('is created once, with one event, all of them, and one answer', async () => {
    const { owner, queue } = await arrange()
    const answer = expectSuccess(
      await owner.api.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'hall' }],
        principals: [owner.id, ...ids],
        announce: true,
      }),
    )
    expect(answer.subscribed).toEqual(Object.fromEntries([owner.id, ...ids].map((id) => [id, ['hall']])))
    expect(answer).toMatchObject({ already_subscribed: {}, new_subscription_messages_sent: false })
    expect(await subscribers('hall')).toEqual([owner.id, ...ids])
    const events = await queue.events()
    expect(events.filter(({ type, op }) => type === 'stream' && op === 'create')).toHaveLength(1)
    // Users who joined in the owner's commit are in the owner's own event, the others in later events.
    const [added] = events.filter(({ op }) => op === 'add')
    const named = [...added!.subscriptions[0].subscribers, ...usersOf(events, 'peer_add')]
    expect(named.sort((a, b) => a - b)).toEqual([owner.id, ...ids])
    // Users of the last commit have the channel's first notice, as those of the first commit do.
    for (const person of [people[0]!, people.at(-1)!]) {
      const { messages } = expectSuccess(
        await person.api.get('/messages', {
          anchor: 'newest',
          num_before: 10,
          num_after: 0,
          narrow: [{ operator: 'channel', operand: 'hall' }],
        }),
      )
      expect(messages.map(({ flags }: { flags: string[] }) => flags)).toEqual([[]])
    }
  })

  it('is created with all of them by one request, with one event', async () => {
    const { owner, queue } = await arrange()
    const { id } = expectSuccess(
      await owner.api.post('/channels/create', { name: 'court', subscribers: [owner.id, ...ids] }),
    )
    expect(await subscribers('court')).toEqual([owner.id, ...ids])
    const events = await queue.events()
    expect(events.filter(({ type, op }) => type === 'stream' && op === 'create')).toHaveLength(1)
    const narrow = [{ operator: 'channel', operand: id }]
    const page = { anchor: 'newest', num_before: 10, num_after: 0, narrow }
    const { messages } = expectSuccess(await people.at(-1)!.api.get('/messages', page))
    expect(messages).toHaveLength(1)
  })

  it('is joined with similar ones in several commits, by numbers of subscribers', async () => {
    const { owner } = realm
    const count = Math.ceil(ROWS_OF_SLICE / COUNT) + 1
    const names = Array.from({ length: count }, (_, at) => `full ${at}`)
    const channelIds = await addChannels(realm, names)
    await changeRealm(realm, (tx) => {
      for (const id of channelIds) subscribe(tx, id, ids, '#c2c2c2')
    })
    const { queue } = await arrange()
    const subscriptions = names.map((name) => ({ name }))
    const answer = expectSuccess(await owner.api.post('/users/me/subscriptions', { subscriptions }))
    expect(answer).toMatchObject({ subscribed: { [owner.id]: names }, already_subscribed: {} })
    const named = (await queue.events())
      .filter(({ type, op }) => type === 'subscription' && op === 'add')
      .map((event) => (event.subscriptions as { subscribers: number[] }[]).map(({ subscribers: all }) => all))
    expect(named.flat().map(({ length }) => length)).toEqual(names.map(() => COUNT + 1))
    for (const one of named) expect((one.length - 1) * COUNT).toBeLessThan(ROWS_OF_SLICE)
  })

  it('is joined in smaller commits by users who are in many channels', async () => {
    const { owner } = realm
    const COMING = 120
    const IN_CHANNELS = 100
    const coming = (await insertUsers(realm, COMING)).map(({ id }) => id)
    const channelIds = await addChannels(
      realm,
      Array.from({ length: IN_CHANNELS }, (_, at) => `crowded ${at}`),
    )
    await changeRealm(realm, (tx) => {
      for (const id of channelIds) subscribe(tx, id, coming, '#c2c2c2')
    })
    const { queue } = await arrange()
    const params = { subscriptions: [{ name: 'of busy people' }], principals: [owner.id, ...coming] }
    expectSuccess(await owner.api.post('/users/me/subscriptions', params))
    const joined = (await queue.events())
      .filter(({ op }) => op === 'peer_add')
      .map(({ user_ids }) => (user_ids as number[]).length)
    const atOnce = Math.floor(ENTRIES_AT_ONCE / IN_CHANNELS)
    expect(Math.max(...joined)).toBeLessThanOrEqual(atOnce)
    expect(joined.length).toBeLessThanOrEqual(Math.ceil(COMING / atOnce) + 1)
  })

  it('is left by all of them, and the answer names who was not in', async () => {
    const { owner, queue } = await arrange()
    const hall = { subscriptions: [{ name: 'room' }], principals: [owner.id, ...ids.slice(1)] }
    expectSuccess(await owner.api.post('/users/me/subscriptions', hall))
    await queue.events()
    const answer = expectSuccess(
      await owner.api.delete('/users/me/subscriptions', { subscriptions: ['room'], principals: ids }),
    )
    expect(answer.removed).toEqual(Array(COUNT - 1).fill('room'))
    expect(answer.not_removed).toEqual(['room'])
    expect(await subscribers('room')).toEqual([owner.id])
    const received: Record<string, unknown>[] = []
    // All have read something before they left, so the log has more entries than one answer looks through.
    for (let events = await queue.events(); events.length > 0; events = await queue.events())
      received.push(...events)
    expect(usersOf(received, 'peer_remove').sort((a, b) => a - b)).toEqual(ids.slice(1))
    for (const event of received.filter(({ op }) => op === 'peer_remove')) {
      expect((event.user_ids as number[]).length).toBeLessThanOrEqual(LARGE_CHANGES_OF_COMMIT)
    }
  })

  it('is refused as a whole for one user who may not, or too many', async () => {
    const { owner } = realm
    const channels = Array.from({ length: 100 }, (_, at) => ({ name: `channel ${at}` }))
    const many = await owner.api.post('/users/me/subscriptions', { subscriptions: channels, principals: ids })
    expect(many.status).toBe(413)
    const unknown = { subscriptions: [{ name: 'hut' }], principals: [...ids, 99_999] }
    expect((await owner.api.post('/users/me/subscriptions', unknown)).status).toBe(400)
    const { streams } = expectSuccess(await owner.api.get('/streams'))
    expect(streams.map(({ name }: { name: string }) => name)).not.toContain('hut')
    expect(streams.map(({ name }: { name: string }) => name)).not.toContain('channel 0')
  })
})

describe('more channels than fit into one commit', () => {
  const names = Array.from({ length: 2 * LARGE_CHANGES_OF_COMMIT + 20 }, (_, at) => `room ${at}`)
  // Per channel: the subscribers, the channel itself, the period that ends, and the search for guests.
  const A_CHANNEL = { read: 30, written: 10 }
  const TO_LOOK_UP = 5
  const { realm } = useRealm()
  beforeAll(() => addChannels(realm, names))
  /** Makes the request; returns its answer and the number of commits, each of which has bounded rows. */
  const inCommits = async (
    params: Record<string, ParameterValue>,
    rowsOfReading = 0,
    method: 'PATCH' | 'DELETE' = 'PATCH',
  ) => {
    let value: Json = {}
    const commits = await rowsOfTransactions(realm, async () => {
      value = expectSuccess(await realm.owner.api.request(method, '/users/me/subscriptions', params))
    })
    for (const { read, written } of commits) {
      expect(read).toBeLessThan(
        A_CHANNEL.read * LARGE_CHANGES_OF_COMMIT + TO_LOOK_UP * names.length + rowsOfReading,
      )
      expect(written).toBeLessThan(A_CHANNEL.written * LARGE_CHANGES_OF_COMMIT)
    }
    return { value, commits: commits.length }
  }

  it('are joined and left in commits of bounded rows, with one answer', async () => {
    const id = String(realm.owner.id)
    const joined = await inCommits({ add: names.map((name) => ({ name })), delete: [] })
    expect(joined.value).toMatchObject({ subscribed: { [id]: names }, already_subscribed: {}, removed: [] })
    expect(joined.commits).toBeGreaterThan(3)
    const left = await inCommits({ add: [], delete: names })
    expect(left.value).toMatchObject({ subscribed: {}, removed: names, not_removed: [] })
    expect(left.commits).toBeGreaterThan(2)
  })

  it('are looked up, and searched for old unread messages, in commits of their own', async () => {
    const subscriptions = names.map((name) => ({ name }))
    for (const [method, params] of [
      ['PATCH', { add: [], delete: names }],
      ['DELETE', { subscriptions: names }],
    ] as const) {
      expectSuccess(await realm.owner.api.post('/users/me/subscriptions', { subscriptions }))
      const { value, commits } = await inCommits(params, 0, method)
      expect(value).toMatchObject({ removed: names, not_removed: [] })
      expect(commits).toBe(2 + Math.ceil(names.length / LARGE_CHANGES_OF_COMMIT))
    }
  })

  it('have events that name each once, and are all there afterwards', async () => {
    const { owner } = realm
    const queue = await openQueue(owner, { event_types: ['subscription'], fetch_event_types: [] })
    const own = async () => {
      const { subscriptions } = expectSuccess(await owner.api.get('/users/me/subscriptions'))
      const present = subscriptions.map(({ name }: { name: string }) => name) as string[]
      return present.filter((name) => name.startsWith('room '))
    }
    const namesInEvents = async () =>
      (await queue.events()).flatMap(({ subscriptions }) =>
        (subscriptions as { name: string }[]).map(({ name }) => name),
      )
    const all = names.toSorted()
    const subscriptions = names.map((name) => ({ name }))
    const come = expectSuccess(await owner.api.post('/users/me/subscriptions', { subscriptions }))
    expect(come).toMatchObject({ subscribed: { [owner.id]: names }, new_subscription_messages_sent: true })
    expect((await namesInEvents()).toSorted()).toEqual(all)
    expect((await own()).toSorted()).toEqual(all)
    const gone = expectSuccess(await owner.api.delete('/users/me/subscriptions', { subscriptions: names }))
    expect(gone).toMatchObject({ removed: names, not_removed: [] })
    expect((await namesInEvents()).toSorted()).toEqual(all)
    expect(await own()).toEqual([])
  })

  it('are left with what is unread from long ago looked at once', async () => {
    const { owner } = realm
    await inCommits({ add: names.map((name) => ({ name })), delete: [] })
    const { subscriptions } = expectSuccess(await owner.api.get('/users/me/subscriptions'))
    const unread: number[] = []
    for (const name of [names[0], names.at(-1)]) {
      const channelId = subscriptions.find((one: { name: string }) => one.name === name).stream_id
      const count = ENTRIES_AT_ONCE + 100
      const first = await insertInIndex(realm, await buildUser(realm), { channelId, topic: 'old', count })
      unread.push(...Array.from({ length: count }, (_, at) => first + at))
    }
    expectSuccess(await owner.api.post('/mark_all_as_read'))
    expectSuccess(await owner.api.post('/messages/flags', { messages: unread, op: 'remove', flag: 'read' }))
    const queue = await openQueue(owner, { event_types: ['update_message_flags'] })
    const { commits } = await inCommits({ add: [], delete: names }, 2 * ENTRIES_AT_ONCE)
    const ofReading = Math.ceil(unread.length / ENTRIES_AT_ONCE)
    // One commit looks up the names.
    expect(commits).toBe(1 + ofReading + Math.ceil(names.length / LARGE_CHANGES_OF_COMMIT))
    const idsInEvents = (await queue.eventsOf('update_message_flags')).flatMap(
      ({ messages }) => messages as number[],
    )
    expect(idsInEvents).toEqual(unread)
  })

  it('are all unchanged when one is missing, or too many are new', async () => {
    const { owner } = realm
    const left = await owner.api.delete('/users/me/subscriptions', { subscriptions: [...names, 'nowhere'] })
    expect([left.status, left.body.code]).toEqual([400, 'STREAM_DOES_NOT_EXIST'])
    const channels = NEW_CHANNELS_OF_ONE_REQUEST
    const made = Array.from({ length: channels + 1 }, (_, at) => ({ name: `new ${at}` }))
    const of = (description: string) =>
      made.slice(0, channels).map((channel) => ({ ...channel, description }))
    const described = of('d'.repeat(1 + RENDERED_IN_ONE_COMMIT / channels))
    // Formulas cost five times as much.
    const formulas = of(`$$x${'+x'.repeat(RENDERED_IN_ONE_COMMIT / channels / 10)}$$`)
    const before = expectSuccess(await owner.api.get('/streams')).streams.length
    for (const subscriptions of [made, described, formulas]) {
      expect((await owner.api.post('/users/me/subscriptions', { subscriptions })).status).toBe(413)
    }
    expect(expectSuccess(await owner.api.get('/streams')).streams).toHaveLength(before)
  })
})
