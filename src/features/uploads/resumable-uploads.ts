import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { NAME_LENGTH, PROSE_LENGTH } from '../../api/input-limits.ts'
import { described, headerInteger, textUpTo } from '../../api/parameter-types.ts'
import type { WorkerContext } from '../../api/worker-context.ts'
import { deploymentOf } from '../../core/call.ts'
import { ApiError } from '../../core/errors.ts'
import { MIB } from '../../core/files.ts'
import { DAY } from '../../core/time.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import {
  CHUNK_TYPE,
  forgetResumableUpload,
  requireOwnUpload,
  requireSpace,
  type Transfer,
  transferOf,
} from '../../model/uploads/resumable-upload.ts'
import { readUploadMetadata } from '../../model/uploads/upload-metadata.ts'
import { insertResumableUpload, type ResumableUpload } from '../../store/uploads/resumable-upload-rows.ts'
import {
  discardFirstBytes,
  type Progress,
  progressHeaders,
  storeFirstBytes,
  takeInChunk,
} from './in-worker/take-in-chunk.ts'
import { appendToResumableUpload, continueUploadStep, uploadedFile } from './upload-chunk.ts'

const createResumableUploadParams = {
  upload_length: v.optional(described(headerInteger, 'Bytes of the whole file.')),
  upload_metadata: v.optional(
    described(
      textUpTo(PROSE_LENGTH),
      'Pairs of a key and a Base64 value, separated by commas. The keys are filename and filetype.',
    ),
    '',
  ),
  content_type: v.optional(textUpTo(NAME_LENGTH)),
}

/** Announces a file that comes in chunks, possibly with the first one. Source: tus 1.0.0, creation. */
export const createResumableUploadEndpoint = defineEndpoint({
  operation: 'create-resumable-upload',
  route: 'POST /tus/',
  access: 'user',
  growsObject: true,
  shed: { step: 'uploads' },
  params: createResumableUploadParams,
  tus: {
    headers: ['upload_length', 'upload_metadata', 'content_type'],
    chunk: 'optional',
    answers: {
      201: {
        description: 'The upload has started. The answer has a body only if the upload is complete already.',
        hasBody: true,
      },
    },
    answerHeaders: ['Location', 'Upload-Offset', 'Upload-Expires'],
    answer: (progress: Progress) => ({
      status: progress.end ?? 201,
      headers: { Location: `/api/v1/tus/${progress.upload}`, ...progressHeaders(progress) },
      ...(progress.file ? { body: progress.file } : {}),
    }),
  },
  returns: uploadedFile,
  apply(tx, caller, { upload_length: length, upload_metadata: metadata, content_type }): Transfer {
    const { user, source } = caller
    if (length === undefined) {
      throw new ApiError('BAD_REQUEST', 'The length of an upload must be known when it is created', {}, 411)
    }
    const { maxFileUploadMib } = deploymentOf(source)
    if (length > maxFileUploadMib * MIB) {
      const msg = `File is larger than this server's configured maximum upload size (${maxFileUploadMib} MiB).`
      throw new ApiError('BAD_REQUEST', msg, {}, 413)
    }
    requireSpace(tx, source, length)
    readUploadMetadata(metadata)
    const upload: ResumableUpload = {
      id: tx.randomHex(16),
      ownerId: user.id,
      metadata,
      length,
      received: 0,
      expiresAt: Math.floor(tx.now) + UNDER_WAY_SECONDS,
      attachmentId: null,
    }
    withinQuota(tx, caller, 'uploads', () => insertResumableUpload(tx.sql, upload))
    tx.schedule({ kind: 'expire-resumable-upload', key: upload.id, dueAt: upload.expiresAt })
    return transferOf(tx, upload, length === 0 || content_type === CHUNK_TYPE, source.fileId)
  },
  audit: 'speech',
  stores: {
    keep: ({ upload_length = 0, content_type }, worker, transfer?: Transfer) =>
      storeFirstBytes(content_type === CHUNK_TYPE && !transfer ? upload_length : 0, worker),
    discard: discardFirstBytes,
  },
  finish: async (transfer, _params, worker, stored) =>
    worker.isRepetition && transfer.directory !== null
      ? takeInChunk(await continued(transfer, worker), worker)
      : takeInChunk(transfer, worker, await stored()),
})

