import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { realmStub } from '../../support/api.ts'
import { expectSuccess, type TestRealm } from '../../support/factories.ts'
import { insertMessages } from '../../support/inserted-messages.ts'
import { inRealm } from '../../support/inside.ts'
import { idsIn, sendDirect, sendTo } from '../../support/messages.ts'
import { pngOf } from '../../support/pictures.ts'
import { openQueue } from '../../support/queues.ts'
import { DAY, HOUR } from '../../support/times.ts'
import { readStatus, upload, uploadKey } from '../../support/uploads.ts'
import { buildRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

/** Sets the clock to this number of days, plus an hour, after the start of the test. */
function turnTo(days: number): void {
  world.clockOffset = days * DAY + HOUR
}

/** Runs the due jobs, and the jobs that they enqueue. */
async function runJobs(realm: TestRealm, runs = 2): Promise<void> {
  for (let run = 0; run < runs; run += 1) {
    world.clockOffset += 2
    await runDurableObjectAlarm(realmStub(realm.id))
  }
}

async function bodiesInD1(realm: TestRealm): Promise<number[]> {
  const { results } = await env.DB.prepare(`SELECT message_id FROM message_body WHERE realm_id = ?`)
    .bind(realm.id)
    .all<{ message_id: number }>()
  return results.map(({ message_id }) => message_id)
}

describe('a channel with a retention period', () => {
  it('deletes older messages for everybody, with reactions, flags and files', async () => {
    const { realm, ann, ben, eve, room, other } = await buildRealm(
      { ann: 'member', ben: 'member', eve: 'member' },
      { channels: { room: ['ann', 'ben'], other: ['ann', 'ben'] } },
    )
    const path = await upload(ann, pngOf(8, 8))
    const thumbnail = `${path.replace('/user_uploads/', '/user_uploads/thumbnail/')}/840x560.webp`
    expect(await readStatus(realm, thumbnail, ann)).toBe(200)
    const old = await sendTo(ann, room.id, 'plans', `xylophone [f](${path})`)
    const also = await sendTo(ann, room.id, 'other plans', 'xylophone')
    const spared = await sendTo(ann, other.id, 'plans', 'xylophone')
    expectSuccess(await ben.api.post(`/messages/${old}/reactions`, { emoji_name: 'smile' }))
    expectSuccess(await ben.api.post('/messages/flags', { messages: [old], op: 'add', flag: 'starred' }))
    expectSuccess(await realm.owner.api.patch(`/streams/${room.id}`, { message_retention_days: 7 }))
    // These are sent half a week later, so that they outlive the others.
    world.clockOffset = 3 * DAY
    const young = await sendTo(ann, room.id, 'plans', 'young xylophone')
    turnTo(6)
    await runJobs(realm)
    expect(await idsIn(ben, [{ operator: 'channel', operand: room.id }])).toContain(old)

    turnTo(8)
    const [anns, bens, eves] = [await openQueue(ann), await openQueue(ben), await openQueue(eve)]
    await runJobs(realm)
    const events = await bens.events()
    const gone = events.filter(({ type }) => type === 'delete_message')
    const ofTopic = (topic: string) => gone.find((event) => event.topic === topic)
    expect(ofTopic('plans')).toMatchObject({ message_type: 'stream', stream_id: room.id, message_ids: [old] })
    expect(ofTopic('other plans')).toMatchObject({ stream_id: room.id, message_ids: [also] })
    expect(events.filter(({ type }) => type === 'stream').at(-1)).toMatchObject({
      property: 'first_message_id',
      value: expect.any(Number),
    })
    expect(await eves.eventsOf('delete_message')).toEqual([])
    expect((await anns.eventsOf('attachment')).map(({ op }) => op)).toEqual(['update', 'remove'])

    expect(await idsIn(ben, [{ operator: 'channel', operand: room.id }])).toEqual([young])
    expect(await idsIn(ben, [{ operator: 'search', operand: 'xylophone' }])).toEqual([spared, young])
    expect((await openQueue(ben)).snapshot.starred_messages).not.toContain(old)
    const left = await inRealm(realm, ({ parts: { sql } }) =>
      ['reaction', 'message_flag', 'attachment_message'].map(
        (table) => sql.all(`SELECT 1 FROM ${table} WHERE message_id = ?`, old).length,
      ),
    )
    expect(left).toEqual([0, 0, 0])
    await expect.poll(() => bodiesInD1(realm)).toEqual(expect.arrayContaining([young, spared]))
    await expect.poll(() => bodiesInD1(realm)).not.toContain(old)
    const key = uploadKey(path)
    expect(await env.UPLOADS.head(key)).toBeNull()
    expect(await env.UPLOADS.head(`${key}/840x560.webp`)).toBeNull()
  })

  it('deletes many at a time, and resumes after a crash', async () => {
    const { realm, room } = await buildRealm(
      {},
      { channels: { room: { subscribers: ['owner'], message_retention_days: 1 } } },
    )
    const ids: number[] = []
    for (const topic of ['first', 'second', 'third']) {
      ids.push(
        ...(await insertMessages(realm, realm.owner, { channelId: room.id, topic, count: 44, length: 10 })),
      )
    }
    turnTo(2)
    world.crashAt = 'committed'
    await runJobs(realm, 1).catch(() => {})
    expect(world.crashAt).toBe(undefined)
    // All messages are left, and the notice of the channel's creation: a commit that fails is undone as a whole.
    const left = await idsIn(realm.owner, [{ operator: 'channel', operand: room.id }])
    expect(left).toHaveLength(ids.length + 1)
    world.clockOffset += 10
    await runJobs(realm)
    expect(await idsIn(realm.owner, [{ operator: 'channel', operand: room.id }])).toEqual([])
  })
})

describe('an organization with a retention period', () => {
  it('deletes direct messages, and those in channels without their own period', async () => {
    const { realm, ann, plain, kept } = await buildRealm(
      { ann: 'member' },
      { channels: { plain: ['owner', 'ann'], kept: ['owner', 'ann'] } },
    )
    const inPlain = await sendTo(ann, plain.id, 't')
    const inKept = await sendTo(ann, kept.id, 't')
    const direct = await sendDirect(ann, [realm.owner])
    expectSuccess(await realm.owner.api.patch(`/streams/${kept.id}`, { message_retention_days: 'unlimited' }))
    expectSuccess(await realm.owner.api.patch('/realm', { message_retention_days: 2 }))
    turnTo(3)
    const queue = await openQueue(ann)
    await runJobs(realm)
    const gone = (await queue.eventsOf('delete_message')).flatMap(({ message_ids }) => message_ids)
    expect(gone).toEqual(expect.arrayContaining([inPlain, direct]))
    expect(gone).not.toContain(inKept)
    expect(await idsIn(ann, [{ operator: 'is', operand: 'dm' }])).toEqual([])
    expect(await idsIn(ann, [{ operator: 'channel', operand: kept.id }])).toContain(inKept)
  })

  it('deletes nothing if undone within a day, and nothing by default', async () => {
    const { realm } = await buildRealm()
    const id = await sendTo(realm.owner, 'sandbox', 't')
    const jobs = () =>
      inRealm(
        realm,
        ({ parts: { sql } }) => sql.all(`SELECT 1 FROM job WHERE kind = 'expire-messages'`).length,
      )
    expect(await jobs()).toBe(0)
    expectSuccess(await realm.owner.api.patch('/realm', { message_retention_days: 1 }))
    expect(await jobs()).toBe(1)
    expectSuccess(await realm.owner.api.patch('/realm', { message_retention_days: 'unlimited' }))
    turnTo(30)
    await runJobs(realm)
    expect(await jobs()).toBe(0)
    expectSuccess(await realm.owner.api.get(`/messages/${id}`))
  })
})
