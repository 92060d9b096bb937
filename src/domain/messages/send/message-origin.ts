/** Circumstances of a message, besides its content. */
export interface MessageOrigin {
  /** Name of the sending client. */
  readonly client: string
  /** Whether the message arrives read for its sender. */
  readonly readBySender: boolean
  /** Users for whom it arrives read: the cause of a notice. */
  readonly readBy?: readonly number[]
  /**
   * Users for whom a notice about a resolved topic arrives unread; it arrives read for all others, and can be
   * recognized later as such a notice.
   */
  readonly resolveNotice?: { readonly unreadFor: readonly number[] }
  /** Whether it arrives read for everybody. */
  readonly arrivesRead?: boolean
  /** Sent back to the sender's own queue. */
  readonly local?: { readonly queue_id: string; readonly local_id: string }
  /** Key by which a repeated send finds this message (docs/decisions/design.md#sends-are-exactly-once). */
  readonly sendKey?: string
}
