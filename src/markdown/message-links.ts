/**
 * Links into a narrow of the web application: `/#narrow/channel/9-announce/topic/Zulip.20updates/near/214`.
 * Used by rendered `#**channel>topic**` syntax and by the notices that the server writes.
 */

/** Facts of a channel for a link. */
export interface LinkedChannel {
  id: number
  name: string
}

/** A channel whose name the reader of the link may not know. */
type PerhapsNamed = Pick<LinkedChannel, 'id'> & Partial<LinkedChannel>

/**
 * Encodes an operand of a narrow URL: percent-encoding of everything but `A-Za-z0-9_~-`, with `.` in place of
 * `%`, so that the fragment survives clients that decode percent signs early.
 */
export function encodeNarrowOperand(operand: string): string {
  // A lone surrogate would make encodeURIComponent throw; it has no encoding of its own anyway.
  return encodeURIComponent(operand.toWellFormed())
    .replace(/[!*'()]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('.', '%2E')
    .replaceAll('%', '.')
}

/** Returns the channel's operand: the id identifies it, the name is for people who read the URL. */
function channelOperand({ id, name }: PerhapsNamed): string {
  return name === undefined ? String(id) : `${id}-${encodeNarrowOperand(name.replaceAll(' ', '-'))}`
}

/** Returns `/#narrow/channel/{id}-{slug}`, relative to the realm. */
export function channelLink(channel: PerhapsNamed): string {
  return `/#narrow/channel/${channelOperand(channel)}`
}

/**
 * Returns `/#narrow/channel/{id}-{slug}/topic/{topic}`, and `/with/{message id}` of a message in the topic, which leads
 * to it under another name too; the empty topic gives an empty operand.
 */
export function topicLink(channel: PerhapsNamed, topic: string, messageId?: number): string {
  const link = `${channelLink(channel)}/topic/${encodeNarrowOperand(topic)}`
  return messageId === undefined ? link : `${link}/with/${messageId}`
}

/** Returns `/#narrow/channel/{id}-{slug}/topic/{topic}/near/{message id}`. */
export function messageNearLink(channel: PerhapsNamed, topic: string, messageId: number): string {
  return `${topicLink(channel, topic)}/near/${messageId}`
}

/**
 * Returns `/#narrow/dm/{ids}-{dm|group}/near/{message id}`; `userIds` are the participants whom the link's
 * reader sees.
 */
export function directMessageNearLink(userIds: readonly number[], messageId: number): string {
  const suffix = userIds.length >= 3 ? 'group' : 'dm'
  return `/#narrow/dm/${userIds.join(',')}-${suffix}/near/${messageId}`
}
