/** The circumstances of a message, beside what it says. */
export interface MessageOrigin {
  /** Name of the sending client. */
  readonly client: string
  /** The sender need not read it again. */
  readonly readBySender: boolean
  /** Users for whom it arrives read: a notice's cause. */
  readonly readBy?: readonly number[]
  /**
   * The users for whom a notice about a resolved topic arrives unread; it arrives read for all others, and is known again as a
   * notice that a topic was resolved or not.
   */
  readonly resolveNotice?: { readonly unreadFor: readonly number[] }
  /** Whether it arrives read for everybody. */
  readonly arrivesRead?: boolean
  /** Echoed to the sender's own queue. */
  readonly local?: { readonly queue_id: string; readonly local_id: string }
  /** Makes a repeated send find this message (docs/decisions/design.md#sends-are-exactly-once). */
  readonly sendKey?: string
}
