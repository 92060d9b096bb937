import { beforeEach, describe, expect, it } from 'vitest'
import { exportFiles, slackChannel, said as slackSaid } from '../../imports/slack-export.ts'
import { zipOf } from '../../imports/zip-builder.ts'
import { runAlarms } from '../../support/alarms.ts'
import { keepAlarmsAway } from '../../support/exports.ts'
import { buildUser, expectSuccess, type TestRealm } from '../../support/factories.ts'
import { findingsIn } from '../../support/findings.ts'
import { PNG } from '../../support/images.ts'
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
  runImport,
  runUntil,
} from '../../support/imports.ts'
import type { Json } from '../../support/json.ts'
import { sendTo } from '../../support/messages.ts'
import { mailedLink, mailsTo, postForm } from '../../support/pages.ts'
import { postFiles, readStatus, upload } from '../../support/uploads.ts'
import { useRealmPerTest } from '../../support/use-realm.ts'

const made = useRealmPerTest()
beforeEach(keepAlarmsAway)

const T = 1_600_000_000_000
const HEAD = headOf('cut-over')
const person = (id: string, name: string, more: Line = {}): Line => ({
  type: 'user',
  id,
  full_name: name,
  ...more,
})
const ADA = person('u', 'Ada Amsel', { email: 'ada@example.org' })
const BEN = person('v', 'Ben Brandt', { email: 'ben@example.org' })
const sea = (more: Line = {}): Line => ({
  type: 'channel',
  id: 'c',
  name: 'open sea',
  members: [{ user: 'u' }],
  ...more,
})
const said = (id: string, at: number, more: Line = {}): Line => ({
  ...{
    type: 'message',
    id,
    sender: 'u',
    time_ms: T + at * 1_000,
    channel: 'c',
    topic: 't',
    content: `text of ${id}`,
  },
  ...more,
})
/** The file of an archive that has its bytes, or that lacks them. */
const file = (id: string, has: boolean): Line => ({
  ...{ type: 'file', id, name: `${id}.txt` },
  ...(has ? { data: btoa(`bytes of ${id}`) } : { path: 'gone' }),
})
const narrowTo = (name: string) => [{ operator: 'channel', operand: name }]
const messagesIn = ({ owner }: TestRealm, name = 'open sea') => messagesOf(owner, narrowTo(name))
const textsIn = async (realm: TestRealm, name?: string) =>
  (await messagesIn(realm, name)).map(({ content }) => content as string)

async function problemsOf({ owner }: TestRealm, id: number): Promise<string[]> {
  const { problems } = expectSuccess(await owner.api.get(`/imports/${id}/problems`))
  return problems.map(({ kind, detail }: Json) => `${kind}: ${detail}`)
}

async function undo(realm: TestRealm, id: number): Promise<void> {
  expectSuccess(await realm.owner.api.patch(`/imports/${id}`, { action: 'undo' }))
  await runUntil(realm, id, 'undone')
}

async function channelNamed({ owner }: TestRealm, name: string): Promise<Json> {
  const asked = { include_all: true, exclude_archived: false }
  const { streams } = expectSuccess(await owner.api.get('/streams', asked))
  return streams.find((one: Json) => one.name === name)
}

/** Logs in as an imported person for the first time. */
async function logIn(realm: TestRealm, username: string): Promise<void> {
  expectSuccess(await realm.owner.api.post('/imports/invitations'))
  await runAlarms(realm, 3, 40)
  const password = 'quite another one'
  expect((await postForm(await mailedLink(realm.host, username), { password })).status).toBe(200)
  expectSuccess(await realm.anonymous.post('/fetch_api_key', { username, password }))
}

