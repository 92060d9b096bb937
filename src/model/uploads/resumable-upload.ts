import { deploymentOf, type RequestSource } from '../../core/call.ts'
import { ApiError, NotFoundError } from '../../core/errors.ts'
import { MIB } from '../../core/files.ts'
import type { RealmTransaction, RealmView } from '../../core/realm-transaction.ts'
import { DAY } from '../../core/time.ts'
import { type Attachment, findAttachment } from '../../store/uploads/attachment-rows.ts'
import {
  deleteChunks,
  deleteResumableUpload,
  findResumableUpload,
  listChunks,
  type ResumableUpload,
  type UploadChunk,
} from '../../store/uploads/resumable-upload-rows.ts'
import { addressOf, type UploadAddress, uploadDirectory, uploadKey } from '../../store/uploads/upload-keys.ts'
import type { Caller } from '../caller.ts'
import { scheduleRemoval, uploadSpaceTaken } from './attachments.ts'
import { offsetConflict } from './upload-metadata.ts'

/** The media type of a chunk of a file (tus 1.0.0). */
export const CHUNK_TYPE = 'application/offset+octet-stream'

/** Size below which a chunk is stored again together with the next one, so that a file has few chunks. */
const SMALL_CHUNK = MIB

/** The progress of an upload, and everything needed to continue it. */
export interface Transfer {
  readonly upload: string
  readonly length: number
  readonly received: number
  readonly metadata: string
  /** UNIX seconds; null for a complete upload. */
  readonly expiresAt: number | null
  /** The address of a complete upload. */
  readonly file: UploadAddress | null
  /** Directory of the next chunk; null where none is expected. */
  readonly directory: string | null
  readonly chunks: readonly UploadChunk[]
  /** The last chunk if it will be stored again; then it is not among `chunks`. */
  readonly tail: UploadChunk | null
}

export function transferOf(
  tx: RealmTransaction,
  upload: ResumableUpload,
  goesOn: boolean,
  fileId?: string,
): Transfer {
  const file = fileOf(tx, upload)
  const chunks = goesOn ? listChunks(tx.sql, upload.id) : []
  const last = chunks.at(-1)
  const tail = last && last.size < SMALL_CHUNK ? last : null
  return {
    upload: upload.id,
    length: upload.length,
    received: upload.received,
    metadata: upload.metadata,
    expiresAt: file ? null : upload.expiresAt,
    file: file ? addressOf(file) : null,
    directory: goesOn && !file ? reserveUpload(tx, fileId) : null,
    chunks: tail ? chunks.slice(0, -1) : chunks,
    tail,
  }
}

/** Returns the caller's upload. One whose file was deleted counts as absent. */
export function requireOwnUpload(
  view: Pick<RealmView, 'sql' | 'now'>,
  { user }: Pick<Caller, 'user'>,
  id: string,
): ResumableUpload {
  const upload = findResumableUpload(view.sql, id)
  const isThere =
    upload?.ownerId === user.id &&
    view.now < upload.expiresAt &&
    (upload.attachmentId === null || fileOf(view, upload) !== undefined)
  if (!isThere) throw new NotFoundError('This upload does not exist, or it has expired')
  return upload
}

/** Refuses a chunk that does not begin where the stored bytes end. */
export function requireOffset({ received }: ResumableUpload, offset: number): void {
  if (offset !== received) throw offsetConflict(received)
}

/** @throws ApiError (413, REALM_UPLOAD_QUOTA) */
export function requireSpace({ sql }: Pick<RealmView, 'sql'>, source: RequestSource, bytes: number): void {
  const { uploadQuotaMib } = deploymentOf(source)
  if (uploadQuotaMib === null) return
  if (uploadSpaceTaken(sql) + bytes <= uploadQuotaMib * MIB) return
  const msg = "Upload would exceed your organization's upload quota."
  throw new ApiError('REALM_UPLOAD_QUOTA', msg, {}, 413)
}

function fileOf({ sql }: Pick<RealmView, 'sql'>, { attachmentId }: ResumableUpload): Attachment | undefined {
  return attachmentId === null ? undefined : findAttachment(sql, attachmentId)
}

/** Deletes a resumable upload with its chunks. A file that was made from it stays. */
export function forgetResumableUpload(tx: RealmTransaction, id: string): undefined {
  removeChunks(tx, id)
  deleteResumableUpload(tx.sql, id)
}

export function removeChunks(tx: RealmTransaction, id: string, from = 0): void {
  for (const directory of deleteChunks(tx.sql, id, from)) scheduleRemoval(tx, uploadKey(directory), tx.now)
}

/** Limit of the seconds that the transfer of a file may take. */
const TRANSFER_SECONDS = DAY

/** Reserves a directory for bytes that are being stored, which are removed after a day unless that is cancelled. */
export function reserveUpload(tx: RealmTransaction, fileId = tx.randomHex(16)): string {
  const directory = uploadDirectory(tx.realm.id, fileId)
  scheduleRemoval(tx, uploadKey(directory), tx.now + TRANSFER_SECONDS)
  return directory
}
