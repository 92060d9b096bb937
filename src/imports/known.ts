/** What has been read of an archive already, by keys of the context's store; asked for once in a unit. */
import { parseJson } from '../core/json.ts'
import { Payload } from '../integrations/payload.ts'
import type { ImportContext } from './import-reader.ts'

/** Values that are kept, and their longest. */
const [MAX_CACHED, MAX_CACHED_LENGTH] = [50_000, 1_000] as const

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
  /** Id of a channel, by its name. */
  | 'room'
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
  private readonly context: Pick<ImportContext, 'store'>
  /** What was asked for or put last, and before that: the older half is forgotten when the newer one is full. */
  private newer = new Map<string, string | undefined>()
  private older = new Map<string, string | undefined>()

  constructor(context: Pick<ImportContext, 'store'>) {
    this.context = context
  }

  async get(kind: Kind, key: string): Promise<string | undefined> {
    const whole = `${kind}:${key}`
    if (this.newer.has(whole)) return this.newer.get(whole)
    if (this.older.has(whole)) return this.older.get(whole)
    const value = await this.context.store.get(whole)
    // Large values are asked for once.
    if (value === undefined || value.length <= MAX_CACHED_LENGTH) this.cache(whole, value)
    return value
  }

  /** Returns what this unit has asked for before. */
  seen(kind: Kind, key: string): string | undefined {
    const whole = `${kind}:${key}`
    return this.newer.has(whole) ? this.newer.get(whole) : this.older.get(whole)
  }

  hasAsked(kind: Kind, key: string): boolean {
    const whole = `${kind}:${key}`
    return this.newer.has(whole) || this.older.has(whole)
  }

  async put(kind: Kind, key: string, value: string): Promise<void> {
    // Large values are asked for once.
    if (value.length <= MAX_CACHED_LENGTH) this.cache(`${kind}:${key}`, value)
    else {
      this.newer.delete(`${kind}:${key}`)
      this.older.delete(`${kind}:${key}`)
    }
    await this.context.store.put(`${kind}:${key}`, value)
  }

  /** Of some kinds there are very many. What was asked for just now is still there when a message is put together. */
  private cache(whole: string, value: string | undefined): void {
    if (this.newer.size >= MAX_CACHED) {
      this.older = this.newer
      this.newer = new Map()
    }
    this.newer.set(whole, value)
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
