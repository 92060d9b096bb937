import * as v from 'valibot'
import { defineEndpoint, defineStep, type ParametersOf } from '../../api/define-endpoint.ts'
import { NAME_LENGTH, PROSE_LENGTH } from '../../api/input-limits.ts'
import { described, headerInteger, nonNegativeInteger, textUpTo } from '../../api/parameter-types.ts'
import type { WorkerContext } from '../../api/worker-context.ts'
import { deploymentOf } from '../../core/call.ts'
import { ApiError, BadRequestError, isRefusal } from '../../core/errors.ts'
import { type IncomingFile, MIB, OtherSizeError } from '../../core/files.ts'
import {
  endImportUpload,
  requireImportUpload,
  UPLOAD_KEPT_SECONDS,
} from '../../model/imports/import-upload.ts'
import {
  offsetConflict,
  readUploadMetadata,
  shownName,
  tooManyBytes,
} from '../../model/uploads/upload-metadata.ts'
import {
  findImportUpload,
  findPresentImportUpload,
  type ImportUpload,
  insertImportUpload,
  insertPart,
  takePartNumber,
} from '../../store/imports/import-upload-rows.ts'
import { uploadDirectory, uploadKey } from '../../store/uploads/upload-keys.ts'

/** Bytes of a part, of which R2 takes 10,000: enough for the longest archive, and little to lose when a connection breaks. */
const PART_SIZE = 16 * MIB

/**
 * Announces an archive for an import, which comes in parts. It replaces a complete one; an incomplete one has to be continued or deleted.
 * Source: tus 1.0.0, creation; docs/interface/administration.md#imports.
 */
