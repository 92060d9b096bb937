import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { zipOf } from '../../imports/zip-builder.ts'
import { realmStub } from '../../support/api.ts'
import { keepAlarmsAway } from '../../support/exports.ts'
import { buildUser, expectSuccess, type TestRealm } from '../../support/factories.ts'
import { findingsIn } from '../../support/findings.ts'
import {
  archiveOf,
  beginImport,
  countOf,
  headOf,
  importAgain,
  importArchive,
  importedPerson,
  importWithId,
  type Line,
  messagesOf,
  runUntil,
} from '../../support/imports.ts'
import type { Json } from '../../support/json.ts'
import { sendTo } from '../../support/messages.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { fetchPath, upload } from '../../support/uploads.ts'
import { useRealm, useRealmPerTest } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const T = 1_600_000_000

const PEOPLE: readonly Line[] = [
  {
    type: 'user',
    id: 'u1',
    full_name: 'Ada Amsel',
    email: 'Ada@Example.org',
    role: 'administrator',
    joined_ms: T * 1_000,
  },
  { type: 'user', id: 'u2', full_name: 'Ben <Brandt>' },
  { type: 'user', id: 'u3', full_name: 'Cleo Cruz', email: 'cleo@example.org', deactivated: true },
  { type: 'user', id: 'b1', full_name: 'Build', is_bot: true },
]
const CHANNELS: readonly Line[] = [
  {
    type: 'channel',
    id: 'c1',
    name: 'boats',
    description: 'All **boats**',
    members: [{ user: 'u1' }, { user: 'u2' }],
  },
  { type: 'channel', id: 'c2', name: 'secrets', privacy: 'private', members: [{ user: 'u1' }] },
  { type: 'channel', id: 'c3', name: 'old', archived: true, members: [{ user: 'u2' }] },
]
const message = (id: string, at: number, more: Line): Line => ({
  type: 'message',
  id,
  sender: 'u1',
  time_ms: (T + at) * 1_000,
  content: `text of ${id}`,
  ...more,
})
const MESSAGES: readonly Line[] = [
  message('m3', 30, {
    channel: 'c1',
    topic: 'engine',
    sender: 'u2',
    content:
      '@_**parley-import:user/u1** see [it](parley-import:message/m1) and [more](parley-import:message/none)',
    reactions: [
      { user: 'u1', emoji: '+1' },
      { user: 'u1', emoji: '+1' },
      { user: 'u2', emoji: 'nonsense-emoji' },
    ],
  }),
  message('m1', 10, { channel: 'c1', topic: 'engine', starred_by: ['u1'] }),
  message('m2', 20, { channel: 'c2', topic: 'plan', unread_by: ['u1'] }),
  message('m4', 40, { to: ['u2'] }),
  message('m5', 50, { channel: 'c3', sender: 'b1' }),
]
const ARCHIVE = [headOf('test'), ...PEOPLE, ...CHANNELS, ...MESSAGES]

const PUBLIC = [{ operator: 'channels', operand: 'public' }]

describe('imports', () => {
  const { realm, ann } = useRealm({ ann: 'member', admin: 'administrator' })
  beforeEach(keepAlarmsAway)

  it.each<[string, string]>([
    ['GET', '/imports'],
    ['POST', '/imports'],
    ['GET', '/imports/1/problems'],
    ['GET', '/imports/1/choices?type=user'],
    ['PATCH', '/imports/1'],
  ])('%s %s is for owners', async (method, path) => {
    const [admin, guest] = await Promise.all([
      buildUser(realm, { role: 200 }),
      buildUser(realm, { role: 600 }),
    ])
    for (const { api } of [admin, ann, guest]) {
      expectRefusal(await api.request(method, path, { path_id: 'x' }), 'Must be an organization owner', {
        code: 'UNAUTHORIZED_PRINCIPAL',
      })
    }
    expectUnauthorized(await realm.anonymous.request(method, path))
  })

  it('take files of the caller alone', async () => {
    const path_id = (await upload(ann)).replace('/user_uploads/', '')
    for (const path of [path_id, 'nowhere', '']) {
      expectRefusal(
        await realm.owner.api.post('/imports', { path_id: path }),
        'You have uploaded no such file',
      )
    }
  })

  it('of an unknown format fail, and say what to do', async () => {
    const id = await beginImport(realm.owner, '{"type":"version"}\n')
    const failed = await runUntil(realm, id, 'failed')
    expect(failed.failure).toContain('The documentation of imports lists')
    expectRefusal(await realm.owner.api.patch(`/imports/${id}`, { action: 'run' }), 'This import has ended')
    const bytes = new Uint8Array(zipOf([{ name: 'holiday/beach.txt', content: 'sand' }]))
    const path = await upload(realm.owner, { name: 'holiday.zip', type: 'application/zip', content: bytes })
    const asked = { path_id: path.replace('/user_uploads/', '') }
    const zip = expectSuccess(await realm.owner.api.post('/imports', asked)).id
    expect((await runUntil(realm, zip, 'failed')).failure).toContain('The documentation of imports lists')
    expectRefusal(await realm.owner.api.patch('/imports/9999', { action: 'run' }), 'Invalid import ID')
  })
})

