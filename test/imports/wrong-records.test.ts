/** In each list of each format: what is wrong in one record is counted and listed with its place, and the rest is as if it were not there. */
import { describe, expect, it } from 'vitest'
import { discordReader } from '../../src/imports/discord-reader.ts'
import type { ImportReader } from '../../src/imports/import-reader.ts'
import { mattermostReader } from '../../src/imports/mattermost-reader.ts'
import { publicServerReader } from '../../src/imports/public-server-reader.ts'
import { bsonOf, RawValue } from './bson-builder.ts'
import { type ReadArchive, readArchive } from './read-archive.ts'
import { byAda, dumpOf, message as ofRocketChat, rocketChat, subscription } from './rocket-chat-dump.ts'
import { said, slack, slackChannel, slackUser } from './slack-export.ts'
import { tarOf } from './tar-builder.ts'
import { archiveOf, zipOf } from './zip-builder.ts'

/** Lists of an archive by their names, each with what is right in it. */
type Lists = Readonly<Record<string, readonly unknown[]>>

interface Format {
  readonly name: string
  readonly reader: ImportReader
  readonly lists: Lists
  /** What each list is given besides that; texts and numbers are right in some lists. */
  readonly wrong: (list: string) => readonly unknown[]
  archive(lists: Lists): Uint8Array
}

const OBJECTS: readonly unknown[] = [null, 7, 'text', [], {}, { id: null, name: {}, members: 7 }]

const json = (value: unknown) => JSON.stringify(value)
const zipped = (files: Readonly<Record<string, unknown>>) =>
  zipOf(Object.entries(files).map(([name, value]) => ({ name, content: json(value) })))

const FIRST = said('first')
const SLACK: Format = {
  name: 'Slack',
  reader: slack,
  lists: {
    'users.json': [slackUser('U1', 'Ada'), slackUser('U2', 'Ben')],
    'channels.json': [slackChannel('C1', 'general')],
    'groups.json': [slackChannel('G1', 'board')],
    'mpims.json': [{ id: 'G7', name: 'mpdm-a--b-1', members: ['U1', 'U2'] }],
    'dms.json': [{ id: 'D1', members: ['U1', 'U2'] }],
    'integration_logs.json': [],
    'general/2014-06-12.json': [FIRST, said('second')],
    'D1/2014-06-12.json': [said('direct')],
  },
  wrong: () => OBJECTS,
  archive: zipped,
}

const MATTERMOST_KINDS = ['team', 'channel', 'user', 'bot', 'emoji', 'post', 'direct_post'] as const
const MATTERMOST: Format = {
  name: 'Mattermost',
  reader: mattermostReader as ImportReader,
  lists: {
    team: [{ name: 'main', display_name: 'Main', type: 'O' }],
    channel: [{ team: 'main', name: 'dev', display_name: 'Dev', type: 'O' }],
    user: [{ username: 'ada' }, { username: 'ben' }],
    bot: [{ username: 'robo', owner: 'ada' }],
    emoji: [],
    post: [{ team: 'main', channel: 'dev', user: 'ada', message: 'hello', create_at: 1_600_000_000_000 }],
    direct_post: [
      { channel_members: ['ada', 'ben'], user: 'ada', message: 'hi', create_at: 1_600_000_001_000 },
    ],
  },
  wrong: () => OBJECTS,
  archive: (lists) => {
    const lines = [
      { type: 'version', version: 1 },
      ...MATTERMOST_KINDS.flatMap((type) => lists[type]!.map((value) => ({ type, [type]: value }))),
    ]
    return zipOf([{ name: 'import.jsonl', content: lines.map(json).join('\n') }])
  },
}

