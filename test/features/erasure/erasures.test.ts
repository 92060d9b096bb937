import { beforeEach, describe, expect, it, vi } from 'vitest'
import { runAlarms } from '../../support/alarms.ts'
import { keepAlarmsAway } from '../../support/exports.ts'
import { buildChannel, buildUser, createBot, expectSuccess, type TestUser } from '../../support/factories.ts'
import { insertInIndex } from '../../support/inserted-messages.ts'
import { inRealm } from '../../support/inside.ts'
import { CHANGES_OF_COMMIT } from '../../support/limits.ts'
import { sendTo } from '../../support/messages.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { DAY } from '../../support/times.ts'
import { readStatus, upload } from '../../support/uploads.ts'
import { buildRealm, useRealmPerTest } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm, admin, moderator, ann, ben, guest } = useRealmPerTest({
  admin: 'administrator',
  moderator: 'moderator',
  ann: 'member',
  ben: 'member',
  guest: 'guest',
})

beforeEach(() => {
  keepAlarmsAway()
  vi.spyOn(console, 'error').mockImplementation(() => {})
})

const erase = (user: Pick<TestUser, 'id'>, by: TestUser = realm.owner, messages = 'keep') =>
  by.api.post(`/users/${user.id}/erase`, { messages })

const listed = async () => expectSuccess(await realm.owner.api.get('/realm/erasures')).erasures

async function nameOf(id: number): Promise<string> {
  return expectSuccess(await ben.api.get(`/users/${id}`)).user.full_name
}

describe('erasing a person', () => {
  it('is for owners alone, and others learn nothing of it', async () => {
    const deactivated = await buildUser(realm, { role: 100 })
    expectSuccess(await realm.owner.api.delete(`/users/${deactivated.id}`))
    const { realm: other } = await buildRealm()
    for (const user of [admin, moderator, ben, guest, ann]) {
      for (const refused of [await erase(ann, user), await user.api.get('/realm/erasures')])
        expectRefusal(refused, 'Must be an organization owner', { code: 'UNAUTHORIZED_PRINCIPAL' })
    }
    expect((await realm.anonymous.post(`/users/${ann.id}/erase`, { messages: 'keep' })).status).toBe(401)
    expect((await erase(ann, deactivated)).status).toBe(401)
    expectRefusal(await erase({ id: 999_999 }, other.owner), 'No such user')
    expect(await nameOf(ann.id)).toBe(ann.fullName)
  })

  it('is refused for bots, the last owner, and accounts on hold', async () => {
    const bot = await createBot(ann, 'Held Bot')
    expectRefusal(await erase(bot), 'No such user')
    expectRefusal(await erase(realm.owner), 'Cannot erase the only organization owner')
    for (const held of [ann, bot]) {
      const of = { user_id: held.id, reason: 'Case 12' }
      const { id } = expectSuccess(await realm.owner.api.post('/realm/holds', of))
      expectRefusal(await erase(ann), 'This account is on hold, so nothing of it can be deleted.')
      expectSuccess(await realm.owner.api.delete(`/realm/holds/${id}`))
    }
    const wrong = await realm.owner.api.post(`/users/${ann.id}/erase`, { messages: 'some' })
    expect(wrong).toMatchObject({ status: 400 })
    expect(await nameOf(ann.id)).toBe(ann.fullName)
  })

  it('closes the account and renames it at once, for everybody who sees it', async () => {
    const queues = [await openQueue(ben), await openQueue(admin)]
    const own = await openQueue(ann)
    expectSuccess(await erase(ann))
    for (const queue of queues) {
      const people = (await queue.eventsOf('realm_user')).map(({ person }) => person)
      expect(people).toContainEqual({ user_id: ann.id, is_active: false })
      expect(people).toContainEqual({ user_id: ann.id, full_name: `Deleted user ${ann.id}` })
      expect(people).toContainEqual({ user_id: ann.id, new_email: `deleteduser${ann.id}@${realm.host}` })
    }
    expect(await own.events().catch(() => 'ended')).toBe('ended')
    expect((await ann.api.get('/users/me')).status).toBe(401)
    expectRefusal(await erase(ann), 'This person is being erased.')
    expectRefusal(await admin.api.post(`/users/${ann.id}/reactivate`), 'Deleted users cannot be reactivated.')
    const { entries } = expectSuccess(await realm.owner.api.get('/audit_log', { limit: 1 }))
    expect(entries[0]).toMatchObject({
      action: 'user_erased',
      details: { user_id: ann.id, erasure_id: 1 },
    })
  })

  it('of oneself is for an owner who is not the last one', async () => {
    const second = await buildUser(realm, { role: 100 })
    expectSuccess(await erase(second, second))
    await runAlarms(realm, 6, 2)
    expect(await listed()).toMatchObject([{ user_id: second.id, finished_at: expect.any(Number) }])
  })

  it('ends by itself when it is cut after any commit', async () => {
    const channel = await buildChannel([ann, ben])
    await insertInIndex(realm, ann, { channelId: channel.id, topic: 'long', count: 2 * CHANGES_OF_COMMIT })
    const file = await upload(ann, { name: 'a.txt', content: 'bytes' })
    expectSuccess(await ann.api.post('/saved_snippets', { title: 'one', content: 'two' }))
    for (const name of ['One Bot', 'Two Bot', 'Three Bot', 'Four Bot', 'Five Bot']) await createBot(ann, name)
    expectSuccess(await erase(ann, realm.owner, 'remove'))
    let [commits, stops] = [0, 0]
    // Every second commit that has events is the last of its object.
    world.stopsAt = (point) => {
      if (point !== 'committed') return false
      commits += 1
      stops += commits % 2 === 0 ? 1 : 0
      return commits % 2 === 0
    }
    for (let run = 0; run < 60 && (await listed())[0].finished_at === null; run += 1)
      await runAlarms(realm, 1, 130).catch(() => {})
    world.stopsAt = () => false
    expect(stops).toBeGreaterThan(3)
    const [erasure] = await listed()
    expect(erasure).toMatchObject({
      finished_at: expect.any(Number),
      object: { saved_snippet: 1, attachment: 1 },
      files: { uploads: 1, bytes: 5 },
    })
    expect(erasure.object.message_index).toBeGreaterThanOrEqual(2 * CHANGES_OF_COMMIT)
    expect(await readStatus(realm, file, ben)).toBe(404)
    const left = await inRealm(realm, ({ parts: { sql } }) => [
      ...sql.all('SELECT id FROM message_index WHERE sender_id = ?', ann.id),
      ...sql.all(`SELECT key FROM meta WHERE key LIKE 'continuation:erase-person:%'`),
      ...sql.all(`SELECT key FROM job WHERE kind = 'finish-change'`),
    ])
    expect(left).toEqual([])
  })

  it('leaves what is on hold in a channel, and a later one takes it', async () => {
    const channel = await buildChannel([ann, ben])
    const file = await upload(ann, { name: 'held.txt', content: 'held' })
    const held = await sendTo(ann, channel.id, 'plans', `[a](${file})`)
    const of = { stream_id: channel.id, reason: 'Case 12' }
    const { id } = expectSuccess(await realm.owner.api.post('/realm/holds', of))
    expectSuccess(await erase(ann, realm.owner, 'remove'))
    await runAlarms(realm, 8, 2)
    expect((await listed())[0]).toMatchObject({ held: { messages: 1, files: 1 }, files: { uploads: 0 } })
    const { message } = expectSuccess(await ben.api.get(`/messages/${held}`))
    expect(message.sender_full_name).toBe(`Deleted user ${ann.id}`)
    expect(await readStatus(realm, file, ben)).toBe(200)
    expectSuccess(await realm.owner.api.delete(`/realm/holds/${id}`))
    expectSuccess(await erase(ann, realm.owner, 'remove'))
    await runAlarms(realm, 8, 2)
    expect((await listed())[0]).toMatchObject({ held: { messages: 0, files: 0 }, files: { uploads: 1 } })
    expect((await ben.api.get(`/messages/${held}`)).status).toBe(400)
  })
})

