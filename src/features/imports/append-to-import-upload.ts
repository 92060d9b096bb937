import * as v from 'valibot'
import { defineEndpoint, defineStep, type WorkerContext } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { headerInteger, nonNegativeInteger, textUpTo } from '../../api/parameter-types.ts'
import { BadRequestError, isRefusal } from '../../core/errors.ts'
import { type IncomingFile, OtherSizeError } from '../../core/files.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { requireImportUpload } from '../../model/imports/import-upload.ts'
import { offsetConflict, tooManyBytes } from '../../model/uploads/upload-refusals.ts'
import {
  findImportUpload,
  type ImportUpload,
  insertPart,
  takePartNumber,
} from '../../store/imports/import-upload-rows.ts'
import { uploadDirectory, uploadKey } from '../../store/uploads/upload-key.ts'
import { importUploadHeaders } from './import-upload-headers.ts'

/** Parts that R2 takes. Each try of a part has a number of its own, since the tags of two with the same number could be confused. */
const MAX_PARTS = 10_000
/** Length of the ids and tags that R2 gives out. */
const MAX_TAG_LENGTH = 2_000

/** Appends the next part of an archive. Source: tus 1.0.0, PATCH; docs/interface/administration.md#imports. */
export const appendToImportUploadEndpoint = defineEndpoint({
  operation: 'append-to-import-upload',
  method: 'PATCH',
  path: '/imports/uploads/:upload',
  access: 'owner',
  growsObject: true,
  params: {
    upload: textUpTo(NAME_LENGTH),
    upload_offset: v.pipe(
      headerInteger,
      v.description('The byte at which the part begins; must be the number of bytes received so far.'),
    ),
    content_length: v.optional(headerInteger),
  },
  tus: {
    headers: ['upload_offset', 'content_length'],
    chunk: 'required',
    answers: { 204: { description: 'The part was stored.', hasBody: false } },
    answerHeaders: ['Upload-Offset', 'Upload-Expires', 'Upload-Part-Size'],
    answer: (upload: ImportUpload) => ({ status: 204, headers: importUploadHeaders(upload) }),
  },
  returns: v.object({}),
  command: { apply: beginPart },
  audit: { because: 'the import of the archive has an entry' },
  finish: takeInPart,
  // The offset shows that a part is repeated, and the call alone only takes a number.
  idempotency: 'harmless',
  repeatable: () => true,
})

interface AppendParams {
  readonly upload: string
  readonly upload_offset: number
  readonly content_length?: number
}

/** A part that is expected. */
interface ExpectedPart {
  readonly upload: ImportUpload
  /** Its number at R2; null if the archive is complete. */
  readonly number: number | null
  readonly size: number
}

/** Nothing is locked for a part: of two simultaneous ones, the one that is stored first wins. */
function beginPart(
  tx: RealmTransaction,
  _owner: Caller,
  { upload: id, upload_offset, content_length }: AppendParams,
): ExpectedPart {
  const upload = requireImportUpload(tx, id)
  if (upload_offset !== upload.received) throw offsetConflict(upload.received)
  const size = Math.min(upload.partSize, upload.length - upload.received)
  if (content_length !== undefined && content_length !== size) throw wrongSize(size)
  if (size === 0) return { upload, number: null, size }
  const number = takePartNumber(tx.sql, id)
  if (number > MAX_PARTS) throw new BadRequestError('This upload has failed too often. Begin it anew')
  return { upload, number, size }
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
    // What is not abandoned, R2 forgets after a week.
    if (upload.multipartId === null && isRefusal(error))
      await store.abandonParts(key, multipart).catch(() => {})
    throw error instanceof OtherSizeError ? wrongSize(size) : error
  }
}

async function bodyOf({ files }: WorkerContext): Promise<AsyncIterable<Uint8Array>> {
  for await (const { content } of files as AsyncIterable<IncomingFile>) return content
  throw tooManyBytes()
}

interface StoredPart {
  readonly upload: string
  /** Bytes before it. */
  readonly from: number
  readonly size: number
  readonly number: number
  readonly tag: string
  readonly multipart: string
}

/** Enters a stored part, which is acknowledged from now on. */
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
  command: { apply: keepImportPart },
  audit: 'step',
})

function keepImportPart(
  tx: RealmTransaction,
  _owner: Caller,
  { upload: id, from, size, number, tag, multipart }: StoredPart,
): ImportUpload {
  const upload = requireImportUpload(tx, id)
  const isNext = from === upload.received && (upload.multipartId ?? multipart) === multipart
  if (!isNext) throw offsetConflict(upload.received)
  insertPart(tx.sql, upload, { number, etag: tag }, { received: from + size, multipartId: multipart })
  return findImportUpload(tx.sql, id)!
}
