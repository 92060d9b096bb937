import { describe, expect, it } from 'vitest'
import { ImportRefusedError } from '../../src/imports/import-reader.ts'
import { findReaderOf } from '../../src/imports/index.ts'
import { mentionOf, referenceTo } from '../../src/imports/references.ts'
import { readArchive } from './read-archive.ts'
import {
  exportFiles,
  readExport,
  readMessages,
  said,
  slack,
  slackChannel,
  slackUser,
} from './slack-export.ts'
import { archiveOf, type ZipFile, zipOf } from './zip-builder.ts'

const first = async (...messages: unknown[]) => (await readMessages(...messages)).of('message')[0]

describe('The archive', () => {
  it('is recognised, also in a folder and beside what macOS adds', async () => {
    const files = exportFiles({ 'general/2014-06-12.json': [said('hello')] })
    const packed: ZipFile[] = [
      { name: '__MACOSX/x/._users.json' },
      { name: 'x/' },
      { name: 'x/general/' },
      { name: 'x/.DS_Store' },
      ...files.map((file) => ({ ...file, name: `x/${file.name}` })),
    ]
    for (const entries of [files, packed]) {
      const archive = archiveOf(zipOf(entries))
      expect((await findReaderOf(archive))?.name).toBe('slack')
      const read = await readArchive(slack, archive)
      expect(read.contents()).toEqual(['hello'])
      expect(read.of('channel').map(({ name }) => name)).toEqual(['general'])
      expect(read.problems()).toEqual({})
    }
    expect(await findReaderOf(archiveOf(zipOf([{ name: 'notes.txt' }])))).toBeUndefined()
  })

  it('is of the workspace that its people are of', async () => {
    const read = await readExport({})
    expect(read.records[0]).toEqual({
      type: 'parley-import',
      version: 1,
      source: 'slack:T1',
      topic: 'imported from Slack',
    })
    const unnamed = await readExport({
      'users.json': [{ id: 'U1', name: 'ada' }],
      'channels.json': [
        { id: 'C2', name: 'later', created: 20 },
        { id: 'C1', name: 'general', created: 10 },
      ],
    })
    expect(unnamed.records[0]).toMatchObject({ source: 'slack:channel-C1' })
  })

  it('of one workspace of an organization is read, of several refused', async () => {
    const team = (name: string) => ({
      [`teams/${name}/channels.json`]: [slackChannel('C5', 'lab')],
      [`teams/${name}/lab/2014-06-12.json`]: [said('in the lab')],
    })
    expect((await readExport(team('one'))).contents()).toEqual(['in the lab'])
    const people = await readExport({
      ...team('one'),
      'org_users.json': [slackUser('W3', 'Cleo', { team_id: 'E1' })],
    })
    expect(people.of('user').map(({ id }) => id)).toEqual(['U1', 'U2', 'W3'])
    expect(people.of('parley-import')).toMatchObject([{ source: 'slack:T1' }])
    await expect(readExport({ ...team('one'), ...team('two') })).rejects.toThrow(
      'This export is of several workspaces (one, two).',
    )
  })

  it('that is encrypted is refused; links, doubles and ways out are passed over', async () => {
    const files = exportFiles({ 'general/2014-06-12.json': [said('hello')] })
    const read = (more: ZipFile) => readArchive(slack, archiveOf(zipOf([...files, more])))
    await expect(read({ name: 'a.json', claims: { flags: 1 } })).rejects.toThrow(ImportRefusedError)
    for (const more of [
      { name: '../../general/2014-06-13.json' },
      { name: 'general/2014-06-12.json', content: '[]' },
      { name: 'users.json', content: '[]' },
      { name: 'general/2014-06-13.json', claims: { mode: 0o120777 } },
      { name: `general/${'x'.repeat(1_000)}.json` },
    ]) {
      const found = await read(more)
      expect(found.contents()).toEqual(['hello'])
      expect(found.problems()).toEqual({ 'file of the archive': 1 })
    }
  })

  it('counts what it does not know', async () => {
    const read = await readExport({
      '.slack-manifest.json': {},
      'canvases.json': [
        { id: 'F1', title: 'Plan &amp; budget', permalink: 'https://t.slack.com/docs/T1/F1' },
      ],
      'lists.json': [{ id: 'F2', title: 'To do' }, { id: 'F3' }],
      'huddle_transcripts.json': 'null',
      'file_conversations.json': [{ id: 'C9', name: 'FC:F1:Plan', members: ['U1'] }],
      'FC:F1:Plan/2014-06-12.json': [said('below the plan')],
      'F123:Plan/canvas.json': {},
      'readme.txt': 'x',
    })
    expect(read.of('channel')).toHaveLength(1)
    expect(read.contents()).toEqual([])
    expect(read.of('problem').map(({ kind, detail }) => `${kind}: ${detail}`)).toEqual([
      'left out: day of comments on a canvas or list: FC:F1:Plan/2014-06-12.json',
      'left out: canvas: F123:Plan/canvas.json',
      'left out: unknown file: readme.txt',
      'left out: canvas: Plan & budget https://t.slack.com/docs/T1/F1',
      'left out: list: To do',
      'left out: list: F3',
    ])
  })

  it('lists pins and integrations, which have to be set up again', async () => {
    const read = await readExport({
      'channels.json': [
        slackChannel('C1', 'general', { pins: [{ id: '1402560000.000200', type: 'C', user: 'U2' }] }),
      ],
      'integration_logs.json': [{ user_id: 0, app_type: 'GitHub', change_type: 'added', channel: 'C1' }],
    })
    expect(read.of('problem').map(({ kind, detail }) => [kind, detail])).toEqual([
      ['pinned message', '#general: that of 2014-06-12T08:00:00.000Z, by Ben Brandt'],
      ['integration', 'added, GitHub, C1'],
    ])
  })
})

