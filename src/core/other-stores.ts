import type { AccountInD1 } from './account-in-d1.ts'
import type { BodyReader, MessageBody } from './message-bodies.ts'
import type { AskingSteps } from './reader.ts'

/** A range of message ids, both ends excluded, to search from one end. */
export interface SearchRange {
  readonly above: number
  readonly below: number
  readonly newestFirst: boolean
  /** Maximum number of ids to find. */
  readonly limit: number
}

export interface SearchPage {
  /** Ids in the order of the search. */
  readonly ids: readonly number[]
  /** The id up to which the search is complete; null if the whole range was searched. */
  readonly reached: number | null
}

/** Finds messages by their source, regardless of who may see them. Needles are in lower case; a message must contain all of them. */
export interface MessageSearch {
  search(searchTerms: readonly string[], range: SearchRange): Promise<SearchPage>
  /** Returns the questions whose answer is yes, with one query. */
  contained<Question extends SearchQuestion>(questions: readonly Question[]): Promise<Question[]>
}

/** Groups of search terms in lower case: all search terms of at least one group must be contained. */
export type SearchTermGroups = readonly (readonly string[])[]

/** Asks whether the source of a message contains one of the groups. */
export interface SearchQuestion {
  readonly id: number
  readonly anyOf: SearchTermGroups
}

/** The stores that hold the texts of messages. */
export interface BodyStore extends BodyReader, MessageSearch {
  /** Runs steps that wait for these stores, in as many turns of the object as they take. */
  drive<Value>(steps: AskingSteps<Value>): Promise<Value>
}

/** An organization's content in D1 and in the file store, for comparison with the realm object. */
export interface StoreContents {
  /**
   * Waits until D1 has everything that was committed before this call, so that delay does not look like a difference.
   * @throws ServiceUnavailableError (503) while D1 does not accept it
   */
  written(): Promise<void>
  /** Returns the messages in (above, upTo] whose bodies D1 has, with the body's version. */
  bodyVersions(above: number, upTo: number): Promise<Map<number, number>>
  /** Returns the messages in (above, upTo] that are in the search index, with the number of trigrams in each text. */
  searchable(above: number, upTo: number): Promise<Map<number, number>>
  /**
   * Returns the messages in (above, upTo] with a body or search row in another database than their own (0: `DB`). Such rows remain if the
   * object is restored to a time before they were written.
   */
  elsewhere(
    above: number,
    upTo: number,
  ): Promise<readonly { readonly id: number; readonly database: number }[]>
  /** Returns the newest message whose body D1 has. */
  newestBody(): Promise<number>
  bodies(ids: readonly number[]): Promise<Map<number, MessageBody>>
  /** Returns the questions to which the search index says yes. */
  findable<Question extends SearchQuestion>(questions: readonly Question[]): Promise<Question[]>
  /** Lists the next accounts above a user's id that D1 has of this organization. */
  accounts(above: number, limit: number): Promise<readonly AccountInD1[]>
  /** Returns the organization's name in D1, and whether it is closed there. */
  listed(): Promise<readonly [name: string, isClosed: number] | undefined>
  /** Returns the size of a file in bytes; null if there is no such file. */
  fileSize(key: string): Promise<number | null>
  /** Lists the files whose keys begin with `prefix`; undefined if there are more than `thousands` thousand. */
  listFiles(prefix: string, thousands: number): Promise<readonly FileInStore[] | undefined>
  /** Whether D1 may lack the newest body of this message at the moment. Then there is nothing to compare. */
  isPending(messageId: number): boolean
  /** Makes Workers forget the texts that they keep: a message gets a version that it may already have had. */
  forgetKeptTexts(): void
}

export interface FileInStore {
  readonly key: string
  /** UNIX seconds. */
  readonly storedAt: number
}

/** The stores that a change may ask (`RealmReads.ask`). */
export interface CallStore extends BodyStore {
  readonly contents: StoreContents
}
