/**
 * One scene as each program writes it: what people have said, in channels that are open, private and archived, and to each other; with a
 * thread, an edit, reactions, mentions, links, a picture, somebody who is gone and a bot.
 */
import { bsonFileOf } from '../imports/bson-builder.ts'
import { tarOf } from '../imports/tar-builder.ts'
import { zipOf } from '../imports/zip-builder.ts'
import { PNG } from './images.ts'

/** What a program has no place for, or does not say in its archives. */
type Lack =
  | 'who reads a channel'
  | 'archived channels'
  | 'closed accounts'
  | 'earlier versions'
  | 'custom emoji'
  | 'quotes of direct messages'
  | 'links to messages'
  | 'protected history'
  | 'read state'

export interface Scene {
  /** The format, as the API calls it. */
  readonly format: string
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Ids of people there. */
  readonly ids: { readonly ada: string; readonly ben: string; readonly robo: string }
  readonly lacks: ReadonlySet<Lack>
}

/** Seconds of UNIX time at which the scene begins: a text is said so many seconds later as its number is. */
export const T = 1_600_000_000
/** Seconds after the beginning at which a message was edited. */
export const EDITED = 100

export const TEXTS = {
  1: 'plain words',
  2: 'Engine again',
  3: 'Mended',
  5: 'secret words',
  6: 'Tea?',
  7: 'Yes',
  8: 'edited words',
  9: 'words of one who left',
  10: 'built',
  11: 'old words',
} as const

const PICTURE = PNG.content as Uint8Array<ArrayBuffer>

const json = (value: unknown) => JSON.stringify(value)
type Files = Readonly<Record<string, unknown>>
const contentOf = (value: unknown) =>
  typeof value === 'string' || value instanceof Uint8Array ? value : json(value)
const zipped = (files: Files) =>
  new Uint8Array(zipOf(Object.entries(files).map(([name, value]) => ({ name, content: contentOf(value) }))))
const tarred = (files: Files) =>
  new Uint8Array(
    tarOf(Object.fromEntries(Object.entries(files).map(([name, value]) => [name, contentOf(value)]))),
  )

/** Returns the scene of each program. The order of messages in it is not that of time. */
export function scenesOfPrograms(): Scene[] {
  return [slack(), mattermost(), publicServer(), parley(), discord(), rocketChat(), neutral()]
}

function slack(): Scene {
  const ts = (number: number) => `${T + number}.000200`
  const said = (number: number, user: string, text: string, more: object = {}) => ({
    ...{ type: 'message', user, text, ts: ts(number) },
    ...more,
  })
  const person = (id: string, name: string, more: object = {}) => ({
    ...{ id, team_id: 'T1', name: name.toLowerCase(), profile: { real_name: name } },
    ...more,
  })
  const channel = (id: string, name: string, members: string[], more: object = {}) => ({
    ...{ id, name, created: T - 100, creator: 'U1', members },
    ...more,
  })
  const link = `<https://t.slack.com/archives/C1/p${ts(1).replace('.', '')}|it>`
  const day = '2020-09-13.json'
  return {
    format: 'slack',
    ids: { ada: 'U1', ben: 'U2', robo: 'U4' },
    lacks: new Set(['earlier versions', 'custom emoji', 'protected history', 'read state']),
    bytes: zipped({
      'users.json': [
        person('U1', 'Ada Amsel'),
        person('U2', 'Ben Brandt'),
        person('U3', 'Cleo Cruz', { deleted: true }),
        person('U4', 'Robo', { is_bot: true }),
      ],
      'channels.json': [
        channel('C1', 'boats', ['U1', 'U2']),
        channel('C3', 'harbour', ['U1'], { is_archived: true }),
      ],
      'groups.json': [channel('G2', 'board', ['U1'])],
      'dms.json': [{ id: 'D1', members: ['U1', 'U2'] }],
      [`boats/${day}`]: [
        said(12, 'U1', 'A map', {
          files: [{ id: 'F1', name: 'map.png', mimetype: 'image/png', user: 'U1' }],
        }),
        said(1, 'U1', TEXTS[1], {
          reactions: [
            { name: '+1::skin-tone-3', users: ['U2'], count: 1 },
            { name: '+1::skin-tone-6', users: ['U2'], count: 1 },
          ],
        }),
        said(2, 'U2', TEXTS[2], { thread_ts: ts(2), reply_count: 1 }),
        said(3, 'U1', `${TEXTS[3]}, <@U2>`, { thread_ts: ts(2) }),
        said(4, 'U1', `see ${link} in <#C1|boats>`),
        said(8, 'U2', TEXTS[8], { edited: { user: 'U2', ts: ts(EDITED) } }),
        said(9, 'U3', TEXTS[9]),
        said(10, 'U4', TEXTS[10]),
        said(13, 'U1', 'Hey <@U4>, <@U2>'),
      ],
      [`board/${day}`]: [said(5, 'U1', TEXTS[5])],
      [`D1/${day}`]: [
        said(6, 'U1', TEXTS[6], { thread_ts: ts(6), reply_count: 1 }),
        said(7, 'U2', TEXTS[7], { thread_ts: ts(6) }),
      ],
      [`harbour/${day}`]: [said(11, 'U1', TEXTS[11])],
      '__uploads/F1/map.png': PICTURE,
    }),
  }
}