describe('People', () => {
  it('have roles, addresses, zones, fields, and names that fall back', async () => {
    const read = await readExport({
      'users.json': [
        slackUser('U1', 'Ada Amsel', {
          is_primary_owner: true,
          tz: 'Europe/Amsterdam',
          profile: {
            real_name: 'Ada Amsel',
            email: 'Ada@Example.com',
            title: 'CTO',
            fields: { Xf1: { value: 'x'.repeat(60), alt: '' }, Xf2: { value: 'short' } },
            avatar_hash: 'a1b2c3d4e5f6',
            status_text: 'away',
          },
        }),
        slackUser('U2', 'Ben', {
          is_admin: true,
          tz: 'PST',
          profile: { email: 'ada@example.com', avatar_hash: 'ga1b2c3d4e5f' },
        }),
        slackUser('U3', 'Gus', { is_ultra_restricted: true, profile: null }),
        slackUser('U4', 'Bot', { is_bot: true, profile: { bot_id: 'B1', display_name: 'Robo' } }),
        { id: 'U5', team_id: 'T1', deleted: true, name: 'old', profile: { fields: null } },
        slackUser('USLACKBOT', 'Slackbot'),
        { name: 'no id' },
        null,
        7,
      ],
      'channels.json': [],
    })
    expect(read.of('user')).toMatchObject([
      {
        id: 'U1',
        role: 'owner',
        email: 'Ada@Example.com',
        timezone: 'Europe/Amsterdam',
        avatar: 'avatar:U1',
        status: 'away',
        profile: [
          { field: 'title', value: 'CTO' },
          { field: 'Xf1', value: 'x'.repeat(60) },
          { field: 'Xf2', value: 'short' },
        ],
      },
      { id: 'U2', role: 'administrator', full_name: 'ben', email: 'ada@example.com' },
      { id: 'U3', role: 'guest', full_name: 'gus', email: null },
      { id: 'U4', full_name: 'Robo', is_bot: true },
      { id: 'U5', full_name: 'old', deactivated: true },
      { id: 'USLACKBOT', is_bot: true },
    ])
    expect(read.of('profile_field').map(({ name, kind }) => [name, kind])).toEqual([
      ['Title', 'short'],
      ['Slack field 1', 'long'],
      ['Slack field 2', 'short'],
    ])
    expect(read.of('file').map(({ url }) => url)).toEqual([
      'https://ca.slack-edge.com/T1-U1-a1b2c3d4e5f6-512',
    ])
    expect(read.problems()).toEqual({ 'person without an id': 3, 'profile field without a name': 2 })
    expect(read.of('problem')).toContainEqual(
      expect.objectContaining({ detail: 'Slack field 2: short', file: 'users.json' }),
    )
  })

  it('whom no list names are there nevertheless, once', async () => {
    const read = await readExport({
      'channels.json': [slackChannel('C1', 'general', { members: ['U1', 'W9', 'W9', null, 5] })],
      'general/2014-06-12.json': [
        said('hi', { user: 'U77', user_profile: { real_name: 'Eve Elsewhere' } }),
        said('again', { user: 'U77' }),
        said('<@U88|zoe>', { reactions: [{ name: 'tada', users: ['U99', 'U99'], count: 5 }] }),
      ],
    })
    const stubs = read.of('user').filter(({ deactivated }) => deactivated)
    expect(stubs.map(({ id, full_name }) => [id, full_name])).toEqual([
      ['U77', 'Eve Elsewhere'],
      ['U88', 'zoe'],
      ['W9', 'Slack user W9'],
      ['5', 'Slack user 5'],
      ['U99', 'Slack user U99'],
    ])
  })

  it('of other workspaces have the name that a message gives', async () => {
    const read = await readExport({
      'channels.json': [slackChannel('C1', 'general', { members: ['U1', 'W7'], creator: 'W7' })],
      'general/2014-06-12.json': [said('<@W7>?', { thread_ts: '1402500000.000100' })],
      'general/2014-06-13.json': [
        said('yes', { user: 'W7', user_profile: { real_name: 'Eve &amp; Co', display_name: 'eve' } }),
      ],
    })
    expect(read.of('user').filter(({ id }) => id === 'W7')).toMatchObject([
      { full_name: 'Eve & Co', deactivated: true },
    ])
  })

  it('have names, titles and states without the escapes of Slack', async () => {
    const read = await readExport({
      'users.json': [
        slackUser('U1', 'Ada', {
          profile: { real_name: 'Ada &lt;3', title: 'R&amp;D', status_text: 'a &gt; b' },
        }),
      ],
    })
    expect(read.of('user')[0]).toMatchObject({
      full_name: 'Ada <3',
      status: 'a > b',
      profile: [{ field: 'title', value: 'R&D' }],
    })
  })

  it('that are bots have one account for each bot', async () => {
    const read = await readExport({
      'users.json': [
        slackUser('U1', 'Ada'),
        slackUser('U4', 'Robo', { is_bot: true, profile: { bot_id: 'B1' } }),
      ],
      'general/2014-06-12.json': [
        said('a', { subtype: 'bot_message', user: undefined, bot_id: 'B1', username: 'other name' }),
        said('b', { subtype: 'bot_message', user: undefined, bot_id: 'B2', username: 'CI' }),
        said('c', { subtype: 'bot_message', user: undefined, bot_id: 'B2', username: 'CI 2' }),
        said('d', { subtype: 'bot_message', user: undefined, username: 'hook' }),
        said('e', { user: undefined }),
      ],
    })
    expect(read.of('message').map(({ sender }) => sender)).toEqual(['U4', 'B2', 'B2', 'bot-name:hook'])
    expect(read.of('user').filter(({ is_bot }) => is_bot)).toMatchObject([
      { id: 'U4' },
      { id: 'B2', full_name: 'CI', deactivated: true },
      { id: 'bot-name:hook', full_name: 'hook' },
    ])
    expect(read.problems()).toEqual({ 'message without a sender': 1 })
  })
})