export const createImportUploadEndpoint = defineEndpoint({
  operation: 'create-import-upload',
  route: 'POST /imports/uploads/',
  access: 'owner',
  growsObject: true,
  params: {
    upload_length: described(headerInteger, 'Bytes of the whole archive.'),
    upload_metadata: v.optional(
      described(
        textUpTo(PROSE_LENGTH),
        'Pairs of a key and a Base64 value, separated by commas. The key is filename.',
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
  apply(tx, { user, source }, { upload_length: length, upload_metadata: metadata }): ImportUpload {
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
    tx.schedule({ kind: 'expire-import-upload', key: upload.id, dueAt: upload.expiresAt })
    return { ...upload, received: 0, multipartId: null, isComplete: false }
  },
  audit: { because: 'the import of the archive has an entry' },
})

/** Gets how much of an archive has been received. Source: tus 1.0.0, HEAD. */
export const getImportUploadEndpoint = defineEndpoint({
  operation: 'get-import-upload',
  route: 'GET /imports/uploads/:upload',
  access: 'owner',
  params: { upload: textUpTo(NAME_LENGTH) },
  tus: {
    headers: [],
    answers: { 200: { description: 'The headers say how many bytes have been received.', hasBody: true } },
    answerHeaders: [
      'Upload-Offset',
      'Upload-Length',
      'Upload-Metadata',
      'Upload-Expires',
      'Upload-Part-Size',
    ],
    answer: (upload: ImportUpload) => ({
      status: 200,
      headers: {
        ...importUploadHeaders(upload),
        'Upload-Length': upload.length,
        'Upload-Metadata': upload.metadata === '' ? null : upload.metadata,
      },
      body: { upload_offset: upload.received, upload_length: upload.length },
    }),
  },
  returns: v.object({
    upload_offset: described(v.number(), 'The number of bytes received so far.'),
    upload_length: described(v.number(), 'Bytes of the whole archive.'),
  }),
  apply(tx, _owner, { upload }): ImportUpload {
    return requireImportUpload(tx, upload)
  },
})

/** Parts that R2 takes. Each try of a part has a number of its own, so that the tags of two tries cannot be confused. */
const MAX_PARTS = 10_000
/** Length of the ids and tags that R2 gives out. */
const MAX_TAG_LENGTH = 2_000

const appendParams = {
  upload: textUpTo(NAME_LENGTH),
  upload_offset: described(
    headerInteger,
    'The byte at which the part begins; must be the number of bytes received so far.',
  ),
  content_length: v.optional(headerInteger),
}
type AppendParams = ParametersOf<typeof appendParams>

/**
 * Appends the next part of an archive, without a lock: of two simultaneous ones, the one that is stored first wins. Source: tus 1.0.0,
 * PATCH; docs/interface/administration.md#imports.
 */
export const appendToImportUploadEndpoint = defineEndpoint({
  operation: 'append-to-import-upload',
  route: 'PATCH /imports/uploads/:upload',
  access: 'owner',
  growsObject: true,
  params: appendParams,
  tus: {
    headers: ['upload_offset', 'content_length'],
    chunk: 'required',
    answers: { 204: { description: 'The part was stored.', hasBody: false } },
    answerHeaders: ['Upload-Offset', 'Upload-Expires', 'Upload-Part-Size'],
    answer: (upload: ImportUpload) => ({ status: 204, headers: importUploadHeaders(upload) }),
  },
  returns: v.object({}),
  apply(tx, _owner, { upload: id, upload_offset, content_length }): ExpectedPart {
    const upload = requireImportUpload(tx, id)
    if (upload_offset !== upload.received) throw offsetConflict(upload.received)
    const size = Math.min(upload.partSize, upload.length - upload.received)
    if (content_length !== undefined && content_length !== size) throw wrongSize(size)
    if (size === 0) return { upload, number: null, size }
    const number = takePartNumber(tx.sql, id)
    if (number > MAX_PARTS) throw new BadRequestError('This upload has failed too often. Start it again')
    return { upload, number, size }
  },
  audit: { because: 'the import of the archive has an entry' },
  finish: takeInPart,
  // The offset shows that a part is repeated, and the call alone only takes a number.
  idempotency: 'harmless',
  repeatable: () => true,
})

/** The next part. */
interface ExpectedPart {
  readonly upload: ImportUpload
  /** Its number at R2; null if the archive is complete. */
  readonly number: number | null
  readonly size: number
}

function wrongSize(size: number): BadRequestError {
  return new BadRequestError(`The next part has to have ${size} bytes`)
}

/** Stores the body of the request as a part, and then enters it. */
async function takeInPart(
  { upload, number, size }: ExpectedPart,
  _params: AppendParams,
  worker: WorkerContext,
): Promise<ImportUpload> {
  if (number === null) return upload
  const { store } = worker
  const key = uploadKey(uploadDirectory(worker.realmId, upload.id))
  const multipart = upload.multipartId ?? (await store.beginParts(key))
  try {
    const tag = await store.keepPart(key, multipart, { number, size, content: await bodyOf(worker) })
    return (await worker.run(keepImportPartStep.operation, {
      upload: upload.id,
      from: upload.received,
      size,
      number,
      tag,
      multipart,
    })) as ImportUpload
  } catch (error) {
    // R2 forgets after a week what is not abandoned.
    if (upload.multipartId === null && isRefusal(error))
      await store.abandonParts(key, multipart).catch(() => {})
    throw error instanceof OtherSizeError ? wrongSize(size) : error
  }
}

async function bodyOf({ files }: WorkerContext): Promise<AsyncIterable<Uint8Array>> {
  for await (const { content } of files as AsyncIterable<IncomingFile>) return content
  throw tooManyBytes()
}

/** Enters a stored part, which then counts as received. */
export const keepImportPartStep = defineStep({
  operation: 'keep-import-part',
  access: 'owner',
  params: {
    upload: textUpTo(NAME_LENGTH),
    from: nonNegativeInteger,
    size: nonNegativeInteger,
    number: nonNegativeInteger,
    tag: textUpTo(MAX_TAG_LENGTH),
    multipart: textUpTo(MAX_TAG_LENGTH),
  },
  apply(tx, _owner, { upload: id, from, size, number, tag, multipart }): ImportUpload {
    const upload = requireImportUpload(tx, id)
    const isNext = from === upload.received && (upload.multipartId ?? multipart) === multipart
    if (!isNext) throw offsetConflict(upload.received)
    insertPart(tx.sql, upload, { number, etag: tag }, { received: from + size, multipartId: multipart })
    return findImportUpload(tx.sql, id)!
  },
  audit: 'step',
})

/** Deletes an archive, complete or not. Source: tus 1.0.0, termination. */
export const removeImportUploadEndpoint = defineEndpoint({
  operation: 'remove-import-upload',
  route: 'DELETE /imports/uploads/:upload',
  access: 'owner',
  params: { upload: textUpTo(NAME_LENGTH) },
  tus: {
    headers: [],
    answers: { 204: { description: 'The archive is being deleted.', hasBody: false } },
    answerHeaders: [],
    answer: () => ({ status: 204, headers: {} }),
  },
  returns: v.object({}),
  apply(tx, _owner, { upload }): object {
    endImportUpload(tx, requireImportUpload(tx, upload))
    return {}
  },
  audit: { because: 'the import of the archive has an entry' },
})

/** Returns the progress of an archive, in the headers of the tus protocol, and the size of its parts. */
function importUploadHeaders({
  received,
  expiresAt,
  partSize,
}: Pick<ImportUpload, 'received' | 'expiresAt' | 'partSize'>) {
  return {
    'Upload-Offset': received,
    'Upload-Expires': new Date(expiresAt * 1_000).toUTCString(),
    'Upload-Part-Size': partSize,
  }
}
