import { describe, expect, it } from 'vitest'
import { runAlarms } from '../support/alarms.ts'
import { locationsOf, newMark, pass } from '../support/deleted-marks.ts'
import { buildChannel, buildUser, expectSuccess } from '../support/factories.ts'
import { inRealm } from '../support/inside.ts'
import { Mailbox } from '../support/mailbox.ts'
import { sendTo } from '../support/messages.ts'
import { SubscribedBrowser, serveBrowsers } from '../support/push-service.ts'
import { openQueue } from '../support/queues.ts'
import { dumpRealm, locationsWith } from '../support/stores.ts'
import { DAY, HOUR, MINUTE, WEEK } from '../support/times.ts'
import { readStatus, upload } from '../support/uploads.ts'
import { buildRealm, useRealm, useRealmPerTest } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

describe('names of topics that deleted messages were moved from and to', () => {
  const { realm, first, second } = useRealm({}, { channels: { first: ['owner'], second: ['owner'] } })
  const move = async (id: number, params: object) => {
    // Notices are messages of their own.
    const quiet = { send_notification_to_old_thread: false, send_notification_to_new_thread: false }
    expectSuccess(
      await realm.owner.api.patch(`/messages/${id}`, { propagate_mode: 'change_one', ...quiet, ...params }),
    )
  }
  const moveAll = (id: number, topic: string) => move(id, { topic, propagate_mode: 'change_all' })
  const remove = async (id: number) => expectSuccess(await realm.owner.api.delete(`/messages/${id}`))
  const inMoves = async (mark: string) => (await locationsOf(realm, mark)).includes('object message_move')
  const topicsOf = async (id: number) => {
    const { message_history } = expectSuccess(await realm.owner.api.get(`/messages/${id}/history`))
    return message_history.map(({ topic }: { topic: string }) => topic)
  }
  /** A month later the names of the topics are gone too, wherever the messages were. */
  const expectNowhereLater = async (...marks: string[]) => {
    for (let day = 0; day < 31; day += 1) {
      await pass(realm, DAY)
      // Entries that D1 does not have yet still contain the mark.
      await inRealm(realm, ({ parts }) => parts.projector.kick())
    }
    for (const mark of marks) {
      // Users' policies for topics belong to the users.
      const locations = (await locationsOf(realm, mark)).filter(
        (location) => location !== 'object user_topic',
      )
      expect(locations, mark).toEqual([])
    }
  }

  it('are removed with them, however they were moved', async () => {
    const [single, whole, both] = [newMark('single'), newMark('whole'), newMark('both')]
    const ids = await Promise.all(
      [single, whole, both].map((mark) => sendTo(realm.owner, first.id, `${mark} one`, 'text')),
    )
    const [singleId, wholeId, bothId] = ids as [number, number, number]
    await move(singleId, { topic: `${single} TWO` })
    await move(singleId, { topic: `${single} three`, stream_id: second.id })
    await move(singleId, { stream_id: first.id })
    for (const name of ['two', 'three', 'TWO']) await moveAll(wholeId, `${whole} ${name}`)
    const stays = await sendTo(realm.owner, first.id, `${both} one`, 'text')
    await moveAll(bothId, `${both} two`)
    await move(bothId, { topic: `${both} three` })
    await moveAll(bothId, `${both} four`)
    for (const mark of [single, whole, both]) expect(await inMoves(mark)).toBe(true)
    expect(await topicsOf(bothId)).toEqual(['one', 'two', 'three', 'four'].map((name) => `${both} ${name}`))

    for (const id of [singleId, wholeId, bothId]) await remove(id)
    expect(await inMoves(single)).toBe(false)
    expect(await inMoves(whole)).toBe(false)
    // The rest of the topic keeps its history.
    expect(await topicsOf(stays)).toEqual([`${both} one`, `${both} two`])
    expect(locationsWith(await dumpRealm(realm), `${both} three`).join()).not.toContain('message_move')
    await remove(stays)
    expect(await inMoves(both)).toBe(false)
    await expectNowhereLater(single, whole, both)
  })

  it('remain for the other moved messages, until the last is deleted', async () => {
    const mark = newMark('together')
    const ids = [
      await sendTo(realm.owner, first.id, `${mark} one`, 'text'),
      await sendTo(realm.owner, first.id, `${mark} ONE`, 'text'),
      await sendTo(realm.owner, first.id, `${mark} one`, 'text'),
    ] as const
    // The move to another channel writes a row for each spelling; one of them records for all of them who received them.
    await move(ids[0], { topic: `${mark} two`, stream_id: second.id, propagate_mode: 'change_all' })
    const late = await sendTo(realm.owner, second.id, `${mark} two`, 'text')
    await remove(ids[0])
    expect(await topicsOf(ids[2])).toEqual([`${mark} one`, `${mark} two`])
    expect(await topicsOf(ids[1])).toEqual([`${mark} ONE`, `${mark} two`])
    await remove(ids[2])
    expect(await topicsOf(ids[1])).toEqual([`${mark} ONE`, `${mark} two`])
    await remove(ids[1])
    expect(await inMoves(mark)).toBe(false)
    expect(await topicsOf(late)).toEqual([`${mark} two`])
    await remove(late)
    await expectNowhereLater(mark)
  })

  it('are removed with what retention deletes, though newer messages remain', async () => {
    const mark = newMark('retention')
    const { id } = await buildChannel([realm.owner])
    expectSuccess(await realm.owner.api.patch(`/streams/${id}`, { message_retention_days: 2 }))
    const old = await sendTo(realm.owner, id, `${mark} one`, 'text')
    await moveAll(old, `${mark} two`)
    await pass(realm, 2 * DAY - HOUR)
    const fresh = await sendTo(realm.owner, id, `${mark} two`, 'text')
    expect(locationsWith(await dumpRealm(realm), `${mark} one`).join()).toContain('message_move')
    await pass(realm, DAY + 2 * HOUR)
    expect((await realm.owner.api.get(`/messages/${old}`)).status).toBe(400)
    expect(locationsWith(await dumpRealm(realm), `${mark} one`).join()).not.toContain('message_move')
    expect(await topicsOf(fresh)).toEqual([`${mark} two`])
    await moveAll(fresh, `${mark} three`)
    expect(await topicsOf(fresh)).toEqual([`${mark} two`, `${mark} three`])
    await pass(realm, 3 * DAY)
    await expectNowhereLater(mark)
  })

  it('are not needed for access: recipients of moved messages keep them', async () => {
    const reader = await buildUser(realm)
    const from = await buildChannel([realm.owner, reader])
    const into = await buildChannel([realm.owner, reader], {
      invite_only: true,
      history_public_to_subscribers: false,
    })
    const ids = [
      await sendTo(realm.owner, from.id, 'plans', 'first'),
      await sendTo(realm.owner, from.id, 'PLANS', 'second'),
    ] as const
    await move(ids[0], { topic: 'moved', stream_id: into.id, propagate_mode: 'change_all' })
    const newMember = await buildUser(realm)
    expectSuccess(
      await realm.owner.api.post('/users/me/subscriptions', {
        subscriptions: [{ name: into.name }],
        principals: [newMember.id],
      }),
    )
    const reads = async () => [
      (await reader.api.get(`/messages/${ids[1]}`)).status,
      (await newMember.api.get(`/messages/${ids[1]}`)).status,
    ]
    expect(await reads()).toEqual([200, 400])
    await remove(ids[0])
    expect(await reads()).toEqual([200, 400])
  })
})