describe('Channels', () => {
  it('stay private, archived and described as they were', async () => {
    const read = await readExport({
      'channels.json': [
        slackChannel('C1', 'general', {
          is_general: true,
          purpose: { value: 'All' },
          topic: { value: 'Now' },
        }),
        slackChannel('C2', 'random', { created: '1400000001' }),
        slackChannel('C3', '__proto__', { is_archived: true, topic: { value: 'Now' } }),
        slackChannel('C4', 'x'.repeat(60), { members: null }),
        { id: 'C5' },
      ],
      'groups.json': [slackChannel('G1', 'board')],
      '__proto__/2014-06-12.json': [said('here')],
      'G1/2014-06-12.json': [said('by its id')],
    })
    expect(read.of('channel')).toMatchObject([
      {
        id: 'C1',
        description: 'All · Now',
        privacy: 'public',
        default: true,
        created_ms: 1.4e12,
        creator: 'U1',
      },
      { id: 'C2', default: true, created_ms: 1_400_000_001_000 },
      { id: 'C3', name: '__proto__', archived: true, description: 'Now', default: false },
      { id: 'C4', members: [] },
      { id: 'G1', privacy: 'private', history_public: true, members: [{ user: 'U1' }, { user: 'U2' }] },
    ])
    expect(read.of('message').map(({ channel, topic }) => [channel, topic])).toEqual([
      ['C3', 'imported from Slack'],
      ['G1', 'imported from Slack'],
    ])
    expect(read.problems()).toEqual({ 'channel without an id or a name': 1 })
  })

  it('are open to all who wrote there, and say what they are about without markup', async () => {
    const purpose = 'Plans &amp; <https://a.example|links>, ask <@U2> in <#C1|general>'
    const read = await readExport({
      'channels.json': [slackChannel('C1', 'general', { is_general: true, purpose: { value: purpose } })],
    })
    expect(read.of('channel')[0]!.announce).toBeUndefined()
    expect(read.of('channel')[0]!.description).toBe(
      'Plans & [links](https://a.example/), ask @Ben Brandt in #general',
    )
  })

  it('that no list has are private', async () => {
    const read = await readExport({
      'lost/2014-06-12.json': [said('a')],
      'lost/2014-06-13.json': [said('b')],
    })
    expect(read.of('channel').slice(1)).toMatchObject([
      { id: 'folder:lost', name: 'lost', privacy: 'private' },
    ])
    expect(read.contents()).toEqual(['a', 'b'])
  })
})

