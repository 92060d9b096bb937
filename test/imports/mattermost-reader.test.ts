import { describe, expect, it } from 'vitest'
import type { ImportReader } from '../../src/imports/import-reader.ts'
import { findReaderOf } from '../../src/imports/index.ts'
import { ofMattermostText } from '../../src/imports/mattermost/text.ts'
import { mattermostReader } from '../../src/imports/mattermost-reader.ts'
import { channelMentionOf, mentionOf, referenceTo } from '../../src/imports/references.ts'
import { readArchive } from './read-archive.ts'
import { archiveOf, zipOf } from './zip-builder.ts'

const reader = mattermostReader as ImportReader
const MAIN = 'imported from Mattermost'

const line = (type: string, value: object) => ({ type, [type]: value })
const team = (name: string, display: string) => line('team', { name, display_name: display, type: 'O' })
const channel = (inTeam: string, name: string, more: object = {}) =>
  line('channel', { team: inTeam, name, display_name: name, type: 'O', ...more })
const user = (username: string, more: object = {}) =>
  line('user', { username, email: `${username}@example.com`, roles: 'system_user', ...more })
let last = 1_600_000_000_000
const post = (message: string, more: object = {}) => {
  last += 1_000
  return line('post', { team: 'main', channel: 'dev', user: 'ada', message, create_at: last, ...more })
}
const reply = (message: string, more: object = {}) => post(message, more)['post'] as object

const BASE = [
  { type: 'version', version: 1 },
  team('main', 'Main'),
  channel('main', 'dev'),
  user('ada'),
  user('ben'),
]

function archive(lines: readonly unknown[], files: Readonly<Record<string, string>> = {}) {
  const content = lines.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join('\n')
  return archiveOf(
    zipOf([
      { name: 'import.jsonl', content },
      ...Object.entries(files).map(([name, text]) => ({ name, content: text })),
    ]),
  )
}

const read = (lines: readonly unknown[], files?: Readonly<Record<string, string>>) =>
  readArchive(reader, archive(lines, files))
const posts = (...lines: unknown[]) => read([...BASE, ...lines])