describe('A file that failed before', () => {
  const text = { content: 'See [the plan](parley-import:file/f)', files: ['g'] }
  const archive = (has: boolean, ...more: Line[]) => [
    HEAD,
    ADA,
    sea(),
    file('f', has),
    file('g', has),
    said('m', 0, text),
    ...more,
  ]

  it('is added to its message by an archive that has it, without an edit', async () => {
    const { realm } = made
    await importArchive(realm, archive(false))
    expect(await textsIn(realm)).toEqual(['See the plan *(missing file)*\n\ng.txt *(missing file)*'])
    const { report, id } = await importAgain(realm, archive(true))
    expect(countOf(report.written, 'messages whose files came')).toBe(1)
    const [message] = await messagesIn(realm)
    expect(message!.content).toMatch(
      /^See \[the plan\]\(\/user_uploads\/\S+\)\n\n\[g\.txt\]\(\/user_uploads\/\S+\)$/,
    )
    expect(message).not.toHaveProperty('last_edit_timestamp')
    expect(message).not.toHaveProperty('edit_history')
    const paths = [...message!.content.matchAll(/\/user_uploads\/[^)\s]+/g)].map(([path]) => path)
    expect(await readStatus(realm, paths[0]!, realm.owner)).toBe(200)
    expect(await findingsIn(realm)).toEqual([])
    // A third archive has nothing to add.
    const third = await importAgain(realm, archive(true))
    expect(countOf(third.report.written, 'messages whose files came')).toBe(0)
    await undo(realm, third.id).catch(() => {})
    await undo(realm, id)
    expect(await textsIn(realm)).toEqual(['See the plan *(missing file)*\n\ng.txt *(missing file)*'])
    expect(await readStatus(realm, paths[0]!, realm.owner)).not.toBe(200)
    expect(await findingsIn(realm)).toEqual([])
    await importAgain(realm, archive(true))
    expect(await textsIn(realm)).toEqual([expect.stringContaining('[the plan](/user_uploads/')])
  })

  it('is added by an older archive too, which reverts no text', async () => {
    const { realm } = made
    const newer = { content: 'new text', edited_ms: T + 900_000 }
    await importArchive(realm, [...archive(false), said('n', 0, newer), said('last', 1_000)])
    await importAgain(realm, archive(true, said('n', 0)))
    const [first, second] = await textsIn(realm)
    expect(first).toContain('[the plan](/user_uploads/')
    expect(second).toBe('new text')
  })

  it('that is still missing changes nothing', async () => {
    const { realm } = made
    await importArchive(realm, archive(false))
    const { report } = await importAgain(realm, archive(false))
    expect(countOf(report.written, 'messages whose files came')).toBe(0)
    expect(countOf(report.written, 'messages with a new text')).toBe(0)
  })
})

it('A text that was edited at the source leaves an earlier version here, until undone', async () => {
  const { realm } = made
  const archive = (...texts: string[]) => [
    ...[HEAD, ADA, sea()],
    ...texts.map((content, at) => said(`m${at}`, at, { content, ...(at > 0 && { edited_ms: T + 60_000 }) })),
  ]
  await importArchive(realm, archive('first', 'second'))
  const before = await messagesIn(realm)
  const changed = archive('first', 'second').map((line) =>
    line['id'] === 'm0' ? { ...line, content: 'new', edited_ms: T + 90_000 } : line,
  )
  const { id } = await importAgain(realm, changed)
  const [message] = await messagesIn(realm)
  expect(message).toMatchObject({ content: 'new', last_edit_timestamp: (T + 90_000) / 1_000 })
  expect(message!.edit_history).toMatchObject([{ prev_content: 'first' }])
  await undo(realm, id)
  expect(await messagesIn(realm)).toEqual(before)
  const again = await importAgain(realm, changed)
  expect(countOf(again.report.written, 'messages with a new text')).toBe(1)
  expect(await findingsIn(realm)).toEqual([])
})