describe('Direct conversations', () => {
  it('have their people, also one who is gone, or only oneself', async () => {
    const read = await readExport({
      'dms.json': [
        { id: 'D1', members: ['U1', 'U2'] },
        { id: 'D2', members: ['U1', 'U1'] },
        { id: 'D3', members: [] },
      ],
      'mpims.json': [
        { id: 'G7', name: 'mpdm-ada--ben--eve-1', members: ['U1', 'U2', 'U66'] },
        { id: 'G8', name: 'mpdm-ada.amsel--ben.brandt-1' },
      ],
      'D1/2014-06-12.json': [said('one')],
      'D2/2014-06-12.json': [said('note')],
      'mpdm-ada--ben--eve-1/2014-06-12.json': [said('three')],
      'mpdm-ada.amsel--ben.brandt-1/2014-06-12.json': [said('two')],
    })
    expect(Object.fromEntries(read.of('message').map(({ content, to }) => [content, to]))).toEqual({
      one: ['U1', 'U2'],
      note: ['U1'],
      three: ['U1', 'U2', 'U66'],
      two: ['U1', 'U2'],
    })
    expect(read.problems()).toEqual({ 'direct conversation without people': 1 })
  })

  it('are where links to them lead', async () => {
    const links = ['G7', 'D1', 'G9'].map((id) => `<https://t.slack.com/archives/${id}|${id}>`)
    const read = await readExport({
      'dms.json': [{ id: 'D1', members: ['U1', 'U2'] }],
      'mpims.json': [{ id: 'G7', name: 'mpdm-ada--ben--eve-1', members: ['U1', 'U2', 'U66'] }],
      'D1/2014-06-12.json': [said(links.join(' '))],
    })
    const [three, two] = ['U1,U2,U66', 'U1,U2'].map((people) => referenceTo('conversation', people))
    expect(read.contents()).toEqual([`[G7](${three}) [D1](${two}) [G9](https://t.slack.com/archives/G9)`])
  })

  it('quote what a reply is about', async () => {
    const root = said('Lunch *today*?\nAt one', { reply_count: 1 })
    const read = await readExport({
      'dms.json': [{ id: 'D1', members: ['U1', 'U2'] }],
      'D1/2014-06-12.json': [{ ...root, thread_ts: root.ts }, said('Yes', { thread_ts: root.ts })],
    })
    expect(read.contents()).toEqual([
      'Lunch **today**?\nAt one',
      `> [Lunch today? At one](${referenceTo('message', `D1/${root.ts}`)})\n\nYes`,
    ])
  })
})