function mattermost(): Scene {
  const line = (type: string, value: object) => json({ type, [type]: value })
  const channel = (name: string, type: string, more: object = {}) =>
    line('channel', { team: 'main', name, display_name: name, type, ...more })
  const user = (username: string, first_name: string, channels: string[], more: object = {}) =>
    line('user', {
      ...{ username, first_name, roles: 'system_user' },
      teams: [{ name: 'main', roles: 'team_user', channels: channels.map((name) => ({ name })) }],
      ...more,
    })
  const said = (number: number, by: string, message: string, more: object = {}) => ({
    ...{ user: by, message, create_at: (T + number) * 1_000 },
    ...more,
  })
  const post = (in_: string, ...given: Parameters<typeof said>) =>
    line('post', { team: 'main', channel: in_, ...said(...given) })
  const lines = [
    json({ type: 'version', version: 1 }),
    line('emoji', { name: 'parrot', image: 'exported_emoji/1/image' }),
    line('team', { name: 'main', display_name: 'Main', type: 'O' }),
    channel('boats', 'O'),
    channel('board', 'P'),
    channel('harbour', 'O', { deleted_at: (T + 50) * 1_000 }),
    user('ada', 'Ada Amsel', ['boats', 'board', 'harbour']),
    user('ben', 'Ben Brandt', ['boats']),
    user('cleo', 'Cleo Cruz', [], { delete_at: (T + 50) * 1_000 }),
    line('bot', { username: 'robo', display_name: 'Robo', owner: 'ada' }),
    post('boats', 12, 'ada', 'A map', { attachments: [{ path: 'x/map.png' }] }),
    post('boats', 1, 'ada', TEXTS[1], {
      reactions: [
        { user: 'ben', emoji_name: '+1_medium_skin_tone' },
        { user: 'ben', emoji_name: '+1_dark_skin_tone' },
        { user: 'ben', emoji_name: 'parrot' },
      ],
    }),
    post('boats', 2, 'ben', TEXTS[2], { replies: [said(3, 'ada', `${TEXTS[3]}, @ben`)] }),
    post('boats', 4, 'ada', 'see ~boats'),
    post('boats', 8, 'ben', TEXTS[8], { edit_at: (T + EDITED) * 1_000 }),
    post('boats', 9, 'cleo', TEXTS[9]),
    post('boats', 10, 'robo', TEXTS[10]),
    post('boats', 13, 'ada', 'Hey @robo, @ben'),
    post('board', 5, 'ada', TEXTS[5]),
    post('harbour', 11, 'ada', TEXTS[11]),
    line('direct_channel', { members: ['ada', 'ben'] }),
    line('direct_post', {
      channel_members: ['ada', 'ben'],
      ...said(6, 'ada', TEXTS[6], { replies: [said(7, 'ben', TEXTS[7])] }),
    }),
  ]
  return {
    format: 'mattermost',
    ids: { ada: 'ada', ben: 'ben', robo: 'robo' },
    lacks: new Set(['links to messages', 'earlier versions', 'protected history', 'read state']),
    bytes: zipped({
      'import.jsonl': lines.join('\n'),
      'data/x/map.png': PICTURE,
      'data/exported_emoji/1/image': PICTURE,
    }),
  }
}