describe('People who are gone at the source', () => {
  const gone = { deactivated: true }
  const lines = (more: Line = {}): Line[] => [
    ...[HEAD, { ...ADA, ...more }, { ...BEN, ...more }, person('w', 'Cleo Cruz', more)],
    ...[sea({ members: [{ user: 'u' }, { user: 'v' }] }), said('m', 0)],
  ]

  it('are closed here, or listed if they use their account, and never mailed', async () => {
    const { realm } = made
    const cleo = await buildUser(realm)
    await importArchive(realm, lines(), { users: { w: cleo.id } })
    await logIn(realm, 'ben@example.org')
    const before = (await mailsTo(realm.host, 'ada@example.org')).length
    const { id, report } = await importAgain(realm, lines(gone))
    expect(countOf(report.written, 'people closed')).toBe(1)
    expect(await importedPerson(realm, 'Ada Amsel')).toMatchObject({ is_active: false })
    expect(await importedPerson(realm, 'Ben Brandt')).toMatchObject({ is_active: true })
    const listed = 'person who is gone at the source, and open here'
    expect(await problemsOf(realm, id)).toEqual([`${listed}: Ben Brandt`, `${listed}: ${cleo.fullName}`])
    expectSuccess(await realm.owner.api.post('/imports/invitations'))
    await runAlarms(realm, 3, 100_000)
    expect(await mailsTo(realm.host, 'ada@example.org')).toHaveLength(before)
    const { entries } = expectSuccess(await realm.owner.api.get('/audit_log', {}))
    const { user_id } = await importedPerson(realm, 'Ada Amsel')
    expect(entries.find(({ details }: Json) => details.user_id === user_id)).toMatchObject({
      ...{ action: 'import_changed', details: { import_id: id } },
    })
    await undo(realm, id)
    expect(await importedPerson(realm, 'Ada Amsel')).toMatchObject({ is_active: true })
    expect(await findingsIn(realm)).toEqual([])
  })

  it('stay open where an administrator has opened them again since', async () => {
    const { realm } = made
    await importArchive(realm, lines(gone))
    const { user_id } = await importedPerson(realm, 'Ada Amsel')
    expectSuccess(await realm.owner.api.post(`/users/${user_id}/reactivate`))
    await importAgain(realm, lines(gone))
    expect(await importedPerson(realm, 'Ada Amsel')).toMatchObject({ is_active: true })
    const { id } = await importAgain(realm, lines())
    expect(await problemsOf(realm, id)).toEqual([
      'person who is back at the source, and closed here: Ben Brandt',
      'person who is back at the source, and closed here: Cleo Cruz',
    ])
  })
})

describe('New names', () => {
  const first = [HEAD, ADA, BEN, sea(), said('m', 0)]
  const renamed = [
    HEAD,
    { ...ADA, full_name: 'Ada Ahrens' },
    { ...BEN, full_name: 'Ben Busch' },
    sea({ name: 'high sea' }),
    said('m', 0),
  ]
  const rename = async (realm: TestRealm, name: string) => {
    const { user_id } = await importedPerson(realm, 'Ada Amsel')
    expectSuccess(await realm.owner.api.patch(`/users/${user_id}`, { full_name: name }))
  }

  it('come, and undoing takes them back', async () => {
    const { realm } = made
    await importArchive(realm, first)
    const { id } = await importAgain(realm, renamed)
    expect(await importedPerson(realm, 'Ada Ahrens')).toBeDefined()
    expect(await textsIn(realm, 'high sea')).toEqual(['text of m'])
    await undo(realm, id)
    expect(await importedPerson(realm, 'Ada Amsel')).toBeDefined()
    expect(await textsIn(realm, 'open sea')).toEqual(['text of m'])
    // The names are new again.
    await importAgain(realm, renamed)
    expect(await importedPerson(realm, 'Ada Ahrens')).toBeDefined()
  })

  it('do not replace those given here, or of people who have logged in', async () => {
    const { realm } = made
    await importArchive(realm, first)
    await rename(realm, 'Ada of the Harbour')
    await logIn(realm, 'ben@example.org')
    const { stream_id } = await channelNamed(realm, 'open sea')
    expectSuccess(await realm.owner.api.patch(`/streams/${stream_id}`, { new_name: 'our sea' }))
    await importAgain(realm, renamed)
    expect(await importedPerson(realm, 'Ada of the Harbour')).toBeDefined()
    expect(await importedPerson(realm, 'Ben Brandt')).toBeDefined()
    expect(await textsIn(realm, 'our sea')).toContain('text of m')
  })

  it('of a channel are free for another one that has the old name now', async () => {
    const { realm } = made
    await importArchive(realm, first)
    const successor = { ...sea({ id: 'd' }), members: [] }
    await importAgain(realm, [
      ...renamed.slice(0, 3),
      successor,
      ...renamed.slice(3),
      said('n', 1, { channel: 'd' }),
    ])
    expect(await textsIn(realm, 'high sea')).toEqual(['text of m'])
    expect(await textsIn(realm, 'open sea')).toEqual(['text of n'])
  })
})

