import { runDurableObjectAlarm } from 'cloudflare:test'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { exportFiles, said, slackChannel, slackUser } from '../../imports/slack-export.ts'
import { zipOf } from '../../imports/zip-builder.ts'
import { runAlarms } from '../../support/alarms.ts'
import { realmStub } from '../../support/api.ts'
import { keepAlarmsAway } from '../../support/exports.ts'
import { expectSuccess, type TestRealm } from '../../support/factories.ts'
import { findingsIn } from '../../support/findings.ts'
import { PNG } from '../../support/images.ts'
import {
  countOf,
  headOf,
  importArchive,
  importedPerson,
  importWithId,
  type Line,
  messagesOf,
  runImport,
  runUntil,
} from '../../support/imports.ts'
import type { Json } from '../../support/json.ts'
import { mailsTo } from '../../support/pages.ts'
import { postFiles, upload } from '../../support/uploads.ts'
import { useRealmPerTest } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const PNG_AS_TEXT =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII='

const made = useRealmPerTest()
beforeEach(keepAlarmsAway)

/** Begins to import an archive of a program; returns the id. */
async function begin({ owner }: TestRealm, name: string, content: Uint8Array): Promise<number> {
  const path = await upload(owner, { name, type: 'application/zip', content: new Uint8Array(content) })
  return expectSuccess(await owner.api.post('/imports', { path_id: path.replace('/user_uploads/', '') })).id
}

async function importAll(realm: TestRealm, name: string, content: Uint8Array): Promise<Json> {
  const id = await begin(realm, name, content)
  await runUntil(realm, id, 'waiting')
  await runImport(realm, id)
  return runUntil(realm, id, 'finished')
}

const slack = (files: Readonly<Record<string, unknown>>) => zipOf(exportFiles(files))
const narrowTo = (name: string) => [{ operator: 'channel', operand: name }]
const textsIn = async ({ owner }: TestRealm, name: string) =>
  (await messagesOf(owner, narrowTo(name))).map(({ content }) => content as string)

async function problemsOf({ owner }: TestRealm, id: number): Promise<string[]> {
  const { problems } = expectSuccess(await owner.api.get(`/imports/${id}/problems`))
  return problems.map(({ kind, detail }: Json) => `${kind}: ${detail}`)
}

describe('An export of Slack', () => {
  it('has people of other companies as closed accounts, whom nothing mails', async () => {
    const { realm } = made
    const profile = (name: string, email: string) => ({ profile: { real_name: name, email } })
    const { id } = await importAll(
      realm,
      'export.zip',
      slack({
        'users.json': [
          slackUser('U7', 'Eve', { team_id: 'T9', ...profile('Eve Elsewhere', 'eve@elsewhere.example') }),
          slackUser('U8', 'Fay', { is_stranger: true, ...profile('Fay Faraway', 'fay@elsewhere.example') }),
          slackUser('U1', 'Ada', { is_primary_owner: true, ...profile('Ada Amsel', 'ada@example.org') }),
        ],
        'channels.json': [slackChannel('C1', 'partners', { members: ['U7', 'U8', 'U1'] })],
        'partners/2014-06-12.json': [said('Good day', { user: 'U7', user_team: 'T9' })],
      }),
    )
    expect((await importWithId(realm, id)).source).toBe('slack:T1')
    expect(await importedPerson(realm, 'Eve Elsewhere')).toMatchObject({ is_active: false, role: 600 })
    expect(await importedPerson(realm, 'Fay Faraway')).toMatchObject({ is_active: false })
    expect(await problemsOf(realm, id)).toEqual([
      'person of another company: Eve Elsewhere',
      'person of another company: Fay Faraway',
    ])
    const [message] = await messagesOf(realm.owner, narrowTo('partners'))
    expect(message).toMatchObject({ sender_full_name: 'Eve Elsewhere', content: 'Good day' })
    expectSuccess(await realm.owner.api.post('/imports/invitations'))
    await runAlarms(realm, 3, 40)
    expect(await mailsTo(realm.host, 'ada@example.org')).not.toEqual([])
    for (const address of ['eve@elsewhere.example', 'fay@elsewhere.example'])
      expect(await mailsTo(realm.host, address)).toEqual([])
    expect(await findingsIn(realm)).toEqual([])
  })

  it('keeps channels apart whose names begin with the same 60 characters', async () => {
    const { realm } = made
    const [long, cut] = ['customer-'.repeat(9), 'customer-'.repeat(9).slice(0, 60)]
    const id = await begin(
      realm,
      'export.zip',
      slack({
        'channels.json': ['east', 'west'].map((end, at) => slackChannel(`C${at}`, long + end)),
        [`${long}east/2014-06-12.json`]: [said('of the east')],
        [`${long}west/2014-06-12.json`]: [said('of the west')],
      }),
    )
    const { report } = await runUntil(realm, id, 'waiting')
    expect(countOf(report.found, 'channels of the same name')).toBe(1)
    const { choices } = expectSuccess(
      await realm.owner.api.get(`/imports/${id}/choices`, { type: 'channel' }),
    )
    expect(choices.map(({ clash }: Json) => clash)).toEqual(['name', 'name'])
    await runImport(realm, id)
    await runUntil(realm, id, 'finished')
    expect(await textsIn(realm, cut)).toEqual(['of the east'])
    expect(await textsIn(realm, `${cut.slice(0, 56)} (2)`)).toEqual(['of the west'])
    expect(await problemsOf(realm, id)).toEqual([
      `channel whose name is taken: ${long}west: here ${cut.slice(0, 56)} (2)`,
    ])
  })

  it('is read in parts whose number, once told, stays', async () => {
    const { realm } = made
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const days = Array.from({ length: 9 }, (_, day) => [`general/2014-06-1${day}.json`, [said(`day ${day}`)]])
    const id = await begin(realm, 'export.zip', slack(Object.fromEntries(days)))
    const told: (number | null)[] = []
    for (let run = 0; run < 40; run += 1) {
      const { state, parts, parts_read } = await importWithId(realm, id)
      if (state !== 'reading') break
      told.push(parts)
      expect(parts_read === null).toBe(parts === null)
      if (parts !== null) expect(parts_read).toBeLessThanOrEqual(parts)
      world.crashAt = 'importing'
      // The job keeps the lease of the run that crashed.
      world.clockOffset += 700
      await runDurableObjectAlarm(realmStub(realm.id)).catch(() => {})
    }
    world.crashAt = undefined
    const known = told.filter((parts) => parts !== null)
    expect(told[0]).toBe(null)
    expect(known.length).toBeGreaterThan(0)
    expect(new Set(known).size).toBe(1)
  })
})