/** Returns the current progress of the first request's upload. */
async function continued({ upload }: Transfer, worker: WorkerContext): Promise<Transfer> {
  return (await worker.run(continueUploadStep.operation, { upload })) as Transfer
}

/** Seconds for uploading a file, from its announcement on. */
const UNDER_WAY_SECONDS = DAY

/** Gets how much of a file has been received. Source: tus 1.0.0, HEAD. */
export const getResumableUploadEndpoint = defineEndpoint({
  operation: 'get-resumable-upload',
  route: 'GET /tus/:upload',
  access: 'user',
  params: { upload: textUpTo(NAME_LENGTH) },
  tus: {
    headers: [],
    answers: { 200: { description: 'The headers say how many bytes have been received.', hasBody: true } },
    answerHeaders: ['Upload-Offset', 'Upload-Length', 'Upload-Metadata', 'Upload-Expires'],
    answer: (transfer: Transfer) => ({
      status: 200,
      headers: {
        ...progressHeaders(transfer),
        'Upload-Length': transfer.length,
        'Upload-Metadata': transfer.metadata === '' ? null : transfer.metadata,
      },
      body: { upload_offset: transfer.received, upload_length: transfer.length },
    }),
  },
  returns: v.object({
    upload_offset: described(v.number(), 'The number of bytes received so far.'),
    upload_length: described(v.number(), 'Bytes of the whole file.'),
  }),
  apply: (tx, caller, { upload }): Transfer => transferOf(tx, requireOwnUpload(tx, caller, upload), false),
})

/** Appends the next chunk of a file. Source: tus 1.0.0, PATCH; the body of the last answer: docs/interface/clients.md#what-clients-send. */
export const appendToResumableUploadEndpoint = defineEndpoint({
  operation: 'append-to-resumable-upload',
  route: 'PATCH /tus/:upload',
  access: 'user',
  growsObject: true,
  shed: { step: 'uploads' },
  params: {
    upload: textUpTo(NAME_LENGTH),
    upload_offset: described(
      headerInteger,
      'The byte at which the chunk begins; must be the number of bytes received so far.',
    ),
    content_length: v.optional(headerInteger),
  },
  tus: {
    headers: ['upload_offset', 'content_length'],
    chunk: 'required',
    answers: {
      200: { description: 'The upload is complete.', hasBody: true },
      204: { description: 'The chunk was stored, and more of the file is expected.', hasBody: false },
    },
    answerHeaders: ['Upload-Offset', 'Upload-Expires'],
    answer: (progress: Progress) => ({
      headers: progressHeaders(progress),
      ...(progress.file ? { status: 200, body: progress.file } : { status: progress.end ?? 204 }),
    }),
  },
  returns: uploadedFile,
  apply: appendToResumableUpload,
  audit: 'speech',
  stores: {
    keep: ({ upload_offset, content_length = 0 }, worker, transfer?: Transfer) =>
      storeFirstBytes(upload_offset === 0 && !transfer ? content_length : 0, worker),
    discard: discardFirstBytes,
  },
  finish: async (transfer, _params, worker, stored) => takeInChunk(transfer, worker, await stored()),
  // The offset reveals a repeated chunk, and the call alone only reserves a directory.
  idempotency: 'harmless',
  repeatable: () => true,
})

/**
 * Ends a resumable upload. A complete file stays, since messages may link to it; another operation deletes it. Source: tus 1.0.0,
 * termination.
 */
export const removeResumableUploadEndpoint = defineEndpoint({
  operation: 'remove-resumable-upload',
  route: 'DELETE /tus/:upload',
  access: 'user',
  params: { upload: textUpTo(NAME_LENGTH) },
  tus: {
    headers: [],
    answers: { 204: { description: 'The upload was removed.', hasBody: false } },
    answerHeaders: [],
    answer: () => ({ status: 204, headers: {} }),
  },
  apply(tx, caller, { upload }) {
    const { id } = requireOwnUpload(tx, caller, upload)
    forgetResumableUpload(tx, id)
    tx.unschedule({ kind: 'expire-resumable-upload', key: id })
  },
  audit: 'speech',
})
