import { beforeEach, describe, expect, it } from 'vitest'
import { keepAlarmsAway } from '../../support/exports.ts'
import {
  buildUser,
  createBot,
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
  importedPerson,
  type Line,
  messagesOf,
  runImport,
  runUntil,
} from '../../support/imports.ts'
import { fromJson, type Json } from '../../support/json.ts'
import { postForm } from '../../support/pages.ts'
import { useRealmPerTest } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const T = 1_600_000_000
const made = useRealmPerTest()
beforeEach(keepAlarmsAway)

const user = (id: string, more: Line = {}): Line => ({ type: 'user', id, full_name: `Person ${id}`, ...more })
const said = (id: string, content: string, more: Line): Line => ({
  type: 'message',
  id,
  sender: 'u1',
  time_ms: (T + 10) * 1_000,
  content,
  ...more,
})

async function channelOf({ owner }: TestRealm, name: string): Promise<Json> {
  const all = { include_all: true, exclude_archived: false, include_default: true }
  const { streams } = expectSuccess(await owner.api.get('/streams', all))
  return streams.find((one: Json) => one.name === name)
}

async function groupOf({ api }: TestUser, name: string): Promise<Json> {
  const { user_groups } = expectSuccess(await api.get('/user_groups'))
  return user_groups.find((one: Json) => one.name === name)
}

