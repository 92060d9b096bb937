import { beforeEach, describe, expect, it, vi } from 'vitest'
import { makeBackup, runDueJobs, runUntil } from '../../support/backups.ts'
import { keepAlarmsAway } from '../../support/exports.ts'
import {
  buildChannel,
  buildUser,
  expectSuccess,
  type TestRealm,
  type TestUser,
} from '../../support/factories.ts'
import { idsIn, sendDirect, sendTo } from '../../support/messages.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { DAY } from '../../support/times.ts'
import { readStatus, upload } from '../../support/uploads.ts'
import { buildRealm, useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm } = useRealm()

beforeEach(() => {
  keepAlarmsAway()
  vi.spyOn(console, 'error').mockImplementation(() => {})
})

async function giveBack(
  of: TestRealm,
  backupId: number,
  part: { stream_id?: number; topic?: string; user_id?: number },
  meanwhile: () => void = () => {},
) {
  const { id } = expectSuccess(await of.owner.api.post(`/backups/${backupId}/parts`, part))
  return untilGiven(of, backupId, id, meanwhile)
}

async function untilGiven(of: TestRealm, backupId: number, id: number, meanwhile: () => void = () => {}) {
  const find = async () => {
    const { parts } = expectSuccess(await of.owner.api.get(`/backups/${backupId}/parts`))
    return parts.find((each: { id: number }) => each.id === id)
  }
  await runUntil(of.id, async () => (await find()).finished_at !== null, meanwhile)
  return (await find()).counts
}

async function messageAt(reader: TestUser, id: number) {
  return expectSuccess(await reader.api.get(`/messages/${id}`, { apply_markdown: false })).message
}

async function pass(of: TestRealm): Promise<void> {
  world.clockOffset += 1_000
  for (let run = 0; run < 3; run += 1) await runDueJobs(of.id)
}

async function remove(by: TestUser, ids: readonly number[]): Promise<void> {
  for (const id of ids) expectSuccess(await by.api.delete(`/messages/${id}`))
}

