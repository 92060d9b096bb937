import type { EditHistoryPolicy } from '../../model/messages/read/edit-history.ts'
import type { PackedMessages } from '../../model/messages/read/pack-messages.ts'
import type { MessageInParts } from '../../model/messages/read/present-message.ts'

/**
 * Messages in one answer of the realm object; fewer if they have many details. The Worker asks for the others afterwards, in further turns.
 */
export const MESSAGES_AT_ONCE = 500

/**
 * The same for messages requested by id, some 0.1 ms each: each may be in a different channel, where the viewer's rights must be checked.
 */
export const IDS_AT_ONCE = 300

export interface FoundMessages<Messages = PackedMessages> {
  /** The first of them, in the form for the Worker, which adds their bodies. */
  readonly messages: Messages
  /** Ids of the rest, for `allOfIds`. Ascending, all above the first. */
  readonly rest: readonly number[]
  readonly historyPolicy: EditHistoryPolicy
  /** The searched words, to be marked in the answer. */
  readonly searchTerms?: readonly string[]
  readonly found: FoundFields
}

/** The found messages before they are packed for the Worker. */
export type PresentedPage = FoundMessages<readonly MessageInParts[]>

/** Fields besides the messages. */
export interface FoundFields {
  /** The anchor; only for a range. */
  readonly anchor?: number
  readonly found_anchor: boolean
  readonly found_oldest: boolean
  readonly found_newest: boolean
  readonly history_limited: boolean
}
