import { BadRequestError, ChannelDoesNotExistError } from '../../core/errors.ts'
import { tryParseJson } from '../../core/json.ts'
import type { RealmView } from '../../core/realm-transaction.ts'
import { recipientId } from '../../core/recipient-id.ts'
import {
  mayAccessChannelMetadata,
  mayAnybodyOpenTopics,
  requireMayOpenTopic,
  requireMayPost,
} from '../../rules/channel-rules.ts'
import { requireMaySendDirect } from '../../rules/message-rules.ts'
import { requireTopicAllowed } from '../../rules/topic-rules.ts'
import { type Channel, findChannel, findChannelByName } from '../../store/channels/channel-rows.ts'
import { findConversation } from '../../store/messages/conversation-rows.ts'
import { hasMessages, oldestMessageOfTopic } from '../../store/messages/message-rows.ts'
import { findTopic } from '../../store/messages/topic-rows.ts'
import { realmPermissions } from '../../store/realm/realm-setting-rows.ts'
import { isSubscribed } from '../../store/subscriptions/subscriber-rows.ts'
import { findUser, findUsers, type User } from '../../store/users/user-rows.ts'
import { actorOf } from '../caller.ts'
import { topicsPolicyIn } from '../channels/read/present-channel.ts'
import type { Destination } from '../messages/text/compose.ts'
import type { Author } from '../messages/text/markdown-lookups.ts'
import { spelledAsRenamed } from '../messages/topic-of-message.ts'
import { apiEmail } from '../users/addresses/api-email.ts'
import { findUserAtAddress } from '../users/addresses/find-by-address.ts'
import { seesUser } from '../users/visibility/visible-users.ts'

/**
 * Limit of the recipients of a direct message (docs/interface/conventions.md#limits), since every copy of it lists all of
 * them: in events, on pages of five thousand messages, in snapshots and in mails.
 */
export const MAX_RECIPIENTS = 200

/**
 * Returns the channel behind an address, where the author may post under this topic. Errors in the order of
 * docs/interface/messages.md#send-a-message, step 4; docs/interface/access.md#channels. `opensAnyTopic`: the
 * organization's own bots begin topics everywhere.
 */
export function resolveChannelDestination(
  view: RealmView,
  author: Author,
  address: ChannelAddress,
  topic: string,
  { opensAnyTopic = false } = {},
): Destination {
  const channel =
    'id' in address ? findChannel(view.sql, address.id) : findChannelByName(view.sql, address.name)
  if (!channel || !knowsChannel(view, author, channel)) throw new ChannelDoesNotExistError(address)
  requireMayPostIn(view, author, channel)
  if (!opensAnyTopic) requireMayOpenTopicIn(view, author, channel, topic)
  requireTopicAllowed(topic, topicsPolicyIn(view.sql, channel))
  return { kind: 'channel', channel, topic: spelledAsRenamed(view, author.user.id, channel.id, topic) }
}

/**
 * Whether the author knows of the channel. A bot may post where its owner is subscribed, so it knows of those channels,
 * but not of others that the owner sees. Source: docs/decisions/interface.md#stricter-than-the-public-server.
 */
function knowsChannel(view: RealmView, { user, actor }: Author, channel: Channel): boolean {
  const subscribed =
    isSubscribed(view.sql, channel.id, user.id) ||
    (user.botOwnerId !== null && isSubscribed(view.sql, channel.id, user.botOwnerId))
  return mayAccessChannelMetadata(actor, channel, subscribed)
}

export function requireMayPostIn(view: RealmView, author: Author, channel: Channel): void {
  requireMayPost(
    author.actor,
    channel,
    isSubscribed(view.sql, channel.id, author.user.id),
    botOwnerFacts(view, author.user, channel),
  )
}

/** Refuses a topic that would be new, where the author may not begin one. */
export function requireMayOpenTopicIn(
  view: RealmView,
  { user, actor }: Author,
  channel: Channel,
  topic: string,
): void {
  if (mayAnybodyOpenTopics(channel)) return
  requireMayOpenTopic(actor, channel, botOwnerFacts(view, user, channel), () => {
    const found = findTopic(view.sql, channel.id, topic)
    return found !== undefined && oldestMessageOfTopic(view.sql, found.id) !== undefined
  })
}

/** Returns the facts about a bot's owner in a channel: a bot that may not post itself may post as its owner. */
export function botOwnerFacts({ sql, now }: RealmView, user: User, channel: Channel) {
  const owner = user.botOwnerId === null ? undefined : findUser(sql, user.botOwnerId)
  return owner
    ? { actor: actorOf(sql, owner, now), isSubscribed: isSubscribed(sql, channel.id, owner.id) }
    : null
}