describe('Reactions', () => {
  const react = (...given: [user: string, emoji: string][]) => ({
    reactions: given.map(([user, emoji]) => ({ user, emoji })),
  })
  const reactionsIn = async (realm: TestRealm) =>
    (await messagesIn(realm)).map(({ reactions }) =>
      reactions.map(({ emoji_name, user_id }: Json) => [emoji_name, user_id]),
    )

  it('come and go as at the source, those given here stay, and undoing restores them', async () => {
    const { realm } = made
    const archive = (...given: [string, string][]) => [
      HEAD,
      ADA,
      BEN,
      sea(),
      said('m', 0, react(...given)),
      said('n', 1),
    ]
    await importArchive(realm, archive(['u', 'octopus'], ['v', 'tada']))
    const [first] = await messagesIn(realm)
    expectSuccess(await realm.owner.api.post(`/messages/${first!.id}/reactions`, { emoji_name: 'heart' }))
    const before = await reactionsIn(realm)
    const { id, report } = await importAgain(realm, archive(['u', 'octopus'], ['u', 'tada'], ['v', 'rocket']))
    expect(countOf(report.written, 'reactions')).toBe(2)
    const ids = await Promise.all(['Ada Amsel', 'Ben Brandt'].map((name) => importedPerson(realm, name)))
    const [ada, ben] = ids.map(({ user_id }) => user_id)
    const after = await reactionsIn(realm)
    expect(after[0].toSorted()).toEqual(
      [
        ['octopus', ada],
        ['tada', ada],
        ['rocket', ben],
        ['heart', realm.owner.id],
      ].toSorted(),
    )
    await undo(realm, id)
    expect((await reactionsIn(realm)).map((all) => all.toSorted())).toEqual(
      before.map((all) => all.toSorted()),
    )
    expect(await findingsIn(realm)).toEqual([])
  })

  it('come once their custom emoji exists', async () => {
    const { realm } = made
    const custom = { reactions: [{ user: 'u', emoji: 'heron', kind: 'custom' }] }
    const lines = [HEAD, ADA, sea(), said('m', 0, custom)]
    await importArchive(realm, lines)
    expect(await reactionsIn(realm)).toEqual([[]])
    expectSuccess(await postFiles(realm.owner, '/realm/emoji/heron', [PNG]))
    await importAgain(realm, lines)
    expect((await reactionsIn(realm))[0]).toMatchObject([['heron', expect.any(Number)]])
    expect(await findingsIn(realm)).toEqual([])
  })
})

