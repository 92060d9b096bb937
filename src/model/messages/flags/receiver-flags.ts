import type { Audience } from '../../../core/audience.ts'
import { IdSet } from '../../../core/id-set.ts'
import type { RealmReads, RealmView } from '../../../core/realm-transaction.ts'
import type { Sql } from '../../../core/sql.ts'
import type { StoredMessageEvent } from '../../../events/message.ts'
import { mayAccessChannelContent } from '../../../rules/channel-rules.ts'
import type { Channel } from '../../../store/channels/channel-rows.ts'
import { FLAG_BIT, NAMED_BIT } from '../../../store/messages/flags/message-bits.ts'
import { topicParticipants } from '../../../store/messages/topic-rows.ts'
import { usersWhoMuted } from '../../../store/muted-users/muted-user-rows.ts'
import { subscribersOf } from '../../../store/subscriptions/subscriber-rows.ts'
import { bots, closedAccounts } from '../../../store/users/account-set-rows.ts'
import { findUsers, type User } from '../../../store/users/user-rows.ts'
import { actorOf } from '../../caller.ts'
import { accountsInGroups } from '../../user-groups/group-members.ts'
import type { Composition, MessageOrigin } from '../text/compose.ts'

export interface ReceiverFlags {
  readonly audience: Audience
  /** Flags that every receiver has. */
  readonly common: string[]
  readonly personal: StoredMessageEvent['personal']
  /** Bits of sparse rows to store, by user id. */
  readonly rows: ReadonlyMap<number, number>
  /** The users for whom a notice arrives unread; it arrives read for all others. */
  readonly unreadFor: readonly number[]
  /** Whether anyone has muted the author; for them, the message arrives read. */
  readonly isAuthorMuted: boolean
}

/** Returns the flags of all receivers. Source: docs/interface/messages.md#send-a-message. */
export function flagsOfReceivers(
  view: RealmReads,
  message: Composition,
  topicId: number,
  origin: MessageOrigin,
): ReceiverFlags {
  const { rendered, destination, author } = message
  const { sql } = view
  const receives = receiverTest(view, message)
  const mentioned = receives([
    ...rendered.mentionedUserIds,
    ...accountsInGroups(view, rendered.mentionedGroupIds),
  ])
  const topicWildcard =
    rendered.topicWildcard && destination.kind === 'channel'
      ? receives(topicParticipants(sql, topicId, author.user.id))
      : []
  const alerted = receives(rendered.alertedUserIds.filter((id) => id !== author.user.id))
  const rows = new Map<number, number>()
  const mark = (ids: readonly number[], bit: number) => {
    for (const id of ids) rows.set(id, (rows.get(id) ?? 0) | bit)
  }
  mark(mentioned, FLAG_BIT.mentioned)
  const named = new Set(rendered.mentionedUserIds)
  const mentionedByName = mentioned.filter((id) => named.has(id))
  mark(mentionedByName, NAMED_BIT)
  mark(topicWildcard, FLAG_BIT.topic_wildcard_mentioned)
  mark(alerted, FLAG_BIT.has_alert_word)
  const read = [
    ...(origin.readBySender ? [author.user.id] : []),
    ...(origin.readBy ?? []),
    ...mutersAmong(sql, message, mentioned),
  ]
  return {
    audience: audienceOf(message, mentioned),
    common: [
      ...(origin.resolveNotice || origin.arrivesRead ? ['read'] : []),
      ...(rendered.channelWildcard && destination.kind === 'channel' ? ['stream_wildcard_mentioned'] : []),
    ],
    personal: {
      ...(read.length > 0 ? { read } : {}),
      ...(mentioned.length > 0 ? { mentioned } : {}),
      ...(topicWildcard.length > 0 ? { topic_wildcard_mentioned: topicWildcard } : {}),
      ...(alerted.length > 0 ? { has_alert_word: alerted } : {}),
    },
    rows,
    unreadFor: origin.resolveNotice?.unreadFor ?? [],
    isAuthorMuted: usersWhoMuted(sql, author.user.id).length > 0,
  }
}

/** Returns the receivers who have muted the author; closed accounts may be among them. */
function mutersAmong(sql: Sql, { author, destination }: Composition, mentioned: readonly number[]): number[] {
  const muters = usersWhoMuted(sql, author.user.id)
  if (muters.length === 0) return []
  if (destination.kind === 'direct') {
    return destination.participants.map(({ id }) => id).filter((id) => muters.includes(id))
  }
  const subscribers = subscribersOf(sql, destination.channel.id)
  // A bot may be mentioned without being subscribed.
  const otherBots = bots(sql).and(IdSet.of(mentioned)).andNot(closedAccounts(sql))
  return muters.filter((id) => subscribers.has(id) || otherBots.has(id))
}

/** Returns the subscribers, and mentioned bots that may read the channel without being subscribed. */
function audienceOf({ destination }: Composition, mentioned: readonly number[]): Audience {
  if (destination.kind === 'direct') return { users: destination.participants.map(({ id }) => id) }
  const { channel } = destination
  return {
    channel: channel.id,
    ...(mentioned.length > 0 ? { users: mentioned } : {}),
    ...(channel.isPrivate ? {} : { publicChannel: true }),
  }
}

/** Returns a function that selects the users who receive the message, ascending, each once. There may be thousands. */
function receiverTest(view: RealmView, { destination }: Composition): (ids: readonly number[]) => number[] {
  const receivers =
    destination.kind === 'direct'
      ? (ids: readonly number[]) => participantsAmong(view, destination.participants, ids)
      : (ids: readonly number[]) => readersAmong(view, destination.channel, ids)
  return (ids) => (ids.length === 0 ? [] : receivers([...new Set(ids)]).sort((a, b) => a - b))
}

function participantsAmong(
  { sql }: RealmView,
  participants: readonly Pick<User, 'id'>[],
  ids: readonly number[],
): number[] {
  const among = new Set(ids)
  const found = participants.map(({ id }) => id).filter((id) => among.has(id))
  return [...findUsers(sql, found).values()].filter(({ isActive }) => isActive).map(({ id }) => id)
}

/** Returns the open subscribers among them, and bots that may read the channel: mentions of others have no effect. */
function readersAmong({ sql, now }: RealmView, channel: Channel, ids: readonly number[]): number[] {
  const [subscribers, open] = [subscribersOf(sql, channel.id), IdSet.of(ids).andNot(closedAccounts(sql))]
  const otherBots = open.and(bots(sql)).andNot(subscribers)
  const readingBots = [...findUsers(sql, otherBots.toArray()).values()].filter((bot) =>
    mayAccessChannelContent(actorOf(sql, bot, now), channel, false),
  )
  return [...open.and(subscribers), ...readingBots.map(({ id }) => id)]
}