describe('A message', () => {
  it('keeps its time in order to the microsecond, and the time of its edit', async () => {
    const read = await readMessages(
      said('b', { ts: '1434139102.000004' }),
      said('a', { ts: '1434139102.000002', edited: { user: 'U1', ts: '1434139200.000000' } }),
    )
    const [later, earlier] = read.of('message')
    expect(later!.time_ms).toBeGreaterThan(earlier!.time_ms)
    expect(Math.floor(earlier!.time_ms)).toBe(1_434_139_102_000)
    expect(earlier).toMatchObject({ id: 'C1/1434139102.000002', edited_ms: 1_434_139_200_000 })
  })

  it('is what its blocks say, or its text, then its attachments, then its files', async () => {
    const rich = (text: string) => [
      { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }] },
    ]
    const message = await first(
      said('*old*', {
        blocks: rich('new'),
        attachments: [{ text: 'more', fallback: 'no' }],
        files: [{ id: 'F1', name: 'a.txt', url_private: 'https://files.slack.com/x/a.txt' }],
      }),
    )
    expect(message!.content).toBe(`new\n\nmore\n\n[a.txt](${referenceTo('file', 'F1')})`)
    expect((await first(said('*old*', { blocks: [{ type: 'divine' }] })))!.content).toBe('**old**')
  })

  it('mentions silently, links what is here, and is no command', async () => {
    const read = await readMessages(
      said('<@U1> in <#C1|general> and <#C7|secret> for <!here>, <!subteam^S1|@ops>'),
      said('see <https://t.slack.com/archives/C1/p1434139102000002?thread_ts=1.2&amp;cid=C1|that>'),
      said('in <https://t.slack.com/archives/C1|there>, not <https://t.slack.com/archives/C7|here>'),
      said('/poll a'),
      said('waves', { subtype: 'me_message' }),
    )
    expect(read.contents()).toEqual([
      `${mentionOf('U1')} in #**parley-import:channel/C1** and #secret for @here, @ops`,
      `see [that](${referenceTo('message', 'C1/1434139102.000002')})`,
      `in [there](${referenceTo('channel', 'C1')}), not [here](https://t.slack.com/archives/C7)`,
      '&#47;poll a',
      '/me waves',
    ])
  })

  it('shows what was typed, also where an export escapes rich text', async () => {
    const rich = (typed: string) => [
      {
        type: 'rich_text',
        elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: typed }] }],
      },
    ]
    const read = await readMessages(
      said('a &lt; b', { blocks: rich('a &lt; b') }),
      said('a &lt; b', { blocks: rich('a < b') }),
      said('type &amp;lt;', { blocks: rich('type &lt;') }),
    )
    expect(read.contents()).toEqual(['a < b', 'a < b', 'type &amp;lt;'])
  })

  it('has the names of groups and channels that its text has', async () => {
    const elements = [
      { type: 'usergroup', usergroup_id: 'S1' },
      { type: 'text', text: ' ' },
      { type: 'channel', channel_id: 'C7' },
      { type: 'text', text: ' ' },
      { type: 'usergroup', usergroup_id: 'S2' },
    ]
    const read = await readMessages(
      said('<!subteam^S1|@ops> <#C7|secret> <!subteam^S2>', {
        blocks: [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] }],
      }),
    )
    expect(read.contents()).toEqual(['@ops #secret @S2'])
    expect(read.problems()).toEqual({ 'not understood: mention of a group without a name': 1 })
  })

  it('that was forwarded is a quotation, with its files', async () => {
    const blocks = [
      {
        type: 'rich_text',
        elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'one\n\ntwo' }] }],
      },
    ]
    const forwarded = {
      is_share: true,
      is_msg_unfurl: true,
      author_id: 'U2',
      author_name: 'Ben',
      text: 'one\n\ntwo',
      message_blocks: [{ team: 'T1', channel: 'C1', ts: '1402560000.000200', message: { blocks } }],
      from_url: 'https://t.slack.com/archives/C1/p1402560000000200',
      ts: '1402560000.000200',
      footer: 'Posted in #general',
      fallback: '[June 12th] Ben: one',
      files: [{ id: 'F8', name: 'b.txt', url_private: 'https://files.slack.com/x/b.txt' }],
    }
    const read = await readMessages(said('look', { attachments: [forwarded] }))
    const said2 = `[said](${referenceTo('message', 'C1/1402560000.000200')})`
    expect(read.contents()).toEqual([
      `look\n\n${mentionOf('U2')} ${said2} <time:2014-06-12T08:00:00Z>:\n\n> one\n>\n> two\n\n[b.txt](${referenceTo('file', 'F8')})`,
    ])
  })

  it('of a private conversation is previewed in that alone, unless it was forwarded', async () => {
    const preview = (channel_id: string, text: string, more: object = {}) =>
      said('see', { attachments: [{ is_msg_unfurl: true, channel_id, author_name: 'Ben', text, ...more }] })
    const file = { id: 'F9', name: 'a.txt', url_private: 'https://files.slack.com/x/a.txt' }
    const read = await readExport({
      'groups.json': [slackChannel('G1', 'board')],
      'dms.json': [{ id: 'D1', members: ['U1', 'U2'] }],
      'general/2014-06-12.json': [
        preview('G1', 'one', { files: [file] }),
        preview('D1', 'two'),
        preview('G1', 'three', { is_share: true }),
        preview('C1', 'four'),
      ],
      'board/2014-06-12.json': [preview('G1', 'five')],
    })
    expect(read.contents()).toEqual([
      'see',
      'see',
      'see\n\nBen said:\n\n> three',
      'see\n\nBen said:\n\n> four',
      'see\n\nBen said:\n\n> five',
    ])
    expect(read.of('file')).toEqual([])
    expect(read.problems()).toEqual({ 'left out: preview of a private message': 2 })
  })

  it('counts reactions whose people the export does not name', async () => {
    const read = await readMessages(said('x', { reactions: [{ name: 'tada', users: ['U1'], count: 60 }] }))
    expect(read.of('problem')).toMatchObject([
      {
        kind: 'reactions of people whom the export does not name',
        detail: expect.stringContaining('59 of :tada:'),
      },
    ])
  })

  it('has one reaction of each kind a person, without skin tones', async () => {
    const message = await first(
      said('x', {
        reactions: [
          { name: 'clap::skin-tone-2', users: ['U1', 'U2'], count: 2 },
          { name: 'clap::skin-tone-5', users: ['U1'], count: 1 },
          { name: 'thumbsup', users: ['U1'] },
          { name: 'party_parrot', users: ['U2'] },
          { name: 'tada', users: null },
          null,
        ],
      }),
    )
    expect(message!.reactions).toEqual([
      { user: 'U1', emoji: 'clap', kind: 'unicode', code: '1f44f' },
      { user: 'U2', emoji: 'clap', kind: 'unicode', code: '1f44f' },
      { user: 'U1', emoji: '+1', kind: 'unicode', code: '1f44d' },
      { user: 'U2', emoji: 'party_parrot', kind: 'custom' },
    ])
  })

  it('that is too long is cut, and is a file as a whole', async () => {
    const text = 'word '.repeat(8_000)
    const read = await readMessages(said(text))
    const [message] = read.of('message')
    const [file] = read.of('file')
    expect([...message!.content].length).toBeLessThanOrEqual(10_000)
    expect(message!.content.endsWith(`[The whole message](${referenceTo('file', file!.id)})`)).toBe(true)
    expect(Buffer.from(file!.data!, 'base64').toString()).toBe(text)
  })

  it('of the same time may be in two channels', async () => {
    const message = said('both')
    const read = await readExport({
      'channels.json': [slackChannel('C1', 'general'), slackChannel('C2', 'random')],
      'general/2014-06-12.json': [message],
      'random/2014-06-12.json': [message],
    })
    expect(read.of('message').map(({ id }) => id)).toEqual([`C1/${message.ts}`, `C2/${message.ts}`])
  })
})

