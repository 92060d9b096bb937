import { CHANGES_OF_COMMIT } from '../../core/budgets.ts'
import { IdSet } from '../../core/id-set.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { channelRecipientId } from '../../core/recipient-id.ts'
import type { ChannelMember, RecordOf } from '../../imports/neutral.ts'
import {
  type Channel,
  changeChannel,
  findChannel,
  findChannelByName,
} from '../../store/channels/channel-rows.ts'
import { insertChanges, membersAtSource, putMembersAtSource } from '../../store/imports/import-change-rows.ts'
import { findNote, putNotes } from '../../store/imports/import-piece-rows.ts'
import {
  type Facts,
  findThing,
  type KnownThing,
  newestWritten,
  noteAdded,
  putFacts,
} from '../../store/imports/imported-rows.ts'
import { subscribersOf } from '../../store/subscriptions/subscriber-rows.ts'
import { activeUsers } from '../../store/users/account-set-rows.ts'
import { findUsers } from '../../store/users/user-rows.ts'
import { MAX_CHANNEL_NAME_LENGTH } from '../channels/change/channel-values.ts'
import { leaveDefaultGroups } from '../channels/defaults/default-channels.ts'
import { joinChannel } from '../subscriptions/join-and-announce.ts'
import { announceRead, leaveChannels, readBeforeLeaving } from '../subscriptions/leave-channels.ts'
import { digestOf } from './digest.ts'
import { channelNameFor } from './fit-text.ts'
import { isOwn, refusalOfChannel } from './import-rights.ts'
import { freeName, type ImportWork, targetOf } from './import-work.ts'
import { chooseSettings, subscribeMore } from './join-channel-here.ts'

/** Returns what to remember of a channel: the name there, the name here, and whether it is archived there. */
export function factsOfChannel(
  { name, archived }: RecordOf<'channel'>,
  nameHere: string,
): Pick<Facts, 'digest' | 'place' | 'marks'> {
  return { digest: digestOf(name), place: digestOf(nameHere), marks: archived ? 1 : 0 }
}

/**
 * Brings name and state of a channel up to the archive, if the owner has imported it: the name where it is the one that an import has given, the
 * state where nobody has written in the channel since.
 */
export function updateChannel(tx: RealmTransaction, work: ImportWork, record: RecordOf<'channel'>): void {
  const { imported, sourceId } = work
  const { sql } = tx
  const thing = { sourceId, type: 'channel', id: record.id } as const
  const known = findThing(sql, thing)
  const channel = known && findChannel(sql, known.targetId)
  if (!channel || known.importId === imported.id || imported.report.isOlder) return
  // Private messages stay where they are: a channel that has changed sides is dealt with when it is written.
  if (!isOwn(tx, work, 'channel', record.id) || (record.privacy === 'private') !== channel.isPrivate) return
  const nameHere = rename(tx, work, record, { known, channel })
  const isFollowed = archive(tx, work, record, { known, channel })
  const { digest, version, reactions, place, marks } = known
  const before = { digest, version, reactions, place, marks }
  const facts = {
    ...before,
    digest: digestOf(record.name),
    place: nameHere === undefined ? place : digestOf(nameHere),
    marks: isFollowed ? (record.archived ? 1 : 0) : marks,
  }
  if (facts.digest === digest && facts.marks === marks) return
  putFacts(sql, thing, facts)
  insertChanges(sql, imported.id, [{ kind: 'facts', type: 'channel', id: record.id, facts: before }])
}

interface ChannelHere {
  readonly known: KnownThing
  readonly channel: Channel
}

/** Gives a channel its new name there, unless it was renamed here. Returns the name if it was given one. */
function rename(
  tx: RealmTransaction,
  { imported, tally }: ImportWork,
  { name: there }: RecordOf<'channel'>,
  { known, channel }: ChannelHere,
): string | undefined {
  const isNewThere = known.digest !== null && known.digest !== digestOf(there)
  if (!isNewThere || digestOf(channel.name) !== known.place) return undefined
  const isTaken = (one: string) => ![undefined, channel.id].includes(findChannelByName(tx.sql, one)?.id)
  const wanted = channelNameFor(there)
  const name = freeName(wanted, MAX_CHANNEL_NAME_LENGTH, isTaken)
  if (name === undefined || name === channel.name) return undefined
  if (name !== wanted) tally.problem('channel whose name is taken', `${there}: here ${name}`)
  changeChannel(tx.sql, channel.id, { name })
  insertChanges(tx.sql, imported.id, [{ kind: 'channel name', id: channel.id, from: channel.name, to: name }])
  tally.count('written', 'channels with a new name')
  return name
}

/** Archives a channel that was archived there, or opens it again. Returns whether it is as there. */
function archive(
  tx: RealmTransaction,
  { imported, tally }: ImportWork,
  { archived = false, name }: RecordOf<'channel'>,
  { known, channel }: ChannelHere,
): boolean {
  const wasArchived = known.marks === 1
  if (archived === wasArchived || channel.isArchived === archived) return true
  if (archived && newestWritten(tx.sql, channelRecipientId(channel.id))) {
    tally.problem('channel that is archived at the source, and in use here', name)
    return false
  }
  setArchived(tx, channel, archived)
  const { id, isDefault } = channel
  insertChanges(tx.sql, imported.id, [{ kind: 'channel archived', id, isArchived: archived, isDefault }])
  tally.count('written', archived ? 'channels archived' : 'channels opened again')
  return true
}

