import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { askWorker } from '../../support/api.ts'
import {
  finishExport,
  keepAlarmsAway,
  listedExport,
  messageIds,
  startExport,
  textOf,
} from '../../support/exports.ts'
import { atLevel, buildChannel, buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { buildBot } from '../../support/inside.ts'
import type { Json } from '../../support/json.ts'
import { sendDirect, sendTo } from '../../support/messages.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { upload } from '../../support/uploads.ts'
import { buildRealm, useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm, admin, moderator, ann, guest } = useRealm({
  admin: 'administrator',
  moderator: 'moderator',
  ann: 'member',
  guest: 'guest',
})
const WHOLE = { export_type: 'full_without_consent' }
const NO_ACCESS = 'Owners of this organization have no access to private data without consent.'
const UNAUTHORIZED = { code: 'UNAUTHORIZED_PRINCIPAL' }

beforeEach(() => {
  keepAlarmsAway()
  world.settings = { OWNER_FULL_CONTENT_ACCESS: `other.test ${realm.host.toUpperCase()}` }
})
afterEach(() => {
  world.settings = {}
})

const isAnnounced = async (user: TestUser) =>
  (await openQueue(user, { fetch_event_types: ['realm'] })).snapshot.realm_owner_full_content_access

describe('an export without consent', () => {
  it('is for owners alone', async () => {
    expectRefusal(await admin.api.post('/export/realm', WHOLE), 'Must be an organization owner', UNAUTHORIZED)
    for (const { api } of [moderator, ann, guest]) {
      const refused = await api.post('/export/realm', WHOLE)
      expectRefusal(refused, 'Must be an organization administrator', UNAUTHORIZED)
    }
    expect((await realm.anonymous.post('/export/realm', WHOLE)).status).toBe(401)
    expect(expectSuccess(await realm.owner.api.get('/export/realm')).exports).toEqual([])
  })

  it('is for organizations whose host the deployment names, and is announced there', async () => {
    const { owner: elsewhere } = await buildRealm()
    expect([await isAnnounced(ann), await isAnnounced(elsewhere)]).toEqual([true, false])
    expectRefusal(await elsewhere.api.post('/export/realm', WHOLE), NO_ACCESS)
    for (const named of ['', 'on', 'other.test']) {
      world.settings = { OWNER_FULL_CONTENT_ACCESS: named }
      expect(await isAnnounced(ann)).toBe(false)
      expectRefusal(await realm.owner.api.post('/export/realm', WHOLE), NO_ACCESS)
    }
    expect(expectSuccess(await realm.owner.api.get('/export/realm')).exports).toEqual([])
  })

  it('contains everything private, regardless of consent', async () => {
    const { realm: of, bea, cai } = await buildRealm({ bea: 'member', cai: 'member' })
    world.settings = { OWNER_FULL_CONTENT_ACCESS: of.host }
    const bot = await buildBot(of, bea)
    const closed = await buildUser(of, { name: 'Closed' })
    const room = await buildChannel([bea, cai], { invite_only: true, history_public_to_subscribers: false })
    const left = await buildChannel([cai], { name: 'left', invite_only: true })
    const path = await upload(bea, { content: 'private bytes' })
    const sent = [
      await sendTo(bea, room.id, 'plans', `see [file](${path})`),
      await sendTo(cai, left.id, 'alone', 'nobody is here any more'),
      await sendDirect(bea, [cai], 'between two'),
      await sendDirect(closed, [closed], 'to herself'),
      await sendDirect(bea, [bot], 'to a bot'),
    ]
    const deleted = await sendDirect(cai, [bea], 'deleted-text')
    expectSuccess(await cai.api.delete(`/messages/${deleted}`))
    expectSuccess(await cai.api.delete('/users/me/subscriptions', { subscriptions: ['left'] }))
    expectSuccess(await cai.api.post('/users/me/alert_words', { alert_words: ['lunch'] }))
    expectSuccess(await closed.api.delete('/users/me'))

    const id = await startExport(of.owner, WHOLE)
    const { bytes, all, files } = await finishExport(of, id)
    expect(all('parley-import')).toMatchObject([{ contents: 'full_without_consent' }])
    expect(messageIds(all('message'))).toEqual(expect.arrayContaining(sent))
    const channels = messageIds(all('channel'))
    expect(channels).toEqual(expect.arrayContaining([room.id, left.id]))
    const inRoom = all('channel').find((channel) => channel.id === String(room.id))
    expect(inRoom.members).toEqual(
      [bea, cai].map((user) => ({ user: String(user.id), color: expect.any(String) })),
    )
    expect(all('alert_word')).toEqual([{ type: 'alert_word', user: String(cai.id), word: 'lunch' }])
    for (const { id: user } of [of.owner, bea, closed, bot])
      expect(files.has(`export/personal/${user}.jsonl`)).toBe(true)
    const file = files.get(`export/uploads/${path.replace('/user_uploads/', '')}`)!
    expect(textOf(file.bytes)).toBe('private bytes')
    const text = textOf(bytes)
    for (const secret of ['deleted-text', ...[of.owner, bea, cai, bot].map(({ apiKey }) => apiKey)]) {
      expect(text).not.toContain(secret)
    }
  })

  it('has an address for owners alone, and another when one is no longer an owner', async () => {
    const { owner } = realm
    const opens = async (url: string) => (await askWorker(new Request(url))).status
    const second = await buildUser(realm, { role: 100 })
    const [owners, admins] = [await openQueue(owner), await openQueue(admin)]
    const id = await startExport(second, WHOLE)
    const { url } = await finishExport(realm, id)
    const addressesIn = async (queue: typeof owners) =>
      (await queue.eventsOf('realm_export')).map(
        ({ exports }) => exports.find((one: Json) => one.id === id).export_url,
      )
    expect([await addressesIn(owners), await addressesIn(admins)]).toEqual([
      [null, url],
      [null, null],
    ])
    expect(await listedExport(admin, id)).toEqual({ ...(await listedExport(owner, id)), export_url: null })
    expect(await opens(url)).toBe(200)

    expectSuccess(await owner.api.patch(`/users/${second.id}`, { role: 200 }))
    const renewed = (await listedExport(owner, id)).export_url
    expect([await opens(url), await opens(renewed)]).toEqual([404, 200])
    expect([await addressesIn(owners), await addressesIn(admins)]).toEqual([[renewed], [null]])
    expect((await listedExport(second, id)).export_url).toBe(null)
    // An archive of what is public beside it is for administrators, as ever.
    const open = await startExport(owner)
    const { url: address } = await finishExport(realm, open)
    expect((await listedExport(admin, open)).export_url).toBe(address)
  })

  it('has its type in words from level 449 on, and in the audit log', async () => {
    const { owner } = realm
    const id = await startExport(owner, WHOLE)
    const typeAt = async (level: number) => {
      const { exports } = expectSuccess(await atLevel(owner, level).api.get('/export/realm'))
      return exports.find((one: Json) => one.id === id).export_type
    }
    expect([await typeAt(448), await typeAt(449)]).toEqual([3, 'full_without_consent'])
    const { entries } = expectSuccess(await owner.api.get('/audit_log'))
    expect(entries[0]).toMatchObject({
      action: 'export_begun',
      actor_id: owner.id,
      details: { export_id: id, export_type: 3 },
    })
  })
})
