import { storeIn } from '../../core/file-store.ts'
import type { FileStore } from '../../core/files.ts'
import { workerMemory } from '../memory-share.ts'

/** Stores files in R2, in the memory that requests share. */
export function fileStoreOn(bucket: R2Bucket): FileStore {
  return storeIn(bucket, () => workerMemory.arriving())
}
