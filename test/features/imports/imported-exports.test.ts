import { describe, expect, it } from 'vitest'
import { FORMATS, type Format } from '../../imports/hostile-formats.ts'
import { readArchive } from '../../imports/read-archive.ts'
import {
  byAda,
  byBen,
  dumpOf,
  rocketChat,
  message as rocketChatMessage,
  subscription,
} from '../../imports/rocket-chat-dump.ts'
import { tarOf } from '../../imports/tar-builder.ts'
import { archiveOf, zipOf } from '../../imports/zip-builder.ts'
import { buildUser, expectSuccess, type TestRealm } from '../../support/factories.ts'
import { findingsIn } from '../../support/findings.ts'
import { importWithId, messagesOf, runUntil } from '../../support/imports.ts'
import { fromJson, type Json } from '../../support/json.ts'
import { fetchPath, upload } from '../../support/uploads.ts'
import { useRealmPerTest } from '../../support/use-realm.ts'

const made = useRealmPerTest()

type Files = Readonly<Record<string, unknown>>

/** Imports an archive as an owner does who wants all of it. */
async function importZip(realm: TestRealm, files: Files): Promise<Json> {
  const entries = Object.entries(files).map(([name, content]) => ({
    name,
    content: typeof content === 'string' ? content : JSON.stringify(content),
  }))
  return importBytes(realm, 'export.zip', new Uint8Array(zipOf(entries)))
}

async function importBytes(
  realm: TestRealm,
  name: string,
  content: Uint8Array<ArrayBuffer>,
  mapping: object = {},
): Promise<Json> {
  const path = await upload(realm.owner, { name, type: 'application/octet-stream', content })
  const { id } = expectSuccess(
    await realm.owner.api.post('/imports', { path_id: path.replace('/user_uploads/', '') }),
  )
  await runUntil(realm, id, 'waiting')
  const { format } = await importWithId(realm, id)
  expectSuccess(await realm.owner.api.patch(`/imports/${id}`, { mapping, action: 'run' }))
  return { ...(await runUntil(realm, id, 'finished')), format }
}

/** Returns topics and texts of a channel by time, as a user who joins it reads them. */
async function textsIn(realm: TestRealm, channel: string): Promise<string[][]> {
  expectSuccess(await realm.owner.api.post('/users/me/subscriptions', { subscriptions: [{ name: channel }] }))
  const { messages } = expectSuccess(
    await realm.owner.api.get('/messages', {
      narrow: [{ operator: 'channel', operand: channel }],
      anchor: 'newest',
      num_before: 50,
      num_after: 0,
      apply_markdown: false,
    }),
  )
  return messages
    .filter(({ sender_full_name }: Json) => !sender_full_name.endsWith('Bot'))
    .map(({ sender_full_name, subject, content }: Json) => [sender_full_name, subject, content])
}

describe('An export of Slack', () => {
  const user = (id: string, name: string) => ({ id, team_id: 'T1', name, profile: { real_name: name } })
  const said = (ts: string, text: string, more: object = {}) => ({
    type: 'message',
    user: 'U1',
    ts,
    text,
    ...more,
  })

  it('becomes messages of its people, with threads as topics', async () => {
    const { realm } = made
    const imported = await importZip(realm, {
      'users.json': [user('U1', 'Ada Amsel'), user('U2', 'Ben Brandt')],
      'channels.json': [{ id: 'C1', name: 'boats', created: 1_400_000_000, creator: 'U1', members: ['U1'] }],
      'boats/2014-06-12.json': [
        said('1402560001.000100', 'Hello *all*'),
        said('1402560002.000100', 'Engine?', { thread_ts: '1402560002.000100', reply_count: 1 }),
      ],
      'boats/2014-06-13.json': [
        said('1402646400.000100', 'Mended, <@U1>', { user: 'U2', thread_ts: '1402560002.000100' }),
      ],
    })
    expect(imported).toMatchObject({ format: 'slack', state: 'finished' })
    const texts = await textsIn(realm, 'boats')
    expect(texts[0]).toEqual(['Ada Amsel', 'imported from Slack', 'Hello **all**'])
    const thread = texts.filter(([, topic]) => topic !== 'imported from Slack')
    expect(thread.map(([name, topic]) => [name, topic])).toEqual([
      ['Ada Amsel', '2014-06-12 Engine?'],
      ['Ben Brandt', '2014-06-12 Engine?'],
    ])
    expect(thread[1]![2]).toMatch(/^Mended, @_\*\*Ada Amsel\|\d+\*\*$/)
    expect(await findingsIn(realm)).toEqual([])
  })

  it('brings the files that are in it, with their bytes', async () => {
    const { realm } = made
    const file = { id: 'F1', name: 'plan.txt', mimetype: 'text/plain', user: 'U1', created: 1_402_560_000 }
    const imported = await importZip(realm, {
      'users.json': [user('U1', 'Ada Amsel')],
      'channels.json': [{ id: 'C1', name: 'boats', created: 1_400_000_000, creator: 'U1', members: ['U1'] }],
      'boats/2014-06-12.json': [said('1402560001.000100', 'The plan', { files: [file] })],
      '__uploads/F1/plan.txt': 'out and back',
    })
    expect(imported.report.problems).toEqual([])
    const [[, , text]] = (await textsIn(realm, 'boats')) as [string[]]
    const path = /\/user_uploads\/[^)]+/.exec(text!)![0]
    expect(await (await fetchPath(realm, path, realm.owner)).text()).toBe('out and back')
  })
})

