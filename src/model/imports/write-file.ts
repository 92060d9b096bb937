import { type FileLimits, MIB } from '../../core/files.ts'
import { fromJson, type JsonText } from '../../core/json.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import type { RecordOf } from '../../imports/neutral.ts'
import {
  deactivateCustomEmojiRow,
  findCustomEmojiNamed,
  insertCustomEmoji,
} from '../../store/emoji/custom-emoji-rows.ts'
import { findNote, putNotes } from '../../store/imports/import-piece-rows.ts'
import { forgetImported } from '../../store/imports/imported-rows.ts'
import { type RealmImageName, readRealmImage } from '../../store/realm/realm-setting-rows.ts'
import {
  findAttachment,
  insertAttachment,
  isUnclaimed,
  type UploadedImage,
} from '../../store/uploads/attachment-rows.ts'
import { cancelRemoval } from '../../store/uploads/removal-rows.ts'
import { uploadKey } from '../../store/uploads/upload-keys.ts'
import { changeUser, findUser } from '../../store/users/user-rows.ts'
import { insertImage } from '../images/reserve-image.ts'
import { hasRoom, hasRoomInOrganization } from '../quotas/within-quota.ts'
import { changeUploadSpaceUsed, removeAttachment, uploadSpaceTaken } from '../uploads/attachments.ts'
import { noteUnclaimed } from '../uploads/claim-attachments.ts'
import { addressName, contentTypeOf, shownName } from '../uploads/upload-metadata.ts'
import { type ImportWork, noteTarget, targetOf, wasMade } from './import-work.ts'
import { replaceSetting } from './replace-setting.ts'

/** A file whose bytes are stored in a reserved directory. */
export interface CopiedFile {
  readonly directory: string
  /** Bytes. */
  readonly size: number
  readonly image: UploadedImage | undefined
}

/**
 * Enters a copied file as an upload of its owner. If there is no room for it, its bytes are removed after a day, like those of an upload that
 * broke off.
 */
export function importFile(
  tx: RealmTransaction,
  work: ImportWork,
  record: RecordOf<'file'>,
  { directory, size, image }: CopiedFile,
  { uploadQuotaMib }: FileLimits,
): void {
  if (targetOf(tx, work, 'file', record.id) !== undefined) return
  const { imported, tally } = work
  const owner = record.owner === undefined ? undefined : targetOf(tx, work, 'user', record.owner)
  const ownerId = owner ?? imported.actingUserId
  const isTooMuch = uploadQuotaMib !== null && uploadSpaceTaken(tx.sql) + size > uploadQuotaMib * MIB
  const hasPlace = owner === undefined ? hasRoomInOrganization(tx, 'files') : hasRoom(tx, 'files', owner)
  if (isTooMuch || !hasPlace || !cancelRemoval(tx.sql, uploadKey(directory))) {
    noteMissing(tx, work, record, 'there is no room for it')
    return
  }
  const { id } = insertAttachment(tx.sql, {
    path: `${directory}/${addressName(record.name)}`,
    ownerId,
    name: shownName(record.name),
    contentType: contentTypeOf(record.content_type ?? '', record.name),
    size,
    createdAt: Math.floor(record.created_ms ?? imported.report.firstTime ?? tx.now * 1_000),
    image: image ?? null,
  })
  noteUnclaimed(tx, id)
  changeUploadSpaceUsed(tx.sql, size)
  noteTarget(tx, work, 'file', record.id, id, 'files')
  tally.count('written', 'bytes of files', size)
  if (owner === undefined) putNotes(tx.sql, imported.id, new Map([[keyOfOwnerless(id), 'nobody']]))
}

/** Lists a file that cannot be copied, and notes its name: messages say that it is missing. */
export function noteMissing(
  tx: RealmTransaction,
  { imported, tally }: ImportWork,
  { id, name }: RecordOf<'file'>,
  why: string,
): void {
  tally.problem('file', `${name}: ${why}`)
  putNotes(tx.sql, imported.id, new Map([[keyOfMissing(id), name]]))
}

/** Returns the name of a file that this import could not copy. */
export function missingName(
  { sql }: Pick<RealmTransaction, 'sql'>,
  { imported }: ImportWork,
  id: string,
): string | undefined {
  return findNote(sql, imported.id, keyOfMissing(id))
}

function keyOfMissing(id: string): string {
  return `missing file:${id}`
}

/**
 * Removes a file that no message links to, because its message was left out or could not be read. A later import that brings the message copies
 * it again.
 */
