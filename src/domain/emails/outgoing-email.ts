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
  /** Beside those that every mail has. */
  readonly headers?: Readonly<Record<string, string>>
  /** Where it comes back to when it cannot be delivered, by a way that can say so; else to the sender. */
  readonly returnPath?: string
  /** UNIX seconds. */
  readonly writtenAt: number
}