function publicServer(): Scene {
  const user = (id: number, full_name: string, more: object = {}) => ({
    ...{ id, full_name, role: 400, is_active: true },
    ...more,
  })
  const said = (number: number, sender: number, recipient: number, content: string, more: object = {}) => ({
    ...{ id: number, sender, recipient, subject: 'tea', content, date_sent: T + number },
    ...more,
  })
  const reaction = (emoji_name: string, emoji_code: string, reaction_type: string) => ({
    ...{ message: 1, user_profile: 2, emoji_name, emoji_code, reaction_type },
  })
  const reads = (recipient: number, user_profile: number) => ({ recipient, user_profile, active: true })
  return {
    format: 'public_server',
    ids: { ada: '1', ben: '2', robo: '4' },
    lacks: new Set(['quotes of direct messages']),
    bytes: tarred({
      'x/realm.json': {
        zerver_realm: [{ id: 1, string_id: 'acme', name: 'Acme' }],
        zerver_userprofile: [
          user(1, 'Ada Amsel'),
          user(2, 'Ben Brandt'),
          user(3, 'Cleo Cruz', { is_active: false }),
          user(4, 'Robo', { is_bot: true, is_active: false, bot_owner: 1 }),
        ],
        zerver_stream: [
          { id: 1, name: 'boats' },
          { id: 2, name: 'board', invite_only: true, history_public_to_subscribers: false },
          { id: 3, name: 'harbour', deactivated: true },
        ],
        zerver_recipient: [
          ...[1, 2, 3].map((id) => ({ id, type: 2, type_id: id })),
          { id: 11, type: 1, type_id: 1 },
          { id: 12, type: 1, type_id: 2 },
        ],
        zerver_subscription: [reads(1, 1), reads(1, 2), reads(2, 1), reads(3, 1)],
        zerver_reaction: [reaction('+1', '1f44d', 'unicode_emoji'), reaction('parrot', '7', 'realm_emoji')],
      },
      'x/emoji/records.json': [{ name: 'parrot', path: '1/emoji/images/7.png' }],
      'x/emoji/1/emoji/images/7.png': PICTURE,
      'x/attachment.json': {
        zerver_attachment: [
          { path_id: '1/ab/map.png', file_name: 'map.png', owner: 1, content_type: 'image/png' },
        ],
      },
      'x/uploads/1/ab/map.png': PICTURE,
      'x/messages-000001.json': {
        zerver_message: [
          said(12, 1, 1, 'A map [map.png](/user_uploads/1/ab/map.png)'),
          said(1, 1, 1, TEXTS[1]),
          said(2, 2, 1, TEXTS[2], { subject: 'engine' }),
          said(3, 1, 1, `${TEXTS[3]}, @**Ben Brandt|2**`, { subject: 'engine' }),
          said(4, 1, 1, 'see [it](#narrow/channel/1-boats/topic/tea/near/1) in #**boats**'),
          said(5, 1, 2, TEXTS[5]),
          said(6, 1, 12, TEXTS[6], { subject: '\u0007' }),
          said(7, 2, 11, TEXTS[7], { subject: '\u0007' }),
          said(8, 2, 1, TEXTS[8], {
            last_edit_time: T + EDITED,
            edit_history: json([{ user_id: 2, timestamp: T + EDITED, prev_content: 'words before' }]),
          }),
          said(9, 3, 1, TEXTS[9]),
          said(10, 4, 1, TEXTS[10]),
          said(11, 1, 3, TEXTS[11]),
          said(13, 1, 1, 'Hey @**Robo|4**, @**Ben Brandt|2**'),
        ],
        zerver_usermessage: [
          { message: 1, user_profile: 2, flags_mask: 1 },
          { message: 12, user_profile: 2, flags_mask: 0 },
        ],
      },
    }),
  }
}