describe('pending deliveries about a deleted message', () => {
  it('contain nothing of it: mail, browser notifications, stored answers', async () => {
    const mailbox = new Mailbox()
    const laptop = await SubscribedBrowser.open()
    mailbox.open()
    serveBrowsers([laptop])
    mailbox.answer = () => new Response('busy', { status: 503 })
    laptop.status = 503
    const { realm } = await buildRealm()
    mailbox.isFor(realm)
    const { owner } = realm
    const reader = await buildUser(realm)
    const channel = await buildChannel([owner, reader])
    expectSuccess(await reader.api.get('/web_push/key'))
    await laptop.subscribe(reader)
    const mark = newMark('pushed')
    const ids: number[] = []
    const once = () => ({ headers: { 'Idempotency-Key': crypto.randomUUID() } })
    const [direct, inChannel] = [
      { type: 'direct', to: [reader.id] },
      { type: 'channel', to: channel.id, topic: 'plans' },
    ]
    for (const location of [direct, inChannel]) {
      const message = { ...location, content: `@**${reader.fullName}** ${mark}` }
      ids.push(expectSuccess(await owner.api.request('POST', '/messages', message, once())).id)
    }
    // A quotation belongs to its author, and stays until they delete it.
    const draft = { type: 'private', to: [owner.id], topic: '', content: `> ${mark}` }
    const { ids: drafts } = expectSuccess(
      await reader.api.request('POST', '/drafts', { drafts: [draft] }, once()),
    )
    for (let time = 0; time < 3; time += 1) await mailbox.deliver()
    const waiting = ['missed_mail', 'pending_push', 'first_answer']
    const counts = () =>
      inRealm(realm, (_object, { storage: { sql } }) =>
        waiting.map((table) => [table, sql.exec(`SELECT count(*) AS n FROM ${table}`).one().n]),
      )
    for (const [table, count] of await counts()) expect([table, Number(count) > 0]).toEqual([table, true])

    for (const id of ids) expectSuccess(await owner.api.delete(`/messages/${id}`))
    expectSuccess(await reader.api.delete(`/drafts/${drafts[0]}`))
    // D1 gets the change within seconds.
    await runAlarms(realm, 6, 2)
    const left = async () => (await locationsOf(realm, mark)).filter((location) => location !== 'object log')
    await expect.poll(left, { timeout: 5_000 }).toEqual([])
  })
})