const PUBLIC_FILES = {
  'attachment.json': ['zerver_attachment'],
  'messages-000001.json': ['zerver_message', 'zerver_usermessage'],
}
const PUBLIC_RECORDS = ['avatars/records.json', 'emoji/records.json']
const PUBLIC_SERVER: Format = {
  name: 'the public server',
  reader: publicServerReader as ImportReader,
  lists: {
    zerver_userprofile: [
      { id: 7, full_name: 'Ada' },
      { id: 8, full_name: 'Ben' },
    ],
    zerver_userprofile_mirrordummy: [{ id: 9, full_name: 'Cleo', is_mirror_dummy: true }],
    zerver_userprofile_crossrealm: [{ id: 1, email: 'notification-bot@old.example' }],
    zerver_stream: [{ id: 5, name: 'general' }],
    zerver_defaultstream: [{ stream: 5 }],
    zerver_channelfolder: [{ id: 1, name: 'Work' }],
    zerver_namedusergroup: [{ usergroup_ptr: 40, name: 'ops' }],
    zerver_usergroupmembership: [{ user_group: 40, user_profile: 8 }],
    zerver_groupgroupmembership: [{ supergroup: 40, subgroup: 40 }],
    zerver_recipient: [{ id: 21, type: 2, type_id: 5 }],
    zerver_subscription: [{ recipient: 21, user_profile: 7, active: true }],
    zerver_reaction: [{ message: 1, user_profile: 8, emoji_name: '+1', reaction_type: 'unicode_emoji' }],
    zerver_userstatus: [{ user_profile: 7, status_text: 'away' }],
    zerver_customprofilefield: [{ id: 3, name: 'Team', field_type: 2 }],
    zerver_customprofilefieldvalue: [{ user_profile: 8, field: 3, value: 'Sea' }],
    zerver_realmfilter: [{ pattern: '#(?P<id>[0-9]+)', url_template: 'https://a.example/{id}' }],
    zerver_realmplayground: [
      { name: 'Try', pygments_language: 'python', url_template: 'https://b.example/{code}' },
    ],
    zerver_usertopic: [{ user_profile: 7, stream: 5, topic_name: 'tea', visibility_policy: 3 }],
    zerver_alertword: [{ user_profile: 7, word: 'ship' }],
    zerver_muteduser: [{ user_profile: 7, muted_user: 8 }],
    zerver_savedsnippet: [{ id: 1, user_profile: 7, title: 't', content: 'c' }],
    zerver_realmuserdefault: [{ id: 1, enter_sends: true }],
    zerver_realmdomain: [{ domain: 'example.org', allow_subdomains: true }],
    zerver_navigationview: [{ user_profile: 7, fragment: 'narrow/channel/5-general' }],
    zerver_scheduledmessage: [
      {
        id: 1,
        sender: 7,
        recipient: 21,
        subject: 'tea',
        content: 'soon',
        scheduled_timestamp: 1_600_000_000,
      },
    ],
    zerver_attachment: [],
    zerver_message: [
      { id: 1, sender: 7, recipient: 21, subject: 'tea', content: 'm1', date_sent: 1_600_000_001 },
    ],
    zerver_usermessage: [{ message: 1, user_profile: 8, flags_mask: 0 }],
    'avatars/records.json': [],
    'emoji/records.json': [],
  },
  wrong: () => OBJECTS,
  archive: (lists) => {
    const elsewhere = new Set([...Object.values(PUBLIC_FILES).flat(), ...PUBLIC_RECORDS])
    const tables = (names: readonly string[]) =>
      json(Object.fromEntries(names.map((name) => [name, lists[name]])))
    const realm = Object.keys(lists).filter((name) => !elsewhere.has(name))
    const files = {
      'realm.json': `{"zerver_realm": [{"id": 2, "string_id": "acme", "name": "Acme"}],${tables(realm).slice(1)}`,
      ...Object.fromEntries(Object.entries(PUBLIC_FILES).map(([file, names]) => [file, tables(names)])),
      ...Object.fromEntries(PUBLIC_RECORDS.map((file) => [file, json(lists[file])])),
    }
    return tarOf(Object.fromEntries(Object.entries(files).map(([file, text]) => [`x/${file}`, text])))
  },
}

const DISCORD: Format = {
  name: 'Discord',
  reader: discordReader as ImportReader,
  lists: {
    'boats.json': [
      {
        ...{ id: '1', type: 'Default', timestamp: '2020-09-13T12:26:40+00:00' },
        ...{ content: 'hello', author: { id: '7', name: 'ada' } },
      },
    ],
  },
  wrong: () => OBJECTS,
  archive: (lists) =>
    zipped(
      Object.fromEntries(
        Object.entries(lists).map(([file, messages]) => [
          file,
          {
            guild: { id: '1', name: 'Acme' },
            channel: { id: '5', type: 'GuildTextChat', name: 'boats' },
            messages,
          },
        ]),
      ),
    ),
}

/** What is no document, and documents that say nothing. */
const DOCUMENTS: readonly object[] = [
  {},
  { _id: null, u: 7, rid: [], name: {} },
  bsonOf({ _id: new RawValue(0x55, new Uint8Array(3)) }),
]
const ROCKET_CHAT: Format = {
  name: 'Rocket.Chat',
  reader: rocketChat,
  lists: {
    rocketchat_avatars: [],
    users: [],
    rocketchat_subscription: [subscription('GENERAL', byAda)],
    rocketchat_room: [{ _id: 'R2', t: 'c', name: 'random' }],
    rocketchat_custom_emoji: [],
    rocketchat_uploads: [],
    'rocketchat_uploads.chunks': [],
    rocketchat_message: [ofRocketChat('m1', 1, 'hello')],
  },
  wrong: () => DOCUMENTS,
  archive: (lists) => dumpOf(lists as Record<string, readonly object[]>),
}

/** All but problems, as JSON. */
const recordsOf = ({ records }: ReadArchive) => records.filter(({ type }) => type !== 'problem')

const CASES = [SLACK, MATTERMOST, PUBLIC_SERVER, DISCORD, ROCKET_CHAT].flatMap((format) =>
  Object.keys(format.lists).map((list) => [format.name, list, format] as const),
)

describe('What is wrong in one record', () => {
  it.each(CASES)('of %s, in %s, is listed with its place, and the rest is read', async (_, list, format) => {
    const { lists, reader } = format
    const wrong = format.wrong(list)
    const read = (given: Lists) => readArchive(reader, archiveOf(format.archive(given), 'archive'))
    const right = await read(lists)
    const found = await read({ ...lists, [list]: [...wrong, ...lists[list]!] })
    expect(recordsOf(found)).toEqual(recordsOf(right))
    const listed = found.of('problem').map(({ file, line, entry }) => [file, line ?? entry] as const)
    expect(listed).toHaveLength(wrong.length)
    const [, start] = listed[0]!
    expect(listed.every(([file]) => file !== undefined && file !== '')).toBe(true)
    expect(listed.map(([, place]) => place)).toEqual(wrong.map((_one, at) => start! + at))
  })
})