function parley(): Scene {
  const user = (user_id: number, full_name: string, more: object = {}) => ({
    ...{ user_id, full_name, role: 400, is_active: true },
    ...more,
  })
  const said = (
    number: number,
    sender_id: number,
    stream_id: number,
    content: string,
    more: object = {},
  ) => ({
    ...{ id: number, sender_id, stream_id, type: 'stream', subject: 'tea', content, timestamp: T + number },
    ...{ reactions: [], submessages: [] },
    ...more,
  })
  const direct = (number: number, sender_id: number, content: string) => ({
    ...{ id: number, sender_id, type: 'private', content, timestamp: T + number },
    display_recipient: [
      { id: 1, full_name: 'Ada Amsel' },
      { id: 2, full_name: 'Ben Brandt' },
    ],
  })
  const reaction = (emoji_name: string, emoji_code: string, reaction_type: string) => ({
    ...{ user_id: 2, emoji_name, emoji_code, reaction_type },
  })
  return {
    format: 'parley',
    ids: { ada: '1', ben: '2', robo: '4' },
    lacks: new Set(['quotes of direct messages']),
    bytes: tarred({
      'export/export.json': { format: 2, realm_url: 'https://old.example.org' },
      'export/pictures/000001.json': {
        pictures: [{ kind: 'emoji', emoji_id: '7', name: 'pictures/1/7.png', content_type: 'image/png' }],
      },
      'export/pictures/1/7.png': PICTURE,
      'export/attachments/000001.json': {
        attachments: [
          { id: 1, user_id: 1, name: 'map.png', path_id: '1/ab/map.png', content_type: 'image/png' },
        ],
      },
      'export/uploads/1/ab/map.png': PICTURE,
      'export/realm.json': {
        realm_name: 'Acme',
        realm_emoji: { 7: { id: '7', name: 'parrot', source_url: '/emoji/7.png' } },
      },
      'export/personal/2.json': { user_id: 2, unread_messages: [12] },
      'export/users/000001.json': {
        members: [
          user(1, 'Ada Amsel'),
          user(2, 'Ben Brandt'),
          user(3, 'Cleo Cruz', { is_active: false }),
          user(4, 'Robo', { is_bot: true, is_active: false, bot_owner_id: 1 }),
        ],
      },
      'export/subscriptions/000001.json': {
        subscriptions: [
          [1, 1],
          [1, 2],
          [2, 1],
          [3, 1],
        ].map(([stream_id, user_id]) => ({ stream_id, user_id })),
      },
      'export/channels/000001.json': {
        streams: [
          { stream_id: 1, name: 'boats' },
          { stream_id: 2, name: 'board', invite_only: true, history_public_to_subscribers: false },
          { stream_id: 3, name: 'harbour', is_archived: true },
        ],
      },
      'export/messages/000001.json': {
        messages: [
          said(12, 1, 1, 'A map [map.png](/user_uploads/1/ab/map.png)'),
          said(1, 1, 1, TEXTS[1], {
            reactions: [reaction('+1', '1f44d', 'unicode_emoji'), reaction('parrot', '7', 'realm_emoji')],
          }),
          said(2, 2, 1, TEXTS[2], { subject: 'engine' }),
          said(3, 1, 1, `${TEXTS[3]}, @**Ben Brandt|2**`, { subject: 'engine' }),
          said(4, 1, 1, 'see [it](#narrow/channel/1-boats/topic/tea/near/1) in #**boats**'),
          said(5, 1, 2, TEXTS[5]),
          direct(6, 1, TEXTS[6]),
          direct(7, 2, TEXTS[7]),
          said(8, 2, 1, TEXTS[8], {
            last_edit_timestamp: T + EDITED,
            edit_history: [{ user_id: 2, timestamp: T + EDITED, prev_content: 'words before' }],
          }),
          said(9, 3, 1, TEXTS[9]),
          said(10, 4, 1, TEXTS[10]),
          said(11, 1, 3, TEXTS[11]),
          said(13, 1, 1, 'Hey @**Robo|4**, @**Ben Brandt|2**'),
        ],
      },
    }),
  }
}

