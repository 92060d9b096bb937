/** Channels of a Discord export: each file is of one channel, thread or conversation. */
import { parseJson } from '../../core/json.ts'
import { firstPoints } from '../../core/text-length.ts'
import { Payload } from '../../integrations/payload.ts'
import type { Known } from '../known.ts'
import type { NeutralRecord } from '../neutral.ts'
import { Lists } from './lists.ts'

/** Where messages of a file go. */
export interface DiscordPlace {
  /** Id of the channel; '' for a direct conversation. */
  readonly channel: string
  /** The topic of a thread; '' for messages outside of threads. */
  readonly topic: string
  /** Everybody of a direct conversation, as far as they have written. */
  readonly to: readonly string[]
}

const DIRECT = /^Direct/
const [THREAD, PRIVATE_THREAD] = [/Thread$/, 'GuildPrivateThread'] as const
const LIST = 'channels'
/** Code points of a topic. */
const TOPIC_LENGTH = 60

/**
 * Notes the channel of a file; undefined where it says none. A thread is a topic of its channel; a private one is a channel of its own, since
 * not all who read the channel may read it.
 */
export async function placeOf(channel: Payload, known: Known): Promise<DiscordPlace | undefined> {
  const [id, name, type] = [channel.text('id'), channel.text('name').trim(), channel.text('type')]
  if (id === '' || id.length > 60) return undefined
  if (DIRECT.test(type)) return { channel: '', topic: '', to: await new Lists(known).all(`writers ${id}`) }
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
  /** Whether it is from the channel's own file, rather than from one of its threads. */
  readonly isWhole?: boolean
}

async function note(known: Known, id: string, noted: Noted): Promise<void> {
  if (await new Lists(known).add(LIST, id)) await known.put('channel', id, JSON.stringify(noted))
  else if (noted.isWhole) await known.put('channel', id, JSON.stringify(noted))
}

/** Yields all channels, with those who wrote in them. */
export async function* ofChannels(known: Known): AsyncGenerator<NeutralRecord> {
  const lists = new Lists(known)
  const names = new Set<string>()
  for (const id of await lists.all(LIST)) {
    const channel = new Payload(parseJson((await known.get('channel', id)) ?? '{}'))
    const [folder, folderName] = [channel.text('folder'), channel.text('folderName')]
    if (folder !== '' && folderName !== '' && (await lists.add('folders', folder)))
      yield { type: 'channel_folder', id: folder, name: folderName }
    // Several channels may have one name there.
    const plain = channel.text('name')
    const name = names.has(plain.toLowerCase()) ? `${plain} (${folderName || id})` : plain
    names.add(plain.toLowerCase())
    yield {
      type: 'channel',
      id,
      name: name.slice(0, 1_000),
      description: channel.text('description'),
      // Who may read it, the export does not say.
      privacy: 'private',
      history_public: true,
      ...(folder !== '' && folderName !== '' && { folder }),
      members: (await lists.all(`writers ${id}`)).map((user) => ({ user })),
    }
  }
}
