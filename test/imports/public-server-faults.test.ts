/** What exports of the public server have in some of its versions, and what stops other importers. */
import { describe, expect, it } from 'vitest'
import type { ImportReader } from '../../src/imports/import-reader.ts'
import { publicServerReader } from '../../src/imports/public-server-reader.ts'
import { readArchive } from './read-archive.ts'
import { tarOf } from './tar-builder.ts'
import { archiveOf } from './zip-builder.ts'

const user = (id: number, more: object = {}) => ({
  id,
  full_name: `P${id}`,
  role: 400,
  is_active: true,
  ...more,
})
const message = (id: number, more: object = {}) => ({
  id,
  sender: 7,
  recipient: 21,
  subject: 'tea',
  content: `m${id}`,
  date_sent: 1_600_000_000 + id,
  ...more,
})
const REALM = {
  zerver_realm: [{ id: 2, string_id: 'acme', name: 'Acme' }],
  zerver_userprofile: [user(7), user(8)],
  zerver_stream: [{ id: 5, name: 'general' }],
  zerver_recipient: [
    { id: 21, type: 2, type_id: 5 },
    { id: 22, type: 1, type_id: 8 },
    { id: 23, type: 3, type_id: 1 },
    { id: 24, type: 1, type_id: 7 },
  ],
  zerver_subscription: [
    { recipient: 21, user_profile: 8, active: true },
    { recipient: 23, user_profile: 7, active: true },
    { recipient: 23, user_profile: 8, active: true },
  ],
}

function read(
  messages: readonly unknown[],
  { realm = {}, files = {} }: { realm?: object; files?: Record<string, unknown> } = {},
) {
  const all = {
    'realm.json': { ...REALM, ...realm },
    'messages-000001.json': { zerver_message: messages, zerver_usermessage: [] },
    ...files,
  }
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
  const entries = Object.entries(all).map(([name, value]) => [`zulip-export-x/${name}`, text(value)])
  return readArchive(publicServerReader as ImportReader, archiveOf(tarOf(Object.fromEntries(entries))))
}

