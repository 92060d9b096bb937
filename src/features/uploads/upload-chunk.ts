import * as v from 'valibot'
import { defineStep } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { described, nonNegativeInteger, textUpTo } from '../../api/parameter-types.ts'
import { imageFacts, pathInStore } from '../../api/step-types.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { addFilesOfFirstAnswer } from '../../model/idempotency/first-answer.ts'
import {
  removeChunks,
  requireOffset,
  requireOwnUpload,
  requireSpace,
  reserveUpload,
  type Transfer,
  transferOf,
} from '../../model/uploads/resumable-upload.ts'
import { addAttachment } from '../../model/uploads/upload-file.ts'
import { readUploadMetadata, tooManyBytes } from '../../model/uploads/upload-metadata.ts'
import type { UploadedImage } from '../../store/uploads/attachment-rows.ts'
import {
  completeResumableUpload,
  insertChunk,
  type UploadChunk,
} from '../../store/uploads/resumable-upload-rows.ts'
import { addressOf, type UploadAddress } from '../../store/uploads/upload-keys.ts'

interface AppendParams {
  readonly upload: string
  readonly upload_offset: number
  /** Absent if the body's length is not announced. */
  readonly content_length?: number
}

/** Begins a chunk of a file. Nothing is locked: of two simultaneous ones, the one that is stored first wins. Source: tus 1.0.0, PATCH. */
export function appendToResumableUpload(
  tx: RealmTransaction,
  caller: Caller,
  { upload: id, upload_offset, content_length = 0 }: AppendParams,
): Transfer {
  const upload = requireOwnUpload(tx, caller, id)
  requireOffset(upload, upload_offset)
  if (upload.received + content_length > upload.length) throw tooManyBytes()
  return transferOf(tx, upload, true, caller.source.fileId)
}

export interface StoredChunk extends UploadChunk {
  readonly upload: string
  /** Bytes received before. */
  readonly from: number
  /** Whether another chunk follows. */
  readonly goesOn: boolean
}

export interface StoredWhole {
  readonly upload: string
  /** Bytes stored before. */
  readonly from: number
  /** Directory of the whole file. */
  readonly directory: string
  /** Facts about a picture. */
  readonly image?: UploadedImage | undefined
}

/** The upload made from a file. Source: docs/interface/uploads.md#upload-a-file. */
export const uploadedFile = v.object({
  url: v.string(),
  uri: described(v.string(), 'The same value, under its older name.'),
  filename: v.string(),
})

/**
 * Enters a stored chunk, which is then acknowledged. Its directory stays in the list of orphans, but is not removed before the upload has
 * expired, since it was reserved after the upload. Returns the directory of the next chunk.
 */
export const keepUploadChunkStep = defineStep({
  operation: 'keep-upload-chunk',
  access: 'user',
  params: {
    upload: textUpTo(NAME_LENGTH),
    from: nonNegativeInteger,
    goesOn: v.boolean(),
    start: nonNegativeInteger,
    size: nonNegativeInteger,
    directory: pathInStore,
  },
  apply(tx, caller, { upload: id, from, goesOn, start, size, directory }) {
    const upload = requireOwnUpload(tx, caller, id)
    requireOffset(upload, from)
    requireSpace(tx, caller.source, start + size - from)
    removeChunks(tx, id, start)
    insertChunk(tx.sql, id, { start, size, directory })
    return { directory: goesOn ? reserveUpload(tx) : null }
  },
  audit: 'step',
})

/**
 * Enters a completely stored file: it becomes an upload like any other, in the commit that acknowledges its last byte. The resumable upload
 * is remembered as complete until it expires.
 */
export const completeUploadStep = defineStep({
  operation: 'complete-upload',
  access: 'user',
  params: {
    upload: textUpTo(NAME_LENGTH),
    from: nonNegativeInteger,
    directory: pathInStore,
    image: imageFacts,
  },
  apply(tx, caller, { upload: id, from, directory, image }): UploadAddress {
    const upload = requireOwnUpload(tx, caller, id)
    requireOffset(upload, from)
    requireSpace(tx, caller.source, upload.length - from)
    const said = readUploadMetadata(upload.metadata)
    const attachment = addAttachment(tx, caller, {
      directory,
      name: said.get('filename') ?? '',
      contentType: said.get('filetype') ?? '',
      size: upload.length,
      image,
    })
    removeChunks(tx, id)
    completeResumableUpload(tx.sql, id, attachment.id)
    // The file may have come with its announcement: a repetition must have the same bytes.
    addFilesOfFirstAnswer(tx, caller.user.id, caller.source.idempotency)
    return addressOf(attachment)
  },
  audit: 'speech',
})

/**
 * Gets the progress of an upload that an earlier request with the same key announced. Bytes are expected only if none have been stored, and
 * in a directory of their own, since the earlier request may still be in progress.
 */
export const continueUploadStep = defineStep({
  operation: 'continue-upload',
  access: 'user',
  params: { upload: textUpTo(NAME_LENGTH) },
  apply(tx, caller, { upload: id }): Transfer {
    const upload = requireOwnUpload(tx, caller, id)
    return transferOf(tx, upload, upload.received === 0, caller.source.fileId)
  },
  audit: 'step',
})