describe('An import', () => {
  it('brings groups with their members and subgroups, and mentions them silently', async () => {
    const { realm } = made
    const ann = await buildUser(realm)
    expectSuccess(
      await realm.owner.api.post('/user_groups/create', { name: 'crew', description: '', members: [] }),
    )
    const lines = [
      headOf('groups'),
      user('u1'),
      user('u2'),
      user('gone', { deactivated: true }),
      {
        type: 'group',
        id: 'g1',
        name: '@crew',
        description: 'All *hands*',
        members: ['u1', 'u2', 'gone', 'none'],
      },
      { type: 'group', id: 'g2', name: 'fleet', subgroups: ['g1', 'none', 'g2'] },
      { type: 'group', id: 'g3', name: 'loop', subgroups: ['g2'] },
      { type: 'channel', id: 'c', name: 'deck' },
      said('m', 'ahoy @_*parley-import:group/g1*', { channel: 'c', topic: 't' }),
    ]
    const { report } = await importArchive(realm, lines, { users: { u1: ann.id } })
    const [crew, fleet, loop] = await Promise.all(
      ['crew (2)', 'fleet', 'loop'].map((name) => groupOf(ann, name)),
    )
    const u2 = await importedPerson(realm, 'Person u2')
    expect(crew).toMatchObject({ description: 'All *hands*', members: [ann.id, u2.user_id] })
    expect([fleet.direct_subgroup_ids, loop.direct_subgroup_ids]).toEqual([[crew.id], [fleet.id]])
    expect((await groupOf(ann, 'crew')).members).toEqual([])
    expect(countOf(report.problems, 'unknown person in a group')).toBe(1)
    expect(countOf(report.problems, 'unknown group in a group')).toBe(1)
    expect(countOf(report.problems, 'group within itself')).toBe(1)
    const found = (await messagesOf(ann, PUBLIC)).find(({ content }) => content.startsWith('ahoy'))
    expect(found.content).toBe('ahoy @_*crew (2)*')
    expect(found.flags).toEqual(['read', 'historical'])
    expect(await findingsIn(realm)).toEqual([])
  })

  it('mentions within words and in emphasis, as other programs do', async () => {
    const { realm } = made
    const ada = '@_**parley-import:user/u1**'
    const port = '#**parley-import:channel/c1**'
    const texts = [
      `、${ada}`,
      `**${ada} now**`,
      `~~${ada}~~`,
      `cc${ada}${ada}`,
      `(${ada})`,
      `と${port}`,
      `*${port}*`,
    ]
    await importArchive(realm, [
      headOf('mentions'),
      user('u1'),
      { type: 'channel', id: 'c1', name: 'port', members: [{ user: 'u1' }] },
      ...texts.map((text, at) => said(`m${at}`, text, { channel: 'c1', topic: 't' })),
    ])
    const channel = await channelOf(realm, 'port')
    const narrow = [{ operator: 'channel', operand: channel.stream_id }]
    const params = { anchor: 'oldest', num_before: 0, num_after: 50, narrow, apply_markdown: true }
    const { messages } = expectSuccess(await realm.owner.api.get('/messages', params))
    const shown = messages.map(({ content }: Json) => content)
    expect(shown).toHaveLength(texts.length)
    for (const html of shown.slice(0, 5)) expect(html).toContain('<span class="user-mention silent"')
    for (const html of shown.slice(5)) expect(html).toContain('<a class="stream"')
    for (const html of shown) expect(html).not.toContain('**')
    expect(shown[1]).toMatch(/^<p><strong>.*Person u1<\/span> now<\/strong><\/p>$/)
  })

  it('brings folders, and channels as their source has them', async () => {
    const { realm } = made
    const [ann, ben] = await Promise.all([buildUser(realm), buildUser(realm)])
    await importArchive(
      realm,
      [
        headOf('channels'),
        user('u1'),
        user('u2'),
        { type: 'channel_folder', id: 'f', name: 'Port', description: 'left' },
        {
          type: 'channel',
          id: 'c1',
          name: 'news',
          folder: 'f',
          default: true,
          announce: true,
          created_ms: T * 1_000,
          creator: 'u1',
          members: [
            { user: 'u1', color: '#F00', pinned: true },
            { user: 'u2', color: 'no colour', muted: true },
          ],
        },
        {
          type: 'channel',
          id: 'c2',
          name: 'past',
          privacy: 'private',
          history_public: false,
          members: [{ user: 'u1' }],
        },
        { type: 'channel', id: 'c3', name: 'web', privacy: 'web_public' },
        { type: 'channel', id: 'c4', name: 'hidden', privacy: 'private', default: true },
        said('m', 'before', { channel: 'c2', topic: 't' }),
      ],
      { users: { u1: ann.id, u2: ben.id } },
    )
    const { channel_folders } = expectSuccess(await realm.owner.api.get('/channel_folders'))
    const folder = channel_folders.find(({ name }: Json) => name === 'Port')
    expect(folder).toMatchObject({ description: 'left' })
    const news = await channelOf(realm, 'news')
    expect(news).toMatchObject({
      folder_id: folder.id,
      is_default: true,
      date_created: T,
      creator_id: ann.id,
    })
    expect((await channelOf(realm, 'web')).is_web_public).toBe(false)
    const subscriptionOf = async ({ api }: TestUser) =>
      expectSuccess(await api.get('/users/me/subscriptions')).subscriptions.find(
        ({ name }: Json) => name === 'news',
      )
    expect(await subscriptionOf(ann)).toMatchObject({ color: '#ff0000', pin_to_top: true, is_muted: false })
    expect(await subscriptionOf(ben)).toMatchObject({ pin_to_top: false, is_muted: true })
    const post = { type: 'stream', to: 'news', topic: 't', content: 'x' }
    expect((await ben.api.post('/messages', post)).body.result).toBe('error')
    expectSuccess(await realm.owner.api.post('/messages', post))
    // Who comes later sees nothing of what was sent before in a channel with protected history.
    expectSuccess(
      await ann.api.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'past' }],
        principals: [ben.id],
      }),
    )
    expect((await messagesOf(ben)).map(({ content }) => content)).not.toContain('before')
    expect((await messagesOf(ann)).map(({ content }) => content)).toContain('before')
    expect(await findingsIn(realm)).toEqual([])
  })

  it('opens channels to the web only where the owner could', async () => {
    const { realm } = made
    world.settings = { ...world.settings, WEB_PUBLIC_STREAMS_ENABLED: 'on' }
    expectSuccess(await realm.owner.api.patch('/realm', { enable_spectator_access: true }))
    await importArchive(realm, [
      headOf('web'),
      { type: 'channel', id: 'c', name: 'web', privacy: 'web_public' },
    ])
    expect((await channelOf(realm, 'web')).is_web_public).toBe(true)
  })

  it('brings profiles of the people whose accounts it makes', async () => {
    const { realm } = made
    const ann = await buildUser(realm)
    const field = (id: string, name: string, kind: string): Line => ({
      type: 'profile_field',
      id,
      name,
      kind,
    })
    const profile = [
      { field: 'short', value: `**Captain** ${'x'.repeat(60)}` },
      { field: 'date', value: '2020-02-30' },
      { field: 'people', value: '["u1", "u2", "none"]' },
      { field: 'none', value: 'x' },
    ]
    const more = { profile, status: 'at sea', timezone: 'Europe/Berlin', joined_ms: T * 1_000 }
    const { report } = await importArchive(
      realm,
      [
        headOf('profiles'),
        field('short', 'Rank', 'short'),
        field('date', 'Birthday', 'date'),
        field('people', 'Mates', 'user'),
        user('u1', more),
        user('u2', { ...more, timezone: 'Atlantis' }),
        user('bot', { is_bot: true, bot_owner: 'u1' }),
      ],
      { users: { u1: ann.id } },
    )
    const { custom_fields } = expectSuccess(await realm.owner.api.get('/realm/profile_fields'))
    const idOf = (name: string) => custom_fields.find((one: Json) => one.name === name).id
    const u2 = await importedPerson(realm, 'Person u2')
    const { user: shown } = expectSuccess(
      await realm.owner.api.get(`/users/${u2.user_id}`, { include_custom_profile_fields: true }),
    )
    expect(shown.timezone).toBe('')
    expect(Object.keys(shown.profile_data).toSorted()).toEqual(
      [`${idOf('Rank')}`, `${idOf('Mates')}`].toSorted(),
    )
    expect(shown.profile_data[idOf('Rank')].rendered_value).toMatch(/^<p><strong>Captain<\/strong> x+<\/p>$/)
    expect(fromJson(shown.profile_data[idOf('Mates')].value)).toEqual([ann.id, u2.user_id])
    expect(countOf(report.problems, 'value of a profile')).toBe(1)
    const { status } = expectSuccess(await realm.owner.api.get(`/users/${u2.user_id}/status`))
    expect(status.status_text).toBe('at sea')
    // The account that was here keeps what it has.
    const { user: known } = expectSuccess(
      await realm.owner.api.get(`/users/${ann.id}`, { include_custom_profile_fields: true }),
    )
    expect([known.profile_data, known.timezone]).toEqual([{}, ''])
    expect((await importedPerson(realm, 'Person bot')).bot_owner_id).toBe(ann.id)
    expect(await findingsIn(realm)).toEqual([])
  })

  it('brings what people have for themselves', async () => {
    const { realm } = made
    const { owner } = realm
    const lines = [
      headOf('personal'),
      user('u1'),
      user('u2'),
      { type: 'channel', id: 'c', name: 'deck', members: [{ user: 'u1' }] },
      said('m', 'fog ahead', { channel: 'c', topic: 'Weather' }),
      { type: 'user_topic', user: 'u1', channel: 'c', topic: 'weather', policy: 'followed' },
      { type: 'user_topic', user: 'u1', channel: 'none', topic: 'x', policy: 'muted' },
      { type: 'user_topic', user: 'none', channel: 'c', topic: 'x', policy: 'muted' },
      { type: 'muted_user', user: 'u1', muted: 'u2' },
      { type: 'muted_user', user: 'u1', muted: 'u1' },
      { type: 'alert_word', user: 'u1', word: ' fog ' },
      { type: 'saved_snippet', id: 's', user: 'u1', title: 't'.repeat(80), content: 'a\u0000b' },
    ]
    await importArchive(realm, lines, { users: { u1: owner.id } })
    const { report } = await importAgain(realm, lines, { users: { u1: owner.id } })
    expect(countOf(report.written, 'saved snippets')).toBe(0)
    const { user_topics, muted_users, alert_words, saved_snippets, unread_msgs } = expectSuccess(
      await owner.api.post('/register', {}),
    )
    const { stream_id } = await channelOf(realm, 'deck')
    expect(user_topics).toEqual([
      expect.objectContaining({ stream_id, topic_name: 'weather', visibility_policy: 3 }),
    ])
    expect(muted_users.map(({ id }: Json) => id)).toEqual([
      (await importedPerson(realm, 'Person u2')).user_id,
    ])
    expect(alert_words).toEqual(['fog'])
    expect(saved_snippets).toEqual([expect.objectContaining({ title: 't'.repeat(60), content: 'ab' })])
    expect(unread_msgs.streams).toEqual([])
    expect(await findingsIn(realm)).toEqual([])
  })

  it('brings earlier versions of messages, with their times', async () => {
    const { realm } = made
    const [ann, ben] = await Promise.all([buildUser(realm), buildUser(realm)])
    const edits = [
      { time_ms: (T + 20) * 1_000, user: 'u1', content: 'first **draft**', topic: 'old name' },
      { time_ms: (T + 30) * 1_000, user: 'u2', content: 'second draft' },
    ]
    await importArchive(
      realm,
      [
        headOf('edits'),
        user('u1'),
        user('u2'),
        { type: 'channel', id: 'c', name: 'deck' },
        said('m', 'final', { channel: 'c', topic: 'name', edits, edited_ms: (T + 30) * 1_000 }),
        said('n', 'only when', { channel: 'c', topic: 'name', edited_ms: (T + 50) * 1_000 }),
      ],
      { users: { u1: ann.id, u2: ben.id } },
    )
    const found = (await messagesOf(ben, PUBLIC)).filter(({ subject }) => subject === 'name')
    expect(
      found.map(({ content, timestamp, last_edit_timestamp }) => [content, timestamp, last_edit_timestamp]),
    ).toEqual([
      ['final', T + 10, T + 30],
      ['only when', T + 10, T + 50],
    ])
    expect(found[0].edit_history).toEqual([
      expect.objectContaining({ user_id: ben.id, timestamp: T + 30, prev_content: 'second draft' }),
      expect.objectContaining({
        user_id: ann.id,
        timestamp: T + 20,
        prev_content: 'first **draft**',
        prev_rendered_content: '<p>first <strong>draft</strong></p>',
        prev_topic: 'old name',
        topic: 'name',
      }),
    ])
    const { message_history } = expectSuccess(await ben.api.get(`/messages/${found[0].id}/history`))
    expect(message_history.map(({ content, topic }: Json) => [content, topic])).toEqual([
      ['first **draft**', 'old name'],
      ['second draft', 'name'],
      ['final', 'name'],
    ])
    const limit = { message_content_edit_limit_seconds: JSON.stringify('unlimited') }
    expectSuccess(await realm.owner.api.patch('/realm', limit))
    expectSuccess(await ann.api.patch(`/messages/${found[0].id}`, { content: 'really final' }))
    const { message } = expectSuccess(await ben.api.get(`/messages/${found[0].id}`))
    expect(message.edit_history.map(({ prev_content }: Json) => prev_content)).toEqual([
      'final',
      'second draft',
      'first **draft**',
    ])
    expect(await findingsIn(realm)).toEqual([])
  })

  it('leaves out the oldest versions of a message if they take too much', async () => {
    const { realm } = made
    const version = (at: number) => `version ${at} ${'👍'.repeat(3_000)}`
    const edits = [1, 2, 3, 4, 5].map((at) => ({ time_ms: (T + 20 + at) * 1_000, content: version(at) }))
    const { report } = await importArchive(realm, [
      headOf('edits'),
      user('u1'),
      { type: 'channel', id: 'c', name: 'deck' },
      said('m', 'final', { channel: 'c', topic: 'name', edits }),
    ])
    const [found] = (await messagesOf(realm.owner, PUBLIC)).filter(({ content }) => content === 'final')
    const texts = found.edit_history.map(({ prev_content }: Json) => prev_content.slice(0, 9))
    expect(texts[0]).toBe('version 5')
    expect(texts).not.toContain('version 1')
    expect(countOf(report.passed_over, 'message.edits[]')).toBeGreaterThan(0)
    expect(await findingsIn(realm)).toEqual([])
  })

  it('keeps messages unread that a user had not read there', async () => {
    const { realm } = made
    const [ann, ben] = await Promise.all([buildUser(realm), buildUser(realm)])
    const at = (seconds: number) => ({ time_ms: (T + seconds) * 1_000 })
    const { report } = await importArchive(
      realm,
      [
        headOf('read'),
        user('u1'),
        user('u2'),
        { type: 'channel', id: 'c', name: 'deck', members: [{ user: 'u1' }] },
        { type: 'channel', id: 'd', name: 'elsewhere', privacy: 'private', members: [{ user: 'u2' }] },
        said('1', 'one', { channel: 'c', topic: 't', ...at(1) }),
        said('2', 'two', { channel: 'c', topic: 't', starred_by: ['u1'], ...at(2) }),
        said('3', 'three', { channel: 'd', topic: 't', sender: 'u2', ...at(3) }),
        said('4', 'four', { to: ['u1'], sender: 'u2', ...at(4) }),
        said('5', 'five', { channel: 'c', topic: 't', ...at(5) }),
        {
          type: 'read_state',
          user: 'u1',
          unread: [
            ['2', '4'],
            ['5', 'none'],
          ],
        },
        { type: 'read_state', user: 'none', unread: [] },
      ],
      { users: { u1: ann.id, u2: ben.id } },
    )
    expect(countOf(report.written, 'unread messages')).toBe(2)
    expect(countOf(report.problems, 'read state of an unknown person')).toBe(1)
    const marks = new Map((await messagesOf(ann)).map(({ content, flags }) => [content, flags]))
    expect(['one', 'two', 'four', 'five'].map((text) => marks.get(text))).toEqual([
      ['read'],
      ['starred'],
      [],
      ['read'],
    ])
    const { unread_msgs } = expectSuccess(await ann.api.post('/register', {}))
    expect(unread_msgs.streams.map(({ topic }: Json) => topic)).toEqual(['t'])
    expect((await messagesOf(ben)).filter(({ content }) => content === 'three')[0].flags).toContain('read')
    expect(await findingsIn(realm)).toEqual([])
  })

  it('puts later replies where the thread is now', async () => {
    const { realm } = made
    const lines = [
      headOf('threads'),
      user('u1'),
      { type: 'channel', id: 'c', name: 'deck' },
      said('root', 'root', { channel: 'c', topic: 'thread' }),
    ]
    await importArchive(realm, lines)
    const [root] = (await messagesOf(realm.owner, PUBLIC)).filter(({ content }) => content === 'root')
    const renamed = { topic: 'renamed', propagate_mode: 'change_all' }
    expectSuccess(await realm.owner.api.patch(`/messages/${root.id}`, renamed))
    const reply = said('r', 'reply', { channel: 'c', topic: 'thread', topic_of_thread: 'root' })
    await importAgain(realm, [...lines, reply])
    const found = (await messagesOf(realm.owner, PUBLIC)).find(({ content }) => content === 'reply')
    expect(found.subject).toBe('renamed')
  })

  it('brings linkifiers, playgrounds and harmless settings that are not chosen here', async () => {
    const { realm } = made
    expectSuccess(await realm.owner.api.patch('/realm', { digest_weekday: 3 }))
    const { report } = await importArchive(realm, [
      headOf('settings'),
      { type: 'linkifier', pattern: '#(?P<id>[0-9]+)', url_template: 'https://example.com/{id}' },
      { type: 'linkifier', pattern: '(', url_template: 'https://example.com/' },
      { type: 'playground', name: 'Try', language: 'Python', url_template: 'https://example.com/{code}' },
      { type: 'playground', name: 'Bad', language: 'Python', url_template: 'https://example.com/' },
      { type: 'realm_setting', name: 'default_code_block_language', value: 'python' },
      { type: 'realm_setting', name: 'digest_weekday', value: 5 },
      { type: 'realm_setting', name: 'invite_required', value: false },
      { type: 'realm_setting', name: 'giphy_rating', value: 'worst' },
      { type: 'default_setting', name: 'twenty_four_hour_time', value: true },
      { type: 'default_setting', name: 'email_address_visibility', value: 1 },
      { type: 'default_setting', name: '__proto__', value: true },
    ])
    const snapshot = expectSuccess(await realm.owner.api.post('/register', {}))
    const { linkifiers } = expectSuccess(await realm.owner.api.get('/realm/linkifiers'))
    expect(linkifiers.map(({ pattern }: Json) => pattern)).toEqual(['#(?P<id>[0-9]+)'])
    expect(snapshot.realm_playgrounds.map(({ name }: Json) => name)).toEqual(['Try'])
    expect(snapshot).toMatchObject({
      realm_default_code_block_language: 'python',
      realm_digest_weekday: 3,
      realm_invite_required: true,
    })
    expect(snapshot.realm_user_settings_defaults.twenty_four_hour_time).toBe(true)
    for (const name of ['linkifier', 'playground', 'setting']) {
      expect(countOf(report.problems, `${name} that cannot be used`)).toBe(1)
    }
    expect(countOf(report.passed_over, 'realm_setting invite_required')).toBe(1)
    expect(countOf(report.passed_over, 'default_setting email_address_visibility')).toBe(1)
    expect(await findingsIn(realm)).toEqual([])
  })
})

