import * as v from 'valibot'
import { defineStep } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { nonNegativeInteger, textUpTo } from '../../api/parameter-types.ts'
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
import { addressOf, type UploadAddress } from '../../model/uploads/upload-address.ts'
import { enterAttachment } from '../../model/uploads/upload-file.ts'
import { readUploadMetadata, tooManyBytes } from '../../model/uploads/upload-metadata.ts'
import type { UploadedImage } from '../../store/uploads/attachment-rows.ts'
import {
  completeResumableUpload,
  insertChunk,
  type UploadChunk,
} from '../../store/uploads/resumable-upload-rows.ts'

interface AppendParams {
  readonly upload: string
  readonly upload_offset: number
  /** Absent where the body's length is not announced. */
  readonly content_length?: number
}

/**
 * Begins a chunk of a file. Nothing is locked for it: of two simultaneous ones, the one that is stored first
 * wins. Source: tus 1.0.0, PATCH.
 */
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
  /** Offset of the chunk, which may replace a small one before. */
  readonly from: number
  /** Whether another one follows. */
  readonly goesOn: boolean
}

/**
 * Enters a stored chunk, which is acknowledged from now on. Its directory stays an orphan in the list of
 * removals, but not due before the upload has expired, since it was reserved after the upload. Returns the
 * directory of the next chunk.
 */
function keepUploadChunk(
  tx: RealmTransaction,
  caller: Caller,
  { upload: id, from, goesOn, start, size, directory }: StoredChunk,
): { readonly directory: string | null } {
  const upload = requireOwnUpload(tx, caller, id)
  requireOffset(upload, from)
  requireSpace(tx, caller.source, start + size - from)
  removeChunks(tx, id, start)
  insertChunk(tx.sql, id, { start, size, directory })
  return { directory: goesOn ? reserveUpload(tx) : null }
}

export interface StoredWhole {
  readonly upload: string
  /** Bytes stored before. */
  readonly from: number
  /** Directory of the whole file. */
  readonly directory: string
  /** Facts of a picture. */
  readonly image?: UploadedImage | undefined
}

/**
 * Enters a file that is stored completely: it becomes an upload like any other, in the commit that
 * acknowledges its last byte. The resumable upload stays known as complete until its time is over.
 */
function completeUpload(
  tx: RealmTransaction,
  caller: Caller,
  { upload: id, from, directory, image }: StoredWhole,
): UploadAddress {
  const upload = requireOwnUpload(tx, caller, id)
  requireOffset(upload, from)
  requireSpace(tx, caller.source, upload.length - from)
  const said = readUploadMetadata(upload.metadata)
  const attachment = enterAttachment(tx, caller, {
    directory,
    name: said.get('filename') ?? '',
    contentType: said.get('filetype') ?? '',
    size: upload.length,
    image,
  })
  removeChunks(tx, id)
  completeResumableUpload(tx.sql, id, attachment.id)
  // The file may have come with its announcement, which is then repeated with the same bytes or refused.
  addFilesOfFirstAnswer(tx, caller.user.id, caller.source.idempotency)
  return addressOf(attachment)
}

/** The upload that was made from a file. Source: docs/interface/uploads.md#upload-a-file. */
export const uploadedFile = v.object({
  url: v.string(),
  uri: v.pipe(v.string(), v.description('The same value, under its older name.')),
  filename: v.string(),
})

/** Enters a stored chunk of a resumable upload. */
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
  command: { apply: keepUploadChunk },
  audit: 'step',
})

/** Enters a resumable upload that is stored completely. */
export const completeUploadStep = defineStep({
  operation: 'complete-upload',
  access: 'user',
  params: {
    upload: textUpTo(NAME_LENGTH),
    from: nonNegativeInteger,
    directory: pathInStore,
    image: imageFacts,
  },
  command: { apply: completeUpload },
  audit: 'speech',
})

/**
 * Looks how far an upload has come that an earlier request with the same key announced. Bytes are expected
 * only if none has been stored, and in a directory of their own: the earlier request may be under way still.
 */
export const continueUploadStep = defineStep({
  operation: 'continue-upload',
  access: 'user',
  params: { upload: textUpTo(NAME_LENGTH) },
  command: { apply: continueUpload },
  audit: 'step',
})

function continueUpload(
  tx: RealmTransaction,
  caller: Caller,
  { upload: id }: { readonly upload: string },
): Transfer {
  const upload = requireOwnUpload(tx, caller, id)
  return transferOf(tx, upload, upload.received === 0, caller.source.fileId)
}
