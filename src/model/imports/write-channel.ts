import * as v from 'valibot'
import {
  CHANNEL_PROPERTIES,
  CHANNEL_PROPERTY_NAMES,
  type ChannelProperties,
} from '../../core/channel-properties.ts'
import { firstUnfitInName } from '../../core/names.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { ChannelMember, RecordOf } from '../../imports/neutral.ts'
import { mayMakeWebPublic } from '../../rules/channel-setting-rules.ts'
import { CHANNEL_GROUP_SETTINGS } from '../../rules/group-settings.ts'
import { systemGroupId } from '../../rules/system-groups.ts'
import { findFolderNamed, insertFolder } from '../../store/channel-folders/channel-folder-rows.ts'
import {
  type Channel,
  changeChannel,
  defaultPermissions,
  findChannel,
  findChannelByName,
  insertChannel,
} from '../../store/channels/channel-rows.ts'
import { putMembersAtSource } from '../../store/imports/import-change-rows.ts'
import { findNote, putNotes } from '../../store/imports/import-piece-rows.ts'
import { isImportedAs } from '../../store/imports/imported-rows.ts'
import { realmPermissions, realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { openAmong } from '../../store/users/account-set-rows.ts'
import {
  hasRoomForDefault,
  MAX_CHANNEL_DESCRIPTION_LENGTH,
  MAX_CHANNEL_NAME_LENGTH,
} from '../channels/change/channel-values.ts'
import { hasRoomInOrganization } from '../quotas/within-quota.ts'
import { awaitExpiry } from '../retention/retention.ts'
import { joinChannel } from '../subscriptions/join-and-announce.ts'
import { channelNameFor, lineUpTo } from './fit-text.ts'
import { channelToJoin, NOT_ALLOWED, refusalOfChannel } from './import-rights.ts'
import {
  descriptionHtml,
  freeName,
  type ImportWork,
  noteFound,
  noteTarget,
  targetOf,
  wasFound,
  wasMade,
} from './import-work.ts'
import { chooseSettings, subscribeMore } from './join-channel-here.ts'
import { factsOfChannel, membersThere, updateMembers } from './update-channel.ts'
import { permissionsOf } from './write-permissions.ts'

/** Makes a folder of channels, or takes the one with the same name. */
export function writeFolder(
  tx: RealmTransaction,
  work: ImportWork,
  record: RecordOf<'channel_folder'>,
): void {
  if (targetOf(tx, work, 'channel_folder', record.id) !== undefined) return
  const { imported, tally } = work
  const name = lineUpTo(work, record.name, MAX_CHANNEL_NAME_LENGTH, 'channel_folder.name')
  const namesake = findFolderNamed(tx.sql, name)
  if (namesake) {
    noteFound(tx, work, 'channel_folder', record.id, namesake.id, 'folders that were here already')
    return
  }
  if (name === '' || firstUnfitInName(name) !== undefined) {
    tally.problem('folder whose name cannot be used', record.name)
    return
  }
  if (!hasRoomInOrganization(tx, 'folders')) {
    tally.problem('no room for more folders', record.name)
    return
  }
  const given = record.description ?? ''
  const description = lineUpTo(work, given, MAX_CHANNEL_DESCRIPTION_LENGTH, 'channel_folder.description')
  const id = insertFolder(tx.sql, {
    name,
    description,
    renderedDescription: descriptionHtml(tx, work, description),
    createdAt: tx.now,
    creatorId: imported.actingUserId,
  })
  noteTarget(tx, work, 'channel_folder', record.id, id, 'folders of channels')
}

/**
 * Makes a channel with its subscribers. A public one is joined to an open channel of the same name in which the owner may write; otherwise a name
 * that is taken gets a number. Private messages never end up in a channel that others read. Returns false if more people have to be
 * subscribed.
 */
export function writeChannel(tx: RealmTransaction, work: ImportWork, record: RecordOf<'channel'>): boolean {
  const { imported, tally } = work
  const { sql } = tx
  const isPrivate = record.privacy === 'private'
  if (isPrivate && !imported.mapping.private_channels) {
    tally.count('written', 'private channels left out')
    leaveOut(tx, work, record)
    return true
  }
  const knownId = targetOf(tx, work, 'channel', record.id)
  if (knownId !== undefined) return goOnWith(tx, work, record, findChannel(sql, knownId))
  if (Object.hasOwn(imported.mapping.channels, record.id)) {
    const chosen = channelToJoin(tx, work, imported.mapping.channels[record.id]!, record.name)
    if (!chosen) leaveOut(tx, work, record)
    else if (isPrivate && !chosen.isPrivate) refuseExposure(tx, work, record)
    else return joinTo(tx, work, record, chosen)
    return true
  }
  const name = nameOf(work, record.name)
  const namesake = findChannelByName(sql, name)
  if (namesake && !isPrivate && isOpen(namesake) && !isOfAnother(tx, work, namesake)) {
    const refusal = refusalOfChannel(tx, work.owner, namesake)
    if (refusal === undefined) return joinTo(tx, work, record, namesake)
    tally.problem(NOT_ALLOWED, `${namesake.name}: ${refusal}`)
  }
  const free = freeName(name, MAX_CHANNEL_NAME_LENGTH, (one) => findChannelByName(sql, one) !== undefined)
  if (free === undefined || !hasRoomInOrganization(tx, 'channels')) {
    tally.problem('no room for more channels', record.name)
    return true
  }
  if (free !== name && namesake && isOfAnother(tx, work, namesake))
    tally.problem('channel whose name is taken', `${record.name}: here ${free}`)
  const isWebPublic = record.privacy === 'web_public' && mayBeWebPublic(tx, work)
  if (record.privacy === 'web_public' && !isWebPublic)
    tally.count('passedOver', 'channel.privacy, web_public')
  const creator = record.creator === undefined ? undefined : targetOf(tx, work, 'user', record.creator)
  const id = insertChannel(sql, {
    name: free,
    ...descriptionOf(tx, work, record),
    createdAt: (record.created_ms ?? imported.report.firstTime ?? tx.now * 1_000) / 1_000,
    creatorId: creator ?? imported.actingUserId,
    isPrivate,
    isWebPublic,
    historyPublicToSubscribers: !isPrivate || (record.history_public ?? true),
    isDefault: record.default === true && !isPrivate && !record.archived && hasRoomForDefault(sql),
    retentionDays: retentionOf(work, record),
    settings: settingsOf(tx, work, record),
    properties: propertiesOf(work, record),
    folderId: folderOf(tx, work, record),
  })
  const counted = isPrivate ? 'private channels' : 'public channels'
  noteTarget(tx, work, 'channel', record.id, id, counted, factsOfChannel(record, free))
  subscribe(tx, work, record, findChannel(sql, id)!)
  if (findChannel(sql, id)!.retentionDays !== null) awaitExpiry(tx)
  if (record.archived) changeChannel(sql, id, { isArchived: true })
  return true
}

/** Whether another channel of the source has become this one: two that differ there stay two, though their names are cut to the same. */
function isOfAnother({ sql }: RealmTransaction, { sourceId }: ImportWork, { id }: Channel): boolean {
  return isImportedAs(sql, sourceId, 'channel', id)
}

/** Whether the owner who imports may make a channel that is read without an account. */
function mayBeWebPublic({ sql }: RealmTransaction, { owner, allowsWebPublic }: ImportWork): boolean {
  const isWebPublicEnabled = allowsWebPublic && realmProperty(sql, 'enable_spectator_access')
  return mayMakeWebPublic(owner.actor, { ...realmPermissions(sql), isWebPublicEnabled })
}

/** Returns the retention of a channel: nothing is deleted here unless this organization becomes what the source was. */
function retentionOf({ imported }: ImportWork, { retention_days }: RecordOf<'channel'>): number | null {
  return imported.mapping.settings && retention_days !== 0 ? (retention_days ?? null) : null
}

/** Returns who may do what in a channel. If it hides its history, everybody may create topics: a refusal would reveal the existing ones. */
function settingsOf(
  tx: RealmTransaction,
  work: ImportWork,
  record: RecordOf<'channel'>,
): Channel['settings'] {
  const announcing = record.announce ? { can_send_message_group: systemGroupId('role:administrators') } : {}
  const settings = {
    ...defaultPermissions(work.imported.actingUserId),
    ...announcing,
    ...permissionsOf(tx, work, CHANNEL_GROUP_SETTINGS, record.permissions ?? {}, record.name),
  }
  const hidesHistory = record.privacy === 'private' && record.history_public === false
  return hidesHistory ? { ...settings, can_create_topic_group: systemGroupId('role:everyone') } : settings
}

/** Returns the plain settings, without words that do not exist here. */
function propertiesOf(work: ImportWork, record: RecordOf<'channel'>): Partial<ChannelProperties> {
  return Object.fromEntries(
    CHANNEL_PROPERTY_NAMES.flatMap((name) => {
      const value = record[name]
      if (value === undefined) return []
      if (v.is(CHANNEL_PROPERTIES[name].schema, value)) return [[name, value]]
      work.tally.count('passedOver', `channel.${name}`)
      return []
    }),
  )
}

function folderOf(tx: RealmTransaction, work: ImportWork, { folder }: RecordOf<'channel'>): number | null {
  const id = folder === undefined ? undefined : targetOf(tx, work, 'channel_folder', folder)
  if (folder !== undefined && id === undefined) work.tally.count('passedOver', 'channel.folder')
  return id ?? null
}

function joinTo(
  tx: RealmTransaction,
  work: ImportWork,
  record: RecordOf<'channel'>,
  channel: Channel,
): boolean {
  const facts = factsOfChannel(record, channel.name)
  noteFound(tx, work, 'channel', record.id, channel.id, 'channels joined to others', facts)
  putMembersAtSource(tx.sql, work.sourceId, 'channel', record.id, membersThere(tx, work, record))
  listUnknown(tx, work, record, channel)
  return subscribeMore(tx, work, channel, membersOf(tx, work, record), true)
}

/** Goes on with a channel that was written before: by an earlier import, or by a commit that left people to the next. */
function goOnWith(
  tx: RealmTransaction,
  work: ImportWork,
  record: RecordOf<'channel'>,
  channel: Channel | undefined,
): boolean {
  if (record.privacy === 'private' && channel?.isPrivate === false) {
    refuseExposure(tx, work, record)
    return true
  }
  if (!channel) return true
  const members = membersOf(tx, work, record)
  // People whom the commit before has left to this one.
  if (wasFound(tx, work, 'channel', record.id))
    return (
      refusalOfChannel(tx, work.owner, channel) !== undefined ||
      subscribeMore(tx, work, channel, members, false)
    )
  if (wasMade(tx, work, 'channel', record.id)) return true
  return updateMembers(tx, work, record, channel, members)
}

function refuseExposure(tx: RealmTransaction, work: ImportWork, record: RecordOf<'channel'>): void {
  work.tally.problem('channel that is private there and public here', record.name)
  leaveOut(tx, work, record)
}

/** Keeps messages of this import away from a channel, which an earlier import may have made. */
function leaveOut(tx: RealmTransaction, { imported }: ImportWork, { id }: RecordOf<'channel'>): void {
  putNotes(tx.sql, imported.id, new Map([[keyOfLeftOut(id), 'left out']]))
}

/** Whether this import has left out the channel of the source with this id. */
export function isLeftOut(
  { sql }: Pick<RealmTransaction, 'sql'>,
  { imported, known: { leftOut } }: ImportWork,
  id: string,
): boolean {
  const known = leftOut.get(id)
  if (known !== undefined) return known
  const isOut = findNote(sql, imported.id, keyOfLeftOut(id)) !== undefined
  leftOut.set(id, isOut)
  return isOut
}

function keyOfLeftOut(id: string): string {
  return `channel left out:${id}`
}

/** Whether everybody but guests can read it, and nobody else. */
export function isOpen({ isPrivate, isWebPublic, isArchived }: Channel): boolean {
  return !isPrivate && !isWebPublic && !isArchived
}

/** Returns the members of a channel who have open accounts here: deactivated users are in no channel. */
function membersOf(
  tx: RealmTransaction,
  work: ImportWork,
  { members = [], importer_joins }: RecordOf<'channel'>,
): Map<number, ChannelMember> {
  const wanted = new Map<number, ChannelMember>()
  if (importer_joins) wanted.set(work.owner.user.id, { user: '' })
  for (const member of members) {
    const id = targetOf(tx, work, 'user', member.user)
    if (id !== undefined) wanted.set(id, member)
  }
  return new Map(openAmong(tx.sql, [...wanted.keys()]).map((id) => [id, wanted.get(id)!]))
}

function listUnknown(
  tx: RealmTransaction,
  work: ImportWork,
  { members = [] }: RecordOf<'channel'>,
  { name }: Channel,
): void {
  for (const { user } of members) {
    if (targetOf(tx, work, 'user', user) === undefined)
      work.tally.problem('unknown person in a channel', `${user} in ${name}`)
  }
}

/** Subscribes people to a channel that the import makes. */
function subscribe(
  tx: RealmTransaction,
  work: ImportWork,
  record: RecordOf<'channel'>,
  channel: Channel,
): void {
  listUnknown(tx, work, record, channel)
  const members = membersOf(tx, work, record)
  putMembersAtSource(tx.sql, work.sourceId, 'channel', record.id, membersThere(tx, work, record))
  const { userIds } = joinChannel(tx, channel, [...members.keys()])
  chooseSettings(tx, channel, userIds, members)
  work.tally.count('written', 'subscriptions', userIds.length)
}

function descriptionOf(
  tx: RealmTransaction,
  work: ImportWork,
  record: RecordOf<'channel'>,
): Pick<Channel, 'description' | 'renderedDescription'> {
  const given = record.description ?? ''
  const description = lineUpTo(work, given, MAX_CHANNEL_DESCRIPTION_LENGTH, 'channel.description')
  return { description, renderedDescription: descriptionHtml(tx, work, description) }
}

function nameOf(work: ImportWork, given: string): string {
  lineUpTo(work, given, MAX_CHANNEL_NAME_LENGTH, 'channel.name')
  return channelNameFor(given)
}
