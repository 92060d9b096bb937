import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { askWorker, realmStub } from '../../support/api.ts'
import {
  finishExport,
  keepAlarmsAway,
  listedExport,
  messageIds,
  startExport,
  textOf,
} from '../../support/exports.ts'
import { atLevel, buildChannel, buildUser, expectSuccess } from '../../support/factories.ts'
import { insertMessages } from '../../support/inserted-messages.ts'
import { buildBot, changeRealm, inRealm } from '../../support/inside.ts'
import type { Json } from '../../support/json.ts'
import { sendDirect, sendTo } from '../../support/messages.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { DAY } from '../../support/times.ts'
import { upload } from '../../support/uploads.ts'
import { buildRealm, useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm, admin, ann } = useRealm({ admin: 'administrator', ann: 'member' })
/** Another organization. */
const { realm: other } = useRealm()
beforeEach(keepAlarmsAway)

describe('exports of an organization', () => {
  const calls: [string, string][] = [
    ['GET', '/export/realm'],
    ['POST', '/export/realm'],
    ['DELETE', '/export/realm/1'],
    ['GET', '/export/realm/consents'],
  ]

  it.each(calls)('%s %s is for administrators', async (method, path) => {
    const [moderator, guest, gone] = await Promise.all([
      buildUser(realm, { role: 300 }),
      buildUser(realm, { role: 600 }),
      buildUser(realm),
    ])
    expectSuccess(await realm.owner.api.delete(`/users/${gone.id}`))
    for (const { api } of [moderator, ann, guest]) {
      expectRefusal(await api.request(method, path), 'Must be an organization administrator', {
        code: 'UNAUTHORIZED_PRINCIPAL',
      })
    }
    expectUnauthorized(await realm.anonymous.request(method, path))
    expect((await gone.api.request(method, path)).status).toBe(401)
    const headers = { Authorization: `Basic ${btoa(`${realm.owner.email}:${realm.owner.apiKey}`)}` }
    expect((await other.anonymous.request(method, path, {}, { headers })).status).toBe(401)
    expect(expectSuccess(await other.owner.api.get('/export/realm')).exports).toEqual([])
  })

  it('have one of two types', async () => {
    expectRefusal(await admin.api.post('/export/realm', { export_type: 3 }), 'Invalid export_type')
    expectRefusal(
      await admin.api.post('/export/realm', { export_type: 'all' }),
      'export_type is not valid JSON',
    )
  })

  it('have private data of others with their consent alone, also for owners', async () => {
    const { owner } = await buildRealm()
    const wanted = { export_type: 'full_without_consent' }
    expectRefusal(await admin.api.post('/export/realm', wanted), 'Must be an organization owner', {
      code: 'UNAUTHORIZED_PRINCIPAL',
    })
    for (const export_type of ['full_without_consent', '"full_without_consent"']) {
      expectRefusal(
        await owner.api.post('/export/realm', { export_type }),
        'Owners of this organization have no access to private data without consent.',
      )
    }
    expect(expectSuccess(await owner.api.get('/export/realm')).exports).toEqual([])
  })

  it('are limited to five in seven days', async () => {
    const { owner } = await buildRealm()
    for (let n = 0; n < 5; n += 1) await startExport(owner)
    expectRefusal(await owner.api.post('/export/realm'), 'Exceeded rate limit.')
    world.clockOffset += 7 * DAY + 60
    expect(await startExport(owner)).toBe(6)
  })
})