describe('A person of an import', () => {
  it('shows the address to whom new accounts show theirs, unless it has chosen that', async () => {
    const { realm } = made
    const ann = await buildUser(realm)
    expectSuccess(
      await realm.owner.api.patch('/realm/user_settings_defaults', { email_address_visibility: 3 }),
    )
    const { report } = await importArchive(realm, [
      headOf('addresses'),
      user('u1', { email: 'u1@example.org' }),
      user('u2', { email: 'u2@example.org', email_visibility: 'members' }),
      user('u3', { email: 'u3@example.org', email_visibility: 'nobody' }),
      user('u4', { email: 'u4@example.org', email_visibility: 'whoever' }),
      user('bot', { email: 'bot@example.org', is_bot: true }),
    ])
    expect(countOf(report.problems, 'bad user')).toBe(1)
    const addressesFor = async ({ api }: TestUser) => {
      const { members } = expectSuccess(await api.get('/users'))
      return ['u1', 'u2', 'u3', 'bot'].map(
        (id) => members.find(({ full_name }: Json) => full_name === `Person ${id}`).delivery_email,
      )
    }
    expect(await addressesFor(ann)).toEqual([null, 'u2@example.org', null, 'bot@example.org'])
    expect(await addressesFor(realm.owner)).toEqual([
      'u1@example.org',
      'u2@example.org',
      null,
      'bot@example.org',
    ])
  })

  it('joins an account by a confirmed address alone, and no bot’s', async () => {
    const { realm } = made
    const bot = await createBot(realm.owner, 'Helper')
    const { invite_link } = expectSuccess(await realm.owner.api.post('/invites/multiuse', { stream_ids: [] }))
    world.sendsMail = false
    const eve = { email: 'eve@example.org', full_name: 'Eve Elk', password: 'a very fine password' }
    expect((await postForm(invite_link, eve)).status).toBe(200)
    const { user_id } = await importedPerson(realm, 'Eve Elk')
    const lines = [
      headOf('takers'),
      user('u1', { email: eve.email.toUpperCase() }),
      user('u2', { email: bot.email }),
      user('bot', { email: bot.email, is_bot: true }),
    ]
    const id = await beginImport(realm.owner, archiveOf(lines))
    await runUntil(realm, id, 'waiting')
    const { choices } = expectSuccess(await realm.owner.api.get(`/imports/${id}/choices`, { type: 'user' }))
    expect(choices.map(({ id, target_id }: Json) => [id, target_id])).toEqual([
      ['bot', bot.id],
      ['u1', null],
      ['u2', null],
    ])
    await runImport(realm, id)
    const { report } = await runUntil(realm, id, 'finished')
    expect(countOf(report.problems, 'address that another account has')).toBe(2)
    expect(countOf(report.written, 'people who have accounts')).toBe(1)
    for (const name of ['Person u1', 'Person u2'])
      expect((await importedPerson(realm, name)).delivery_email).toContain('@no-mail.')
    // An owner may know better.
    const again = await importArchive(realm, [headOf('other'), lines[1]!], { users: { u1: user_id } })
    expect(again.report.problems).toEqual([])
    expect(countOf(again.report.written, 'people who have accounts')).toBe(1)
    expect(await findingsIn(realm)).toEqual([])
  })
})

