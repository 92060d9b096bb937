import * as v from 'valibot'
import { createResumableUpload } from '../../domain/uploads/create-resumable-upload.ts'
import { CHUNK_TYPE, type Transfer } from '../../domain/uploads/resumable-upload.ts'
import { defineEndpoint, type WorkerContext } from '../define-endpoint.ts'
import { progressHeaders } from '../in-worker/progress-headers.ts'
import { discardFirstBytes, storeFirstBytes } from '../in-worker/store-first-bytes.ts'
import { type Progress, takeInChunk } from '../in-worker/take-in-chunk.ts'
import { NAME_LENGTH, PROSE_LENGTH } from '../input-limits.ts'
import { headerInteger, textUpTo } from '../parameter-types.ts'
import { continueUploadStep } from './upload-steps.ts'
import { uploadedFile } from './uploaded-file-schema.ts'

/** Announces a file that comes in chunks, possibly with the first one. Source: tus 1.0.0, creation. */
export const createResumableUploadEndpoint = defineEndpoint({
  operation: 'create-resumable-upload',
  method: 'POST',
  path: '/tus/',
  access: 'user',
  growsObject: true,
  params: {
    upload_length: v.optional(v.pipe(headerInteger, v.description('Bytes of the whole file.'))),
    upload_metadata: v.optional(
      v.pipe(
        textUpTo(PROSE_LENGTH),
        v.description(
          'Pairs of a key and a Base64 value, separated by commas. The keys are filename and filetype.',
        ),
      ),
      '',
    ),
    content_type: v.optional(textUpTo(NAME_LENGTH)),
  },
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
  command: createResumableUpload,
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

/** Returns how far the upload of the first request has come, and not how it began. */
async function continued({ upload }: Transfer, worker: WorkerContext): Promise<Transfer> {
  return (await worker.run(continueUploadStep.operation, { upload })) as Transfer
}