describe('Custom emoji that an archive lacks', () => {
  const react = (emoji: string, user = 'u') => ({ user, emoji, kind: 'custom' })
  const lines: readonly Line[] = [
    headOf('emoji'),
    { type: 'user', id: 'u', full_name: 'Ada' },
    { type: 'user', id: 'v', full_name: 'Ben' },
    { type: 'channel', id: 'c', name: 'open sea', members: [{ user: 'u' }] },
    ...['m1', 'm2'].map((id, at) => ({
      ...{
        type: 'message',
        id,
        sender: 'u',
        channel: 'c',
        topic: 't',
        content: id,
        time_ms: 1_600_000_000_000 + at,
      },
      reactions: [react('Heron'), react('heron', 'v'), react('tern'), react('thumbs_up')].slice(0, 4 - at),
    })),
  ]
  const reactionsIn = async ({ owner }: TestRealm) =>
    (await messagesOf(owner, narrowTo('open sea'))).map(({ reactions }) =>
      reactions.map(({ emoji_name }: Json) => emoji_name),
    )

  it('are listed with the number of their reactions until they exist', async () => {
    const { realm } = made
    const { id } = await importArchive(realm, lines)
    const listed = async () => (await importWithId(realm, id)).report.missing_emoji
    expect(await listed()).toEqual([
      { name: 'heron', count: 4 },
      { name: 'tern', count: 2 },
    ])
    expect(await reactionsIn(realm)).toEqual([['thumbs_up'], []])
    expectSuccess(await postFiles(realm.owner, '/realm/emoji/heron', [PNG]))
    expect(await listed()).toEqual([{ name: 'tern', count: 2 }])
  })

  it('that are uploaded first get their reactions', async () => {
    const { realm } = made
    expectSuccess(await postFiles(realm.owner, '/realm/emoji/heron', [PNG]))
    const { report } = await importArchive(realm, lines)
    expect(report.missing_emoji).toEqual([{ name: 'tern', count: 2 }])
    expect(await reactionsIn(realm)).toEqual([
      ['heron', 'heron', 'thumbs_up'],
      ['heron', 'heron'],
    ])
    expect(await findingsIn(realm)).toEqual([])
  })

  it('are not those that the archive brings', async () => {
    const { realm } = made
    const file = { type: 'file', id: 'f', name: 'a.png', data: PNG_AS_TEXT }
    const emoji = ['heron', 'tern', 'Heron'].map((name) => ({ type: 'emoji', id: name, name, image: 'f' }))
    const { report } = await importArchive(realm, [...lines.slice(0, 4), file, ...emoji, ...lines.slice(4)])
    expect(report.missing_emoji).toEqual([])
  })
})

it('A file that could not be copied is said to be missing in its messages', async () => {
  const { realm } = made
  const message = { type: 'message', sender: 'u', channel: 'c', topic: 't' }
  await importArchive(realm, [
    headOf('missing'),
    { type: 'user', id: 'u', full_name: 'Ada' },
    { type: 'channel', id: 'c', name: 'open sea', members: [{ user: 'u' }] },
    { type: 'file', id: 'f', name: 'plan.txt', path: 'nowhere' },
    { ...message, id: '1', time_ms: 1_600_000_000_000, content: 'See [the plan](parley-import:file/f)' },
    { ...message, id: '2', time_ms: 1_600_000_000_001, content: 'Here', files: ['f', 'g'] },
  ])
  expect(await textsIn(realm, 'open sea')).toEqual([
    'See the plan *(missing file)*',
    'Here\n\nplan.txt *(missing file)*\nfile *(missing file)*',
  ])
})

it('The owner who imports an archive of Discord is in its channels', async () => {
  const { realm } = made
  const author = { id: '5', name: 'ada', nickname: 'Ada Amsel', isBot: false, roles: [] }
  const channel = { id: '500', type: 'GuildTextChat', name: 'harbour' }
  const said = {
    id: '900',
    type: 'Default',
    timestamp: '2020-09-13T12:26:40+00:00',
    content: 'Broken',
    author,
  }
  const file = JSON.stringify({ guild: { id: '77', name: 'Boats' }, channel, messages: [said] })
  const id = await begin(realm, 'harbour.json', Buffer.from(file))
  const { report } = await runUntil(realm, id, 'waiting')
  expect(countOf(report.found, 'people without an address')).toBe(1)
  await runImport(realm, id)
  await runUntil(realm, id, 'finished')
  expect(await textsIn(realm, 'harbour')).toEqual(['Broken'])
  const { subscriptions } = expectSuccess(await realm.owner.api.get('/users/me/subscriptions'))
  expect(subscriptions.find(({ name }: Json) => name === 'harbour')).toMatchObject({ invite_only: true })
})
