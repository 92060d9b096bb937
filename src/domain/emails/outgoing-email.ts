/** One mail, whichever way it leaves. */
export interface OutgoingEmail {
  /** `<…@host>`: the same for each try of the same mail. */
  readonly messageId: string
  readonly recipient: string
  readonly subject: string
  readonly text: string
  readonly html?: string
  /** Shown as the sender's name; the address is the deployment's. */
  readonly senderName?: string
  /** Headers beside those that every mail has. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * The address that it comes back to when it cannot be delivered, where the way of mail can name one; else it comes back to
   * the sender.
   */
  readonly returnPath?: string
  /** UNIX seconds. */
  readonly writtenAt: number
}
