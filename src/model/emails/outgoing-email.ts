/** One mail, independent of how it is sent. */
export interface OutgoingEmail {
  /** `<…@host>`: the same for each try of one mail. */
  readonly messageId: string
  readonly recipient: string
  readonly subject: string
  readonly text: string
  readonly html?: string
  /** Displayed name of the sender; the address is the deployment's. */
  readonly senderName?: string
  /** Headers besides those of every mail. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * The address to which it comes back when it cannot be delivered, if the mail service supports one;
   * otherwise it comes back to the sender.
   */
  readonly returnPath?: string
  /** UNIX seconds. */
  readonly writtenAt: number
}
