import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { DAY } from '../../../src/core/time.ts'
import { exportOrganization } from '../../../src/realm/export-organization.ts'
import { askWorker, realmStub } from '../../support/api.ts'
import {
  buildChannel,
  buildRealm,
  buildUser,
  expectSuccess,
  type TestRealm,
  type TestUser,
} from '../../support/factories.ts'
import { buildBot, inRealm } from '../../support/inside.ts'
import { sendDirect, sendTo } from '../../support/messages.ts'
import { openQueue } from '../../support/queues.ts'
import { readTar } from '../../support/read-tar.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { fetchPath, readStatus, upload } from '../../support/uploads.ts'
import { world } from '../../support/world.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads the JSON it expects
type Json = any

let realm: TestRealm
let admin: TestUser
let ann: TestUser
beforeAll(async () => {
  realm = await buildRealm()
  admin = await buildUser(realm, { role: 200 })
  ann = await buildUser(realm, { name: 'Ann' })
})
afterEach(() => {
  vi.restoreAllMocks()
})

async function start(user: TestUser, params = {}): Promise<number> {
  return expectSuccess(await user.api.post('/export/realm', params)).id
}

async function listed(user: TestUser, id: number): Promise<Json> {
  const { exports } = expectSuccess(await user.api.get('/export/realm'))
  return exports.find((one: Json) => one.id === id)
}

/** Lets due work be done, a little later every time, until nothing of this export is left to do. */
async function runJobs({ id }: TestRealm, isDone: () => Promise<boolean>): Promise<void> {
  for (let run = 0; run < 30; run += 1) {
    world.clockOffset += 2
    await runDurableObjectAlarm(realmStub(id))
    if (await isDone()) return
  }
  throw new Error('The export does not end')
}

/** The finished export, with its archive as whoever has the address gets it. */
async function finish(of: TestRealm, id: number) {
  await runJobs(of, async () => !(await listed(of.owner, id)).pending)
  const { export_url } = await listed(of.owner, id)
  const response = await askWorker(new Request(export_url))
  expect(response.status).toBe(200)
  const bytes = new Uint8Array(await response.arrayBuffer())
  const files = readTar(bytes)
  const json = (name: string): Json =>
    JSON.parse(new TextDecoder().decode(files.get(`export/${name}`)!.bytes))
  /** All files of a folder together. */
  const all = (folder: string, key: string): Json[] =>
    [...files.keys()]
      .filter((name) => name.startsWith(`export/${folder}/`))
      .flatMap((name) => json(name.slice('export/'.length))[key])
  return { url: export_url as string, response, bytes, files, json, all }
}