describe('a public export', () => {
  it('emits its progress to administrators alone', async () => {
    const [owners, admins, anns] = [
      await openQueue(realm.owner),
      await openQueue(admin),
      await openQueue(ann),
    ]
    const id = await startExport(admin)
    const begun = await listedExport(admin, id)
    expect(begun).toEqual({
      id,
      acting_user_id: admin.id,
      export_time: expect.any(Number),
      deleted_timestamp: null,
      failed_timestamp: null,
      export_url: null,
      pending: true,
      export_type: 'public',
      export_from_prior_server: false,
    })
    expectRefusal(await admin.api.delete(`/export/realm/${id}`), 'Export still in progress')
    const { url, response } = await finishExport(realm, id)
    expect(url).toMatch(
      new RegExp(`^http://${realm.host}/user_avatars/exports/${realm.id}/[0-9a-f]{48}/.+\\.tar$`),
    )
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; .*\.tar$/)
    const finished = { ...begun, pending: false, export_url: url }
    expect(await listedExport(realm.owner, id)).toEqual(finished)
    expectSuccess(await realm.owner.api.delete(`/export/realm/${id}`))
    const deleted = { ...finished, export_url: null, deleted_timestamp: expect.any(Number) }
    for (const queue of [owners, admins]) {
      const events = await queue.eventsOf('realm_export')
      expect(events.map(({ exports }) => exports.find((one: Json) => one.id === id))).toEqual([
        begun,
        finished,
        deleted,
      ])
    }
    expect(await anns.eventsOf('realm_export')).toEqual([])
    expect(await listedExport(admin, id)).toEqual(deleted)
    expectRefusal(await admin.api.delete(`/export/realm/${id}`), 'Export already deleted')
    expectRefusal(await admin.api.delete('/export/realm/99'), 'Invalid data export ID')
    // Its URL does not work any more, and its bytes are deleted.
    expect((await askWorker(new Request(url))).status).toBe(404)
    world.clockOffset += 2
    await runDurableObjectAlarm(realmStub(realm.id))
    expect((await env.UPLOADS.list({ prefix: `exports/${realm.id}/` })).objects).toEqual([])
  })

  it('has groups of many members in several files', async () => {
    const { realm: of, bea } = await buildRealm({ bea: 'member' })
    const names = ['all', 'some', 'few']
    for (const name of names) {
      const group = { name, description: '', members: [bea.id] }
      expectSuccess(await bea.api.post('/user_groups/create', group))
    }
    // As many links as a page has, of accounts that are not there.
    await changeRealm(of, (tx) =>
      tx.sql.run(`WITH RECURSIVE n (id) AS (SELECT 100000 UNION ALL SELECT id + 1 FROM n WHERE id < 120000)
        INSERT INTO user_group_member (group_id, user_id)
        SELECT g.id, n.id FROM n, user_group g WHERE g.name IN ('all', 'some')`),
    )
    const { all, files } = await finishExport(of, await startExport(of.owner))
    expect([...files.keys()].filter((name) => name.startsWith('export/groups/'))).toHaveLength(3)
    const groups = all('group')
    expect(groups.map(({ name }) => name)).toEqual(names)
    for (const { members } of groups) expect(members[0]).toBe(String(bea.id))
  })

  it('contains exactly what is public', async () => {
    const { realm: of, bea, cai } = await buildRealm({ bea: 'member', cai: 'member' }, { name: 'Exported' })
    const bot = await buildBot(of, bea)
    const open = await buildChannel([bea, cai], { name: 'open' })
    const hidden = await buildChannel([bea, cai], { name: 'hush-channel', invite_only: true })
    const [shared, secret] = [
      await upload(bea, { name: 'Größe.txt', content: 'shared bytes' }),
      await upload(bea, { name: 'hush.txt', content: 'hush bytes' }),
    ]
    const first = await sendTo(bea, open.id, 'plans', `**bold** [file](${shared})`)
    expectSuccess(await cai.api.post(`/messages/${first}/reactions`, { emoji_name: 'smile' }))
    expectSuccess(await bea.api.patch(`/messages/${first}`, { content: `**bolder** [file](${shared})` }))
    await sendTo(bea, hidden.id, 'hush-topic', `hush-content [file](${secret}) and [other](${shared})`)
    await sendDirect(bea, [cai], `hush-direct [file](${secret})`)
    expectSuccess(await bea.api.patch('/settings', { allow_private_data_export: true }))
    expectSuccess(
      await of.owner.api.patch('/realm', {
        moderation_request_channel_id: (await buildChannel([of.owner], { invite_only: true })).id,
        new_stream_announcements_stream_id: open.id,
      }),
    )
    const last = await sendTo(bea, open.id, '', 'without a topic')

    const id = await startExport(of.owner)
    const later = await sendTo(bea, open.id, 'plans', 'too-late')
    const { bytes, files, all } = await finishExport(of, id)
    expect([...files.keys()][0]).toBe('export/parley-import.jsonl')
    expect(all('parley-import')).toMatchObject([
      {
        version: 1,
        source: `parley:http://${of.host}`,
        contents: 'public',
        made_by: expect.stringMatching(/^Parley /),
      },
    ])
    expect(all('organization')).toMatchObject([{ name: 'Exported' }])
    const settings = Object.fromEntries(all('realm_setting').map(({ name, value }) => [name, value]))
    expect(settings).toMatchObject({
      message_retention_days: -1,
      moderation_request_channel_id: null,
      new_stream_announcements_stream_id: { channel: String(open.id) },
      can_create_groups: { groups: [expect.stringMatching(/^role:/)] },
    })

    const { members: shown } = expectSuccess(await of.owner.api.get('/users'))
    const people = all('user').filter(({ is_system_bot }) => !is_system_bot)
    expect(people.map(({ id: user, full_name, email }) => [Number(user), full_name, email])).toEqual(
      shown.map((user: Json) => [user.user_id, user.full_name, user.delivery_email]),
    )
    expect(messageIds(people)).toContain(bot.id)
    expect(new Set(people.map(({ email_visibility }) => email_visibility))).toEqual(
      new Set(['administrators']),
    )

    const { streams } = expectSuccess(await atLevel(cai, 510).api.get('/streams'))
    const publicIds = streams.filter((one: Json) => !one.invite_only).map((one: Json) => one.stream_id)
    expect(messageIds(all('channel')).sort()).toEqual(publicIds.sort())
    expect(all('channel').find((channel) => channel.id === String(open.id))).toMatchObject({
      name: 'open',
      privacy: 'public',
      members: [{ user: String(bea.id) }, { user: String(cai.id) }],
    })

    const messages = all('message')
    for (const { channel } of messages) expect(publicIds).toContain(Number(channel))
    expect(messageIds(messages)).toEqual(expect.arrayContaining([first, last]))
    expect(messageIds(messages)).not.toContain(later)
    const path = shared.replace('/user_uploads/', '')
    const source = expectSuccess(await cai.api.get(`/messages/${first}`, { apply_markdown: false })).message
    const { content, ...sent } = messages.find((message) => message.id === String(first))
    const [, linked] = /^\*\*bolder\*\* \[file\]\(parley-import:file\/([\w%]+)\)$/.exec(content)!
    expect(decodeURIComponent(linked!)).toBe(path)
    expect(sent).toEqual({
      type: 'message',
      id: String(first),
      sender: String(bea.id),
      time_ms: source.timestamp * 1_000,
      channel: String(open.id),
      topic: 'plans',
      edited_ms: source.last_edit_timestamp * 1_000,
      edits: [
        {
          time_ms: source.edit_history[0].timestamp * 1_000,
          user: String(bea.id),
          content: source.edit_history[0].prev_content,
        },
      ],
      reactions: [{ user: String(cai.id), emoji: 'smile', code: '1f604', kind: 'unicode' }],
    })
    expect(messages.find((message) => message.id === String(last))).toMatchObject({ topic: '' })

    expect(all('file')).toMatchObject([
      { id: path, owner: String(bea.id), name: 'Größe.txt', path: `uploads/${path}`, size: 12 },
    ])
    const uploads = [...files.values()].filter(({ name }) => name.startsWith('export/uploads/'))
    expect(uploads.map(({ name, bytes }) => [name, textOf(bytes)])).toEqual([
      [`export/uploads/${path}`, 'shared bytes'],
    ])
    expect([...files.keys()].some((name) => name.includes('personal'))).toBe(false)

    // The archive contains no private text and nobody's key.
    const text = textOf(bytes)
    expect(text).toContain('bolder')
    for (const word of ['hush', 'too-late', ...[of.owner, bea, cai, bot].map(({ apiKey }) => apiKey)]) {
      expect(text).not.toContain(word)
    }
    const hashes = await inRealm(of, ({ parts: { sql } }) =>
      sql.all<{ hash: string }>(`SELECT password_hash AS hash FROM user WHERE password_hash IS NOT NULL`),
    )
    expect(hashes.length).toBeGreaterThan(0)
    for (const { hash } of hashes) expect(text).not.toContain(hash)
  })
})

