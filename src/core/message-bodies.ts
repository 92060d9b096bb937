import type { QuotedText } from './json.ts'

/** The bulk part of a message, as D1 keeps it. */
export interface MessageBody {
  readonly id: number
  /** Rises when the text or its rendering changes; the message index has the same number. */
  readonly version: number
  readonly content: string
  readonly renderedContent: string
  /**
   * Edits of the content, newest first; [] without edits. The index has the moves:
   * model/messages/read/edit-history.ts puts the two together.
   */
  readonly editHistory: readonly unknown[]
  /** Whether the text is lost and a sentence stands in its place. */
  readonly isLost?: true
}

/** The two texts of a message: its source, and its HTML. */
export type TextForm = 'content' | 'renderedContent'

/** One text of a body, as JSON, which a page of messages passes on unchanged. */
export interface MessageText extends Pick<MessageBody, 'id' | 'version' | 'editHistory'> {
  readonly text: QuotedText
}

/** The body that belongs to a message as the realm object knows it. */
export interface BodyVersion {
  readonly id: number
  readonly version: number
  /** Whether the body was short when it was sent: it most likely still is, and is then read at a third of the cost. */
  readonly isShort?: boolean
}

/** A body to read in any version. */
export type WantedBody = Pick<BodyVersion, 'id' | 'isShort'>

/**
 * Reads message bodies from the log's tail or from D1. Ids are ascending; a message without a body gets one of version -1. Bodies beyond
 * BYTES_AT_ONCE are left out, and the caller asks for them afterwards. The first always fits.
 */
export interface BodyReader {
  read(wanted: readonly WantedBody[]): Promise<Map<number, MessageBody>>
  /**
   * Reads bodies of exactly these versions. Others are left out, because the realm has changed meanwhile; if the realm, asked again, still
   * has the same version, the body is lost, and a sentence replaces it.
   */
  readVersions(wanted: readonly BodyVersion[]): Promise<Map<number, MessageBody>>
}

/** Reads bodies in the Worker, which caches texts that many users fetch. */
export interface WorkerBodyReader extends BodyReader {
  /** Reads one text of each body as `readVersions` does. */
  readTexts(wanted: readonly BodyVersion[], form: TextForm): Promise<Map<number, MessageText>>
}

/** Returns the placeholder for a body that D1 does not have. No message has its version. */
export function absentBody(id: number): MessageBody {
  return { id, version: -1, content: '', renderedContent: '', editHistory: [] }
}

/** Returns the replacement for a lost body, so that the message can still be shown, edited, moved and deleted. */
export function lostBody(id: number, version: number): MessageBody {
  return {
    id,
    version,
    content: '*The text of this message is missing.*',
    renderedContent: '<p><em>The text of this message is missing.</em></p>',
    editHistory: [],
    isLost: true,
  }
}

/** Messages from `first` up to the next range have their bodies in this database: the n of BODIES_n, or 0 for `DB`. */
interface BodyRange {
  readonly first: number
  readonly database: number
}

/** Ranges in ascending order. Messages below all of them are in `DB`: an organization that never had another database has no ranges. */
export type BodyRanges = readonly BodyRange[]

/** Returns the number of the database that has a message's body. */
export function databaseOf(ranges: BodyRanges, messageId: number): number {
  return ranges.findLast(({ first }) => first <= messageId)?.database ?? 0
}

/** Groups things that belong to messages by database, in the order of the ranges. */
export function byDatabase<Thing>(
  ranges: BodyRanges,
  things: readonly Thing[],
  messageOf: (thing: Thing) => number,
): [database: number, things: Thing[]][] {
  return [...Map.groupBy(things, (thing) => databaseOf(ranges, messageOf(thing)))].sort(([a], [b]) => a - b)
}