describe('What is wrong in one record', () => {
  it('is listed with its place, and the rest is read', async () => {
    const read = await readExport({
      'general/2014-06-12.json': [
        { type: 'message', user: 'U1', text: 'no time' },
        said('bad time', { ts: '1e400' }),
        said(null),
        said('', { blocks: 'none', attachments: 7, files: {}, reactions: 'x', edited: [], replies: null }),
        null,
        'text',
        [[]],
        said('type', { type: 'hologram' }),
        said('fine'),
      ],
      'general/2014-06-13.json': `[${JSON.stringify(said('before'))}, {"ts": NaN}, ${JSON.stringify(said('after'))}`,
      'general/2014-06-14.json': '{"ok": false}',
    })
    expect(read.contents()).toEqual(['fine', 'before', 'after'])
    expect(read.problems()).toEqual({
      'message without a time': 2,
      'empty message': 2,
      'no message': 4,
      'left out: hologram': 1,
      'not readable': 2,
    })
    expect(read.of('problem')).toContainEqual({
      type: 'problem',
      kind: 'not readable',
      detail: 'is no JSON: {"ts": NaN}',
      file: 'general/2014-06-13.json',
      entry: 2,
    })
  })

  it('may be 40 megabytes of one message', async () => {
    const read = await readMessages(said('a'), said('x'.repeat(40_000_000)), said('b'))
    expect(read.contents()).toEqual(['a', 'b'])
    expect(read.of('problem')).toMatchObject([{ kind: 'not readable', entry: 2 }])
  })

  it('may be the archive’s own: a file that is cut off', async () => {
    const files = exportFiles({
      'general/2014-06-12.json': [said('a')],
      'general/2014-06-13.json': [said('b')],
    })
    const bytes = zipOf(
      files.map((file) => (file.name.endsWith('12.json') ? { ...file, claims: { size: 9_999 } } : file)),
    )
    const read = await readArchive(slack, archiveOf(bytes))
    expect(read.contents()).toEqual(['a', 'b'])
    expect(read.of('problem')).toMatchObject([
      {
        kind: 'not readable',
        detail: 'the file is shorter than the archive says',
        file: 'general/2014-06-12.json',
      },
    ])
  })
})

