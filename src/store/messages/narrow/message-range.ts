/** A range of one conversation or channel: ids above `since`, up to `until`. */
export interface MessageRange {
  readonly recipientId: number
  readonly since: number
  readonly until: number
}

/** Tests that SQLite makes itself while it reads the index: a message that fails costs a tenth there. */
export interface RowFilter {
  readonly senderId: number | undefined
  /** Bits that must be set. */
  readonly bits: number
}
