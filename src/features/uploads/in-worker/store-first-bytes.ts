import type { WorkerContext } from '../../../api/define-endpoint.ts'
import { ApiError, BrokenOffError } from '../../../core/errors.ts'
import type { IncomingFile } from '../../../core/files.ts'
import { GrowingBytes } from '../../../core/growing-bytes.ts'
import { readImageFacts } from '../../../images/read-image-facts.ts'
import { tooManyBytes } from '../../../model/uploads/upload-refusals.ts'
import type { UploadedImage } from '../../../store/uploads/attachment-rows.ts'
import { uploadDirectory, uploadKey } from '../../../store/uploads/upload-key.ts'

/** Bytes of a chunk of a resumable upload, which is the limit of what is sent twice. */
export const CHUNK_OF_UPLOAD = 8 * 1024 * 1024

/** The first bytes of an upload, already stored. */
export interface FirstBytes {
  /** Their directory. */
  readonly directory: string
  readonly size: number
  /** Facts of the picture, if they are one. */
  readonly image: UploadedImage | undefined
  /** How the body ended. */
  readonly end: EndOfBody
}

/** The status for a body that ended before it was complete: it stalled (408), or its client broke off (499). Null for any other. */
export type EndOfBody = number | null

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
  const memory = worker.arrivingMemory()
  try {
    const came = new GrowingBytes(memory, expected)
    const end = await eachChunk(worker.files, async (chunk) => {
      if ((await came.add(chunk)) < chunk.length) throw tooManyBytes()
    })
    const directory = uploadDirectory(worker.realmId, worker.fileId)
    if (came.length > 0) await worker.store.keep(uploadKey(directory), came.bytes, CHUNK_OF_UPLOAD)
    return { directory, size: came.length, image: readImageFacts(came.bytes), end }
  } finally {
    memory.giveBack()
  }
}

export async function discardFirstBytes({ realmId, fileId, store }: WorkerContext): Promise<void> {
  await store.discard(uploadKey(uploadDirectory(realmId, fileId)))
}

/** Takes the bytes until the end, or until no more come: those that have come are kept. Returns how the body ended. */
export async function eachChunk(
  files: WorkerContext['files'],
  take: (chunk: Uint8Array) => Promise<void>,
): Promise<EndOfBody> {
  for await (const { content } of files as AsyncIterable<IncomingFile>) {
    const chunks = content[Symbol.asyncIterator]()
    for (;;) {
      const next = await chunks.next().catch(endOf)
      if (typeof next === 'number') return next
      if (next.done) break
      await take(next.value)
    }
  }
  return null
}

/** Any other error than a refusal is of files that are not wanted any more. */
function endOf(error: unknown): number {
  return (error instanceof ApiError ? error : new BrokenOffError()).status
}