function discord(): Scene {
  const person = (id: string, nickname: string, isBot = false) => ({
    ...{ id, name: nickname.toLowerCase(), nickname, isBot, roles: [], avatarUrl: '' },
  })
  const people = {
    ada: person('1', 'Ada Amsel'),
    ben: person('2', 'Ben Brandt'),
    cleo: person('3', 'Cleo Cruz'),
    robo: person('4', 'Robo', true),
  }
  const said = (number: number, author: keyof typeof people, content: string, more: object = {}) => ({
    ...{ id: String(1_000 + number), type: 'Default', content, author: people[author] },
    timestamp: new Date((T + number) * 1_000).toISOString(),
    ...more,
  })
  const file = (channel: object, messages: readonly object[]) => ({
    ...{ guild: { id: '77', name: 'Acme' }, channel, messages },
  })
  const room = (id: string, name: string) => ({ id, type: 'GuildTextChat', name })
  return {
    format: 'discord',
    ids: { ada: '1', ben: '2', robo: '4' },
    lacks: new Set([
      'who reads a channel',
      'archived channels',
      'closed accounts',
      'earlier versions',
      'protected history',
      'read state',
    ]),
    bytes: zipped({
      'boats.json': file(room('500', 'boats'), [
        said(12, 'ada', 'A map', { attachments: [{ id: '80', url: 'files/map.png', fileName: 'map.png' }] }),
        said(1, 'ada', TEXTS[1], {
          reactions: [
            { emoji: { id: '', name: '👍🏽', code: 'thumbsup' }, users: [people.ben] },
            { emoji: { id: '', name: '👍🏿', code: 'thumbsup' }, users: [people.ben] },
            { emoji: { id: '7', name: 'parrot', imageUrl: 'files/7.png' }, users: [people.ben] },
          ],
        }),
        said(4, 'ada', 'see https://discord.com/channels/77/500/1001 in <#500>'),
        said(8, 'ben', TEXTS[8], { timestampEdited: new Date((T + EDITED) * 1_000).toISOString() }),
        said(9, 'cleo', TEXTS[9]),
        said(10, 'robo', TEXTS[10]),
        said(13, 'ada', 'Hey <@4>, <@2>'),
      ]),
      'thread.json': file(
        { id: '600', type: 'GuildPublicThread', categoryId: '500', category: 'boats', name: 'engine' },
        [said(2, 'ben', TEXTS[2]), said(3, 'ada', `${TEXTS[3]}, <@2>`)],
      ),
      'board.json': file(room('501', 'board'), [said(5, 'ada', TEXTS[5])]),
      'harbour.json': file(room('502', 'harbour'), [said(11, 'ada', TEXTS[11])]),
      'direct.json': file({ id: '700', type: 'DirectTextChat', name: 'Ben' }, [
        said(6, 'ada', TEXTS[6]),
        said(7, 'ben', TEXTS[7], { type: 'Reply', reference: { messageId: '1006' } }),
      ]),
      'files/map.png': PICTURE,
      'files/7.png': PICTURE,
    }),
  }
}

function rocketChat(): Scene {
  const people = {
    ada: { _id: 'u1', username: 'ada', name: 'Ada Amsel' },
    ben: { _id: 'u2', username: 'ben', name: 'Ben Brandt' },
    cleo: { _id: 'u3', username: 'cleo', name: 'Cleo Cruz' },
    robo: { _id: 'u4', username: 'robo', name: 'Robo' },
  }
  const at = (seconds: number) => new Date((T + seconds) * 1_000)
  const said = (number: number, by: keyof typeof people, rid: string, msg: string, more: object = {}) => ({
    ...{ _id: `m${number}`, rid, u: people[by], msg, ts: at(number) },
    ...more,
  })
  const reads = (rid: string, by: keyof typeof people, more: object = {}) => ({
    ...{ _id: `${rid}${by}`, rid, u: people[by] },
    ...more,
  })
  const collections = {
    users: Object.values(people).map((person) => ({
      ...{ ...person, roles: ['user'], type: 'user', active: person._id !== 'u3' },
      ...(person._id === 'u4' && { roles: ['bot'], type: 'bot' }),
    })),
    rocketchat_room: [
      { _id: 'r1', t: 'c', name: 'boats' },
      { _id: 'r2', t: 'p', name: 'board' },
      { _id: 'r3', t: 'c', name: 'harbour', archived: true },
      { _id: 'd1', t: 'd', uids: ['u1', 'u2'] },
    ],
    rocketchat_subscription: [
      reads('r1', 'ada'),
      reads('r1', 'ben', { alert: true, ls: at(11) }),
      reads('r2', 'ada'),
      reads('r3', 'ada'),
    ],
    rocketchat_custom_emoji: [{ _id: 'e', name: 'parrot', extension: 'png' }],
    'custom_emoji.chunks': [{ _id: 'c2', files_id: 'parrot.png', n: 0, data: PICTURE }],
    'rocketchat_uploads.chunks': [{ _id: 'c1', files_id: 'f1', n: 0, data: PICTURE }],
    rocketchat_uploads: [{ _id: 'f1', name: 'map.png', type: 'image/png', userId: 'u1' }],
    rocketchat_message: [
      said(12, 'ada', 'r1', 'A map', { files: [{ _id: 'f1', name: 'map.png' }] }),
      said(1, 'ada', 'r1', TEXTS[1], {
        reactions: {
          ':+1_tone3:': { usernames: ['ben'] },
          ':+1_tone5:': { usernames: ['ben'] },
          ':parrot:': { usernames: ['ben'] },
        },
      }),
      said(3, 'ada', 'r1', `${TEXTS[3]}, @ben`, { tmid: 'm2' }),
      said(2, 'ben', 'r1', TEXTS[2], { tcount: 1 }),
      said(4, 'ada', 'r1', 'see https://chat.example.org/channel/boats?msg=m1 in #boats'),
      said(5, 'ada', 'r2', TEXTS[5]),
      said(6, 'ada', 'd1', TEXTS[6], { tcount: 1 }),
      said(7, 'ben', 'd1', TEXTS[7], { tmid: 'm6' }),
      said(8, 'ben', 'r1', TEXTS[8], { editedAt: at(EDITED) }),
      said(9, 'cleo', 'r1', TEXTS[9]),
      said(10, 'robo', 'r1', TEXTS[10]),
      said(11, 'ada', 'r3', TEXTS[11]),
      // Ben has looked at the room before this one and the picture.
      said(13, 'ben', 'r1', 'Hey @robo, @ada'),
    ],
  }
  return {
    format: 'rocket_chat',
    ids: { ada: 'u1', ben: 'u2', robo: 'u4' },
    lacks: new Set(['earlier versions', 'protected history']),
    bytes: tarred(
      Object.fromEntries(
        Object.entries(collections).map(([name, documents]) => [`dump/${name}.bson`, bsonFileOf(documents)]),
      ),
    ),
  }
}