describe('a part that is given back', () => {
  it('has its messages with their ids, times, senders and texts', async () => {
    const { realm: of } = await buildRealm()
    const ann = await buildUser(of)
    const channel = await buildChannel([of.owner, ann])
    const first = await sendTo(ann, channel.id, 'plans', 'the first **text**')
    world.clockOffset += 100
    const second = await sendTo(ann, channel.id, 'other', 'the second text')
    expectSuccess(await ann.api.patch(`/messages/${second}`, { content: 'the second text, edited' }))
    const before = [await messageAt(ann, first), await messageAt(ann, second)]
    const backup = await makeBackup(of)
    await remove(of.owner, [first, second])
    const later = await sendTo(ann, channel.id, 'plans', 'written since')
    const counts = await giveBack(of, backup, { stream_id: channel.id })
    expect(counts).toMatchObject({ messages: 2, hidden: 0, without_text: 0 })
    expect([await messageAt(ann, first), await messageAt(ann, second)]).toEqual(
      before.map((message) => ({ ...message, flags: expect.any(Array) })),
    )
    expect(await idsIn(ann, [{ operator: 'channel', operand: channel.id }])).toEqual(
      expect.arrayContaining([first, second, later]),
    )
    expect(await idsIn(ann, [{ operator: 'search', operand: 'second' }])).toContain(second)
  })

  it('leaves alone what is there, as it is now', async () => {
    const { realm: of } = await buildRealm()
    const channel = await buildChannel([of.owner])
    const id = await sendTo(of.owner, channel.id, 'plans', 'before')
    const backup = await makeBackup(of)
    expectSuccess(await of.owner.api.patch(`/messages/${id}`, { content: 'after' }))
    const counts = await giveBack(of, backup, { stream_id: channel.id })
    expect(counts).toMatchObject({ messages: 0 })
    expect(counts.left_alone).toBeGreaterThan(0)
    expect((await messageAt(of.owner, id)).content).toBe('after')
  })

  it('may be a topic, by its name then or today', async () => {
    const { realm: of } = await buildRealm()
    const channel = await buildChannel([of.owner])
    const meant = [await sendTo(of.owner, channel.id, 'plans'), await sendTo(of.owner, channel.id, 'Plans')]
    const stays = await sendTo(of.owner, channel.id, 'plans')
    const other = await sendTo(of.owner, channel.id, 'other')
    const backup = await makeBackup(of)
    await remove(of.owner, [...meant, other])
    expectSuccess(
      await of.owner.api.patch(`/messages/${stays}`, { topic: 'renamed', propagate_mode: 'change_all' }),
    )
    expect(await giveBack(of, backup, { stream_id: channel.id, topic: 'plans' })).toMatchObject({
      messages: 2,
    })
    await remove(of.owner, meant)
    expect(await giveBack(of, backup, { stream_id: channel.id, topic: 'renamed' })).toMatchObject({
      messages: 2,
    })
    const narrow = [
      { operator: 'channel', operand: channel.id },
      { operator: 'topic', operand: 'renamed' },
    ]
    expect(await idsIn(of.owner, narrow)).toEqual(expect.arrayContaining([...meant, stays]))
  })

  it('may be what a person had sent, as far as the owner may read it', async () => {
    const { realm: of } = await buildRealm()
    const [ann, ben] = [await buildUser(of), await buildUser(of)]
    const secret = await buildChannel([ann, ben], { invite_only: true })
    const visible = [await sendTo(ann, 'sandbox', 'plans'), await sendDirect(ann, [of.owner])]
    const hidden = [await sendTo(ann, secret.id, 'plans'), await sendDirect(ann, [ben])]
    const others = await sendTo(of.owner, 'sandbox', 'plans')
    const backup = await makeBackup(of)
    await remove(ann, [...visible, ...hidden])
    await remove(of.owner, [others])
    expect(await giveBack(of, backup, { user_id: ann.id })).toMatchObject({ messages: 2, hidden: 2 })
    for (const id of visible) expect((await messageAt(of.owner, id)).sender_id).toBe(ann.id)
    for (const id of hidden) expectRefusal(await ann.api.get(`/messages/${id}`), 'Invalid message(s)')
    expectRefusal(await of.owner.api.get(`/messages/${others}`), 'Invalid message(s)')
  })

  it('has reactions, polls, stars and mentions, and is read', async () => {
    const { realm: of } = await buildRealm()
    const ann = await buildUser(of)
    const channel = await buildChannel([of.owner, ann])
    const id = await sendTo(of.owner, channel.id, 'plans', `@**${ann.fullName}** look`)
    const poll = await sendTo(of.owner, channel.id, 'plans', '/poll Lunch?\nsoup\nbread')
    expectSuccess(await ann.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }))
    expectSuccess(await ann.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' }))
    const before = [await messageAt(ann, id), await messageAt(ann, poll)]
    const backup = await makeBackup(of)
    await remove(of.owner, [id, poll])
    await giveBack(of, backup, { stream_id: channel.id })
    const after = [await messageAt(ann, id), await messageAt(ann, poll)]
    expect(after[0].reactions).toEqual(before[0].reactions)
    expect(after[1].submessages.map(({ content }: { content: string }) => content)).toEqual(
      before[1].submessages.map(({ content }: { content: string }) => content),
    )
    expect(after[0].flags.sort()).toEqual(['mentioned', 'read', 'starred'])
  })

  it('has its files, also those that were deleted', async () => {
    const { realm: of } = await buildRealm()
    const ann = await buildUser(of)
    const channel = await buildChannel([of.owner, ann])
    const path = await upload(of.owner, { name: 'a.txt', content: 'the bytes' })
    const id = await sendTo(of.owner, channel.id, 'plans', `[a.txt](${path})`)
    const backup = await makeBackup(of)
    const { attachments } = expectSuccess(await of.owner.api.get('/attachments'))
    await remove(of.owner, [id])
    expectSuccess(await of.owner.api.delete(`/attachments/${attachments[0].id}`))
    await runUntil(of.id, async () => (await readStatus(of, path, of.owner)) === 404)
    expect(await giveBack(of, backup, { stream_id: channel.id })).toMatchObject({ messages: 1, files: 1 })
    expect(await readStatus(of, path, ann)).toBe(200)
    const { attachments: after } = expectSuccess(await of.owner.api.get('/attachments'))
    expect(after).toMatchObject([{ name: 'a.txt', size: 9, messages: [{ id }] }])
  })

  it('comes into a topic of the same name if its own is gone', async () => {
    const { realm: of } = await buildRealm()
    const channel = await buildChannel([of.owner])
    const id = await sendTo(of.owner, channel.id, 'plans')
    const backup = await makeBackup(of)
    await remove(of.owner, [id])
    // Empty topics are forgotten after a month. The backup is kept, since it is being read.
    const { id: reading } = expectSuccess(
      await of.owner.api.post(`/backups/${backup}/parts`, { stream_id: channel.id }),
    )
    world.store = () => Promise.reject(new Error('down'))
    world.clockOffset += 33 * DAY
    for (let run = 0; run < 3; run += 1) await runDueJobs(of.id)
    world.store = (call) => call()
    await sendTo(of.owner, channel.id, 'plans')
    await untilGiven(of, backup, reading)
    const narrow = [
      { operator: 'channel', operand: channel.id },
      { operator: 'topic', operand: 'plans' },
    ]
    expect(await idsIn(of.owner, narrow)).toContain(id)
  })

  it('makes clients register again, and notifies nobody', async () => {
    const { realm: of } = await buildRealm()
    const ann = await buildUser(of)
    const channel = await buildChannel([of.owner, ann])
    const id = await sendTo(of.owner, channel.id, 'plans', `@**${ann.fullName}** look`)
    const backup = await makeBackup(of)
    await remove(of.owner, [id])
    const { queue_id } = expectSuccess(await ann.api.post('/register'))
    world.settings = { ...world.settings, EMAIL_API_URL: 'https://mail.example.test/send' }
    const mailed = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response('{}'))
    await giveBack(of, backup, { stream_id: channel.id })
    expectRefusal(
      await ann.api.get('/events', { queue_id, last_event_id: -1, dont_block: true }),
      expect.any(String),
      {
        code: 'BAD_EVENT_QUEUE_ID',
      },
    )
    expect(await idsIn(ann, [{ operator: 'is', operand: 'unread' }])).not.toContain(id)
    await pass(of)
    expect(mailed).not.toHaveBeenCalled()
    await sendTo(of.owner, channel.id, 'plans', `@**${ann.fullName}** look`)
    await pass(of)
    expect(mailed).toHaveBeenCalled()
  })

  it('is whole, and given once, after a crash at any point', async () => {
    const { realm: of } = await buildRealm()
    const channel = await buildChannel([of.owner])
    const path = await upload(of.owner, { name: 'a.txt', content: 'the bytes' })
    const ids = [await sendTo(of.owner, channel.id, 'plans', `[a.txt](${path})`)]
    for (let at = 0; at < 120; at += 1) ids.push(await sendTo(of.owner, channel.id, 'plans', `text ${at}`))
    expectSuccess(await of.owner.api.post(`/messages/${ids[5]}/reactions`, { emoji_name: 'tada' }))
    const backup = await makeBackup(of)
    await remove(of.owner, ids)
    let crashes = 0
    const counts = await giveBack(of, backup, { stream_id: channel.id }, () => {
      crashes += 1
      world.crashAt = 'importing'
      world.clockOffset += 1_000
    })
    expect(crashes).toBeGreaterThan(10)
    expect(counts).toMatchObject({ messages: ids.length, without_text: 0 })
    const narrow = [
      { operator: 'channel', operand: channel.id },
      { operator: 'topic', operand: 'plans' },
    ]
    expect(await idsIn(of.owner, narrow)).toEqual(ids)
    expect((await messageAt(of.owner, ids[5]!)).reactions).toHaveLength(1)
    expect((await messageAt(of.owner, ids[120]!)).content).toBe('text 119')
  })

  it('has nothing of people whose personal data was deleted', async () => {
    const { realm: of } = await buildRealm()
    const ann = await buildUser(of)
    const id = await sendTo(ann, 'sandbox', 'plans')
    const backup = await makeBackup(of)
    await remove(of.owner, [id])
    expectSuccess(await of.owner.api.delete(`/users/${ann.id}`, { actions: { delete_profile: true } }))
    expect(await giveBack(of, backup, { user_id: ann.id })).toMatchObject({
      messages: 0,
      of_deleted_people: 1,
    })
  })
})