describe('A bulk export of Mattermost', () => {
  it('is recognised by its first line', async () => {
    expect((await findReaderOf(archive(BASE)))?.name).toBe('mattermost')
    expect(await findReaderOf(archive([{ type: 'other' }]))).toBeUndefined()
  })

  it('belongs to the deployment with the same first team', async () => {
    expect((await read(BASE)).records[0]).toMatchObject({ source: 'mattermost:main', topic: MAIN })
    expect((await read([BASE[0], team('Other', 'O')])).records[0]).toMatchObject({
      source: 'mattermost:other',
    })
  })

  it('has all teams, in folders, and names that do not clash', async () => {
    const all = await read([
      ...BASE,
      team('two', 'Team Two'),
      channel('two', 'dev', { type: 'P', purpose: 'What for', header: 'Head', deleted_at: 5 }),
      user('eve', {
        roles: 'system_admin system_user',
        delete_at: 9,
        first_name: 'Eve',
        last_name: 'Elm',
        position: 'CTO',
        teams: [
          {
            name: 'two',
            roles: 'team_user',
            channels: [{ name: 'dev', favorite: true, notify_props: { mark_unread: 'mention' } }],
          },
        ],
      }),
      user('gus', { roles: 'system_guest', teams: null }),
      user('tim', { teams: [{ name: 'two', roles: 'team_admin team_user', channels: null }] }),
      line('bot', { username: 'robo', owner: 'eve', display_name: 'Robo' }),
    ])
    expect(all.of('channel_folder').map(({ name }) => name)).toEqual(['Main', 'Team Two'])
    expect(all.of('channel')).toMatchObject([
      { id: 'main/dev', name: 'dev', folder: 'main', privacy: 'public', members: [] },
      {
        id: 'two/dev',
        name: 'dev (Team Two)',
        privacy: 'private',
        archived: true,
        description: 'What for · Head',
        members: [{ user: 'eve', pinned: true, muted: true }],
      },
    ])
    expect(all.of('user').slice(2)).toMatchObject([
      {
        id: 'eve',
        full_name: 'Eve Elm',
        role: 'owner',
        deactivated: true,
        profile: [{ field: 'position', value: 'CTO' }],
      },
      { id: 'gus', role: 'guest' },
      { id: 'tim', role: 'administrator' },
      { id: 'robo', is_bot: true, bot_owner: 'eve' },
    ])
  })

  it('lets everybody write where everybody wrote', async () => {
    const all = await read([...BASE, channel('main', 'town-square')])
    expect(all.of('channel').map(({ announce }) => announce)).toEqual([undefined, undefined])
  })

  it('has threads as topics, with the first post in the main topic too', async () => {
    const all = await posts(
      post('alone'),
      post('**What** now?', { replies: [reply('This', { user: 'ben' }), reply('That')] }),
    )
    expect(all.of('message').map(({ topic, content }) => [topic, content])).toEqual([
      [MAIN, 'alone'],
      ['2020-09-13 What now?', '**What** now?'],
      [MAIN, expect.stringContaining('2 replies in “2020-09-13 What now?”')],
      ['2020-09-13 What now?', 'This'],
      ['2020-09-13 What now?', 'That'],
    ])
    expect(new Set(all.of('message').map(({ id }) => id)).size).toBe(5)
  })

  it('has direct conversations, also of several people and with oneself', async () => {
    const direct = (members: string[], message: string, more: object = {}) =>
      line('direct_post', { channel_members: members, user: 'ada', message, create_at: ++last, ...more })
    const all = await posts(
      line('direct_channel', { members: ['ada', 'ben'] }),
      direct(['ada', 'ben'], 'hi', { replies: [{ user: 'ben', message: 'ho', create_at: ++last }] }),
      direct(['ada', 'ada'], 'note'),
      direct(['ada', 'ben', 'zoe'], 'three'),
    )
    const [hi, ho, note, three] = all.of('message')
    expect([hi!.to, note!.to, three!.to]).toEqual([['ada', 'ben'], ['ada'], ['ada', 'ben', 'zoe']])
    expect(ho!.content).toBe(`> [hi](${referenceTo('message', hi!.id)})\n\nho`)
  })

  it('has reactions, stars, edits, attachments, and files of its data', async () => {
    const all = await read(
      [
        ...BASE.slice(0, 1),
        line('emoji', { name: 'party_parrot', image: 'exported_emoji/1/image' }),
        ...BASE.slice(1),
        post('look', {
          edit_at: last + 5_000,
          flagged_by: ['ben'],
          is_pinned: true,
          reactions: [
            { user: 'ben', emoji_name: 'thumbsup' },
            { user: 'ben', emoji_name: '+1' },
            { user: 'zoe', emoji_name: 'party_parrot' },
          ],
          attachments: [{ path: '20200913/x/a b.txt' }, { path: 'gone.txt' }],
          props: {
            attachments: [
              {
                title: 'T',
                title_link: 'https://a.example/',
                text: '**x**',
                fields: null,
                image_url: 'https://a.example/i.png',
                footer: 'CI',
              },
            ],
          },
        }),
      ],
      { 'data/20200913/x/a b.txt': 'content', 'data/exported_emoji/1/image': 'png' },
    )
    const [message] = all.of('message')
    expect(message).toMatchObject({
      starred_by: ['ben'],
      reactions: [
        { user: 'ben', emoji: '+1', code: '1f44d' },
        { user: 'zoe', emoji: 'party_parrot', kind: 'custom' },
      ],
      content: `look\n\n[T](https://a.example/)\n\n**x**\n\n[image](https://a.example/i.png)\n\nCI\n\n[a b.txt](${referenceTo('file', '20200913/x/a b.txt')})\n[gone.txt](${referenceTo('file', 'gone.txt')})`,
    })
    expect(message!.edited_ms).toBeGreaterThan(message!.time_ms - 5_000)
    expect(all.of('emoji')).toEqual([
      { type: 'emoji', id: 'party_parrot', name: 'party_parrot', image: 'emoji:party_parrot' },
    ])
    expect(all.problems()).toEqual({ 'pinned message': 1, 'file is not in the archive': 1 })
    const path = all.of('file').find(({ name }) => name === 'a b.txt')!.path!
    const zip = archive([], {})
    expect(await reader.file!(zip, path)).toBeUndefined()
  })

  it('has reactions and emoji of a text without their skin tones', async () => {
    const all = await posts(
      post('well :wave_dark_skin_tone:', {
        reactions: [
          { user: 'ben', emoji_name: '+1_medium_light_skin_tone' },
          { user: 'ben', emoji_name: '+1_medium_skin_tone' },
          { user: 'ada', emoji_name: 'our_light_skin_tone' },
        ],
      }),
    )
    expect(all.of('message')[0]).toMatchObject({
      content: 'well :wave:',
      reactions: [
        { user: 'ben', emoji: '+1', code: '1f44d', kind: 'unicode' },
        { user: 'ada', emoji: 'our_light_skin_tone', kind: 'custom' },
      ],
    })
  })

  it('keeps replies together whose first post cannot be read', async () => {
    const all = await posts(
      post('*Lost*', {
        create_at: null,
        replies: [reply('one', { create_at: 1_600_000_000_000 }), reply('two')],
      }),
    )
    expect(all.of('message').map(({ topic, content }) => [topic, content])).toEqual([
      ['2020-09-13 Lost', 'one'],
      ['2020-09-13 Lost', 'two'],
    ])
  })

  it('has webhooks as bots, and notices only counted', async () => {
    const all = await posts(
      post('built', { props: { from_webhook: 'true', override_username: 'CI' } }),
      post('joined', { type: 'system_join_channel' }),
      post('*waves*', { type: 'me' }),
    )
    expect(all.of('message').map(({ sender, content }) => [sender, content])).toEqual([
      ['webhook:CI', 'built'],
      ['ada', '/me waves'],
    ])
    expect(all.of('user').at(-1)).toMatchObject({ id: 'webhook:CI', full_name: 'CI', is_bot: true })
  })

  it('has people whom no line names, with closed accounts, and lines of no use here', async () => {
    const all = await posts(
      line('info', { generator: 'mattermost-server', version: '11.0' }),
      line('role', { name: 'custom' }),
      line('scheme', { name: 'custom' }),
      post('gone', { user: 'zoe', reactions: [{ user: 'yan', emoji_name: '+1' }] }),
      line('direct_post', { channel_members: ['ada', 'xia'], user: 'xia', message: 'x', create_at: ++last }),
    )
    expect(all.contents()).toEqual(['gone', 'x'])
    const closed = all.of('user').filter(({ deactivated }) => deactivated)
    expect(closed.map(({ id }) => id).sort()).toEqual(['xia', 'yan', 'zoe'])
    expect(all.problems()).toEqual({})
  })

  it('is read on after each record that is wrong', async () => {
    const all = await posts(
      '{"type": "post", "post": {"create_at": NaN}}',
      post('no time', { create_at: null }),
      post('', {}),
      post('lost', { channel: 'nowhere' }),
      line('post', { message: 'no place' }),
      { type: 'hologram' },
      post('nobody', { user: null }),
      '',
      post('x'.repeat(20_000)),
      post('fine'),
    )
    expect(all.contents().at(-1)).toBe('fine')
    expect(all.of('message')).toHaveLength(2)
    expect(all.of('file')[0]!.data!.length).toBeGreaterThan(20_000)
    expect(all.problems()).toEqual({
      'not readable': 1,
      'post without a time': 1,
      'empty message': 1,
      'post in an unknown channel': 1,
      'post without a place': 1,
      'left out: hologram': 1,
      'post without a sender': 1,
    })
    expect(all.of('problem')[0]).toMatchObject({ file: 'import.jsonl', line: 6 })
  })
})