describe('the log', () => {
  const { realm } = useRealmPerTest()

  it('keeps nothing for a client that polls but never acknowledges', async () => {
    const channel = await buildChannel([realm.owner])
    const stuck = await openQueue(realm.owner, { queue_lifespan_secs: WEEK })
    const mark = newMark('stuck')
    const id = await sendTo(realm.owner, channel.id, 'plans', mark)
    expectSuccess(await realm.owner.api.delete(`/messages/${id}`))
    const ask = () =>
      realm.owner.api.get('/events', { queue_id: stuck.id, last_event_id: -1, dont_block: true })
    for (let day = 0; day < 6; day += 1) {
      await pass(realm, DAY)
      expectSuccess(await ask())
    }
    expect(await locationsOf(realm, mark)).toEqual(['object log'])
    await pass(realm, DAY + HOUR)
    await pass(realm, 10 * MINUTE)
    expect((await ask()).body).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' })
    expect(await locationsOf(realm, mark)).toEqual([])
  })

  it('keeps deleted texts only for minutes without listeners', async () => {
    const channel = await buildChannel([realm.owner])
    const mark = newMark('quiet')
    const id = await sendTo(realm.owner, channel.id, 'plans', mark)
    expectSuccess(await realm.owner.api.delete(`/messages/${id}`))
    expect(await locationsOf(realm, mark)).toContain('object log')
    for (let turn = 0; turn < 3; turn += 1) {
      world.clockOffset += 5 * MINUTE
      await runAlarms(realm, 2, 2)
    }
    expect(await locationsOf(realm, mark)).toEqual([])
  })
})

describe('a file', () => {
  const { realm } = useRealm()

  it('with no message left is kept a month, or longer when linked again', async () => {
    const channel = await buildChannel([realm.owner])
    const [gone, kept, never] = [newMark('gone'), newMark('kept'), newMark('never')]
    const urls = await Promise.all(
      [gone, kept, never].map((mark) => upload(realm.owner, { name: `${mark}.txt`, content: mark })),
    )
    const ids = []
    for (const url of urls.slice(0, 2))
      ids.push(await sendTo(realm.owner, channel.id, 'files', `[file](${url})`))
    await pass(realm, 20 * DAY)
    for (const id of ids) expectSuccess(await realm.owner.api.delete(`/messages/${id}`))
    await pass(realm, 11 * DAY)
    expect(await locationsOf(realm, never)).toEqual([])
    await sendTo(realm.owner, channel.id, 'files', `[again](${urls[1]})`)
    await pass(realm, 20 * DAY)
    expect(await locationsOf(realm, gone)).toEqual([])
    expect(await readStatus(realm, urls[1]!, realm.owner)).toBe(200)
  })
})

it('a write that D1 refused is deleted with its message', async () => {
  const { realm } = await buildRealm()
  const channel = await buildChannel([realm.owner])
  const mark = newMark('refused')
  world.d1 = async (call, kind) => {
    if (kind === 'batch') throw new Error('D1_ERROR: string or blob too big: SQLITE_TOOBIG')
    return call()
  }
  const [id, other] = [
    await sendTo(realm.owner, channel.id, 'plans', mark),
    await sendTo(realm.owner, channel.id, 'plans', `${mark} as well`),
  ]
  for (
    let turn = 0;
    turn < 20 && !(await locationsOf(realm, mark)).includes('object refused_entry');
    turn += 1
  ) {
    await runAlarms(realm, 2, 2)
  }
  world.d1 = (call) => call()
  for (const each of [id, other]) expectSuccess(await realm.owner.api.delete(`/messages/${each}`))
  for (let turn = 0; turn < 4; turn += 1) await pass(realm, 10 * MINUTE)
  expect(await locationsOf(realm, mark)).toEqual([])
})
