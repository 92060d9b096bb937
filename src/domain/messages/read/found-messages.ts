import type { EditHistoryPolicy } from '../edit/edit-history.ts'
import type { PresentedMessage } from './present-message.ts'

/** Limit of messages in one answer of the realm object; fewer where they have many details. */
export const MESSAGES_AT_ONCE = 1_000

/** The found messages, in the form for the Worker, which adds their bodies. */
export interface FoundMessages {
  /** The first of them. */
  readonly messages: readonly PresentedMessage[]
  /** Ids of the rest, for `allOfIds`. Ascending, all above the first. */
  readonly rest: readonly number[]
  readonly historyPolicy: EditHistoryPolicy
  /** The searched words, to be marked in the answer. */
  readonly needles?: readonly string[]
  readonly found: FoundFields
}

/** Fields besides the messages. */
export interface FoundFields {
  /** The anchor; only for a range. */
  readonly anchor?: number
  readonly found_anchor: boolean
  readonly found_oldest: boolean
  readonly found_newest: boolean
  readonly history_limited: boolean
}
