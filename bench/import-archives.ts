/** Writes archives of each format with any number of messages, as a program of that format does. */
import { closeSync, openSync, writeSync } from 'node:fs'
import { crc32, deflateRawSync } from 'node:zlib'
import { bsonFileOf } from '../test/imports/bson-builder.ts'

const PEOPLE = 200
const CHANNELS = 50
const START = 1_600_000_000
/** The number of messages in a file of an archive with many files, and the seconds between messages. */
const [IN_A_FILE, STEP] = [1_000, 20] as const

const WORDS =
  'the engine is broken again, so we looked into it this morning and found that it needs oil before the tide turns'.split(
    ' ',
  )

/** A text of some 200 characters, as people write. */
function textOf(number: number): string {
  const words = Array.from(
    { length: 25 + (number % 20) },
    (_, at) => WORDS[(number * 7 + at * 3) % WORDS.length],
  )
  return `${words.join(' ')}, see https://example.com/issues/${number}`
}

export interface BenchFormat {
  readonly name: string
  write(path: string, messages: number): void
}

export const BENCH_FORMATS: readonly BenchFormat[] = [
  { name: 'slack', write: writeSlack },
  { name: 'mattermost', write: writeMattermost },
  { name: 'public server', write: writePublicServer },
  { name: 'discord', write: writeDiscord },
  { name: 'rocket chat', write: writeRocketChat },
  { name: 'neutral', write: writeNeutral },
]

function* parts(messages: number, size: number): Generator<readonly number[]> {
  for (let from = 0; from < messages; from += size)
    yield Array.from({ length: Math.min(size, messages - from) }, (_, at) => from + at)
}

const user = (number: number) => number % PEOPLE
const channel = (number: number) => number % CHANNELS

function writeSlack(path: string, messages: number): void {
  const zip = new ZipWriter(path)
  const people = Array.from({ length: PEOPLE }, (_, at) => ({
    id: `U${at}`,
    team_id: 'T1',
    name: `person${at}`,
    profile: { real_name: `Person ${at}`, email: `p${at}@example.com` },
  }))
  const channels = Array.from({ length: CHANNELS }, (_, at) => ({
    id: `C${at}`,
    name: `channel-${at}`,
    members: people.map(({ id }) => id),
  }))
  zip.add('users.json', JSON.stringify(people))
  zip.add('channels.json', JSON.stringify(channels))
  let day = 0
  for (const numbers of parts(messages, IN_A_FILE)) {
    const date = new Date((START + day * 86_400) * 1_000).toISOString().slice(0, 10)
    const root = `${START + numbers[0]! * STEP}.000100`
    const items = numbers.map((number) => ({
      client_msg_id: `8f2b6c1e-0000-4000-8000-${String(number).padStart(12, '0')}`,
      type: 'message',
      user: `U${user(number)}`,
      text: `<@U${user(number + 1)}> ${textOf(number)}`,
      ts: `${START + number * STEP}.000100`,
      team: 'T1',
      ...(number % 5 === 0 && { thread_ts: root }),
      blocks: [
        {
          type: 'rich_text',
          block_id: `b${number}`,
          elements: [
            {
              type: 'rich_text_section',
              elements: [
                { type: 'user', user_id: `U${user(number + 1)}` },
                { type: 'text', text: ` ${textOf(number)}` },
              ],
            },
          ],
        },
      ],
      ...(number % 10 === 0 && { reactions: [{ name: '+1', users: [`U${user(number + 2)}`], count: 1 }] }),
    }))
    zip.add(`channel-${day % CHANNELS}/${date}.json`, JSON.stringify(items, null, 4))
    day += 1
  }
  zip.end()
}