/** Returns the people behind the addresses, including the author. Errors: docs/interface/messages.md#send-a-message, steps 2 and 4. */
export function resolveDirectDestination(
  view: RealmView,
  author: Author,
  addresses: UserAddresses,
): Destination {
  requireFew('ids' in addresses ? addresses.ids : addresses.emails)
  const named =
    'ids' in addresses ? usersByIds(view, addresses.ids) : usersByEmails(view, author, addresses.emails)
  if (named.length === 0) throw new BadRequestError('Message must have recipients')
  const participants = withAuthor(named, author.user)
  requireConversation(view, author, participants)
  return { kind: 'direct', participants }
}

/** Refuses too many recipients before they are looked up. */
function requireFew(addresses: readonly unknown[]): void {
  if (new Set(addresses).size <= MAX_RECIPIENTS) return
  throw new BadRequestError(`Direct messages cannot have more than ${MAX_RECIPIENTS} recipients`)
}

/** Refuses a conversation to which the author may not write. */
function requireConversation(view: RealmView, author: Author, participants: readonly User[]): void {
  const ids = participants.map(({ id }) => id)
  const conversation = findConversation(view.sql, ids)
  requireMaySendDirect(
    author.actor,
    {
      recipients: participants
        .filter(({ id }) => id !== author.user.id)
        .map((user) => ({
          actor: actorOf(view.sql, user, view.now),
          email: apiEmail(user, view.realm),
          isVisibleToSender: seesUser(view, author, user),
        })),
      hasMessages:
        conversation !== undefined &&
        hasMessages(view.sql, recipientId({ kind: 'conversation', id: conversation.id })),
    },
    realmPermissions(view.sql),
  )
}

export function usersByIds({ sql }: RealmView, ids: readonly number[]): User[] {
  const users = findUsers(sql, ids)
  return ids.map((id) => {
    const user = users.get(id)
    if (!user) throw new BadRequestError(`Invalid user ID ${id}`)
    return user
  })
}

/** Returns users by any address that the author may know. */
function usersByEmails(view: RealmView, author: Author, emails: readonly string[]): User[] {
  return emails.map((email) => {
    const user = findUserAtAddress(view, author, email)
    if (!user) throw new BadRequestError(`Invalid email '${email}'`)
    return user
  })
}

function withAuthor(users: readonly User[], author: User): User[] {
  const byId = new Map([...users, author].map((user) => [user.id, user]))
  return [...byId.values()].sort((a, b) => a.id - b.id)
}

/** The recipients in a client's `to`, before they are looked up. */
type ChannelAddress = { readonly id: number } | { readonly name: string }
type UserAddresses = { readonly ids: readonly number[] } | { readonly emails: readonly string[] }

/** Parses an id or a name, which may be JSON, or a list of one of them (docs/interface/messages.md#send-a-message). */
export function parseChannelAddress(to: string): ChannelAddress {
  const decoded = decodeLeniently(to)
  if (Array.isArray(decoded)) {
    if (decoded.length !== 1) throw new BadRequestError('Cannot send to multiple channels')
    return channelAddress(decoded[0])
  }
  return channelAddress(decoded)
}

function channelAddress(value: unknown): ChannelAddress {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return { id: value }
  if (typeof value === 'string') return { name: value.trim() }
  throw new BadRequestError('Invalid data type for channel')
}

/** Parses an id or an address, a list of either, or addresses separated by commas. */
export function parseUserAddresses(to: string): UserAddresses {
  const decoded = decodeLeniently(to)
  const list = Array.isArray(decoded)
    ? decoded
    : typeof decoded === 'string'
      ? splitAddresses(decoded)
      : [decoded]
  if (list.length === 0) return { ids: [] }
  if (list.every((item) => typeof item === 'number' && Number.isSafeInteger(item)))
    return { ids: list as number[] }
  if (list.every((item) => typeof item === 'string')) {
    return { emails: (list as string[]).map((email) => email.trim()).filter((email) => email !== '') }
  }
  const known = list.every((item) => typeof item === 'string' || typeof item === 'number')
  throw new BadRequestError(
    known
      ? 'Recipient lists may contain emails or user IDs, but not both.'
      : 'Invalid data type for recipients',
  )
}

function splitAddresses(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** Returns decoded JSON, or the text itself if it is not JSON. */
function decodeLeniently(text: string): unknown {
  const value = tryParseJson(text)
  return value === undefined ? text : value
}