const textOf = (bytes: Uint8Array) => new TextDecoder('latin1').decode(bytes)
const digestOf = async (bytes: Uint8Array<ArrayBuffer>) =>
  textOf(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
const ids = (rows: readonly { id: number }[]) => rows.map(({ id }) => id)

describe('exports of an organization', () => {
  const calls: [string, string][] = [
    ['GET', '/export/realm'],
    ['POST', '/export/realm'],
    ['DELETE', '/export/realm/1'],
    ['GET', '/export/realm/consents'],
  ]

  it.each(calls)('%s %s is for its administrators', async (method, path) => {
    const other = await buildRealm()
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

  it('are of one of two types', async () => {
    expectRefusal(await admin.api.post('/export/realm', { export_type: 3 }), 'Invalid export_type')
    expectRefusal(
      await admin.api.post('/export/realm', { export_type: 'all' }),
      'export_type is not valid JSON',
    )
  })

  it('are at most five in seven days', async () => {
    const busy = await buildRealm()
    for (let n = 0; n < 5; n += 1) await start(busy.owner)
    expectRefusal(await busy.owner.api.post('/export/realm'), 'Exceeded rate limit.')
    world.clockOffset = 7 * DAY + 60
    expect(await start(busy.owner)).toBe(6)
  })
})

describe('a public export', () => {
  it('is told to administrators from its beginning to its end, and to nobody else', async () => {
    const [owners, admins, anns] = [
      await openQueue(realm.owner),
      await openQueue(admin),
      await openQueue(ann),
    ]
    const id = await start(admin)
    const begun = await listed(admin, id)
    expect(begun).toEqual({
      id,
      acting_user_id: admin.id,
      export_time: expect.any(Number),
      deleted_timestamp: null,
      failed_timestamp: null,
      export_url: null,
      pending: true,
      export_type: 1,
    })
    expectRefusal(await admin.api.delete(`/export/realm/${id}`), 'Export still in progress')
    const { url, response } = await finish(realm, id)
    expect(url).toMatch(
      new RegExp(`^http://${realm.host}/user_avatars/exports/${realm.id}/[0-9a-f]{48}/.+\\.tar$`),
    )
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; .*\.tar$/)
    const finished = { ...begun, pending: false, export_url: url }
    expect(await listed(realm.owner, id)).toEqual(finished)
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
    expect(await listed(admin, id)).toEqual(deleted)
    expectRefusal(await admin.api.delete(`/export/realm/${id}`), 'Export already deleted')
    expectRefusal(await admin.api.delete('/export/realm/99'), 'Invalid data export ID')
    // The address is dead, and so are the bytes.
    expect((await askWorker(new Request(url))).status).toBe(404)
    world.clockOffset += 2
    await runDurableObjectAlarm(realmStub(realm.id))
    expect((await env.UPLOADS.list({ prefix: `exports/${realm.id}/` })).objects).toEqual([])
  })

  it('holds exactly what is public', async () => {
    const of = await buildRealm({ name: 'Exported' })
    const [bea, cai] = [await buildUser(of, { name: 'Bea' }), await buildUser(of, { name: 'Cai' })]
    const bot = await buildBot(of, bea)
    const open = await buildChannel([bea, cai], { name: 'open', description: 'for all' })
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
    const last = await sendTo(bea, open.id, '', 'without a topic')

    const id = await start(of.owner)
    const later = await sendTo(bea, open.id, 'plans', 'too-late')
    const { bytes, files, json, all } = await finish(of, id)
    expect(json('export.json')).toMatchObject({
      format: 1,
      id,
      export_type: 1,
      realm_id: of.id,
      max_message_id: last,
    })
    expect(json('realm.json')).toMatchObject({ realm_name: 'Exported', realm_message_retention_days: -1 })
    expect(ids(json('user_groups.json').user_groups)).toContain(8)

    const members = all('users', 'members')
    const shown = expectSuccess(
      await of.owner.api.get('/users', { client_gravatar: false, include_custom_profile_fields: true }),
    ).members
    expect(members.filter(({ is_system_bot }) => !is_system_bot)).toEqual(shown)
    expect(members.map(({ user_id }) => user_id)).toContain(bot.id)

    const { streams } = expectSuccess(await cai.api.get('/streams'))
    const publicIds = streams.filter((one: Json) => !one.invite_only).map((one: Json) => one.stream_id)
    expect(
      all('channels', 'streams')
        .map(({ stream_id }) => stream_id)
        .sort(),
    ).toEqual(publicIds.sort())
    expect(all('channels', 'streams')).toContainEqual(streams.find((one: Json) => one.stream_id === open.id))
    const subscribers = all('subscriptions', 'subscriptions').filter(({ stream_id }) => stream_id === open.id)
    expect(subscribers).toEqual([bea, cai].map((user) => ({ stream_id: open.id, user_id: user.id })))
    expect(all('topics', 'topics')).toContainEqual({ stream_id: open.id, name: '', max_id: last })

    const messages = all('messages', 'messages')
    expect(
      new Set(messages.map(({ type, stream_id }) => `${type} ${publicIds.includes(stream_id)}`)),
    ).toEqual(new Set(['stream true']))
    expect(ids(messages)).toEqual(expect.arrayContaining([first, last]))
    expect(ids(messages)).not.toContain(later)
    const asFetched = async (apply_markdown: boolean) =>
      expectSuccess(await cai.api.get(`/messages/${first}`, { apply_markdown, allow_empty_topic_name: true }))
        .message
    const { flags: _, ...source } = await asFetched(false)
    const { content: rendered_content } = await asFetched(true)
    const { avatar_url: __, ...exported } = messages.find((message) => message.id === first)
    const { avatar_url: ___, ...expected } = source
    expect(exported).toEqual({ ...expected, rendered_content })
    expect(exported).toMatchObject({
      reactions: [{ emoji_name: 'smile' }],
      edit_history: [expect.anything()],
    })

    const attachments = all('attachments', 'attachments')
    const path = shared.replace('/user_uploads/', '')
    expect(attachments).toMatchObject([
      { user_id: bea.id, name: 'Größe.txt', path_id: path, size: 12, messages: [{ id: first }] },
    ])
    const uploads = [...files.values()].filter(({ name }) => name.startsWith('export/uploads/'))
    expect(uploads.map(({ name, bytes }) => [name, textOf(bytes)])).toEqual([
      [`export/uploads/${path}`, 'shared bytes'],
    ])
    expect([...files.keys()].some((name) => name.includes('personal'))).toBe(false)

    // Not a byte of what is private, nor of anybody's key.
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

describe('a standard export', () => {
  it('holds also what is private to those who consent', async () => {
    const of = await buildRealm()
    const [bea, cai, dan] = [await buildUser(of), await buildUser(of), await buildUser(of)]
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
    const id = await start(of.owner, { export_type: 2 })
    // One takes it back before anything is read.
    expectSuccess(await dan.api.patch('/settings', { allow_private_data_export: false }))
    const { bytes, json, all, files } = await finish(of, id)

    const found = ids(all('messages', 'messages'))
    expect(found).toEqual(expect.arrayContaining([beforeRoom, inPast, own, toBot]))
    for (const unseen of [beforePast, inClosed, others]) expect(found).not.toContain(unseen)
    expect(textOf(bytes)).not.toMatch(/unseen-|nobody-consents|old-topic/)
    const direct = all('messages', 'messages').filter(({ type }) => type === 'private')
    expect(new Set(direct.map(({ recipient_id }) => recipient_id)).size).toBe(
      new Set(direct.map(({ display_recipient }) => ids(display_recipient).sort().join())).size,
    )
    expect(all('channels', 'streams').map(({ stream_id }) => stream_id)).toEqual(
      expect.arrayContaining([room.id, past.id]),
    )
    expect(all('topics', 'topics').filter(({ stream_id }) => stream_id === past.id)).toContainEqual({
      stream_id: past.id,
      name: 'new-topic',
      max_id: inPast,
    })
    const inRoom = all('subscriptions', 'subscriptions').filter(({ stream_id }) => stream_id === room.id)
    expect(inRoom).toEqual(
      [
        expect.objectContaining({ user_id: bea.id, color: expect.any(String), is_muted: false }),
        { stream_id: room.id, user_id: cai.id },
        { stream_id: room.id, user_id: dan.id },
      ].sort((a, b) => a.user_id - b.user_id),
    )
    expect(json(`personal/${bea.id}.json`)).toMatchObject({
      user_id: bea.id,
      alert_words: ['lunch'],
      user_settings: { color_scheme: 2 },
    })
    expect([...files.keys()].filter((name) => name.includes('/personal/'))).toHaveLength(2)
    expect(files.get(`export/uploads/${path.replace('/user_uploads/', '')}`)).toBeDefined()
  })
})

/** Many messages in one request of local development. */
async function sendMany(of: TestRealm, count: number): Promise<number[]> {
  const calls = Array.from({ length: count }, (_, n) => ({
    operation: 'send-message',
    user_id: of.owner.id,
    params: { type: 'channel', to: 'sandbox', topic: `topic ${n % 7}`, content: `number ${n}` },
    now: Date.now() / 1_000,
  }))
  const body = JSON.stringify({ calls })
  const response = await askWorker(new Request(`http://${of.host}/dev/run`, { method: 'POST', body }))
  const { answers } = (await response.json()) as { answers: { value: { id: number } }[] }
  return answers.map(({ value }) => value.id)
}

describe('an export that is interrupted', () => {
  it('goes on where it was, whenever the object dies, and holds everything once', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const of = await buildRealm()
    const sent: number[] = []
    // More than one page of them.
    sent.push(...(await sendMany(of, 600)))
    const path = await upload(of.owner, { content: 'bytes' })
    sent.push(await sendTo(of.owner, 'sandbox', 't', `[file](${path})`))
    const id = await start(of.owner)
    let deaths = 0
    for (let run = 0; run < 20 && (await listed(of.owner, id)).pending; run += 1) {
      world.crashAt = 'exporting'
      // The job is leased to the run that died.
      world.clockOffset += 700
      await runDurableObjectAlarm(realmStub(of.id)).catch(() => {})
      if (world.crashAt === undefined) deaths += 1
    }
    world.crashAt = undefined
    expect(deaths).toBeGreaterThanOrEqual(3)
    const { all, files } = await finish(of, id)
    const found = ids(all('messages', 'messages'))
    expect(found).toEqual(expect.arrayContaining(sent))
    expect(new Set(found).size).toBe(found.length)
    expect(all('attachments', 'attachments')).toHaveLength(1)
    expect(files.has(`export/uploads/${path.replace('/user_uploads/', '')}`)).toBe(true)
    // What it was made from is gone.
    const { objects } = await env.UPLOADS.list({ prefix: `exports/${of.id}/` })
    expect(objects.map(({ key }) => key.split('/').at(-1))).toEqual(['archive'])
  })

  it('is made by one run at a time', async () => {
    const of = await buildRealm()
    const id = await start(of.owner)
    const [first, second] = await inRealm(of, ({ parts }) =>
      Promise.all([exportOrganization(parts, ''), exportOrganization(parts, '')]),
    )
    expect([first, second]).toEqual([undefined, expect.any(Number)])
    expect((await finish(of, id)).all('users', 'members')).not.toEqual([])
  })

  it('fails when it cannot go on, and leaves nothing behind', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const of = await buildRealm()
    const broken = await sendTo(of.owner, 'sandbox', 't')
    const remove = () =>
      env.DB.prepare('DELETE FROM message_body WHERE realm_id = ? AND message_id = ?')
        .bind(of.id, broken)
        .run()
    await expect.poll(async () => (await remove()).meta.changes).toBe(1)
    const id = await start(of.owner)
    const tryOnce = async () => {
      world.clockOffset += 700
      const queue = await openQueue(of.owner)
      await runDurableObjectAlarm(realmStub(of.id))
      return queue.eventsOf('realm_export')
    }
    for (let run = 0; run < 8; run += 1) expect(await tryOnce()).toEqual([])
    const [event] = await tryOnce()
    const failed = await listed(of.owner, id)
    expect(event!.exports).toEqual([failed])
    expect(failed).toMatchObject({ pending: false, export_url: null, failed_timestamp: expect.any(Number) })
    expectRefusal(await of.owner.api.delete(`/export/realm/${id}`), 'Export failed, nothing to delete')
    expect((await env.UPLOADS.list({ prefix: `exports/${of.id}/` })).objects).toEqual([])
  })
})

describe('an export with large uploads', () => {
  it('is put together from parts, without an upload that is deleted meanwhile', async () => {
    const of = await buildRealm()
    const large = new Uint8Array(9 * 1024 * 1024).fill(65)
    const [kept, dropped] = [
      await upload(of.owner, { name: 'kept.bin', content: large }),
      await upload(of.owner, { name: 'dropped.bin', content: large }),
    ]
    await sendTo(of.owner, 'sandbox', 'files', `[a](${kept}) [b](${dropped})`)
    const id = await start(of.owner)
    // It dies when the pieces are there, and the archive is not.
    const stage = () =>
      inRealm(of, ({ parts: { sql } }) =>
        sql.first<{ stage: string }>(`SELECT progress->>'stage' AS stage FROM realm_export`),
      )
    vi.spyOn(console, 'error').mockImplementation(() => {})
    while ((await stage())?.stage === 'collect') {
      world.crashAt = 'exporting'
      world.clockOffset += 700
      await runDurableObjectAlarm(realmStub(of.id)).catch(() => {})
    }
    world.crashAt = undefined
    expect(await stage()).toEqual({ stage: 'assemble' })
    const { attachments } = expectSuccess(await of.owner.api.get('/attachments'))
    const { id: droppedId } = attachments.find(({ name }: Json) => name === 'dropped.bin')
    expectSuccess(await of.owner.api.delete(`/attachments/${droppedId}`))
    await env.UPLOADS.delete(`user_uploads/${dropped.split('/').slice(2, 5).join('/')}`)
    const { all, files, url } = await finish(of, id)
    expect(all('attachments', 'attachments').map(({ name }) => name)).toEqual(['kept.bin'])
    const file = files.get(`export/uploads/${kept.replace('/user_uploads/', '')}`)!
    expect(await digestOf(file.bytes)).toBe(await digestOf(large))
    expect([...files.keys()].some((name) => name.includes('dropped'))).toBe(false)
    // A client that lost the connection asks for the rest.
    const { pathname } = new URL(url)
    const part = await fetchPath(of, pathname, undefined, { headers: { Range: 'bytes=0-9' } })
    expect([part.status, await part.text()]).toEqual([206, 'export/exp'])
    expect(await readStatus(of, pathname.replace(/[0-9a-f]{48}/, '0'.repeat(48)))).toBe(404)
    expect(await readStatus(realm, pathname)).toBe(404)
  })
})
