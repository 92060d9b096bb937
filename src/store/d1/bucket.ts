import type { FileBucket, FileFacts } from '../../core/file-bucket.ts'
import { filesInD1, isUploadOfD1 } from './files.ts'

export interface FileEnvironment {
  readonly DB: D1Database
  /** The bucket of files. Absent: they are in D1. */
  readonly UPLOADS?: FileBucket
  /** Any text: D1 may have files of a time without a bucket, which move to it at night. `npm run deploy` sets it. */
  readonly FILES_IN_D1?: string
}

/** Returns the deployment's store of files. */
export function bucketOf({ DB, UPLOADS, FILES_IN_D1 }: FileEnvironment): FileBucket {
  if (!UPLOADS) return filesInD1(DB)
  return FILES_IN_D1 ? whileMoving(UPLOADS, filesInD1(DB)) : UPLOADS
}

/** Reads what the bucket lacks from D1, and writes to the bucket. */
function whileMoving(bucket: FileBucket, inD1: FileBucket): FileBucket {
  return {
    head: async (key) => (await bucket.head(key)) ?? inD1.head(key),
    // A file that moves between the two looks is in the bucket by then.
    get: async (key, options) =>
      (await bucket.get(key, options)) ?? (await inD1.get(key, options)) ?? bucket.get(key, options),
    async put(key, content) {
      await bucket.put(key, content)
      await inD1.delete(key)
    },
    async delete(keys) {
      await inD1.delete(keys)
      await bucket.delete(keys)
    },
    async list({ prefix, limit = 1_000, cursor, startAfter }) {
      const after = cursor ?? startAfter
      const asked = { prefix, limit, ...(after && { startAfter: after }) }
      const pages = await Promise.all([bucket.list(asked), inD1.list(asked)])
      const ends = pages.flatMap(({ truncated, objects }) => (truncated ? [objects.at(-1)!.key] : []))
      const byKey = new Map<string, FileFacts>()
      for (const { objects } of pages.toReversed()) {
        // Beyond the end of the other list may be more of it.
        for (const each of objects) if (ends.every((end) => each.key <= end)) byKey.set(each.key, each)
      }
      const all = [...byKey.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
      const objects = all.slice(0, limit)
      return all.length > limit || ends.length > 0
        ? { objects, truncated: true, cursor: objects.at(-1)!.key }
        : { objects, truncated: false }
    },
    createMultipartUpload: (key) => bucket.createMultipartUpload(key),
    resumeMultipartUpload: (key, uploadId) =>
      (isUploadOfD1(uploadId) ? inD1 : bucket).resumeMultipartUpload(key, uploadId),
  }
}
