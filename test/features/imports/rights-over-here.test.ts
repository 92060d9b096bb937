import { beforeEach, describe, expect, it } from 'vitest'
import { keepAlarmsAway } from '../../support/exports.ts'
import {
  buildChannel,
  buildUser,
  expectSuccess,
  type TestRealm,
  type TestUser,
} from '../../support/factories.ts'
import { findingsIn } from '../../support/findings.ts'
import {
  archiveOf,
  beginImport,
  countOf,
  headOf,
  importAgain,
  importArchive,
  importWithId,
  type Line,
  messagesOf,
  runImport,
  runUntil,
} from '../../support/imports.ts'
import type { Json } from '../../support/json.ts'
import { sendTo } from '../../support/messages.ts'
import { TestQueue } from '../../support/queues.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { useRealmPerTest } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const made = useRealmPerTest()
beforeEach(keepAlarmsAway)

/** What the owner who imports may not do. */
const NOT_ALLOWED = 'not permitted to the owner'
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

const user = (id: string, more: Line = {}): Line => ({ type: 'user', id, full_name: `Person ${id}`, ...more })
const said = (id: string, more: Line): Line => ({
  ...{
    type: 'message',
    id,
    sender: 'u1',
    time_ms: 1_600_000_000_000,
    topic: 'plan',
    content: `text of ${id}`,
  },
  ...more,
})
const channelLine = (id: string, more: Line = {}): Line => ({
  ...{
    type: 'channel',
    id,
    name: `source ${id}`,
    privacy: 'private',
    members: [{ user: 'me' }, { user: 'u1' }],
  },
  ...more,
})

/** A private channel of Ann's, of which the owner is no member, with a message and its topic. */
async function boardOf(ann: TestUser): Promise<{ id: number; name: string }> {
  const board = await buildChannel([ann], { name: 'board', invite_only: true })
  await sendTo(ann, board.id, 'salaries', 'the secret')
  return board
}

async function problemsOf({ owner }: TestRealm, id: number): Promise<string[]> {
  const { problems } = expectSuccess(await owner.api.get(`/imports/${id}/problems`))
  return problems.filter(({ kind }: Json) => kind === NOT_ALLOWED).map(({ detail }: Json) => detail as string)
}

async function channelsOf({ api }: TestUser): Promise<string[]> {
  const { subscriptions } = expectSuccess(await api.get('/users/me/subscriptions'))
  return subscriptions.map(({ name }: Json) => name)
}

async function textsIn(reader: TestUser, channelId: number): Promise<string[]> {
  const found = await messagesOf(reader, [{ operator: 'channel', operand: channelId }])
  return found.filter(({ client }) => client !== 'Internal').map(({ content }) => content)
}

const leave = async (by: TestUser, name: string, { id }: TestUser) =>
  expectSuccess(await by.api.delete('/users/me/subscriptions', { subscriptions: [name], principals: [id] }))
const join = async (by: TestUser, name: string, { id }: TestUser) =>
  expectSuccess(await by.api.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [id] }))

async function logOf({ owner }: TestRealm): Promise<Json[]> {
  const { entries } = expectSuccess(await owner.api.get('/audit_log', {}))
  return entries
}

const SUBSCRIPTIONS = { event_types: ['stream', 'subscription'] }

