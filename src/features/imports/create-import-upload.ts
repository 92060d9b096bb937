import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { PROSE_LENGTH } from '../../api/input-limits.ts'
import { headerInteger, textUpTo } from '../../api/parameter-types.ts'
import { deploymentOf } from '../../core/call.ts'
import { ApiError, BadRequestError } from '../../core/errors.ts'
import { MIB } from '../../core/files.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import {
  EXPIRE_IMPORT_UPLOAD,
  endImportUpload,
  UPLOAD_KEPT_SECONDS,
} from '../../model/imports/import-upload.ts'
import { readUploadMetadata, shownName } from '../../model/uploads/upload-metadata.ts'
import {
  findPresentImportUpload,
  type ImportUpload,
  insertImportUpload,
} from '../../store/imports/import-upload-rows.ts'
import { importUploadHeaders } from './import-upload-headers.ts'

/** Bytes of a part, of which R2 takes 10,000 of one size: what is lost when a connection breaks, and three times the longest archive. */
const PART_SIZE = 16 * MIB

/**
 * Announces an archive for an import, which comes in parts. Source: tus 1.0.0, creation; docs/interface/administration.md#imports.
 */
export const createImportUploadEndpoint = defineEndpoint({
  operation: 'create-import-upload',
  method: 'POST',
  path: '/imports/uploads/',
  access: 'owner',
  growsObject: true,
  params: {
    upload_length: v.pipe(headerInteger, v.description('Bytes of the whole archive.')),
    upload_metadata: v.optional(
      v.pipe(
        textUpTo(PROSE_LENGTH),
        v.description('Pairs of a key and a Base64 value, separated by commas. The key is filename.'),
      ),
      '',
    ),
  },
  tus: {
    headers: ['upload_length', 'upload_metadata'],
    answers: { 201: { description: 'The upload has started.', hasBody: false } },
    answerHeaders: ['Location', 'Upload-Offset', 'Upload-Expires', 'Upload-Part-Size'],
    maxMib: ({ importArchiveMib }) => importArchiveMib,
    answer: (upload: ImportUpload) => ({
      status: 201,
      headers: { Location: `/api/v1/imports/uploads/${upload.id}`, ...importUploadHeaders(upload) },
    }),
  },
  returns: v.object({}),
  command: { apply: createImportUpload },
  audit: { because: 'the import of the archive has an entry' },
})

interface CreateImportUploadParams {
  readonly upload_length: number
  readonly upload_metadata: string
}

/** Begins an upload in place of an earlier one that is complete. One that is not has to be continued, or deleted. */
function createImportUpload(
  tx: RealmTransaction,
  { user, source }: Caller,
  { upload_length: length, upload_metadata: metadata }: CreateImportUploadParams,
): ImportUpload {
  const { importArchiveMib } = deploymentOf(source)
  if (length > importArchiveMib * MIB) {
    const msg = `File is larger than this server's maximum size of an archive (${importArchiveMib} MiB).`
    throw new ApiError('BAD_REQUEST', msg, {}, 413)
  }
  if (length === 0) throw new BadRequestError('The archive is empty')
  const name = shownName(readUploadMetadata(metadata).get('filename') ?? '')
  const earlier = findPresentImportUpload(tx.sql, tx.now)
  if (earlier) {
    if (earlier.received < earlier.length) throw new BadRequestError('Another archive is being uploaded')
    endImportUpload(tx, earlier)
  }
  const upload = {
    id: tx.randomHex(16),
    ownerId: user.id,
    name,
    metadata,
    length,
    partSize: PART_SIZE,
    expiresAt: Math.floor(tx.now) + UPLOAD_KEPT_SECONDS,
  }
  insertImportUpload(tx.sql, upload)
  tx.schedule({ kind: EXPIRE_IMPORT_UPLOAD, key: upload.id, dueAt: upload.expiresAt })
  return { ...upload, received: 0, multipartId: null, isComplete: false }
}
