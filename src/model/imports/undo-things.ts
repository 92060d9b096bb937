import {
  CHANGES_OF_COMMIT,
  ENTRIES_AT_ONCE,
  LARGE_CHANGES_OF_COMMIT,
  ROWS_OF_SLICE,
} from '../../core/budgets.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { WritableSql } from '../../core/sql.ts'
import { normaliseGroupSetting } from '../../rules/group-setting-values.ts'
import { REALM_GROUP_SETTINGS } from '../../rules/group-settings.ts'
import { changeChannel, hasChannelsInFolder } from '../../store/channels/channel-rows.ts'
import {
  deleteDefaultGroup,
  listDefaultGroups,
  saveDefaultGroup,
} from '../../store/default-channel-groups/default-channel-group-rows.ts'
import { deactivateCustomEmojiRow } from '../../store/emoji/custom-emoji-rows.ts'
import { forgetMembers } from '../../store/imports/import-change-rows.ts'
import { findNote, putNotes } from '../../store/imports/import-piece-rows.ts'
import type { RealmImport } from '../../store/imports/import-rows.ts'
import {
  addedBy,
  conversationsWithMessages,
  deleteAccounts,
  deleteChannelRow,
  deleteFolderRow,
  deleteGroupRow,
  deletePartOfChannel,
  hasImportedBots,
  hasMessages,
  hasValueOf,
  type ImportedThing,
  type ImportedType,
  importedBotsNamedBy,
  LASTING_NAMES,
  listThingsOf,
  ownersOfBots,
} from '../../store/imports/imported-rows.ts'
import { countWithin } from '../../store/messages/edit/deletion-rows.ts'
import { findMessages } from '../../store/messages/message-rows.ts'
import { deleteSavedSnippet } from '../../store/personal/personal-rows.ts'
import { deleteProfileFieldRow } from '../../store/profile-fields/profile-field-rows.ts'
import { deleteDomain, deleteLinkifierRow, deletePlayground } from '../../store/realm/realm-list-rows.ts'
import { NO_CHANNEL, PROPERTIES_WITH_A_CHANNEL } from '../../store/realm/realm-properties.ts'
import { realmPermissions, realmProperty, writeRealmSetting } from '../../store/realm/realm-setting-rows.ts'
import { deleteDraftRow, deleteReminder, deleteScheduledMessageRow } from '../../store/unsent/unsent-rows.ts'
import { changeAttachmentOwner, findAttachment, isUnclaimed } from '../../store/uploads/attachment-rows.ts'
import { findUser, findUsers, type User } from '../../store/users/user-rows.ts'
import type { Reference } from '../../store/verification/references.ts'
import { closeAccount } from '../accounts/close-account.ts'
import { deleteMessages } from '../editing/delete-messages.ts'
import { usesOfGroup } from '../group-changes/group-uses.ts'
import { retireImage } from '../images/reserve-image.ts'
import { cancelDelivery } from '../scheduled-messages/emit-scheduled.ts'
import { discardAttachment } from '../uploads/attachments.ts'
import { claimForScheduled } from '../uploads/claim-attachments.ts'
import { restoreSettings } from './replace-setting.ts'
import { UNDO_PERSONAL, undoSubscription } from './undo-added.ts'
import { undoChanges } from './undo-changes.ts'

/** Messages of one commit: each takes some 35 rows, read and written. */
const MESSAGES_OF_COMMIT = 100

/** A step that deletes the things of one type that an import has made, except those in use. */
interface DeletingStep {
  readonly type: ImportedType
  readonly atOnce: number
  /** Returns how many things it has handled, from the first on, and how many of them stay. */
  readonly undo: (tx: RealmTransaction, things: readonly ImportedThing[], imported: RealmImport) => Undone
}

/** A step that deletes nothing. It returns where to continue; undefined at the end. */
interface PreparingStep {
  readonly prepare: (tx: RealmTransaction, imported: RealmImport, after: string) => string | undefined
}

interface Undone {
  readonly taken: number
  readonly kept: number
}

function each(
  type: ImportedType,
  atOnce: number,
  remove: (tx: RealmTransaction, id: number, imported: RealmImport, thing: ImportedThing) => boolean,
): DeletingStep {
  return {
    type,
    atOnce,
    undo: (tx, things, imported) => ({
      taken: things.length,
      kept: things.filter((thing) => !remove(tx, thing.targetId, imported, thing)).length,
    }),
  }
}

