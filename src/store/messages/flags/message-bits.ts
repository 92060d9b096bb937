/** Facts about a message for narrows and flags, as bits of `message_index.bits`. */
export const MESSAGE_BIT = {
  isMe: 1,
  hasLink: 2,
  hasImage: 4,
  hasAttachment: 8,
  hasReaction: 16,
  /** `@**all**`: every receiver is mentioned. */
  channelWildcard: 32,
  topicWildcard: 64,
  /** The sender read it when sending; cleared when the sender marks it as unread. */
  readBySender: 128,
  /** A poll or to-do list. */
  isWidget: 256,
  /**
   * The message counts as read for all receivers except those with the bit UNREAD, so that none needs a row; a notice about a resolved
   * topic, for all but those in `unread_notice`.
   */
  arrivesRead: 512,
  /** The notice "… has marked this topic as resolved", which is deleted if the mark is removed within a minute. */
  isResolveNotice: 1024,
  /** Source and HTML together had at most SHORT_BODY bytes when they were sent. It does no harm if they are longer now. */
  isShort: 2048,
  /** Someone had muted the sender when the message was sent: it arrived read for those who had. */
  senderWasMuted: 4096,
  /** By sending it, its sender came to follow the topic, or to see it in a muted channel: a repeated send gets the same answer. */
  madeFollowed: 8192,
  madeUnmuted: 16384,
  /** It came by an import, with the time that it has in its source. */
  isImported: 32768,
} as const

/** Personal flags that are stored as sparse rows (docs/decisions/design.md#no-row-for-each-recipient); `read` is stored as ranges. */
export const FLAG_BIT = {
  starred: 1,
  collapsed: 2,
  mentioned: 4,
  stream_wildcard_mentioned: 8,
  topic_wildcard_mentioned: 16,
  has_alert_word: 32,
  historical: 64,
  /** The bits between are no flags of clients. */
  hide_link_previews: 512,
} as const

/** A bit in the rows of flags that is no flag of clients: unread although the message arrived read for the user. */
export const UNREAD_BIT = 128

/** Another such bit: a move gave the message to the user, so its mention of everybody was not for them. */
export const UNMENTIONED_BIT = 256

/** Another: the user is mentioned by name, and not through a group alone. */
export const NAMED_BIT = 1024

export type SparseFlag = keyof typeof FLAG_BIT

/** Returns names of the flags in a row, in the order for clients. */
export function flagNames(bits: number): SparseFlag[] {
  return (Object.keys(FLAG_BIT) as SparseFlag[]).filter((name) => (bits & FLAG_BIT[name]) !== 0)
}