describe('A bulk export of Mattermost', () => {
  it('becomes messages of its people, with threads as topics', async () => {
    const { realm } = made
    const line = (type: string, value: object) => ({ type, [type]: value })
    const lines = [
      { type: 'version', version: 1 },
      line('team', { name: 'main', display_name: 'Main', type: 'O' }),
      line('channel', { team: 'main', name: 'boats', display_name: 'Boats', type: 'O' }),
      line('user', { username: 'ada', email: 'ada@example.org', first_name: 'Ada', last_name: 'Amsel' }),
      line('user', { username: 'ben', email: 'ben@example.org', roles: 'system_user' }),
      line('post', {
        ...{ team: 'main', channel: 'boats', user: 'ada', message: 'Engine?', create_at: 1_600_000_000_000 },
        replies: [{ user: 'ben', message: 'Mended', create_at: 1_600_000_100_000 }],
      }),
    ]
    const imported = await importZip(realm, {
      'import.jsonl': lines.map((one) => JSON.stringify(one)).join('\n'),
    })
    expect(imported).toMatchObject({ format: 'mattermost', state: 'finished' })
    const texts = await textsIn(realm, 'Boats')
    expect(texts.at(-1)![2]).toBe('Mended')
    expect(texts.at(-1)![0]).toBe('ben')
    expect(await findingsIn(realm)).toEqual([])
  })
})

describe('An export of another organization here', () => {
  it('shows addresses only to administrators if a person’s own choice is not in it', async () => {
    const { realm } = made
    const person = (id: number, email_visibility: string) =>
      JSON.stringify({
        ...{ type: 'user', id: `${id}`, full_name: `P${id}` },
        ...{ email: `p${id}@example.org`, email_visibility },
      })
    const archive = tarOf({
      'export/parley-import.jsonl': '{"type":"parley-import","version":1,"source":"parley:old"}\n',
      // An export says so of those who do not consent (model/exports/read-people.ts).
      'export/users/000001.jsonl': `${person(7, 'everyone')}\n${person(8, 'administrators')}\n`,
    })
    await importBytes(realm, 'export.tar', new Uint8Array(archive))
    const ann = await buildUser(realm)
    const { members } = expectSuccess(await ann.api.get('/users'))
    const addressOf = (name: string) =>
      members.find(({ full_name }: Json) => full_name === name).delivery_email
    expect([addressOf('P7'), addressOf('P8')]).toEqual(['p7@example.org', null])
  })
})

describe('An export of the public server', () => {
  const person = (id: number, more: object = {}) => ({
    ...{ id, full_name: `P${id}`, delivery_email: `p${id}@example.org`, role: 400, is_active: true },
    ...more,
  })
  const realmJson = {
    zerver_realm: [
      {
        ...{ id: 2, string_id: 'acme', name: 'Acme', description: 'All of us' },
        ...{ message_content_edit_limit_seconds: null, topics_policy: 3, can_create_groups: 41 },
        ...{ default_language: 'de', new_stream_announcements_stream: 5 },
      },
    ],
    zerver_userprofile: [person(7, { role: 100, enter_sends: true }), person(8)],
    zerver_realmuserdefault: [{ id: 1, realm: 2, enter_sends: false, emojiset: 'twitter' }],
    zerver_namedusergroup: [{ usergroup_ptr: 41, name: 'role:owners', is_system_group: true }],
    zerver_stream: [{ id: 5, name: 'boats' }],
    zerver_recipient: [
      { id: 21, type: 2, type_id: 5 },
      { id: 22, type: 1, type_id: 8 },
    ],
    zerver_scheduledmessage: [
      { id: 1, sender: 7, recipient: 21, subject: 'tea', content: 'Later', scheduled_timestamp: 4e9 },
      { id: 2, sender: 7, recipient: 22, subject: '', content: 'Later, @**P8|8**', scheduled_timestamp: 4e9 },
    ],
  }
  const archive = new Uint8Array(tarOf({ 'x/realm.json': JSON.stringify(realmJson) }))
  const settingsOf = async ({ owner }: TestRealm) =>
    expectSuccess(await owner.api.post('/register', { fetch_event_types: ['realm', 'user_settings'] }))

  it('gives the organization and its owner what they had set there, if so decided', async () => {
    const { realm } = made
    const { owner } = realm
    await importBytes(realm, 'export.tar', archive, { users: { 7: owner.id }, settings: true })
    expect(await settingsOf(realm)).toMatchObject({
      realm_name: 'Acme',
      realm_description: 'All of us',
      realm_message_content_edit_limit_seconds: null,
      realm_topics_policy: 'disable_empty_topic',
      realm_default_language: 'de',
      user_settings: { enter_sends: true },
    })
    const { scheduled_messages } = expectSuccess(await owner.api.get('/scheduled_messages'))
    const found = scheduled_messages.map(({ type, content, failed }: Json) => [type, content, failed])
    expect(found.sort()).toEqual([
      ['private', expect.stringMatching(/^Later, @\*\*P8\|\d+\*\*$/), false],
      ['stream', 'Later', false],
    ])
    expect(await findingsIn(realm)).toEqual([])
  })

  it('changes neither without that decision, but for harmless settings', async () => {
    const { realm } = made
    const before = await settingsOf(realm)
    await importBytes(realm, 'export.tar', archive, { users: { 7: realm.owner.id } })
    const after = await settingsOf(realm)
    expect(after.realm_name).toBe(before.realm_name)
    expect(after.realm_topics_policy).toBe(before.realm_topics_policy)
    expect(after.user_settings).toEqual(before.user_settings)
    expect(after.realm_default_language).toBe('de')
  })
})