describe('an export that leaves out many messages', () => {
  const { realm: of } = useRealm()

  it('contains each of the others once, in order', async () => {
    const room = await buildChannel([of.owner])
    const hidden = await buildChannel([of.owner], { invite_only: true })
    const included: number[] = []
    for (const [count, left] of [
      [100, 400],
      [120, 10],
      [200, 2_400],
      [20, 0],
    ] as const) {
      included.push(
        ...(await insertMessages(of, of.owner, { channelId: room.id, topic: 'a', count, length: 9 })),
      )
      if (left > 0)
        await insertMessages(of, of.owner, { channelId: hidden.id, topic: 'b', count: left, length: 9 })
    }
    const { all } = await finishExport(of, await startExport(of.owner))
    const found = messageIds(all('message'))
    expect(found.filter((id) => id >= included[0]!)).toEqual(included)
  })
})

describe('a standard export', () => {
  const { realm: of, bea, cai, dan } = useRealm({ bea: 'member', cai: 'member', dan: 'member' })

  it('also contains private data of users who consent', async () => {
    const bot = await buildBot(of, bea)
    const room = await buildChannel([cai, dan], { invite_only: true, history_public_to_subscribers: true })
    const past = await buildChannel([cai, dan], { invite_only: true })
    const closed = await buildChannel([cai, dan], { name: 'nobody-consents', invite_only: true })
    const beforeRoom = await sendTo(cai, room.id, 't', 'shared past')
    const beforePast = await sendTo(cai, past.id, 'old-topic', 'unseen-past')
    const inClosed = await sendTo(cai, closed.id, 't', 'unseen-channel')
    for (const { name } of [room, past]) {
      expectSuccess(
        await cai.api.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [bea.id] }),
      )
    }
    const path = await upload(cai, { content: 'for the past' })
    const inPast = await sendTo(cai, past.id, 'new-topic', `seen [file](${path})`)
    const own = await sendDirect(cai, [bea], 'to one who consents')
    const toBot = await sendDirect(cai, [bot], 'to her bot')
    const others = await sendDirect(cai, [dan], 'unseen-direct')
    expectSuccess(await bea.api.patch('/settings', { allow_private_data_export: true }))
    expectSuccess(await dan.api.patch('/settings', { allow_private_data_export: true }))
    expectSuccess(await bea.api.patch('/settings', { color_scheme: 2 }))
    expectSuccess(await bea.api.post('/users/me/alert_words', { alert_words: ['lunch'] }))
    const id = await startExport(of.owner, { export_type: 2 })
    // Dan withdraws his consent before the export has read anything.
    expectSuccess(await dan.api.patch('/settings', { allow_private_data_export: false }))
    const { bytes, all, files } = await finishExport(of, id)

    const found = messageIds(all('message'))
    expect(found).toEqual(expect.arrayContaining([beforeRoom, inPast, own, toBot]))
    for (const unseen of [beforePast, inClosed, others]) expect(found).not.toContain(unseen)
    expect(textOf(bytes)).not.toMatch(/unseen-|nobody-consents|old-topic/)
    const channels = messageIds(all('channel'))
    expect(channels).toEqual(expect.arrayContaining([room.id, past.id]))
    expect(channels).not.toContain(closed.id)
    const inRoom = all('channel').find((channel) => channel.id === String(room.id)).members
    expect(inRoom).toEqual(
      [bea, cai, dan]
        .map(({ id: user }) => ({
          user: String(user),
          ...(user === bea.id && { color: expect.any(String) }),
        }))
        .sort((a, b) => Number(a.user) - Number(b.user)),
    )
    expect(all('alert_word')).toEqual([{ type: 'alert_word', user: String(bea.id), word: 'lunch' }])
    const ofBea = all('user_settings').find(({ user }) => user === String(bea.id))
    expect(ofBea.settings).toMatchObject({ color_scheme: 2 })
    expect(files.has(`export/personal/${bea.id}.jsonl`)).toBe(true)
    expect([...files.keys()].filter((name) => name.includes('/personal/'))).toHaveLength(2)
    expect(files.get(`export/uploads/${path.replace('/user_uploads/', '')}`)).toBeDefined()
  })
})
