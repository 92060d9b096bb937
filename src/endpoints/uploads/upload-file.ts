import { deploymentOf } from '../../core/call.ts'
import { type ApiError, BadRequestError, isRefusal, UploadQuotaError } from '../../core/errors.ts'
import { BrokenFormError, FileTooLargeError, type IncomingFile, MIB } from '../../core/files.ts'
import { enterUpload, type ReservedUpload, uploadFile, uploadKey } from '../../domain/uploads/upload-file.ts'
import { readImageFacts } from '../../images/read-image-facts.ts'
import { defineEndpoint, defineStep, type WorkerContext } from '../define-endpoint.ts'
import { storedUpload } from '../step-types.ts'
import { FileHead } from './file-head.ts'
import { uploadedFile } from './uploaded-file-schema.ts'

/** Stores a file for messages to link to. Source: docs/interface/uploads.md#upload-a-file; docs/interface/clients.md#what-clients-send. */
export const uploadFileEndpoint = defineEndpoint({
  operation: 'upload-file',
  method: 'POST',
  path: '/user_uploads',
  access: 'user',
  growsObject: true,
  streamsFiles: true,
  params: {},
  returns: uploadedFile,
  command: uploadFile,
  idempotency: 'last-step',
  async finish(reserved, _params, worker) {
    try {
      return (await worker.run(enterUploadStep.operation, await storeOnlyFile(reserved, worker))) as object
    } catch (error) {
      const refusal = error instanceof BrokenFormError ? noFile() : error
      // After any other failure the file may have been entered: if not, the realm removes it in time.
      if (isRefusal(refusal)) await worker.store.discard(uploadKey(reserved.directory))
      throw refusal
    }
  },
})

export const enterUploadStep = defineStep({
  operation: 'enter-upload',
  access: 'user',
  params: storedUpload,
  command: enterUpload,
  idempotency: 'answer',
})

/** The part of the form that is a file, whatever its field is called. */
async function storeOnlyFile(
  reserved: ReservedUpload,
  worker: WorkerContext,
): Promise<Record<string, unknown>> {
  let stored: Record<string, unknown> | undefined
  for await (const file of worker.files) {
    if (file.name === '') continue
    if (stored) throw new BadRequestError('You may only upload one file at a time')
    const { name, contentType } = file
    const head = new FileHead()
    const size = await storeFile(reserved, head.of(file.content), worker)
    const image = readImageFacts(head.bytes)
    stored = { directory: reserved.directory, name, contentType, size, image }
  }
  if (!stored) throw noFile()
  return stored
}

function noFile(): ApiError {
  return new BadRequestError('You must specify a file to upload')
}

async function storeFile(
  { directory, spaceLeft }: ReservedUpload,
  content: IncomingFile['content'],
  { store, source }: WorkerContext,
): Promise<number> {
  const { maxFileUploadMib } = deploymentOf(source)
  const largest = maxFileUploadMib * MIB
  try {
    return await store.keep(uploadKey(directory), content, Math.min(largest, spaceLeft ?? largest))
  } catch (error) {
    if (!(error instanceof FileTooLargeError)) throw error
    if (spaceLeft !== null && spaceLeft < largest) throw new UploadQuotaError()
    throw new BadRequestError(
      `File is larger than this server's configured maximum upload size (${maxFileUploadMib} MiB).`,
    )
  }
}