describe('an import', () => {
  const { realm } = useRealmPerTest()
  beforeEach(keepAlarmsAway)

  it('writes nothing but its report until an owner says so', async () => {
    const before = [await messagesOf(realm.owner), expectSuccess(await realm.owner.api.get('/users')).members]
    const id = await beginImport(realm.owner, archiveOf(ARCHIVE))
    const { report } = await runUntil(realm, id, 'waiting')
    expect([
      await messagesOf(realm.owner),
      expectSuccess(await realm.owner.api.get('/users')).members,
    ]).toEqual(before)
    expect(countOf(report.records, 'message')).toBe(5)
    expect(countOf(report.found, 'people without an address')).toBe(1)
    expect(countOf(report.found, 'bots')).toBe(1)
    expect(countOf(report.found, 'administrators')).toBe(1)
    expect(countOf(report.found, 'private channels')).toBe(1)
    expect(countOf(report.found, 'direct messages')).toBe(1)
    expect(report.written).toEqual([])
    expectRefusal(
      await realm.owner.api.post('/imports', { path_id: await pathOf(realm) }),
      'Another import is under way',
    )
    expectSuccess(await realm.owner.api.patch(`/imports/${id}`, { action: 'cancel' }))
    await runUntil(realm, id, 'cancelled')
    expect((await env.UPLOADS.list({ prefix: `imports/${realm.id}/` })).objects).toEqual([])
  })

  it('brings people, channels and messages by time, and verify finds nothing', async () => {
    const { report } = await importArchive(realm, ARCHIVE)
    expect(countOf(report.written, 'people')).toBe(3)
    expect(countOf(report.written, 'bots')).toBe(1)
    const ada = await importedPerson(realm, 'Ada Amsel')
    expect(ada).toMatchObject({ delivery_email: 'Ada@Example.org', role: 200, is_active: true })
    expect(await importedPerson(realm, 'Ben Brandt')).toMatchObject({ is_bot: false, role: 400 })
    expect(await importedPerson(realm, 'Cleo Cruz')).toMatchObject({ is_active: false })
    const { streams } = expectSuccess(
      await realm.owner.api.get('/streams', { include_all: true, exclude_archived: false }),
    )
    const boats = streams.find((one: Json) => one.name === 'boats')
    expect(boats).toMatchObject({ description: 'All **boats**', invite_only: false, subscriber_count: 2 })
    expect(streams.find((one: Json) => one.name === 'old')).toMatchObject({ is_archived: true })
    const inBoats = await messagesOf(realm.owner, [{ operator: 'channel', operand: boats.stream_id }])
    expect(inBoats.map(({ subject, timestamp }) => [subject, timestamp])).toEqual([
      ['engine', T + 10],
      ['engine', T + 30],
    ])
    const [first, second] = inBoats
    expect(first.content).toBe('text of m1')
    expect(second.content).toBe(`@_**Ada Amsel|${ada.user_id}** see [it](/#narrow/id/${first.id}) and more`)
    expect(second.reactions).toHaveLength(1)
    expect(second.reactions[0]).toMatchObject({ emoji_name: '+1', user_id: ada.user_id })
    expect(second.flags).toContain('read')
    expect(countOf(report.problems, 'unknown emoji')).toBe(1)
    expect(await findingsIn(realm)).toEqual([])
  })

  it('leads links to direct conversations to those of the same people here', async () => {
    const link = (people: string) => `[x](parley-import:conversation/${people})`
    const sent = message('m1', 10, {
      channel: 'c1',
      topic: 'engine',
      content: [link('u2%2Cu1'), link('u1'), link('u1%2Cnobody'), link('u1%2Cu1')].join(' '),
    })
    const { report } = await importArchive(realm, [headOf('links'), ...PEOPLE, ...CHANNELS, sent])
    const [ada, ben] = await Promise.all(
      ['Ada Amsel', 'Ben Brandt'].map((name) => importedPerson(realm, name)),
    )
    const both = [ada.user_id, ben.user_id].sort((a, b) => a - b).join()
    const [{ content }] = (await messagesOf(realm.owner, PUBLIC)).filter((one) => one.content.includes('x'))
    const alone = `[x](/#narrow/dm/${ada.user_id}-dm)`
    expect(content).toBe(`[x](/#narrow/dm/${both}-group) ${alone} x ${alone}`)
    expect(countOf(report.written, 'references to a missing conversation')).toBe(1)
  })

  it('keeps private what was private', async () => {
    const [ann, outsider] = await Promise.all([buildUser(realm), buildUser(realm)])
    await importArchive(realm, ARCHIVE, { users: { u1: ann.id } })
    const hidden = (await messagesOf(ann)).filter(({ content }) => /^text of m[24]$/.test(content))
    expect(hidden).toHaveLength(2)
    // Owners too, who are in no conversation of others.
    for (const { api } of [outsider, realm.owner]) {
      for (const { id } of hidden) expectRefusal(await api.get(`/messages/${id}`), 'Invalid message(s)')
    }
    const { streams } = expectSuccess(await outsider.api.get('/streams'))
    expect(streams.map(({ name }: Json) => name)).not.toContain('secrets')
    expect((await messagesOf(outsider, PUBLIC)).map(({ content }) => content)).toContain('text of m1')
  })

  it('leaves out what the owner does not want, and puts people to accounts', async () => {
    const ann = await buildUser(realm)
    const { report } = await importArchive(realm, ARCHIVE, {
      users: { u1: ann.id },
      private_channels: false,
      direct_messages: false,
    })
    expect(countOf(report.written, 'people who have accounts')).toBe(1)
    expect(countOf(report.written, 'direct messages left out')).toBe(1)
    expect(countOf(report.written, 'messages of channels left out')).toBe(1)
    const sent = (await messagesOf(ann)).filter(({ sender_id }) => sender_id === ann.id)
    expect(sent.map(({ content }) => content)).toEqual(['text of m1'])
    expect(await findingsIn(realm)).toEqual([])
  })

  it('marks what the source had starred and unread, for those people alone', async () => {
    const ann = await buildUser(realm)
    await importArchive(realm, ARCHIVE, { users: { u1: ann.id } })
    const marks = new Map((await messagesOf(ann)).map(({ content, flags }) => [content, flags]))
    expect(marks.get('text of m1')).toEqual(expect.arrayContaining(['read', 'starred']))
    expect(marks.get('text of m2')).not.toContain('read')
    expect(marks.get('text of m4')).toEqual(['read'])
  })

  it('puts a person to the account with the same address, whatever its case', async () => {
    const archive = [
      headOf('t'),
      { type: 'user', id: '1', full_name: 'Other', email: realm.owner.email.toUpperCase() },
    ]
    const { report } = await importArchive(realm, archive)
    expect(countOf(report.written, 'people who have accounts')).toBe(1)
    expect(await importedPerson(realm, 'Other')).toBeUndefined()
  })

  it('makes one account of two people with one address, whatever its case', async () => {
    const people = ['Twin@Example.org', 'twin@example.ORG'].map((email, at) => ({
      ...{ type: 'user', id: `twin${at}`, full_name: `Twin ${at}`, email },
    }))
    const sent = people.map(({ id }, at) =>
      message(id, 1_000 + at, { channel: 'c9', topic: 't', sender: id }),
    )
    const channel = { type: 'channel', id: 'c9', name: 'twins' }
    await importArchive(realm, [headOf('twins'), ...people, channel, ...sent])
    const { user_id } = await importedPerson(realm, 'Twin 0')
    expect(await importedPerson(realm, 'Twin 1')).toBeUndefined()
    const found = (await messagesOf(realm.owner, PUBLIC)).filter(({ sender_id }) => sender_id === user_id)
    expect(found.map(({ content }) => content)).toEqual(['text of twin0', 'text of twin1'])
  })

  it('puts nothing private into a channel that others read', async () => {
    const archive = [
      headOf('t'),
      PEOPLE[0]!,
      { type: 'channel', id: 'c', name: 'sandbox', privacy: 'private' },
    ]
    await importArchive(realm, [...archive, message('m', 1, { channel: 'c', topic: 't', content: 'hidden' })])
    const outsider = await buildUser(realm)
    const seen = await messagesOf(outsider, PUBLIC)
    expect(seen.map(({ content }) => content)).not.toContain('hidden')
  })

  it('notifies nobody, and ends the queues of clients at its end alone', async () => {
    const ann = await buildUser(realm)
    const { queue_id, last_event_id } = expectSuccess(
      await ann.api.post('/register', { event_types: ['message'] }),
    )
    const id = await beginImport(realm.owner, archiveOf(ARCHIVE))
    await runUntil(realm, id, 'waiting')
    await sendTo(realm.owner, 'sandbox', 't', 'meanwhile')
    const poll = { queue_id, last_event_id, dont_block: true }
    const unread = async () => expectSuccess(await ann.api.post('/register', {})).unread_msgs.count
    const before = await unread()
    expectSuccess(await ann.api.get('/events', poll))
    expectSuccess(
      await realm.owner.api.patch(`/imports/${id}`, { action: 'run', mapping: { users: { u2: ann.id } } }),
    )
    await runUntil(realm, id, 'finished')
    expect((await ann.api.get('/events', poll)).body).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' })
    expect(await unread()).toBe(before)
  })

  it('of the same source adds only what is new', async () => {
    await importArchive(realm, ARCHIVE)
    const before = await messagesOf(realm.owner, PUBLIC)
    const { report } = await importAgain(realm, [
      ...ARCHIVE,
      message('m6', 60, { channel: 'c1', topic: 'engine' }),
    ])
    expect(countOf(report.written, 'messages')).toBe(1)
    expect(countOf(report.written, 'people')).toBe(0)
    expect((await messagesOf(realm.owner, PUBLIC)).map(({ content }) => content)).toEqual([
      ...before.map(({ content }) => content),
      'text of m6',
    ])
  })

  it('of the same source changes texts that were edited there, and not here', async () => {
    const ann = await buildUser(realm)
    const lines = [...ARCHIVE, message('m6', 60, { channel: 'c1', topic: 'engine' })]
    await importArchive(realm, lines, { users: { u1: ann.id } })
    const inBoats = async () =>
      messagesOf(realm.owner, [{ operator: 'channel', operand: 'boats' }]).then((found) =>
        found.map(({ id, content, last_edit_timestamp }) => ({ id, content, edited: last_edit_timestamp })),
      )
    expectSuccess(await realm.owner.api.patch('/realm', { message_content_edit_limit_seconds: 'unlimited' }))
    const [m1, m3, m6] = await inBoats()
    expectSuccess(await ann.api.patch(`/messages/${m6!.id}`, { content: 'edited here' }))
    const edited = lines.map((line) => {
      if (line['id'] === 'm1') {
        const edits = [{ time_ms: (T + 500) * 1_000, content: 'text of m1' }]
        return { ...line, content: 'edited **there**', edited_ms: (T + 500) * 1_000, edits }
      }
      return line['id'] === 'm6' ? { ...line, content: 'edited there too' } : line
    })
    const { report } = await importAgain(realm, edited, { users: { u1: ann.id } })
    expect(countOf(report.written, 'messages with a new text')).toBe(1)
    expect(countOf(report.written, 'messages edited here, and left so')).toBe(1)
    expect(countOf(report.written, 'messages')).toBe(0)
    const after = await inBoats()
    expect(after.map(({ id }) => id)).toEqual([m1!.id, m3!.id, m6!.id])
    expect(after.map(({ content }) => content)).toEqual(['edited **there**', m3!.content, 'edited here'])
    expect(after[0]!.edited).toBe(T + 500)
    const { message_history } = expectSuccess(await ann.api.get(`/messages/${m1!.id}/history`))
    expect(message_history.map(({ content }: Json) => content)).toEqual(['text of m1', 'edited **there**'])
    const again = await importAgain(realm, edited, { users: { u1: ann.id } })
    expect(countOf(again.report.written, 'messages with a new text')).toBe(0)
    expect(await findingsIn(realm)).toEqual([])
  })

  it('of the same source writes nothing into a channel that has turned private there', async () => {
    await importArchive(realm, ARCHIVE)
    const outsider = await buildUser(realm)
    const { report } = await importAgain(realm, [
      ...ARCHIVE.map((line) => (line['id'] === 'c1' ? { ...line, privacy: 'private' } : line)),
      message('m6', 60, { channel: 'c1', topic: 'engine', content: 'hidden' }),
    ])
    expect(countOf(report.problems, 'channel that is private there and public here')).toBe(1)
    expect(countOf(report.written, 'messages of channels left out')).toBe(1)
    const seen = (await messagesOf(outsider, PUBLIC)).map(({ content }) => content)
    expect(seen).toContain('text of m1')
    expect(seen).not.toContain('hidden')
  })

  it('of the same source leaves out private channels of an earlier one', async () => {
    const ann = await buildUser(realm)
    await importArchive(realm, ARCHIVE, { users: { u1: ann.id } })
    const secret = message('m6', 60, { channel: 'c2', topic: 'plan', content: 'hidden' })
    const decisions = { private_channels: false }
    for (const lines of [
      [...ARCHIVE, secret],
      [headOf('test'), secret],
    ]) {
      const { report } = await importAgain(realm, lines, decisions)
      expect(countOf(report.written, 'messages of channels left out')).toBe(1)
    }
    expect((await messagesOf(ann)).map(({ content }) => content)).not.toContain('hidden')
  })

  it('gives nobody the address of a bot of the organization', async () => {
    const { cross_realm_bots } = expectSuccess(await realm.owner.api.post('/register', {}))
    const { email } = cross_realm_bots[0]
    const archive = [headOf('t'), { type: 'user', id: '1', full_name: 'Bot Namesake', email }]
    const { report } = await importArchive(realm, archive)
    expect(countOf(report.written, 'people')).toBe(1)
    expect(countOf(report.problems, 'address that nobody can have')).toBe(1)
    expect((await importedPerson(realm, 'Bot Namesake')).delivery_email).not.toBe(email)
  })

  it('names a private channel in texts of that channel alone', async () => {
    const ann = await buildUser(realm)
    const link = '#**parley-import:channel/c2** #**parley-import:channel/c1**'
    await importArchive(
      realm,
      [
        ...ARCHIVE,
        message('p1', 60, { channel: 'c1', topic: 't', content: `open: ${link}` }),
        message('p2', 61, { channel: 'c2', topic: 't', content: `same: ${link}` }),
        message('p3', 62, { to: ['u2'], content: `direct: ${link}` }),
      ],
      { users: { u1: ann.id } },
    )
    const texts = (await messagesOf(ann)).map(({ content }) => content)
    expect(texts).toEqual(
      expect.arrayContaining([
        'open: *a private channel* #**boats**',
        'same: #**secrets** #**boats**',
        'direct: *a private channel* #**boats**',
      ]),
    )
  })

  it('lists messages to, or unread by, more people than there can be here', async () => {
    const people = Array.from({ length: 202 }, (_, at) => ({
      type: 'user',
      id: `x${at}`,
      full_name: `Person ${at}`,
    }))
    const ids = people.map(({ id }) => id)
    const absent = Array.from({ length: 1_000 }, (_, at) => `absent ${at}`)
    const ann = await buildUser(realm)
    const { report } = await importArchive(
      realm,
      [
        ...ARCHIVE,
        ...people,
        message('few', 60, { to: ids.slice(0, 200) }),
        message('many', 61, { to: ids }),
        message('absent', 62, { to: absent }),
        message('unread', 63, { channel: 'c1', topic: 't', unread_by: ['u1', ...ids, ...absent] }),
      ],
      { users: { u1: ann.id } },
    )
    expect(countOf(report.problems, 'direct message to too many')).toBe(2)
    expect(countOf(report.problems, 'message that too many have not read')).toBe(1)
    expect(countOf(report.written, 'direct messages')).toBe(2)
    const marks = new Map((await messagesOf(ann)).map(({ content, flags }) => [content, flags]))
    expect(marks.get('text of unread')).not.toContain('read')
    expect(await findingsIn(realm)).toEqual([])
  })

  it('pauses and continues as an owner says', async () => {
    const id = await beginImport(realm.owner, archiveOf(ARCHIVE))
    expectSuccess(await realm.owner.api.patch(`/imports/${id}`, { action: 'pause' }))
    for (let run = 0; run < 3; run += 1) {
      world.clockOffset += 10
      await runDurableObjectAlarm(realmStub(realm.id))
    }
    expect(await importWithId(realm, id)).toMatchObject({ state: 'reading', is_paused: true, parts: null })
    expectSuccess(await realm.owner.api.patch(`/imports/${id}`, { action: 'resume' }))
    await runUntil(realm, id, 'waiting')
    expectRefusal(
      await realm.owner.api.patch(`/imports/${id}`, { mapping: { users: { u1: 9_999 } } }),
      'Invalid user ID: 9999',
    )
    expectSuccess(await realm.owner.api.patch(`/imports/${id}`, { action: 'run' }))
    expectRefusal(
      await realm.owner.api.patch(`/imports/${id}`, { mapping: { private_channels: false } }),
      'This import is being written already',
    )
    await runUntil(realm, id, 'finished')
  })

  it('counts and lists problems, and continues', async () => {
    const lines = [
      ...ARCHIVE,
      'no json',
      `{"type":"message","deep":${'['.repeat(5_000)}`,
      message('bad time', 1, { time_ms: 'noon', channel: 'c1' }),
      message('null', 1, { content: null, channel: 'c1' }),
      message('nowhere', 1, {}),
      message('unknown channel', 1, { channel: 'none' }),
      message('unknown person', 1, { sender: 'none', channel: 'c1' }),
      message('dm to nobody', 1, { to: ['u2', 'none'] }),
      message('empty', 1, { channel: 'c1', content: ' \n\n' }),
      message('__proto__', 60, { channel: 'c1', topic: '\u0000\ud800', content: 'odd\0 \ud800 text' }),
      message('long', 70, { channel: 'c1', topic: 't'.repeat(500), content: 'x'.repeat(50_000) }),
      { type: 'user', id: 'constructor', full_name: '@**all**', email: 'no address' },
      { type: 'channel', id: '__proto__', name: '__proto__', members: [{ user: 'none' }, { user: 5 }] },
      '{"type":"__proto__","__proto__":{"role":"owner"}}',
      { type: 'mystery', id: '1' },
    ]
    const { id, report } = await importArchive(realm, lines)
    expect(Object.fromEntries(report.problems.map(({ name, count }: Json) => [name, count]))).toEqual({
      'no JSON': 1,
      'nested too deep': 1,
      'bad message': 2,
      'unknown type': 2,
      'message without a channel or people': 1,
      'message in an unknown channel': 1,
      'message of an unknown person': 1,
      'direct message to an unknown person': 1,
      'message that cannot be shown': 1,
      'unknown person in a channel': 1,
      'unknown emoji': 1,
      'address that nobody can have': 1,
    })
    expect(countOf(report.written, 'messages')).toBe(6)
    expect(countOf(report.passed_over, 'channel.members[]')).toBe(1)
    for (const cut of ['message.content', 'topic']) {
      expect(countOf(report.passed_over, `${cut}, cut`)).toBe(1)
    }
    const { problems } = expectSuccess(await realm.owner.api.get(`/imports/${id}/problems`))
    expect(problems[0]).toEqual({
      kind: 'no JSON',
      detail: 'no json',
      file: 'import.jsonl',
      line: ARCHIVE.length + 1,
    })
    expect(problems[2]).toMatchObject({ kind: 'bad message', file: 'import.jsonl', line: ARCHIVE.length + 3 })
    // What only shows when it is written has its place too.
    const place = (kind: string) => problems.find((one: Json) => one.kind === kind)
    expect(place('message of an unknown person')).toMatchObject({
      file: 'import.jsonl',
      line: ARCHIVE.length + 7,
    })
    expect(place('unknown person in a channel')).toMatchObject({
      file: 'import.jsonl',
      line: expect.any(Number),
    })
    expect(await findingsIn(realm)).toEqual([])
  })

  it('lists a hundred problems of a kind, and leaves room for others', async () => {
    const { id, report } = await importArchive(realm, [
      headOf('crowded'),
      ...Array.from({ length: 150 }, (_, at): Line => ({ type: 'problem', kind: 'notice', detail: `${at}` })),
      { type: 'problem', kind: 'rare', detail: 'seen' },
    ])
    expect(countOf(report.problems, 'notice')).toBe(150)
    const { problems } = expectSuccess(await realm.owner.api.get(`/imports/${id}/problems`))
    expect(problems).toHaveLength(101)
    expect(problems.at(-1)).toMatchObject({ kind: 'rare', detail: 'seen' })
  })

  it('loses and doubles nothing wherever the object dies', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const many = Array.from({ length: 450 }, (_, at) =>
      message(`n${at}`, 100 + at, { channel: 'c1', topic: `t${at % 5}` }),
    )
    const files = Array.from(
      { length: 8 },
      (_, at): Line => ({
        type: 'file',
        id: `f${at}`,
        name: `f${at}.txt`,
        data: btoa(`file ${at}`),
        owner: 'u1',
      }),
    )
    const withFiles = message('files', 900, {
      channel: 'c1',
      topic: 'files',
      files: files.map(({ id }) => id),
    })
    const id = await beginImport(
      realm.owner,
      archiveOf([...ARCHIVE, ...files, ...many.toReversed(), withFiles]),
    )
    let deaths = 0
    for (let run = 0; run < 40; run += 1) {
      const { state } = await importWithId(realm, id)
      if (state === 'finished') break
      if (state === 'waiting') expectSuccess(await realm.owner.api.patch(`/imports/${id}`, { action: 'run' }))
      world.crashAt = run % 2 === 0 ? 'importing' : 'committed'
      // The job keeps the lease of the run that crashed.
      world.clockOffset += 700
      await runDurableObjectAlarm(realmStub(realm.id)).catch(() => {})
      if (world.crashAt === undefined) deaths += 1
    }
    world.crashAt = undefined
    await runUntil(realm, id, 'finished')
    expect(deaths).toBeGreaterThanOrEqual(4)
    const contents = (await messagesOf(realm.owner, PUBLIC))
      .map(({ content }) => content)
      .filter((one) => /^text of n/.test(one))
    expect(contents).toEqual(many.map(({ content }) => content))
    const { report } = await importWithId(realm, id)
    expect(countOf(report.written, 'files')).toBe(files.length)
    const [sent] = (await messagesOf(realm.owner, PUBLIC)).filter(({ subject }) => subject === 'files')
    const paths: string[] = sent.content.match(/\/user_uploads\/[^)]+/g)
    expect(
      await Promise.all(paths.map(async (path) => (await fetchPath(realm, path, realm.owner)).text())),
    ).toEqual(files.map((_, at) => `file ${at}`))
    expect(await findingsIn(realm)).toEqual([])
    vi.restoreAllMocks()
  })
})

async function pathOf({ owner }: TestRealm): Promise<string> {
  return (await upload(owner)).replace('/user_uploads/', '')
}
