/** Causes for notifying a user who is away of a message: the first that applies counts. */
const NOTIFICATION_CAUSES = [
  'direct_message',
  'mention',
  'topic_wildcard_mention',
  'channel_wildcard_mention',
  'followed_topic',
  'channel',
] as const

export type NotificationCause = (typeof NOTIFICATION_CAUSES)[number]

/** Whether the message itself mentions the user, and is not only in a channel or topic that they follow. */
export function isMention(cause: NotificationCause): boolean {
  return cause !== 'followed_topic' && cause !== 'channel'
}

/** A user to be notified of a message. */
export interface NotifiableUser {
  readonly userId: number
  readonly cause: NotificationCause
  /** The group that was mentioned, if that was the cause. */
  readonly groupId: number | null
}
