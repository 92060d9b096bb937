/** Builds archives as programs write them, with messages in three channels, and the expected counts by channel and topic. */
import { bsonFileOf } from '../imports/bson-builder.ts'
import { tarOf } from '../imports/tar-builder.ts'
import { zipOf } from '../imports/zip-builder.ts'

export interface ProgramsArchive {
  /** The format, as the API calls it. */
  readonly format: string
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Number of messages by `channel > topic`. */
  readonly counted: Readonly<Record<string, number>>
  /** A person who is in all channels, for formats with private ones. */
  readonly ownerAs?: string
}

interface Said {
  readonly number: number
  readonly channel: number
  readonly person: number
  readonly topic: string
  readonly text: string
  readonly seconds: number
  /** The number of the first message of its thread. */
  readonly thread: number | undefined
}

const [CHANNELS, PEOPLE, START] = [3, 5, 1_600_000_000] as const
/** Two of the four messages of a channel are in a thread. */
const THREAD = 4 * CHANNELS
const channels = Array.from({ length: CHANNELS }, (_, at) => at)
const people = Array.from({ length: PEOPLE }, (_, at) => at)

function saidOf(messages: number): Said[] {
  return Array.from({ length: messages }, (_, number) => {
    const place = Math.floor((number % THREAD) / CHANNELS)
    return {
      number,
      channel: number % CHANNELS,
      person: number % PEOPLE,
      topic: `topic ${number % 4}`,
      text: `words ${number} of many`,
      seconds: START + number * 7,
      thread: place === 0 ? number : place === 2 ? number - 2 * CHANNELS : undefined,
    }
  })
}

function counted(places: readonly (readonly [channel: string, topic: string])[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const [channel, topic] of places) {
    counts[`${channel} > ${topic}`] = (counts[`${channel} > ${topic}`] ?? 0) + 1
  }
  return counts
}

const json = (value: unknown) => JSON.stringify(value)
const files = (all: Readonly<Record<string, unknown>>) =>
  Object.entries(all).map(([name, content]) => ({
    name,
    content: typeof content === 'string' ? content : json(content),
  }))
const zipped = (all: Readonly<Record<string, unknown>>) => new Uint8Array(zipOf(files(all)))
const tarred = (all: Readonly<Record<string, unknown>>) =>
  new Uint8Array(tarOf(Object.fromEntries(files(all).map(({ name, content }) => [name, content]))))

/** Returns an archive of each program. */
export function archivesOfPrograms(messages: number): ProgramsArchive[] {
  const said = saidOf(messages)
  return [
    slackArchive(said),
    mattermostArchive(said),
    publicServerArchive(said),
    discordArchive(said),
    rocketChatArchive(said),
    neutralArchive(said),
  ]
}

const dayOf = (seconds: number) => new Date(seconds * 1_000).toISOString().slice(0, 10)

/** Returns the numbers of messages that have replies. */
function repliedTo(said: readonly Said[]): Set<number> {
  return new Set(said.flatMap(({ number, thread }) => (thread === number ? [] : (thread ?? []))))
}

/** Returns the topics of a message from a program without topics: the first message of a thread is in the main topic too. */
function placesOfThreads(said: readonly Said[], name: (channel: number) => string, main: string) {
  const replied = repliedTo(said)
  return said.flatMap(({ number, channel, thread }): [string, string][] => {
    const first = said[thread ?? number]!
    const isInThread = thread !== undefined && replied.has(thread)
    if (!isInThread) return [[name(channel), main]]
    const own: [string, string] = [name(channel), `${dayOf(first.seconds)} ${first.text}`]
    return number === thread ? [own, [name(channel), main]] : [own]
  })
}

