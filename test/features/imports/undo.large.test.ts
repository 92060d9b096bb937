import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiClient, realmStub } from '../../support/api.ts'
import { keepAlarmsAway } from '../../support/exports.ts'
import { buildUser, expectSuccess, type TestRealm, type TestUser } from '../../support/factories.ts'
import { findingsIn } from '../../support/findings.ts'
import {
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
import { changeRealm } from '../../support/inside.ts'
import type { Json } from '../../support/json.ts'
import { sendTo } from '../../support/messages.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { readStatus, upload } from '../../support/uploads.ts'
import { useRealmPerTest } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm } = useRealmPerTest()
beforeEach(keepAlarmsAway)

const message = (id: string, more: Line): Line => ({
  type: 'message',
  id,
  sender: 'u1',
  time_ms: 1_600_000_000_000,
  content: `text of ${id}`,
  ...more,
})
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
const ARCHIVE: readonly Line[] = [
  headOf('test'),
  { type: 'profile_field', id: 'f1', name: 'Boat' },
  {
    type: 'user',
    id: 'u1',
    full_name: 'Ada Amsel',
    email: 'ada@example.org',
    profile: [{ field: 'f1', value: 'Heron' }],
  },
  { type: 'user', id: 'u2', full_name: 'Ben Brandt', role: 'guest' },
  { type: 'user', id: 'u3', full_name: 'Cleo Cruz', deactivated: true },
  { type: 'user', id: 'b1', full_name: 'Build', is_bot: true },
  { type: 'group', id: 'g1', name: 'crew', members: ['u1', 'u2'] },
  { type: 'channel_folder', id: 'd1', name: 'Harbour' },
  { type: 'channel', id: 'c1', name: 'boats', folder: 'd1', members: [{ user: 'u1' }, { user: 'u2' }] },
  { type: 'channel', id: 'c2', name: 'secrets', privacy: 'private', members: [{ user: 'u1' }] },
  { type: 'file', id: 'p1', name: 'a.png', data: PNG },
  { type: 'file', id: 'p2', name: 'note.txt', data: 'aGVsbG8=' },
  { type: 'emoji', id: 'e1', name: 'heron', image: 'p1' },
  message('m1', {
    channel: 'c1',
    topic: 'engine',
    reactions: [{ user: 'u2', emoji: '+1' }],
    starred_by: ['u1'],
  }),
  message('m2', { channel: 'c2', topic: 'plan', content: 'See [note](parley-import:file/p2)' }),
  message('m3', { to: ['u2'], sender: 'u1' }),
  message('m4', { channel: 'c1', sender: 'b1' }),
  { type: 'user_topic', user: 'u1', channel: 'c1', topic: 'engine', policy: 'followed' },
  { type: 'alert_word', user: 'u1', word: 'fog' },
  { type: 'saved_snippet', id: 's1', user: 'u1', title: 'Hello', content: 'Good day' },
  { type: 'linkifier', pattern: '#(?P<id>[0-9]+)', url_template: 'https://example.org/{id}' },
]

/** Returns what the organization shows to an owner. */
async function shown({ owner }: TestRealm) {
  const { members } = expectSuccess(await owner.api.get('/users'))
  const { streams } = expectSuccess(
    await owner.api.get('/streams', { include_all: true, exclude_archived: false }),
  )
  const { user_groups } = expectSuccess(await owner.api.get('/user_groups'))
  const { linkifiers } = expectSuccess(await owner.api.get('/realm/linkifiers'))
  const { custom_fields } = expectSuccess(await owner.api.get('/realm/profile_fields'))
  const { messages } = expectSuccess(
    await owner.api.get('/messages', {
      narrow: [{ operator: 'channels', operand: 'public' }],
      ...{ anchor: 'oldest', num_before: 0, num_after: 100, apply_markdown: false },
    }),
  )
  const names = (list: Json[]) => list.map((one) => one.full_name ?? one.name ?? one.pattern).sort()
  return {
    members: names(members),
    streams: names(streams),
    groups: names(user_groups),
    linkifiers: names(linkifiers),
    fields: names(custom_fields),
    messages: messages.map(({ content }: Json) => content),
  }
}

/** Returns a bot that an import has made, with its key. */
async function importedBot(name: string): Promise<TestUser> {
  const { bots } = expectSuccess(await realm.owner.api.get('/bots'))
  const { user_id, username, api_key } = bots.find(({ full_name }: Json) => full_name === name)
  const { host, realmId } = realm.owner.api
  const client = new ApiClient({ host, realmId, email: username, apiKey: api_key })
  return { id: user_id, email: username, fullName: name, apiKey: api_key, api: client }
}

async function undo(of: TestRealm, id: number): Promise<Json> {
  expectSuccess(await of.owner.api.patch(`/imports/${id}`, { action: 'undo' }))
  return runUntil(of, id, 'undone')
}

