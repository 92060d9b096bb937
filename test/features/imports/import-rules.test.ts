import { beforeEach, describe, expect, it } from 'vitest'
import { runAlarms } from '../../support/alarms.ts'
import { keepAlarmsAway } from '../../support/exports.ts'
import { expectSuccess, type TestRealm } from '../../support/factories.ts'
import { findingsIn } from '../../support/findings.ts'
import {
  countOf,
  headOf,
  importArchive,
  importedPerson,
  type Line,
  messagesOf,
  runUntil,
} from '../../support/imports.ts'
import type { Json } from '../../support/json.ts'
import { useRealmPerTest } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm } = useRealmPerTest()
beforeEach(keepAlarmsAway)

const NOBODY = 1
const MEMBERS = 6
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
const T = 1_600_000_000_000
const person = (id: string, more: Line = {}): Line => ({
  type: 'user',
  id,
  full_name: `Person ${id}`,
  ...more,
})
const rule = (name: string, value: unknown): Line => ({ type: 'realm_setting', name, value })

async function snapshotOf({ owner }: TestRealm): Promise<Json> {
  return expectSuccess(await owner.api.post('/register', {}))
}

async function channelOf({ owner }: TestRealm, name: string): Promise<Json> {
  const { streams } = expectSuccess(
    await owner.api.get('/streams', { include_all: true, exclude_archived: false }),
  )
  return streams.find((one: Json) => one.name === name)
}

const RULES: readonly Line[] = [
  headOf('rules'),
  person('u1'),
  person('u2', { deactivated: true }),
  { type: 'group', id: 'g1', name: 'crew', members: ['u1'] },
  { type: 'channel', id: 'c1', name: 'news', members: [{ user: 'u1' }], retention_days: 7 },
  { type: 'organization', name: 'Harbour', description: 'Of boats' },
  { type: 'domain', domain: 'boats.example.com' },
  { type: 'default_channel_group', name: 'Sailors', channels: ['c1'] },
  rule('invite_required', false),
  rule('authentication_methods', { Email: false, GitHub: true }),
  rule('new_stream_announcements_stream_id', { channel: 'c1' }),
  rule('can_create_groups', { users: ['u1', 'u2', 'u9'] }),
  rule('can_invite_users_group', { groups: ['role:members'] }),
  { type: 'default_setting', name: 'email_address_visibility', value: 3 },
]

