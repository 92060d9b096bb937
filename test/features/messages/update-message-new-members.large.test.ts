import { beforeAll, describe, expect, it } from 'vitest'
import { ENTRIES_AT_ONCE, ROWS_OF_SLICE } from '../../../src/core/budgets.ts'
import type { RealmTransaction } from '../../../src/core/realm-transaction.ts'
import { updateMessage } from '../../../src/features/messages/update-message.ts'
import { callerOf } from '../../../src/model/caller.ts'
import type { EarlierParts } from '../../../src/model/editing/move/move-topic.ts'
import type { UpdateMessageParams } from '../../../src/model/editing/plan-edit.ts'
import { ReadSet } from '../../../src/store/messages/flags/read-rows.ts'
import { findUser } from '../../../src/store/users/user-rows.ts'
import { evictRealm } from '../../support/api.ts'
import { countRows } from '../../support/counted-rows.ts'
import { expectSuccess, type TestUser } from '../../support/factories.ts'
import { insertInIndex } from '../../support/inserted-messages.ts'
import { changeRealm, inRealm, insertUsers } from '../../support/inside.ts'
import { sendTo } from '../../support/messages.ts'
import { neverEvict } from '../../support/never-evict.ts'
import { openQueue } from '../../support/queues.ts'
import { useRealm } from '../../support/use-realm.ts'
import { inWatchedSlices } from '../../support/watched-slices.ts'

// The object that is asked is the one whose turns are watched.
neverEvict()

