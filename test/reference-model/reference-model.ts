/** An account in the reference model. */
export interface ModelUser {
  readonly id: number
  role: number
  isActive: boolean
  /** Setting for the action that follows a topic: 1 taking part, 2 sending, 3 beginning a topic, 4 none. */
  follows: number
  /** The same setting for unmuting topics in channels that the user has muted. */
  unmutes: number
  followsMentions: boolean
  /** Users whom this user has muted. */
  readonly mutes: Set<number>
}

export type ChannelKind = 'public' | 'shared' | 'protected'

export interface ModelChannel {
  readonly id: number
  readonly name: string
  kind: ChannelKind
  isArchived: boolean
  /** Members of the group may subscribe, and can therefore read. */
  readonly isOpenToGroup: boolean
  readonly subscribers: Set<number>
  /** Users who have muted the topic. */
  readonly muted: Set<number>
}

/** Sets of users by their relation to a message. */
interface OwnSets {
  /** Users who have a record of the message. */
  readonly records: Set<number>
  /** Users who found the message and keep a record, although it was not sent to them. */
  readonly found: Set<number>
  /** Users who got the message by a move. */
  readonly given: Set<number>
  /** Users who got the message by a move and whom its channel mention does not mention. */
  readonly notMentioned: Set<number>
  readonly read: Set<number>
  readonly starred: Set<number>
  readonly mentioned: Set<number>
  /** Users whom it mentions as participants of the topic. */
  readonly mentionedInTopic: Set<number>
}

export interface ModelMessage extends OwnSets {
  readonly id: number
  /** Only for channel messages. */
  channelId?: number
  /** The topic as spelled when the message was sent or moved; case makes no difference. */
  topic: string
  /** Only for direct messages: all participants, the sender included. */
  readonly participants?: readonly number[]
  readonly senderId: number
  content: string
  /** Whether the message says that the topic was resolved or unresolved. */
  readonly isToggleNotice: boolean
  /** Whether the message mentions everybody in the channel. */
  mentionsChannel: boolean
  /** Users who have reacted to it, always with the same emoji. */
  readonly reactions: Set<number>
}

/** The users whom a text mentions, by the kind of mention. */
export interface Mentions {
  readonly users?: readonly number[]
  readonly group?: boolean
  readonly channel?: boolean
  readonly topic?: boolean
}

export const POLICY = { none: 0, muted: 1, unmuted: 2, followed: 3 } as const

/** The policies, ordered by how much of a topic they show. */
const BY_VISIBILITY: readonly number[] = [POLICY.muted, POLICY.none, POLICY.unmuted, POLICY.followed]

/** docs/interface/conventions.md#topics: topics match without regard to case. */
export function topicKey(topic: string): string {
  return topic.toLowerCase()
}

/** The rules that decide what users see, in their simplest form: sets only. */
export class ReferenceModel {
  readonly users = new Map<number, ModelUser>()
  readonly channels = new Map<number, ModelChannel>()
  readonly messages = new Map<number, ModelMessage>()
  /** A group, with its direct members and the group inside it. */
  readonly group = { id: 0, name: '', members: new Set<number>() }
  readonly innerGroup = { id: 0, members: new Set<number>() }
  /** Policies that users have set for topics, by `user channel topic` in lower case; no entry: nothing is set. */
  readonly policies = new Map<string, number>()
  /** Stars on messages that were not visible to their user at some time, as `user message`. */
  readonly hiddenStars = new Set<string>()
  /** Channels that were archived or not visible to the user at some time, as `user channel`. */
  readonly hiddenChannels = new Set<string>()

  addUser(id: number, role: number): void {
    const settings = { follows: 4, unmutes: 4, followsMentions: false, mutes: new Set<number>() }
    this.users.set(id, { id, role, isActive: true, ...settings })
  }

  isInGroup(userId: number): boolean {
    return this.group.members.has(userId) || this.innerGroup.members.has(userId)
  }

