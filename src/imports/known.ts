import type { ImportContext } from './import-reader.ts'

/** Values in each half of the cache, and the longest of them. */
const [MAX_CACHED, MAX_CACHED_LENGTH] = [50_000, 1_000] as const
/** Names in one text that are looked up; further ones stay as they are. */
const MAX_MISSED = 200

export type Kind =
  /** Name of a user, by id. */
  | 'user'
  /** Ids of people without a name so far, by number, and their count. */
  | 'unnamed'
  /** Id of a user, by username. */
  | 'name'
  /** Id of a bot's account, by the id of the bot. */
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
  /** Number of threads with the same name in a channel. */
  | 'topic'
  /** Path of an uploaded file, by its id. */
  | 'upload'
  /** Whether the record of a file, a profile field or an emoji was made. */
  | 'file'
  | 'field'
  | 'emoji'
  /** Path of a user's picture. */
  | 'avatar'
  /** Facts about the organization itself. */
  | 'realm'
  /** The channel or the people to which messages of a recipient go. */
  | 'recipient'
  /** Ids of the people of a direct conversation, joined by commas. */
  | 'direct'
  /** Reactions, stars and unread marks, by a range of messages. */
  | 'reactions'
  | 'marks'
  /** Lists of ids, and whether an id is in one. */
  | 'list'
  | 'listed'
  /** Name of a group, by id. */
  | 'group'

/** What has been read of an archive so far, by the keys of the context's store. Each short value is asked for once in a unit. */
export class Known {
  private readonly store: ImportContext['store']
  /** The last lookups, and those before them: the older half is forgotten when the newer one is full. */
  private newer = new Map<string, string | undefined>()
  private older = new Map<string, string | undefined>()
  /** Keys that `seen` has not found, while `lookingUp` notes them. */
  private missed: Set<string> | undefined

  constructor({ store }: Pick<ImportContext, 'store'>) {
    this.store = store
  }

  async get(kind: Kind, key: string): Promise<string | undefined> {
    const whole = `${kind}:${key}`
    return this.isCached(whole) ? this.cached(whole) : this.load(whole)
  }

  /** Returns a value that this unit has looked up before. */
  seen(kind: Kind, key: string): string | undefined {
    const whole = `${kind}:${key}`
    if (this.missed && this.missed.size < MAX_MISSED && !this.isCached(whole)) this.missed.add(whole)
    return this.cached(whole)
  }

  /** Returns what `read` makes of texts whose names it finds by `seen`: it reads them again after those have been looked up that it did not find. */
  async lookingUp(read: () => string): Promise<string> {
    const missed = new Set<string>()
    this.missed = missed
    let first: string
    try {
      first = read()
    } finally {
      this.missed = undefined
    }
    if (missed.size === 0) return first
    for (const whole of missed) await this.load(whole)
    return read()
  }

  async put(kind: Kind, key: string, value: string): Promise<void> {
    const whole = `${kind}:${key}`
    this.newer.delete(whole)
    this.older.delete(whole)
    this.cache(whole, value)
    await this.store.put(whole, value)
  }

  private async load(whole: string): Promise<string | undefined> {
    const value = await this.store.get(whole)
    this.cache(whole, value)
    return value
  }

  private isCached(whole: string): boolean {
    return this.newer.has(whole) || this.older.has(whole)
  }

  private cached(whole: string): string | undefined {
    return this.newer.has(whole) ? this.newer.get(whole) : this.older.get(whole)
  }

  private cache(whole: string, value: string | undefined): void {
    if (value !== undefined && value.length > MAX_CACHED_LENGTH) return
    if (this.newer.size >= MAX_CACHED) {
      this.older = this.newer
      this.newer = new Map()
    }
    this.newer.set(whole, value)
  }
}
