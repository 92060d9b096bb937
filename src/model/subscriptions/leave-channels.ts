import { toUsers } from '../../core/audience.ts'
import { ENTRIES_AT_ONCE } from '../../core/budgets.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredUpdateMessageFlagsEvent } from '../../events/message-changes.ts'
import type { StoredStreamEvent } from '../../events/stream.ts'
import type { StoredSubscriptionEvent } from '../../events/subscription.ts'
import { mayAccessChannelMetadata } from '../../rules/channel-rules.ts'
import type { Channel } from '../../store/channels/channel-rows.ts'
import { listMovesInto } from '../../store/messages/move/message-move-rows.ts'
import type { ChannelMembers } from '../../store/subscriptions/subscriber-rows.ts'
import { endSubscriptions } from '../../store/subscriptions/subscription-rows.ts'
import { findUser, type User } from '../../store/users/user-rows.ts'
import { actorOf } from '../caller.ts'
import { onlyForThoseWhoSeeArchived } from '../channels/read/present-channel.ts'
import { nextUnreadOf, type UnreadParameters } from '../messages/flags/unread-messages.ts'
import { recheckPushesOf } from '../push/enqueue-pushes.ts'
import { withVisibilityEventsOfSubscribing } from '../visibility/users-that-a-user-sees.ts'
import { announcePeers, groupByChannels } from './announce-peers.ts'
import { presentPosition } from './present-subscription.ts'

/** Users who leave, and the channels with those who leave each. */
export interface Leaving {
  readonly leaving: readonly ChannelMembers[]
  readonly users: ReadonlyMap<number, User>
}

/** Progress of a commit with users who leave. */
interface ReadBeforeLeaving {
  /** Number of users who have nothing unread there, and so may leave. */
  readonly ready: number
  /** The message up to which the next user has read everything. */
  readonly readUpTo: number
  /** Messages that became read, whose events `announceRead` emits. */
  readonly readBy: readonly ReadByUser[]
}

/** Rows for finding that a user has read everything; those for a commit's subscriptions are counted elsewhere. */
const ROWS_A_USER = 10

/**
 * Marks the users' unread messages as read in channels that they are about to leave, in this order, within one turn's work. The first user
 * begins after `readUpTo`. The caller emits the events, after those of leaving.
 */
export function readBeforeLeaving(
  tx: RealmTransaction,
  { leaving, users }: Leaving,
  userIds: readonly number[],
  readUpTo: number,
): ReadBeforeLeaving {
  const channelsOf = new Map<number, number[]>()
  for (const { channel, userIds: left } of leaving) {
    for (const id of left) channelsOf.set(id, [...(channelsOf.get(id) ?? []), channel.id])
  }
  if (channelsOf.size === 0) return { ready: userIds.length, readUpTo: 0, readBy: [] }
  const moves = listMovesInto(
    tx.sql,
    leaving.map(({ channel }) => channel.id),
  )
  const { read: before } = tx.sql.counts
  const readBy: ReadByUser[] = []
  const readAll = (): Omit<ReadBeforeLeaving, 'readBy'> => {
    for (const [ready, userId] of userIds.entries()) {
      const channelIds = channelsOf.get(userId)
      if (!channelIds) continue
      const rows = ENTRIES_AT_ONCE + ROWS_A_USER * ready - (tx.sql.counts.read - before)
      if (ready > 0 && rows <= 0) return { ready, readUpTo: 0 }
      const above = ready === 0 ? readUpTo : 0
      const read = readChannels(tx, users.get(userId)!, channelIds, { above, rows, moves })
      readBy.push(read)
      if (read.reached !== undefined) return { ready, readUpTo: read.reached }
    }
    return { ready: userIds.length, readUpTo: 0 }
  }
  return { ...readAll(), readBy }
}

/** How far old messages are read; `oldRead`: the floor of the read set, once all are. */
export interface OldRead {
  readonly readUpTo: number
  readonly oldRead?: number
}

/**
 * Marks old messages as read for a user who is about to leave many channels: unread ones in these channels, above `readUpTo` and up to the
 * floor of the read set, as many as one commit takes.
 */