/** Things are deleted before those that they refer to. */
export const UNDO_IN_ORDER: readonly (DeletingStep | PreparingStep)[] = [
  { prepare: undoChanges },
  { prepare: restoreSettings },
  each('domain', CHANGES_OF_COMMIT, ({ sql }, _, __, { id }) => {
    deleteDomain(sql, id)
    return true
  }),
  each('default_channel_group', CHANGES_OF_COMMIT, ({ sql }, id) => {
    deleteDefaultGroup(sql, id)
    return true
  }),
  ...UNDO_PERSONAL.map(({ type, remove }) =>
    each(type, CHANGES_OF_COMMIT, (tx, _userId, _imported, thing) => {
      remove(tx, addedBy(thing))
      return true
    }),
  ),
  {
    type: 'subscription',
    atOnce: 1,
    undo(tx, things, imported) {
      const isDone = things.every((thing) => undoSubscription(tx, imported, thing))
      return { taken: isDone ? things.length : 0, kept: 0 }
    },
  },
  { prepare: closeBots },
  each('awaited_files', CHANGES_OF_COMMIT, () => true),
  { type: 'message', atOnce: MESSAGES_OF_COMMIT, undo: undoMessages },
  each('saved_snippet', CHANGES_OF_COMMIT, ({ sql }, id) => {
    deleteSavedSnippet(sql, id)
    return true
  }),
  each('draft', CHANGES_OF_COMMIT, ({ sql }, id) => {
    deleteDraftRow(sql, id)
    return true
  }),
  each('scheduled_message', CHANGES_OF_COMMIT, (tx, id) => {
    deleteScheduledMessageRow(tx.sql, id)
    claimForScheduled(tx, id, [])
    cancelDelivery(tx, id)
    return true
  }),
  each('reminder', CHANGES_OF_COMMIT, (tx, id) => {
    deleteReminder(tx.sql, id)
    tx.unschedule({ kind: 'deliver-reminder', key: String(id) })
    return true
  }),
  each('linkifier', CHANGES_OF_COMMIT, ({ sql }, id) => {
    deleteLinkifierRow(sql, id)
    return true
  }),
  each('playground', CHANGES_OF_COMMIT, ({ sql }, id) => deletePlayground(sql, id) || true),
  each('file', LARGE_CHANGES_OF_COMMIT, (tx, id, imported) => {
    const attachment = findAttachment(tx.sql, id)
    if (attachment && !isUnclaimed(tx.sql, id)) {
      // Its owner is about to be deleted.
      if (findUser(tx.sql, attachment.ownerId)?.isImported)
        changeAttachmentOwner(tx.sql, id, imported.actingUserId)
      return false
    }
    if (attachment) discardAttachment(tx, attachment)
    return true
  }),
  // Reactions still show it.
  each('emoji', CHANGES_OF_COMMIT, ({ sql }, id) => {
    deactivateCustomEmojiRow(sql, id)
    return true
  }),
  { type: 'channel', atOnce: 1, undo: undoChannel },
  each('channel_folder', CHANGES_OF_COMMIT, ({ sql }, id) => {
    if (hasChannelsInFolder(sql, id)) return false
    deleteFolderRow(sql, id)
    return true
  }),
  each('group', 1, (tx, id) => {
    if (tx.use(usesOfGroup, id).length > 0) return false
    deleteGroupRow(tx.sql, id)
    return true
  }),
  ...LASTING_NAMES.map(
    (reference): PreparingStep => ({
      prepare: (tx, imported, after) => noteBotsNamedBy(tx, imported, reference, after),
    }),
  ),
  { type: 'user', atOnce: LARGE_CHANGES_OF_COMMIT, undo: undoAccounts },
  // Each searches the values of all people.
  each('profile_field', 1, ({ sql }, id) => {
    if (hasValueOf(sql, id)) return false
    deleteProfileFieldRow(sql, id)
    return true
  }),
  {
    prepare({ sql }, { sourceId }) {
      forgetMembers(sql, sourceId!)
      return undefined
    },
  },
]

function undoMessages(tx: RealmTransaction, things: readonly ImportedThing[]): Undone {
  const next = things.slice(
    0,
    countWithin(
      tx.sql,
      things.map(({ targetId }) => targetId),
      ROWS_OF_SLICE,
    ),
  )
  const ids = next.map(({ targetId }) => targetId).sort((a, b) => a - b)
  const messages = findMessages(tx.sql, ids)
  for (const same of Map.groupBy(messages, ({ recipientId }) => recipientId).values()) {
    deleteMessages(tx, same, 'quietly')
  }
  return { taken: next.length, kept: 0 }
}