describe('Topics', () => {
  const topicsIn = async (realm: TestRealm) =>
    (await messagesIn(realm)).map(({ content, subject }) => [content, subject])

  it('of messages change as at the source, unless they were moved here', async () => {
    const { realm } = made
    const archive = (topic: string) => [
      HEAD,
      ADA,
      sea(),
      ...['m', 'n'].map((id, at) => said(id, at, { topic })),
    ]
    await importArchive(realm, archive('engine'))
    const [, second] = await messagesIn(realm)
    const moved = { topic: 'hull', propagate_mode: 'change_one', send_notification_to_old_thread: false }
    expectSuccess(await realm.owner.api.patch(`/messages/${second!.id}`, moved))
    const ours = async () => (await topicsIn(realm)).filter(([content]) => content.startsWith('text of'))
    const { id, report } = await importAgain(realm, archive('mast'))
    expect(await ours()).toEqual([
      ['text of m', 'mast'],
      ['text of n', 'hull'],
    ])
    expect(countOf(report.written, 'messages moved here, and left so')).toBe(1)
    await undo(realm, id)
    expect(await ours()).toEqual([
      ['text of m', 'engine'],
      ['text of n', 'hull'],
    ])
    expect(await findingsIn(realm)).toEqual([])
  })

  it('are made of threads that began since, with the first message of each', async () => {
    const { realm } = made
    const importZip = async (messages: object[], more: object = {}) => {
      const zip = zipOf(
        exportFiles({
          'channels.json': [slackChannel('C1', 'open sea')],
          'open sea/2014-06-12.json': messages,
        }),
      )
      const path = await upload(realm.owner, {
        name: 'a.zip',
        type: 'application/zip',
        content: new Uint8Array(zip),
      })
      const { id } = expectSuccess(
        await realm.owner.api.post('/imports', { path_id: path.replace('/user_uploads/', '') }),
      )
      await runUntil(realm, id, 'waiting')
      await runImport(realm, id, {}, more as Record<string, boolean>)
      return runUntil(realm, id, 'finished')
    }
    const [root, other] = [slackSaid('The engine is broken'), slackSaid('Good day')]
    await importZip([root, other])
    const thread = { thread_ts: root.ts }
    const later = [
      { ...root, ...thread, reply_count: 1 },
      other,
      slackSaid('Mended', { ...thread, user: 'U2' }),
    ]
    await importZip(later, { known_source: true })
    expect(await topicsIn(realm)).toEqual([
      ['The engine is broken', '2014-06-12 The engine is broken'],
      ['Good day', 'imported from Slack'],
      [expect.stringMatching(/^The engine is broken\n\n\[1 reply in /), 'imported from Slack'],
      ['Mended', '2014-06-12 The engine is broken'],
    ])
    expect(await findingsIn(realm)).toEqual([])
  })
})

describe('Memberships', () => {
  const archive = (...members: string[]) => [
    ...[HEAD, ADA, BEN, person('w', 'Cleo Cruz'), person('x', 'Dan Dorn')],
    ...[sea({ privacy: 'private', members: members.map((user) => ({ user })) }), said('m', 0)],
  ]
  const idOf = async (realm: TestRealm, name: string) => (await importedPerson(realm, name)).user_id
  const membersOfSea = async (realm: TestRealm, by: Json) =>
    expectSuccess(await by.api.get(`/streams/${(await channelNamed(realm, 'open sea')).stream_id}/members`))
      .subscribers

  it('come and end as at the source, and who has left here stays away', async () => {
    const { realm } = made
    const lines = (...members: string[]) => [
      ...archive('me', ...members),
      person('me', 'Owner', { email: realm.owner.email }),
    ]
    await importArchive(realm, lines('u', 'v', 'w'))
    const [ada, ben, cleo, dan] = await Promise.all(
      ['Ada Amsel', 'Ben Brandt', 'Cleo Cruz', 'Dan Dorn'].map((name) => idOf(realm, name)),
    )
    const all = () => membersOfSea(realm, realm.owner)
    const left = { subscriptions: ['open sea'], principals: [cleo] }
    expectSuccess(await realm.owner.api.delete('/users/me/subscriptions', left))
    const before = await all()
    const { id } = await importAgain(realm, lines('v', 'w', 'x'))
    expect((await all()).toSorted()).toEqual([realm.owner.id, ben, dan].toSorted())
    await undo(realm, id)
    expect((await all()).toSorted()).toEqual(before.toSorted())
    expect(before).toContain(ada)
    expect(await findingsIn(realm)).toEqual([])
  })

  it('of people who use their accounts end only here, which is listed', async () => {
    const { realm } = made
    const lines = (...members: string[]) => [
      ...archive('me', ...members),
      person('me', 'Owner', { email: realm.owner.email }),
    ]
    await importArchive(realm, lines('v'))
    await logIn(realm, 'ben@example.org')
    const { id } = await importAgain(realm, lines())
    expect(await membersOfSea(realm, realm.owner)).toContain(await idOf(realm, 'Ben Brandt'))
    expect(await problemsOf(realm, id)).toEqual([
      'person who has left a channel at the source, and is in it here: Ben Brandt, open sea',
    ])
  })
})

describe('Groups', () => {
  const archive = (name: string, ...members: string[]) => [
    ...[HEAD, ADA, BEN, person('w', 'Cleo Cruz'), { type: 'group', id: 'g', name, members }],
    ...[sea(), said('m', 0)],
  ]
  const groupsIn = async ({ owner }: TestRealm) =>
    expectSuccess(await owner.api.get('/user_groups')).user_groups.filter(
      ({ is_system_group }: Json) => !is_system_group,
    )
  const shown = async (realm: TestRealm) =>
    (await groupsIn(realm)).map(({ name, members }: Json) => [name, members.toSorted()])

  it('get the names and members that they have at the source', async () => {
    const { realm } = made
    await importArchive(realm, archive('crew', 'u', 'v'))
    const [ada, ben, cleo] = await Promise.all(
      ['Ada Amsel', 'Ben Brandt', 'Cleo Cruz'].map(
        async (name) => (await importedPerson(realm, name)).user_id as number,
      ),
    )
    const before = await shown(realm)
    expect(before).toEqual([['crew', [ada, ben].toSorted()]])
    const { id } = await importAgain(realm, archive('hands', 'v', 'w'))
    expect(await shown(realm)).toEqual([['hands', [ben, cleo].toSorted()]])
    await undo(realm, id)
    expect(await shown(realm)).toEqual(before)
    // Who was removed here stays away.
    const [{ id: groupId }] = await groupsIn(realm)
    expectSuccess(await realm.owner.api.post(`/user_groups/${groupId}/members`, { delete: [ada] }))
    await importAgain(realm, archive('crew', 'u', 'v', 'w'))
    expect(await shown(realm)).toEqual([['crew', [ben, cleo].toSorted()]])
    expect(await findingsIn(realm)).toEqual([])
  })
})

describe('A channel that was archived at the source', () => {
  const archive = (archived: boolean) => [HEAD, ADA, sea({ archived, default: !archived }), said('m', 0)]

  it('is archived here, and opened again with it', async () => {
    const { realm } = made
    await importArchive(realm, archive(false))
    const { id } = await importAgain(realm, archive(true))
    expect(await channelNamed(realm, 'open sea')).toMatchObject({ is_archived: true })
    await undo(realm, id)
    expect(await channelNamed(realm, 'open sea')).toMatchObject({ is_archived: false })
    await importAgain(realm, archive(true))
    await importAgain(realm, archive(false))
    expect(await channelNamed(realm, 'open sea')).toMatchObject({ is_archived: false })
    expect(await findingsIn(realm)).toEqual([])
  })

  it('stays open where somebody has written in it here', async () => {
    const { realm } = made
    await importArchive(realm, archive(false))
    const { stream_id } = await channelNamed(realm, 'open sea')
    expectSuccess(
      await realm.owner.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'open sea' }] }),
    )
    await sendTo(realm.owner, stream_id, 'here', 'We go on')
    const { id } = await importAgain(realm, archive(true))
    expect(await channelNamed(realm, 'open sea')).toMatchObject({ is_archived: false })
    expect(await problemsOf(realm, id)).toEqual([
      'channel that is archived at the source, and in use here: open sea',
    ])
  })
})

