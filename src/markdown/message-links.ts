/**
 * Links into a narrow of the web application: `/#narrow/channel/9-announce/topic/Zulip.20updates/near/214`. Rendered `#**channel>topic**`
 * syntax and notices by the server use them.
 */

export interface LinkedChannel {
  id: number
  name: string
}

/** A channel whose name the reader of the link may be unable to see. */
type PerhapsNamed = Pick<LinkedChannel, 'id'> & Partial<LinkedChannel>

/**
 * Encodes an operand of a narrow URL: percent-encodes everything but `A-Za-z0-9_~-`, with `.` in place of `%`, so that the fragment
 * survives clients that decode percent signs early.
 */
export function encodeNarrowOperand(operand: string): string {
  // encodeURIComponent throws for a lone surrogate, which has no encoding anyway.
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
 * Returns `/#narrow/channel/{id}-{slug}/topic/{topic}`, with `/with/{message id}` of a message in the topic, which finds it under another
 * name too; the empty topic gives an empty operand.
 */
export function topicLink(channel: PerhapsNamed, topic: string, messageId?: number): string {
  const link = `${channelLink(channel)}/topic/${encodeNarrowOperand(topic)}`
  return messageId === undefined ? link : `${link}/with/${messageId}`
}

/** Returns `/#narrow/channel/{id}-{slug}/topic/{topic}/near/{message id}`. */
export function messageNearLink(channel: PerhapsNamed, topic: string, messageId: number): string {
  return `${topicLink(channel, topic)}/near/${messageId}`
}

/** Returns `/#narrow/dm/{ids}-{dm|group}/near/{message id}`; `userIds` are the participants visible to the link's reader. */
export function directMessageNearLink(userIds: readonly number[], messageId: number): string {
  const suffix = userIds.length >= 3 ? 'group' : 'dm'
  return `/#narrow/dm/${userIds.join(',')}-${suffix}/near/${messageId}`
}
