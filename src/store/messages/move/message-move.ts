/**
 * One move to another topic or channel, for all messages that took it together. The history of a moved
 * message is a chain of these: `message_index.move_id` is the last, `previousId` the one before. So moving a
 * thousand messages writes one row here, whatever their number, and no body is rewritten. Where a whole topic
 * moves within its channel, not even the index is (moves-of-messages.ts puts both together). The table
 * `message_move` is owned by this file.
 */
export interface MessageMove {
  readonly id: number
  readonly previousId: number | null
  readonly userId: number
  /** UNIX seconds. */
  readonly at: number
  /** Log id of its event, which orders it among content edits, and decides who was subscribed then. */
  readonly seq: number
  /** Null when the topic stayed. */
  readonly prevTopic: string | null
  readonly topic: string | null
  /** Null when the channel stayed. */
  readonly prevChannelId: number | null
  readonly channelId: number | null
  /**
   * Whether the target has protected history: then everybody subscribed to it counts as having received the
   * messages.
   */
  readonly subscribersReceived: boolean
  /**
   * The time at which its messages count as moved: null where the topic was only resolved, absent where only
   * the index knows.
   */
  readonly movedAt?: number | null
}

/** A move into a channel, with the messages that came by it. */
export interface MoveIntoChannel extends MessageMove {
  readonly channelId: number
  readonly prevChannelId: number
  /**
   * Ranges of the moved ids: at that time the channel had no other message within one, so that a topic moved
   * into a quiet channel is a single range. Where a later move covers an id, the later one counts.
   */
  readonly ranges: IdRanges
}

/** Ranges of message ids, both ends included. */
export type IdRanges = readonly (readonly [first: number, last: number])[]