export function removeUnused(tx: RealmTransaction, work: ImportWork, { id }: RecordOf<'file'>): void {
  const target = targetOf(tx, work, 'file', id)
  const file = target === undefined ? undefined : findAttachment(tx.sql, target)
  if (!file || !isUnclaimed(tx.sql, file.id) || !wasMade(tx, work, 'file', id)) return
  removeAttachment(tx, file)
  forgetImported(tx.sql, work.sourceId, 'file', id)
  work.tally.count('written', 'files of no message, removed again')
}

/** Returns the key of the note that a file has no owner in the source. The first user who sends it becomes the owner. */
export function keyOfOwnerless(attachmentId: number): string {
  return `file of nobody:${attachmentId}`
}

/** A stored picture, whose addresses are reserved. */
export interface StoredPicture {
  readonly use: PictureUse
  readonly path: string
  /** Address of a still picture of an animated emoji. */
  readonly stillPath: string | null
}

/** Enters a stored picture without an event, since clients register at the end. A picture that is no longer needed is removed after a day. */
export function importPicture(
  tx: RealmTransaction,
  work: ImportWork,
  { use, path, stillPath }: StoredPicture,
): void {
  switch (use.kind) {
    case 'avatar':
      importAvatar(tx, work, use.userId, path)
      return
    case 'icon':
    case 'logo':
    case 'night_logo':
      importRealmPicture(tx, work, use.kind, path)
      return
    case 'emoji':
      importEmoji(tx, work, use, path, stillPath)
  }
}

function importAvatar(tx: RealmTransaction, { tally }: ImportWork, userId: number, path: string): void {
  const user = findUser(tx.sql, userId)
  // The user may have logged in and chosen another.
  if (!user || user.avatarPath !== null) return
  insertImage(tx, path)
  changeUser(tx.sql, userId, { avatarSource: 'U', avatarPath: path, avatarVersion: user.avatarVersion + 1 })
  tally.count('written', 'pictures of people')
}

function importRealmPicture(
  tx: RealmTransaction,
  { imported, tally }: ImportWork,
  name: RealmImageName,
  path: string,
): void {
  const { path: present, version } = readRealmImage(tx.sql, name)
  if (present !== null) return
  insertImage(tx, path)
  replaceSetting(tx, imported, name, { path, version: version + 1 })
  tally.count('written', 'pictures of the organization')
}

function importEmoji(
  tx: RealmTransaction,
  work: ImportWork,
  { id, name, authorId, isDeactivated }: Extract<PictureUse, { kind: 'emoji' }>,
  path: string,
  stillPath: string | null,
): void {
  const { sql } = tx
  if (targetOf(tx, work, 'emoji', id) !== undefined || findCustomEmojiNamed(sql, name)) return
  if (!hasRoomInOrganization(tx, 'emoji')) {
    work.tally.problem('no room for more emoji', name)
    return
  }
  insertImage(tx, path)
  insertCustomEmoji(sql, { name, path, stillPath, authorId })
  const emojiId = findCustomEmojiNamed(sql, name)!.id
  // The name is free again for the next of the same name.
  if (isDeactivated) deactivateCustomEmojiRow(sql, emojiId)
  noteTarget(tx, work, 'emoji', id, emojiId, 'custom emoji')
}

export type PictureUse =
  | { readonly kind: 'avatar'; readonly userId: number }
  | {
      readonly kind: 'emoji'
      readonly id: string
      readonly name: string
      readonly authorId: number
      readonly isDeactivated: boolean
    }
  | { readonly kind: RealmImageName }

/** Limit of the users of one picture: each gets a copy. */
const USES_OF_FILE = 20

/** Notes that a file is a picture. It is shown once the file is copied. */
export function notePictureUse(
  tx: RealmTransaction,
  { imported, tally }: ImportWork,
  fileId: string,
  use: PictureUse,
): void {
  const before = pictureUsesOf(tx.sql, imported.id, fileId) ?? []
  if (before.length >= USES_OF_FILE) {
    tally.problem('picture of too many', fileId)
    return
  }
  putNotes(tx.sql, imported.id, new Map([[keyOf(fileId), JSON.stringify([...before, use])]]))
}

/** Notes that a file is a picture, rather than an ordinary file, even if nothing uses it. */
export function notePicture(
  tx: RealmTransaction,
  { imported }: ImportWork,
  fileId: string | undefined,
): void {
  if (fileId === undefined || pictureUsesOf(tx.sql, imported.id, fileId)) return
  putNotes(tx.sql, imported.id, new Map([[keyOf(fileId), '[]']]))
}

/** Returns the uses of a picture; undefined for an ordinary file. */
export function pictureUsesOf(sql: Sql, importId: number, fileId: string): readonly PictureUse[] | undefined {
  const note = findNote(sql, importId, keyOf(fileId))
  return note === undefined ? undefined : fromJson(note as JsonText<PictureUse[]>)
}

function keyOf(fileId: string): string {
  return `picture:${fileId}`
}
