import { keysOfImage } from '../../domain/images/public-image.ts'
import { cancelRemoval, listDueRemovals, nextRemovalAt } from '../../domain/uploads/removal-rows.ts'
import { keysToRemove } from '../../domain/uploads/thumbnail-formats.ts'
import type { Runtime } from '../runtime.ts'

/** Number of files of one run. R2 takes up to a thousand keys in a call, and a picture may have several. */
const FILES_PER_RUN = 300

/**
 * Removes orphans from R2. A key leaves the list only when the file is gone: a crash in between deletes
 * twice, which does no harm. Returns when to continue.
 */
export async function removeFiles({ sql, uploads, now }: Runtime): Promise<number | undefined> {
  const keys = listDueRemovals(sql, now(), FILES_PER_RUN)
  if (keys.length > 0) await uploads.delete(keys.flatMap(keysToRemove).flatMap(keysOfImage))
  for (const key of keys) cancelRemoval(sql, key)
  return nextRemovalAt(sql)
}