function slackArchive(said: readonly Said[]): ProgramsArchive {
  const days = Map.groupBy(said, ({ channel, seconds }) => `room-${channel}/${dayOf(seconds)}.json`)
  const replied = repliedTo(said)
  const bytes = zipped({
    'users.json': people.map((at) => ({
      id: `U${at}`,
      team_id: 'T1',
      name: `p${at}`,
      profile: { real_name: `Person ${at}` },
    })),
    'channels.json': channels.map((at) => ({
      id: `C${at}`,
      name: `room-${at}`,
      members: people.map((one) => `U${one}`),
    })),
    ...Object.fromEntries(
      Array.from(days, ([path, some]) => [
        path,
        some.map(({ person, text, seconds, thread }) => ({
          type: 'message',
          user: `U${person}`,
          text,
          ts: `${seconds}.000100`,
          ...(thread !== undefined &&
            replied.has(thread) && { thread_ts: `${said[thread]!.seconds}.000100` }),
        })),
      ]),
    ),
  })
  const places = placesOfThreads(said, (channel) => `room-${channel}`, 'imported from Slack')
  return { format: 'slack', name: 'export.zip', bytes, counted: counted(places) }
}

function mattermostArchive(said: readonly Said[]): ProgramsArchive {
  const line = (type: string, value: object) => json({ type, [type]: value })
  const bodyOf = ({ person, text, seconds }: Said) => ({
    user: `p${person}`,
    message: text,
    create_at: seconds * 1_000,
  })
  const isReply = ({ number, thread }: Said) => thread !== undefined && thread !== number
  const lines = [
    json({ type: 'version', version: 1 }),
    line('team', { name: 'main', display_name: 'Main', type: 'O' }),
    ...channels.map((at) =>
      line('channel', { team: 'main', name: `room-${at}`, display_name: `Room ${at}`, type: 'O' }),
    ),
    ...people.map((at) => line('user', { username: `p${at}`, email: `p${at}@example.org` })),
    ...said
      .filter((one) => !isReply(one))
      .map((one) =>
        line('post', {
          ...{ team: 'main', channel: `room-${one.channel}`, ...bodyOf(one) },
          replies: said.filter((other) => isReply(other) && other.thread === one.number).map(bodyOf),
        }),
      ),
  ]
  const places = placesOfThreads(said, (channel) => `Room ${channel}`, 'imported from Mattermost')
  return {
    format: 'mattermost',
    name: 'export.zip',
    bytes: zipped({ 'import.jsonl': lines.join('\n') }),
    counted: counted(places),
  }
}

function publicServerArchive(said: readonly Said[]): ProgramsArchive {
  const parts = Map.groupBy(
    said,
    ({ number }) => `zulip-export-x/messages-${String(Math.floor(number / 50) + 1).padStart(6, '0')}.json`,
  )
  const bytes = tarred({
    'zulip-export-x/realm.json': {
      zerver_realm: [{ id: 1, string_id: 'acme', name: 'Acme' }],
      zerver_userprofile: people.map((at) => ({
        id: at + 1,
        full_name: `Person ${at}`,
        delivery_email: `p${at}@example.org`,
        role: 400,
        is_active: true,
      })),
      zerver_stream: channels.map((at) => ({ id: at + 1, name: `room ${at}` })),
      zerver_recipient: channels.map((at) => ({ id: at + 1, type: 2, type_id: at + 1 })),
      zerver_reaction: said.map(({ number }) => ({
        id: number,
        message: number + 1,
        user_profile: 1,
        emoji_name: '+1',
        emoji_code: '1f44d',
        reaction_type: 'unicode_emoji',
      })),
    },
    ...Object.fromEntries(
      Array.from(parts, ([path, some]) => [
        path,
        {
          zerver_message: some.map(({ number, channel, person, topic, text, seconds }) => ({
            ...{
              id: number + 1,
              sender: person + 1,
              recipient: channel + 1,
              subject: topic,
              content: text,
              date_sent: seconds,
            },
          })),
          zerver_usermessage: some.map(({ number }) => ({
            message: number + 1,
            user_profile: 2,
            flags_mask: number % 3,
          })),
        },
      ]),
    ),
  })
  const places = said.map(({ channel, topic }) => [`room ${channel}`, topic] as const)
  return { format: 'public_server', name: 'export.tar', bytes, counted: counted(places) }
}

