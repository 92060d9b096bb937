import { deploymentOf, type RequestSource } from '../../core/call.ts'
import { BadRequestError, UploadQuotaError } from '../../core/errors.ts'
import { MIB } from '../../core/files.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { type Attachment, insertAttachment, type UploadedImage } from '../../store/uploads/attachment-rows.ts'
import { cancelRemoval } from '../../store/uploads/removal-rows.ts'
import { addressOf, type UploadAddress, uploadKey } from '../../store/uploads/upload-keys.ts'
import type { Caller } from '../caller.ts'
import { withinQuota } from '../quotas/within-quota.ts'
import { announceAttachments, changeUploadSpaceUsed, uploadSpaceTaken } from './attachments.ts'
import { noteUnclaimed } from './claim-attachments.ts'
import { reserveUpload } from './resumable-upload.ts'
import { addressName, contentTypeOf, shownName } from './upload-metadata.ts'

/** A key that is reserved for a file. */
export interface ReservedUpload {
  /** The first parts of its path: `2/ab/0123…`. Nobody can guess it. */
  readonly directory: string
  /** Remaining bytes of the organization's quota; null: no quota. */
  readonly spaceLeft: number | null
}

/** Begins an upload by reserving a key for the file. Source: docs/interface/uploads.md#upload-a-file. */
export function uploadFile(tx: RealmTransaction, { source }: Caller): ReservedUpload {
  return { directory: reserveUpload(tx, source.fileId), spaceLeft: spaceLeft(tx, source) }
}

/** A file that is stored under its reserved key. */
export interface StoredUpload {
  readonly directory: string
  readonly name: string
  readonly contentType: string
  readonly size: number
  /** Facts of a picture. */
  readonly image?: UploadedImage | undefined
}

/** Enters a complete upload. @throws UploadQuotaError */
export function addUpload(tx: RealmTransaction, caller: Caller, stored: StoredUpload): UploadAddress {
  const left = spaceLeft(tx, caller.source)
  if (left !== null && stored.size > left) throw new UploadQuotaError()
  return addressOf(addAttachment(tx, caller, stored))
}

/** Enters a stored file, which only its owner can read until a message links to it. The caller has checked that there is room. */
export function addAttachment(
  tx: RealmTransaction,
  caller: Caller,
  { directory, name, contentType, size, image }: StoredUpload,
): Attachment {
  if (!cancelRemoval(tx.sql, uploadKey(directory))) {
    throw new BadRequestError('You must specify a file to upload')
  }
  const entered = {
    path: `${directory}/${addressName(name)}`,
    ownerId: caller.user.id,
    name: shownName(name),
    contentType: contentTypeOf(contentType, name),
    size,
    createdAt: Math.floor(tx.now * 1_000),
    image: image ?? null,
  }
  const attachment = withinQuota(tx, caller, 'files', () => insertAttachment(tx.sql, entered))
  noteUnclaimed(tx, attachment.id)
  changeUploadSpaceUsed(tx.sql, size)
  announceAttachments(tx, 'add', [attachment])
  return attachment
}

/** Returns the remaining bytes of the quota; null: no quota. */
function spaceLeft({ sql }: Pick<RealmReads, 'sql'>, source: RequestSource): number | null {
  const { uploadQuotaMib } = deploymentOf(source)
  return uploadQuotaMib === null ? null : Math.max(uploadQuotaMib * MIB - uploadSpaceTaken(sql), 0)
}
