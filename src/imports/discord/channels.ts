/** Channels and people of a Discord export: each file is of one channel, thread or conversation. */
import { parseJson } from '../../core/json.ts'
import { firstPoints } from '../../core/text-length.ts'
import { Payload } from '../../integrations/payload.ts'
import type { Known } from '../known.ts'
import type { NeutralRecord } from '../neutral.ts'
import { IdLists } from '../stored-lists.ts'

/** The destination of a file's messages. */
export interface DiscordPlace {
  /** Id of the channel; '' for a direct conversation. */
  readonly channel: string
  /** The topic of a thread; '' outside of threads. */
  readonly topic: string
  /** The people of a direct conversation who have written. */
  readonly to: readonly string[]
}

const DIRECT = /^Direct/
const [THREAD, PRIVATE_THREAD] = [/Thread$/, 'GuildPrivateThread'] as const
/** The list of all channels. */
export const CHANNELS = 'channels'
/** Code points of a topic. */
const TOPIC_LENGTH = 60

/**
 * Notes the channel of a file; undefined if the file names none. A thread is a topic of its channel; a private thread is a channel of its own,
 * since not everybody who reads the channel may read it.
 */
export async function placeOf(channel: Payload, known: Known): Promise<DiscordPlace | undefined> {
  const [id, name, type] = [channel.text('id'), channel.text('name').trim(), channel.text('type')]
  if (id === '' || id.length > 60) return undefined
  if (DIRECT.test(type)) return { channel: '', topic: '', to: await new IdLists(known).all(`writers ${id}`) }
  const [parent, parentName] = [channel.text('categoryId'), channel.text('category').trim()]
  if (THREAD.test(type) && type !== PRIVATE_THREAD && parent !== '') {
    await note(known, parent, { name: parentName || `channel ${parent}` })
    return { channel: parent, topic: await topicOf(id, parent, name || 'Thread', known), to: [] }
  }
  const isThread = type === PRIVATE_THREAD
  await note(known, id, {
    name: (isThread ? [parentName, name].filter((part) => part !== '').join(': ') : name) || `channel ${id}`,
    description: channel.text('topic'),
    isWhole: true,
    ...(isThread ? {} : { folder: parent, folderName: parentName }),
  })
  return { channel: id, topic: '', to: [] }
}

/** Returns a topic that no other thread of the channel has. */
async function topicOf(thread: string, channel: string, name: string, known: Known): Promise<string> {
  const topic = await known.get('thread', thread)
  if (topic !== undefined) return topic
  const key = `${channel}/${name.toLowerCase()}`
  const number = Number((await known.get('topic', key)) ?? '0') + 1
  await known.put('topic', key, String(number))
  const end = number === 1 ? '' : ` (${number})`
  const made = firstPoints(name, TOPIC_LENGTH - end.length) + end
  await known.put('thread', thread, made)
  return made
}

interface Noted {
  readonly name: string
  readonly description?: string
  readonly folder?: string
  readonly folderName?: string
  /** Whether the channel's own file says this, rather than that of a thread. */
  readonly isWhole?: boolean
}

async function note(known: Known, id: string, noted: Noted): Promise<void> {
  if ((await new IdLists(known).add(CHANNELS, id)) || noted.isWhole)
    await known.put('channel', id, JSON.stringify(noted))
}

/** Returns the name in what `note` has stored. */
export function nameOfChannel(stored: string | undefined): string {
  return new Payload(parseJson(stored ?? '{}')).text('name')
}

/** Yields all channels, with their writers as members. */
export async function* ofChannels(known: Known): AsyncGenerator<NeutralRecord> {
  const lists = new IdLists(known)
  const names = new Set<string>()
  for (const id of await lists.all(CHANNELS)) {
    const channel = new Payload(parseJson((await known.get('channel', id)) ?? '{}'))
    const [folder, folderName] = [channel.text('folder'), channel.text('folderName')]
    if (folder !== '' && folderName !== '' && (await lists.add('folders', folder)))
      yield { type: 'channel_folder', id: folder, name: folderName }
    // Several channels may have the same name there.
    const plain = channel.text('name')
    const name = names.has(plain.toLowerCase()) ? `${plain} (${folderName || id})` : plain
    names.add(plain.toLowerCase())
    yield {
      type: 'channel',
      id,
      name: name.slice(0, 1_000),
      description: channel.text('description'),
      // The export does not say who may read it.
      privacy: 'private',
      history_public: true,
      // Who made it could read all that it has.
      importer_joins: true,
      ...(folder !== '' && folderName !== '' && { folder }),
      members: (await lists.all(`writers ${id}`)).map((user) => ({ user })),
    }
  }
}

/** Roles of one user. */
const MAX_ROLES = 250

/** Finds a picture or an attachment: in the archive, or at its address. */
export type FindFile = (
  address: string,
) => Promise<{ readonly path?: string; readonly url?: string } | undefined>

/** Yields the records of a user who writes, reacts or is mentioned for the first time. */
export async function* ofPerson(
  person: Payload,
  known: Known,
  findFile: FindFile,
): AsyncGenerator<NeutralRecord> {
  const id = person.text('id')
  if (id === '' || id.length > 60 || (await known.get('user', id)) !== undefined) return
  const name = person.text('nickname').trim() || person.text('name').trim() || `Discord user ${id}`
  await known.put('user', id, name.slice(0, 200))
  const picture = person.text('avatarUrl')
  const found = /\/embed\/avatars\//.test(picture) ? undefined : await findFile(picture)
  if (found) yield { type: 'file', id: `avatar:${id}`, name: 'avatar', owner: id, ...found }
  const isBot = person.isTrue('isBot')
  yield {
    type: 'user',
    id,
    full_name: name.slice(0, 1_000),
    email: null,
    is_bot: isBot,
    deactivated: isBot,
    ...(found && { avatar: `avatar:${id}` }),
  }
  const lists = new IdLists(known)
  for (const role of person.list('roles').slice(0, MAX_ROLES)) {
    const [roleId, roleName] = [role.text('id'), role.text('name').trim()]
    if (roleId === '' || roleName === '') continue
    if (await lists.add('roles', roleId)) await known.put('group', roleId, roleName.slice(0, 200))
    await lists.add(`role ${roleId}`, id)
  }
}

/** Yields the roles as groups. */
export async function* ofRoles(known: Known): AsyncGenerator<NeutralRecord> {
  const lists = new IdLists(known)
  for (const id of await lists.all('roles')) {
    const name = (await known.get('group', id)) ?? ''
    yield { type: 'group', id, name, description: '', members: await lists.all(`role ${id}`) }
  }
}