export function readOldBeforeLeaving(
  tx: RealmTransaction,
  userId: number,
  channelIds: readonly number[],
  readUpTo: number,
): OldRead {
  const user = findUser(tx.sql, userId)
  if (!user) return { readUpTo: 0, oldRead: 0 }
  const part = { above: readUpTo, rows: ENTRIES_AT_ONCE, upTo: user.readFloor }
  const read = readChannels(tx, user, channelIds, part)
  announceRead(tx, [read])
  return read.reached === undefined ? { readUpTo: 0, oldRead: user.readFloor } : { readUpTo: read.reached }
}

/**
 * Ends the subscriptions of users who have read everything there (`readBeforeLeaving`), and emits the events to them, to those who can no
 * longer see a channel, and to their peers. Source: docs/interface/subscriptions.md#unsubscribe.
 */
export function leaveChannels(tx: RealmTransaction, { leaving, users }: Leaving): void {
  const left = leaving.filter(({ userIds }) => userIds.length > 0)
  if (left.length === 0) return
  const groups = groupByChannels(left).map(({ changes, userIds }) => ({
    channels: changes.map(({ channel }) => channel),
    members: userIds.map((id) => users.get(id)!),
  }))
  withVisibilityEventsOfSubscribing(tx, left, () => {
    endSubscriptions(tx.sql, left, presentPosition(tx))
    for (const { channels, members } of groups) emitRemove(tx, channels, members)
    for (const { channels, members } of groups) announceHiddenChannels(tx, channels, members)
    announcePeers(tx, 'peer_remove', left)
  })
}

function emitRemove(tx: RealmTransaction, channels: readonly Channel[], members: readonly User[]): void {
  const event: StoredSubscriptionEvent = {
    type: 'subscription',
    op: 'remove',
    subscriptions: channels.map(({ id, name }) => ({ stream_id: id, name })),
  }
  tx.emit(event, { users: members.map(({ id }) => id) })
}

/** Emits to each user the removal of channels that they could see only as subscribers. */
function announceHiddenChannels(
  tx: RealmTransaction,
  channels: readonly Channel[],
  members: readonly User[],
): void {
  const visibility = members.map((user) => {
    const actor = actorOf(tx.sql, user, tx.now)
    return { user, lost: channels.filter((channel) => !mayAccessChannelMetadata(actor, channel, false)) }
  })
  const groups = Map.groupBy(visibility, ({ lost }) => lost.map(({ id }) => id).join())
  for (const group of groups.values()) {
    for (const lost of Map.groupBy(group[0]!.lost, ({ isArchived }) => isArchived).values()) {
      const event: StoredStreamEvent = {
        type: 'stream',
        op: 'delete',
        streams: lost.map(({ id }) => ({ stream_id: id })),
        stream_ids: lost.map(({ id }) => id),
        ...onlyForThoseWhoSeeArchived(lost[0]!),
      }
      tx.emit(event, { users: group.map(({ user }) => user.id) })
    }
  }
}

/** Messages that become read because a user leaves channels. */
interface ReadByUser {
  readonly userId: number
  readonly messageIds: readonly number[]
}

/**
 * Marks the next unread messages as read in channels that a user is about to leave, those found above `above` in about `rows` rows: unread
 * messages exist only in subscribed channels (docs/interface/subscriptions.md#unsubscribe). Returns them, for `announceRead`, and the id up
 * to which all are read; undefined if all are.
 */
function readChannels(
  tx: RealmTransaction,
  user: User,
  channelIds: readonly number[],
  part: UnreadParameters,
): ReadByUser & { readonly reached: number | undefined } {
  const { messages: unread, reached, read } = nextUnreadOf(tx.sql, user, channelIds, part)
  if (unread.length > 0) {
    for (const { id } of unread) read.add(id)
    read.save(tx.sql)
    recheckPushesOf(tx, user.id)
  }
  return { userId: user.id, messageIds: unread.map(({ id }) => id), reached }
}

/** Notifies the clients of users whose messages became read, with one event for all users with the same messages. */
export function announceRead(tx: RealmTransaction, readBy: readonly ReadByUser[]): void {
  const groups = Map.groupBy(readBy, ({ messageIds }) => messageIds.join())
  for (const group of groups.values()) {
    const messages = group[0]!.messageIds
    if (messages.length === 0) continue
    const event: StoredUpdateMessageFlagsEvent = {
      type: 'update_message_flags',
      op: 'add',
      flag: 'read',
      messages,
      all: false,
    }
    tx.emit(event, toUsers(...group.map(({ userId }) => userId)))
  }
}
