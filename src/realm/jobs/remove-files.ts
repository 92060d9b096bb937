import { keysOfImage } from '../../domain/images/public-image.ts'
import { cancelRemoval, listDueRemovals, nextRemovalAt } from '../../domain/uploads/removal-rows.ts'
import { keysToRemove } from '../../domain/uploads/thumbnail-formats.ts'
import type { Runtime } from '../runtime.ts'

/** R2 takes up to a thousand keys at once, and a picture may have several. */
const FILES_PER_RUN = 300

/**
 * Takes out of R2 what nothing refers to any more. A key is struck off the list only when the file has
 * gone: a crash in between deletes twice, which harms nobody. Answers when to go on.
 */
export async function removeFiles({ sql, uploads, now }: Runtime): Promise<number | undefined> {
  const keys = listDueRemovals(sql, now(), FILES_PER_RUN)
  if (keys.length > 0) await uploads.delete(keys.flatMap(keysToRemove).flatMap(keysOfImage))
  for (const key of keys) cancelRemoval(sql, key)
  return nextRemovalAt(sql)
}
