import { type Audience, type AudienceOfChannels, NON_GUESTS } from '../../core/audience.ts'
import { ENTRIES_AT_ONCE } from '../../core/budgets.ts'
import { IdSet } from '../../core/id-set.ts'
import { inParts } from '../../core/parts-of-lists.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredSubscriptionEvent } from '../../events/subscription.ts'
import { type ChannelMembers, channelsOf, subscribersOf } from '../../store/subscriptions/subscriber-rows.ts'
import { activeGuests } from '../../store/users/account-set-rows.ts'
import {
  channelMetadataAudience,
  channelMetadataAudiences,
} from '../channels/visibility/channel-audiences.ts'

type Op = 'peer_add' | 'peer_remove'

/**
 * Notifies everybody else who sees the channels of the users who joined or left: by one event for one user in several public channels, else
 * by one for each channel (docs/interface/subscriptions.md#subscribe; docs/interface/subscriptions.md#unsubscribe).
 */
export function announcePeers(tx: RealmTransaction, op: Op, changes: readonly ChannelMembers[]): void {
  const changed = changes.filter(({ userIds }) => userIds.length > 0)
  const [user, ...others] = new Set(changed.flatMap(({ userIds }) => userIds))
  const shared = changed.filter(({ channel }) => !channel.isPrivate && !channel.isWebPublic)
  const together = new Set(others.length === 0 && shared.length > 1 ? shared : [])
  if (user !== undefined && together.size > 0) {
    announceInPublicChannels(tx, op, shared, user)
  }
  for (const { channel, userIds } of changed.filter((one) => !together.has(one))) {
    emit(tx, op, [channel.id], userIds, { ...channelMetadataAudience(tx, channel), except: userIds })
  }
}

/**
 * Notifies everybody else of one user who joined or left these channels, all public and none web-public: by one event for
 * all who see public channels, and one for guests who are in the same of these channels.
 */
function announceInPublicChannels(
  tx: RealmTransaction,
  op: Op,
  changes: readonly ChannelMembers[],
  userId: number,
): void {
  const channelIds = changes.map(({ channel }) => channel.id)
  emit(tx, op, channelIds, [userId], { ...NON_GUESTS, except: [userId] })
  for (const { channels, guests } of guestsWhoSee(tx, channelIds)) {
    const users = guests.filter((guest) => guest !== userId)
    if (users.length > 0) emit(tx, op, channels, [userId], { users })
  }
}

/** Notifies the others who see these channels that one user joined or left them, in few events: receivers get the channels that they see. */
export function announceInManyChannels(
  tx: RealmTransaction,
  op: Op,
  channelIds: readonly number[],
  userId: number,
): void {
  for (const parts of inEvents(channelMetadataAudiences(tx, channelIds))) {
    const ids = parts.flatMap(({ channels }) => channels)
    emit(tx, op, ids, [userId], { parts, except: [userId] })
  }
}

/** Divides audiences among events, each with a limited number of ids, or a single part. */
function inEvents(audiences: readonly AudienceOfChannels[]): AudienceOfChannels[][] {
  const events: AudienceOfChannels[][] = []
  let room = 0
  for (const { channels, ...who } of audiences) {
    for (const some of inParts(channels, ENTRIES_AT_ONCE)) {
      const part = { ...who, channels: some }
      const ids = part.channels.length + (part.users?.length ?? 0)
      if (ids > room) {
        events.push([])
        room = ENTRIES_AT_ONCE
      }
      events.at(-1)!.push(part)
      room -= ids
    }
  }
  return events
}

function emit(
  tx: RealmTransaction,
  op: Op,
  channelIds: readonly number[],
  userIds: readonly number[],
  audience: Audience,
): void {
  const event: StoredSubscriptionEvent = {
    type: 'subscription',
    op,
    stream_ids: [...channelIds].sort((a, b) => a - b),
    user_ids: userIds,
  }
  tx.emit(event, audience)
}

/** Channels, and guests who are in all of them. */
interface SeeingGuests {
  readonly channels: readonly number[]
  readonly guests: readonly number[]
}

/** Returns each guest with each of their channels once, in at most as many entries as there are guests, or channels. */
function guestsWhoSee({ sql }: RealmReads, channelIds: readonly number[]): SeeingGuests[] {
  const guests = activeGuests(sql)
  if (channelIds.length <= guests.size) {
    const seeing = channelIds.map((id) => [id, subscribersOf(sql, id).and(guests)] as const)
    return groupBySet(seeing).map(([channels, guests]) => ({ channels, guests }))
  }
  const among = IdSet.of(channelIds)
  const seen = guests.toArray().map((id) => [id, channelsOf(sql, id).and(among)] as const)
  return groupBySet(seen).map(([guests, channels]) => ({ channels, guests }))
}

/** Groups ids with the same set; ids with an empty set are left out. */
function groupBySet(sets: readonly (readonly [number, IdSet])[]): [number[], number[]][] {
  const groups = Map.groupBy(
    sets.filter(([, set]) => set.size > 0),
    ([, set]) => set.toArray().join(),
  )
  return [...groups.values()].map((same) => [same.map(([id]) => id), same[0]![1].toArray()])
}

/** Groups users who join or leave the same channels, so that they can be notified together. */
export function groupByChannels<Change extends ChannelMembers>(changes: readonly Change[]) {
  const joinings = changes.flatMap((change) => change.userIds.map((userId) => ({ userId, change })))
  const byUser = Map.groupBy(joinings, ({ userId }) => userId)
  const groups = Map.groupBy(byUser, ([, own]) => own.map(({ change }) => change.channel.id).join())
  return [...groups.values()].map((group) => ({
    changes: group[0]![1].map(({ change }) => change),
    userIds: group.map(([userId]) => userId),
  }))
}
