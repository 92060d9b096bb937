import { defineEndpoint, defineStep } from '../../api/define-endpoint.ts'
import { storedUpload } from '../../api/step-types.ts'
import type { WorkerContext } from '../../api/worker-context.ts'
import { deploymentOf } from '../../core/call.ts'
import { type ApiError, BadRequestError, UploadQuotaError } from '../../core/errors.ts'
import { BrokenFormError, FileTooLargeError, type IncomingFile, MIB } from '../../core/files.ts'
import { FileHead } from '../../core/growing-bytes.ts'
import { readImageFacts } from '../../images/read-image-facts.ts'
import {
  addUpload,
  type ReservedUpload,
  type StoredUpload,
  uploadFile,
} from '../../model/uploads/upload-file.ts'
import { uploadDirectory, uploadKey } from '../../store/uploads/upload-keys.ts'
import { uploadedFile } from './upload-chunk.ts'

/** Stores a file for messages to link to. Source: docs/interface/uploads.md#upload-a-file; docs/interface/clients.md#what-clients-send. */
export const uploadFileEndpoint = defineEndpoint({
  operation: 'upload-file',
  route: 'POST /user_uploads',
  access: 'user',
  growsObject: true,
  shed: { step: 'uploads' },
  streamsFiles: true,
  returns: uploadedFile,
  apply: uploadFile,
  audit: 'speech',
  idempotency: 'last-step',
  stores: {
    keep: (_params, worker, reserved?: ReservedUpload) => storeOnlyFile(worker, reserved),
    discard: (worker) => worker.store.discard(uploadKey(directoryOf(worker))),
  },
  async finish(reserved, _params, worker, stored) {
    try {
      return (await worker.run(insertUploadStep.operation, { ...(await stored()) })) as object
    } catch (error) {
      throw refusalOf(error, reserved, worker)
    }
  },
})

export const insertUploadStep = defineStep({
  operation: 'enter-upload',
  access: 'user',
  params: storedUpload,
  apply: addUpload,
  audit: 'speech',
  idempotency: 'answer',
})

function directoryOf({ realmId, fileId }: WorkerContext): string {
  return uploadDirectory(realmId, fileId)
}

/** Stores the form's only file, whatever its field is called. */
async function storeOnlyFile(worker: WorkerContext, reserved?: ReservedUpload): Promise<StoredUpload> {
  let stored: StoredUpload | undefined
  for await (const file of worker.files) {
    if (file.name === '') continue
    if (stored) throw new BadRequestError('You may only upload one file at a time')
    const { name, contentType } = file
    const head = new FileHead()
    const size = await storeFile(head.of(file.content), worker, reserved)
    const image = readImageFacts(head.bytes)
    stored = { directory: directoryOf(worker), name, contentType, size, image }
  }
  if (!stored) throw noFile()
  return stored
}

function noFile(): ApiError {
  return new BadRequestError('You must specify a file to upload')
}

/** Stores a file. If it exceeds the organization's quota, it is refused when it is entered, unless the space left is known already. */
function storeFile(
  content: IncomingFile['content'],
  worker: WorkerContext,
  reserved?: ReservedUpload,
): Promise<number> {
  const maxBytes = maxFileBytes(worker)
  const limit = Math.min(maxBytes, reserved?.spaceLeft ?? maxBytes)
  return worker.store.keep(uploadKey(directoryOf(worker)), content, limit)
}

/** Returns a file's limit in bytes. */
function maxFileBytes({ source }: WorkerContext): number {
  return deploymentOf(source).maxFileUploadMib * MIB
}

function refusalOf(error: unknown, { spaceLeft }: ReservedUpload, worker: WorkerContext): unknown {
  if (error instanceof BrokenFormError) return noFile()
  if (!(error instanceof FileTooLargeError)) return error
  const { maxFileUploadMib } = deploymentOf(worker.source)
  if (spaceLeft !== null && spaceLeft < maxFileBytes(worker)) return new UploadQuotaError()
  return new BadRequestError(
    `File is larger than this server's configured maximum upload size (${maxFileUploadMib} MiB).`,
  )
}
