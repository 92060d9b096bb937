import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { headerInteger, textUpTo } from '../../api/parameter-types.ts'
import type { Transfer } from '../../model/uploads/resumable-upload.ts'
import {
  discardFirstBytes,
  type Progress,
  progressHeaders,
  storeFirstBytes,
  takeInChunk,
} from './in-worker/take-in-chunk.ts'
import { appendToResumableUpload, uploadedFile } from './upload-chunk.ts'

/**
 * Appends the next chunk of a file. Source: tus 1.0.0, PATCH; the body of the last answer:
 * docs/interface/clients.md#what-clients-send.
 */
export const appendToResumableUploadEndpoint = defineEndpoint({
  operation: 'append-to-resumable-upload',
  method: 'PATCH',
  path: '/tus/:upload',
  access: 'user',
  growsObject: true,
  params: {
    upload: textUpTo(NAME_LENGTH),
    upload_offset: v.pipe(
      headerInteger,
      v.description('The byte at which the chunk begins; must be the number of bytes received so far.'),
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
  command: { apply: appendToResumableUpload },
  audit: 'speech',
  stores: {
    keep: ({ upload_offset, content_length = 0 }, worker, transfer?: Transfer) =>
      storeFirstBytes(upload_offset === 0 && !transfer ? content_length : 0, worker),
    discard: discardFirstBytes,
  },
  finish: async (transfer, _params, worker, stored) => takeInChunk(transfer, worker, await stored()),
  // The offset shows that a chunk is repeated, and the call alone only reserves a directory.
  idempotency: 'harmless',
  repeatable: () => true,
})
