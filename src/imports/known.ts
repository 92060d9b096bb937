/** What has been read of an archive already, by keys of the context's store; asked for once in a unit. */
import { parseJson } from '../core/json.ts'
import { Payload } from '../integrations/payload.ts'
import type { ImportContext } from './import-reader.ts'

/** Values that are kept, and their longest. */
const [MAX_CACHED, MAX_CACHED_LENGTH] = [100_000, 1_000] as const

/** A conversation: a channel, or the people of a direct one. */
export interface Conversation {
  readonly id: string
  readonly isDirect: boolean
  readonly members: readonly string[]
}

export type Kind =
  /** Name of a person, by id. */
  | 'user'
  /** Id of a person, by the name with which channels of several people are called. */
  | 'name'
  /** Id of the account of a bot, by its own id. */
  | 'bot'
  /** Name of a channel, by id. */
  | 'channel'
  /** Conversation, by its folder. */
  | 'folder'
  /** Topic of a thread, by channel and time. */
  | 'thread'
  /** First line of a message that has replies, in direct conversations. */
  | 'root'
  /** Number of threads of the same name in a channel. */
  | 'topic'
  /** Where an uploaded file is, by its id. */
  | 'upload'
  /** Whether the record of a file was made. */
  | 'file'
  /** Whether the record of a profile field, or of an emoji, was made. */
  | 'field'
  | 'emoji'
  /** Where the picture of a person is. */
  | 'avatar'
  /** Who sees the address of a person. */
  | 'visibility'
  /** What is known of the organization itself. */
  | 'realm'
  /** To whom, or to which channel, messages of a recipient go. */
  | 'recipient'
  /** Reactions, and what else people have made of messages, by a range of messages. */
  | 'reactions'
  | 'marks'
  /** Lists of ids, and whether an id is in one. */
  | 'list'
  | 'listed'
  /** Name of a group, by id. */
  | 'group'
  /** Subscribers, by a channel. */
  | 'subscribers'

export class Known {
  private readonly context: ImportContext
  private readonly cache = new Map<string, string | undefined>()

  constructor(context: ImportContext) {
    this.context = context
  }

  async get(kind: Kind, key: string): Promise<string | undefined> {
    const whole = `${kind}:${key}`
    if (this.cache.has(whole)) return this.cache.get(whole)
    const value = await this.context.store.get(whole)
    // Large values are asked for once.
    if (value === undefined || value.length <= MAX_CACHED_LENGTH) this.cache.set(whole, value)
    return value
  }

  /** Returns what this unit has asked for before. */
  seen(kind: Kind, key: string): string | undefined {
    return this.cache.get(`${kind}:${key}`)
  }

  hasAsked(kind: Kind, key: string): boolean {
    return this.cache.has(`${kind}:${key}`)
  }

  async put(kind: Kind, key: string, value: string): Promise<void> {
    // Large values are asked for once, and of some kinds there are very many.
    if (this.cache.size > MAX_CACHED) this.cache.clear()
    if (value.length <= MAX_CACHED_LENGTH) this.cache.set(`${kind}:${key}`, value)
    else this.cache.delete(`${kind}:${key}`)
    await this.context.store.put(`${kind}:${key}`, value)
  }

  async conversation(folder: string): Promise<Conversation | undefined> {
    const text = await this.get('folder', folder)
    if (text === undefined) return undefined
    const stored = new Payload(parseJson(text))
    return {
      id: stored.text('id'),
      isDirect: stored.isTrue('isDirect'),
      members: stored.list('members').map((member) => member.text()),
    }
  }

  async putConversation(folder: string, conversation: Conversation): Promise<void> {
    await this.put('folder', folder, JSON.stringify(conversation))
  }
}