function writeMattermost(path: string, messages: number): void {
  const lines = [
    { type: 'version', version: 1 },
    { type: 'team', team: { name: 'main', display_name: 'Main', type: 'O' } },
    ...Array.from({ length: CHANNELS }, (_, at) => ({
      type: 'channel',
      channel: { team: 'main', name: `channel-${at}`, display_name: `Channel ${at}`, type: 'O' },
    })),
    ...Array.from({ length: PEOPLE }, (_, at) => ({
      type: 'user',
      user: { username: `person${at}`, email: `p${at}@example.com`, roles: 'system_user' },
    })),
  ]
  const zip = new ZipWriter(path)
  zip.begin('import.jsonl')
  zip.put(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  for (const numbers of parts(messages, IN_A_FILE))
    zip.put(numbers.map((number) => `${JSON.stringify(postOf(number))}\n`).join(''))
  zip.finish()
  zip.end()
}

function postOf(number: number): object {
  return {
    type: 'post',
    post: {
      team: 'main',
      channel: `channel-${channel(number)}`,
      user: `person${user(number)}`,
      message: `@person${user(number + 1)} ${textOf(number)}`,
      create_at: (START + number * STEP) * 1_000,
      edit_at: 0,
      flagged_by: null,
      props: {},
      reactions:
        number % 10 === 0
          ? [
              {
                user: `person${user(number + 2)}`,
                create_at: (START + number * STEP) * 1_000,
                emoji_name: '+1',
              },
            ]
          : null,
      replies: null,
      attachments: null,
    },
  }
}

function writePublicServer(path: string, messages: number): void {
  const tar = new TarWriter(path)
  const people = Array.from({ length: PEOPLE }, (_, at) => ({
    id: at + 1,
    full_name: `Person ${at}`,
    delivery_email: `p${at}@example.com`,
    role: 400,
    is_active: true,
  }))
  tar.add('zulip-export-x/realm.json', [
    JSON.stringify({
      zerver_realm: [{ id: 1, string_id: 'acme', name: 'Acme' }],
      zerver_userprofile: people,
      zerver_stream: Array.from({ length: CHANNELS }, (_, at) => ({ id: at + 1, name: `channel ${at}` })),
      zerver_recipient: Array.from({ length: CHANNELS }, (_, at) => ({
        id: at + 1,
        type: 2,
        type_id: at + 1,
      })),
      zerver_reaction: Array.from({ length: Math.floor(messages / 10) }, (_, at) => ({
        id: at,
        message: at * 10 + 1,
        user_profile: user(at) + 1,
        emoji_name: '+1',
        emoji_code: '1f44d',
        reaction_type: 'unicode_emoji',
      })),
    }),
  ])
  let file = 0
  for (const numbers of parts(messages, IN_A_FILE)) {
    file += 1
    const content = {
      zerver_message: numbers.map((number) => ({
        id: number + 1,
        sender: user(number) + 1,
        recipient: channel(number) + 1,
        realm: 1,
        subject: `topic ${number % 7}`,
        content: `@**Person ${user(number + 1)}|${user(number + 1) + 1}** ${textOf(number)}`,
        rendered_content: `<p>${textOf(number)}</p>`,
        date_sent: START + number * STEP,
        sending_client: 1,
        last_edit_time: null,
        edit_history: null,
        has_attachment: false,
      })),
      // A row for each of ten readers.
      zerver_usermessage: numbers.flatMap((number) =>
        Array.from({ length: 10 }, (_, at) => ({
          id: number * 10 + at,
          user_profile: at + 1,
          message: number + 1,
          flags_mask: 1,
        })),
      ),
    }
    tar.add(`zulip-export-x/messages-${String(file).padStart(6, '0')}.json`, [JSON.stringify(content)])
  }
  tar.end()
}

function writeDiscord(path: string, messages: number): void {
  const zip = new ZipWriter(path)
  const author = (number: number) => ({
    id: String(user(number) + 1),
    name: `person${user(number)}`,
    discriminator: '0000',
    nickname: `Person ${user(number)}`,
    color: null,
    isBot: false,
    roles: [{ id: '900', name: 'Crew', color: null, position: 1 }],
    avatarUrl: 'https://cdn.discordapp.com/embed/avatars/0.png',
  })
  let file = 0
  for (const numbers of parts(messages, 20 * IN_A_FILE)) {
    file += 1
    const content = {
      guild: { id: '1', name: 'Acme' },
      channel: {
        id: String(file),
        type: 'GuildTextChat',
        categoryId: '7',
        category: 'Work',
        name: `channel-${file}`,
      },
      messages: numbers.map((number) => ({
        id: String(1_000_000 + number),
        type: 'Default',
        timestamp: new Date((START + number * STEP) * 1_000).toISOString(),
        timestampEdited: null,
        callEndedTimestamp: null,
        isPinned: false,
        content: `@Person ${user(number + 1)} ${textOf(number)}`,
        author: author(number),
        attachments: [],
        embeds: [],
        stickers: [],
        reactions:
          number % 10 === 0
            ? [{ emoji: { id: '', name: '👍', code: 'thumbsup' }, count: 1, users: [author(number + 2)] }]
            : [],
        mentions: [author(number + 1)],
      })),
    }
    zip.add(`Acme - channel-${file}.json`, JSON.stringify(content, null, 2))
  }
  zip.end()
}

function writeRocketChat(path: string, messages: number): void {
  const tar = new TarWriter(path)
  const account = (number: number) => ({
    _id: `u${user(number)}`,
    username: `person${user(number)}`,
    name: `Person ${user(number)}`,
  })
  const people = Array.from({ length: PEOPLE }, (_, at) => ({
    ...account(at),
    emails: [{ address: `p${at}@example.com`, verified: true }],
    roles: ['user'],
    type: 'user',
    active: true,
  }))
  const rooms = Array.from({ length: CHANNELS }, (_, at) => ({
    _id: `r${at}`,
    t: 'c',
    name: `channel-${at}`,
  }))
  tar.add('dump/users.bson', [bsonFileOf(people)])
  tar.add('dump/rocketchat_room.bson', [bsonFileOf(rooms)])
  tar.begin('dump/rocketchat_message.bson')
  for (const numbers of parts(messages, IN_A_FILE)) {
    const documents = numbers.map((number) => ({
      _id: `m${number}`,
      rid: `r${channel(number)}`,
      msg: `@person${user(number + 1)} ${textOf(number)}`,
      ts: new Date((START + number * STEP) * 1_000),
      u: account(number),
      mentions: [account(number + 1)],
      channels: [],
      urls: [{ url: `https://example.com/issues/${number}`, meta: {} }],
      ...(number % 10 === 0 && { reactions: { ':+1:': { usernames: [`person${user(number + 2)}`] } } }),
      _updatedAt: new Date((START + number * STEP) * 1_000),
    }))
    tar.put(bsonFileOf(documents))
  }
  tar.finish()
  tar.end()
}

function writeNeutral(path: string, messages: number): void {
  const file = openSync(path, 'w')
  const put = (lines: readonly object[]) =>
    writeSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  put([
    { type: 'parley-import', version: 1, source: 'bench' },
    ...Array.from({ length: PEOPLE }, (_, at) => ({ type: 'user', id: `u${at}`, full_name: `Person ${at}` })),
    ...Array.from({ length: CHANNELS }, (_, at) => ({
      type: 'channel',
      id: `c${at}`,
      name: `channel ${at}`,
    })),
  ])
  for (const numbers of parts(messages, IN_A_FILE)) {
    put(
      numbers.map((number) => ({
        type: 'message',
        id: String(number),
        sender: `u${user(number)}`,
        time_ms: (START + number * STEP) * 1_000,
        channel: `c${channel(number)}`,
        topic: `topic ${number % 7}`,
        content: `@_**parley-import:user/u${user(number + 1)}** ${textOf(number)}`,
        ...(number % 10 === 0 && { reactions: [{ user: `u${user(number + 2)}`, emoji: '+1' }] }),
      })),
    )
  }
  closeSync(file)
}

/** Writes a ZIP archive, one entry after the other. */
class ZipWriter {
  readonly #file: number
  readonly #directory: Buffer[] = []
  #at = 0
  #pending: { name: string; parts: Buffer[] } | undefined

  constructor(path: string) {
    this.#file = openSync(path, 'w')
  }

  add(name: string, content: string): void {
    this.begin(name)
    this.put(content)
    this.finish()
  }

  begin(name: string): void {
    this.#pending = { name, parts: [] }
  }

  put(content: string): void {
    this.#pending!.parts.push(Buffer.from(content))
  }

  finish(): void {
    const { name, parts: all } = this.#pending!
    const bytes = Buffer.concat(all)
    const packed = deflateRawSync(bytes, { level: 1 })
    const encoded = Buffer.from(name)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(8, 8)
    local.writeUInt16LE(encoded.length, 26)
    const record = Buffer.alloc(46)
    record.writeUInt32LE(0x02014b50, 0)
    record.writeUInt16LE(8, 10)
    record.writeUInt32LE(crc32(bytes), 16)
    record.writeUInt32LE(packed.length, 20)
    record.writeUInt32LE(bytes.length, 24)
    record.writeUInt16LE(encoded.length, 28)
    record.writeUInt32LE(this.#at, 42)
    this.#directory.push(record, encoded)
    for (const part of [local, encoded, packed]) this.#write(part)
  }

  end(): void {
    const start = this.#at
    const count = this.#directory.length / 2
    const directory = Buffer.concat(this.#directory)
    this.#write(directory)
    const end = Buffer.alloc(22)
    end.writeUInt32LE(0x06054b50, 0)
    end.writeUInt16LE(count, 10)
    end.writeUInt32LE(directory.length, 12)
    end.writeUInt32LE(start, 16)
    this.#write(end)
    closeSync(this.#file)
  }

  #write(bytes: Buffer): void {
    writeSync(this.#file, bytes)
    this.#at += bytes.length
  }
}

/** Writes a tar archive. */
class TarWriter {
  readonly #file: number
  #at = 0
  #pending = { name: '', from: 0 }

  constructor(path: string) {
    this.#file = openSync(path, 'w')
  }

  add(name: string, content: readonly (string | Uint8Array)[]): void {
    this.begin(name)
    for (const part of content) this.put(Buffer.from(part))
    this.finish()
  }

  /** Leaves room for the header, which has the size. */
  begin(name: string): void {
    this.#pending = { name, from: this.#at }
    this.put(Buffer.alloc(512))
  }

  put(bytes: Uint8Array): void {
    writeSync(this.#file, bytes, 0, bytes.length, this.#at)
    this.#at += bytes.length
  }

  finish(): void {
    const { name, from } = this.#pending
    const size = this.#at - from - 512
    const header = Buffer.alloc(512)
    header.write(name, 0)
    header.write(size.toString(8).padStart(11, '0'), 124)
    header.write('0', 156)
    header.write('ustar', 257)
    header.write(' '.repeat(8), 148)
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    writeSync(this.#file, header, 0, 512, from)
    this.put(Buffer.alloc((512 - (size % 512)) % 512))
  }

  end(): void {
    this.put(Buffer.alloc(1_024))
    closeSync(this.#file)
  }
}