describe('a move into protected history with more new members than one commit marks', () => {
  const AT_ONCE = ENTRIES_AT_ONCE
  const COUNT = 2 * AT_ONCE + 50
  const PROTECTED = { is_private: true, history_public_to_subscribers: false }
  const { realm, owner, ann, from, to, other } = useRealm(
    { ann: 'member' },
    { channels: { from: ['owner', 'ann'], to: ['owner'], other: ['owner'] } },
  )
  let early: TestUser
  let people: readonly TestUser[]

  beforeAll(async () => {
    early = (await insertUsers(realm, 1))[0]!
    people = await insertUsers(realm, COUNT, to.id)
    expectSuccess(await owner.api.patch(`/streams/${to.id}`, PROTECTED))
    const join = { subscriptions: [{ name: from.name }], principals: [people[0]!.id] }
    expectSuccess(await owner.api.post('/users/me/subscriptions', join))
  }, 60_000)

  /** Begins a move, and returns what makes the next of its commits in the object, which is evicted before it. */
  const beginMove = (params: UpdateMessageParams, actor = owner) => {
    const commits = updateMessage(params)
    let next = commits.next()
    return async () => {
      if (next.done) throw new Error('The move is over')
      const part = next.value
      await evictRealm(realm.id)
      const { value, rows } = await inRealm(realm, (object) => {
        const { counts } = object.parts.sql
        const before = { ...counts }
        const value = object.change((tx) => part(tx, callerIn(tx, actor)) as Moved)
        return { value, rows: { read: counts.read - before.read, written: counts.written - before.written } }
      })
      next = commits.next(value)
      return { value, rows }
    }
  }
  type Moved = { readonly earlier?: EarlierParts }
  const callerIn = (tx: RealmTransaction, { id }: TestUser) =>
    callerOf(
      tx.sql,
      findUser(tx.sql, id)!,
      { origin: `http://${realm.host}`, userAgent: 'ParleyTest', ip: '' },
      tx.now,
    )
  const move = (params: UpdateMessageParams) => {
    const commit = beginMove(params)
    return async () => {
      const { value, rows } = await commit()
      // A block for each of the people is written, and the move itself.
      expect(rows.written).toBeLessThan(AT_ONCE + 150)
      return value
    }
  }
  const moveOf = (id: number): UpdateMessageParams => ({
    message_id: id,
    stream_id: to.id,
    propagate_mode: 'change_all',
    send_notification_to_new_thread: false,
    send_notification_to_old_thread: false,
  })
  const unreadOf = async (user: TestUser, topic: string) => {
    const { streams } = (await openQueue(user)).snapshot.unread_msgs
    const own = streams.filter(({ topic: name }: { topic: string }) => name === topic)
    return own.flatMap((one: { unread_message_ids: number[] }) => one.unread_message_ids)
  }
  const someNewMembers = () => [1, AT_ONCE - 1, AT_ONCE, AT_ONCE + 1, COUNT - 1].map((at) => people[at]!)
  const blocks = () =>
    inRealm(
      realm,
      ({ parts }) => parts.sql.first<{ count: number }>(`SELECT count(*) AS count FROM read_block`)!,
    )

  it('is marked as read in commits before it, which nobody sees', async () => {
    const ids = [await sendTo(owner, from.name, 'quiet'), await sendTo(owner, from.name, 'quiet')]
    const queues = await Promise.all([ann, people[1]!].map((user) => openQueue(user)))
    const commit = move(moveOf(ids[0]!))
    const first = await commit()
    expect(first.earlier).toMatchObject({ gone: 0, markedRead: { ids } })
    expect(await unreadOf(people[0]!, 'quiet')).toEqual(ids)
    expect(await unreadOf(ann, 'quiet')).toEqual(ids)
    const { message } = expectSuccess(await ann.api.get(`/messages/${ids[0]}`))
    expect(message).toMatchObject({ stream_id: from.id, flags: [] })
    const { message: unreceived } = expectSuccess(await people[1]!.api.get(`/messages/${ids[0]}`))
    expect([...unreceived.flags].sort()).toEqual(['historical', 'read'])
    // A user with a low id subscribes in between, and another keeps a message, unread.
    const join = { subscriptions: [{ name: to.name }], principals: [early.id] }
    expectSuccess(await owner.api.post('/users/me/subscriptions', join))
    const second = await commit()
    expect(second.earlier).toMatchObject({ gone: 0, markedRead: { ids } })
    const last = await commit()
    expect(last).toEqual({ detached_uploads: [] })
    expect((await queues[0]!.eventsOf('delete_message')).map((event) => event.message_ids)).toEqual([ids])
    const moves = await queues[1]!.eventsOf('update_message')
    expect(moves.map((event) => [event.message_ids, event.new_stream_id])).toEqual([[ids, to.id]])
    expect(await unreadOf(people[0]!, 'quiet')).toEqual(ids)
    for (const user of [early, ...someNewMembers()]) {
      expect(await unreadOf(user, 'quiet')).toEqual([])
      const { message: moved } = expectSuccess(await user.api.get(`/messages/${ids[1]}`))
      expect(moved).toMatchObject({ stream_id: to.id, flags: ['read'] })
    }
    for (let after: string | undefined, isOver = false; !isOver; ) {
      const { findings, next } = expectSuccess(
        await owner.api.post('/realm/verify', { after, repair: false }),
      )
      expect(findings).toEqual([])
      isOver = next === null
      after = next ?? undefined
    }
  }, 60_000)

  const finish = async (commit: () => Promise<Moved>) => {
    let last = await commit()
    for (let commits = 1; last.earlier; commits += 1) {
      expect(commits).toBeLessThan(20)
      last = await commit()
    }
    expect(last).toEqual({ detached_uploads: [] })
  }

  it('leaves behind what is written in the topic once it is marked', async () => {
    const id = await sendTo(owner, from.name, 'busy')
    const commit = move(moveOf(id))
    await commit()
    const later = await sendTo(owner, from.name, 'busy')
    const queue = await openQueue(people[0]!)
    await finish(commit)
    const [event] = await queue.eventsOf('update_message')
    expect(event).toMatchObject({ message_ids: [id], new_stream_id: to.id, propagate_mode: 'change_all' })
    const { message } = expectSuccess(await people[0]!.api.get(`/messages/${later}`))
    expect(message).toMatchObject({ stream_id: from.id, subject: 'busy' })
    for (const user of someNewMembers()) expect(await unreadOf(user, 'busy')).toEqual([])
    expect(await unreadOf(people[0]!, 'busy')).toEqual([id, later])
  }, 60_000)

  it('moves what is left of marked messages when one is deleted', async () => {
    const ids = [await sendTo(owner, from.name, 'fewer'), await sendTo(owner, from.name, 'fewer')]
    const commit = move(moveOf(ids[0]!))
    const first = await commit()
    expectSuccess(await owner.api.delete(`/messages/${ids[1]}`))
    const second = await commit()
    expect(second.earlier?.markedRead).toMatchObject({
      ids: [ids[0]],
      since: first.earlier?.markedRead?.since,
    })
    await finish(commit)
    for (const user of someNewMembers()) expect(await unreadOf(user, 'fewer')).toEqual([])
  }, 60_000)

  it('keeps its marks while other messages are moved', async () => {
    const id = await sendTo(owner, from.name, 'apart')
    const commit = move(moveOf(id))
    const first = await commit()
    const another = await sendTo(owner, from.name, 'elsewhere')
    const away = { send_notification_to_new_thread: false, stream_id: other.id }
    expectSuccess(await owner.api.patch(`/messages/${another}`, away))
    const second = await commit()
    expect(second.earlier?.markedRead?.since).toBe(first.earlier?.markedRead?.since)
    await finish(commit)
  }, 60_000)

  it('begins anew when thousands subscribe meanwhile', async () => {
    const id = await sendTo(owner, from.name, 'popular')
    const strangers = await insertUsers(realm, 1)
    const commit = move(moveOf(id))
    const first = await commit()
    const leave = (of: readonly TestUser[]) => ({
      subscriptions: JSON.stringify([to.name]),
      principals: of.map((one) => one.id),
    })
    const again = people.slice(1, AT_ONCE + 2)
    expectSuccess(await owner.api.delete('/users/me/subscriptions', leave(again)))
    const join = {
      subscriptions: [{ name: to.name }],
      principals: [...again, ...strangers].map((one) => one.id),
    }
    expectSuccess(await owner.api.post('/users/me/subscriptions', join))
    await commit()
    const third = await commit()
    const since = (step: typeof first) => step.earlier?.markedRead?.since ?? 0
    expect(since(third)).toBeGreaterThan(since(first))
    await finish(commit)
    for (const user of [...someNewMembers(), ...strangers])
      expect(await unreadOf(user, 'popular')).toEqual([])
  }, 60_000)

  it('moves messages that mention everybody a few at a time', async () => {
    const ids: number[] = []
    for (const content of ['@**all** one', 'two', '@**all** three', '@**all** four']) {
      ids.push(await sendTo(owner, from.name, 'calls', content))
    }
    const queue = await openQueue(people[0]!)
    const commit = beginMove(moveOf(ids[1]!))
    let last = (await commit()).value
    const written: number[] = []
    while (last.earlier) {
      const { value, rows } = await commit()
      written.push(rows.written)
      last = value
    }
    // Each row has one in an index. The rest of the blocks is written with them.
    expect(Math.max(...written)).toBeLessThan(2 * ROWS_OF_SLICE + AT_ONCE + 150)
    expect(3 * COUNT).toBeGreaterThan(ROWS_OF_SLICE + AT_ONCE)
    const events = await queue.eventsOf('update_message')
    expect(events.flatMap((event) => event.message_ids).toSorted((a, b) => a - b)).toEqual(ids)
    for (const user of someNewMembers()) {
      const { unread_msgs } = (await openQueue(user)).snapshot
      expect(unread_msgs.mentions.filter((id: number) => ids.includes(id))).toEqual([])
      const { message } = expectSuccess(await user.api.get(`/messages/${ids[0]}`))
      expect(message.flags).toEqual(['read'])
    }
    const { mentions } = (await openQueue(people[0]!)).snapshot.unread_msgs
    expect(mentions.filter((id: number) => ids.includes(id))).toEqual([ids[0], ids[2], ids[3]])
    // Thousands have a row of flags of the message, and those of whoever listens are read.
    const listener = await openQueue(people[1]!)
    const call = { topic: 'called', propagate_mode: 'change_one' }
    const { object: rows } = await countRows(owner.api, 'PATCH', `/messages/${ids[0]}`, call)
    expect(rows.read).toBeLessThan(COUNT)
    expect(await listener.eventsOf('update_message')).toMatchObject([
      { message_ids: [ids[0]], flags: ['read'] },
    ])
  }, 60_000)

  it('is not trusted after another move of the messages in between', async () => {
    const id = await sendTo(owner, from.name, 'moving')
    const commit = move(moveOf(id))
    const marked = await commit()
    const away = { send_notification_to_new_thread: false, propagate_mode: 'change_all' }
    const [, holder] = people as [TestUser, TestUser]
    expect(marked.earlier?.markedRead?.upTo).toBeGreaterThanOrEqual(holder.id)
    // The object forgets the mark, as if a user had lost the record of an unread message.
    await changeRealm(realm, (tx) => {
      const read = new ReadSet(tx.sql, findUser(tx.sql, holder.id)!)
      read.delete(id)
      read.save(tx.sql)
    })
    expectSuccess(await owner.api.patch(`/messages/${id}`, { ...away, stream_id: other.id }))
    expectSuccess(await owner.api.patch(`/messages/${id}`, { ...away, stream_id: from.id }))
    const again = await commit()
    expect(again.earlier?.markedRead?.since).toBeGreaterThan(marked.earlier!.markedRead!.since)
    await finish(commit)
    for (const user of someNewMembers()) expect(await unreadOf(user, 'moving')).toEqual([])
  }, 60_000)

  it('is one request for a client, with one event', async () => {
    const id = await sendTo(owner, from.name, 'whole')
    const queue = await openQueue(people[1]!)
    const { message_id, ...params } = moveOf(id)
    expectSuccess(await owner.api.patch(`/messages/${message_id}`, params))
    expect((await queue.eventsOf('update_message')).map((event) => event.message_ids)).toEqual([[id]])
    for (const user of someNewMembers()) expect(await unreadOf(user, 'whole')).toEqual([])
  }, 60_000)

  it('writes nothing for a request that is refused', async () => {
    const id = await sendTo(owner, from.name, 'refused')
    const before = await blocks()
    const { message_id, ...params } = moveOf(id)
    const refused = await ann.api.patch(`/messages/${message_id}`, params)
    expect([refused.status, refused.body.msg]).toEqual([400, 'Invalid channel ID'])
    expect(await blocks()).toEqual(before)
  })

  it('keeps a message read that a registration has found unread in an earlier turn', async () => {
    const first = await insertInIndex(realm, owner, { channelId: from.id, topic: 'much', count: 5_000 })
    const markRead = () =>
      changeRealm(realm, ({ sql }) => {
        const read = new ReadSet(sql, findUser(sql, ann.id)!)
        read.add(first)
        read.save(sql)
      })
    const types = { fetch_event_types: ['message', 'update_message_flags'] }
    const register = () => ann.api.post('/register', types)
    const { answer, turns } = await inWatchedSlices(realm, register, async (turn) => {
      if (turn === 2) await markRead()
    })
    expectSuccess(answer)
    expect(turns).toBeGreaterThan(1)
    const isRead = await inRealm(realm, ({ parts: { sql } }) => {
      const after = new ReadSet(sql, findUser(sql, ann.id)!)
      return [first, first + 1].map((id) => after.has(id))
    })
    expect(isRead).toEqual([true, false])
  })
})