/** Deletes a channel, or some of its subscribers and other rows: everybody in the organization may be in it. */
function undoChannel(tx: RealmTransaction, things: readonly ImportedThing[]): Undone {
  for (const { targetId: id } of things) {
    if (hasMessages(tx.sql, id)) return { taken: 1, kept: 1 }
    if (deletePartOfChannel(tx.sql, id, ENTRIES_AT_ONCE)) {
      // Nobody can write in it until it is gone.
      changeChannel(tx.sql, id, { isArchived: true })
      return { taken: 0, kept: 0 }
    }
    withdrawChannel(tx, id)
    deleteChannelRow(tx.sql, id)
  }
  return { taken: things.length, kept: 0 }
}

function undoAccounts(tx: RealmTransaction, things: readonly ImportedThing[], imported: RealmImport): Undone {
  const ids = things.map(({ targetId }) => targetId)
  const users = [...findUsers(tx.sql, ids).values()]
  const inUse = conversationsWithMessages(tx.sql, ids)
  const owners = ownersOfBots(tx.sql, ids)
  const isGone = ({ id, botType, awaitsLogin }: User) =>
    !inUse.has(id) && !owners.has(id) && (botType === null ? awaitsLogin : !isNoted(tx.sql, imported, id))
  const gone = users.filter(isGone)
  for (const { avatarPath } of gone) if (avatarPath !== null) retireImage(tx, avatarPath)
  const goneIds = gone.map(({ id }) => id)
  withdrawPermissions(tx, goneIds)
  deleteAccounts(tx.sql, goneIds)
  return { taken: things.length, kept: users.length - gone.length }
}

/** Removes deleted people from the permissions of the organization, which an import may have taken over. */
function withdrawPermissions({ sql }: RealmTransaction, userIds: readonly number[]): void {
  const gone = new Set(userIds)
  const permissions = realmPermissions(sql)
  for (const { name } of REALM_GROUP_SETTINGS) {
    const value = permissions[name]
    if (typeof value === 'number' || !value.direct_members.some((id) => gone.has(id))) continue
    const direct_members = value.direct_members.filter((id) => !gone.has(id))
    writeRealmSetting(sql, name, normaliseGroupSetting({ ...value, direct_members }))
  }
}

function withdrawChannel({ sql }: RealmTransaction, channelId: number): void {
  for (const group of listDefaultGroups(sql)) {
    if (!group.channelIds.includes(channelId)) continue
    saveDefaultGroup(sql, { ...group, channelIds: group.channelIds.filter((id) => id !== channelId) })
  }
  for (const name of PROPERTIES_WITH_A_CHANNEL) {
    if (realmProperty(sql, name) === channelId) writeRealmSetting(sql, name, NO_CHANNEL)
  }
}

/**
 * Closes the next bots that an import has made. Returns where to continue; undefined after the last one. A person's account is deleted if
 * nobody has logged in to it; but bots have keys, and may have done things that stay. So all are closed first, and those that something names
 * are kept as closed accounts.
 */
function closeBots(tx: RealmTransaction, imported: RealmImport, after: string): string | undefined {
  const page = listThingsOf(tx.sql, imported.sourceId!, 'user', after, LARGE_CHANGES_OF_COMMIT)
  const own = page.filter(({ importId, isMade }) => importId === imported.id && isMade)
  const users = findUsers(
    tx.sql,
    own.map(({ targetId }) => targetId),
  )
  for (const user of users.values()) if (user.botType !== null && user.isActive) closeAccount(tx, user)
  return page.length < LARGE_CHANGES_OF_COMMIT ? undefined : page.at(-1)!.id
}

/** Notes the imported bots that the next rows name. Returns where to continue; undefined after the last one. */
function noteBotsNamedBy(
  tx: RealmTransaction,
  imported: RealmImport,
  reference: Reference,
  after: string,
): string | undefined {
  if (!hasImportedBots(tx.sql)) return undefined
  const { ids, next } = importedBotsNamedBy(tx.sql, reference, Number(after))
  putNotes(tx.sql, imported.id, new Map(ids.map((id) => [keyOf(id), 'named'])))
  return next?.toString()
}

/** Whether a row that stays names the bot. */
function isNoted(sql: WritableSql, { id }: RealmImport, botId: number): boolean {
  return findNote(sql, id, keyOf(botId)) !== undefined
}

function keyOf(botId: number): string {
  return `bot in use:${botId}`
}