describe('An older archive', () => {
  const older: Line[] = [
    ...[HEAD, ADA, BEN, sea({ members: [{ user: 'u' }] })],
    said('m', 0, { topic: 'engine', reactions: [{ user: 'u', emoji: 'octopus' }] }),
    said('k', 1),
  ]
  const newer: Line[] = [
    ...[HEAD, { ...ADA, full_name: 'Ada Ahrens' }, { ...BEN, deactivated: true }],
    sea({ name: 'high sea', archived: true, members: [{ user: 'v' }] }),
    said('m', 0, { topic: 'mast', content: 'new text', edited_ms: T + 500_000 }),
  ]
  const state = async (realm: TestRealm) => ({
    messages: (await messagesIn(realm, 'high sea')).map(({ content, subject, reactions }) => [
      content,
      subject,
      reactions,
    ]),
    ada: (await importedPerson(realm, 'Ada Ahrens')).is_active,
    ben: (await importedPerson(realm, 'Ben Brandt')).is_active,
    archived: (await channelNamed(realm, 'high sea')).is_archived,
  })

  it('reverts nothing of a newer one, and adds what is missing', async () => {
    const { realm } = made
    await importArchive(realm, newer)
    const before = await state(realm)
    const id = await beginImport(realm.owner, archiveOf(older))
    await runUntil(realm, id, 'waiting')
    expect((await importWithId(realm, id)).is_older).toBe(true)
    await runImport(realm, id, {}, { known_source: true })
    await runUntil(realm, id, 'finished')
    const after = await state(realm)
    expect(after.messages).toEqual([...before.messages, ['text of k', 't', []]])
    expect({ ...after, messages: [] }).toEqual({ ...before, messages: [] })
    expect(await findingsIn(realm)).toEqual([])
  })

  it('is one by the time that it names, if it names one', async () => {
    const { realm } = made
    const at = (made_at_ms: number) => ({ ...HEAD, made_at_ms })
    await importArchive(realm, [at(T + 9_000_000), ...newer.slice(1)])
    const before = await state(realm)
    await importAgain(realm, [at(T + 8_000_000), ...older.slice(1), said('l', 5_000)])
    expect((await state(realm)).messages.slice(0, 1)).toEqual(before.messages)
    const last = await importAgain(realm, [at(T + 10_000_000), ...older.slice(1)])
    expect(last.is_older).toBe(false)
    expect(await importedPerson(realm, 'Ada Amsel')).toBeDefined()
  })
})

it('A further archive of a place changes nothing that another owner has imported', async () => {
  const { realm } = made
  const bea = await buildUser(realm, { role: 100 })
  const archive = (name: string, more: Line) => [
    ...[HEAD, person('u', name), sea({ name: `${name} sea`, members: [{ user: 'u' }] })],
    said('m', 0, more),
  ]
  await importArchive(realm, archive('Ada', { topic: 'engine' }))
  const lines = archive('Eda', { topic: 'mast', reactions: [{ user: 'u', emoji: 'tada' }] })
  const id = await beginImport(bea, archiveOf([...lines, person('bea', 'Bea', { email: bea.email })]))
  await runUntil(realm, id, 'waiting')
  expectSuccess(await bea.api.patch(`/imports/${id}`, { action: 'run', known_source: true }))
  await runUntil(realm, id, 'finished')
  expect(await importedPerson(realm, 'Ada')).toBeDefined()
  const [message] = await messagesIn(realm, 'Ada sea')
  expect(message).toMatchObject({ subject: 'engine', reactions: [] })
  expect(await problemsOf(realm, id)).toEqual([
    'not permitted to the owner: message m: another owner has imported it',
  ])
})