/** Archives a channel, or opens it again, without notices: clients register at the end of an import. */
export function setArchived(tx: RealmTransaction, { id }: Channel, isArchived: boolean): void {
  changeChannel(tx.sql, id, isArchived ? { isArchived, isDefault: false } : { isArchived })
  if (isArchived) leaveDefaultGroups(tx, id)
}

/**
 * Brings the members of a channel up to the archive: those who have joined it there since the last import, and accounts that nobody uses of those
 * who have left it there. Who uses an account stays, and is listed. Returns false if more of them are left to the next commit.
 */
export function updateMembers(
  tx: RealmTransaction,
  work: ImportWork,
  record: RecordOf<'channel'>,
  channel: Channel,
  members: ReadonlyMap<number, ChannelMember>,
): boolean {
  const { imported, sourceId } = work
  const { sql } = tx
  if (imported.report.isOlder || channel.isArchived) return true
  const before = membersAtSource(sql, sourceId, 'channel', record.id)
  const there = membersThere(tx, work, record)
  if (before) {
    const isRefused =
      !isOwn(tx, work, 'channel', record.id) && refusalOfChannel(tx, work.owner, channel) !== undefined
    if (isRefused) return true
    const joins = there.andNot(before).and(IdSet.of([...members.keys()]))
    if (!join(tx, work, record, channel, members, joins)) return false
    if (!leave(tx, work, channel, before.andNot(there))) return false
    if (joins.size === 0 && before.andNot(there).size === 0) return true
    insertChanges(sql, imported.id, [
      { kind: 'members', type: 'channel', id: record.id, members: before.toArray() },
    ])
  }
  putMembersAtSource(sql, sourceId, 'channel', record.id, there)
  return true
}

/** Returns the accounts of a channel's members at the source, open or closed. */
export function membersThere(
  tx: RealmTransaction,
  work: ImportWork,
  { members = [], importer_joins }: RecordOf<'channel'>,
): IdSet {
  const ids = members.flatMap(({ user }) => targetOf(tx, work, 'user', user) ?? [])
  return IdSet.of(importer_joins ? [...ids, work.owner.user.id] : ids)
}

function join(
  tx: RealmTransaction,
  work: ImportWork,
  { id }: RecordOf<'channel'>,
  channel: Channel,
  members: ReadonlyMap<number, ChannelMember>,
  joins: IdSet,
): boolean {
  const { imported, sourceId, tally } = work
  const coming = new Map(joins.toArray().map((userId) => [userId, members.get(userId)!]))
  if (!isOwn(tx, work, 'channel', id)) return subscribeMore(tx, work, channel, coming, false)
  const next = activeUsers(tx.sql).and(joins).andNot(subscribersOf(tx.sql, channel.id)).toArray()
  const { userIds } = joinChannel(tx, channel, next.slice(0, CHANGES_OF_COMMIT))
  chooseSettings(tx, channel, userIds, coming)
  const added = userIds.map((userId) => ({ userId, of: [channel.id] }))
  noteAdded(tx.sql, { id: imported.id, sourceId }, 'subscription', added)
  tally.count('written', 'subscriptions', userIds.length)
  return next.length <= CHANGES_OF_COMMIT
}

function leave(
  tx: RealmTransaction,
  { imported, tally }: ImportWork,
  channel: Channel,
  left: IdSet,
): boolean {
  const { sql } = tx
  // Closed accounts have paused, and go on if they are opened.
  const ids = activeUsers(sql).and(left).and(subscribersOf(sql, channel.id)).toArray()
  const users = findUsers(sql, ids)
  const leaving = ids.filter((id) => users.get(id)?.awaitsLogin === true)
  const next = leaving.slice(0, CHANGES_OF_COMMIT)
  if (next.length > 0) {
    const key = `leave:${channel.id}`
    const all = { leaving: [{ channel, userIds: next }], users }
    const { ready, readUpTo, readBy } = readBeforeLeaving(
      tx,
      all,
      next,
      Number(findNote(sql, imported.id, key) ?? 0),
    )
    const gone = next.slice(0, ready)
    // Who has much unread there reads it in several commits first.
    putNotes(sql, imported.id, new Map([[key, String(readUpTo)]]))
    leaveChannels(tx, { ...all, leaving: [{ channel, userIds: gone }] })
    announceRead(tx, readBy)
    if (gone.length > 0) insertChanges(sql, imported.id, [{ kind: 'left', id: channel.id, userIds: gone }])
    tally.count('written', 'subscriptions ended', gone.length)
    if (gone.length < leaving.length) return false
  }
  for (const { awaitsLogin, fullName } of users.values())
    if (!awaitsLogin) tally.problem(LEFT_THERE, `${fullName}, ${channel.name}`)
  return true
}

const LEFT_THERE = 'person who has left a channel at the source, and is in it here'