  /** docs/interface/access.md#channels: who may read a channel's content. */
  mayRead(userId: number, channelId: number): boolean {
    const channel = this.channels.get(channelId)!
    if (channel.subscribers.has(userId)) return true
    if (this.users.get(userId)!.role === 600) return false
    return channel.kind === 'public' || (channel.isOpenToGroup && this.isInGroup(userId))
  }

  /** docs/interface/access.md#channels, posting. */
  maySend(userId: number, channelId: number): boolean {
    const channel = this.channels.get(channelId)!
    if (channel.isArchived || !this.mayRead(userId, channelId)) return false
    return channel.kind !== 'protected' || channel.subscribers.has(userId)
  }

  /** docs/interface/access.md#messages: whether the user may read the message. */
  maySee(userId: number, message: ModelMessage): boolean {
    if (message.channelId === undefined) return message.records.has(userId)
    if (!this.mayRead(userId, message.channelId)) return false
    return this.channels.get(message.channelId)!.kind !== 'protected' || message.records.has(userId)
  }

  /** Nothing in an archived channel changes. */
  mayModify(userId: number, message: ModelMessage): boolean {
    return !this.isInArchive(message) && this.maySee(userId, message)
  }

  isInArchive({ channelId }: ModelMessage): boolean {
    return channelId !== undefined && this.channels.get(channelId)!.isArchived
  }

  inTopic(channelId: number, topic: string): ModelMessage[] {
    return [...this.messages.values()].filter(
      (one) => one.channelId === channelId && topicKey(one.topic) === topicKey(topic),
    )
  }

