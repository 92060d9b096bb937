import { parseJson } from '../core/json.ts'
import { Payload } from '../integrations/payload.ts'
import type { NeutralRecord } from './neutral.ts'

/** Bytes that can be read at any position: an archive, or a file in it. */
export interface Bytes {
  readonly size: number
  /** Returns the bytes from `from` up to `to`; fewer where they end before. */
  read(from: number, to: number): Promise<Uint8Array>
}

/** An archive as it was uploaded, or as it is on a disk. */
export interface ImportArchive extends Bytes {
  /** Its name where it came from, which may say of what kind it is. */
  readonly name: string
}

/** A value that is written as JSON as it is. */
export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [key: string]: Plain }

/**
 * A piece of an archive that is read by itself, in order: an entry of a ZIP, a range of lines. It is stored, so its values are plain; and
 * it is small, since an archive may have 100,000 of them.
 */
export interface ImportUnit {
  /** For people: the name of the file. */
  readonly name: string
  readonly [detail: string]: Plain
}

/** What a reader knows from the units before. It is stored with the progress, so that reading goes on anywhere. */
export interface ImportContext {
  /** Small and plain (at most 256 KiB as JSON), and changed in place. A number as its `line` says where the last record was, if that is a problem. */
  state: { [key: string]: Plain }
  /** What may be large, such as the roots of threads: a text (at most 64 KiB) by a key. */
  readonly store: {
    get(key: string): Promise<string | undefined>
    put(key: string, value: string): Promise<void>
  }
  /** Adds a unit that the present one has found. It is read after all that are listed already. */
  add(unit: ImportUnit): void
}

/**
 * A format of archives (docs/import.md). It is pure: it knows neither the organization nor the clock, and keeps nothing between units but
 * what its context has. Whatever is wrong in one record becomes a `problem`, and the rest goes on.
 */
export interface ImportReader<Unit extends ImportUnit = ImportUnit> {
  /** The name in the API. */
  readonly name: string
  readonly displayName: string
  /** Whether the archive looks like this format. Reads at most some hundred kilobytes. */
  recognises(archive: ImportArchive): Promise<boolean>
  /**
   * Lists the units in the order in which they are read: people and channels before what refers to them. What takes long to list is listed by
   * units, which add others.
   * @throws ImportRefusedError when the archive as a whole cannot be read.
   */
  units(archive: ImportArchive): AsyncIterable<Unit>
  /** Reads one unit. At most 32 MiB are held at a time. Messages may have any order: the engine sorts them by time. */
  read(archive: ImportArchive, unit: Unit, context: ImportContext): AsyncIterable<NeutralRecord>
  /** Finds the bytes of a `file` record with a path; undefined if the archive does not have it. */
  file?(archive: ImportArchive, path: string): Promise<Bytes | undefined>
}

/** An archive that cannot be read at all, in words that say what to do. */
export class ImportRefusedError extends Error {}

// What has been read of an archive already, by keys of the context's store; asked for once in a unit.

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
