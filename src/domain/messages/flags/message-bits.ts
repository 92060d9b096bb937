/** Facts about a message that narrows and flags ask for, as bits of `message_index.bits`. */
export const MESSAGE_BIT = {
  isMe: 1,
  hasLink: 2,
  hasImage: 4,
  hasAttachment: 8,
  hasReaction: 16,
  /** `@**all**`: every receiver is mentioned. */
  channelWildcard: 32,
  topicWildcard: 64,
  /** The sender read it when sending; taken off when the sender marks it unread. */
  readBySender: 128,
  /** A poll or to-do list. */
  isWidget: 256,
  /** All who received it have read it, but for those with the bit UNREAD: nobody needs a row for that. */
  arrivesRead: 512,
  /** "… has marked this topic as resolved": taken back when the mark is, within a minute. */
  isResolveNotice: 1024,
  /** Source and HTML take at most SHORT_BODY bytes together, as they were sent. Whatever made them longer since is no harm. */
  isShort: 2048,
} as const

/** Personal flags that are kept as sparse rows (docs/decisions/design.md#no-row-for-each-recipient); `read` is kept as ranges. */
export const FLAG_BIT = {
  starred: 1,
  collapsed: 2,
  mentioned: 4,
  stream_wildcard_mentioned: 8,
  topic_wildcard_mentioned: 16,
  has_alert_word: 32,
  historical: 64,
} as const

/** A bit in the rows of flags that is no flag of clients: unread although the message arrived read. */
export const UNREAD_BIT = 128

/** Unseen as well: a move gave the message to the user, so that its call to everybody was not for them. */
export const UNMENTIONED_BIT = 256

export type SparseFlag = keyof typeof FLAG_BIT

/** Names of the flags in a row, in the order in which clients see them. */
export function flagNames(bits: number): SparseFlag[] {
  return (Object.keys(FLAG_BIT) as SparseFlag[]).filter((name) => (bits & FLAG_BIT[name]) !== 0)
}
