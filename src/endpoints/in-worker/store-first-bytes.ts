import type { IncomingFile } from '../../core/files.ts'
import { log } from '../../core/log.ts'
import { CHUNK_OF_UPLOAD } from '../../core/worker-budgets.ts'
import type { UploadedImage } from '../../domain/uploads/attachment-rows.ts'
import { uploadDirectory, uploadKey } from '../../domain/uploads/upload-key.ts'
import { tooManyBytes } from '../../domain/uploads/upload-refusals.ts'
import { readImageFacts } from '../../images/read-image-facts.ts'
import type { WorkerContext } from '../define-endpoint.ts'

/** The first bytes of an upload, already stored. */
export interface FirstBytes {
  /** Their directory. */
  readonly directory: string
  readonly size: number
  /** Facts of the picture, if they are one. */
  readonly image: UploadedImage | undefined
}

/**
 * Stores the body of the request, which is the beginning of an upload: with most files, all of it. Undefined
 * if that is too much to hold, or nothing; then none of it has been read.
 *
 * @param expected bytes
 */
export async function storeFirstBytes(
  expected: number,
  worker: WorkerContext,
): Promise<FirstBytes | undefined> {
  if (expected === 0 || expected > CHUNK_OF_UPLOAD) return undefined
  const giveBack = await worker.takeMemory(expected)
  try {
    const bytes = new Uint8Array(expected)
    let size = 0
    for await (const chunk of arriving(worker.files)) {
      if (size + chunk.length > expected) throw tooManyBytes()
      bytes.set(chunk, size)
      size += chunk.length
    }
    const came = bytes.subarray(0, size)
    const directory = uploadDirectory(worker.realmId, worker.fileId)
    if (size > 0) await worker.store.keep(uploadKey(directory), came, CHUNK_OF_UPLOAD)
    return { directory, size, image: readImageFacts(came) }
  } finally {
    giveBack()
  }
}

export async function discardFirstBytes({ realmId, fileId, store }: WorkerContext): Promise<void> {
  await store.discard(uploadKey(uploadDirectory(realmId, fileId)))
}

/** Yields the bytes until the end, or until the connection breaks. */
export async function* arriving(files: WorkerContext['files']): AsyncGenerator<Uint8Array> {
  try {
    for await (const { content } of files as AsyncIterable<IncomingFile>) yield* content
  } catch (error) {
    log('info', 'A chunk of an upload broke off', { error })
  }
}
