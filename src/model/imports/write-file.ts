import { type FileLimits, MIB } from '../../core/files.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { RecordOf } from '../../imports/neutral.ts'
import { putNotes } from '../../store/imports/import-piece-rows.ts'
import { forgetImported } from '../../store/imports/imported-rows.ts'
import {
  findAttachment,
  insertAttachment,
  isUnclaimed,
  type UploadedImage,
} from '../../store/uploads/attachment-rows.ts'
import { cancelRemoval } from '../../store/uploads/removal-rows.ts'
import { uploadKey } from '../../store/uploads/upload-key.ts'
import { hasRoom, hasRoomInOrganization } from '../quotas/within-quota.ts'
import { removeAttachment } from '../uploads/discard-attachment.ts'
import { noteUnclaimed } from '../uploads/note-unclaimed.ts'
import { addressName, contentTypeOf, shownName } from '../uploads/upload-metadata.ts'
import { changeUploadSpaceUsed, uploadSpaceTaken } from '../uploads/upload-space.ts'
import { type ImportWork, noteTarget, targetOf, wasMade } from './import-work.ts'

/** A file whose bytes are stored in a reserved directory. */
export interface CopiedFile {
  readonly directory: string
  /** Bytes. */
  readonly size: number
  readonly image: UploadedImage | undefined
}

/**
 * Enters a copied file as an upload of its owner, whom nobody notifies. Without a room for it, its bytes are removed after a day as those of
 * an upload that breaks off.
 */
export function enterFile(
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
    tally.problem('file', `${record.name}: there is no room for it`)
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

/**
 * Removes a file that no message has linked to: its message was left out, or could not be read. A further import of the source copies it
 * again, should it bring the message.
 */
export function removeUnused(tx: RealmTransaction, work: ImportWork, { id }: RecordOf<'file'>): void {
  const target = targetOf(tx, work, 'file', id)
  const file = target === undefined ? undefined : findAttachment(tx.sql, target)
  if (!file || !isUnclaimed(tx.sql, file.id) || !wasMade(tx, work, 'file', id)) return
  removeAttachment(tx, file)
  forgetImported(tx.sql, work.sourceId, 'file', id)
  work.tally.count('written', 'files of no message, removed again')
}

/**
 * Returns the name of the note that a file has no owner in the source. The first user who sends it becomes the owner.
 */
export function keyOfOwnerless(attachmentId: number): string {
  return `file of nobody:${attachmentId}`
}
