/**
 * One move to another topic or channel, for all messages that took it together. The history of a moved
 * message is a chain of these: `message_index.move_id` is the last, `previousId` the one before. So moving
 * a thousand messages writes one row here, whatever their number, and no body is rewritten. Where a whole
 * topic moves within its channel, not even the index is (moves-of-messages.ts puts both together). The
 * table `message_move` is owned by this file.
 */
export interface MessageMove {
  readonly id: number
  readonly previousId: number | null
  readonly userId: number
  /** UNIX seconds. */
  readonly at: number
  /** The log id of its event: orders it among content edits, and says who was subscribed then. */
  readonly seq: number
  /** Null when the topic stayed. */
  readonly prevTopic: string | null
  readonly topic: string | null
  /** Null when the channel stayed. */
  readonly prevChannelId: number | null
  readonly channelId: number | null
  /** Protected history: everybody subscribed to the target then counts as having received the messages. */
  readonly subscribersReceived: boolean
  /** When its messages count as moved by it: none where the topic was only resolved, and where the index alone knows. */
  readonly movedAt?: number | null
}

/** A move into a channel, with the messages that came by it. */
export interface MoveIntoChannel extends MessageMove {
  readonly channelId: number
  readonly prevChannelId: number
  /**
   * The ranges of ids that came: when it happened the channel had no other message within one, so that a
   * topic moved into a quiet channel is a single range. Where a later move covers an id, that one counts.
   */
  readonly runs: IdRuns
}

/** Ranges of message ids, both ends included. */
export type IdRuns = readonly (readonly [first: number, last: number])[]