describe('Mattermost’s texts', () => {
  const text = (markdown: string) =>
    ofMattermostText(markdown, {
      user: (name) => (name === 'ada' || name === 'j.d' ? mentionOf(name) : undefined),
      channel: (name) => (name === 'dev' ? channelMentionOf('main/dev') : undefined),
    })

  it.each([
    [
      '@ada, @Ada. @j.d. @nobody a@ada @all',
      `${mentionOf('ada')}, ${mentionOf('ada')}. ${mentionOf('j.d')}. @nobody a@ada @all`,
    ],
    ['see ~dev and ~other ~~gone~~', `see ${channelMentionOf('main/dev')} and ~other ~~gone~~`],
    ['_a_ __b__ snake_case _c_d_ ___', '*a* **b** snake_case *c_d* ___'],
    ['`_a_ @ada` https://a.example/_x_', '`_a_ @ada` https://a.example/_x_'],
    [
      '![a](https://a.example/b_c.png =100x50 ) ![](https://a.example/ =100)',
      '![a](https://a.example/b_c.png =100x50 ) ![](https://a.example/)',
    ],
    ['![a](https://a.example/b_c.png =100x50), x', '![a](https://a.example/b_c.png), x'],
    ['\\*no\\* :thumbsup: :nothing:', '&#42;no&#42; :+1: :nothing:'],
    ['```latex\nx_1\n```\n```\n_a_\n```', '```math\nx_1\n```\n```\n_a_\n```'],
  ])('%j become ours', (markdown, expected) => expect(text(markdown)).toBe(expected))
})