describe('A channel that was here', () => {
  it('is chosen only where the owner may write, and looks absent where hidden', async () => {
    const { realm } = made
    const ann = await buildUser(realm)
    const board = await boardOf(ann)
    const old = await buildChannel([realm.owner], { name: 'old' })
    expectSuccess(await realm.owner.api.delete(`/streams/${old.id}`))
    const news = await buildChannel([realm.owner, ann], { name: 'news' })
    const only = JSON.stringify({ new: { direct_members: [ann.id], direct_subgroups: [] } })
    expectSuccess(await realm.owner.api.patch(`/streams/${news.id}`, { can_send_message_group: only }))
    const id = await beginImport(realm.owner, archiveOf([headOf('chosen'), user('me'), channelLine('c')]))
    await runUntil(realm, id, 'waiting')
    const choose = (channel: number) =>
      realm.owner.api.patch(`/imports/${id}`, { mapping: { channels: { c: channel } } })
    for (const absent of [board.id, old.id, 99_999]) expectRefusal(await choose(absent), 'Invalid channel ID')
    expectRefusal(await choose(news.id), 'You do not have permission to post in this channel.')
    expect((await importWithId(realm, id)).mapping.channels).toEqual({})
  })

  it('is refused in the report where the owner has lost the right since', async () => {
    const { realm } = made
    const ann = await buildUser(realm)
    const board = await boardOf(ann)
    await join(ann, 'board', realm.owner)
    const lines = [
      headOf('lost'),
      user('me', { email: realm.owner.email }),
      user('u1'),
      channelLine('c', { name: 'board' }),
      said('m', { channel: 'c' }),
    ]
    const id = await beginImport(realm.owner, archiveOf(lines))
    await runUntil(realm, id, 'waiting')
    const mapping = { channels: { c: board.id }, users: { u1: ann.id } }
    expectSuccess(await realm.owner.api.patch(`/imports/${id}`, { mapping }))
    await leave(ann, 'board', realm.owner)
    await runImport(realm, id)
    const { report } = await runUntil(realm, id, 'finished')
    expect(await problemsOf(realm, id)).toEqual(['board: Invalid channel ID'])
    expect(countOf(report.written, 'messages of channels left out')).toBe(1)
    expect(await textsIn(ann, board.id)).toEqual(['the secret'])
    expect(await channelsOf(realm.owner)).not.toContain('board')
    expect(await findingsIn(realm)).toEqual([])
  })

  it('takes no later message of an owner who may not write there any more', async () => {
    const { realm } = made
    const ann = await buildUser(realm)
    const board = await boardOf(ann)
    await join(ann, 'board', realm.owner)
    const lines = [headOf('later'), user('me', { email: realm.owner.email }), user('u1'), channelLine('c')]
    await importArchive(realm, [...lines, said('m1', { channel: 'c' })], { channels: { c: board.id } })
    await leave(ann, 'board', realm.owner)
    const { id } = await importAgain(realm, [
      ...lines,
      said('m1', { channel: 'c', content: 'changed' }),
      said('m2', { channel: 'c' }),
      {
        type: 'scheduled_message',
        id: 's',
        user: 'me',
        content: 'x',
        channel: 'c',
        topic: 't',
        due_ms: 1_900_000_000_000,
      },
      { type: 'draft', id: 'd', user: 'me', content: 'x', channel: 'c', topic: 't' },
    ])
    expect(await problemsOf(realm, id)).toEqual(
      ['message m1', 'message m2', 'scheduled_message s', 'draft d'].map(
        (what) => `${what}: Invalid channel ID`,
      ),
    )
    expect(await textsIn(ann, board.id)).toEqual(['the secret', 'text of m1'])
    expect(await channelsOf(realm.owner)).not.toContain('board')
  })

  it('found by name is left alone where the owner may not write', async () => {
    const { realm } = made
    const ann = await buildUser(realm)
    const news = await buildChannel([ann], { name: 'news' })
    const only = JSON.stringify({ new: { direct_members: [ann.id], direct_subgroups: [] } })
    expectSuccess(await realm.owner.api.patch(`/streams/${news.id}`, { can_send_message_group: only }))
    const { id } = await importArchive(realm, [
      headOf('found'),
      user('me', { email: realm.owner.email }),
      user('u1'),
      channelLine('c', { name: 'news', privacy: 'public' }),
      said('m', { channel: 'c' }),
    ])
    expect(await problemsOf(realm, id)).toEqual(['news: You do not have permission to post in this channel.'])
    expect(await textsIn(ann, news.id)).toEqual([])
    expect(await channelsOf(realm.owner)).toContain('news (2)')
    expect(await channelsOf(realm.owner)).not.toContain('news')
  })

  it('takes topics by its rules for them', async () => {
    const { realm } = made
    const ann = await buildUser(realm)
    const [few, one] = [
      await buildChannel([ann, realm.owner], { name: 'few' }),
      await buildChannel([ann, realm.owner], { name: 'one', topics_policy: 'disable_empty_topic' }),
    ]
    await sendTo(ann, few.id, 'known', 'here')
    const only = JSON.stringify({ new: { direct_members: [ann.id], direct_subgroups: [] } })
    expectSuccess(await realm.owner.api.patch(`/streams/${few.id}`, { can_create_topic_group: only }))
    const { id } = await importArchive(
      realm,
      [
        headOf('topics'),
        user('u1'),
        ...['a', 'b'].map((of) => channelLine(of, { privacy: 'public', members: [] })),
        said('m1', { channel: 'a', topic: 'known' }),
        said('m2', { channel: 'a', topic: 'new' }),
        said('m3', { channel: 'b', topic: 'general chat' }),
      ],
      { channels: { a: few.id, b: one.id } },
    )
    expect(await problemsOf(realm, id)).toEqual([
      'message m2: You do not have permission to create new topics in this channel.',
      'message m3: Sending messages to the general chat is not allowed in this channel.',
    ])
    expect(await textsIn(ann, few.id)).toEqual(['here', 'text of m1'])
  })

  it('is joined with the events, notices and entries of subscribing, and left by undoing', async () => {
    const { realm } = made
    const { owner } = realm
    const [ann, ben] = [await buildUser(realm), await buildUser(realm)]
    const den = await buildChannel([owner], { name: 'den', invite_only: true })
    const queues = await Promise.all(
      [owner, ann].map(
        async (of) => new TestQueue(of, expectSuccess(await of.api.post('/register', SUBSCRIPTIONS))),
      ),
    )
    const lines = [
      headOf('joined'),
      user('me', { email: owner.email }),
      user('u1'),
      user('u2'),
      user('u3'),
      channelLine('c', { members: ['me', 'u1', 'u2', 'u3'].map((id) => ({ user: id, muted: true })) }),
      said('m', { channel: 'c' }),
    ]
    const id = await beginImport(owner, archiveOf(lines))
    await runUntil(realm, id, 'waiting')
    // At its end the import ends all queues.
    const polls = queues.map((queue) => queue.poll())
    await runImport(realm, id, { channels: { c: den.id }, users: { u1: ann.id, u2: ben.id } })
    await runUntil(realm, id, 'finished')
    const [hears, heardByAnn] = await Promise.all(polls)
    const of = (events: readonly Json[]) => events.map(({ type, op }) => [type, op].join(' '))
    expect(of(hears!)).toContain('subscription peer_add')
    expect(of(heardByAnn!)).toEqual(expect.arrayContaining(['stream create', 'subscription add']))
    const { subscriptions } = expectSuccess(await ann.api.get('/users/me/subscriptions'))
    expect(subscriptions.find(({ name }: Json) => name === 'den')).toMatchObject({ is_muted: false })
    const notices = (await messagesOf(ann)).filter(({ type }) => type === 'private')
    expect(notices.at(-1)!.content).toContain('#**den**')
    const [entry] = (await logOf(realm)).filter(({ details }) => details.stream_id === den.id)
    expect(entry).toMatchObject({
      action: 'import_changed',
      actor_id: owner.id,
      details: { import_id: id, user_ids: expect.arrayContaining([ann.id, ben.id]) },
    })
    expectSuccess(await owner.api.patch(`/imports/${id}`, { action: 'undo' }))
    await runUntil(realm, id, 'undone')
    const { subscribers } = expectSuccess(await owner.api.get(`/streams/${den.id}/members`))
    expect(subscribers).toEqual([owner.id])
    expect(await channelsOf(ann)).not.toContain('den')
    expect(await textsIn(owner, den.id)).toEqual([])
    expect(await findingsIn(realm)).toEqual([])
  })
})