describe('An export of the public server may', () => {
  it('have conversations between two as personal ones or as groups, and with oneself', async () => {
    const found = await read([
      message(1, { recipient: 22, subject: '\u0007' }),
      message(2, { recipient: 23, subject: '' }),
      message(3, { recipient: 24 }),
    ])
    expect(found.of('message').map(({ to, topic }) => [[...to!].sort(), topic])).toEqual([
      [['7', '8'], undefined],
      [['7', '8'], undefined],
      [['7'], undefined],
    ])
  })

  it('have messages of no topic, in any order, and of ids that fall', async () => {
    const found = await read([message(9, { subject: '' }), message(2), message(5)])
    expect(found.of('message').map(({ id, topic }) => [id, topic])).toEqual([
      ['9', ''],
      ['2', 'tea'],
      ['5', 'tea'],
    ])
  })

  it('have rows that are wrong, each of which is one problem', async () => {
    const found = await read([
      message(1, { date_sent: null }),
      message(2, { sender: null }),
      message(3, { recipient: 99 }),
      message(4, { content: null, edit_history: '{', reactions: 7 }),
      message(5, { edit_history: '[{"timestamp": "x"}, {"timestamp": 5, "prev_content": "old"}]' }),
      'text',
      null,
    ])
    expect(found.of('message').map(({ id }) => id)).toEqual(['4', '5'])
    expect(found.message('5')!.edits).toEqual([{ time_ms: 5_000, content: 'old' }])
    expect(found.problems()).toEqual({ 'bad message': 2, 'message without a place': 3 })
  })

  it('have messages of the system’s bots, and of people whom it does not have', async () => {
    const found = await read(
      [message(1, { sender: 1 }), message(2, { sender: 2 }), message(3, { sender: 99 })],
      {
        realm: {
          zerver_userprofile_crossrealm: [
            { id: 1, email: 'notification-bot@chat.example', recipient_id: 31 },
            { id: 2, email: 'newer-bot@chat.example', recipient_id: 32 },
          ],
          zerver_recipient: [...REALM.zerver_recipient, { id: 25, type: 1, type_id: 98 }],
        },
        files: { 'messages-000002.json': { zerver_message: [message(4, { recipient: 25 })] } },
      },
    )
    expect(
      found
        .of('user')
        .map(({ id, full_name, is_system_bot, deactivated }) => [
          ...[id, full_name, is_system_bot ?? false, deactivated ?? false],
        ]),
    ).toEqual([
      ['1', 'Notification Bot', true, false],
      ['2', 'newer-bot', false, true],
      ['7', 'P7', false, false],
      ['8', 'P8', false, false],
      ['99', 'User 99', false, true],
      ['98', 'User 98', false, true],
    ])
    expect(found.of('message').map(({ id, to }) => [id, to])).toEqual([
      ['1', undefined],
      ['2', undefined],
      ['3', undefined],
      ['4', ['98', '7']],
    ])
    expect(found.of('problem')).toEqual([])
  })

  it('be of any version, with tables and columns that nobody here knows', async () => {
    const found = await read([message(1, { hologram: { depth: 3 }, type: 9 })], {
      realm: { zerver_userprofile: [user(7, { mood: [1] }), user(8)], zerver_hologram: [{ id: 1 }, null] },
      files: {
        'migration_status.json': { migrations_by_app: { zerver: ['[X] 9999_future'] } },
        'stats.json': 'no JSON {',
        'consented_user_ids.json': [7],
        'analytics.json': { analytics_realmcount: [{}] },
        'uploads/records.json': [{ path: 'x' }, null],
      },
    })
    expect(found.contents()).toEqual(['m1'])
    expect(found.problems()).toEqual({ 'left out: zerver_hologram': 1 })
  })

  it('say of each row that cannot be read where it is', async () => {
    const found = await read([message(1), message(2, { sender: null })], {
      realm: { zerver_userprofile: [user(7), { full_name: 'no id' }, user(8)] },
    })
    expect(found.of('problem')).toMatchObject([
      {
        kind: 'bad row',
        detail: 'zerver_userprofile without id',
        file: 'zulip-export-x/realm.json',
        entry: 2,
      },
      { kind: 'bad message', detail: '2', file: 'zulip-export-x/messages-000001.json', entry: 2 },
    ])
  })

  it('lack pictures that it lists, and have odd names of emoji', async () => {
    const found = await read([], {
      realm: { zerver_userprofile: [user(7, { avatar_source: 'U' }), user(8)] },
      files: {
        'avatars/records.json': [{ user_profile_id: 7, path: '2/gone.png' }, {}, null],
        'emoji/records.json': [
          { name: 'gone', path: '2/emoji/images/9.png' },
          { name: 'odd', path: '2/emoji/images/ä b%2F(1).png' },
          { path: 'nameless' },
        ],
        'emoji/2/emoji/images/ä b%2F(1).png': 'x',
        'attachment.json': { zerver_attachment: [{ path_id: '2/no/such' }, {}, null] },
      },
    })
    expect(found.of('user').map(({ id, avatar }) => [id, avatar])).toEqual([
      ['7', undefined],
      ['8', undefined],
    ])
    expect(found.of('emoji').map(({ name }) => name)).toEqual(['odd'])
    expect(found.problems()).toEqual({
      'bad row': 2,
      'emoji without a name or a picture': 1,
      'file is not in the archive': 4,
    })
  })

  it('have no rows of what came to people who were away for long', async () => {
    const found = await read(
      [message(1), message(5), message(6, { sender: 8 }), message(7, { recipient: 23 })],
      {
        realm: {
          zerver_userprofile: [user(7), user(8, { long_term_idle: true, last_active_message_id: 4 })],
        },
      },
    )
    expect(found.of('message').map(({ id, unread_by }) => [id, unread_by])).toEqual([
      ['1', undefined],
      ['5', ['8']],
      ['6', undefined],
      ['7', ['8']],
    ])
  })
})
