/** What the reference knows of an account. */
export interface ModelUser {
  readonly id: number
  role: number
  isActive: boolean
}

export interface ModelChannel {
  readonly id: number
  readonly kind: 'public' | 'shared' | 'protected'
  readonly subscribers: Set<number>
  /** Who has muted it. */
  readonly muted: Set<number>
}

export interface ModelMessage {
  readonly id: number
  /** Of channel messages. */
  channelId?: number
  topic: string
  /** Of direct messages: everybody in it, the sender too. */
  readonly participants?: readonly number[]
  readonly senderId: number
  content: string
  /** Who has a record of it. */
  readonly records: Set<number>
  readonly read: Set<number>
  readonly starred: Set<number>
  /** Who has put the one emoji on it. */
  readonly reactions: Set<number>
}

/** The rules that matter to what users see, in their plainest form: sets, and no cleverness. */
export class ReferenceModel {
  readonly users = new Map<number, ModelUser>()
  readonly channels = new Map<number, ModelChannel>()
  readonly messages = new Map<number, ModelMessage>()
  /** Muted topics, as `user channel topic`. */
  readonly mutedTopics = new Set<string>()

  /** Behaviour 0.7: who may read a channel's content. */
  mayRead(userId: number, channelId: number): boolean {
    const channel = this.channels.get(channelId)!
    if (channel.subscribers.has(userId)) return true
    return channel.kind === 'public' && this.users.get(userId)!.role !== 600
  }

  /** Behaviour 0.8: may the user read the message? */
  maySee(userId: number, message: ModelMessage): boolean {
    if (message.channelId === undefined) return message.records.has(userId)
    if (!this.mayRead(userId, message.channelId)) return false
    return this.channels.get(message.channelId)!.kind !== 'protected' || message.records.has(userId)
  }

  addChannelMessage(id: number, senderId: number, channelId: number, topic: string, content: string): void {
    const receivers = [...this.channels.get(channelId)!.subscribers].filter(
      (userId) => this.users.get(userId)!.isActive,
    )
    this.messages.set(id, {
      id,
      channelId,
      topic,
      senderId,
      content,
      ...newSets(receivers, senderId),
    })
  }

  addDirectMessage(id: number, senderId: number, others: readonly number[], content: string): void {
    const participants = [...new Set([senderId, ...others])]
    this.messages.set(id, {
      id,
      topic: '',
      participants,
      senderId,
      content,
      ...newSets(participants, senderId),
    })
  }

  /** Behaviour 4.4: who leaves has nothing unread there. */
  leave(userId: number, channelId: number): void {
    this.channels.get(channelId)!.subscribers.delete(userId)
    for (const message of this.messages.values()) {
      if (message.channelId === channelId && message.records.has(userId)) message.read.add(userId)
    }
  }

  /** Behaviour 4.2, effects: the messages named, by somebody who sees them all. */
  move(messages: readonly ModelMessage[], channelId: number, topic: string): void {
    const target = this.channels.get(channelId)!
    for (const message of messages) {
      const isOtherChannel = message.channelId !== channelId
      message.channelId = channelId
      message.topic = topic
      if (!isOtherChannel) continue
      for (const userId of [...message.records]) {
        if (target.subscribers.has(userId)) continue
        for (const set of [message.records, message.read, message.starred]) set.delete(userId)
      }
      if (target.kind !== 'protected') continue
      for (const userId of target.subscribers) {
        if (message.records.has(userId)) continue
        message.records.add(userId)
        message.read.add(userId)
      }
    }
  }

  isMuted(userId: number, message: ModelMessage): boolean {
    if (message.channelId === undefined) return false
    return (
      this.channels.get(message.channelId)!.muted.has(userId) ||
      this.mutedTopics.has(`${userId} ${message.channelId} ${message.topic}`)
    )
  }

  /** Ids, ascending: what a user has a record of and has not read, where the user is at present. */
  unreadOf(userId: number): ModelMessage[] {
    return [...this.messages.values()].filter(
      ({ records, read, channelId }) =>
        records.has(userId) &&
        !read.has(userId) &&
        (channelId === undefined || this.channels.get(channelId)!.subscribers.has(userId)),
    )
  }
}

function newSets(receivers: readonly number[], senderId: number) {
  const records = new Set(receivers)
  return {
    records,
    read: new Set(records.has(senderId) ? [senderId] : []),
    starred: new Set<number>(),
    reactions: new Set<number>(),
  }
}