describe('A person who was here', () => {
  const LATER = () => (Math.floor(Date.now() / 1_000 + world.clockOffset) + 86_400) * 1_000
  /** Records that change what people have for themselves. */
  const OWN: Readonly<Record<string, (of: string) => Line>> = {
    user_topic: (of) => ({ user: of, channel: 'c', topic: 'plan', policy: 'followed' }),
    muted_user: (of) => ({ user: of, muted: 'u9' }),
    alert_word: (of) => ({ user: of, word: 'fog' }),
    saved_snippet: (of) => ({ id: `s ${of}`, user: of, title: 'T', content: 'x' }),
    draft: (of) => ({ id: `d ${of}`, user: of, content: 'x', channel: 'c', topic: 'plan' }),
    scheduled_message: (of) => ({
      ...{ id: `m ${of}`, user: of, content: 'x', channel: 'c', topic: 'plan', due_ms: LATER() },
    }),
    reminder: (of) => ({ id: `r ${of}`, user: of, message: 'm', due_ms: LATER() }),
    navigation_view: (of) => ({ user: of, fragment: 'narrow/channel/parley-import:channel/c' }),
    user_settings: (of) => ({ user: of, settings: { color_scheme: 2 } }),
  }
  const ALL = Object.keys(OWN)
  const archive = (of: string): Line[] => [
    headOf('people'),
    { type: 'profile_field', id: 'f', name: 'Boat' },
    { type: 'file', id: 'p', name: 'a.png', data: PNG },
    user('u9'),
    user('u1', {
      ...{ role: 'owner', deactivated: true, timezone: 'Europe/Berlin', status: 'at sea', avatar: 'p' },
      profile: [{ field: 'f', value: 'Heron' }],
    }),
    channelLine('c', { privacy: 'public', name: 'deck', members: [{ user: 'u1' }] }),
    said('m', { channel: 'c' }),
    ...ALL.map((type) => ({ type, ...OWN[type]!(of) })),
  ]
  /** What a person has for themselves, as they see it. */
  async function ownOf({ api, id }: TestUser): Promise<Json> {
    const snapshot = expectSuccess(await api.post('/register', {}))
    const one = expectSuccess(await api.get(`/users/${id}`, { include_custom_profile_fields: true })).user
    const { profile_data, timezone, avatar_version, role, is_active } = one
    const status = expectSuccess(await api.get(`/users/${id}/status`)).status
    const { user_topics, muted_users, alert_words, saved_snippets, drafts, scheduled_messages } = snapshot
    const { reminders } = expectSuccess(await api.get('/reminders'))
    const { navigation_views } = expectSuccess(await api.get('/navigation_views'))
    return {
      ...{ user_topics, muted_users, alert_words, saved_snippets, drafts, scheduled_messages, reminders },
      ...{ navigation_views, colors: snapshot.user_settings.color_scheme },
      ...{ profile_data, timezone, avatar_version, role, is_active, status },
    }
  }

  it('keeps what they have for themselves, and each refusal is listed', async () => {
    const { realm } = made
    const ann = await buildUser(realm)
    const before = await ownOf(ann)
    const { id } = await importArchive(realm, archive('u1'), { users: { u1: ann.id } })
    expect(await ownOf(ann)).toEqual(before)
    expect((await problemsOf(realm, id)).toSorted()).toEqual(
      ALL.map((type) => `${type} of ${ann.fullName}: only they may change it`).toSorted(),
    )
    // What they have said comes over all the same.
    const [message] = await messagesOf(realm.owner, [{ operator: 'channel', operand: 'deck' }])
    expect(message).toMatchObject({ sender_id: ann.id, client: 'Import' })
    expect(await findingsIn(realm)).toEqual([])
  })

  it('gets it only as the owner who imports, and undoing takes it back', async () => {
    const { realm } = made
    const before = await ownOf(realm.owner)
    const { id } = await importArchive(realm, archive('u1'), { users: { u1: realm.owner.id } })
    expect(await problemsOf(realm, id)).toEqual([])
    const after = await ownOf(realm.owner)
    for (const list of ['user_topics', 'muted_users', 'alert_words', 'saved_snippets', 'drafts'])
      expect([list, after[list].length]).toEqual([list, before[list].length + 1])
    for (const list of ['scheduled_messages', 'reminders', 'navigation_views'])
      expect([list, after[list].length]).toEqual([list, before[list].length + 1])
    for (const name of [
      'colors',
      'profile_data',
      'timezone',
      'avatar_version',
      'role',
      'is_active',
      'status',
    ])
      expect([name, after[name]]).toEqual([name, before[name]])
    expectSuccess(await realm.owner.api.patch(`/imports/${id}`, { action: 'undo' }))
    await runUntil(realm, id, 'undone')
    expect(await ownOf(realm.owner)).toEqual(before)
    expect(await findingsIn(realm)).toEqual([])
  })
})