describe('giving back', () => {
  it.each([
    ['GET', '/backups/1/parts'],
    ['POST', '/backups/1/parts'],
  ])('%s %s is for owners', async (method, path) => {
    const [admin, moderator, member, guest, gone] = await Promise.all([
      buildUser(realm, { role: 200 }),
      buildUser(realm, { role: 300 }),
      buildUser(realm),
      buildUser(realm, { role: 600 }),
      buildUser(realm),
    ])
    expectSuccess(await realm.owner.api.delete(`/users/${gone.id}`))
    for (const { api } of [admin, moderator, member, guest])
      expectRefusal(await api.request(method, path), 'Must be an organization owner', {
        code: 'UNAUTHORIZED_PRINCIPAL',
      })
    expectUnauthorized(await realm.anonymous.request(method, path))
    expect((await gone.api.request(method, path)).status).toBe(401)
    const headers = { Authorization: `Basic ${btoa(`${realm.owner.email}:${realm.owner.apiKey}`)}` }
    const { realm: other } = await buildRealm()
    expect((await other.anonymous.request(method, path, {}, { headers })).status).toBe(401)
  })

  it('refuses channels that the owner may not read as absent', async () => {
    const { realm: of } = await buildRealm()
    const ann = await buildUser(of)
    const secret = await buildChannel([ann], { invite_only: true })
    for (const stream_id of [secret.id, 9_999])
      expectRefusal(await of.owner.api.post('/backups/1/parts', { stream_id }), 'Invalid channel ID')
    expectRefusal(await of.owner.api.post('/backups/1/parts', { user_id: 9_999 }), 'No such user')
    for (const part of [{}, { stream_id: 1, user_id: 1 }, { user_id: 1, topic: 'plans' }])
      expectRefusal(
        await of.owner.api.post('/backups/1/parts', part),
        'Name either a channel, with or without a topic, or a user.',
      )
    expectRefusal(await of.owner.api.post('/backups/1/parts', { user_id: ann.id }), 'Invalid backup ID')
  })
})