  addChannelMessage(
    sent: Pick<ModelMessage, 'id' | 'senderId' | 'topic' | 'content'> & { channelId: number },
    mentions: Mentions = {},
    isToggleNotice = false,
  ): ModelMessage {
    const receivers = [...this.channels.get(sent.channelId)!.subscribers].filter(
      (userId) => this.users.get(userId)!.isActive,
    )
    const participants = mentions.topic ? this.#participants(sent.channelId, sent.topic, sent.senderId) : []
    const message = this.#add(
      { ...sent, isToggleNotice, mentionsChannel: mentions.channel === true },
      receivers,
    )
    this.#mention(message, this.#mentionedByName(mentions), participants)
    return message
  }

  addDirectMessage(
    sent: Pick<ModelMessage, 'id' | 'senderId' | 'content'>,
    others: readonly number[],
    mentions: Mentions = {},
  ): void {
    const participants = [...new Set([sent.senderId, ...others])]
    const facts = { ...sent, topic: '', participants, isToggleNotice: false, mentionsChannel: false }
    this.#mention(this.#add(facts, participants), this.#mentionedByName(mentions), [])
  }

  /** docs/interface/messages.md#what-moves, effects of an edit: only those who have the message are mentioned, or no longer mentioned. */
  edit(message: ModelMessage, content: string, mentions: Mentions): void {
    const isInChannel = message.channelId !== undefined
    message.content = content
    message.mentioned.clear()
    if (isInChannel && mentions.channel) {
      message.mentionsChannel = true
      message.notMentioned.clear()
    }
    const participants =
      isInChannel && mentions.topic
        ? this.#participants(message.channelId!, message.topic, message.senderId)
        : []
    this.#mention(message, this.#mentionedByName(mentions), participants)
  }

  /** Gives a user who finds a message that was not sent to them a record of it, as read. */
  keep(userId: number, message: ModelMessage): void {
    if (message.records.has(userId)) return
    for (const set of [message.records, message.found, message.read]) set.add(userId)
  }

  /**
   * docs/interface/subscriptions.md#settings-of-a-subscription: messages of muted users are read, and so are their later
   * ones.
   */
  mute(userId: number, otherId: number): void {
    this.users.get(userId)!.mutes.add(otherId)
    for (const message of this.messages.values()) {
      if (message.senderId === otherId && message.records.has(userId)) message.read.add(userId)
    }
  }

  /** docs/interface/subscriptions.md#unsubscribe: a user who leaves has nothing unread in the channel. */
  leave(userId: number, channelId: number): void {
    this.channels.get(channelId)!.subscribers.delete(userId)
    for (const message of this.messages.values()) {
      if (message.channelId === channelId && message.records.has(userId)) message.read.add(userId)
    }
  }

  /**
   * docs/interface/messages.md#what-moves, effects: moves the named messages, by a user who sees all of them. Without a
   * topic each message keeps its topic, spelled as before.
   */
  move(messages: readonly ModelMessage[], channelId: number, topic?: string): void {
    const target = this.channels.get(channelId)!
    for (const message of messages) {
      const isOtherChannel = message.channelId !== channelId
      message.channelId = channelId
      message.topic = topic ?? message.topic
      if (!isOtherChannel) continue
      for (const userId of [...message.records]) {
        if (!target.subscribers.has(userId)) for (const name of OWN_SETS) message[name].delete(userId)
      }
      if (target.kind !== 'protected') continue
      for (const userId of target.subscribers) {
        if (message.records.has(userId)) continue
        for (const set of [message.records, message.given, message.read]) set.add(userId)
        if (message.mentionsChannel) message.notMentioned.add(userId)
      }
    }
  }

  /** Whether the user can display a channel. */
  isInView(userId: number, channelId: number): boolean {
    return !this.channels.get(channelId)!.isArchived && this.mayRead(userId, channelId)
  }

  /** Records what is hidden from each user; to be called after each change. Nobody gets events about hidden things. */
  noteWhatIsHidden(): void {
    for (const userId of this.users.keys()) {
      for (const channelId of this.channels.keys()) {
        if (!this.isInView(userId, channelId)) this.hiddenChannels.add(`${userId} ${channelId}`)
      }
    }
    for (const message of this.messages.values()) {
      for (const userId of message.starred) {
        if (!this.maySee(userId, message)) this.hiddenStars.add(`${userId} ${message.id}`)
      }
    }
  }

  policyOf(userId: number, channelId: number, topic: string): number {
    return this.policies.get(`${userId} ${channelId} ${topicKey(topic)}`) ?? POLICY.none
  }

  setPolicy(userId: number, channelId: number, topic: string, policy: number): void {
    const key = `${userId} ${channelId} ${topicKey(topic)}`
    if (policy === POLICY.none) this.policies.delete(key)
    else this.policies.set(key, policy)
  }

  /**
   * docs/interface/messages.md#edit-or-move-a-message: when all of a topic moves, users' policies for it move along. To be
   * called before the move: a user who saw nothing of the topic has set a policy for its name alone, which stays.
   */
  movePolicies(from: readonly [number, string], to: readonly [number, string]): void {
    if (topicKey(from.join()) === topicKey(to.join())) return
    const hadMessages = this.inTopic(...to).length > 0
    for (const userId of this.users.keys()) {
      const [old, there] = [this.policyOf(userId, ...from), this.policyOf(userId, ...to)]
      if (old !== POLICY.none && !this.inTopic(...from).some((one) => this.maySee(userId, one))) continue
      this.setPolicy(userId, ...from, POLICY.none)
      if (from[0] !== to[0] && !this.#seesWhatComes(userId, to[0])) continue
      const both = [old, there].sort((a, b) => BY_VISIBILITY.indexOf(a) - BY_VISIBILITY.indexOf(b))
      this.setPolicy(userId, ...to, hadMessages ? both[1]! : old)
    }
  }

  /** Whether a user sees new messages of a channel; with protected history only subscribers do. */
  #seesWhatComes(userId: number, channelId: number): boolean {
    const { kind, subscribers } = this.channels.get(channelId)!
    return kind === 'protected' ? subscribers.has(userId) : this.mayRead(userId, channelId)
  }

  /**
   * docs/interface/messages.md#send-a-message: taking part in a topic follows or unmutes it, as the user's settings say.
   */
  takePart(userId: number, { channelId, topic }: ModelMessage, occasions: readonly number[]): void {
    if (channelId === undefined) return
    const user = this.users.get(userId)!
    const present = this.policyOf(userId, channelId, topic)
    if (present === POLICY.followed) return
    const counted = occasions.filter((occasion) => present === POLICY.none || occasion !== 3)
    const { subscribers, muted } = this.channels.get(channelId)!
    if (counted.includes(user.follows)) this.setPolicy(userId, channelId, topic, POLICY.followed)
    else if (counted.includes(user.unmutes) && subscribers.has(userId) && muted.has(userId)) {
      this.setPolicy(userId, channelId, topic, POLICY.unmuted)
    }
  }

  /** The same for users whom a new message mentions by name. */
  followMentions({ channelId, topic, records }: ModelMessage, userIds: readonly number[]): void {
    for (const userId of userIds) {
      if (!records.has(userId) || !this.users.get(userId)!.followsMentions) continue
      if (this.policyOf(userId, channelId!, topic) === POLICY.muted) continue
      this.setPolicy(userId, channelId!, topic, POLICY.followed)
    }
  }

  isMuted(userId: number, message: ModelMessage): boolean {
    if (message.channelId === undefined) return false
    const policy = this.policyOf(userId, message.channelId, message.topic)
    if (policy !== POLICY.none) return policy === POLICY.muted
    return this.channels.get(message.channelId)!.muted.has(userId)
  }

  /** Returns the unread messages that the user has and can currently see, by ascending id. */
  unreadOf(userId: number): ModelMessage[] {
    return [...this.messages.values()].filter(
      ({ records, read, channelId }) =>
        records.has(userId) &&
        !read.has(userId) &&
        (channelId === undefined || this.channels.get(channelId)!.subscribers.has(userId)),
    )
  }

  #add(facts: Omit<ModelMessage, keyof OwnSets | 'reactions'>, receivers: readonly number[]): ModelMessage {
    const records = new Set(receivers)
    const deaf = receivers.filter((userId) => this.users.get(userId)?.mutes.has(facts.senderId))
    const message = {
      ...facts,
      records,
      found: new Set<number>(),
      given: new Set<number>(),
      notMentioned: new Set<number>(),
      read: new Set([...deaf, ...(records.has(facts.senderId) ? [facts.senderId] : [])]),
      starred: new Set<number>(),
      mentioned: new Set<number>(),
      mentionedInTopic: new Set<number>(),
      reactions: new Set<number>(),
    }
    this.messages.set(facts.id, message)
    return message
  }

  #mentionedByName({ users = [], group = false }: Mentions): number[] {
    const members = group ? [...this.users.keys()].filter((userId) => this.isInGroup(userId)) : []
    return [...users, ...members].filter((userId) => this.users.get(userId)?.isActive)
  }

  #mention(message: ModelMessage, byName: readonly number[], inTopic: readonly number[]): void {
    for (const userId of byName) if (message.records.has(userId)) message.mentioned.add(userId)
    for (const userId of inTopic) if (message.records.has(userId)) message.mentionedInTopic.add(userId)
  }

  /** Returns the users who sent or reacted, and the user who is about to. */
  #participants(channelId: number, topic: string, newMember: number): number[] {
    const there = this.inTopic(channelId, topic).flatMap(({ senderId, reactions }) => [
      senderId,
      ...reactions,
    ])
    return [...new Set([...there, newMember])].filter((userId) => this.users.get(userId)?.isActive)
  }
}

const OWN_SETS: readonly (keyof OwnSets)[] = [
  'records',
  'found',
  'given',
  'notMentioned',
  'read',
  'starred',
  'mentioned',
  'mentionedInTopic',
]
