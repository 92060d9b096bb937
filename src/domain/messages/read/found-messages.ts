import type { EditHistoryPolicy } from '../edit/edit-history.ts'
import type { PresentedMessage } from './present-message.ts'

/** The messages that one answer of the realm object has at most; fewer where they have much with them. */
export const MESSAGES_AT_ONCE = 1_000

/** The messages that were found, as the Worker gets them to complete them with bodies. */
export interface FoundMessages {
  /** The first of them. */
  readonly messages: readonly PresentedMessage[]
  /** Ids of the rest, to be asked for by `allOfIds`. Ascending, all above the first. */
  readonly rest: readonly number[]
  readonly historyPolicy: EditHistoryPolicy
  /** The words that were searched for, to be marked in the answer. */
  readonly needles?: readonly string[]
  readonly found: FoundFields
}

/** The fields beside the messages. */
export interface FoundFields {
  /** The anchor; only of a range. */
  readonly anchor?: number
  readonly found_anchor: boolean
  readonly found_oldest: boolean
  readonly found_newest: boolean
  readonly history_limited: boolean
}