const ROCKET_CHAT: Format = {
  reader: rocketChat,
  message: (text, number) => JSON.stringify({ text, number }),
  archive: (messages) =>
    dumpOf({
      rocketchat_subscription: [subscription('GENERAL', byAda)],
      rocketchat_message: messages.map((one) => {
        const { text, number } = fromJson(one)
        return rocketChatMessage(`m${number}`, number, text)
      }),
    }),
}

/** Those whose archives of the tests have people. */
const WITH_PEOPLE = FORMATS.filter(([, { reader }]) => reader.name !== 'neutral')

describe.each([...WITH_PEOPLE, ['Rocket.Chat', ROCKET_CHAT] as const])(
  'An archive of the format %s',
  (_, format) => {
    it('is imported with its dates, in their order, and verify finds nothing', async () => {
      const { realm } = made
      const { owner } = realm
      // The order of the archive is not that of time.
      const archive = format.archive([2, 1, 3].map((number) => format.message(`text ${number}`, number)))
      const [sender] = (await readArchive(format.reader, archiveOf(archive, 'archive'))).of('message')
      const users = { [sender!.sender]: owner.id }
      const imported = await importBytes(realm, 'archive', new Uint8Array(archive), { users })
      expect(imported).toMatchObject({ format: format.reader.name, report: { problems: [] } })
      // Who sent them may not be in their channel there.
      const ofAll = await messagesOf(owner, [{ operator: 'channels', operand: 'public' }])
      const own = await messagesOf(owner, [{ operator: 'sender', operand: owner.id }])
      const read = (own.length > 0 ? own : ofAll)
        .filter(({ content }) => content.startsWith('text '))
        .map(({ content, timestamp }) => [content, timestamp])
      expect(read).toEqual([1, 2, 3].map((number) => [`text ${number}`, 1_600_000_000 + number]))
      expect(await findingsIn(realm)).toEqual([])
    })
  },
)

describe('A dump of Rocket.Chat', () => {
  it('becomes messages of its people, with threads as topics and files in place', async () => {
    const { realm } = made
    const archive = dumpOf({
      'rocketchat_uploads.chunks': [{ _id: 'c', files_id: 'f1', n: 0, data: Buffer.from('out and back') }],
      rocketchat_uploads: [{ _id: 'f1', name: 'plan.txt', type: 'text/plain', userId: 'ada1' }],
      rocketchat_message: [
        rocketChatMessage('m1', 1, 'Engine?', { tcount: 1, files: [{ _id: 'f1', name: 'plan.txt' }] }),
        rocketChatMessage('m2', 2, 'Mended, @ada', { tmid: 'm1', ...byBen }),
      ],
    })
    await importBytes(realm, 'dump.tar', new Uint8Array(archive))
    const texts = (await textsIn(realm, 'general')).filter(([, topic]) => topic!.includes('Engine?'))
    expect(texts.map(([name, topic]) => [name, topic])).toEqual([
      ['Ada Amsel', '2020-09-13 Engine?'],
      ['Ben Brandt', '2020-09-13 Engine?'],
    ])
    const path = /\/user_uploads\/[^)]+/.exec(texts[0]![2]!)![0]
    expect(await (await fetchPath(realm, path, realm.owner)).text()).toBe('out and back')
    expect(texts[1]![2]).toMatch(/^Mended, @_\*\*Ada Amsel\|\d+\*\*$/)
    expect(await findingsIn(realm)).toEqual([])
  })
})