describe('the certificate', () => {
  it('names what was removed where and what still has the person, by ids alone', async () => {
    const bot = await createBot(ann, 'Own Bot')
    await upload(ann, { name: 'a.txt', content: 'bytes' })
    expectSuccess(await realm.owner.api.post('/backups'))
    for (let run = 0; run < 60; run += 1) {
      await runAlarms(realm, 1, 2)
      if (expectSuccess(await realm.owner.api.get('/backups')).backups[0].finished_at) break
    }
    expectSuccess(await erase(ann))
    await runAlarms(realm, 8, 2)
    const [erasure] = await listed()
    const { taken_at } = expectSuccess(await realm.owner.api.get('/backups')).backups[0]
    expect(erasure).toMatchObject({
      user_id: ann.id,
      bot_ids: [bot.id],
      acting_user_id: realm.owner.id,
      messages: 'keep',
      object: { user: 2, attachment: 1 },
      d1: { account: 2 },
      files: { uploads: 1, bytes: 5, pictures: 0 },
      listed_at: expect.any(Number),
      backups: [{ taken_at }],
      exports: [],
    })
    // The newest of its month: a year, if one is made each day.
    expect(erasure.backups[0].kept_until - taken_at).toBeGreaterThan(300 * DAY)
    expect(erasure.backups[0].kept_until - taken_at).toBeLessThan(368 * DAY)
    const text = JSON.stringify(await listed())
    for (const personal of [ann.fullName, ann.email, 'Own Bot', 'a.txt']) expect(text).not.toContain(personal)
  })
})