describe('to undo an import', () => {
  it('deletes all that it has made, and verify finds nothing', async () => {
    const before = await shown(realm)
    const { id } = await importArchive(realm, ARCHIVE)
    expect(await shown(realm)).not.toEqual(before)
    const { queue_id, last_event_id } = expectSuccess(
      await realm.owner.api.post('/register', { event_types: ['message', 'delete_message', 'realm_user'] }),
    )
    await undo(realm, id)
    expect(await shown(realm)).toEqual(before)
    const poll = await realm.owner.api.get('/events', { queue_id, last_event_id, dont_block: true })
    expect(poll.body).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' })
    expect(await findingsIn(realm)).toEqual([])
    expectRefusal(
      await realm.owner.api.patch(`/imports/${id}`, { action: 'undo' }),
      'This import has left nothing that could be undone',
    )
  })

  it('deletes things whatever characters their ids at the source have', async () => {
    const before = await shown(realm)
    // By UTF-8 the second comes last, by UTF-16 first.
    const groups = ['\u{ff5e}', '\u{1f600}'].map(
      (id, at): Line => ({ type: 'group', id, name: `crew ${at}` }),
    )
    const { id } = await importArchive(realm, [headOf('characters'), ...groups])
    expect((await shown(realm)).groups).toContain('crew 1')
    await undo(realm, id)
    expect(await shown(realm)).toEqual(before)
  })

  it('lets the same archive be imported again as if it were new', async () => {
    const { id } = await importArchive(realm, ARCHIVE)
    const first = await shown(realm)
    await undo(realm, id)
    const again = await importArchive(realm, ARCHIVE)
    expect(await shown(realm)).toEqual(first)
    expect(again.earlier_import_id).toBeNull()
    expect(await findingsIn(realm)).toEqual([])
  })

  it('keeps what was here, and what people have written there', async () => {
    const ann = await buildUser(realm)
    await sendTo(realm.owner, 'sandbox', 'engine', 'here before')
    const lines = ARCHIVE.map((line) => (line['id'] === 'c1' ? { ...line, name: 'sandbox' } : line))
    const before = await shown(realm)
    const { id } = await importArchive(realm, lines, { users: { u1: ann.id } })
    await sendTo(realm.owner, 'sandbox', 'engine', 'here after')
    await undo(realm, id)
    expect(await shown(realm)).toEqual({ ...before, messages: [...before.messages, 'here after'] })
    expect(expectSuccess(await ann.api.get('/users/me')).full_name).toBe(ann.fullName)
    expect(await findingsIn(realm)).toEqual([])
  })

  const uses: readonly [string, (ann: TestUser) => Promise<unknown>, RegExp][] = [
    [
      'written in its channel',
      (ann) => sendTo(ann, 'boats', 'engine', 'me too'),
      /has written in the imported channel boats/,
    ],
    [
      'reacted to its message',
      async (ann) => {
        const { messages } = expectSuccess(
          await ann.api.get('/messages', {
            narrow: [{ operator: 'channel', operand: 'boats' }],
            ...{ anchor: 'oldest', num_before: 0, num_after: 1 },
          }),
        )
        expectSuccess(await ann.api.post(`/messages/${messages[0].id}/reactions`, { emoji_name: 'tada' }))
      },
      /has reacted to the imported message/,
    ],
    [
      'edited its message',
      async (ann) => {
        const { messages } = expectSuccess(
          await ann.api.get('/messages', {
            narrow: [{ operator: 'channel', operand: 'secrets' }],
            ...{ anchor: 'oldest', num_before: 0, num_after: 1 },
          }),
        )
        expectSuccess(await ann.api.patch(`/messages/${messages[0].id}`, { content: 'changed' }))
      },
      /the imported message \d+ was edited/,
    ],
    [
      'written to somebody of it',
      async (ann) => {
        const { members } = expectSuccess(await ann.api.get('/users'))
        const { user_id } = members.find(({ full_name }: Json) => full_name === 'Ben Brandt')
        expectSuccess(await ann.api.post('/messages', { type: 'direct', to: [user_id], content: 'hello' }))
      },
      /has written in a direct conversation with Ben Brandt/,
    ],
  ]

  it.each(uses)('is refused where a user has %s', async (_, use, sentence) => {
    const ann = await buildUser(realm)
    expectSuccess(await realm.owner.api.patch('/realm', { message_content_edit_limit_seconds: 'unlimited' }))
    const { id } = await importArchive(realm, ARCHIVE, { users: { u1: ann.id } })
    await use(ann)
    const before = await shown(realm)
    expectSuccess(await realm.owner.api.patch(`/imports/${id}`, { action: 'undo' }))
    const { undo_refusal } = await runUntil(realm, id, 'finished')
    expect(undo_refusal).toMatch(sentence)
    expect(await shown(realm)).toEqual(before)
  })

  it('keeps, closed, a bot whose messages, reactions and files stay', async () => {
    const { id } = await importArchive(realm, [
      ...ARCHIVE,
      { type: 'user', id: 'b2', full_name: 'Reacting', is_bot: true },
      { type: 'user', id: 'b3', full_name: 'Filing', is_bot: true },
    ])
    const here = await sendTo(realm.owner, 'sandbox', 'engine', 'here')
    const sent = await sendTo(await importedBot('Build'), 'sandbox', 'engine', 'by the bot')
    const reacting = await importedBot('Reacting')
    expectSuccess(await reacting.api.post(`/messages/${here}/reactions`, { emoji_name: 'tada' }))
    await upload(await importedBot('Filing'))
    const { report } = await undo(realm, id)
    expect(countOf(report.written, 'user in use, and kept')).toBe(3)
    const { message } = expectSuccess(await realm.owner.api.get(`/messages/${sent}`))
    expect(message.sender_full_name).toBe('Build')
    for (const name of ['Build', 'Reacting', 'Filing'])
      expect(await importedPerson(realm, name)).toMatchObject({ is_active: false, is_bot: true })
    expect(await importedPerson(realm, 'Ada Amsel')).toBeUndefined()
    expect(await findingsIn(realm)).toEqual([])
  })

  it('gives a file that a message links to the owner who has imported it', async () => {
    const { id } = await importArchive(realm, [
      ...ARCHIVE.map((line) => (line['id'] === 'p2' ? { ...line, owner: 'u2' } : line)),
      message('m5', { channel: 'c1', topic: 'engine', content: 'See [note](parley-import:file/p2)' }),
    ])
    const engine = [
      { operator: 'channel', operand: 'boats' },
      { operator: 'topic', operand: 'engine' },
    ]
    const { content } = (await messagesOf(realm.owner, engine)).at(-1)!
    const path = /\/user_uploads\/[^)]*/.exec(content)![0]
    await sendTo(realm.owner, 'sandbox', 'engine', `See [it](${path})`)
    const { report } = await undo(realm, id)
    expect(countOf(report.written, 'file in use, and kept')).toBe(1)
    const { attachments } = expectSuccess(await realm.owner.api.get('/attachments'))
    expect(attachments.map(({ path_id }: Json) => `/user_uploads/${path_id}`)).toContain(path)
    expect(await readStatus(realm, path, realm.owner)).toBe(200)
    expect(await findingsIn(realm)).toEqual([])
  })

  it('deletes a channel of thousands of topics in parts', async () => {
    const before = await shown(realm)
    const { id } = await importArchive(realm, ARCHIVE)
    await changeRealm(realm, ({ sql }) =>
      sql.run(
        `WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
         INSERT INTO topic (channel_id, name, name_key)
         SELECT (SELECT id FROM channel WHERE name = 'boats'), 'topic ' || i, 'topic ' || i FROM n`,
      ),
    )
    await undo(realm, id)
    expect(await shown(realm)).toEqual(before)
    expect(await findingsIn(realm)).toEqual([])
  })

  it('begins with the last one of several', async () => {
    const first = await importArchive(realm, ARCHIVE)
    const second = await importAgain(realm, [...ARCHIVE, message('m9', { channel: 'c1', topic: 'engine' })])
    expectRefusal(
      await realm.owner.api.patch(`/imports/${first.id}`, { action: 'undo' }),
      `The archive ${JSON.stringify(second.name)} was imported later: undo that first`,
    )
    await undo(realm, second.id)
    expect((await shown(realm)).messages).not.toContain('text of m9')
    expect((await shown(realm)).messages).toContain('text of m1')
    await undo(realm, first.id)
    expect(await findingsIn(realm)).toEqual([])
  })

  it('loses and leaves nothing wherever the object dies', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const before = await shown(realm)
    const { id } = await importArchive(realm, ARCHIVE)
    expectSuccess(await realm.owner.api.patch(`/imports/${id}`, { action: 'undo' }))
    let deaths = 0
    for (let run = 0; run < 60; run += 1) {
      if ((await importWithId(realm, id)).state === 'undone') break
      world.crashAt = run % 2 === 0 ? 'importing' : 'committed'
      world.clockOffset += 700
      await runDurableObjectAlarm(realmStub(realm.id)).catch(() => {})
      if (world.crashAt === undefined) deaths += 1
    }
    world.crashAt = undefined
    await runUntil(realm, id, 'undone')
    expect(deaths).toBeGreaterThanOrEqual(2)
    expect(await shown(realm)).toEqual(before)
    expect((await env.UPLOADS.list({ prefix: `imports/${realm.id}/` })).objects).toEqual([])
    expect(await findingsIn(realm)).toEqual([])
    vi.restoreAllMocks()
  })
})
