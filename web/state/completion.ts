import type { Channel, ChatState, UserGroup } from './chat-state.ts'
import { type Conversation, conversationKey, conversationOf } from './conversation.ts'
import { mayMentionGroup } from './group-permissions.ts'
import { isMutedPerson } from './muted-people.ts'
import { isTopicMuted, TOPIC_POLICY, topicPolicy, topicsOf } from './topics.ts'
import type { User } from './wire.ts'
import { closeness, FIT, fitOf, plain, plainName } from './words.ts'

/** Returns the first `limit` by rank, then by name. */
export function best<T>(found: readonly Ranked<T>[], limit: number): T[] {
  return found
    .toSorted((a, b) => compareRanks(a.rank, b.rank) || a.name.localeCompare(b.name))
    .slice(0, limit)
    .map(({ one }) => one)
}

export interface Ranked<T> {
  readonly one: T
  readonly name: string
  /** The first difference decides; lower comes earlier. */
  readonly rank: readonly number[]
}

export function compareRanks(a: readonly number[], b: readonly number[]): number {
  for (let index = 0; index < a.length; index += 1) {
    const difference = a[index]! - b[index]!
    if (difference !== 0) return difference
  }
  return 0
}

export const AT_ONCE = 8

/**
 * Returns people that match the typed text, better matches first; then people who wrote here lately, or elsewhere in the channel, are in the
 * channel, or write with the user; people before bots, and the user last. Closed accounts are left out.
 */
export function completePeople(
  state: ChatState,
  query: string,
  { where, limit = AT_ONCE }: { readonly where?: Conversation; readonly limit?: number } = {},
): User[] {
  const wanted = plain(query)
  const fitting: { user: User; how: number }[] = []
  for (const user of state.users.values()) {
    if (!user.is_active || user.is_system_bot || isMutedPerson(state, user.user_id)) continue
    const how =
      closeness(plainName(user), wanted) ?? (fitsElsewhere(user, wanted) ? FIT.inside + 1 : undefined)
    if (how !== undefined) fitting.push({ user, how })
  }
  const nearness = nearnessOf(state, where)
  return best(
    fitting.map(({ user, how }) => ({
      one: user,
      name: user.full_name,
      rank: [
        how <= FIT.words ? 0 : how,
        user.user_id === state.me ? 1 : 0,
        ...nearness(user.user_id),
        user.is_bot ? 1 : 0,
        how,
      ],
    })),
    limit,
  )
}

/** Whether the words are in the name in another order, or begin the address. */
function fitsElsewhere(user: User, query: string): boolean {
  if (query === '') return false
  const words = query.split(' ')
  const areInName = words.length > 1 && words.every((word) => plainName(user).includes(word))
  return areInName || (user.delivery_email?.toLowerCase().startsWith(query) ?? false)
}

/** Returns a function that ranks people: the lower, the closer to the present conversation. */
function nearnessOf(state: ChatState, where: Conversation | undefined): (userId: number) => number[] {
  const here = new Map<number, number>()
  const inChannel = new Map<number, number>()
  for (const message of where ? state.messages.values() : []) {
    if (where?.kind === 'topic' && message.stream_id !== where.channelId) continue
    if (where?.kind === 'topic') noteNewest(inChannel, message.sender_id, message.id)
    if (conversationKey(conversationOf(message, state.me)) === conversationKey(where!)) {
      noteNewest(here, message.sender_id, message.id)
    }
  }
  const partners = new Map<number, number>()
  for (const { conversation, newestId } of state.recent.values()) {
    if (conversation.kind !== 'direct') continue
    for (const id of conversation.peers) noteNewest(partners, id, newestId)
  }
  const subscribers = where?.kind === 'topic' ? state.channels.get(where.channelId)?.subscribers : undefined
  const newest = (of: ReadonlyMap<number, number>, id: number) => -(of.get(id) ?? 0)
  return (id) => [newest(here, id), newest(inChannel, id), subscribers?.has(id) ? 0 : 1, newest(partners, id)]
}

function noteNewest(newest: Map<number, number>, userId: number, id: number): void {
  newest.set(userId, Math.max(newest.get(userId) ?? 0, id))
}

/** Returns groups that the user may mention, without those of roles. */
export function completeGroups(state: ChatState, query: string, limit = AT_ONCE): UserGroup[] {
  const found: Ranked<UserGroup>[] = []
  for (const group of state.groups.values()) {
    if (group.is_system_group || !mayMentionGroup(state, group)) continue
    const how = fitOf(group.name, query)
    if (how !== undefined) found.push({ one: group, name: group.name, rank: [how] })
  }
  return best(found, limit)
}

/** Returns matching channels: the user's first, pinned and unmuted ones before others. */
export function completeChannels(state: ChatState, query: string, limit = AT_ONCE): Channel[] {
  const found: Ranked<Channel>[] = []
  for (const channel of state.channels.values()) {
    if (channel.is_archived) continue
    const how = fitOf(channel.name, query)
    if (how === undefined) continue
    const { subscription } = channel
    const standing = subscription ? (subscription.is_muted ? 2 : subscription.pin_to_top ? 0 : 1) : 3
    found.push({ one: channel, name: channel.name, rank: [how <= FIT.words ? 0 : 1, standing, how] })
  }
  return best(found, limit)
}

/** Returns topics: followed ones first, then the newest; muted ones last. `emptyTopic`: the name by which the one without a name is found. */
export function completeTopics(
  state: ChatState,
  channelId: number,
  query: string,
  limit = AT_ONCE,
  emptyTopic = state.organization.empty_topic_display_name,
): string[] {
  const found: Ranked<string>[] = []
  for (const { name, newestId } of topicsOf(state, channelId)) {
    const how = fitOf(name || emptyTopic, query)
    if (how === undefined) continue
    const isFollowed = topicPolicy(state, channelId, name) === TOPIC_POLICY.followed
    const standing = isTopicMuted(state, channelId, name) ? 2 : isFollowed ? 0 : 1
    found.push({ one: name, name, rank: [how <= FIT.words ? 0 : 1, standing, -newestId] })
  }
  return best(found, limit)
}
