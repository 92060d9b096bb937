/** Why somebody who is away is notified of a message: the first of these that applies. */
const NOTIFICATION_CAUSES = [
  'direct_message',
  'mention',
  'topic_wildcard_mention',
  'channel_wildcard_mention',
  'followed_topic',
  'channel',
] as const

export type NotificationCause = (typeof NOTIFICATION_CAUSES)[number]

/** Does the message itself mention somebody, or does it only stand where they listen? */
export function isMention(cause: NotificationCause): boolean {
  return cause !== 'followed_topic' && cause !== 'channel'
}

/** A user who is to be notified of a message. */
export interface NotifiableUser {
  readonly userId: number
  readonly cause: NotificationCause
  /** The group that was mentioned, where that was the cause. */
  readonly groupId: number | null
}