describe('A bot of an import', () => {
  it('is a member whatever it was, or a guest as its owner, who is active', async () => {
    const { realm } = made
    const bot = (id: string, role: string, bot_owner: string) =>
      user(id, { is_bot: true, role, bot_owner, full_name: id })
    await importArchive(realm, [
      headOf('bots'),
      user('u1'),
      user('u2', { role: 'guest' }),
      user('gone', { deactivated: true }),
      user('me', { email: realm.owner.email }),
      bot('above', 'administrator', 'u1'),
      bot('below', 'member', 'u2'),
      bot('mine', 'administrator', 'me'),
      bot('left', 'member', 'gone'),
    ])
    const [u1, u2] = [await importedPerson(realm, 'Person u1'), await importedPerson(realm, 'Person u2')]
    const found = await Promise.all(
      ['above', 'below', 'mine', 'left'].map((name) => importedPerson(realm, name)),
    )
    expect(found.map(({ role, bot_owner_id }) => [role, bot_owner_id])).toEqual([
      [400, u1.user_id],
      [600, u2.user_id],
      [400, realm.owner.id],
      [400, realm.owner.id],
    ])
    expect(await findingsIn(realm)).toEqual([])
  })
})

const PUBLIC = [{ operator: 'channels', operand: 'public' }]