/** What an import can change in the settings, as a snapshot has it. */
function rulesIn(snapshot: Json): Json {
  const names = Object.keys(snapshot).filter((name) => /^realm_(?!user|bot|emoji|presence)/.test(name))
  return Object.fromEntries(names.map((name) => [name, snapshot[name]]))
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

const CHANGED = [
  'realm_name',
  'realm_description',
  'realm_icon_url',
  'realm_domains',
  'realm_default_stream_groups',
  'realm_can_create_groups',
  'realm_message_retention_days',
  'realm_waiting_period_threshold',
  'realm_new_stream_announcements_stream_id',
]

async function undo(id: number): Promise<void> {
  expectSuccess(await realm.owner.api.patch(`/imports/${id}`, { action: 'undo' }))
  await runUntil(realm, id, 'undone')
}

describe('Rules of an import’s source', () => {
  it('are left out unless an owner asks for them', async () => {
    const before = await snapshotOf(realm)
    await importArchive(realm, RULES)
    const after = await snapshotOf(realm)
    for (const name of [
      'realm_name',
      'realm_invite_required',
      'realm_can_create_groups',
      'realm_can_invite_users_group',
      'realm_domains',
      'realm_default_stream_groups',
      'realm_new_stream_announcements_stream_id',
    ])
      expect(after[name]).toEqual(before[name])
    expect(await channelOf(realm, 'news')).toMatchObject({ message_retention_days: null })
  })

  it('become the organization’s rules, except those about logging in', async () => {
    const { report } = await importArchive(realm, RULES, { settings: true })
    const news = await channelOf(realm, 'news')
    const ada = await importedPerson(realm, 'Person u1')
    expect(news.message_retention_days).toBe(7)
    expect(await snapshotOf(realm)).toMatchObject({
      realm_name: 'Harbour',
      realm_description: 'Of boats',
      realm_invite_required: false,
      realm_domains: [{ domain: 'boats.example.com', allow_subdomains: false }],
      realm_new_stream_announcements_stream_id: news.stream_id,
      realm_can_create_groups: { direct_members: [ada.user_id], direct_subgroups: [] },
      realm_can_invite_users_group: MEMBERS,
      realm_authentication_methods: expect.objectContaining({
        Email: expect.objectContaining({ enabled: true }),
      }),
    })
    expect(countOf(report.passed_over, 'realm_setting authentication_methods')).toBe(1)
    expect(await findingsIn(realm)).toEqual([])
  })

  it('are what they were before when the import is undone', async () => {
    expectSuccess(await realm.owner.api.patch('/realm', { message_retention_days: 30, description: 'Mine' }))
    expectSuccess(await realm.owner.api.patch('/realm/user_settings_defaults', { left_side_userlist: true }))
    const before = rulesIn(await snapshotOf(realm))
    const { id } = await importArchive(
      realm,
      [
        ...RULES,
        rule('message_retention_days', 90),
        rule('waiting_period_threshold', 5),
        { type: 'default_setting', name: 'left_side_userlist', value: false },
        { type: 'organization', icon: 'p' },
        { type: 'file', id: 'p', name: 'a.png', data: PNG },
      ],
      { settings: true },
    )
    const imported = rulesIn(await snapshotOf(realm))
    const changed = Object.keys(before).filter((name) => !isSame(before[name], imported[name]))
    expect(changed).toEqual(expect.arrayContaining(CHANGED))
    await undo(id)
    const { realm_icon_url, ...after } = rulesIn(await snapshotOf(realm))
    expect(after).toEqual({ ...before, realm_icon_url: undefined })
    expect(realm_icon_url).not.toBe(imported.realm_icon_url)
    expect(await findingsIn(realm)).toEqual([])
    await importArchive(realm, RULES, { settings: true })
    expect(await snapshotOf(realm)).toMatchObject({ realm_name: 'Harbour', realm_domains: [{}] })
  })

  it('stay where somebody has changed them since, without anyone who is deleted', async () => {
    const { realm_new_stream_announcements_stream_id: channel } = await snapshotOf(realm)
    const { id } = await importArchive(realm, RULES, { settings: true })
    const { user_id } = await importedPerson(realm, 'Person u1')
    const people = { direct_members: [user_id, realm.owner.id], direct_subgroups: [] }
    const settings = { name: 'Haven', can_create_groups: JSON.stringify({ new: people }) }
    expectSuccess(await realm.owner.api.patch('/realm', settings))
    await undo(id)
    expect(await snapshotOf(realm)).toMatchObject({
      realm_name: 'Haven',
      realm_description: '',
      realm_new_stream_announcements_stream_id: channel,
      realm_can_create_groups: { direct_members: [realm.owner.id], direct_subgroups: [] },
      realm_default_stream_groups: [],
    })
    expect(await findingsIn(realm)).toEqual([])
  })

  it('grant nobody when invalid, and refuse a record when unreadable', async () => {
    const { report } = await importArchive(realm, [
      headOf('bad rules'),
      person('u1'),
      {
        type: 'channel',
        id: 'c1',
        name: 'news',
        permissions: {
          can_send_message_group: { groups: ['role:internet'] },
          can_subscribe_group: { users: ['u9'], groups: ['g9'] },
          can_fly: { users: ['u1'] },
        },
        topics_policy: 'none at all',
      },
      { type: 'channel', id: 'c2', name: 'plans', permissions: { can_send_message_group: 'u1' } },
    ])
    expect(await channelOf(realm, 'news')).toMatchObject({
      can_send_message_group: NOBODY,
      can_subscribe_group: NOBODY,
      topics_policy: 'inherit',
    })
    expect(await channelOf(realm, 'plans')).toBeUndefined()
    expect(countOf(report.problems, 'permission that cannot be used')).toBe(1)
    expect(countOf(report.problems, 'bad channel')).toBe(1)
    expect(countOf(report.passed_over, 'permission can_fly')).toBe(1)
  })
})

describe('Unsent messages of an import', () => {
  const said: Line = {
    type: 'message',
    id: 'm1',
    sender: 'u1',
    time_ms: T,
    channel: 'c1',
    topic: 'lunch',
    content: 'Where to?',
  }
  const later = () => (Math.floor(Date.now() / 1_000 + world.clockOffset) + 86_400) * 1_000
  const head = (): Line[] => [
    headOf('unsent'),
    person('u1'),
    { type: 'channel', id: 'c1', name: 'boats', members: [{ user: 'u1' }] },
    { type: 'channel', id: 'c2', name: 'board', privacy: 'private', members: [{ user: 'u1' }] },
  ]

  it('follow their channel, and are undone with their import', async () => {
    const unsent = (channel: string, id: string): Line[] => [
      { type: 'draft', id, user: 'u1', content: 'begun', channel, topic: 'lunch' },
      { type: 'scheduled_message', id, user: 'u1', content: 'soon', channel, topic: 'x', due_ms: later() },
    ]
    const { id, report } = await importArchive(
      realm,
      [
        ...head(),
        said,
        ...unsent('c1', '1'),
        ...unsent('c2', '2'),
        { type: 'reminder', id: '1', user: 'u1', message: 'm1', due_ms: later() },
        { type: 'reminder', id: '2', user: 'u1', message: 'm1', due_ms: T },
        { type: 'reminder', id: '3', user: 'u1', message: 'm9', due_ms: later() },
        { type: 'navigation_view', user: 'u1', fragment: 'narrow/channel/parley-import:channel/c1-boats' },
        { type: 'navigation_view', user: 'u1', fragment: 'narrow/channel/parley-import:channel/c2-board' },
        { type: 'user_settings', user: 'u1', settings: { color_scheme: 2, emojiset: 'none', x: 1 } },
      ],
      { private_channels: false },
    )
    for (const [name, count] of [
      ['drafts', 1],
      ['drafts left out', 1],
      ['scheduled messages', 1],
      ['scheduled messages left out', 1],
      ['reminders', 1],
      ['reminders left out', 2],
      ['views of the sidebar', 1],
      ['views of the sidebar left out', 1],
      ['people with their settings', 1],
    ] as const)
      expect([name, countOf(report.written, name)]).toEqual([name, count])
    expect(countOf(report.problems, 'setting that cannot be used')).toBe(1)
    expect(countOf(report.passed_over, 'user_settings x')).toBe(1)
    expect(await findingsIn(realm)).toEqual([])
    expectSuccess(await realm.owner.api.patch(`/imports/${id}`, { action: 'undo' }))
    await runUntil(realm, id, 'undone')
    expect(await findingsIn(realm)).toEqual([])
  })

  it('are sent when due, unless that time has passed', async () => {
    const due = later()
    await importArchive(realm, [
      ...head(),
      {
        type: 'scheduled_message',
        id: '1',
        user: 'u1',
        content: 'on time',
        channel: 'c1',
        topic: 'x',
        due_ms: due,
      },
      {
        type: 'scheduled_message',
        id: '2',
        user: 'u1',
        content: 'missed',
        channel: 'c1',
        topic: 'x',
        due_ms: T,
      },
    ])
    const narrow = [{ operator: 'channel', operand: 'boats' }]
    expect(await messagesOf(realm.owner, narrow)).toEqual([])
    world.clockOffset += 86_400
    await runAlarms(realm, 5)
    const sent = await messagesOf(realm.owner, narrow)
    expect(sent.map(({ content, sender_full_name }: Json) => [content, sender_full_name])).toEqual([
      ['on time', 'Person u1'],
    ])
  })

  it('leave out poll entries that no user could have made', async () => {
    const entry = (user: string, content: object): Line => ({ user, content: JSON.stringify(content) })
    const poll = entry('u1', { widget_type: 'poll', extra_data: { question: 'Where?', options: ['Mill'] } })
    const { report } = await importArchive(realm, [
      ...head(),
      person('u2'),
      {
        ...said,
        widget: [
          poll,
          entry('u2', { type: 'vote', key: 'canned,0', vote: 1 }),
          entry('u2', { type: 'question', question: 'Mine?' }),
          entry('u2', { type: 'new_option', option: 'Park', idx: 1 }),
          entry('u1', { type: 'vote', key: 'parley-import:user/u2,1', vote: 1 }),
          entry('u9', { type: 'vote', key: 'canned,0', vote: 1 }),
          { user: 'u2', content: 'no JSON' },
        ],
      },
      { ...said, id: 'm2', widget: [{ ...poll, user: 'u2' }] },
    ])
    const [message, plain] = await messagesOf(realm.owner, [{ operator: 'channel', operand: 'boats' }])
    const { user_id: voter } = await importedPerson(realm, 'Person u2')
    const contents = message.submessages.map(({ content }: Json) => content)
    expect(contents).toHaveLength(4)
    expect(contents.at(-1)).toContain(`"key":"${voter},1"`)
    expect(plain.submessages).toEqual([])
    expect(countOf(report.passed_over, 'message.widget[]')).toBe(3)
    expect(countOf(report.problems, 'bad poll or to-do list')).toBe(1)
  })
})