function neutral(): Scene {
  const said = (number: number, sender: string, content: string, place: object, more: object = {}) => ({
    ...{ type: 'message', id: `m${number}`, sender, time_ms: (T + number) * 1_000, content },
    ...place,
    ...more,
  })
  const picture = Buffer.from(PICTURE).toString('base64')
  const [boats, board, harbour] = ['c1', 'c2', 'c3'].map((channel) => ({ channel, topic: 'tea' })) as [
    object,
    object,
    object,
  ]
  const engine = { channel: 'c1', topic: 'engine' }
  const ben = '@_**parley-import:user/u2**'
  const lines = [
    { type: 'parley-import', version: 1, source: 'scene' },
    { type: 'user', id: 'u1', full_name: 'Ada Amsel' },
    { type: 'user', id: 'u2', full_name: 'Ben Brandt' },
    { type: 'user', id: 'u3', full_name: 'Cleo Cruz', deactivated: true },
    { type: 'user', id: 'u4', full_name: 'Robo', is_bot: true, deactivated: true },
    { type: 'channel', id: 'c1', name: 'boats', members: [{ user: 'u1' }, { user: 'u2' }] },
    ...[{ type: 'channel', id: 'c2', name: 'board', privacy: 'private', members: [{ user: 'u1' }] }].map(
      (channel) => ({ ...channel, history_public: false }),
    ),
    { type: 'channel', id: 'c3', name: 'harbour', archived: true, members: [{ user: 'u1' }] },
    { type: 'file', id: 'f1', name: 'map.png', data: picture, owner: 'u1', content_type: 'image/png' },
    { type: 'file', id: 'f2', name: 'parrot.png', data: picture, content_type: 'image/png' },
    { type: 'emoji', id: 'e', name: 'parrot', image: 'f2' },
    said(12, 'u1', 'A map [map.png](parley-import:file/f1)', boats, { unread_by: ['u2'] }),
    said(1, 'u1', TEXTS[1], boats, {
      reactions: [
        { user: 'u2', emoji: '+1' },
        { user: 'u2', emoji: 'parrot', kind: 'custom' },
      ],
    }),
    said(2, 'u2', TEXTS[2], engine),
    said(3, 'u1', `${TEXTS[3]}, ${ben}`, engine),
    said(4, 'u1', 'see [it](parley-import:message/m1) in #**parley-import:channel/c1**', boats),
    said(5, 'u1', TEXTS[5], board),
    said(6, 'u1', TEXTS[6], { to: ['u2'] }),
    said(7, 'u2', `> [Tea?](parley-import:message/m6)\n\n${TEXTS[7]}`, { to: ['u1'] }),
    said(8, 'u2', TEXTS[8], boats, {
      edited_ms: (T + EDITED) * 1_000,
      edits: [{ time_ms: (T + EDITED) * 1_000, user: 'u2', content: 'words before' }],
    }),
    said(9, 'u3', TEXTS[9], boats),
    said(10, 'u4', TEXTS[10], boats),
    said(11, 'u1', TEXTS[11], harbour),
    said(13, 'u1', `Hey @_**parley-import:user/u4**, ${ben}`, boats),
  ]
  return {
    format: 'neutral',
    ids: { ada: 'u1', ben: 'u2', robo: 'u4' },
    lacks: new Set(),
    bytes: new TextEncoder().encode(lines.map(json).join('\n')),
  }
}