function discordArchive(said: readonly Said[]): ProgramsArchive {
  const isOfThread = ({ thread, number }: Said) => thread !== undefined && thread !== number
  const rooms = Map.groupBy(said, (one) => `${one.channel} ${isOfThread(one) ? 'thread' : ''}`)
  const messageOf = ({ number, person, text, seconds }: Said) => ({
    ...{
      id: String(1_000_000 + number),
      type: 'Default',
      timestamp: new Date(seconds * 1_000).toISOString(),
    },
    ...{
      content: text,
      author: { id: String(person + 1), name: `p${person}`, nickname: `Person ${person}`, isBot: false },
    },
    ...{ attachments: [], embeds: [], stickers: [], reactions: [], mentions: [] },
  })
  const entries = Array.from(rooms, ([key, some]) => {
    const [channel] = key.split(' ')
    const own = {
      id: String(100 + Number(channel)),
      type: 'GuildTextChat',
      categoryId: '7',
      category: 'Work',
      name: `room-${channel}`,
    }
    const thread = {
      id: String(200 + Number(channel)),
      type: 'GuildPublicThread',
      categoryId: own.id,
      category: own.name,
      name: 'a thread',
    }
    const content = {
      guild: { id: '1', name: 'Acme' },
      channel: key.endsWith('thread') ? thread : own,
      messages: some.map(messageOf),
    }
    return [`Acme - ${key}.json`, content] as const
  })
  const places = said.map(
    (one) => [`room-${one.channel}`, isOfThread(one) ? 'a thread' : 'imported'] as const,
  )
  return {
    format: 'discord',
    ownerAs: '1',
    name: 'export.zip',
    bytes: zipped(Object.fromEntries(entries)),
    counted: counted(places),
  }
}

function rocketChatArchive(said: readonly Said[]): ProgramsArchive {
  const replies = Map.groupBy(
    said.filter(({ number, thread }) => thread !== undefined && thread !== number),
    ({ thread }) => thread!,
  )
  const userOf = (person: number) => ({ _id: `u${person}`, username: `p${person}`, name: `Person ${person}` })
  const collections = {
    users: people.map((at) => ({ ...userOf(at), type: 'user', roles: ['user'], active: true })),
    rocketchat_room: channels.map((at) => ({ _id: `r${at}`, t: 'c', name: `room-${at}` })),
    rocketchat_subscription: channels.flatMap((at) =>
      people.map((one) => ({ _id: `s${at}-${one}`, rid: `r${at}`, u: userOf(one) })),
    ),
    rocketchat_message: said.map(({ number, channel, person, text, seconds, thread }) => ({
      ...{ _id: `m${number}`, rid: `r${channel}`, u: userOf(person), msg: text },
      ...{ ts: new Date(seconds * 1_000), tcount: replies.get(number)?.length },
      ...(thread !== undefined && thread !== number && { tmid: `m${thread}` }),
    })),
  }
  const bytes = tarOf(
    Object.fromEntries(
      Object.entries(collections).map(([name, documents]) => [`dump/${name}.bson`, bsonFileOf(documents)]),
    ),
  )
  const places = placesOfThreads(said, (channel) => `room-${channel}`, 'imported from Rocket.Chat')
  return {
    format: 'rocket_chat',
    name: 'dump.tar',
    bytes: new Uint8Array(bytes),
    counted: counted(places),
  }
}

function neutralArchive(said: readonly Said[]): ProgramsArchive {
  const lines = [
    { type: 'parley-import', version: 1, source: 'counted' },
    ...people.map((at) => ({ type: 'user', id: `u${at}`, full_name: `Person ${at}` })),
    ...channels.map((at) => ({ type: 'channel', id: `c${at}`, name: `room ${at}` })),
    ...said.map(({ number, channel, person, topic, text, seconds }) => ({
      ...{ type: 'message', id: `m${number}`, sender: `u${person}`, time_ms: seconds * 1_000 },
      ...{ channel: `c${channel}`, topic, content: text },
    })),
  ]
  const places = said.map(({ channel, topic }) => [`room ${channel}`, topic] as const)
  return {
    format: 'neutral',
    name: 'import.jsonl',
    bytes: new TextEncoder().encode(lines.map(json).join('\n')),
    counted: counted(places),
  }
}