describe('What another owner has imported', () => {
  it('is not changed, joined or read through a further archive of the place', async () => {
    const { realm } = made
    const [bea, ann] = [await buildUser(realm, { role: 100 }), await buildUser(realm)]
    const lines: Line[] = [
      headOf('shared'),
      user('u1'),
      user('me'),
      { type: 'group', id: 'g', name: 'crew', members: ['u1'] },
      { type: 'group', id: 'h', name: 'fleet', members: ['me'] },
      channelLine('c', { name: 'cabin' }),
      channelLine('o', { name: 'deck', privacy: 'public' }),
      { type: 'file', id: 'f', name: 'plan.txt', data: btoa('the plan') },
      said('m1', { channel: 'c', content: 'See [it](parley-import:file/f)' }),
    ]
    await importArchive(realm, lines, { users: { u1: ann.id, me: ann.id } })
    const cabin = expectSuccess(await ann.api.get('/get_stream_id', { stream: 'cabin' })).stream_id
    const before = await textsIn(ann, cabin)
    const changed = lines.map((line) =>
      line['id'] === 'm1' ? said('m1', { channel: 'c', content: 'changed' }) : line,
    )
    const id = await beginImport(
      bea,
      archiveOf([
        ...changed.map((line) => (line['id'] === 'g' ? { ...line, subgroups: ['h'] } : line)),
        user('bea', { email: bea.email }),
        channelLine('c', { name: 'cabin', members: [{ user: 'bea' }] }),
        said('m2', { channel: 'c' }),
        said('m3', { channel: 'o', content: 'See [it](parley-import:file/f)' }),
      ]),
    )
    await runUntil(realm, id, 'waiting')
    expectSuccess(await bea.api.patch(`/imports/${id}`, { action: 'run', known_source: true }))
    const { report } = await runUntil(realm, id, 'finished')
    expect(await textsIn(ann, cabin)).toEqual(before)
    expect(await channelsOf(bea)).not.toContain('cabin')
    expect(await problemsOf(realm, id)).toEqual([
      'message m1: Invalid channel ID',
      'message m2: Invalid channel ID',
    ])
    expect(countOf(report.passed_over, 'group.subgroups, of a group that was here')).toBe(1)
    const [shown] = await messagesOf(bea, [{ operator: 'channel', operand: 'deck' }])
    expect(shown!.content).toBe('See it *(missing file)*')
    expect(await findingsIn(realm)).toEqual([])
  })

  it('is written with the rights of the owner who runs it', async () => {
    const { realm } = made
    const [bea, ann] = [await buildUser(realm, { role: 100 }), await buildUser(realm)]
    const board = await boardOf(ann)
    await join(ann, 'board', realm.owner)
    const lines = [headOf('run'), user('u1', { email: bea.email }), channelLine('c', { name: 'board' })]
    const id = await beginImport(realm.owner, archiveOf([...lines, said('m', { channel: 'c' })]))
    await runUntil(realm, id, 'waiting')
    const mapping = { channels: { c: board.id } }
    expectRefusal(await bea.api.patch(`/imports/${id}`, { mapping }), 'Invalid channel ID')
    expectSuccess(await realm.owner.api.patch(`/imports/${id}`, { mapping }))
    expectSuccess(await bea.api.patch(`/imports/${id}`, { action: 'run' }))
    expect((await runUntil(realm, id, 'finished')).acting_user_id).toBe(bea.id)
    expect(await problemsOf(realm, id)).toEqual(['board: Invalid channel ID'])
    expect(await channelsOf(bea)).not.toContain('board')
    expect(await textsIn(ann, board.id)).toEqual(['the secret'])
  })
})

it('A text in another’s name links to nothing that the importing owner may not read', async () => {
  const { realm } = made
  const ann = await buildUser(realm)
  const board = await boardOf(ann)
  await importArchive(
    realm,
    [
      headOf('links'),
      user('u1'),
      channelLine('c', { name: 'deck', privacy: 'public', members: [] }),
      said('m1', { channel: 'c', content: '#**board>salaries**' }),
      said('m2', { channel: 'c', content: '#**board>nothing**' }),
    ],
    { users: { u1: ann.id } },
  )
  const narrow = [{ operator: 'channel', operand: 'deck' }]
  const { messages } = expectSuccess(
    await realm.owner.api.get('/messages', {
      ...{ narrow, anchor: 'oldest', num_before: 0, num_after: 9, apply_markdown: true },
    }),
  )
  const [one, other] = messages.map(({ content }: Json) => content.replace(/salaries|nothing/g, '…'))
  expect(one).toBe(other)
  expect(one).toContain(String(board.id))
})