/** Kinds of messages: what becomes of each. */
const SUBTYPES: readonly (readonly [subtype: string, message: object, content: string | undefined])[] = [
  ['me_message', { text: 'runs' }, '/me runs'],
  ['group_topic', { text: 'set the topic: x' }, 'set the topic: x'],
  ['group_purpose', { text: 'p' }, 'p'],
  ['group_archive', { text: 'archived' }, 'archived'],
  ['channel_unarchive', { text: 'back' }, 'back'],
  ['group_convert_to_private', { text: 'now private' }, 'now private'],
  ['group_posting_permissions', { text: 'rules' }, 'rules'],
  ['reminder_delete', { text: 'removed a reminder' }, 'removed a reminder'],
  ['bot_message', { text: 'built', user: undefined, bot_id: 'B1', username: 'CI' }, 'built'],
  ['channel_topic', { text: 'set the topic: x' }, 'set the topic: x'],
  ['channel_purpose', { text: 'p' }, 'p'],
  ['channel_archive', { text: 'archived' }, 'archived'],
  ['group_unarchive', { text: 'back' }, 'back'],
  ['channel_convert_to_private', { text: 'now private' }, 'now private'],
  ['channel_posting_permissions', { text: 'rules' }, 'rules'],
  ['reminder_add', { text: 'set up a reminder' }, 'set up a reminder'],
  ['slackbot_response', { text: 'beep' }, 'beep'],
  [
    'tombstone',
    { text: 'This message was deleted.', user: 'USLACKBOT', hidden: true },
    'This message was deleted.',
  ],
  ['ekm_access_denied', { text: '' }, '*This message cannot be read: its key was withdrawn*'],
  ['document_mention', { text: '' }, undefined],
  ['list_record_comment', { text: 'c' }, 'c'],
  [
    'huddle_thread',
    {
      text: '',
      user: 'USLACKBOT',
      room: { created_by: 'U2', date_start: 100, date_end: 800, participant_history: ['U1', 'U2', 'U3'] },
    },
    '/me held a call (12 minutes, 3 people)',
  ],
  ['sh_room_created', { text: '', room: { created_by: 'U2' } }, '/me held a call'],
  ['file_comment', { comment: { user: 'U2', comment: 'nice' }, user: undefined }, 'nice'],
  ['file_mention', { text: 'see <https://a.example|a>' }, 'see [a](https://a.example/)'],
  ['never_heard_of', { text: 'words' }, 'words'],
]

/** Kinds of messages that are left out: in words, and what such a message has. */
const LEFT_OUT: readonly (readonly [words: string, kinds: string])[] = [
  [
    'notice of who joins or leaves',
    'channel_join channel_leave group_join group_leave joiner_notification joiner_notification_for_inviter',
  ],
  ['notice of a new name', 'channel_name group_name'],
  ['notice of a pin', 'pinned_item unpinned_item'],
  ['notice of an app', 'bot_add bot_remove bot_enable bot_disable app_conversation_join'],
  ['notice of a changed canvas', 'channel_canvas_updated'],
  ['earlier version of a message', 'message_changed'],
  ['deleted message', 'message_deleted'],
]

describe('A message of the kind', () => {
  it.each(SUBTYPES)('%s', async (subtype, message, content) => {
    const read = await readMessages(said('x', { subtype, ...message }))
    expect(read.contents()).toEqual(content === undefined ? [] : [content])
    if (content === undefined) expect(read.problems()).toEqual({ [`left out: ${subtype}`]: 1 })
  })

  it.each(LEFT_OUT)('%s is left out: %s', async (words, kinds) => {
    const more = { previous: { text: 'secret' }, original_ts: '1402560000.000200' }
    const all = kinds.split(' ')
    const read = await readMessages(...all.map((subtype) => said('secret', { subtype, ...more })))
    expect(read.contents()).toEqual([])
    expect(read.problems()).toEqual({ [`left out: ${words}`]: all.length })
  })

  it('of a renamed channel is left out without an author', async () => {
    expect((await readMessages(said('x', { user: 'U00' }))).contents()).toEqual([])
  })
})

describe('Files', () => {
  const file = (more: object) => ({
    id: 'F1',
    name: 'a.png',
    title: 'A',
    url_private: 'https://files.slack.com/files-pri/T1-F1/a.png?t=xoxe-1',
    ...more,
  })
  const shown = async (more: object) => readMessages(said('', { files: [file(more)] }))

  it('are loaded from Slack, with what is known of them', async () => {
    const read = await shown({
      mimetype: 'image/png',
      size: 12,
      user: 'U2',
      created: 1434139102,
      mode: 'hosted',
    })
    expect(read.of('file')).toEqual([
      {
        type: 'file',
        id: 'F1',
        name: 'a.png',
        url: 'https://files.slack.com/files-pri/T1-F1/a.png?t=xoxe-1',
        size: 12,
        content_type: 'image/png',
        owner: 'U2',
        created_ms: 1_434_139_102_000,
      },
    ])
    expect(read.contents()).toEqual([`[A](${referenceTo('file', 'F1')})`])
  })

  it.each(['tombstone', 'hidden_by_limit'])(
    'of the mode %s are not there, and the text says so',
    async (mode) => {
      const read = await shown({ mode, url_private: undefined })
      expect(read.of('file')).toEqual([])
      expect(read.contents()[0]).toMatch(/^\*This file was .*: A\*$/)
    },
  )

  it.each(['hosted', 'snippet', 'space', 'email', 'unheard_of'])(
    'of the mode %s are loaded',
    async (mode) => {
      const read = await shown({ mode })
      expect(read.of('file').map(({ id }) => id)).toEqual(['F1'])
      expect(read.of('problem')).toEqual([])
    },
  )

  it.each(['access_denied', 'file_not_found', 'check_file_info'])(
    'with the access %s too',
    async (access) => {
      expect((await shown({ file_access: access })).of('file')).toEqual([])
    },
  )

  it('of other hosts are links, canvases pages, and those without an address noted', async () => {
    const drive = await shown({ is_external: true, url_private: 'https://drive.example/a' })
    expect(drive.contents()).toEqual(['[A](https://drive.example/a)'])
    expect((await shown({ mode: 'quip', name: 'Plan' })).of('file')[0]!.name).toBe('Plan.html')
    const absent = await shown({ url_private: undefined })
    expect(absent.contents()).toEqual([`[A](${referenceTo('file', 'F1')})`])
    expect(absent.problems()).toEqual({ 'file without an address': 1 })
  })

  it('of old messages, with a comment, are read too', async () => {
    const read = await readMessages(
      said('<@U1> uploaded a file: <https://x|A> and commented: look', {
        subtype: 'file_share',
        file: file({ initial_comment: { comment: 'look', user: 'U1' } }),
      }),
    )
    expect(read.contents()).toEqual([`look\n\n[A](${referenceTo('file', 'F1')})`])
  })

  it('in the archive are found in it, and addresses of people too', async () => {
    const files = exportFiles({
      'general/2014-06-12.json': [said('', { files: [file({}), file({})] })],
      '__uploads/F1/ä.png': 'picture',
    })
    const archive = archiveOf(zipOf(files.map((one) => ({ ...one, name: `x/${one.name}` }))))
    const [record, ...more] = (await readArchive(slack, archive)).of('file')
    expect(more).toEqual([])
    expect(record!.path).toMatch(/^x\/__uploads\/F1\/ä\.png@\d+$/)
    const bytes = await slack.file!(archive, record!.path!)
    expect(Buffer.from(await bytes!.read(0, bytes!.size)).toString()).toBe('picture')
    expect(await slack.file!(archive, 'x/__uploads/F1/b.png@7')).toBeUndefined()
    expect(await slack.file!(archive, record!.path!.replace('ä', 'b'))).toBeUndefined()
  })
})
